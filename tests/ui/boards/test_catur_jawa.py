"""The look of Catur Jawa: board and hands, and that nobody's hand is shown to anybody else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.ai.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import NOBODY, catur_jawa, guess, is_over, legal_steps, observe, play
from papan.game.rules.catur_jawa import State, parse, step_of
from papan.game.rules.catur_jawa.board import CELLS, HIDDEN, hand_cards
from papan.ui.boards import Moving, Picture, board_of
from papan.ui.boards.catur_jawa import Board
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import THEMES, contrast, theme_of
from papan.ui.play.session import Session
from papan.ui.scenes.hand_over import HandOver
from papan.ui.scenes.table import Table
from tests.ui.hands import Hands

AREA = pygame.Rect(30, 20, 868, 634)
H5 = 43


@pytest.fixture(scope="module", autouse=True)
def fonts() -> None:
    pygame.font.init()


def board(theme: str = "light", area: pygame.Rect = AREA) -> Board:
    view = Board(Painter(theme_of(theme)))
    view.layout(area)
    return view


def drawn(view: Board, picture: Picture) -> pygame.Surface:
    surface = pygame.Surface((940, 680))
    surface.fill(view.theme.background)
    view.draw(surface, picture)
    return surface


def differs(first: pygame.Surface, second: pygame.Surface) -> bool:
    return pygame.image.tobytes(first, "RGB") != pygame.image.tobytes(second, "RGB")


def seen(view: Board, seat: int = 0) -> State:
    return observe(view.sample(), seat)


class TestCells:
    @pytest.mark.parametrize("area", [AREA, pygame.Rect(0, 0, 300, 900), pygame.Rect(5, 5, 1400, 500)])
    def test_each_cell_and_card_is_where_it_says(self, area: pygame.Rect) -> None:
        view = board(area=area)
        for cell in range(CELLS + 3):
            assert area.contains(view.cell_rect(cell))
            assert view.cell_at(view.cell_rect(cell).center) == cell
        assert view.cell_at((area.right + 1, area.centery)) is None

    def test_arrows_lead_to_the_hand_and_back(self) -> None:
        view = board()
        assert view.neighbour(8, "right") == CELLS and view.neighbour(CELLS, "right") == CELLS + 1
        assert view.neighbour(CELLS + 2, "right") == CELLS + 2
        assert view.neighbour(CELLS, "left") < CELLS
        assert view.neighbour(40, "up") == 49 and view.neighbour(0, "left") == 0
        assert view.first_cursor(view.sample()) == CELLS

    def test_a_still_board_has_no_hands(self) -> None:
        view = Board(Painter(theme_of("light")))
        view.is_still = True
        view.layout(AREA)
        assert view.frame.center == AREA.center and view.cell_size > board().cell_size
        assert not differs(drawn(view, Picture(view.sample())), drawn(view, Picture(seen(view, 1))))


class TestDrawing:
    @pytest.mark.parametrize("theme", THEMES)
    def test_everything_a_picture_can_say_is_seen(self, theme: str) -> None:
        view = board(theme)
        state = seen(view)
        plain = drawn(view, Picture(state))
        for said in (
            Picture(state, targets=frozenset({CELLS, CELLS + 1})),
            Picture(state, targets=frozenset({CELLS}), hover=CELLS),
            Picture(state, chosen=CELLS + 1),
            Picture(state, targets=frozenset({H5}), chosen=CELLS + 1),
            Picture(state, targets=frozenset({50}), chosen=CELLS + 1),
            Picture(state, targets=frozenset({H5}), chosen=CELLS + 1, hover=H5),
            Picture(state, last=(CELLS, 50)),
            Picture(state, hint=(CELLS, H5)),
            Picture(state, cursor=CELLS + 1),
            Picture(state, cursor=40),
            Picture(state, marks={H5: "+7"}),
        ):
            assert differs(drawn(view, said), plain), said

    @pytest.mark.parametrize("theme", THEMES)
    def test_numbers_can_be_read(self, theme: str) -> None:
        look = theme_of(theme)
        assert all(contrast(style.ink, look.panel) >= 4.5 for style in look.seats)

    @pytest.mark.parametrize("size", [(868, 634), (676, 474), (300, 130), (60, 40)])
    def test_every_size(self, size: tuple[int, int]) -> None:
        view = board(area=pygame.Rect((10, 10), size))
        surface = drawn(view, Picture(seen(view), targets=frozenset({CELLS, CELLS + 1})))
        assert surface.get_at(view.frame.center)[:3] != view.theme.background
        assert surface.get_at((2, 2))[:3] == view.theme.background

    def test_what_decided_is_marked(self) -> None:
        view = board()
        won = observe(play(view.sample(), step_of(8, H5)), 0)
        assert is_over(won)
        veiled, bright = view.cell_rect(50).center, view.cell_rect(H5).move(0, -view.cell_size // 4).center
        before, after = drawn(view, Picture(seen(view))), drawn(view, Picture(won))
        assert before.get_at(veiled) != after.get_at(veiled)
        assert after.get_at(bright)[:3] == view.theme.panel
        rows = "........./........./........./........./....r9r8.../....g7..../........./........./........."
        drawn(view, Picture(parse(f"{rows} 1 , ,", {})))

    def test_the_gallery_finds_it(self) -> None:
        view = board_of(GAMES["catur-jawa"], Painter(theme_of("light")))
        assert isinstance(view, Board)
        assert legal_steps(view.sample())


class TestHiddenHands:
    @pytest.mark.parametrize("viewer", [0, 1, 3, NOBODY])
    def test_other_hidden_cards_give_the_same_picture(self, viewer: int) -> None:
        view = board()
        state = view.sample()
        other = guess(state, viewer, random_state(5))
        assert other != state
        assert not differs(drawn(view, Picture(observe(state, viewer))), drawn(view, Picture(observe(other, viewer))))

    def test_even_a_full_state_shows_one_hand_only(self) -> None:
        view = board()
        state = view.sample()
        assert not differs(drawn(view, Picture(state)), drawn(view, Picture(guess(state, 0, random_state(5)))))

    def test_the_hand_of_the_only_person_stays_in_front(self) -> None:
        view = board()
        view.seat_in_front = 2
        assert view._open_seat(view.sample()) == 2
        view.seat_in_front = None
        assert view._open_seat(seen(view, 3)) == 3 and view._open_seat(seen(view, NOBODY)) is None


class TestAnimation:
    def moving(self, viewer: int, seat: int, progress: float) -> Picture:
        view = board()
        state = view.sample()
        for other in range(seat):
            state = play(state, step_of(hand_cards(state, other)[0], 31 + other))
        step = step_of(hand_cards(state, seat)[0], 24)
        before, after = observe(state, viewer), observe(play(state, step), viewer)
        return Picture(before, moving=Moving(before, step, after, progress))

    @pytest.mark.parametrize("viewer", [0, 1, NOBODY])
    @pytest.mark.parametrize("seat", [0, 1])
    def test_a_card_flies_to_its_cell(self, viewer: int, seat: int) -> None:
        view = board()
        start, middle, end = (drawn(view, self.moving(viewer, seat, progress)) for progress in (0.0, 0.5, 1.0))
        assert differs(start, middle) and differs(middle, end)
        rect = view.cell_rect(24).inflate(-8, -8)
        still = drawn(view, Picture(self.moving(viewer, seat, 1.0).moving.after))  # type: ignore[union-attr]
        assert end.get_at(rect.midtop) == still.get_at(rect.midtop)

    def test_nobody_sees_a_hidden_hand_on_the_way(self) -> None:
        view = board()
        one = self.moving(0, 1, 0.2)
        assert one.moving and set(hand_cards(one.moving.before, 1)) == {HIDDEN}
        drawn(view, one)


class Window(Hands):
    """A window with one table of Catur Jawa."""

    def __init__(self) -> None:
        super().__init__((1280, 800))
        self.thinker = Thinker()
        self.app.settings["animation"] = "off"

    def sit_down(self, *seats: str) -> Table:
        match = Match.new(GAMES["catur-jawa"], seats, {"first": "1"}, seed=3)
        self.table = Table(self.app, Session(match, self.thinker))
        self.app.push(self.table)
        self.frames(3)
        return self.table

    def play_a_card(self) -> None:
        """Click a card of the hand, then the first cell where it may go."""
        self.click(self.table.view.cell_rect(CELLS).center)
        self.click(self.table.view.cell_rect(min(self.table.session.turn.targets())).center)
        self.frames(3)

    def shown_hands(self) -> list[set[int]]:
        state = self.table.picture().state
        return [set(hand_cards(state, seat)) - {HIDDEN} for seat in range(state.seats)]


@pytest.fixture
def window(home: Path) -> Iterator[Window]:
    window = Window()
    yield window
    assert window.thinker.close(30)
    window.app.close()


class TestAtTheTable:
    def test_two_persons_pass_the_screen(self, window: Window) -> None:
        table = window.sit_down("human", "human")
        assert isinstance(window.app.scene, HandOver) and "Player 1" in window.app.scene.title
        assert window.shown_hands() == [set(), set()] and not table.picture().targets
        window.press(pygame.K_RETURN)
        assert window.app.scene is table
        assert window.shown_hands() == [set(hand_cards(table.match.state, 0)), set()]
        window.play_a_card()
        assert len(table.match.steps) == 1
        assert isinstance(window.app.scene, HandOver) and "Player 2" in window.app.scene.title
        assert window.shown_hands() == [set(), set()]
        window.press(pygame.K_RETURN)
        window.frames(2)
        assert window.shown_hands() == [set(), set(hand_cards(table.match.state, 1))]

    def test_undo_passes_the_screen_back(self, window: Window) -> None:
        table = window.sit_down("human", "human")
        window.press(pygame.K_RETURN)
        window.play_a_card()
        window.press(pygame.K_RETURN)
        window.frames(2)
        window.press(pygame.K_z, pygame.KMOD_CTRL)
        window.frames(2)
        assert isinstance(window.app.scene, HandOver) and "Player 1" in window.app.scene.title
        assert window.shown_hands() == [set(), set()] and not table.match.steps

    def test_escape_leaves_the_table_without_a_look(self, window: Window) -> None:
        below = window.sit_down("human", "random")
        table = window.sit_down("human", "human")
        window.press(pygame.K_ESCAPE)
        assert window.app.scene is below and table not in window.app.scenes

    def test_one_person_never_passes_and_always_sees_the_same_hand(self, window: Window) -> None:
        table = window.sit_down("human", "random", "random")
        assert window.app.scene is table
        for _ in range(2):
            window.play_a_card()
            deadline = time.perf_counter() + 20
            while table.session.turn.due != "choosing":
                assert time.perf_counter() < deadline
                assert window.shown_hands()[0] and window.shown_hands()[1:] == [set(), set()]
                window.frames()
        assert window.app.scene is table

    def test_watching_shows_no_hand_and_gives_no_hint(self, window: Window) -> None:
        table = window.sit_down("random", "random")
        table.session.pause()
        window.frames(5)
        assert window.shown_hands() == [set(), set()]
        assert table.session.turn.due == "paused" and not table.session.can_hint
        window.press(pygame.K_h, pygame.KMOD_CTRL)
        assert not table.session.is_hinting

    def test_a_hint_is_for_the_person_to_act(self, window: Window) -> None:
        table = window.sit_down("human", "random")
        table.session._hint_player = table.session._players[1]  # at once, not at full strength
        table.session.ask_hint()
        deadline = time.perf_counter() + 20
        while table.session.hint is None:
            assert time.perf_counter() < deadline
            window.frames()
        assert table.picture().hint == catur_jawa.cells(table.match.state, table.session.hint)

    def test_other_games_are_not_passed_on(self, window: Window) -> None:
        match = Match.new(GAMES["connect-four"], ["human", "human"], {"first": "1"}, seed=3)
        session = Session(match, window.thinker)
        session.begin()
        assert session.passes_to is None and session.seen(match.state) == match.state
