"""A match as it stands, in a form that any thread may hold; and how a match is brought to what such a form says."""

from __future__ import annotations

import datetime
import json
from typing import NamedTuple

from papan.game.match import Conclusion, Match
from papan.game.match.notation import parse_step
from papan.game.match.record import BEFORE_FIRST_ROUND, Round, write_tags
from papan.game.rules import CHANCE, Ending, is_over, mover, play


class Origin(NamedTuple):
    """Where a match comes from that branches off from another one."""

    match_id: int
    """The other one's number in the library."""
    steps: int
    """How many steps the two have in common."""


class MatchHeader(NamedTuple):
    """What never changes of a match, as the library stores it."""

    tags: str
    """The tags of its record, as JSON."""
    game: str
    seats: tuple[str, ...]
    origin: Origin | None = None
    """Where it comes from, if it branches off from another one."""


class Snapshot(NamedTuple):
    """What changes of a match, at one moment."""

    notations: tuple[str, ...]
    """Those of all its steps, the ones that were taken back last."""
    played: int
    """How many of them are played."""
    round: int
    mover: int | None
    """The seat that is to act; None where it is chance, and once the match is over."""
    ending: Ending | None
    when: datetime.datetime
    """In UTC."""
    turns: int = 0
    """How many turns of its seats are played; the last one may still be going on."""


def header_of(match: Match, origin: Origin | None = None) -> MatchHeader:
    """The facts of *match*, which may branch off from another one."""
    return MatchHeader(json.dumps(write_tags(match)), match.game.name, tuple(match.seats), origin)


class SnapshotBuilder:
    """The notations and rounds of a match's steps, of which only what is new is worked out."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._steps: tuple[int, ...] = ()
        self._notations: list[str] = []
        # That of the state before each step, and of the one after the last.
        self._rounds: list[Round] = [BEFORE_FIRST_ROUND.then(int(mover(match.states[0])))]
        self._turns: list[int] = [0]  # begun before each step, and after the last
        self._seats: list[int] = []  # who took each step

    def snapshot(self) -> Snapshot:
        """The match as it stands now."""
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
        first = min(same, len(match.steps))  # states are known only up to where the match stands
        state = match.states[first]
        for number in range(first, len(steps)):
            after = play(state, steps[number])
            if number >= same:
                self._notations.append(match.rules.notation(state, steps[number]))
                # Only the last state can be the game's end: from each of the others somebody went on.
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
    """Play and take back in *match* until its steps are *notations*, of which *played* are played.

    :param known: the notations of all its steps now.
    :param conclusion: how it was concluded then; None where it goes on, or was ended by its rules.
    :raises NotationError: there is no such step; the match stands before it.
    :raises IllegalStep: as above.
    """
    same = common_length(known, notations)
    match.reopen()
    while len(match.steps) > same:
        match.undo()
    while len(match.steps) < same:
        match.redo()
    match.forget_undone()
    for notation in notations[same:]:
        match.play(parse_step(match.rules, match.state, notation))
    while len(match.steps) > played:
        match.undo()
    if conclusion is not None and match.ending is None:
        match.conclude(conclusion)


def common_length(some: tuple[object, ...], others: tuple[object, ...]) -> int:
    """How many items the two begin with in common."""
    low, high = 0, min(len(some), len(others))
    if some[:high] == others[:high]:
        return high
    while low < high:  # slices are compared at the speed of C: most of thousands of steps are the same
        middle = (low + high + 1) // 2
        if some[low:middle] == others[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
