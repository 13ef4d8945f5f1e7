"""The boards of Santorini on graphs: the positions of nodes, and the table with its tiles and edges.

Obliquely, nodes farther back are higher on the screen; from above, nodes are squares.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import pygame

from papan.ui.boards import Direction, Picture
from papan.ui.boards.santorini.art import Art, above_shadow, rhombus
from papan.ui.boards.santorini.geometry import DOME_HEIGHT, EMPTY, PAWN_HEIGHT, SLOPE, Figures, Ground, tier_height
from papan.ui.boards.santorini.plain import PlainTowers
from papan.ui.boards.santorini_graph.layout import node_points
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point, arrow_head
from papan.ui.drawing.materials import wooden_frame
from papan.ui.drawing.paint import Painter
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
"""A graph with a greater mean degree is dense."""
_CORNER = 0.55
_NUMBERS_CONTRAST = 6.5
"""The contrast with the wood's colour, as its grain and edges are darker."""
_NUMBER = (0.66, 0.78)
"""The position of a tile's number, next to its right front edge, in halves of its width and depth: towers and workers
in front do not cover it."""
_SMALLEST_WITH_NUMBERS = 15
_SMALLEST_WITH_LARGER_NUMBERS = 40
_HEAD, _ARROW = 0.34, 0.6
"""The length of an arrow's head, and its position as a share of the edge."""
_FARTHEST_HIDDEN = 0.75
"""A tower hides nodes up to this sideways distance, in halves of a tile's width."""
_SIDEWAYS = 2.0
"""The weight of sideways distance for the arrow keys."""
_NODE = 0.62
"""From above: a node's side, relative to the distance of the two nearest nodes."""
_PLAN_MARGIN, _PLAN_FRAME = 0.62, 0.07
"""The distance from the outermost nodes to the table's frame, and the frame's width, in the same unit."""
_LARGEST_NODE = 0.17
"""The most a node's side can be, relative to the area's height."""
_LINE, _PLAN_HEAD, _NUMBER_BELOW = 0.06, 0.28, 0.62
"""Relative to a node's side: a line's width, the length of an arrow's head, the distance from a node's middle to its
number."""
_SMALLEST_NODE_WITH_NUMBERS = 26
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

    def neighbour(self, cell: int, direction: Direction) -> int:
        return nearest(self._offsets, cell, direction)


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


def directions(edges: Edges, start: int, end: int) -> list[tuple[int, int]]:
    """The edges between two nodes, at most one each way."""
    return [way for way in ((start, end), (end, start)) if edges[way[0]] >> way[1] & 1]


