"""The look of gomoku: boards of every size, the stone that is pointed at, and the row that has won."""

from __future__ import annotations

import pygame
import pytest

from papan.game.presentation.gomoku import PAGE
from papan.game.rules import gomoku, legal_steps
from papan.game.rules.gomoku import State, parse, winning_rows
from papan.game.rules.gomoku.board import ROW
from papan.ui.boards import Picture
from papan.ui.boards.gomoku import Board
from papan.ui.drawing.theme import THEMES
from tests.ui.boards.drawing import changed_cells, drawn, view_of

SIZES = (15, 19, 20)
WON = "h8 h9 i9 i10 g7 g8 j10 k11 f6"


def empty(size: int) -> State:
    return parse("", {"size": str(size)})


def changed(view: Board, first: Picture, second: Picture) -> set[int]:
    """The cells near whose middle the two pictures differ."""
    return set(changed_cells(view, first, second, legal_steps(empty(first.state.size)), inset=4))


class TestCells:
    def test_a1_is_bottom_left(self) -> None:
        view = view_of(Board)
        o15 = (ROW + 1) * 14
        assert view.cell_rect(0).x < view.cell_rect(o15).x and view.cell_rect(0).y > view.cell_rect(o15).y
        assert view.neighbour(0, "up") == ROW and view.neighbour(0, "left") == 0
        assert view.neighbour(o15, "right") == o15 and view.neighbour(o15, "down") == o15 - ROW

    def test_the_cursor_begins_in_the_middle(self) -> None:
        assert [gomoku.name_of(view_of(Board).first_cursor(empty(size))) for size in SIZES] == ["h8", "j10", "k11"]

    def test_coordinates_are_shown_on_the_largest_board_in_the_smallest_window(self) -> None:
        view = view_of(Board, area=pygame.Rect(0, 0, 600, 450))
        drawn(view, Picture(empty(20)))
        assert view.has_coordinates
        assert all(view.cell_at(view.cell_rect(cell).center) == cell for cell in legal_steps(empty(20)))


class TestDrawing:
    @pytest.mark.parametrize("theme", THEMES)
    def test_the_row_that_has_won_is_marked(self, theme: str) -> None:
        view = view_of(Board, theme)
        state = parse(WON, {})
        (row,) = winning_rows(state)
        as_if_not = state._replace(won=0)
        assert changed(view, Picture(state), Picture(as_if_not)) >= set(row)


def test_the_examples_of_the_rules_say_what_they_show() -> None:
    won, forbidden, three, two_threes = (section.example for section in PAGE.sections if section.example)
    assert winning_rows(parse(won.position, {}))
    assert sorted(map(gomoku.name_of, three.marks)) == ["g7", "k11"]
    (cell,) = forbidden.marks
    assert cell not in legal_steps(parse(forbidden.position, forbidden.options))
    (cell,) = two_threes.marks
    assert gomoku.name_of(cell) == "h10" and cell in legal_steps(parse(two_threes.position, {}))
