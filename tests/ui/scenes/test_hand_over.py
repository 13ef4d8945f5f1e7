"""A table at which hands are hidden: the screen is passed on, and nobody sees another's cards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.ai.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import catur_jawa
from papan.game.rules.catur_jawa.board import CELLS, HIDDEN, hand_cards
from papan.ui.play.session import Session
from papan.ui.scenes.hand_over import HandOver
from papan.ui.scenes.table import TableScene
from tests.ui.hands import Hands


class Window(Hands):
    """A window with one table of Catur Jawa."""

    def __init__(self) -> None:
        super().__init__((1280, 800))
        self.thinker = Thinker()
        self.app.settings.animation = "off"

    def sit_down(self, *seats: str) -> TableScene:
        match = Match.new(GAMES["catur-jawa"], seats, {"first": "1"}, seed=3)
        self.table = TableScene(self.app, Session(match, self.thinker))
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
