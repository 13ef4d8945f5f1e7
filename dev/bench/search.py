"""How fast the search is, and how long a computer's first move takes in a fresh process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from dev.bench.figures import Asked, Measurement, measurement_of
from dev.bench.fresh import FRESH_PROCESS_SECONDS, FreshProcessError, asked_of_fresh_process
from dev.bench.starts import starts
from papan.ai.limits import Analysis
from papan.ai.players import SearchingPlayer, make_player, situation
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.negamax import MOST_DEPTH
from papan.ai.thinking.thinker import Thinker
from papan.game.game import Game
from papan.game.match import Match
from papan.lab.arena import opening

RUNS = 5
COLD_RUNS = 3
SEARCH_SECONDS = 1.0
POLL_SECONDS = 1 / 60

SEARCH = "search"
TWO_THREADS, TWO_THREADS_DEPTH, TWO_THREADS_NODES = (
    "two threads, nodes/s to those of one",
    "two threads, speed to the same depth to that of one",
    "two threads, speed by nodes to that of one",
)
THREADED = ("santorini", "connect-four", "othello")
"""The games in which a search on two threads is compared with one on one thread."""
DEPTH_SECONDS = 0.3
FIRST_MOVE, NEXT_FIRST_MOVE = "first computer move, no kernels kept", "first computer move, kernels kept"

ASKED: Asked = {(SEARCH, "santorini"): 3_000_000, (FIRST_MOVE, None): 5.0}


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The measurements of *game*: what each is called, and what takes it."""
    yield SEARCH, lambda: search_speed(game)
    if game.name in THREADED:
        yield "two threads", lambda: two_threads(game)
    yield "first computer move", lambda: first_moves(game, command)


def search_speed(game: Game) -> list[Measurement]:
    """Nodes a second, of a game that is not solved before they can be counted."""
    speed = searched_nodes(game)
    return [measurement_of(ASKED, SEARCH, game.name, speed, "nodes/s")] if speed else []


def searched_nodes(game: Game) -> float:
    """Nodes a second of a search from the middle of the opening; searches that soon found a proof don't count.

    0 where they all do.
    """
    speeds = []
    for match in starts(game, 4 * RUNS):
        position = opening(match)
        if position.ending:
            continue
        player = make_player(f"minimax:time={SEARCH_SECONDS:g}", game)
        player.prepare(position.state)
        analysis = player.choose(situation(position))
        if analysis.seconds > SEARCH_SECONDS / 2:
            speeds.append(analysis.nodes / analysis.seconds)
        if len(speeds) == RUNS:
            break
    return median(speeds) if speeds else 0.0


def two_threads(game: Game) -> list[Measurement]:
    """What a second thread gains: in nodes a second, and in the time that a search to the same depth takes.

    The depth is the first that takes one thread ``DEPTH_SECONDS``. Where other programs want the processors, nodes say
    more than the time: those of one thread alone, over the most that one of two threads needs.
    """
    speeds: list[float] = []
    times: list[float] = []
    shares: list[float] = []
    for match in starts(game, 4 * RUNS):
        position = opening(match)
        if position.ending or len(times) == RUNS:
            continue
        make_player("minimax:depth=1", game).prepare(position.state)
        for depth in range(1, MOST_DEPTH):
            alone = _searched(f"minimax:depth={depth}", game, position)
            if alone.seconds >= DEPTH_SECONDS or alone.is_proven:
                break
        if alone.is_proven:
            continue
        player = make_player(f"minimax:depth={depth},threads=2", game)
        together = player.choose(situation(position))
        assert isinstance(player, SearchingPlayer)
        if isinstance(player.search, AlphaBeta):
            shares.append(alone.nodes / max(player.search.nodes_by_thread))
        times.append(alone.seconds / together.seconds)
        speeds.append(together.nodes / together.seconds / (alone.nodes / alone.seconds))
    if not times:
        return []
    return [
        Measurement(TWO_THREADS, game.name, median(speeds), "times"),
        Measurement(TWO_THREADS_DEPTH, game.name, median(times), "times"),
        Measurement(TWO_THREADS_NODES, game.name, median(shares), "times"),
    ]


def _searched(name: str, game: Game, position: Match) -> Analysis:
    return make_player(name, game).choose(situation(position))


def time_of_first_move(game: Game) -> float:
    """Seconds until the window's thinker has a computer's first step: compiling, or loading, and all."""
    started = time.perf_counter()
    position = opening(starts(game, 1)[0])
    thinker = Thinker()
    thinker.ask(make_player("minimax:easy", game), situation(position))
    while (answer := thinker.poll()) is None:
        time.sleep(POLL_SECONDS)
    seconds = time.perf_counter() - started
    if answer.error:
        raise FreshProcessError(answer.error)
    thinker.close(FRESH_PROCESS_SECONDS)  # what is compiled is kept for the next process
    return seconds


def first_moves(game: Game, command: Sequence[str]) -> list[Measurement]:
    """The first computer move in fresh processes: where no compiled kernels are kept, and where they are."""
    cold, warm = [], []
    for _ in range(COLD_RUNS):
        with tempfile.TemporaryDirectory() as home:
            words = [*command, "bench", "first-move", game.name]
            cold.append(asked_of_fresh_process(words, Path(home))["seconds"])
            warm.append(asked_of_fresh_process(words, Path(home))["seconds"])
    return [
        measurement_of(ASKED, FIRST_MOVE, game.name, median(cold), "s"),
        measurement_of(ASKED, NEXT_FIRST_MOVE, game.name, median(warm), "s"),
    ]
