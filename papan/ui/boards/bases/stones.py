"""Boards where two seats place stones that never move."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence

import pygame

from papan.game.rules import State, mover
from papan.ui.boards import Picture
from papan.ui.boards.bases.cells import CellBoard
from papan.ui.drawing import pieces
from papan.ui.drawing.marks import cursor_circle, double_ring, text_mark, trail
from papan.ui.drawing.theme import BLACK, WHITE, SeatStyle, with_opacity

PUT_SECONDS = 0.18


class StoneBoard(CellBoard):
    """A board with black stones for the first seat and white for the second; a mixin for square or hexagonal boards.

    Nearly every cell is legal, so none is marked; the one under the pointer shows a ghost of the stone.
    """

    material = "stone on wood"
    stone_radius = 0.46
    """In cells."""

    @abstractmethod
    def stones(self, state: State) -> Sequence[Iterable[int]]:
        """The cells of each seat's stones."""

    def fit(self, state: State) -> None:
        """Resize the board to that of *state*: see ``resize``."""

    def winning_rows(self, state: State) -> Sequence[Sequence[int]]:
        """The cells of each winning row or chain, in order; a line is drawn through them."""
        return ()

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        return pieces.stone_style(self.theme, seat == 0, self.theme.seats[seat].shape)

    def duration(self, before: State, step: int, after: State) -> float:
        return PUT_SECONDS if self.is_cell(step) else 0.0

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        state = moving.before if moving else picture.state
        self.fit(state)
        self.draw_board(surface)
        self.draw_cells(surface)
        if moving is None and picture.cursor is not None and self.is_cell(picture.cursor):
            radius = self.cell_size * self.stone_radius
            cursor_circle(self.paint, surface, self.centre(picture.cursor), radius)
        for seat, cells in enumerate(self.stones(state)):
            for cell in cells:
                pieces.put(surface, self._stone(seat, cell), self.centre(cell))
        if moving:
            arriving = pieces.arriving_piece(
                self._stone(mover(state), moving.step), moving.progress, larger=0.35, opacity=0.25
            )
            pieces.put(surface, arriving, self.centre(moving.step))
        else:
            self._draw_marks(surface, picture)

    def _stone(self, seat: int, cell: int) -> pygame.Surface:
        """The stone of *seat* on *cell*; white ones have variants."""
        shape, radius = self.theme.seats[seat].shape, round(self.cell_size * self.stone_radius, 1)
        variant = cell * cell // 3 % pieces.SHELLS if seat else 0
        kind = pieces.stone_kind(self.style.get("pieces", "stone"))
        return pieces.stone_picture(self.paint, kind, seat == 0, shape, radius, variant)

    def _draw_marks(self, surface: pygame.Surface, picture: Picture) -> None:
        paint, theme, side, state = self.paint, self.theme, self.cell_size, picture.state
        black, white = map(set, self.stones(state))
        for cell in picture.last:
            ink = with_opacity(WHITE if cell in black else BLACK, 0.9)
            width = max(1.2, side * 0.055)
            paint.disc(surface, self.centre(cell), side * 0.37, None, line=ink, line_width=width, dash=side * 0.11)
        for cell in picture.hint:
            width = max(1.5, side * 0.07)
            ground = with_opacity(theme.panel, 0.0 if cell in black or cell in white else 0.8)
            double_ring(paint, surface, self.centre(cell), (side * 0.46, side * 0.25), (width, width * 0.7), ground)
        pointed = picture.cursor if picture.hover is None else picture.hover
        if pointed is not None and pointed in picture.targets:
            seat = mover(state)
            stone = self._stone(seat, 0)
            ghost = paint.pictures.get(
                ("ghost", seat, side, self.style.get("pieces")), lambda: pieces.faint_piece(stone, pieces.GHOST_OPACITY)
            )
            pieces.put(surface, ghost, self.centre(pointed))
        for cell, text in picture.marks.items():
            text_mark(paint, surface, self.centre(cell), text, side)
        for row in self.winning_rows(state):
            points = [self.centre(stone) for stone in row]
            trail(paint, surface, points, (side * 0.12, theme.accent), (side * 0.2, theme.panel))
            for point in points:
                paint.disc(surface, point, side * 0.49, None, line=theme.accent, line_width=max(1.5, side * 0.08))

    def is_cell(self, cell: int) -> bool:
        return self.place_of(cell) in self.grid.places
