"""Threats: what the side that is not to move would win with at once, unless something is done about it.

No rules know a pass, so a threat is told by what comes after the mover's turns: it is a turn that wins after most of
those that are tried. A search of one turn finds it, so this is the same for every game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from papan.ai.limits import Limit
from papan.ai.search import Searcher
from papan.game.rules import CHANCE, Rules, State, allied, is_over, legal_steps, mover, payoff, play

TRIED = 12
"""Turns of the mover that are tried at most."""
MOST_OF = 0.5
"""The share of these after which a turn must win to be a threat."""
_LEAST_TRIED = 2
_LONGEST_TURN = 12
_ONE_TURN = Limit(depth=1, time=0.2)


class Threat(NamedTuple):
    """A turn that wins at once."""

    seat: int
    notation: str


def _never() -> bool:
    return False


def find_threat(
    rules: Rules, state: State, search: Searcher, is_cancelled: Callable[[], bool] = _never
) -> Threat | None:
    """The win that the mover of *state* has to expect from the seat after it; None where there is none in sight.

    :param search: compiled for this type of state.
    """
    if is_over(state) or int(mover(state)) == CHANCE:
        return None
    seat, tried, found = int(mover(state)), 0, Counter[Threat]()
    for after in _states_after_turns(rules, state):
        if is_cancelled():
            return None
        tried += 1
        other = int(mover(after))
        if other == CHANCE or allied(after, seat, other):
            continue
        win = winning_turn(rules, after, search)
        if win is not None:
            found[Threat(other, win)] += 1
    if tried < _LEAST_TRIED or not found:
        return None
    threat, count = found.most_common(1)[0]
    return threat if count >= MOST_OF * tried else None


def winning_turn(rules: Rules, state: State, search: Searcher) -> str | None:
    """The notation of a turn by which the mover of *state* wins at once; None where there is none."""
    analysis = search.analyse(state, _ONE_TURN)
    line = analysis.principal_variation or (analysis.step,)
    if analysis.win_distance != 1:
        return None
    turn, end = whole_turn(rules, state, line)
    return turn if is_over(end) and payoff(end, int(mover(state))) > 0 else None


def whole_turn(rules: Rules, state: State, line: tuple[int, ...]) -> tuple[str, State]:
    """The notation of the turn that *line* begins with in *state*, and the state after it."""
    seat, notation = int(mover(state)), ""
    for step in line:
        if is_over(state) or int(mover(state)) != seat:
            break
        notation += rules.notation(state, step)
        state = play(state, step)
    return notation, state


def _states_after_turns(rules: Rules, state: State) -> Iterator[State]:
    """States after some turns of the mover, spread over all of its first steps; not those that end the game."""
    seat, steps = int(mover(state)), legal_steps(state, rules.MOST_STEPS)
    stride = max(1, -(-len(steps) // TRIED))
    for first in steps[::stride]:
        after = play(state, first)
        for _number in range(_LONGEST_TURN):
            if is_over(after) or int(mover(after)) != seat:
                break
            choices = legal_steps(after, rules.MOST_STEPS)
            after = play(after, choices[len(choices) // 2])
        if not is_over(after):
            yield after
