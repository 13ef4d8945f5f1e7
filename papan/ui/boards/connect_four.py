"""The board of Connect Four: a plate with round holes on two feet; discs fall behind it.

This is the example of a board view. Its cells are the columns, since players only point at these.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy

import pygame

from papan.game.rules import is_over, mover
from papan.game.rules.connect_four import COLUMNS, HEIGHT, ROWS, State, parse
from papan.ui.boards import BoardView, Direction, Picture, Styles
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.marks import cursor_ring, double_ring, text_mark, trail
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.pieces import faint_piece, put
from papan.ui.drawing.theme import BLACK, WHITE, Colour, SeatStyle, mix, rgb, with_opacity
from papan.ui.sounds import Cue
from papan.ui.texts import N_

GRAVITY = 78.0
"""The acceleration in cells per second squared."""
BOUNCE = 0.24
"""The share of its speed that a disc keeps when it lands."""

_EDGE = 0.22  # of the face around the holes, in cells
_FOOT = 0.4  # of the face below the holes, where the columns' numbers are
_BARE_FOOT = 0.26
_FEET = 0.34  # below the face
_FEET_WIDTH = 1.0
_SIDEWAYS = 0.18  # how far the feet reach beyond the face
_OPACITY = 0.9
_HOLE = 0.405  # radius, in cells
_DISC = 0.45
_LANE = 1.06  # above the board, for the disc before it falls
_SMALLEST_CELL_WITH_LANE = 24
_SMALLEST_WITH_SHAPE = 9
"""The least radius in pixels of a disc with its seat's shape."""

_PLATES = {"walnut": rgb("#6A452B"), "graphite": rgb("#4A5158")}
_GROOVES = (0.78, 0.62, 0.46)
"""The radii of a grooved disc's grooves, as shares of its own."""

Cell = tuple[int, int]
"""Column from the left, row from the bottom."""


