"""Repetitions: the match before a search's root, and the score of repeated positions.

The rules end a match when a position occurs for the third time, and the result may depend on who was attacked in all
positions from the first time to the third (perpetual check), or chased one piece with all turns between them. A search
compares the positions of its own path, and of the match since the last irreversible step.

A second occurrence on the path ends the line as well. Its score assumes that both sides repeat the cycle until the
rules end the match. That may happen before this position, if another one of the cycle occurred before the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from papan.ai.limits import WIN
from papan.ai.search.ordering import MOST_PLIES
from papan.game.kernel import subroutine
from papan.game.kernel.arrays import get_state
from papan.game.rules import PREY, State, can_repeat, key, mover, not_chased, repetition_payoff, steps_to_draw

REPETITION_SCORE = WIN / 10.0
"""The score of a repetition that decides the game: more than any evaluation, and never a proof."""

PATH = 1 << 11
_MOST_BEFORE = PATH - MOST_PLIES - 1
"""The most different positions of the match to remember, the latest of those that came once: more than draw counters
allow.
"""
_SEAT_BITS = 8
_SIDES = (1 << _SEAT_BITS) - 1
"""Of a note, what ``note_of`` gives; above are ``PREY`` bits for each of two seats."""

PATH_FIELDS: list[tuple[Any, ...]] = [
    ("path", np.int64, (PATH,)),  # keys of the match's positions, each once, and of those on the path
    ("path_note", np.int64, (PATH,)),  # ``note_of`` on the path with the next turn's ``chase_of``; before, of all since
    ("twice_start", np.int64),  # path[:twice_start] came once before the root
    ("path_start", np.int64),  # path[twice_start:path_start] came twice; then the path begins, with the root
    ("rests_on_past", np.int64),  # repetitions of positions before the root, won or drawn depending on the path
]


class CameTwice(tuple[int, ...]):
    """Keys of a match's positions that end it if they come once more, with the notes that a search needs.

    >>> CameTwice([5, 7]).notes
    (0, 0)
    """

    notes: tuple[int, ...]
    """For each, the notes of all positions since its last occurrence but one, without the root; 0 if unknown."""
    once: tuple[tuple[int, int], ...]
    """The other positions that may repeat, the latest first: the key, and the note of all since then."""

    def __new__(
        cls, keys: Iterable[int] = (), notes: Iterable[int] | None = None, once: Iterable[tuple[int, int]] = ()
    ) -> CameTwice:
        self = super().__new__(cls, keys)
        self.notes = (0,) * len(self) if notes is None else tuple(notes)
        self.once = tuple(once)
        return self

    @classmethod
    def of(cls, keys: Sequence[int]) -> CameTwice:
        """*keys* itself, if it is a ``CameTwice``."""
        return keys if isinstance(keys, cls) else cls(keys)


@lru_cache(maxsize=2048, typed=True)
def _looked_at(state: State) -> tuple[int, int, int, int]:
    """The key of *state*, its note, the last turn's, and the steps left by its draw counter.

    Cached, as plain Python is slow here.
    """
    return int(key(state)), int(note_of(state)), int(chase_of(state)), int(steps_to_draw(state))


def come_twice(states: Sequence[State]) -> CameTwice:
    """The positions of a match's *states* that may repeat; the last state is a search's root.

    They are those since the last reset of its draw counter, if it has one.
    """
    if not can_repeat(states[-1]):
        return CameTwice()
    root, _, chase, left = _looked_at(states[-1])
    since, notes = 0, {root: [0]}
    for state in reversed(states[:-1]):
        position, note, earlier_chase, left_then = _looked_at(state)
        if left_then < left:
            break
        left, since, chase = left_then, since | note | chase, earlier_chase
        notes.setdefault(position, []).append(since)
    twice = {position: found[1] for position, found in notes.items() if len(found) > 1}
    once = [(position, found[0]) for position, found in notes.items() if len(found) == 1 and position != root]
    return CameTwice(twice, twice.values(), once)


def begin_path(state: State, came_twice: Sequence[int], work: Any) -> int:
    """Start the path of a search from *state*, its root, with the positions before; returns the path's end."""
    before = CameTwice.of(came_twice)
    twice = list(zip(before, before.notes, strict=True))[:_MOST_BEFORE]
    once = before.once[: _MOST_BEFORE - len(twice)]
    end = len(once) + len(twice) + 1
    root = (int(key(state)), int(note_of(state)) if can_repeat(state) else 0)
    work.path[:end], work.path_note[:end] = zip(*once, *twice, root, strict=True)
    work.twice_start, work.path_start = len(once), end - 1
    return end


@subroutine
def note_of(state: State) -> int:
    """The seat to act in *state* as a bit, the lowest for chance; 0 if it is attacked, see ``repetition_payoff``.

    Notes of several positions are combined by "or": a seat without its bit was attacked in all of them.
    """
    return 0 if repetition_payoff(state) < 0.0 else 1 << (mover(state) + 1)


@subroutine
def chase_of(state: State) -> int:
    """What the turn to *state* does not chase, as bits of a note."""
    unharmed = not_chased(state)
    return 0 if unharmed == 0 else unharmed << (_SEAT_BITS + PREY * mover(state))


