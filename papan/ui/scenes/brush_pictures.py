"""What the brushes of a palette look like: each as the game's own board shows it on a cell."""

from __future__ import annotations

import pygame

from papan.game.facts import Game
from papan.game.setup import Brush
from papan.ui.boards import Picture, board_of
from papan.ui.drawing.paint import Painter
from papan.ui.play.position_editor import PositionEditor

_BOARD = 9
"""How many times as large as a picture the board is drawn at first."""
_COLUMN = 2.6
"""Cells that are so many times as high as they are wide are columns: what was put there lies at their foot."""
_AROUND = 1.06


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

    def _cut_out(self, state: object, cell: int, size: tuple[int, int]) -> pygame.Surface:
        """The part of the board around *cell*, drawn so large that it fills *size*."""
        side = _BOARD * max(size)
        for _ in range(2):  # a board's cells are not quite as large as its area says: the second time they are
            board = pygame.Surface((side, side), pygame.SRCALPHA)
            self._view.layout(board.get_rect())
            self._view.draw(board, Picture(state))
            cut = self._view.cell_rect(cell)
            if cut.h > _COLUMN * cut.w:
                cut = pygame.Rect(cut.x, cut.bottom - cut.w, cut.w, cut.w)
            fits = min(size[0] / cut.w, size[1] / cut.h)
            side = max(8, round(side * fits))
        cut = cut.inflate(round(cut.w * (_AROUND - 1)), round(cut.h * (_AROUND - 1))).clip(board.get_rect())
        return board.subsurface(cut).copy()
