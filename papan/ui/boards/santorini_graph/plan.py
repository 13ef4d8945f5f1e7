"""The board of Santorini on graphs from above: the nodes as squares on a table, joined by lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import pygame

from papan.ui.boards import Direction
from papan.ui.boards.santorini_graph.ground import Edges, nearest, undirected_edges
from papan.ui.boards.santorini_graph.layout import node_points
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.materials import wooden_frame
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import Colour, mix, readable_colour

_NODE = 0.62
"""A node's side, relative to the distance of the two nearest nodes."""
_MARGIN = 0.62
"""The distance from the outermost nodes to the table's frame, in the same unit."""
_FRAME = 0.07
_LARGEST_NODE = 0.17
"""The most a node's side can be, relative to the area's height."""
_LINE, _HEAD = 0.06, 0.28
"""The width of a line and the length of an arrow's head, relative to a node's side."""
_SMALLEST_WITH_NUMBERS = 26
_NUMBERS_CONTRAST = 6.5
"""The contrast with the wood's colour, as its grain and edges are darker."""
_NUMBER = 0.62
"""The distance from a node's middle to its number, relative to its side."""


class Plan:
    """The positions of nodes within an area, and the table below them."""

    def __init__(self, paint: Painter, area: pygame.Rect, edges: Edges) -> None:
        self.paint = paint
        self.edges = edges
        points = node_points(undirected_edges(edges))
        xs, ys = [x for x, _ in points], [y for _, y in points]
        wide, high = max(xs) - min(xs), max(ys) - min(ys)
        way = min(math.dist(*pair) for pair in combinations(points, 2))
        around = 2 * (_MARGIN + _FRAME) * way
        scale = min(area.w / (wide + around), area.h / (high + around), area.h * _LARGEST_NODE / (way * _NODE))
        self.side = max(3, int(way * _NODE * scale))
        self._points = [
            (
                area.centerx + round((x - min(xs) - wide / 2) * scale),
                area.centery + round((y - min(ys) - high / 2) * scale),
            )
            for x, y in points
        ]
        self.table = pygame.Rect(0, 0, round((wide + around) * scale), round((high + around) * scale))
        self.table.center = area.center
        self._frame = max(2, round(_FRAME * way * scale))

    def cell_rect(self, node: int) -> pygame.Rect:
        rect = pygame.Rect(0, 0, self.side, self.side)
        rect.center = self._points[node]
        return rect

    def cell_at(self, point: tuple[int, int]) -> int | None:
        rects = (self.cell_rect(node) for node in range(len(self.edges)))
        return next((node for node, rect in enumerate(rects) if rect.collidepoint(point)), None)

    def neighbour(self, node: int, direction: Direction) -> int:
        """The node that an arrow key moves to; *node* itself if there is none."""
        return nearest(self._points, node, direction)

    def draw(self, surface: pygame.Surface) -> None:
        wooden_frame(self.paint, surface, self.table, self._frame)
        key = ("santorini graph plan", self.edges, self.table.size, self.side)
        surface.blit(self.paint.pictures.painted(key, self._painting), self.table)

    def _painting(self) -> Painting:
        wood = self.paint.theme.wood
        canvas = Canvas(self.table.size)
        ink = readable_colour(mix(wood.line, wood.deep, 0.6), wood.top, 3.0)
        middles = [(x - self.table.x, y - self.table.y) for x, y in self._points]
        for start, end in combinations(range(len(self.edges)), 2):
            leads_on, leads_back = self.edges[start] >> end & 1, self.edges[end] >> start & 1
            if leads_on or leads_back:
                canvas.line([middles[start], middles[end]], max(1.2, self.side * _LINE), ink)
            if bool(leads_on) != bool(leads_back):
                ends = (middles[start], middles[end]) if leads_on else (middles[end], middles[start])
                self._draw_head(canvas, *ends, ink)
        corner, line = self.side * 0.1, max(1.0, self.side * 0.025)
        for x, y in middles:
            box = (x - self.side / 2, y - self.side / 2, self.side, self.side)
            canvas.rounded_rect(box, corner, wood.cell)
            canvas.outline(box, corner, line, ink)
        picture = yield from canvas.painting()
        if self.side >= self.paint.theme.px(_SMALLEST_WITH_NUMBERS):
            self._write_numbers(picture, middles)
        return picture

    def _draw_head(self, canvas: Canvas, start: Point, end: Point, ink: Colour) -> None:
        """Draw the head of an arrow in front of the node that it leads to."""
        length, way = self.side * _HEAD, math.dist(start, end)
        right, down = (end[0] - start[0]) / way, (end[1] - start[1]) / way
        tip = (end[0] - right * self.side * 0.75, end[1] - down * self.side * 0.75)
        back = (tip[0] - right * length, tip[1] - down * length)
        half = length * 0.5
        canvas.polygon(
            [
                tip,
                (back[0] - down * half, back[1] + right * half),
                (back[0] + down * half, back[1] - right * half),
            ],
            ink,
        )

    def _write_numbers(self, picture: pygame.Surface, middles: Sequence[Point]) -> None:
        theme = self.paint.theme
        ink = readable_colour(theme.second if theme.is_dark else theme.wood.deep, theme.wood.top, _NUMBERS_CONTRAST)
        for node, (x, y) in enumerate(middles):
            digits = self.paint.text_picture(str(node), "tiny", ink)
            rect = digits.get_rect(center=(round(x), round(y + self.side * _NUMBER)))
            self.paint.rounded_rect(picture, rect.inflate(theme.px(5), -theme.px(2)), theme.wood.top, rect.h // 2)
            self.paint.stamp(picture, digits, rect, str(node), ink)
