"""A table at which an arrow key is a move by itself, and chance answers: 2048."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.rules import CHANCE
from papan.game.rules.twenty48 import DOWN, LEFT, RIGHT, SIDES, UP
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.readouts import StatusLine
from papan.ui.widgets.turn_lists import TurnList
from tests.ui.at_table import AtTable

GAME = GAMES["2048"]
ARROWS = {UP: pygame.K_UP, RIGHT: pygame.K_RIGHT, DOWN: pygame.K_DOWN, LEFT: pygame.K_LEFT}


class Window(AtTable):
    """A window with one table of 2048."""

    def sit_down_to_slide(self, *seats: str, **options: str) -> TableScene:
        return self.sit_down(GAME.name, *seats, **options)


@pytest.fixture
def window(home: Path) -> Iterator[Window]:
    window = Window()
    yield window
    window.close()


class TestTable:
    def test_an_arrow_key_slides_and_chance_follows(self, window: Window) -> None:
        table = window.sit_down_to_slide("human")
        step = table.match.legal_steps()[0]
        window.press(ARROWS[step])
        assert table.match.steps[0] == step
        window.settle()
        assert [turn.seat for turn in table.match.turns()] == [0, CHANCE]
        assert table.picture().last == (table.match.steps[1] // 2,)

    def test_the_next_key_does_not_wait(self, window: Window) -> None:
        table = window.sit_down_to_slide("human")
        for number in range(1, 12):
            while table.session.showing:  # as the key does by itself, to know what is legal then
                table.session.finish_showing()
            window.press(ARROWS[table.match.legal_steps()[0]])
            assert sum(turn.seat == 0 for turn in table.match.turns()) == number
        assert table.is_animating

    def test_a_key_cuts_the_animation_short(self, window: Window) -> None:
        table = window.sit_down_to_slide("human")
        window.press(ARROWS[table.match.legal_steps()[0]])
        assert table.is_animating and len(table.match.steps) == 1
        for direction in ARROWS:
            window.press(ARROWS[direction])
        assert len(table.match.steps) >= 3

    def test_a_key_that_changes_nothing_is_explained(self, window: Window) -> None:
        table = window.sit_down_to_slide("human")
        while len(table.match.legal_steps()) == 4:
            window.press(ARROWS[UP])
            window.settle()
        wrong = min(set(ARROWS) - set(table.match.legal_steps()))
        before = len(table.match.steps)
        window.press(ARROWS[wrong])
        assert len(table.match.steps) == before
        assert "change nothing" in window.widget_as("status", StatusLine).view().detail

    def test_a_click_near_a_side_slides_there(self, window: Window) -> None:
        table = window.sit_down_to_slide("human")
        step = table.match.legal_steps()[-1]
        window.click(table.view.cell_rect(SIDES + step).center)
        assert table.match.steps[0] == step

    def test_undo_takes_the_tile_back_too_and_it_comes_again(self, window: Window) -> None:
        table = window.sit_down_to_slide("human")
        window.press(ARROWS[table.match.legal_steps()[0]])
        window.settle()
        state = table.match.state
        window.press(pygame.K_z, pygame.KMOD_CTRL)
        assert len(table.match.steps) == 0
        window.press(ARROWS[table.match.all_steps[0]])
        window.settle()
        assert table.match.state == state

    def test_the_turns_are_the_players_own(self, window: Window) -> None:
        table = window.sit_down_to_slide("human")
        for _ in range(5):
            window.press(ARROWS[table.match.legal_steps()[0]])
            window.settle()
        turns = window.widget_as("turns", TurnList)
        assert [[entry.seat for entry in row] for row in turns.rows] == [[0]] * 5
        assert turns.played == 5

    def test_a_whole_game_ends_with_its_score(self, window: Window) -> None:
        table = window.sit_down_to_slide("human", size="2")
        window.app.settings.animation = "off"
        while table.session.turn.due != "over":
            window.press(ARROWS[table.match.legal_steps()[0]])
            window.settle()
        assert table.words.status() == (f"Score {table.match.state.score:,}", "No tile can move")
        window.check_layout()

    def test_the_computer_plays_on_by_itself(self, window: Window) -> None:
        table = window.sit_down_to_slide("minimax:easy")
        while len(table.match.steps) < 5:
            window.until(lambda: window.told.is_thinking)
            window.told.tell(table.match.legal_steps()[0])
            window.frames()
        assert {turn.seat for turn in table.match.turns()} == {0, CHANCE}

    def test_a_new_game_asks_neither_who_starts_nor_for_opponents(self, window: Window) -> None:
        window.sit_down_to_slide("human")
        form = NewGameScene(window.app, GAME)
        window.show(form)
        names = [widget.name for widget in form.widgets.all]
        assert "seat 1" in names and "seat 2" not in names
        assert "option first" not in names and "option size" in names
        window.check_layout()
