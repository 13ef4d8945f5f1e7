"""Report sections on tournaments, on the levels of a game, and on matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from math import comb

from papan.ai.players.levels import PLAYER_LEVELS, player_level_of
from papan.game.base.sentences import Sentence, as_sentence, joined, say, say_number
from papan.lab.arena import DRAW
from papan.lab.tournament.plan import NAME, Plan
from papan.lab.tournament.playing import Played
from papan.lab.tournament.rating import STOPPED_EARLY, SequentialTest
from papan.lab.tournament.results import ChosenTest, Results, facts, ladder_facts
from papan.report.fields import (
    Fields,
    Made,
    MalformedError,
    clocked,
    game_section,
    made,
    not_finished,
    opponents,
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
    bounds,
    in_percent,
    number,
    number_columns,
    percent,
    words,
    written,
)

KIND = say("Tournament")
_SHARE, _EVEN = Axis(say("share of points"), " %", 1), Reference(50.0, say("an even share"))
MOST_PLAYERS = 200
"""The most players of a journal, as ratings need a matrix of all pairs."""
MOST_GROUPS = 20_000
"""The most groups of a journal, as each is counted separately."""
_RATED = say("Elo: logistic model, maximum likelihood, mean 0; 95 % intervals take openings as independent.")
_VERDICTS = {"stronger": say("the first is stronger"), "not stronger": say("the first is not stronger")}


def section(answer: Fields, how: Made) -> Section:
    how = clocked(how, answer)
    players = answer.texts("players")
    standings = answer.rows("standings")
    if not standings or len(standings) != len(players):
        raise MalformedError.saying("there is not one standing for each player.")
    name, games = answer.text("name"), answer.whole("games")
    openings = "openings_played" if answer.has("openings_played") else "openings"
    several = say_number("{count} player", "{count} players", len(players))
    trials = answer.rows("sequential_tests")
    stopped = [STOPPED_EARLY] if any(trial.flag("stopped_early") for trial in trials) else []
    return game_section(
        KIND,
        answer,
        several if name == NAME else name,
        how,
        [
            (say("Games"), written(games)),
            (say("Openings"), written(answer.whole(openings))),
        ],
        paragraphs=(*_best(standings), *[*map(_told_test, trials), *stopped], _RATED),
        plots=_ratings(standings),
        tables=[_standings(standings), *_cross_table(answer, players, standings), *_forfeits(answer)],
    )


def journal_section(plan: Plan, entries: Sequence[Played | ChosenTest], damaged: int) -> Section:
    """The section of the journal of a tournament, or of a game's levels."""
    seats = range(1, 3) if plan.is_ladder else range(2, len(plan.players) + 1)
    if plan.seats not in seats or len(plan.players) > MOST_PLAYERS or comb(len(plan.players), plan.seats) > MOST_GROUPS:
        raise MalformedError.saying("its plan has an impossible number of seats or players.")
    tests = [entry.test for entry in entries if isinstance(entry, ChosenTest)]
    results = Results(plan, tests[-1] if tests and plan.seats == 2 else None)
    for entry in entries:
        if isinstance(entry, Played):
            results.add(entry)
    how = made(_command(plan, results.test), plan.seed, None)
    played = len(results.games)
    warning = "" if results.is_over else not_finished(played, plan.games)
    if not played:
        kind, name = (LEVELS, say("levels")) if plan.is_ladder else (KIND, plan.name)
        how = clocked(how, Fields.of(asdict(plan)))
        return Section(kind, titled(plan.game, name), how.command, how.facts, warning)
    found = ladder_facts(plan, results) if plan.is_ladder else facts(plan, results)
    told = levels_section if plan.is_ladder else section
    return replace(told(Fields.of(found), how), warning=warning)


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
    if not highest:
        return []
    low, high = ["--from", str(lowest)], ["--to", str(highest)]
    return [*(low if lowest else []), *(high if highest < len(PLAYER_LEVELS) else [])]


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


