"""What every board keeps to: cells lie where they say, what a picture says is seen, steps end as the state after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pygame
import pytest

from papan.game.catalogue import GALLERY
from papan.game.rules import State, is_over, legal_steps, observe, play
from papan.ui.boards import BoardView, Moving, Picture, board_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import THEMES, contrast, theme_of
from tests.ui.boards.drawing import AREA, ARROWS, changed, coloured, drawn, drawn_beside
from tests.ui.sharing import share_pictures

AREAS = [AREA, pygame.Rect(0, 0, 300, 900), pygame.Rect(5, 5, 300, 130)]
TINY = pygame.Rect(10, 10, 60, 40)
FACING: list[dict[str, Any]] = [{}, {"seat_in_front": 0}, {"seat_in_front": 1}, {"outlook": 1}]
LEAST = 40
"""Pixels that a mark changes at least, by 24 or more in one part of a colour."""
MARKS = ("target", "hover", "last", "hint", "cursor", "marks")


WITH_WINNING = (*MARKS, "winning")


@dataclass(frozen=True)
class Shown:
    """A position of a game in which marks are looked at."""

    cells: Iterable[int]
    """The cells of the board, by their numbers."""
    at: int
    """The cell that is marked."""
    text: str = ""
    """The position; default: the board's sample."""
    options: dict[str, str] = field(default_factory=dict)
    chosen: int | None = None
    last: int | None = None
    """The cell of the last turn, if it is another one."""
    marks: tuple[str, ...] = MARKS


GAMES = {
    "santorini": Shown(range(25), 18, "1210024311122120111000000/1/apollo:c3,d1/atlas:e4,b2", marks=WITH_WINNING),
    "santorini-graph": Shown(
        range(25),
        17,
        "1021000311004212011000010/1/13,6/14,21",
        {"variant": "4W_P4H_TWUS", "board": "grid:5x5"},
        marks=WITH_WINNING,
    ),
    "cifra": Shown(range(25), 13, "WBWBWWBBWBBWNBWWWBBWBWBWB/w.B..w..w.....w...bb..b.b/b/b", marks=WITH_WINNING),
    "catur-jawa": Shown(range(84), 43, chosen=82),
    "connect-four": Shown(range(7), 2),
    "othello": Shown(range(64), 14),
    "2048": Shown(range(16, 20), 19, last=5),
    "checkers": Shown(range(32), 18, "B:W14,22,23,32:B1,9,K12", marks=WITH_WINNING),
    "gomoku": Shown([row * 21 + column for row in range(15) for column in range(15)], 91, last=154, marks=MARKS[1:]),
    "xiangqi": Shown(
        range(90),
        40,
        "r1bakab1r/4n4/1c2c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w",
        marks=WITH_WINNING,
    ),
}
EVERY_GAME = pytest.mark.parametrize("name", GALLERY)
WITH_CURSOR = pytest.mark.parametrize("name", [name for name in GALLERY if name != "2048"])
EVERY_THEME = pytest.mark.parametrize("theme", THEMES)


def board(name: str, theme: str = "light", area: pygame.Rect = AREA, **facts: Any) -> BoardView:
    """The board of the game of this *name* in *area*, once it has drawn the position that is looked at."""
    paint = Painter(theme_of(theme))
    share_pictures(paint)
    view = board_of(GALLERY[name], paint)
    for fact, value in facts.items():
        setattr(view, fact, value)
    view.layout(area)
    drawn(view, Picture(state_of(view, name)))
    return view


def state_of(view: BoardView, name: str) -> State:
    shown, game = GAMES[name], GALLERY[name]
    state = game.rules.parse(shown.text, shown.options) if shown.text else view.sample()
    return observe(state, 0) if game.has_hidden_information else state


def pictures_of(view: BoardView, name: str) -> dict[str, Picture]:
    """The position with each mark by itself, and without any: by the mark's name."""
    shown, state = GAMES[name], state_of(view, name)
    at, targets = shown.at, frozenset({shown.at})
    marks: dict[str, dict[str, Any]] = {
        "": {},
        "target": {"targets": targets},
        "last": {"last": (shown.last or at,)},
        "hint": {"hint": (at,)},
        "cursor": {"cursor": at},
        "marks": {"marks": {at: "+7"}},
        "hover": {"targets": targets, "hover": at},
        "winning": {"winning": (at,)},
    }
    return {
        mark: Picture(state, chosen=shown.chosen, **facts)
        for mark, facts in marks.items()
        if mark in ("", *shown.marks)
    }


def test_every_game_is_looked_at() -> None:
    assert set(GAMES) == set(GALLERY)


