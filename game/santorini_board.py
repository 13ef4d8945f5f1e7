"""Santorini's board and gods: what a state holds, and which cells a worker can move to or build on.

A tower is one bit in each of four bitboards, so that "at least two high" is one word; a dome counts as
four high whatever is below it. Cell 0 is a1, cell 1 is b1, cell 5 is a2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from game.bits import lowest
from game.kernel import int64, state, subroutine

SIZE = 5
CELLS = SIZE * SIZE
BOARD = (1 << CELLS) - 1
COLUMNS = "abcde"
SEATS = 2
WORKERS = 2  # of each seat
DOME_HEIGHT = 4

# What ``State.phase`` holds: the phases in their order, then the two ways in which a game ends.
PICKING, PLACING, MOVING, BUILDING, REACHED_TOP, STUCK = range(6)

GOD_BITS = 4  # of ``State.gods``, for each seat
MORTAL, APOLLO, ATLAS = range(3)


class God(NamedTuple):
    """What a person needs to know of a god: its name in notations, its title, its power short and in full."""

    name: str
    title: str
    gist: str
    power: str


GODS = (
    God("mortal", "Mortal", "no power", "Moves and builds by the plain rules."),
    God(
        "apollo",
        "Apollo",
        "swaps with an opponent",
        "May move onto an opponent's worker by the normal rules of moving; that worker goes to the cell just left.",
    ),
    God("atlas", "Atlas", "domes at any level", "May build a dome at any level, the ground included."),
)
"""Every god by its number; the first one is no god."""

GOD_SETS = {"none": (), "seeds": (APOLLO, ATLAS)}
"""The gods on offer, by the option ``gods``."""
REPEATS = 1 << MORTAL
"""The bit of ``State.offer`` that lets two seats hold the same god."""


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
    """Towers, workers, and whose turn it is in which phase; every bitboard has bit ``5 * row + column``."""

    level_1: int64
    """Cells that are at least one level high, domes among them; so on for the next two."""
    level_2: int64
    level_3: int64
    domes: int64
    workers: int64
    """The bitboards of the seats' workers, the first seat's lowest."""
    active: int64
    """The worker that has moved and is to build; 0 in other phases."""
    seat: int64
    """The seat to act; once the game is over, the seat that reached the top or the one that is stuck."""
    phase: int64
    gods: int64
    """Each seat's god, four bits a seat; ``MORTAL`` until it is picked."""
    offer: int64
    """While gods are picked, one bit for each that can still be, and perhaps ``REPEATS``; then 0."""
    missing: int64
    """Two bits a cell: how many levels are not there below a dome. No rule asks; the eye does."""


@subroutine
def workers_of(state: State, seat: int) -> int:
    """The cells of the seat's workers."""
    return (state.workers >> (CELLS * seat)) & BOARD


@subroutine
def all_workers(state: State) -> int:
    """The cells with a worker of any seat."""
    return (state.workers | (state.workers >> CELLS)) & BOARD


@subroutine
def god_of(state: State, seat: int) -> int:
    """The number of the seat's god."""
    return (state.gods >> (GOD_BITS * seat)) & ((1 << GOD_BITS) - 1)


@subroutine
def next_seat(seat: int) -> int:
    """The seat whose turn follows."""
    return (seat + 1) % SEATS


@subroutine
def height(state: State, cell: int) -> int:
    """How high the tower on *cell* is: 0 to 3 levels, 4 under a dome."""
    low = (state.level_1 >> cell & 1) + (state.level_2 >> cell & 1)
    return low + (state.level_3 >> cell & 1) + (state.domes >> cell & 1)


@subroutine
def levels_below_dome(state: State, cell: int) -> int:
    """How many levels the dome on *cell* stands on."""
    return DOME_HEIGHT - 1 - (state.missing >> (2 * cell) & 3)


@subroutine
def too_high(state: State, cell: int) -> int:
    """The cells that a worker on *cell* can't step up to: those more than one level higher, and domes."""
    if state.level_2 >> cell & 1:
        return state.domes
    return state.level_3 if state.level_1 >> cell & 1 else state.level_2


@subroutine
def wins_by(state: State, origin: int, target: int) -> bool:
    """Whether a move from *origin* to *target* reaches the top: up onto level 3, not along it."""
    return bool(state.level_3 >> target & ~(state.level_3 >> origin) & 1)


@subroutine
def destinations(state: State, seat: int, cell: int) -> int:
    """The cells to which *seat* can move its worker on *cell* and complete the turn, as a bitboard."""
    occupied = all_workers(state)
    in_reach = int(NEIGHBOURS[cell]) & ~too_high(state, cell)
    targets = in_reach & ~occupied  # the cell just left can always be built on
    if god_of(state, seat) == APOLLO:
        swaps = in_reach & occupied & ~workers_of(state, seat)
        while swaps:
            target = lowest(swaps)
            swaps &= swaps - 1
            if wins_by(state, cell, target) or int(NEIGHBOURS[target]) & ~(occupied | state.domes):
                targets |= 1 << target
    return targets


@subroutine
def building_sites(state: State) -> int:
    """The cells on which the worker that moved can build, as a bitboard."""
    return int(NEIGHBOURS[lowest(state.active)]) & ~(all_workers(state) | state.domes)


@subroutine
def begin_turn(state: State) -> State:
    """*state*, whose seat is about to move; where it can't complete a turn, the game that it has lost."""
    own = workers_of(state, state.seat)
    while own:
        if destinations(state, state.seat, lowest(own)):
            return state
        own &= own - 1
    levels = (state.level_1, state.level_2, state.level_3, state.domes)
    return State(*levels, state.workers, 0, state.seat, STUCK, state.gods, 0, state.missing)


# --------------------------------------------------------------------------------------- for people


def cell_name(cell: int) -> str:
    """A cell as written.

    >>> cell_name(0), cell_name(1), cell_name(5)
    ('a1', 'b1', 'a2')
    """
    return COLUMNS[cell % SIZE] + str(cell // SIZE + 1)


CELL_BY_NAME = {cell_name(cell): cell for cell in range(CELLS)}


def cells_of(board: int) -> list[int]:
    """The cells of a bitboard, lowest first."""
    return [cell for cell in range(CELLS) if board >> cell & 1]


def worker_owner(state: State, cell: int) -> int | None:
    """The seat whose worker stands on *cell*, or None."""
    return next((seat for seat in range(SEATS) if workers_of(state, seat) >> cell & 1), None)


def god_numbers(gods: list[int]) -> int:
    """``State.gods`` for each seat's god in the order of seats."""
    return sum(god << (GOD_BITS * seat) for seat, god in enumerate(gods))


def gods_on_offer(god_set: str, may_repeat: bool, picked: list[int]) -> int:
    """``State.offer`` for the option ``gods``, once the gods *picked* have been."""
    gods = GOD_SETS[god_set]
    if may_repeat:
        return REPEATS | sum(1 << god for god in gods)
    return sum(1 << god for god in gods if god not in picked)
