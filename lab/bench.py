"""How fast the program is on this machine, each figure beside the one asked for on a machine of two cores.

Speeds are of one thread. A figure is the median of several runs; what compiles is compiled before.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

from ai.players import make_player, situation
from ai.thinker import Thinker
from game.catalogue import GAMES, Game
from game.kernels import CHANCE, State
from game.match import Match
from game.perft import perft
from game.places import HOME_VARIABLE
from game.playout import playouts
from game.rng import random_state
from lab.report import NUMBER, TEXT, table

RUNS = 5
RUN_SECONDS = 0.4
COLD_RUNS = 3
SEARCH_SECONDS = 1.0
OPENING_TURNS = 4
"""Turns played at random before a search is measured: the middle of the opening."""
PLACEMENTS = 32
"""Random starts that random games are spread over, where chance deals before the first turn."""
FRESH_PROCESS_SECONDS = 300
FRAME_SECONDS = 1 / 60

SETUPS: dict[str, dict[str, str]] = {"santorini": {"gods": "none", "placement": "random"}}
"""Options under which a game is measured, where they are not the defaults."""
OTHER_SETUPS: dict[str, dict[str, dict[str, str]]] = {
    "santorini": {"two random gods": {"gods": "simple", "pick": "random", "placement": "random"}},
}
"""Further options, by what they are called, under which random games are measured as well."""

RANDOM_GAMES, SEARCH, PERFT = "random games", "search", "perft"
FIRST_MOVE, NEXT_FIRST_MOVE = "first computer move, no kernels kept", "first computer move, kernels kept"
FIRST_FRAME = "first frame"
FRAME_TIME = "frame time, 99 of 100, while the computer thinks"
IDLE_CPU = "processor share while nothing happens"
MEMORY = "memory at the table while the computer thinks"

ASKED: dict[tuple[str, str | None], float] = {
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
    (SEARCH, "santorini"): 3_000_000,
    (FIRST_MOVE, None): 5.0,
    (FIRST_FRAME, None): 0.6,
    (FRAME_TIME, None): 16.7,
    (MEMORY, None): 400,
}
"""What is asked for, of one game or of each: at least for speeds, at most for all else."""


class FreshProcessError(Exception):
    """A process that was started to be measured failed; the message is what it said."""


@dataclass(frozen=True)
class Figure:
    """One thing measured."""

    name: str
    game: str | None
    value: float
    unit: str

    @property
    def asked(self) -> float | None:
        """What is asked for, or None where nothing is."""
        return ASKED.get((self.name, self.game), ASKED.get((self.name, None)))

    @property
    def is_speed(self) -> bool:
        """Whether more is better."""
        return self.unit.endswith("/s")

    @property
    def is_met(self) -> bool | None:
        """Whether the figure is as good as asked, or None where nothing is."""
        if self.asked is None:
            return None
        return self.value >= self.asked if self.is_speed else self.value <= self.asked


# --------------------------------------------------------------------------------------------- games


def measure(games: Sequence[Game], command: Sequence[str], say: Callable[[str], None]) -> list[Figure]:
    """The figures of *games*.

    :param command: starts this program anew, for what only a fresh process can tell.
    :param say: told in words what is being measured.
    """
    figures = []
    for game in games:
        for what, measured in _measures(game, command):
            say(f"{game.title}: {what}")
            figures.extend(measured())
    return figures


def _measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Figure]]]]:
    yield RANDOM_GAMES, lambda: [Figure(RANDOM_GAMES, game.name, random_games(game), "games/s")]
    for words, options in OTHER_SETUPS.get(game.name, {}).items():
        name = f"{RANDOM_GAMES}, {words}"
        yield (
            name,
            lambda name=name, options=options: [  # type: ignore[misc]
                Figure(name, game.name, random_games(game, options), "games/s")
            ],
        )
    yield SEARCH, lambda: [Figure(SEARCH, game.name, searched_nodes(game), "nodes/s")]
    yield PERFT, lambda: [Figure(PERFT, game.name, perft_leaves(game), "leaves/s")]
    yield "first computer move", lambda: first_moves(game, command)


def _starts(game: Game, number: int, options: Mapping[str, str] | None = None) -> list[Match]:
    seats = [""] * game.seats[0]
    return [Match.new(game, seats, options or SETUPS.get(game.name), seed) for seed in range(number)]


def random_games(game: Game, options: Mapping[str, str] | None = None) -> float:
    """Random games a second, uniform over the legal steps, from random starts under *options*."""
    starts = [match.state for match in _starts(game, PLACEMENTS, options)]
    buffer = np.empty(game.rules.MOST_STEPS, np.int64)
    random = random_state(0)

    def play(games: int) -> float:
        started = time.perf_counter()
        for start in starts:
            playouts(start, games, buffer, random)
        return len(starts) * games / (time.perf_counter() - started)

    play(1)
    speed = play(50)
    games = max(1, round(speed * RUN_SECONDS / len(starts)))
    return median(play(games) for _ in range(RUNS))


def opening(match: Match) -> Match:
    """*match* after ``OPENING_TURNS`` random turns of its seats, and what chance brings before the next one."""
    random = Random(match.seed)
    turns = 0
    while not match.ending and (turns < OPENING_TURNS or match.mover == CHANCE):
        seat = match.mover
        match.play(match.chance_step() if seat == CHANCE else random.choice(match.legal_steps()))
        turns += seat != CHANCE and not match.ending and match.mover != seat
    return match


def searched_nodes(game: Game) -> float:
    """Nodes a second of a search from the middle of the opening; searches that soon found a proof don't count."""
    speeds = []
    for match in _starts(game, 4 * RUNS):
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


