"""The board of 2048: a wooden tray of numbered tiles. Players point at the four sides of the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pygame

from papan.game.rules import is_over
from papan.game.rules.twenty48 import (
    DIRECTIONS,
    DOWN,
    FIELD,
    LARGEST,
    LEFT,
    RIGHT,
    SIDES,
    UP,
    State,
    board_cells,
    describe,
    parse,
    tile,
)
from papan.ui.boards import BoardView, Direction, Picture
from papan.ui.drawing.canvas import Canvas, Point, arrow_head
from papan.ui.drawing.lettering import READABLE
from papan.ui.drawing.marks import cursor_ring, text_mark
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pieces import ease_in_out, interpolate, put
from papan.ui.drawing.theme import BLACK, WHITE, Colour, Theme, contrast, mix, readable_colour, rgb, with_opacity
from papan.ui.sounds import Cue

SLIDE_SECONDS = 0.17
NEW_TILE_SECONDS = 0.12
_SLIDING = 0.62
"""The share of a slide after which all tiles have arrived; in the rest, merged ones pop."""
_POP = 0.14
"""How much larger a merged tile becomes, as a share of its side."""

_SIZES = 12
"""The number of cached sizes of a growing tile."""

_GAP = 0.115
"""The gap between two cells, as a share of a cell with its gap."""
_LANE = 0.085
"""The margin for the arrows, as a share of the board's side."""
_SMALLEST_SIDE_WITH_LANE = 150
_RADIUS = 0.11
_LETTER_SHARES = {1: 0.50, 2: 0.47, 3: 0.385, 4: 0.305, 5: 0.25}
"""By number of digits, the size of a number as a share of the tile's side."""

_TILES = ("#F6EFE2", "#EFDFBF", "#EFBF85", "#E8A061", "#DE7E55", "#CB5440", "#DDB85C", "#D2A63F",
          "#BF9028", "#7FA67A", "#3A7F71", "#2B6C78", "#35587F", "#544A7E", "#6C4A7E")  # fmt: skip
"""The colours of 2, 4, 8 … 32768: cream, ochre and red, gold, and from 1024 on green, blue and violet."""
_DARK_INK, _LIGHT_INK = rgb("#3A322A"), rgb("#FFFCF6")
_LEAST_ON_TILE = 5.0
"""The contrast of a number with any part of its tile, a little more than WCAG requires."""

_TOWARDS: Mapping[Direction, int] = {"up": UP, "right": RIGHT, "down": DOWN, "left": LEFT}
_WAYS: Mapping[int, tuple[int, int]] = {UP: (0, -1), RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0)}


class Slide(NamedTuple):
    """The movement of a tile in a slide."""

    power: int
    start: int
    end: int
    merges: bool
    """Whether it merges with another tile that ends there too."""


