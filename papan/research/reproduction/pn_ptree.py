"""Primanita, Khalid and Iida (2021), section III-A: P-trees by PNS, MCPNS, PPNS and Monte-Carlo tree search."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypedDict

from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.p_tree import SCALE, WEIGHTS
from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting, make_solver
from papan.ai.search.mcts import EXPLORATION, MCTS
from papan.game.base.sentences import figures, say
from papan.game.base.typed import Amount, Whole
from papan.game.catalogue import find
from papan.game.rules import State, is_over, legal_steps, mover, p_tree, payoff, play
from papan.research.reproduction.experiment import Asked, Chart, Experiment, Findings, Found, Line, Piece, Table

SHAPES = {"b=2 d=20": (2, 20), "b=8 d=8": (8, 8)}
"""Branching factor and depth."""
TREES = 200
SOLVERS = ("pns", "mcpns", "ppns")
SEARCHES = {"uct": EXPLORATION, "mcts": 0.0}
"""UCT's constant C of each Monte-Carlo tree search with a solver; with 0 it selects the child with the highest mean."""
METHODS = {
    "pns": "PNS",
    "mcpns": "MCPNS",
    "ppns": "PPNS",
    "uct": say("UCT with a solver"),
    "mcts": say("MCTS with a solver, C = 0"),
}
PLAYOUTS, THETA = 60, 0.01
POINTS = tuple(2**power for power in range(13))
"""The numbers of iterations after which the chosen move is recorded."""
MOST = 1 << 20
"""A tree counts as unsolved after this many iterations."""
_MEMORY = 256


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [Piece.every("{shape} {tree}", shape=SHAPES, tree=range(asked.count(TREES)))]


class Tried(TypedDict):
    """The result of a method on a tree."""

    iterations: Whole | None
    nodes: Whole
    seconds: Amount
    chosen: list[int]


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, Any]:
    """The winning branches of the root, and each method's result."""
    branching, depth = SHAPES[piece.facts["shape"]]
    tree = asked.draw("tree", piece.facts["shape"], piece.facts["tree"])
    options = {"branching": str(branching), "depth": str(depth), "tree": str(tree)}
    root = p_tree.start(options, Random(0))
    answer: dict[str, Any] = {"wins": [step for step in legal_steps(root) if is_won(play(root, step))]}
    seed = asked.draw("playouts", piece.facts["tree"])
    for method in SOLVERS:
        answer[method] = _by_solver(root, method, branching, seed)
    for method, exploration in SEARCHES.items():
        answer[method] = _by_simulations(root, exploration, seed)
    return answer


def is_won(state: State) -> bool:
    """Whether the first player can force a win of *state*."""
    if is_over(state):
        return bool(payoff(state, 0) > 0)
    solver = make_solver("alphabeta", find("p-tree"), SolverSetting(memory=_MEMORY))
    solver.begin(state)  # for the seat to act; there are no draws
    return (solver.run(Limit(nodes=10**12)).result == "proved") == (mover(state) == 0)


def _by_solver(root: State, method: str, branching: int, seed: int) -> dict[str, Any]:
    solver = make_solver(
        method, find("p-tree"), SolverSetting(memory=_MEMORY, playouts=PLAYOUTS, theta=THETA, seed=seed)
    )
    solver.prepare(root)
    began = time.thread_time()
    solver.begin(root)
    chosen = []
    for point in (*POINTS, MOST):
        proof = solver.run(Limit(nodes=1 + branching * point))  # each iteration generates as many
        chosen.append(proof.step)
    return {
        "iterations": proof.iterations if proof.is_proof else None,
        "nodes": proof.nodes,
        "seconds": time.thread_time() - began,
        "chosen": chosen[:-1],
    }


def _by_simulations(root: State, exploration: float, seed: int) -> dict[str, Any]:
    search = MCTS(
        p_tree, WEIGHTS[STANDARD], SCALE, memory=_MEMORY, exploration=exploration, urgency=math.inf, trust=0.0
    )
    search.prepare(root)
    chosen = [search.analyse(root, Limit(simulations=point), seed=seed).step for point in POINTS]
    began = time.thread_time()
    found = search.analyse(root, Limit(simulations=MOST), seed=seed)
    return {
        "iterations": found.simulations if found.is_proven else None,
        "nodes": found.nodes,
        "seconds": time.thread_time() - began,
        "chosen": chosen,
    }


def findings(asked: Asked, found: Found) -> Findings:
    needed, best = Table(say("Needed to solve a tree"), ",.1f"), Table(say("Which needs the fewest iterations"))
    errors = Table(say("Wrong choices, of trees in which some branch wins and some does not"), ",.1f")
    times = Table(say("Processor time for a tree"), ",.2f", is_timed=True)
    charts = []
    for shape in SHAPES:
        trees = [found[f"{shape} {number}"] for number in range(asked.count(TREES))]
        means: dict[str, float] = {}
        for method, title in METHODS.items():
            case = f"{shape}, {title}"
            own = [tree[method] for tree in trees]
            known = [one["iterations"] for one in own if one["iterations"] is not None]
            needed.share(case, say("solved, %"), None, len(known), len(own))
            needed.mean(case, say("iterations"), None, known)
            needed.mean(case, say("nodes"), None, [one["nodes"] for one in own])
            times.mean(case, say("milliseconds"), None, [1000 * one["seconds"] for one in own])
            means[method] = sum(one["iterations"] or MOST for one in own) / len(own)
        least = min(means, key=lambda method: means[method])
        best.add(shape, say("fewest iterations"), "PPNS", METHODS[least], None, len(trees))
        curves = {method: error_rates(trees, method) for method in METHODS}
        decided = sum(0 < len(tree["wins"]) < SHAPES[shape][0] for tree in trees)
        for method, wrongs in curves.items():
            for point, wrong in zip(POINTS[::3], wrongs[::3], strict=True):
                words = say("wrong after {point} iterations, %", point=figures(point))
                errors.share(f"{shape}, {METHODS[method]}", words, None, wrong, decided)
        lines = [
            Line(
                METHODS[method],
                [(float(point), 100 * wrong / max(1, decided)) for point, wrong in zip(POINTS, wrongs, strict=True)],
            )
            for method, wrongs in curves.items()
        ]
        charts.append(Chart(shape, say("iterations"), say("wrong choices, %"), lines, is_logarithmic=True))
    return Findings([needed, best, errors, times], charts)


def error_rates(trees: Sequence[Mapping[str, Any]], method: str) -> list[int]:
    """For each of ``POINTS``, the number of *trees* with a winning branch where *method* chose a losing one."""
    return [
        sum(bool(tree["wins"]) and tree[method]["chosen"][place] not in tree["wins"] for tree in trees)
        for place in range(len(POINTS))
    ]


EXPERIMENT = Experiment(
    "pn-ptree",
    "Primanita, Khalid and Iida (2021)",
    say("Section III-A"),
    say("an hour on one processor"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say(
            "An iteration expands one node, or is one simulation in Monte-Carlo tree search. MCPNS and PPNS play "
            "{number} games each.",
            number=PLAYOUTS,
        ),
        say(
            "Monte-Carlo tree search is used only to prove, not to evaluate; in the pure form, C = 0, there is no "
            "exploration bound."
        ),
    ),
    answer=dict[str, list[Whole] | Tried],
)
