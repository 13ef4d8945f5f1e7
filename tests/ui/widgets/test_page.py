"""Pages that are higher than the window."""

from __future__ import annotations

from functools import partial

import pygame
import pytest

from papan.ui.drawing.theme import SMALLEST_PAGE
from papan.ui.scenes import Scene
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.page import OffscreenSurface, Page
from papan.ui.widgets.scroll import LongText, wrapped_lines
from papan.ui.window.app import App
from tests.ui.hands import Hands, Shelf

ROWS = 30


class Tall(Scene):
    """A column of buttons, twice as high as a small window."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.pressed: list[int] = []

    def build(self) -> None:
        for row in range(ROWS):
            self.widgets.add(Button(f"Row {row}", partial(self.pressed.append, row), name=f"row {row}"))

    def page_height(self, width: int) -> int:
        return ROWS * self.px(50)

    def layout(self, area: pygame.Rect) -> None:
        for row, widget in enumerate(self.widgets.all):
            widget.place(pygame.Rect(self.px(40), row * self.px(50), self.px(200), self.px(40)))

    @property
    def top(self) -> int:
        return self.widgets.page.view.y


@pytest.fixture
def tall(small_hands: Hands) -> Tall:
    return small_hands.show(Tall(small_hands.app))


class WithFoot(Tall):
    """Its last button stays in sight."""

    def page_foot(self, width: int) -> int:
        return self.px(60)


class TestFoot:
    @pytest.fixture
    def tall(self, small_hands: Hands) -> WithFoot:
        return small_hands.show(WithFoot(small_hands.app))

    @pytest.mark.parametrize("notches", [0, 5, 100])
    def test_stays_in_sight_and_is_clicked_there(self, small_hands: Hands, tall: WithFoot, notches: int) -> None:
        small_hands.event(pygame.MOUSEWHEEL, y=-notches, x=0)
        small_hands.frames(2)
        page, last = tall.widgets.page, tall.widgets.all[-1]
        assert page.in_window(last.rect).bottom <= 640 and page.in_window(last.rect).y >= page.view.h
        small_hands.event(pygame.MOUSEBUTTONDOWN, pos=page.in_window(last.rect).center, button=1)
        small_hands.event(pygame.MOUSEBUTTONUP, pos=page.in_window(last.rect).center, button=1)
        assert tall.pressed == [ROWS - 1]
        assert small_hands.app.surface.get_at(page.in_window(last.rect).center)[:3] != small_hands.app.theme.background
        first = next(widget for widget in tall.widgets.all if widget.rect.y >= page.view.y)
        small_hands.click(page.in_window(first.rect).center)
        assert tall.pressed[-1] == tall.widgets.all.index(first)

    def test_what_is_above_scrolls_to_its_end(self, small_hands: Hands, tall: WithFoot) -> None:
        page, above = tall.widgets.page, tall.widgets.all[-2]
        small_hands.focus(above.name)
        small_hands.frames(2)
        assert page.view.contains(above.rect) and tall.top == page.foot_top - page.view.h
        small_hands.focus(tall.widgets.all[-1].name)
        assert tall.top == page.foot_top - page.view.h, "what is in sight needs no scrolling"


class TestPage:
    def test_is_as_large_as_the_window_at_least(self, small_hands: Hands, tall: Tall) -> None:
        page = tall.widgets.page
        assert page.area.size == (1024, 1500) and page.view.size == (1024, 640) and not page.is_whole
        small_hands.app.window.size = (1024, 1600)
        small_hands.event(pygame.WINDOWSIZECHANGED, x=1024, y=1600)
        assert page.is_whole and page.area.size == (1024, 1600)

    def test_the_wheel_moves_it_as_far_as_there_is_something(self, small_hands: Hands, tall: Tall) -> None:
        small_hands.event(pygame.MOUSEWHEEL, y=-1, x=0)
        assert tall.top == 60
        small_hands.event(pygame.MOUSEWHEEL, y=-100, x=0)
        assert tall.top == 1500 - 640
        small_hands.event(pygame.MOUSEWHEEL, y=100, x=0)
        assert tall.top == 0

    def test_keys_that_nobody_takes_move_it(self, small_hands: Hands, tall: Tall) -> None:
        small_hands.press(pygame.K_PAGEDOWN)
        assert tall.top == 640 - 60
        small_hands.press(pygame.K_END)
        assert tall.top == 1500 - 640
        small_hands.press(pygame.K_HOME)
        assert tall.top == 0

    def test_the_keyboard_brings_what_it_comes_to_into_sight(self, small_hands: Hands, tall: Tall) -> None:
        for _row in range(20):
            small_hands.press(pygame.K_TAB)
            focused = tall.widgets.focused
            assert focused is not None and tall.widgets.page.view.contains(focused.rect)
        assert tall.top > 0
        small_hands.press(pygame.K_RETURN)
        assert tall.pressed == [19]

    def test_a_click_lands_on_what_is_seen_there(self, small_hands: Hands, tall: Tall) -> None:
        small_hands.event(pygame.MOUSEWHEEL, y=-5, x=0)
        small_hands.click((100, 20))
        assert tall.pressed == [6], "the window's edge lies on the seventh row"

    def test_the_pointer_stays_where_it_is_in_the_window(self, small_hands: Hands, tall: Tall) -> None:
        small_hands.move((100, 20))
        assert tall.widgets.hovered is tall.widgets.named("row 0")
        small_hands.event(pygame.MOUSEWHEEL, y=-5, x=0)
        assert tall.widgets.hovered is tall.widgets.named("row 6")

    def test_the_bar_is_dragged(self, small_hands: Hands, tall: Tall) -> None:
        small_hands.drag((1020, 5), (1020, 300))
        half = tall.top
        small_hands.drag((1020, 630), (1020, 639))
        assert 0 < half < tall.top == 1500 - 640
        small_hands.move((1020, 100))
        assert tall.top == 1500 - 640, "it was let go"

    def test_what_is_seen_is_drawn(self, small_hands: Hands, tall: Tall) -> None:
        small_hands.frames()
        first = small_hands.app.surface.copy()
        small_hands.event(pygame.MOUSEWHEEL, y=-1, x=0)
        line = [small_hands.app.surface.get_at((x, 30)) for x in range(60, 220)]
        assert line == [first.get_at((x, 90)) for x in range(60, 220)]

    def test_pages_share_a_sheet_as_large_as_the_largest(self) -> None:
        frame, sheet = pygame.Surface((64, 40)), OffscreenSurface()
        page, longer = Page(), Page()
        page.fit(frame.get_rect(), 100)
        longer.fit(frame.get_rect(), 300)
        first, second = (each.surface_for(frame, sheet) for each in (longer, page))
        assert first.get_size() == (64, 300) and second.get_size() == (64, 100)
        assert first.get_abs_parent() is second.get_abs_parent()
        sheet.free_if_unused()
        assert page.surface_for(frame, sheet).get_abs_parent() is first.get_abs_parent(), "it was wanted"
        sheet.free_if_unused()
        sheet.free_if_unused()
        assert page.surface_for(frame, sheet).get_abs_parent() is not first.get_abs_parent()

    def test_what_is_far_from_sight_is_not_drawn(
        self, small_hands: Hands, tall: Tall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drawn: list[str] = []
        monkeypatch.setattr(Button, "draw", lambda self, surface: drawn.append(self.name))
        small_hands.event(pygame.MOUSEWHEEL, y=-1, x=0)
        seen = [widget.name for widget in tall.widgets.all if widget.rect.colliderect(tall.widgets.page.view)]
        assert set(seen) <= set(drawn) and len(set(drawn)) <= len(seen) + 2 < ROWS
        drawn.clear()
        tall.widgets.draw(pygame.Surface(tall.widgets.page.area.size))
        assert len(drawn) == ROWS, "a picture of the whole page"

    def test_a_page_is_never_narrower_than_scenes_can_be(self, small_hands: Hands, tall: Tall) -> None:
        small_hands.app.settings.scale = 2.0
        small_hands.app.apply_settings()
        area, px = tall.widgets.page.area, tall.px
        assert area.w >= px(SMALLEST_PAGE[0]) and area.h >= px(SMALLEST_PAGE[1])


def one(letter: str) -> float:
    return 1.0


class TestWrapping:
    def test_nothing_is_lost_and_nothing_too_wide(self) -> None:
        text = "  indented words here\nand a_word_that_is_longer_than_any_line\n\n\tend"
        lines = wrapped_lines(text, 12, one)
        assert all(len(line) <= 12 for line in lines)
        assert "".join("".join(lines).split()) == "".join(text.split())
        assert lines[-2:] == ["", "    end"]

    def test_short_lines_stay_as_they_are(self) -> None:
        assert wrapped_lines("a\n  b\n\n\nc", 10, one) == ["a", "  b", "", "", "c"]

    def test_a_line_of_spaces_ends(self) -> None:
        assert wrapped_lines(" " * 30 + "x", 10, one)[-1].strip() == "x"

    def test_signs_that_cannot_be_drawn_are_left_out(self) -> None:
        assert wrapped_lines("a\x00b\x1b[1m", 10, one) == ["ab[1m"]


class TestLongText:
    def test_scrolls_to_its_end_and_no_further(self, hands: Hands) -> None:
        hands.show(Shelf(hands.app, lambda: LongText("text")))
        widget = hands.widget_as("text", LongText)
        widget.show_text("\n".join(f"line {number}" for number in range(500)))
        hands.focus("text")
        hands.press(pygame.K_END)
        assert widget.top == widget.full_height - widget.rect.h > 0
        hands.press(pygame.K_DOWN)
        assert widget.top == widget.full_height - widget.rect.h
        widget.show_text("short")
        assert widget.top == 0
