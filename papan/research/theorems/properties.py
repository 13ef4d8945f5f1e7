"""What can be said of a small graph, and of a node of it, with yes or no: what a conjecture is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from papan.ai.exact.santorini_graph.graphs import Edges, automorphisms
from papan.game.base.sentences import say
from papan.game.kernel.bits import cells_of
from papan.research.theorems.small_cases import is_always_covered, matching_number


def every(graph: Edges) -> int:
    """All nodes, as a bitboard."""
    return (1 << len(graph)) - 1


def degree(graph: Edges, node: int) -> int:
    """How many edges *node* has."""
    return graph[node].bit_count()


def edge_count(graph: Edges) -> int:
    """How many edges there are.

    >>> edge_count((2, 5, 2))
    2
    """
    return sum(ends.bit_count() for ends in graph) // 2


def eccentricity(graph: Edges, node: int) -> int:
    """The distance from *node* to the node that is furthest from it; *graph* is connected.

    >>> eccentricity((2, 5, 2), 0), eccentricity((2, 5, 2), 1)
    (2, 1)
    """
    reached, steps = 1 << node, 0
    while reached != every(graph):
        reached |= _around(graph, reached)
        steps += 1
    return steps


def _around(graph: Edges, nodes: int) -> int:
    around = 0
    for node in cells_of(nodes):
        around |= graph[node]
    return around


def diameter(graph: Edges) -> int:
    """The greatest distance between two nodes."""
    return max(eccentricity(graph, node) for node in range(len(graph)))


def is_bipartite(graph: Edges) -> bool:
    """Whether the nodes are of two kinds that every edge joins.

    >>> is_bipartite((2, 5, 2)), is_bipartite((6, 5, 3))
    (True, False)
    """
    sides, fresh = [1, 0], 1
    while fresh:
        fresh = _around(graph, sides[0]) & ~sides[1]
        sides = [sides[1] | fresh, sides[0]]
    return sides[0] & sides[1] == 0


def cuts(graph: Edges, node: int) -> bool:
    """Whether *graph* falls apart without *node*.

    >>> cuts((2, 5, 2), 1), cuts((2, 5, 2), 0)
    (True, False)
    """
    rest = every(graph) & ~(1 << node)
    reached = rest & -rest
    while (grown := (reached | _around(graph, reached)) & rest) != reached:
        reached = grown
    return reached != rest


@cache
def symmetries(graph: Edges) -> tuple[tuple[int, ...], ...]:
    """The automorphisms."""
    return tuple(automorphisms(graph))


def has_mirror(graph: Edges) -> bool:
    """Whether some symmetry exchanges all nodes in pairs that no edge joins: who copies the other is never in the way.

    >>> has_mirror((2, 5, 10, 4)), has_mirror((10, 5, 10, 5))
    (False, True)
    """
    nodes = range(len(graph))
    return any(
        all(order[node] != node == order[order[node]] and not graph[node] >> order[node] & 1 for node in nodes)
        for order in symmetries(graph)
    )


def _matching(graph: Edges) -> int:
    return matching_number(graph, every(graph))


OF_GRAPHS: Mapping[str, Callable[[Edges], bool]] = {
    say("the number of nodes is even"): lambda graph: len(graph) % 2 == 0,
    say("the number of edges is even"): lambda graph: edge_count(graph) % 2 == 0,
    say("the matching number is even"): lambda graph: _matching(graph) % 2 == 0,
    say("there is a perfect matching"): lambda graph: 2 * _matching(graph) == len(graph),
    say("a matching leaves out one node at most"): lambda graph: 2 * _matching(graph) >= len(graph) - 1,
    say("the diameter is even"): lambda graph: diameter(graph) % 2 == 0,
    say("the diameter is 2 at most"): lambda graph: diameter(graph) <= 2,
    say("it is bipartite"): is_bipartite,
    say("it is a tree"): lambda graph: edge_count(graph) == len(graph) - 1,
    say("it has one cycle at most"): lambda graph: edge_count(graph) <= len(graph),
    say("there is a leaf"): lambda graph: any(degree(graph, node) == 1 for node in range(len(graph))),
    say("there is a cut node"): lambda graph: any(cuts(graph, node) for node in range(len(graph))),
    say("some node is joined to all others"): lambda graph: any(
        degree(graph, node) == len(graph) - 1 for node in range(len(graph))
    ),
    say("all degrees are even"): lambda graph: all(degree(graph, node) % 2 == 0 for node in range(len(graph))),
    say("all degrees are odd"): lambda graph: all(degree(graph, node) % 2 == 1 for node in range(len(graph))),
    say("all degrees are the same"): lambda graph: len({degree(graph, node) for node in range(len(graph))}) == 1,
    say("it has no symmetry"): lambda graph: len(symmetries(graph)) == 1,
    say("a symmetry exchanges all nodes in unjoined pairs"): has_mirror,
}
"""Of a connected graph, by the clause that says so."""

OF_STARTS: Mapping[str, Callable[[Edges, int], bool]] = {
    say("every maximum matching covers the start"): is_always_covered,
    say("the start's degree is even"): lambda graph, node: degree(graph, node) % 2 == 0,
    say("the start is a leaf"): lambda graph, node: degree(graph, node) == 1,
    say("the start is a cut node"): cuts,
    say("the start is joined to all others"): lambda graph, node: degree(graph, node) == len(graph) - 1,
    say("the start is beside a leaf"): lambda graph, node: any(
        degree(graph, end) == 1 for end in cells_of(graph[node])
    ),
    say("the furthest node is at an even distance"): lambda graph, node: eccentricity(graph, node) % 2 == 0,
}
"""Of a node of a connected graph."""
