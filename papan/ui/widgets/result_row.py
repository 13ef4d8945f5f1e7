"""A finished match in a list: the game, the opponents, how it ended; a click opens it again."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.drawing.theme import Colour
from papan.ui.widgets.base import in_one
from papan.ui.widgets.buttons import Pressable


class ResultRow(Pressable):
    """One line with a rule above it."""

    def __init__(
        self,
        title: str,
        note: str,
        outcome: tuple[str, Colour],
        act: Callable[[], object],
        *,
        name: str,
        tooltip: str = "",
    ) -> None:
        """:param outcome: a word for it, and its ink."""
        super().__init__(act, name, tooltip)
        self.title = title
        self.note = note
        self.outcome = outcome

    def utterance(self) -> str:
        return in_one(self.title, self.note, self.outcome[0], self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, rect = self.paint, self.theme, self.theme.px, self.rect
        surface.fill(theme.line, (rect.x, rect.y, rect.w, paint.line_width))
        if self.is_pointed_at:
            ground = pygame.Rect(rect.x - px(6), rect.y + px(3), rect.w + px(12), rect.h - px(5))
            paint.rounded_rect(surface, ground, theme.pressed if self.is_pressed else theme.hover, px(6))
        word, ink = self.outcome
        outcome = paint.text(surface, word, rect.midright, "small strong", ink, anchor="midright")
        room = outcome.x - px(10) - rect.x
        title = paint.text(surface, self.title, rect.midleft, "small", anchor="midleft", width=room)
        rest = room - title.w - px(8)
        if rest > px(24):
            at = (title.right + px(8), rect.centery)
            paint.text(surface, self.note, at, "small", theme.second, anchor="midleft", width=rest)

    def draw_focus(self, surface: pygame.Surface) -> None:
        px = self.theme.px
        inside = pygame.Rect(self.rect.x - px(2), self.rect.y + px(5), self.rect.w + px(4), self.rect.h - px(9))
        self.paint.focus_ring(surface, inside, px(4))
