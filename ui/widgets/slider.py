"""A slider over whole numbers, such as the turns of a match."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.widgets.base import Widget

_TRACK = 6
_KNOB = 9
_PAGE = 10


class Slider(Widget):
    """A whole number from *low* to *high*; arrows change it by one, Page keys by ten, Home and End to the ends."""

    def __init__(
        self, low: int, high: int, value: int, changed: Callable[[int], object], *, name: str, tooltip: str = ""
    ) -> None:
        super().__init__(name, tooltip)
        self.low = low
        self.high = high
        self.value = min(max(value, low), high)
        self.changed = changed
        self._is_dragged = False

    def reach(self, low: int, high: int, value: int) -> None:
        """Have other ends and another value, without telling anyone."""
        value = min(max(value, low), high)
        if (low, high, value) != (self.low, self.high, self.value):
            self.low, self.high, self.value = low, high, value
            self.invalidate()

    def choose(self, value: int) -> None:
        """Take the nearest value there is to *value* and tell whoever wants to know."""
        value = min(max(value, self.low), self.high)
        if value != self.value:
            self.value = value
            self.invalidate()
            self.changed(value)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            self._is_dragged = True
            if self.host is not None:
                self.host.focus(self, by_keyboard=False)
            self.choose(self._value_at(event.pos[0]))
            return True
        if event.type == pygame.MOUSEMOTION and self._is_dragged:
            self.choose(self._value_at(event.pos[0]))
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._is_dragged:
            self._is_dragged = False
            self.invalidate()
            return True
        if event.type == pygame.MOUSEWHEEL and self.is_hovered:
            self.choose(self.value - event.y)
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        steps = {
            pygame.K_LEFT: -1,
            pygame.K_RIGHT: 1,
            pygame.K_DOWN: -1,
            pygame.K_UP: 1,
            pygame.K_PAGEDOWN: -_PAGE,
            pygame.K_PAGEUP: _PAGE,
            pygame.K_HOME: self.low - self.value,
            pygame.K_END: self.high - self.value,
        }
        if event.key not in steps:
            return False
        self.choose(self.value + steps[event.key])
        return True

    def _ends(self) -> tuple[int, int]:
        knob = self.theme.px(_KNOB)
        return self.rect.x + knob, self.rect.right - knob

    def _value_at(self, x: int) -> int:
        left, right = self._ends()
        return self.low + round((x - left) / max(1, right - left) * (self.high - self.low))

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        left, right = self._ends()
        track = pygame.Rect(left, 0, right - left, px(_TRACK))
        track.centery = self.rect.centery
        share = (self.value - self.low) / max(1, self.high - self.low)
        knob = left + round(track.w * share)
        paint.rounded(surface, track, theme.pill, track.h // 2)
        if knob - left > track.h:
            paint.rounded(surface, pygame.Rect(left, track.y, knob - left, track.h), theme.accent, track.h // 2)
        radius = px(_KNOB) + (px(1) if self._is_dragged or self.is_hovered else 0)
        paint.disc(surface, (knob, track.centery), radius, theme.panel)
        paint.disc(surface, (knob, track.centery), radius - px(2), theme.accent)
