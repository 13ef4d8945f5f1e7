"""Scrolling widgets: a drawing, a list of rows, a long text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.theme import PANEL_RADIUS, Colour, TextStyle
from papan.ui.texts import _
from papan.ui.widgets.base import Widget, clipped
from papan.ui.widgets.page import BAR, STEP, amount_of_key, thumb_of
from papan.ui.widgets.shortcuts import Shortcut

_STYLE: TextStyle = "small"
_PADDING = 4
_BAR_ROOM = 18
_TAB = 4
_SAMPLE = 16
"""The width of a letter is measured over this many, since widths are whole pixels."""


class Scroll(Widget):
    """A scrolled view of what a function draws. Set ``full_height`` before it is placed."""

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

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self.scroll_to(self.top)

    def scroll_to(self, top: int) -> None:
        """Scroll *top* to the upper edge, as far as possible."""
        self.top = min(max(0, top), max(0, self.full_height - self.rect.h))
        self.invalidate()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.MOUSEWHEEL or not (self._is_alone or self.is_hovered):
            return False
        before = self.top
        self.scroll_to(self.top - event.y * self.theme.px(STEP))
        return self._is_alone or self.top != before

    @property
    def _is_alone(self) -> bool:
        """Whether the page itself does not scroll."""
        return self.container is None or self.container.page.is_whole

    def key(self, event: pygame.event.Event) -> bool:
        amount = amount_of_key(event.key, self.theme.px(STEP), self.rect.h, self.full_height)
        if amount is None:
            return False
        self.scroll_to(self.top + amount)
        return True

    def keys(self) -> Sequence[Shortcut]:
        return (Shortcut("Up  Down  PgUp  PgDn  Space  Home  End", _("scroll")),)

    def draw_focus(self, surface: pygame.Surface) -> None:
        if self._is_ringed:
            self.paint.focus_ring(surface, self.rect, self.theme.px(PANEL_RADIUS - 5))

    def draw(self, surface: pygame.Surface) -> None:
        with clipped(surface, self.rect):
            self._draw_at(surface, self.rect.y - self.top)
        if self.full_height > self.rect.h:
            px = self.theme.px
            strip = pygame.Rect(self.rect.right - px(BAR) - px(5), self.rect.y, px(BAR), self.rect.h)
            bar = thumb_of(strip, self.full_height, self.top, self.paint)
            self.paint.rounded_rect(surface, bar, self.theme.line, px(BAR) // 2)


def index_after(key: int, index: int, number: int, page: int) -> int | None:
    """The row to which *key* leads from row *index* of *number*, perhaps beyond the ends; None for other keys.

    :param page: the number of rows in sight.
    """
    return {
        pygame.K_UP: index - 1,
        pygame.K_DOWN: index + 1,
        pygame.K_PAGEUP: index - page,
        pygame.K_PAGEDOWN: index + page,
        pygame.K_HOME: 0,
        pygame.K_END: number - 1,
    }.get(key)


class RowList(Widget):
    """Rows of equal height that the wheel scrolls; only the visible ones are drawn."""

    row_height = 31
    """In design pixels, as are the bar's width and length."""
    wheel_rows = 2
    bar_width, shortest_bar = 4, 24

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.drawn_rows = 0
        """The number of rows drawn in the last frame."""
        self._top = 0.0
        """The scroll position, in real pixels."""

    @property
    def _row_count(self) -> int:
        raise NotImplementedError

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        raise NotImplementedError

    @property
    def _view(self) -> pygame.Rect:
        """The rectangle of the rows in sight."""
        return self.rect

    @property
    def _row(self) -> int:
        """The height of a row in real pixels."""
        return self.theme.px(self.row_height)

    @property
    def _lowest_top(self) -> float:
        return max(0.0, self._row_count * self._row - self._view.h) if self.container is not None else 0.0

    def _row_rect(self, index: int) -> pygame.Rect:
        view, row = self._view, self._row
        return pygame.Rect(view.x, round(view.y + index * row - self._top), view.w, row)

    def _index_at(self, point: tuple[int, int]) -> int | None:
        view = self._view
        index = int((point[1] - view.y + self._top) // self._row)
        return index if view.collidepoint(point) and 0 <= index < self._row_count else None

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._scroll_to(self._top)

    def _scroll_to(self, top: float) -> None:
        top = min(max(0.0, top), self._lowest_top)
        if top != self._top:
            self._top = top
            self.invalidate()

    def _reveal(self, index: int) -> None:
        row = self._row
        self._scroll_to(min(self._top, index * row))
        self._scroll_to(max(self._top, (index + 1) * row - self._view.h))

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self.is_hovered:
            self._scroll_to(self._top - self.wheel_rows * self._row * event.y)
            return True
        return False

    def _draw_rows(self, surface: pygame.Surface) -> None:
        """Draw the visible rows, and a scroll bar if there are more."""
        view, row = self._view, self._row
        first = int(self._top // row)
        visible = range(first, min(self._row_count, first + view.h // row + 2))
        self.drawn_rows = len(visible)
        with clipped(surface, view):
            for index in visible:
                self._draw_row(surface, index)
        if self._lowest_top:
            self.paint.rounded_rect(surface, self._thumb, self._bar_ink, self.theme.px(self.bar_width) // 2)

    @property
    def _bar_ink(self) -> Colour:
        return self.theme.line

    @property
    def _track(self) -> pygame.Rect:
        """The rectangle in which the scroll bar moves."""
        raise NotImplementedError

    @property
    def _thumb(self) -> pygame.Rect:
        track, full = self._track, max(1, self._row_count * self._row)
        height = max(self.theme.px(self.shortest_bar), min(track.h, track.h * self._view.h // full))
        top = track.y + round((track.h - height) * self._top / max(1.0, self._lowest_top))
        return pygame.Rect(track.x, top, track.w, height)


class _Widths(dict[str, float]):
    """The width of each letter, measured at first use."""

    def __init__(self, measure: Callable[[str], int]) -> None:
        super().__init__()
        self._measure = measure

    def __missing__(self, letter: str) -> float:
        width = self[letter] = self._measure(letter * _SAMPLE) / _SAMPLE
        return width


class LongText(Scroll):
    """Shows a text with its line breaks; lines that are too long are wrapped."""

    def __init__(self, name: str) -> None:
        super().__init__(name, self._draw_lines, is_ringed=True)
        self._text = ""
        self._lines: list[str] = []

    def show_text(self, text: str) -> None:
        if text != self._text:
            self._text, self.top = text, 0
            self._wrap()
            self.scroll_to(0)

    def place(self, rect: pygame.Rect) -> None:
        is_another = rect.w != self.rect.w
        self.rect = rect.copy()
        if is_another:
            self._wrap()
        super().place(rect)

    def _wrap(self) -> None:
        room = self.rect.w - self.theme.px(_PADDING + _BAR_ROOM)
        widths = _Widths(lambda letters: self.paint.font(_STYLE).size(letters)[0])
        self._lines = wrapped_lines(self._text, room, widths) if room > 0 else []
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


def wrapped_lines(text: str, room: float, widths: dict[str, float]) -> list[str]:
    """The lines of *text*, wrapped to *room* between words, or within a word that is too long.

    The rest of a wrapped line is joined with the next line of its paragraph.

    >>> from collections import defaultdict
    >>> wrapped_lines("one two three\\nfour\\n\\nfive", 10, defaultdict(lambda: 1.0))
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
        while (end := _fitting(rest, room, widths)) < len(rest):
            space = rest.rfind(" ", 0, end + 1)
            cut = space if rest[: max(space, 0)].strip() else end
            lines.append(rest[:cut].rstrip())
            left = rest = rest[cut:].lstrip()
        if not left:
            lines.append(rest)
    return lines[:-1]


def _fitting(line: str, room: float, widths: dict[str, float]) -> int:
    """The number of letters at the beginning of *line* that fit, at least one."""
    if sum(map(widths.__getitem__, line)) <= room:
        return len(line)
    used = 0.0
    for number, letter in enumerate(line):
        used += widths[letter]
        if used > room and number:
            return number
    return len(line)
