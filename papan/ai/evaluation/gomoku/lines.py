"""What a search keeps of gomoku's board: rows of cells, what they are worth, and what a stone on each cell would make.

A stone lies in four rows, and changes nothing elsewhere. What it changes in the counts of live windows is looked up at
once (``tables``); what stones on the cells nearby would make is brought up to date only where somebody asks for it, as
most positions of a search are its leaves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation.accumulator import accumulator, gather, note, unnote
from papan.ai.evaluation.gomoku.tables import (
    COUNTED,
    FIELD,
    FIVE,
    FOUR,
    MADE,
    NEAR,
    NEAR_TERNARY,
    OPEN_TWO,
    REACH,
    THREE,
    changes,
    points,
    ternary,
)
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.kernel.records import new_record
from papan.game.rules.gomoku import BOARD, DIRECTIONS, LARGEST, MOST_STEPS, ROW, WORD, WORDS, State

LINES = 2 * LARGEST + 1
"""So many rows there may be in one direction."""
_CELLS = WORD * WORDS
BLOCKED = 32
"""The bit of a row's word from which on its blocked cells are noted; its stones are below. Cells begin at ``REACH``."""
_STONES = (1 << BLOCKED) - 1
_AROUND = (1 << (2 * REACH + 1)) - 1
_NEARBY = (1 << (2 * NEAR + 1)) - 1
FAR = 2 * NEAR
_FAR_AROUND = (1 << (2 * FAR + 1)) - 1
"""A stone changes what another one as far away as ``FAR`` makes with one between them."""

LINE_OF = np.array([[y, x, x - y + LARGEST, x + y] for y in range(LARGEST + 1) for x in range(ROW)], np.int64)
"""The row that a cell lies in, by the cell and the direction; and where it lies in it:"""
PLACE_OF = np.array([[x, y, y, y] for y in range(LARGEST + 1) for x in range(ROW)], np.int64)


def _edges() -> np.ndarray[Any, np.dtype[np.int64]]:
    """A row's word with all cells blocked that are not on the board, by the board's size and the direction."""
    everything = (1 << (LARGEST + 2 * REACH)) - 1
    table = np.full((LARGEST + 1, len(DIRECTIONS), LINES), everything, np.int64)
    for size in range(LARGEST + 1):
        for row in range(size):
            for column in range(size):
                cell = ROW * row + column
                for direction in range(len(DIRECTIONS)):
                    table[size, direction, LINE_OF[cell, direction]] &= ~(1 << (int(PLACE_OF[cell, direction]) + REACH))
    return table << BLOCKED


EDGES = _edges()
TERNARY = ternary(REACH)

IN_OPEN_TWOS, IN_THREES, IN_FOURS, IN_FIVES = range(4)
"""Kinds of cells: a stone there would make an open two at least, a three, a four, a five, and no more than that."""
_KINDS = 4

_MOST_CHANGES = 2 * (1 + 2 * NEAR * len(DIRECTIONS))
"""A stone changes at most so many of what others would make, for both colours."""
_COLOUR = 1 << 16
_CELL = 1 << 17
"""A change is a cell times this, plus a colour times ``_COLOUR``, plus what was made before."""

RECORD = np.dtype(
    (
        np.record,
        [
            ("gain", np.int64, (3 ** (2 * REACH),)),  # ``changes``, a megabyte: not to be copied into compiled code
            ("loss", np.int64, (3 ** (2 * REACH),)),
            ("points", np.int32, (1 << 16,)),  # how good what a stone makes looks
            ("lines", np.int64, (2, len(DIRECTIONS), LINES)),  # by the colour that sees them
            ("totals", np.int64, (2,)),  # the packed counts of each colour
            ("totals_before", np.int64, (MOST_STEPS + 1, 2)),  # by the number of stones
            ("placed", np.int64),
            ("known", np.int64),  # how many of the stones are seen in what follows
            ("stones", np.int64, (MOST_STEPS + 1,)),  # cells in the order of play
            ("made", np.int64, (2, _CELLS)),  # what a stone would make, four bits a direction; 0 where there is one
            ("kinds", np.int64, (2, _KINDS, LARGEST + 1)),  # the cells of each kind, by their row on the board
            ("changes", np.int64, ((MOST_STEPS + 1) * _MOST_CHANGES,)),  # colours, cells and what a stone made before
            ("changed", np.int64),  # how many changes there are
            ("changed_before", np.int64, (MOST_STEPS + 1,)),  # by the number of stones
        ],
    )
)


