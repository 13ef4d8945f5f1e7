"""``tournament``: a round robin between computer players; ``levels``: how far apart a game's levels are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from papan.ai.players.levels import PLAYER_LEVELS
from papan.commands import fields
from papan.commands.common import Number, WholeNumber, argument, command, option, print_json
from papan.commands.errors import Refusal, failing, refusal, refusing
from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.base.untrusted import decimal_number, quoted
from papan.game.game import Game, OptionError
from papan.game.kernel.clock import ClockError
from papan.game.match import Match
from papan.lab.files import OutputError, check_output, write_whole
from papan.lab.printing import numbers, show, show_said, span, table, texts, working

if TYPE_CHECKING:
    from papan.lab.arena import NoMoveChoice, Tally
    from papan.lab.journal import Journal
    from papan.lab.tournament.plan import Plan
    from papan.lab.tournament.playing import Played
    from papan.lab.tournament.rating import SequentialTest
    from papan.lab.tournament.results import ChosenTest, Results, Rung, Scores, Standing, Trial

MOST_GAMES = 10**6
MOST_ELO = 2000.0
_SPRT_SHAPE = say("Write --sprt elo0,elo1 or elo0,elo1,alpha,beta, such as 0,10,0.05,0.05.")


class _Sprt(click.ParamType["SequentialTest"]):
    name = "elo0,elo1"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> SequentialTest:
        from papan.lab.tournament.rating import SequentialTest

        numbers = [decimal_number(part.removeprefix("-")) for part in str(value).split(",")]
        signs = [-1.0 if part.startswith("-") else 1.0 for part in str(value).split(",")]
        known = [sign * number for sign, number in zip(signs, numbers, strict=True) if number is not None]
        if len(known) != len(numbers) or len(known) not in (2, 4):
            raise Refusal(joined([say("{text} is not a valid test.", text=quoted(str(value))), _SPRT_SHAPE]))
        test = SequentialTest(*known)
        if not -MOST_ELO <= test.elo0 < test.elo1 <= MOST_ELO:
            why = say("elo0 must be less than elo1, both within ±{most}.", most=f"{MOST_ELO:g}")
            raise Refusal(joined([why, _SPRT_SHAPE]))
        if not (0.0 < test.alpha < 0.5 and 0.0 < test.beta < 0.5):
            raise Refusal(joined([say("alpha and beta are between 0 and 0.5."), _SPRT_SHAPE]))
        return test


@dataclass(frozen=True)
class TournamentRequest(fields.MeetingsRequest):
    game: Game = fields.THE_GAME
    players: tuple[str, ...] = argument(nargs=-1, required=True, metavar="PLAYER PLAYER …")
    games: int = option(
        "Games for each pair (or group of three or four) of players.",
        WholeNumber(say("The number of games"), 1, MOST_GAMES),
        default=100,
    )
    different_openings: int | None = option(
        "Number of different openings; default: one for each full rotation of the seats.",
        WholeNumber(say("The number of openings"), 1, MOST_GAMES),
        name="--openings",
    )
    time_limit: float | None = option(
        "Seconds per step; a player who takes longer forfeits the game.",
        Number(say("The time limit"), 0.001, 3600.0),
        metavar="S",
    )
    margin: float = option(
        "Seconds of tolerance beyond the time limit.",
        Number(say("The margin"), 0.0, 3600.0),
        default=0.1,
        metavar="S",
    )
    test: SequentialTest | None = option(
        "Stop a pairing once it is clear whether its first player is ELO1 stronger, or at most ELO0.",
        _Sprt(),
        metavar="ELO0,ELO1[,ALPHA,BETA]",
        name="--sprt",
    )
    no_move: NoMoveChoice = fields.NO_MOVE
    records: Path | None = option("Write the records of all games to this file.", fields.PATH, metavar="FILE")
    name: str = option("Name of the event in the records.", default="Tournament")
    keep: bool = option("Also save the matches in the library.", is_flag=True)


@command(TournamentRequest)
def tournament(asked: TournamentRequest) -> None:
    """Play a round robin between computer players and rate them.

    In GAME, each PLAYER meets each other --games times. Each random opening is played twice, so that both have either
    side; with three or four seats, each group plays all its rotations.
    """
    from papan.lab.arena import clock_for
    from papan.lab.tournament.plan import make_plan
    from papan.lab.tournament.results import facts

    def make() -> Plan:
        by = clock_for(asked.clock, asked.game, asked.players)
        plan = make_plan(
            asked.game,
            asked.players,
            asked.options,
            asked.games,
            asked.different_openings,
            asked.turns,
            asked.seed,
            time_limit=asked.time_limit,
            margin=asked.margin,
            name=asked.name,
            clock=by,
            no_move=asked.no_move,
        )
        if asked.test is not None and plan.seats != 2:
            raise refusal("A sequential test compares two players, but this match has more seats.")
        return plan

    prepared = prepare(make, asked.results, [asked.records], asked.test)
    kept = play_rest(asked.game, prepared, asked.threads, keep=asked.keep)
    if asked.records is not None:
        with failing(OutputError):
            write_whole(asked.records, "\n".join(one.record for one in prepared.found.games))
    if asked.as_json:
        print_json({**facts(prepared.plan, prepared.found), "kept": kept})
    else:
        _print(asked.game, prepared)


def _print(game: Game, prepared: Prepared) -> None:
    from papan.lab.arena import told_clock
    from papan.lab.tournament.rating import STOPPED_EARLY

    plan, found = prepared.plan, prepared.found
    standings = found.standings()
    print_heading(game, prepared, found.openings)
    columns = numbers("") + texts(say("player")) + numbers("Elo", "±", say("score"), say("games"), say("won"))
    columns += numbers(say("drawn"), say("lost"), say("forfeits"), say("s a step"))
    table(columns, [_row(plan, rank, standing) for rank, standing in enumerate(standings, start=1)])
    show()
    show_said("Points of the row's player against the column's:")
    show()
    _print_cross_table(plan, found, [standing.player for standing in standings])
    for one in found.games:
        if one.forfeit is not None:
            show()
            player = plan.players[one.players[one.forfeit]]
            show_said("{player} forfeited: {reason}.", player=player, reason=one.reason)
        if one.no_move is not None:
            player = plan.players[one.players[one.no_move]]
            show()
            show_said("One game of {player} was counted as a draw: {reason}.", player=player, reason=one.reason)
    for trial in found.tests:
        show()
        show(_told(plan, found, trial))
    show()
    show_said(
        "Elo: logistic model, maximum likelihood, mean 0; ± is half of a 95 % interval that takes openings as "
        "independent."
    )
    if any(map(found.has_stopped_early, found.tests)):
        show(STOPPED_EARLY)
    show(told_clock(plan.clock, plan.players))
    show_said("Overhead on top of thinking time: {share} %.", share=figures(100 * found.overhead, ".2f"))


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
        figures(standing.seconds_a_step, ".3f"),
    ]


def _points(cell: Tally | None) -> str:
    return joined([figures(cell.wins + cell.draws / 2, "g"), str(cell.games)], "/") if cell else "·"


def _print_cross_table(plan: Plan, found: Results, order: Sequence[int]) -> None:
    cross = found.cross_table()
    columns = numbers("") + texts(say("player")) + numbers(*map(str, range(1, len(order) + 1)))
    rows = [
        [str(rank), plan.players[player], *(_points(cross.get((player, other))) for other in order)]
        for rank, player in enumerate(order, start=1)
    ]
    table(columns, rows)


def _told(plan: Plan, found: Results, trial: Trial) -> Sentence:
    test = found.test
    assert test is not None  # without one there are no trials
    low, high = (figures(bound, ".2f") for bound in test.bounds)
    one, other = (plan.players[player] for player in trial.group)
    verdict = _verdict(one, other, test, trial)
    ratio = figures(test.log_likelihood_ratio(trial.counts), ".2f")
    if found.has_stopped_early(trial):
        return say(
            "The sequential test stopped after {games} of {most} games: {verdict} (log-likelihood ratio {ratio}, "
            "bounds {low} and {high}).",
            games=trial.games,
            most=plan.rounds * plan.seats,
            verdict=verdict,
            ratio=ratio,
            low=low,
            high=high,
        )
    return say(
        "Sequential test after {games} games: {verdict} (log-likelihood ratio {ratio}, bounds {low} and {high}).",
        games=trial.games,
        verdict=verdict,
        ratio=ratio,
        low=low,
        high=high,
    )


def _verdict(one: str, other: str, test: SequentialTest, trial: Trial) -> Sentence:
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
            "{one} is at most {less} Elo stronger than {other}, not {more}",
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


class Prepared(NamedTuple):
    """A tournament ready to be played or continued."""

    plan: Plan
    starts: Sequence[Match]
    """A match at the end of each opening."""
    journal: Journal[Plan, Played | ChosenTest]
    found: Results


def prepare(
    make: Callable[[], Plan],
    place: Path | None,
    others: Iterable[Path | None] = (),
    test: SequentialTest | None = None,
) -> Prepared:
    """The plan that *make* returns, with the games that the file *place* already holds.

    :param others: more files that will be written.
    :param test: the sequential test that ends encounters early.
    """
    from papan.ai.players import PlayerError
    from papan.lab.journal import Journal, JournalError
    from papan.lab.tournament.plan import PlanError, starts_of
    from papan.lab.tournament.results import JOURNAL, Results, resume

    with refusing(PlanError, OptionError, PlayerError, ClockError, OutputError, JournalError):
        plan = make()
        starts = starts_of(plan)
        for file in filter(None, (place, *others)):
            check_output(file)
        journal = Journal(place, JOURNAL, plan)
        found = Results(plan, test)
        resume(journal, found)
    return Prepared(plan, starts, journal, found)


def play_rest(game: Game, prepared: Prepared, threads: int, *, keep: bool = False) -> int:
    """Play the games that are left; return how many matches were saved in the library, if *keep*."""
    from papan.ai.engines import EngineError
    from papan.lab.journal import JournalError
    from papan.lab.tournament.results import Keeper, KeepingError, run

    plan, starts, journal, found = prepared
    with closing(journal), refusing(JournalError), failing(EngineError, OutputError, KeepingError):
        keeper = Keeper() if keep else None
        with working(say("playing")) as progress:

            def tell(played: Played) -> None:
                if keeper:
                    keeper.keep(one.record for one in played.games)
                done = len(found.games)
                progress(say("{game}: {done} of {games} games", game=game.title, done=done, games=plan.games))

            run(plan, starts, journal, found, threads, tell)
        return keeper.close() if keeper else 0


def print_heading(game: Game, prepared: Prepared, openings: int) -> None:
    show_said(
        "{game}: {games} games from {openings} openings, seed {seed}",
        game=game.title,
        games=len(prepared.found.games),
        openings=openings,
        seed=prepared.plan.seed,
    )
    show()


@dataclass(frozen=True)
class LevelsRequest(fields.MeetingsRequest):
    game: Game = fields.THE_GAME
    games: int = option(
        "Games of each level against the next.", WholeNumber(say("The number of games"), 1, 10**5), default=100
    )
    seconds: float = option(
        "Seconds per step for the top level (1 in normal play).",
        Number(say("The time"), 0.001, 3600.0),
        default=0.1,
        metavar="S",
        name="--time",
    )
    lowest: int = option(
        "The lowest level to compare; 0 for random steps.",
        WholeNumber(say("The lowest level"), 0, len(PLAYER_LEVELS) - 1),
        default=0,
        name="--from",
    )
    highest: int = option(
        "The highest level to compare.",
        WholeNumber(say("The highest level"), 1, len(PLAYER_LEVELS)),
        default=str(len(PLAYER_LEVELS)),
        name="--to",
    )


@command(LevelsRequest)
def levels(asked: LevelsRequest) -> None:
    """Measure how far apart the levels of GAME are.

    Each level plays --games times against the next one, and the lowest against random steps; each random opening is
    played twice, so that both have either side. Shows the upper level's share of the points with its 95 % interval, and
    which pairs miss the target: 65 to 85 %, and 50 to 80 % for the lowest level against random steps. With --from and
    --to only some levels play, with the same games as among all.
    """
    from papan.lab.arena import clock_for
    from papan.lab.tournament.results import ladder_facts, make_ladder, players_of

    def make() -> Plan:
        by = clock_for(asked.clock, asked.game, players_of(asked.seconds, asked.lowest, asked.highest))
        return make_ladder(
            asked.game,
            asked.options,
            asked.games,
            asked.turns,
            asked.seed,
            asked.seconds,
            by,
            asked.lowest,
            asked.highest,
        )

    prepared = prepare(make, asked.results)
    play_rest(asked.game, prepared, asked.threads)
    if asked.as_json:
        print_json(ladder_facts(prepared.plan, prepared.found))
    else:
        _print_levels(asked.game, prepared)


def _print_levels(game: Game, prepared: Prepared) -> None:
    from papan.lab.arena import told_clock
    from papan.lab.tournament.results import rungs, scores

    plan, found = prepared.plan, prepared.found
    print_heading(game, prepared, plan.openings)
    steps = rungs(plan, found)
    _print_rungs(steps)
    for player, had in zip(plan.players, scores(plan, found), strict=True):
        if had is not None:
            show(_told_scores(player, had))
    outside = [
        say(
            "{least} to {most} % for {player}",
            least=figures(100 * step.least, "g"),
            most=figures(100 * step.most, "g"),
            player=step.upper,
        )
        for step in steps
        if step.verdict
    ]
    show()
    if outside:
        show_said("Outside the target: {pairs}.", pairs=joined(outside, ", "))
    else:
        show_said("All pairs are within the target.")
    if "," in plan.players[-1]:
        show_said("The top level's thinking time is part of its name: {player}.", player=plan.players[-1])
    show(told_clock(plan.clock, plan.players))


def _print_rungs(steps: Sequence[Rung]) -> None:
    columns = texts(say("level"), say("against"))
    columns += numbers(say("share"), "95 %", say("won"), say("drawn"), say("lost")) + texts("")
    rows = []
    for step in steps:
        counts = (step.tally.wins, step.tally.draws, step.tally.losses)
        share = joined([figures(100 * step.tally.score, ".1f"), "%"])
        within = span(step.tally.interval, ".1f", 100)
        rows.append([step.upper, step.lower, share, within, *map(str, counts), step.verdict])
    table(columns, rows)


def _told_scores(player: str, had: Scores) -> Sentence:
    mean = figures(had.mean, ",.0f")
    if had.interval is None:
        return say("{player}: {points} points on average.", player=player, points=mean)
    low, high, lower, upper = (figures(value, ",.0f") for value in (*had.interval, *had.quartiles[1:4:2]))
    return say(
        "{player}: {points} points on average ({low} to {high}), half of the games between {lower} and {upper}.",
        player=player,
        points=mean,
        low=low,
        high=high,
        lower=lower,
        upper=upper,
    )
