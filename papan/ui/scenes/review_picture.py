"""The picture of a review that a person can keep: the board and the charts, without buttons."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

import pygame

from papan.game.base.places import data_folder, make_private_folder, pictures_folder
from papan.game.facts import Game
from papan.ui.boards import BoardView, Picture
from papan.ui.drawing.graphs import CurveChart, draw_chart
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import GAP, MARGIN

_SIZE = (1600, 900)
_TOP = 64
_LEFT_SHARE = 0.4
_NOTE_HEIGHT = 86
_SHARES = (0.46, 0.27, 0.27)
"""The share of the height that each chart takes."""


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


def compose(
    paint: Painter,
    view: BoardView,
    board_picture: Picture,
    graphs: Sequence[CurveChart],
    turn: int,
    words: tuple[str, str],
    note: tuple[str, str],
) -> pygame.Surface:
    """The picture of a review.

    :param view: a view of its own: it is laid out anew.
    :param board_picture: drawn by *view*.
    :param turn: the one that the board shows.
    :param words: the picture's title, and what stands beside it.
    :param note: what stands below the board: a heading, and a sentence.
    """
    px, theme = paint.theme.px, paint.theme
    surface = pygame.Surface((px(_SIZE[0]), px(_SIZE[1])))
    surface.fill(theme.background)
    margin, gap = px(MARGIN), px(GAP)
    title = paint.text(surface, words[0], (margin, px(34)), "title", anchor="midleft")
    room = surface.get_width() - margin - title.right - px(14)
    paint.pill(surface, words[1], (title.right + px(14), px(34)), width=room)
    inner = pygame.Rect(margin, px(_TOP), surface.get_width() - 2 * margin, surface.get_height() - px(_TOP) - margin)
    left = pygame.Rect(inner.x, inner.y, round(inner.w * _LEFT_SHARE), inner.h)
    board = pygame.Rect(left.x, left.y, left.w, left.h - px(_NOTE_HEIGHT) - gap)
    paint.panel(surface, board)
    view.layout(board.inflate(-2 * px(14), -2 * px(14)))
    view.draw(surface, board_picture)
    below = pygame.Rect(left.x, board.bottom + gap, left.w, px(_NOTE_HEIGHT))
    paint.panel(surface, below)
    paint.text(
        surface, note[0], (below.x + px(16), below.y + px(22)), "strong", anchor="midleft", width=below.w - px(32)
    )
    lines = pygame.Rect(below.x + px(16), below.y + px(36), below.w - px(32), 0)
    paint.paragraph(surface, note[1], lines, "text", theme.second, most_lines=2)
    right = pygame.Rect(left.right + gap, inner.y, inner.right - left.right - gap, inner.h)
    for graph, rect in zip(graphs, chart_rects(right, gap), strict=True):
        draw_chart(paint, surface, rect, graph, turn)
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
