"""CIFRA Code25 on the table: a framed board of glazed tiles, domed pieces, and the walks of a chosen one.

A chosen piece shows why it can go where it can: along each direction a broad ribbon runs over the steps that
are free, and dots mark the one step that is paid for. ``cifra_art`` draws the things themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pygame

from game.bits import popcount
from game.cifra import cells as cells_of_step
from game.cifra import describe, ending
from game.cifra_board import (
    BOTTOM_ROW,
    CHOOSING_COLOUR,
    CHOOSING_SIDE,
    MOVING,
    TOP_ROW,
    State,
    cells_of,
    far_row,
    goals,
    living,
    passable,
    pieces_of,
    stops,
    tiles_of,
)
from game.cifra_position import parse
from game.kernels import is_over
from game.sight import CELLS, SIZE
from ui.boards import Picture
from ui.boards.cifra_art import (
    PIECE_RADIUS,
    TileKind,
    draw_frame,
    draw_goal_piece,
    draw_home,
    draw_piece,
    draw_tile,
    palette_of,
    piece_style,
    soft_shadow,
)
from ui.boards.cifra_marks import arrow, brackets, outline, ring, side_label, target, waiting_place, walk
from ui.boards.common import SquareBoard, between, cursor_ring, eased, hovered_cell, mark
from ui.canvas import Canvas
from ui.paint import Painter
from ui.texts import _
from ui.theme import Colour, SeatStyle, TextStyle, faded

_FRAME = 0.44
_MARGIN = 0.18
"""Around the frame, in cells: for its shadow, and for the names of the sides."""
_SMALL_FRAME, _SMALL_MARGIN = 0.2, 0.08
_SMALLEST_CELL_WITH_COORDINATES = 36
"""In the sketches' pixels: pictures for the gallery have none."""
_LIFT = 0.09
_CENTRE_CELL = CELLS // 2

SLIDE_SECONDS = 0.24
SECONDS_A_CELL = 0.03
GOAL_SECONDS = 0.04
TURN_SECONDS = 0.4
_SLIDE_SHARE = 0.72
"""Of a move that ends in the goal: the rest turns the piece into a goal piece."""


@dataclass(frozen=True)
class Ray:
    """A walk as far as it can go: the cells after the first one, and for each step whether it is free."""

    cells: tuple[int, ...]
    is_free: tuple[bool, ...]


