"""A slider: a whole number from 0 to the most, by mouse, wheel or keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.texts import _
from papan.ui.widgets.base import Widget, in_one
from papan.ui.widgets.shortcuts import Shortcut

_TRACK = 6
_KNOB = 9
_PAGES = 10
"""How many presses of Page Down go the whole way."""


def jump(value: int, most: int, key: int) -> int | None:
    """The value that *key* leads to from *value* on a scale from 0 to *most*; None for a key that leads nowhere.

    >>> jump(4, 23, pygame.K_RIGHT), jump(4, 23, pygame.K_END), jump(4, 23, pygame.K_PAGEUP), jump(4, 23, pygame.K_a)
    (5, 23, 1, None)
    """
    target = {
        pygame.K_LEFT: value - 1,
        pygame.K_RIGHT: value + 1,
        pygame.K_HOME: 0,
        pygame.K_END: most,
        pygame.K_PAGEUP: leap(value, most, -1),
        pygame.K_PAGEDOWN: leap(value, most, 1),
    }.get(key)
    return None if target is None else min(most, max(0, target))


def leap(value: int, most: int, pages: int) -> int:
    """The value so many *pages* on from *value*, or back, on a scale from 0 to *most*.

    >>> leap(4, 23, -1), leap(4, 23, 1), leap(4, 23, -2)
    (1, 7, 0)
    """
    return min(most, max(0, value + pages * max(1, -(-most // _PAGES))))


class Slider(Widget):
    """A track with a knob."""

    def __init__(self, name: str, most: int, changed: Callable[[int], object], tooltip: str = "") -> None:
        """:param changed: called with the number that a person has chosen."""
        super().__init__(name, tooltip)
        self.value = 0
        self.most = most
        self.origin = 0
        """From where on the track is filled."""
        self.turns_by_wheel = True
        """Whether the wheel moves the knob: not where the wheel is rather meant for the page."""
        self.value_in_words = ""
        """What is spoken in place of the number."""
        self._changed = changed

    def show_value(self, value: int) -> None:
        """Put the knob at *value*."""
        if value != self.value:
            self.value = value
            self.invalidate()

    @property
    def _track(self) -> pygame.Rect:
        """The line that the middle of the knob moves along."""
        px = self.theme.px
        reach = px(_KNOB) + px(2)
        track = pygame.Rect(self.rect.x + reach, 0, max(1, self.rect.w - 2 * reach), px(_TRACK))
        track.centery = self.rect.centery
        return track

    def x_of(self, value: int) -> int:
        """The x of the knob's middle for *value*."""
        track = self._track
        return track.x + round(track.w * value / max(1, self.most))

    def _choose(self, value: int) -> None:
        if value != self.value:
            self._changed(value)

    def _choose_at(self, point: tuple[int, int]) -> None:
        track = self._track
        share = min(1.0, max(0.0, (point[0] - track.x) / track.w))
        self._choose(round(share * self.most))

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            if self.host is not None:
                self.host.focus(self, by_keyboard=False)
            self._choose_at(event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            return self.is_held
        if event.type == pygame.MOUSEMOTION and self.is_held:
            self._choose_at(event.pos)
            return True
        if event.type == pygame.MOUSEWHEEL and self.is_hovered and self.turns_by_wheel:
            self._choose(min(self.most, max(0, self.value - event.y)))
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        target = jump(self.value, self.most, event.key)
        if target is None:
            return False
        self._choose(target)
        return True

    def keys(self) -> Sequence[Shortcut]:
        return (Shortcut("Left  Right  PgUp  PgDn  Home  End", _("move the slider")),)

    def utterance(self) -> str:
        place = self.value_in_words or _("{place} of {count}").format(place=self.value, count=self.most)
        return in_one(self.beside, place, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, track = self.paint, self.theme, self.theme.px, self._track
        paint.rounded_rect(surface, track, theme.pill, track.h // 2)
        knob = self.x_of(self.value)
        left, right = sorted((knob, self.x_of(self.origin)))
        done = pygame.Rect(left, track.y, max(track.h, right - left), track.h)
        paint.rounded_rect(surface, done, theme.accent, track.h // 2)
        if self.origin:
            mark = pygame.Rect(self.x_of(self.origin) - px(1), track.centery - px(_KNOB), px(2), 2 * px(_KNOB))
            paint.rounded_rect(surface, mark, theme.second, 0)
        radius = px(_KNOB) + (px(1) if self.is_held or self.is_hovered else 0)
        paint.disc(surface, (knob, track.centery), radius + px(2), theme.panel)
        paint.disc(surface, (knob, track.centery), radius, theme.accent)
