"""Small controls: a switch, a row of segments, a slider."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pygame

from papan.ui.drawing.theme import BUTTON_RADIUS, TextStyle, mix
from papan.ui.texts import N_, _
from papan.ui.widgets.base import Part, Widget, join_phrases
from papan.ui.widgets.buttons import Pressable
from papan.ui.widgets.dropdown import Item

_SWITCH = (42, 24)
_LOW = 38
"""A switch lower than this has its note next to its label, not below it."""
_TRACK = 6
_KNOB = 9
_PAGES = 10
"""The number of presses of Page Down for the whole range."""


class Toggle(Pressable):
    """A switch with its label on the left; a click on either toggles it."""

    role = "switch"

    def __init__(
        self, label: str, is_on: bool, changed: Callable[[bool], object], *, note: str = "", name: str = ""
    ) -> None:
        super().__init__(self._toggle, name or label)
        self.label = label
        self.note = note
        self.is_on = is_on
        self.changed = changed

    def _toggle(self) -> None:
        self.is_on = not self.is_on
        self.invalidate()
        self.changed(self.is_on)

    def utterance(self) -> str:
        return join_phrases(self.label, _("on") if self.is_on else _("off"), self.note)

    def name_and_value(self) -> tuple[str, str]:
        return join_phrases(self.label, self.note), ""

    @property
    def is_checked(self) -> bool:
        return self.is_on

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        switch = pygame.Rect(0, 0, px(_SWITCH[0]), px(_SWITCH[1]))
        switch.midright = self.rect.midright
        room = self.rect.w - switch.w - px(16)
        middle = self.rect.centery
        is_low = self.rect.h < px(_LOW)
        above = px(10) if self.note and not is_low else 0
        label_at = (self.rect.x, middle - above)
        label = paint.text(surface, self.label, label_at, "text", anchor="midleft", width=room)
        if self.note:
            at = (label.right + px(12), middle) if is_low else (self.rect.x, middle + px(10))
            left = self.rect.x + room - at[0]
            paint.text(surface, self.note, at, "small", theme.second, anchor="midleft", width=left)
        ground = theme.accent if self.is_on else mix(theme.pill, theme.second, 0.25)
        if self.is_pointed_at:
            ground = mix(ground, theme.ink, 0.1)
        paint.rounded_rect(surface, switch, ground, switch.h // 2)
        knob = (switch.right - switch.h // 2 if self.is_on else switch.x + switch.h // 2, switch.centery)
        paint.disc(surface, knob, switch.h / 2 - px(3), theme.on_accent if self.is_on else theme.panel)


class Segments(Widget):
    """One of a few choices side by side; Left and Right change it."""

    role = "choices"
    waits_when_new = True
    key_help: Mapping[str, str] = {"Left  Right": N_("previous, next option of a row")}

    def __init__(
        self, items: Sequence[Item], value: str, changed: Callable[[str], object], *, name: str, tooltip: str = ""
    ) -> None:
        super().__init__(name, tooltip)
        self.items = tuple(items)
        self.value = value
        self.changed = changed

    def choose(self, value: str) -> None:
        """Choose *value*; call ``changed`` if it is new."""
        if self.change(value=value):
            self.changed(value)

    def _index(self) -> int:
        return next((index for index, item in enumerate(self.items) if item.value == self.value), 0)

    def _segment_rect(self, index: int) -> pygame.Rect:
        inner = self.rect.inflate(-self.theme.px(6), -self.theme.px(6))
        left, right = (inner.x + inner.w * edge // len(self.items) for edge in (index, index + 1))
        return pygame.Rect(left, inner.y, right - left, inner.h)

    def part_at(self, point: tuple[int, int]) -> int | None:
        indices = range(len(self.items))
        return next((index for index in indices if self._segment_rect(index).collidepoint(point)), None)

    def press(self, point: tuple[int, int]) -> bool:
        index = self.part_at(point)
        if index is not None:
            self.take_focus()
            self.choose(self.items[index].value)
        return index is not None

    def key(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            index = self._index() + (1 if event.key == pygame.K_RIGHT else -1)
            self.choose(self.items[min(max(index, 0), len(self.items) - 1)].value)
            return True
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.choose(self.items[(self._index() + 1) % len(self.items)].value)
            return True
        return False

    def utterance(self) -> str:
        return join_phrases(self.beside, self.items[self._index()].label, self.tooltip)

    def name_and_value(self) -> tuple[str, str]:
        return join_phrases(self.beside, self.tooltip), self.items[self._index()].label

    def parts(self) -> Sequence[Part]:
        return [
            Part(index, self._segment_rect(index), item.label, is_chosen=item.value == self.value)
            for index, item in enumerate(self.items)
        ]

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        paint.rounded_rect(surface, self.rect, theme.background, px(BUTTON_RADIUS), line=theme.line)
        style = self._style
        for index, item in enumerate(self.items):
            segment = self._segment_rect(index)
            is_chosen = item.value == self.value
            if is_chosen:
                ground = theme.accent if self.is_enabled else mix(theme.accent, theme.background, 0.6)
                paint.rounded_rect(surface, segment, ground, px(BUTTON_RADIUS - 3))
            elif index == self.part_under:
                paint.rounded_rect(surface, segment, theme.pressed, px(BUTTON_RADIUS - 3))
            ink = theme.on_accent if is_chosen else theme.ink
            ink = ink if self.is_enabled else mix(ink, theme.panel, 0.0 if is_chosen else 0.6)
            paint.text(surface, item.label, segment.center, style, ink, anchor="center", width=segment.w - px(6))

    @property
    def _style(self) -> TextStyle:
        """The largest style that fits all labels, or the smallest."""
        widest = max((item.label for item in self.items), key=lambda label: self.paint.width(label, "label"))
        return self.paint.fitting_style(widest, self._segment_rect(0).w - self.theme.px(10), "label")


def value_after_key(value: int, most: int, key: int) -> int | None:
    """The value after *key* was pressed at *value* on a scale from 0 to *most*; None for other keys.

    >>> [value_after_key(4, 23, key) for key in (pygame.K_RIGHT, pygame.K_END, pygame.K_PAGEUP, pygame.K_a)]
    [5, 23, 1, None]
    """
    target = {
        pygame.K_LEFT: value - 1,
        pygame.K_RIGHT: value + 1,
        pygame.K_HOME: 0,
        pygame.K_END: most,
        pygame.K_PAGEUP: value_after_pages(value, most, -1),
        pygame.K_PAGEDOWN: value_after_pages(value, most, 1),
    }.get(key)
    return None if target is None else min(most, max(0, target))


def value_after_pages(value: int, most: int, pages: int) -> int:
    """The value *pages* pages after *value* (before, if negative) on a scale from 0 to *most*.

    >>> value_after_pages(4, 23, -1), value_after_pages(4, 23, 1), value_after_pages(4, 23, -2)
    (1, 7, 0)
    """
    return min(most, max(0, value + pages * max(1, -(-most // _PAGES))))


class Slider(Widget):
    """A track with a knob."""

    role = "slider"
    key_help: Mapping[str, str] = {"Left  Right  PgUp  PgDn  Home  End": N_("move the slider")}

    def __init__(self, name: str, most: int, changed: Callable[[int], object], tooltip: str = "") -> None:
        super().__init__(name, tooltip)
        self.value = 0
        self.most = most
        self.origin = 0
        """The track is filled from this value."""
        self.turns_by_wheel = True
        """Whether the wheel moves the knob; off where the wheel should scroll the page."""
        self.value_in_words = ""
        """Spoken in place of the number."""
        self._changed = changed

    def show_value(self, value: int) -> None:
        self.change(value=value)

    @property
    def _track(self) -> pygame.Rect:
        """The line along which the knob's middle moves."""
        px = self.theme.px
        reach = px(_KNOB) + px(2)
        track = pygame.Rect(self.rect.x + reach, 0, max(1, self.rect.w - 2 * reach), px(_TRACK))
        track.centery = self.rect.centery
        return track

    def x_of(self, value: int) -> int:
        track = self._track
        return track.x + round(track.w * value / max(1, self.most))

    def _choose(self, value: int) -> None:
        if value != self.value:
            self._changed(value)

    def takes_drag(self, point: tuple[int, int]) -> bool:
        return True

    def press(self, point: tuple[int, int]) -> bool:
        self.take_focus()
        return self.drag(point)

    def drag(self, point: tuple[int, int]) -> bool:
        track = self._track
        share = min(1.0, max(0.0, (point[0] - track.x) / track.w))
        self._choose(round(share * self.most))
        return True

    def turn_wheel(self, notches: int) -> bool:
        if self.turns_by_wheel:
            self._choose(min(self.most, max(0, self.value - notches)))
        return self.turns_by_wheel

    def key(self, event: pygame.event.Event) -> bool:
        target = value_after_key(self.value, self.most, event.key)
        if target is None:
            return False
        self._choose(target)
        return True

    def utterance(self) -> str:
        place = self.name_and_value()[1]
        return join_phrases(self.beside, place, self.tooltip)

    def name_and_value(self) -> tuple[str, str]:
        place = self.value_in_words or _("{place} of {count}").format(place=self.value, count=self.most)
        return join_phrases(self.beside, self.tooltip), place

    @property
    def numeric_value(self) -> tuple[int, int]:
        return self.value, self.most

    def take_value(self, text: str) -> None:
        self._choose(min(self.most, max(0, round(float(text)))))

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
