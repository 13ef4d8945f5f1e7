"""A list that scrolls: rows drawn by whoever has them, one of them chosen."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.theme import mix
from ui.widgets.base import Widget

_BAR = 6
_WHEEL_ROWS = 3

DrawRow = Callable[[pygame.Surface, pygame.Rect, int], object]
"""Draws the row of that number into a rect."""


class ScrollList(Widget):
    """Rows of one height. Arrows, Page keys, Home and End move the choice; Enter and a second click open it."""

    def __init__(
        self,
        count: int,
        row_height: int,
        draw_row: DrawRow,
        *,
        name: str,
        chosen: int | None = None,
        changed: Callable[[int], object] | None = None,
        opened: Callable[[int], object] | None = None,
    ) -> None:
        """:param row_height: in the sketches' pixels."""
        super().__init__(name)
        self.count = count
        self.chosen = chosen
        self.changed = changed
        self.opened = opened
        self._row_height = row_height
        self._draw_row = draw_row
        self._offset = 0
        self._dragged_from: int | None = None

    def fill(self, count: int, chosen: int | None = None) -> None:
        """Have *count* rows from now on."""
        self.count = count
        self.chosen = None if chosen is None or not count else min(max(chosen, 0), count - 1)
        self._offset = self._clamped(self._offset)
        self.invalidate()

    def choose(self, row: int) -> None:
        """Take *row* and tell whoever wants to know."""
        if not self.count:
            return
        row = min(max(row, 0), self.count - 1)
        self.reveal(row)
        if row != self.chosen:
            self.chosen = row
            self.invalidate()
            if self.changed is not None:
                self.changed(row)

    def reveal(self, row: int) -> None:
        """Scroll so that *row* is in sight."""
        top = row * self._row
        self._scroll_to(min(max(self._offset, top + self._row - self.rect.h), top))

    # ----------------------------------------------------------------------------------- geometry

    @property
    def _row(self) -> int:
        return self.theme.px(self._row_height)

    @property
    def _farthest(self) -> int:
        return max(0, self.count * self._row - self.rect.h)

    def _clamped(self, offset: int) -> int:
        return min(max(offset, 0), self._farthest) if self.host is not None else offset

    def _scroll_to(self, offset: int) -> None:
        if self._clamped(offset) != self._offset:
            self._offset = self._clamped(offset)
            self.invalidate()

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._offset = self._clamped(self._offset)

    def row_at(self, point: tuple[int, int]) -> int | None:
        """The row under *point*."""
        row = (point[1] - self.rect.y + self._offset) // self._row
        return row if self.rect.collidepoint(point) and 0 <= row < self.count else None

    def _thumb(self) -> pygame.Rect | None:
        """The bar that says how far the list is scrolled, if it does not all fit."""
        if not self._farthest:
            return None
        px = self.theme.px
        height = max(px(24), self.rect.h * self.rect.h // (self.count * self._row))
        top = self.rect.y + (self.rect.h - height) * self._offset // self._farthest
        return pygame.Rect(self.rect.right - px(_BAR), top, px(_BAR), height)

    # -------------------------------------------------------------------------------------- events

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self.is_hovered:
            self._scroll_to(self._offset - event.y * _WHEEL_ROWS * self._row)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            return self._pressed(event.pos)
        if event.type == pygame.MOUSEMOTION and self._dragged_from is not None:
            thumb = self._thumb()
            travel = self.rect.h - thumb.h if thumb else 0
            if travel:
                self._scroll_to((event.pos[1] - self._dragged_from - self.rect.y) * self._farthest // travel)
            return True
        if event.type == pygame.MOUSEBUTTONUP and self._dragged_from is not None:
            self._dragged_from = None
            return True
        return False

    def _pressed(self, point: tuple[int, int]) -> bool:
        if self.host is not None:
            self.host.focus(self, by_keyboard=False)
        thumb = self._thumb()
        if thumb is not None and point[0] >= thumb.x:
            self._dragged_from = point[1] - thumb.y if thumb.collidepoint(point) else thumb.h // 2
            return True
        row = self.row_at(point)
        if row is not None:
            if row == self.chosen and self.opened is not None:
                self.opened(row)
            else:
                self.choose(row)
        return True

    def key(self, event: pygame.event.Event) -> bool:
        here = -1 if self.chosen is None else self.chosen
        page = max(1, self.rect.h // self._row - 1)
        moves = {
            pygame.K_UP: here - 1,
            pygame.K_DOWN: here + 1,
            pygame.K_PAGEUP: here - page,
            pygame.K_PAGEDOWN: here + page,
            pygame.K_HOME: 0,
            pygame.K_END: self.count - 1,
        }
        if event.key in moves:
            self.choose(moves[event.key])
            return True
        return super().key(event)

    def activate(self) -> None:
        if self.chosen is not None and self.opened is not None:
            self.opened(self.chosen)

    # ------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        before = surface.get_clip()
        surface.set_clip(self.rect.clip(before))
        thumb = self._thumb()
        width = self.rect.w - (px(_BAR + 6) if thumb else 0)
        first, last = self._offset // self._row, min(self.count - 1, (self._offset + self.rect.h) // self._row)
        for row in range(first, last + 1):
            place = pygame.Rect(self.rect.x, self.rect.y + row * self._row - self._offset, width, self._row)
            if row == self.chosen:
                paint.rounded(surface, place, theme.pill, px(8))
            self._draw_row(surface, place, row)
        if thumb is not None:
            paint.rounded(surface, thumb, mix(theme.second, theme.panel, 0.5), thumb.w // 2)
        surface.set_clip(before)
