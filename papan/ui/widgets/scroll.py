"""Something higher than its room, moved by the wheel and the keys."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.drawing.theme import PANEL_RADIUS
from papan.ui.widgets.base import Widget

_BAR = 5
_STEP = 60
"""For an arrow key or a notch of the wheel, in the sketches' pixels."""
_SHORTEST_BAR = 30


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
        if event.type == pygame.MOUSEWHEEL:
            self.scroll_to(self.top - event.y * self.theme.px(_STEP))
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        step = self.theme.px(_STEP)
        page = max(step, self.rect.h - step)
        amount = {
            pygame.K_UP: -step,
            pygame.K_DOWN: step,
            pygame.K_PAGEUP: -page,
            pygame.K_PAGEDOWN: page,
            pygame.K_SPACE: page,
            pygame.K_HOME: -self.full_height,
            pygame.K_END: self.full_height,
        }.get(event.key)
        if amount is None:
            return False
        self.scroll_to(self.top + amount)
        return True

    def draw_focus(self, surface: pygame.Surface) -> None:
        if self._is_ringed:
            self.paint.focus_ring(surface, self.rect, self.theme.px(PANEL_RADIUS - 5))

    def draw(self, surface: pygame.Surface) -> None:
        clip = surface.get_clip()
        surface.set_clip(self.rect.clip(clip))
        self._draw_at(surface, self.rect.y - self.top)
        surface.set_clip(clip)
        spare = self.full_height - self.rect.h
        if spare > 0:
            px = self.theme.px
            height = max(px(_SHORTEST_BAR), self.rect.h * self.rect.h // self.full_height)
            top = self.rect.y + (self.rect.h - height) * self.top // spare
            bar = pygame.Rect(self.rect.right - px(_BAR) - px(5), top, px(_BAR), height)
            self.paint.rounded_rect(surface, bar, self.theme.line, px(_BAR) // 2)
