"""How fast the rules are: random games and perft."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median

import numpy as np

from dev.bench.figures import Asked, Measurement, measurement_of
from dev.bench.starts import starts
from papan.game.game import Game
from papan.game.kernel.rng import random_state
from papan.game.perft import perft
from papan.game.playout import playouts
from papan.game.rules import State

RUNS = 5
RUN_SECONDS = 0.4
PLACEMENTS = 32
"""Random starts that random games are spread over, where chance deals before the first turn."""

OTHER_SETUPS: dict[str, dict[str, dict[str, str]]] = {
    "santorini": {"two random gods": {"gods": "simple", "pick": "random", "placement": "random"}},
}
"""Further options, by what they are called, under which random games are measured as well."""

RANDOM_GAMES, PERFT = "random games", "perft"

ASKED: Asked = {
    (RANDOM_GAMES, "santorini"): 150_000,
    (RANDOM_GAMES, "connect-four"): 3_000_000,
    (RANDOM_GAMES, "cifra"): 120_000,
    (RANDOM_GAMES, "othello"): 100_000,
    (RANDOM_GAMES, "checkers"): 80_000,
    (RANDOM_GAMES, "gomoku"): 60_000,
    (RANDOM_GAMES, "2048"): 50_000,
    (RANDOM_GAMES, "xiangqi"): 2_000,
    (RANDOM_GAMES, "catur-jawa"): 60_000,
    (f"{RANDOM_GAMES}, two random gods", "santorini"): 50_000,
}


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The measurements of *game*: what each is called, and what takes it."""
    for name, options in _setups(game).items():
        yield name, partial(_measure_random_games, game, name, options)
    yield PERFT, lambda: [measurement_of(ASKED, PERFT, game.name, perft_leaves(game), "leaves/s")]


def _setups(game: Game) -> dict[str, Mapping[str, str] | None]:
    others = OTHER_SETUPS.get(game.name, {})
    return {RANDOM_GAMES: None} | {f"{RANDOM_GAMES}, {words}": options for words, options in others.items()}


def _measure_random_games(game: Game, name: str, options: Mapping[str, str] | None) -> list[Measurement]:
    return [measurement_of(ASKED, name, game.name, random_games(game, options), "games/s")]


def random_games(game: Game, options: Mapping[str, str] | None = None) -> float:
    """Random games a second, uniform over the legal steps, from random starts under *options*."""
    states = [match.state for match in starts(game, PLACEMENTS, options)]
    buffer = np.empty(game.rules.MOST_STEPS, np.int64)
    random = random_state(0)

    def play(games: int) -> float:
        started = time.perf_counter()
        for state in states:
            playouts(state, games, buffer, random)
        return len(states) * games / (time.perf_counter() - started)

    play(1)
    speed = play(50)
    games = max(1, round(speed * RUN_SECONDS / len(states)))
    return median(play(games) for _ in range(RUNS))


def perft_leaves(game: Game) -> float:
    """Leaves a second of the first perft from a start that takes long enough, or of the last one of a short game."""
    state = starts(game, 1)[0].state
    perft(game.rules, state, 1)
    depth, seconds, leaves = 0, 0.0, 0
    while seconds < RUN_SECONDS / 4:
        deeper, lasted = _timed_perft(game, state, depth + 1)
        if deeper <= leaves:
            break
        depth, seconds, leaves = depth + 1, lasted, deeper
    return median([leaves / seconds, *(leaves / _timed_perft(game, state, depth)[1] for _ in range(RUNS - 1))])


def _timed_perft(game: Game, state: State, depth: int) -> tuple[int, float]:
    started = time.perf_counter()
    leaves = perft(game.rules, state, depth)
    return leaves, time.perf_counter() - started
