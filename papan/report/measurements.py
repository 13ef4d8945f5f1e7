"""Report sections on benchmarks and perft."""

from __future__ import annotations

from papan.game.base.sentences import say, say_number
from papan.report.fields import Fields, MalformedError
from papan.report.making import Made, game_title, position_fact
from papan.report.sections import EMPTY, Cell, Column, Section, Table, measured, number, words, written


def bench_section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``bench``."""
    figures = answer.rows("figures")
    missed = sum(figure.has("is_met") and not figure.flag("is_met") for figure in figures)
    asked = sum(figure.has("is_met") for figure in figures)
    rows = [
        [
            words(game_title(figure.text("game")) if figure.has("game") else ""),
            words(figure.text("name")),
            measured(figure.number("value")),
            words(figure.text("unit")),
            _asked(figure),
            _verdict(figure),
            words(figure.text("note")),
        ]
        for figure in figures
    ]
    columns = (
        *(Column(say("game")), Column(say("figure")), Column(say("measured"), True), Column(say("unit"))),
        *(Column(say("target"), True), Column(say("verdict")), Column(say("note"))),
    )
    told = say_number(
        "{met} of {count} target met.",
        "{met} of {count} targets met.",
        asked,
        met=asked - missed,
    )
    tables = [Table(say("Figures"), columns, rows)]
    return Section(say("Benchmark"), say("Speed"), how.command, how.facts, "", [told], (), tables)


def perft_section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``perft``."""
    depths = answer.rows("depths")
    if not depths:
        raise MalformedError(say("it has no depths."))
    rows = [
        [number(one.whole("depth")), number(one.whole("leaves")), number(one.number("seconds"), 3), _speed(one)]
        for one in depths
    ]
    headings = (say("depth"), say("leaves"), say("seconds"), say("leaves a second"))
    columns = [Column(heading, True) for heading in headings]
    told = say_number(
        "There are {ways} ways to play {count} turn.",
        "There are {ways} ways to play {count} turns.",
        answer.whole("depth"),
        ways=written(answer.whole("leaves")),
    )
    title, known = game_title(answer.text("game")), (position_fact(answer), *how.facts)
    return Section(say("Perft"), title, how.command, known, "", [told], (), [Table(say("Leaves"), columns, rows)])


def _speed(one: Fields) -> Cell:
    seconds = one.number("seconds")
    return number(one.whole("leaves") / seconds) if seconds > 0 else EMPTY


def _asked(figure: Fields) -> Cell:
    if not figure.has("asked"):
        return EMPTY
    value = figure.number("asked")
    shown = measured(value).text
    is_least = figure.text("at") == "least"
    return Cell(say("at least {number}", number=shown) if is_least else say("at most {number}", number=shown), value)


def _verdict(figure: Fields) -> Cell:
    if not figure.has("is_met"):
        return words("")
    return words(say("met"))._replace(tint=1.0) if figure.flag("is_met") else words(say("missed"))._replace(tint=0.0)
