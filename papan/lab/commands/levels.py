"""``levels``: how far the levels of a game are apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.facts import Game, OptionError
from papan.lab.commands.common import (
    Failure,
    Number,
    Refusal,
    WholeNumber,
    game_argument,
    json_option,
    options_option,
    print_json,
)

if TYPE_CHECKING:
    from papan.lab.tournament.ladder import Rung
    from papan.lab.tournament.plan import Plan
    from papan.lab.tournament.results import Results

_MOST_GAMES = 10**5


@click.command()
@game_argument
@click.option(
    "--games",
    type=WholeNumber(say("The number of games"), 1, _MOST_GAMES),
    default="100",
    show_default=True,
    help="Games of each level against the next.",
)
@click.option(
    "--turns",
    type=WholeNumber(say("The number of turns"), 0, 1000),
    default="4",
    show_default=True,
    help="Turns of a random opening.",
)
@click.option(
    "--seed", type=WholeNumber(say("The seed")), default="0", show_default=True, help="Settles all that is random."
)
@click.option(
    "--time",
    "seconds",
    type=Number(say("The time"), 0.001, 3600.0),
    default="0.1",
    show_default=True,
    metavar="S",
    help="Seconds a step for the top level, which otherwise has one.",
)
@click.option(
    "--threads", type=WholeNumber(say("The number of threads"), 1, 256), default="1", help="Matches at a time."
)
@click.option("--results", metavar="FILE", help="Note each game in this file; the same command goes on after a break.")
@options_option
@json_option
def levels(
    game: Game,
    games: int,
    turns: int,
    seed: int,
    seconds: float,
    threads: int,
    results: str | None,
    options: dict[str, str],
    as_json: bool,
) -> None:
    """Have each level meet the next, and the lowest one random steps.

    In GAME each two play --games times, twice from each of so many random openings, so that both have either side.
    Told are the share of points that the upper one has, with its interval of 95 %, and which pairs lie outside what
    is asked: 65 to 85 %, and 50 to 80 % for the lowest level against random steps.
    """
    from papan.ai.players import PlayerError
    from papan.lab.commands.tournament import play_all
    from papan.lab.files import OutputError, check_output
    from papan.lab.journal import Journal, JournalError
    from papan.lab.tournament import running
    from papan.lab.tournament.ladder import facts, make_ladder
    from papan.lab.tournament.plan import PlanError, starts_of
    from papan.lab.tournament.results import Results

    try:
        plan = make_ladder(game, options, games, turns, seed, seconds)
        starts = starts_of(plan)
        if results is not None:
            check_output(Path(results))
        journal = Journal(None if results is None else Path(results), running.KIND, running.VERSION, plan.as_data())
        found = Results(plan)
        running.resume(journal, found)
    except (PlanError, OptionError, PlayerError, OutputError, JournalError) as error:
        raise Refusal(str(error)) from None
    try:
        play_all(game, plan, starts, journal, found, threads)
    except OutputError as error:
        raise Failure(str(error)) from None
    if as_json:
        print_json(facts(plan, found))
    else:
        _print(game, plan, found)


def _print(game: Game, plan: Plan, found: Results) -> None:
    from papan.lab.printing import NUMBER, TEXT, show, table
    from papan.lab.tournament.ladder import means, rungs

    show(
        say(
            "{game}: {games} games from {openings} openings, seed {seed}",
            game=game.title,
            games=len(found.games),
            openings=plan.openings,
            seed=plan.seed,
        )
    )
    show()
    steps = rungs(plan, found)
    columns = [(say("level"), TEXT), (say("against"), TEXT), (say("share"), NUMBER), ("95 %", NUMBER)]
    columns += [(heading, NUMBER) for heading in (say("won"), say("drawn"), say("lost"))] + [("", TEXT)]
    rows = []
    for step in steps:
        low, high = step.tally.interval
        counts = (step.tally.wins, step.tally.draws, step.tally.losses)
        share = figures(100 * step.tally.score, ".1f")
        within = say("{low} to {high}", low=figures(100 * low, ".1f"), high=figures(100 * high, ".1f"))
        shares = [joined([share, "%"]), within]
        rows.append([step.upper, step.lower, *shares, *map(str, counts), step.verdict])
    table(columns, rows)
    for player, mean in zip(plan.players, means(plan, found), strict=True):
        if mean is not None:
            show(say("{player}: {points} points in the mean.", player=player, points=figures(mean, ",.0f")))
    outside = [step for step in steps if step.verdict]
    asked = joined([_asked(step) for step in outside], ", ")
    show()
    show(
        say("Outside what is asked: {pairs}.", pairs=asked)
        if outside
        else say("All pairs are as far apart as is asked.")
    )
    show(say("The top level had the time in its name: {player}.", player=plan.players[-1]))


def _asked(step: Rung) -> Sentence:
    least, most = figures(100 * step.least, "g"), figures(100 * step.most, "g")
    return say("{least} to {most} % for {player}", least=least, most=most, player=step.upper)