@accumulator.of(State)
def _accumulator(state: State) -> Any:
    kept = new_record(RECORD)
    kept.gain[:], kept.loss[:] = changes()
    kept.points[:] = points()
    return kept


@inlined
def count_of(packed: int, feature: int) -> int:
    """One of the counts that are packed into a number."""
    return packed >> (FIELD * feature) & ((1 << FIELD) - 1)


@subroutine
def put(kept: Any, colour: int, cell: int) -> None:
    """Note a stone in its four rows, and what it changes in the counts."""
    gained, lost = 0, 0
    for direction in range(len(DIRECTIONS)):
        line, place = int(LINE_OF[cell, direction]), int(PLACE_OF[cell, direction])
        own, other = int(kept.lines[colour, direction, line]), int(kept.lines[1 - colour, direction, line])
        around = int(TERNARY[own >> place & _AROUND]) + 2 * int(TERNARY[own >> (BLOCKED + place) & _AROUND])
        gained += int(kept.gain[around])
        around = int(TERNARY[other >> place & _AROUND]) + 2 * int(TERNARY[other >> (BLOCKED + place) & _AROUND])
        lost += int(kept.loss[around])
        kept.lines[colour, direction, line] = own | 1 << (place + REACH)
        kept.lines[1 - colour, direction, line] = other | 1 << (BLOCKED + place + REACH)
    kept.totals[colour] += gained
    kept.totals[1 - colour] += lost


@subroutine
def look_at(kept: Any, colour: int, cell: int, direction: int, own: int, place: int) -> None:
    """Bring up to date what a stone of *colour* on the empty *cell* would make in one row, whose word is *own*."""
    around = int(NEAR_TERNARY[own >> (place + REACH - NEAR) & _NEARBY])
    around += 2 * int(NEAR_TERNARY[own >> (BLOCKED + place + REACH - NEAR) & _NEARBY])
    made, before = int(MADE[around]), int(kept.made[colour, cell])
    if made != before >> (4 * direction) & 15:
        kept.changes[kept.changed] = cell * _CELL + colour * _COLOUR + before
        kept.changed += 1
        set_made(kept, colour, cell, (before & ~(15 << (4 * direction))) | made << (4 * direction))


@inlined
def set_made(kept: Any, colour: int, cell: int, made: int) -> None:
    """Note what a stone of *colour* on *cell* would make in all directions."""
    before, now = kind_of(int(kept.made[colour, cell])), kind_of(made)
    kept.made[colour, cell] = made
    if before != now:
        row, bit = cell // ROW, 1 << (cell % ROW)
        if before >= 0:
            kept.kinds[colour, before, row] ^= bit
        if now >= 0:
            kept.kinds[colour, now, row] ^= bit


@inlined
def most_of(made: int) -> int:
    """The most that a stone would make, of what it would make in each direction."""
    return max(max(made & 15, made >> 4 & 15), max(made >> 8 & 15, made >> 12 & 15))


@inlined
def kind_of(made: int) -> int:
    """Which kind a cell is of where a stone would make that, or -1."""
    most = most_of(made)
    if most < OPEN_TWO:
        return -1
    return IN_OPEN_TWOS if most < THREE else IN_THREES if most < FOUR else IN_FOURS if most < FIVE else IN_FIVES


@subroutine
def look_around(kept: Any, cell: int) -> None:
    """Bring up to date what stones on the empty cells in reach of *cell* would make."""
    for direction in range(len(DIRECTIONS)):
        line, place = int(LINE_OF[cell, direction]), int(PLACE_OF[cell, direction])
        blacks, whites = int(kept.lines[0, direction, line]), int(kept.lines[1, direction, line])
        shift = DIRECTIONS[direction]
        filled = (blacks | blacks >> BLOCKED) >> (place + REACH - NEAR) & _NEARBY
        empty = _NEARBY & ~filled & ~(1 << NEAR)
        for colour in range(2):
            own = blacks if colour == 0 else whites
            if ((own & _STONES) << FAR) >> (place + REACH) & _FAR_AROUND == 0:
                continue  # a stone would make little, as before
            rest = empty
            while rest != 0:
                distance = lowest(rest) - NEAR
                rest &= rest - 1
                look_at(kept, colour, cell + shift * distance, direction, own, place + distance)


