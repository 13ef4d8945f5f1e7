"""Sight along the lines of a 5×5 board."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from game.sight import BOARD, CELLS, seen_from


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
