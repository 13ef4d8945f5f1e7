"""How soon a search that is told to stop has stopped: every family of players, every solver of proofs and of endings.

A position from a random game is searched without end in one thread and stopped from another, after a while that is
different each time. Where the search ended by itself before, nothing is measured.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from dev.bench.figures import Measurement
from dev.bench.starts import starts
from papan.ai.exact import exact_of, is_solved
from papan.ai.limits import Limit
from papan.ai.players import FAMILIES, make_player, situation
from papan.ai.proof import METHODS, make_solver
from papan.game.game import Game
from papan.game.match import Match
from papan.lab.arena import opening

TRIES = 20
MOST_ATTEMPTS = 4
"""Attempts for each try: some positions are decided before anybody can stop it."""
SHORTEST, LONGEST = 0.02, 0.2
"""Seconds that a search is let alone."""
MOST_TURNS = 30
"""Random turns from the start to a position."""
PERCENTILE = 0.95
MOST_MILLISECONDS = 20.0
"""What is asked of the percentile."""

Cancelled = Callable[[], bool]
Stoppable = tuple[Callable[[Cancelled], object], Callable[[], None]]
"""What searches without end unless it is cancelled before, and what stops it."""


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The measurements of *game*: what each is called, and what takes it."""
    for kind, family in FAMILIES.items():
        if family.suits(game):
            yield f"stop, {kind}", partial(_figures, game, f"stop, {kind}", partial(_player, kind))
    if exact_of(game) and not is_solved(game):
        yield "stop, endings", partial(_figures, game, "stop, endings", _ending)
    if not game.has_hidden_information:
        for method, title in METHODS.items():
            yield f"stop, {title}", partial(_figures, game, f"stop, {title}", partial(_solver, method))


def _player(kind: str, match: Match) -> Stoppable:
    player = make_player(f"{kind}:time=3600", match.game)
    player.prepare(match.state)
    player.prepare_rest(match.state)
    return partial(player.choose, situation(match)), player.stop


def _ending(match: Match) -> Stoppable | None:
    """Every step solved of what comes when *match* is played on to where the game's exact solver is at home."""
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
    except ValueError:  # it can't prove anything of this game
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
    """For each try the seconds from the call that stops a search to its return.

    :param make: what is searched at the end of a match, which is not over and may be played on; None for nothing.
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
    """The seconds that *search* takes to return after *stop*; None where it has returned before."""
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
