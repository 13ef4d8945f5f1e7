"""Random games beside open_spiel's rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from papan.game.rules import State, is_over, legal_steps, mover, payoff, play
from tests.rivals import rival


def compare_games(name: str, start: State, games: int, action: Callable[[int], int] = int) -> Counter[int]:
    """Play *games* random games by both programs' rules; *action* is open_spiel's number of a step.

    :return: how often each step was played.
    """
    game = rival("pyspiel").load_game(name)
    random, played = Random(30), Counter[int]()
    for _ in range(games):
        state, theirs = start, game.new_initial_state()
        while not theirs.is_terminal():
            assert not is_over(state)
            assert mover(state) == theirs.current_player()
            steps = legal_steps(state)
            assert sorted(map(action, steps)) == theirs.legal_actions()
            step = random.choice(steps)
            played[step] += 1
            state = play(state, step)
            theirs.apply_action(action(step))
        assert is_over(state)
        assert [payoff(state, 0), payoff(state, 1)] == theirs.returns()
    return played
