"""Small connected graphs up to isomorphism: those that differ only in the numbering of nodes count as one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Edges = tuple[int, ...]
"""For each node the bitboard of its neighbours."""
MOST_NODES = 8
"""The edges of this many nodes fit a code of 64 bits."""

Orders = NDArray[np.uint8]
"""Orders of the nodes of a graph, one in each row."""


@cache
def connected_graphs(nodes: int) -> tuple[Edges, ...]:
    """All connected graphs of *nodes* nodes, up to ``MOST_NODES``, by the number of edges.

    Each is a smaller one with a node more: every connected graph has a node whose removal leaves it connected.

    >>> [len(connected_graphs(nodes)) for nodes in range(1, 6)]
    [1, 1, 2, 6, 21]
    """
    if nodes == 1:
        return ((0,),)
    found = {
        canonical((*(edges | (ends >> node & 1) << nodes - 1 for node, edges in enumerate(graph)), ends))
        for graph in connected_graphs(nodes - 1)
        for ends in range(1, 1 << nodes - 1)
    }
    return tuple(sorted(found, key=lambda graph: (sum(ends.bit_count() for ends in graph), graph)))


def canonical(graph: Edges) -> Edges:
    """The canonical form of *graph*: the numbering with the least code, of those that sort nodes by their class."""
    return _numbered(graph, canonical_order(graph))


@lru_cache(maxsize=256)
def canonical_order(graph: Edges) -> tuple[int, ...]:
    """The nodes of *graph*, at most ``MOST_NODES``, in the order of ``canonical``.

    >>> canonical_order((6, 1, 1)), canonical((6, 1, 1))
    ((1, 2, 0), (4, 4, 3))
    """
    orders, nodes = _orders(graph), len(graph)
    is_edge = np.array([[ends >> end & 1 for end in range(nodes)] for ends in graph], np.uint64)
    codes = is_edge[orders[:, :, None], orders[:, None, :]].reshape(len(orders), -1) @ _digits(nodes)
    return tuple(orders[int(codes.argmin())].tolist())


def code_of(graph: Edges) -> int:
    """*graph* as a number below 2**64; graphs with fewer nodes have lower ones, if each node has an edge.

    >>> hex(code_of((2, 5, 2)))
    '0x20502'
    """
    return sum(ends << MOST_NODES * (len(graph) - 1 - node) for node, ends in enumerate(graph))


def graph_of(code: int) -> Edges:
    """The graph with that *code*, the inverse of ``code_of``.

    >>> graph_of(0x20502)
    (2, 5, 2)
    """
    return tuple(code.to_bytes(MOST_NODES).lstrip(b"\0"))


def is_connected(graph: Edges) -> bool:
    """Whether each node can be reached from each, by edges that lead both ways.

    >>> is_connected((2, 5, 2)), is_connected((2, 1, 8, 4)), is_connected((2, 4, 2))
    (True, False, False)
    """
    if any(graph[end] >> node & 1 == 0 for node, ends in enumerate(graph) for end in _nodes(ends)):
        return False
    reached, waiting = 1, [0]
    while waiting:
        further = graph[waiting.pop()] & ~reached
        reached |= further
        waiting += _nodes(further)
    return reached == (1 << len(graph)) - 1


def automorphisms(graph: Edges) -> Iterator[tuple[int, ...]]:
    """The renumberings of the nodes of *graph* that leave it unchanged.

    >>> sorted(automorphisms((2, 5, 2)))
    [(0, 1, 2), (2, 1, 0)]
    """
    classes = _classes(graph)
    places = [node for members in classes for node in members]
    for members in itertools.product(*map(itertools.permutations, classes)):
        order = dict(zip(places, itertools.chain.from_iterable(members), strict=True))
        if _numbered(graph, numbers := tuple(order[node] for node in range(len(graph)))) == graph:
            yield numbers


def board_of(graph: Edges) -> str:
    """*graph* as an option of Santorini on graphs."""
    pairs = itertools.combinations(range(len(graph)), 2)
    return "edges:" + ",".join(f"{node}-{other}" for node, other in pairs if graph[node] >> other & 1)


def _nodes(ends: int) -> list[int]:
    return [node for node in range(ends.bit_length()) if ends >> node & 1]


def _numbered(graph: Edges, order: tuple[int, ...]) -> Edges:
    """*graph* with the node ``order[n]`` as node n."""
    place = {node: number for number, node in enumerate(order)}
    return tuple(sum(1 << place[end] for end in place if graph[node] >> end & 1) for node in order)


@cache
def _digits(nodes: int) -> Any:
    """What each edge adds to the code of a graph, by its two nodes."""
    return np.array(
        [1 << MOST_NODES * (nodes - 1 - node) + end for node in range(nodes) for end in range(nodes)], np.uint64
    )


@cache
def _permutations(size: int) -> Orders:
    return np.array(list(itertools.permutations(range(size))), np.uint8)


def _orders(graph: Edges) -> Orders:
    """The orders of the nodes by class, in every order within a class."""
    orders: Orders = np.zeros((1, 0), np.uint8)
    for members in _classes(graph):
        ways = np.array(members, np.uint8)[_permutations(len(members))]
        orders = np.hstack([np.repeat(orders, len(ways), axis=0), np.tile(ways, (len(orders), 1))])
    return orders


def _classes(graph: Edges) -> list[list[int]]:
    """The classes of nodes with the same degree and the same degrees around them."""
    marks = [ends.bit_count() for ends in graph]
    for _ in range(2):
        around = [tuple(sorted(marks[end] for end in range(len(graph)) if ends >> end & 1)) for ends in graph]
        ranks = {mark: rank for rank, mark in enumerate(sorted(set(zip(marks, around, strict=True))))}
        marks = [ranks[mark] for mark in zip(marks, around, strict=True)]
    return [[node for node in range(len(graph)) if marks[node] == mark] for mark in sorted(set(marks))]
