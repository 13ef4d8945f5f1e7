"""Connect Four on the table: a standing blue board with round holes; discs fall behind it.

The example of a board view. Its cells are the columns: that is all that a person points at.
"""

from __future__ import annotations

import math

import pygame

from papan.game.rules import is_over, mover
from papan.game.rules.connect_four import COLUMNS, HEIGHT, ROWS, State, parse
from papan.ui.boards import BoardView, Direction, Picture
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.marks import cursor_ring, double_ring, text_mark, trail
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.pieces import faint_piece, put
from papan.ui.drawing.theme import Colour, SeatStyle, mix, with_opacity

GRAVITY = 78.0
"""Cells a second squared: quick enough not to be waited for."""
BOUNCE = 0.24
"""The share of its speed that a disc keeps when it lands."""

_EDGE = 0.22  # of the face around the holes, in cells
_HOLE = 0.405  # radius, in cells
_DISC = 0.45
_LANE = 1.06  # above the board, where a disc is held before it falls
_NUMBERS = 0.55  # below the board
_SMALLEST_CELL_WITH_LANE = 24
_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (255, 255, 255)

Cell = tuple[int, int]
"""Column from the left, row from the bottom."""


class Board(BoardView):
    """The view of Connect Four."""

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.side = 1
        self.face = pygame.Rect(0, 0, 0, 0)
        self.has_lane = False

    # ------------------------------------------------------------------------------------- geometry

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        wide, high = COLUMNS + 2 * _EDGE, ROWS + 2 * _EDGE
        with_lane = min(area.w / wide, area.h / (high + _LANE + _NUMBERS))
        self.has_lane = not self.is_still and with_lane >= self.theme.px(_SMALLEST_CELL_WITH_LANE)
        self.side = max(4, int(with_lane if self.has_lane else min(area.w / wide, area.h / high)))
        edge = round(self.side * _EDGE)
        self.face = pygame.Rect(0, 0, COLUMNS * self.side + 2 * edge, ROWS * self.side + 2 * edge)
        self.face.center = area.center
        if self.has_lane:
            self.face.y += round(self.side * (_LANE - _NUMBERS) / 2)

    def _centre(self, column: int, row: float) -> tuple[float, float]:
        """The middle of a hole; for *row* ROWS, of a disc held above the board."""
        edge = round(self.side * _EDGE)
        across = self.face.x + edge + (self._from_left(column) + 0.5) * self.side
        above = round(self.side * (_EDGE + 0.04)) if row >= ROWS else 0
        return across, self.face.bottom - edge - (row + 0.5) * self.side - above

    def cell_at(self, point: tuple[int, int]) -> int | None:
        lane = round(self.side * _LANE) if self.has_lane else 0
        if not self.face.top - lane <= point[1] < self.face.bottom or not self.face.left <= point[0] < self.face.right:
            return None
        column = (point[0] - self.face.x - round(self.side * _EDGE)) // self.side
        return self._from_left(min(max(column, 0), COLUMNS - 1))

    def _from_left(self, column: int) -> int:
        """The place of *column* from the left, and the other way round: seen from behind the columns are mirrored."""
        return COLUMNS - 1 - column if self.is_turned else column

    def cell_rect(self, cell: int) -> pygame.Rect:
        across = self._centre(cell, 0)[0]
        return pygame.Rect(round(across - self.side / 2), self.face.y, self.side, self.face.h)

    def neighbour(self, cell: int, direction: Direction) -> int:
        step = {"left": -1, "right": 1}.get(direction, 0)
        return self._from_left(min(max(self._from_left(cell) + step, 0), COLUMNS - 1))

    def first_cursor(self, state: State) -> int:
        return COLUMNS // 2

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        """Red and ochre: the board itself has the second seat's blue."""
        return self._style(seat)

    def _style(self, seat: int) -> SeatStyle:
        return self.theme.seats[0 if seat == 0 else 2]

    def sample(self) -> State:
        return parse("7345312654136445", {})

    # ------------------------------------------------------------------------------------ animation

    def duration(self, before: State, step: int, after: State) -> float:
        return _fall_seconds(_fall_rows(before, step)) * (1 + 2 * BOUNCE)

    # -------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        state: State = moving.before if moving else picture.state
        self._draw_back(surface)
        for seat, discs in enumerate(_discs(state)):
            for column, row in discs:
                self._draw_disc(surface, self._centre(column, row), seat)
        if moving:
            self._draw_falling(surface, state, moving.step, moving.progress)
        elif self.has_lane:
            self._draw_held(surface, picture)
        self._draw_face(surface)
        if not moving:
            self._draw_marks(surface, picture)

    def _draw_back(self, surface: pygame.Surface) -> None:
        """Draw the ground that is seen through the holes."""
        theme = self.theme
        ground = mix(theme.panel, theme.seats[1].colour, 0.05) if not theme.is_dark else mix(theme.panel, _BLACK, 0.3)
        inner = self.face.inflate(-round(self.side * _EDGE), -round(self.side * _EDGE))
        surface.fill(ground, inner)

    def _draw_disc(self, surface: pygame.Surface, centre: tuple[float, float], seat: int, opacity: float = 1.0) -> None:
        style = self._style(seat)
        radius = self.side * _DISC

        def draw(canvas: Canvas) -> None:
            middle = (canvas.size[0] / 2, canvas.size[1] / 2)
            canvas.circle(middle, radius, style.colour)
            canvas.circle(middle, radius * 0.80, mix(style.colour, _BLACK, 0.13))
            canvas.circle((middle[0], middle[1] + radius * 0.03), radius * 0.77, mix(style.colour, _WHITE, 0.05))
            if radius > 9:
                draw_shape(canvas, style.shape, middle, radius * 0.33, with_opacity(style.mark, 0.92))

        side = 2 * math.ceil(radius) + 4
        disc = self.paint.drawn_picture(("connect four disc", seat, self.side), (side, side), draw)
        put(surface, faint_piece(disc, opacity) if opacity < 1 else disc, centre)

    def _draw_falling(self, surface: pygame.Surface, before: State, column: int, progress: float) -> None:
        distance = _fall_rows(before, column)
        fallen = _rows_fallen(distance, progress)
        self._draw_disc(surface, self._centre(column, ROWS - fallen), mover(before))

    def _draw_held(self, surface: pygame.Surface, picture: Picture) -> None:
        """The disc to be dropped, above the column pointed at; arrows above the others that have room."""
        held = picture.cursor if picture.hover is None else picture.hover
        for column in picture.targets:
            centre = self._centre(column, ROWS)
            if column == held:
                self._draw_disc(surface, centre, mover(picture.state), 0.85)
            else:
                self._draw_arrow(surface, centre)

    def _draw_arrow(self, surface: pygame.Surface, centre: tuple[float, float]) -> None:
        half = self.side * 0.11
        x, y = centre[0], centre[1] + self.side * 0.3
        points = ((x - half, y - half * 0.6), (x + half, y - half * 0.6), (x, y + half * 0.8))
        self.paint.polygon(surface, points, with_opacity(self.theme.legal, 0.85))

    def _draw_face(self, surface: pygame.Surface) -> None:
        """The board with its holes, standing on a foot; drawn once for a size."""
        side, edge = self.side, round(self.side * _EDGE)
        reach = max(2, round(side * 0.16))
        colour = self.theme.seats[1].colour
        if self.theme.is_dark:
            colour = mix(colour, _BLACK, 0.45)

        def draw(canvas: Canvas) -> None:
            face = (reach, reach, self.face.w, self.face.h)
            radius = side * 0.24
            deep = mix(colour, _BLACK, 0.28)
            canvas.rounded_rect((reach, reach + side * 0.05, self.face.w, self.face.h), radius, deep)
            outline = canvas.rounded_points(face, radius)
            canvas.gradient(outline, mix(colour, _WHITE, 0.07), mix(colour, _BLACK, 0.06))
            canvas.outline(face, radius, max(1.0, side * 0.018), mix(colour, _WHITE, 0.22))
            for column in range(COLUMNS):
                for row in range(ROWS):
                    middle = (reach + edge + (column + 0.5) * side, reach + edge + (row + 0.5) * side)
                    canvas.circle(middle, side * (_HOLE + 0.045), mix(colour, _BLACK, 0.12))
                    canvas.circle(
                        (middle[0], middle[1] + side * 0.012), side * (_HOLE + 0.028), mix(colour, _WHITE, 0.16)
                    )
                    canvas.circle(middle, side * (_HOLE + 0.012), deep)
            for column in range(COLUMNS):
                for row in range(ROWS):
                    canvas.cut((reach + edge + (column + 0.5) * side, reach + edge + (row + 0.5) * side), side * _HOLE)

        size = (self.face.w + 2 * reach, self.face.h + 2 * reach)
        surface.blit(
            self.paint.drawn_picture("connect four face", size, draw), (self.face.x - reach, self.face.y - reach)
        )
        if self.has_lane:
            for column in range(COLUMNS):
                x, y = self._centre(column, 0)[0], self.face.bottom + round(side * _NUMBERS * 0.6)
                self.paint.text(
                    surface, str(column + 1), (round(x), y), "small strong", self.theme.second, anchor="center"
                )

    def _draw_marks(self, surface: pygame.Surface, picture: Picture) -> None:
        theme, state, side = self.theme, picture.state, self.side
        for column in picture.last:
            row = _height(state, column) - 1
            if row >= 0 and not is_over(state):
                line = max(1.5, side * 0.035)
                self.paint.disc(
                    surface,
                    self._centre(column, row),
                    side * _HOLE,
                    None,
                    line=_WHITE,
                    line_width=line,
                    dash=side * 0.09,
                )
        for column in picture.hint:
            row = _height(state, column)
            if row < ROWS:
                radii, widths = (side * _HOLE, side * 0.24), (side * 0.06, side * 0.03)
                ground = with_opacity(theme.legal, 0.25)
                double_ring(self.paint, surface, self._centre(column, row), radii, widths, ground)
        for column, text in picture.marks.items():
            row = _height(state, column)
            if row < ROWS:
                x, y = self._centre(column, row)
                text_mark(self.paint, surface, (round(x), round(y)), text, round(2 * side * _HOLE))
        self._draw_four(surface, state)
        if picture.cursor is not None:
            cursor_ring(
                self.paint, surface, self.cell_rect(picture.cursor).inflate(0, -round(side * 0.1)), round(side * 0.3)
            )

    def _draw_four(self, surface: pygame.Surface, state: State) -> None:
        """The winning discs: ringed, and joined by a line."""
        side = self.side
        for line in _winning_lines(state):
            ends = [self._centre(*line[0]), self._centre(*line[-1])]
            trail(self.paint, surface, ends, (side * 0.085, _WHITE), (side * 0.13, with_opacity(_BLACK, 0.25)))
            for cell in line:
                self.paint.disc(surface, self._centre(*cell), side * _HOLE, None, line=_WHITE, line_width=side * 0.07)


