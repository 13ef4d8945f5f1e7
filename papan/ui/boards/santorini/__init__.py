"""The board of Santorini: an oblique wooden board, towers of stone, workers with their seat's shape.

It can be seen from four sides, or from above.
"""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from papan.game.kernel.bits import cells_of
from papan.game.rules.santorini import State, board, parse
from papan.ui.boards import Emblem, Picture
from papan.ui.boards.santorini.art import SMALLEST_WITH_COORDINATES, Art, WoodenBoard
from papan.ui.boards.santorini.drawing import TowerBoard
from papan.ui.boards.santorini.emblems import draw_emblem
from papan.ui.boards.santorini.geometry import Figures, Geometry, Special, figures_of, headroom, special_targets
from papan.ui.boards.santorini.plain import PlainBoard
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import SeatStyle

_SAMPLE = "1210024311122120111000000/1/apollo:c3,d1/atlas:e4,b2"


class Board(TowerBoard):
    """The view of Santorini, from each of four sides and from above."""

    outlooks = 5
    geometry: Geometry

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.plan = PlainBoard(paint)
        self._emblems: dict[int, Emblem] = {}

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        self.plan.is_still = self.is_still
        self.plan.layout(area)
        self.geometry = Geometry(area, quarters=self.outlook % (self.outlooks - 1))

    def first_cursor(self, state: State) -> int:
        own = cells_of(board.workers_of(state, state.seat))
        return own[0] if own else board.CELL_BY_NAME["c3"]

    def free_corner(self, size: tuple[int, int]) -> pygame.Rect | None:
        if self.is_plain:
            return None
        corner = pygame.Rect((0, 0), size).move_to(bottomleft=self.area.bottomleft)
        (x, y), (wide, deep) = self.geometry.middle, self.geometry.frame_reach
        along, down = (x - corner.right) / wide, (corner.top - self.geometry.thickness - y) / deep
        return corner if abs(along) + abs(down) > 1 and down > 0 else None

    def sample(self) -> State:
        return parse(_SAMPLE, {})

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        """The style of the seat's team, whose seats share their workers."""
        return self.theme.seats[board.side_of(state, seat)]

    def step_emblem(self, state: State, step: int) -> Emblem | None:
        kind, _, god = board.step_parts(step)
        return self._emblem(god) if kind == board.PICK else None

    def seat_emblem(self, state: State, seat: int) -> Emblem | None:
        god = board.god_of(state, seat)
        return self._emblem(god) if god else None

    def _emblem(self, god: int) -> Emblem:
        """The function that draws *god*'s emblem; the same object each time, because cards compare it."""

        def draw(surface: pygame.Surface, rect: pygame.Rect) -> None:
            draw_emblem(self.paint, surface, rect, god)

        return self._emblems.setdefault(god, draw)

    def figures_of(self, state: State) -> Figures:
        return figures_of(state)

    def decided_workers(self, state: State) -> tuple[frozenset[int], frozenset[int]]:
        own = int(board.workers_of(state, state.seat))
        if state.phase == board.REACHED_TOP:
            return frozenset(cells_of(own & state.level_3)), frozenset()
        if state.phase == board.WENT_DOWN:
            return frozenset(cells_of(own & ~state.level_2)), frozenset()
        return frozenset(), frozenset(cells_of(own)) if state.phase == board.STUCK else frozenset()

    def special_targets(self, picture: Picture) -> Mapping[int, Special]:
        return special_targets(picture.state, picture.chosen)

    def shrink(self) -> None:
        if self.geometry.headroom != headroom(self.figures):
            self.geometry = Geometry(self.area, headroom(self.figures), self.geometry.quarters)

    def draw_table(self, surface: pygame.Surface, art: Art) -> None:
        has_coordinates = self.has_room_for_coordinates(self.geometry.half_width, SMALLEST_WITH_COORDINATES)
        WoodenBoard(art, self.geometry).sprite(has_coordinates).blit(surface, self.geometry.middle)
