"""Primanita, Khalid and Iida (2021), Table 3: 2048 on 2 × 2 by proof numbers, with chance as AND and as OR."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from statistics import fmean
from typing import Annotated

from msgspec import Meta

from papan.ai.proof import METHODS, SolverSetting
from papan.game.base.sentences import say
from papan.game.catalogue import find
from papan.game.rules import CHANCE, State, achieved, chance, legal_steps, mover, play, twenty48
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table
from papan.research.reproduction.proofs import WINS, Proof, counted, solved

OPENINGS = ("2,2/0,0 0", "2,0/2,0 0", "2,0/0,2 0", "0,2/2,0 0", "0,2/0,2 0", "0,0/2,2 0")
OBJECTIVES = (16, 32)
PUBLISHED = {
    ("pns", 16): (6.0, 15.67), ("pns", 32): (11.0, 32.33), ("mcpns", 16): (4.0, 12.33), ("mcpns", 32): (4.67, 15.67),
    ("ppns", 16): (2.0, 7.5), ("ppns", 32): (2.0, 8.67),
}  # fmt: skip
"""Mean iterations and nodes over the six openings."""
THETA, PR, PLAYOUTS = 0.01, 1e-4, 60
RUNS = 20
"""Repetitions with different random games; the paper does not give a number."""
MOST_NODES = 100_000
SIDES = ("and", "or")


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [
        [
            Piece(f"{method} {goal} {side} {run}", {"method": method, "goal": goal, "side": side, "run": run})
            for (method, goal), side in product(PUBLISHED, SIDES)
            for run in range(runs(asked, method))
        ]
    ]


def runs(asked: Asked, method: str) -> int:
    """The number of runs of *method*: one for PNS, which is deterministic."""
    return 1 if method == "pns" else asked.count(RUNS)


def compute(piece: Piece, asked: Asked, found: Found) -> list[dict[str, object]]:
    facts = piece.facts
    setting = SolverSetting(
        playouts=PLAYOUTS,
        theta=THETA,
        pr=PR if facts["method"] == "ppns" else 0.0,
        chance=facts["side"],
        seed=asked.draw("run", facts["run"]),
    )
    return [
        solved(find("2048"), start(opening), facts["method"], setting, MOST_NODES, facts["goal"])
        for opening in OPENINGS
    ]


def start(opening: str) -> State:
    return twenty48.parse(opening, {"size": "2"})


@cache
def best_chance(state: State, goal: int) -> float:
    """The chance to reach the tile *goal* from *state* with best play."""
    value = achieved(state, 0, goal)
    if value:
        return float(value > 0)
    steps = legal_steps(state)
    if mover(state) != CHANCE:
        return max(best_chance(play(state, step), goal) for step in steps)
    return sum(chance(state, step) * best_chance(play(state, step), goal) for step in steps)


def findings(asked: Asked, found: Found) -> Findings:
    verdicts = Table(say("What is decided"), ",.1f")
    tables = {
        "and": Table(say("Chance as AND: whatever tile comes"), ",.2f"),
        "or": Table(say("Chance as OR: the tile that helps"), ",.2f"),
    }
    words = {"and": say("won with chance as AND, %"), "or": say("won with chance as OR, %")}
    for side, table in tables.items():
        for (method, goal), (iterations, nodes) in PUBLISHED.items():
            proofs = [found[f"{method} {goal} {side} {run}"] for run in range(runs(asked, method))]
            case = f"{METHODS[method]}, {goal}"
            for measure, figure, published in (
                (say("iterations"), "iterations", iterations), (say("nodes"), "nodes", nodes),
            ):  # fmt: skip
                means = [fmean(proof[figure] for proof in run) for run in proofs]
                table.mean(case, measure, published, means)
            every = [proof for run in proofs for proof in run]
            verdicts.share(case, words[side], 100.0, counted(every, WINS), len(every))
    chances = Table(say("Chances with best play"), ",.2f")
    for goal, opening in product(OBJECTIVES, OPENINGS):
        best = 100 * best_chance(start(opening), goal)
        chances.add(opening.split()[0], say("the best chance of {goal}, %", goal=goal), 100.0, best)
    return Findings([*tables.values(), verdicts, chances])


EXPERIMENT = Experiment(
    "pn-2048",
    "Primanita, Khalid and Iida (2021)",
    say("Table 3"),
    say("5 seconds"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say("The paper calls all twelve a win, so 100 % is its figure; it does not say on which side chance was."),
        say(
            "Nodes are counted with the root. Playouts decide what MCPNS and PPNS need, so they are run {runs} times.",
            runs=RUNS,
        ),
    ),
    answer=Annotated[list[Proof], Meta(min_length=len(OPENINGS), max_length=len(OPENINGS))],
)
