"""The soak: one program used for hours, in minutes. What does it still hold when everything has been left?

Matches of all games are played between quick computers at a real window, reviewed, and analysed, and experiments are
begun and left, without a person and without waiting. After each block the window stands at the home screen, and what
the process holds is noted.

    python -m dev.trials.soak --matches 100 --reviews 40 --minutes 10

With ``--rounds`` it spends an evening instead: one table after the other, of any game, with any
levels, the analysis and hints. It tells the most memory that the process had.

    python -m dev.trials.soak --rounds 160
"""

from __future__ import annotations

import gc
import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from random import Random

import click

from dev.rehearsal import memory_in_use
from papan.ai.players import HUMAN
from papan.ai.players.levels import STEPS
from papan.ai.search import Searcher
from papan.commands.common import command_words
from papan.game.base.places import HOME_VARIABLE
from papan.game.catalogue import GALLERY
from papan.game.facts import Game
from papan.game.kernel.cache import kernel_cache_folder
from papan.game.kernel.compile_process import compile_elsewhere
from papan.game.match import Match
from papan.lab.printing import show
from papan.self_test import FRAME_SECONDS, SIZE, close_in_order
from papan.ui.play.laboratory import Experiment
from papan.ui.play.session import Session
from papan.ui.scenes.laboratory.scene import LaboratoryScene
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.table import TableScene
from papan.ui.window.program import Program

QUICK = "minimax:easy"
MATCH_SECONDS = 1.5
"""Seconds after which a match is left, over or not."""
REVIEW_SECONDS = 0.4
"""Seconds after which a review is left, finished or not."""
POSITION_SECONDS = 5.0
"""Seconds for which one position is analysed."""
EXPERIMENT_SECONDS = 3.0
"""Seconds after which an experiment is left, in the middle."""
_ENDLESS_GAMES = 100_000_000
HOME_SECONDS = 5.0
TABLE_SECONDS = 2.0
"""Of an evening: seconds at home between two tables, and for each turn at one."""
BLOCK = 20
"""Matches, or reviews, between two looks at what is held."""

_COUNTED: tuple[type, ...] = (TableScene, ReviewScene, LaboratoryScene, Session, Experiment, Match, Searcher)


@dataclass(frozen=True)
class Holding:
    """What the process holds at one moment."""

    after: str
    memory: float | None
    """MiB; None where the system doesn't tell it."""
    threads: int
    files: int | None
    """Open files; None where the system doesn't tell them."""
    living: dict[str, int]
    """The numbers of objects that have not been freed, by the names of their classes."""
    pictures: int
    picture_bytes: int

    def __str__(self) -> str:
        memory = "?" if self.memory is None else f"{self.memory:.0f}"
        living = ", ".join(f"{number} {name}" for name, number in self.living.items())
        pictures = f"{self.pictures} pictures of {self.picture_bytes / 2**20:.1f} MiB"
        return f"{self.after}: {memory} MiB, {self.threads} threads, {self.files} files; {living}; {pictures}"


def holding(program: Program, after: str) -> Holding:
    """What the process of *program* holds now."""
    types = Counter(type(one) for one in gc.get_objects())  # not isinstance: it asks proxies, whose objects may be gone
    counted = {kind.__name__: sum(types[one] for one in types if issubclass(one, kind)) for kind in _COUNTED}
    files = Path("/proc/self/fd")
    pictures = program.app.paint.pictures
    return Holding(
        after,
        memory_in_use(),
        threading.active_count(),
        len(list(files.iterdir())) if files.is_dir() else None,
        counted,
        len(pictures),
        pictures.bytes,
    )


def play_match(program: Program, game: Game, seconds: float) -> Match:
    """A match of *game* between quick computers, left after *seconds* at the latest."""
    table = program.start_match(game, [QUICK] * game.seats[0])
    _frames(program, seconds, lambda: table.match.ending is not None)
    program.app.pop(table)
    return table.match


def review_match(program: Program, match: Match, seconds: float) -> None:
    """Review *match* for *seconds*."""
    scene = program.review(match)
    _frames(program, seconds)
    program.app.pop(scene)


