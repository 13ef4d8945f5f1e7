"""What several games do to show a board: sets of cells as planes, and pieces' ways as numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.game.kernel import inlined
from papan.game.kernel.bits import lowest


@inlined
def paint(bits: int, columns: int, first_row: int, plane: Any) -> None:
    """Write 1 into *plane* for each of *bits*, which are numbered row by row from *first_row* on, *columns* a row."""
    while bits != 0:
        cell = lowest(bits)
        bits &= bits - 1
        plane[first_row + cell // columns, cell % columns] = 1


def next_but(number: int, what: str) -> str:
    """The one that comes *number* after the next, in words.

    >>> next_but(0, "seat"), next_but(2, "side")
    ('the next seat', 'the next side but two')
    """
    return f"the next {what}" + ("" if number == 0 else f" but {('one', 'two')[number - 1]}")


def numbered_ways(cells: int, is_way: Callable[[int, int], bool]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number from 0 for each way from a cell to another that a piece can take, and the other way round.

    :returns: the number of each way, which is ``origin * cells + target``, or -1; and the way of each number.

    >>> numbers, ways = numbered_ways(3, lambda origin, target: target == origin + 1)
    >>> numbers.tolist(), ways.tolist()
    ([-1, 0, -1, -1, -1, 1, -1, -1, -1], [1, 5])
    """
    ways = [way for way in range(cells * cells) if is_way(*divmod(way, cells))]
    numbers = np.full(cells * cells, -1, np.int64)
    numbers[ways] = np.arange(len(ways))
    return numbers, np.array(ways, np.int64)
