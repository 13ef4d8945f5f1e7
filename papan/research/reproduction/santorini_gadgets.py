"""Geissler's future work: one-way gadgets, which reductions to undirected boards need, among all small graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from papan.ai.exact.santorini_graph.graphs import MOST_NODES, board_of, connected_graphs
from papan.game.base.sentences import figures, say
from papan.game.base.typed import Whole
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table
from papan.research.theorems.gadgets import ARC, KINDS, MOST_HEIGHT, Checker

GRAPHS_A_PIECE = 16
FEWEST_NODES = 3
SHOWN = 3
"""The most gadgets of a piece that are kept, arcs first."""


def variants(asked: Asked) -> Iterator[str]:
    """The variants of one worker up to a height, those with little to build first."""
    edges = {"either": ("U*", "U"), "with": ("U*",), "without": ("U",)}[asked.readings["stipulation"]]
    for height in range(1, min(asked.number("height"), MOST_HEIGHT) + 1):
        for stipulation in edges:
            yield f"1W_I{height}H_NTW{stipulation}S"
            if height > 1:
                yield f"1W_I{height}H_TW{stipulation}S"


def sizes(asked: Asked) -> range:
    return range(FEWEST_NODES, min(asked.number("nodes"), MOST_NODES) + 1)


def names(nodes: int, variant: str) -> list[Piece]:
    return [
        Piece(f"{variant} {nodes} {first}", {"variant": variant, "nodes": nodes, "first": first})
        for first in range(0, len(connected_graphs(nodes)), GRAPHS_A_PIECE)
    ]


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [[piece for nodes in sizes(asked) for variant in variants(asked) for piece in names(nodes, variant)]]


class Searched(TypedDict):
    candidates: Whole
    kinds: list[Whole]
    """How many gadgets there are of each of ``KINDS``."""
    examples: list[str]
    """Edges, levels, entry and exit."""


def compute(piece: Piece, asked: Asked, found: Found) -> Searched:
    checker = Checker(piece.facts["variant"])
    candidates, every = 0, []
    for graph in connected_graphs(piece.facts["nodes"])[piece.facts["first"] :][:GRAPHS_A_PIECE]:
        count, gadgets = checker.found(graph)
        candidates += count
        every += [(kind, f"{board_of(graph)} {levels} {start} {end}") for kind, levels, start, end in gadgets]
    every.sort(key=lambda one: one[0])
    kinds = [sum(kind == one for one, _words in every) for kind in KINDS]
    return {"candidates": candidates, "kinds": kinds, "examples": [words for _kind, words in every[:SHOWN]]}


def findings(asked: Asked, found: Found) -> Findings:
    table, gadgets = Table(say("One-way gadgets, and the candidates that were checked")), {}
    for nodes in sizes(asked):
        for variant in variants(asked):
            parts: list[Searched] = [found[piece.name] for piece in names(nodes, variant)]
            kinds = [sum(part["kinds"][index] for part in parts) for index in range(len(KINDS))]
            case = say("{variant}, {nodes} nodes", variant=variant, nodes=nodes)
            words = say("none")
            if any(kinds):
                arcs = kinds[KINDS.index(ARC)]
                lowest = next(index for index in range(len(KINDS)) if kinds[index])
                best = next(part["examples"] for part in parts if part["kinds"][lowest])
                words = say(
                    "{count}, of which arcs: {arcs}; as {example}",
                    count=figures(sum(kinds)),
                    arcs=figures(arcs),
                    example=best[0],
                )
                gadgets[f"{variant} {nodes}"] = {"kinds": kinds, "examples": best}
            table.add(case, "", None, words, None, sum(part["candidates"] for part in parts))
    return Findings([table], extra={"gadgets": gadgets})


EXPERIMENT = Experiment(
    "santorini-gadgets",
    "Geissler (2020)",
    say("Future work: gadgets for undirected boards"),
    say("a minute on one processor"),
    stages,
    compute,
    findings,
    readings={"nodes": ("6",), "height": ("3",), "stipulation": ("either", "with", "without")},
    selecting=("nodes", "height", "stipulation"),
    notes=lambda asked: (
        say(
            "A gadget is written as its edges, the levels of its nodes, its entry and its exit; in an arc, the seat to "
            "act at the entry wins exactly if arriving on the exit wins."
        ),
    ),
    answer=Searched,
)
