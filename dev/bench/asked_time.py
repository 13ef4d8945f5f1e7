"""How long a player thinks that is told how long: the processor's time and the clock's, beside what was asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median

from dev.bench.figures import Measurement
from dev.bench.starts import starts
from papan.ai.players import make_player, situation
from papan.ai.players.families import families_of
from papan.game.game import Game
from papan.lab.arena import opening

TIMES = {"1 ms asked for": 0.001, "20 ms asked for": 0.02, "100 ms asked for": 0.1}
POSITIONS = 40
FIRST_TURN, TURNS = 4, 12
"""Random turns from the start to a position: so many, up to as many more."""
PERCENTILE = 0.95


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The measurements of *game*: what each is called, and what takes it."""
    for kind in ("minimax", "mcts"):
        if kind in families_of(game):
            for name, seconds in TIMES.items():
                yield f"{name}, {kind}", partial(_figures, game, kind, name, seconds)


def _figures(game: Game, kind: str, name: str, seconds: float) -> list[Measurement]:
    took = taken(game, f"{kind}:time={seconds:g}", POSITIONS)
    if not took:
        return []
    found = []
    for title, each in (("processor time", [cpu for cpu, _ in took]), ("time", [wall for _, wall in took])):
        in_order = sorted(1000.0 * value for value in each)
        late = in_order[round(PERCENTILE * (len(in_order) - 1))]
        found.append(Measurement(f"{name}, {kind}, {title}", game.name, median(in_order), "ms"))
        found.append(Measurement(f"{name}, {kind}, {title}, 95 %", game.name, late, "ms"))
    return found


def taken(game: Game, name: str, number: int) -> list[tuple[float, float]]:
    """The seconds of the processor and of the clock that the player *name* takes for a step in each of some positions.

    One player plays them all. What it proves before its time is up does not count, nor does its first step.
    """
    player = make_player(name, game)
    found: list[tuple[float, float]] = []
    is_first = True
    for index, match in enumerate(starts(game, number)):
        position = opening(match, FIRST_TURN + index % TURNS)
        if position.ending:
            continue
        told = situation(position)
        if is_first:
            player.prepare(told.state)
            player.prepare_rest(told.state)
            player.choose(told)
            is_first = False
            continue
        wall, cpu = time.perf_counter(), time.thread_time()
        analysis = player.choose(told)
        wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
        if not analysis.is_proven:
            found.append((cpu, wall))
    return found
