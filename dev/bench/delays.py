"""Benchmarks of how late players and solvers are: with a time limit, and when stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from statistics import median

from dev.bench.figures import Measurement, starts
from papan.ai.exact import exact_of, is_solved
from papan.ai.limits import Limit
from papan.ai.players import FAMILIES, make_player, situation
from papan.ai.players.families import families_of
from papan.ai.proof import METHODS, make_solver
from papan.game.game import Game
from papan.game.match import Match
from papan.lab.arena import opening

PERCENTILE = 0.95

TIMES = {"1 ms asked for": 0.001, "20 ms asked for": 0.02, "100 ms asked for": 0.1}
POSITIONS = 40
FIRST_TURN, TURNS = 4, 12  # random turns before a position: from the first number to the sum less one
TRIES = 20
MOST_ATTEMPTS = 4  # attempts for each try: some searches end before they can be stopped
SHORTEST, LONGEST = 0.02, 0.2  # seconds that a search runs before it is stopped
MOST_TURNS = 30  # random turns from the start to a position
MOST_MILLISECONDS = 20.0  # the target for the percentile

Cancelled = Callable[[], bool]
Stoppable = tuple[Callable[[Cancelled], object], Callable[[], None]]
"""A search without a limit, unless it is cancelled before it starts, and a function that stops it."""


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The names of the measurements of *game*, and the functions that take them."""
    for kind, family in FAMILIES.items():
        if family.suits(game):
            yield f"stop, {kind}", partial(_figures, game, f"stop, {kind}", partial(_player, kind))
    if exact_of(game) and not is_solved(game):
        yield "stop, endings", partial(_figures, game, "stop, endings", _ending)
    if not game.has_hidden_information:
        for method, title in METHODS.items():
            yield f"stop, {title}", partial(_figures, game, f"stop, {title}", partial(_solver, method))
    for kind in ("minimax", "mcts"):
        if kind in families_of(game):
            for name, seconds in TIMES.items():
                yield f"{name}, {kind}", partial(_asked_time, game, kind, name, seconds)


def _asked_time(game: Game, kind: str, name: str, seconds: float) -> list[Measurement]:
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
    """The processor seconds and wall-clock seconds that the player *name* takes for a step, in *number* positions.

    One player plays all steps. Its first step does not count, nor do steps that it proves, as it may end early.
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


def _player(kind: str, match: Match) -> Stoppable:
    player = make_player(f"{kind}:time=3600", match.game)
    player.prepare(match.state)
    player.prepare_rest(match.state)
    return partial(player.choose, situation(match)), player.stop


def _ending(match: Match) -> Stoppable | None:
    """Play *match* on to a position that the game's exact solver can solve; return the search of all its steps.

    None if the match ends before.
    """
    module = exact_of(match.game)
    assert module is not None
    while not match.ending and not module.can_solve(match.state):
        opening(match, 1)
    if match.ending:
        return None
    solver = module.Exact()
    solver.prepare(match.state)
    limit = Limit(time=3600.0)
    return lambda is_cancelled: solver.analyse(match.state, limit, is_cancelled=is_cancelled, lines=0), solver.stop


def _solver(method: str, match: Match) -> Stoppable | None:
    solver = make_solver(method, match.game)
    solver.prepare(match.state)
    try:
        solver.begin(match.state)
    except ValueError:  # the solver does not support this game
        return None
    return partial(solver.run, Limit(time=3600.0)), solver.stop


def _figures(game: Game, name: str, make: Callable[[Match], Stoppable | None]) -> list[Measurement]:
    took = sorted(1000.0 * seconds for seconds in delays(game, make, TRIES))
    if not took:
        return []
    return [
        Measurement(f"{name}, 95 %", game.name, took[int(PERCENTILE * (len(took) - 1))], "ms", MOST_MILLISECONDS),
        Measurement(f"{name}, longest", game.name, took[-1], "ms"),
    ]


def delays(game: Game, make: Callable[[Match], Stoppable | None], tries: int) -> list[float]:
    """For each try, the seconds from the call that stops a search to the search's return.

    :param make: makes a search of the last position of an unfinished match, which it may play on; None ends the tries.
    """
    random = Random(0)
    found: list[float] = []
    for match in starts(game, MOST_ATTEMPTS * tries):
        position = opening(match, random.randrange(MOST_TURNS))
        pause = random.uniform(SHORTEST, LONGEST)
        if position.ending:
            continue
        stoppable = make(position)
        if position.ending:
            continue
        if stoppable is None:
            break
        delay = _delay(*stoppable, pause)
        if delay is not None:
            found.append(delay)
        if len(found) == tries:
            break
    return found


def _delay(search: Callable[[Cancelled], object], stop: Callable[[], None], pause: float) -> float | None:
    """The seconds that *search* takes to return after *stop*; None if it returned before."""
    returned: list[float] = []
    is_stopped = threading.Event()

    def go() -> None:
        search(is_stopped.is_set)
        returned.append(time.perf_counter())

    thread = threading.Thread(target=go)
    thread.start()
    thread.join(pause)
    is_over = not thread.is_alive()
    stopped = time.perf_counter()
    is_stopped.set()  # on a busy machine it may not have begun
    stop()
    thread.join()
    return None if is_over else max(0.0, returned[0] - stopped)
