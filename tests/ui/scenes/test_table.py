"""The Table scene, driven by events, without a real display."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from papan.ai.thinker import Thinker
from papan.game.catalogue import GALLERY, GAMES
from papan.game.match import Match
from papan.ui.play.session import Session
from papan.ui.scenes.message import Message
from papan.ui.scenes.review import Review
from papan.ui.scenes.table import Table
from papan.ui.widgets.turn_list import Entry, rows_of
from tests.ui.hands import Hands


class Window(Hands):
    """A window with one table."""

    def __init__(self, size: tuple[int, int] = (1280, 800)) -> None:
        super().__init__(size)
        self.thinker = Thinker()
        self.table: Table

    def sit_down(self, game: str, *seats: str, **options: str) -> Table:
        match = Match.new(GAMES[game], seats, {"first": "1", **options}, seed=3)
        session = Session(match, self.thinker, confirms_turns=lambda: self.app.settings["confirm turns"])
        self.table = Table(self.app, session)
        self.app.push(self.table)
        self.frames(2)
        return self.table

    def until(self, holds: Callable[[], bool], seconds: float = 20) -> None:
        deadline = time.perf_counter() + seconds
        while not holds():
            assert time.perf_counter() < deadline, "it took too long"
            self.frames()
            time.sleep(0.001)

    def click_cell(self, cell: int) -> None:
        self.click(self.table.view.cell_rect(cell).center)

    def settle(self) -> None:
        """Until animations are over and a person is due, or nobody."""
        self.until(lambda: self.table.session.turn.due in ("choosing", "completing", "over", "paused", "confirming"))


@pytest.fixture
def window(home: Path) -> Iterator[Window]:
    window = Window()
    yield window
    assert window.thinker.close(20)
    window.app.close()


class TestReviewing:
    def test_a_match_is_reviewed_as_far_as_it_went_and_goes_on(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        window.settle()
        window.press(pygame.K_r, pygame.KMOD_LCTRL)
        review = window.app.scene
        assert isinstance(review, Review) and review.reviewed.turns == 1
        window.press(pygame.K_HOME)
        window.press(pygame.K_ESCAPE)
        assert window.app.scene is table and list(table.match.steps) == [3]
        window.click_cell(2)
        assert list(table.match.steps) == [3, 2]

    def test_once_it_is_over_a_button_leads_there(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.app.settings["animation"] = "off"
        assert not table._review_end.is_visible
        for column in (0, 1, 0, 1, 0, 1, 0):
            window.click_cell(column)
            window.settle()
        window.click(table._review_end.rect.center)
        assert isinstance(window.app.scene, Review) and window.app.scene.reviewed.is_open
        window.press(pygame.K_ESCAPE)


class TestPlaying:
    def test_a_click_drops_a_disc_that_falls(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        assert list(table.match.steps) == [3]
        assert table.is_animating and table.picture().moving
        window.settle()
        assert not table.is_animating
        assert table.picture().last == (3,)

    def test_a_click_cuts_an_animation_short(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        window.click_cell(4)
        assert not table.is_animating and list(table.match.steps) == [3]

    def test_a_whole_game_by_keyboard(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.app.settings["animation"] = "off"
        window.press(pygame.K_RIGHT)
        for column in (0, 1, 0, 1, 0, 1, 0):
            while table._board.cursor != column:
                window.press(pygame.K_LEFT if (table._board.cursor or 0) > column else pygame.K_RIGHT)
            window.press(pygame.K_RETURN)
            window.settle()
        assert table.session.turn.due == "over"
        title, _ = table.words.status()
        assert "Player 1 won" in title and "four in a row" in title

    def test_a_refused_click_is_explained(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.app.settings["animation"] = "off"
        for _ in range(6):
            window.click_cell(0)
            window.settle()
        window.click_cell(0)
        assert "full" in table._refusal
        window.click_cell(1)
        assert table._refusal == ""

    def test_the_computer_answers_and_says_what_it_saw(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "minimax:depth=3")
        window.click_cell(3)
        window.until(lambda: table.session.turn.due == "thinking")
        assert "thinking" in table.words.status()[0]
        window.until(lambda: len(table.match.steps) == 2)
        window.settle()
        assert "depth 3" in table._seat_view(1).note

    def test_undo_by_button_while_it_thinks(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "minimax:time=60")
        window.click_cell(3)
        window.until(lambda: table.session.turn.due == "thinking")
        window.click(table._undo.rect.center)
        window.settle()
        assert not table.match.steps and table.session.turn.due == "choosing"

    def test_a_hint_is_shown_on_the_board(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.click(table._hint.rect.center)
        assert table.session.is_hinting
        window.until(lambda: table.session.hint is not None)
        assert table.picture().hint == (table.session.hint,)

    def test_legal_steps_can_be_hidden(self, window: Window) -> None:
        table = window.sit_down("connect-four", "human", "human")
        assert table.picture().targets == frozenset(range(7))
        window.click(table._eye.rect.center)
        assert table.picture().targets == frozenset()

    def test_a_turn_waits_to_be_confirmed_if_wanted(self, window: Window) -> None:
        window.app.settings["confirm turns"] = True
        table = window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        window.settle()
        assert table.session.turn.due == "confirming" and table._main.is_visible
        window.click(table._main.rect.center)
        window.settle()
        assert table.session.turn.due == "choosing" and table.match.mover == 1


class TestWatching:
    def test_pause_one_turn_and_go_on(self, window: Window) -> None:
        table = window.sit_down("connect-four", "minimax:depth=2", "random")
        assert not table._hint.is_visible and table._run.is_visible
        window.until(lambda: len(table.match.steps) >= 2)
        window.click(table._run.rect.center)
        window.until(lambda: table.session.turn.due == "paused")
        played = len(table.match.steps)
        window.frames(60)
        assert len(table.match.steps) == played
        window.click(table._step.rect.center)
        window.until(lambda: len(table.match.steps) == played + 1 and table.session.turn.due == "paused")
        window.click(table._run.rect.center)
        window.app.settings["animation"] = "off"
        window.until(lambda: table.session.turn.due == "over", seconds=40)


class TestChoices:
    def test_gods_are_picked_by_number_or_click(self, window: Window) -> None:
        table = window.sit_down("santorini", "human", "human", gods="seeds")
        assert [card.title for card in table._choices] == ["Apollo", "Atlas"]
        window.press(pygame.K_2)
        window.settle()
        assert table.match.turns()[0].notation == "atlas"
        window.click(table._choices[0].rect.center)
        window.settle()
        assert table.match.turns()[1].notation == "apollo"
        assert not table._choices

    def test_the_tenth_of_ten_has_the_key_0(self, window: Window) -> None:
        table = window.sit_down("santorini", "human", "human")
        assert len(table._choices) == 10 and all(card.emblem for card in table._choices)
        window.check_layout()
        window.press(pygame.K_0)
        window.settle()
        assert table.match.turns()[0].notation == "prometheus"
        assert table._seat_view(0).fact == "Prometheus" and table._seat_view(0).emblem

    def test_done_is_a_choice_while_cells_can_be_pointed_at(self, window: Window) -> None:
        window.app.settings["animation"] = "off"
        table = window.sit_down("santorini", "human", "human", placement="random")
        window.press(pygame.K_3)
        window.settle()
        window.press(pygame.K_1)
        window.settle()
        board = table._board.rect.copy()
        for _ in range(2):
            window.click_cell(min(table.session.turn.targets()))
            window.settle()
        assert table.match.rules.phase(table.match.state) == "move again"
        assert [card.title for card in table._choices] == ["Done"] and table.session.turn.targets()
        assert table._board.rect == board, "the board stays where it is"
        window.press(pygame.K_1)
        window.settle()
        assert table.match.rules.phase(table.match.state) == "build"

    def test_a_dome_or_a_block_is_asked_beside_the_cell(self, window: Window) -> None:
        window.app.settings["animation"] = "off"
        table = window.sit_down("santorini", "human", "human", placement="random")
        window.press(pygame.K_2)
        window.settle()
        window.press(pygame.K_1)
        window.settle()
        for _ in range(2):
            window.click_cell(min(table.session.turn.targets()))
            window.settle()
        assert table.match.rules.phase(table.match.state) == "build"
        window.click_cell(min(table.session.turn.targets()))
        assert {card.title for card in table._choices} == {"Block", "Dome"}
        window.press(pygame.K_ESCAPE)
        assert not table.session.turn.pointed and window.app.scene is table


class TestTrouble:
    def test_a_thinking_error_is_a_dialog(self, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
        table = window.sit_down("connect-four", "human", "random")

        def fail(*_: object) -> None:
            raise RuntimeError("out of ideas")

        monkeypatch.setattr(table.session._players[1], "choose", fail)
        window.click_cell(3)
        window.until(lambda: isinstance(window.app.scene, Message))
        assert "out of ideas" in window.app.scene.text
        window.press(pygame.K_ESCAPE)
        assert table.session.turn.due == "paused" and list(table.match.steps) == [3]


class TestLayout:
    @pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080)])
    @pytest.mark.parametrize("game", GALLERY)
    def test_nothing_is_cut_off_or_overlaps(self, home: Path, size: tuple[int, int], game: str) -> None:
        window = Window(size)
        try:
            table = window.sit_down(game, *["human", "minimax:hard"][: GAMES[game].seats[0]])
            shown = [w for w in table.widgets.all if w.is_visible and w not in table._choices]
            for number, widget in enumerate(shown):
                assert window.app.area.contains(widget.rect), widget.name
                for other in shown[number + 1 :]:
                    assert not widget.rect.colliderect(other.rect), (widget.name, other.name)
            for card in table._choices:
                assert table._board_area.contains(card.rect)
        finally:
            assert window.thinker.close(30)
            window.app.close()


def test_turns_stand_in_rounds_even_where_the_second_seat_begins() -> None:
    seats = [1, 0, 1, 0, 1]
    rows = rows_of([Entry(seat, str(number)) for number, seat in enumerate(seats)])
    assert [[entry.seat for entry in row] for row in rows] == [[1], [0, 1], [0, 1]]
