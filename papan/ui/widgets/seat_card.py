"""A card for each seat: its player, a fact about it, and what its player is doing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pygame

from papan.game.rules import Outcome
from papan.ui.boards import Emblem
from papan.ui.drawing.theme import SeatStyle
from papan.ui.texts import _
from papan.ui.widgets.base import Widget

_PADDING = 16
_BADGE = 17
_TEXT_LEFT = 60
_EMBLEM = 30
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
    emblem: Emblem | None = None
    """Stands beside the fact."""
    outcome: Outcome | None = None
    """Once the game is over."""
    is_active: bool = False
    is_thinking: bool = False


class SeatCard(Widget):
    """Draws one ``SeatView``."""

    is_focusable = False

    def __init__(self, seat: int, view: SeatView) -> None:
        super().__init__(f"seat {seat + 1}")
        self.view = view
        self._seconds = 0.0

    def show_view(self, view: SeatView) -> None:
        """Show *view* from now on."""
        if view != self.view:
            self.view = view
            self.invalidate()

    def update(self, seconds: float) -> None:
        if not self.view.is_thinking:
            self._seconds = 0.0
            return
        before = int(self._seconds / _DOT_SECONDS * 3)
        self._seconds += seconds
        if int(self._seconds / _DOT_SECONDS * 3) != before:
            self.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        view, rect = self.view, self.rect
        if view.is_active:
            paint.panel(surface, rect, line=view.style.colour, line_width=max(2, px(2)))
        else:
            paint.panel(surface, rect)
        paint.badge(surface, (rect.x + px(33), rect.centery), px(_BADGE), view.style)
        left, right = rect.x + px(_TEXT_LEFT), rect.right - px(_PADDING)
        if view.outcome and view.outcome != "over":
            ink = {"won": theme.good_ink, "lost": theme.bad_ink}.get(view.outcome, theme.second)
            text = {"won": _("won"), "lost": _("lost"), "draw": _("draw")}[view.outcome]
            right = paint.pill(surface, text, (right, rect.centery), anchor="midright", ink=ink).left - px(12)
        elif view.fact or view.fact_note:
            emblem = px(_EMBLEM) + px(10) if view.emblem else 0
            name_width = min(paint.width(view.name, "strong"), rect.w * 2 // 5)
            most = min(rect.w * 2 // 5, right - left - name_width - emblem - px(12))
            needed = max(paint.width(view.fact, "strong"), paint.width(view.fact_note, "small"))
            width = min(most, needed)
            self._draw_block(surface, view.fact, view.fact_note, pygame.Rect(right - width, 0, width, 0), "right")
            right -= width + px(10)
            if view.emblem:
                side = px(_EMBLEM)
                view.emblem(surface, pygame.Rect(right - side, rect.centery - side // 2, side, side))
                right -= side + px(10)
        name = self._draw_block(surface, view.name, view.note, pygame.Rect(left, 0, right - left, 0), "left")
        if view.is_thinking:
            self._draw_dots(surface, name.right + px(12), name.centery)

    def _draw_block(
        self, surface: pygame.Surface, title: str, note: str, column: pygame.Rect, align: Literal["left", "right"]
    ) -> pygame.Rect:
        """A title and a note below it, in the middle of the card's height; returns the title's rectangle."""
        paint, px = self.paint, self.theme.px
        lines = 1 if self.rect.h < px(72) else 2
        note_height = paint.paragraph_height(note, column.w, "small", lines) if note else 0
        title_height = px(22) if title else 0
        top = self.rect.centery - (title_height + note_height) // 2
        at = (column.right if align == "right" else column.x, top + px(11))
        written = paint.text(
            surface, title, at, "strong", anchor="midright" if align == "right" else "midleft", width=column.w
        )
        if note:
            area = pygame.Rect(column.x, top + title_height, column.w, note_height)
            paint.paragraph(surface, note, area, "small", self.theme.second, align=align, most_lines=lines)
        return written

    def _draw_dots(self, surface: pygame.Surface, left: int, middle: int) -> None:
        """Draw three dots that light up in turn while the player thinks."""
        px = self.theme.px
        lit = int(self._seconds / _DOT_SECONDS * 3) % 3
        for dot in range(3):
            colour = self.view.style.ink if dot == lit else self.theme.line
            self.paint.disc(surface, (left + dot * px(9), middle), px(3), colour)
