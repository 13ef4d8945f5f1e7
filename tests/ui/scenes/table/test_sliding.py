"""A table at which an arrow key is a move by itself, and chance answers: 2048."""

from __future__ import annotations

import pygame

from papan.game.catalogue import GAMES
from papan.game.rules import CHANCE
from papan.game.rules.twenty48 import DOWN, LEFT, RIGHT, SIDES, UP
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.widgets.player_cards import SeatCard
from papan.ui.widgets.readouts import StatusLine
from papan.ui.widgets.turn_lists import TurnList
from tests.ui.at_table import AtTable

ARROWS = {UP: pygame.K_UP, RIGHT: pygame.K_RIGHT, DOWN: pygame.K_DOWN, LEFT: pygame.K_LEFT}


def slide(window: AtTable) -> int:
    """Press the key of the first legal step, which is returned."""
    step = window.table.match.legal_steps()[0]
    window.press(ARROWS[step])
    return step


class TestTable:
    def test_an_arrow_key_slides_and_chance_follows(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human")
        step = slide(window)
        assert table.match.steps[0] == step
        window.settle()
        assert [turn.seat for turn in table.match.turns()] == [0, CHANCE]
        assert table.picture().last == (table.match.steps[1] // 2,)
        state = table.match.state
        window.press(pygame.K_z, pygame.KMOD_CTRL)
        assert len(table.match.steps) == 0
        window.press(ARROWS[step])
        window.settle()
        assert table.match.state == state, "the same tile comes again"

    def test_the_next_key_does_not_wait(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human")
        slide(window)
        assert table.is_animating and len(table.match.steps) == 1
        for key in ARROWS.values():
            window.press(key)
        assert len(table.match.steps) >= 3, "a key cuts the animation short"
        before = sum(turn.seat == 0 for turn in table.match.turns())
        for number in range(before + 1, before + 6):
            while table.session.showing:  # as the key does by itself, to know what is legal then
                table.session.finish_showing()
            slide(window)
            assert sum(turn.seat == 0 for turn in table.match.turns()) == number
        assert table.is_animating

    def test_a_key_that_changes_nothing_is_explained(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human")
        while len(table.match.legal_steps()) == 4:
            window.press(ARROWS[UP])
            window.settle()
        wrong = min(set(ARROWS) - set(table.match.legal_steps()))
        before = len(table.match.steps)
        window.press(ARROWS[wrong])
        assert len(table.match.steps) == before
        assert "change nothing" in window.widget_as("status", StatusLine).view().detail

    def test_a_click_near_a_side_slides_there(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human")
        step = table.match.legal_steps()[-1]
        window.click(table.view.cell_rect(SIDES + step).center)
        assert table.match.steps[0] == step

    def test_a_whole_game_ends_with_its_score_and_its_turns_are_the_players_own(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human", size="2")
        window.app.settings.animation = "off"
        slides = 0
        while table.session.turn.due != "over":
            slide(window)
            window.settle()
            slides += 1
        assert table.words.status() == (f"Score {table.match.state.score:,}", "No tile can move")
        window.check_layout()
        turns = window.widget_as("turns", TurnList)
        assert [[entry.seat for entry in row] for row in turns.rows] == [[0]] * slides and turns.played == slides

    def test_the_computer_plays_on_by_itself(self, window: AtTable) -> None:
        table = window.sit_down("2048", "minimax:easy")
        while len(table.match.steps) < 5:
            window.until(lambda: window.told.is_thinking)
            window.told.tell(table.match.legal_steps()[0])
            window.frames()
        assert {turn.seat for turn in table.match.turns()} == {0, CHANCE}

    def test_a_new_game_asks_neither_who_starts_nor_for_opponents(self, window: AtTable) -> None:
        window.sit_down("2048", "human")
        form = NewGameScene(window.app, GAMES["2048"])
        window.show(form)
        names = [widget.name for widget in form.widgets.all]
        assert "seat 1" in names and "seat 2" not in names
        assert "option first" not in names and "option size" in names
        window.check_layout()


class TestSwipes:
    WAYS = {UP: (0, -1), RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0)}  # noqa: RUF012

    def test_a_drag_over_the_board_slides_that_way_once(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human")
        for step, (right, down) in self.WAYS.items():
            if step in table.match.legal_steps():
                x, y = table.view.area.center
                before = len(table.match.steps)
                window.drag((x, y), (x + 30 * right, y + 30 * down), (x + 90 * right, y + 90 * down))
                assert table.match.steps[before] == step
                window.settle()
                assert len(table.match.steps) == before + 2

    def test_a_finger_swipes_too_and_leaves_nothing_hovered(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human")
        step = table.match.legal_steps()[0]
        right, down = self.WAYS[step]
        x, y = table.view.area.center
        window.touch((x, y), (x + 40 * right, y + 40 * down))
        assert table.match.steps[0] == step
        assert table.widgets.hovered is None

    def test_a_short_drag_is_a_click_near_a_side(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human")
        step = table.match.legal_steps()[-1]
        x, y = table.view.cell_rect(SIDES + step).center
        window.drag((x, y), (x + 3, y + 3))
        assert table.match.steps[0] == step


class TestBestScore:
    def test_it_is_in_view_and_grows_with_the_score(self, window: AtTable) -> None:
        table = window.sit_down("2048", "human", size="2")
        assert window.widget_as("seat 1", SeatCard).view.note == ""
        assert table.model.save_score(24.0) and not table.model.save_score(20.0)
        table.seats.show()
        assert window.widget_as("seat 1", SeatCard).view.note == "Best: 24"
        assert table.model.best_in_words(30.0) == "Best: 30"

    def test_games_with_opponents_have_none(self, window: AtTable) -> None:
        window.sit_down("othello", "human", "human")
        assert "Best" not in window.widget_as("seat 1", SeatCard).view.note
