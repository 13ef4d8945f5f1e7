"""A long plain text to read, of which only the lines in view are drawn."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.drawing.theme import TextStyle
from papan.ui.widgets.scroll import Scroll

_STYLE: TextStyle = "small"
_PADDING = 4
_BAR_ROOM = 18
_TAB = 4
_SAMPLE = 16
"""Letters of which the width of one is taken: widths are whole pixels."""


class _Widths(dict[str, float]):
    """The width of each letter, measured when it is first met."""

    def __init__(self, measure: Callable[[str], int]) -> None:
        super().__init__()
        self._measure = measure

    def __missing__(self, letter: str) -> float:
        width = self[letter] = self._measure(letter * _SAMPLE) / _SAMPLE
        return width


class LongText(Scroll):
    """Shows a text line by line as it was written; lines that are too long are wrapped."""

    def __init__(self, name: str) -> None:
        super().__init__(name, self._draw_lines, is_ringed=True)
        self._text = ""
        self._lines: list[str] = []

    def show_text(self, text: str) -> None:
        """Show *text* from its beginning."""
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
    """The lines of *text*, those wider than *room* broken between words, or within a word that is too long itself.

    What is left of a broken line goes on with the next one of its paragraph, so that no line of one word stays.

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
