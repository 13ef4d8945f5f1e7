"""The cells that a piece sees along the rows, columns and diagonals of a board of 5×5 cells, by table look-up.

Cells are bits, row by row from the bottom left. For each of the four lines through a cell one
multiplication gathers the line's bits side by side, and a table has the cells seen for that pattern: the
"kindergarten bitboards" of chess programming.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from papan.game.kernel import subroutine

SIZE = 5
CELLS = SIZE * SIZE
BOARD = (1 << CELLS) - 1
ROW = (1 << SIZE) - 1
TOP_ROW_FROM = CELLS - SIZE
LEFT_COLUMN = sum(1 << (row * SIZE) for row in range(SIZE))

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))  # columns and rows to go; each line goes both ways
_UPRIGHT = 1  # the index of the direction along a column
_LINES = CELLS * len(_DIRECTIONS)

Lookup = np.ndarray[Any, np.dtype[np.int64]]


def _seen(line: int, passable: int) -> int:
    """The cells that ``seen_from`` sees along one of the lines, numbered ``4 * cell + direction``."""
    seen = 0
    for way in (1, -1):
        columns, rows = (way * step for step in _DIRECTIONS[line % 4])
        row, column = divmod(line // 4, SIZE)
        while 0 <= (column := column + columns) < SIZE and 0 <= (row := row + rows) < SIZE:
            bit = 1 << (row * SIZE + column)
            seen |= bit
            if not passable & bit:
                break
    return seen


def _gatherer(line: int) -> int:
    """The factor that moves the bits of the line's cells, side by side, to the top row."""
    if line % 4 == _UPRIGHT:
        return sum(1 << ((SIZE - 1) * (SIZE - row) - line // 4 % SIZE) for row in range(SIZE))
    return LEFT_COLUMN  # no two cells of the line share a column: add up the rows


def _seen_by_pattern() -> Lookup:
    """The cells seen along each line, for each pattern of gathered bits."""
    table = np.zeros((_LINES, 1 << SIZE), np.int64)
    for line in range(_LINES):
        cells = [1 << cell for cell in range(CELLS) if _seen(line, BOARD) >> cell & 1]
        for passable in map(sum, product(*((0, cell) for cell in cells))):
            table[line, passable * _gatherer(line) >> TOP_ROW_FROM & ROW] = _seen(line, passable)
    return table


LINE_CELLS = np.array([_seen(line, BOARD) for line in range(_LINES)], np.int64)
LINE_GATHERER = np.array([_gatherer(line) for line in range(_LINES)], np.int64)
LINE_SEEN = _seen_by_pattern()


@subroutine
def seen_from(cell: int, passable: int) -> int:
    """Bitboard of the cells seen from *cell* in the eight directions.

    It sees through *passable* cells and, in each direction, as far as the first cell that is not passable.

    >>> seen_from(0, 0) == 1 << 1 | 1 << 5 | 1 << 6
    True
    """
    seen = 0
    for line in range(4 * cell, 4 * cell + 4):
        pattern = (passable & int(LINE_CELLS[line])) * int(LINE_GATHERER[line]) >> TOP_ROW_FROM & ROW
        seen |= int(LINE_SEEN[line, pattern])
    return seen
