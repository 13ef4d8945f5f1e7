"""Report sections on simulations: wins by player and seat, and how games ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from papan.game.base.sentences import Sentence, as_sentence, joined, say, say_number
from papan.lab.simulation.counts import Counts, facts
from papan.lab.simulation.running import Batch, Finished, PlanData
from papan.report.fields import Fields, MalformedError
from papan.report.making import (
    Made,
    digits_for,
    made,
    not_finished,
    opponents,
    options_facts,
    titled,
    told_apart,
)
from papan.report.sections import (
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
    percent,
    words,
    written,
)

KIND = say("Simulation")
REASONS_SHOWN = 10
"""The number of most common reasons in the plot."""


class _Rate(NamedTuple):
    """The results of a player or a seat."""

    name: str
    games: int
    won: int
    drawn: int
    lost: int
    win_rate: float
    win_interval: Interval
    mean: float
    mean_interval: Interval


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``simulate``."""
    plain_names = [player.text("player") for player in answer.rows("players")]
    names = told_apart(plain_names)
    players = [_rate(name, fields) for name, fields in zip(names, answer.rows("players"), strict=True)]
    seats = [
        _rate(say("seat {seat}", seat=place), fields) for place, fields in enumerate(answer.rows("seats"), start=1)
    ]
    games = answer.whole("games")
    if games < 1 or not players or len(players) != len(seats):
        raise MalformedError(say("it has no games or no players."))
    has_score = len(players) == 1
    steps = say(
        "On average, a game has {turns} turns and {steps} steps, and a choice has {choices} legal steps.",
        turns=written(answer.number("turns_a_game"), 2),
        steps=written(answer.number("steps_a_game"), 2),
        choices=written(answer.number("legal_steps_a_choice"), 2),
    )
    return Section(
        KIND,
        titled(answer.text("game"), opponents(plain_names)),
        how.command,
        ((say("Games"), written(games)), *how.facts, *options_facts(answer.pairs("options"))),
        paragraphs=(_score_sentence(players[0]) if has_score else _win_sentence(answer, players), steps),
        plots=(*(() if has_score else _win_plots(players, seats)), _endings(answer.fields("reasons"), games)),
        tables=[_score_table(players)] if has_score else _win_tables(answer, players, seats),
    )


def journal_section(data: PlanData, batches: Sequence[Batch], damaged: int) -> Section:
    """The section of the journal of a simulation; batches of *damaged* lines count as not played."""
    plan = data.plan
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


def _rate(name: str, fields: Fields) -> _Rate:
    return _Rate(
        name,
        fields.whole("games"),
        fields.whole("won"),
        fields.whole("drawn"),
        fields.whole("lost"),
        fields.number("win_rate"),
        fields.interval("win_interval_95"),
        fields.number("mean_payoff"),
        fields.interval("payoff_interval_95"),
    )


# ------------------------------------------------------------------------------------------- two and more


def _win_sentence(answer: Fields, players: Sequence[_Rate]) -> Sentence:
    best = max(players, key=lambda player: player.win_rate)
    digits = digits_for(best.games)
    low, high = in_percent(best.win_interval)
    undecided = answer.whole("games_without_a_winner")
    most = say(
        "{player} won most: {share} % of its games (95 % interval: {low} to {high} %).",
        player=best.name,
        share=written(100 * best.win_rate, digits),
        low=written(low, digits),
        high=written(high, digits),
    )
    draws = say_number(
        "{count} game had no winner.", "{count} games had no winner.", undecided, count=written(undecided)
    )
    return joined([most, draws if undecided else say("Every game had a winner.")])


def _win_plots(players: Sequence[_Rate], seats: Sequence[_Rate]) -> tuple[Comparison, ...]:
    axis = Axis(say("games won"), " %", digits_for(players[0].games))

    def plot(title: str, rates: Sequence[_Rate]) -> Comparison:
        items = [Item(rate.name, 100 * rate.win_rate, in_percent(rate.win_interval)) for rate in rates]
        return Comparison(title, axis, items, reference=Reference(100 / len(rates), say("an even share")))

    return plot(say("Games won by each player"), players), plot(say("Games won from each seat"), seats)


def _win_tables(answer: Fields, players: Sequence[_Rate], seats: Sequence[_Rate]) -> list[Table]:
    headings = (say("games"), say("won"), "95 %", say("drawn"), say("lost"))
    columns = [Column(say("player or seat")), *(Column(heading, True) for heading in headings)]
    rows = [_win_row(rate) for rate in (*players, *seats)]
    across = [Column(say("player")), *(Column(seat.name, True) for seat in seats)]
    cells = [
        [words(player.name), *(_tinted(_rate("", one), 1 / len(seats)) for one in fields.rows("seats"))]
        for player, fields in zip(players, answer.rows("players"), strict=True)
    ]
    if any(len(row) != len(across) for row in cells):
        raise MalformedError(say("a player does not have one result for each seat."))
    return [
        Table(say("By player and by seat"), columns, rows),
        Table(say("Games won by each player from each seat"), across, cells),
    ]


def _win_row(rate: _Rate) -> list[Cell]:
    games, digits = max(1, rate.games), digits_for(rate.games)
    interval = bounds(in_percent(rate.win_interval), digits)
    shares = (percent(count / games, digits) for count in (rate.drawn, rate.lost))
    return [words(rate.name), number(rate.games), percent(rate.win_rate, digits), interval, *shares]


def _tinted(rate: _Rate, even: float) -> Cell:
    """The share of games won, coloured by its distance from an *even* share."""
    if not rate.games:
        return Cell("–")
    won = rate.win_rate
    tint = won / even / 2 if won < even else 0.5 + (won - even) / (1 - even) / 2
    return percent(won, digits_for(rate.games))._replace(tint=min(1.0, tint))


# --------------------------------------------------------------------------------------------------- one


def _score_sentence(player: _Rate) -> Sentence:
    low, high = player.mean_interval
    return say(
        "{player} scored {mean} on average (95 % interval: {low} to {high}).",
        player=player.name,
        mean=written(player.mean, 1),
        low=written(low, 1),
        high=written(high, 1),
    )


def _score_table(players: Sequence[_Rate]) -> Table:
    columns = (Column(say("player or seat")), *(Column(one, True) for one in (say("games"), say("mean score"), "95 %")))
    rows = [
        [words(rate.name), number(rate.games), number(rate.mean, 1), bounds(rate.mean_interval)] for rate in players
    ]
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
