"""What a report says of a tournament: ratings with their error bars, standings, and who had how much of whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from papan.lab.journal import Entry
from papan.lab.report.fields import Fields, MalformedError
from papan.lab.report.making import Made, game_title, made, options_facts, options_words, told_apart
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
from papan.lab.tournament.facts import facts
from papan.lab.tournament.plan import Encounter, Plan
from papan.lab.tournament.playing import GameResult, Played
from papan.lab.tournament.results import Results

KIND = "Tournament"
MOST_PLAYERS = 200
"""In a journal: ratings are computed from a table of all pairs."""
_RATED = "Elo is logistic, most likely, with mean 0; intervals are of 95 %, openings taken as independent."
_VERDICTS = {"stronger": "the first is stronger", "not stronger": "the first is not stronger"}


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``tournament``."""
    players = answer.texts("players")
    standings = answer.rows("standings")
    if not standings or len(standings) != len(players):
        raise MalformedError("there are not as many standings as players.")
    name, games = answer.text("name"), answer.whole("games")
    title = game_title(answer.text("game"))
    return Section(
        KIND,
        f"{title}: {len(players)} players" if name == KIND else f"{title}: {name}",
        how.command,
        (
            ("Games", written(games)),
            ("Openings", written(answer.whole("openings"))),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        paragraphs=(*_best(standings), *_told_tests(answer), _RATED),
        plots=_ratings(standings),
        tables=[_standings(standings), *_cross_table(answer, players, standings), *_forfeits(answer)],
    )


def journal_section(plan: Fields, entries: Iterator[Entry | None]) -> Section:
    """The section of the journal of a tournament."""
    known = _plan(plan)
    results = Results(known)
    for line, entry in enumerate(entries, start=2):
        try:
            results.add(_played(Fields(entry), known))
        except MalformedError as error:
            raise MalformedError(f"line {line} is no encounter: {error}") from None
    how = made(_command(known), known.seed, None)
    played, total = len(results.games), known.games
    warning = f"Not finished: {written(played)} of {written(total)} games are played." if played < total else ""
    if not played:
        return Section(KIND, f"{game_title(known.game)}: {known.name}", how.command, how.facts, warning)
    return replace(section(Fields.of(facts(known, results)), how), warning=warning)


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
    )
    if not (2 <= known.seats <= len(known.players) <= MOST_PLAYERS and known.rounds > 0 and known.openings > 0):
        raise MalformedError("its plan has no players, rounds or openings, or too many.")
    return known


def _command(plan: Plan) -> list[str]:
    limit = [] if plan.time_limit is None else ["--time-limit", f"{plan.time_limit:g}", "--margin", f"{plan.margin:g}"]
    name = [] if plan.name == KIND else ["--name", plan.name]
    if plan.is_ladder:
        return ["levels", plan.game, "--games", str(plan.rounds * plan.seats), *options_words(dict(plan.options))]
    return [
        *("tournament", plan.game, *plan.players),
        *("--games", str(plan.rounds * plan.seats), "--openings", str(plan.openings), "--turns", str(plan.turns)),
        *(*limit, *name, *options_words(dict(plan.options))),
    ]


def _played(entry: Fields, plan: Plan) -> Played:
    group, number_of_round = tuple(entry.wholes("group")), entry.whole("round")
    games = tuple(_game(game, group) for game in entry.rows("games"))
    is_group = len(set(group)) == len(group) == plan.seats and all(0 <= one < len(plan.players) for one in group)
    if not (is_group and 0 <= number_of_round < plan.rounds and len(games) == plan.seats):
        raise MalformedError("it is none of the plan.")
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
        raise MalformedError("its players are others.")
    return result


# ---------------------------------------------------------------------------------------------- in words


def _best(standings: Sequence[Fields]) -> list[str]:
    best = standings[0]
    if not best.has("elo"):
        return []
    elo, margin = best.number("elo"), best.number("margin_95")
    share = 100 * best.number("points") / max(1, best.whole("games"))
    return [
        f"{best.text('player')} came first with {written(elo, is_signed=True)} ± {written(margin)} Elo and "
        f"{share:.1f} % of the points."
    ]


def _told_tests(answer: Fields) -> list[str]:
    told = []
    for trial in answer.rows("sequential_tests"):
        verdict = _VERDICTS.get(trial.text("verdict"), "") if trial.has("verdict") else "it is not decided"
        low, high = trial.interval("bounds")
        told.append(
            f"Sequential test of {' and '.join(trial.texts('players'))} after {written(trial.whole('games'))} games: "
            f"{verdict} (log-likelihood ratio {written(trial.number('log_likelihood_ratio'), 2)}, bounds "
            f"{written(low, 2)} and {written(high, 2)})."
        )
    return told


# ---------------------------------------------------------------------------------------------- in figures


def _ratings(standings: Sequence[Fields]) -> tuple[Comparison, ...]:
    rated = [standing for standing in standings if standing.has("elo")]
    items = []
    for name, standing in zip(told_apart([one.text("player") for one in rated]), rated, strict=True):
        elo, margin = standing.number("elo"), abs(standing.number("margin_95"))
        items.append(Item(name, elo, Interval(elo - margin, elo + margin)))
    return (
        (Comparison("Ratings", Axis("Elo", is_signed=True), items, reference=Reference(0.0, "the mean")),)
        if items
        else ()
    )


def _standings(standings: Sequence[Fields]) -> Table:
    headings = ("Elo", "±", "score", "games", "won", "drawn", "lost", "forfeits", "s a step")
    columns = [Column("#", True), Column("player"), *(Column(heading, True) for heading in headings)]
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
    return Table("Standings", columns, rows)


def _cross_table(answer: Fields, players: Sequence[str], standings: Sequence[Fields]) -> list[Table]:
    """Points of the row's player against the column's; none where two have one name, and nobody knows whose it is."""
    if len(set(players)) < len(players):
        return []
    order = [one.text("player") for one in standings]
    cells = {(one.text("player"), one.text("against")): _score(one) for one in answer.rows("cross_table")}
    columns = [Column("#", True), Column("player"), *(Column(str(rank), True) for rank in range(1, len(order) + 1))]
    rows = [
        [number(rank), words(one), *(cells.get((one, other), Cell("·")) for other in order)]
        for rank, one in enumerate(order, start=1)
    ]
    return [Table("Points of the player in the row against that in the column", columns, rows)]


def _score(one: Fields) -> Cell:
    wins, draws, losses = (one.whole(name) for name in ("wins", "draws", "losses"))
    score = min(1.0, max(0.0, one.number("score")))
    return Cell(f"{written(wins + draws / 2, draws % 2)}/{written(wins + draws + losses)}", score, score)


def _forfeits(answer: Fields) -> list[Table]:
    columns = (Column("player"), Column("seat", True), Column("reason"))
    rows = [
        [words(one.text("player")), number(one.whole("seat")), words(one.text("reason"))]
        for one in answer.rows("forfeits")
    ]
    return [Table("Forfeits", columns, rows)] if rows else []