@subroutine
def made_of(state: State) -> Any:
    """What stones of the seat to act, and of the other one, would make on each cell: what a search keeps (``made``)."""
    made = np.zeros((2, _CELLS), np.int64)
    lines = np.zeros((2, len(DIRECTIONS), LINES), np.int64)
    words = (state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6)
    for side in range(2):
        if side == 1:
            words = (
                state.theirs0, state.theirs1, state.theirs2, state.theirs3, state.theirs4, state.theirs5, state.theirs6,
            )  # fmt: skip
        for number in range(WORDS):
            bits = words[number]
            while bits != 0:
                cell = WORD * number + lowest(bits)
                bits &= bits - 1
                for direction in range(len(DIRECTIONS)):
                    lines[side, direction, LINE_OF[cell, direction]] |= 1 << (int(PLACE_OF[cell, direction]) + REACH)
    for side in range(2):
        for direction in range(len(DIRECTIONS)):
            for line in range(LINES):
                stones = int(lines[side, direction, line])
                if stones == 0:
                    continue
                blocked = int(EDGES[state.size, direction, line]) >> BLOCKED | int(lines[1 - side, direction, line])
                near = stones
                for _distance in range(NEAR):
                    near |= near << 1 | near >> 1
                near &= ~stones & ~blocked
                while near != 0:
                    place = lowest(near)
                    near &= near - 1
                    around = int(NEAR_TERNARY[stones >> (place - NEAR) & _NEARBY])
                    around += 2 * int(NEAR_TERNARY[blocked >> (place - NEAR) & _NEARBY])
                    made[side, cell_at(direction, line, place - REACH)] |= int(MADE[around]) << (4 * direction)
    return made


@subroutine
def look_from(kept: Any, cell: int) -> None:
    """Bring up to date what a stone on the empty *cell* would make."""
    for direction in range(len(DIRECTIONS)):
        line, place = int(LINE_OF[cell, direction]), int(PLACE_OF[cell, direction])
        for colour in range(2):
            look_at(kept, colour, cell, direction, int(kept.lines[colour, direction, line]), place)


@subroutine
def catch_up(kept: Any) -> None:
    """See the stone that was put last in what others would make."""
    if kept.known < kept.placed:
        cell = int(kept.stones[kept.known])
        kept.changed_before[kept.known] = kept.changed
        kept.known += 1
        for colour in range(2):
            made = int(kept.made[colour, cell])
            if made != 0:
                kept.changes[kept.changed] = cell * _CELL + colour * _COLOUR + made
                kept.changed += 1
                set_made(kept, colour, cell, 0)
        look_around(kept, cell)


@gather.of(State)
def _gather(state: State, kept: Any) -> None:
    kept.totals[:] = 0
    kept.made[:] = 0
    kept.kinds[:] = 0
    size, mover = state.size, state.placed & 1
    for direction in range(len(DIRECTIONS)):
        for line in range(LINES):
            kept.lines[0, direction, line] = kept.lines[1, direction, line] = int(EDGES[size, direction, line])
    empty = (state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6)
    for side in range(2):
        if side == 1:
            empty = (
                state.theirs0, state.theirs1, state.theirs2, state.theirs3, state.theirs4, state.theirs5, state.theirs6,
            )  # fmt: skip
        for number in range(WORDS):
            bits = empty[number]
            while bits != 0:
                put(kept, mover ^ side, WORD * number + lowest(bits))
                bits &= bits - 1
    for number in range(WORDS):
        bits = int(BOARD[size, number])
        while bits != 0:
            cell = WORD * number + lowest(bits)
            bits &= bits - 1
            if not is_filled(kept, cell):
                kept.changed = 0
                look_from(kept, cell)
    kept.changed = 0
    kept.placed = kept.known = state.placed


