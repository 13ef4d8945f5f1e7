"""The Table scene, driven by events, without a real display."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.ai.thinking.thinker import Thinker
from papan.game.catalogue import GALLERY, GAMES
from papan.game.match import Conclusion
from papan.game.match.record import write
from papan.game.rules import CHANCE
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.player_cards import SeatCard
from papan.ui.widgets.readouts import StatusLine
from papan.ui.widgets.turn_lists import Entry, rows_of
from tests.ui.at_table import AtTable


@pytest.fixture
def window(home: Path) -> Iterator[AtTable]:
    window = AtTable()
    yield window
    window.close()


@pytest.fixture
def thinking(home: Path) -> Iterator[AtTable]:
    """Where computers really think."""
    window = AtTable(thinker=Thinker())
    yield window
    window.close()


class TestPreparing:
    @pytest.mark.parametrize(
        ("seconds", "words"),
        [
            (0.0, ""),
            (1.5, "Preparing the game for the first time."),
            (14.2, "Preparing the game for the first time: 14 s so far."),
        ],
    )
    def test_who_waits_for_it_is_told_how_long(self, window: AtTable, seconds: float, words: str) -> None:
        table = window.sit_down("connect-four", "minimax:easy", "human")
        window.frames(2)
        window.told.preparing_seconds = seconds
        assert table.words.status() == ("Easy is thinking", words)


class TestReviewing:
    def test_a_match_is_reviewed_as_far_as_it_went_and_goes_on(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        window.settle()
        window.press(pygame.K_r, pygame.KMOD_LCTRL)
        review = window.app.scene
        assert isinstance(review, ReviewScene) and review.reviewed.turns == 1
        window.press(pygame.K_HOME)
        window.press(pygame.K_ESCAPE)
        assert window.app.scene is table and list(table.match.steps) == [3]
        window.click_cell(2)
        assert list(table.match.steps) == [3, 2]

    def test_once_it_is_over_a_button_leads_there(self, window: AtTable) -> None:
        window.sit_down("connect-four", "human", "human")
        window.app.settings.animation = "off"
        assert not window.widget("review the end").is_visible
        for column in (0, 1, 0, 1, 0, 1, 0):
            window.click_cell(column)
            window.settle()
        window.click("review the end")
        assert isinstance(window.app.scene, ReviewScene) and window.app.scene.reviewed.is_open
        window.press(pygame.K_ESCAPE)


class TestPlaying:
    def test_a_click_drops_a_disc_that_falls(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        assert list(table.match.steps) == [3]
        assert table.is_animating and table.picture().moving
        window.settle()
        assert not table.is_animating
        assert table.picture().last == (3,)

    def test_a_click_cuts_an_animation_short(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        window.click_cell(4)
        assert not table.is_animating and list(table.match.steps) == [3]

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
        thinking.app.settings.analysis = True  # figures of searches are for those who ask
        table = thinking.sit_down("connect-four", "human", "minimax:depth=3")
        thinking.click_cell(3)
        thinking.until(lambda: table.session.turn.due == "thinking")
        assert "thinking" in thinking.widget_as("status", StatusLine).view().request
        thinking.until(lambda: len(table.match.steps) == 2)
        thinking.settle()
        assert "depth 3" in thinking.widget_as("seat 2", SeatCard).view.note
        thinking.app.settings.analysis = False
        thinking.click_cell(3)
        thinking.settle()
        note = thinking.widget_as("seat 2", SeatCard).view.note
        assert "depth" not in note and "computer" in note

    def test_undo_by_button_while_it_thinks(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "minimax:time=60")
        window.click_cell(3)
        window.until(lambda: table.session.turn.due == "thinking")
        window.click("undo")
        window.settle()
        assert not table.match.steps and table.session.turn.due == "choosing"

    def test_steps_taken_back_are_not_looked_for_in_the_same_frame(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        for cell in (3, 4):
            window.click_cell(cell)
            window.settle()
        assert table.picture().last == (4,)
        table.match.undo()
        window.app.rebuild(table)
        assert table.picture().last == (3,) and window.app.scene is table

    def test_a_hint_is_shown_on_the_board(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        window.click("hint")
        assert table.session.is_hinting
        window.told.tell(5)
        window.frames()
        assert table.picture().hint == (5,) and not table.session.is_hinting

    def test_legal_steps_can_be_hidden(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        assert table.picture().targets == frozenset(range(7))
        window.choose_action("legal")
        assert table.picture().targets == frozenset()

    def test_a_turn_waits_to_be_confirmed_if_wanted(self, window: AtTable) -> None:
        window.app.settings.confirm_turns = True
        table = window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        window.settle()
        assert table.session.turn.due == "confirming" and window.widget("main").is_visible
        window.click("main")
        window.settle()
        assert table.session.turn.due == "choosing" and table.match.mover == 1


class TestStatus:
    def test_the_badge_is_that_of_the_seat_whose_step_is_shown(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        first, second = (window.widget_as(f"seat {seat}", SeatCard).view.style for seat in (1, 2))
        assert window.widget_as("status", StatusLine).view().style == first
        window.click_cell(3)
        assert table.is_animating and "Player 1" in window.widget_as("status", StatusLine).view().request
        assert window.widget_as("status", StatusLine).view().style == first
        window.settle()
        assert window.widget_as("status", StatusLine).view().style == second

    def test_a_step_of_chance_has_the_badge_of_who_is_next(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human")
        for key in (pygame.K_LEFT, pygame.K_UP):
            window.press(key)
        while table.is_animating:
            assert (
                window.widget_as("status", StatusLine).view().style == window.widget_as("seat 1", SeatCard).view.style
            )
            window.frames()
        assert {turn.seat for turn in table.match.turns()} == {0, CHANCE}


class TestWatching:
    def test_pause_one_turn_and_go_on(self, thinking: AtTable) -> None:
        window, table = thinking, thinking.sit_down("connect-four", "minimax:depth=2", "random")
        assert not window.widget("hint").is_visible and window.widget("run").is_visible
        window.until(lambda: len(table.match.steps) >= 2)
        window.click("run")
        window.until(lambda: table.session.turn.due == "paused")
        played = len(table.match.steps)
        window.frames(60)
        assert len(table.match.steps) == played
        window.click("step")
        window.until(lambda: len(table.match.steps) == played + 1 and table.session.turn.due == "paused")
        window.click("run")
        window.app.settings.animation = "off"
        window.until(lambda: table.session.turn.due == "over")


class TestChoices:
    def test_gods_are_picked_by_number_or_click(self, window: AtTable) -> None:
        table = window.sit_down("santorini", "human", "human", gods="seeds")
        assert [card.title for card in window.cards] == ["Apollo", "Atlas"]
        window.press(pygame.K_2)
        window.settle()
        assert table.match.turns()[0].notation == "atlas"
        window.click("choice 1")
        window.settle()
        assert table.match.turns()[1].notation == "apollo"
        assert not window.cards

    def test_the_tenth_of_ten_has_the_key_0(self, window: AtTable) -> None:
        table = window.sit_down("santorini", "human", "human")
        assert len(window.cards) == 10 and all(card.emblem for card in window.cards)
        window.check_layout()
        window.press(pygame.K_0)
        window.settle()
        assert table.match.turns()[0].notation == "prometheus"
        assert (
            window.widget_as("seat 1", SeatCard).view.fact == "Prometheus"
            and window.widget_as("seat 1", SeatCard).view.emblem
        )

    @pytest.mark.parametrize("key", [pygame.K_1, pygame.K_2])
    def test_a_second_key_within_one_frame_is_stale(self, window: AtTable, key: int) -> None:
        table = window.sit_down("santorini", "human", "human", gods="seeds")
        keys = [pygame.event.Event(pygame.KEYDOWN, key=one, mod=0, unicode="") for one in (pygame.K_2, key)]
        window.app.step(1 / 60, keys)
        assert window.app.scene is table
        window.settle()
        assert [turn.notation for turn in table.match.turns()] == ["atlas"]

    def test_a_card_of_a_position_that_is_gone_is_stale(self, window: AtTable) -> None:
        table = window.sit_down("santorini", "human", "human", gods="seeds")
        window.press(pygame.K_1)
        window.settle()
        window.frames(2)
        undo = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_z, mod=pygame.KMOD_CTRL, unicode="")
        window.app.step(1 / 60, [undo, pygame.event.Event(pygame.KEYDOWN, key=pygame.K_1, mod=0, unicode="")])
        window.settle()
        assert not table.match.steps, "the key was for the second seat's cards"

    @pytest.mark.parametrize("animation", ["off", "normal"])
    def test_choices_that_are_all_there_is_have_the_keyboard(self, window: AtTable, animation: str) -> None:
        window.app.settings.animation = animation
        table = window.sit_down("santorini", "human", "human", gods="seeds", placement="random")
        assert window.focused() == "choice 1" and not table.session.turn.targets()
        window.press(pygame.K_RIGHT)
        assert window.focused() == "choice 2"
        window.press(pygame.K_RETURN)
        window.settle()
        window.frames(2)
        assert table.match.turns()[0].notation == "atlas" and window.focused() == "choice 1"
        window.press(pygame.K_RETURN)
        window.settle()
        window.frames(2)
        assert table.match.turns()[1].notation == "apollo" and window.focused() == "board"

    def test_a_hint_leaves_the_keyboard_where_it_is(self, window: AtTable) -> None:
        table = window.sit_down("santorini", "human", "human", gods="seeds")
        window.press(pygame.K_RIGHT)
        table.session.ask_hint()
        window.told.tell(table.session.turn.choices()[0])
        window.frames(2)
        assert [card.is_hinted for card in window.cards] == [True, False] and window.focused() == "choice 2"

    def test_done_is_a_choice_while_cells_can_be_pointed_at(self, window: AtTable) -> None:
        window.app.settings.animation = "off"
        table = window.sit_down("santorini", "human", "human", placement="random")
        window.press(pygame.K_3)
        window.settle()
        window.press(pygame.K_1)
        window.settle()
        board = window.widget("board").rect.copy()
        for _ in range(2):
            window.click_cell(min(table.session.turn.targets()))
            window.settle()
        assert table.match.rules.phase(table.match.state) == "move again"
        assert [card.title for card in window.cards] == ["Done"] and table.session.turn.targets()
        assert window.widget("board").rect == board, "the board stays where it is"
        window.press(pygame.K_1)
        window.settle()
        assert table.match.rules.phase(table.match.state) == "build"

    def test_a_dome_or_a_block_is_asked_beside_the_cell(self, window: AtTable) -> None:
        window.app.settings.animation = "off"
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
        assert {card.title for card in window.cards} == {"Block", "Dome"}
        window.press(pygame.K_ESCAPE)
        assert not table.session.turn.pointed and window.app.scene is table


class TestTrouble:
    def test_a_thinking_error_is_a_dialog(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "random")
        window.click_cell(3)
        window.until(lambda: table.session.turn.due == "thinking")
        window.told.fail("out of ideas")
        window.frames()
        assert isinstance(window.app.scene, Message) and "out of ideas" in window.app.scene.text
        window.press(pygame.K_ESCAPE)
        assert table.session.turn.due == "paused" and list(table.match.steps) == [3]


class TestLayout:
    @pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080)])
    @pytest.mark.parametrize("game", GALLERY)
    def test_nothing_is_cut_off_or_overlaps(self, home: Path, size: tuple[int, int], game: str) -> None:
        window = AtTable(size)
        try:
            window.sit_down(game, *["human", "minimax:hard"][: GAMES[game].seats[0]])
            window.check_table()
        finally:
            window.close()


def test_turns_stand_in_rounds_even_where_the_second_seat_begins() -> None:
    seats = [1, 0, 1, 0, 1]
    rows = rows_of([Entry(seat, str(number)) for number, seat in enumerate(seats)])
    assert [[entry.seat for entry in row] for row in rows] == [[1], [0, 1], [0, 1]]


class TestTurning:
    def test_a_key_and_a_button_turn_the_board(self, window: AtTable) -> None:
        table = window.sit_down("gomoku", "human", "human")
        board = window.widget_as("board", BoardWidget)
        before = board.view.cell_rect(0).center
        window.press(pygame.K_t, pygame.KMOD_LCTRL)
        turned = board.view.cell_rect(0).center
        assert turned != before and board.view.cell_at(turned) == 0
        window.click("turn")
        assert board.view.cell_rect(0).center == before and table.session.outlook == 0

    def test_it_stays_turned_while_the_match_is_open(self, window: AtTable) -> None:
        table = window.sit_down("santorini", "human", "human")
        for _ in range(4):
            window.click("turn")
        window.app.rebuild(table)
        assert window.widget_as("board", BoardWidget).view.outlook == 4
        window.click("turn")
        assert table.session.outlook == 0

    def test_a_board_that_lies_one_way_has_no_button(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human")
        assert not window.widget("turn").is_visible
        window.press(pygame.K_t, pygame.KMOD_LCTRL)
        assert table.session.outlook == 0

    @pytest.mark.parametrize(("seats", "is_turned"), [(("human", "random"), False), (("random", "human"), True)])
    def test_a_person_alone_sits_at_the_bottom(self, window: AtTable, seats: tuple[str, str], is_turned: bool) -> None:
        window.sit_down("cifra", *seats)
        assert window.widget_as("board", BoardWidget).view.is_turned == is_turned


class TestFocusRing:
    def test_a_click_anywhere_hides_the_cursor_and_a_key_shows_it(self, window: AtTable) -> None:
        table = window.sit_down("gomoku", "human", "human")
        window.press(pygame.K_LEFT)
        assert table.widgets.shows_focus
        window.click((4, 4))  # beside all widgets
        assert not table.widgets.shows_focus
        window.press(pygame.K_RIGHT)
        assert table.widgets.shows_focus

    def test_nor_does_a_card_that_was_clicked_leave_one(self, window: AtTable) -> None:
        table = window.sit_down("santorini", "human", "human")
        card = next(widget for widget in table.widgets.all if widget.name.startswith("choice"))
        window.click(card.rect.center)
        window.settle()
        assert not table.widgets.shows_focus


class TestLevels:
    """The eight levels have names and faces at the table; records know them by their numbers."""

    def test_a_level_is_called_by_its_animal(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "level:7")
        window.app.settings.animation = "off"
        assert table.words.names == ["You", "Tiger"]
        view = window.widget_as("seat 2", SeatCard).view
        assert (view.name, view.face) == ("Tiger", "tiger")
        assert window.widget_as("seat 1", SeatCard).view.face == "", "a person has the seat's badge"
        table.session.conclude(Conclusion("resigned", 0))
        window.frames(2)
        assert table.match.ending is not None and table.words.result(table.match.ending)[0] == "Tiger won"
        assert '[Seat2 "level:7"]' in write(table.match)