def rays(state: State, origin: int) -> list[Ray]:
    """The walks in every direction of the piece on *origin*, which belongs to the seat to act."""
    seat = state.to_move
    own = tiles_of(state, seat)
    by_direction: dict[tuple[int, int], list[int]] = {}
    for cell in cells_of(stops(state, seat, origin, passable(state, seat))):
        columns, rows = cell % SIZE - origin % SIZE, cell // SIZE - origin // SIZE
        distance = max(abs(columns), abs(rows))
        by_direction.setdefault((columns // distance, rows // distance), []).append(cell)
    found = []
    for cells in by_direction.values():
        cells.sort(key=lambda cell: abs(cell - origin))
        left = (origin, *cells[:-1])
        free = tuple(bool(own >> here & own >> there & 1) for here, there in zip(left, cells, strict=True))
        found.append(Ray(tuple(cells), free))
    return found


class Board(SquareBoard):
    """The view of CIFRA Code25."""

    columns = rows = SIZE

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self._border = 0
        self._margin = 0

    # ------------------------------------------------------------------------------------- geometry

    def place_of(self, cell: int) -> tuple[int, int]:
        return cell % SIZE, SIZE - 1 - cell // SIZE

    def cell_of(self, column: int, row: int) -> int:
        return (SIZE - 1 - row) * SIZE + column

    def layout(self, area: pygame.Rect) -> None:
        """Fill *area*: unlike other boards, this one has its coordinates in a broad frame."""
        self.area = area.copy()
        side = min(area.size) / (SIZE + 2 * _FRAME + 2 * _MARGIN)
        self.has_coordinates = side >= self.theme.px(_SMALLEST_CELL_WITH_COORDINATES)
        frame, margin = (_FRAME, _MARGIN) if self.has_coordinates else (_SMALL_FRAME, _SMALL_MARGIN)
        self.cell_size = max(6, int(min(area.size) / (SIZE + 2 * frame + 2 * margin)))
        self._border = round(self.cell_size * frame)
        self._margin = round(self.cell_size * margin)
        self._gap = max(1, round(self.cell_size * 0.05))
        self.frame = pygame.Rect(0, 0, 0, 0)
        self.frame.size = (SIZE * self.cell_size + 2 * self._border,) * 2
        self.frame.center = area.center
        self._origin = self.frame.x + self._border, self.frame.y + self._border

    @property
    def _well(self) -> pygame.Rect:
        """Where the tiles lie."""
        return self.frame.inflate(-2 * self._border, -2 * self._border)

    def _centre(self, cell: int) -> tuple[int, int]:
        return self.cell_rect(cell).center

    def first_cursor(self, state: State) -> int:
        """The piece of the seat to act that is nearest to the middle; the middle where it has none."""
        own = cells_of(living(state, state.to_move))
        middle = SIZE // 2
        away = {cell: max(abs(cell % SIZE - middle), abs(cell // SIZE - middle)) for cell in own}
        return min(own, key=away.__getitem__, default=_CENTRE_CELL)

    def sample(self) -> State:
        return parse("WBWBWWBBWBBWNBWWWBBWBWBWB/b.W.b..b..w...b.w.w.w.B../w/w", {})

    # ---------------------------------------------------------------------------------------- seats

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        """White or blue as the seat's pieces are, once that is chosen."""
        style = super().seat_style(state, seat)
        if state.stage != MOVING:
            return style
        return piece_style(self.theme, seat == state.white_seat, style.shape)

    # ------------------------------------------------------------------------------------ animation

    def duration(self, before: State, step: int, after: State) -> float:
        """By distance; the choice of a side turns the board, that of a colour brings the pieces."""
        if before.stage == CHOOSING_SIDE:
            return TURN_SECONDS if step else 0.0
        if before.stage == CHOOSING_COLOUR:
            return TURN_SECONDS
        origin, target = cells_of_step(before, step)
        distance = max(abs(target % SIZE - origin % SIZE), abs(target // SIZE - origin // SIZE))
        is_goal = bool(far_row(before.to_move) >> target & 1)
        return SLIDE_SECONDS + SECONDS_A_CELL * distance + GOAL_SECONDS * is_goal

    # -------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        state: State = moving.before if moving else picture.state
        if moving and state.stage == CHOOSING_SIDE:
            self._draw_turning(surface, state, moving.step, moving.progress)
            return
        self._draw_ground(surface, state)
        if moving and state.stage == CHOOSING_COLOUR:
            self._draw_arriving(surface, moving.after, moving.progress)
        elif moving:
            self._draw_moving(surface, state, moving.step, moving.after, moving.progress)
        else:
            self._draw_still(surface, state, picture)

    def _draw_still(self, surface: pygame.Surface, state: State, picture: Picture) -> None:
        self._draw_tile_marks(surface, state, picture)
        chosen = picture.chosen if state.stage == MOVING else None
        if chosen is not None and picture.targets:
            self._draw_walks(surface, state, chosen)
        self._draw_pieces(surface, state, without=chosen)
        if state.stage == MOVING:
            self._draw_targets(surface, state, picture)
        if chosen is not None:
            self._draw_chosen(surface, state, chosen)
        if state.stage == CHOOSING_SIDE:
            self._draw_sides(surface, state)
        elif state.stage == CHOOSING_COLOUR:
            self._draw_places(surface, state)
        if len(picture.hint) == 2:
            start, end = map(self._centre, picture.hint)
            arrow(self.paint, surface, start, end, self.cell_size)
        if picture.cursor is not None:
            cursor_ring(self.paint, surface, self._around(picture.cursor), self.radius + self._gap)
        for cell, text in picture.marks.items():
            self._draw_mark(surface, state, cell, text)

    # ------------------------------------------------------------------------------------- the board

    def _draw_ground(self, surface: pygame.Surface, state: State) -> None:
        """Frame and tiles: one picture for each board."""
        owners = self._owners(state)
        key = ("cifra board", self.frame.size, self.has_coordinates, state.white_tiles, owners)
        around = self.frame.inflate(2 * self._margin, 2 * self._margin)

        def make() -> pygame.Surface:
            ground = self._frame_picture(owners).copy()
            ground.blit(self._tiles_picture(state.white_tiles), (self._border + self._margin,) * 2)
            return ground

        surface.blit(self.paint.pictures.get(key, make), around)

    def _owners(self, state: State) -> tuple[SeatStyle, SeatStyle] | None:
        """Whose home the rows at the bottom and at the top are, once that is chosen: in the pieces' own colours."""
        if state.stage == CHOOSING_SIDE:
            return None
        first, second = self.seat_style(state, 0), self.seat_style(state, 1)
        if state.stage == MOVING:
            looks = palette_of(self.theme).pieces
            own = looks if state.white_seat == 0 else looks[::-1]
            first, second = (
                replace(style, colour=look.body, mark=look.mark)
                for style, look in zip((first, second), own, strict=True)
            )
        return first, second

    def _frame_picture(self, owners: tuple[SeatStyle, SeatStyle] | None) -> pygame.Surface:
        """The frame, with room for its shadow; its inlays tell whose home the nearest row is."""
        key = ("cifra frame", self.frame.size, self.has_coordinates, owners)
        return self.paint.pictures.get(key, lambda: self._make_frame(owners))

    def _make_frame(self, owners: tuple[SeatStyle, SeatStyle] | None) -> pygame.Surface:
        palette = palette_of(self.theme)
        border, margin, side = self._border, self._margin, self.frame.w
        full = (side + 2 * margin,) * 2
        depth = max(2, round(margin * 0.32))

        canvas = Canvas(full)
        draw_frame(canvas, (margin, margin, side, side), border, depth, palette)
        for seat, owner in enumerate(owners or ()):
            draw_home(canvas, (margin, margin, side, side), border, seat == 1, owner, palette.deep)
        shadow = (margin, margin + depth, side, side)
        picture = soft_shadow(full, shadow, border * 0.4, min(1.0, 2 * self.theme.shadow), margin * 0.4)
        picture.blit(canvas.finished(), (0, 0))
        if self.has_coordinates:
            self._write_coordinates(picture, palette.engraved)
        return picture

    def _write_coordinates(self, picture: pygame.Surface, ink: Colour) -> None:
        paint, border, margin = self.paint, self._border, self._margin
        style: TextStyle = "strong" if border > 2 * paint.height("strong") else "small strong"
        near, far = margin + round(border * 0.4), margin + self.frame.w - round(border * 0.4)
        for index in range(SIZE):
            at = margin + border + round((index + 0.5) * self.cell_size)
            paint.text(picture, "abcde"[index], (at, far), style, ink, anchor="center")
            paint.text(picture, str(SIZE - index), (near, at), style, ink, anchor="center")

    def _tiles_picture(self, white_tiles: int) -> pygame.Surface:
        """The tiles alone, as they lie in the frame."""

        def make() -> pygame.Surface:
            well = self._well
            picture = pygame.Surface(well.size, pygame.SRCALPHA)
            for cell in range(CELLS):
                kind: TileKind = "white" if white_tiles >> cell & 1 else "blue"
                place = self.cell_rect(cell).move(-well.x, -well.y)
                picture.blit(self._tile("neutral" if cell == _CENTRE_CELL else kind), place)
            return picture

        return self.paint.pictures.get(("cifra tiles", self.frame.size, self.cell_size, white_tiles), make)

    def _tile(self, kind: TileKind) -> pygame.Surface:
        side = self.cell_size - self._gap
        palette = palette_of(self.theme)
        return self.paint.drawn(
            ("cifra tile", kind), (side, side), lambda canvas: draw_tile(canvas, side, kind, palette)
        )

    def _draw_turning(self, surface: pygame.Surface, before: State, quarters: int, progress: float) -> None:
        """The tiles turn within the frame, a little smaller on the way so that they fit."""
        surface.blit(self._frame_picture(None), self.frame.inflate(2 * self._margin, 2 * self._margin))
        angle = (90 * quarters if quarters < 3 else -90) * eased(progress)
        turned = math.radians(abs(angle) % 90)
        fitting = 1 / (math.cos(turned) + math.sin(turned))
        tiles = pygame.transform.rotozoom(self._tiles_picture(before.white_tiles), angle, fitting)
        surface.blit(tiles, tiles.get_rect(center=self.frame.center))

    # ------------------------------------------------------------------------------------ the pieces

    def _piece(self, state: State, seat: int, is_goal: bool = False, is_lifted: bool = False) -> pygame.Surface:
        """The picture of a piece of *seat*, a cell and a half wide, its shadow included."""
        palette = palette_of(self.theme)
        colour = 0 if seat == state.white_seat else 1
        shape = self.seat_style(state, seat).shape
        side = self.cell_size
        radius = self._piece_radius
        full = round(side * 1.5)
        centre = (full / 2, full / 2)
        look = palette.pieces[colour]

        def make() -> pygame.Surface:
            canvas = Canvas((full, full))
            if is_goal:
                draw_goal_piece(canvas, centre, radius, look, shape, palette.gold)
                return canvas.finished()
            draw_piece(canvas, centre, radius * (1.06 if is_lifted else 1), look, shape)
            fall, softness = (0.5, 0.3) if is_lifted else (0.2, 0.12)
            left, top = full / 2 - radius * (1 - fall * 0.35), full / 2 - radius * (1 - fall)
            under = (left, top, 2 * radius, 2 * radius)
            picture = soft_shadow((full, full), under, radius, 0.36, radius * softness)
            picture.blit(canvas.finished(), (0, 0))
            return picture

        return self.paint.pictures.get(("cifra piece", colour, shape, is_goal, is_lifted, side), make)

    @property
    def _piece_radius(self) -> float:
        return (self.cell_size - self._gap) * PIECE_RADIUS

    def _draw_pieces(self, surface: pygame.Surface, state: State, without: int | None = None) -> None:
        for seat in range(2):
            for cell in cells_of(pieces_of(state, seat)):
                if cell != without:
                    piece = self._piece(state, seat, bool(far_row(seat) >> cell & 1))
                    surface.blit(piece, piece.get_rect(center=self._centre(cell)))

    def _draw_chosen(self, surface: pygame.Surface, state: State, cell: int) -> None:
        ring(self.paint, surface, self._centre(cell), self.cell_size, self.theme.legal)
        x, y = self._centre(cell)
        piece = self._piece(state, state.to_move, is_lifted=True)
        surface.blit(piece, piece.get_rect(center=(x, y - round(self.cell_size * _LIFT))))

    def _draw_moving(self, surface: pygame.Surface, before: State, step: int, after: State, progress: float) -> None:
        """The piece slides along its walk; what it captures shrinks away; at home it turns into a goal piece."""
        origin, target = cells_of_step(before, step)
        seat = before.to_move
        is_goal = bool(far_row(seat) >> target & 1)
        slide = min(1.0, progress / (_SLIDE_SHARE if is_goal else 1.0))
        captured = bool(pieces_of(before, 1 - seat) >> target & 1)
        remaining = before._replace(first=before.first & ~(1 << origin), second=before.second & ~(1 << origin))
        self._draw_pieces(surface, remaining, without=target)
        if captured:
            left = 1 - max(0.0, slide - 0.4) / 0.6
            self._draw_scaled(surface, self._piece(before, 1 - seat), self._centre(target), left, left)
        x, y = between(self._centre(origin), self._centre(target), eased(slide))
        if slide < 1:
            lifted = self._piece(before, seat, is_lifted=True)
            height = self.cell_size * _LIFT * min(1.0, 6 * slide * (1 - slide))
            surface.blit(lifted, lifted.get_rect(center=(round(x), round(y - height))))
            return
        settled = (progress - _SLIDE_SHARE) / (1 - _SLIDE_SHARE) if is_goal else 0.0
        self._draw_scaled(surface, self._piece(before, seat), (x, y), 1 - settled * 0.3)
        if is_goal:
            self._draw_scaled(surface, self._piece(after, seat, is_goal), (x, y), _popped(settled))

    def _draw_scaled(
        self,
        surface: pygame.Surface,
        piece: pygame.Surface,
        centre: tuple[float, float],
        scale: float,
        opacity: float = 1.0,
    ) -> None:
        if scale <= 0.02:
            return
        shown = pygame.transform.smoothscale(piece, (max(1, round(piece.get_width() * scale)),) * 2)
        shown.set_alpha(round(255 * opacity))
        surface.blit(shown, shown.get_rect(center=(round(centre[0]), round(centre[1]))))

    def _draw_arriving(self, surface: pygame.Surface, after: State, progress: float) -> None:
        """The pieces pop up on their home rows, from the left to the right."""
        for seat in range(2):
            for cell in cells_of(pieces_of(after, seat)):
                own = min(1.0, max(0.0, progress * 2 - cell % SIZE / (SIZE - 1)))
                self._draw_scaled(
                    surface, self._piece(after, seat), self._centre(cell), _popped(own), min(1.0, 3 * own)
                )

    # ------------------------------------------------------------------------------------- the marks

    def _around(self, cell: int) -> pygame.Rect:
        return self.cell_rect(cell).inflate(2 * self._gap, 2 * self._gap)

    def _outline(self, surface: pygame.Surface, cell: int, width: float, colour: Colour, dash: float = 0.0) -> None:
        outline(self.paint, surface, self.cell_rect(cell), self.radius, self.cell_size * width, colour, dash)

    def _draw_tile_marks(self, surface: pygame.Surface, state: State, picture: Picture) -> None:
        """What lies on the tiles, below the pieces."""
        theme = self.theme
        for cell in picture.last:
            self._outline(surface, cell, 0.03, theme.ink, dash=self.cell_size * 0.075)
        for cell in picture.winning or _deciding_pieces(state):
            gold = palette_of(theme).gold
            self.paint.rounded(surface, self.cell_rect(cell), faded(gold, 0.45), self.radius)
            self._outline(surface, cell, 0.06, gold)
        for cell in picture.hint:
            self._outline(surface, cell, 0.045, theme.accent)
        if picture.hover in picture.targets:
            hovered_cell(self.paint, surface, self.cell_rect(picture.hover), self.radius)

    def _draw_walks(self, surface: pygame.Surface, state: State, origin: int) -> None:
        """Why the piece on *origin* can go as far as it can."""
        for ray in rays(state, origin):
            places = [self._centre(cell) for cell in (origin, *ray.cells)]
            walk(self.paint, surface, places, ray.is_free, self.cell_size)

    def _draw_targets(self, surface: pygame.Surface, state: State, picture: Picture) -> None:
        own, theirs = pieces_of(state, state.to_move), pieces_of(state, 1 - state.to_move)
        far = far_row(state.to_move)
        for cell in picture.targets:
            if own >> cell & 1:
                if cell != picture.chosen:
                    self._outline(surface, cell, 0.03, self.theme.legal)
            elif theirs >> cell & 1:
                brackets(self.paint, surface, self.cell_rect(cell))
            elif cell not in picture.marks:
                is_goal, is_hovered = bool(far >> cell & 1), cell == picture.hover
                centre = self._centre(cell)
                target(self.paint, surface, centre, self.cell_size, is_goal=is_goal, is_hovered=is_hovered)

    def _draw_mark(self, surface: pygame.Surface, state: State, cell: int, text: str) -> None:
        """A score: in the middle of an empty cell, below the piece on another one."""
        rect = self.cell_rect(cell)
        is_taken = (state.first | state.second) >> cell & 1
        low = rect.bottom - round(rect.h * 0.12)
        mark(self.paint, surface, (rect.centerx, low if is_taken else rect.centery), text)

    # --------------------------------------------------------------------------------- before play

    def _draw_sides(self, surface: pygame.Surface, state: State) -> None:
        """The names of the four sides on the frame, each with an arrow into the board."""
        well = self._well
        middle = self._border // 2
        places = (
            (well.centerx, self.frame.top + middle),
            (self.frame.right - middle, well.centery),
            (well.centerx, self.frame.bottom - middle),
            (self.frame.left + middle, well.centery),
        )
        for side, place in enumerate(places):
            name = _(describe(state, side)[0]) if self.has_coordinates else ""
            label = side_label(self.paint, name, self._border, round(self.cell_size * 1.4), side)
            surface.blit(label, label.get_rect(center=place))

    def _draw_places(self, surface: pygame.Surface, state: State) -> None:
        """Where the pieces of each seat are going to stand, before they have a colour."""
        for seat, row in ((0, BOTTOM_ROW), (1, TOP_ROW)):
            style = self.seat_style(state, seat)
            for cell in cells_of(row):
                waiting_place(self.paint, surface, self._centre(cell), self._piece_radius, style)


def _deciding_pieces(state: State) -> Sequence[int]:
    """Where a won game was decided: the winner's goal pieces where they are more, else all of its pieces."""
    winner = ending(state).winner if is_over(state) else None
    if winner is None:
        return ()
    home = goals(state, winner)
    is_ahead = popcount(home) > popcount(goals(state, 1 - winner))
    return cells_of(home if is_ahead else pieces_of(state, winner))


def _popped(progress: float) -> float:
    """A scale that grows from nothing, goes a little beyond 1, and ends there."""
    left = progress - 1
    return 1 + 2.7 * left**3 + 1.7 * left**2
