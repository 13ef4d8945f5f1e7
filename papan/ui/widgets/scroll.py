"""Something higher than its room, moved by the wheel and the keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.theme import PANEL_RADIUS
from papan.ui.texts import _
from papan.ui.widgets.base import Widget
from papan.ui.widgets.scrolling import BAR, STEP, amount_of_key, thumb_of
from papan.ui.widgets.shortcuts import Shortcut


class Scroll(Widget):
    """The view of something drawn elsewhere. Set ``full_height`` before it is placed."""

    def __init__(self, name: str, draw: Callable[[pygame.Surface, int], object], *, is_ringed: bool = False) -> None:
        """:param draw: called with the surface, clipped to the view, and the y of the top of what is seen through it.
        :param is_ringed: whether a ring is drawn while it has the keyboard: where it is not all there is.
        """
        super().__init__(name)
        self._draw_at = draw
        self._is_ringed = is_ringed
        self.full_height = 0
        """In real pixels."""
        self.top = 0
        """How far it is scrolled, in real pixels."""

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self.scroll_to(self.top)

    def scroll_to(self, top: int) -> None:
        """Have *top* at the upper edge, as far as that can be."""
        self.top = min(max(0, top), max(0, self.full_height - self.rect.h))
        self.invalidate()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.MOUSEWHEEL or not self._is_meant:
            return False
        before = self.top
        self.scroll_to(self.top - event.y * self.theme.px(STEP))
        return self._is_alone or self.top != before

    @property
    def _is_alone(self) -> bool:
        """Whether nothing else in the scene scrolls with it: the page is as large as the window."""
        return self.host is None or self.host.page.is_whole

    @property
    def _is_meant(self) -> bool:
        """Whether the wheel is turned for this."""
        return self._is_alone or self.is_hovered

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
        clip = surface.get_clip()
        surface.set_clip(self.rect.clip(clip))
        self._draw_at(surface, self.rect.y - self.top)
        surface.set_clip(clip)
        if self.full_height > self.rect.h:
            px = self.theme.px
            strip = pygame.Rect(self.rect.right - px(BAR) - px(5), self.rect.y, px(BAR), self.rect.h)
            bar = thumb_of(strip, self.full_height, self.top, self.paint)
            self.paint.rounded_rect(surface, bar, self.theme.line, px(BAR) // 2)
