"""A form in panels: rows of a label and a field, in as much height as there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pygame

from papan.ui.drawing.theme import BUTTON_HEIGHT, FIELD_HEIGHT, GAP, MARGIN, TextStyle, Tone
from papan.ui.scenes import HEADER_HEIGHT, Scene
from papan.ui.widgets.base import Widget
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.cards import SamplePicture

SAMPLE = 72
"""The side of a picture in a row."""
_PADDING = 20
_HEADING, _FOOT = 44, 10
_ROW, _LOWEST_ROW = 56, 46
"""The height of a row: the usual one, and the least in a low window; with less room, the page scrolls."""
_LABEL_ABOVE = 24
"""The height of a label above its field, in a narrow window."""
_NOTE_LINES = 2
_NARROW = 720
"""In windows narrower than this, labels go above their fields."""
_WIDEST = 860


def _never() -> bool:
    return False


@dataclass
class Row:
    """A field with the label next to or above it ("" if it labels itself)."""

    field: Widget
    note: str = ""
    """A sentence below, or beside a field of this *width*."""
    tone: Tone = "bad"
    """Of the note."""
    second: Widget | None = None
    """Another field on the same line."""
    sample: SamplePicture | None = None
    """A picture of what the fields choose, drawn before them."""
    aside: Button | None = None
    """A button at the end of the line."""
    width: int = 0
    """The width of the field, in design pixels; 0 for all that there is."""
    is_strong: Callable[[], bool] = _never
    """Whether the label is bold."""

    @property
    def label(self) -> str:
        return self.field.beside


class Panel(NamedTuple):
    title: str
    rows: Sequence[Row]
    rect: pygame.Rect


@dataclass
class PanelForm:
    """The panels of a scene below its header."""

    scene: Scene
    label_width: int = 190
    """In design pixels."""
    panels: list[Panel] = field(default_factory=list)

    def show(self, *titled: tuple[str, Sequence[Row]]) -> None:
        """Show these panels, but for those without rows."""
        self.panels = [Panel(title, rows, pygame.Rect(0, 0, 0, 0)) for title, rows in titled if rows]

    @property
    def rows(self) -> list[Row]:
        return [row for panel in self.panels for row in panel.rows]

    def row(self, label: str, field: Widget) -> Row:
        """Add *field* to the scene and return its row."""
        field.beside = label
        return Row(self.scene.widgets.add(field))

    def _is_narrow(self, width: int) -> bool:
        return width < self.scene.px(_NARROW)

    def _panel_width(self, width: int) -> int:
        return min(width - 2 * self.scene.px(MARGIN), self.scene.px(_WIDEST))

    def _row_height(self, row: Row, width: int, high: int) -> int:
        px = self.scene.px
        above = px(_LABEL_ABOVE) if row.label and self._is_narrow(width) else 0
        if row.sample is not None:
            return max(high, px(SAMPLE + 8)) + above
        if not row.note or row.width:
            return high + above
        room = self._panel_width(width) - 2 * px(_PADDING) - (0 if self._is_narrow(width) else px(self.label_width))
        return high + above + self.scene.paint.paragraph_height(row.note, room, "small", _NOTE_LINES) + px(4)

    def _height(self, width: int, high: int) -> int:
        """The height of header and panels on a page of *width*, given that of a plain row, in real pixels."""
        px = self.scene.px
        around = len(self.panels) * (px(_HEADING) + px(_FOOT) + px(GAP))
        return px(HEADER_HEIGHT) + around + sum(self._row_height(row, width, high) for row in self.rows)

    def least_height(self, width: int) -> int:
        """The least height of a page of *width*, in real pixels."""
        return self._height(width, self.scene.px(_LOWEST_ROW)) + self.scene.px(MARGIN - GAP)

    def place(self, area: pygame.Rect) -> None:
        """Lay everything out on a page of the size of *area*."""
        px = self.scene.px
        width, top = self._panel_width(area.w), px(HEADER_HEIGHT)
        left = area.centerx - width // 2
        possible = range(px(_ROW), px(_LOWEST_ROW), -1)
        high = next((one for one in possible if self._height(area.w, one) <= area.h), px(_LOWEST_ROW))
        for panel in self.panels:
            heights = [self._row_height(row, area.w, high) for row in panel.rows]
            panel.rect.update(left, top, width, px(_HEADING) + sum(heights) + px(_FOOT))
            top += px(_HEADING)
            for row, height in zip(panel.rows, heights, strict=True):
                self._place_row(row, panel.rect, top, high)
                top += height
            top = panel.rect.bottom + px(GAP)

    def _place_row(self, row: Row, panel: pygame.Rect, top: int, high: int) -> None:
        px = self.scene.px
        left, right = panel.x + px(_PADDING), panel.right - px(_PADDING)
        if row.label and self._is_narrow(self.scene.area.w):
            top += px(_LABEL_ABOVE)
        elif row.label:
            left += px(self.label_width)
        height = min(px(FIELD_HEIGHT), high - px(2))
        if row.sample is not None:
            left += px(SAMPLE + GAP)
            high = max(high, px(SAMPLE + 8))
        room = pygame.Rect(left, top + (high - height) // 2, right - left, height)
        if row.aside is not None:
            wide = max(height, row.aside.natural_size[0])
            row.aside.place(pygame.Rect(room.right - wide, room.y, wide, height))
            room.w -= wide + px(8)
        if row.second is not None:
            room.w = (room.w - px(GAP)) // 2
            row.second.place(room.move(room.w + px(GAP), 0))
        if isinstance(row.field, Button):
            room.w = min(room.w, row.field.natural_size[0])
        elif row.width:
            room.w = min(room.w, px(row.width))
        row.field.place(room)

    def draw(self, surface: pygame.Surface) -> None:
        px, paint = self.scene.px, self.scene.paint
        for panel in self.panels:
            paint.panel(surface, panel.rect)
            left = panel.rect.x + px(_PADDING)
            room = panel.rect.w - 2 * px(_PADDING)
            paint.text(surface, panel.title, (left, panel.rect.y + px(26)), "heading", anchor="midleft", width=room)
            for row in panel.rows:
                self._draw_words(surface, row, left, panel.rect.right - px(_PADDING))

    def _draw_words(self, surface: pygame.Surface, row: Row, left: int, right: int) -> None:
        px, paint, field = self.scene.px, self.scene.paint, row.field.rect.copy()
        if row.sample is not None:
            field.x -= px(SAMPLE + GAP)
            picture = row.sample.in_size((px(SAMPLE), px(SAMPLE)))
            if picture is not None:
                surface.blit(picture, picture.get_rect(midleft=(field.x, field.centery)))
        if row.label and self._is_narrow(self.scene.area.w):
            at = (left, field.y - px(13))
            paint.text(surface, row.label, at, "small strong", anchor="midleft", width=right - left)
        elif row.label:
            at, room = (left, field.centery), px(self.label_width - 10)
            style: TextStyle = "strong" if row.is_strong() else "text"
            paint.text(surface, row.label, at, style, anchor="midleft", width=room, shrinks=True)
        ink = self.scene.theme.bad_ink if row.tone == "bad" else self.scene.theme.second
        if row.note and row.width:
            at = (field.right + px(GAP), field.centery)
            paint.text(surface, row.note, at, "small", ink, anchor="midleft", width=right - at[0], shrinks=True)
        elif row.note:
            below = pygame.Rect(field.x, field.bottom + px(4), field.w, 0)
            paint.paragraph(surface, row.note, below, "small", ink, most_lines=_NOTE_LINES)


_FILTER_GAP = 8
_ONE_ROW = 860
"""Filters on a page narrower than this take two rows."""


def _filter_rows(width: int, px: Callable[[float], int]) -> int:
    return 1 if width >= px(_ONE_ROW) else 2


def filters_height(width: int, px: Callable[[float], int]) -> int:
    """The height of a bar of filters, in real pixels."""
    rows = _filter_rows(width, px)
    return rows * px(BUTTON_HEIGHT) + (rows - 1) * px(_FILTER_GAP)


def filter_rects(bar: pygame.Rect, shares: Sequence[float], px: Callable[[float], int]) -> list[pygame.Rect]:
    """The rectangles of the filters in *bar*, with these relative widths, an even number."""
    gap, height, rows = px(_FILTER_GAP), px(BUTTON_HEIGHT), _filter_rows(bar.w, px)
    number, rects = len(shares) // rows, list[pygame.Rect]()
    for row in range(rows):
        in_row = shares[row * number : (row + 1) * number]
        unit = (bar.w - gap * (number - 1)) / sum(in_row)
        left, top = float(bar.x), bar.y + row * (height + gap)
        for share in in_row:
            rects.append(pygame.Rect(round(left), top, round(unit * share), height))
            left += unit * share + gap
    return rects
