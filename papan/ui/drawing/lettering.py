"""Text: fonts, cached pictures of text, lines cut to a width, wrapped paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

import pygame

from papan.ui.drawing.fonts import Font
from papan.ui.drawing.pictures import PictureStore
from papan.ui.drawing.theme import FONT_WEIGHTS, Colour, TextStyle, Theme, readable_colour

Measured = TypeVar("Measured")
Anchor = Literal["topleft", "midtop", "topright", "midleft", "center", "midright", "bottomleft", "midbottom"]

_LINE_HEIGHT = 1.45
"""The line height of wrapped text, as a multiple of its size."""
READABLE = 9.5
"""The least contrast with the mean of an uneven background such as wood."""
_LETTERS = 0.5
"""The share of a line's height filled by letters."""
_OPAQUE = 240
_MOST_MEASURED = 4000
_SMALLER: Mapping[TextStyle, TextStyle] = {
    "title": "heading", "heading": "strong", "strong": "small strong", "label": "small", "text": "small",
    "small": "fine", "small strong": "tiny",
}  # fmt: skip
ELLIPSIS = "…"
BOLD_MARK = "**"
_BOLD_OF: dict[TextStyle, TextStyle] = {"text": "strong", "label": "strong", "small": "small strong"}


class Witness(Protocol):
    """Observes all text drawn, for tests and measurements."""

    def will_be_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect, ink: Colour) -> None:
        """*text* is about to be drawn in *rect* of *surface*, which still shows the background."""

    def is_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect) -> None:
        """A line, or a word of a paragraph, was drawn on *surface*."""

    def is_cut(self, text: str, shown: str) -> None:
        """*text* was cut to *shown*; for a paragraph, *shown* is the last word drawn."""


Recorder = Callable[[pygame.Surface, str, pygame.Rect], object]
"""Called with a surface, a text, and the rectangle that the text takes."""