class Board(BoardView):
    """The view of 2048. It can't be turned, because the arrow keys are its moves."""

    outlooks = 1

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.face = pygame.Rect(0, 0, 0, 0)
        """The tray, without the margin for the arrows."""
        self.has_lane = False
        self._size = FIELD  # rows of the board drawn last
        self._targets: frozenset[int] = frozenset()  # of the last still picture: arrows don't change during a slide

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        most = min(area.size)
        self.has_lane = not (self.is_still or self.is_edited) and most >= self.theme.px(_SMALLEST_SIDE_WITH_LANE)
        side = int(most / (1 + 2 * _LANE)) if self.has_lane else most
        self.face = pygame.Rect(0, 0, side, side).move_to(center=area.center)

    def _pitch(self) -> float:
        return self.face.w / (self._size + _GAP * 1.6)

    @property
    def tile_side(self) -> int:
        return max(2, round(self._pitch() * (1 - _GAP)))

    def _centre(self, cell: int) -> Point:
        row, column = divmod(cell, FIELD)
        pitch = self._pitch()
        first = (self.face.w - pitch * self._size) / 2 + pitch / 2
        return self.face.x + first + column * pitch, self.face.y + first + row * pitch

    def _tile_rect(self, cell: int) -> pygame.Rect:
        x, y = self._centre(cell)
        return pygame.Rect(round(x - self.tile_side / 2), round(y - self.tile_side / 2), self.tile_side, self.tile_side)

    def cell_at(self, point: tuple[int, int]) -> int | None:
        """The side nearest to *point*; in the position editor, the tile there."""
        if self.is_edited:
            return next((cell for cell in board_cells(self._size) if self._tile_rect(cell).collidepoint(point)), None)
        reach = round(self.face.w * _LANE) if self.has_lane else 0
        if not self.face.inflate(2 * reach, 2 * reach).collidepoint(point):
            return None
        right, down = point[0] - self.face.centerx, point[1] - self.face.centery
        if abs(right) > abs(down):
            return SIDES + (RIGHT if right > 0 else LEFT)
        return SIDES + (DOWN if down > 0 else UP)

    def cell_rect(self, cell: int) -> pygame.Rect:
        if cell < SIDES:
            return self._tile_rect(cell)
        right, down = _WAYS[cell - SIDES]
        depth = round(self.face.w * _LANE)
        across = round(self.face.w * 0.3)
        strip = pygame.Rect(0, 0, depth if right else across, depth if down else across)
        away = self.face.w // 2 + (depth // 2 if self.has_lane else -(depth // 2))
        strip.center = self.face.centerx + right * away, self.face.centery + down * away
        return strip.clamp(self.area)

    def neighbour(self, cell: int, direction: Direction) -> int:
        if not self.is_edited:
            return SIDES + _TOWARDS[direction]
        right, down = _WAYS[_TOWARDS[direction]]
        found = cell + right + FIELD * down
        is_in_row = 0 <= cell % FIELD + right < self._size
        return found if is_in_row and found in board_cells(self._size) else cell

    def cell_of_arrow(self, direction: Direction) -> int | None:
        return None if self.is_edited else SIDES + _TOWARDS[direction]

    def arrow_in_words(self, state: State, cell: int) -> str:
        return describe(state, cell - SIDES)[0] if cell >= SIDES and not state.awaits_tile else ""

    def cells_in_reach(self, state: State) -> Sequence[int]:
        return [
            *board_cells(state.size),
            *(() if self.is_edited or self.is_still else range(SIDES, SIDES + len(_WAYS))),
        ]

    def first_cursor(self, state: State) -> int:
        return 0 if self.is_edited else SIDES + UP

    def sample(self) -> State:
        return parse("2,4,8,16/0,2,32,64/0,0,4,128/0,0,2,256 2648", {"size": "4"})

    def duration(self, before: State, step: int, after: State) -> float:
        return NEW_TILE_SECONDS if before.awaits_tile else SLIDE_SECONDS

    def cues(self, before: State, step: int, after: State) -> list[Cue]:
        """Tiles slide and merge; a new tile has no sound."""
        if before.awaits_tile:
            return []
        merges = any(move.merges for move in slides(before, step))
        return [Cue("slide", 0.0), *([Cue("merge", _SLIDING)] if merges else [])]

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        state: State = moving.before if moving else picture.state
        if not moving:
            self._targets = picture.targets
        self._size = state.size
        self._draw_tray(surface)
        if moving and moving.before.awaits_tile:
            self._draw_tiles(surface, state)
            power, grown = (moving.step & 1) + 1, moving.progress
            scale = 1.0 if grown >= 1 else 0.25 + 0.75 * grown + 0.55 * grown * (1 - grown)  # overshoots a little
            self._draw_tile(surface, self._centre(moving.step // 2), power, scale)
        elif moving:
            self._draw_sliding(surface, state, moving.step, moving.progress)
        else:
            self._draw_tiles(surface, state)
            self._draw_marks(surface, picture)
        if picture.cursor is not None:
            around = self._tile_rect(picture.cursor) if self.is_edited else self.face
            ring = around.inflate(self.theme.px(8), self.theme.px(8))
            cursor_ring(self.paint, surface, ring, round(self.face.w * 0.04))
        if self.has_lane:
            self._draw_arrows(surface, picture)

    def _draw_tray(self, surface: pygame.Surface) -> None:
        theme, wood, side = self.theme, self.theme.wood, self.face.w
        reach = max(3, round(side * 0.02))
        radius = side * 0.035
        cells = [
            self._tile_rect(cell).move(reach - self.face.x, reach - self.face.y) for cell in board_cells(self._size)
        ]
        corner = self.tile_side * _RADIUS
        well = mix(wood.edge, BLACK, 0.18) if theme.is_dark else mix(wood.cell, wood.edge, 0.35)
        ground = wood.edge
        if _is_contrast(theme):
            ground, well = wood.cell, mix(wood.cell, BLACK, 0.5)

        def draw(canvas: Canvas) -> None:
            if theme.shadow:
                canvas.rounded_rect((reach, reach * 1.5, side, side), radius, with_opacity(BLACK, theme.shadow))
                canvas.blur(reach * 0.5)
            canvas.rounded_rect((reach, reach, side, side), radius, mix(wood.edge, wood.deep, 0.5))
            raised = canvas.rounded_points((reach, reach, side, side - max(1.0, side * 0.006)), radius)
            canvas.gradient(raised, mix(ground, wood.top, 0.2), ground)
            for cell in cells:
                canvas.rounded_rect(tuple(cell), corner, mix(wood.deep, well, 0.55))
                lower = (cell.x, cell.y + corner * 0.16, cell.w, cell.h - corner * 0.16)
                canvas.rounded_rect(lower, corner, well)

        size = (side + 2 * reach, side + 2 * reach)
        tray = self.paint.drawn_picture(("2048 tray", self._size), size, draw)
        surface.blit(tray, (self.face.x - reach, self.face.y - reach))

    def _draw_tiles(self, surface: pygame.Surface, state: State) -> None:
        for cell in board_cells(state.size):
            if power := tile(state, cell):
                self._draw_tile(surface, self._centre(cell), power)

    def _draw_tile(self, surface: pygame.Surface, centre: Point, power: int, scale: float = 1.0) -> None:
        grain = max(1, self.tile_side // _SIZES)
        side = self.tile_side if scale == 1 else max(grain, round(self.tile_side * scale / grain) * grain)
        picture = _tile_picture(self.paint, power, side)
        put(surface, picture, centre)

    def _draw_sliding(self, surface: pygame.Surface, before: State, direction: int, progress: float) -> None:
        share = ease_in_out(min(1.0, progress / _SLIDING))
        moves = slides(before, direction)
        for move in moves:
            if share < 1 or not move.merges:
                centre = interpolate(self._centre(move.start), self._centre(move.end), share)
                self._draw_tile(surface, centre, move.power)
        if share < 1:
            return
        swelling = (progress - _SLIDING) / (1 - _SLIDING)
        scale = 1 + _POP * 4 * swelling * (1 - swelling)
        for end, power in {move.end: move.power + 1 for move in moves if move.merges}.items():
            self._draw_tile(surface, self._centre(end), power, scale)

    def _draw_marks(self, surface: pygame.Surface, picture: Picture) -> None:
        paint, theme, state = self.paint, self.theme, picture.state
        if is_over(state) and not _is_contrast(theme):
            veil = with_opacity(theme.background, 0.45)
            paint.rounded_rect(surface, self.face, veil, round(self.face.w * 0.035))
        line = max(2.0, self.tile_side * 0.03)
        corner = round(self.tile_side * _RADIUS)
        for cell in picture.last:
            if cell < SIDES and not is_over(state):
                ink = with_opacity(_ink(theme, tile(state, cell)) if tile(state, cell) else theme.ink, 0.75)
                inner = self._tile_rect(cell).inflate(-round(self.tile_side * 0.11), -round(self.tile_side * 0.11))
                radius, dash = round(corner * 0.7), self.tile_side * 0.06
                paint.rounded_rect(surface, inner, None, radius, line=ink, line_width=line, dash=dash)
        for cell, text in picture.marks.items():
            text_mark(paint, surface, self._mark_point(cell), text)

    def _mark_point(self, cell: int) -> tuple[int, int]:
        """The middle of a mark: on its tile, or just inside the side."""
        if cell < SIDES:
            return self._tile_rect(cell).center
        right, down = _WAYS[cell - SIDES]
        away = self.face.w / 2 - self.tile_side * 0.22
        return round(self.face.centerx + right * away), round(self.face.centery + down * away)

    def _draw_arrows(self, surface: pygame.Surface, picture: Picture) -> None:
        theme = self.theme
        for direction in range(len(DIRECTIONS)):
            cell = SIDES + direction
            centre = self.cell_rect(cell).center
            half = self.face.w * _LANE * 0.26
            is_legal = cell in self._targets
            is_hovered = is_legal and cell == picture.hover
            colour = theme.legal if is_legal else theme.line
            half *= 1.3 if is_hovered else 1 if is_legal else 0.6
            if cell in picture.hint:
                radius, fill, width = self.face.w * _LANE * 0.46, with_opacity(theme.legal, 0.2), max(2, theme.px(2))
                self.paint.disc(surface, centre, radius, fill, line=theme.legal, line_width=width)
                colour = theme.legal
            right, down = _WAYS[direction]
            head = arrow_head(centre, (centre[0] + right, centre[1] + down), half, 1.7 * half, 1.25 * half)
            self.paint.polygon(surface, head, colour)


def _is_contrast(theme: Theme) -> bool:
    return theme.background == BLACK


def _fill(theme: Theme, power: int) -> Colour:
    colour = rgb(_TILES[power - 1])
    return mix(colour, theme.wood.deep, 0.12) if theme.is_dark and not _is_contrast(theme) else colour


def _ink(theme: Theme, power: int) -> Colour:
    """The colour of a tile's number: dark or light, whichever is more readable."""
    fill = _fill(theme, power)
    inks = (BLACK, WHITE) if _is_contrast(theme) else (_DARK_INK, _LIGHT_INK)
    return readable_colour(max(inks, key=lambda ink: contrast(ink, fill)), fill, READABLE)


def tile_colours(theme: Theme, power: int) -> tuple[Colour, Colour, Colour]:
    """The colours of a tile's upper and lower edge, and of its number, which is readable on both."""
    fill, ink = _fill(theme, power), _ink(theme, power)
    top, bottom = (readable_colour(colour, ink, _LEAST_ON_TILE) for colour in (mix(fill, WHITE, 0.12), fill))
    return top, bottom, ink


def _tile_picture(paint: Painter, power: int, side: int) -> pygame.Surface:
    theme = paint.theme
    top, fill, ink = tile_colours(theme, power)

    def draw(canvas: Canvas) -> None:
        corner = side * _RADIUS
        canvas.rounded_rect((0, 0, side, side), corner, mix(fill, theme.wood.deep, 0.42))
        raised = canvas.rounded_points((0, 0, side, side - max(1.0, side * 0.028)), corner)
        canvas.gradient(raised, top, fill)
        if _is_contrast(theme):
            canvas.outline((0, 0, side, side), corner, max(1.0, side * 0.02), WHITE)

    def make() -> pygame.Surface:
        picture = paint.drawn_picture(("2048 tile", power), (side, side), draw).copy()
        number = str(1 << power)
        digits = paint.bold_picture(number, round(side * _LETTER_SHARES[len(number)]), ink)
        paint.stamp(picture, digits, digits.get_rect(center=(side / 2, side * 0.495)), number, ink)
        return picture

    return paint.pictures.get(("2048 numbered tile", power, side), make)


def slides(before: State, direction: int) -> list[Slide]:
    """The movement of each tile in a slide, including tiles that stay."""
    found: list[Slide] = []
    for line in _lines(before.size, direction):
        free, waiting = 0, None  # the index of the line's next free cell; the last tile, which may still merge
        for cell in line:
            power = tile(before, cell)
            if not power:
                continue
            if waiting is not None and waiting.power == power and power < LARGEST:
                found.remove(waiting)
                found += [waiting._replace(merges=True), Slide(power, cell, waiting.end, True)]
                waiting = None
            else:
                waiting = Slide(power, cell, line[free], False)
                found.append(waiting)
                free += 1
    return found


def _lines(size: int, direction: int) -> list[list[int]]:
    """The cells of each line of the board, in the order of packing tiles."""
    rows = [[FIELD * row + column for column in range(size)] for row in range(size)]
    lines = [list(line) for line in zip(*rows, strict=True)] if direction in (UP, DOWN) else rows
    return [line[::-1] for line in lines] if direction in (RIGHT, DOWN) else lines
