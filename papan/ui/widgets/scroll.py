"""Scrolling widgets: a drawing, a list of rows, a long text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Generic, TypeVar

import pygame

from papan.ui.drawing.theme import PANEL_RADIUS, TextStyle
from papan.ui.texts import N_
from papan.ui.widgets.base import Part, Role, Widget, clipped
from papan.ui.widgets.page import BAR, STEP, amount_of_key, thumb_of

E = TypeVar("E")
_STYLE: TextStyle = "small"
_PADDING = 4
_BAR_ROOM = 18
_BESIDE_WORDS = 40
_DOUBLE_CLICK = 450
"""Milliseconds within which a second click opens a row."""
_TAB = 4
_SAMPLE = 16
"""The width of a letter is measured over this many, since widths are whole pixels."""


class Scroll(Widget):
    """A scrolled view of what a function draws. Set ``full_height`` before it is placed."""

    row_height = STEP
    """How far an arrow key scrolls, in design pixels."""
    wheel_rows = 1
    focus_radius = PANEL_RADIUS - 5
    bar_margin = 5
    """Between the scroll bar and the right edge, in design pixels."""
    key_help: Mapping[str, str] = {"Up  Down  PgUp  PgDn  Space  Home  End": N_("scroll")}

    def __init__(self, name: str, draw: Callable[[pygame.Surface, int], object], *, is_ringed: bool = False) -> None:
        """:param draw: called with the surface, clipped to the view, and the y of the content's top.
        :param is_ringed: whether to draw a focus ring; not needed if it is the scene's only widget.
        """
        super().__init__(name)
        self._draw_at = draw
        self._is_ringed = is_ringed
        self.full_height = 0
        """In real pixels."""
        self.top = 0
        """The scroll position, in real pixels."""
        self._grip: int | None = None
        """While the bar is dragged: how far below its top."""

    @property
    def _view(self) -> pygame.Rect:
        return self.rect

    @property
    def _full(self) -> int:
        return self.full_height

    @property
    def _row(self) -> int:
        return self.theme.px(self.row_height)

    @property
    def _lowest_top(self) -> int:
        return max(0, self._full - self._view.h) if self.container is not None else 0

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._arrange()
        self.scroll_to(self.top)

    def _arrange(self) -> None:
        """Divide the place, before the widget scrolls in it."""

    def scroll_to(self, top: int) -> None:
        """Scroll *top* to the upper edge, as far as possible."""
        self.top = min(max(0, top), self._lowest_top)
        self.invalidate()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self._is_alone:
            return self.take_wheel(event)
        return super().handle(event)

    @property
    def _is_alone(self) -> bool:
        """Whether the wheel is for this widget, wherever the pointer is: the page itself does not scroll."""
        return self.container is None or self.container.page.is_whole

    def turn_wheel(self, notches: int) -> bool:
        before = self.top
        self.scroll_to(self.top - notches * self.wheel_rows * self._row)
        return self._is_alone or self.top != before

    def drag_content(self, pixels: int) -> bool:
        before = self.top
        self.scroll_to(self.top - pixels)
        return self._is_alone or self.top != before

    def takes_drag(self, point: tuple[int, int]) -> bool:
        """Whether *point* is on the scroll bar."""
        return bool(self._lowest_top) and point[0] >= self._track.x - self.theme.px(4)

    def press(self, point: tuple[int, int]) -> bool:
        if not self.takes_drag(point):
            return False
        self.take_focus()
        thumb = self._thumb
        self._grip = point[1] - thumb.y if thumb.y <= point[1] < thumb.bottom else thumb.h // 2
        return self.drag(point)

    def drag(self, point: tuple[int, int]) -> bool:
        if self._grip is None:
            return False
        track = self._track
        share = (point[1] - self._grip - track.y) / max(1, track.h - self._thumb.h)
        self.scroll_to(round(share * self._lowest_top))
        return True

    def release(self, point: tuple[int, int]) -> bool:
        self._grip = None
        return True

    def key(self, event: pygame.event.Event) -> bool:
        amount = amount_of_key(event.key, self._row, self._view.h, self._full)
        if amount is None:
            return False
        self.scroll_to(self.top + amount)
        return True

    def draw_focus(self, surface: pygame.Surface) -> None:
        if self._is_ringed:
            super().draw_focus(surface)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw what is in sight, and a scroll bar if there is more."""
        with clipped(surface, self._view):
            self._draw_at(surface, self._view.y - self.top)
        if self._lowest_top:
            ink = self.theme.line if self._grip is None else self.theme.second
            self.paint.rounded_rect(surface, self._thumb, ink, self.theme.px(BAR) // 2)

    @property
    def _track(self) -> pygame.Rect:
        px, view = self.theme.px, self._view
        return pygame.Rect(self.rect.right - px(BAR) - px(self.bar_margin), view.y, px(BAR), view.h)

    @property
    def _thumb(self) -> pygame.Rect:
        return thumb_of(self._track, self._full, self.top, self.paint)


def index_after(key: int, index: int, number: int, page: int) -> int | None:
    """The row that *key* leads to from row *index* of *number*, perhaps beyond the ends; None for other keys.

    :param page: the number of rows in sight.
    """
    amount = None if key == pygame.K_SPACE else amount_of_key(key, 1, page + 1, number)
    return None if amount is None else index + amount


def index_by_letter(labels: Sequence[str], index: int, letter: str) -> int | None:
    """The index of the next of *labels* after *index* that begins with *letter*; None if there is none."""
    if not letter or not letter.isprintable() or letter.isspace():
        return None
    following = (candidate % len(labels) for candidate in range(index + 1, index + len(labels) + 1))
    return next((found for found in following if labels[found].casefold().startswith(letter.casefold())), None)


class RowList(Scroll):
    """Rows of equal height; only the visible ones are drawn."""

    role: Role = "list"
    row_height = 31
    wheel_rows = 2

    def __init__(self, name: str) -> None:
        super().__init__(name, self._draw_rows, is_ringed=True)
        self.drawn_rows = 0
        """The number of rows drawn in the last frame."""

    @property
    def _row_count(self) -> int:
        raise NotImplementedError

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        raise NotImplementedError

    @property
    def _full(self) -> int:
        return self._row_count * self._row

    @property
    def _is_alone(self) -> bool:
        return False

    def _row_rect(self, index: int) -> pygame.Rect:
        view, row = self._view, self._row
        return pygame.Rect(view.x, view.y + index * row - self.top, view.w, row)

    def part_at(self, point: tuple[int, int]) -> int | None:
        view = self._view
        index = (point[1] - view.y + self.top) // self._row
        return index if view.collidepoint(point) and 0 <= index < self._row_count else None

    def _reveal(self, index: int) -> None:
        top = index * self._row
        self.scroll_to(max(min(self.top, top), top + self._row - self._view.h))

    def turn_wheel(self, notches: int) -> bool:
        super().turn_wheel(notches)
        pointer = self.container.pointer if self.container is not None else None
        self.part_under = self.part_at(pointer) if pointer is not None else None
        return True

    @property
    def _rows_in_sight(self) -> range:
        first = self.top // self._row
        return range(first, min(self._row_count, first + self._view.h // self._row + 2))

    def _draw_rows(self, surface: pygame.Surface, _top: int) -> None:
        visible = self._rows_in_sight
        self.drawn_rows = len(visible)
        for index in visible:
            self._draw_row(surface, index)

    def parts(self) -> Sequence[Part]:
        rows = ((index, self._row_rect(index).clip(self._view)) for index in self._rows_in_sight)
        return [Part(index, rect) for index, rect in rows if rect.h]


class ChoiceList(RowList, Generic[E]):
    """A row for each entry; one is chosen, and some may be marked. Enter or a double click opens one."""

    entries: Sequence[E] = ()

    def __init__(self, name: str, chosen_changed: Callable[[], object]) -> None:
        super().__init__(name)
        self._chosen_changed = chosen_changed
        self.index = 0
        self.empty_words = ""
        """The text shown while the list is empty."""
        self._last_click = (-_DOUBLE_CLICK, -1)

    @property
    def chosen(self) -> E | None:
        return self.entries[self.index] if self.index < len(self.entries) else None

    @property
    def _row_count(self) -> int:
        return len(self.entries)

    def choose(self, index: int, *, shows: bool = True) -> None:
        """Choose the row *index*, or the nearest.

        :param shows: whether to scroll to it.
        """
        self.index = min(max(0, index), max(0, self._row_count - 1))
        if shows:
            self._reveal(self.index)
        self.invalidate()
        self._chosen_changed()

    def parts(self) -> Sequence[Part]:
        return [part._replace(is_chosen=part.number == self.index) for part in super().parts()]

    @property
    def active_part(self) -> int | None:
        return self.index if self._row_count else None

    def point_at_part(self, number: int) -> None:
        self.choose(number)

    def _index_after(self, key: int) -> int | None:
        """The row that *key* leads to. Up from the first one is left to the scene: the focus moves above the list."""
        if not self._row_count or (key == pygame.K_UP and self.index == 0):
            return None
        return index_after(key, self.index, self._row_count, max(1, self.rect.h // self._row - 1))

    def press(self, point: tuple[int, int]) -> bool:
        if not super().press(point):
            self.take_focus()
            index = self.part_at(point)
            if index is not None:
                now, (last, clicked) = pygame.time.get_ticks(), self._last_click
                self._last_click = now, index
                self._click(index, point, is_double=index == clicked and now - last < _DOUBLE_CLICK)
        return True

    def _click(self, index: int, point: tuple[int, int], *, is_double: bool) -> None:
        raise NotImplementedError

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        if not self._row_count:
            area = self.rect.inflate(-2 * self.theme.px(_BESIDE_WORDS), 0)
            area.y += (area.h - self.paint.paragraph_height(self.empty_words, area.w, "text")) // 2
            self.paint.paragraph(surface, self.empty_words, area, "text", self.theme.second, align="center")

    def _draw_ground(self, surface: pygame.Surface, index: int, *, is_marked: bool) -> None:
        """Draw the background of a row that is chosen, marked or hovered."""
        px, theme = self.theme.px, self.theme
        box = self._row_rect(index).inflate(-2 * px(4), -2 * px(2))
        box.w -= px(BAR + 6)
        if index == self.index:
            line = theme.ring if self.shows_focus else None
            self.paint.rounded_rect(surface, box, theme.accent_soft, px(8), line=line)
        elif is_marked or index == self.part_under:
            self.paint.rounded_rect(surface, box, theme.hover, px(8))

    def draw_focus(self, surface: pygame.Surface) -> None:
        """Outline the list only if it is empty: else the chosen row is outlined."""
        if not self._row_count:
            super().draw_focus(surface)


class LongText(Scroll):
    """Shows a text with its line breaks; lines that are too long are wrapped."""

    def __init__(self, name: str) -> None:
        super().__init__(name, self._draw_lines, is_ringed=True)
        self._text = ""
        self._room = -1
        """The width for which the lines are wrapped, in real pixels."""
        self._lines: list[str] = []

    def show_text(self, text: str) -> None:
        if text != self._text:
            self._text, self._room = text, -1
            self._arrange()
            self.scroll_to(0)

    def _arrange(self) -> None:
        room = self.rect.w - self.theme.px(_PADDING + _BAR_ROOM)
        if room == self._room:
            return
        self._room = room
        font = self.paint.font(_STYLE)
        width = cache(lambda letter: font.width(letter * _SAMPLE) / _SAMPLE)
        self._lines = wrapped_lines(self._text, room, width) if room > 0 else []
        self.full_height = len(self._lines) * self._pitch + 2 * self.theme.px(_PADDING)

    @property
    def _pitch(self) -> int:
        return self.paint.line_height(_STYLE)

    def _draw_lines(self, surface: pygame.Surface, top: int) -> None:
        pitch, px = self._pitch, self.theme.px
        top += px(_PADDING)
        first = max(0, (self.rect.y - top) // pitch)
        last = min(len(self._lines), (self.rect.bottom - top) // pitch + 1)
        for number in range(first, last):
            at = (self.rect.x + px(_PADDING), top + number * pitch)
            self.paint.text(surface, self._lines[number], at, _STYLE)


def wrapped_lines(text: str, room: float, width: Callable[[str], float]) -> list[str]:
    """The lines of *text*, wrapped to *room* between words, or within a word that is too long.

    The rest of a wrapped line is joined with the next line of its paragraph.

    >>> wrapped_lines("one two three\\nfour\\n\\nfive", 10, lambda letter: 1.0)
    ['one two', 'three four', '', 'five']
    """
    lines: list[str] = []
    left = ""
    for line in [*text.expandtabs(_TAB).splitlines(), ""]:
        rest = line if line.isprintable() else "".join(letter for letter in line if letter.isprintable())
        rest = rest.rstrip()
        if left and rest and not rest.startswith(" "):
            rest = f"{left} {rest}"
        elif left:
            lines.append(left)
        left = ""
        while (end := _fitting(rest, room, width)) < len(rest):
            space = rest.rfind(" ", 0, end + 1)
            cut = space if rest[: max(space, 0)].strip() else end
            lines.append(rest[:cut].rstrip())
            left = rest = rest[cut:].lstrip()
        if not left:
            lines.append(rest)
    return lines[:-1]


def _fitting(line: str, room: float, width: Callable[[str], float]) -> int:
    """The number of letters at the beginning of *line* that fit, at least one."""
    return max(sum(used <= room for used in accumulate(map(width, line))), min(1, len(line)))
