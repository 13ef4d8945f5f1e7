"""What the experiments about proof numbers share: a solver run on one position, and the shares of what it came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from papan.ai.limits import Limit
from papan.ai.proof import METHODS, SolverSetting, make_solver
from papan.ai.proof.numbers import NODE
from papan.ai.proof.result import Result
from papan.ai.proof.running import MEBIBYTE
from papan.game.base.typed import Amount, Whole
from papan.game.facts import Game
from papan.game.rules import State

WINS = ("proved", "concluded win")
NOT_WINS = ("disproved", "concluded not-win")
OUT = "out"
CERTAIN = ("proved", "disproved")


class Proof(TypedDict):
    """What ``solved`` says of a position."""

    result: Result
    nodes: Whole
    iterations: Whole
    playouts: Whole
    seconds: Amount


Proofs = Sequence[Mapping[str, Any]]
"""What ``solved`` says of several positions."""


def solved(game: Game, state: State, method: str, setting: SolverSetting, nodes: int, goal: int = 0) -> dict[str, Any]:
    """What the solver *method* makes of *state* with at most so many *nodes*, as JSON has it."""
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
    """How many of *proofs* came to one of *results*."""
    return sum(proof["result"] in results for proof in proofs)


def title_of(method: str) -> str:
    """What the *method* is called."""
    return METHODS[method]
