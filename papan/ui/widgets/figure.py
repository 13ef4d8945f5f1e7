"""A figure in a box of its own: its label, its value, and in its tooltip its meaning."""

from __future__ import annotations

import pygame

from papan.ui.widgets.base import Widget, in_one

_PADDING = 13


class Figure(Widget):
    """A label and, below it, a value."""

    def __init__(self, name: str, label: str, tooltip: str, note: str = "") -> None:
        super().__init__(name, tooltip)
        self.label = label
        self.value = ""
        self.note = note
        """Small words beside the value, such as whose it is."""

    def show_value(self, value: str) -> None:
        """Say *value* from now on; ``""`` shows a dash."""
        if value != self.value:
            self.value = value
            self.invalidate()

    def activate(self) -> None:
        """There is nothing to press: the ring brings the tooltip."""

    def utterance(self) -> str:
        return in_one(self.label, self.value, self.note if self.value else "", self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, rect = self.paint, self.theme, self.theme.px, self.rect
        paint.rounded_rect(surface, rect, theme.panel, line=theme.line)
        left, room = rect.x + px(_PADDING), rect.w - 2 * px(_PADDING)
        pitch = min(px(21), rect.h * 2 // 5)
        top = rect.centery - pitch // 2
        paint.text(surface, self.label, (left, top), "small", theme.second, anchor="midleft", width=room)
        value, ink = (self.value, theme.ink) if self.value else ("–", theme.second)
        written = paint.text(surface, value, (left, top + pitch), "heading", ink, anchor="midleft", width=room)
        rest = room - written.w - px(8)
        if self.note and self.value and rest > px(30):
            at = (written.right + px(8), top + pitch)
            paint.text(surface, self.note, at, "small", theme.second, anchor="midleft", width=rest)
