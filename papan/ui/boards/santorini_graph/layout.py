"""The layout of a graph's nodes in the plane, with neighbours about one unit apart.

Grids, paths, cycles and complete graphs are recognized by their edges and have special layouts. For other graphs,
distances in the drawing approximate those in the graph.
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
"""The most nodes of a path in one row; a longer path winds."""
_WIDER = 1.7
"""The ratio of nodes in a row to rows, in a winding path."""
_SEED, _STEPS = 5, 120
_TRIES, _FEWEST_TRIES, _NODES_TRIED = 12, 2, 384
"""The most and the fewest random starts; between them, as many as have ``_NODES_TRIED`` nodes together."""
_TINY, _STILL = 1e-9, 1e-3
"""A length that counts as 0, and the least movement that continues a layout."""
_APART = 3
"""The distance between unconnected parts of a graph."""
_LEAST_DISTANCE = 0.8
_PUSHES = 120
_LEAST_PASSING = 0.4
"""The least distance between an edge and a node that it passes."""
_MANY_EDGES = 4
"""With more edges a node than this, nodes are not pushed away from edges."""
_WORSE = 4
"""The number of edge crossings as bad as one edge over a node."""
_WIDE = 1.3
"""The width of an ellipse, relative to its height."""

Array = Any
"""A ``numpy`` array of points, of distances between them, or of pairs of nodes."""


Points = tuple[Point, ...]
"""The position of each node, right and down."""
_MOST_CACHED, _MOST_BEGUN = 32, 4


class Layouts:
    """A cache of layouts. Computing one may take a second, so it is done in parts."""

    def __init__(self) -> None:
        self._cached: OrderedDict[tuple[int, ...], Points] = OrderedDict()
        self._begun: OrderedDict[tuple[int, ...], Generator[None, None, Points]] = OrderedDict()

    def points(self, edges: tuple[int, ...], pause: Callable[[], object] = lambda: None) -> Points:
        """The position of each node; *edges* are bitboards of the neighbours of each, in either direction.

        :param pause: called between two parts. If it raises, the next call continues from there.
        """
        found = self._cached.pop(edges, None)
        if found is None:
            work = self._begun.pop(edges, None) or _laid_out(edges)
            found = self._finish(edges, work, pause)
        self._cached[edges] = found
        if len(self._cached) > _MOST_CACHED:
            self._cached.popitem(last=False)
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
    """The nodes clockwise from the top, at equal distances along an ellipse."""
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
    """The best of a few drawings: fewest crossings, above all of nodes, then the largest least distance."""
    nodes = len(edges)
    pairs = np.array([(node, other) for node, other in combinations(range(nodes), 2) if edges[node] >> other & 1])
    ways = _shortest_paths(nodes, pairs)
    wanted = np.where(np.isfinite(ways), ways, _APART)
    yield
    tries = min(_TRIES, max(_FEWEST_TRIES, _NODES_TRIED // nodes))
    drawings = np.random.default_rng(_SEED).normal(size=(tries, nodes, 2))
    drawings = yield from _scale_distances(wanted, drawings)
    centred = drawings - drawings.mean(axis=1, keepdims=True)
    widest = centred @ np.linalg.svd(centred, full_matrices=False)[2].swapaxes(1, 2)  # rotated to be widest
    drawings = yield from _push_apart(widest, pairs)
    best, best_quality = drawings[0], (-math.inf, 0.0)
    for points in drawings:
        distances = _lengths(_differences(points))
        np.fill_diagonal(distances, np.inf)
        quality = (float(-_crossings(points, pairs) - _WORSE * _passes(points, pairs)), float(distances.min()))
        if quality > best_quality:
            best, best_quality = points, quality
        yield
    return tuple((float(x), float(y)) for x, y in best)


def _shortest_paths(nodes: int, pairs: Array) -> Array:
    """The lengths of the shortest paths between nodes; infinite if there is none. Floyd, "Algorithm 97" (1962)."""
    ways = np.full((nodes, nodes), np.inf)
    np.fill_diagonal(ways, 0)
    ways[pairs[:, 0], pairs[:, 1]] = ways[pairs[:, 1], pairs[:, 0]] = 1
    for node in range(nodes):
        ways = np.minimum(ways, ways[:, [node]] + ways[[node], :])
    return ways


def _scale_distances(wanted: Array, drawings: Array) -> Generator[None, None, Array]:
    """*drawings* with nodes moved until their distances approximate the *wanted* ones, short ones above all.

    Stress majorization: Gansner, Koren and North, "Graph Drawing by Stress Majorization" (2004).
    """
    diagonal = np.arange(len(wanted))
    np.fill_diagonal(wanted, 1)
    weights = wanted**-2.0
    np.fill_diagonal(weights, 0)
    # The pseudoinverse of this Laplacian, a hundred times as fast: its kernel is spanned by the vector of ones.
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
    return points[..., :, None, :] - points[..., None, :, :]


def _lengths(vectors: Array) -> Array:
    return np.hypot(vectors[..., 0], vectors[..., 1])


def _push_apart(drawings: Array, pairs: Array) -> Generator[None, None, Array]:
    """*drawings* with nodes moved until few are too near to each other or to an edge."""
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
    """The factor minus 1 that lengthens each vector to *least*; 0 if it is longer, or 0."""
    lengths = _lengths(away)[..., None]
    return np.where(lengths > _TINY, np.maximum(0, least / np.maximum(lengths, _TINY) - 1), 0)


def _from_edges(points: Array, pairs: Array) -> Array:
    """The vector from each edge's nearest point to each node; 0 for the edge's ends."""
    starts, ends = (np.take(points, pairs[:, end], axis=-2)[..., :, None, :] for end in (0, 1))
    along = ends - starts
    there = points[..., None, :, :] - starts
    share = (there * along).sum(axis=-1) / np.maximum((along * along).sum(axis=-1), _TINY)
    away = there - along * np.clip(share, 0, 1)[..., None]
    for end in (0, 1):
        away[..., np.arange(len(pairs)), pairs[:, end], :] = 0
    return away


def _passes(points: Array, pairs: Array) -> int:
    """The number of times that an edge passes over a node other than its ends."""
    lengths = _lengths(_from_edges(points, pairs))
    return int(((lengths > _TINY) & (lengths < _LEAST_PASSING * 0.9)).sum())


def _crossings(points: Array, pairs: Array) -> int:
    starts = points[pairs[:, 0]][:, None]
    along = points[pairs[:, 1]][:, None] - starts
    there = points[None] - starts
    side = along[..., 0] * there[..., 1] - along[..., 1] * there[..., 0]
    divided = side[:, pairs[:, 0]] * side[:, pairs[:, 1]] < -_TINY
    return int((divided & divided.T).sum()) // 2
