"""How fast exact solvers are: time and nodes for random positions with a certain number of discs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from statistics import fmean

from dev.bench.figures import Asked, Measurement, measurement_of
from dev.bench.starts import starts
from papan.ai.exact import exact_of, is_solved
from papan.game.base.protocols import offers
from papan.game.game import Game
from papan.game.rules import State, is_over, legal_steps, play
from papan.lab.book import BookSource

POSITIONS = 100
STAGES = {"middle": range(14, 19), "late middle": range(19, 26), "end": range(30, 37)}
"""Turns played at random before a position is solved, by what that part of the game is called."""
MIB = 8
"""Of the solver's table: what is quick to clear."""

ASKED: Asked = {("solver, middle", "connect-four"): 10.0}


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The measurements of *game*: what each is called, and what takes it."""
    if is_solved(game):
        for stage, turns in STAGES.items():
            yield f"solver, {stage}", partial(_measure, game, stage, turns)


def positions(game: Game, turns: range, number: int = POSITIONS) -> list[State]:
    """Random positions in which nobody wins with the next step, up to so many *turns* from the start."""
    random = Random(len(turns) * turns[0])
    found: list[State] = []
    while len(found) < number:
        state = starts(game, 1)[0].state
        for _ in range(random.choice(turns)):
            following = [play(state, step) for step in legal_steps(state, game.rules.MOST_STEPS)]
            following = [after for after in following if not is_over(after)]
            if not following:
                break
            state = random.choice(following)
        else:
            if not any(is_over(play(state, step)) for step in legal_steps(state, game.rules.MOST_STEPS)):
                found.append(state)
    return found


def _measure(game: Game, stage: str, turns: range) -> list[Measurement]:
    source = exact_of(game)
    assert offers(source, BookSource), f"{game.title} is not solved from its openings on"
    solver = source.Exact(MIB)
    chosen = positions(game, turns)
    solver.prepare(chosen[0])
    seconds, nodes = [], []
    for state in chosen:
        solver.forget()
        before, started = solver.nodes, time.perf_counter()
        solver.score(state)
        seconds.append(time.perf_counter() - started)
        nodes.append(solver.nodes - before)
    name = f"solver, {stage}"
    return [
        measurement_of(ASKED, name, game.name, 1000 * fmean(seconds), "ms a position"),
        measurement_of(ASKED, f"{name}, nodes", game.name, fmean(nodes), "nodes a position"),
        measurement_of(ASKED, f"{name}, speed", game.name, sum(nodes) / sum(seconds), "nodes/s"),
    ]
