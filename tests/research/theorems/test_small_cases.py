"""Graphs, all plays of small positions, the statements about them, and conjectures from their tables."""

from __future__ import annotations

import itertools
from random import Random

import networkx
import numpy as np
import pytest
from networkx.generators.atlas import graph_atlas_g

from papan.ai.exact.santorini_graph import Decider
from papan.ai.exact.santorini_graph.graphs import Edges, automorphisms, board_of, canonical, connected_graphs
from papan.game.base.sentences import Sentence
from papan.game.rules import is_over, legal_steps, mover, payoff, play, santorini_graph
from papan.research.theorems import small_cases
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
from papan.research.theorems.deciding import Explorer
from papan.research.theorems.small_cases import (
    is_always_covered,
    matching_number,
    starts,
    stated_starts,
    winning_starts,
)


def as_networkx(edges: tuple[int, ...]) -> networkx.Graph:
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(edges)))
    pairs = itertools.combinations(range(len(edges)), 2)
    graph.add_edges_from((node, other) for node, other in pairs if edges[node] >> other & 1)
    return graph


class TestGraphs:
    @pytest.mark.parametrize("nodes", range(2, 8))
    def test_all_of_the_atlas_each_once(self, nodes: int) -> None:
        atlas = set()
        for graph in graph_atlas_g():
            if len(graph) == nodes and networkx.is_connected(graph):
                atlas.add(canonical(tuple(sum(1 << end for end in graph[node]) for node in range(nodes))))
        assert set(connected_graphs(nodes)) == atlas and len(atlas) == len(connected_graphs(nodes))

    @pytest.mark.slow
    def test_of_eight_nodes_there_are_as_many_as_the_encyclopedia_of_integer_sequences_says(self) -> None:
        assert len(connected_graphs(8)) == 11_117  # A001349

    def test_the_canonical_form_is_the_same_however_nodes_are_numbered(self) -> None:
        for edges in connected_graphs(5)[::4]:
            for order in itertools.islice(itertools.permutations(range(5)), 0, None, 17):
                place = {node: number for number, node in enumerate(order)}
                numbered = tuple(sum(1 << place[end] for end in range(5) if edges[node] >> end & 1) for node in order)
                assert canonical(numbered) == edges

    def test_matching_numbers_are_those_of_networkx(self) -> None:
        for edges in connected_graphs(6)[::5]:
            graph = as_networkx(edges)
            every = (1 << len(edges)) - 1
            assert matching_number(edges, every) == len(networkx.max_weight_matching(graph, maxcardinality=True))
        path = connected_graphs(3)[0]
        middle = max(range(3), key=lambda node: path[node].bit_count())
        assert [is_always_covered(path, node) for node in range(3)] == [node == middle for node in range(3)]


def plain(state: santorini_graph.State) -> tuple[bool, int]:
    """Whether the mover wins *state* and how long it can last, by trying everything in plain Python."""
    seat, is_won, longest = mover(state), False, 0
    for step in legal_steps(state):
        after = play(state, step)
        if is_over(after):
            won, lasts = payoff(after, seat) > 0, 1
        else:
            won, lasts = plain(after)
            if mover(after) != seat:
                won, lasts = not won, lasts + 1
        is_won, longest = is_won or won, max(longest, lasts)
    return is_won, longest


class TestExplorer:
    @pytest.mark.parametrize(
        ("variant", "board", "text"),
        [
            ("1W_I2H_NTWUS", "path:4", "0000/1/1"),
            ("2W_P2H_TWUS", "cycle:4", "0000/1/0/2"),
            ("2W_P2H_NTWDS", "cycle:5", "00000/1/0/2"),
            ("2W_I2H_TWU*S", "complete:4", "0000/1/0,1"),
        ],
    )
    def test_it_says_what_plain_play_says(self, variant: str, board: str, text: str) -> None:
        state = santorini_graph.parse(text, {"variant": variant, "board": board})
        assert Explorer().outcome(state) == plain(state)

    def test_tables_grow(self) -> None:
        explorer = Explorer()
        state = santorini_graph.parse("000000/1/0/5", {"variant": "2W_P3H_NTWUS", "board": "cycle:6"})
        assert explorer.outcome(state).longest <= 18 and explorer.positions > 1 << 12
        assert explorer.most_turns >= 4

    def test_a_position_that_is_over(self) -> None:
        state = santorini_graph.parse("0110/1/0/3", {"variant": "2W_P1H_NTWUS", "board": "path:4"})
        assert Explorer().outcome(state) == (False, 0) and not Decider().is_won(state)


