"""The layout of a graph's nodes on a plane, whose unit is about the distance between two of them.

Grids, paths, cycles and complete graphs have layouts of their own, found by comparing the edges, however the graph
was named. In the drawing of any other graph nodes are about as far apart as they are in the graph.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Generator
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from papan.game.rules.santorini_graph.names import Graph, read_board
from papan.ui.drawing.canvas import Point

_LONGEST_LINE = 7
"""The most nodes of a path on one line; a longer one winds."""
_WIDER = 1.7
"""How many times as many nodes a winding path has on a line as it has lines."""
_SEED, _STEPS = 5, 120
_TRIES, _FEWEST_TRIES, _NODES_TRIED = 12, 2, 384
"""So many drawings are tried of a graph, of a large one as many as have so many nodes together."""
_TINY, _STILL = 1e-9, 1e-3
"""What counts as nothing; a drawing in which no node moves farther than the second any more is done."""
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


Points = tuple[Point, ...]
"""The point of each node, right and down."""
_MOST_KEPT, _MOST_BEGUN = 32, 4


class Layouts:
    """The layouts that were asked for last; another one is worked out in parts, as that may take a second."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, ...], Points] = OrderedDict()
        self._begun: OrderedDict[tuple[int, ...], Generator[None, None, Points]] = OrderedDict()

    def points(self, edges: tuple[int, ...], pause: Callable[[], object] = lambda: None) -> Points:
        """The point of each node; *edges* are bitboards of the nodes joined to each, either way.

        :param pause: called between two parts. What it raises is passed on, and the next call goes on from there.
        """
        found = self._kept.pop(edges, None)
        if found is None:
            work = self._begun.pop(edges, None) or _laid_out(edges)
            found = self._finish(edges, work, pause)
        self._kept[edges] = found
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return found

    def _finish(
        self, edges: tuple[int, ...], work: Generator[None, None, Points], pause: Callable[[], object]
    ) -> Points:
        while True:
            try:
                next(work)
            except StopIteration as end:
                found: Points = end.value
                return found
            try:
                pause()
            except BaseException:
                self._begun[edges] = work
                if len(self._begun) > _MOST_BEGUN:
                    self._begun.popitem(last=False)
                raise


_LAYOUTS = Layouts()
node_points = _LAYOUTS.points


def _laid_out(edges: tuple[int, ...]) -> Generator[None, None, Points]:
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
    yield
    return (yield from _by_distances(edges))


def _ring(nodes: int) -> Points:
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


def _winding_line(nodes: int) -> Points:
    columns = nodes if nodes <= _LONGEST_LINE else math.ceil(math.sqrt(nodes * _WIDER))
    found = []
    for node in range(nodes):
        row, column = divmod(node, columns)
        found.append((float(column if row % 2 == 0 else columns - 1 - column), float(row)))
    return tuple(found)


