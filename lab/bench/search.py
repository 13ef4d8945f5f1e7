"""How fast the search is, and how long a computer's first move takes in a fresh process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from ai.players import make_player, situation
from ai.thinker import Thinker
from game.catalogue import Game
from lab.arena import opening
from lab.bench.figures import Asked, Figure, judged
from lab.bench.fresh import FRESH_PROCESS_SECONDS, FreshProcessError, asked_of_fresh_process
from lab.bench.starts import starts

RUNS = 5
COLD_RUNS = 3
SEARCH_SECONDS = 1.0
POLL_SECONDS = 1 / 60

SEARCH = "search"
FIRST_MOVE, NEXT_FIRST_MOVE = "first computer move, no kernels kept", "first computer move, kernels kept"

ASKED: Asked = {(SEARCH, "santorini"): 3_000_000, (FIRST_MOVE, None): 5.0}


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Figure]]]]:
    """What there is to measure of *game*, each in words."""
    yield SEARCH, lambda: [judged(ASKED, SEARCH, game.name, searched_nodes(game), "nodes/s")]
    yield "first computer move", lambda: first_moves(game, command)


def searched_nodes(game: Game) -> float:
    """Nodes a second of a search from the middle of the opening; searches that soon found a proof don't count."""
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


def first_moves(game: Game, command: Sequence[str]) -> list[Figure]:
    """The first computer move in fresh processes: where no compiled kernels are kept, and where they are."""
    cold, warm = [], []
    for _ in range(COLD_RUNS):
        with tempfile.TemporaryDirectory() as home:
            words = [*command, "first-move", game.name]
            cold.append(asked_of_fresh_process(words, Path(home))["seconds"])
            warm.append(asked_of_fresh_process(words, Path(home))["seconds"])
    return [
        judged(ASKED, FIRST_MOVE, game.name, median(cold), "s"),
        judged(ASKED, NEXT_FIRST_MOVE, game.name, median(warm), "s"),
    ]
