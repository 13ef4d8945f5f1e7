"""The board of Santorini on graphs: towers and workers as in Santorini, on tiles joined by edges.

The layout of the nodes is computed from the state's graph. The last level of a tower of maximum height is a dome.
Shared workers have their own colour.
"""

from __future__ import annotations

from typing import Any

import pygame

from papan.game.kernel.bits import cells_of as nodes_of
from papan.game.rules.santorini_graph import State, parse
from papan.game.rules.santorini_graph.board import (
    REACHED_TOP,
    SHARED,
    STUCK,
    height,
    nodes_after,
    workers_of,
)
from papan.ui.boards import BoardView, Direction, Picture
from papan.ui.boards.santorini import BUILD_SECONDS, MOVE_SECONDS, PLACE_SECONDS
from papan.ui.boards.santorini.changes import cues_between, flights
from papan.ui.boards.santorini.drawing import TowerDrawing
from papan.ui.boards.santorini.geometry import Figures, Tower
from papan.ui.boards.santorini.plain import PlainTowers
from papan.ui.boards.santorini_graph.ground import (
    Edges,
    NodeGround,
    TableTop,
    headroom,
    most_headroom,
    undirected_edges,
)
from papan.ui.boards.santorini_graph.layout import node_points
from papan.ui.boards.santorini_graph.plan import Plan
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import readable_colour
from papan.ui.sounds import Cue

_SAMPLE = "1021000311004212011000010/1/13,6/14,21"
_SAMPLE_OPTIONS = {"variant": "4W_P4H_TWUS", "board": "grid:5x5"}
_LEVEL = 0.85
"""The height of a level's number, relative to half the depth of the tower's top."""
_SMALLEST_LEVEL = 8
EVERYBODY = 2
"""The owner of shared workers: they look like a third seat's, which this game does not have."""
_ABOVE = 2
"""The outlook from above; those before it are from the front and from behind."""


class Board(BoardView):
    """The view of Santorini on graphs, from the front, from behind and from above."""

    outlooks = 3
    lies_by_position = True

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self._state = self.sample()
        self._figures = figures_of(self._state)
        self._targets: frozenset[int] = frozenset()
        self._ground: NodeGround | None = None
        self._plan: Plan | None = None

    @property
    def ground(self) -> NodeGround:
        """The geometry of the state drawn last."""
        edges, levels = edges_of(self._state), max(1, int(self._state.top) - 1)
        if self._ground is None or (self._ground.edges, self._ground.levels) != (edges, levels):
            self._ground = NodeGround(self.area, edges, levels, most_headroom(levels), self.is_turned)
        return self._ground

    @property
    def plan(self) -> Plan:
        """The geometry from above of the state drawn last."""
        edges = edges_of(self._state)
        if self._plan is None or self._plan.edges != edges:
            self._plan = Plan(self.paint, self.area, edges)
        return self._plan

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        self._ground = self._plan = None

    def cell_at(self, point: tuple[int, int]) -> int | None:
        """The node whose tile, tower or worker is at *point* in the last frame."""
        if self.outlook == _ABOVE:
            return self.plan.cell_at(point)
        return self.ground.cell_at(point, self._figures, self._targets)

    def cell_rect(self, cell: int) -> pygame.Rect:
        if self.outlook == _ABOVE:
            return self.plan.cell_rect(cell)
        return self.ground.cell_rect(self._figures, cell)

    def neighbour(self, cell: int, direction: Direction) -> int:
        return (self.plan if self.outlook == _ABOVE else self.ground).neighbour(cell, direction)

    def first_cursor(self, state: State) -> int:
        """The first worker of the seat to act, or the middle node."""
        own = nodes_of(workers_of(state, state.seat))
        return own[0] if own else state.nodes // 2

    def sample(self) -> State:
        return parse(_SAMPLE, _SAMPLE_OPTIONS)

    def duration(self, before: State, step: int, after: State) -> float:
        old, new = figures_of(before), figures_of(after)
        seconds = [PLACE_SECONDS if flight.fades else MOVE_SECONDS for flight in flights(old, new)]
        return max([*seconds, BUILD_SECONDS if old.towers != new.towers else 0.0])

    def cues(self, before: State, step: int, after: State) -> list[Cue]:
        return cues_between(figures_of(before), figures_of(after))

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        state = picture.moving.before if picture.moving else picture.state
        # The layout may take several frames; until then this raises, and the last state stays.
        node_points(undirected_edges(edges_of(state)), self.paint.pictures.pause)
        self._state = state
        self._figures = figures_of(state)
        self._targets = picture.targets
        if self.area.w < 8 or self.area.h < 8:
            return
        if self.outlook == _ABOVE:
            self._draw_plan(surface, picture)
            return
        if self.is_still:
            room = headroom(self.ground, self._figures)  # a still board needs no more
            if abs(room - self.ground.headroom) > 0.05:
                self._ground = NodeGround(self.area, self.ground.edges, self.ground.levels, room, self.is_turned)
        clip = surface.get_clip()
        surface.set_clip(clip.clip(self.area))
        has_coordinates = not self.is_still or self.is_explained
        GraphDrawing(self.paint, self.ground, surface, picture, self._figures).draw(has_coordinates=has_coordinates)
        surface.set_clip(clip)

    def _draw_plan(self, surface: pygame.Surface, picture: Picture) -> None:
        self.plan.draw(surface)
        levels = max(1, int(self._state.top) - 1)
        towers = PlainTowers(self.paint, self.plan.cell_rect, self.theme.seats.__getitem__, levels)
        towers.draw(surface, picture, self._figures, figures_of(picture.moving.after) if picture.moving else None)


