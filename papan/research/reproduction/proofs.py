"""Shared code of the proof-number experiments, and Primanita, Khalid and Iida (2021), Table 1: Othello."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypedDict

from papan.ai.limits import Limit
from papan.ai.proof import METHODS, SolverSetting, make_solver
from papan.ai.proof.numbers import NODE
from papan.ai.proof.result import MEBIBYTE, Result
from papan.game.base.sentences import figures, say
from papan.game.base.typed import Amount, Whole
from papan.game.catalogue import find
from papan.game.game import Game
from papan.game.rules import State
from papan.lab.calibration import random_position
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table

WINS = ("proved", "concluded win")
NOT_WINS = ("disproved", "concluded not-win")
OUT = "out"
CERTAIN = ("proved", "disproved")


class Proof(TypedDict):
    """The result of ``solved``."""

    result: Result
    nodes: Whole
    iterations: Whole
    playouts: Whole
    seconds: Amount


Proofs = Sequence[Mapping[str, Any]]
"""Results of ``solved``."""


def solved(game: Game, state: State, method: str, setting: SolverSetting, nodes: int, goal: int = 0) -> dict[str, Any]:
    """The result of the solver *method* on *state* with at most *nodes* nodes, as JSON data."""
    memory = nodes * NODE.itemsize / MEBIBYTE + 1.0
    solver = make_solver(method, game, SolverSetting(**{**setting.__dict__, "memory": memory}))
    solver.begin(state, goal=goal)
    proof = solver.run(Limit(nodes=nodes))
    return {
        "result": proof.result,
        "nodes": proof.nodes,
        "iterations": proof.iterations,
        "playouts": proof.playouts,
        "seconds": round(proof.seconds, 4),
    }


def counted(proofs: Proofs, results: Sequence[str]) -> int:
    return sum(proof["result"] in results for proof in proofs)


# ------------------------------------------------------------------------------------------ random Othello

POSITIONS, PLAYOUTS, THETA, PR = 200, 60, 0.01, 1e-5
PUBLISHED = {
    (18, "ppns"): (52, 56), (18, "pns"): (12, 1), (18, "mcpns"): (5, 4),
    (26, "ppns"): (63, 88), (26, "pns"): (19, 16), (26, "mcpns"): (10, 10),
    (32, "ppns"): (82, 91), (32, "pns"): (39, 39), (32, "mcpns"): (6, 37),
}  # fmt: skip
"""By moves and method, of 200: positions solved and unsolved."""


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [
        [
            Piece(f"{moves} {method} {number}", {"moves": moves, "method": method, "position": number})
            for number in range(asked.count(POSITIONS))
            for moves, method in PUBLISHED
        ]
    ]


def compute(piece: Piece, asked: Asked, found: Found) -> object:
    moves, method, number = (piece.facts[name] for name in ("moves", "method", "position"))
    game = find("othello")
    state = random_position(game, game.complete_options({}), moves, Random(asked.draw("position", moves, number)))
    assert state is not None  # games hardly ever end so soon
    setting = SolverSetting(
        playouts=PLAYOUTS, theta=THETA, pr=PR if method == "ppns" else 0.0, seed=asked.draw("playouts", moves, number)
    )
    return solved(game, state, method, setting, asked.number("nodes"))


def findings(asked: Asked, found: Found) -> Findings:
    concluded, parts = Table(say("Positions that were concluded"), ",.1f"), Table(say("Solved and unsolved"), ",.1f")
    proved = Table(say("What of it is proved"), ",.1f")
    for (moves, method), (wins, not_wins) in PUBLISHED.items():
        proofs: Proofs = [found[f"{moves} {method} {number}"] for number in range(asked.count(POSITIONS))]
        case, number = f"{moves}, {METHODS[method]}", len(proofs)
        own_wins, own_not_wins = counted(proofs, WINS), counted(proofs, NOT_WINS)
        share = 100 * (wins + not_wins) / POSITIONS
        concluded.share(case, say("concluded, %"), share, own_wins + own_not_wins, number)
        parts.share(case, say("solved, %"), 100 * wins / POSITIONS, own_wins, number)
        parts.share(case, say("unsolved, %"), 100 * not_wins / POSITIONS, own_not_wins, number)
        proved.share(case, say("proved either way, %"), None, counted(proofs, CERTAIN), number)
    return Findings([concluded, parts, proved])


EXPERIMENT = Experiment(
    "pn-othello",
    "Primanita, Khalid and Iida (2021)",
    say("Table 1"),
    say("days with all nodes"),
    stages,
    compute,
    findings,
    {"nodes": ("8000000",)},
    notes=lambda asked: (
        say(
            "Each search has {nodes} nodes at most; the paper's had 8,000,000, or 600 s.",
            nodes=figures(asked.number("nodes")),
        ),
        say("A forced pass is a turn here. Solved is a win of the seat to act, unsolved a draw or a loss."),
    ),
    usual_scale=0.125,
    answer=Proof,
)
