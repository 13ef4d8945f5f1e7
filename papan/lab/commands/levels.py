"""``levels``: how far the levels of a game are apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

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
    from papan.lab.tournament.plan import Plan
    from papan.lab.tournament.results import Results

_MOST_GAMES = 10**5


@click.command()
@game_argument
@click.option(
    "--games",
    type=WholeNumber("The number of games", 1, _MOST_GAMES),
    default="100",
    show_default=True,
    help="Games of each level against the next.",
)
@click.option(
    "--turns",
    type=WholeNumber("The number of turns", 0, 1000),
    default="4",
    show_default=True,
    help="Turns of a random opening.",
)
@click.option(
    "--seed", type=WholeNumber("The seed"), default="0", show_default=True, help="Settles all that is random."
)
@click.option(
    "--time",
    "seconds",
    type=Number("The time", 0.001, 3600.0),
    default="0.1",
    show_default=True,
    metavar="S",
    help="Seconds a step for the top level, which otherwise has one.",
)
@click.option("--threads", type=WholeNumber("The number of threads", 1, 256), default="1", help="Matches at a time.")
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
    from papan.lab.printing import NUMBER, TEXT, table
    from papan.lab.tournament.ladder import means, rungs

    click.echo(f"{game.title}: {len(found.games)} games from {plan.openings} openings, seed {plan.seed}\n")
    steps = rungs(plan, found)
    columns = [("level", TEXT), ("against", TEXT), ("share", NUMBER), ("95 %", NUMBER)]
    columns += [(heading, NUMBER) for heading in ("won", "drawn", "lost")] + [("", TEXT)]
    rows = []
    for step in steps:
        low, high = step.tally.interval
        counts = (step.tally.wins, step.tally.draws, step.tally.losses)
        shares = [f"{100 * step.tally.score:.1f} %", f"{100 * low:.1f} to {100 * high:.1f}"]
        rows.append([step.upper, step.lower, *shares, *map(str, counts), step.verdict])
    table(columns, rows)
    for player, mean in zip(plan.players, means(plan, found), strict=True):
        if mean is not None:
            click.echo(f"{player}: {mean:,.0f} points in the mean.")
    outside = [step for step in steps if step.verdict]
    asked = ", ".join(f"{100 * step.least:g} to {100 * step.most:g} % for {step.upper}" for step in outside)
    click.echo(f"\nOutside what is asked: {asked}." if outside else "\nAll pairs are as far apart as is asked.")
    click.echo(f"The top level had the time in its name: {plan.players[-1]}.")
