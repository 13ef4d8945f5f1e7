"""The oblique board of Santorini on graphs: the positions of nodes, and the table with its tiles and edges.

Nodes farther back are higher on the screen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import pygame

from papan.ui.boards import Direction
from papan.ui.boards.santorini.art import Art, above_shadow, rhombus
from papan.ui.boards.santorini.geometry import (
    DOME_HEIGHT,
    PAWN_HEIGHT,
    SLOPE,
    Figures,
    Ground,
    tier_height,
)
from papan.ui.boards.santorini_graph.layout import node_points
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.theme import WHITE, Colour, TextStyle, mix, readable_colour, with_opacity

TILT = 0.84
"""The vertical scale, relative to the horizontal one."""
_TILE = 0.385
"""Half of a tile's width, relative to the distance of the two nearest nodes."""
_LARGEST_TILE = 0.105
"""The most half of a tile's width can be, relative to the area's height."""
_SIDE, _BACK, _FRONT = 1.45, 1.05, 1.3
"""The table's margins around the outermost nodes, in halves of a tile's width."""
_THICKNESS = 0.3
_SHADOW = 0.4
_SHADOW_STRENGTH = 2.2
"""The opacity of the shadow, relative to a panel's."""
_GROOVE, _THIN_GROOVE = 0.095, 0.055
"""The width of an edge; the second one in dense graphs."""
_DENSE = 5
"""The mean degree above which a graph is dense."""
_CORNER = 0.55
_NUMBERS_CONTRAST = 6.5
"""The contrast with the wood's colour, as its grain and edges are darker."""
_NUMBER = (0.66, 0.78)
"""The position of a tile's number, beside its right front edge, in halves of its width and depth: towers and workers
in front do not cover it."""
_SMALLEST_WITH_NUMBERS = 15
_SMALLEST_WITH_LARGER_NUMBERS = 40
_HEAD, _ARROW = 0.34, 0.6
"""The length of an arrow's head, and its position as a share of the edge."""
_FARTHEST_HIDDEN = 0.75
"""The sideways distance up to which a tower hides a node, in halves of a tile's width."""
_SIDEWAYS = 2.0
"""The weight of sideways distance for the arrow keys."""
_KEYS: dict[Direction, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}

Edges = tuple[int, ...]
"""For each node, the bitboard of the nodes that its edges lead to."""


class NodeGround(Ground):
    """The positions of nodes within an area.

    :param levels: the most tiers of a tower below its dome.
    :param headroom: the height above the nodes farthest back, in halves of a tile's width.
    :param is_turned: whether the table is rotated by 180 degrees.
    """

    def __init__(self, area: pygame.Rect, edges: Edges, levels: int, headroom: float, is_turned: bool = False) -> None:
        self.edges = edges
        self.headroom = headroom
        self.is_turned = is_turned
        way = -1 if is_turned else 1
        plane = [(way * x, way * y * TILT) for x, y in node_points(undirected_edges(edges))]
        left, top = (min(point[axis] for point in plane) for axis in (0, 1))
        wide, high = max(x for x, _ in plane) - left, max(y for _, y in plane) - top
        tile = _TILE * min(math.hypot(x - right, (y - down) / TILT) for (x, y), (right, down) in combinations(plane, 2))
        above = max(_BACK, headroom)
        below = _FRONT + _THICKNESS + _SHADOW
        unit = min(
            area.w * tile / (wide + 2 * (_SIDE + _SHADOW) * tile),
            area.h * tile / (high + (above + below) * tile),
            area.h * _LARGEST_TILE,
        )
        half_width = max(2, int(unit))
        scale = half_width / tile
        self._offsets = [(round((x - left - wide / 2) * scale), round((y - top - high / 2) * scale)) for x, y in plane]
        super().__init__(area, sorted(range(len(edges)), key=lambda node: self._offsets[node][1]), half_width, levels)
        self._middle = area.centerx, area.centery + self.px((above - below) / 2)
        reach = round(wide * scale / 2) + self.px(_SIDE)
        back, front = round(high * scale / 2) + self.px(_BACK), round(high * scale / 2) + self.px(_FRONT)
        self.table = pygame.Rect(self._middle[0] - reach, self._middle[1] - back, 2 * reach, back + front)

    def base(self, cell: int) -> tuple[int, int]:
        x, y = self._offsets[cell]
        return self._middle[0] + x, self._middle[1] + y

    def cells_in_front(self, cell: int) -> Iterable[int]:
        x, y = self._offsets[cell]
        near = self.px(_FARTHEST_HIDDEN)
        return (node for node in self.order if self._offsets[node][1] > y and abs(self._offsets[node][0] - x) < near)

    def neighbour(self, node: int, direction: Direction) -> int:
        """The node that an arrow key moves to; *node* itself if there is none."""
        return nearest(self._offsets, node, direction)


