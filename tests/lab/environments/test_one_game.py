"""One game in plain Python: actions that there are, and those that are refused."""

from __future__ import annotations

from random import Random

import pytest

from papan.ai.observation import action_of
from papan.game.catalogue import BUILT_IN
from papan.game.rules import IllegalStep
from papan.lab.environments.one_game import OneGame

STEPS = 30
REFUSED = 200  # of the actions that are not legal after a step


@pytest.mark.parametrize("name", BUILT_IN)
def test_actions_that_are_not_legal_are_refused_in_words(name: str) -> None:
    game, random = OneGame(name), Random(1)
    game.begin(1)
    for _ in range(STEPS):
        if game.is_over:
            break
        before = game.match.state
        illegal = sorted({*range(game.actions)} - {*game.legal_actions()})
        for action in random.sample(illegal, min(REFUSED, len(illegal))):
            with pytest.raises(IllegalStep, match=r".+\.$"):
                game.play(action)
        assert game.match.state == before
        game.play(random.choice(game.legal_actions()))


def test_actions_that_there_are_not_or_after_the_end() -> None:
    game = OneGame("connect-four")
    for action in (-1, 7, 10**9):
        with pytest.raises(IllegalStep, match=r"There is no action .*: they are 0 to 6"):
            game.play(action)
    for action in (0, 1, 0, 1, 0, 1, 0):
        game.play(action)
    with pytest.raises(IllegalStep, match=r"The game is over|is full"):
        game.play(3)


def test_what_leads_off_the_board_is_no_other_step() -> None:
    """From square 5 of Checkers to the lower left: the next bit stands for no square, the one after it for square 9."""
    game = OneGame("checkers")
    for notation in ("9-13", "24-20"):
        step = next(
            each for each in game.match.legal_steps() if game.game.rules.notation(game.match.state, each) == notation
        )
        game.play(int(action_of(game.match.state, step)))
    lower_left, lower_right = 8 * 4, 8 * 4 + 1
    assert lower_right in game.legal_actions()
    with pytest.raises(IllegalStep, match=f"The action {lower_left} is not a step here"):
        game.play(lower_left)
