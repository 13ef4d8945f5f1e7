"""Gomoku on the table: a wooden board with lines, domed stones on their crossings.

Nearly every cell may be pointed at, so none is marked; the one that is pointed at shows the stone to come.
"""

from __future__ import annotations

import math

import pygame

from papan.game.kernel.bits import cells_of
from papan.game.rules import is_over, mover
from papan.game.rules.gomoku import ROW, State, is_on_board, parse, stones, winning_rows
from papan.ui.boards import Picture
from papan.ui.boards.common import SquareBoard, cursor_ring, eased, mark
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.stones import stone_picture, stone_style
from papan.ui.drawing.theme import Colour, SeatStyle, faded, mix

PUT_SECONDS = 0.18

_STONE = 0.46  # radius, in cells
_STAR = 0.085
_STARS = {15: (3, 7, 11), 19: (3, 9, 15), 20: (3, 16)}
"""The lines from the edge, counted from 0, whose crossings have a dot."""
_GRAIN_LINES = 26
_SAMPLE = "h8 i8 j10 k11 i9 e5 f6 g7 h9 j9 k10 h10 g6 h6 f8 e8 f9 f7 e7 g9 l10 i10 m10 n10 k8 j7"
_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (255, 255, 255)


class Board(SquareBoard):
    """The view of gomoku. How many lines it has follows from the state that it draws."""

    columns = rows = 15
    smallest_cell_with_coordinates = 16

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self._size = 15

    # ------------------------------------------------------------------------------------- geometry

    def _fit(self, state: State) -> None:
        """Have as many lines as the board of *state*."""
        if state.size != self._size:
            self._size = self.columns = self.rows = state.size
            self.layout(self.area)

    def place_of(self, cell: int) -> tuple[int, int]:
        return cell % ROW, self._size - 1 - cell // ROW

    def cell_of(self, column: int, row: int) -> int:
        return (self._size - 1 - row) * ROW + column

    def _centre(self, cell: int) -> tuple[int, int]:
        return self.cell_rect(cell).center

    def first_cursor(self, state: State) -> int:
        """The middle."""
        self._fit(state)
        return (ROW + 1) * (self._size // 2)

    def sample(self) -> State:
        return parse(_SAMPLE, {})

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        """Black and white."""
        return stone_style(self.theme, seat == 0, self.theme.seats[seat].shape)

    # ------------------------------------------------------------------------------------ animation

    def duration(self, before: State, step: int, after: State) -> float:
        """As long as a stone takes from the hand to the board."""
        return PUT_SECONDS

    # -------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        state: State = moving.before if moving else picture.state
        self._fit(state)
        self.draw_board(surface)
        self._draw_lines(surface)
        for seat in range(2):
            stone = self._stone(seat)
            for cell in cells_of(stones(state, seat)):
                surface.blit(stone, stone.get_rect(center=self._centre(cell)))
        if moving:
            self._draw_coming(surface, mover(state), moving.step, moving.progress)
        else:
            self._draw_marks(surface, picture)

    def _stone(self, seat: int) -> pygame.Surface:
        shape = self.theme.seats[seat].shape
        return stone_picture(self.paint, "stone", seat == 0, shape, round(self.cell_size * _STONE, 1))

    def _draw_lines(self, surface: pygame.Surface) -> None:
        """The ground with its lines: a picture for each size."""
        side, number = self.cell_size, self._size
        field = side * number
        wood = self.theme.wood
        is_plain = not self.theme.shadow
        ink = wood.line if is_plain else mix(wood.deep, _BLACK, 0.45 if self.theme.is_dark else 0.2)

        def draw(canvas: Canvas) -> None:
            canvas.gradient([(0, 0), (field, 0), (field, field), (0, field)], wood.cell, wood.other_cell)
            if not is_plain:
                _draw_grain(canvas, field, faded(wood.deep, 0.07))
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

        corner = self._centre(self.cell_of(0, 0))
        at = (corner[0] - side // 2, corner[1] - side // 2)
        surface.blit(self.paint.drawn(("gomoku board", number), (field, field), draw), at)

    def _draw_coming(self, surface: pygame.Surface, seat: int, cell: int, progress: float) -> None:
        """A stone on its way from the hand: larger, and clearer and clearer."""
        stone = self._stone(seat)
        if progress < 1:
            wide = round(stone.get_width() * (1.35 - 0.35 * eased(progress)))
            stone = pygame.transform.smoothscale(stone, (wide, wide))
            stone.set_alpha(round(255 * min(1.0, 0.25 + progress)))
        surface.blit(stone, stone.get_rect(center=self._centre(cell)))

    # ------------------------------------------------------------------------------------- the marks

    def _draw_marks(self, surface: pygame.Surface, picture: Picture) -> None:
        paint, side, state = self.paint, self.cell_size, picture.state
        taken = [stones(state, seat) for seat in range(2)]
        for cell in picture.last:
            ink = _WHITE if taken[0] >> cell & 1 else _BLACK
            width = max(1.2, side * 0.055)
            paint.disc(
                surface, self._centre(cell), side * 0.37, None, line=faded(ink, 0.9), line_width=width, dash=side * 0.11
            )
        for cell in picture.hint:
            self._draw_hint(surface, cell)
        pointed = picture.cursor if picture.hover is None else picture.hover
        if pointed in picture.targets:
            self._draw_ghost(surface, mover(state), pointed)
        for cell, text in picture.marks.items():
            mark(paint, surface, self._centre(cell), text, side)
        if is_over(state):
            self._draw_rows(surface, state)
        if picture.cursor is not None and is_on_board(state, picture.cursor):
            cursor_ring(paint, surface, self.cell_rect(picture.cursor), self.radius)

    def _draw_hint(self, surface: pygame.Surface, cell: int) -> None:
        """A double ring, where the stone should go."""
        side, colour = self.cell_size, self.theme.legal
        line = max(1.5, side * 0.07)
        ground = faded(self.theme.panel, 0.8)
        centre = self._centre(cell)
        self.paint.disc(surface, centre, side * 0.46, ground, line=colour, line_width=line)
        self.paint.disc(surface, centre, side * 0.25, None, line=colour, line_width=line * 0.7)

    def _draw_ghost(self, surface: pygame.Surface, seat: int, cell: int) -> None:
        """The stone that would be put on *cell*."""

        def make() -> pygame.Surface:
            faint = self._stone(seat).copy()
            faint.set_alpha(150)
            return faint

        ghost = self.paint.pictures.get(("gomoku ghost", seat, self.cell_size), make)
        surface.blit(ghost, ghost.get_rect(center=self._centre(cell)))

    def _draw_rows(self, surface: pygame.Surface, state: State) -> None:
        """A line along each row that has won, and a ring around its stones."""
        side, theme = self.cell_size, self.theme
        for row in winning_rows(state):
            ends = [self._centre(row[0]), self._centre(row[-1])]
            left, top = (min(end[axis] for end in ends) - side for axis in (0, 1))
            size = tuple(abs(ends[0][axis] - ends[1][axis]) + 2 * side for axis in (0, 1))
            points = [(float(x - left), float(y - top)) for x, y in ends]

            def draw(canvas: Canvas, points: list[tuple[float, float]] = points) -> None:
                canvas.line(points, side * 0.2, theme.panel)
                canvas.line(points, side * 0.12, theme.accent)

            bar = self.paint.drawn(("gomoku row", tuple(points)), (size[0], size[1]), draw)
            surface.blit(bar, (left, top))
            for cell in row:
                line = max(1.5, side * 0.08)
                self.paint.disc(surface, self._centre(cell), side * 0.49, None, line=theme.accent, line_width=line)


def _draw_grain(canvas: Canvas, field: float, colour: Colour) -> None:
    """Wavy lines across the whole board."""
    for line in range(_GRAIN_LINES):
        base = field * (line + 0.5 + 0.35 * math.sin(line * 2.4)) / _GRAIN_LINES
        points = [
            (field * share / 40, base + field * 0.008 * math.sin(share * 0.16 + line * 1.1 + math.sin(line * 3.7)))
            for share in range(41)
        ]
        canvas.line(points, max(1.0, field * (0.002 + 0.002 * (line % 3))), colour)
