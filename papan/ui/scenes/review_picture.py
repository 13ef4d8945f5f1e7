"""The picture of a review that a person can keep: the board and the charts, without buttons.

It is made in the course of several frames, and written beside the window.
"""

from __future__ import annotations

import datetime
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pygame

from papan.game.base.places import data_folder, make_private_folder, pictures_folder
from papan.game.facts import Game
from papan.ui.boards import BoardView, Picture
from papan.ui.drawing.graphs import CurveChart, curves_painting, draw_chart
from papan.ui.drawing.lettering import OutOfTimeError
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.samples import Painting
from papan.ui.drawing.theme import GAP, MARGIN

_SIZE = (1600, 900)
_TOP = 64
_LEFT_SHARE = 0.4
_NOTE_HEIGHT = 86
_SHARES = (0.46, 0.27, 0.27)
"""The share of the height that each chart takes."""
_SLICE_SECONDS = 0.01
"""Of a frame, for the picture."""


class PictureError(Exception):
    """A picture that can't be saved; the message says why."""


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


class PictureSaving:
    """The picture of *content*, made and saved little by little; all methods are for the window's thread."""

    def __init__(self, paint: Painter, game: Game, content: Content) -> None:
        self._paint = paint
        self._game = game
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
        self._thread: threading.Thread | None = None
        self._outcome: Path | PictureError | None = None

    def go_on(self) -> Path | PictureError | None:
        """Do some more; returns where the picture is, or why it is nowhere, once that is known."""
        self._go_on_for(_SLICE_SECONDS)
        return self._outcome

    def finish(self) -> Path | PictureError | None:
        """Do all the rest at once."""
        self._go_on_for(math.inf)
        if self._thread is not None:
            self._thread.join()
        return self._outcome

    def _go_on_for(self, seconds: float) -> None:
        if self._thread is None:
            picture = self._compose_for(seconds)
            if picture is not None:
                self._thread = threading.Thread(target=self._save, args=(picture,), name="picture")
                self._thread.start()

    def _save(self, picture: pygame.Surface) -> None:
        try:
            self._outcome = save_picture(picture, self._game)
        except PictureError as error:
            self._outcome = error

    def _compose_for(self, seconds: float) -> pygame.Surface | None:
        """The picture, unless some of what it is made of is not painted within *seconds*: that goes on another time."""
        pictures = self._paint.pictures
        try:
            with pictures.slice_of_work(seconds):
                for painting in self._paintings[len(self._curves) :]:
                    self._curves.append(pictures.finish(painting))
                return self._compose()
        except OutOfTimeError:
            return None

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


def save_picture(picture: pygame.Surface, game: Game, today: datetime.date | None = None) -> Path:
    """Write *picture* as a PNG file where a person looks for pictures, else among the program's own; returns its path.

    :raises PictureError: it can't be written anywhere.
    """
    name = f"Papan {game.name} {(today or datetime.date.today()).isoformat()}"
    trouble = ""
    for folder in (pictures_folder(), data_folder()):
        try:
            make_private_folder(folder)
            path = _free_name(folder, name)
            pygame.image.save(picture, path)
        except (OSError, pygame.error) as error:
            trouble = str(error)
        else:
            return path
    raise PictureError(trouble)


def _free_name(folder: Path, name: str) -> Path:
    """A path in *folder* that no file has."""
    path, number = folder / f"{name}.png", 1
    while path.exists():
        number += 1
        path = folder / f"{name} ({number}).png"
    return path
