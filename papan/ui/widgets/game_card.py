"""A game in the gallery: a picture of its board, its name, its tagline."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.game.facts import Game
from papan.ui.drawing.theme import PANEL_RADIUS, mix
from papan.ui.texts import translated
from papan.ui.widgets.base import in_one
from papan.ui.widgets.buttons import Pressable
from papan.ui.widgets.miniature import board_picture

CARD_TEXT_HEIGHT = 62
"""The height of the part below the picture, in the sketches' pixels."""


class GameCard(Pressable):
    """One card of the gallery; a click, or Enter, opens the game."""

    def __init__(self, game: Game, act: Callable[[], object]) -> None:
        super().__init__(act, f"game {game.name}")
        self.game = game
        self._picture: pygame.Surface | None = None

    @property
    def is_ready(self) -> bool:
        """Whether the picture has been drawn at the present size."""
        return self._picture is not None and self._picture.get_size() == self._picture_rect.size

    @property
    def _picture_rect(self) -> pygame.Rect:
        return pygame.Rect(self.rect.x, self.rect.y, self.rect.w, max(1, self.rect.h - self.theme.px(CARD_TEXT_HEIGHT)))

    def prepare(self) -> None:
        """Draw the picture.

        :raises papan.ui.drawing.pictures.OutOfTimeError: a slice of work is over; what was drawn is kept.
        """
        size, pictures = self._picture_rect.size, self.paint.pictures
        self._picture = pictures.get(("gallery", self.game.name, size), lambda: self._draw_picture(size))
        self.invalidate()

    def _draw_picture(self, size: tuple[int, int]) -> pygame.Surface:
        radius = self.theme.px(PANEL_RADIUS)
        return board_picture(self.paint, self.game, size, None, radius, is_card_top=True)

    def utterance(self) -> str:
        return in_one(translated(self.game.title), translated(self.game.tagline))

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        fill = theme.pressed if self.is_pressed else theme.hover if self.is_pointed_at else theme.panel
        line = mix(theme.line, theme.accent, 0.6) if self.is_pointed_at else theme.line
        paint.panel(surface, self.rect, fill=fill, line=line)
        top = self._picture_rect
        if self._picture is not None and self.is_ready:
            surface.blit(self._picture, top)
        width = paint.line_width
        surface.fill(theme.line, (self.rect.x + width, top.bottom - width, self.rect.w - 2 * width, width))
        left, room = self.rect.x + px(14), self.rect.w - 2 * px(14)
        at = (left, top.bottom + px(21))
        paint.text(surface, translated(self.game.title), at, "heading", anchor="midleft", width=room, shrinks=True)
        tagline = translated(self.game.tagline)
        at = (left, top.bottom + px(42))
        paint.text(surface, tagline, at, "small", theme.second, anchor="midleft", width=room, shrinks=True)

    def draw_focus(self, surface: pygame.Surface) -> None:
        self.paint.focus_ring(surface, self.rect, self.theme.px(PANEL_RADIUS))
