"""What alpha-beta makes of positions that come again on its path: what the match's rules would."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from papan.ai.search.negamax import note_of, repetition_value
from papan.game.rules import legal_steps, play
from papan.game.rules.xiangqi import State, parse, repetition_ending
from papan.game.rules.xiangqi.board import STEP_SHIFT, TARGET_MASK

PERPETUAL = "4k4/9/9/9/9/9/9/9/3R5/5K3 w"
IN_CHECK = "4k4/9/9/9/9/9/9/9/4R4/5K3 b"
BOTH_ATTACK = "3k1R3/9/9/9/9/9/9/9/3r5/4K4 b"


def back(step: int) -> int:
    """The step that takes *step* back."""
    return (step & TARGET_MASK) << STEP_SHIFT | step >> STEP_SHIFT


def cycles(start: State) -> Iterator[list[State]]:
    """*start* and the states after it, until it stands there again: each side goes to and fro."""
    for step in legal_steps(start):
        first = play(start, step)
        for answer in legal_steps(first):
            second = play(first, answer)
            if back(step) in legal_steps(second):
                third = play(second, back(step))
                if third.quiet == 3 and back(answer) in legal_steps(third):
                    yield [start, first, second, third, play(third, back(answer))]


@pytest.mark.parametrize(
    ("position", "verdicts"),
    [(PERPETUAL, {0.0, 1.0}), (IN_CHECK, {-1.0, 0.0}), (BOTH_ATTACK, {-1.0, 0.0})],
)
def test_a_cycle_is_judged_as_the_rules_judge_it(position: str, verdicts: set[float]) -> None:
    start = parse(position, {})
    met: set[float] = set()
    for cycle in cycles(start):
        ending = repetition_ending([*cycle, *(state._replace(quiet=state.quiet + 4) for state in cycle[1:])])
        assert ending is not None
        path = SimpleNamespace(path_start=0, path_note=[note_of(state) for state in cycle[:-1]])
        value = repetition_value(note_of(cycle[-1]), 0, path, len(cycle) - 1)
        assert value == ending.payoffs[1 - start.to_move]
        met.add(value)
    assert met >= verdicts


def test_of_what_came_before_the_search_only_the_way_from_the_root_counts() -> None:
    quiet, check = 0, 1  # notes of red to act
    path = SimpleNamespace(path_start=2, path_note=[quiet, quiet, 2, check, 2])
    assert repetition_value(check, 0, path, 5) == -1.0
    path.path_start = 0
    assert repetition_value(check, 0, path, 5) == 0.0