def perft_leaves(game: Game) -> float:
    """Leaves a second of the first perft from a start that takes long enough to be measured."""
    state = _starts(game, 1)[0].state
    perft(game.rules, state, 1)
    depth, seconds, leaves = 0, 0.0, 0
    while seconds < RUN_SECONDS / 4:
        depth += 1
        leaves, seconds = _timed_perft(game, state, depth)
    return median([leaves / seconds, *(leaves / _timed_perft(game, state, depth)[1] for _ in range(RUNS - 1))])


def _timed_perft(game: Game, state: State, depth: int) -> tuple[int, float]:
    started = time.perf_counter()
    leaves = perft(game.rules, state, depth)
    return leaves, time.perf_counter() - started


# -------------------------------------------------------------------------------------- fresh processes


def time_of_first_move(game: Game) -> float:
    """Seconds until the window's thinker has a computer's first step: compiling, or loading, and all."""
    started = time.perf_counter()
    position = opening(_starts(game, 1)[0])
    thinker = Thinker()
    thinker.ask(make_player("minimax:easy", game), situation(position))
    while (answer := thinker.poll()) is None:
        time.sleep(FRAME_SECONDS)
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
            cold.append(_asked_of_fresh_process(words, Path(home))["seconds"])
            warm.append(_asked_of_fresh_process(words, Path(home))["seconds"])
    return [
        Figure(FIRST_MOVE, game.name, median(cold), "s"),
        Figure(NEXT_FIRST_MOVE, game.name, median(warm), "s"),
    ]


def _asked_of_fresh_process(words: Sequence[str], home: Path) -> dict[str, Any]:
    environment = {**os.environ, HOME_VARIABLE: str(home)}
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=FRESH_PROCESS_SECONDS)
    if ran.returncode:
        raise FreshProcessError(ran.stderr.strip() or f"'{' '.join(words)}' ended with exit code {ran.returncode}.")
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


# ------------------------------------------------------------------------------------------- the window


def measure_window(games: Sequence[Game], command: Sequence[str], say: Callable[[str], None]) -> list[Figure]:
    """The figures of the window, from processes that open it; parameters as in ``measure``.

    :raises FreshProcessError: there is no display, for example.
    """
    with tempfile.TemporaryDirectory() as home:
        say(FIRST_FRAME)
        first_frames = [_seconds_to_first_frame(command, Path(home)) for _ in range(1 + RUNS)]
        figures = [Figure(FIRST_FRAME, None, median(first_frames[1:]), "s")]
        for game in games:
            say(f"{game.title}: the table")
            seen = [_asked_of_fresh_process([*command, "watch-table", game.name], Path(home)) for _ in range(2)][1]
            times = sorted(seen["frame_times"])
            figures.append(Figure(FRAME_TIME, game.name, 1000 * times[len(times) * 99 // 100], "ms"))
            figures.append(Figure(IDLE_CPU, game.name, 100 * seen["idle_share"], "%"))
            if seen["memory"] is not None:
                figures.append(Figure(MEMORY, game.name, seen["memory"], "MiB"))
    return figures


def _seconds_to_first_frame(command: Sequence[str], home: Path) -> float:
    started = time.time()
    shown: float = _asked_of_fresh_process([*command, "first-frame"], home)["first_frame_at"]
    return shown - started


# -------------------------------------------------------------------------------------------- reporting


def facts(figure: Figure) -> dict[str, Any]:
    """*figure* for JSON."""
    return {
        "name": figure.name,
        "game": figure.game,
        "value": figure.value,
        "unit": figure.unit,
        "asked": figure.asked,
        "at": "least" if figure.is_speed else "most",
        "is_met": figure.is_met,
    }


def print_figures(figures: Sequence[Figure]) -> None:
    """Print *figures* as a table."""
    verdicts = {True: "met", False: "MISSED", None: ""}
    rows = []
    for figure in figures:
        asked = "" if figure.asked is None else f"at {'least' if figure.is_speed else 'most'} {_number(figure.asked)}"
        game = GAMES[figure.game].title if figure.game else ""
        rows.append((game, figure.name, _number(figure.value), figure.unit, asked, verdicts[figure.is_met]))
    columns = (("game", TEXT), ("figure", TEXT), ("measured", NUMBER), ("", TEXT), ("asked", NUMBER), ("", TEXT))
    table(columns, rows)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
