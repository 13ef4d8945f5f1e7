"""Boards of equal cells, squares or hexagons, laid out by a grid.

A *cell* is the game's number, a *place* is a column and a row of the grid, as the grid defines them. A grid's unit of
length is the distance between the middles of two neighbouring cells.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from copy import copy
from dataclasses import dataclass
from string import ascii_lowercase
from typing import NamedTuple

import pygame

from papan.ui.boards import BoardView, Direction
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.materials import wooden_frame
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BLACK, WHITE, Colour, TextStyle, contrast, mix

_NARROW = 22
"""A frame narrower than this, in design pixels, has smaller letters."""
_SEAM = 1
"""The margin of letters in their frame, in design pixels."""

Place = tuple[int, int]
"""A column and a row."""


class Label(NamedTuple):
    """A coordinate written next to the board."""

    text: str
    place: Place
    """The place of the cell next to it."""
    way: Point
    """The unit vector from that cell to it."""


class Grid(ABC):
    """A tiling by equal cells."""

    @property
    @abstractmethod
    def places(self) -> Sequence[Place]:
        """The places of all cells."""

    @abstractmethod
    def bounds(self, margin: float) -> tuple[float, float, float, float]:
        """The box around all cells with *margin* on every side: left, top, right, bottom."""

    @abstractmethod
    def centre(self, place: Place) -> Point:
        """The middle of the cell at *place*."""

    @abstractmethod
    def place_at(self, point: Point) -> Place | None:
        """The place of the cell at *point*; None outside the board."""

    @abstractmethod
    def neighbour(self, place: Place, direction: Direction) -> Place:
        """The place that an arrow key moves to from *place*; *place* itself at the board's edge."""

    @abstractmethod
    def rim(self, margin: float) -> float:
        """The distance from the last cell's edge to the board's edge with *margin*, in the direction of its label."""

    @abstractmethod
    def opposite(self, place: Place) -> Place:
        """The place of *place* after a rotation by 180 degrees."""

    @abstractmethod
    def labels(self, row_one_is_on_top: bool, is_turned: bool = False) -> Sequence[Label]:
        """The coordinates: letters below, numbers on the left; in reverse order if *is_turned*."""

    @abstractmethod
    def draw_cell(self, canvas: Canvas, centre: Point, size: float, corner: float, colour: Colour) -> None:
        """Draw one cell of width *size*; *corner* is the radius of its corners, if the shape has any."""


