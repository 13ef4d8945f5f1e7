"""Positions that come again: what a search is told of the match before its root, and how it judges what repeats.

The rules end a match where a position stands on the board for the third time, and may ask who was attacked in all
positions from its first time to its third (perpetual check). A search judges the same positions: those of its own path,
and of the match since the last step that can't be taken back.

A position that stands on the path for the second time ends the line as well. It is judged as if both sides went on
round the cycle until the rules end the match. That may be sooner than at this very position, where another one of the
cycle has come before the search.
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
from papan.game.rules import State, can_repeat, key, mover, repetition_payoff, steps_to_draw

REPETITION_SCORE = WIN / 10.0
"""For a repetition that decides the game: more than any evaluation, and never taken for a proof."""

PATH = 1 << 11
_MOST_BEFORE = PATH - MOST_PLIES - 1
"""Different positions of the match that are remembered, the latest of those that came once: more than draw counters
let come."""

PATH_FIELDS: list[tuple[Any, ...]] = [
    ("path", np.int64, (PATH,)),  # keys of the match's positions, each once, and of those on the path
    ("path_note", np.int64, (PATH,)),  # of those on the path ``note_of``; before, of all since then: see ``come_twice``
    ("twice_start", np.int64),  # path[:twice_start] came once before the root
    ("path_start", np.int64),  # path[twice_start:path_start] came twice; then the path begins, with the root
    ("rests_on_past", np.int64),  # repetitions met of what came before the root, won or drawn depending on the path
]


class CameTwice(tuple[int, ...]):
    """Keys of a match's positions that end it if they come once more, with what a search needs to judge that.

    >>> CameTwice([5, 7]).notes
    (0, 0)
    """

    notes: tuple[int, ...]
    """For each, the notes of all positions from its last time but one on, the root left out; 0 where unknown."""
    once: tuple[tuple[int, int], ...]
    """The other positions that may come again, the latest first: the key, and the note of all since then."""

    def __new__(
        cls, keys: Iterable[int] = (), notes: Iterable[int] | None = None, once: Iterable[tuple[int, int]] = ()
    ) -> CameTwice:
        self = super().__new__(cls, keys)
        self.notes = (0,) * len(self) if notes is None else tuple(notes)
        self.once = tuple(once)
        return self

    @classmethod
    def of(cls, keys: Sequence[int]) -> CameTwice:
        """*keys* itself, if it tells more than keys."""
        return keys if isinstance(keys, cls) else cls(keys)


@lru_cache(maxsize=2048, typed=True)
def _looked_at(state: State) -> tuple[int, int, int]:
    """The key of *state*, its note, and what its draw counter leaves: in plain Python that takes long."""
    return int(key(state)), int(note_of(state)), int(steps_to_draw(state))


def come_twice(states: Sequence[State]) -> CameTwice:
    """What may come again of a match's *states*, of which the last is a search's root.

    Looked at are those since its draw counter, if it has one, last went back.
    """
    if not can_repeat(states[-1]):
        return CameTwice()
    root, _, left = _looked_at(states[-1])
    since, notes = 0, {root: [0]}
    for state in reversed(states[:-1]):
        position, note, left_then = _looked_at(state)
        if left_then < left:
            break
        left, since = left_then, since | note
        notes.setdefault(position, []).append(since)
    twice = {position: found[1] for position, found in notes.items() if len(found) > 1}
    once = [(position, found[0]) for position, found in notes.items() if len(found) == 1 and position != root]
    return CameTwice(twice, twice.values(), once)


def begin_path(state: State, came_twice: Sequence[int], work: Any) -> int:
    """Have the path of a search from *state*, its root, begin with what came before; returns where it goes on."""
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
    """The seat to act in *state* as a bit, the lowest for chance; 0 where it is attacked, see ``repetition_payoff``.

    Of several positions notes are combined by "or": a seat without its bit was attacked in all of them.
    """
    return 0 if repetition_payoff(state) < 0.0 else 1 << (mover(state) + 1)


@subroutine
def begin_path_of(state: State, history: Any, keys: Any, past: int, work: Any) -> int:
    """As ``begin_path``, by what ``come_twice`` finds, in compiled code.

    :param history: rows for the *past* states of the match, *state* as the last; *keys* are theirs.
    """
    path, notes = work.path, work.path_note
    path[0], notes[0] = key(state), 0
    left, since, known, once = steps_to_draw(state), 0, 1, 0
    for index in range(past - 2, -1, -1):
        earlier = get_state(state, history, index)
        if steps_to_draw(earlier) < left:
            break
        left = steps_to_draw(earlier)
        since |= note_of(earlier)
        place = 0
        while place < known and path[place] != keys[index]:
            place += 1
        if place == known and known < _MOST_BEFORE:
            path[place], notes[place] = keys[index], since
            known += 1
        elif place < known and notes[place] >= 0:
            notes[place] = -1 - since  # the sign says that it came twice
    if notes[0] >= 0:  # only the root stood there
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
    """Where the key *position* stands in ``work.path[start:end]``, or -1."""
    for index in range(start, end):
        if work.path[index] == position:
            return index
    return -1


@subroutine
def note_since(start: int, end: int, work: Any) -> int:
    """The note of all positions from ``work.path[start]`` on, whether it is of the path or came before, to *end*."""
    note = 0
    if start < work.path_start:
        note, start = int(work.path_note[start]), int(work.path_start)
    for index in range(start, end):
        note |= int(work.path_note[index])
    return note


@subroutine
def is_drawn(note: int, seat: int) -> bool:
    """Whether a cycle with that *note* is a draw however much longer it gets: neither side was attacked all along."""
    own = 1 << (seat + 1)
    return note & own != 0 and note & ~own != 0


@subroutine
def cycle_start(first: int, end: int, seat: int, work: Any) -> int:
    """From where the rules judge the cycle that comes back, at ``work.path[end]``, to what stood at *first*.

    :param seat: the seat to act there.
    """
    if first < work.path_start:
        return first
    before = stood_at(int(work.path[first]), 0, int(work.twice_start), work)
    if before < 0 and not is_drawn(note_since(first, end, work), seat):
        for index in range(first + 1, end):
            if before < 0:  # going round once more, the rules end the match where another position comes thrice
                before = stood_at(int(work.path[index]), 0, int(work.twice_start), work)
    return before if before >= 0 else first


@subroutine
def repetition_value(note: int, seat: int) -> float:
    """What a cycle with that *note* pays who came to its last position, in which *seat* is to act: -1, 0 or 1.

    A side loses that attacked in all positions that it came to, where the other did not.
    """
    own = 1 << (seat + 1)
    return (1.0 if note & ~own == 0 else 0.0) - (1.0 if note & own == 0 else 0.0)


@subroutine
def come_back(state: State, until: int, path_end: int, work: Any) -> tuple[int, int]:
    """Where the cycle begins that *state*, at the beginning of a turn, completes, and its note; -1 where there is none.

    Then the position is added to the path.

    :param until: it has to stand in ``work.path[:until]``.
    """
    position, seat = key(state), mover(state)
    first = stood_at(position, int(work.twice_start), until, work)
    if first >= 0:
        start = cycle_start(first, path_end, seat, work)
        return start, note_since(start, path_end, work) | note_of(state)  # of what came before only keys may be known
    work.path[path_end], work.path_note[path_end] = position, note_of(state)
    return -1, 0


@subroutine
def comes_back(state: State, until: int, path_end: int, work: Any) -> tuple[bool, float]:
    """Whether the position at the beginning of a turn ends alpha-beta's line, and the score for who came to it.

    For the parameters see ``come_back``.
    """
    if can_repeat(state):
        start, note = come_back(state, until, path_end, work)
        if start >= 0:
            seat = mover(state)
            work.horizon_leaves += 1  # it would be worth something else on another path
            if start < work.path_start and not is_drawn(int(work.path_note[start]), seat):
                work.rests_on_past += 1
            return True, REPETITION_SCORE * repetition_value(note, seat)
    return False, 0.0
