"""Santorini's board, seats and steps: the state, and functions that read it.

A tower is one bit in each of four bitboards, so that "at least two high" is one word; a dome counts as four high on any
tower. Cell 0 is a1, cell 1 is b1, cell 5 is a2.

Workers belong to a *side*. Without teams each seat is a side. With teams the four seats are two
sides by turns, 1 and 3 against 2 and 4, and a side's two seats share its workers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.game.kernel import int64, state, subroutine
from papan.game.kernel.bits import lowest
from papan.game.rules.santorini.gods import GOD_BITS

SIZE = 5
CELLS = SIZE * SIZE
BOARD = (1 << CELLS) - 1
COLUMNS = "abcde"
FEWEST_SEATS, MOST_SEATS = 2, 4
TEAMS = 2
WORKERS = 2  # of each side
DOME_HEIGHT = 4

# The values of ``State.phase``: the phases in their order, then the ways in which a game ends.
PICKING, PLACING, MOVING, MOVING_AGAIN, BUILDING, BUILDING_AGAIN, REACHED_TOP, WENT_DOWN, STUCK = range(9)

# The kind of a step, and below it five bits for the cell that its worker leaves and five for the other cell.
ORIGIN_SHIFT = 5
CELL_MASK = (1 << ORIGIN_SHIFT) - 1
KIND_SHIFT = 2 * ORIGIN_SHIFT
KIND_MASK = -1 << KIND_SHIFT
MOVE, BUILD, DOME, PLACE, PICK, DONE = (kind << KIND_SHIFT for kind in range(6))


def _neighbours(cell: int) -> int:
    row, column = divmod(cell, SIZE)
    return sum(
        1 << (r * SIZE + c)
        for r in range(max(row - 1, 0), min(row + 2, SIZE))
        for c in range(max(column - 1, 0), min(column + 2, SIZE))
        if (r, c) != (row, column)
    )


NEIGHBOURS = np.array([_neighbours(cell) for cell in range(CELLS)], np.int64)
"""For each cell the cells next to it, diagonals too, as a bitboard."""


@state
class State(NamedTuple):
    """Towers, workers, the seat to act and the phase; every bitboard has bit ``5 * row + column``."""

    level_1: int64
    """Cells that are at least one level high, domes among them; so on for the next two."""
    level_2: int64
    level_3: int64
    domes: int64
    workers: int64
    """The bitboards of the first two sides' workers, the first side's lowest."""
    more_workers: int64
    """The same for the third and the fourth side."""
    active: int64
    """Within a turn the workers that can continue: move again, or build; 0 at its start."""
    marked: int64
    """A cell that the turn must remember: where Artemis began, or the last build of Demeter or Hephaestus."""
    seat: int64
    """The seat to act; once the game is over, the seat that won by a move or the one that is stuck."""
    phase: int64
    gods: int64
    """Each seat's god, four bits a seat; ``MORTAL`` until it is picked."""
    offer: int64
    """While gods are picked, one bit for each one available, and perhaps ``REPEATS``; then 0."""
    climbed: int64
    """One bit for each seat with Athena that moved up in its last turn; 0 for the seat that begins a turn."""
    out: int64
    """One bit for each seat that is out of the game while others continue."""
    seats: int64
    sides: int64
    """The number of owners of workers: as many as seats, or ``TEAMS``."""
    missing: int64
    """Two bits a cell: the number of missing levels below a dome. It matters only for drawing."""
    may_strand: int64
    """1 if Apollo may move where he can't build, and is stuck then; 0 if such moves are not offered."""


NOTHING = State._make([0] * len(State._fields))
"""An empty board without seats, to be filled by ``_replace``."""


# ------------------------------------------------------------------------------------ workers and seats


@subroutine
def side_of(state: State, seat: int) -> int:
    """The side that the seat plays for."""
    return seat - state.sides if seat >= state.sides else seat


@subroutine
def workers_of_side(state: State, side: int) -> int:
    """The cells of the side's workers."""
    if side < 2:
        return (state.workers >> (CELLS * side)) & BOARD
    return (state.more_workers >> (CELLS * (side - 2))) & BOARD


@subroutine
def workers_of(state: State, seat: int) -> int:
    """The cells of the workers that the seat plays with."""
    return workers_of_side(state, side_of(state, seat))


@subroutine
def all_workers(state: State) -> int:
    """The cells with a worker of any seat."""
    first = state.workers | (state.workers >> CELLS)
    return (first | state.more_workers | (state.more_workers >> CELLS)) & BOARD


@subroutine
def god_of(state: State, seat: int) -> int:
    """The number of the seat's god."""
    return (state.gods >> (GOD_BITS * seat)) & ((1 << GOD_BITS) - 1)


@subroutine
def seat_after(state: State, seat: int) -> int:
    """The next seat after *seat* that is not out."""
    seat = seat + 1 if seat + 1 < state.seats else 0
    while state.out >> seat & 1:
        seat = seat + 1 if seat + 1 < state.seats else 0
    return seat


# -------------------------------------------------------------------------------------------- towers


@subroutine
def height(state: State, cell: int) -> int:
    """The height of the tower on *cell*: 0 to 3 levels, 4 for a dome."""
    low = (state.level_1 >> cell & 1) + (state.level_2 >> cell & 1)
    return low + (state.level_3 >> cell & 1) + (state.domes >> cell & 1)


@subroutine
def levels_below_dome(state: State, cell: int) -> int:
    """The number of levels under the dome on *cell*."""
    return DOME_HEIGHT - 1 - (state.missing >> (2 * cell) & 3)


@subroutine
def cells_around(cells: int) -> int:
    """The cells next to any of *cells*, as a bitboard."""
    found = 0
    while cells:
        found |= int(NEIGHBOURS[lowest(cells)])
        cells &= cells - 1
    return found


# --------------------------------------------------------------------------------------- for people


def cell_name(cell: int) -> str:
    """A cell as written.

    >>> cell_name(0), cell_name(1), cell_name(5)
    ('a1', 'b1', 'a2')
    """
    return COLUMNS[cell % SIZE] + str(cell // SIZE + 1)


CELL_BY_NAME = {cell_name(cell): cell for cell in range(CELLS)}


def side_at(state: State, cell: int) -> int | None:
    """The side of the worker on *cell*, or None."""
    return next((side for side in range(state.sides) if workers_of_side(state, side) >> cell & 1), None)


def pack_workers(sides: list[int]) -> tuple[int, int]:
    """``State.workers`` and ``State.more_workers`` for each side's bitboard."""
    first, second, third, fourth = [*sides, 0, 0][:MOST_SEATS]
    return first | second << CELLS, third | fourth << CELLS


def move_step(origin: int, target: int) -> int:
    """The step that moves the worker on *origin* to *target*."""
    return MOVE | origin << ORIGIN_SHIFT | target


def step_parts(step: int) -> tuple[int, int, int]:
    """A step's kind, the origin of a move, and the other cell (or the god)."""
    return step & KIND_MASK, step >> ORIGIN_SHIFT & CELL_MASK, step & CELL_MASK
