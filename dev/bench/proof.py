"""How fast the solvers are: nodes a second, for every game without hidden information."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median

from dev.bench.figures import Asked, Measurement, measurement_of
from dev.bench.starts import starts
from papan.ai.limits import Limit
from papan.ai.proof import METHODS, SolverSetting, make_solver
from papan.game.game import Game
from papan.game.rules import goal_of
from papan.lab.arena import opening

RUNS = 5
SECONDS = 1.0
MEMORY = 512
MEASURED = ("pns", "dfpn")

ASKED: Asked = {}


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The measurements of *game*: what each is called, and what takes it."""
    if not game.has_hidden_information:
        for method in MEASURED:
            name = f"solver, {METHODS[method]}"
            yield name, partial(_measure, game, method, name)


def _measure(game: Game, method: str, name: str) -> list[Measurement]:
    return [measurement_of(ASKED, name, game.name, solver_nodes(game, method), "nodes/s")]


def solver_nodes(game: Game, method: str) -> float:
    """Nodes a second from the middle of the opening; runs that soon came to a result don't count.

    What is solved soon at best, none counting, is measured by all that it takes.
    """
    goal = _hardest_goal(game)
    speeds: list[float] = []
    short: list[float] = []
    for match in starts(game, 4 * RUNS):
        position = opening(match)
        if position.ending:
            continue
        solver = make_solver(method, game, SolverSetting(memory=MEMORY))
        solver.prepare(position.state)
        solver.begin(position.state, 0, goal)
        proof = solver.run(Limit(time=SECONDS))
        (speeds if proof.seconds > SECONDS / 2 else short).append(proof.nodes / proof.seconds)
        if len(speeds) == RUNS:
            break
    return float(median(speeds or short or [0.0]))


def _hardest_goal(game: Game) -> int:
    """The highest of the game's goals, or 0: to win."""
    goal = goal_of(game.rules)
    return goal.numbers[-1] if goal else 0
