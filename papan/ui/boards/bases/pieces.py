"""Boards whose pieces move from cell to cell: lifted, sliding, captured, with marks around them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import pygame

from papan.game.rules import State
from papan.ui.boards import Picture
from papan.ui.boards.bases.cells import SquareBoard
from papan.ui.drawing.canvas import Point
from papan.ui.drawing.marks import arrow, brackets, cursor_ring, hovered_cell, outline, ring, target, text_mark
from papan.ui.drawing.pieces import put
from papan.ui.drawing.theme import Colour


class PieceBoard(SquareBoard):
    """A board of squares with pieces. Subclasses draw the board and call ``draw_still``; lengths are in cells."""

    lift = 0.12
    """The height of a lifted piece."""
    score_height = 0.12
    """The distance from a cell's lower edge to the middle of a score below a piece."""
    last_width, last_dash = 0.03, 0.075
    hovered_width = 0.03
    """The width of the line around a piece that can be chosen, under the pointer."""

    @abstractmethod
    def owners(self, state: State) -> Mapping[int, int]:
        """The seat of the piece on each occupied cell."""

    @abstractmethod
    def piece(self, state: State, cell: int, is_lifted: bool = False) -> pygame.Surface:
        """The picture of the piece on *cell*, with its shadow."""

    def lifted(self, picture: Picture) -> int | None:
        """The cell of the lifted piece, if any."""
        return picture.chosen

    def hinted(self, picture: Picture) -> Sequence[int]:
        """The cells of the hinted step; an arrow joins two."""
        return picture.hint

    def deciding(self, state: State) -> Sequence[int]:
        """The cells to mark because they decided the game, or are about to."""
        return ()

    def is_goal(self, state: State, origin: int | None, cell: int) -> bool:
        """Whether the piece lifted from *origin* reaches its goal on *cell*."""
        return False

    def draw_pieces(self, surface: pygame.Surface, state: State, without: Sequence[int | None] = ()) -> None:
        for cell in sorted(self.owners(state), key=lambda cell: self.place_shown(cell)[1]):
            if cell not in without:
                put(surface, self.piece(state, cell), self.centre(cell))

    def raised(self, at: Point, progress: float) -> Point:
        """The point above *at* of a piece that slides, at *progress* of its way."""
        return at[0], at[1] - self.cell_size * self.lift * min(1.0, 6 * progress * (1 - progress))

    def outline(self, surface: pygame.Surface, cell: int, width: float, colour: Colour, dash: float = 0.0) -> None:
        side = self.cell_size
        outline(self.paint, surface, self.cell_rect(cell), self.radius, side * width, colour, side * dash)

    def draw_hovered(self, surface: pygame.Surface, cell: int) -> None:
        hovered_cell(self.paint, surface, self.cell_rect(cell), self.radius)

    def draw_deciding(self, surface: pygame.Surface, cell: int) -> None:
        """Mark a cell of ``deciding``."""

    def draw_last(self, surface: pygame.Surface, cells: Sequence[int]) -> None:
        for cell in cells:
            self.outline(surface, cell, self.last_width, self.theme.ink, self.last_dash)

    def draw_cursor(self, surface: pygame.Surface, cell: int) -> None:
        around = self.cell_rect(cell).inflate(2 * self._gap, 2 * self._gap)
        cursor_ring(self.paint, surface, around, self.radius + self._gap)

    def draw_ways(self, surface: pygame.Surface, state: State, origin: int) -> None:
        """Draw the ways of the piece on *origin*, below the pieces."""

    def draw_captured(self, surface: pygame.Surface, cell: int) -> None:
        brackets(self.paint, surface, self.cell_rect(cell))

    def draw_ring(self, surface: pygame.Surface, cell: int, colour: Colour) -> None:
        """Draw a ring over the piece on *cell*."""
        ring(self.paint, surface, self.centre(cell), self.cell_size, colour)

    def draw_still(self, surface: pygame.Surface, picture: Picture) -> None:
        state, lifted, hint = picture.state, self.lifted(picture), self.hinted(picture)
        self.draw_last(surface, picture.last)
        for cell in picture.hint:
            self.outline(surface, cell, 0.045, self.theme.accent)
        for cell in picture.winning or self.deciding(state):
            self.draw_deciding(surface, cell)
        if picture.hover is not None and picture.hover in picture.targets:
            self.draw_hovered(surface, picture.hover)
        if picture.cursor is not None:
            self.draw_cursor(surface, picture.cursor)
        if lifted is not None and picture.targets:
            self.draw_ways(surface, state, lifted)
        self.draw_pieces(surface, state, (lifted,))
        self.draw_targets(surface, picture, lifted)
        if len(picture.hint) == 1 and picture.hint[0] != lifted and picture.hint[0] in self.owners(state):
            self.draw_ring(surface, picture.hint[0], self.theme.accent)  # the piece may hide the outline
        if lifted is not None:
            self.draw_ring(surface, lifted, self.theme.legal)
            x, y = self.centre(lifted)
            at = picture.carried_to((x, y - round(self.cell_size * self.lift)))
            put(surface, self.piece(state, lifted, is_lifted=True), at)
        if len(hint) == 2 and picture.hint_is_step:
            arrow(self.paint, surface, self.centre(hint[0]), self.centre(hint[1]), self.cell_size)
        owners = self.owners(state)
        for cell, text in picture.marks.items():
            rect = self.cell_rect(cell)
            low = rect.bottom - round(rect.h * self.score_height)
            middle = (rect.centerx, low if cell in owners else rect.centery)
            text_mark(self.paint, surface, middle, text, self.cell_size)

    def draw_targets(self, surface: pygame.Surface, picture: Picture, lifted: int | None) -> None:
        """Mark the pieces that can be chosen, the cells to go to, and the pieces that can be captured."""
        state, owners = picture.state, self.owners(picture.state)
        for cell in picture.targets:
            is_hovered = cell == picture.hover
            if cell not in owners:
                if cell not in picture.marks:
                    is_goal = self.is_goal(state, lifted, cell)
                    target(
                        self.paint, surface, self.centre(cell), self.cell_size, is_goal=is_goal, is_hovered=is_hovered
                    )
            elif owners[cell] != state.to_move:
                self.draw_captured(surface, cell)
            elif cell != lifted:
                self.outline(surface, cell, self.hovered_width if is_hovered else 0.03, self.theme.legal)
