"""The board of gomoku: a block of straight-grained wood with lines, stones of slate and shell on their crossings."""

from __future__ import annotations

import pygame

from papan.game.kernel.bits import cells_of
from papan.game.rules import is_over
from papan.game.rules.gomoku import State, parse, stones, winning_rows
from papan.game.rules.gomoku.board import ROW
from papan.ui.boards import Styles
from papan.ui.boards.bases.cells import SquareBoard
from papan.ui.boards.bases.stones import StoneBoard
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.materials import wood_painting
from papan.ui.drawing.pieces import STONE_STYLES, shadowed_painting
from papan.ui.drawing.theme import BLACK, WHITE, Colour, mix
from papan.ui.texts import N_

_STAR = 0.085  # radius, in cells
_STARS = {15: (3, 7, 11), 19: (3, 9, 15), 20: (3, 16)}
"""By size, the lines from 0 whose crossings have a dot."""
_RINGS_ACROSS = 7.0
_GRAIN = 0.26
"""The units of grain across the block, and the share of the late wood's colour."""
_SAMPLE = "h8 i8 j10 k11 i9 e5 f6 g7 h9 j9 k10 h10 g6 h6 f8 e8 f9 f7 e7 g9 l10 i10 m10 n10 k8 j7"


class Board(StoneBoard, SquareBoard):
    """The view of gomoku. Its number of lines follows from the state that it draws."""

    styles: Styles = {  # noqa: RUF012
        "board": {"wood": N_("Light wood"), "rosewood": N_("Rosewood"), "paper": N_("Rice paper")},
        "pieces": STONE_STYLES,
    }
    columns = rows = 15
    stride = ROW
    frame_share = 0.14
    engraved_share = 0.62
    shadow_share = 0.3
    smallest_cell_with_coordinates = 16

    def fit(self, state: State) -> None:
        self.resize(state.size, state.size)

    def first_cursor(self, state: State) -> int:
        self.fit(state)
        return (ROW + 1) * (self.rows // 2)

    def sample(self) -> State:
        return parse(_SAMPLE, {})

    def stones(self, state: State) -> list[tuple[int, ...]]:
        return [cells_of(stones(state, seat)) for seat in range(2)]

    def winning_rows(self, state: State) -> list[list[int]]:
        return winning_rows(state) if is_over(state) else []

    def draw_frame(self, surface: pygame.Surface) -> None:
        self.draw_painted(surface, max(3, round(self.cell_size * self.shadow_share)))

    @property
    def frame_colour(self) -> Colour:
        return self.theme.wood.cell

    def draw_cells(self, surface: pygame.Surface) -> None:
        """Nothing: the crossings are drawn with the block."""

    def painting(self, margin: int) -> Painting:
        theme, wood = self.theme, self.theme.wood
        rect = pygame.Rect(margin, margin, *self.frame.size)
        depth, corner = max(2.0, margin * 0.45), max(2.0, self.frame.w * 0.008)
        canvas = Canvas((rect.w + 2 * margin, rect.h + 2 * margin))
        canvas.rounded_rect((rect.x, rect.y + depth, *rect.size), corner, mix(wood.edge, wood.deep, 0.55))
        line = max(1.0, self.frame.w * 0.002)
        if not theme.shadow:
            canvas.rounded_rect(tuple(rect.inflate(4, 4)), corner, wood.edge)  # outside, away from the letters
            canvas.rounded_rect(tuple(rect), corner, wood.cell)
            self._draw_lines(canvas, margin, wood.line)
            return (yield from canvas.painting())
        canvas.gradient(canvas.rounded_points(tuple(rect), corner), mix(wood.cell, WHITE, 0.04), wood.other_cell)
        opacity = min(1.0, 2 * theme.shadow)
        shadow = (rect.x, rect.y + depth, *rect.size)
        board = yield from shadowed_painting(canvas, shadow, corner, opacity, max(1.0, margin * 0.4))
        block = pygame.Rect(rect.x, rect.y, rect.w, rect.h)
        yield from wood_painting(board, block, rect.w / _RINGS_ACROSS, wood.deep, _GRAIN * wood.grain)
        lines = Canvas(board.get_size())
        lines.line(
            [(rect.x + corner, rect.y + line), (rect.right - corner, rect.y + line)], line, mix(wood.cell, WHITE, 0.5)
        )
        self._draw_lines(lines, margin, mix(wood.deep, BLACK, 0.55 if theme.is_dark else 0.4))
        board.blit((yield from lines.painting()), (0, 0))
        return board

    def _draw_lines(self, canvas: Canvas, margin: int, ink: Colour) -> None:
        side, number = self.cell_size, self.rows
        line = max(1.0, side * 0.028)
        near = margin + self._border + side / 2
        far = near + (number - 1) * side
        for index in range(number):
            at = near + index * side
            width = line * (1.7 if index in (0, number - 1) else 1)
            canvas.line([(at, near), (at, far)], width, ink)
            canvas.line([(near, at), (far, at)], width, ink)
        for column in _STARS.get(number, ()):
            for row in _STARS[number]:
                canvas.circle((near + column * side, near + row * side), max(1.5, side * _STAR), ink)