class Board(BoardView):
    styles: Styles = {  # noqa: RUF012
        "board": {"blue": N_("Sea blue"), "walnut": N_("Walnut"), "graphite": N_("Graphite")},
        "pieces": {"glass": N_("Translucent"), "grooved": N_("Grooved"), "flat": N_("Flat")},
    }

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.side = 1
        self.face = pygame.Rect(0, 0, 0, 0)
        """The plate with the holes."""
        self.box = pygame.Rect(0, 0, 0, 0)
        """The plate and its feet."""
        self.has_lane = False
        self.has_numbers = False

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        wide, high = COLUMNS + 2 * _EDGE + 2 * _SIDEWAYS, ROWS + _EDGE + _FEET
        with_lane = min(area.w / wide, area.h / (high + _FOOT + _LANE))
        self.has_lane = not self.is_still and with_lane >= self.theme.px(_SMALLEST_CELL_WITH_LANE)
        bare = min(area.w / wide, area.h / (high + _BARE_FOOT))
        self.has_numbers = self.has_lane or self.has_room_for_coordinates(bare, _SMALLEST_CELL_WITH_LANE)
        if self.has_numbers and not self.has_lane:
            bare = min(area.w / wide, area.h / (high + _FOOT))
        self.side = max(4, int(with_lane if self.has_lane else bare))
        edge = round(self.side * _EDGE)
        height = edge + ROWS * self.side + self._foot
        self.box = pygame.Rect(0, 0, COLUMNS * self.side + 2 * edge, height + round(self.side * _FEET))
        self.box.center = area.center
        self.box.y += round(self.side * _LANE / 2) if self.has_lane else 0
        self.face = pygame.Rect(*self.box.topleft, self.box.w, height)

    @property
    def _foot(self) -> int:
        """The height of the face below the holes."""
        return round(self.side * (_FOOT if self.has_numbers else _BARE_FOOT))

    def _centre(self, column: int, row: float) -> tuple[float, float]:
        across = self.face.x + round(self.side * _EDGE) + (self._from_left(column) + 0.5) * self.side
        above = round(self.side * (_EDGE + 0.04)) if row >= ROWS else 0
        return across, self.face.bottom - self._foot - (row + 0.5) * self.side - above

    def cell_at(self, point: tuple[int, int]) -> int | None:
        lane = round(self.side * _LANE) if self.has_lane else 0
        if not self.face.top - lane <= point[1] < self.face.bottom or not self.face.left <= point[0] < self.face.right:
            return None
        column = (point[0] - self.face.x - round(self.side * _EDGE)) // self.side
        return self._from_left(min(max(column, 0), COLUMNS - 1))

    def _from_left(self, column: int) -> int:
        """Convert *column* to its place from the left, or back: seen from behind, columns are mirrored."""
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
        """Red and ochre, because the board has the second seat's blue."""
        return self.theme.seats[0 if seat == 0 else 2]

    def sample(self) -> State:
        return parse("7345312654136445", {})

    def duration(self, before: State, step: int, after: State) -> float:
        return _fall_seconds(_fall_rows(before, step)) * (1 + 2 * BOUNCE)

    def cues(self, before: State, step: int, after: State) -> list[Cue]:
        return [Cue("disc landed", 1 / (1 + 2 * BOUNCE)), Cue("disc settled")]

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
        theme = self.theme
        ground = mix(theme.panel, theme.seats[1].colour, 0.05) if not theme.is_dark else mix(theme.panel, BLACK, 0.3)
        inner = self.face.inflate(-round(self.side * _EDGE), -round(self.side * _EDGE))
        surface.fill(ground, inner)
        if theme.shadow:  # the plate's shadow, fading downwards
            shade = pygame.Rect(inner.x, inner.y, inner.w, round(self.side * 1.2))
            corners = [(0, 0), (shade.w, 0), shade.size, (0, shade.h)]
            dark, clear = with_opacity(BLACK, 0.12), with_opacity(BLACK, 0.0)
            picture = self.paint.drawn_picture(
                "connect four shade", shade.size, lambda canvas: canvas.gradient(corners, dark, clear)
            )
            surface.blit(picture, shade)

    def _draw_disc(self, surface: pygame.Surface, centre: tuple[float, float], seat: int, opacity: float = 1.0) -> None:
        style = self.theme.seats[0 if seat == 0 else 2]
        radius, look = self.side * _DISC, self.style["pieces"]

        def draw(canvas: Canvas) -> None:
            middle = canvas.middle
            if self.theme.shadow and look == "glass":
                _draw_translucent(canvas, middle, radius, style)
            elif self.theme.shadow and look == "grooved":
                _draw_grooved(canvas, middle, radius, style)
            else:
                _draw_flat(canvas, middle, radius, style)

        side = 2 * math.ceil(radius) + 4
        disc = self.paint.drawn_picture(("connect four disc", seat, self.side, look), (side, side), draw)
        put(surface, faint_piece(disc, opacity) if opacity < 1 else disc, centre)

    def _draw_falling(self, surface: pygame.Surface, before: State, column: int, progress: float) -> None:
        distance = _fall_rows(before, column)
        fallen = _rows_fallen(distance, progress)
        self._draw_disc(surface, self._centre(column, ROWS - fallen), mover(before))

    def _draw_held(self, surface: pygame.Surface, picture: Picture) -> None:
        """Draw the disc above the column pointed at, and arrows above the other legal columns."""
        held = picture.cursor if picture.hover is None else picture.hover
        for column in picture.targets:
            centre = self._centre(column, ROWS)
            if column == held:
                self._draw_disc(surface, centre, mover(picture.state), 0.85)
            else:
                half, x, y = self.side * 0.11, centre[0], centre[1] + self.side * 0.3
                points = ((x - half, y - half * 0.6), (x + half, y - half * 0.6), (x, y + half * 0.8))
                self.paint.polygon(surface, points, with_opacity(self.theme.legal, 0.85))

    def _draw_face(self, surface: pygame.Surface) -> None:
        side = self.side
        reach = max(2, round(side * _SIDEWAYS))
        size = (self.face.w + 2 * reach, self.face.h + reach + round(side * _FEET))
        key = ("connect four face", self.has_numbers, self.style["board"])
        laid_out = copy(self)  # the layout may change before the painting ends
        picture = self.paint.drawn_picture(key, size, lambda canvas: laid_out._paint_face(canvas, reach))
        surface.blit(picture, (self.face.x - reach, self.face.y - reach))
        if self.has_numbers:
            ink = mix(self._plate, WHITE, 0.8 if self.theme.shadow else 1.0)
            y = self.face.bottom - round(self._foot * 0.5)
            for column in range(COLUMNS):
                x = round(self._centre(column, 0)[0])
                self.paint.text(surface, str(column + 1), (x, y), "small strong", ink, anchor="center")

    @property
    def _plate(self) -> Colour:
        colour = self.theme.seats[1].colour
        if self.theme.shadow and self.style["board"] in _PLATES:
            colour = _PLATES[self.style["board"]]
            return mix(colour, BLACK, 0.25) if self.theme.is_dark else colour
        return mix(colour, BLACK, 0.45) if self.theme.is_dark else colour

    def _paint_face(self, canvas: Canvas, reach: int) -> Iterator[None]:
        side, edge, colour = self.side, round(self.side * _EDGE), self._plate
        face = (reach, reach, self.face.w, self.face.h)
        radius, deep = side * 0.24, mix(colour, BLACK, 0.34)
        self._paint_stand(canvas, reach)
        canvas.rounded_rect((reach, reach + side * 0.06, self.face.w, self.face.h), radius, deep)
        canvas.gradient(canvas.rounded_points(face, radius), mix(colour, WHITE, 0.09), mix(colour, BLACK, 0.07))
        canvas.outline(face, radius, max(1.0, side * 0.022), mix(colour, WHITE, 0.28))
        slot = side * 0.07  # into which the discs are dropped
        canvas.rounded_rect((reach + edge, reach + slot * 0.5, self.face.w - 2 * edge, slot), slot / 2, deep)
        holes = [
            (reach + edge + (column + 0.5) * side, reach + edge + (row + 0.5) * side)
            for column in range(COLUMNS)
            for row in range(ROWS)
        ]
        for x, y in holes:
            yield
            canvas.circle((x, y), side * (_HOLE + 0.05), mix(colour, BLACK, 0.14))
            canvas.circle((x, y + side * 0.014), side * (_HOLE + 0.034), mix(colour, WHITE, 0.2))
            canvas.circle((x, y), side * (_HOLE + 0.014), deep)
        for hole in holes:
            yield
            canvas.cut(hole, side * _HOLE)
        if not self.theme.shadow:
            return
        for hole in holes:  # the plate's thickness: its shadow above, its lit inner wall below
            yield
            for depth, opacity in ((0.2, 0.06), (0.16, 0.06), (0.12, 0.07), (0.08, 0.09), (0.04, 0.14)):
                canvas.polygon(_crescent(canvas, hole, side * _HOLE, side * depth), with_opacity(BLACK, opacity))
            canvas.polygon(_crescent(canvas, hole, side * _HOLE, -side * 0.035), mix(colour, WHITE, 0.22))

    def _paint_stand(self, canvas: Canvas, reach: int) -> None:
        side, colour = self.side, mix(self._plate, BLACK, 0.18)
        bottom, high = reach + self.face.h, side * _FEET
        rail = (reach + side * 0.5, bottom - side * 0.1, self.face.w - side, side * 0.16)
        canvas.rounded_rect(rail, side * 0.06, mix(colour, BLACK, 0.3))
        for left in (reach - side * _SIDEWAYS * 0.9, reach + self.face.w - side * (_FEET_WIDTH - _SIDEWAYS * 0.9)):
            right, foot = left + side * _FEET_WIDTH, bottom + high * 0.92
            narrow = side * 0.16
            outline = [
                (left + narrow, bottom - side * 0.3),
                (right - narrow, bottom - side * 0.3),
                (right, foot - side * 0.05),
                (right - side * 0.05, foot),
                (left + side * 0.05, foot),
                (left, foot - side * 0.05),
            ]
            if self.theme.shadow:
                ground = ((left + right) / 2, foot - side * 0.01)
                canvas.ellipse(ground, side * _FEET_WIDTH * 0.54, side * 0.045, with_opacity(BLACK, 0.22))
            canvas.polygon([(x, y + side * 0.03) for x, y in outline], mix(colour, BLACK, 0.35))
            canvas.gradient(outline, mix(colour, WHITE, 0.06), mix(colour, BLACK, 0.12))

    def _draw_marks(self, surface: pygame.Surface, picture: Picture) -> None:
        theme, state, side = self.theme, picture.state, self.side
        for column in picture.last:
            row = _height(state, column) - 1
            if row >= 0 and not is_over(state):
                line, dash = max(1.5, side * 0.035), side * 0.09
                centre = self._centre(column, row)
                self.paint.disc(surface, centre, side * _HOLE, None, line=WHITE, line_width=line, dash=dash)
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
            around = self.cell_rect(picture.cursor).inflate(0, -round(side * 0.1))
            if self.has_numbers:
                around.h -= self._foot - round(side * 0.05)  # keep the column's number readable
            cursor_ring(self.paint, surface, around, round(side * 0.3))

    def _draw_four(self, surface: pygame.Surface, state: State) -> None:
        side = self.side
        for line in _winning_lines(state):
            ends = [self._centre(*line[0]), self._centre(*line[-1])]
            trail(self.paint, surface, ends, (side * 0.085, WHITE), (side * 0.13, with_opacity(BLACK, 0.25)))
            for cell in line:
                self.paint.disc(surface, self._centre(*cell), side * _HOLE, None, line=WHITE, line_width=side * 0.07)


