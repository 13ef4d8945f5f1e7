"""Conjectures mined from cases: properties, alone or in pairs, that decide who wins, and their counterexamples.

A property is a yes-or-no statement about a small graph, or about one of its nodes. A case is a graph, or a graph and a
start, with a solver's answer. A condition that holds in all cases is no theorem: it only has no counterexample among
the graphs tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from papan.ai.exact.santorini_graph.graphs import Edges, automorphisms
from papan.game.base.sentences import Sentence, say
from papan.game.kernel.bits import cells_of
from papan.research.theorems.small_cases import is_always_covered, matching_number

Column = npt.NDArray[np.bool_]
"""A boolean for each case."""


class Condition(NamedTuple):
    """A property, its negation, or a conjunction of two of these."""

    words: str
    holds: Column


class Conjecture(NamedTuple):
    """A claim that a condition is equivalent to, or implies, a win or a loss."""

    words: str
    support: int
    """The number of cases that the claim covers."""
    against: int
    """The number of counterexamples."""
    smallest: int
    """The index of the first counterexample among the cases; -1 if there is none."""


def conditions(properties: dict[str, Column]) -> list[Condition]:
    """The *properties* and their negations, then all conjunctions of two of these; constant conditions are left out."""
    single = [
        condition
        for words, holds in properties.items()
        if holds.any() and not holds.all()
        for condition in (Condition(words, holds), Condition(say("not so: {clause}", clause=words), ~holds))
    ]
    pairs = [
        Condition(say("{one} and {other}", one=one.words, other=other.words), one.holds & other.holds)
        for one, other in combinations(single, 2)
    ]
    return [*single, *(pair for pair in pairs if pair.holds.any() and not pair.holds.all())]


def best_equivalence(properties: dict[str, Column], won: Column) -> Conjecture | None:
    """The condition that agrees with *won* in the most cases; of equal ones the first, and so the simplest.

    :returns: None if all cases are won or all lost, or no property varies.
    """
    if won.all() or not won.any():
        return None
    every = conditions(properties)
    best = min(every, key=lambda condition: int((condition.holds != won).sum()), default=None)
    if best is None:
        return None
    return _conjecture(say("won exactly where {condition}", condition=best.words), best.holds != won, len(won))


def implications(properties: dict[str, Column], won: Column, most: int) -> list[Conjecture]:
    """At most *most* conditions under which all cases are won, or all lost, the most general ones first.

    A condition that covers no case beyond those before it is left out.
    """
    found: list[tuple[Condition, bool]] = [
        (condition, bool(value))
        for condition in conditions(properties)
        for value in (True, False)
        if (won[condition.holds] == value).all() and not (won == value).all()
    ]
    found.sort(key=lambda pair: -int(pair[0].holds.sum()))
    kept: list[Conjecture] = []
    told = np.zeros_like(won)
    for condition, value in found:
        if len(kept) < most and (condition.holds & ~told).any():
            told |= condition.holds
            words: Sentence = (
                say("won where {condition}", condition=condition.words)
                if value
                else say("lost where {condition}", condition=condition.words)
            )
            kept.append(_conjecture(words, np.zeros_like(won), int(condition.holds.sum())))
    return kept


def _conjecture(words: str, false: Column, support: int) -> Conjecture:
    """The conjecture *words*, with counterexamples where *false* is true."""
    return Conjecture(words, support, int(false.sum()), int(false.argmax()) if false.any() else -1)


def table_of(properties: Sequence[str], rows: Sequence[Sequence[bool]]) -> dict[str, Column]:
    """A column for each of *properties*, from *rows*, one for each case."""
    cases = np.array(rows, np.bool_).reshape(len(rows), len(properties))
    return {words: cases[:, index] for index, words in enumerate(properties)}


def every(graph: Edges) -> int:
    """All nodes, as a bitboard."""
    return (1 << len(graph)) - 1


def degree(graph: Edges, node: int) -> int:
    return graph[node].bit_count()


def edge_count(graph: Edges) -> int:
    """The number of edges.

    >>> edge_count((2, 5, 2))
    2
    """
    return sum(ends.bit_count() for ends in graph) // 2


def eccentricity(graph: Edges, node: int) -> int:
    """The greatest distance from *node* to any node of the connected *graph*.

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
    """Whether *graph* is bipartite.

    >>> is_bipartite((2, 5, 2)), is_bipartite((6, 5, 3))
    (True, False)
    """
    sides, fresh = [1, 0], 1
    while fresh:
        fresh = _around(graph, sides[0]) & ~sides[1]
        sides = [sides[1] | fresh, sides[0]]
    return sides[0] & sides[1] == 0


def cuts(graph: Edges, node: int) -> bool:
    """Whether *node* is a cut vertex: *graph* is not connected without it.

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
    return tuple(automorphisms(graph))


def has_mirror(graph: Edges) -> bool:
    """Whether some symmetry swaps all nodes in pairs of non-adjacent ones: a player can copy the other's every turn.

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
"""Properties of a connected graph, by their clauses."""

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
"""Properties of a node of a connected graph, by their clauses."""
