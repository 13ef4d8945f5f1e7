"""Report sections on simulations: wins by player and seat, and how games ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from papan.game.base.sentences import Sentence, as_sentence, joined, say, say_number
from papan.lab.simulation.counts import Counts, facts
from papan.lab.simulation.plan import Plan
from papan.lab.simulation.running import Batch, Finished
from papan.report.fields import (
    Fields,
    Made,
    MalformedError,
    digits_for,
    game_section,
    made,
    not_finished,
    opponents,
    titled,
    told_apart,
)
from papan.report.sections import (
    Axis,
    Cell,
    Column,
    Comparison,
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

KIND = say("Simulation")
REASONS_SHOWN = 10
"""The number of most common reasons in the plot."""


_Rates = Mapping[str, Fields]
"""The results of players or seats, by their names."""


def section(answer: Fields, how: Made) -> Section:
    plain_names = [player.text("player") for player in answer.rows("players")]
    players = dict(zip(told_apart(plain_names), answer.rows("players"), strict=True))
    seats: _Rates = {say("seat {seat}", seat=place): rate for place, rate in enumerate(answer.rows("seats"), start=1)}
    games = answer.whole("games")
    if games < 1 or not players or len(players) != len(seats):
        raise MalformedError.saying("it has no games or no players.")
    has_score = len(players) == 1
    steps = say(
        "On average, a game has {turns} turns and {steps} steps, and a choice has {choices} legal steps.",
        turns=written(answer.number("turns_a_game"), 2),
        steps=written(answer.number("steps_a_game"), 2),
        choices=written(answer.number("legal_steps_a_choice"), 2),
    )
    return game_section(
        KIND,
        answer,
        opponents(plain_names),
        how,
        [(say("Games"), written(games))],
        paragraphs=(_score_sentence(players) if has_score else _win_sentence(answer, players), steps),
        plots=(*(() if has_score else _win_plots(players, seats)), _endings(answer.fields("reasons"), games)),
        tables=[_score_table(players)] if has_score else _win_tables(players, seats),
    )


def journal_section(plan: Plan, batches: Sequence[Batch], damaged: int) -> Section:
    """The section of the journal of a simulation; batches of *damaged* lines count as not played."""
    total, finished = Counts.of_seats(len(plan.players)), Finished()
    for one in batches:
        if finished.add(one.batch):
            total.add(one.counts.counts)
    how = made(["simulate", *plan.words], plan.seed, plan.version)
    warning = not_finished(total.games, plan.games)
    if not total.games:
        return Section(KIND, titled(plan.game, opponents(plan.players)), how.command, how.facts, warning)
    found = section(Fields.of(facts(plan, total)), how)
    return found if total.games == plan.games else replace(found, warning=warning)


# ------------------------------------------------------------------------------------------- two and more


def _win_sentence(answer: Fields, players: _Rates) -> Sentence:
    name, best = max(players.items(), key=lambda player: player[1].number("win_rate"))
    digits = digits_for(best.whole("games"))
    low, high = in_percent(best.interval("win_interval_95"))
    undecided = answer.whole("games_without_a_winner")
    most = say(
        "{player} won most: {share} % of its games (95 % interval: {low} to {high} %).",
        player=name,
        share=written(100 * best.number("win_rate"), digits),
        low=written(low, digits),
        high=written(high, digits),
    )
    draws = say_number(
        "{count} game had no winner.", "{count} games had no winner.", undecided, count=written(undecided)
    )
    return joined([most, draws if undecided else say("Every game had a winner.")])


def _win_plots(players: _Rates, seats: _Rates) -> tuple[Comparison, ...]:
    axis = Axis(say("games won"), " %", digits_for(next(iter(players.values())).whole("games")))

    def plot(title: str, rates: _Rates) -> Comparison:
        items = [
            Item(name, 100 * rate.number("win_rate"), in_percent(rate.interval("win_interval_95")))
            for name, rate in rates.items()
        ]
        return Comparison(title, axis, items, reference=Reference(100 / len(rates), say("an even share")))

    return plot(say("Games won by each player"), players), plot(say("Games won from each seat"), seats)


def _win_tables(players: _Rates, seats: _Rates) -> list[Table]:
    columns = number_columns(say("games"), say("won"), "95 %", say("drawn"), say("lost"))
    rows = [_win_row(name, rate) for name, rate in (*players.items(), *seats.items())]
    across = [Column(say("player")), *number_columns(*seats)]
    cells = [
        [words(name), *(_tinted(one, 1 / len(seats)) for one in player.rows("seats"))]
        for name, player in players.items()
    ]
    if any(len(row) != len(across) for row in cells):
        raise MalformedError.saying("a player does not have one result for each seat.")
    return [
        Table(say("By player and by seat"), [Column(say("player or seat")), *columns], rows),
        Table(say("Games won by each player from each seat"), across, cells),
    ]


def _win_row(name: str, rate: Fields) -> list[Cell]:
    games = rate.whole("games")
    digits = digits_for(games)
    interval = bounds(in_percent(rate.interval("win_interval_95")), digits)
    shares = (percent(rate.whole(outcome) / max(1, games), digits) for outcome in ("drawn", "lost"))
    return [words(name), number(games), percent(rate.number("win_rate"), digits), interval, *shares]


def _tinted(rate: Fields, even: float) -> Cell:
    """The share of games won, coloured by its distance from an *even* share."""
    games, won = rate.whole("games"), rate.number("win_rate")
    if not games:
        return Cell("–")
    tint = won / even / 2 if won < even else 0.5 + (won - even) / (1 - even) / 2
    return percent(won, digits_for(games))._replace(tint=min(1.0, tint))


# --------------------------------------------------------------------------------------------------- one


def _score_sentence(players: _Rates) -> Sentence:
    ((name, rate),) = players.items()
    low, high = rate.interval("payoff_interval_95")
    return say(
        "{player} scored {mean} on average (95 % interval: {low} to {high}).",
        player=name,
        mean=written(rate.number("mean_payoff"), 1),
        low=written(low, 1),
        high=written(high, 1),
    )


def _score_table(players: _Rates) -> Table:
    rows = [
        [
            words(name),
            number(rate.whole("games")),
            number(rate.number("mean_payoff"), 1),
            bounds(rate.interval("payoff_interval_95")),
        ]
        for name, rate in players.items()
    ]
    columns = (Column(say("player or seat")), *number_columns(say("games"), say("mean score"), "95 %"))
    return Table(say("Scores"), columns, rows)


# ----------------------------------------------------------------------------------------------- endings


def _endings(reasons: Fields, games: int) -> Comparison:
    """The most common reasons, and the total of all others."""
    known = sorted(reasons.named_wholes().items(), key=lambda reason: (-reason[1], reason[0]))
    shown = known if len(known) <= REASONS_SHOWN + 1 else known[:REASONS_SHOWN]
    items = [Item(as_sentence(reason), 100 * count / games) for reason, count in shown]
    others = sum(count for _, count in known[len(shown) :])
    if others:
        rest = say_number("{count} other reason", "{count} other reasons", len(known) - len(shown))
        items.append(Item(rest, 100 * others / games))
    return Comparison(say("How games ended"), Axis(say("games"), " %", 1), items, has_bars=True)
