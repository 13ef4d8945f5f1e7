"""Making the tables of checkers' endings: from the ends of the game backwards, one pair of slices after the other.

Retrograde analysis (Ströhlein, 1970; for checkers Lake, Schaeffer and Lu, "Solving Large Retrograde-Analysis Problems
Using a Network of Workstations", 1994). A slice and the one with the sides exchanged lead to each other by moves
that capture and crown nothing, and otherwise only to slices that are done. Positions whose moves are captures are
valued at once. Then come the turns to the end, n = 1, 2, 3 …: a position is won in n where a move leads to one
lost in n - 1, and lost in n where all lead to ones won in n - 1 at most. Looked at are only those from which a move
leads to one that was just valued, and those that may crown a man.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation.checkers.tables import (
    DRAWN,
    MAN_SQUARES,
    MOST_PIECES,
    PIECES_END,
    SLICE_START,
    Table,
    exchanged,
    place_of,
    slice_size,
    slices,
)
from papan.game.base.large_arrays import large_array
from papan.game.base.sentences import say
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import get_state, put_state, state_rows
from papan.game.kernel.bits import lowest
from papan.game.rules import moves, play
from papan.game.rules.checkers import MOST_STEPS
from papan.game.rules.checkers.board import BOARD, SQUARES, START, State, bit_of, can_act, must_capture

ENDED = 254
"""While tables are made: the seat to move has lost already, in 0 turns, which would read as a draw."""
MOST_TURNS = 250
WAITING, CROWNS = 1, 2
"""Marks of positions: to be looked at next, and each time."""
BEFORE_CROWN = sum(1 << bit_of(square) for square in range(SQUARES - 8, SQUARES - 4))

_WAYS = 256  # in which one turn's captures can go on, with room to spare


class TablesError(ValueError):
    """The tables can't be made; the message is a sentence that says why."""


class Sets(NamedTuple):
    """All sets of squares that each group of pieces can stand on, as bitboards in the order of their ranks."""

    own_men: Any
    their_men: Any
    own_kings: Any
    their_kings: Any


@cache
def _sets(size: int, squares: int, first: int) -> Any:
    """All sets of *size* of so many *squares* from *first* on."""
    chosen = sorted(combinations(range(squares), size), key=lambda one: one[::-1])
    return np.array([sum(1 << bit_of(first + square) for square in one) for one in chosen], np.int64)


def sets_of(one: Sequence[int]) -> Sets:
    """The sets of a slice's pieces."""
    own_men, own_kings, their_men, their_kings = one
    return Sets(
        _sets(own_men, MAN_SQUARES, 0),
        _sets(their_men, MAN_SQUARES, SQUARES - MAN_SQUARES),
        _sets(own_kings, SQUARES, 0),
        _sets(their_kings, SQUARES, 0),
    )


