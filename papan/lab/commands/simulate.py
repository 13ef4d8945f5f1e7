"""``simulate``: whole games between computer players by the million."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papan.game.facts import Game, OptionError
from papan.lab.commands.common import (
    Failure,
    Refusal,
    WholeNumber,
    game_argument,
    json_option,
    options_option,
    print_json,
)

if TYPE_CHECKING:
    from papan.lab.simulation.counts import Counts
    from papan.lab.simulation.plan import Plan
    from papan.lab.simulation.rates import Rate

USUAL_GAMES = 10_000
MOST_GAMES = 10**12
MOST_JOBS = 256
BAR = 10
"""Signs of the bar that shows how far it is."""
REASONS_SHOWN = 10
"""Reasons of endings in the table, the commonest; JSON has all."""
MINUTE, HOUR = 60, 3600


@click.command()
@game_argument
@click.argument("players", nargs=-1, required=True, metavar="PLAYER PLAYER")
@click.option(
    "--games", type=WholeNumber("The number of games", 1, MOST_GAMES), default=USUAL_GAMES, help="Default: 10000."
)
@click.option("--seed", type=WholeNumber("The seed"), default=0, help="Settles all that is random; default: 0.")
@options_option
@click.option(
    "--jobs",
    type=WholeNumber("The number of jobs", 1, MOST_JOBS),
    help="Batches of games at a time; default: one for each processor.",
)
@json_option
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Keep what is counted in this file.")
def simulate(
    game: Game,
    players: Sequence[str],
    games: int,
    seed: int,
    options: dict[str, str],
    jobs: int | None,
    as_json: bool,
    out: Path | None,
) -> None:
    """Play whole games by the million, and count.

    Games of GAME between the players, in compiled code for players that are random, greedy, or look a fixed number of
    turns ahead; any other player works too, game by game. What was done is kept: if interrupted, the same command goes
    on. The same seed gives the same counts with any number of jobs.
    """
    from papan.ai.players import PlayerError
    from papan.lab.files import OutputError
    from papan.lab.journal import JournalError
    from papan.lab.simulation.batches import batches_of
    from papan.lab.simulation.facts import facts
    from papan.lab.simulation.plan import make_plan
    from papan.lab.simulation.running import Threads, run
    from papan.lab.simulation.store import Store, usual_place

    try:
        plan = make_plan(game, players, options, seed, games)
        store = Store(plan, out or usual_place(plan))
    except (OptionError, PlayerError, JournalError, OutputError) as error:
        raise Refusal(str(error)) from None
    clock = Clock(plan.games)
    with _progress(clock) as tell:
        batches_of(plan).prepare()
        try:
            counts = run(plan, store, Threads(jobs or os.cpu_count() or 1), tell)
        except OutputError as error:
            raise Failure(str(error)) from None
    if out is None:
        store.remove()
    else:
        store.close()
    if as_json:
        speed = {"seconds": round(clock.seconds, 3), "games_a_second": round(clock.rate, 1)}
        print_json({**facts(plan, counts), **speed})
    else:
        _print(game, plan, counts, clock)


class Clock:
    """How many games were played since the beginning, and how many a second."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._began = time.perf_counter()
        self._before: int | None = None
        self._done = 0

    def tell(self, counts: Counts) -> None:
        """Note what is counted by now; the first time, what was counted before."""
        if self._before is None:
            self._began = time.perf_counter()
            self._before = counts.games
        self._done = counts.games

    @property
    def seconds(self) -> float:
        """Since the first batch was begun."""
        return time.perf_counter() - self._began

    @property
    def rate(self) -> float:
        """Games a second, those left out that had been played before."""
        played = self._done - (self._before or 0)
        return played / self.seconds if played else 0.0

    @property
    def words(self) -> str:
        """How far it is, how fast it goes, and how long it will take."""
        share = self._done / self._games
        bar = "█" * int(BAR * share) + "░" * (BAR - int(BAR * share))
        left = f", {_duration((self._games - self._done) / self.rate)} left" if self.rate else ""
        return f"{bar} {100 * share:.0f} %, {self._done:,} of {self._games:,} games, {self.rate:,.0f}/s{left}"


def _duration(seconds: float) -> str:
    """So many *seconds* in the largest units that say something."""
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / MINUTE:.0f} min" if seconds < HOUR else f"{seconds / HOUR:.1f} h"


@contextmanager
def _progress(clock: Clock) -> Iterator[Callable[[Counts], None]]:
    from papan.lab.printing import working

    with working("preparing") as say:

        def tell(counts: Counts) -> None:
            clock.tell(counts)
            say(clock.words)

        yield tell


def _print(game: Game, plan: Plan, counts: Counts, clock: Clock) -> None:
    from papan.lab.printing import NUMBER, TEXT, table
    from papan.lab.simulation.rates import by_player, by_seat

    options = " ".join(f"{name}={value}" for name, value in plan.options)
    click.echo(f"{game.title}, {counts.games:,} games, seed {plan.seed}, {options}\n")
    players = [(name, rate) for name, rate in zip(plan.players, by_player(counts), strict=True)]
    seats = [(f"seat {number}", rate) for number, rate in enumerate(by_seat(counts), start=1)]
    has_score = len(plan.players) == 1
    columns = ("games", "mean score", "95 %") if has_score else ("games", "won", "95 %", "drawn", "lost")
    rows = [(name, *(_score_cells(rate) if has_score else _win_cells(rate))) for name, rate in (*players, *seats)]
    table((("", TEXT), *((heading, NUMBER) for heading in columns)), rows)
    click.echo(
        f"\n{counts.undecided:,} games without a winner, {counts.turns / counts.games:.2f} turns and "
        f"{counts.steps / counts.games:.2f} steps a game, {counts.branching:.2f} legal steps a choice\n"
        f"Ended: {_reasons(counts)}\n{clock.seconds:.1f} s, {clock.rate:,.0f} games a second"
    )


def _win_cells(rate: Rate) -> tuple[str, ...]:
    low, high = rate.win_interval
    shares = (number / rate.games for number in (rate.drawn, rate.lost))
    interval = f"{100 * low:.3f} to {100 * high:.3f}"
    return f"{rate.games:,}", _percent(rate.win_rate), interval, *map(_percent, shares)


def _score_cells(rate: Rate) -> tuple[str, ...]:
    low, high = rate.payoff_interval
    return f"{rate.games:,}", f"{rate.mean_payoff:,.1f}", f"{low:,.1f} to {high:,.1f}"


def _reasons(counts: Counts) -> str:
    """The commonest reasons with their shares, and what all others have."""
    commonest = counts.reasons.most_common(REASONS_SHOWN)
    shares = [f"{reason} {_percent(number / counts.games)}" for reason, number in commonest]
    others = counts.games - sum(number for _, number in commonest)
    if others:
        shares.append(f"{len(counts.reasons) - len(commonest)} other reasons {_percent(others / counts.games)}")
    return ", ".join(shares)


def _percent(share: float) -> str:
    return f"{100 * share:.3f} %"
