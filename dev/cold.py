"""How long a player waits for a first answer where nothing is compiled yet, as in the window.

    python -m dev.cold                          every game: levels 3, 5 and 8, and analysis
    python -m dev.cold --game xiangqi --busy 2  one game, while two loops take two processors

Each answer comes from a process of its own with an empty cache; medians of several.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TypeVar

import click

from dev.bench.figures import asked_of_fresh_process, starts
from papan.ai.players import make_player, situation
from papan.ai.thinking.analyst import Analyst
from papan.ai.thinking.thinker import Thinker
from papan.commands import fields
from papan.commands.common import GameName, command_words, print_json
from papan.game.base.sentences import figures, say
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel.compile_process import compile_elsewhere, compile_here
from papan.lab.arena import opening
from papan.lab.printing import numbers, table, texts, working

T = TypeVar("T")

ASKED = ("level:3", "level:5", "level:8", "analysis")
_POLL_SECONDS = 0.005
_ONE = "one"


@click.group(invoke_without_command=True)
@click.option("--game", type=GameName(), help="Only this game.")
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True, help="Runs of each.")
@click.option("--busy", type=click.IntRange(0), default=0, help="Loops that run meanwhile, each on a processor.")
@fields.json_option
@click.pass_context
def cold(context: click.Context, game: Game | None, runs: int, busy: int, as_json: bool) -> None:
    if context.invoked_subcommand is not None:
        return
    games = [game] if game else [game for game in GAMES.values() if game.in_gallery]
    with working(say("measuring …")) as tell, loops(busy):
        seconds: dict[str, dict[str, float]] = {}
        for one in games:
            tell(one.title)
            seconds[one.name] = {what: _median(one, what, runs) for what in ASKED}
    if as_json:
        print_json({"seconds": seconds})
    else:
        table(
            [*texts("game"), *numbers(*ASKED)],
            [[name, *(figures(each, ".2f") for each in row.values())] for name, row in seconds.items()],
        )


def _median(game: Game, what: str, runs: int) -> float:
    return median(_once(game, what) for _ in range(runs))


def _once(game: Game, what: str) -> float:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        words = [sys.executable, "-m", "dev.cold", _ONE, game.name, what]
        return float(asked_of_fresh_process(words, Path(home))["seconds"])


@contextmanager
def loops(number: int) -> Iterator[None]:
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in running:
            loop.kill()
            loop.wait()


@cold.command(_ONE, hidden=True)
@fields.game_argument
@click.argument("what")
def one(game: Game, what: str) -> None:
    compile_elsewhere([*command_words(), "compile-kernels"])
    try:
        seconds = seconds_to_analysis(game) if what == "analysis" else seconds_to_step(game, what)
    finally:
        compile_here()
    print_json({"seconds": seconds})


def seconds_to_step(game: Game, player: str) -> float:
    """Seconds from asking a computer for its step to its answer."""
    position = situation(opening(starts(game, 1)[0]))
    thinker, started = Thinker(), time.perf_counter()
    thinker.ask(make_player(player, game), position)
    _answer(thinker.poll)
    return time.perf_counter() - started


def seconds_to_analysis(game: Game) -> float:
    """Seconds from opening the analysis to its first line."""
    position = situation(opening(starts(game, 1)[0]))
    analyst, started = Analyst(), time.perf_counter()
    analyst.study(game, position)
    _answer(lambda: (report := analyst.report()) and report.best)
    return time.perf_counter() - started


def _answer(look: Callable[[], T | None]) -> T:
    while (found := look()) is None:
        time.sleep(_POLL_SECONDS)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    cold(args=arguments, prog_name="python -m dev.cold")


if __name__ == "__main__":
    main()
