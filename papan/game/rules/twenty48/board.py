"""The board of 2048 in two words of bits, and its rows after a slide.

The board is always in a field of four rows of four, a smaller one in its top left corner. A tile is four bits, the
exponent of its power of two, or 0 for an empty cell; cell 0 is the top left one, cell 4 is below it::

     0  1  2  3     bits  0-31 of ``upper``, four a cell
     4  5  6  7
     8  9 10 11     bits  0-31 of ``lower``
    12 13 14 15

So a row is 16 bits, and a table has each row after a slide. A tile beyond 32768 does not fit:
two tiles of 32768 don't merge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from papan.game.kernel import int64, state, subroutine

FIELD = 4
"""Rows and columns of the field with the board."""
LARGEST = 15
"""The power of two of the largest tile that fits, 32768."""
_ROW = 0xFFFF
_POINTS, _CHANGES = 32, 48  # where they begin in the table of slid rows
_LOWEST_BITS = 0x11111111  # of each cell of a word
_COLUMNS = "abcd"


@state
class State(NamedTuple):
    """A board, its score, and the side to act."""

    upper: int64
    """The first and the second row from the top."""
    lower: int64
    score: int64
    size: int64
    """Rows and columns of the board: 2, 3 or 4."""
    awaits_tile: int64
    """1 if chance must place a tile, 0 if the player must slide."""


def cells_of_rows() -> np.ndarray[Any, np.dtype[np.int64]]:
    """The four powers of two of each possible row: an array of 65,536 by 4."""
    return np.arange(_ROW + 1)[:, None] >> 4 * np.arange(FIELD) & LARGEST


def _slid_rows() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Each row after a slide to the left and to the right, 16 bits each, above them a quarter of its points in 16 bits.

    Above these are four bits: whether the row changes by a slide to the left, and by one to the right on a board of
    size 2, 3 and 4.
    """
    cells = cells_of_rows()
    points = np.zeros(len(cells), np.int64)

    def close_up() -> None:
        cells[:] = np.take_along_axis(cells, np.argsort(cells == 0, axis=1, kind="stable"), axis=1)

    close_up()
    for left in range(FIELD - 1):
        merges = (cells[:, left] == cells[:, left + 1]) & (cells[:, left] > 0) & (cells[:, left] < LARGEST)
        cells[:, left] += merges
        cells[merges, left + 1] = 0
        points += merges << cells[:, left]
    close_up()
    places = 4 * np.arange(FIELD)
    left = (cells << places).sum(axis=1)
    mirror = (cells_of_rows() << places[::-1]).sum(axis=1)
    right = (cells[mirror] << places[::-1]).sum(axis=1)
    rows = np.arange(_ROW + 1)
    changes = (left != rows) << _CHANGES
    for size in range(2, FIELD + 1):
        changes |= (right >> 4 * (FIELD - size) != rows) << _CHANGES + size - 1
    return np.array(left | right << 16 | points // 4 << _POINTS | changes, np.int64)


SLID = _slid_rows()
# For each size of board, its cells in ``upper`` and ``lower``, by their lowest bits.
UPPER_CELLS = np.array([0, 0, 0x00110011, 0x01110111, 0x11111111], np.int64)
LOWER_CELLS = np.array([0, 0, 0x00000000, 0x00000111, 0x11111111], np.int64)


@subroutine
def slid(row: int) -> int:
    """The table's entry for the lowest 16 bits of *row*."""
    return int(SLID[row & _ROW])


@subroutine
def after_sliding(rows: int) -> int:
    """Two rows after sliding to the left."""
    return (slid(rows) & _ROW) | (slid(rows >> 16) & _ROW) << 16


@subroutine
def after_sliding_right(rows: int, size: int) -> int:
    """Two rows of *size* columns after sliding to the right."""
    right = (slid(rows) >> 16 & _ROW) | (slid(rows >> 16) & _ROW << 16)
    return right >> 4 * (FIELD - size)  # a smaller board has slid to the right of the field


@subroutine
def points(rows: int) -> int:
    """The points of two rows by sliding, to the left or to the right."""
    return ((slid(rows) >> _POINTS & _ROW) + (slid(rows >> 16) >> _POINTS & _ROW)) * 4


@subroutine
def changes(upper: int, lower: int) -> int:
    """Whether sliding changes any of the rows: to the left by bit 0, to the right by bit *size* - 1."""
    return (slid(upper) | slid(upper >> 16) | slid(lower) | slid(lower >> 16)) >> _CHANGES


@subroutine
def with_squares_turned(rows: int) -> int:
    """Two rows with each square of two by two cells transposed."""
    return (rows & 0xF0F00F0F) | (rows & 0x0000F0F0) << 12 | (rows & 0x0F0F0000) >> 12


@subroutine
def upper_of_turned(upper: int, lower: int) -> int:
    """The upper two rows of the transposed board."""
    return (with_squares_turned(upper) & 0x00FF00FF) | (with_squares_turned(lower) & 0x00FF00FF) << 8


@subroutine
def lower_of_turned(upper: int, lower: int) -> int:
    """The lower two rows of the transposed board."""
    return (with_squares_turned(lower) & 0xFF00FF00) | (with_squares_turned(upper) & 0xFF00FF00) >> 8


@subroutine
def occupied_cells(rows: int) -> int:
    """The lowest bit of each cell with a tile in two rows."""
    rows |= rows >> 2
    return (rows | rows >> 1) & _LOWEST_BITS


@subroutine
def empty_upper(state: State) -> int:
    """The lowest bit of each empty cell of the upper two rows."""
    return int(UPPER_CELLS[state.size]) & ~occupied_cells(state.upper)


@subroutine
def empty_lower(state: State) -> int:
    """The lowest bit of each empty cell of the lower two rows."""
    return int(LOWER_CELLS[state.size]) & ~occupied_cells(state.lower)


@subroutine
def tile(state: State, cell: int) -> int:
    """The power of two of the tile on *cell*, or 0 for an empty cell."""
    rows = state.upper if cell < 8 else state.lower
    return rows >> 4 * (cell & 7) & LARGEST


# -------------------------------------------------------------------------------------------- for people


def board_of(values: Mapping[int, int], size: int, score: int = 0, awaits_tile: bool = False) -> State:
    """The state with the powers of two *values* on its cells."""
    words = [sum(power << 4 * (cell & 7) for cell, power in values.items() if cell // 8 == half) for half in range(2)]
    return State(words[0], words[1], score, size, int(awaits_tile))


def board_cells(size: int) -> list[int]:
    """The cells of a board of *size*, row by row from the top left."""
    return [FIELD * row + column for row in range(size) for column in range(size)]


def values_of(state: State) -> dict[int, int]:
    """The number of the tile on each cell of the board, 0 for an empty cell."""
    return {cell: 1 << power if (power := tile(state, cell)) else 0 for cell in board_cells(state.size)}


def cell_name(cell: int, size: int) -> str:
    """A cell's column and row.

    >>> cell_name(0, 4), cell_name(5, 2)
    ('a4', 'b1')
    """
    return f"{_COLUMNS[cell % FIELD]}{size - cell // FIELD}"


def score_bounds(state: State) -> tuple[int, int]:
    """The lowest and the highest score with which the tiles of *state* can have been made."""
    powers = [power for cell in board_cells(state.size) if (power := tile(state, cell))]
    # A tile 2**n is worth n-1 times its value if it grew from 2s alone, and n-2 times if it grew from 4s.
    return sum(max(power - 2, 0) << power for power in powers), sum((power - 1) << power for power in powers)
