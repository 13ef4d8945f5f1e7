"""A match on a card: its board as a picture, what is played against whom, and how it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.theme import PANEL_RADIUS, mix
from papan.ui.widgets.base import in_one
from papan.ui.widgets.buttons import Pressable

_PADDING = 12
_LINE = 18
_TITLE = 22
_LOW_BELOW = 150


class MatchCard(Pressable):
    """One card; a click, or Enter, opens the match."""

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        low_lines: Sequence[str],
        picture: Callable[[tuple[int, int]], pygame.Surface | None],
        act: Callable[[], object],
        *,
        name: str,
        tooltip: str = "",
    ) -> None:
        """:param lines: what stands below the title.
        :param low_lines: what stands there instead where the card is low.
        :param picture: the board in a size, or None while there is no picture.
        """
        super().__init__(act, name, tooltip)
        self.title = title
        self.lines = tuple(lines)
        self.low_lines = tuple(low_lines)
        self._picture = picture

    def utterance(self) -> str:
        return in_one(self.beside, self.title, *self.lines, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        fill = theme.pressed if self.is_pressed else theme.hover if self.is_pointed_at else theme.panel
        line = mix(theme.line, theme.accent, 0.6) if self.is_pointed_at else theme.line
        paint.panel(surface, self.rect, fill=fill, line=line)
        inner = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        lines = self.lines if inner.h >= px(_LOW_BELOW) else self.low_lines
        words = px(_TITLE) + len(lines) * px(_LINE)
        size = (inner.w, inner.h - words - px(8))
        if size[1] > px(40):
            picture = self._picture(size)
            if picture is not None:
                surface.blit(picture, inner.topleft)
            else:
                ground = mix(theme.background, theme.panel, 0.1)
                paint.rounded_rect(surface, pygame.Rect(inner.topleft, size), ground, px(7))
        middle = inner.bottom - words + px(_TITLE) // 2
        paint.text(surface, self.title, (inner.x, middle), "strong", anchor="midleft", width=inner.w)
        middle += px(_TITLE + _LINE) // 2
        for text in lines:
            paint.text(surface, text, (inner.x, middle), "small", theme.second, anchor="midleft", width=inner.w)
            middle += px(_LINE)

    def draw_focus(self, surface: pygame.Surface) -> None:
        self.paint.focus_ring(surface, self.rect, self.theme.px(PANEL_RADIUS))
