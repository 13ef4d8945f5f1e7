"""Where the nodes of a graph are drawn: on a plane whose unit is about the way between two nodes.

Grids, paths, cycles and complete graphs have layouts of their own, found by comparing the edges, however the graph
was named. In the drawing of any other graph nodes are about as far apart as they are in the graph.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from game.santorini_graph_names import Graph, read_board
from ui.canvas import Point

_LONGEST_LINE = 7
"""Nodes of a path on one line; a longer one winds."""
_WIDER = 1.7
"""How many times as many nodes a winding path has on a line as it has lines."""
_SEED, _TRIES, _STEPS = 5, 12, 120
_TINY = 1e-9
_LEAST_DISTANCE = 0.8
_PUSHES = 60
_LEAST_PASSING = 0.4
"""How near an edge may pass a node."""
_WORSE = 4
"""How many crossings of edges are no worse than one edge that passes over a node."""
_WIDE = 1.3
"""Of an ellipse, to its height."""

Points = Any
"""A ``numpy`` array of points, or of distances between them."""


@lru_cache(maxsize=32)
def places(edges: tuple[int, ...]) -> tuple[Point, ...]:
    """Where each node lies, right and down; *edges* are bitboards of what each node is joined to, either way."""
    graph = Graph(len(edges), edges)
    nodes = graph.nodes
    for rows in range(2, nodes // 2 + 1):
        if nodes % rows == 0 and read_board(f"grid:{rows}x{nodes // rows}") == graph:
            columns = nodes // rows
            return tuple((node % columns, node // columns) for node in range(nodes))
    if nodes > 2 and graph in (read_board(f"cycle:{nodes}"), read_board(f"complete:{nodes}")):
        return _ring(nodes)
    if graph == read_board(f"path:{nodes}"):
        return _winding_line(nodes)
    return _by_distances(edges)


def _ring(nodes: int) -> tuple[Point, ...]:
    """Node 0 on top, the others clockwise, at equal distances along an ellipse."""
    wide = 1.0 if nodes < 6 else _WIDE
    fine = 720
    points = [(wide * math.sin(turn), -math.cos(turn)) for turn in (2 * math.pi * k / fine for k in range(fine + 1))]
    walked = [0.0]
    for before, after in pairwise(points):
        walked.append(walked[-1] + math.dist(before, after))
    scale = nodes / walked[-1]
    found = []
    at = 0
    for node in range(nodes):
        while walked[at] * scale < node - 1e-9:
            at += 1
        found.append((points[at][0] * scale, points[at][1] * scale))
    return tuple(found)


def _winding_line(nodes: int) -> tuple[Point, ...]:
    columns = nodes if nodes <= _LONGEST_LINE else math.ceil(math.sqrt(nodes * _WIDER))
    found = []
    for node in range(nodes):
        row, column = divmod(node, columns)
        found.append((float(column if row % 2 == 0 else columns - 1 - column), float(row)))
    return tuple(found)


# ----------------------------------------------------------------------------------------- other graphs


def _by_distances(edges: tuple[int, ...]) -> tuple[Point, ...]:
    """The best of a few tries: with the fewest crossings, above all of nodes, then with nodes farthest apart."""
    import networkx  # here, because it takes a fifth of a second that most boards need not wait for

    pairs = [(node, other) for node, other in combinations(range(len(edges)), 2) if edges[node] >> other & 1]
    graph = networkx.Graph(pairs)
    graph.add_nodes_from(range(len(edges)))
    ways = networkx.floyd_warshall_numpy(graph, range(len(edges)))
    apart = ways[np.isfinite(ways)].max() + 1
    wanted = np.where(np.isfinite(ways), ways, apart)
    random = np.random.default_rng(_SEED)
    best: tuple[int, float, list[Point]] | None = None
    for _ in range(_TRIES):
        points = _turned_flat(_drawn_to_scale(wanted, random.normal(size=(len(edges), 2))))
        found = _pushed_apart([(float(x), float(y)) for x, y in points])
        quality = (-_crossings(found, pairs) - _WORSE * _passes(found, pairs), _nearest(found), found)
        if best is None or quality[:2] > best[:2]:
            best = quality
    assert best is not None
    return tuple(best[2])


def _drawn_to_scale(wanted: Points, points: Points) -> Points:
    """*points* moved until their distances are about the *wanted* ones, the shorter ones above all.

    Stress majorization: Gansner, Koren and North, "Graph Drawing by Stress Majorization" (2004).
    """
    nodes = len(wanted)
    np.fill_diagonal(wanted, 1)
    weights = wanted**-2.0
    np.fill_diagonal(weights, 0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    for _ in range(_STEPS):
        differences = points[:, None] - points[None]
        distances = np.hypot(differences[..., 0], differences[..., 1])
        pull = -weights * wanted / np.maximum(distances, _TINY)
        np.fill_diagonal(pull, 0)
        pull[np.arange(nodes), np.arange(nodes)] = -pull.sum(axis=1)
        points = inverse @ (pull @ points)
    return points


def _turned_flat(points: Points) -> Points:
    """*points* turned so that they reach farthest to the sides."""
    centred = points - points.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2].T


def _pushed_apart(points: list[Point]) -> list[Point]:
    """*points*, those that are too near each other moved away."""
    for _ in range(_PUSHES):
        for first, second in combinations(range(len(points)), 2):
            (x, y), (other_x, other_y) = points[first], points[second]
            distance = math.dist(points[first], points[second]) or 1e-6
            if distance < _LEAST_DISTANCE:
                share = (_LEAST_DISTANCE - distance) / distance / 2
                right, down = (other_x - x) * share, (other_y - y) * share
                points[first], points[second] = (x - right, y - down), (other_x + right, other_y + down)
    return points


def _passes(points: list[Point], pairs: list[tuple[int, int]]) -> int:
    """How many times an edge passes over a node that is none of its ends."""
    return sum(
        node not in pair and _distance(points[node], points[pair[0]], points[pair[1]]) < _LEAST_PASSING
        for pair in pairs
        for node in range(len(points))
    )


def _distance(point: Point, start: Point, end: Point) -> float:
    """From *point* to the line between *start* and *end*."""
    (x, y), (right, down) = start, (end[0] - start[0], end[1] - start[1])
    share = ((point[0] - x) * right + (point[1] - y) * down) / (right * right + down * down)
    share = min(1.0, max(0.0, share))
    return math.dist(point, (x + share * right, y + share * down))


def _nearest(points: list[Point]) -> float:
    return min(math.dist(*pair) for pair in combinations(points, 2))


def _crossings(points: list[Point], pairs: list[tuple[int, int]]) -> int:
    """How many pairs of edges without a common node cross."""
    return sum(
        not {*first} & {*second} and _do_cross([points[node] for node in first], [points[node] for node in second])
        for first, second in combinations(pairs, 2)
    )


def _do_cross(first: list[Point], second: list[Point]) -> bool:
    def side(line: list[Point], point: Point) -> float:
        (x, y), (end_x, end_y) = line
        return (end_x - x) * (point[1] - y) - (end_y - y) * (point[0] - x)

    return side(first, second[0]) * side(first, second[1]) < 0 and side(second, first[0]) * side(second, first[1]) < 0
