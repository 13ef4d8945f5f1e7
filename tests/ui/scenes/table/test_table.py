"""The Table scene, driven by events, without a real display."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pygame
import pytest

from papan.ai.thinking.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Conclusion, Match
from papan.game.match.clock import TAG
from papan.game.match.notation import parse_turn
from papan.game.match.record import write
from papan.game.rules import CHANCE
from papan.ui.drawing.paint import Painter
from papan.ui.play.turn_names import TurnName
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.player_cards import SeatCard
from papan.ui.widgets.readouts import StatusLine
from papan.ui.widgets.turn_lists import Entry, rows_of
from tests.ui.at_table import AtTable
from tests.ui.hands import FRAME
from tests.ui.scenes.conftest import LARGE, SMALLEST, USUAL


@pytest.fixture
def thinking(home: Path) -> Iterator[AtTable]:
    """Where computers really think."""
    window = AtTable(thinker=Thinker())
    yield window
    window.close()


def test_who_waits_for_a_compiler_is_told_how_long(window: AtTable) -> None:
    table = window.sit_down("connect-four", "minimax:easy", "human")
    window.frames(2)
    for seconds, words in (
        (0.0, ""),
        (1.5, "Preparing the game for the first time."),
        (14.2, "Preparing the game for the first time: 14 s so far."),
    ):
        window.told.preparing_seconds = seconds
        assert table.words.status() == ("Easy is thinking", words)


def test_a_match_is_reviewed_as_far_as_it_went_and_goes_on_until_it_is_over(window: AtTable) -> None:
    table = window.sit_down("connect-four", "human", "human")
    window.app.settings.animation = "off"
    window.click_cell(0)
    window.press(pygame.K_r, pygame.KMOD_LCTRL)
    assert window.scene_as(ReviewScene).reviewed.turns == 1
    window.keys(pygame.K_HOME, pygame.K_ESCAPE)
    assert window.app.scene is table and list(table.match.steps) == [0]
    assert not window.widget("review the end").is_visible
    for column in (1, 0, 1, 0, 1, 0):
        window.click_cell(column)
        window.settle()
    window.click("review the end")
    assert window.scene_as(ReviewScene).reviewed.is_open


@pytest.mark.parametrize("size", [SMALLEST, USUAL, LARGE])
@pytest.mark.parametrize("clock", ["", "300+5"])
def test_no_button_moves_at_the_end_nor_stands_where_another_stood(
    home: Path, size: tuple[int, int], clock: str
) -> None:
    with closing(AtTable(size)) as window:
        window.app.settings.animation = "off"
        match = Match.new(GAMES["connect-four"], ["human"] * 2, {"first": "1"}, seed=3)
        if clock:
            match.tags[TAG] = clock
        window.sit_down_at(match)
        names = ("undo", "redo", "hint", "step", "run", "main", "review the end", "last again")
        for column in (0, 1, 0, 1, 0, 1):
            window.click_cell(column)
            window.settle()
        before = {name: window.widget(name).rect for name in names if window.widget(name).is_visible}
        window.click_cell(0)
        window.settle()
        window.frames(3)
        after = {name: window.widget(name).rect for name in names if window.widget(name).is_visible}
        assert {name: after[name] for name in before} == before and "main" in after.keys() - before.keys()
        assert not window.widget("hint").is_enabled and window.widget("undo").is_enabled
        window.check_table()


def test_the_opening_is_named_at_the_table_and_in_the_review(window: AtTable, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    text = Painter.text

    def noted(paint: Painter, surface: pygame.Surface, words: str, *others: Any, **facts: Any) -> pygame.Rect:
        written.append(words)
        return text(paint, surface, words, *others, **facts)

    monkeypatch.setattr(Painter, "text", noted)
    match = Match.new(GAMES["othello"], ("human", "human"), {"first": "1"}, seed=3)
    for cell in ("f5", "d6", "c3", "d3"):
        match.play_legal(parse_turn(match.rules, match.state, cell))
    table = window.sit_down_at(match)
    window.app.settings.animation = "off"
    window.until(lambda: "Perpendicular" in written, "the name")
    window.click_cell(parse_turn(match.rules, match.state, "c4")[0])
    window.until(lambda: "Tiger" in written, "the name of the deeper position")
    assert table.model.opening.name == "Tiger"
    written.clear()
    window.press(pygame.K_r, pygame.KMOD_LCTRL)
    window.until(lambda: isinstance(window.app.scene, ReviewScene) and "Tiger" in written, "the name in the review")


class TestPlaying:
    def test_a_disc_falls_and_the_badge_is_that_of_who_dropped_it(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        first, second = (window.widget_as(f"seat {seat}", SeatCard).view.style for seat in (1, 2))
        status = window.widget_as("status", StatusLine)
        assert status.view().style == first
        window.click_cell(3)
        assert list(table.match.steps) == [3]
        assert table.is_animating and table.picture().moving
        assert status.view().style == first and "Player 1" in status.view().request
        window.settle()
        assert not table.is_animating and table.picture().last == (3,) and status.view().style == second

    @pytest.mark.parametrize(("animation", "played"), [("off", [3, 2]), ("normal", [3])])
    def test_of_two_clicks_before_the_next_frame_the_second_skips_only_what_moves(
        self, window: AtTable, animation: str, played: list[int]
    ) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.app.settings.animation = animation
        clicks = [
            pygame.event.Event(kind, {"pos": table.view.cell_rect(column).center, "button": 1, "touch": False})
            for column in (3, 2)
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)
        ]
        window.app.step(FRAME, clicks)
        window.settle()
        assert list(table.match.steps) == played

    def test_a_whole_game_by_keyboard(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.app.settings.animation = "off"
        window.press(pygame.K_RIGHT)
        board = window.widget_as("board", BoardWidget)
        for column in (0, 1, 0, 1, 0, 1, 0):
            while board.cursor != column:
                window.press(pygame.K_LEFT if (board.cursor or 0) > column else pygame.K_RIGHT)
            window.press(pygame.K_RETURN)
            window.settle()
        assert table.session.turn.due == "over"
        assert table.words.status() == ("Player 1 won", "Four in a row")

    def test_a_refused_click_is_explained(self, window: AtTable) -> None:
        window.sit_down("connect-four", "human", "human")
        window.app.settings.animation = "off"
        for _ in range(6):
            window.click_cell(0)
            window.settle()
        window.click_cell(0)
        assert "full" in window.widget_as("status", StatusLine).view().detail
        window.click_cell(1)
        assert not window.widget_as("status", StatusLine).view().is_refusal

    def test_the_computer_answers_and_says_what_it_saw(self, thinking: AtTable) -> None:
        thinking.app.settings.analysis = thinking.app.settings.engine_details = True
        table = thinking.sit_down("connect-four", "human", "minimax:depth=3")
        thinking.click_cell(3)
        thinking.until(lambda: table.session.turn.due == "thinking")
        assert "thinking" in thinking.widget_as("status", StatusLine).view().request
        thinking.until(lambda: len(table.match.steps) == 2)
        thinking.settle()
        assert "depth 3" in thinking.widget_as("seat 2", SeatCard).view.note
        thinking.app.settings.engine_details = False  # figures of searches are for those who ask
        thinking.click_cell(3)
        thinking.settle()
        note = thinking.widget_as("seat 2", SeatCard).view.note
        assert "depth" not in note and "computer" in note

    def test_steps_taken_back_are_not_looked_for_in_the_same_frame(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        for cell in (3, 4):
            window.click_cell(cell)
            window.settle()
        assert table.picture().last == (4,)
        table.match.undo()
        window.app.rebuild(table)
        assert table.picture().last == (3,) and window.app.scene is table


def test_a_step_of_chance_has_the_badge_of_who_is_next(window: AtTable) -> None:
    table = window.sit_down("2048", "human")
    window.keys(pygame.K_LEFT, pygame.K_UP)
    own = window.widget_as("seat 1", SeatCard).view.style
    while table.is_animating:
        assert window.widget_as("status", StatusLine).view().style == own
        window.frames()
    assert {turn.seat for turn in table.match.turns()} == {0, CHANCE}


def test_who_watches_can_pause_and_gets_no_hint(window: AtTable) -> None:
    table = window.sit_down("connect-four", "minimax:depth=2", "random")
    assert not window.widget("hint").is_visible and window.widget("run").is_visible
    window.click("run")
    window.until(lambda: table.session.turn.due == "paused")


class TestChoices:
    def test_gods_are_picked_by_number_or_click(self, window: AtTable) -> None:
        table = window.sit_down("santorini", "human", "human", gods="seeds")
        assert [card.title for card in window.cards] == ["Apollo", "Atlas"]
        window.press(pygame.K_2)
        window.settle()
        window.click("choice 1")
        window.settle()
        assert [turn.notation for turn in table.match.turns()] == ["atlas", "apollo"]
        assert not window.cards and not table.widgets.shows_focus

    def test_the_tenth_of_ten_has_the_key_0(self, window: AtTable) -> None:
        table = window.sit_down("santorini", "human", "human")
        assert len(window.cards) == 10 and all(card.emblem for card in window.cards)
        window.check_layout()
        window.press(pygame.K_0)
        window.settle()
        assert table.match.turns()[0].notation == "prometheus"
        view = window.widget_as("seat 1", SeatCard).view
        assert view.fact == "Prometheus" and view.emblem

    def test_a_key_for_cards_that_are_gone_is_stale(self, window: AtTable) -> None:
        def press_at_once(*keys: tuple[int, int]) -> None:
            window.app.step(
                FRAME, [pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="") for key, mod in keys]
            )
            assert window.app.scene is table
            window.settle()

        for second in (pygame.K_1, pygame.K_2):
            table = window.sit_down("santorini", "human", "human", gods="seeds")
            press_at_once((pygame.K_2, 0), (second, 0))
            assert [turn.notation for turn in table.match.turns()] == ["atlas"]
        window.frames(2)
        press_at_once((pygame.K_z, pygame.KMOD_CTRL), (pygame.K_1, 0))
        assert not table.match.steps, "the key was for the second seat's cards"

    @pytest.mark.parametrize("animation", ["off", "normal"])
    def test_choices_that_are_all_there_is_have_the_keyboard(self, window: AtTable, animation: str) -> None:
        window.app.settings.animation = animation
        table = window.sit_down("santorini", "human", "human", gods="seeds", placement="random")
        assert window.focused() == "choice 1" and not table.session.turn.targets()
        window.press(pygame.K_RIGHT)
        table.session.ask_hint()
        window.told.tell(table.session.turn.choices()[0])
        window.frames(2)
        assert [card.is_hinted for card in window.cards] == [True, False]
        for chosen, left_with in (("choice 2", "choice 1"), ("choice 1", "board")):
            assert window.focused() == chosen
            window.press(pygame.K_RETURN)
            window.settle()
            window.frames(2)
            assert window.focused() == left_with
        assert [turn.notation for turn in table.match.turns()] == ["atlas", "apollo"]

    def choose_and_move(self, window: AtTable, *gods: int) -> TableScene:
        """A table at which gods were chosen by these keys, and the first one's worker has moved."""
        window.app.settings.animation = "off"
        table = window.sit_down("santorini", "human", "human", placement="random")
        for key in gods:
            window.press(key)
            window.settle()
        for _ in range(2):
            window.click_cell(min(table.session.turn.targets()))
            window.settle()
        return table

    def test_done_is_a_choice_while_cells_can_be_pointed_at(self, window: AtTable) -> None:
        table = self.choose_and_move(window, pygame.K_3, pygame.K_1)
        assert table.match.rules.phase(table.match.state) == "move again"
        assert [card.title for card in window.cards] == ["Done"] and table.session.turn.targets()
        board = window.widget("board").rect.copy()
        window.press(pygame.K_1)
        window.settle()
        assert table.match.rules.phase(table.match.state) == "build"
        assert not window.cards and window.widget("board").rect == board, "the board stays where it is"

    def test_a_dome_or_a_block_is_asked_beside_the_cell(self, window: AtTable) -> None:
        table = self.choose_and_move(window, pygame.K_2, pygame.K_1)
        assert table.match.rules.phase(table.match.state) == "build"
        window.click_cell(min(table.session.turn.targets()))
        assert {card.title for card in window.cards} == {"Block", "Dome"}
        window.press(pygame.K_ESCAPE)
        assert not table.session.turn.pointed and window.app.scene is table


