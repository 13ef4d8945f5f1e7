"""Sight along the lines of boards of 5×5 and 9×9 cells."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from papan.game.rules.cifra import large_rays
from papan.game.rules.cifra.small_rays import BOARD, CELLS, seen_from


def bits(*cells: int) -> int:
    return sum(1 << cell for cell in cells)


class TestSight:
    def test_without_passable_cells_a_cell_sees_its_neighbours(self) -> None:
        assert seen_from(12, 0) == bits(6, 7, 8, 11, 13, 16, 17, 18)
        assert seen_from(4, 0) == bits(3, 8, 9)

    def test_through_passable_cells_it_sees_to_the_edge(self) -> None:
        assert seen_from(0, BOARD) == bits(1, 2, 3, 4, 5, 10, 15, 20, 6, 12, 18, 24)

    def test_it_sees_the_first_cell_that_is_not_passable_and_no_further(self) -> None:
        assert seen_from(0, bits(1, 5, 10, 18)) == bits(1, 2, 5, 10, 15, 6)

    @given(st.integers(0, CELLS - 1), st.integers(0, BOARD), st.integers(0, BOARD))
    def test_only_passable_cells_matter_and_more_of_them_show_more(self, cell: int, passable: int, more: int) -> None:
        assert seen_from(cell, passable | 1 << cell) == seen_from(cell, passable & ~(1 << cell))
        assert not seen_from(cell, passable) & ~seen_from(cell, passable | more)

    @given(st.integers(0, CELLS - 1), st.integers(0, CELLS - 1), st.integers(0, BOARD))
    def test_sight_is_mutual(self, one: int, other: int, passable: int) -> None:
        assert seen_from(one, passable) >> other & 1 == seen_from(other, passable) >> one & 1


class TestWideSight:
    def test_all_cells_and_random_boards_against_a_walk(self) -> None:
        random = Random(1)
        for cell in range(large_rays.CELLS):
            for passable in (0, random.getrandbits(81), random.getrandbits(81) | random.getrandbits(81), 2**81 - 1):
                lower, upper = passable & (1 << large_rays.PART_CELLS) - 1, passable >> large_rays.PART_CELLS
                parts = [large_rays.seen_from(cell, lower, upper, part) for part in (0, 1)]
                assert parts[0] | parts[1] << large_rays.PART_CELLS == walked(cell, passable)


def walked(cell: int, passable: int) -> int:
    """What is seen from *cell* of 81, cell by cell."""
    seen = 0
    for columns, rows in ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y):
        row, column = divmod(cell, 9)
        while 0 <= (row := row + rows) < 9 and 0 <= (column := column + columns) < 9:
            seen |= 1 << row * 9 + column
            if not passable >> row * 9 + column & 1:
                break
    return seen
