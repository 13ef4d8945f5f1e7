"""In which order two seats dropped their discs into columns, as far as a position tells."""

from __future__ import annotations

import numpy as np

from papan.game.kernel.bits import popcount


def alternating_order(first: int, second: int, columns: int, height: int) -> list[int] | None:
    """The columns of one order in which two seats can have dropped their discs by turns; None if there is none.

    How high the columns are is one number, a digit to the base *height* for each; for each number of discs there is an
    array of those that can be reached: on the board of Connect Four some ten thousand at most.

    :param first: the discs of the seat that begins, *height* bits a column; *second* the other's.
    """
    cells = (1 << height) - 1
    heights = [popcount((first | second) & cells << (column * height)) for column in range(columns)]
    fits = np.zeros((2, columns, height), bool)  # by seat and column: whether its disc comes at that height
    for seat, discs in enumerate((first, second)):
        for column in range(columns):
            for row in range(heights[column]):
                fits[seat, column, row] = discs >> (column * height + row) & 1
    code = sum(discs * height**column for column, discs in enumerate(heights))
    reached, is_next = [np.zeros(1, np.int64)], np.zeros(code + 1, bool)
    for number in range(sum(heights)):
        codes = reached[-1]
        for column in range(columns):
            is_next[codes[fits[number & 1, column, codes // height**column % height]] + height**column] = True
        reached.append(np.flatnonzero(is_next))
        is_next[reached[-1]] = False
    if code not in reached.pop():
        return None
    order = []
    while reached:
        codes, seat = reached.pop(), len(reached) & 1
        for column in range(columns):
            row = code // height**column % height - 1
            if row >= 0 and fits[seat, column, row] and code - height**column in codes:
                code -= height**column
                order.append(column)
                break
    return order[::-1]