@subroutine
def state_at(place: int, sets: Sets) -> State:
    """The position at a *place* of a slice, Black to move; an empty board where sets of squares meet."""
    kings = len(sets.their_kings)
    their_kings = int(sets.their_kings[place % kings])
    place //= kings
    kings = len(sets.own_kings)
    own_kings = int(sets.own_kings[place % kings])
    place //= kings
    men = len(sets.their_men)
    their_men, own_men = int(sets.their_men[place % men]), int(sets.own_men[place // men])
    meets = own_men & their_men | (own_men | their_men) & (own_kings | their_kings) | own_kings & their_kings
    if meets != 0:
        return State(0, 0, 0, 0, 0, 0)
    return State(own_men | own_kings, their_men | their_kings, own_kings | their_kings, 0, 0, 0)


@subroutine
def turns_of(state: State, endings: Any) -> int:
    """As the tables have *state*, at the start of a turn: ``ENDED`` where the seat to move has lost already."""
    if state.black == 0 or state.white == 0:
        return ENDED
    return int(np.int64(endings[place_of(state)]))


@subroutine
def better(best: int, after: int) -> int:
    """The better of *best*, -1 for none, and a move to a position that the tables value *after*: turns from before it.

    A draw is 0.
    """
    turns = 1 if after == ENDED else (after + 1 if after != DRAWN else DRAWN)
    if best < 0 or turns & 1 > best & 1:
        return turns
    if turns & 1 < best & 1:
        return best
    if turns & 1 != 0:
        return min(turns, best)
    return DRAWN if turns == DRAWN or best == DRAWN else max(turns, best)


@subroutine
def value_now(state: State, endings: Any, rows: Any, buffer: Any) -> int:
    """What *state*, at the start of a turn and not over, is worth by what is known of all that its turns lead to."""
    put_state(state, rows, 0)
    waiting, best = 1, -1
    while waiting > 0:
        waiting -= 1
        here = get_state(state, rows, waiting)
        for index in range(moves(here, buffer, 0)):
            after = play(here, int(buffer[index]))
            if after.jumper != 0:
                put_state(after, rows, waiting)
                waiting += 1
            else:
                best = better(best, turns_of(after, endings))
    return best


@compiled
def begin(endings: Any, start: int, first: int, end: int, sets: Sets, marks: Any, rows: Any, buffer: Any) -> int:
    """Value the positions of a slice that are over or whose moves are captures, mark those that may crown a man.

    :param start: where the pair of slices begins.
    :param first: where the slice begins.
    :returns: the greatest number of turns among them.
    """
    most = 0
    for place in range(first, end):
        state = state_at(place - first, sets)
        if state.black == 0:
            continue
        if not can_act(state):
            endings[place] = ENDED
        elif must_capture(state):
            endings[place] = value_now(state, endings, rows, buffer)
            most = max(most, int(endings[place]))
        elif state.black & ~state.kings & BEFORE_CROWN != 0:
            marks[place - start] = CROWNS
    return most


@subroutine
def mark_before(state: State, start: int, marks: Any) -> None:
    """Mark the positions from which a move that captures and crowns nothing leads to *state*, Black to move."""
    empty = BOARD & ~(state.black | state.white)
    for distance in (4, 5, -4, -5):
        movers = state.white if distance > 0 else state.white & state.kings
        origins = (movers << distance if distance > 0 else movers >> -distance) & empty
        while origins != 0:
            origin = lowest(origins)
            origins &= origins - 1
            path = 1 << origin | 1 << (origin - distance)
            kings = state.kings ^ path if state.kings >> (origin - distance) & 1 != 0 else state.kings
            before = State(state.black, state.white ^ path, kings, 1, 0, 0)
            if not must_capture(before):
                marks[place_of(before) - start] |= WAITING


@compiled
def look_back(endings: Any, start: int, first: int, end: int, sets: Sets, marks: Any, turns: int) -> None:
    """Mark what leads to the positions of a slice that end in so many *turns*."""
    wanted = ENDED if turns == 0 else turns
    for place in range(first, end):
        if endings[place] == wanted:
            mark_before(state_at(place - first, sets), start, marks)


@compiled
def value(endings: Any, start: int, first: int, end: int, sets: Sets, marks: Any, turns: int, buffer: Any) -> int:
    """Value the marked positions of a slice that end in so many *turns*; returns how many do."""
    found = 0
    for place in range(first, end):
        mark = int(marks[place - start])
        if mark == 0 or endings[place] != DRAWN:
            continue
        marks[place - start] = mark & CROWNS
        state = state_at(place - first, sets)
        best = -1
        for index in range(moves(state, buffer, 0)):
            after = turns_of(play(state, int(buffer[index])), endings)
            # Of what will be known later only this is known: it is not so soon.
            best = better(best, DRAWN if after >= turns and after != ENDED else after)
        if best == turns:
            endings[place] = turns
            found += 1
    return found


@compiled
def leave_out_captures(endings: Any, first: int, end: int, sets: Sets) -> None:
    """Have each position of a slice in which captures are to be made hold what the place before it holds."""
    for place in range(first, end):
        state = state_at(place - first, sets)
        if place > 0 and (state.black == 0 or must_capture(state) or not can_act(state)):
            endings[place] = endings[place - 1]


def make(pieces: int, on_slice: Callable[[Sequence[int], int], None] = lambda one, turns: None) -> Table:
    """The tables of all endings with up to so many *pieces*.

    :param on_slice: told each slice that is done, and the greatest number of turns in it and the one beside it.
    :raises TablesError: an ending takes more turns than a byte holds, or there can't be tables of so many pieces.
    """
    if not 2 <= pieces <= MOST_PIECES:
        raise TablesError(
            say("Tables of {pieces} pieces can't be made: it must be 2 to {most}.", pieces=pieces, most=MOST_PIECES)
        )
    endings: Table = large_array(int(PIECES_END[pieces]), np.uint8)
    longest = 0
    for number in range(2, pieces + 1):
        for one in slices(number):
            if one == max(one, exchanged(one)):
                longest = _make_pair(endings, one, longest)
                on_slice(one, longest)
    for number in range(2, pieces + 1):
        for one in slices(number):
            first = int(SLICE_START[one])
            leave_out_captures(endings, first, first + slice_size(*one), sets_of(one))
    return endings


def _make_pair(endings: Table, one: tuple[int, int, int, int], longest: int) -> int:
    """Value a slice and that with the sides exchanged; returns the greatest number of turns.

    :param longest: no slice that is done has a greater one.
    """
    pair = [(int(SLICE_START[each]), slice_size(*each), sets_of(each)) for each in sorted({one, exchanged(one)})]
    start = pair[0][0]
    marks = np.zeros(sum(size for _, size, _ in pair), np.uint8)
    rows, buffer = state_rows(START, _WAYS), np.zeros(MOST_STEPS, np.int64)
    for first, size, sets in pair:
        longest = max(longest, begin(endings, start, first, first + size, sets, marks, rows, buffer))
    turns, last = 0, longest + 1
    while turns <= last:
        turns += 1
        if turns > MOST_TURNS:
            raise TablesError(say("An ending takes more than {most} turns.", most=MOST_TURNS))
        for first, size, sets in pair:
            look_back(endings, start, first, first + size, sets, marks, turns - 1)
        for first, size, sets in pair:
            if value(endings, start, first, first + size, sets, marks, turns, buffer):
                longest, last = max(longest, turns), max(last, turns)
    return longest


def places(pieces: int) -> range:
    """Where the tables have positions with exactly so many *pieces*."""
    return range(int(PIECES_END[pieces - 1]), int(PIECES_END[pieces]))


def position_at(place: int) -> State | None:
    """The position that the tables have at a *place*, Black to move; None where sets of squares meet or it is over."""
    for pieces in range(2, MOST_PIECES + 1):
        for one in slices(pieces) if place in places(pieces) else ():
            within = place - int(SLICE_START[one])
            if 0 <= within < slice_size(*one):
                state = state_at(within, sets_of(one))
                return state if can_act(state) and state.black and state.white else None
    return None
