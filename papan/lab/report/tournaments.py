"""What a report says of a tournament: ratings with their error bars, standings, and who had how much of whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import comb

from papan.ai.levels import STEPS, step_of
from papan.game.base.sentences import Sentence, joined, kept, say, say_number
from papan.game.kernel.clock import WALL
from papan.lab.arena import DRAW
from papan.lab.journal import Entry
from papan.lab.report import levels
from papan.lab.report.fields import Fields, MalformedError
from papan.lab.report.making import (
    Made,
    clocked,
    made,
    not_finished,
    opponents,
    options_facts,
    options_words,
    titled,
    told_apart,
)
from papan.lab.report.sections import (
    EMPTY,
    Axis,
    Cell,
    Column,
    Comparison,
    Interval,
    Item,
    Reference,
    Section,
    Table,
    number,
    percent,
    words,
    written,
)
from papan.lab.tournament import ladder
from papan.lab.tournament.facts import facts
from papan.lab.tournament.plan import NAME, Encounter, Plan
from papan.lab.tournament.playing import GameResult, Played
from papan.lab.tournament.results import Results
from papan.lab.tournament.running import TEST
from papan.lab.tournament.sequential import STOPPED_EARLY, SequentialTest

KIND = say("Tournament")
MOST_PLAYERS = 200
"""In a journal: ratings are computed from a table of all pairs."""
MOST_GROUPS = 20_000
"""In a journal: each group of players that meets is counted by itself."""
_RATED = say("Elo is logistic, most likely, with mean 0; intervals are of 95 %, openings taken as independent.")
_VERDICTS = {"stronger": say("the first is stronger"), "not stronger": say("the first is not stronger")}


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``tournament``."""
    how = clocked(how, answer)
    players = answer.texts("players")
    standings = answer.rows("standings")
    if not standings or len(standings) != len(players):
        raise MalformedError(say("there are not as many standings as players."))
    name, games = answer.text("name"), answer.whole("games")
    openings = "openings_played" if answer.has("openings_played") else "openings"
    several = say_number("{count} player", "{count} players", len(players))
    return Section(
        KIND,
        titled(answer.text("game"), several if name == NAME else name),
        how.command,
        (
            (say("Games"), written(games)),
            (say("Openings"), written(answer.whole(openings))),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        paragraphs=(*_best(standings), *_told_tests(answer), _RATED),
        plots=_ratings(standings),
        tables=[_standings(standings), *_cross_table(answer, players, standings), *_forfeits(answer)],
    )


def journal_section(plan: Fields, entries: Iterator[Entry | None]) -> Section:
    """The section of the journal of a tournament, or of a game's levels."""
    known = _plan(plan)
    results = _results(known, entries)
    how = made(_command(known, results.test), known.seed, None)
    played = len(results.games)
    warning = "" if results.is_over else not_finished(played, known.games)
    if not played:
        kind, name = (levels.KIND, say("levels")) if known.is_ladder else (KIND, known.name)
        how = clocked(how, Fields.of(known.as_data()))
        return Section(kind, titled(known.game, name), how.command, how.facts, warning)
    found = ladder.facts(known, results) if known.is_ladder else facts(known, results)
    told = levels.section if known.is_ladder else section
    return replace(told(Fields.of(found), how), warning=warning)


def _results(plan: Plan, entries: Iterator[Entry | None]) -> Results:
    """What was played, by the test that the journal names last."""
    test: SequentialTest | None = None
    played: list[Played] = []
    for line, entry in enumerate(entries, start=2):
        try:
            found = Fields(entry)
            if entry is not None and TEST in entry:
                test = _test(found.fields(TEST)) if found.has(TEST) else None
            else:
                played.append(_played(found, plan))
        except MalformedError as error:
            raise MalformedError(say("line {line} is no encounter: {reason}", line=line, reason=str(error))) from None
    results = Results(plan, test if plan.seats == 2 else None)
    for one in played:
        results.add(one)
    return results


def _test(known: Fields) -> SequentialTest:
    return SequentialTest(*(known.number(name) for name in SequentialTest._fields))


# --------------------------------------------------------------------------------------------- journals


def _plan(plan: Fields) -> Plan:
    known = Plan(
        plan.text("game"),
        plan.whole("game_version"),
        tuple(plan.pairs("options").items()),
        tuple(plan.texts("players")),
        plan.whole("seats"),
        plan.whole("rounds"),
        plan.whole("openings"),
        plan.whole("turns"),
        plan.whole("seed"),
        plan.number("time_limit") if plan.has("time_limit") else None,
        plan.number("margin"),
        plan.text("name"),
        is_ladder=plan.flag("is_ladder"),
        clock=plan.text("clock") if plan.has("clock") else WALL,  # journals did not name it when there was no other
        no_move=plan.text("no_move") if plan.has("no_move") else DRAW,
    )
    if not (2 <= len(known.players) <= MOST_PLAYERS and known.rounds > 0 and known.openings > 0):
        raise MalformedError(say("its plan has no players, rounds or openings, or too many."))
    seats = range(1, 3) if known.is_ladder else range(2, len(known.players) + 1)
    if known.seats not in seats or comb(len(known.players), known.seats) > MOST_GROUPS:
        raise MalformedError(say("its plan has a number of seats that can't be."))
    return known


def _command(plan: Plan, test: SequentialTest | None) -> list[str]:
    limit = [] if plan.time_limit is None else ["--time-limit", f"{plan.time_limit:g}", "--margin", f"{plan.margin:g}"]
    sprt = [] if test is None else ["--sprt", ",".join(f"{value:g}" for value in test)]
    name = [] if plan.name == NAME else ["--name", plan.name]
    no_move = [] if plan.no_move == DRAW else ["--no-move", plan.no_move]
    turns = ["--turns", str(plan.turns)]
    if plan.is_ladder:
        games, seconds = str(plan.rounds * plan.seats), plan.players[-1].partition("time=")[2]
        asked = [*(["--time", seconds] if seconds else []), *_levels(plan), *(turns if plan.seats == 2 else [])]
        return ["levels", plan.game, "--games", games, *asked, *options_words(dict(plan.options))]
    return [
        *("tournament", plan.game, *plan.players),
        *("--games", str(plan.rounds * plan.seats), "--openings", str(plan.openings)),
        *(*turns, *limit, *no_move, *sprt, *name, *options_words(dict(plan.options))),
    ]


def _levels(plan: Plan) -> list[str]:
    """Which of the levels *plan* compares, where it is not all of them."""
    lowest, highest = (step.number if (step := step_of(plan.players[end])) else 0 for end in (0, -1))
    words = [*(["--from", str(lowest)] if lowest else []), *(["--to", str(highest)] if highest < len(STEPS) else [])]
    return words if highest else []


def _played(entry: Fields, plan: Plan) -> Played:
    group, number_of_round = tuple(entry.wholes("group")), entry.whole("round")
    games = tuple(_game(game, group) for game in entry.rows("games"))
    is_group = len(set(group)) == len(group) == plan.seats and all(0 <= one < len(plan.players) for one in group)
    if not (is_group and 0 <= number_of_round < plan.rounds and len(games) == plan.seats):
        raise MalformedError(say("it is none of the plan."))
    return Played(Encounter(group, number_of_round), games, entry.number("seconds"))


def _game(game: Fields, group: Sequence[int]) -> GameResult:
    result = GameResult(
        tuple(game.wholes("players")),
        tuple(game.numbers("payoffs")),
        game.text("reason"),
        game.whole("turns"),
        tuple(game.numbers("seconds")),
        tuple(game.wholes("choices")),
        "",
        game.whole("forfeit") if game.has("forfeit") else None,
    )
    lengths = {len(group), len(result.players), len(result.payoffs), len(result.seconds), len(result.choices)}
    has_forfeited = result.forfeit is None or 0 <= result.forfeit < len(group)
    if len(lengths) > 1 or set(result.players) != set(group) or not has_forfeited:
        raise MalformedError(say("its players are others."))
    return result


# ---------------------------------------------------------------------------------------------- in words


def _best(standings: Sequence[Fields]) -> list[Sentence]:
    best = standings[0]
    if not best.has("elo"):
        return []
    elo, margin = best.number("elo"), best.number("margin_95")
    share = 100 * best.number("points") / max(1, best.whole("games"))
    return [
        say(
            "{player} came first with {elo} ± {margin} Elo and {share} % of the points.",
            player=best.text("player"),
            elo=written(elo, is_signed=True),
            margin=written(margin),
            share=written(share, 1),
        )
    ]


def _told_tests(answer: Fields) -> list[Sentence]:
    trials = answer.rows("sequential_tests")
    stopped = [STOPPED_EARLY] if any(trial.flag("stopped_early") for trial in trials) else []
    return [*map(_told_test, trials), *stopped]


def _told_test(trial: Fields) -> Sentence:
    players = opponents(trial.texts("players"))
    verdict = _VERDICTS.get(trial.text("verdict")) if trial.has("verdict") else None
    low, high = (written(bound, 2) for bound in trial.interval("bounds"))
    games, ratio = written(trial.whole("games")), written(trial.number("log_likelihood_ratio"), 2)
    verdict = verdict or say("it is not decided")
    if trial.flag("stopped_early"):
        return say(
            "The sequential test of {players} stopped after {games} of {most} games: {verdict} (log-likelihood ratio "
            "{ratio}, bounds {low} and {high}).",
            players=players,
            games=games,
            most=written(trial.whole("most_games")),
            verdict=verdict,
            ratio=ratio,
            low=low,
            high=high,
        )
    return say(
        "Sequential test of {players} after {games} games: {verdict} (log-likelihood ratio {ratio}, bounds {low} and "
        "{high}).",
        players=players,
        games=games,
        verdict=verdict,
        ratio=ratio,
        low=low,
        high=high,
    )


# ---------------------------------------------------------------------------------------------- in figures


def _ratings(standings: Sequence[Fields]) -> tuple[Comparison, ...]:
    rated = [standing for standing in standings if standing.has("elo")]
    items = []
    for name, standing in zip(told_apart([one.text("player") for one in rated]), rated, strict=True):
        elo, margin = standing.number("elo"), abs(standing.number("margin_95"))
        items.append(Item(name, elo, Interval(elo - margin, elo + margin)))
    return (
        (Comparison(say("Ratings"), Axis("Elo", is_signed=True), items, reference=Reference(0.0, say("the mean"))),)
        if items
        else ()
    )


def _standings(standings: Sequence[Fields]) -> Table:
    headings = (
        *("Elo", "±", say("score"), say("games"), say("won"), say("drawn"), say("lost")),
        *(say("forfeits"), say("s a step")),
    )
    columns = [Column("#", True), Column(say("player")), *(Column(heading, True) for heading in headings)]
    rows = [
        [
            number(rank),
            words(one.text("player")),
            number(one.number("elo"), is_signed=True) if one.has("elo") else EMPTY,
            number(one.number("margin_95")) if one.has("margin_95") else EMPTY,
            percent(one.number("points") / max(1, one.whole("games"))),
            *(number(one.whole(name)) for name in ("games", "wins", "draws", "losses", "forfeits")),
            number(one.number("seconds_a_step"), 3),
        ]
        for rank, one in enumerate(standings, start=1)
    ]
    return Table(say("Standings"), columns, rows)


def _cross_table(answer: Fields, players: Sequence[str], standings: Sequence[Fields]) -> list[Table]:
    """Points of the row's player against the column's; none where two have one name, and nobody knows whose it is."""
    if len(set(players)) < len(players):
        return []
    order = [one.text("player") for one in standings]
    cells = {(one.text("player"), one.text("against")): _score(one) for one in answer.rows("cross_table")}
    columns = [
        Column("#", True),
        Column(say("player")),
        *(Column(str(rank), True) for rank in range(1, len(order) + 1)),
    ]
    rows = [
        [number(rank), words(one), *(cells.get((one, other), Cell("·")) for other in order)]
        for rank, one in enumerate(order, start=1)
    ]
    return [Table(say("Points of the player in the row against that in the column"), columns, rows)]


def _score(one: Fields) -> Cell:
    wins, draws, losses = (one.whole(name) for name in ("wins", "draws", "losses"))
    score = min(1.0, max(0.0, one.number("score")))
    points = joined([written(wins + draws / 2, draws % 2), written(wins + draws + losses)], "/")
    return Cell(points, score, score)


def _forfeits(answer: Fields) -> list[Table]:
    columns = (Column(say("player")), Column(say("seat"), True), Column(say("reason")))
    rows = [
        [words(one.text("player")), number(one.whole("seat")), words(kept(one.text("reason")))]
        for one in answer.rows("forfeits")
    ]
    return [Table(say("Forfeits"), columns, rows)] if rows else []