class GraphDrawing(TowerDrawing):
    """Draws one frame of Santorini on graphs."""

    geometry: NodeGround

    def draw_board(self, has_coordinates: bool) -> None:
        TableTop(self.art, self.geometry).draw(self.surface)  # always with numbers, if they fit

    def _draw_cell(self, cell: int) -> None:
        super()._draw_cell(cell)
        has_landed = self.progress >= 1
        tower = (self.next_towers if has_landed else self.figures.towers)[cell]
        changes = tower != self.next_towers[cell]
        is_taken = cell in self.standing or any(cell in flight[1:3] for flight in self.flights if not has_landed)
        is_taken |= has_landed and any(cell == flight.target for flight in self.flights)
        if tower.tiers and not (tower.is_domed or changes or is_taken or cell in self.picture.marks):
            self._write_level(cell, tower.tiers)

    def _write_level(self, cell: int, level: int) -> None:
        """Write a tower's level on its top, if it fits."""
        theme = self.paint.theme
        size = round(self.geometry.half_height * self.geometry.width(level) * _LEVEL)
        if size >= theme.px(_SMALLEST_LEVEL):
            ink = readable_colour(theme.stone.right, theme.stone.top, 10.0 if self.art.has_strong_lines else 7.0)
            number = self.paint.bold_picture(str(level), size, ink)
            rect = number.get_rect(center=self.geometry.top(cell, level))
            self.paint.stamp(self.surface, number, rect, str(level), ink)

    def figures_of(self, state: Any) -> Figures:
        return figures_of(state)

    def decided_workers(self, state: Any) -> tuple[frozenset[int], frozenset[int]]:
        own = frozenset(nodes_of(workers_of(state, state.seat)))
        if state.phase == REACHED_TOP:
            return frozenset(node for node in own if height(state, node) == state.top - 1), frozenset()
        return frozenset(), own if state.phase == STUCK else frozenset()


def edges_of(state: State) -> Edges:
    """For each node, the bitboard of the nodes that its edges lead to."""
    return tuple(nodes_after(state, node) for node in range(state.nodes))


def figures_of(state: State) -> Figures:
    towers = []
    for node in range(state.nodes):
        level = height(state, node)
        towers.append(Tower(level - 1, True) if level == state.top else Tower(level, False))
    owners = ((EVERYBODY, state.workers),) if state.rules & SHARED else ((0, state.workers), (1, state.others))
    return Figures(tuple(towers), {node: owner for owner, board in owners for node in nodes_of(board)})
