"""Small connected graphs, each once: those that are alike but for their nodes' numbers count as one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

Edges = tuple[int, ...]
"""For each node the bitboard of its neighbours."""
MOST_NODES = 8


@cache
def connected_graphs(nodes: int) -> tuple[Edges, ...]:
    """All connected graphs of so many *nodes*, up to ``MOST_NODES``, by the number of edges.

    Each is one of a node less with a node more: a connected graph has a node without which it is still connected.

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
    """The least of all ways to number the nodes of *graph* in which what tells them apart is in order."""
    return min(_numbered(graph, order) for order in _orders(graph))


def automorphisms(graph: Edges) -> Iterator[tuple[int, ...]]:
    """The ways to number the nodes of *graph* anew that leave it as it is.

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


def _numbered(graph: Edges, order: tuple[int, ...]) -> Edges:
    """*graph* with the node ``order[n]`` as node n."""
    place = {node: number for number, node in enumerate(order)}
    return tuple(sum(1 << place[end] for end in place if graph[node] >> end & 1) for node in order)


def _orders(graph: Edges) -> Iterator[tuple[int, ...]]:
    """The orders of the nodes by what tells them apart, equals in any order."""
    for parts in itertools.product(*map(itertools.permutations, _classes(graph))):
        yield tuple(itertools.chain.from_iterable(parts))


def _classes(graph: Edges) -> list[list[int]]:
    """The nodes that neither their degree nor the degrees around them tell apart, class by class."""
    marks = [ends.bit_count() for ends in graph]
    for _ in range(2):
        around = [tuple(sorted(marks[end] for end in range(len(graph)) if ends >> end & 1)) for ends in graph]
        ranks = {mark: rank for rank, mark in enumerate(sorted(set(zip(marks, around, strict=True))))}
        marks = [ranks[mark] for mark in zip(marks, around, strict=True)]
    return [[node for node in range(len(graph)) if marks[node] == mark] for mark in sorted(set(marks))]
