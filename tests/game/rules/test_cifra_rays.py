"""Sight along the lines of boards of 5×5 and 9×9 cells, against a walk."""

from __future__ import annotations

from random import Random

from papan.game.rules.cifra import large_rays, small_rays


def test_all_cells_and_random_boards() -> None:
    random = Random(1)
    for size in (5, 9):
        cells = size * size
        for cell in range(cells):
            more = random.getrandbits(cells) | random.getrandbits(cells)
            for passable in (0, random.getrandbits(cells), more, 2**cells - 1):
                assert seen(cell, passable, size) == walked(cell, passable, size)


def seen(cell: int, passable: int, size: int) -> int:
    if size == 5:
        return small_rays.seen_from(cell, passable)
    lower, upper = passable & (1 << large_rays.PART_CELLS) - 1, passable >> large_rays.PART_CELLS
    parts = [large_rays.seen_from(cell, lower, upper, part) for part in (0, 1)]
    return parts[0] | parts[1] << large_rays.PART_CELLS


def walked(cell: int, passable: int, size: int) -> int:
    found = 0
    for columns, rows in ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y):
        row, column = divmod(cell, size)
        while 0 <= (row := row + rows) < size and 0 <= (column := column + columns) < size:
            found |= 1 << row * size + column
            if not passable >> row * size + column & 1:
                break
    return found
