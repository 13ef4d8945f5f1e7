"""Gomoku on the table: a wooden board with lines, domed stones on their crossings."""

from __future__ import annotations

import math

import pygame

from papan.game.kernel.bits import cells_of
from papan.game.rules import is_over
from papan.game.rules.gomoku import ROW, State, parse, stones, winning_rows
from papan.ui.boards.bases.square import SquareBoard
from papan.ui.boards.bases.stones import StoneBoard
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.theme import Colour, mix, with_opacity

_STAR = 0.085  # radius, in cells
_STARS = {15: (3, 7, 11), 19: (3, 9, 15), 20: (3, 16)}
"""The lines from the edge, counted from 0, whose crossings have a dot."""
_GRAIN_LINES = 26
_SAMPLE = "h8 i8 j10 k11 i9 e5 f6 g7 h9 j9 k10 h10 g6 h6 f8 e8 f9 f7 e7 g9 l10 i10 m10 n10 k8 j7"
_BLACK: Colour = (0, 0, 0)


class Board(StoneBoard, SquareBoard):
    """The view of gomoku. Its number of lines follows from the state that it draws."""

    columns = rows = 15
    smallest_cell_with_coordinates = 16

    def fit(self, state: State) -> None:
        """Have as many lines as the board of *state*."""
        self.resize(state.size, state.size)

    def place_of(self, cell: int) -> tuple[int, int]:
        return cell % ROW, self.rows - 1 - cell // ROW

    def cell_of(self, column: int, row: int) -> int:
        return (self.rows - 1 - row) * ROW + column

    def first_cursor(self, state: State) -> int:
        """The middle."""
        self.fit(state)
        return (ROW + 1) * (self.rows // 2)

    def sample(self) -> State:
        return parse(_SAMPLE, {})

    def stones(self, state: State) -> list[tuple[int, ...]]:
        return [cells_of(stones(state, seat)) for seat in range(2)]

    def winning_rows(self, state: State) -> list[list[int]]:
        return winning_rows(state) if is_over(state) else []

    def draw_cells(self, surface: pygame.Surface) -> None:
        """The ground with its lines: a picture for each size."""
        side, number = self.cell_size, self.rows
        field = side * number
        wood = self.theme.wood
        is_plain = not self.theme.shadow
        ink = wood.line if is_plain else mix(wood.deep, _BLACK, 0.45 if self.theme.is_dark else 0.2)

        def draw(canvas: Canvas) -> None:
            canvas.gradient([(0, 0), (field, 0), (field, field), (0, field)], wood.cell, wood.other_cell)
            if not is_plain:
                _draw_grain(canvas, field, with_opacity(wood.deep, 0.07))
            line = max(1.0, side * 0.028)
            near, far = side / 2, field - side / 2
            for index in range(number):
                at = near + index * side
                is_edge = index in (0, number - 1)
                canvas.line([(at, near), (at, far)], line * (1.7 if is_edge else 1), ink)
                canvas.line([(near, at), (far, at)], line * (1.7 if is_edge else 1), ink)
            for column in _STARS.get(number, ()):
                for row in _STARS[number]:
                    canvas.circle((near + column * side, near + row * side), max(1.5, side * _STAR), ink)

        corner = self.frame.move(self._border, self._border).topleft
        surface.blit(self.paint.drawn_picture(("gomoku board", number), (field, field), draw), corner)


def _draw_grain(canvas: Canvas, field: float, colour: Colour) -> None:
    """Wavy lines across the whole board."""
    for line in range(_GRAIN_LINES):
        base = field * (line + 0.5 + 0.35 * math.sin(line * 2.4)) / _GRAIN_LINES
        points = [
            (field * share / 40, base + field * 0.008 * math.sin(share * 0.16 + line * 1.1 + math.sin(line * 3.7)))
            for share in range(41)
        ]
        canvas.line(points, max(1.0, field * (0.002 + 0.002 * (line % 3))), colour)