@EVERY_GAME
class TestWhereCellsAre:
    @pytest.mark.parametrize("facing", FACING, ids=str)
    @pytest.mark.parametrize("area", AREAS, ids=str)
    def test_each_is_where_it_says(self, name: str, area: pygame.Rect, facing: dict[str, Any]) -> None:
        view = board(name, area=area, **facing)
        for cell in GAMES[name].cells:
            rect = view.cell_rect(cell)
            assert area.contains(rect)
            if not name.startswith("santorini"):  # where towers hide others
                assert view.cell_at(rect.center) == cell
        for beside in ((area.right + 3, area.centery), (area.centerx, area.bottom + 5)):
            assert view.cell_at(beside) is None


@WITH_CURSOR
class TestArrowKeys:
    @pytest.mark.parametrize("facing", FACING, ids=str)
    def test_reach_every_cell_and_lead_where_they_point(self, name: str, facing: dict[str, Any]) -> None:
        view = board(name, **facing)
        first = view.first_cursor(state_of(view, name))
        reached, fresh = {first}, [first]
        while fresh:
            cell = fresh.pop()
            here = view.cell_rect(cell).center
            for arrow, (axis, sign) in zip(ARROWS, ((0, -1), (0, 1), (1, -1), (1, 1)), strict=True):
                other = view.neighbour(cell, arrow)
                assert other == cell or (view.cell_rect(other).center[axis] - here[axis]) * sign > 0
                if other not in reached:
                    reached.add(other)
                    fresh.append(other)
        assert reached == set(GAMES[name].cells)


@EVERY_GAME
class TestWhatIsSeen:
    @EVERY_THEME
    def test_everything_a_picture_says_and_each_looks_different(self, name: str, theme: str) -> None:
        view, at = board(name, theme), GAMES[name].at
        near = view.area if GAMES[name].last else view.cell_rect(at).inflate(view.cell_rect(at).size).clip(view.area)
        frames = {mark: drawn(view, picture).subsurface(near) for mark, picture in pictures_of(view, name).items()}
        for one, other in combinations(frames, 2):
            assert changed(frames[one], frames[other], 24) >= LEAST, (one, other)

    def test_nothing_beside_the_area(self, name: str) -> None:
        view, cells = board(name), list(GAMES[name].cells)
        ends = frozenset({cells[0], cells[-1]})
        picture = Picture(state_of(view, name), ends, hover=cells[0], cursor=cells[-1], hint=(cells[-1], cells[0]))
        assert drawn_beside(view, picture, room=8) == 0

    @EVERY_THEME
    def test_in_any_theme_and_size(self, name: str, theme: str) -> None:
        for area in (*AREAS[1:], TINY):
            view = board(name, theme, area)
            surface = drawn(view, Picture(state_of(view, name), frozenset(GAMES[name].cells), cursor=GAMES[name].at))
            side = min(area.size)
            middle = pygame.Rect(area.centerx - side // 4, area.centery - side // 4, side // 2, side // 2)
            assert coloured(surface.subsurface(middle), view.theme.background) < middle.w * middle.h / 2

    def test_pictures_are_made_once(self, name: str) -> None:
        view = board(name)
        pictures = pictures_of(view, name)
        for picture in pictures.values():
            drawn(view, picture)
        kept = len(view.paint.pictures)
        for picture in pictures.values():
            drawn(view, picture)
        assert len(view.paint.pictures) == kept

    def test_a_still_board_uses_its_room(self, name: str) -> None:
        cell = GAMES[name].at
        moving, still = (board(name, is_still=is_still).cell_rect(cell) for is_still in (False, True))
        assert still.w >= moving.w + (name not in ("santorini", "checkers"))

    def test_the_sample_goes_on(self, name: str) -> None:
        state = board(name).sample()
        assert not is_over(state) and legal_steps(state)


@pytest.mark.parametrize("name", ["cifra", "checkers", "gomoku", "othello"])
@EVERY_THEME
def test_seats_with_discs_of_their_own_are_told_apart_and_can_be_read(name: str, theme: str) -> None:
    view = board(name, theme)
    first, second = (view.seat_style(state_of(view, name), seat) for seat in (0, 1))
    assert first.shape != second.shape
    assert contrast(first.colour, second.colour) > 2
    for style in (first, second):
        assert contrast(style.ink, view.theme.panel) >= 4.5
        assert contrast(style.mark, style.colour) >= 4.5
        assert contrast(style.colour, view.theme.panel) > 1.5


@pytest.mark.parametrize("name", ["connect-four", "othello", "2048", "gomoku"])
def test_a_step_is_seen_on_its_way_and_ends_as_the_state_after(name: str) -> None:
    view = board(name)
    first = state_of(view, name)
    second = play(first, legal_steps(first)[-1])  # chance is next in 2048
    for before, step in (*((first, step) for step in legal_steps(first)[:3]), (second, legal_steps(second)[-1])):
        after = play(before, step)
        half, end = (drawn(view, Picture(before, moving=Moving(before, step, after, share))) for share in (0.5, 1.0))
        plain = {state: drawn(view, Picture(state)) for state in (before, after)}
        assert changed(end, plain[after]) == 0
        assert all(changed(half, frame) for frame in plain.values())
