"""The look of Connect Four, the example: its columns, the falling disc, the four that win; how boards are found."""

from __future__ import annotations

from itertools import pairwise

import pytest

from papan.game.catalogue import GAMES
from papan.game.rules import is_over, play
from papan.game.rules.connect_four import COLUMNS, ROWS, State, parse
from papan.ui.boards import BoardError, Picture, board_of
from papan.ui.boards.connect_four import BOUNCE, Board, _rows_fallen, _winning_lines
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import theme_of
from tests.ui.boards.drawing import ARROWS, changed, drawn, view_of


@pytest.fixture
def board() -> Board:
    return view_of(Board)


class TestFinding:
    def test_a_broken_board_is_explained(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Board, "__init__", lambda board, paint: 1 / 0)
        with pytest.raises(BoardError, match=r"The board of Connect Four can't be shown: division by zero\."):
            board_of(GAMES["connect-four"], Painter(theme_of("light")))


class TestCells:
    def test_above_the_board_is_the_column_beside_it_is_not(self, board: Board) -> None:
        rect = board.cell_rect(2)
        for y in (board.face.top - board.side // 2, rect.top + 2):
            assert board.cell_at((rect.centerx, y)) == 2
        assert board.cell_at((board.face.left - 5, rect.centery)) is None
        assert board.cell_at((rect.centerx, board.face.bottom + 5)) is None

    def test_arrows(self, board: Board) -> None:
        assert [board.neighbour(3, side) for side in ARROWS] == [2, 4, 3, 3]
        assert board.neighbour(0, "left") == 0 and board.neighbour(6, "right") == 6
        assert board.first_cursor(State(0, 0)) == 3


class TestFalling:
    def test_a_disc_falls_faster_and_faster_and_lands(self) -> None:
        steps = [_rows_fallen(6, share / 200) for share in range(201)]
        assert steps[0] == 0 and steps[-1] == pytest.approx(6)
        assert max(steps) <= 6 + 1e-9
        landing = next(place for place, fallen in enumerate(steps) if fallen > 5.9)
        speeds = [later - sooner for sooner, later in pairwise(steps[:landing])]
        assert speeds == sorted(speeds)

    def test_it_bounces_once(self) -> None:
        landed = 1 / (1 + 2 * BOUNCE)
        assert _rows_fallen(6, landed) == pytest.approx(6)
        assert 5 < _rows_fallen(6, (1 + landed) / 2) < 5.9

    def test_farther_takes_longer(self, board: Board) -> None:
        empty, nearly_full = State(0, 0), parse("33333", {})
        far = board.duration(empty, 2, play(empty, 2))
        near = board.duration(nearly_full, 2, play(nearly_full, 2))
        assert 0.1 < near < far < 0.8


class TestWinning:
    @pytest.mark.parametrize(
        ("moves", "line"),
        [
            ("1212121", [(0, 0), (0, 1), (0, 2), (0, 3)]),
            ("1122334", [(0, 0), (1, 0), (2, 0), (3, 0)]),
            ("6314651725743461413675", [(2, 0), (3, 1), (4, 2), (5, 3)]),
            ("257771314744647214174516362", [(0, 3), (1, 2), (2, 1), (3, 0)]),
        ],
    )
    def test_the_four_are_found(self, moves: str, line: list[tuple[int, int]]) -> None:
        state = parse(moves, {})
        assert is_over(state)
        assert _winning_lines(state) == [line]

    def test_two_lines_at_once_and_none(self) -> None:
        both = parse("1773231752331223526366464", {})
        assert _winning_lines(both) == [[(1, 3), (2, 2), (3, 1), (4, 0)], [(3, 1), (4, 1), (5, 1), (6, 1)]]
        assert _winning_lines(parse("4455", {})) == []

    def test_they_are_marked(self, board: Board) -> None:
        state = parse("1212121", {})
        surface = drawn(board, Picture(state))
        between_the_second_and_the_third = board.cell_rect(0).centerx, board.face.centery + board.side
        assert surface.get_at(between_the_second_and_the_third)[:3] == (255, 255, 255)


def test_rows_of_the_face_hold_all_discs(board: Board) -> None:
    """The topmost disc of a full column lies within the face."""
    lower, full = (drawn(board, Picture(parse("1" * discs, {}))) for discs in (ROWS - 1, ROWS))
    changes = changed(lower, full)
    assert changes > board.side**2 // 2
    assert changed(lower.subsurface(board.face), full.subsurface(board.face)) == changes


class TestFromBehind:
    def test_the_columns_are_mirrored(self) -> None:
        front, behind = view_of(Board), view_of(Board, outlook=1)
        for column in range(COLUMNS):
            assert behind.cell_rect(column) == front.cell_rect(COLUMNS - 1 - column)
            assert behind.cell_at(behind.cell_rect(column).center) == column
        assert behind.neighbour(3, "left") == 4 and behind.neighbour(0, "right") == 0
