"""The layout of a graph's nodes on a plane, whose unit is about the distance between two of them.

Grids, paths, cycles and complete graphs have layouts of their own, found by comparing the edges, however the graph
was named. In the drawing of any other graph nodes are about as far apart as they are in the graph.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from papan.game.rules.santorini_graph.names import Graph, read_board
from papan.ui.drawing.canvas import Point

_LONGEST_LINE = 7
"""The most nodes of a path on one line; a longer one winds."""
_WIDER = 1.7
"""How many times as many nodes a winding path has on a line as it has lines."""
_SEED, _TRIES, _STEPS = 5, 12, 120
_TINY = 1e-9
_APART = 3
"""The distance between parts of a graph that no edge joins."""
_LEAST_DISTANCE = 0.8
_PUSHES = 120
_LEAST_PASSING = 0.4
"""The least distance at which an edge may pass a node."""
_MANY_EDGES = 4
"""The edges for each node above which nodes can't keep off them."""
_WORSE = 4
"""The crossings of edges that count as much as one edge that passes over a node."""
_WIDE = 1.3
"""The width of an ellipse, to its height."""

Array = Any
"""A ``numpy`` array of points, of distances between them, or of pairs of nodes."""


@lru_cache(maxsize=32)
def node_points(edges: tuple[int, ...]) -> tuple[Point, ...]:
    """The point of each node, right and down; *edges* are bitboards of the nodes joined to each, either way."""
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
    pairs = np.array([(node, other) for node, other in combinations(range(len(edges)), 2) if edges[node] >> other & 1])
    ways = _shortest_paths(len(edges), pairs)
    wanted = np.where(np.isfinite(ways), ways, _APART)
    random = np.random.default_rng(_SEED)
    best, best_quality = np.zeros((len(edges), 2)), (-math.inf, 0.0)
    for _ in range(_TRIES):
        points = _lay_flat(_scale_distances(wanted, random.normal(size=(len(edges), 2))))
        points = _push_apart(points, pairs)
        quality = (float(-_crossings(points, pairs) - _WORSE * _passes(points, pairs)), _least_distance(points))
        if quality > best_quality:
            best, best_quality = points, quality
    return tuple((float(x), float(y)) for x, y in best)


def _shortest_paths(nodes: int, pairs: Array) -> Array:
    """The lengths of the shortest paths between nodes; infinite where there is none. Floyd, "Algorithm 97" (1962)."""
    ways = np.full((nodes, nodes), np.inf)
    np.fill_diagonal(ways, 0)
    ways[pairs[:, 0], pairs[:, 1]] = ways[pairs[:, 1], pairs[:, 0]] = 1
    for node in range(nodes):
        ways = np.minimum(ways, ways[:, [node]] + ways[[node], :])
    return ways


def _scale_distances(wanted: Array, points: Array) -> Array:
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


def _lay_flat(points: Array) -> Array:
    """*points* turned so that they reach farthest to the sides."""
    centred = points - points.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2].T


def _push_apart(points: Array, pairs: Array) -> Array:
    """*points* moved until few are too near each other or an edge."""
    for _ in range(_PUSHES):
        away = points[:, None] - points[None]
        moved = (away * _lengthening(away, _LEAST_DISTANCE)).sum(axis=1)
        if len(pairs) <= _MANY_EDGES * len(points):
            away = _from_edges(points, pairs)
            moved += (away * _lengthening(away, _LEAST_PASSING)).sum(axis=0)
        points = points + moved / 2
    return points


def _lengthening(away: Array, least: float) -> Array:
    """The share of itself that each vector lacks to have the length *least*; 0 where it has it, or is 0."""
    lengths = np.hypot(away[..., 0], away[..., 1])[..., None]
    return np.where(lengths > _TINY, np.maximum(0, least / np.maximum(lengths, _TINY) - 1), 0)


def _from_edges(points: Array, pairs: Array) -> Array:
    """The vector from each edge's nearest point to each node; 0 for the edge's own nodes."""
    starts = points[pairs[:, 0]][:, None]
    along = points[pairs[:, 1]][:, None] - starts
    there = points[None] - starts
    share = (there * along).sum(axis=2) / np.maximum((along * along).sum(axis=2), _TINY)
    away = there - along * np.clip(share, 0, 1)[..., None]
    for end in (0, 1):
        away[np.arange(len(pairs)), pairs[:, end]] = 0
    return away


def _least_distance(points: Array) -> float:
    away = points[:, None] - points[None]
    distances = np.hypot(away[..., 0], away[..., 1])
    np.fill_diagonal(distances, np.inf)
    return float(distances.min())


def _passes(points: Array, pairs: Array) -> int:
    """The number of times that an edge passes over a node that is none of its ends."""
    away = _from_edges(points, pairs)
    lengths = np.hypot(away[..., 0], away[..., 1])
    return int(((lengths > _TINY) & (lengths < _LEAST_PASSING * 0.9)).sum())


def _crossings(points: Array, pairs: Array) -> int:
    """The number of pairs of edges that cross."""
    starts = points[pairs[:, 0]][:, None]
    along = points[pairs[:, 1]][:, None] - starts
    there = points[None] - starts
    side = along[..., 0] * there[..., 1] - along[..., 1] * there[..., 0]
    divided = side[:, pairs[:, 0]] * side[:, pairs[:, 1]] < -_TINY
    return int((divided & divided.T).sum()) // 2
