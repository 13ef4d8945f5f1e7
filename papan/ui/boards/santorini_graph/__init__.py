"""The board of Santorini on graphs: towers and workers as in Santorini, on tiles joined by edges.

The layout of the nodes is computed from the state's graph. The last level of a tower of maximum height is a dome.
Shared workers have their own colour.
"""

from __future__ import annotations

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
from papan.ui.boards import Picture
from papan.ui.boards.santorini.art import Art
from papan.ui.boards.santorini.drawing import TowerBoard, TowerDrawing
from papan.ui.boards.santorini.geometry import Figures, Tower
from papan.ui.boards.santorini_graph import ground
from papan.ui.boards.santorini_graph.layout import node_points
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import readable_colour

_SAMPLE = "1021000311004212011000010/1/13,6/14,21"
_SAMPLE_OPTIONS = {"variant": "4W_P4H_TWUS", "board": "grid:5x5"}
_LEVEL = 0.85
"""The height of a level's number, relative to half the depth of the tower's top."""
_SMALLEST_LEVEL = 8
EVERYBODY = 2
"""The owner of shared workers: they look like a third seat's, which this game does not have."""


class Board(TowerBoard):
    """The view of Santorini on graphs, from the front, from behind and from above."""

    outlooks = 3
    lies_by_position = True
    geometry: ground.NodeGround
    plan: ground.Plan

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self._state = self.sample()
        self.figures = figures_of(self._state)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        levels = self._levels
        self.geometry = ground.NodeGround(
            area, edges_of(self._state), levels, ground.most_headroom(levels), self.is_turned
        )
        self.plan = ground.Plan(self.paint, area, self.geometry.edges, levels)

    @property
    def _levels(self) -> int:
        """The most levels of a tower below its dome, in the state drawn last."""
        return max(1, int(self._state.top) - 1)

    def first_cursor(self, state: State) -> int:
        own = nodes_of(workers_of(state, state.seat))
        return own[0] if own else state.nodes // 2

    def sample(self) -> State:
        return parse(_SAMPLE, _SAMPLE_OPTIONS)

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        state = picture.moving.before if picture.moving else picture.state
        # The layout may take several frames; until then this raises, and the last state stays.
        node_points(ground.undirected_edges(edges_of(state)), self.paint.pictures.pause)
        self._state = state
        if (self.geometry.edges, self.geometry.levels) != (edges_of(state), self._levels):
            self.layout(self.area)
        super().draw(surface, picture)

    def shrink(self) -> None:
        room = ground.headroom(self.geometry, self.figures)
        if abs(room - self.geometry.headroom) > 0.05:
            self.geometry = ground.NodeGround(self.area, self.geometry.edges, self._levels, room, self.is_turned)

    def draw_table(self, surface: pygame.Surface, art: Art) -> None:
        ground.TableTop(art, self.geometry).draw(surface)

    def drawing(self, surface: pygame.Surface, picture: Picture) -> TowerDrawing:
        return GraphDrawing(self, surface, picture)

    def figures_of(self, state: State) -> Figures:
        return figures_of(state)

    def decided_workers(self, state: State) -> tuple[frozenset[int], frozenset[int]]:
        own = frozenset(nodes_of(workers_of(state, state.seat)))
        if state.phase == REACHED_TOP:
            return frozenset(node for node in own if height(state, node) == state.top - 1), frozenset()
        return frozenset(), own if state.phase == STUCK else frozenset()


class GraphDrawing(TowerDrawing):
    """Draws one frame of Santorini on graphs, with the level on each free tower."""

    def _draw_cell(self, cell: int) -> None:
        super()._draw_cell(cell)
        has_landed = self.progress >= 1
        tower = (self.next_towers if has_landed else self.figures.towers)[cell]
        changes = tower != self.next_towers[cell]
        is_taken = cell in self.standing or any(cell in flight[1:3] for flight in self.flights if not has_landed)
        is_taken |= has_landed and any(cell == flight.target for flight in self.flights)
        if tower.tiers and not (tower.is_domed or changes or is_taken or cell in self.picture.marks):
            theme = self.paint.theme
            size = round(self.geometry.half_height * self.geometry.width(tower.tiers) * _LEVEL)
            if size >= theme.px(_SMALLEST_LEVEL):
                ink = readable_colour(theme.stone.right, theme.stone.top, 10.0 if self.art.has_strong_lines else 7.0)
                number = self.paint.bold_picture(str(tower.tiers), size, ink)
                rect = number.get_rect(center=self.geometry.top(cell, tower.tiers))
                self.paint.stamp(self.surface, number, rect, str(tower.tiers), ink)


def edges_of(state: State) -> ground.Edges:
    """For each node, the bitboard of the nodes that its edges lead to."""
    return tuple(nodes_after(state, node) for node in range(state.nodes))


def figures_of(state: State) -> Figures:
    towers = []
    for node in range(state.nodes):
        level = height(state, node)
        towers.append(Tower(level - 1, True) if level == state.top else Tower(level, False))
    owners = ((EVERYBODY, state.workers),) if state.rules & SHARED else ((0, state.workers), (1, state.others))
    return Figures(tuple(towers), {node: owner for owner, board in owners for node in nodes_of(board)})
