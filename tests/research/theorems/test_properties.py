"""What can be said of graphs, beside networkx."""

from __future__ import annotations

import networkx
import pytest

from papan.ai.exact.santorini_graph.graphs import Edges, connected_graphs
from papan.game.base.sentences import Sentence
from papan.research.theorems.conjectures import (
    OF_GRAPHS,
    OF_STARTS,
    cuts,
    diameter,
    eccentricity,
    has_mirror,
    is_bipartite,
    symmetries,
)
from tests.research.theorems.test_small_cases import as_networkx

SOME = [*connected_graphs(4), *connected_graphs(5), *connected_graphs(6)[::3]]


@pytest.mark.parametrize("graph", SOME, ids=str)
def test_agrees_with_networkx(graph: Edges) -> None:
    other = as_networkx(graph)
    assert diameter(graph) == networkx.diameter(other)
    assert is_bipartite(graph) == networkx.is_bipartite(other)
    assert {node for node in range(len(graph)) if cuts(graph, node)} == set(networkx.articulation_points(other))
    assert {node: eccentricity(graph, node) for node in range(len(graph))} == networkx.eccentricity(other)
    assert OF_GRAPHS["it is a tree"](graph) == networkx.is_tree(other)
    assert OF_GRAPHS["all degrees are even"](graph) == networkx.is_eulerian(other)
    assert OF_GRAPHS["all degrees are the same"](graph) == networkx.is_regular(other)
    assert len(symmetries(graph)) == sum(1 for _ in networkx.isomorphism.GraphMatcher(other, other).isomorphisms_iter())


def test_each_is_true_of_some_graphs_and_false_of_others() -> None:
    graphs = [graph for nodes in range(2, 7) for graph in connected_graphs(nodes)]
    for words, holds in OF_GRAPHS.items():
        assert isinstance(words, Sentence) and {holds(graph) for graph in graphs} == {True, False}, words
    for words, of_start in OF_STARTS.items():
        answers = {of_start(graph, node) for graph in graphs for node in range(len(graph))}
        assert isinstance(words, Sentence) and answers == {True, False}, words


@pytest.mark.parametrize(
    ("graph", "mirrors"),
    [((2, 1), False), ((10, 5, 10, 5), True), ((2, 5, 10, 4), False), ((14, 13, 11, 7), False), ((6, 5, 3), False)],
    ids=["an edge", "a cycle of 4", "a path of 4", "4 joined to all", "a triangle"],
)
def test_a_mirror_exchanges_nodes_that_are_not_joined(graph: Edges, mirrors: bool) -> None:
    assert has_mirror(graph) == mirrors
