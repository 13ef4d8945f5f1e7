"""A table at which hands are hidden: the screen is passed on, and nobody sees another's cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.game.rules import catur_jawa
from papan.game.rules.catur_jawa.board import CELLS, HIDDEN, hand_cards
from papan.ui.scenes.table import HandOver, TableScene
from tests.ui.at_table import AtTable


class Window(AtTable):
    """A window with one table of Catur Jawa."""

    def __init__(self) -> None:
        super().__init__()
        self.app.settings.animation = "off"

    def sit_down_at_cards(self, *seats: str) -> TableScene:
        table = self.sit_down("catur-jawa", *seats)
        self.frames()
        return table

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
    window.close()


class TestAtTheTable:
    def test_two_persons_pass_the_screen_and_undo_passes_it_back(self, window: Window) -> None:
        table = window.sit_down_at_cards("human", "human")
        assert "Player 1" in window.scene_as(HandOver).title
        assert window.shown_hands() == [set(), set()] and not table.picture().targets
        window.press(pygame.K_RETURN)
        assert window.app.scene is table
        assert window.shown_hands() == [set(hand_cards(table.match.state, 0)), set()]
        window.play_a_card()
        assert len(table.match.steps) == 1
        assert "Player 2" in window.scene_as(HandOver).title
        assert window.shown_hands() == [set(), set()]
        window.press(pygame.K_RETURN)
        window.frames(2)
        assert window.shown_hands() == [set(), set(hand_cards(table.match.state, 1))]
        window.press(pygame.K_z, pygame.KMOD_CTRL)
        window.frames(2)
        assert "Player 1" in window.scene_as(HandOver).title
        assert window.shown_hands() == [set(), set()] and not table.match.steps

    def test_escape_leaves_the_table_without_a_look(self, window: Window) -> None:
        below = window.sit_down_at_cards("human", "random")
        table = window.sit_down_at_cards("human", "human")
        window.press(pygame.K_ESCAPE)
        assert window.app.scene is below and table not in window.app.scenes

    def test_one_person_never_passes_and_always_sees_the_same_hand(self, window: Window) -> None:
        table = window.sit_down_at_cards("human", "random", "random")
        assert window.app.scene is table
        for _ in range(2):
            window.play_a_card()
            while table.session.turn.due != "choosing":
                assert window.shown_hands()[0] and window.shown_hands()[1:] == [set(), set()]
                if window.told.is_thinking:
                    window.told.tell(table.match.legal_steps()[0])
                window.frames()
        assert window.app.scene is table

    def test_a_hint_is_for_the_person_to_act(self, window: Window) -> None:
        table = window.sit_down_at_cards("human", "random")
        table.session.ask_hint()
        asked, step = window.told.asked[-1], table.match.legal_steps()[-1]
        assert asked.seat == 0 and set(hand_cards(asked.state, 1)) == {HIDDEN}
        window.told.tell(step)
        window.frames()
        assert table.session.hint == step and table.picture().hint == catur_jawa.cells(table.match.state, step)
