"""The ring around what has the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pygame
import pytest

from papan.ui.drawing.theme import RING_CONTRAST, THEMES, contrast
from papan.ui.scenes.dialogs import Message
from papan.ui.widgets.buttons import Button
from tests.ui.hands import Hands, Shelf


class TestTheRing:
    """It is shown to those who use the keyboard, and to nobody else."""

    @pytest.fixture
    def hands(self, home: Path) -> Iterator[Hands]:
        hands = Hands()
        hands.show(Shelf(hands.app, *(partial(Button, name, lambda: None, name=name) for name in ("one", "two"))))
        yield hands
        hands.app.close()

    def shows(self, hands: Hands) -> bool:
        assert hands.app.scene is not None
        return hands.app.scene.widgets.shows_focus

    def test_never_after_a_click_and_back_with_the_next_key(self, hands: Hands) -> None:
        for key in (pygame.K_TAB, pygame.K_DOWN):
            hands.click("one")
            assert hands.focused() == "one" and not self.shows(hands)
            hands.press(key)
            assert hands.focused() == "two" and self.shows(hands)

    def test_a_dialog_that_a_click_opens_has_none(self, hands: Hands) -> None:
        hands.press(pygame.K_TAB)
        hands.click("one")
        hands.show(Message(hands.app, "Title", "Text"))
        assert hands.focused() == "Close" and not self.shows(hands)
        hands.press(pygame.K_TAB)
        assert self.shows(hands)
        hands.click("Close")
        assert not self.shows(hands), "nor has what lies below"

    def test_a_dialog_that_a_key_opens_has_one(self, hands: Hands) -> None:
        hands.press(pygame.K_TAB)
        hands.show(Message(hands.app, "Title", "Text"))
        assert self.shows(hands)

    @pytest.mark.parametrize("theme", THEMES)
    def test_it_is_drawn_in_two_colours(self, hands: Hands, theme: str) -> None:
        hands.app.settings.theme = theme
        hands.app.apply_settings()
        hands.press(pygame.K_TAB)
        hands.frames(2)
        around = hands.app.surface.subsurface(hands.widget("one").rect.inflate(24, 24))
        colours = {tuple(around.get_at((x, around.get_height() // 2)))[:3] for x in range(24)}
        tokens = hands.app.theme
        assert {tokens.ring, tokens.ring_ground} <= colours
        assert contrast(tokens.ring, tokens.ring_ground) >= RING_CONTRAST
