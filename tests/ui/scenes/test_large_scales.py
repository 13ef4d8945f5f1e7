"""Scales that are large for the window: what is said of them, and what the table makes of them."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Conclusion
from papan.ui.drawing.theme import SMALLEST_PAGE
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.settings import SettingsScene
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import ActionMenu, Dropdown
from tests.ui.at_table import AtTable
from tests.ui.hands import Hands
from tests.ui.pseudo import Shown
from tests.ui.scenes.conftest import SMALLEST

LEAST_BOARD = 150
"""In the sketches' pixels: at 200 % a side of 300 real ones."""


class TestTheSetting:
    def test_says_which_window_a_scale_needs_and_what_is_shown(self, small_hands: Hands, shown: Shown) -> None:
        small_hands.show(SettingsScene(small_hands.app))
        notes = {item.value: item.note for item in small_hands.widget_as("scale", Dropdown).items}
        assert notes["1.75"] == "needs 1120×700" and notes["2.0"] == "needs 1280×800"
        assert not any(notes[scale] for scale in ("0.8", "1.0", "1.25", "1.5"))
        for value, is_shown, warns in (("1.75", 1.6, True), ("1.5", 1.5, False)):
            shown.texts.clear()
            small_hands.widget_as("scale", Dropdown).choose(value)
            small_hands.frames(2)
            assert small_hands.app.theme.scale == is_shown
            warning = "175 % needs a window of at least 1120×700 pixels: shown at 160 %."
            assert [text for text in shown.texts if "needs a window" in text] == [warning] * warns
        small_hands.app.window.size = (1280, 800)
        small_hands.event(pygame.WINDOWSIZECHANGED, x=1280, y=800)
        small_hands.frames(2)
        with_window, *scales = small_hands.widget_as("scale", Dropdown).items
        assert with_window.note == "100 %" and not any(item.note for item in scales)


@pytest.mark.parametrize("game", ["connect-four", "santorini"])
def test_play_is_in_sight_wherever_a_new_match_is_scrolled_to(home: Path, game: str) -> None:
    hands = Hands(SMALLEST, scale=2.0)
    begun: list[str] = []
    services = Services(start_match=lambda game, *_more, **_options: begun.append(game.name))
    scene = hands.show(NewGameScene(hands.app, GAMES[game], services))
    page = scene.widgets.page
    hands.check_layout()
    for notches in (0, 4, 100):
        hands.event(pygame.MOUSEWHEEL, y=-notches, x=0)
        hands.frames(2)
        shown = page.in_window(hands.widget("start").rect)
        assert hands.app.area.contains(shown) and shown.y >= page.view.h
    hands.click(shown.center)
    assert begun == [game]
    hands.app.close()


@pytest.fixture
def window(window: AtTable) -> AtTable:
    window.app.settings.scale = 2.0
    window.app.apply_settings()
    assert window.app.theme.scale == 1280 / SMALLEST_PAGE[0]
    return window


class TestTheTable:
    def tabs(self, window: AtTable) -> list[str]:
        return [item.value for item in window.widget_as("tabs", Segments).items]

    @pytest.mark.parametrize("game", ["connect-four", "santorini", "othello"])
    def test_one_can_play_on_the_board(self, window: AtTable, game: str) -> None:
        window.sit_down(game, "human", "human", **({"gods": "none"} if game == "santorini" else {}))
        window.check_table()
        board = window.widget("board").rect
        assert min(board.size) >= window.app.theme.px(LEAST_BOARD)
        assert window.table.widgets.page.is_whole, "nobody scrolls while playing"

    def test_the_column_becomes_tabs_that_mouse_and_keyboard_turn(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        assert self.tabs(window) == ["players", "turns"]
        assert window.widget("seat 1").is_visible and not window.widget("turns").is_visible
        window.focus("tabs")
        window.press(pygame.K_RIGHT)
        assert window.widget("turns").is_visible and not window.widget("seat 1").is_visible
        left = window.widget("tabs").rect
        window.click((left.x + left.w // 4, left.centery))
        assert window.widget("seat 1").is_visible
        table.session.conclude(Conclusion("resigned", 0))
        window.frames(3)
        assert self.tabs(window) == ["players", "result", "turns"]
        assert window.widget("home").is_visible and not window.widget("seat 1").is_visible, "it comes to the front"
        window.check_table()

    def test_what_the_header_has_no_room_for_is_in_the_menu(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "human", "human")
        hidden = ("sound", "rules", "settings")
        assert not any(window.widget(name).is_visible for name in hidden)
        assert {*hidden} <= {item.value for item in table.actions.items()}
        window.widget_as("more", ActionMenu).choose("settings")
        window.frames()
        window.scene_as(SettingsScene)

    def test_icons_without_words_are_explained_promptly(self, window: AtTable) -> None:
        window.sit_down("connect-four", "human", "human")
        button = window.widget_as("new", Button)
        assert button.is_wordless and "New game" in button.explanation
        window.move(button.rect.center)
        window.frames(1)
        below = button.rect.move(0, button.rect.h)
        before = pygame.image.tobytes(window.app.surface.subsurface(below), "RGB")
        window.frames(15)
        assert pygame.image.tobytes(window.app.surface.subsurface(below), "RGB") != before


def test_labels_stand_where_there_is_room(home: Path) -> None:
    window = AtTable((1920, 1080))
    window.sit_down("connect-four", "human", "human")
    for name in ("new", "review", "turn", "rules", "settings"):
        assert not window.widget_as(name, Button).is_wordless
    window.close()