class Lettering:
    """Draws text in the theme's styles. Positions and widths are in real pixels."""

    witness: Witness | None = None
    """Gets all text drawn, in tests and measurements."""
    recorder: Recorder | None = None
    """Gets the texts drawn, for a screen reader: whole lines and paragraphs, before they are cut."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.pictures = PictureStore()
        self._fonts: dict[TextStyle, Font] = {}
        self._measured: dict[Hashable, Any] = {}

    def set_theme(self, theme: Theme) -> None:
        """Use *theme* for text and drawing."""
        if theme.scale != self.theme.scale:
            self._forget_letters()
        self.theme = theme
        self.pictures.clear()

    def forget(self) -> None:
        """Release all pictures and fonts; a font that outlives ``pygame.font`` is never freed."""
        self.pictures.clear()
        self._forget_letters()

    def _forget_letters(self) -> None:
        self._fonts.clear()
        self._measured.clear()

    def _measure_once(self, key: Hashable, measure: Callable[[], Measured]) -> Measured:
        """The result of *measure*, cached under *key*."""
        if key not in self._measured:
            if len(self._measured) >= _MOST_MEASURED:
                self._measured.clear()
            self._measured[key] = measure()
        found: Measured = self._measured[key]
        return found

    @property
    def lacks_east_asian(self) -> bool:
        """Whether boxes were drawn for Chinese, Japanese or Korean letters, as no font has them."""
        return any(font.lacks_east_asian for font in self._fonts.values())

    # ------------------------------------------------------------------------------------ measuring

    def font(self, style: TextStyle) -> Font:
        if style not in self._fonts:
            weight, size = FONT_WEIGHTS[style]
            self._fonts[style] = Font(weight, max(6, self.theme.px(size)))
        return self._fonts[style]

    def width(self, text: str, style: TextStyle = "text") -> int:
        return self._measure_once((text, style), lambda: self.font(style).width(_printable(text)))

    def height(self, style: TextStyle = "text") -> int:
        """The height of a line's letters, with ascenders and descenders."""
        return self.font(style).height

    def line_height(self, style: TextStyle = "text") -> int:
        """The distance from one line of wrapped text to the next."""
        return self.theme.px(FONT_WEIGHTS[style][1] * _LINE_HEIGHT)

    def fitted_text(self, text: str, width: int, style: TextStyle = "text") -> str:
        """*text*, or as much of its beginning as fits into *width* with an ellipsis."""
        if self.width(text, style) <= width:
            return text
        shortest, longest = 0, len(text)
        while shortest < longest:
            middle = (shortest + longest + 1) // 2
            if self.width(text[:middle].rstrip() + ELLIPSIS, style) <= width:
                shortest = middle
            else:
                longest = middle - 1
        shown = text[:shortest].rstrip() + ELLIPSIS
        if self.witness is not None:
            self.witness.is_cut(text, shown)
        return shown

    def fitting_style(self, text: str, width: int, style: TextStyle, *, tabular: bool = False) -> TextStyle:
        """The largest style, from *style* down, that fits *text* into *width*, or the smallest.

        :param tabular: give each digit the same width.
        """
        measured = self.tabular_width if tabular else self.width
        while measured(text, style) > width and style in _SMALLER:
            style = _SMALLER[style]
        return style

    # -------------------------------------------------------------------------------------- one line

    def text(
        self,
        surface: pygame.Surface,
        text: str,
        at: tuple[int, int],
        style: TextStyle = "text",
        colour: Colour | None = None,
        *,
        anchor: Anchor = "topleft",
        width: int | None = None,
        shrinks: bool = False,
        tabular: bool = False,
    ) -> pygame.Rect:
        """Draw one line; return its rectangle.

        :param at: the position of the line's *anchor*, an attribute of ``pygame.Rect``.
        :param width: cut a wider line with an ellipsis.
        :param shrinks: try smaller letters before cutting.
        :param tabular: give all digits the same width, so that changing numbers stay in place.
        """
        if width is not None and shrinks:
            style = self.fitting_style(text, width, style, tabular=tabular)
        shown = text if width is None else self.fitted_text(text, width, style)
        if not shown:
            return pygame.Rect(at, (0, self.height(style)))
        ink = colour or self.theme.ink
        picture = self.text_picture(shown, style, ink, tabular)
        rect = picture.get_rect(**{anchor: at})
        self.stamp(surface, picture, rect, shown, ink)
        if self.witness is not None:
            self.witness.is_written(surface, shown, rect)
        if self.recorder is not None:
            self.recorder(surface, text, rect)
        return rect

    def stamp(
        self, surface: pygame.Surface, picture: pygame.Surface, rect: pygame.Rect, text: str, ink: Colour
    ) -> None:
        if self.witness is not None:
            letters = picture.get_bounding_rect().move(rect.topleft)
            self.witness.will_be_written(surface, text, letters, ink)
        surface.blit(picture, rect)

    def ink_at(
        self,
        surface: pygame.Surface,
        text: str,
        at: tuple[int, int],
        style: TextStyle,
        wanted: Colour,
        *,
        anchor: Anchor = "center",
        least: float = READABLE,
    ) -> Colour:
        """*wanted*, darkened or lightened until *text* is readable on the background painted there.

        :param least: the contrast with the background's mean colour.
        """
        line = pygame.Rect(0, 0, self.width(text, style), self.height(style))
        setattr(line, anchor, at)
        letters = line.inflate(0, -round(line.h * (1 - _LETTERS))).clip(surface.get_rect())
        if not letters.w or not letters.h:
            return wanted
        red, green, blue, opacity = pygame.transform.average_color(surface, letters)
        if surface.get_flags() & pygame.SRCALPHA and opacity < _OPAQUE:
            return wanted  # the background is not painted yet
        return readable_colour(wanted, (red, green, blue), least)

    def text_picture(self, text: str, style: TextStyle, colour: Colour, tabular: bool = False) -> pygame.Surface:
        """The picture of one line of text; cached: do not draw on it."""
        printable = _printable(text)
        make = self._tabular if tabular else self._plain
        return self.pictures.get(("text", printable, style, colour, tabular), lambda: make(printable, style, colour))

    def bold_picture(self, text: str, size: int, colour: Colour) -> pygame.Surface:
        """The picture of one line of bold text in *size* pixels, for tiles and cards; cached."""

        def make() -> pygame.Surface:
            return Font("Bold", max(4, size)).render(_printable(text), colour)

        return self.pictures.get(("sized text", text, size, colour), make)

    def _plain(self, text: str, style: TextStyle, colour: Colour) -> pygame.Surface:
        return self.font(style).render(text, colour)

    def _tabular(self, text: str, style: TextStyle, colour: Colour) -> pygame.Surface:
        font, widths = self.font(style), self._widths(text, style)
        line = pygame.Surface((max(1, sum(widths)), font.height), pygame.SRCALPHA)
        left = 0
        for letter, width in zip(text, widths, strict=True):
            glyph = font.render(letter, colour)
            line.blit(glyph, (left + (width - glyph.get_width()) // 2, 0))
            left += width
        return line

    def tabular_width(self, text: str, style: TextStyle = "text") -> int:
        """The width of *text* on one line if all digits have the same width."""
        return self._measure_once((text, style, "tabular"), lambda: sum(self._widths(text, style)))

    def _widths(self, text: str, style: TextStyle) -> list[int]:
        """The widths of the letters of *text*; all digits have the same."""
        font = self.font(style)
        digit_width = max(font.width(digit) for digit in "0123456789")
        return [digit_width if letter.isdigit() else font.width(letter) for letter in text]

    # ------------------------------------------------------------------------------------ paragraphs

    def paragraph(
        self,
        surface: pygame.Surface,
        text: str,
        area: pygame.Rect,
        style: TextStyle = "text",
        colour: Colour | None = None,
        *,
        align: Literal["left", "center", "right"] = "left",
        most_lines: int | None = None,
    ) -> int:
        """Draw *text* wrapped to the width of *area* from its top; return the height used.

        Words between ``**`` are bold. Text beyond *most_lines* is cut with an ellipsis.
        """
        colour = colour or self.theme.ink
        lines = self._wrapped_lines(text, area.width, style, most_lines)
        step = self.line_height(style)
        height = len(lines) * step
        recorder, self.recorder = self.recorder, None  # it gets the text as a whole
        if recorder is not None:
            recorder(surface, text, pygame.Rect(area.topleft, (area.width, height)))
        for index, line in enumerate(lines):
            space = self.width(" ", style)
            full = sum(word.width + space * word.starts_after_space for word in line)
            left = area.x + {"left": 0, "center": (area.width - full) // 2, "right": area.width - full}[align]
            middle = area.y + index * step + step // 2
            for word in line:
                left += space * word.starts_after_space
                # Aligned at the top: the picture of a word with a descender may be a pixel higher than others.
                self.text(surface, word.text, (left, middle - self.height(word.style) // 2), word.style, colour)
                left += word.width
        self.recorder = recorder
        return height

    def paragraph_height(self, text: str, width: int, style: TextStyle = "text", most_lines: int | None = None) -> int:
        return len(self._wrapped_lines(text, width, style, most_lines)) * self.line_height(style)

    def _wrapped_lines(self, text: str, width: int, style: TextStyle, most_lines: int | None) -> list[list[Word]]:
        """The words of each line; cached: do not change them."""
        return self._measure_once((text, width, style, most_lines), lambda: self._wrap(text, width, style, most_lines))

    def _wrap(self, text: str, width: int, style: TextStyle, most_lines: int | None) -> list[list[Word]]:
        lines = wrapped(text, width, style, self)
        if most_lines is not None and len(lines) > most_lines:
            lines = lines[:most_lines]
            lines[-1] = ended(lines[-1], width, style, self)
            if self.witness is not None:
                self.witness.is_cut(text, lines[-1][-1].text)
        return lines


def _printable(text: str) -> str:
    """*text* with a space for each character that a font can't draw, such as control characters."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " for letter in text)


class Word(NamedTuple):
    """A word, or a part of one, in one style."""

    text: str
    style: TextStyle
    width: int
    starts_after_space: bool
    may_begin_line: bool


def wrapped(text: str, width: int, style: TextStyle, ruler: Lettering) -> list[list[Word]]:
    """The words of each line of *text*, none of them wider than *width*. Words between ``**`` are bold."""
    space = ruler.width(" ", style)
    lines: list[list[Word]] = []
    for part in text.split("\n"):
        lines.append([])
        used = 0
        for group in _unbreakable_groups(_words(part, style, width, ruler)):
            needed = sum(word.width for word in group)
            gap = space if group[0].starts_after_space and lines[-1] else 0
            if lines[-1] and used + gap + needed > width:
                lines.append([])
                used = gap = 0
            lines[-1] += [group[0]._replace(starts_after_space=gap > 0), *group[1:]]
            used += gap + needed
    return lines


def ended(line: Sequence[Word], width: int, style: TextStyle, ruler: Lettering) -> list[Word]:
    """*line*, of a text in *style*, cut to *width* with an ellipsis."""
    space = ruler.width(" ", style)
    kept = list(line)
    while kept:
        used = sum(word.width + space * word.starts_after_space for word in kept[:-1])
        last = kept[-1]
        room = width - used - space * last.starts_after_space
        text = last.text + ELLIPSIS
        if ruler.width(text, last.style) <= room or len(kept) == 1:
            shown = ruler.fitted_text(text, room, last.style)
            return [*kept[:-1], last._replace(text=shown, width=ruler.width(shown, last.style))]
        kept.pop()
    return kept


def _words(text: str, style: TextStyle, width: int, ruler: Lettering) -> list[Word]:
    words: list[Word] = []
    after_space = False
    for index, run in enumerate(text.split(BOLD_MARK)):
        run_style = _BOLD_OF.get(style, style) if index % 2 else style
        for number, word in enumerate(run.split(" ")):
            after_space = after_space or number > 0
            for part, piece in enumerate(_pieces(word, run_style, width, ruler)):
                if piece:
                    piece_width = ruler.width(piece, run_style)
                    words.append(Word(piece, run_style, piece_width, after_space, after_space or part > 0))
                    after_space = False
    return words


def _pieces(word: str, style: TextStyle, width: int, ruler: Lettering) -> Sequence[str]:
    """*word*, broken into pieces if it alone is wider than a line."""
    pieces = []
    while len(word) > 1 and ruler.width(word, style) > width:
        end = len(word) - 1
        while end > 1 and ruler.width(word[:end], style) > width:
            end -= 1
        pieces.append(word[:end])
        word = word[end:]
    return [*pieces, word]


def _unbreakable_groups(words: Sequence[Word]) -> list[list[Word]]:
    """*words* in groups between which lines may be broken."""
    groups: list[list[Word]] = []
    for word in words:
        if word.may_begin_line or not groups:
            groups.append([word])
        else:
            groups[-1].append(word)
    return groups


def plain(text: str) -> str:
    """*text* on one line, without marks for bold words."""
    return text.replace(BOLD_MARK, "").replace("\n", ", ")


Text = tuple[str, pygame.Rect]
"""A text, and where it is on the page."""


class DrawnTexts:
    """The texts that a scene draws on its page."""

    def __init__(self) -> None:
        self.found: list[Text] = []
        self._surface: pygame.Surface | None = None

    @contextmanager
    def recorded(self, surface: pygame.Surface, paint: Lettering) -> Iterator[None]:
        """Record the texts that *paint* draws on *surface* within the ``with`` block."""
        self.found, self._surface = [], surface
        paint.recorder = self._record
        try:
            yield
        finally:
            paint.recorder = self._surface = None

    def _record(self, surface: pygame.Surface, text: str, rect: pygame.Rect) -> None:
        if surface is self._surface and text.strip() and rect.colliderect(surface.get_clip()):
            self.found.append((plain(text), rect.copy()))
