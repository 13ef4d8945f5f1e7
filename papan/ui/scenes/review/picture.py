"""The picture of a review that a person can keep: the board and the charts, without buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

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
        self._board = pygame.Rect(*self._left.topleft, self._left.w, self._left.h - px(_NOTE_HEIGHT) - px(GAP))
        rects = chart_rects(right, px(GAP))
        paintings = [curves_painting(paint, rect, graph) for graph, rect in zip(content.graphs, rects, strict=True)]
        self._curves: dict[int, pygame.Surface] = {}
        """Those that are painted, by the height at which their chart stands."""
        self._surface = pygame.Surface(self._area.size)
        self._before: pygame.Surface | None = None
        """What was there before the part that is being drawn."""
        self._parts: list[Callable[[], None]] = [
            self._draw_ground,
            self._draw_board,
            self._draw_title,
            self._draw_note,
            *(partial(self._draw_chart, *chart) for chart in zip(content.graphs, rects, paintings, strict=True)),
        ]
        """What is still to be drawn."""

    def draw(self) -> pygame.Surface:
        """All of it.

        :raises papan.ui.drawing.pictures.OutOfTimeError: it is not all drawn yet; the next call goes on.
        """
        while self._parts:
            if self._before is None:
                self._before = self._surface.copy()
            else:  # the part was interrupted, and what it has drawn would shine through
                self._surface.blit(self._before, (0, 0))
            self._parts[0]()
            del self._parts[0]
            self._before = None
            self._paint.pictures.pause()
        return self._surface

    def _draw_ground(self) -> None:
        self._surface.fill(self._paint.theme.background)
        self._paint.panel(self._surface, self._board)

    def _draw_board(self) -> None:
        px, content = self._paint.theme.px, self._content
        content.view.layout(self._board.inflate(-2 * px(14), -2 * px(14)))
        content.view.draw(self._surface, content.board_picture)

    def _draw_title(self) -> None:
        px, words = self._paint.theme.px, self._content.words
        title = self._paint.text(self._surface, words[0], (self._left.x, px(34)), "title", anchor="midleft")
        room = self._inner.right - title.right - px(14)
        self._paint.pill(self._surface, words[1], (title.right + px(14), px(34)), width=room)

    def _draw_note(self) -> None:
        paint, px, surface = self._paint, self._paint.theme.px, self._surface
        below = pygame.Rect(self._left.x, self._board.bottom + px(GAP), self._left.w, px(_NOTE_HEIGHT))
        paint.panel(surface, below)
        heading, sentence = self._content.note
        at, width = (below.x + px(16), below.y + px(22)), below.w - px(32)
        paint.text(surface, heading, at, "strong", anchor="midleft", width=width)
        lines = pygame.Rect(below.x + px(16), below.y + px(36), width, 0)
        paint.paragraph(surface, sentence, lines, "text", paint.theme.second, most_lines=2)

    def _draw_chart(self, graph: CurveChart, rect: pygame.Rect, painting: Painting) -> None:
        curves = self._curves.get(rect.y)
        if curves is None:
            curves = self._curves[rect.y] = self._paint.pictures.finish(painting)
            self._paint.pictures.pause()
        draw_chart(self._paint, self._surface, rect, graph, self._content.turn, curves)
