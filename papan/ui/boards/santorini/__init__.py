"""The board of Santorini: an oblique wooden board, towers of stone, workers with their seat's shape.

It can be seen from four sides, or from above. Animations are derived from the states before and after a step, so that
gods' powers need no special code.
"""

from __future__ import annotations

import pygame

from papan.game.kernel.bits import cells_of
from papan.game.rules.santorini import State, parse
from papan.game.rules.santorini.board import (
    CELL_BY_NAME,
    PICK,
    god_of,
    side_of,
    step_parts,
    workers_of,
)
from papan.ui.boards import BoardView, Direction, Emblem, Picture
from papan.ui.boards.santorini.changes import cues_between, flights
from papan.ui.boards.santorini.drawing import SantoriniDrawing
from papan.ui.boards.santorini.emblems import draw_emblem
from papan.ui.boards.santorini.geometry import EMPTY, Geometry, figures_of, headroom
from papan.ui.boards.santorini.plain import PlainBoard, PlainTowers
from papan.ui.boards.santorini.wood import SMALLEST_WITH_COORDINATES
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import SeatStyle
from papan.ui.sounds import Cue

MOVE_SECONDS = 0.35
BUILD_SECONDS = 0.3
PLACE_SECONDS = 0.25

_SAMPLE = "1210024311122120111000000/1/apollo:c3,d1/atlas:e4,b2"
_ABOVE = 4
"""The outlook from above; those before it are from the four sides."""


class Board(BoardView):
    """The view of Santorini, from each of four sides and from above."""

    outlooks = 5

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.geometry = Geometry(pygame.Rect(0, 0, 1, 1))
        self._plain = PlainBoard(paint)
        self._figures = EMPTY
        self._targets: frozenset[int] = frozenset()
        self._emblems: dict[int, Emblem] = {}

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        self._plain.is_still = self.is_still
        self._plain.layout(area)
        self.geometry = Geometry(area, quarters=self.outlook % _ABOVE)

    @property
    def is_plain(self) -> bool:
        """Whether the board is seen from above."""
        return self.outlook == _ABOVE

    def cell_at(self, point: tuple[int, int]) -> int | None:
        """The cell whose tower or worker is at *point* in the last frame.

        A legal cell that shines through a tower takes precedence over the tower's cell.
        """
        if self.is_plain:
            return self._plain.cell_at(point)
        return self.geometry.cell_at(point, self._figures, self._targets)

    def cell_rect(self, cell: int) -> pygame.Rect:
        if self.is_plain:
            return self._plain.cell_rect(cell)
        return self.geometry.cell_rect(self._figures, cell)

    def neighbour(self, cell: int, direction: Direction) -> int:
        return (self._plain if self.is_plain else self.geometry).neighbour(cell, direction)

    def first_cursor(self, state: State) -> int:
        """The first own worker, or the board's middle."""
        own = cells_of(workers_of(state, state.seat))
        return own[0] if own else CELL_BY_NAME["c3"]

    def free_corner(self, size: tuple[int, int]) -> pygame.Rect | None:
        """A rectangle below the board's left front edge, or None."""
        if self.is_plain:
            return None
        corner = pygame.Rect((0, 0), size)
        corner.bottomleft = self.area.bottomleft
        (x, y), (wide, deep) = self.geometry.middle, self.geometry.frame_reach
        along, down = (x - corner.right) / wide, (corner.top - self.geometry.thickness - y) / deep
        return corner if abs(along) + abs(down) > 1 and down > 0 else None

    def sample(self) -> State:
        return parse(_SAMPLE, {})

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        """The style of the seat's team, whose seats share their workers."""
        return self.theme.seats[side_of(state, seat)]

    def step_emblem(self, state: State, step: int) -> Emblem | None:
        kind, _, god = step_parts(step)
        return self._emblem(god) if kind == PICK else None

    def seat_emblem(self, state: State, seat: int) -> Emblem | None:
        god = god_of(state, seat)
        return self._emblem(god) if god else None

    def _emblem(self, god: int) -> Emblem:
        """The function that draws *god*'s emblem; the same object each time, because cards compare it."""

        def draw(surface: pygame.Surface, rect: pygame.Rect) -> None:
            draw_emblem(self.paint, surface, rect, god)

        return self._emblems.setdefault(god, draw)

    def duration(self, before: State, step: int, after: State) -> float:
        old, new = figures_of(before), figures_of(after)
        seconds = [PLACE_SECONDS if flight.fades else MOVE_SECONDS for flight in flights(old, new)]
        if old.towers != new.towers:
            seconds.append(BUILD_SECONDS)
        return max(seconds, default=0.0)

    def cues(self, before: State, step: int, after: State) -> list[Cue]:
        return cues_between(figures_of(before), figures_of(after))

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        self._figures = figures_of(moving.before if moving else picture.state)
        self._targets = picture.targets
        if self.is_still and self.geometry.headroom != headroom(self._figures):
            self.geometry = Geometry(self.area, headroom(self._figures), self.geometry.quarters)
        if self.area.w < 8 or self.area.h < 8:
            return
        clip = surface.get_clip()
        surface.set_clip(clip.clip(self.area))
        if self.is_plain:
            self._plain.draw(surface, picture)
            after = figures_of(moving.after) if moving else None
            towers = PlainTowers(self.paint, self._plain.cell_rect, self.theme.seats.__getitem__)
            towers.draw(surface, picture, self._figures, after)
        else:
            drawing = SantoriniDrawing(self.paint, self.geometry, surface, picture, self._figures)
            drawing.draw(self.has_room_for_coordinates(self.geometry.half_width, SMALLEST_WITH_COORDINATES))
        surface.set_clip(clip)