def analyse(program: Program, game: Game, seconds: float) -> None:
    """Have the first position of a match of *game* analysed before a person, for *seconds*."""
    settings = program.app.settings
    settings.analysis = True
    table = program.start_match(game, [HUMAN, *[QUICK] * (game.seats[0] - 1)], {"first": "1"})
    _frames(program, seconds)
    settings.analysis = False
    program.app.pop(table)


def experiment(program: Program, game: Game, seconds: float) -> None:
    """Run an experiment with *game* in the laboratory for *seconds*, and leave it in the middle."""
    players = ["random"] * game.seats[0]
    asked = {"game": game.name, "players": players, "games": _ENDLESS_GAMES, "seed": 1}
    program.app.settings.laboratory = asked
    scene = LaboratoryScene(program.app, program.services)
    program.app.push(scene)
    scene.go()
    _frames(program, seconds)
    program.app.pop(scene)


def _frames(program: Program, seconds: float, is_enough: Callable[[], bool] = lambda: False) -> None:
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline and not is_enough():
        program.app.step(FRAME_SECONDS)
        time.sleep(FRAME_SECONDS / 4)
    program.app.rest()


def soak(program: Program, matches: int, reviews: int, analysis_seconds: float, experiments: int) -> Iterator[Holding]:
    """Use *program* for so many matches, reviews, seconds of analysis and experiments; yields what it holds after each
    block."""
    program.app.settings.animation = "off"
    games = list(GALLERY.values())
    played: list[Match] = []
    _frames(program, 0.5)
    yield holding(program, "at home")
    for number, game in enumerate(islice(cycle(games), matches), start=1):
        played = [*played, play_match(program, game, MATCH_SECONDS)][-len(games) :]
        if number % BLOCK == 0 or number == matches:
            yield holding(program, f"{number} matches")
    for number, match in enumerate(islice(cycle(played), reviews if played else 0), start=1):
        review_match(program, match, REVIEW_SECONDS)
        if number % BLOCK == 0 or number == reviews:
            yield holding(program, f"{number} reviews")
    for number, game in enumerate(islice(cycle(games), round(analysis_seconds / POSITION_SECONDS)), start=1):
        analyse(program, game, POSITION_SECONDS)
        if number % len(games) == 0:
            yield holding(program, f"{number * POSITION_SECONDS:.0f} seconds of analysis")
    for number, game in enumerate(islice(cycle(games), experiments), start=1):
        experiment(program, game, EXPERIMENT_SECONDS)
        if number % len(games) == 0:
            yield holding(program, f"{number} experiments")
    _frames(program, 2.0)
    yield holding(program, "at home again")


@dataclass(frozen=True)
class Round:
    """The memory of the process during one table and after it, in MiB."""

    game: str
    players: tuple[str, ...]
    table: float
    """At most, as long as the table was there."""
    leaving: float
    """At most, in the seconds after it was left."""
    home: float
    """``HOME_SECONDS`` after that."""


def evening(program: Program, rounds: int, random: Random) -> Iterator[Round]:
    """Sit down at *rounds* tables in turn: play some turns, with the analysis and hints at most of them, and leave."""
    program.app.settings.animation = "off"
    _frames(program, HOME_SECONDS)
    levels = [f"level:{step.number}" for step in STEPS]
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
        yield Round(game.name, tuple(players), most[0], after[0], memory_in_use() or 0.0)


@contextmanager
def _most_memory() -> Iterator[list[float]]:
    """Watch the memory of the process; the list holds the most that it had, in MiB."""
    most, is_over = [0.0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.02):
            most[0] = max(most[0], memory_in_use() or 0.0)

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
    kernel_cache_folder()  # settled before the home is another: compiled kernels stay with the user's
    compile_elsewhere([*command_words(), "compile-kernels"])  # as the program does that has a window
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
    told = []
    for one in rounds:
        told.append(one)
        show(
            f"{len(told):4} {one.game:16} {' '.join(one.players):44} "
            f"table {one.table:4.0f}  leaving {one.leaving:4.0f}  home {one.home:4.0f} MiB"
        )
    show(
        f"{len(told)} rounds: at a table {max(one.table for one in told):.0f} MiB at most, "
        f"{HOME_SECONDS:g} seconds after going home {max(one.home for one in told):.0f}"
    )


if __name__ == "__main__":
    main()
