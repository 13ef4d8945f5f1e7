"""The soak: hours of use of one program, in minutes, to see what it still holds after all scenes are closed.

Quick computers play matches of all games at a real window; matches are reviewed and analysed, and experiments started
and left, without a person and without waiting. After each block, at the home screen, the trial records what the process
holds.

    python -m dev.trials.soak --matches 100 --reviews 40 --minutes 10

With ``--rounds`` it spends an evening instead: one table after another, with random games and levels, the analysis and
hints. It prints the process's peak memory.

    python -m dev.trials.soak --rounds 160
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from random import Random
from typing import NamedTuple, TypeVar

import click
import psutil

from dev.rehearsal import memory_in_use
from dev.scenery import show_laboratory
from papan.ai.players import HUMAN
from papan.ai.players.levels import PLAYER_LEVELS
from papan.ai.search import Searcher
from papan.commands.common import command_words
from papan.game.base.places import HOME_VARIABLE
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.kernel.cache import kernel_cache_folder
from papan.game.kernel.compile_process import compile_elsewhere
from papan.game.match import Match
from papan.lab.printing import show
from papan.self_test import EASY, FRAME_SECONDS, SIZE, close_in_order
from papan.ui.play.laboratory import Experiment
from papan.ui.play.session import Session
from papan.ui.scenes.laboratory.scene import LaboratoryScene
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.table import TableScene
from papan.ui.window.program import Program

MATCH_SECONDS = 1.5
POSITION_SECONDS = 5.0  # seconds of analysis of one position
EXPERIMENT_SECONDS = 3.0
HOME_SECONDS = 5.0
TABLE_SECONDS = 2.0  # of an evening: seconds for each turn at a table
BLOCK = 20  # matches, or reviews, of a block

T = TypeVar("T")

_COUNTED: tuple[type, ...] = (TableScene, ReviewScene, LaboratoryScene, Session, Experiment, Match, Searcher)


class Holding(NamedTuple):
    """What the process holds after a block."""

    after: str
    memory: float
    threads: int
    files: int
    living: dict[str, int]
    """The numbers of living objects by class name."""
    pictures: int
    picture_bytes: int

    def __str__(self) -> str:
        living = ", ".join(f"{number} {name}" for name, number in self.living.items())
        pictures = f"{self.pictures} pictures of {self.picture_bytes / 2**20:.1f} MiB"
        return f"{self.after}: {self.memory:.0f} MiB, {self.threads} threads, {self.files} files; {living}; {pictures}"


def holding(program: Program, after: str) -> Holding:
    types = Counter(type(one) for one in gc.get_objects())  # isinstance would resolve proxies of dead objects
    living = {kind.__name__: sum(types[one] for one in types if issubclass(one, kind)) for kind in _COUNTED}
    process, pictures = psutil.Process(), program.app.paint.pictures
    files = process.num_handles() if sys.platform == "win32" else process.num_fds()
    return Holding(after, memory_in_use(), threading.active_count(), files, living, len(pictures), pictures.bytes)


def play_match(program: Program, game: Game) -> Match:
    """Play a match of *game* between quick computers, for a limited time, and return it."""
    table = program.start_match(game, [EASY] * game.seats[0])
    _frames(program, MATCH_SECONDS, lambda: table.match.ending is not None)
    program.app.pop(table)
    return table.match


def review_match(program: Program, match: Match) -> None:
    scene = program.review(match)
    _frames(program, 0.4)
    program.app.pop(scene)


def analyse(program: Program, game: Game) -> None:
    """Run the analysis of the first position of a person's match of *game*."""
    settings = program.app.settings
    settings.analysis = True
    table = program.start_match(game, [HUMAN, *[EASY] * (game.seats[0] - 1)], {"first": "1"})
    _frames(program, POSITION_SECONDS)
    settings.analysis = False
    program.app.pop(table)


def experiment(program: Program, game: Game) -> None:
    scene = show_laboratory(program, game, 100_000_000)
    scene.go()
    _frames(program, EXPERIMENT_SECONDS)
    program.app.pop(scene)


def _frames(program: Program, seconds: float, is_enough: Callable[[], bool] = lambda: False) -> None:
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline and not is_enough():
        program.app.step(FRAME_SECONDS)
        time.sleep(FRAME_SECONDS / 4)
    program.app.rest()


