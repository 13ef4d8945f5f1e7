"""The board of CIFRA Code25: glazed tiles in a frame, domed pieces, and the walks of a chosen piece.

A chosen piece shows its walks: in each direction a broad ribbon over the free steps, and a dot on the one paid step.
``art`` draws the board, ``pieces`` the pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial

import pygame

from papan.game.kernel.bits import cells_of
from papan.game.rules import is_over
from papan.game.rules.cifra import AnyState, board, ending, parse
from papan.game.rules.cifra import cells as cells_of_step
from papan.ui.boards import Picture
from papan.ui.boards.bases.pieces import PieceBoard
from papan.ui.boards.cifra import art
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pieces import ease_in_out, ease_out_back, interpolate, put, scaled_piece, shadowed_painting
from papan.ui.drawing.theme import Colour, SeatStyle, TextStyle, with_opacity
from papan.ui.sounds import Cue

_FRAME = 0.44
_MARGIN = 0.18
"""The margin around the frame, in cells, for its shadow."""
_SMALL_FRAME, _SMALL_MARGIN = 0.2, 0.08
_SMALLEST_CELL_WITH_COORDINATES = 36
"""In design pixels."""

_SIGN = 0.6
"""The length of the pointer on a side, in cells: less than the room between two coordinates."""

SLIDE_SECONDS = 0.24
SECONDS_A_CELL = 0.03
GOAL_SECONDS = 0.04
TURN_SECONDS = 0.4
_SLIDE_SHARE = 0.72
"""The share of the slide in a move to the goal: in the rest the piece turns into a goal piece."""


@dataclass(frozen=True)
class Ray:
    """The longest walk in a direction: the cells after the first one, and for each step whether it is free."""

    cells: tuple[int, ...]
    is_free: tuple[bool, ...]


def rays(state: AnyState, origin: int) -> list[Ray]:
    """The walks in every direction of the piece on *origin*, of the seat to act."""
    seat, size = state.to_move, board.size_of(state)
    own = board.whole(board.tiles_of, state, seat)
    by_direction: dict[tuple[int, int], list[int]] = {}
    for cell in cells_of(board.whole(board.stops, state, seat, origin)):
        columns, rows = cell % size - origin % size, cell // size - origin // size
        distance = max(abs(columns), abs(rows))
        by_direction.setdefault((columns // distance, rows // distance), []).append(cell)
    found = []
    for cells in by_direction.values():
        cells.sort(key=lambda cell: abs(cell - origin))
        left = (origin, *cells[:-1])
        free = tuple(bool(own >> here & own >> there & 1) for here, there in zip(left, cells, strict=True))
        found.append(Ray(tuple(cells), free))
    return found


class Board(PieceBoard):
    """The view of CIFRA Code25. Its number of cells follows from the state that it draws."""

    columns = rows = board.SMALL
    seat_behind = 1
    lift = 0.09

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self._margin = 0

    def _fit(self, state: AnyState) -> None:
        self.resize(board.size_of(state), board.size_of(state))

    def layout(self, area: pygame.Rect) -> None:
        """Fill *area*; the coordinates are in the broad frame."""
        self.area = area.copy()
        size, larger = self.columns, math.sqrt(self.columns / board.SMALL)  # the frame shrinks less than the cells
        side = min(area.size) / (size + (2 * _FRAME + 2 * _MARGIN) * larger)
        self.has_coordinates = self.has_room_for_coordinates(side * larger, _SMALLEST_CELL_WITH_COORDINATES)
        frame, margin = (_FRAME, _MARGIN) if self.has_coordinates else (_SMALL_FRAME, _SMALL_MARGIN)
        frame, margin = frame * larger, margin * larger
        side = max(3, int(min(area.size) / (size + 2 * frame + 2 * margin)))
        self._margin = round(side * margin)
        self.settle(side, round(side * frame), max(1, round(side * 0.05)))

    @property
    def _well(self) -> pygame.Rect:
        return self.frame.inflate(-2 * self._border, -2 * self._border)

    def first_cursor(self, state: AnyState) -> int:
        self._fit(state)
        size = self.columns
        middle = size // 2

        def away(cell: int) -> tuple[int, int]:
            columns, rows = abs(cell % size - middle), abs(cell // size - middle)
            return max(columns, rows), min(columns, rows)

        return min(
            cells_of(board.whole(board.living_pieces, state, state.to_move)), key=away, default=middle * (size + 1)
        )

    def sample(self) -> AnyState:
        return parse("WBWBWWBBWBBWNBWWWBBWBWBWB/b.W.b..b..w...b.w.w.w.B../w/w", {})

    def seat_style(self, state: AnyState, seat: int) -> SeatStyle:
        """White or blue like the seat's pieces, after the colour is chosen."""
        style = super().seat_style(state, seat)
        if state.stage != board.MOVING:
            return style
        return art.piece_style(self.theme, seat == state.white_seat, style.shape)

    def duration(self, before: AnyState, step: int, after: AnyState) -> float:
        """The seconds by distance; choosing a side rotates the board, choosing a colour places the pieces."""
        if before.stage == board.CHOOSING_SIDE:
            return TURN_SECONDS if step else 0.0
        if before.stage == board.CHOOSING_COLOUR:
            return TURN_SECONDS
        origin, target = cells_of_step(before, step)
        size = board.size_of(before)
        distance = max(abs(target % size - origin % size), abs(target // size - origin // size))
        is_goal = _is_home(before, before.to_move, target)
        return SLIDE_SECONDS + SECONDS_A_CELL * distance + GOAL_SECONDS * is_goal

    def cues(self, before: AnyState, step: int, after: AnyState) -> list[Cue]:
        if before.stage == board.CHOOSING_SIDE:
            return [Cue("slide", 0.0)] if step else []
        if before.stage == board.CHOOSING_COLOUR:
            return [Cue(self.material, 0.5), Cue(self.material)]
        target = cells_of_step(before, step)[1]
        is_capture = board.whole(board.living_pieces, before, 1 - before.to_move) >> target & 1
        return [Cue("capture" if is_capture else self.material)]

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        state: AnyState = moving.before if moving else picture.state
        self._fit(state)
        if moving and state.stage == board.CHOOSING_SIDE:
            self._draw_turning(surface, state, moving.step, moving.progress)
            return
        self._draw_ground(surface, state)
        if moving and state.stage == board.CHOOSING_COLOUR:
            self._draw_arriving(surface, moving.after, moving.progress)
        elif moving:
            self._draw_moving(surface, state, moving.step, moving.after, moving.progress)
        else:
            self.draw_still(surface, picture)
            if state.stage == board.CHOOSING_SIDE:
                self._draw_sides(surface)
            elif state.stage == board.CHOOSING_COLOUR:
                self._draw_waiting_pieces(surface, state)

    def _draw_ground(self, surface: pygame.Surface, state: AnyState) -> None:
        frame = self._frame_picture(self._owners(state))
        surface.blit(frame, self.frame.inflate(2 * self._margin, 2 * self._margin))
        surface.blit(self._tiles_picture(board.whole(board.white_tiles_of, state)), self._well)

    def _owners(self, state: AnyState) -> tuple[SeatStyle, SeatStyle] | None:
        """The styles of the seats, in their pieces' colours; None before the side is chosen."""
        if state.stage == board.CHOOSING_SIDE:
            return None
        first, second = self.seat_style(state, 0), self.seat_style(state, 1)
        if state.stage == board.MOVING:
            looks = art.palette_of(self.theme).pieces
            own = looks if state.white_seat == 0 else looks[::-1]
            first, second = (
                replace(style, colour=look.body, mark=look.mark)
                for style, look in zip((first, second), own, strict=True)
            )
        return first, second

    def _frame_picture(self, owners: tuple[SeatStyle, SeatStyle] | None) -> pygame.Surface:
        """The frame with its shadow; its inlays show whose home the nearest row is."""
        key = ("cifra frame", self.columns, self.frame.size, self.has_coordinates, self.is_turned, owners)
        laid_out = copy(self)  # the layout may change before the painting ends
        return self.paint.pictures.painted(key, lambda: laid_out._paint_frame(owners))

    def _paint_frame(self, owners: tuple[SeatStyle, SeatStyle] | None) -> Painting:
        palette = art.palette_of(self.theme)
        border, margin, side = self._border, self._margin, self.frame.w
        depth = max(2, round(margin * 0.32))
        canvas = Canvas((side + 2 * margin, side + 2 * margin))
        yield from art.drawing_frame(canvas, (margin, margin, side, side), border, depth, palette)
        for seat, owner in enumerate(owners or ()):
            art.draw_home(
                canvas, (margin, margin, side, side), border, (seat == 1) != self.is_turned, owner, palette.deep
            )
        shadow = (margin, margin + depth, side, side)
        opacity = min(1.0, 2 * self.theme.shadow)
        picture = yield from shadowed_painting(canvas, shadow, border * 0.4, opacity, margin * 0.4)
        if self.has_coordinates:
            yield from self._writing_coordinates(picture, palette.engraved)
        return picture

    def _writing_coordinates(self, picture: pygame.Surface, ink: Colour) -> Iterator[None]:
        paint, border, margin = self.paint, self._border, self._margin
        style: TextStyle = "strong" if border > 2 * paint.height("strong") else "small strong"
        near, far = margin + round(border * 0.4), margin + self.frame.w - round(border * 0.4)
        for index in range(self.columns):
            at = margin + border + round((index + 0.5) * self.cell_size)
            column, row = (self.columns - 1 - index, index) if self.is_turned else (index, self.columns - 1 - index)
            for words, where in (("abcdefghi"[column], (at, far)), (str(row + 1), (near, at))):
                yield
                legible = paint.ink_at(picture, words, where, style, ink)
                paint.text(picture, words, where, style, legible, anchor="center")

    def _tiles_picture(self, white_tiles: int) -> pygame.Surface:

        def make() -> pygame.Surface:
            well, side, palette = self._well, self.cell_size - self._gap, art.palette_of(self.theme)
            picture = pygame.Surface(well.size, pygame.SRCALPHA)
            for cell in range(self.columns**2):
                kind: art.TileKind = "white" if white_tiles >> cell & 1 else "blue"
                if cell in board.NEUTRAL_CELLS[self.columns]:
                    kind = "neutral"
                draw = partial(art.draw_tile, side=side, kind=kind, palette=palette)
                tile = self.paint.drawn_picture(("cifra tile", kind), (side, side), draw)
                picture.blit(tile, self.cell_rect(cell).move(-well.x, -well.y))
            return picture

        return self.paint.pictures.get(("cifra tiles", self.columns, self.cell_size, self.is_turned, white_tiles), make)

    def _draw_turning(self, surface: pygame.Surface, before: AnyState, quarters: int, progress: float) -> None:
        surface.blit(self._frame_picture(None), self.frame.inflate(2 * self._margin, 2 * self._margin))
        angle = (90 * quarters if quarters < 3 else -90) * ease_in_out(progress)
        turned = math.radians(abs(angle) % 90)
        fitting = 1 / (math.cos(turned) + math.sin(turned))
        tiles = pygame.transform.rotozoom(
            self._tiles_picture(board.whole(board.white_tiles_of, before)), angle, fitting
        )
        put(surface, tiles, self.frame.center)

    def owners(self, state: AnyState) -> dict[int, int]:
        return {cell: seat for seat in range(2) for cell in cells_of(board.whole(board.pieces_of, state, seat))}

    def piece(self, state: AnyState, cell: int, is_lifted: bool = False) -> pygame.Surface:
        """The picture of the piece on *cell* with its shadow, one and a half cells wide."""
        seat = 0 if board.whole(board.pieces_of, state, 0) >> cell & 1 else 1
        rank = board.rank_of(state, cell)
        name = ("K" if board.mode_of(state) == board.KING else str(rank)) if rank else ""
        shape, is_goal = self.seat_style(state, seat).shape, _is_home(state, seat, cell)
        piece = art.Piece(0 if seat == state.white_seat else 1, shape, name, is_goal, is_lifted)
        return art.piece_picture(self.paint, piece, self.cell_size, self._piece_radius)

    def lifted(self, picture: Picture) -> int | None:
        return picture.chosen if picture.state.stage == board.MOVING else None

    @property
    def _piece_radius(self) -> float:
        return (self.cell_size - self._gap) * art.PIECE_RADIUS

    def _draw_moving(
        self, surface: pygame.Surface, before: AnyState, step: int, after: AnyState, progress: float
    ) -> None:
        """Animate the piece sliding; a captured piece shrinks; at home the piece turns into a goal piece."""
        origin, target = cells_of_step(before, step)
        seat = before.to_move
        is_goal = _is_home(before, seat, target)
        slide = min(1.0, progress / (_SLIDE_SHARE if is_goal else 1.0))
        self.draw_pieces(surface, before, without=(origin, target))
        if board.whole(board.pieces_of, before, 1 - seat) >> target & 1:
            left = 1 - max(0.0, slide - 0.4) / 0.6
            self._draw_scaled(surface, self.piece(before, target), self.centre(target), left, left)
        at = interpolate(self.centre(origin), self.centre(target), ease_in_out(slide))
        if slide < 1:
            put(surface, self.piece(before, origin, is_lifted=True), self.raised(at, slide))
            return
        settled = (progress - _SLIDE_SHARE) / (1 - _SLIDE_SHARE) if is_goal else 0.0
        self._draw_scaled(surface, self.piece(before, origin), at, 1 - settled * 0.3)
        if is_goal:
            self._draw_scaled(surface, self.piece(after, target), at, ease_out_back(settled))

    def _draw_scaled(
        self,
        surface: pygame.Surface,
        piece: pygame.Surface,
        centre: tuple[float, float],
        scale: float,
        opacity: float = 1.0,
    ) -> None:
        if scale > 0.02:
            put(surface, scaled_piece(piece, scale, opacity), centre)

    def _draw_arriving(self, surface: pygame.Surface, after: AnyState, progress: float) -> None:
        for cell in self.owners(after):
            own = min(1.0, max(0.0, progress * 2 - cell % self.columns / (self.columns - 1)))
            piece = self.piece(after, cell)
            self._draw_scaled(surface, piece, self.centre(cell), ease_out_back(own), min(1.0, 3 * own))

    def deciding(self, state: AnyState) -> Sequence[int]:
        return _deciding_pieces(state)

    def draw_deciding(self, surface: pygame.Surface, cell: int) -> None:
        gold = art.palette_of(self.theme).gold
        self.paint.rounded_rect(surface, self.cell_rect(cell), with_opacity(gold, 0.45), self.radius)
        self.outline(surface, cell, 0.06, gold)

    def draw_ways(self, surface: pygame.Surface, state: AnyState, origin: int) -> None:
        for ray in rays(state, origin):
            centres = [self.centre(cell) for cell in (origin, *ray.cells)]
            art.walk(self.paint, surface, centres, ray.is_free, self.cell_size)

    def draw_targets(self, surface: pygame.Surface, picture: Picture, lifted: int | None) -> None:
        if picture.state.stage == board.MOVING:
            super().draw_targets(surface, picture, lifted)

    def is_goal(self, state: AnyState, origin: int | None, cell: int) -> bool:
        return _is_home(state, state.to_move, cell)

    def _draw_sides(self, surface: pygame.Surface) -> None:
        """Draw a pointer on each side, which leaves the coordinates legible."""
        well = self._well
        middle, aside = self._border // 2, self.cell_size / 2  # between two coordinates
        centres = (
            (well.centerx + aside, self.frame.top + middle),
            (self.frame.right - middle, well.centery + aside),
            (well.centerx + aside, self.frame.bottom - middle),
            (self.frame.left + middle, well.centery + aside),
        )
        for place, centre in enumerate(centres):
            put(surface, art.side_sign(self.paint, self._border, round(self.cell_size * _SIGN), place), centre)

    def _draw_waiting_pieces(self, surface: pygame.Surface, state: AnyState) -> None:
        for seat in range(2):
            style = self.seat_style(state, seat)
            for cell in cells_of(board.whole(board.far_row, state, 1 - seat)):
                art.waiting_piece(self.paint, surface, self.centre(cell), self._piece_radius, style)


def _is_home(state: AnyState, seat: int, cell: int) -> bool:
    return bool(board.whole(board.far_row, state, seat) >> cell & 1)


def _deciding_pieces(state: AnyState) -> Sequence[int]:
    """The cells of the pieces that decided a won game.

    In king mode the winner's king; else the winner's goal pieces if they decided, or all its pieces.
    """
    winner = ending(state).winner if is_over(state) else None
    if winner is None:
        return ()
    own = board.whole(board.pieces_of, state, winner)
    if board.mode_of(state) == board.KING:
        return [cell for cell in cells_of(own) if board.rank_of(state, cell)]
    home = [(board.goal_sum(state, seat), board.count_goals(state, seat)) for seat in (winner, 1 - winner)]
    return cells_of(board.whole(board.goal_pieces, state, winner) if home[0] > home[1] else own)
