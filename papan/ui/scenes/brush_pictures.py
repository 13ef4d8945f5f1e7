"""Pictures of a palette's brushes: each as the game's board draws it on a cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pygame

from papan.game.game import Game
from papan.game.presentation import Brush
from papan.game.rules import State
from papan.ui.boards import Picture, board_of
from papan.ui.drawing.paint import Painter
from papan.ui.play.position_editor import PositionEditor

_BOARD = 9
"""The size of the board as a multiple of the picture, at first."""
_AROUND = 1.12
"""The part shown, as a multiple of the piece's size."""
_BESIDE = 0.6
"""How far a piece can extend beyond its cell, as a share of the cell."""


class _Part(NamedTuple):
    """The surroundings of a cell of a board."""

    picture: pygame.Surface
    area: pygame.Rect
    """The area on the board."""
    cell: pygame.Rect
    """The cell's rectangle on the board."""


class BrushPictures:
    """Pictures of brushes, cut out of boards with nothing else on them.

    Boards are large: the parts are cached, so that drawing resumes in the next frame.
    """

    def __init__(self, game: Game, paint: Painter, editor: PositionEditor) -> None:
        self._game, self._paint, self._editor = game, paint, editor
        self._view = board_of(game, paint)
        self._view.is_still = self._view.is_edited = True
        self._parts: dict[tuple[object, ...], _Part] = {}

    def draw(self, brush: Brush, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Draw the piece of *brush*, as large as fits into *rect*."""
        first = self._view.first_cursor(self._editor.state)
        found = self._editor.alone(brush, (first, 0, 1))
        if found is None:
            return
        key = ("brush", self._game.name, self._view.style, brush, found, rect.size)
        picture = self._paint.pictures.get(key, lambda: self._cut_out(*found, rect.size))
        surface.blit(picture, picture.get_rect(center=rect.center))

    def _cut_out(self, state: State, cell: int, size: tuple[int, int]) -> pygame.Surface:
        """Return the piece on *cell*, drawn to fill *size*."""
        side = _BOARD * max(size)
        for _ in range(2):  # cells are not exactly proportional to the board: the second pass corrects the size
            part = self._part(state, cell, side)
            bare = self._part(self._editor.bare, cell, side, part.area)
            changed = _difference(part.picture, bare.picture).move(part.area.topleft).clip(part.cell)
            cut = changed if changed else part.cell
            wide = round(max(cut.size) * _AROUND)
            cut = pygame.Rect(cut.centerx - wide // 2, cut.centery - wide // 2, wide, wide).clip(part.area)
            side = max(8, round(side * max(size) / wide))
        shrunk = min(1.0, size[0] / cut.w, size[1] / cut.h)
        inner = cut.move(-part.area.x, -part.area.y)
        return pygame.transform.smoothscale_by(part.picture.subsurface(inner), shrunk)

    def _part(self, state: State, cell: int, side: int, area: pygame.Rect | None = None) -> _Part:
        """Return the surroundings of *cell* on a board in a square of *side* pixels.

        :param area: the part of the board; default: the cell and its surroundings.
        """
        key = state, cell, side, tuple(area) if area is not None else None
        if key not in self._parts:
            board = pygame.Surface((side, side), pygame.SRCALPHA)
            self._view.layout(board.get_rect())
            self._view.draw(board, Picture(state))
            place = self._view.cell_rect(cell)
            around = round(_BESIDE * max(place.size))
            seen = area or place.inflate(2 * around, 2 * around).clip(board.get_rect())
            self._parts[key] = _Part(board.subsurface(seen).copy(), seen, place)
            self._paint.pictures.pause()
        return self._parts[key]


def _difference(one: pygame.Surface, other: pygame.Surface) -> pygame.Rect:
    differs = np.any(pygame.surfarray.pixels3d(one) != pygame.surfarray.pixels3d(other), axis=2)
    columns, rows = (np.flatnonzero(differs.any(axis=axis)) for axis in (1, 0))
    if not len(columns):
        return pygame.Rect(0, 0, 0, 0)
    return pygame.Rect(columns[0], rows[0], columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1)
