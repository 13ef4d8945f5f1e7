"""The look of 2048, and its table: sides to point at, tiles on their way, arrow keys that play."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pygame
import pytest

from papan.ai.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import CHANCE, is_over, legal_steps, play
from papan.game.rules.twenty48 import DOWN, LEFT, RIGHT, SIDES, UP, State, board_cells, board_of, parse, tile
from papan.ui.boards import Moving, Picture
from papan.ui.boards import board_of as view_of
from papan.ui.boards.twenty48 import Board, _fill, _ink, slides
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import THEMES, contrast, theme_of
from papan.ui.play.session import Session
from papan.ui.scenes.new_game import NewGame
from papan.ui.scenes.table import Table
from tests.ui.hands import Hands

GAME = GAMES["2048"]
AREA = pygame.Rect(40, 30, 700, 600)
ARROWS = {UP: pygame.K_UP, RIGHT: pygame.K_RIGHT, DOWN: pygame.K_DOWN, LEFT: pygame.K_LEFT}


@pytest.fixture(scope="module", autouse=True)
def fonts() -> None:
    pygame.font.init()


def board(theme: str = "light", area: pygame.Rect = AREA) -> Board:
    view = Board(Painter(theme_of(theme)))
    view.layout(area)
    return view


def drawn(view: Board, picture: Picture) -> bytes:
    surface = pygame.Surface((800, 700))
    surface.fill(view.theme.background)
    view.draw(surface, picture)
    return pygame.image.tobytes(surface, "RGB")


def sides(state: State) -> frozenset[int]:
    return frozenset(SIDES + step for step in legal_steps(state))


class TestCells:
    @pytest.mark.parametrize("area", [AREA, pygame.Rect(0, 0, 300, 900), pygame.Rect(5, 5, 120, 90)])
    def test_each_side_is_where_it_says(self, area: pygame.Rect) -> None:
        view = board(area=area)
        for side in range(SIDES, SIDES + 4):
            assert view.cell_at(view.cell_rect(side).center) == side
            assert area.contains(view.cell_rect(side))
        assert area.contains(view.face)
        assert view.cell_at((view.face.centerx - view.face.w // 4, view.face.centery)) == SIDES + LEFT
        assert view.cell_at((area.right + 5, area.centery)) is None

    @pytest.mark.parametrize("size", [2, 3, 4])
    def test_tiles_lie_on_the_tray_and_apart(self, size: int) -> None:
        view = board()
        drawn(view, Picture(board_of({0: 1, 1: 1}, size)))
        rects = [view.cell_rect(cell) for cell in board_cells(size)]
        for number, rect in enumerate(rects):
            assert view.face.contains(rect)
            assert rect.collidelist(rects[number + 1 :]) == -1

    def test_a_still_board_uses_its_room(self) -> None:
        still = Board(Painter(theme_of("light")))
        still.is_still = True
        still.layout(AREA)
        assert still.face.w == AREA.h and still.face.w > board().face.w

    def test_arrow_keys_point_at_sides(self) -> None:
        view = board()
        assert [view.cell_of_arrow(way) for way in ("up", "right", "down", "left")] == [16, 17, 18, 19]


class TestDrawing:
    @pytest.mark.parametrize("theme", THEMES)
    def test_everything_a_picture_can_say_is_seen(self, theme: str) -> None:
        view = board(theme)
        state = view.sample()
        assert not is_over(state)
        bare, plain = drawn(view, Picture(state)), drawn(view, Picture(state, targets=sides(state)))
        assert bare != plain
        for said in (
            Picture(state, targets=sides(state), hover=SIDES + LEFT),
            Picture(state, targets=sides(state), last=(5,)),
            Picture(state, targets=sides(state), hint=(SIDES + DOWN,)),
            Picture(state, targets=sides(state), cursor=SIDES),
            Picture(state, targets=sides(state), marks={SIDES + LEFT: "+40"}),
        ):
            assert drawn(view, said) != plain

    @pytest.mark.parametrize("theme", THEMES)
    def test_numbers_can_be_read(self, theme: str) -> None:
        look = theme_of(theme)
        for power in range(1, 16):
            assert contrast(_fill(look, power), _ink(look, power)) >= 3.5, f"{1 << power}"

    def test_each_tile_looks_different(self) -> None:
        view = board()
        pictures = {drawn(view, Picture(board_of({5: power}, 4))) for power in range(1, 16)}
        assert len(pictures) == 15

    def test_the_end_is_seen(self) -> None:
        view = board()
        over, before = parse("2,4/4,2 0", {"size": "2"}), parse("2,4/4,4 0", {"size": "2"})
        assert is_over(over)
        surface = pygame.Surface((800, 700))
        shades = []
        for state in (over, before):
            surface.fill(view.theme.background)
            view.draw(surface, Picture(state))
            shades.append(surface.get_at((view.face.x + 10, view.face.centery))[:3])
        assert shades[0] != shades[1]

    def test_a_frame_is_quick_once_everything_is_kept(self) -> None:
        view = board()
        state = view.sample()
        surface = pygame.Surface((800, 700))
        picture = Picture(state, targets=sides(state), last=(5,))
        view.draw(surface, picture)
        times = []
        for _ in range(20):
            started = time.perf_counter()
            view.draw(surface, picture)
            times.append(time.perf_counter() - started)
        assert sorted(times)[5] < 0.004

    def test_what_is_kept_is_bounded(self) -> None:
        view = board()
        before = parse("2,2,4,4/8,8,16,16/2,2,4,4/0,0,0,0 120", {"size": "4"})
        after = play(before, LEFT)
        for share in range(101):
            drawn(view, Picture(before, moving=Moving(before, LEFT, after, share / 100)))
        kept = len(view.paint.pictures)
        for share in range(1000):
            drawn(view, Picture(before, moving=Moving(before, LEFT, after, share / 1000)))
        assert len(view.paint.pictures) <= kept + 8

    def test_the_gallery_finds_it(self) -> None:
        assert isinstance(view_of(GAME, Painter(theme_of("light"))), Board)


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

    def test_begins_and_ends_in_place(self) -> None:
        view = board()
        before = view.sample()
        slid = play(before, LEFT)
        assert drawn(view, Picture(before, moving=Moving(before, LEFT, slid, 0.0))) == drawn(view, Picture(before))
        assert drawn(view, Picture(before, moving=Moving(before, LEFT, slid, 1.0))) == drawn(view, Picture(slid))
        step = legal_steps(slid)[0]
        after = play(slid, step)
        assert drawn(view, Picture(slid, moving=Moving(slid, step, after, 1.0))) == drawn(view, Picture(after))
        half = drawn(view, Picture(before, moving=Moving(before, LEFT, slid, 0.5)))
        assert half not in (drawn(view, Picture(before)), drawn(view, Picture(slid)))

    def test_merged_tiles_pop_and_new_ones_grow(self) -> None:
        view = board()
        before = parse("2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", {"size": "4"})
        slid = play(before, LEFT)
        popping = drawn(view, Picture(before, moving=Moving(before, LEFT, slid, 0.8)))
        assert popping not in (drawn(view, Picture(before)), drawn(view, Picture(slid)))
        step = legal_steps(slid)[3]
        small, larger = (
            drawn(view, Picture(slid, moving=Moving(slid, step, play(slid, step), share))) for share in (0.1, 0.6)
        )
        assert small != larger


class Window(Hands):
    def sit_down(self, *seats: str, **options: str) -> Table:
        self.thinker = Thinker()
        match = Match.new(GAME, seats, {"first": "1", **options}, seed=3)
        self.table = Table(self.app, Session(match, self.thinker))
        self.app.push(self.table)
        self.frames(2)
        return self.table

    def settle(self) -> None:
        deadline = time.perf_counter() + 20
        while self.table.session.turn.due not in ("choosing", "over"):
            assert time.perf_counter() < deadline
            self.frames()


@pytest.fixture
def window(home: Path) -> Iterator[Window]:
    window = Window()
    yield window
    assert window.thinker.close(20)
    window.app.close()


class TestTable:
    def test_an_arrow_key_slides_and_chance_follows(self, window: Window) -> None:
        table = window.sit_down("human")
        step = table.match.legal_steps()[0]
        window.press(ARROWS[step])
        assert table.match.steps[0] == step
        window.settle()
        assert [turn.seat for turn in table.match.turns()] == [0, CHANCE]
        assert table.picture().last == (table.match.steps[1] // 2,)

    def test_the_next_key_does_not_wait(self, window: Window) -> None:
        table = window.sit_down("human")
        for number in range(1, 12):
            while table.session.showing:  # as the key does by itself, to know what is legal then
                table._finish_showing()
            window.press(ARROWS[table.match.legal_steps()[0]])
            assert sum(turn.seat == 0 for turn in table.match.turns()) == number
        assert table.is_animating

    def test_a_key_cuts_the_animation_short(self, window: Window) -> None:
        table = window.sit_down("human")
        window.press(ARROWS[table.match.legal_steps()[0]])
        assert table.is_animating and len(table.match.steps) == 1
        for direction in ARROWS:
            window.press(ARROWS[direction])
        assert len(table.match.steps) >= 3

    def test_a_key_that_changes_nothing_is_explained(self, window: Window) -> None:
        table = window.sit_down("human")
        while len(table.match.legal_steps()) == 4:
            window.press(ARROWS[UP])
            window.settle()
        wrong = min(set(ARROWS) - set(table.match.legal_steps()))
        before = len(table.match.steps)
        window.press(ARROWS[wrong])
        assert len(table.match.steps) == before
        assert "change nothing" in table._refusal

    def test_a_click_near_a_side_slides_there(self, window: Window) -> None:
        table = window.sit_down("human")
        step = table.match.legal_steps()[-1]
        window.click(table.view.cell_rect(SIDES + step).center)
        assert table.match.steps[0] == step

    def test_undo_takes_the_tile_back_too_and_it_comes_again(self, window: Window) -> None:
        table = window.sit_down("human")
        window.press(ARROWS[table.match.legal_steps()[0]])
        window.settle()
        state = table.match.state
        window.press(pygame.K_z, pygame.KMOD_CTRL)
        assert len(table.match.steps) == 0
        window.press(ARROWS[table.match.all_steps[0]])
        window.settle()
        assert table.match.state == state

    def test_the_turns_are_the_players_own(self, window: Window) -> None:
        table = window.sit_down("human")
        for _ in range(5):
            window.press(ARROWS[table.match.legal_steps()[0]])
            window.settle()
        assert [[entry.seat for entry in row] for row in table._list._rows] == [[0]] * 5
        assert table._list._played == 5

    def test_a_whole_game_ends_with_its_score(self, window: Window) -> None:
        table = window.sit_down("human", size="2")
        window.app.settings["animation"] = "off"
        while table.session.turn.due != "over":
            window.press(ARROWS[table.match.legal_steps()[0]])
            window.settle()
        title, _ = table.words.status()
        assert title == f"Score {table.match.state.score:,}: no tile can move"
        window.check_layout()

    def test_the_computer_plays_on_by_itself(self, window: Window) -> None:
        table = window.sit_down("minimax:easy")
        deadline = time.perf_counter() + 60
        while len(table.match.steps) < 5:
            assert time.perf_counter() < deadline
            window.frames()
            time.sleep(0.002)
        assert {turn.seat for turn in table.match.turns()} == {0, CHANCE}

    def test_a_new_game_asks_neither_who_starts_nor_for_opponents(self, window: Window) -> None:
        window.sit_down("human")
        form = NewGame(window.app, GAME)
        window.show(form)
        names = [widget.name for widget in form.widgets.all]
        assert "seat 1" in names and "seat 2" not in names
        assert "option first" not in names and "option size" in names
        window.check_layout()