@subroutine
def is_chased(note: int, seat: int) -> bool:
    """Whether each turn of the others in a cycle with that *note* chases one and the same piece of *seat*."""
    if note <= _SIDES:
        return False
    unharmed = note >> (_SEAT_BITS + PREY * seat) & ((1 << PREY) - 1)
    return 0 < unharmed < (1 << PREY) - 1


@subroutine
def begin_path_of(state: State, history: Any, keys: Any, past: int, work: Any) -> int:
    """As ``begin_path`` after ``come_twice``, in compiled code.

    :param history: rows for the *past* states of the match, *state* as the last; *keys* are theirs.
    """
    path, notes = work.path, work.path_note
    path[0], notes[0] = key(state), 0
    left, since, known, once, chase = steps_to_draw(state), 0, 1, 0, chase_of(state)
    for index in range(past - 2, -1, -1):
        earlier = get_state(state, history, index)
        if steps_to_draw(earlier) < left:
            break
        left = steps_to_draw(earlier)
        since |= note_of(earlier) | chase
        chase, place = chase_of(earlier), 0
        while place < known and path[place] != keys[index]:
            place += 1
        if place == known and known < _MOST_BEFORE:
            path[place], notes[place] = keys[index], since
            known += 1
        elif place < known and notes[place] >= 0:
            notes[place] = -1 - since  # the sign says that it came twice
    if notes[0] >= 0:  # only the root had this position
        known -= 1
        path[0], notes[0] = path[known], notes[known]
    for place in range(known):
        if notes[place] >= 0:
            path[place], path[once] = path[once], path[place]
            notes[place], notes[once] = notes[once], notes[place]
            once += 1
    for place in range(once, known):
        notes[place] = -1 - notes[place]
    path[known], notes[known] = key(state), note_of(state)
    work.twice_start, work.path_start = once, known
    return known + 1


@subroutine
def stood_at(position: int, start: int, end: int, work: Any) -> int:
    """The index of the key *position* in ``work.path[start:end]``, or -1."""
    for index in range(start, end):
        if work.path[index] == position:
            return index
    return -1


@subroutine
def note_since(start: int, end: int, work: Any) -> int:
    """The note of all positions from ``work.path[start]``, on the path or before it, to *end*."""
    note = 0
    if start < work.path_start:
        note, start = int(work.path_note[start]), int(work.path_start)
    for index in range(start, end):
        note |= int(work.path_note[index])
    return note


@subroutine
def is_drawn(note: int, seat: int) -> bool:
    """Whether a cycle with that *note* stays a draw as it grows: neither side was attacked or chased all along."""
    own = 1 << (seat + 1)
    if note & own == 0 or note & _SIDES & ~own == 0:
        return False
    return note <= _SIDES or not (is_chased(note, 0) or is_chased(note, 1))


@subroutine
def cycle_start(first: int, end: int, seat: int, work: Any) -> int:
    """The start of the cycle by the rules, which ends at ``work.path[end]`` with the position of *first*.

    :param seat: the seat to act there.
    """
    if first < work.path_start:
        return first
    before = stood_at(int(work.path[first]), 0, int(work.twice_start), work)
    if before < 0 and not is_drawn(note_since(first, end, work), seat):
        for index in range(first + 1, end):
            if before < 0:  # in the next round, the rules end the match when another position comes for the third time
                before = stood_at(int(work.path[index]), 0, int(work.twice_start), work)
    return before if before >= 0 else first


@subroutine
def repetition_value(note: int, seat: int) -> float:
    """The payoff (-1, 0, 1) of a cycle with that *note* to the side that moved to its end, where *seat* is to act.

    A side loses if it attacked after each of its moves and the other side did not; if neither did, the same of chasing.
    """
    own = 1 << (seat + 1)
    was_harmed, harmed = note & _SIDES & ~own == 0, note & own == 0
    if not (was_harmed or harmed):
        was_harmed, harmed = is_chased(note, 1 - seat), is_chased(note, seat)
    return (1.0 if was_harmed else 0.0) - (1.0 if harmed else 0.0)


@subroutine
def come_back(state: State, until: int, path_end: int, work: Any) -> tuple[int, int]:
    """The start of the cycle that *state*, at the start of a turn, completes, and its note; -1 if there is none.

    If there is none, the position is added to the path.

    :param until: the cycle's start is in ``work.path[:until]``.
    """
    position, seat, chase = key(state), mover(state), chase_of(state)
    if chase != 0:
        work.path_note[path_end - 1] = work.path_note[path_end - 1] & _SIDES | chase
    first = stood_at(position, int(work.twice_start), until, work)
    if first >= 0:
        start = cycle_start(first, path_end, seat, work)
        return start, note_since(start, path_end, work) | note_of(state)  # only keys may be known before the root
    work.path[path_end], work.path_note[path_end] = position, note_of(state)
    return -1, 0


@subroutine
def comes_back(state: State, until: int, path_end: int, work: Any) -> tuple[bool, float]:
    """Whether a position, at the start of a turn, ends alpha-beta's line; its score for the side that moved to it.

    For the parameters see ``come_back``.
    """
    if can_repeat(state):
        start, note = come_back(state, until, path_end, work)
        if start >= 0:
            seat = mover(state)
            work.horizon_leaves += 1  # its score may differ on another path
            if start < work.path_start and not is_drawn(int(work.path_note[start]), seat):
                work.rests_on_past += 1
            return True, REPETITION_SCORE * repetition_value(note, seat)
    return False, 0.0
