"""Geissler's future work: all small connected graphs, solved in many variants, and conjectures from the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated

import numpy as np
from msgspec import Meta

from papan.ai.exact.santorini_graph import Decider, won_starts
from papan.ai.exact.santorini_graph.atlas import VARIANTS, empty_board, fewest_nodes
from papan.ai.exact.santorini_graph.graphs import Edges, board_of, connected_graphs
from papan.game.base.sentences import say
from papan.game.rules.santorini_graph.names import read_variant
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Row, Table
from papan.research.theorems.conjectures import (
    OF_GRAPHS,
    OF_STARTS,
    Column,
    Conjecture,
    best_equivalence,
    implications,
    table_of,
)

GRAPHS_A_PIECE = 128
MOST_IMPLICATIONS = 3
WON, LOST = 1, 0


def sizes(asked: Asked, variant: str) -> range:
    """The numbers of nodes to solve: from the fewest of *variant* on."""
    fewest = fewest_nodes(read_variant(variant))
    return range(fewest, fewest + asked.count(VARIANTS[variant] - fewest + 1))


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [
        [
            Piece(f"{variant} {nodes} {first}", {"variant": variant, "nodes": nodes, "first": first})
            for variant in VARIANTS
            for nodes in sizes(asked, variant)
            for first in range(0, len(connected_graphs(nodes)), GRAPHS_A_PIECE)
        ]
    ]


Bits = Annotated[str, Meta(pattern=r"\A[0-9a-f]+\Z")]
"""A set of starts as a bitboard in hexadecimal digits."""


def compute(piece: Piece, asked: Asked, found: Found) -> list[tuple[int, str]]:
    """For each graph of the piece, the result of ``solved``."""
    graphs = connected_graphs(piece.facts["nodes"])[piece.facts["first"] :][:GRAPHS_A_PIECE]
    return [solved(piece.facts["variant"], graph) for graph in graphs]


def solved(variant: str, graph: Edges) -> tuple[int, str]:
    """Solve *variant* on *graph*.

    :returns: ``WON`` or ``LOST`` for the first seat, which places its workers first, and the starts in hexadecimal
        digits: bit n is 1 if the seat to act wins from the n-th of ``worker_sets``.
    """
    facts, decider = read_variant(variant), Decider()
    bits = sum(is_won << number for number, is_won in enumerate(won_starts(facts, graph, decider)))
    return WON if decider.is_won(empty_board(facts, graph)) else LOST, f"{bits:x}"


def entries(asked: Asked, found: Found, variant: str) -> Iterator[tuple[Edges, int, int]]:
    """Each graph of *variant*, smallest first, with ``WON`` or ``LOST`` and the starts as bits."""
    for nodes in sizes(asked, variant):
        graphs = connected_graphs(nodes)
        for first in range(0, len(graphs), GRAPHS_A_PIECE):
            answers = found[f"{variant} {nodes} {first}"]
            for graph, (winner, bits) in zip(graphs[first:][:GRAPHS_A_PIECE], answers, strict=True):
                yield graph, winner, int(bits, 16)


@cache
def _said_of_graph(graph: Edges) -> tuple[bool, ...]:
    return tuple(holds(graph) for holds in OF_GRAPHS.values())


@cache
def _said_of_start(graph: Edges, node: int) -> tuple[bool, ...]:
    return (*(holds(graph, node) for holds in OF_STARTS.values()), *_said_of_graph(graph))


def findings(asked: Asked, found: Found) -> Findings:
    shares = Table(say("Who wins"), ",.1f")
    on_graphs = Table(say("Conditions for a win from the empty board, the first player placing first"))
    on_starts = Table(say("Conditions for a win from a start with one worker, by the player to move"))
    atlas = {}
    for variant in VARIANTS:
        solved_graphs = list(entries(asked, found, variant))
        graphs = [graph for graph, _winner, _bits in solved_graphs]
        winners = np.array([winner == WON for _graph, winner, _bits in solved_graphs])
        _add_share(shares, variant, say("won by the first player, who places first, %"), winners)
        properties = table_of([*OF_GRAPHS], [_said_of_graph(graph) for graph in graphs])
        on_graphs.rows += _conjectured(variant, properties, winners, [board_of(graph) for graph in graphs])
        if read_variant(variant).workers == 1:
            rooted = [
                (graph, node, bits >> node & 1 == 1) for graph, _, bits in solved_graphs for node in range(len(graph))
            ]
            answers = np.array([is_won for _graph, _node, is_won in rooted])
            _add_share(shares, variant, say("starts won by the player to move, %"), answers)
            said = [_said_of_start(graph, node) for graph, node, _is_won in rooted]
            places = [f"{board_of(graph)} {node}" for graph, node, _is_won in rooted]
            on_starts.rows += _conjectured(variant, table_of([*OF_STARTS, *OF_GRAPHS], said), answers, places)
        atlas[variant] = {board_of(graph): [winner, f"{bits:x}"] for graph, winner, bits in solved_graphs}
    return Findings([shares, on_graphs, on_starts], extra={"atlas": atlas})


def _add_share(shares: Table, variant: str, measure: str, won: Column) -> None:
    shares.add(variant, measure, None, 100 * float(won.mean()), None, len(won))


def _conjectured(variant: str, properties: dict[str, Column], won: Column, places: Sequence[str]) -> list[Row]:
    """Rows of the best equivalence and, if it has counterexamples, the most general implications.

    :param places: the names of the cases.
    """
    if won.all() or not won.any():
        words = say("always won") if won.all() else say("always lost")
        return [Row(variant, words, None, say("holds"), None, len(won))]
    best = best_equivalence(properties, won)
    most_general = implications(properties, won, MOST_IMPLICATIONS) if best is None or best.against else []
    return [_row(variant, one, places) for one in ([best] if best else []) + most_general]


def _row(variant: str, conjecture: Conjecture, places: Sequence[str]) -> Row:
    verdict = (
        say("fails {failures} times: {example}", failures=conjecture.against, example=places[conjecture.smallest])
        if conjecture.against
        else say("holds")
    )
    return Row(variant, conjecture.words, None, verdict, None, conjecture.support)


EXPERIMENT = Experiment(
    "santorini-atlas",
    "Geissler (2020)",
    say("Future work: all small graphs"),
    say("ten minutes on one processor"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say(
            "A conjecture is the best condition made of one or two properties of a graph; one that holds is not a "
            "theorem."
        ),
        say(
            "Graphs have {nodes} nodes at most in the variants with little to build, one less in the others.",
            nodes=max(max(sizes(asked, variant)) for variant in VARIANTS),
        ),
    ),
    answer=list[tuple[int, Bits]],
)
