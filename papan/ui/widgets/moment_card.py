"""A moment of a match to look at again: a small picture of the board, and a few words; a click opens it."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.boards import BoardView, Picture
from papan.ui.drawing.theme import BUTTON_RADIUS, TextStyle
from papan.ui.widgets.base import in_one
from papan.ui.widgets.buttons import Pressable

CAPTION_HEIGHT = 40
_AIR = 5
_STYLE: TextStyle = "small"


class MomentCard(Pressable):
    """The board as it was, above a caption of at most two lines."""

    def __init__(self, view: BoardView, act: Callable[[], object], *, name: str) -> None:
        """:param view: a board of the card's own."""
        super().__init__(act, name)
        self.view = view
        self.captions: tuple[str, ...] = ("",)
        self._picture: Picture | None = None

    def show_moment(self, picture: Picture, *captions: str) -> None:
        """Show *picture* from now on, and say the first of *captions*, or one behind it where there is no room."""
        self._picture, self.captions, self.tooltip = picture, captions, captions[0]
        self.invalidate()

    def caption(self, width: int) -> str:
        """The first of its captions whose lines are no wider than *width*; the last where none has so little."""
        fitting = (
            caption
            for caption in self.captions
            if all(self.paint.width(line, _STYLE) <= width for line in caption.split("\n"))
        )
        return next(fitting, self.captions[-1])

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        air = self.theme.px(_AIR)
        board = pygame.Rect(rect.x, rect.y, rect.w, max(1, rect.h - self.theme.px(CAPTION_HEIGHT)))
        self.view.layout(board.inflate(-2 * air, -2 * air))

    def utterance(self) -> str:
        return in_one(self.tooltip.replace("\n", ". "))

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px, rect = self.theme, self.paint, self.theme.px, self.rect
        fill = theme.pressed if self.is_pressed else theme.hover if self.is_pointed_at else theme.panel
        paint.rounded_rect(surface, rect, fill, px(BUTTON_RADIUS), line=theme.line)
        if self._picture is not None:
            self.view.draw(surface, self._picture)
        below = pygame.Rect(rect.x + px(4), rect.bottom - px(CAPTION_HEIGHT), rect.w - px(8), px(CAPTION_HEIGHT))
        paint.paragraph(surface, self.caption(below.w), below, _STYLE, theme.second, align="center", most_lines=2)
