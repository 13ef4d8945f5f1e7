"""The cells that a piece sees along the rows, columns and diagonals of a board of 9×9 cells, by table look-up.

A bitboard of 81 cells takes two words, its *parts*: the lower one has rows 1 to 5, the upper one rows 6 to 9, and
both begin with the leftmost cell of their lowest row. As in ``small_rays``, one multiplication gathers the bits of a
line side by side. A table for each line would be too large: here one table has the cells seen from a cell in *any*
line, and another multiplication spreads them over the board again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.game.kernel import subroutine

SIZE = 9
CELLS = SIZE * SIZE
ROW = (1 << SIZE) - 1
LOWER_ROWS = 5
PART_CELLS = LOWER_ROWS * SIZE
"""Cells in the lower part, and so the first cell of the upper one."""

_ACROSS = ((1, 0), (1, 1), (1, -1))  # columns and rows to go: lines with at most one cell in each column
_LEFT_COLUMN = sum(1 << row * SIZE for row in range(LOWER_ROWS))
_TOP_ROW_FROM = PART_CELLS - SIZE
# A column's bits, SIZE apart, come side by side if each moves by SIZE - 1 less than the one below it.
_STACKER = sum(1 << (SIZE - 1) * (LOWER_ROWS - 1 - row) for row in range(LOWER_ROWS))
_STACKED_FROM = (SIZE - 1) * (LOWER_ROWS - 1)
_STACK = (1 << LOWER_ROWS) - 1
_UNSTACKER = sum(1 << (SIZE - 1) * row for row in range(LOWER_ROWS))

Lookup = np.ndarray[Any, np.dtype[np.int64]]


def _cells_across() -> Lookup:
    """For each cell and each direction across: both parts of the line's cells, without the cell itself."""
    table = np.zeros((CELLS * len(_ACROSS), 2), np.int64)
    for line in range(len(table)):
        columns, rows = _ACROSS[line % len(_ACROSS)]
        row, column = divmod(line // len(_ACROSS), SIZE)
        for step in range(-SIZE, SIZE + 1):
            there = (row + step * rows, column + step * columns)
            if step and all(0 <= index < SIZE for index in there):
                part, bit = divmod(there[0] * SIZE + there[1], PART_CELLS)
                table[line, part] |= 1 << bit
    return table


def _seen_in_line() -> Lookup:
    """For each cell of a line, counted from its start, and each pattern of passable ones: the cells seen."""
    table = np.zeros((SIZE, 1 << SIZE), np.int64)
    for index in range(SIZE):
        for passable in range(1 << SIZE):
            for ways in (range(index + 1, SIZE), range(index - 1, -1, -1)):
                for there in ways:
                    table[index, passable] |= 1 << there
                    if not passable >> there & 1:
                        break
    return table


CELLS_ACROSS = _cells_across()
SEEN_IN_LINE = _seen_in_line()


@subroutine
def seen_from(cell: int, lower_passable: int, upper_passable: int, part: int) -> int:
    """One *part* of the bitboard of the cells seen from *cell* in the eight directions.

    It sees through passable cells and, in each direction, as far as the first cell that is not passable.

    >>> seen_from(0, 0, 0, 0) == 1 << 1 | 1 << 9 | 1 << 10
    True
    """
    row = cell // SIZE
    column = cell - row * SIZE
    seen = 0
    for line in range(3 * cell, 3 * cell + 3):
        # No two cells of the line share a column: both parts' rows can be added up together.
        passable = lower_passable & int(CELLS_ACROSS[line, 0]) | upper_passable & int(CELLS_ACROSS[line, 1])
        pattern = passable * _LEFT_COLUMN >> _TOP_ROW_FROM & ROW
        seen |= int(SEEN_IN_LINE[column, pattern]) * _LEFT_COLUMN & int(CELLS_ACROSS[line, part])
    lower_pattern = (lower_passable >> column & _LEFT_COLUMN) * _STACKER >> _STACKED_FROM & _STACK
    upper_pattern = (upper_passable >> column & _LEFT_COLUMN) * _STACKER >> _STACKED_FROM & _STACK
    in_column = int(SEEN_IN_LINE[row, lower_pattern | upper_pattern << LOWER_ROWS])
    stack = in_column & _STACK if part == 0 else in_column >> LOWER_ROWS
    return seen | (stack * _UNSTACKER & _LEFT_COLUMN) << column