def writing_numbers(
    paint: Painter, picture: pygame.Surface, centres: Sequence[tuple[int, int]], style: TextStyle, lower: int
) -> Iterator[None]:
    """Write the number of each node on a plate, whose height is *lower* design pixels less than the line's."""
    theme = paint.theme
    ink = readable_colour(theme.second if theme.is_dark else theme.wood.deep, theme.wood.top, _NUMBERS_CONTRAST)
    for node, centre in enumerate(centres):
        yield
        digits = paint.text_picture(str(node), style, ink)
        rect = digits.get_rect(center=centre)
        plate = rect.inflate(theme.px(5), -theme.px(lower))
        paint.rounded_rect(picture, plate, theme.wood.top, plate.h // 2)
        paint.stamp(picture, digits, rect, str(node), ink)


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
        ways = directions(self.ground.edges, start, end)
        if not ways:
            return False
        ends, width = [self._at(start), self._at(end)], self.groove
        lower = [(x + width * 0.3, y + width * 0.7) for x, y in ends]
        canvas.line(lower, width, mix(self.theme.wood.top, WHITE, 0.10 if self.theme.is_dark else 0.3))
        canvas.line(ends, width, self._ink())
        if len(ways) == 1:  # beyond the middle, where many edges cross
            begin, goal = map(self._at, ways[0])
            length, way = self.unit * _HEAD, math.dist(begin, goal)
            at = min(way * _ARROW + length / 2, way - self.unit * SLOPE)
            head = arrow_head(begin, goal, at, length, length * 0.52)
            canvas.line(head, 2 * max(1.0, self.unit * 0.05), self.theme.wood.top, closed=True)
            canvas.polygon(head, readable_colour(self._ink(), self.theme.wood.top, 4.0))
        return True

    def _draw_tile(self, canvas: Canvas, node: int) -> None:
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
        is_large = self.unit >= self.theme.px(_SMALLEST_WITH_LARGER_NUMBERS)
        wide, deep = self.ground.top_reach(0)
        right, below = round(wide * _NUMBER[0]), round(deep * _NUMBER[1])
        points = (self._at(node) for node in range(len(self.ground.edges)))
        centres = [(round(x) + right, round(y) + below) for x, y in points]
        yield from writing_numbers(self.art.paint, picture, centres, "small strong" if is_large else "tiny", 3)


class Plan(PlainTowers):
    """The positions of nodes within an area, and the table below them."""

    def __init__(self, paint: Painter, area: pygame.Rect, edges: Edges, levels: int) -> None:
        super().__init__(paint)
        self.area = area
        self.edges = edges
        self.levels = levels
        points = node_points(undirected_edges(edges))
        xs, ys = [x for x, _ in points], [y for _, y in points]
        wide, high = max(xs) - min(xs), max(ys) - min(ys)
        way = min(math.dist(*pair) for pair in combinations(points, 2))
        around = 2 * (_PLAN_MARGIN + _PLAN_FRAME) * way
        scale = min(area.w / (wide + around), area.h / (high + around), area.h * _LARGEST_NODE / (way * _NODE))
        self.side = max(3, int(way * _NODE * scale))
        middle = min(xs) + wide / 2, min(ys) + high / 2
        offsets = [(round((x - middle[0]) * scale), round((y - middle[1]) * scale)) for x, y in points]
        self._points = [(area.centerx + right, area.centery + down) for right, down in offsets]
        self.table = pygame.Rect(0, 0, round((wide + around) * scale), round((high + around) * scale))
        self.table.center = area.center
        self._frame = max(2, round(_PLAN_FRAME * way * scale))

    def cell_rect(self, node: int) -> pygame.Rect:
        return pygame.Rect(0, 0, self.side, self.side).move_to(center=self._points[node])

    def cell_at(self, point: tuple[int, int]) -> int | None:
        rects = (self.cell_rect(node) for node in range(len(self.edges)))
        return next((node for node, rect in enumerate(rects) if rect.collidepoint(point)), None)

    def neighbour(self, node: int, direction: Direction) -> int:
        return nearest(self._points, node, direction)

    def sample(self) -> Figures:
        return EMPTY

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        wooden_frame(self.paint, surface, self.table, self._frame)
        key = ("santorini graph plan", self.edges, self.table.size, self.side)
        surface.blit(self.paint.pictures.painted(key, self._painting), self.table)

    def _painting(self) -> Painting:
        wood = self.theme.wood
        canvas = Canvas(self.table.size)
        ink = readable_colour(mix(wood.line, wood.deep, 0.6), wood.top, 3.0)
        middles = [(x - self.table.x, y - self.table.y) for x, y in self._points]
        for start, end in combinations(range(len(self.edges)), 2):
            ways = directions(self.edges, start, end)
            if ways:
                canvas.line([middles[start], middles[end]], max(1.2, self.side * _LINE), ink)
            if len(ways) == 1:
                begin, goal = (middles[node] for node in ways[0])
                at, length = math.dist(begin, goal) - self.side * 0.75, self.side * _PLAN_HEAD
                canvas.polygon(arrow_head(begin, goal, at, length, length * 0.5), ink)
        corner, line = self.side * 0.1, max(1.0, self.side * 0.025)
        for x, y in middles:
            box = (x - self.side / 2, y - self.side / 2, self.side, self.side)
            canvas.rounded_rect(box, corner, wood.cell)
            canvas.outline(box, corner, line, ink)
        picture = yield from canvas.painting()
        if self.side >= self.theme.px(_SMALLEST_NODE_WITH_NUMBERS):
            centres = [(round(x), round(y + self.side * _NUMBER_BELOW)) for x, y in middles]
            yield from writing_numbers(self.paint, picture, centres, "tiny", 2)
        return picture
