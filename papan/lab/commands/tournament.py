"""``tournament``: computer players against each other, everybody against everybody, and how strong they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papan.game.base.foreign import decimal_number, quoted
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
    from papan.game.match import Match
    from papan.lab.arena import Tally
    from papan.lab.journal import Journal
    from papan.lab.tournament.plan import Plan
    from papan.lab.tournament.results import Results, Standing, Trial
    from papan.lab.tournament.sequential import SequentialTest

MOST_GAMES = 10**6
MOST_ELO = 2000.0
_SPRT_SHAPE = say("Write --sprt elo0,elo1 or elo0,elo1,alpha,beta, such as 0,10,0.05,0.05.")


def _no_bounds(why: Sentence) -> Refusal:
    return Refusal(joined([why, _SPRT_SHAPE]))


class _Sprt(click.ParamType["SequentialTest"]):
    """The bounds of a sequential test."""

    name = "elo0,elo1"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> SequentialTest:
        from papan.lab.tournament.sequential import SequentialTest

        numbers = [decimal_number(part.removeprefix("-")) for part in str(value).split(",")]
        signs = [-1.0 if part.startswith("-") else 1.0 for part in str(value).split(",")]
        known = [sign * number for sign, number in zip(signs, numbers, strict=True) if number is not None]
        if len(known) != len(numbers) or len(known) not in (2, 4):
            raise _no_bounds(say("{text} are no bounds of a test.", text=quoted(str(value))))
        test = SequentialTest(*known)
        if not -MOST_ELO <= test.elo0 < test.elo1 <= MOST_ELO:
            raise _no_bounds(say("elo0 must be less than elo1, both within ±{most}.", most=f"{MOST_ELO:g}"))
        if not (0.0 < test.alpha < 0.5 and 0.0 < test.beta < 0.5):
            raise _no_bounds(say("alpha and beta are between 0 and 0.5."))
        return test


@click.command()
@game_argument
@click.argument("players", nargs=-1, required=True, metavar="PLAYER PLAYER …")
@click.option(
    "--games",
    type=WholeNumber(say("The number of games"), 1, MOST_GAMES),
    default="100",
    show_default=True,
    help="Games of each two players (or three, or four).",
)
@click.option(
    "--openings",
    "different_openings",
    type=WholeNumber(say("The number of openings"), 1, MOST_GAMES),
    help="Different openings; default: one for each time that everybody has had each seat.",
)
@click.option(
    "--turns",
    type=WholeNumber(say("The number of turns"), 0, 1000),
    default="4",
    show_default=True,
    help="Turns of an opening.",
)
@click.option(
    "--seed", type=WholeNumber(say("The seed")), default="0", show_default=True, help="Settles all that is random."
)
@click.option(
    "--threads", type=WholeNumber(say("The number of threads"), 1, 256), default="1", help="Matches at a time."
)
@click.option(
    "--time-limit",
    type=Number(say("The time limit"), 0.001, 3600.0),
    metavar="S",
    help="Who takes more seconds for a step forfeits the game.",
)
@click.option(
    "--margin",
    type=Number(say("The margin"), 0.0, 3600.0),
    default="0.1",
    show_default=True,
    metavar="S",
    help="Seconds beyond the time limit that are forgiven.",
)
@click.option(
    "--sprt",
    "test",
    type=_Sprt(),
    metavar="ELO0,ELO1[,ALPHA,BETA]",
    help="Stop two players once it is clear whether the first is stronger by ELO1 or not by more than ELO0.",
)
@click.option("--results", metavar="FILE", help="Note each game in this file; the same command goes on after a break.")
@click.option("--records", metavar="FILE", help="Write the records of all games into this file.")
@click.option("--name", default="Tournament", show_default=True, help="The event that the records are said to be of.")
@click.option("--keep", is_flag=True, help="Keep the matches in the library too.")
@options_option
@json_option
def tournament(
    game: Game,
    players: Sequence[str],
    games: int,
    different_openings: int | None,
    turns: int,
    seed: int,
    threads: int,
    time_limit: float | None,
    margin: float,
    test: SequentialTest | None,
    results: str | None,
    records: str | None,
    name: str,
    keep: bool,
    options: dict[str, str],
    as_json: bool,
) -> None:
    """Have computer players meet, everybody everybody, and rate them.

    In GAME each PLAYER meets each other --games times, twice from each of so many random openings, so that both
    have either side; with three and four seats each group has all its rotations.
    """
    from papan.ai.players import PlayerError
    from papan.lab.files import OutputError, check_output, write_whole
    from papan.lab.journal import Journal, JournalError
    from papan.lab.tournament import running
    from papan.lab.tournament.facts import facts
    from papan.lab.tournament.keeping import KeepingError
    from papan.lab.tournament.plan import PlanError, make_plan, starts_of
    from papan.lab.tournament.results import Results

    try:
        plan = make_plan(game, players, options, games, different_openings, turns, seed, time_limit, margin, name)
        if test is not None and plan.seats != 2:
            raise Refusal(say("A sequential test is between two players: this match has more seats."))
        starts = starts_of(plan)
        for file in (results, records):
            if file is not None:
                check_output(Path(file))
        journal = Journal(None if results is None else Path(results), running.KIND, running.VERSION, plan.as_data())
        found = Results(plan, test)
        running.resume(journal, found)
    except (PlanError, OptionError, PlayerError, OutputError, JournalError) as error:
        raise Refusal(str(error)) from None
    try:
        kept = play_all(game, plan, starts, journal, found, threads, keep)
        if records is not None:
            write_whole(Path(records), "\n".join(one.record for one in found.games))
    except (OutputError, KeepingError) as error:
        raise Failure(str(error)) from None
    if as_json:
        print_json({**facts(plan, found, test), "kept": kept})
    else:
        _print(game, plan, found, test)


def play_all(
    game: Game, plan: Plan, starts: Sequence[Match], journal: Journal, found: Results, threads: int, keep: bool = False
) -> int:
    """Play what is left of *plan*; returns how many matches were kept in the library."""
    from papan.lab.printing import working
    from papan.lab.tournament.keeping import Keeper
    from papan.lab.tournament.playing import Played
    from papan.lab.tournament.running import run

    keeper = Keeper() if keep else None
    with working(say("playing")) as progress:

        def tell(played: Played) -> None:
            if keeper:
                keeper.keep(one.record for one in played.games)
            progress(say("{game}: {done} of {games} games", game=game.title, done=len(found.games), games=plan.games))

        run(plan, starts, journal, found, threads, tell)
    return keeper.close() if keeper else 0


def _print(game: Game, plan: Plan, found: Results, test: SequentialTest | None) -> None:
    from papan.lab.printing import NUMBER, TEXT, show, table

    standings = found.standings()
    show(
        say(
            "{game}: {games} games from {openings} openings, seed {seed}",
            game=game.title,
            games=len(found.games),
            openings=found.openings,
            seed=plan.seed,
        )
    )
    show()
    headings = (say("games"), say("won"), say("drawn"), say("lost"), say("forfeits"), say("s a step"))
    columns = [("", NUMBER), (say("player"), TEXT), ("Elo", NUMBER), ("±", NUMBER), (say("score"), NUMBER)]
    columns += [(heading, NUMBER) for heading in headings]
    table(columns, [_row(plan, rank, standing) for rank, standing in enumerate(standings, start=1)])
    show()
    show(say("Points of the player in the row against that in the column:"))
    show()
    _print_cross_table(plan, found, [standing.player for standing in standings])
    for game_result in found.games:
        if game_result.forfeit is not None:
            player = plan.players[game_result.players[game_result.forfeit]]
            show()
            show(say("{player} forfeited: {reason}.", player=player, reason=game_result.reason))
    if test is not None:
        for trial in found.tests:
            show()
            show(_told(plan, test, trial))
    show()
    show(say("Elo: logistic, most likely, mean 0; ± is half an interval of 95 %, openings taken as independent."))
    show(say("Beside thinking passed {share} % of the time.", share=figures(100 * found.overhead, ".2f")))


def _row(plan: Plan, rank: int, standing: Standing) -> list[str]:
    rating = standing.rating
    return [
        str(rank),
        plan.players[standing.player],
        f"{rating.elo:+.0f}" if rating else "",
        f"{rating.margin:.0f}" if rating else "",
        joined([figures(100 * standing.points / max(1, standing.games), ".1f"), "%"]),
        str(standing.games),
        str(standing.wins),
        str(standing.draws),
        str(standing.losses),
        str(standing.forfeits),
        figures(standing.seconds / max(1, standing.choices), ".3f"),
    ]


def _points(cell: Tally | None) -> str:
    return joined([figures(cell.wins + cell.draws / 2, "g"), str(cell.games)], "/") if cell else "·"


def _print_cross_table(plan: Plan, found: Results, order: Sequence[int]) -> None:
    from papan.lab.printing import NUMBER, TEXT, table

    cross = found.cross_table()
    columns = [("", NUMBER), (say("player"), TEXT), *((str(rank), NUMBER) for rank in range(1, len(order) + 1))]
    rows = []
    for rank, player in enumerate(order, start=1):
        cells = [cross.get((player, other)) for other in order]
        shown = [_points(cell) for cell in cells]
        rows.append([str(rank), plan.players[player], *shown])
    table(columns, rows)


def _told(plan: Plan, test: SequentialTest, trial: Trial) -> Sentence:
    low, high = test.bounds
    one, other = (plan.players[player] for player in trial.group)
    return say(
        "Sequential test after {games} games: {verdict} (log-likelihood ratio {ratio}, bounds {low} and {high}).",
        games=2 * trial.rounds,
        verdict=_verdict(one, other, test, trial),
        ratio=figures(test.log_likelihood_ratio(trial.counts), ".2f"),
        low=figures(low, ".2f"),
        high=figures(high, ".2f"),
    )


def _verdict(one: str, other: str, test: SequentialTest, trial: Trial) -> Sentence:
    """What a test of *one* against *other* has found so far."""
    less, more = figures(test.elo0, "g"), figures(test.elo1, "g")
    if trial.verdict == "stronger":
        return say(
            "{one} is stronger than {other} by {more} Elo rather than {less}",
            one=one,
            other=other,
            more=more,
            less=less,
        )
    if trial.verdict == "not stronger":
        return say(
            "{one} is stronger than {other} by {less} Elo, if at all, rather than {more}",
            one=one,
            other=other,
            less=less,
            more=more,
        )
    return say(
        "it is not decided whether {one} is stronger than {other} by {less} or {more} Elo",
        one=one,
        other=other,
        less=less,
        more=more,
    )
