"""Tic-tac-toe on the table: nine wooden cells, crosses and noughts with strokes as thick as a brush; its rules to read.

Crosses and noughts have the colours of the two seats. A mark that may be put is shown faintly on the cell that is
pointed at; nothing else says where there is room, because that can be seen.
"""

from __future__ import annotations

from dataclasses import replace

import pygame

from papan.game.kernel.bits import cells_of
from papan.game.presentation import Example, Page, Section
from papan.game.rules import is_over, mover
from papan.ui.boards import Emblem, Picture
from papan.ui.boards.bases.cells import SquareBoard
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.marks import cursor_ring, hint_outline, last_outline, text_mark, trail
from papan.ui.drawing.pieces import GHOST_OPACITY, arriving_piece, faint_piece, interpolate, put
from papan.ui.drawing.theme import Colour, SeatStyle, Theme, contrast, mix, with_opacity
from papan.ui.texts import N_
from tic_tac_toe import CELLS, SIZE, State, marks_of, parse, winning_rows

PUT_SECONDS = 0.18

_REACH = 0.27  # from the middle of a cell to the end of a cross's stroke, and to a nought's, in cells
_STROKE = 0.15
_RIM = 0.03
_BEYOND = 0.18  # of the line through a row, on either side, as a share of the way between its last marks
_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (255, 255, 255)


class Board(SquareBoard):
    """The view of tic-tac-toe."""

    columns = rows = SIZE
    frame_share = 0.1
    coordinates_share = 0.25

    # ------------------------------------------------------------------------------------- geometry

    def place_of(self, cell: int) -> tuple[int, int]:
        return cell % SIZE, SIZE - 1 - cell // SIZE

    def cell_of(self, column: int, row: int) -> int:
        return (SIZE - 1 - row) * SIZE + column

    def first_cursor(self, state: State) -> int:
        """The middle."""
        return CELLS // 2

    def sample(self) -> State:
        return parse("o.x/.x./..o", {})

    def duration(self, before: State, step: int, after: State) -> float:
        return PUT_SECONDS

    # ---------------------------------------------------------------------------------------- seats

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        """The seat's colour; the round shape goes with the noughts."""
        seats = self.theme.seats
        return replace(seats[seat], shape=seats[1 - seat].shape)

    def seat_emblem(self, state: State, seat: int) -> Emblem:
        """The seat's mark."""

        def draw(surface: pygame.Surface, rect: pygame.Rect) -> None:
            put(surface, self._mark(seat, rect.w), rect.center)

        return draw

    # -------------------------------------------------------------------------------------- drawing

    def cell_colour(self, cell: int) -> Colour:
        return _ground(self.theme)

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        state: State = moving.before if moving else picture.state
        self.draw_board(surface)
        self.draw_cells(surface)
        if not moving:
            self._draw_below(surface, picture)
        for seat in range(2):
            for cell in cells_of(marks_of(state, seat)):
                put(surface, self._mark(seat), self.centre(cell))
        if moving:
            arriving = arriving_piece(self._mark(mover(state)), moving.progress, larger=0.3, opacity=0.2)
            put(surface, arriving, self.centre(moving.step))
        else:
            self._draw_above(surface, picture)

    def _mark(self, seat: int, side: int = 0) -> pygame.Surface:
        """The cross or the nought of *seat*, for a cell of *side* pixels; of the board's own without it."""
        size = side or self.cell_size
        colour, has_shadow = self.theme.seats[seat].colour, self.theme.shadow > 0 and not side

        def draw(canvas: Canvas) -> None:
            shades = [(2 * _RIM, with_opacity(_BLACK, 0.2), 0.03)] if has_shadow else []
            shades += [(_RIM, mix(colour, _BLACK, 0.3), 0.0), (0.0, colour, 0.0)]
            shades += [(-0.1, mix(colour, _WHITE, 0.14), -0.012)]
            for wider, ink, down in shades:
                _draw_sign(canvas, seat, size, (_STROKE + wider) * size, ink, down * size)

        return self.paint.drawn_picture(("tic-tac-toe mark", seat, has_shadow), (size, size), draw)

    def _draw_below(self, surface: pygame.Surface, picture: Picture) -> None:
        """What lies on the cells, below the marks."""
        if not is_over(picture.state):
            for cell in picture.last:
                last_outline(self.paint, surface, self.cell_rect(cell), self.radius, width=self.cell_size * 0.02)
        for cell in picture.hint:
            hint_outline(self.paint, surface, self.cell_rect(cell), self.radius, width=self.cell_size * 0.03)

    def _draw_above(self, surface: pygame.Surface, picture: Picture) -> None:
        side, theme = self.cell_size, self.theme
        pointed = picture.cursor if picture.hover is None else picture.hover
        if pointed is not None and pointed in picture.targets:
            put(surface, faint_piece(self._mark(mover(picture.state)), GHOST_OPACITY), self.centre(pointed))
        for cell, text in picture.marks.items():
            text_mark(self.paint, surface, self.centre(cell), text, side)
        for row in winning_rows(picture.state):
            first, last = self.centre(row[0]), self.centre(row[-1])
            ends = [interpolate(first, last, -_BEYOND), interpolate(first, last, 1 + _BEYOND)]
            trail(self.paint, surface, ends, (side * 0.04, theme.ink), (side * 0.08, theme.panel))
        if picture.cursor is not None:
            cursor_ring(self.paint, surface, self.cell_rect(picture.cursor), self.radius)


def _ground(theme: Theme) -> Colour:
    """The wood that both seats' colours stand out from."""
    woods = (theme.wood.cell, theme.wood.deep)
    return max(woods, key=lambda wood: min(contrast(wood, seat.colour) for seat in theme.seats[:2]))


def _draw_sign(canvas: Canvas, seat: int, side: int, width: float, ink: Colour, down: float) -> None:
    """A cross for the first seat, a nought for the second, in the middle of a cell of *side* or a little below it."""
    x, y, reach = side / 2, side / 2 + down, side * _REACH
    if seat == 1:
        canvas.ring((x, y), reach, width, ink)
        return
    for slant in (-1, 1):
        canvas.line([(x - reach, y - slant * reach), (x + reach, y + slant * reach)], width, ink)


PAGE = Page(
    goal=N_("Be the first to have three of your marks in a row: across, up, or along a diagonal."),
    sections=(
        Section(
            N_("A turn"),
            N_("Two players take turns; crosses begin. You put one mark on any free cell. Marks stay where they are."),
        ),
        Section(
            N_("The end"),
            N_(
                "Three in a row win **at once**. If all nine cells are full without such a row, the game is a draw. "
                "With best play on both sides it is one."
            ),
            Example("x.o/.xo/..x", N_("Crosses have a whole diagonal.")),
        ),
        Section(
            N_("Winning"),
            N_(
                "One row that lacks a single mark can be stopped, **two at once** can't. The middle cell lies on four "
                "of the eight rows, a corner on three."
            ),
            Example("..x/.o./x..", N_("Noughts must not take a corner here, or crosses make two rows at once.")),
        ),
    ),
    history=N_("Games of three in a row are ancient; this one has been played with pen and paper for two centuries."),
)