class TestDecider:
    @pytest.mark.parametrize("variant", ["1W_I2H_NTWU*S", "2W_I2H_NTWUS", "2W_P2H_NTWUS", "2W_P3H_TWUS_FM"])
    def test_it_says_who_wins_as_all_plays_say(self, variant: str) -> None:
        answers = set()
        for graph in [*connected_graphs(3), *connected_graphs(4)]:
            board, decider, explorer = board_of(graph), Decider(), Explorer()
            empty = santorini_graph.start({"variant": variant, "board": board}, Random(0))
            for state in [empty, *starts(variant, board, len(graph))]:
                answers.add(decider.is_won(state))
                assert decider.is_won(state) == explorer.outcome(state).is_won
            assert decider.positions <= explorer.positions
        assert answers == {True, False}


class TestStatements:
    def test_undirected_geography(self) -> None:
        """Section 6.3: with the stipulation the claim holds; without it, the smallest counterexamples have 5 nodes."""
        found = [one for nodes in range(2, 6) for one in small_cases.geography(nodes)]
        assert len(found) == 73
        assert all(one.with_stipulation == one.is_covered for one in found)
        against = [one for one in found if one.without_stipulation != one.is_covered]
        assert [(one.board, one.start) for one in against] == [
            ("edges:0-1,1-4,2-3,2-4,3-4", 2),
            ("edges:0-2,1-3,1-4,2-3,2-4,3-4", 1),
            ("edges:0-2,1-3,1-4,2-3,2-4,3-4", 3),
            ("edges:0-4,1-2,1-3,1-4,2-3,2-4,3-4", 1),
        ]

    @pytest.mark.parametrize("nodes", range(3, 8))
    def test_cycles_without_tower_wins_are_as_stated_but_for_height_two(self, nodes: int) -> None:
        for height in (1, 3):
            assert winning_starts(nodes, height, False) == stated_starts(nodes, height)
        if nodes > 3:
            assert winning_starts(nodes, 2, False) == tuple(range(2, nodes + 1)), "the second wins from everywhere"
        with_tower_wins = {4: (2, 4), 5: (2, 4, 5)}
        if nodes in with_tower_wins:
            assert winning_starts(nodes, 2, True) == with_tower_wins[nodes]

    @pytest.mark.parametrize("variant", ["1W_I2H_NTWUS", "2W_P2H_TWUS", "2W_I1H_NTWU*S"])
    def test_no_game_is_longer_than_theorem_2_says(self, variant: str) -> None:
        found = small_cases.bound(variant, [*connected_graphs(3), *connected_graphs(4)])
        assert found.over == found.past_tight == found.crowded == 0 < found.tight
        assert [len(list(small_cases.directed_graphs(nodes))) for nodes in (2, 3)] == [3, 54]
        assert board_of(connected_graphs(2)[0]) == "edges:0-1"


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

    def test_what_is_always_the_same_says_nothing(self) -> None:
        for answers in ((0, 0, 0, 0), (1, 1, 1, 1)):
            assert best_equivalence(TABLE, won(*answers)) is None
            assert implications(TABLE, won(*answers), 9) == []
        table = table_of(["it is a graph"], [(True,), (True,)])
        assert conditions(table) == [] and best_equivalence(table, won(1, 0)) is None


def test_the_most_general_implications_come_first_and_none_says_less_than_those() -> None:
    found = implications(TABLE, won(1, 1, 1, 0), 9)
    assert [one.words for one in found] == [
        "won where it is red",
        "won where it is round",
        "lost where not so: it is red and not so: it is round",
    ]
    assert [(one.support, one.against, one.smallest) for one in found] == [(2, 0, -1), (2, 0, -1), (1, 0, -1)]
    assert len(implications(TABLE, won(1, 1, 1, 0), 2)) == 2


def test_properties_agree_with_networkx() -> None:
    for graph in [*connected_graphs(4), *connected_graphs(5), *connected_graphs(6)[::3]]:
        other = as_networkx(graph)
        assert diameter(graph) == networkx.diameter(other)
        assert is_bipartite(graph) == networkx.is_bipartite(other)
        assert {node for node in range(len(graph)) if cuts(graph, node)} == set(networkx.articulation_points(other))
        assert {node: eccentricity(graph, node) for node in range(len(graph))} == networkx.eccentricity(other)
        assert OF_GRAPHS["it is a tree"](graph) == networkx.is_tree(other)
        assert OF_GRAPHS["all degrees are even"](graph) == networkx.is_eulerian(other)
        assert OF_GRAPHS["all degrees are the same"](graph) == networkx.is_regular(other)
        mappings = networkx.isomorphism.GraphMatcher(other, other).isomorphisms_iter()
        assert len(symmetries(graph)) == len([*automorphisms(graph)]) == sum(1 for _ in mappings)


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
