"""Geissler (2020), sections 4.2 and 6.3: statements on small graphs, each confirmed or refuted by trying every play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from papan.game.base.sentences import say
from papan.game.base.typed import Whole
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table
from papan.research.theorems.statements import STATEMENTS

SAID: Mapping[str, str] = {
    "1": say("nW_I mH_TW U S_FM: the player who first builds to m − 1 loses"),
    "2": say("nW_I 2H_TW U S: the player who builds first loses"),
    "3": say("nW_P on complete graphs: Left loses 2H_TW; who builds first to m − 1 loses S_FM"),
    "4": say("1W_I D S on one-way cycles: parity decides"),
    "5": say("2W_P D S on one-way cycles: Right wins up to node ⌊k/2⌋ + 1, turned round by each level"),
    "6": say("2W_P D S on one-way paths: the further player wins; at height 1 distances are compared"),
    "7": say("1W_I 1H_NTW U* S: won where every maximum matching covers the start"),
    "8": say("1W_I 1H_NTW U S: the same without the stipulation"),
}
"""Each statement's words, by the first character of its name."""
SHOWN = 3
"""The most counterexamples listed, the smallest first."""


def sizes(asked: Asked, name: str) -> Sequence[int]:
    """The numbers of nodes to try, ascending."""
    every = STATEMENTS[name][1]
    return every[: asked.count(len(every))]


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [
        [
            Piece(f"{name} {nodes}", {"statement": name, "nodes": nodes})
            for name in STATEMENTS
            for nodes in sizes(asked, name)
        ]
    ]


class Cases(TypedDict):
    cases: Whole
    failures: Whole
    examples: list[str]


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, object]:
    cases = list(STATEMENTS[piece.facts["statement"]][0](piece.facts["nodes"]))
    against = [case.position for case in cases if not case.holds]
    return {"cases": len(cases), "failures": len(against), "examples": against[:SHOWN]}


def findings(asked: Asked, found: Found) -> Findings:
    table, examples = Table(say("Statements, and the starts or turns that were tried")), {}
    for name in STATEMENTS:
        parts = [found[f"{name} {nodes}"] for nodes in sizes(asked, name)]
        cases, failures = (sum(part[key] for part in parts) for key in ("cases", "failures"))
        against = [example for part in parts for example in part["examples"]][:SHOWN]
        verdict = (
            say("refuted, {failures} times: {example}", failures=failures, example=against[0])
            if against
            else say("confirmed")
        )
        table.add(name, SAID[name[0]], say("holds"), verdict, None, cases)
        examples[name] = against
    return Findings([table], extra={"counterexamples": examples})


EXPERIMENT = Experiment(
    "santorini-variants",
    "Geissler (2020)",
    say("Sections 4.2 and 6.3"),
    say("5 seconds"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say("A counterexample is a variant, a board and a position, or for statement 5 the node where Right starts."),
        say(
            "Statement 6 at height 1: the further player walks up to the node before the one that the closer one left."
        ),
    ),
    answer=Cases,
)
