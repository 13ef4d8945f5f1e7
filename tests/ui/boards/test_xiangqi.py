"""The look of xiangqi: where its points are, and that what there is to see is drawn, in either style."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from papan.game.base.assets import Assets
from papan.game.presentation import xiangqi as xiangqi_setup
from papan.game.rules import legal_steps, play, xiangqi
from papan.game.rules.xiangqi import START
from papan.game.rules.xiangqi.board import CELLS, GENERAL, KINDS, State
from papan.ui.boards import Moving, Picture
from papan.ui.boards.xiangqi import Board
from papan.ui.boards.xiangqi.art import CHARACTERS, PICTURES, RIVER_WORDS, character, palette_of
from papan.ui.drawing import fonts
from papan.ui.drawing.theme import THEMES, contrast, theme_of
from tests.ui.boards.drawing import changed_on, drawn, frozen, same, view_of

MIDDLE_GAME = "r1bakab1r/4n4/1c2c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w"
GENERALS = "3k5/9/9/9/9/9/9/9/9/5K3 w"
CHECK = "3k5/9/9/9/9/4r4/9/9/R8/4K4 w"


def cell(name: str) -> int:
    return "abcdefghi".index(name[0]) + 9 * int(name[1])


def state_of(position: str) -> State:
    return xiangqi.parse(position, {})


def with_one_on_e3(seat: int, kind: int) -> State:
    """The generals and one piece, whether or not a game brings it there."""
    state, place = state_of(GENERALS), 1 << cell("e3")
    ones, twos, fours = (place if kind & bit else 0 for bit in (1, 2, 4))
    state = state._replace(
        ones_near=state.ones_near | ones, twos_near=state.twos_near | twos, fours_near=state.fours_near | fours
    )
    return state._replace(black_near=place) if seat else state._replace(red_near=state.red_near | place)


def test_a_general_on_the_wrong_side_of_the_river_is_drawn() -> None:
    astray = xiangqi_setup.put(xiangqi_setup.taken(state_of(GENERALS), cell("f0")), GENERAL, cell("e5"))
    view = view_of(Board)
    assert not same(drawn(view, Picture(astray)), drawn(view, Picture(state_of(GENERALS))))


class TestPoints:
    def test_red_is_at_the_bottom_unless_black_is_in_front(self) -> None:
        for front, below in ((None, "a0"), (0, "a0"), (1, "i9")):
            view = view_of(Board, seat_in_front=front)
            rect = view.cell_rect(cell(below))
            assert rect.left == min(view.cell_rect(at).left for at in range(CELLS))
            assert rect.bottom == max(view.cell_rect(at).bottom for at in range(CELLS))

    def test_arrow_keys_go_where_they_point(self) -> None:
        view, turned, at = view_of(Board), view_of(Board, seat_in_front=1), cell("e4")
        assert [view.neighbour(at, way) for way in ("up", "down", "left", "right")] == [
            cell(name) for name in ("e5", "e3", "d4", "f4")
        ]
        assert [turned.neighbour(at, way) for way in ("up", "left")] == [cell("e3"), cell("f4")]
        assert view.neighbour(cell("i9"), "up") == cell("i9")

    def test_the_cursor_begins_on_a_piece_of_the_seat_to_move(self) -> None:
        assert view_of(Board).first_cursor(state_of(START)) == cell("e3")
        assert view_of(Board).first_cursor(state_of(START.replace("w", "b"))) == cell("e6")


class TestPieces:
    def test_every_kind_of_every_side_looks_different_in_either_style(self) -> None:
        for style in Board.styles["pieces"]:
            view = view_of(Board, style={"board": "wood", "pieces": style})
            frames = [drawn(view, Picture(with_one_on_e3(seat, kind))) for seat in range(2) for kind in KINDS]
            assert len({frozen(frame.subsurface(view.cell_rect(cell("e3")))) for frame in frames}) == 14

    def test_there_is_a_picture_and_a_character_for_each(self) -> None:
        assert set(PICTURES) == set(KINDS)
        assert len({text for texts in CHARACTERS for text in texts.values()}) == 14

    def test_the_font_has_every_character(self) -> None:
        missing = pygame.image.tobytes(character("?", 60, (0, 0, 0)), "RGBA")
        letters = [*(text for texts in CHARACTERS for text in texts.values()), *"".join(RIVER_WORDS)]
        written = {pygame.image.tobytes(character(letter, 60, (0, 0, 0)), "RGBA") for letter in letters}
        assert len(written) == len(letters) and missing not in written

    def test_pictures_stand_in_where_the_font_is_damaged(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        style = {"board": "wood", "pieces": "characters"}
        pictured = drawn(view_of(Board, style={**style, "pieces": "pictures"}, is_still=True), Picture(state_of(START)))
        written = drawn(view_of(Board, is_still=True, style=style), Picture(state_of(START)))
        monkeypatch.setattr(fonts, "ASSETS", Assets(tmp_path, {}))
        assert same(drawn(view_of(Board, is_still=True, style=style), Picture(state_of(START))), pictured)
        assert not same(written, pictured)

    @pytest.mark.parametrize("theme", THEMES)
    def test_what_is_on_a_disc_can_be_read_and_the_sides_differ_without_colour(self, theme: str) -> None:
        red, black = palette_of(theme_of(theme)).discs
        assert contrast(red.ink, red.body) > 4.5 and contrast(black.ink, black.body) > 4.5
        assert contrast(red.body, black.body) > 4.5


class TestMarks:
    state = state_of(MIDDLE_GAME)
    plain = Picture(state)
    cannon = cell("e2")
    targets = frozenset(step & 127 for step in legal_steps(state) if step >> 7 == cell("e2"))

    @pytest.mark.parametrize("theme", THEMES)
    def test_everything_that_a_picture_can_say_is_seen(self, theme: str) -> None:
        view = view_of(Board, theme)
        chosen = Picture(self.state, chosen=self.cannon)
        for at in self.targets:
            assert changed_on(view, chosen, Picture(self.state, self.targets, self.cannon), at) > 60
        for at in (cell("e6"), cell("e5")):
            assert changed_on(view, self.plain, Picture(self.state, last=(at,)), at) > 60
            assert changed_on(view, self.plain, Picture(self.state, cursor=at), at) > 60
            assert changed_on(view, self.plain, Picture(self.state, marks={at: "+1"}), at) > 60
            assert changed_on(view, self.plain, Picture(self.state, hint=(self.cannon, at)), at) > 60
        own = frozenset(step >> 7 for step in legal_steps(self.state))
        assert changed_on(view, self.plain, Picture(self.state, own), self.cannon) > 60
        assert changed_on(view, Picture(self.state, own), Picture(self.state, own, hover=self.cannon), self.cannon) > 60

    def test_points_to_go_to_and_pieces_to_capture_are_marked_differently(self) -> None:
        view = view_of(Board)
        picture = Picture(self.state, self.targets, self.cannon)
        surface, middle = drawn(view, picture), view.cell_rect(cell("d2")).center
        assert surface.get_at(middle)[:3] == view.theme.legal[:3]
        assert cell("e6") in self.targets
        plain = drawn(view, Picture(self.state, chosen=self.cannon))
        middle = view.cell_rect(cell("e6")).center
        assert surface.get_at(middle) == plain.get_at(middle)

    def test_a_general_in_check_is_marked(self) -> None:
        view = view_of(Board)
        checked, safe = state_of(CHECK), state_of(CHECK.replace("4r4", "5r3"))
        assert changed_on(view, Picture(checked), Picture(safe), cell("e0")) > 60

    @pytest.mark.parametrize("style", Board.styles["pieces"])
    @pytest.mark.parametrize("side", [3, 40, 90, 160, 2000])
    def test_any_size_can_be_drawn(self, side: int, style: str) -> None:
        view = view_of(Board, area=pygame.Rect(0, 0, side, side), style={"board": "wood", "pieces": style})
        drawn(view, Picture(self.state, self.targets, self.cannon, last=(cell("e6"),), hint=(self.cannon, cell("e4"))))


class TestAnimation:
    @pytest.mark.parametrize("move", ["e2e6", "a0a1", "b0c2"])
    def test_it_begins_and_ends_in_place(self, move: str) -> None:
        view, before = view_of(Board), state_of(MIDDLE_GAME)
        step = cell(move[:2]) << 7 | cell(move[2:])
        assert step in legal_steps(before)
        after = play(before, step)
        shown = [drawn(view, Picture(before, moving=Moving(before, step, after, share))) for share in (0.0, 0.5, 1.0)]
        assert not same(shown[1], shown[0]) and not same(shown[1], shown[2])
        rect = view.cell_rect(cell(move[2:]))
        assert same(shown[2].subsurface(rect), drawn(view, Picture(after)).subsurface(rect))

    def test_farther_takes_longer(self) -> None:
        view, before = view_of(Board), state_of(MIDDLE_GAME)
        near, far = (
            view.duration(before, step, play(before, step))
            for step in (cell("a0") << 7 | cell("a1"), cell("e2") << 7 | cell("e6"))
        )
        assert 0.1 < near < far < 0.6
