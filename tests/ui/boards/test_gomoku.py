"""The look of gomoku: boards of every size, the stone that is pointed at, and the row that has won."""

from __future__ import annotations

from collections.abc import Callable

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.presentation.gomoku import PAGE
from papan.game.rules import gomoku, is_over, legal_steps, play
from papan.game.rules.gomoku import ROW, State, parse, winning_rows
from papan.ui.boards import Moving, Picture, board_of
from papan.ui.boards.gomoku import Board
from papan.ui.drawing.theme import THEMES, contrast
from tests.ui.boards.drawing import AREA, changed_cells, drawn, drawn_beside, same, view_of

SIZES = (15, 19, 20)
WON = "h8 h9 i9 i10 g7 g8 j10 k11 f6"


def empty(size: int) -> State:
    return parse("", {"size": str(size)})


def changed(view: Board, first: Picture, second: Picture) -> set[int]:
    """The cells near whose middle the two pictures differ."""
    return set(changed_cells(view, first, second, legal_steps(empty(first.state.size)), inset=4))


class TestCells:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("area", [AREA, pygame.Rect(0, 0, 300, 600), pygame.Rect(5, 5, 130, 90)])
    def test_each_is_where_it_says_once_the_size_is_seen(self, size: int, area: pygame.Rect) -> None:
        view = view_of(Board, area=area)
        drawn(view, Picture(empty(size)))
        for cell in legal_steps(empty(size)):
            assert area.contains(view.cell_rect(cell))
            assert view.cell_at(view.cell_rect(cell).center) == cell
        assert view.cell_at((area.right + 3, area.centery)) is None

    def test_a1_is_bottom_left(self) -> None:
        view = view_of(Board)
        o15 = (ROW + 1) * 14
        assert view.cell_rect(0).x < view.cell_rect(o15).x and view.cell_rect(0).y > view.cell_rect(o15).y
        assert view.neighbour(0, "up") == ROW and view.neighbour(0, "left") == 0
        assert view.neighbour(o15, "right") == o15 and view.neighbour(o15, "down") == o15 - ROW

    def test_the_cursor_begins_in_the_middle(self) -> None:
        assert [gomoku.name_of(view_of(Board).first_cursor(empty(size))) for size in SIZES] == ["h8", "j10", "k11"]

    def test_the_next_match_can_have_another_size(self) -> None:
        view = view_of(Board)
        drawn(view, Picture(empty(20)))
        assert same(drawn(view, Picture(empty(15))), drawn(view_of(Board), Picture(empty(15))))

    def test_coordinates_are_shown_on_the_largest_board_in_the_smallest_window(self) -> None:
        view = view_of(Board, area=pygame.Rect(0, 0, 600, 450))
        drawn(view, Picture(empty(20)))
        assert view.has_coordinates


class TestDrawing:
    @pytest.mark.parametrize("theme", THEMES)
    @pytest.mark.parametrize(
        "said",
        [
            lambda state, step, stone: (Picture(state, targets=frozenset({step}), hover=step), step),
            lambda state, step, stone: (Picture(state, targets=frozenset({step}), cursor=step), step),
            lambda state, step, stone: (Picture(state, cursor=stone), stone),
            lambda state, step, stone: (Picture(state, last=(stone,)), stone),
            lambda state, step, stone: (Picture(state, hint=(step,)), step),
            lambda state, step, stone: (Picture(state, marks={step: "+7"}), step),
        ],
    )
    def test_what_a_picture_says_is_seen(
        self, theme: str, said: Callable[[State, int, int], tuple[Picture, int]]
    ) -> None:
        view = view_of(Board, theme)
        state = view.sample()
        assert not is_over(state)
        step, stone = legal_steps(state)[20], parse("h8", {}).theirs2.bit_length() - 1 + 126
        assert gomoku.name_of(stone) == "h8"
        picture, where = said(state, step, stone)
        assert where in changed(view, Picture(state), picture)

    def test_cells_that_may_be_pointed_at_are_not_all_marked(self) -> None:
        view = view_of(Board)
        state = view.sample()
        assert not changed(view, Picture(state), Picture(state, targets=frozenset(legal_steps(state))))

    @pytest.mark.parametrize("theme", THEMES)
    def test_the_row_that_has_won_is_marked(self, theme: str) -> None:
        view = view_of(Board, theme)
        state = parse(WON, {})
        (row,) = winning_rows(state)
        as_if_not = state._replace(won=0)
        assert changed(view, Picture(state), Picture(as_if_not)) >= set(row)

    @pytest.mark.parametrize("theme", THEMES)
    def test_black_and_white_differ_by_shape_and_can_be_read(self, theme: str) -> None:
        view = view_of(Board, theme)
        black, white = (view.seat_style(view.sample(), seat) for seat in (0, 1))
        assert black.shape != white.shape
        assert contrast(black.colour, white.colour) > 2
        for style in (black, white):
            assert contrast(style.ink, view.theme.panel) >= 4.5
            assert contrast(style.mark, style.colour) >= 4.5

    def test_nothing_is_drawn_beside_the_area(self) -> None:
        view = view_of(Board)
        state = view.sample()
        picture = Picture(state, targets=frozenset({0}), hover=0, cursor=14, hint=(ROW * 14,), last=(ROW * 14 + 14,))
        assert drawn_beside(view, picture, room=8) == 0

    @pytest.mark.parametrize("theme", THEMES)
    def test_small_and_still(self, theme: str) -> None:
        view = view_of(Board, theme, pygame.Rect(10, 10, 60, 40))
        drawn(view, Picture(parse("t20", {"size": "20"})))
        assert isinstance(board_of(GAMES["gomoku"], view.paint), Board)


class TestAStoneOnItsWay:
    @pytest.mark.parametrize("theme", THEMES)
    def test_it_ends_as_the_state_after(self, theme: str) -> None:
        view = view_of(Board, theme)
        before = view.sample()
        step = legal_steps(before)[30]
        after = play(before, step)
        assert 0 < view.duration(before, step, after) < 0.5
        first, last = (Picture(before, moving=Moving(before, step, after, progress)) for progress in (0.0, 1.0))
        assert not changed(view, last, Picture(after))
        assert step in changed(view, first, last)


def test_the_examples_of_the_rules_say_what_they_show() -> None:
    won, three, two_threes = (section.example for section in PAGE.sections if section.example)
    assert winning_rows(parse(won.position, {}))
    assert sorted(map(gomoku.name_of, three.marks)) == ["g7", "k11"]
    (cell,) = two_threes.marks
    assert gomoku.name_of(cell) == "h10" and cell in legal_steps(parse(two_threes.position, {}))
