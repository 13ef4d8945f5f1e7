"""Widgets by mouse and by keyboard alone."""

from __future__ import annotations

from functools import partial

import pygame
import pytest

from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.choices import Segments, Toggle
from papan.ui.widgets.dropdown import Dropdown, Item
from tests.ui.hands import Hands, Shelf

FRUIT = [Item(name.lower(), name) for name in ("Apple", "Banana", "Blueberry", "Cherry")]


@pytest.fixture
def said() -> list[object]:
    """What the widgets have told."""
    return []


def buttons(hands: Hands, said: list[object], *names: str) -> Shelf:
    shelf = Shelf(hands.app, *[partial(Button, name, partial(said.append, name)) for name in names])
    hands.show(shelf)
    return shelf


class TestFocus:
    def test_tab_goes_round_in_order(self, hands: Hands, said: list[object]) -> None:
        buttons(hands, said, "a", "b", "c")
        seen = []
        for _ in range(4):
            hands.press(pygame.K_TAB)
            seen.append(hands.focused())
        assert seen == ["a", "b", "c", "a"]
        hands.press(pygame.K_TAB, pygame.KMOD_LSHIFT)
        assert hands.focused() == "c"

    def test_what_is_hidden_or_greyed_is_passed_over(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b", "c", "d")
        shelf.widgets.all[1].enable(False)
        shelf.widgets.all[2].show(False)
        hands.press(pygame.K_TAB)
        hands.press(pygame.K_TAB)
        assert hands.focused() == "d"

    def test_arrows_go_to_the_nearest(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, *"abcdef")
        for place, widget in enumerate(shelf.widgets.all):
            row, column = divmod(place, 3)
            widget.place(pygame.Rect(100 + 200 * column, 100 + 100 * row, 150, 80))
        shelf.widgets.focus(shelf.widgets.all[0])
        seen = []
        for key in (pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_DOWN, pygame.K_LEFT, pygame.K_UP):
            hands.press(key)
            seen.append(hands.focused())
        assert "".join(seen) == "bccfeb"

    def test_the_ring_shows_for_the_keyboard_only(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a")
        rect = shelf.widgets.all[0].rect
        beside = (rect.centerx, rect.y - 4)
        hands.frames()
        without = hands.app.surface.get_at(beside)[:3]
        hands.press(pygame.K_TAB)
        hands.frames()
        assert hands.app.surface.get_at(beside)[:3] != without
        hands.click(rect.center)
        hands.frames()
        assert hands.app.surface.get_at(beside)[:3] == without

    def test_a_removed_widget_loses_it(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b")
        shelf.widgets.focus(shelf.widgets.all[0])
        shelf.widgets.remove(shelf.widgets.all[0])
        assert hands.focused() == ""
        hands.press(pygame.K_RETURN)
        assert not said


class TestButtons:
    @pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE])
    def test_keys_press(self, hands: Hands, said: list[object], key: int) -> None:
        buttons(hands, said, "a", "b")
        hands.press(pygame.K_TAB)
        hands.press(key)
        assert said == ["a"]

    def test_clicks_press(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b")
        hands.click(shelf.widgets.all[1].rect.center)
        assert said == ["b"]
        hands.click((5, 5))
        assert said == ["b"]

    def test_let_go_elsewhere_presses_nothing(self, hands: Hands, said: list[object]) -> None:
        buttons(hands, said, "a", "b")
        hands.drag("a", (5, 5))
        hands.drag("a", "b")
        hands.drag((5, 5), "a")
        assert not said

    def test_held_elsewhere_and_let_go_on_it_presses(self, hands: Hands, said: list[object]) -> None:
        buttons(hands, said, "a")
        hands.drag("a", (5, 5), "a")
        assert said == ["a"]

    def test_it_looks_hovered_held_and_neither(self, hands: Hands, said: list[object]) -> None:
        """Held only while the pointer is on it: letting go elsewhere does nothing."""
        rect = buttons(hands, said, "a").widgets.all[0].rect
        inside, outside, theme = (rect.x + 8, rect.centery), (5, 5), hands.app.theme
        seen = []

        def look() -> None:
            hands.frames()
            seen.append(hands.app.surface.get_at(inside)[:3])

        for kind, point in (
            (pygame.MOUSEMOTION, inside),
            (pygame.MOUSEBUTTONDOWN, inside),
            (pygame.MOUSEMOTION, outside),
            (pygame.MOUSEMOTION, inside),
            (pygame.MOUSEBUTTONUP, inside),
        ):
            hands.event(kind, pos=point, button=1)
            look()
        assert seen == [theme.hover, theme.pressed, theme.panel, theme.pressed, theme.hover]

    def test_what_appears_under_the_pointer_is_hovered(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b")
        below = shelf.widgets.all[1]
        hands.move(below.rect.center)
        shelf.widgets.remove(below)
        new = shelf.widgets.add(Button("new", print))
        new.place(below.rect)
        hands.frames(2)
        assert new.is_hovered and not below.is_hovered

    def test_what_comes_between_lets_go_of_it(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a")
        point = shelf.widgets.all[0].rect.center
        hands.event(pygame.MOUSEBUTTONDOWN, pos=point, button=1)
        hands.app.push(Shelf(hands.app))
        hands.app.pop()
        hands.event(pygame.MOUSEBUTTONUP, pos=point, button=1)
        assert not said

    def test_greyed_and_hidden_ones_do_nothing(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a", "b")
        shelf.widgets.all[0].enable(False)
        shelf.widgets.all[1].show(False)
        for widget in shelf.widgets.all:
            hands.click(widget.rect.center)
        assert not said
        shelf.widgets.all[0].enable()
        shelf.widgets.all[1].show()
        for widget in shelf.widgets.all:
            hands.click(widget.rect.center)
        assert said == ["a", "b"]

    def test_other_mouse_buttons_do_nothing(self, hands: Hands, said: list[object]) -> None:
        shelf = buttons(hands, said, "a")
        hands.event(pygame.MOUSEBUTTONDOWN, pos=shelf.widgets.all[0].rect.center, button=3)
        hands.event(pygame.MOUSEBUTTONUP, pos=shelf.widgets.all[0].rect.center, button=3)
        assert not said

    def test_tooltip_after_a_while(self, hands: Hands, said: list[object]) -> None:
        shelf = Shelf(hands.app, lambda: IconButton("gear", "Settings", lambda: None))
        hands.show(shelf)
        rect = shelf.widgets.all[0].rect
        hands.move(rect.center)
        below = (rect.centerx, rect.bottom + 12)
        hands.frames(2)
        assert hands.app.surface.get_at(below)[:3] == hands.app.theme.background
        hands.frames(60)
        assert hands.app.surface.get_at(below)[:3] != hands.app.theme.background


class TestDropdown:
    @pytest.fixture
    def field(self, hands: Hands, said: list[object]) -> Dropdown:
        shelf = Shelf(
            hands.app,
            lambda: Dropdown(FRUIT, "banana", said.append, name="fruit"),
            lambda: Button("below", lambda: said.append("pressed below")),
        )
        hands.show(shelf)
        shelf.widgets.focus(shelf.widgets.all[0])
        field = shelf.widgets.all[0]
        assert isinstance(field, Dropdown)
        return field

    def test_arrows_change_it(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        for key in (pygame.K_DOWN, pygame.K_DOWN, pygame.K_DOWN, pygame.K_UP):
            hands.press(key)
        assert said == ["blueberry", "cherry", "blueberry"]

    def test_letters_lead_to_labels(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        for letter in "bbcx":
            hands.press(ord(letter), text=letter)
        assert said == ["blueberry", "banana", "cherry"]

    def test_menu_by_keyboard(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        hands.press(pygame.K_RETURN)
        assert field.host is not None and field.host.popup is not None
        hands.press(pygame.K_END)
        hands.press(pygame.K_RETURN)
        assert said == ["cherry"] and field.host.popup is None
        hands.press(pygame.K_SPACE)
        hands.press(pygame.K_UP)
        hands.press(pygame.K_ESCAPE)
        assert said == ["cherry"] and field.host.popup is None
        assert hands.app.scene is not None and field.host is hands.app.scene.widgets, "Esc closed the menu only"

    def test_the_menu_goes_with_its_field(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        widgets = field.host
        assert isinstance(widgets, Widgets)
        hands.press(pygame.K_RETURN)
        menu = widgets.popup
        assert menu is not None
        widgets.remove(field)
        assert widgets.popup is None and menu.host is None
        hands.press(pygame.K_END)
        assert said == []

    def test_menu_by_mouse(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        hands.click(field.rect.center)
        assert field.host is not None and field.host.popup is not None
        menu = field.host.popup.rect
        hands.click((menu.centerx, menu.bottom - menu.h // len(FRUIT) // 2))
        assert said == ["cherry"] and field.host.popup is None

    def test_a_click_beside_the_menu_only_closes_it(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        hands.press(pygame.K_RETURN)
        hands.click((900, 600))
        assert field.host is not None and field.host.popup is None and not said

    def test_the_menu_covers_what_is_below(self, hands: Hands, field: Dropdown, said: list[object]) -> None:
        below = hands.widget("below").rect.center
        hands.click(field.rect.center)
        hands.click(below)
        assert "pressed below" not in said

    def test_long_menus_scroll_and_stay_in_the_window(self, hands: Hands, said: list[object]) -> None:
        many = [Item(str(number), f"Number {number}") for number in range(40)]
        shelf = Shelf(hands.app, lambda: Dropdown(many, "5", said.append, name="many"))
        hands.show(shelf)
        field = shelf.widgets.all[0]
        for top in (20, 400, 740):
            field.place(pygame.Rect(100, top, 300, 40))
            shelf.widgets.focus(field)
            hands.press(pygame.K_RETURN)
            menu = shelf.widgets.popup
            assert menu is not None
            assert hands.app.area.contains(menu.rect) and not menu.rect.colliderect(field.rect)
            hands.press(pygame.K_END)
            hands.frames()
            hands.press(pygame.K_RETURN)
            assert said.pop() == "39"
            hands.press(pygame.K_RETURN)
            hands.press(pygame.K_HOME)
            hands.press(pygame.K_RETURN)
            assert said.pop() == "0"

    def test_a_value_that_there_is_not(self, hands: Hands) -> None:
        assert Dropdown(FRUIT, "plum", lambda _: None, name="x").chosen_item.value == "apple"


class TestChoices:
    def test_toggle(self, hands: Hands, said: list[object]) -> None:
        shelf = Shelf(hands.app, lambda: Toggle("Switch", False, said.append))
        hands.show(shelf)
        hands.press(pygame.K_TAB)
        hands.press(pygame.K_SPACE)
        hands.click(shelf.widgets.all[0].rect.midleft)
        assert said == [True, False]

    def test_segments(self, hands: Hands, said: list[object]) -> None:
        shelf = Shelf(hands.app, lambda: Segments(FRUIT, "apple", said.append, name="fruit"))
        hands.show(shelf)
        hands.press(pygame.K_TAB)
        for key in (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_RIGHT):
            hands.press(key)
        rect = shelf.widgets.all[0].rect
        hands.click((rect.right - 10, rect.centery))
        hands.press(pygame.K_RETURN)
        assert said == ["banana", "blueberry", "cherry", "apple"]
