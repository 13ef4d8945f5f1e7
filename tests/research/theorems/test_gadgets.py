"""One-way gadgets: known ones, broken ones, and all small ones, also by plain positions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import networkx
import pytest
from networkx.generators.atlas import graph_atlas_g

from papan.ai.exact.santorini_graph.graphs import board_of, connected_graphs
from papan.game.rules import santorini_graph
from papan.game.rules.santorini_graph.board import MOVING, begin_turn, state_of
from papan.game.rules.santorini_graph.names import read_board, read_variant
from papan.research.theorems import gadgets
from papan.research.theorems.deciding import Explorer, Solved
from papan.research.theorems.gadgets import (
    ARC,
    KNOWN_ARCS,
    LOSING,
    PIT,
    USED,
    WINNING,
    Checker,
    OneWay,
    VariantError,
    candidates,
    port_level,
    won_alone,
)
from papan.research.theorems.reductions import Position, of_directed

BEHIND, TOWERS, ANYWHERE = "1W_I3H_NTWU*S", "1W_I4H_TWU*S", "1W_I3H_NTWUS"
DIRECTED = "1W_I1H_NTWD*S"


class TestKnown:
    def test_the_arcs(self) -> None:
        assert {Checker(variant).kind(arc) for variant, arc in KNOWN_ARCS.items()} == {ARC}
        assert Checker("1W_I4H_NTWUS").kind(KNOWN_ARCS[ANYWHERE]._replace(levels="331311")) == ARC, "all one higher"

    @pytest.mark.parametrize("node", [2, 3, 4])
    def test_it_is_broken_by_another_level(self, node: int) -> None:
        others = {PIT.levels[:node] + level + PIT.levels[node + 1 :] for level in "012"}
        kinds = [Checker(BEHIND).kind(PIT._replace(levels=levels)) for levels in others - {PIT.levels}]
        assert kinds == [0, 0]

    def test_it_is_broken_the_other_way_round_and_without_its_leaf(self) -> None:
        assert Checker(BEHIND).kind(PIT._replace(entry=0, exit=1)) == 0
        assert Checker(BEHIND).kind(OneWay("edges:0-2,1-3,2-3", "2210", 1, 0)) == 0
        assert Checker(ANYWHERE).kind(PIT) == 0, "whoever builds anywhere blocks it"

    def test_directed_paths_are_one_way_and_undirected_ones_not(self) -> None:
        checker = Checker(DIRECTED)
        assert checker.kind(OneWay("edges:0-2,2-3,3-1", "0000", 0, 1)) == ARC
        assert checker.kind(OneWay("edges:0-2,2-1", "000", 0, 1)) == 4, "an even path: the other seat arrives"
        assert checker.kind(OneWay("edges:0-2,2-3,3-1,3-0", "0000", 0, 1)) == ARC
        assert checker.kind(OneWay("edges:0-2,2-3,3-1,1-3", "0000", 0, 1)) == 0
        assert Checker("1W_I1H_NTWU*S").kind(OneWay("edges:0-2,2-3,3-1", "0000", 0, 1)) == 0

    @pytest.mark.parametrize("variant", ["2W_P3H_NTWU*S", "2W_I3H_NTWU*S", "1W_I5H_NTWU*S", "1W_I1H_TWU*S"])
    def test_variants_without_gadgets_are_refused(self, variant: str) -> None:
        with pytest.raises(VariantError, match="no gadgets for"):
            Checker(variant)


def position(variant: str, gadget: OneWay, start: int, value: int) -> Position:
    """The gadget in the smallest board whose other port has that *value*, with the worker on the port *start*.

    Who arrives where the board ends wins; who arrives beside another node to go to loses: without tower wins it is the
    last node, with them it wins.
    """
    facts = Checker(variant).variant
    other = gadget.entry + gadget.exit - start
    board, levels = gadget.board, list(gadget.levels)
    if value == LOSING:
        board += f",{other}-{len(levels)}"
        levels.append(str(facts.height - 1))
    elif value == USED:
        levels[other] = str(port_level(facts) + 1)
    return Position({"variant": variant, "board": board}, f"{''.join(levels)}/1/{start}", ())


def is_won(position: Position) -> bool:
    return Explorer().outcome(santorini_graph.parse(position.text, position.options)).is_won


def plain_kind(variant: str, gadget: OneWay) -> int:
    """The kind of *gadget*, with the stipulation, by who wins the positions of the definition."""
    backward = [is_won(position(variant, gadget, gadget.exit, value)) for value in range(3)]
    losing, winning, used = (
        is_won(position(variant, gadget, gadget.entry, value)) for value in (LOSING, WINNING, USED)
    )
    return 0 if any(backward) or losing == winning else 1 + losing + 2 * used


def each(variant: str, nodes: int) -> Iterator[OneWay]:
    facts = Checker(variant).variant
    for graph in connected_graphs(nodes):
        for start, end, levels in candidates(graph, port_level(facts), facts.height):
            for column in levels.T:
                yield OneWay(board_of(graph), "".join(map(str, column)), start, end)


class TestSearch:
    @pytest.mark.parametrize(
        ("variant", "nodes", "gadgets"),
        [(BEHIND, 4, 0), ("1W_I3H_TWU*S", 4, 0), (TOWERS, 4, 1), ("1W_I2H_NTWU*S", 5, 0)],
    )
    def test_every_kind_is_that_of_plain_positions(self, variant: str, nodes: int, gadgets: int) -> None:
        checker = Checker(variant)
        found = {
            OneWay(board_of(graph), levels, start, end): kind
            for graph in connected_graphs(nodes)
            for kind, levels, start, end in checker.found(graph)[1]
        }
        assert found == {one: kind for one in each(variant, nodes) if (kind := plain_kind(variant, one))}
        assert len(found) == gadgets

    @pytest.mark.parametrize(("variant", "gadgets", "arcs"), [(BEHIND, 9, 9), ("1W_I3H_TWU*S", 6, 2), (TOWERS, 35, 9)])
    def test_five_nodes_are_the_first_with_arcs(self, variant: str, gadgets: int, arcs: int) -> None:
        checker = Checker(variant)
        found = [
            (kind, OneWay(board_of(graph), levels, start, end))
            for graph in connected_graphs(5)
            for kind, levels, start, end in checker.found(graph)[1]
        ]
        assert len(found) == gadgets and sum(kind == ARC for kind, _gadget in found) == arcs
        assert all(plain_kind(variant, gadget) == kind for kind, gadget in found)

    def test_the_proof_search_agrees(self) -> None:
        solved = Solved()
        for gadget in (PIT, PIT._replace(levels="22110")):
            for start, value in itertools.product((gadget.entry, gadget.exit), range(3)):
                small = position(BEHIND, gadget, start, value)
                assert solved.first_wins(small) == is_won(small)

    @pytest.mark.parametrize(("nodes", "height"), [(3, 3), (4, 2), (4, 3), (5, 2)])
    def test_all_candidates_are_tried_once(self, nodes: int, height: int) -> None:
        """Against counting numbered gadgets up to all renumberings."""
        classes = set()
        orders = list(itertools.permutations(range(nodes)))
        for graph in graph_atlas_g():
            if len(graph) != nodes or not networkx.is_connected(graph):
                continue
            edges = [tuple(edge) for edge in graph.edges]
            for start, end in itertools.permutations(range(nodes), 2):
                if graph.has_edge(start, end):
                    continue
                for levels in itertools.product(range(height), repeat=nodes):
                    if levels[start] == levels[end] == height - 1:
                        classes.add(min(renumbered(order, edges, levels, start, end) for order in orders))
        found = [
            levels.shape[1]
            for graph in connected_graphs(nodes)
            for _start, _end, levels in candidates(graph, height - 1, height)
        ]
        assert sum(found) == len(classes)

    @pytest.mark.parametrize("variant", ["1W_I3H_NTWU*S", "1W_I2H_TWU*S", "1W_I4H_NTWUS", "1W_I3H_TWUS", DIRECTED])
    def test_boards_without_ports_are_won_as_all_plays_tell(self, variant: str) -> None:
        facts = read_variant(variant)
        graph = read_board("edges:0-1,1-2,2-0,2-3", facts.is_directed)
        weights, won = won_alone(graph, facts)
        answers = set()
        for levels in itertools.product(range(facts.height + 1), repeat=graph.nodes):
            for node in range(graph.nodes):
                if levels[node] < facts.height - facts.has_tower_wins:
                    state = begin_turn(state_of(graph, facts, levels, (1 << node, 0), 0, MOVING))
                    answer = won[-1, sum(level * weights[1 << place] for place, level in enumerate(levels))] >> node & 1
                    assert answer == Explorer().outcome(state).is_won
                    answers.add(int(answer))
        assert answers == {0, 1}

    def test_a_full_table_grows(self) -> None:
        checker = Checker(ANYWHERE)
        checker._table = checker._table[:8].copy()
        assert checker.kind(KNOWN_ARCS[ANYWHERE]) == ARC and len(checker._table) > 8


def renumbered(
    order: tuple[int, ...], edges: list[tuple[int, ...]], levels: tuple[int, ...], start: int, end: int
) -> tuple[object, ...]:
    moved = sorted(tuple(sorted(order[node] for node in edge)) for edge in edges)
    heights = tuple(level for _node, level in sorted(zip(order, levels, strict=True)))
    return tuple(moved), heights, order[start], order[end]


class TestWithoutTheStipulation:
    def test_nothing_smaller_is_one_way(self) -> None:
        for variant in ("1W_I2H_NTWUS", ANYWHERE, "1W_I3H_TWUS"):
            checker = Checker(variant)
            assert all(not checker.found(graph)[1] for nodes in (3, 4, 5) for graph in connected_graphs(nodes))

    def test_six_nodes_are_the_first(self) -> None:
        checker = Checker(ANYWHERE)
        found = [
            (kind, OneWay(board_of(graph), levels, start, end))
            for graph in connected_graphs(6)
            for kind, levels, start, end in checker.found(graph)[1]
        ]
        assert found[0] == (ARC, KNOWN_ARCS[ANYWHERE]) and [kind for kind, _gadget in found] == [ARC, ARC]

    def test_an_edge_more_or_less_breaks_the_arc(self) -> None:
        arc, checker = KNOWN_ARCS[ANYWHERE], Checker(ANYWHERE)
        for start, end in arc.edges():
            rest = [f"{one}-{other}" for one, other in arc.edges() if (one, other) != (start, end)]
            assert checker.kind(arc._replace(board="edges:" + ",".join(rest))) == 0
        for pair in ("0-2", "0-4", "0-5", "1-2", "1-3", "1-4"):
            assert checker.kind(arc._replace(board=f"{arc.board},{pair}")) == 0
        assert checker.kind(arc._replace(entry=1, exit=0)) == 0


class TestReduction:
    @pytest.mark.parametrize("variant", KNOWN_ARCS)
    def test_directed_graphs_are_won_as_in_geography(self, variant: str) -> None:
        solved, answers = Solved(), []
        pairs = [*itertools.permutations(range(3), 2)]
        for edges in itertools.chain.from_iterable(itertools.combinations(pairs, number) for number in (1, 2, 3)):
            if any(0 in edge for edge in edges):
                answers.append(solved.first_wins(of_directed(edges, variant)))
                assert answers[-1] == wins_geography(edges, 0, frozenset())
        assert len(answers) == 38 and {*answers} == {True, False}

    @pytest.mark.parametrize("variant", KNOWN_ARCS)
    def test_a_broken_arc_is_noticed(self, variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
        arc = KNOWN_ARCS[variant]
        monkeypatch.setitem(gadgets.KNOWN_ARCS, variant, arc._replace(entry=arc.exit, exit=arc.entry))
        assert wins_geography([(0, 1)], 0, frozenset())
        assert not Solved().first_wins(of_directed([(0, 1)], variant))


def wins_geography(edges: Sequence[tuple[int, int]], node: int, left: frozenset[int]) -> bool:
    return any(
        start == node and end not in left and not wins_geography(edges, end, left | {node})
        for start, end in edges
        if end != node
    )
