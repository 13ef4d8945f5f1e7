"""The list of turns: a row a round, a column a seat, always scrolled to the turn being played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from papan.ui.drawing.theme import Colour, TextStyle
from papan.ui.texts import _, plural
from papan.ui.widgets.base import Widget

_ROW = 31
_HEAD = 44
_NUMBER = 34
_PADDING = 16
_BAR = 4


@dataclass(frozen=True)
class Entry:
    """A turn in the list."""

    seat: int
    text: str
    ink: Colour | None = None
    """Its colour, where it is not the ordinary one: a turn that is still going on."""


def rows_of(entries: Sequence[Entry]) -> list[list[Entry]]:
    """The entries in rounds: a new row begins where a seat comes that is not after the one before."""
    rows: list[list[Entry]] = []
    for entry in entries:
        if not rows or rows[-1][-1].seat >= entry.seat:
            rows.append([])
        rows[-1].append(entry)
    return rows


class TurnList(Widget):
    """Draws the turns; the wheel and the keyboard scroll."""

    def __init__(self, seats: int) -> None:
        super().__init__("turns")
        self._seats = seats
        self.rows: list[list[Entry]] = []
        """The turns in rounds."""
        self.played = 0
        """How many of them are complete."""
        self._top = 0.0

    def show_turns(self, entries: Sequence[Entry], played: int) -> None:
        """List *entries*, of which *played* are complete, and scroll to the last one."""
        rows = rows_of(entries)
        if rows != self.rows or played != self.played:
            self.rows, self.played = rows, played
            self._top = self._lowest_top()
            self.invalidate()

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._top = self._lowest_top()

    @property
    def _view_height(self) -> int:
        return max(0, self.rect.h - self.theme.px(_HEAD) - self.theme.px(10))

    def _lowest_top(self) -> float:
        return max(0, len(self.rows) * self.theme.px(_ROW) - self._view_height) if self.host else 0

    def _scroll(self, rows: float) -> None:
        top = min(max(0.0, self._top + rows * self.theme.px(_ROW)), self._lowest_top())
        if top != self._top:
            self._top = top
            self.invalidate()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self.is_hovered:
            self._scroll(-2 * event.y)
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        page = max(1, self._view_height // self.theme.px(_ROW) - 1)
        amount = {
            pygame.K_UP: -1,
            pygame.K_DOWN: 1,
            pygame.K_PAGEUP: -page,
            pygame.K_PAGEDOWN: page,
            pygame.K_HOME: -len(self.rows),
            pygame.K_END: len(self.rows),
        }.get(event.key)
        if amount is None:
            return False
        self._scroll(amount)
        return True

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        paint.panel(surface, self.rect)
        head = self.rect.y + px(_HEAD) // 2 + px(2)
        paint.text(surface, _("Turns"), (self.rect.x + px(_PADDING), head), "strong", anchor="midleft")
        played = plural("{count} played", "{count} played", self.played)
        paint.pill(surface, played, (self.rect.right - px(_PADDING), head), anchor="midright")
        view = pygame.Rect(self.rect.x + 1, self.rect.y + px(_HEAD), self.rect.w - 2, self._view_height)
        if not self.rows:
            paint.text(
                surface, _("The first turn is still to come."), (view.x + px(_PADDING), view.y + px(14)), "small",
                theme.second, anchor="midleft",
            )  # fmt: skip
            return
        clip = surface.get_clip()
        surface.set_clip(view.clip(clip))
        first = int(self._top // px(_ROW))
        for number in range(first, min(len(self.rows), first + self._view_height // px(_ROW) + 2)):
            self._draw_row(surface, number, round(view.y + number * px(_ROW) - self._top))
        surface.set_clip(clip)
        self._draw_bar(surface, view)

    def _draw_row(self, surface: pygame.Surface, number: int, top: int) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        row = self.rows[number]
        box = pygame.Rect(self.rect.x + px(5), top, self.rect.w - 2 * px(5), px(_ROW))
        if number == len(self.rows) - 1:
            paint.rounded_rect(surface, box.inflate(0, -px(2)), theme.pill if theme.is_dark else theme.pressed, px(6))
        left = self.rect.x + px(_PADDING)
        paint.text(surface, f"{number + 1}.", (left, box.centery), "text", theme.second, anchor="midleft", tabular=True)
        left += px(_NUMBER)
        width = (self.rect.right - px(_PADDING) - left) // self._seats
        for entry in row:
            at = (left + max(0, entry.seat) * width, box.centery)
            style: TextStyle = "strong" if entry.ink else "text"
            ink = entry.ink or theme.ink
            paint.text(surface, entry.text, at, style, ink, anchor="midleft", width=width - px(6), tabular=True)

    def _draw_bar(self, surface: pygame.Surface, view: pygame.Rect) -> None:
        lowest = self._lowest_top()
        if lowest <= 0:
            return
        px = self.theme.px
        full = len(self.rows) * px(_ROW)
        height = max(px(24), view.h * view.h // full)
        top = view.y + round((view.h - height) * self._top / lowest)
        bar = pygame.Rect(self.rect.right - px(_BAR) - px(4), top, px(_BAR), height)
        self.paint.rounded_rect(surface, bar, self.theme.line, px(_BAR) // 2)
