"""Report sections on tournaments: ratings with error bars, standings, and head-to-head scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb

from papan.ai.players.levels import PLAYER_LEVELS, player_level_of
from papan.game.base.sentences import Sentence, as_sentence, joined, say, say_number
from papan.lab.arena import DRAW
from papan.lab.tournament import ladder
from papan.lab.tournament.plan import NAME, Plan
from papan.lab.tournament.playing import Played
from papan.lab.tournament.rating import STOPPED_EARLY, SequentialTest
from papan.lab.tournament.results import Results, facts
from papan.lab.tournament.running import ChosenTest
from papan.report import levels
from papan.report.fields import Fields, MalformedError
from papan.report.making import (
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
from papan.report.sections import (
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

KIND = say("Tournament")
MOST_PLAYERS = 200
"""The most players of a journal, as ratings need a matrix of all pairs."""
MOST_GROUPS = 20_000
"""The most groups of a journal, as each is counted separately."""
_RATED = say("Elo: logistic model, maximum likelihood, mean 0; 95 % intervals take openings as independent.")
_VERDICTS = {"stronger": say("the first is stronger"), "not stronger": say("the first is not stronger")}


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``tournament``."""
    how = clocked(how, answer)
    players = answer.texts("players")
    standings = answer.rows("standings")
    if not standings or len(standings) != len(players):
        raise MalformedError(say("there is not one standing for each player."))
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


def journal_section(plan: Plan, entries: Sequence[Played | ChosenTest], damaged: int) -> Section:
    """The section of the journal of a tournament, or of a game's levels."""
    seats = range(1, 3) if plan.is_ladder else range(2, len(plan.players) + 1)
    if plan.seats not in seats or len(plan.players) > MOST_PLAYERS or comb(len(plan.players), plan.seats) > MOST_GROUPS:
        raise MalformedError(say("its plan has an impossible number of seats or players."))
    tests = [entry.test for entry in entries if isinstance(entry, ChosenTest)]
    results = Results(plan, tests[-1] if tests and plan.seats == 2 else None)
    for entry in entries:
        if isinstance(entry, Played):
            results.add(entry)
    how = made(_command(plan, results.test), plan.seed, None)
    played = len(results.games)
    warning = "" if results.is_over else not_finished(played, plan.games)
    if not played:
        kind, name = (levels.KIND, say("levels")) if plan.is_ladder else (KIND, plan.name)
        how = clocked(how, Fields.of(plan.as_data()))
        return Section(kind, titled(plan.game, name), how.command, how.facts, warning)
    found = ladder.facts(plan, results) if plan.is_ladder else facts(plan, results)
    told = levels.section if plan.is_ladder else section
    return replace(told(Fields.of(found), how), warning=warning)


# --------------------------------------------------------------------------------------------- journals


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
    """The options for the levels that *plan* compares, if not all."""
    lowest, highest = (step.number if (step := player_level_of(plan.players[end])) else 0 for end in (0, -1))
    words = [
        *(["--from", str(lowest)] if lowest else []),
        *(["--to", str(highest)] if highest < len(PLAYER_LEVELS) else []),
    ]
    return words if highest else []


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
    verdict = verdict or say("undecided")
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
    """Points of the row's player against the column's; nothing if two players have the same name."""
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
    return [Table(say("Points of the row's player against the column's"), columns, rows)]


def _score(one: Fields) -> Cell:
    wins, draws, losses = (one.whole(name) for name in ("wins", "draws", "losses"))
    score = min(1.0, max(0.0, one.number("score")))
    points = joined([written(wins + draws / 2, draws % 2), written(wins + draws + losses)], "/")
    return Cell(points, score, score)


def _forfeits(answer: Fields) -> list[Table]:
    columns = (Column(say("player")), Column(say("seat"), True), Column(say("reason")))
    rows = [
        [words(one.text("player")), number(one.whole("seat")), words(as_sentence(one.text("reason")))]
        for one in answer.rows("forfeits")
    ]
    return [Table(say("Forfeits"), columns, rows)] if rows else []