@inlined
def is_filled(kept: Any, cell: int) -> bool:
    """Whether there is a stone on *cell*."""
    row = int(kept.lines[0, 0, cell // ROW])
    return (row | row >> BLOCKED) >> (cell % ROW + REACH) & 1 != 0


@note.of(State)
def _note(state: State, step: int, kept: Any) -> None:
    catch_up(kept)  # no more than one stone at a time: each takes back what it alone has changed
    placed = state.placed
    kept.totals_before[placed, 0], kept.totals_before[placed, 1] = kept.totals[0], kept.totals[1]
    kept.stones[placed] = step
    kept.placed = placed + 1
    put(kept, placed & 1, step)


@unnote.of(State)
def _unnote(state: State, step: int, kept: Any) -> None:
    placed = state.placed
    colour = placed & 1
    for direction in range(len(DIRECTIONS)):
        line, bit = int(LINE_OF[step, direction]), 1 << (int(PLACE_OF[step, direction]) + REACH)
        kept.lines[colour, direction, line] &= ~bit
        kept.lines[1 - colour, direction, line] &= ~(bit << BLOCKED)
    kept.totals[0], kept.totals[1] = kept.totals_before[placed, 0], kept.totals_before[placed, 1]
    kept.placed = placed
    if kept.known > placed:
        kept.known = placed
        while kept.changed > kept.changed_before[placed]:
            kept.changed -= 1
            change = int(kept.changes[kept.changed])
            set_made(kept, change // _COLOUR & 1, change // _CELL, change & (_COLOUR - 1))


# ------------------------------------------------------------------------------------------ fives


@subroutine
def completes_exactly_five(kept: Any, colour: int, cell: int) -> bool:
    """Whether a stone on the empty *cell* would be in a row of five of *colour*, and no more."""
    for direction in range(len(DIRECTIONS)):
        line, place = int(LINE_OF[cell, direction]), int(PLACE_OF[cell, direction]) + REACH
        stones = int(kept.lines[colour, direction, line]) & _STONES
        after, before = 0, 0
        while stones >> (place + after + 1) & 1:
            after += 1
        while stones >> (place - before - 1) & 1:
            before += 1
        if after + before == 4:
            return True
    return False


@subroutine
def write_fives(state: State, colour: int, buffer: Any, base: int, kept: Any) -> int:
    """Write the empty cells on which a stone of *colour* wins into ``buffer[base:]``; return the index after the last.

    What stones would make must be up to date.
    """
    if count_of(int(kept.totals[colour]), COUNTED - 2) == 0:
        return base
    for row in range(state.size):
        bits = int(kept.kinds[colour, IN_FIVES, row])
        while bits != 0:
            cell = ROW * row + lowest(bits)
            bits &= bits - 1
            if state.exact == 0 or completes_exactly_five(kept, colour, cell):
                buffer[base] = cell
                base += 1
    return base


@subroutine
def fives(state: State, colour: int, kept: Any) -> tuple[int, int]:
    """How many live windows of *colour* with four stones there are, and how many cells complete one: at most two."""
    windows, cells, first = 0, 0, -1
    for direction in range(len(DIRECTIONS)):
        for line in range(LINES):
            word = int(kept.lines[colour, direction, line])
            stones = word & _STONES
            if popcount(stones) < 4:
                continue
            empty = ~(word >> BLOCKED) & ~stones
            for place in range(REACH, REACH + LARGEST - 4):
                five = stones >> place & 31
                gap = empty >> place & 31
                if popcount(five) != 4 or five | gap != 31:
                    continue
                if state.exact != 0 and (stones >> (place - 1) & 1 or stones >> (place + 5) & 1):
                    continue
                windows += 1
                at = place - REACH + lowest(gap)
                cell = cell_at(direction, line, at)
                if cell != first:
                    cells = min(2, cells + 1)
                    first = cell if first < 0 else first
    return windows, cells


@inlined
def cell_at(direction: int, line: int, place: int) -> int:
    """The cell at a place of a row."""
    if direction == 0:
        return ROW * line + place
    if direction == 1:
        return ROW * place + line
    if direction == 2:
        return ROW * place + line - LARGEST + place
    return ROW * place + line - place
