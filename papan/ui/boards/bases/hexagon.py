"""Boards of hexagonal cells, each with a corner up.

Places are axial coordinates: row 1 of a column is half a cell to the right of row 0. See Amit Patel, *Hexagonal Grids*
(redblobgames.com, 2013).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import ascii_lowercase

import pygame

from papan.ui.boards import Direction
from papan.ui.boards.bases.cells import CellBoard, Grid, Label, Place
from papan.ui.drawing.canvas import Canvas, Point, hexagon_points, offset_points
from papan.ui.drawing.materials import wooden_frame
from papan.ui.drawing.theme import Colour

_ROW_HEIGHT = math.sqrt(3) / 2
"""The distance between rows of cells."""
_CORNER = 1 / math.sqrt(3)
"""The distance from the middle of a cell to its corners."""
_UPWARDS: tuple[Place, Place] = ((0, -1), (1, -1))
"""The cells above another: to the left and to the right."""


def _centre(place: Point) -> Point:
    column, row = place
    return column + row / 2, row * _ROW_HEIGHT


@dataclass(frozen=True)
class HexagonGrid(Grid):
    """Hexagons in a convex shape; the origin is the middle of the cell (0, 0)."""

    cells: tuple[Place, ...]
    corners: tuple[Place, ...]
    """The cells at the corners of the shape, clockwise."""

    @property
    def places(self) -> Sequence[Place]:
        return self.cells

    @cached_property
    def _known(self) -> frozenset[Place]:
        return frozenset(self.cells)

    def outline(self, margin: float) -> list[Point]:
        """The corners of the shape around all cells with *margin*, clockwise."""
        return offset_points([_centre(corner) for corner in self.corners], _CORNER + margin)

    def bounds(self, margin: float) -> tuple[float, float, float, float]:
        xs, ys = zip(*self.outline(margin), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def centre(self, place: Place) -> Point:
        return _centre(place)

    def place_at(self, point: Point) -> Place | None:
        row = point[1] / _ROW_HEIGHT
        column = point[0] - row / 2
        near = [(math.floor(column) + right, math.floor(row) + down) for right in (0, 1) for down in (0, 1)]
        nearest = min(near, key=lambda place: math.dist(_centre(place), point))
        return nearest if nearest in self._known else None

    def neighbour(self, place: Place, direction: Direction) -> Place:
        """Left and right along the row; up and down in a zigzag, so that repeated presses go straight."""
        column, row = place
        if direction in ("left", "right"):
            ways = [(1 if direction == "right" else -1, 0)]
        else:
            leaning = _UPWARDS if row % 2 == 0 else _UPWARDS[::-1]
            ways = [way if direction == "up" else (-way[0], -way[1]) for way in leaning]
            if direction == "down":
                ways.reverse()
        beyond = ((column + right, row + down) for right, down in ways)
        return next((found for found in beyond if found in self._known), place)

    def rim(self, margin: float) -> float:
        """The slanted distance: the sides are at 60° to the rows and columns that end at them."""
        return (_CORNER + margin) / _ROW_HEIGHT - 0.5

    @cached_property
    def _turned(self) -> Place:
        """The sums of the coordinates of two opposite places."""
        columns, rows = zip(*self.cells, strict=True)
        return min(columns) + max(columns), min(rows) + max(rows)

    @cached_property
    def is_symmetric(self) -> bool:
        return all(self.opposite(place) in self._known for place in self.cells)

    def opposite(self, place: Place) -> Place:
        return self._turned[0] - place[0], self._turned[1] - place[1]

    def labels(self, row_one_is_on_top: bool, is_turned: bool = False) -> Sequence[Label]:
        columns, rows = (sorted({place[axis] for place in self.cells}) for axis in (0, 1))
        counts_down = row_one_is_on_top == is_turned
        letters = [
            Label(
                ascii_lowercase[len(columns) - 1 - index if is_turned else index],
                max(place for place in self.cells if place[0] == column),
                (0.5, _ROW_HEIGHT),
            )
            for index, column in enumerate(columns)
        ]
        numbers = [
            Label(
                str(len(rows) - index if counts_down else index + 1),
                min(place for place in self.cells if place[1] == row),
                (-1.0, 0.0),
            )
            for index, row in enumerate(rows)
        ]
        return [*letters, *numbers]

    def draw_cell(self, canvas: Canvas, centre: Point, size: float, corner: float, colour: Colour) -> None:
        canvas.polygon(hexagon_points(centre, size * _CORNER), colour)


@lru_cache(maxsize=32)
def rhombus(columns: int, rows: int) -> HexagonGrid:
    """The shape of Hex: each row begins half a cell to the right of the row above."""
    cells = tuple((column, row) for row in range(rows) for column in range(columns))
    return HexagonGrid(cells, ((0, 0), (columns - 1, 0), (columns - 1, rows - 1), (0, rows - 1)))


@lru_cache(maxsize=32)
def hexagon(side: int) -> HexagonGrid:
    """A hexagon with *side* cells on each side; the cell (0, 0) is in the middle."""
    reach = side - 1
    axis = range(-reach, reach + 1)
    cells = tuple((column, row) for row in axis for column in axis if abs(column + row) <= reach)
    turns = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
    return HexagonGrid(cells, tuple((reach * column, reach * row) for column, row in turns))


class HexagonBoard(CellBoard):
    """A flat board of hexagonal cells in a wooden frame, with letters below and numbers next to it.

    Subclasses define ``columns`` and ``rows`` of a rhombus, or another ``grid``, and the axial places of cells.
    Marks around cells are round.
    """

    columns = 11
    rows = 11
    row_one_is_on_top = True

    @property
    def grid(self) -> HexagonGrid:
        return rhombus(self.columns, self.rows)

    def side_colours(self) -> Mapping[int, Colour]:
        """The colours of sides that belong to seats, by the side's number, clockwise from 0 at the top."""
        return {}

    @property
    def is_turned(self) -> bool:
        """Whether the board is rotated by 180 degrees; never if that would change its shape."""
        return super().is_turned and self.grid.is_symmetric

    @property
    def radius(self) -> int:
        return (self.cell_size - self._gap) // 2

    def draw_frame(self, surface: pygame.Surface) -> None:
        left, top = (at - start for at, start in zip(self.frame.topleft, self._origin, strict=True))
        corners = self._outline(self._border)
        around = tuple((x - left, y - top) for x, y in corners)
        wooden_frame(self.paint, surface, self.frame, self._border, around)
        outer, inner = self._outline(0), self._outline(-self.cell_size * _CORNER / 2)  # seen between the cells' corners
        turned = len(outer) // 2 if self.is_turned else 0
        for own_side, colour in self.side_colours().items():
            side = (own_side + turned) % len(outer)
            after = (side + 1) % len(outer)
            band = (outer[side], outer[after], inner[after], inner[side])
            self.paint.polygon(surface, [(x + self._origin[0], y + self._origin[1]) for x, y in band], colour)

    def _outline(self, margin: float) -> list[Point]:
        side = self.cell_size
        return [(x * side, y * side) for x, y in self.grid.outline(margin / side)]