def nearest(points: Sequence[Point], node: int, direction: Direction) -> int:
    """The node of *points* that an arrow key moves to from *node*; *node* itself if there is none."""
    right, down = _KEYS[direction]
    x, y = points[node]
    best, least = node, math.inf
    for other, (other_x, other_y) in enumerate(points):
        ahead = (other_x - x) * right + (other_y - y) * down
        aside = abs((other_x - x) * down) + abs((other_y - y) * right)
        if ahead > aside / _SIDEWAYS and ahead + _SIDEWAYS * aside < least:
            best, least = other, ahead + _SIDEWAYS * aside
    return best


def undirected_edges(edges: Edges) -> Edges:
    """*edges* in both directions."""
    nodes = range(len(edges))
    return tuple(edges[node] | sum(1 << other for other in nodes if edges[other] >> node & 1) for node in nodes)


def headroom(ground: NodeGround, figures: Figures) -> float:
    """The height of *figures* above the nodes farthest back, in halves of a tile's width."""
    farthest = ground.base(ground.order[0])[1]
    highest = 0.0
    for node, tower in enumerate(figures.towers):
        stands = PAWN_HEIGHT if node in figures.workers else DOME_HEIGHT if tower.is_domed else 0.5
        below = ground.base(node)[1] - farthest
        highest = max(highest, (tower.tiers * ground.tier - below) / ground.half_width + stands)
    return highest


def most_headroom(levels: int) -> float:
    """The greatest height of a worker's head above its node, in halves of a tile's width."""
    return levels * tier_height(levels) + PAWN_HEIGHT


