"""What a report says of what was measured and counted: benchmarks and perft."""

from __future__ import annotations

from papan.lab.report.fields import Fields, MalformedError
from papan.lab.report.making import Made, game_title, position_fact
from papan.lab.report.sections import EMPTY, Cell, Column, Section, Table, number, words, written

_PRECISE, _COARSE = 100.0, 1000.0


def bench_section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``bench``."""
    figures = answer.rows("figures")
    missed = sum(figure.has("is_met") and not figure.flag("is_met") for figure in figures)
    asked = sum(figure.has("is_met") for figure in figures)
    rows = [
        [
            words(game_title(figure.text("game")) if figure.has("game") else ""),
            words(figure.text("name")),
            _measured(figure.number("value")),
            words(figure.text("unit")),
            _asked(figure),
            _verdict(figure),
            words(figure.text("note")),
        ]
        for figure in figures
    ]
    columns = (
        *(Column("game"), Column("figure"), Column("measured", True), Column("unit"), Column("asked", True)),
        *(Column("verdict"), Column("note")),
    )
    told = f"{asked - missed} of the {asked} figures of which something is asked are as good as that."
    return Section(
        "Benchmark", "How fast it is", how.command, how.facts, "", [told], (), [Table("Figures", columns, rows)]
    )


def perft_section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``perft``."""
    depths = answer.rows("depths")
    if not depths:
        raise MalformedError("there are no depths in it.")
    rows = [
        [number(one.whole("depth")), number(one.whole("leaves")), number(one.number("seconds"), 3), _speed(one)]
        for one in depths
    ]
    columns = [Column(heading, True) for heading in ("depth", "leaves", "seconds", "leaves a second")]
    told = f"There are {written(answer.whole('leaves'))} ways to play {answer.whole('depth')} turns."
    title, known = game_title(answer.text("game")), (position_fact(answer), *how.facts)
    return Section("Perft", title, how.command, known, "", [told], (), [Table("Leaves", columns, rows)])


def _speed(one: Fields) -> Cell:
    seconds = one.number("seconds")
    return number(one.whole("leaves") / seconds) if seconds > 0 else EMPTY


def _measured(value: float) -> Cell:
    return number(value, 0 if abs(value) >= _COARSE else 1 if abs(value) >= _PRECISE else 3)


def _asked(figure: Fields) -> Cell:
    if not figure.has("asked"):
        return EMPTY
    value = figure.number("asked")
    return Cell(f"at {figure.text('at')} {_measured(value).text}", value)


def _verdict(figure: Fields) -> Cell:
    if not figure.has("is_met"):
        return words("")
    return Cell("met", "met", 1.0) if figure.flag("is_met") else Cell("missed", "missed", 0.0)