def _by_distances(edges: tuple[int, ...]) -> Generator[None, None, Points]:
    """The best of a few drawings: with the fewest crossings, above all of nodes, then with nodes farthest apart."""
    nodes = len(edges)
    pairs = np.array([(node, other) for node, other in combinations(range(nodes), 2) if edges[node] >> other & 1])
    ways = _shortest_paths(nodes, pairs)
    wanted = np.where(np.isfinite(ways), ways, _APART)
    yield
    tries = min(_TRIES, max(_FEWEST_TRIES, _NODES_TRIED // nodes))
    drawings = np.random.default_rng(_SEED).normal(size=(tries, nodes, 2))
    drawings = yield from _scale_distances(wanted, drawings)
    drawings = yield from _push_apart(_lay_flat(drawings), pairs)
    best, best_quality = drawings[0], (-math.inf, 0.0)
    for points in drawings:
        quality = (float(-_crossings(points, pairs) - _WORSE * _passes(points, pairs)), _least_distance(points))
        if quality > best_quality:
            best, best_quality = points, quality
        yield
    return tuple((float(x), float(y)) for x, y in best)


def _shortest_paths(nodes: int, pairs: Array) -> Array:
    """The lengths of the shortest paths between nodes; infinite where there is none. Floyd, "Algorithm 97" (1962)."""
    ways = np.full((nodes, nodes), np.inf)
    np.fill_diagonal(ways, 0)
    ways[pairs[:, 0], pairs[:, 1]] = ways[pairs[:, 1], pairs[:, 0]] = 1
    for node in range(nodes):
        ways = np.minimum(ways, ways[:, [node]] + ways[[node], :])
    return ways


def _scale_distances(wanted: Array, drawings: Array) -> Generator[None, None, Array]:
    """*drawings* whose nodes were moved until their distances are about the *wanted* ones, the shorter ones above all.

    Stress majorization: Gansner, Koren and North, "Graph Drawing by Stress Majorization" (2004).
    """
    diagonal = np.arange(len(wanted))
    np.fill_diagonal(wanted, 1)
    weights = wanted**-2.0
    np.fill_diagonal(weights, 0)
    # The pseudoinverse of this Laplacian, a hundred times as fast: the vector of ones is all that it takes to nothing.
    mean = 1 / len(wanted)
    inverse = np.linalg.inv(np.diag(weights.sum(axis=1)) - weights + mean) - mean
    for _ in range(_STEPS):
        pull = -weights * wanted / np.maximum(_lengths(_differences(drawings)), _TINY)
        pull[:, diagonal, diagonal] = 0
        pull[:, diagonal, diagonal] = -pull.sum(axis=2)
        before, drawings = drawings, inverse @ (pull @ drawings)
        yield
        if np.abs(drawings - before).max() < _STILL:
            break
    return drawings


def _differences(points: Array) -> Array:
    """The vectors between all points: to the one before the last two axes from the one behind."""
    return points[..., :, None, :] - points[..., None, :, :]


def _lengths(vectors: Array) -> Array:
    return np.hypot(vectors[..., 0], vectors[..., 1])


def _lay_flat(drawings: Array) -> Array:
    """*drawings* turned so that they reach farthest to the sides."""
    centred = drawings - drawings.mean(axis=1, keepdims=True)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2].swapaxes(1, 2)


def _push_apart(drawings: Array, pairs: Array) -> Generator[None, None, Array]:
    """*drawings* whose nodes were moved until few are too near each other or an edge."""
    for _ in range(_PUSHES):
        away = _differences(drawings)
        moved = (away * _lengthening(away, _LEAST_DISTANCE)).sum(axis=2)
        if len(pairs) <= _MANY_EDGES * drawings.shape[1]:
            away = _from_edges(drawings, pairs)
            moved += (away * _lengthening(away, _LEAST_PASSING)).sum(axis=1)
        drawings = drawings + moved / 2
        yield
        if np.abs(moved).max() < _STILL:
            break
    return drawings


def _lengthening(away: Array, least: float) -> Array:
    """The share of itself that each vector lacks to have the length *least*; 0 where it has it, or is 0."""
    lengths = _lengths(away)[..., None]
    return np.where(lengths > _TINY, np.maximum(0, least / np.maximum(lengths, _TINY) - 1), 0)


def _from_edges(points: Array, pairs: Array) -> Array:
    """The vector from each edge's nearest point to each node; 0 for the edge's own nodes."""
    starts, ends = (np.take(points, pairs[:, end], axis=-2)[..., :, None, :] for end in (0, 1))
    along = ends - starts
    there = points[..., None, :, :] - starts
    share = (there * along).sum(axis=-1) / np.maximum((along * along).sum(axis=-1), _TINY)
    away = there - along * np.clip(share, 0, 1)[..., None]
    for end in (0, 1):
        away[..., np.arange(len(pairs)), pairs[:, end], :] = 0
    return away


def _least_distance(points: Array) -> float:
    distances = _lengths(_differences(points))
    np.fill_diagonal(distances, np.inf)
    return float(distances.min())


def _passes(points: Array, pairs: Array) -> int:
    """The number of times that an edge passes over a node that is none of its ends."""
    lengths = _lengths(_from_edges(points, pairs))
    return int(((lengths > _TINY) & (lengths < _LEAST_PASSING * 0.9)).sum())


def _crossings(points: Array, pairs: Array) -> int:
    """The number of pairs of edges that cross."""
    starts = points[pairs[:, 0]][:, None]
    along = points[pairs[:, 1]][:, None] - starts
    there = points[None] - starts
    side = along[..., 0] * there[..., 1] - along[..., 1] * there[..., 0]
    divided = side[:, pairs[:, 0]] * side[:, pairs[:, 1]] < -_TINY
    return int((divided & divided.T).sum()) // 2