def _draw_translucent(canvas: Canvas, middle: Point, radius: float, style: SeatStyle) -> None:
    """Draw a translucent disc with a raised rim and its seat's shape embossed."""
    x, y = middle
    colour = style.colour
    canvas.circle(middle, radius, mix(colour, BLACK, 0.22))
    canvas.circle((x, y - radius * 0.02), radius * 0.97, mix(colour, WHITE, 0.08))
    canvas.cut(middle, radius * 0.8)
    canvas.gradient(
        canvas.arc_points(middle, radius * 0.8, 0, 360),
        with_opacity(mix(colour, BLACK, 0.14), _OPACITY),
        with_opacity(mix(colour, WHITE, 0.1), _OPACITY),
    )
    line = max(0.8, radius * 0.045)
    canvas.polygon(_crescent(canvas, middle, radius * 0.8, radius * 0.05), with_opacity(BLACK, 0.22))
    canvas.polygon(_crescent(canvas, middle, radius * 0.8, -radius * 0.05), with_opacity(WHITE, 0.3))
    canvas.arc(middle, radius * 0.9, 205, 290, line * 1.3, with_opacity(WHITE, 0.45))
    if radius > _SMALLEST_WITH_SHAPE:
        rise = max(0.6, radius * 0.035)
        draw_shape(canvas, style.shape, (x, y + rise), radius * 0.36, mix(colour, BLACK, 0.4))
        draw_shape(canvas, style.shape, (x, y - rise * 0.4), radius * 0.36, mix(style.mark, colour, 0.12))


