"""What the boards share: marks for cells, a wooden frame, boards of square cells, easing."""

from __future__ import annotations

from abc import abstractmethod

import pygame

from papan.ui.boards import BoardView, Direction
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import TextStyle, faded, mix

_FRAME_SHARE = 0.13
"""The width of a wooden frame, as a share of a cell."""
_GAP_SHARE = 0.07
_COORDINATES_SHARE = 0.55

_MARK_HEIGHT, _MARK_PADDING = 22, 9
_SMALL_MARK_HEIGHT, _SMALL_MARK_PADDING = 17, 4

_STEPS: dict[Direction, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def eased(progress: float) -> float:
    """*progress* from 0 to 1 with a gentle start and a gentle end."""
    return progress * progress * (3 - 2 * progress)


def between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    """The point at *share* of the way."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


# --------------------------------------------------------------------------------------------- marks


def legal_dot(paint: Painter, surface: pygame.Surface, cell: pygame.Rect) -> None:
    """An empty cell that may be pointed at."""
    paint.disc(surface, cell.center, max(3, round(cell.w * 0.09)), faded(paint.theme.legal, 0.72))


def legal_outline(paint: Painter, surface: pygame.Surface, cell: pygame.Rect, radius: int) -> None:
    """A cell with something on it that may be pointed at: to capture, to cover."""
    width = max(2, round(cell.w * 0.04))
    paint.rounded(surface, cell, None, radius, line=paint.theme.legal, line_width=width, dash=max(4, cell.w * 0.09))


def hovered_cell(paint: Painter, surface: pygame.Surface, cell: pygame.Rect, radius: int) -> None:
    """The cell under the mouse pointer, where a click would do something."""
    theme = paint.theme
    paint.rounded(surface, cell, faded(theme.legal, 0.28), radius, line=theme.legal, line_width=max(2, theme.px(2)))


def last_outline(paint: Painter, surface: pygame.Surface, cell: pygame.Rect, radius: int) -> None:
    """A cell of the last turn."""
    theme = paint.theme
    ink = mix(theme.ink, theme.wood.deep, 0.25) if not theme.is_dark else theme.ink
    paint.rounded(surface, cell, None, radius, line=ink, line_width=max(1.5, theme.px(1.6)), dash=max(3, cell.w * 0.07))


def hint_outline(paint: Painter, surface: pygame.Surface, cell: pygame.Rect, radius: int) -> None:
    """A cell of the hinted step: a double line."""
    theme = paint.theme
    width = max(2, theme.px(3))
    paint.rounded(surface, cell, faded(theme.legal, 0.18), radius, line=theme.legal, line_width=width)
    inner = cell.inflate(-4 * width, -4 * width)
    paint.rounded(surface, inner, None, max(0, radius - 2 * width), line=theme.legal, line_width=max(1, width / 2))


def cursor_ring(paint: Painter, surface: pygame.Surface, cell: pygame.Rect, radius: int) -> None:
    """The keyboard's cursor: a dark line with a light one inside, to be seen on any ground."""
    theme = paint.theme
    width = max(2, theme.px(3))
    paint.rounded(surface, cell, None, radius, line=theme.background, line_width=2 * width)
    paint.rounded(surface, cell, None, radius, line=theme.accent, line_width=width)


def mark(paint: Painter, surface: pygame.Surface, centre: tuple[int, int], text: str, room: int | None = None) -> None:
    """A short text on a cell: the score of a step.

    :param room: how wide the cell is; where that is little, the text is smaller.
    """
    theme, px = paint.theme, paint.theme.px
    if room is None or paint.width(text, "small strong") + 2 * px(_MARK_PADDING) <= room:
        style: TextStyle = "small strong"
        size = (paint.width(text, style) + 2 * px(_MARK_PADDING), px(_MARK_HEIGHT))
    else:
        style = "tiny"
        size = (paint.width(text, style) + 2 * px(_SMALL_MARK_PADDING), px(_SMALL_MARK_HEIGHT))
    place = pygame.Rect((0, 0), size)
    place.center = centre
    line = theme.ink if not theme.shadow else None  # a dark pill on a dark board
    paint.rounded(surface, place, theme.panel, place.h // 2, line=line)
    paint.text(surface, text, place.center, style, theme.good_ink, anchor="center", tabular=True)


# ------------------------------------------------------------------------------------------- wooden


def wooden_frame(paint: Painter, surface: pygame.Surface, outer: pygame.Rect, width: int) -> None:
    """A wooden board with a frame of *width*, its edges lit from above, a soft shadow below."""
    wood = paint.theme.wood
    radius = max(3, round(width * 1.5))
    reach = max(3, round(width * 1.2))

    def draw(canvas: Canvas) -> None:
        rect = (reach, reach, outer.w, outer.h)
        if paint.theme.shadow:
            canvas.rounded((reach, reach * 1.4, outer.w, outer.h), radius, faded((0, 0, 0), paint.theme.shadow))
            canvas.blur(reach * 0.45)
        canvas.rounded(rect, radius, mix(wood.edge, wood.deep, 0.45))
        canvas.gradient(
            canvas.rounded_points((reach, reach, outer.w, outer.h - max(1, width * 0.18)), radius),
            mix(wood.edge, wood.top, 0.25),
            wood.edge,
        )
        inner = (reach + width, reach + width, outer.w - 2 * width, outer.h - 2 * width)
        canvas.rounded(inner, radius * 0.6, wood.top)

    size = (outer.w + 2 * reach, outer.h + 2 * reach)
    surface.blit(paint.drawn(("wooden frame", width), size, draw), (outer.x - reach, outer.y - reach))


class SquareBoard(BoardView):
    """A flat board of square cells in a wooden frame, with letters below and numbers beside it.

    A subclass names its ``columns`` and ``rows`` and where its cells lie; what stands on them is its own.
    """

    columns = 8
    rows = 8
    row_one_is_on_top = False
    """Whether the rows are numbered from the top."""
    smallest_cell_with_coordinates = 26
    """In the sketches' pixels: smaller boards have no letters and numbers."""

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.cell_size = 1
        self.frame = pygame.Rect(0, 0, 0, 0)
        self.has_coordinates = False
        self._gap = 0
        self._origin = (0, 0)

    @abstractmethod
    def place_of(self, cell: int) -> tuple[int, int]:
        """The column from the left and the row from the top of *cell*, from 0."""

    @abstractmethod
    def cell_of(self, column: int, row: int) -> int:
        """The cell in a column from the left and a row from the top."""

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        needed = max(self.columns + 2 * _FRAME_SHARE, self.rows + 2 * _FRAME_SHARE)
        with_coordinates = needed + 2 * _COORDINATES_SHARE
        least = self.theme.px(self.smallest_cell_with_coordinates)
        self.has_coordinates = not self.is_still and min(area.size) / with_coordinates >= least
        self.cell_size = max(4, int(min(area.size) / (with_coordinates if self.has_coordinates else needed)))
        border = round(self.cell_size * _FRAME_SHARE)
        self._gap = max(1, round(self.cell_size * _GAP_SHARE))
        self.frame = pygame.Rect(0, 0, 0, 0)
        self.frame.size = self.columns * self.cell_size + 2 * border, self.rows * self.cell_size + 2 * border
        self.frame.center = area.center
        self._origin = self.frame.x + border, self.frame.y + border

    def cell_at(self, point: tuple[int, int]) -> int | None:
        column, row = ((at - start) // self.cell_size for at, start in zip(point, self._origin, strict=True))
        if 0 <= column < self.columns and 0 <= row < self.rows:
            return self.cell_of(column, row)
        return None

    def cell_rect(self, cell: int) -> pygame.Rect:
        column, row = self.place_of(cell)
        side = self.cell_size
        full = pygame.Rect(self._origin[0] + column * side, self._origin[1] + row * side, side, side)
        return full.inflate(-self._gap, -self._gap)

    def neighbour(self, cell: int, direction: Direction) -> int:
        column, row = self.place_of(cell)
        right, down = _STEPS[direction]
        return self.cell_of(min(max(column + right, 0), self.columns - 1), min(max(row + down, 0), self.rows - 1))

    @property
    def radius(self) -> int:
        """The corner of a cell."""
        return max(2, round(self.cell_size * 0.12))

    def draw_board(self, surface: pygame.Surface) -> None:
        """The frame, and the coordinates where there is room for them."""
        wooden_frame(self.paint, surface, self.frame, round(self.cell_size * _FRAME_SHARE))
        if not self.has_coordinates:
            return
        ink = self.theme.second
        away = round(self.cell_size * _COORDINATES_SHARE / 2) + self.theme.px(2)
        for column in range(self.columns):
            x = self._origin[0] + round((column + 0.5) * self.cell_size)
            at = (x, self.frame.bottom + away)
            self.paint.text(surface, "abcdefghijklmnopqrst"[column], at, "small strong", ink, anchor="center")
        for row in range(self.rows):
            y = self._origin[1] + round((row + 0.5) * self.cell_size)
            number = row + 1 if self.row_one_is_on_top else self.rows - row
            at = (self.frame.left - away, y)
            self.paint.text(surface, str(number), at, "small strong", ink, anchor="center")