class CellBoard(BoardView):
    """A flat board of equal cells in a frame, with letters below and numbers next to it.

    Subclasses define ``place_of`` and ``cell_of`` for the unturned board, and draw the pieces; ``place_shown`` and
    ``cell_shown`` take rotation into account.
    """

    columns = 8
    rows = 8
    row_one_is_on_top = False
    smallest_cell_with_coordinates = 26
    """In design pixels: with smaller cells there are no coordinates."""
    frame_share = 0.13
    """The width of the frame, as a share of a cell."""
    shadow_share = 0.0
    """The margin for a shadow around the frame, as a share of a cell."""
    coordinates_share = 0.55
    """The margin for coordinates next to the frame, as a share of a cell."""
    gap_share = 0.07
    """The width of the gap between two cells, as a share of a cell."""
    engraved_share = 0.0
    """The width of a frame with coordinates in it, as a share of a cell; 0 if they are next to it."""

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.cell_size = 1
        """The distance between the middles of neighbouring cells, in pixels."""
        self.frame = pygame.Rect(0, 0, 0, 0)
        """The box around the board, including its frame."""
        self.has_coordinates = False
        self._border = 0
        self._gap = 0
        self._origin = (0, 0)  # of the grid's coordinates

    @property
    @abstractmethod
    def grid(self) -> Grid:
        """The current tiling."""

    @abstractmethod
    def place_of(self, cell: int) -> Place:
        """The place of *cell* on an unturned board."""

    @abstractmethod
    def cell_of(self, column: int, row: int) -> int | None:
        """The cell at a place on an unturned board; None if there is none."""

    @abstractmethod
    def draw_frame(self, surface: pygame.Surface) -> None:
        """Draw the frame and the background of the cells."""

    def place_shown(self, cell: int) -> Place:
        place = self.place_of(cell)
        return self.grid.opposite(place) if self.is_turned else place

    def cell_shown(self, place: Place) -> int | None:
        return self.cell_of(*(self.grid.opposite(place) if self.is_turned else place))

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        bare = self._fitting_size(self.frame_share + self.shadow_share)
        broad = self.engraved_share or self.frame_share + self.coordinates_share
        with_coordinates = self._fitting_size(broad + self.shadow_share)
        self.has_coordinates = self.has_room_for_coordinates(with_coordinates, self.smallest_cell_with_coordinates)
        is_engraved = self.has_coordinates and bool(self.engraved_share)
        frame, least = self.frame_share, 0  # the frame's share of a cell, and its least width, which its letters need
        if is_engraved:
            frame, least = self.engraved_share, self.paint.height("tiny") + 2 * self.theme.px(_SEAM)
        side = with_coordinates if self.has_coordinates else bare
        if side * frame < least:
            side = self._fitting_size(self.shadow_share, least)
        side = max(4, int(side))
        gap = max(1, round(side * self.gap_share)) if self.gap_share else 0
        self.settle(side, max(least, round(side * frame)), gap)

    def _fitting_size(self, margin: float, border: int = 0) -> float:
        """The largest cell size, in pixels, that leaves *margin*, in cells, and *border*, in pixels, around them."""
        left, top, right, bottom = self.grid.bounds(margin)
        return min((self.area.w - 2 * border) / (right - left), (self.area.h - 2 * border) / (bottom - top))

    def settle(self, side: int, border: int, gap: int, corner: tuple[int, int] | None = None) -> None:
        """Lay the board out with cells of *side* pixels, gaps of *gap*, and a frame of *border*.

        :param corner: the frame's upper left corner; default: centre the board in its area.
        """
        self.cell_size, self._border, self._gap = side, border, gap
        left, top, right, bottom = self.grid.bounds(border / side)
        self.frame = pygame.Rect(0, 0, round((right - left) * side), round((bottom - top) * side))
        if corner is None:
            self.frame.center = self.area.center
        else:
            self.frame.topleft = corner
        self._origin = self.frame.x - round(left * side), self.frame.y - round(top * side)

    def resize(self, columns: int, rows: int) -> None:
        """Change to *columns* by *rows* cells, for games whose size is an option."""
        if (columns, rows) != (self.columns, self.rows):
            self.columns, self.rows = columns, rows
            self.layout(self.area)

    def cell_at(self, point: tuple[int, int]) -> int | None:
        x, y = ((at - start) / self.cell_size for at, start in zip(point, self._origin, strict=True))
        place = self.grid.place_at((x, y))
        return None if place is None else self.cell_shown(place)

    def cell_rect(self, cell: int) -> pygame.Rect:
        """The square around the middle of *cell*, without the gap to the next."""
        x, y = self.grid.centre(self.place_shown(cell))
        side = self.cell_size
        left, top = (start + round((at - 0.5) * side) for start, at in zip(self._origin, (x, y), strict=True))
        return pygame.Rect(left, top, side, side).inflate(-self._gap, -self._gap)

    def centre(self, cell: int) -> tuple[int, int]:
        return self.cell_rect(cell).center

    def neighbour(self, cell: int, direction: Direction) -> int:
        found = self.cell_shown(self.grid.neighbour(self.place_shown(cell), direction))
        return cell if found is None else found

    @property
    def radius(self) -> int:
        """The corner radius of a cell and of the marks around it, in pixels."""
        return max(2, round(self.cell_size * 0.12))

    def draw_painted(self, surface: pygame.Surface, margin: int, *key: Hashable) -> None:
        """Draw the ``painting`` of the board with *margin* around it, once for each layout, theme and *key*."""
        around = self.frame.inflate(2 * margin, 2 * margin)
        laid = self.columns, self.frame.size, self._border, self.has_coordinates, self.is_turned
        own_key = (type(self), laid, tuple(self.style.values()), key)
        laid_out = copy(self)  # the layout may change before the painting ends
        surface.blit(self.paint.pictures.painted(own_key, lambda: laid_out.painting(margin)), around)

    def painting(self, margin: int) -> Painting:
        """Paint the board with its frame, for boards that are one picture: see ``draw_painted``."""
        raise NotImplementedError

    def draw_board(self, surface: pygame.Surface) -> None:
        """Draw the frame, and the coordinates if they fit."""
        self.draw_frame(surface)
        if not self.has_coordinates:
            return
        ink, side = self.coordinate_ink, self.cell_size
        if self.engraved_share:
            away = round(self.grid.rim(self._border / side / 2) * side)
        else:
            away = round(side * self.coordinates_share / 2) + self.theme.px(2)
            away += round(self.grid.rim(self._border / side) * side)
        style: TextStyle = "tiny" if self.engraved_share and self._border < self.theme.px(_NARROW) else "small strong"
        for label in self.grid.labels(self.row_one_is_on_top, self.is_turned):
            (x, y), (right, down) = self.grid.centre(label.place), label.way
            at = (
                self._origin[0] + round((x + right / 2) * side + right * away),
                self._origin[1] + round((y + down / 2) * side + down * away),
            )
            legible = self.paint.ink_at(surface, label.text, at, style, ink)
            self.paint.text(surface, label.text, at, style, legible, anchor="center")

    @property
    def coordinate_ink(self) -> Colour:
        """The colour of coordinates: on the background next to the board, or on its frame."""
        if not self.engraved_share:
            return self.theme.second
        ground, deep = self.frame_colour, mix(self.theme.wood.deep, BLACK, 0.5 if self.theme.shadow else 1.0)
        return max(deep, mix(ground, WHITE, 0.8 if self.theme.shadow else 1.0), key=lambda ink: contrast(ink, ground))

    @property
    def frame_colour(self) -> Colour:
        """The background of coordinates in the frame."""
        return self.theme.wood.top

    def cell_colour(self, cell: int) -> Colour:
        return self.theme.wood.cell

    def draw_cells(self, surface: pygame.Surface) -> None:
        side, grid = self.cell_size, self.grid
        left, top, right, bottom = (round(bound * side) for bound in grid.bounds(0))
        cells = {place: cell for place in grid.places if (cell := self.cell_shown(place)) is not None}
        colours = tuple(self.cell_colour(cell) for cell in cells.values())
        size = side - self._gap

        def draw(canvas: Canvas) -> None:
            for place, colour in zip(cells, colours, strict=True):
                x, y = grid.centre(place)
                grid.draw_cell(canvas, (x * side - left, y * side - top), size, self.radius, colour)

        picture = self.paint.drawn_picture(("cells", grid, side, colours), (right - left, bottom - top), draw)
        surface.blit(picture, (self._origin[0] + left, self._origin[1] + top))


_STEPS: dict[Direction, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(frozen=True)
class SquareGrid(Grid):
    """Columns from the left and rows from the top, both from 0; the origin is the upper left corner."""

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
    """A flat board of square cells in a wooden frame, with letters below and numbers next to it.

    Subclasses define ``columns`` and ``rows`` and draw the pieces. Cells are numbered along the rows from row 1, unless
    a subclass defines ``place_of`` and ``cell_of``.
    """

    stride = 0
    """The distance between the numbers of two cells in a column; 0 for ``columns``."""

    @property
    def grid(self) -> SquareGrid:
        return SquareGrid(self.columns, self.rows)

    def place_of(self, cell: int) -> Place:
        row, column = divmod(cell, self.stride or self.columns)
        return column, row if self.row_one_is_on_top else self.rows - 1 - row

    def cell_of(self, column: int, row: int) -> int | None:
        return (row if self.row_one_is_on_top else self.rows - 1 - row) * (self.stride or self.columns) + column

    def draw_frame(self, surface: pygame.Surface) -> None:
        wooden_frame(self.paint, surface, self.frame, self._border)
