"""Report sections on the levels of a game: the results of each against the one below."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import as_sentence, say, say_number
from papan.report.fields import Fields, MalformedError
from papan.report.making import Made, clocked, options_facts, titled
from papan.report.sections import (
    EMPTY,
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
    percent,
    words,
    written,
)

KIND = say("Levels")
_COLUMNS = (
    *(Column(say("level")), Column(say("against")), Column(say("share"), True), Column("95 %", True)),
    *(Column(heading, True) for heading in (say("won"), say("drawn"), say("lost"), say("target, %"))),
    Column(say("verdict")),
)
_QUARTILES = 5
_RATED = (Column("Elo", True), Column("±", True))
_PLAYED = (Column(say("s a step"), True), Column(say("forfeits"), True))
_SCORES = (
    *(Column(heading, True) for heading in (say("mean score"), "95 %", say("least"), say("lower quartile"))),
    *(Column(heading, True) for heading in (say("median"), say("upper quartile"), say("most"))),
)


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``levels``."""
    how = clocked(how, answer)
    pairs, levels = answer.rows("pairs"), answer.rows("levels")
    outside = sum(pair.has("verdict") for pair in pairs)
    return Section(
        KIND,
        titled(answer.text("game"), say("levels")),
        how.command,
        (
            (say("Games"), written(answer.whole("games"))),
            (say("Openings"), written(answer.whole("openings"))),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        paragraphs=[
            say_number(
                "{count} of {pairs} pairs is outside the target.",
                "{count} of {pairs} pairs are outside the target.",
                outside,
                pairs=len(pairs),
            )
        ],
        plots=[_against_the_next(pairs), *_mean_scores(levels)],
        tables=[Table(say("Pairs"), _COLUMNS, [_pair(pair) for pair in pairs]), _levels(levels)],
    )


def _against_the_next(pairs: Sequence[Fields]) -> Comparison:
    items = [
        Item(pair.text("upper"), 100 * pair.number("score"), in_percent(pair.interval("interval_95"))) for pair in pairs
    ]
    even = Reference(50.0, say("an even share"))
    return Comparison(say("Against the level below"), Axis(say("share of points"), " %", 1), items, reference=even)


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


def _levels(levels: Sequence[Fields]) -> Table:
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
    return Table(say("Levels"), (Column(say("player")), *(_SCORES if has_scores else _RATED), *_PLAYED), rows)


def _scores(level: Fields) -> list[Cell]:
    """The mean with its interval, and the quartiles."""
    interval = bounds(level.interval("mean_interval_95"), 0) if level.has("mean_interval_95") else EMPTY
    quartiles = level.numbers("score_quartiles") if level.has("score_quartiles") else []
    if len(quartiles) not in (0, _QUARTILES):
        raise MalformedError(say("the number of quartiles is wrong."))
    return [_number(level, "mean_score"), interval, *(map(number, quartiles) if quartiles else [EMPTY] * _QUARTILES)]


def _number(level: Fields, name: str) -> Cell:
    return number(level.number(name) if level.has(name) else None)
