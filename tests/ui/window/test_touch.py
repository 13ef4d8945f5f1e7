"""Fingers on the window: taps, scrolling, long presses, drags."""

from __future__ import annotations

import pygame
import pytest

from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Slider
from papan.ui.widgets.dropdown import Dropdown, Item
from papan.ui.widgets.scroll import LongText, RowList
from papan.ui.window.touch import LONG_SECONDS, Touch
from tests.ui.hands import Hands, Shelf
from tests.ui.widgets.test_page import Tall
from tests.ui.window.conftest import Plain


class Clock:
    def __init__(self, hands: Hands) -> None:
        self.seconds = 0.0
        hands.app._touch = Touch(lambda: self.seconds)


@pytest.fixture
def clock(hands: Hands) -> Clock:
    return Clock(hands)


def widgets_of(hands: Hands) -> Widgets:
    assert hands.app.scene is not None
    return hands.app.scene.widgets


def put_down(hands: Hands, at: tuple[int, int]) -> None:
    hands.event(pygame.MOUSEBUTTONDOWN, pos=at, button=1, touch=True)


def move(hands: Hands, at: tuple[int, int]) -> None:
    hands.event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(1, 0, 0), touch=True)


def lift(hands: Hands, at: tuple[int, int]) -> None:
    hands.event(pygame.MOUSEBUTTONUP, pos=at, button=1, touch=True)


class TestTaps:
    def test_a_tap_is_a_click_that_leaves_nothing_hovered(self, hands: Hands, plain: Plain) -> None:
        at = plain.button.rect.center
        put_down(hands, at)
        assert plain.presses == 0 and plain.widgets.hovered is plain.button
        move(hands, (at[0] + 2, at[1] + 2))
        lift(hands, at)
        assert plain.presses == 1
        hands.frames(2)
        assert plain.widgets.hovered is None and plain.button.part_under is None

    def test_a_mouse_is_left_alone(self, hands: Hands, plain: Plain) -> None:
        hands.click(plain.button.rect.center)
        hands.frames(2)
        assert plain.presses == 1 and plain.widgets.hovered is plain.button

    def test_a_menu_opens_and_is_chosen_from(self, hands: Hands) -> None:
        chosen: list[str] = []
        items = [Item(str(number), f"Item {number}") for number in range(40)]
        hands.show(Shelf(hands.app, lambda: Dropdown(items, "0", chosen.append, name="menu")))
        hands.touch("menu")
        menu = widgets_of(hands).popup
        assert isinstance(menu, RowList)
        x, y = menu.rect.center
        hands.touch((x, y), (x, y - 40), (x, y - 200))
        assert menu.top == 200 and widgets_of(hands).popup is menu and not chosen
        hands.touch((x, y))
        assert len(chosen) == 1 and int(chosen[0]) > 4


class TestLongPresses:
    def shown(self, hands: Hands) -> bool:
        return widgets_of(hands)._is_explaining

    def test_a_long_press_shows_the_tooltip_and_is_no_click(self, hands: Hands, plain: Plain, clock: Clock) -> None:
        plain.button.tooltip = "What it does"
        at = plain.button.rect.center
        put_down(hands, at)
        hands.frames(60)
        clock.seconds = LONG_SECONDS
        assert self.shown(hands)
        lift(hands, at)
        hands.frames(2)
        assert plain.presses == 0 and not self.shown(hands)

    def test_without_a_tooltip_it_is_a_click(self, hands: Hands, plain: Plain, clock: Clock) -> None:
        at = plain.button.rect.center
        put_down(hands, at)
        clock.seconds = 3.0
        lift(hands, at)
        assert plain.presses == 1


class TestScrolling:
    def test_a_page_goes_with_the_finger_and_nothing_is_pressed(self, small_hands: Hands) -> None:
        tall = small_hands.show(Tall(small_hands.app))
        at = small_hands.widget("row 6").rect.center
        put_down(small_hands, at)
        move(small_hands, (at[0], at[1] - 60))
        move(small_hands, (at[0], at[1] - 150))
        assert tall.top == 150
        move(small_hands, (at[0], at[1] - 140))
        lift(small_hands, (at[0], at[1] - 140))
        assert tall.top == 140 and tall.pressed == []
        small_hands.touch((at[0], at[1] - 140))
        assert tall.pressed == [6]

    def test_a_trembling_finger_does_not_scroll(self, small_hands: Hands) -> None:
        tall = small_hands.show(Tall(small_hands.app))
        at = small_hands.widget("row 6").rect.center
        small_hands.touch(at, (at[0], at[1] - 5))
        assert tall.top == 0 and tall.pressed == [6]

    def test_the_page_s_bar_is_dragged(self, small_hands: Hands) -> None:
        tall = small_hands.show(Tall(small_hands.app))
        right = small_hands.app.area.right - 4
        small_hands.touch((right, 20), (right, 120))
        assert tall.top > 100

    def test_a_text_goes_with_the_finger(self, hands: Hands) -> None:
        hands.show(Shelf(hands.app, lambda: LongText("text")))
        text = hands.widget_as("text", LongText)
        text.place(pygame.Rect(100, 50, 300, 200))
        text.show_text("A line\n\n" * 60)
        hands.touch((200, 200), (200, 120), (200, 80))
        assert text.top == 120

    def test_no_tooltip_comes_up_meanwhile(self, small_hands: Hands) -> None:
        tall = small_hands.show(Tall(small_hands.app))
        button = small_hands.widget("row 6")
        button.tooltip = "What it does"
        x, y = button.rect.center
        put_down(small_hands, (x, y))
        for away in range(10, 200, 10):
            move(small_hands, (x, y - away))
            small_hands.frames(5)
            assert not tall.widgets._is_explaining


def test_a_slider_follows_the_finger(hands: Hands) -> None:
    values: list[int] = []
    scene = hands.show(Shelf(hands.app, lambda: Slider("slider", 100, values.append), lambda: Button("B", list)))
    rect = scene.widgets.all[0].rect
    hands.touch(rect.center, (rect.right - 40, rect.centery + 30))
    assert values[0] == 50 and values[-1] > 80
