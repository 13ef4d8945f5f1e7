"""A card for each seat: who plays it, what to know of it, and what its player is doing."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from ui.theme import SeatStyle
from ui.widgets.base import Widget

_PADDING = 16
_BADGE = 17
_TEXT_LEFT = 60
_DOT_SECONDS = 0.9


@dataclass(frozen=True)
class SeatView:
    """All that a card shows."""

    style: SeatStyle
    name: str
    note: str
    """What its player is, or is doing."""
    fact: str = ""
    """The seat's god, its colour … or ""."""
    fact_note: str = ""
    result: str = ""
    """Once the game is over: won, lost, draw."""
    is_active: bool = False
    is_thinking: bool = False


class SeatCard(Widget):
    """Draws one ``SeatView``."""

    is_focusable = False

    def __init__(self, seat: int, view: SeatView) -> None:
        super().__init__(f"seat {seat + 1}")
        self._view = view
        self._seconds = 0.0

    def show_view(self, view: SeatView) -> None:
        """Show *view* from now on."""
        if view != self._view:
            self._view = view
            self.invalidate()

    def update(self, seconds: float) -> None:
        if not self._view.is_thinking:
            self._seconds = 0.0
            return
        before = int(self._seconds / _DOT_SECONDS * 3)
        self._seconds += seconds
        if int(self._seconds / _DOT_SECONDS * 3) != before:
            self.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        view, rect = self._view, self.rect
        if view.is_active:
            paint.panel(surface, rect, line=view.style.colour, line_width=max(2, px(2)))
        else:
            paint.panel(surface, rect)
        paint.badge(surface, (rect.x + px(33), rect.centery), px(_BADGE), view.style)
        left, right = rect.x + px(_TEXT_LEFT), rect.right - px(_PADDING)
        fact_width = self._draw_facts(surface, right)
        width = right - left - fact_width - (px(12) if fact_width else 0)
        name = paint.text(surface, view.name, (left, rect.y + px(24)), "strong", anchor="midleft", width=width)
        if view.is_thinking:
            self._draw_dots(surface, name.right + px(12), name.centery)
        lines = 1 if rect.h < px(72) else 2
        area = pygame.Rect(left, rect.y + px(35), width, rect.h)
        paint.paragraph(surface, view.note, area, "small", theme.second, most_lines=lines)

    def _draw_facts(self, surface: pygame.Surface, right: int) -> int:
        """What is known of the seat, at the right edge; returns the width it takes."""
        paint, theme, px = self.paint, self.theme, self.theme.px
        view, rect = self._view, self.rect
        if view.result:
            ink = {"won": theme.good_ink, "lost": theme.bad_ink}.get(view.result, theme.second)
            return paint.pill(surface, view.result, (right, rect.centery), anchor="midright", ink=ink).w
        most = rect.w * 2 // 5
        widths = []
        if view.fact:
            place = paint.text(surface, view.fact, (right, rect.y + px(24)), "strong", anchor="midright", width=most)
            widths.append(place.w)
        if view.fact_note:
            note_width = min(most, paint.width(view.fact_note, "small"))
            top = rect.y + px(35) if view.fact else rect.centery - paint.line_height("small") // 2
            area = pygame.Rect(right - note_width, top, note_width, rect.h)
            paint.paragraph(surface, view.fact_note, area, "small", theme.second, align="right", most_lines=2)
            widths.append(note_width)
        return max(widths, default=0)

    def _draw_dots(self, surface: pygame.Surface, left: int, middle: int) -> None:
        """Three dots that take turns: something is going on."""
        px = self.theme.px
        lit = int(self._seconds / _DOT_SECONDS * 3) % 3
        for dot in range(3):
            colour = self._view.style.ink if dot == lit else self.theme.line
            self.paint.disc(surface, (left + dot * px(9), middle), px(3), colour)
