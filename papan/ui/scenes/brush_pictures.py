"""What the brushes of a palette look like: each as the game's own board shows it on a cell."""

from __future__ import annotations

import numpy as np
import pygame

from papan.game.facts import Game
from papan.game.rules import State
from papan.game.setup import Brush
from papan.ui.boards import Picture, board_of
from papan.ui.drawing.paint import Painter
from papan.ui.play.position_editor import PositionEditor

_BOARD = 9
"""How many times as large as a picture the board is drawn at first."""
_AROUND = 1.12
"""How much more than what was put there is shown."""


class BrushPictures:
    """Pictures of brushes, cut out of the boards on which nothing else lies."""

    def __init__(self, game: Game, paint: Painter, editor: PositionEditor) -> None:
        self._game, self._paint, self._editor = game, paint, editor
        self._view = board_of(game, paint)
        self._view.is_still = self._view.is_edited = True

    def draw(self, brush: Brush, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Draw what *brush* puts on a cell, as large as fits into *rect*."""
        first = self._view.first_cursor(self._editor.state)
        found = self._editor.alone(brush, (first, 0, 1))
        if found is None:
            return
        key = ("brush", self._game.name, self._view.style, brush, found, rect.size)
        picture = self._paint.pictures.get(key, lambda: self._cut_out(*found, rect.size))
        surface.blit(picture, picture.get_rect(center=rect.center))

    def _cut_out(self, state: State, cell: int, size: tuple[int, int]) -> pygame.Surface:
        """The part of the board that shows what was put on *cell*, drawn so large that it fills *size*."""
        side = _BOARD * max(size)
        for _ in range(2):  # a board's cells are not quite as large as its area says: the second time they are
            board = self._drawn(state, side)
            cut = self._view.cell_rect(cell)
            changed = _difference(board, self._drawn(self._editor.bare, side)).clip(cut)
            cut = changed if changed else cut
            wide = round(max(cut.size) * _AROUND)
            cut = pygame.Rect(cut.centerx - wide // 2, cut.centery - wide // 2, wide, wide).clip(board.get_rect())
            side = max(8, round(side * max(size) / wide))
        shrunk = min(1.0, size[0] / cut.w, size[1] / cut.h)
        return pygame.transform.smoothscale_by(board.subsurface(cut), shrunk)

    def _drawn(self, state: State, side: int) -> pygame.Surface:
        """The whole board in a square of *side* pixels."""
        board = pygame.Surface((side, side), pygame.SRCALPHA)
        self._view.layout(board.get_rect())
        self._view.draw(board, Picture(state))
        return board


def _difference(one: pygame.Surface, other: pygame.Surface) -> pygame.Rect:
    """The box around the pixels in which two surfaces of the same size differ."""
    differs = np.any(pygame.surfarray.pixels3d(one) != pygame.surfarray.pixels3d(other), axis=2)
    columns, rows = (np.flatnonzero(differs.any(axis=axis)) for axis in (1, 0))
    if not len(columns):
        return pygame.Rect(0, 0, 0, 0)
    return pygame.Rect(columns[0], rows[0], columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1)
