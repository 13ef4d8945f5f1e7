"""The picture of a review that a person can keep: the board and the charts, without buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from papan.ui.boards import BoardView, Picture
from papan.ui.drawing.graphs import CurveChart, curves_painting, draw_chart
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.samples import Painting
from papan.ui.drawing.theme import GAP, MARGIN

_SIZE = (1600, 900)
_TOP = 64
_LEFT_SHARE = 0.4
_NOTE_HEIGHT = 86
_SHARES = (0.46, 0.27, 0.27)
"""The share of the height that each chart takes."""


def chart_rects(area: pygame.Rect, gap: int) -> list[pygame.Rect]:
    """The three charts, one below the other, in *area*."""
    room, top = area.h - gap * (len(_SHARES) - 1), area.y
    rects = []
    for share in _SHARES[:-1]:
        rects.append(pygame.Rect(area.x, top, area.w, round(room * share)))
        top = rects[-1].bottom + gap
    return [*rects, pygame.Rect(area.x, top, area.w, area.bottom - top)]


@dataclass
class Content:
    """What a review's picture shows."""

    view: BoardView
    """A view of its own: it is laid out anew."""
    board_picture: Picture
    """Drawn by the view."""
    graphs: Sequence[CurveChart]
    turn: int
    """The one that the board shows."""
    words: tuple[str, str]
    """The picture's title, and what stands beside it."""
    note: tuple[str, str]
    """What stands below the board: a heading, and a sentence."""


class ReviewPicture:
    """The picture of *content*; painting it goes on where it was interrupted."""

    def __init__(self, paint: Painter, content: Content) -> None:
        self._paint = paint
        self._content = content
        px = paint.theme.px
        self._area = pygame.Rect(0, 0, px(_SIZE[0]), px(_SIZE[1]))
        self._inner = pygame.Rect(px(MARGIN), px(_TOP), self._area.w - 2 * px(MARGIN), 0)
        self._inner.h = self._area.h - px(_TOP) - px(MARGIN)
        self._left = pygame.Rect(*self._inner.topleft, round(self._inner.w * _LEFT_SHARE), self._inner.h)
        right = pygame.Rect(self._left.right + px(GAP), self._inner.y, 0, self._inner.h)
        right.w = self._inner.right - right.x
        self._rects = chart_rects(right, px(GAP))
        self._paintings: list[Painting] = [
            curves_painting(paint, rect, graph) for graph, rect in zip(content.graphs, self._rects, strict=True)
        ]
        self._curves: list[pygame.Surface] = []

    def draw(self) -> pygame.Surface:
        """All of it.

        :raises papan.ui.drawing.pictures.OutOfTimeError: it is not all painted yet.
        """
        for painting in self._paintings[len(self._curves) :]:
            self._curves.append(self._paint.pictures.finish(painting))
        return self._compose()

    def _compose(self) -> pygame.Surface:
        paint, content = self._paint, self._content
        px, theme = paint.theme.px, paint.theme
        surface = pygame.Surface(self._area.size)
        surface.fill(theme.background)
        left = self._left
        board = pygame.Rect(left.x, left.y, left.w, left.h - px(_NOTE_HEIGHT) - px(GAP))
        paint.panel(surface, board)
        content.view.layout(board.inflate(-2 * px(14), -2 * px(14)))
        content.view.draw(surface, content.board_picture)
        title = paint.text(surface, content.words[0], (left.x, px(34)), "title", anchor="midleft")
        room = self._inner.right - title.right - px(14)
        paint.pill(surface, content.words[1], (title.right + px(14), px(34)), width=room)
        below = pygame.Rect(left.x, board.bottom + px(GAP), left.w, px(_NOTE_HEIGHT))
        paint.panel(surface, below)
        heading, sentence = content.note
        at, width = (below.x + px(16), below.y + px(22)), below.w - px(32)
        paint.text(surface, heading, at, "strong", anchor="midleft", width=width)
        lines = pygame.Rect(below.x + px(16), below.y + px(36), width, 0)
        paint.paragraph(surface, sentence, lines, "text", theme.second, most_lines=2)
        for graph, rect, curves in zip(content.graphs, self._rects, self._curves, strict=True):
            draw_chart(paint, surface, rect, graph, content.turn, curves)
        return surface