def soak(program: Program, matches: int, reviews: int, analysis_seconds: float, experiments: int) -> Iterator[Holding]:
    """Use *program* for numbers of matches, reviews and experiments; yield what it holds after each block."""
    program.app.settings.animation = "off"
    games = list(GALLERY.values())
    played: list[Match] = []

    def block(
        what: str, items: Sequence[T], number: int, size: int, act: Callable[[Program, T], object]
    ) -> Iterator[Holding]:
        for done, item in enumerate(islice(cycle(items), number), start=1):
            if isinstance(left := act(program, item), Match):
                played.append(left)
            if done % size == 0 or done == number:
                yield holding(program, what.format(done, done * POSITION_SECONDS))

    _frames(program, 0.5)
    yield holding(program, "at home")
    yield from block("{} matches", games, matches, BLOCK, play_match)
    yield from block("{} reviews", played[-len(games) :], reviews, BLOCK, review_match)
    positions = round(analysis_seconds / POSITION_SECONDS)
    yield from block("{1:.0f} seconds of analysis", games, positions, len(games), analyse)
    yield from block("{} experiments", games, experiments, len(games), experiment)
    _frames(program, 2.0)
    yield holding(program, "at home again")


class Round(NamedTuple):
    """The memory of the process during one table and after it, in MiB."""

    game: str
    players: tuple[str, ...]
    table: float
    """The maximum while the table was open."""
    leaving: float
    """The maximum in the seconds after it was left."""
    home: float
    """The memory ``HOME_SECONDS`` after leaving."""


def evening(program: Program, rounds: int, random: Random) -> Iterator[Round]:
    """Play some turns at *rounds* tables in turn, with the analysis and hints at most tables."""
    program.app.settings.animation = "off"
    _frames(program, HOME_SECONDS)
    levels = [f"level:{step.number}" for step in PLAYER_LEVELS]
    for _ in range(rounds):
        game = random.choice(list(GALLERY.values()))
        players = [random.choice([HUMAN, HUMAN, *levels, levels[-1]]) for _ in range(random.choice(game.seats))]
        with _most_memory() as most:
            program.app.settings.analysis = random.random() < 0.7
            table = program.start_match(game, players)
            for _ in range(random.randint(1, 6)):
                _frames(program, TABLE_SECONDS)
                session = table.session
                if session.turn.due == "choosing":
                    session.ask_hint()
                    _frames(program, TABLE_SECONDS)
                    session.choose(random.choice(table.match.legal_steps()))
            program.app.pop(table)
        with _most_memory() as after:
            _frames(program, HOME_SECONDS)
        yield Round(game.name, tuple(players), most[0], after[0], memory_in_use())


@contextmanager
def _most_memory() -> Iterator[list[float]]:
    """Watch the memory of the process in the block; the list holds its maximum, in MiB."""
    most, is_over = [0.0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.02):
            most[0] = max(most[0], memory_in_use())

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield most
    finally:
        is_over.set()
        watcher.join()


@click.command()
@click.option("--matches", default=100, show_default=True)
@click.option("--reviews", default=40, show_default=True)
@click.option("--minutes", default=10.0, show_default=True, help="Minutes of analysis.")
@click.option("--experiments", default=20, show_default=True)
@click.option("--rounds", type=int, help="Spend an evening at so many tables instead.")
@click.option("--seed", default=1, show_default=True, help="Of the evening.")
def main(matches: int, reviews: int, minutes: float, experiments: int, rounds: int | None, seed: int) -> None:
    """Use one program for hours, in minutes, and print what it holds."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    kernel_cache_folder()  # set before the home changes, so that the user's compiled kernels are used
    compile_elsewhere([*command_words(), "compile-kernels"])  # as the window does
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ[HOME_VARIABLE] = home
        program = Program(size=SIZE)
        try:
            if rounds is None:
                for held in soak(program, matches, reviews, 60 * minutes, experiments):
                    show(str(held))
            else:
                _tell_evening(evening(program, rounds, Random(seed)))
        finally:
            close_in_order(program)


def _tell_evening(rounds: Iterable[Round]) -> None:
    most = left = 0.0
    for number, one in enumerate(rounds, 1):
        most, left = max(most, one.table), max(left, one.home)
        memory = f"table {one.table:4.0f}  leaving {one.leaving:4.0f}  home {one.home:4.0f} MiB"
        show(f"{number:4} {one.game:16} {' '.join(one.players):44} {memory}")
    show(f"At a table {most:.0f} MiB at most, {HOME_SECONDS:g} seconds after going home {left:.0f}")


if __name__ == "__main__":
    main()
