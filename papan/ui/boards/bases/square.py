"""Boards of square cells."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import pygame

from papan.ui.boards import Direction
from papan.ui.boards.bases.cells import CellBoard, Grid, Label, Place
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.materials import wooden_frame
from papan.ui.drawing.theme import Colour

_STEPS: dict[Direction, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(frozen=True)
class SquareGrid(Grid):
    """Columns from the left and rows from the top, both from 0; lengths begin at the upper left corner."""

    columns: int
    rows: int

    @property
    def places(self) -> Sequence[Place]:
        return [(column, row) for row in range(self.rows) for column in range(self.columns)]

    def bounds(self, margin: float) -> tuple[float, float, float, float]:
        return -margin, -margin, self.columns + margin, self.rows + margin

    def centre(self, place: Place) -> Point:
        return place[0] + 0.5, place[1] + 0.5

    def place_at(self, point: Point) -> Place | None:
        column, row = int(point[0] // 1), int(point[1] // 1)
        return (column, row) if 0 <= column < self.columns and 0 <= row < self.rows else None

    def neighbour(self, place: Place, direction: Direction) -> Place:
        right, down = _STEPS[direction]
        return min(max(place[0] + right, 0), self.columns - 1), min(max(place[1] + down, 0), self.rows - 1)

    def rim(self, margin: float) -> float:
        return margin

    def opposite(self, place: Place) -> Place:
        return self.columns - 1 - place[0], self.rows - 1 - place[1]

    def labels(self, row_one_is_on_top: bool, is_turned: bool = False) -> Sequence[Label]:
        letters = ascii_lowercase[: self.columns][:: -1 if is_turned else 1]
        numbers = range(1, self.rows + 1) if row_one_is_on_top != is_turned else range(self.rows, 0, -1)
        return [
            *(Label(letter, (column, self.rows - 1), (0, 1)) for column, letter in enumerate(letters)),
            *(Label(str(number), (0, row), (-1, 0)) for row, number in enumerate(numbers)),
        ]

    def draw_cell(self, canvas: Canvas, centre: Point, size: float, corner: float, colour: Colour) -> None:
        left, top = (math.floor(at - size / 2) for at in centre)  # edges on whole pixels are crisp
        canvas.rounded_rect((left, top, size, size), corner, colour)


class SquareBoard(CellBoard):
    """A flat board of square cells in a wooden frame, with letters below and numbers beside it.

    A subclass names its ``columns`` and ``rows`` and where its cells lie; what stands on them is its own.
    """

    @property
    def grid(self) -> SquareGrid:
        return SquareGrid(self.columns, self.rows)

    @abstractmethod
    def place_of(self, cell: int) -> Place:
        """The column from the left and the row from the top of *cell*, from 0."""

    def draw_frame(self, surface: pygame.Surface) -> None:
        wooden_frame(self.paint, surface, self.frame, self._border)
