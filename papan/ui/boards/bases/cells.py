"""Boards of equal cells, squares or hexagons, which a grid lays out.

A *cell* is the game's own number, a *place* a column and a row of the grid: whole numbers whose meaning is the grid's
own. Lengths of a grid are in cells: 1 is from the middle of a cell to the middle of the next.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import NamedTuple

import pygame

from papan.ui.boards import BoardView, Direction
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.materials import wooden_frame
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BLACK, WHITE, Colour, TextStyle, contrast, mix

_GAP_SHARE = 0.07
_NARROW = 22
"""The width of a frame, in the sketches' pixels, below which smaller letters are engraved in it."""
_SEAM = 1
"""Between engraved letters and the edges of their frame, in the sketches' pixels."""

Place = tuple[int, int]
"""A column and a row."""


class Label(NamedTuple):
    """A coordinate written beside the board."""

    text: str
    place: Place
    """The place of the cell next to it."""
    way: Point
    """From that cell to it, of length 1."""


class Grid(ABC):
    """A tiling of a board by equal cells."""

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
        """The place of the cell at *point*; None beside the board."""

    @abstractmethod
    def neighbour(self, place: Place, direction: Direction) -> Place:
        """The place that an arrow key leads to from *place*; *place* itself at the board's edge."""

    @abstractmethod
    def rim(self, margin: float) -> float:
        """The distance from the last cell's edge to that of a board with *margin* around it, towards its label."""

    @abstractmethod
    def opposite(self, place: Place) -> Place:
        """The place where *place* lies once the board has been turned by half."""

    @abstractmethod
    def labels(self, row_one_is_on_top: bool, is_turned: bool = False) -> Sequence[Label]:
        """The coordinates: letters below, numbers on the left; *is_turned* by half, both run the other way."""

    @abstractmethod
    def draw_cell(self, canvas: Canvas, centre: Point, size: float, corner: float, colour: Colour) -> None:
        """Draw one cell, *size* wide, its *corner* rounded where the shape is."""


class CellBoard(BoardView):
    """A flat board of equal cells in a frame, with letters below and numbers beside it.

    A subclass says by ``place_of`` and ``cell_of`` where its cells lie on a board that is not turned; ``place_shown``
    and ``cell_shown`` are about the board as it lies. What stands on the cells is its own.
    """

    columns = 8
    rows = 8
    row_one_is_on_top = False
    """Whether row 1 is the uppermost."""
    smallest_cell_with_coordinates = 26
    """In the sketches' pixels: smaller boards have no letters and numbers."""
    frame_share = 0.13
    """The width of the frame, as a share of a cell."""
    shadow_share = 0.0
    """The room for a shadow around the frame, as a share of a cell."""
    coordinates_share = 0.55
    """The room for letters and numbers beside the frame, as a share of a cell."""
    engraved_share = 0.0
    """The width of a frame in which letters and numbers are engraved, as a share of a cell; 0: they stand beside it."""

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.cell_size = 1
        """From the middle of a cell to the middle of the next, in pixels."""
        self.frame = pygame.Rect(0, 0, 0, 0)
        """The box around the board, its frame included."""
        self.has_coordinates = False
        self._border = 0
        self._gap = 0
        self._origin = (0, 0)  # where the grid's lengths begin

    @property
    @abstractmethod
    def grid(self) -> Grid:
        """The tiling of the board as it is now."""

    @abstractmethod
    def place_of(self, cell: int) -> Place:
        """The place of *cell*, as long as the board is not turned."""

    @abstractmethod
    def cell_of(self, column: int, row: int) -> int | None:
        """The cell at a place of the grid, as long as the board is not turned; None where nothing can be pointed at."""

    @abstractmethod
    def draw_frame(self, surface: pygame.Surface) -> None:
        """Draw the ground that the cells lie on."""

    # ------------------------------------------------------------------------------------- geometry

    def place_shown(self, cell: int) -> Place:
        """The place of *cell* as the board lies."""
        place = self.place_of(cell)
        return self.grid.opposite(place) if self.is_turned else place

    def cell_shown(self, place: Place) -> int | None:
        """The cell at *place* as the board lies; None where nothing can be pointed at."""
        return self.cell_of(*(self.grid.opposite(place) if self.is_turned else place))

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        bare = self._fitting_size(self.frame_share + self.shadow_share)
        broad = self.engraved_share or self.frame_share + self.coordinates_share
        with_coordinates = self._fitting_size(broad + self.shadow_share)
        self.has_coordinates = self.has_room_for_coordinates(with_coordinates, self.smallest_cell_with_coordinates)
        is_engraved = self.has_coordinates and bool(self.engraved_share)
        frame, least = (self.engraved_share, self.engraved_width) if is_engraved else (self.frame_share, 0)
        side = with_coordinates if self.has_coordinates else bare
        if side * frame < least:
            side = self._fitting_size(self.shadow_share, least)
        side = max(4, int(side))
        self.settle(side, max(least, round(side * frame)), max(1, round(side * _GAP_SHARE)))

    @property
    def engraved_width(self) -> int:
        """The least width of a frame with letters in it, in pixels: a "g", too, stays off its edges."""
        return self.paint.height("tiny") + 2 * self.theme.px(_SEAM)

    def _fitting_size(self, margin: float, border: int = 0) -> float:
        """The largest size of cells that leaves *margin*, in cells, and *border* around them; both in pixels."""
        left, top, right, bottom = self.grid.bounds(margin)
        return min((self.area.w - 2 * border) / (right - left), (self.area.h - 2 * border) / (bottom - top))

    def settle(self, side: int, border: int, gap: int, corner: tuple[int, int] | None = None) -> None:
        """Lay the board out with cells of *side* pixels, *gap* between them, in a frame of *border*.

        :param corner: the frame's upper left one; default: the one by which the board lies in the middle of its area.
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
        """Have *columns* by *rows* cells: where these are an option, they follow from the state that is drawn."""
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

    # -------------------------------------------------------------------------------------- drawing

    def draw_board(self, surface: pygame.Surface) -> None:
        """The frame, and the coordinates where there is room for them."""
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
        """The colour of letters and numbers: on the ground beside the board, or on the wood of its frame."""
        if not self.engraved_share:
            return self.theme.second
        ground, deep = self.frame_colour, mix(self.theme.wood.deep, BLACK, 0.5 if self.theme.shadow else 1.0)
        return max(deep, mix(ground, WHITE, 0.8 if self.theme.shadow else 1.0), key=lambda ink: contrast(ink, ground))

    @property
    def frame_colour(self) -> Colour:
        """The ground of letters and numbers that are engraved."""
        return self.theme.wood.top

    def cell_colour(self, cell: int) -> Colour:
        """The ground of *cell*."""
        return self.theme.wood.cell

    def draw_cells(self, surface: pygame.Surface) -> None:
        """The cells' ground: one picture for a size."""
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