def _draw_flat(canvas: Canvas, middle: Point, radius: float, style: SeatStyle) -> None:
    canvas.circle(middle, radius, style.colour)
    canvas.ring(middle, radius * 0.8, max(1.0, radius * 0.06), mix(style.colour, BLACK, 0.4))
    if radius > _SMALLEST_WITH_SHAPE:
        draw_shape(canvas, style.shape, middle, radius * 0.36, style.mark)


def _draw_grooved(canvas: Canvas, middle: Point, radius: float, style: SeatStyle) -> None:
    """Draw an opaque disc with grooves turned into it, and its seat's shape in the middle."""
    x, y = middle
    colour, line = style.colour, max(0.8, radius * 0.05)
    canvas.circle(middle, radius, mix(colour, BLACK, 0.25))
    canvas.gradient(
        canvas.arc_points(middle, radius * 0.97, 0, 360), mix(colour, WHITE, 0.16), mix(colour, BLACK, 0.06)
    )
    for share in _GROOVES:
        canvas.ring((x, y + line * 0.7), radius * share, line, mix(colour, WHITE, 0.28))
        canvas.ring(middle, radius * share, line, mix(colour, BLACK, 0.26))
    if radius > _SMALLEST_WITH_SHAPE:
        draw_shape(canvas, style.shape, middle, radius * 0.3, mix(style.mark, colour, 0.12))


def _crescent(canvas: Canvas, middle: Point, radius: float, depth: float) -> list[Point]:
    """The part of a circle outside the same circle moved down by *depth* (up if negative)."""
    crossing = math.degrees(math.asin(min(1.0, abs(depth) / 2 / radius)))  # where the two circles meet
    if depth > 0:
        outer, inner = (180 - crossing, 360 + crossing), (180 + crossing, 360 - crossing)
    else:
        outer, inner = (-crossing, 180 + crossing), (crossing, 180 - crossing)
    shifted = canvas.arc_points((middle[0], middle[1] + depth), radius, *inner)
    return [*canvas.arc_points(middle, radius, *outer), *reversed(shifted)]


def _discs(state: State) -> tuple[list[Cell], list[Cell]]:
    to_move = mover(state)
    own = (state.mine, state.theirs) if to_move == 0 else (state.theirs, state.mine)
    return _cells(own[0]), _cells(own[1])


def _cells(bits: int) -> list[Cell]:
    return [(column, row) for column in range(COLUMNS) for row in range(ROWS) if bits >> (column * HEIGHT + row) & 1]


def _height(state: State, column: int) -> int:
    return ((state.mine | state.theirs) >> (column * HEIGHT) & ((1 << ROWS) - 1)).bit_count()


def _winning_lines(state: State) -> list[list[Cell]]:
    """The rows of four or more discs of the seat that moved last."""
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


def _fall_rows(before: State, column: int) -> int:
    return ROWS - _height(before, column)


def _fall_seconds(rows: float) -> float:
    return math.sqrt(2 * rows / GRAVITY)


def _rows_fallen(rows: float, progress: float) -> float:
    """The rows fallen, of *rows*, at *progress* of the animation; the disc bounces once."""
    landing = _fall_seconds(rows)
    seconds = progress * landing * (1 + 2 * BOUNCE)
    if seconds < landing:
        return GRAVITY * seconds * seconds / 2
    after = seconds - landing
    speed = GRAVITY * landing * BOUNCE
    return rows - max(0.0, speed * after - GRAVITY * after * after / 2)
