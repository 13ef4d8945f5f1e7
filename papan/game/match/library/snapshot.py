"""Immutable snapshots of matches for any thread, and applying one to a match."""

from __future__ import annotations

import datetime
import json
from typing import NamedTuple

from papan.game.match import Conclusion, Match
from papan.game.match.notation import parse_step
from papan.game.match.record import BEFORE_FIRST_ROUND, Round, write_tags
from papan.game.rules import CHANCE, Ending, is_over, mover, play


class Origin(NamedTuple):
    """The match that another one branches off from."""

    match_id: int
    """Its number in the library."""
    steps: int
    """The number of common steps."""


class MatchHeader(NamedTuple):
    """The constant data of a match in the library."""

    tags: str
    """The tags of the record, as JSON."""
    game: str
    seats: tuple[str, ...]
    origin: Origin | None = None


class Snapshot(NamedTuple):
    """The variable data of a match at one moment."""

    notations: tuple[str, ...]
    """Of all steps, the undone ones last."""
    played: int
    """The number of steps played."""
    round: int
    mover: int | None
    """The seat to act; None for chance, and after the end."""
    ending: Ending | None
    when: datetime.datetime
    """In UTC."""
    turns: int = 0
    """Turns of seats so far; the last may be unfinished."""


def header_of(match: Match, origin: Origin | None = None) -> MatchHeader:
    return MatchHeader(json.dumps(write_tags(match)), match.game.name, tuple(match.seats), origin)


class SnapshotBuilder:
    """Makes snapshots of a match; it caches notations and rounds, so that only new steps cost time."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._steps: tuple[int, ...] = ()
        self._notations: list[str] = []
        # Before each step, and after the last.
        self._rounds: list[Round] = [BEFORE_FIRST_ROUND.then(int(mover(match.states[0])))]
        self._turns: list[int] = [0]  # begun before each step, and after the last
        self._seats: list[int] = []  # of each step

    def snapshot(self) -> Snapshot:
        match = self._match
        self._catch_up()
        played, ending = len(match.steps), match.ending
        return Snapshot(
            tuple(self._notations),
            played,
            self._rounds[played].number,
            None if ending or match.mover == CHANCE else match.mover,
            ending,
            datetime.datetime.now(datetime.UTC),
            self._turns[played],
        )

    def _catch_up(self) -> None:
        match, steps = self._match, tuple(self._match.all_steps)
        same = common_length(self._steps, steps)
        del self._notations[same:], self._rounds[same + 1 :], self._turns[same + 1 :], self._seats[same:]
        first = min(same, len(match.steps))  # states are known only up to the current one
        state = match.states[first]
        for number in range(first, len(steps)):
            after = play(state, steps[number])
            if number >= same:
                self._notations.append(match.rules.notation(state, steps[number]))
                # Only the last state can end the game.
                is_end = number == len(steps) - 1 and is_over(after)
                is_new_turn = mover(after) != mover(state) and not is_end
                self._rounds.append(self._rounds[-1].then(int(mover(after))) if is_new_turn else self._rounds[-1])
                seat = int(mover(state))
                begins = seat != CHANCE and (not self._seats or self._seats[-1] != seat)
                self._turns.append(self._turns[-1] + begins)
                self._seats.append(seat)
            state = after
        self._steps = steps


def bring_to(
    match: Match,
    known: tuple[str, ...],
    notations: tuple[str, ...],
    played: int,
    conclusion: Conclusion | None = None,
) -> None:
    """Play and undo in *match* until its steps are *notations*, *played* of them played.

    :param known: the notations of all its steps now.
    :param conclusion: its conclusion then, if any.
    :raises NotationError, IllegalStep: there is no such step; the match is at the state before it.
    """
    same = common_length(known, notations)
    match.reopen()
    while len(match.steps) > same:
        match.undo()
    while len(match.steps) < same:
        match.redo()
    match.forget_undone()
    for notation in notations[same:]:
        match.play(parse_step(match.rules, match.state, notation), even_if_repeated=True)
    while len(match.steps) > played:
        match.undo()
    if conclusion is not None and match.ending is None:
        match.conclude(conclusion)


def common_length(some: tuple[object, ...], others: tuple[object, ...]) -> int:
    """The length of the common prefix."""
    low, high = 0, min(len(some), len(others))
    if some[:high] == others[:high]:
        return high
    while low < high:  # binary search; comparing slices is fast
        middle = (low + high + 1) // 2
        if some[low:middle] == others[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
