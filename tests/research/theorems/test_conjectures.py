"""Conjectures from tables that are written down by hand."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from papan.ai.exact.santorini_graph.graphs import Edges, connected_graphs
from papan.game.base.sentences import Sentence
from papan.research.theorems.conjectures import (
    OF_GRAPHS,
    OF_STARTS,
    best_equivalence,
    conditions,
    cuts,
    diameter,
    eccentricity,
    has_mirror,
    implications,
    is_bipartite,
    symmetries,
    table_of,
)
from tests.research.theorems.test_small_cases import as_networkx

ROWS = [(True, True), (True, False), (False, True), (False, False)]
TABLE = table_of(["it is red", "it is round"], ROWS)


def won(*answers: int) -> np.ndarray:
    return np.array(answers, bool)


class TestEquivalences:
    @pytest.mark.parametrize(
        ("answers", "words"),
        [
            ((1, 1, 0, 0), "won exactly where it is red"),
            ((0, 0, 1, 1), "won exactly where not so: it is red"),
            ((0, 1, 0, 0), "won exactly where it is red and not so: it is round"),
        ],
    )
    def test_what_tells_exactly_is_found(self, answers: tuple[int, ...], words: str) -> None:
        found = best_equivalence(TABLE, won(*answers))
        assert found == (words, 4, 0, -1)

    def test_the_best_one_has_its_first_counterexample(self) -> None:
        found = best_equivalence(TABLE, won(1, 0, 0, 1))  # neither of them, nor two together
        assert found is not None and (found.against, found.smallest) == (1, 3)
        assert found.words == "won exactly where it is red and it is round"

    @pytest.mark.parametrize("answers", [(0, 0, 0, 0), (1, 1, 1, 1)])
    def test_where_it_is_always_the_same_nothing_is_said(self, answers: tuple[int, ...]) -> None:
        assert best_equivalence(TABLE, won(*answers)) is None
        assert implications(TABLE, won(*answers), 9) == []

    def test_a_property_that_all_have_says_nothing(self) -> None:
        table = table_of(["it is a graph"], [(True,), (True,)])
        assert conditions(table) == [] and best_equivalence(table, won(1, 0)) is None


class TestImplications:
    def test_the_most_general_come_first_and_none_says_less_than_those(self) -> None:
        found = implications(TABLE, won(1, 1, 1, 0), 9)
        assert [one.words for one in found] == [
            "won where it is red",
            "won where it is round",
            "lost where not so: it is red and not so: it is round",
        ]
        assert [(one.support, one.against, one.smallest) for one in found] == [(2, 0, -1), (2, 0, -1), (1, 0, -1)]

    def test_so_many_at_most(self) -> None:
        assert len(implications(TABLE, won(1, 1, 1, 0), 2)) == 2


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
