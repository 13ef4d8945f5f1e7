"""The look of 2048, and its table: sides to point at, tiles on their way, arrow keys that play."""

from __future__ import annotations

from random import Random

import pygame
import pytest

from dev.pictures.measuring import LEAST_CONTRAST
from papan.game.rules import is_over, legal_steps, play
from papan.game.rules.twenty48 import LEFT, SIDES, board_cells, board_of, parse, tile
from papan.ui.boards import Moving, Picture
from papan.ui.boards.twenty48 import Board, slides, tile_colours
from papan.ui.drawing.theme import THEMES, contrast, theme_of
from tests.ui.boards.drawing import AREA, drawn, frozen, same, view_of


class TestCells:
    @pytest.mark.parametrize("area", [AREA, pygame.Rect(0, 0, 300, 900), pygame.Rect(5, 5, 120, 90)])
    def test_each_side_is_where_it_says(self, area: pygame.Rect) -> None:
        view = view_of(Board, area=area)
        for side in range(SIDES, SIDES + 4):
            assert view.cell_at(view.cell_rect(side).center) == side
            assert area.contains(view.cell_rect(side))
        assert area.contains(view.face)
        assert view.cell_at((view.face.centerx - view.face.w // 4, view.face.centery)) == SIDES + LEFT
        assert view.cell_at((area.right + 5, area.centery)) is None

    @pytest.mark.parametrize("size", [2, 3, 4])
    def test_tiles_lie_on_the_tray_and_apart(self, size: int) -> None:
        view = view_of(Board)
        drawn(view, Picture(board_of({0: 1, 1: 1}, size)))
        rects = [view.cell_rect(cell) for cell in board_cells(size)]
        for number, rect in enumerate(rects):
            assert view.face.contains(rect)
            assert rect.collidelist(rects[number + 1 :]) == -1

    def test_a_still_board_uses_its_room(self) -> None:
        still = view_of(Board, is_still=True)
        assert still.face.w == AREA.h and still.face.w > view_of(Board).face.w

    def test_arrow_keys_point_at_sides(self) -> None:
        view = view_of(Board)
        assert [view.cell_of_arrow(way) for way in ("up", "right", "down", "left")] == [16, 17, 18, 19]


class TestDrawing:
    @pytest.mark.parametrize("theme", THEMES)
    def test_numbers_can_be_read(self, theme: str) -> None:
        look = theme_of(theme)
        for power in range(1, 16):
            *grounds, ink = tile_colours(look, power)
            assert min(contrast(ground, ink) for ground in grounds) >= LEAST_CONTRAST, f"{1 << power}"

    def test_each_tile_looks_different(self) -> None:
        view = view_of(Board)
        pictures = {frozen(drawn(view, Picture(board_of({5: power}, 4)))) for power in range(1, 16)}
        assert len(pictures) == 15

    def test_the_end_is_seen(self) -> None:
        view = view_of(Board)
        over, before = parse("2,4/4,2 0", {"size": "2"}), parse("2,4/4,4 0", {"size": "2"})
        assert is_over(over)
        corner = (view.face.x + 10, view.face.centery)
        assert drawn(view, Picture(over)).get_at(corner) != drawn(view, Picture(before)).get_at(corner)

    def test_what_is_kept_is_bounded(self) -> None:
        view = view_of(Board)
        before = parse("2,2,4,4/8,8,16,16/2,2,4,4/0,0,0,0 120", {"size": "4"})
        after = play(before, LEFT)
        for share in range(101):
            drawn(view, Picture(before, moving=Moving(before, LEFT, after, share / 100)))
        kept = len(view.paint.pictures)
        for share in range(1000):
            drawn(view, Picture(before, moving=Moving(before, LEFT, after, share / 1000)))
        assert len(view.paint.pictures) <= kept + 8


class TestMoving:
    def test_every_tile_goes_where_the_rules_say(self) -> None:
        random = Random(5)
        for number in range(600):
            size = 2 + number % 3
            cells = random.sample(board_cells(size), random.randint(1, size * size))
            before = board_of({cell: random.choice((1, 1, 2, 3, 15)) for cell in cells}, size)
            for direction in legal_steps(before):
                after = play(before, direction)
                arrived: dict[int, int] = {}
                for slide in slides(before, direction):
                    assert tile(before, slide.start) == slide.power
                    arrived[slide.end] = slide.power + slide.merges
                assert arrived == {cell: tile(after, cell) for cell in board_cells(size) if tile(after, cell)}
                assert len(slides(before, direction)) == len(cells)

    def test_merged_tiles_pop_and_new_ones_grow(self) -> None:
        view = view_of(Board)
        before = parse("2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", {"size": "4"})
        slid = play(before, LEFT)
        begun = drawn(view, Picture(before, moving=Moving(before, LEFT, slid, 0.0)))
        assert same(begun, drawn(view, Picture(before)))
        popping = drawn(view, Picture(before, moving=Moving(before, LEFT, slid, 0.8)))
        assert not any(same(popping, drawn(view, Picture(state))) for state in (before, slid))
        step = legal_steps(slid)[3]
        small, larger = (
            drawn(view, Picture(slid, moving=Moving(slid, step, play(slid, step), share))) for share in (0.1, 0.6)
        )
        assert not same(small, larger)