def test_a_thinking_error_is_a_dialog(window: AtTable) -> None:
    table = window.sit_down("connect-four", "human", "random")
    window.click_cell(3)
    window.until(lambda: table.session.turn.due == "thinking")
    assert window.widget("undo").is_enabled
    window.told.fail("out of ideas")
    window.frames()
    assert "out of ideas" in window.scene_as(Message).text
    window.press(pygame.K_ESCAPE)
    assert table.session.turn.due == "paused" and list(table.match.steps) == [3]
    window.click("undo")
    window.settle()
    assert not table.match.steps and table.session.turn.due == "choosing"


def test_turns_stand_in_rounds_even_where_the_second_seat_begins() -> None:
    seats = [1, 0, 1, 0, 1]
    rows = rows_of([Entry(seat, TurnName(str(number), str(number))) for number, seat in enumerate(seats)])
    assert [[entry.seat for entry in row] for row in rows] == [[1], [0, 1], [0, 1]]


class TestTurning:
    def test_a_key_and_a_button_turn_the_board(self, window: AtTable) -> None:
        table = window.sit_down("gomoku", "human", "human")
        view = window.widget_as("board", BoardWidget).view
        before = view.cell_rect(0).center
        window.press(pygame.K_t, pygame.KMOD_LCTRL)
        turned = view.cell_rect(0).center
        assert turned != before and view.cell_at(turned) == 0
        window.click("turn")
        assert view.cell_rect(0).center == before and table.session.outlook == 0
        table = window.sit_down("2048", "human")
        assert not window.widget("turn").is_visible, "it lies one way"
        window.press(pygame.K_t, pygame.KMOD_LCTRL)
        assert table.session.outlook == 0

    def test_it_stays_turned_while_the_match_is_open(self, window: AtTable) -> None:
        table = window.sit_down("santorini", "human", "human")
        for _ in range(4):
            window.click("turn")
        window.app.rebuild(table)
        assert window.widget_as("board", BoardWidget).view.outlook == 4
        window.click("turn")
        assert table.session.outlook == 0

    def test_a_person_alone_sits_at_the_bottom(self, window: AtTable) -> None:
        for seats, is_turned in ((("human", "random"), False), (("random", "human"), True)):
            window.sit_down("cifra", *seats)
            assert window.widget_as("board", BoardWidget).view.is_turned == is_turned


def test_a_click_anywhere_hides_the_cursor_and_a_key_shows_it(window: AtTable) -> None:
    table = window.sit_down("gomoku", "human", "human")
    window.press(pygame.K_LEFT)
    assert table.widgets.shows_focus
    window.click((4, 4))  # beside all widgets
    assert not table.widgets.shows_focus
    window.press(pygame.K_RIGHT)
    assert table.widgets.shows_focus


def test_a_level_is_called_by_its_animal_and_its_number_is_recorded(window: AtTable) -> None:
    table = window.sit_down("connect-four", "human", "level:7")
    assert table.words.names == ["You", "Tiger"]
    view = window.widget_as("seat 2", SeatCard).view
    assert (view.name, view.face) == ("Tiger", "tiger")
    assert window.widget_as("seat 1", SeatCard).view.face == "", "a person has the seat's badge"
    table.session.conclude(Conclusion("resigned", 0))
    window.frames(2)
    assert table.match.ending is not None and table.words.result(table.match.ending)[0] == "Tiger won"
    assert '[Seat2 "level:7"]' in write(table.match)