def _ratings(standings: Sequence[Fields]) -> list[Comparison]:
    rated = [standing for standing in standings if standing.has("elo")]
    items = []
    for name, standing in zip(told_apart([one.text("player") for one in rated]), rated, strict=True):
        elo, margin = standing.number("elo"), abs(standing.number("margin_95"))
        items.append(Item(name, elo, Interval(elo - margin, elo + margin)))
    if not items:
        return []
    return [Comparison(say("Ratings"), Axis("Elo", is_signed=True), items, reference=Reference(0.0, say("the mean")))]


def _standings(standings: Sequence[Fields]) -> Table:
    columns = [
        *(Column("#", True), Column(say("player"))),
        *number_columns("Elo", "±", say("score"), say("games"), say("won"), say("drawn"), say("lost")),
        *number_columns(say("forfeits"), say("s a step")),
    ]
    rows = [
        [
            number(rank),
            words(one.text("player")),
            number(one.number("elo"), is_signed=True) if one.has("elo") else EMPTY,
            _number(one, "margin_95"),
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
    columns = [Column("#", True), Column(say("player")), *number_columns(*map(str, range(1, len(order) + 1)))]
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


LEVELS = say("Levels")
_COLUMNS = (
    *(Column(say("level")), Column(say("against"))),
    *number_columns(say("share"), "95 %", say("won"), say("drawn"), say("lost"), say("target, %")),
    Column(say("verdict")),
)
_QUARTILES = 5
_SCORES = (
    *(say("mean score"), "95 %", say("least"), say("lower quartile"), say("median"), say("upper quartile")),
    say("most"),
)


def levels_section(answer: Fields, how: Made) -> Section:
    how = clocked(how, answer)
    pairs, levels = answer.rows("pairs"), answer.rows("levels")
    outside = sum(pair.has("verdict") for pair in pairs)
    shares = [
        Item(pair.text("upper"), 100 * pair.number("score"), in_percent(pair.interval("interval_95"))) for pair in pairs
    ]
    return game_section(
        LEVELS,
        answer,
        say("levels"),
        how,
        [
            (say("Games"), written(answer.whole("games"))),
            (say("Openings"), written(answer.whole("openings"))),
        ],
        paragraphs=[
            say_number(
                "{count} of {pairs} pairs is outside the target.",
                "{count} of {pairs} pairs are outside the target.",
                outside,
                pairs=len(pairs),
            )
        ],
        plots=[Comparison(say("Against the level below"), _SHARE, shares, reference=_EVEN), *_mean_scores(levels)],
        tables=[Table(say("Pairs"), _COLUMNS, [_pair(pair) for pair in pairs]), _levels_table(levels)],
    )


def _mean_scores(levels: Sequence[Fields]) -> list[Comparison]:
    """The scores in a one-player game; nothing in other games."""
    items = [
        Item(
            level.text("player"),
            level.number("mean_score"),
            level.interval("mean_interval_95") if level.has("mean_interval_95") else None,
        )
        for level in levels
        if level.has("mean_score")
    ]
    return [Comparison(say("Mean scores"), Axis(say("points")), items)] if items else []


def _pair(pair: Fields) -> list[Cell]:
    return [
        words(pair.text("upper")),
        words(pair.text("lower")),
        percent(pair.number("score")),
        bounds(in_percent(pair.interval("interval_95"))),
        *(number(pair.whole(name)) for name in ("wins", "draws", "losses")),
        bounds(in_percent(pair.interval("asked")), 0),
        words(as_sentence(pair.text("verdict")) if pair.has("verdict") else ""),
    ]


def _levels_table(levels: Sequence[Fields]) -> Table:
    """Each level by itself: its scores in a one-player game, otherwise its rating."""
    has_scores = any(level.has("mean_score") for level in levels)
    rows = [
        [
            words(level.text("player")),
            *(_scores(level) if has_scores else (_number(level, "elo"), _number(level, "margin_95"))),
            number(level.number("seconds_a_step"), 3),
            number(level.whole("forfeits")),
        ]
        for level in levels
    ]
    measured = number_columns(*(_SCORES if has_scores else ("Elo", "±")), say("s a step"), say("forfeits"))
    return Table(say("Levels"), (Column(say("player")), *measured), rows)


def _scores(level: Fields) -> list[Cell]:
    interval = bounds(level.interval("mean_interval_95"), 0) if level.has("mean_interval_95") else EMPTY
    quartiles = level.numbers("score_quartiles") if level.has("score_quartiles") else []
    if len(quartiles) not in (0, _QUARTILES):
        raise MalformedError.saying("the number of quartiles is wrong.")
    return [_number(level, "mean_score"), interval, *(map(number, quartiles) if quartiles else [EMPTY] * _QUARTILES)]


def _number(level: Fields, name: str) -> Cell:
    return number(level.number(name) if level.has(name) else None)


def match_section(answer: Fields, how: Made) -> Section:
    known = clocked(how, answer)
    return _comparison(answer, known) if answer.has("openings") else _match(answer, known)


def _match(answer: Fields, how: Made) -> Section:
    seats = answer.texts("seats")
    payoffs = answer.numbers("payoffs")
    if len(payoffs) != len(seats):
        raise MalformedError.saying("there is not one payoff for each seat.")
    places = [
        [number(place), words(seat), number(paid, 1)]
        for place, (seat, paid) in enumerate(zip(seats, payoffs, strict=True), 1)
    ]
    turns = [
        [
            number(place),
            number(turn.whole("seat")) if turn.has("seat") else words(say("chance")),
            words(turn.text("notation")),
        ]
        for place, turn in enumerate(answer.rows("turns"), start=1)
    ]
    return game_section(
        say("Match"),
        answer,
        opponents(seats),
        how,
        [(say("Result"), answer.text("result"))],
        paragraphs=[
            say_number(
                "{result} after {count} turn: {reason}.",
                "{result} after {count} turns: {reason}.",
                len(turns),
                count=written(len(turns)),
                result=answer.text("result"),
                reason=as_sentence(answer.text("reason")),
            )
        ],
        tables=[
            Table(
                say("Seats"), (Column(say("seat"), True), Column(say("player")), Column(say("payoff"), True)), places
            ),
            Table(say("Turns"), (*number_columns(say("turn"), say("seat")), Column(say("played"))), turns),
        ],
    )


def _comparison(answer: Fields, how: Made) -> Section:
    players = answer.texts("players")
    forfeits, spent = answer.wholes("forfeits"), answer.numbers("seconds_a_step")
    if not len(players) == len(forfeits) == len(spent) == 2:
        raise MalformedError.saying("a comparison needs two players.")
    wins, draws, losses = (answer.whole(name) for name in ("wins", "draws", "losses"))
    score, interval = 100 * answer.number("score"), in_percent(answer.interval("interval_95"))
    other = Interval(100 - interval.high, 100 - interval.low)
    one, second = told_apart(players)
    items = [Item(one, score, interval), Item(second, 100 - score, other)]
    counts = ((wins, draws, losses), (losses, draws, wins))
    rows = [
        [words(name), *map(number, counted), number(forfeit), number(seconds, 3)]
        for name, counted, forfeit, seconds in zip(players, counts, forfeits, spent, strict=True)
    ]
    columns = number_columns(say("won"), say("drawn"), say("lost"), say("forfeits"), say("s a step"))
    return game_section(
        say("Comparison"),
        answer,
        opponents(players),
        how,
        [
            (say("Matches"), written(wins + draws + losses)),
            (say("Openings"), written(answer.whole("openings"))),
        ],
        paragraphs=[
            say(
                "{one} scored {score} % against {other} (95 % interval: {low} to {high} %). A match took {turns} "
                "turns on average.",
                one=players[0],
                other=players[1],
                score=written(score, 1),
                low=written(interval.low, 1),
                high=written(interval.high, 1),
                turns=written(answer.number("turns_a_match"), 1),
            )
        ],
        plots=[Comparison(say("Points"), _SHARE, items, reference=_EVEN)],
        tables=[Table(say("Matches"), [Column(say("player")), *columns], rows)],
    )
