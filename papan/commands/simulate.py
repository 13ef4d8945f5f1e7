"""``simulate``: plays whole games between computer players by the million, and counts."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from papan.commands import fields
from papan.commands.common import ClusterOptions, WholeNumber, command, option, part, print_json
from papan.commands.errors import failing, refusal, refusing
from papan.game.base.sentences import Sentence, as_sentence, figures, joined, say, say_number
from papan.game.game import Game, OptionError
from papan.lab.files import OutputError, check_output, write_whole
from papan.lab.printing import numbers, show, show_lines, show_said, span, table, texts, working

if TYPE_CHECKING:
    from papan.lab.simulation.counts import Counts, Rate
    from papan.lab.simulation.plan import Plan
    from papan.lab.simulation.running import Clock, Pool

MOST_GAMES = 10**12
BAR = 10
"""Width of the progress bar, in characters."""
REASONS_SHOWN = 10
"""The most common reasons printed; JSON has all."""
MINUTE, HOUR = 60, 3600


@dataclass(frozen=True)
class SimulateRequest:
    game: Game = fields.THE_GAME
    players: tuple[str, ...] = fields.PLAYERS
    games: int = option(
        "Games to play; default: 10000.",
        WholeNumber(say("The number of games"), 1, MOST_GAMES),
        default=10_000,
        show_default=False,
    )
    seed: int = option("Seed for everything random; default: 0.", fields.SEED, default=0, show_default=False)
    options: dict[str, str] = fields.GAME_OPTIONS
    jobs: int | None = option("Batches of games to run at the same time; default: one per processor.", fields.JOBS)
    cluster: ClusterOptions = part(ClusterOptions)
    as_json: bool = fields.AS_JSON
    out: Path | None = option("Save the counts in this file.", fields.PATH, metavar="FILE")
    replay: int | None = option(
        "Instead, print the record of this game, counted from 1.",
        WholeNumber(say("The number of the game"), 1, MOST_GAMES),
    )
    record: Path | None = option("Also write that record to this file.", fields.PATH, metavar="FILE")


@command(SimulateRequest)
def simulate(asked: SimulateRequest) -> None:
    """Play whole games by the million, and count.

    Plays GAME between the players. Random, greedy and fixed-depth players run as compiled code; any other player works
    too, one game at a time. Progress is saved: after an interruption, the same command continues. The same seed gives
    the same counts with any number of jobs, here or on a cluster.
    """
    from papan.ai.players import PlayerError
    from papan.lab.journal import JournalError
    from papan.lab.simulation.batches import batches_of
    from papan.lab.simulation.counts import facts
    from papan.lab.simulation.plan import make_plan
    from papan.lab.simulation.running import Clock, Cluster, Threads, open_store, run, usual_place
    from papan.lab.workers import AnswerError, PoolError

    asked.cluster.check(asked.jobs)
    if asked.replay is None and asked.record is not None:
        raise refusal("--record writes one game: choose it with --replay.")
    with ExitStack() as stack:
        progress = stack.enter_context(working(say("preparing")))
        with refusing(OptionError, PlayerError, JournalError, OutputError, PoolError):
            plan = make_plan(asked.game, asked.players, asked.options, asked.seed, asked.games)
            if asked.replay is not None:
                _replay(plan, asked.replay, asked.record, asked.as_json)
                return
            workers = asked.cluster.workers(stack)
            pool: Pool = Threads(asked.jobs or os.cpu_count() or 1) if workers is None else Cluster(workers)
            store = open_store(plan, asked.out or usual_place(plan))
            stack.callback(store.close)
        if workers is None:
            batches_of(plan).prepare()
        clock = Clock(plan.games)

        def tell(counts: Counts) -> None:
            clock.tell(counts)
            progress(how_far(clock, counts.games, plan.games))

        with failing(OutputError, PoolError), refusing(JournalError, AnswerError):
            counts = run(plan, store, pool, tell)
        if asked.out is None:
            store.remove()
    if asked.as_json:
        speed = {"seconds": round(clock.seconds, 3), "games_a_second": round(clock.rate, 1)}
        print_json({**facts(plan, counts), **speed})
    else:
        _print(asked.game, plan, counts, clock)


def _replay(plan: Plan, number: int, record: Path | None, as_json: bool) -> None:
    """Print the record of the game *number* of *plan*, counted from 1, and write it to *record*."""
    from papan.game.match.record import write
    from papan.lab.simulation.batches import batches_of

    if number > plan.games:
        raise refusal(
            "There is no game {number}: --games must be {games}.", number=figures(number), games=figures(plan.games)
        )
    if record is not None:
        check_output(record)
    text = write(batches_of(plan).replay(number - 1))
    if record is not None:
        write_whole(record, text)
    if as_json:
        print_json({"number": number, "record": text})
    else:
        show_lines(text)


def how_far(clock: Clock, done: int, games: int) -> str:
    """Progress in words: a bar, games done, games a second, and the time left."""
    bar = "█" * int(BAR * clock.share) + "░" * (BAR - int(BAR * clock.share))
    parts: list[str] = [
        f"{bar} {100 * clock.share:.0f} %",
        say("{done} of {games} games", done=figures(done), games=figures(games)),
        joined([figures(clock.rate, ",.0f"), "/s"], ""),
    ]
    seconds = clock.seconds_left
    if seconds is not None:
        left = (
            say("{number} s", number=f"{seconds:.0f}")
            if seconds < MINUTE
            else say("{number} min", number=f"{seconds / MINUTE:.0f}")
            if seconds < HOUR
            else say("{number} h", number=figures(seconds / HOUR, ".1f"))
        )
        parts.append(say("{time} left", time=left))
    return joined(parts, ", ")


def _print(game: Game, plan: Plan, counts: Counts, clock: Clock) -> None:
    from papan.lab.simulation.counts import by_player, by_seat

    show_said(
        "{game}, {games} games, seed {seed}, {options}",
        game=game.title,
        games=figures(counts.games),
        seed=plan.seed,
        options=" ".join(f"{name}={value}" for name, value in plan.options.items()),
    )
    show()
    seats = [say("seat {seat}", seat=number) for number in range(1, len(plan.players) + 1)]
    rates = zip((*plan.players, *seats), (*by_player(counts), *by_seat(counts)), strict=True)
    has_score = len(plan.players) == 1
    wins = (say("games"), say("won"), "95 %", say("drawn"), say("lost"))
    columns = (say("games"), say("mean score"), "95 %") if has_score else wins
    rows = [(name, *(_score_cells(rate) if has_score else _win_cells(rate))) for name, rate in rates]
    table(texts("") + numbers(*columns), rows)
    show()
    show_said(
        "{undecided} games without a winner, {turns} turns and {steps} steps a game, {choices} legal steps a choice",
        undecided=figures(counts.undecided),
        turns=figures(counts.turns / counts.games, ".2f"),
        steps=figures(counts.steps / counts.games, ".2f"),
        choices=figures(counts.branching, ".2f"),
    )
    show_said("Ended: {reasons}", reasons=_reasons(counts))
    seconds, rate = figures(clock.seconds, ".1f"), figures(clock.rate, ",.0f")
    show_said("{seconds} s, {rate} games a second", seconds=seconds, rate=rate)


def _win_cells(rate: Rate) -> tuple[str, ...]:
    shares = (number / rate.games for number in (rate.drawn, rate.lost))
    interval = span(rate.win_interval, ".3f", 100)
    return figures(rate.games), _percent(rate.win_rate), interval, *map(_percent, shares)


def _score_cells(rate: Rate) -> tuple[str, ...]:
    return figures(rate.games), figures(rate.mean_payoff, ",.1f"), span(rate.payoff_interval, ",.1f")


def _reasons(counts: Counts) -> str:
    """The most common reasons with their shares, and the share of all others."""
    commonest = counts.reasons.most_common(REASONS_SHOWN)
    shares: list[str] = [joined([as_sentence(reason), _percent(number / counts.games)]) for reason, number in commonest]
    others = counts.games - sum(number for _, number in commonest)
    if others:
        number = len(counts.reasons) - len(commonest)
        share = _percent(others / counts.games)
        shares.append(say_number("{count} other reason {share}", "{count} other reasons {share}", number, share=share))
    return joined(shares, ", ")


def _percent(share: float) -> Sentence:
    return joined([figures(100 * share, ".3f"), "%"])
