"""What searches make of positions that come again, on their path and in the match before: what the match's rules would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from papan.ai.limits import WIN_BOUND, Limit
from papan.ai.players import make_player, situation
from papan.ai.search.repetition import (
    PATH,
    REPETITION_SCORE,
    CameTwice,
    begin_path,
    begin_path_of,
    come_back,
    come_twice,
    repetition_value,
)
from papan.game.catalogue import GAMES
from papan.game.kernel.rows import put_state, state_rows
from papan.game.match import Match
from papan.game.match.record.reading import read
from papan.game.rules import State, key, legal_steps, mover, play
from papan.game.rules.xiangqi import parse, repetition_ending
from papan.game.rules.xiangqi.board import STEP_SHIFT, TARGET_MASK

PERPETUAL = "4k4/9/9/9/9/9/9/9/3R5/5K3 w"
IN_CHECK = "4k4/9/9/9/9/9/9/9/4R4/5K3 b"
BOTH_ATTACK = "3k1R3/9/9/9/9/9/9/9/3r5/4K4 b"
AROUND = "a9a8 d8d9 a8a9 d9d8"
PAUSE = "a9b9 d8d7 b9a9 d7d8"
CHECKS = "R8/3k5/9/9/9/9/9/9/4K4/9 w"
"""Red gives check by AROUND, and pauses by PAUSE; both lead back."""


def match_by(position: str, moves: str) -> Match:
    """A match of xiangqi from *position* on."""
    match = Match.new(GAMES["xiangqi"], ["a", "b"], position=position)
    for move in moves.split():
        match.play(step_of(match, move))
    return match


def step_of(match: Match, move: str) -> int:
    return next(step for step in match.legal_steps() if match.rules.notation(match.state, step) == move)


def new_path() -> Any:
    return SimpleNamespace(
        path=np.zeros(PATH, np.int64), path_note=np.zeros(PATH, np.int64), twice_start=0, path_start=0
    )


def judged(before: Sequence[State], after: Sequence[State]) -> float | None:
    """What a search whose root is the last of *before* says of the last of *after*, to which its path leads."""
    work = new_path()
    end = begin_path(before[-1], come_twice(before), work)
    for state in after:
        start, note = come_back(state, end, end, work)
        if start >= 0:
            assert state is after[-1], "nothing else comes again"
            return repetition_value(note, mover(state))
        end += 1
    return None


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
def test_a_cycle_is_judged_as_the_rules_judge_it_wherever_the_search_begins(
    position: str, verdicts: set[float]
) -> None:
    start = parse(position, {})
    met: set[float] = set()
    for cycle in cycles(start):
        twice = [*cycle, *(state._replace(quiet=state.quiet + 4) for state in cycle[1:])]
        ending = repetition_ending(twice)
        assert ending is not None
        value = ending.payoffs[1 - start.to_move]
        assert judged(cycle[:1], cycle[1:]) == value, "at its second time, where all of it is the search's"
        for root in range(5, 9):
            assert judged(twice[:root], twice[root:]) == (value if root < 9 else None)
        met.add(value)
    assert met >= verdicts


class TestOfWhatCameBefore:
    def test_a_pause_before_the_search_makes_a_draw(self) -> None:
        """Red checked all the way from the root, but not all the time since the position came first."""
        match = match_by(CHECKS, f"{PAUSE} {AROUND}")
        states = match.states
        for root in range(1, len(states) - 1):
            assert judged(states[:root], states[root:]) == (0.0 if root > 4 else None) or root <= 4
        checked = match_by(CHECKS, f"{AROUND} {AROUND}").states
        assert judged(checked[:8], checked[8:]) == 1.0, "black came to it last, and red gave check all along"

    def test_a_cycle_that_would_end_elsewhere_sooner_is_judged_there(self) -> None:
        """A position of it came once before a pause: it comes for the third time before the cycle's first one does."""
        states = match_by(CHECKS, f"a9a8 d8d9 a8b8 d9d8 b8a8 d8d9 a8a9 d9d8 {'a9a8 d8d9'}").states
        assert [key(state) for state in states].count(key(states[1])) >= 2

    def test_keys_alone_are_judged_from_the_root_on(self) -> None:
        match = match_by(CHECKS, f"{AROUND} a9a8 d8d9 a8a9")
        step = step_of(match, "d9d8")
        after = play(match.state, step)
        work = new_path()
        end = begin_path(match.state, [int(key(after))], work)
        start, note = come_back(after, end, end, work)
        assert (start, repetition_value(note, mover(after))) == (0, 1.0)


RECORD = """
[Game "xiangqi"]
"""