class TableTop:
    """Draws the table at the size of *ground*."""

    def __init__(self, art: Art, ground: NodeGround) -> None:
        self.art = art
        self.ground = ground
        self.theme = art.theme
        self.unit = ground.half_width
        self.pad = ground.px(_SHADOW) + 2

    def draw(self, surface: pygame.Surface) -> None:
        table = self.ground.table
        writes = self.unit >= self.theme.px(_SMALLEST_WITH_NUMBERS)
        size = table.w + 2 * self.pad, table.h + self.ground.px(_THICKNESS) + 2 * self.pad
        dense = sum(map(int.bit_count, undirected_edges(self.ground.edges))) > _DENSE * len(self.ground.edges)
        self.groove = max(1.2, self.unit * (_THIN_GROOVE if dense else _GROOVE))

        def paint() -> Painting:
            canvas = Canvas(size)
            self._draw_wood(canvas)
            for start, end in combinations(range(len(self.ground.edges)), 2):
                if self._draw_edge(canvas, start, end):
                    yield
            for node in range(len(self.ground.edges)):
                self._draw_tile(canvas, node)
                yield
            wood = yield from canvas.painting()
            if writes:
                yield from self._writing_numbers(wood)
            return (yield from above_shadow(wood, self._shadow(size)))

        key = ("santorini graph", self.ground.edges, self.ground.is_turned, size, self.unit, writes)
        picture = self.art.paint.pictures.painted(key, paint)
        surface.blit(picture, (table.x - self.pad, table.y - self.pad), special_flags=pygame.BLEND_PREMULTIPLIED)

    def _at(self, node: int) -> Point:
        x, y = self.ground.base(node)
        return x - self.ground.table.x + self.pad, y - self.ground.table.y + self.pad

    def _shadow(self, size: tuple[int, int]) -> Painting:
        table, corner, below = self.ground.table, self.unit * _CORNER, self.ground.px(_THICKNESS) + self.pad // 3
        shape = Canvas((1, 1)).rounded_points((self.pad, self.pad + below, table.w, table.h), corner)
        return self.art.shadow(size, shape, min(1.0, self.theme.shadow * _SHADOW_STRENGTH), self.pad * 0.5)

    def _draw_wood(self, canvas: Canvas) -> None:
        wood, table, pad = self.theme.wood, self.ground.table, self.pad
        corner, thick = self.unit * _CORNER, self.ground.px(_THICKNESS)
        canvas.rounded_rect((pad, pad + thick, table.w, table.h), corner, mix(wood.edge, wood.deep, 0.85))
        canvas.rounded_rect((pad, pad + thick * 0.8, table.w, table.h), corner, mix(wood.edge, wood.deep, 0.25))
        canvas.rounded_rect(
            (pad, pad, table.w, table.h), corner, mix(wood.top, WHITE, 0.10 if self.theme.is_dark else 0.3)
        )
        line = max(1.0, self.unit * 0.03)
        canvas.rounded_rect((pad, pad + line, table.w, table.h - line), corner, wood.top)
        inner = self.unit * 0.28
        groove = (pad + inner, pad + inner, table.w - 2 * inner, table.h - 2 * inner)
        width = max(1.0, self.unit * (0.05 if self.art.has_strong_lines else 0.03))
        canvas.outline(groove, max(1.0, corner - inner * 0.6), width, with_opacity(wood.line, 0.7))

    def _ink(self) -> Colour:
        wood = self.theme.wood
        return readable_colour(wood.line if self.theme.is_dark else mix(wood.line, wood.deep, 0.6), wood.top, 3.0)

    def _draw_edge(self, canvas: Canvas, start: int, end: int) -> bool:
        """Draw the edge between two nodes, with an arrow if it is one-way; return whether there is one."""
        leads_on = self.ground.edges[start] >> end & 1
        leads_back = self.ground.edges[end] >> start & 1
        if not leads_on and not leads_back:
            return False
        begin, finish = self._at(start), self._at(end)
        width = self.groove
        lower = [(x + width * 0.3, y + width * 0.7) for x, y in (begin, finish)]
        canvas.line(lower, width, mix(self.theme.wood.top, WHITE, 0.10 if self.theme.is_dark else 0.3))
        canvas.line([begin, finish], width, self._ink())
        if leads_on and not leads_back:
            self._draw_arrow(canvas, begin, finish)
        elif leads_back and not leads_on:
            self._draw_arrow(canvas, finish, begin)
        return True

    def _draw_arrow(self, canvas: Canvas, start: Point, end: Point) -> None:
        """Draw the head of an arrow, beyond the middle, where many edges cross."""
        length = self.unit * _HEAD
        way = math.dist(start, end) or 1.0
        right, down = (end[0] - start[0]) / way, (end[1] - start[1]) / way
        tip = min(way * _ARROW + length / 2, way - self.unit * SLOPE)
        x, y = start[0] + right * tip, start[1] + down * tip
        back = x - right * length, y - down * length
        half = length * 0.52
        head = [
            (x, y),
            (back[0] - down * half, back[1] + right * half),
            (back[0] + down * half, back[1] - right * half),
        ]
        line = max(1.0, self.unit * 0.05)
        canvas.line(head, 2 * line, self.theme.wood.top, closed=True)
        canvas.polygon(head, readable_colour(self._ink(), self.theme.wood.top, 4.0))

    def _draw_tile(self, canvas: Canvas, node: int) -> None:
        """Draw a raised wooden tile, lit from above."""
        wood = self.theme.wood
        x, y = self._at(node)
        wide, deep = self.ground.top_reach(0)
        back, right, front, left = rhombus((x, y), wide, deep)
        rise = max(1.0, self.unit * 0.055)
        foot = [(px, py + rise) for px, py in (left, front, right)]
        rim = rhombus((x, y + rise / 2), wide + 2 * rise, deep + 2 * rise * SLOPE)
        canvas.polygon(rim, with_opacity(mix(wood.line, wood.deep, 0.5), 0.5))
        canvas.polygon([left, *foot, right], mix(wood.line, wood.deep, 0.5))
        canvas.polygon([back, right, front, left], wood.cell)
        line = max(0.8, self.unit * 0.025)
        dark, light = mix(wood.cell, wood.line, 0.6), mix(wood.cell, WHITE, 0.15 if self.theme.is_dark else 0.5)
        if self.art.has_strong_lines:
            dark = light = wood.line
        canvas.line([left, back, right], line, light)
        canvas.line([left, front, right], line, dark)

    def _writing_numbers(self, picture: pygame.Surface) -> Iterator[None]:
        theme = self.theme
        ink = readable_colour(theme.second if theme.is_dark else theme.wood.deep, theme.wood.top, _NUMBERS_CONTRAST)
        is_large = self.unit >= theme.px(_SMALLEST_WITH_LARGER_NUMBERS)
        style: TextStyle = "small strong" if is_large else "tiny"
        wide, deep = self.ground.top_reach(0)
        right, below = round(wide * _NUMBER[0]), round(deep * _NUMBER[1])
        for node in range(len(self.ground.edges)):
            yield
            digits = self.art.paint.text_picture(str(node), style, ink)
            x, y = self._at(node)
            rect = digits.get_rect(center=(round(x) + right, round(y) + below))
            plate = rect.inflate(theme.px(5), -theme.px(3))
            self.art.paint.rounded_rect(picture, plate, theme.wood.top, plate.h // 2)
            self.art.paint.stamp(picture, digits, rect, str(node), ink)