# ---------------------------------------------------------------------------------------- the position


def _discs(state: State) -> tuple[list[Cell], list[Cell]]:
    """The cells of the first and of the second seat's discs."""
    to_move = mover(state)
    own = (state.mine, state.theirs) if to_move == 0 else (state.theirs, state.mine)
    return _cells(own[0]), _cells(own[1])


def _cells(bits: int) -> list[Cell]:
    return [(column, row) for column in range(COLUMNS) for row in range(ROWS) if bits >> (column * HEIGHT + row) & 1]


def _height(state: State, column: int) -> int:
    """How many discs are in *column*."""
    return ((state.mine | state.theirs) >> (column * HEIGHT) & ((1 << ROWS) - 1)).bit_count()


def _winning_lines(state: State) -> list[list[Cell]]:
    """Every row of four or more of the seat that moved last."""
    discs = set(_cells(state.theirs))
    lines = []
    for column, row in sorted(discs):
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if (column - right, row - up) in discs:
                continue
            line = [(column, row)]
            while (line[-1][0] + right, line[-1][1] + up) in discs:
                line.append((line[-1][0] + right, line[-1][1] + up))
            if len(line) >= 4:
                lines.append(line)
    return lines


# --------------------------------------------------------------------------------------- the falling disc


def _fall_rows(before: State, column: int) -> int:
    """The rows that a disc falls in *column*, from above the board."""
    return ROWS - _height(before, column)


def _fall_seconds(rows: float) -> float:
    return math.sqrt(2 * rows / GRAVITY)


def _rows_fallen(rows: float, progress: float) -> float:
    """The rows that a disc has fallen, of *rows*, at *progress* of its time: it falls, and bounces once."""
    landing = _fall_seconds(rows)
    seconds = progress * landing * (1 + 2 * BOUNCE)
    if seconds < landing:
        return GRAVITY * seconds * seconds / 2
    after = seconds - landing
    speed = GRAVITY * landing * BOUNCE
    return rows - max(0.0, speed * after - GRAVITY * after * after / 2)
