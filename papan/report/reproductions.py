"""Report sections on reproduced tables and figures of papers."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import as_sentence, joined, say, say_number
from papan.report.fields import Fields, Made, made
from papan.report.sections import (
    EMPTY,
    Axis,
    Cell,
    Column,
    Comparison,
    Item,
    Plot,
    Section,
    Table,
    bounds,
    measured,
    number,
    words,
)
from papan.research.reproduction.running import Kept, PlanData

KIND = say("Reproduction")
_COLUMNS = (
    *(Column(say("case")), Column(say("figure")), Column(say("the paper")), Column(say("here"))),
    *(Column(say("difference")), Column("95 %"), Column(say("of")), Column(say("verdict"))),
)
_MOST_ITEMS = 40


def section(answer: Fields, how: Made) -> Section:
    facts = [
        (say("Paper"), answer.text("paper")),
        (say("Scale"), measured(answer.number("scale")).text),
        *how.facts,
        *answer.fields("readings").named_texts().items(),
    ]
    tables = [*answer.rows("tables"), *answer.rows("times")]
    return Section(
        KIND,
        joined([answer.text("experiment"), as_sentence(answer.text("part"))], ": "),
        how.command,
        facts,
        paragraphs=[as_sentence(note) for note in answer.texts("notes")],
        plots=[plot for table in tables for plot in _plots(table)],
        tables=[_table(one) for one in tables],
    )


def journal_section(plan: PlanData, found: Sequence[Kept], damaged: int) -> Section:
    """The section of a journal, which only shows its progress; the finished answer has the results."""
    pieces = len({one.piece for one in found})
    asked = [word for name, value in plan.readings.items() for word in ("--reading", f"{name}={value}")]
    how = made(["reproduce", plan.of, *asked], plan.seed, plan.program)
    told = [say_number("{count} work item is finished.", "{count} work items are finished.", pieces)]
    if damaged:
        told.append(say_number("{count} line can't be read.", "{count} lines can't be read.", damaged))
    return Section(KIND, plan.of, how.command, how.facts, paragraphs=told)


def _plots(table: Fields) -> list[Plot]:
    by_measure: dict[str, list[Item]] = {}
    for row in table.rows("rows"):
        if row.has("interval_95"):
            item = Item(row.text("case"), row.number("ours"), row.interval("interval_95"))
            by_measure.setdefault(row.text("measure"), []).append(item)
    return [
        Comparison(as_sentence(table.text("title")), Axis(as_sentence(measure), digits=1), items)
        for measure, items in by_measure.items()
        if 1 < len(items) <= _MOST_ITEMS
    ]


def _table(table: Fields) -> Table:
    """The rows of *table* without empty columns; columns with numbers are aligned as numbers."""
    rows = [_row(row) for row in table.rows("rows")]
    told = [place for place in range(len(_COLUMNS)) if any(row[place] != EMPTY for row in rows)]
    columns = [
        _COLUMNS[place]._replace(is_number=any(isinstance(row[place].value, int | float) for row in rows))
        for place in told
    ]
    return Table(as_sentence(table.text("title")), columns, [[row[place] for place in told] for row in rows])


def _row(row: Fields) -> Sequence[Cell]:
    return [
        words(row.text("case")),
        words(as_sentence(row.text("measure"))),
        _value(row, "published"),
        _value(row, "ours"),
        measured(row.number("difference"), is_signed=True) if row.has("difference") else EMPTY,
        bounds(row.interval("interval_95"), 2) if row.has("interval_95") else EMPTY,
        number(row.whole("number")),
        _verdict(row),
    ]


def _value(row: Fields, name: str) -> Cell:
    if not row.has(name):
        return EMPTY
    return words(as_sentence(row.text(name))) if row.is_text(name) else measured(row.number(name))


def _verdict(row: Fields) -> Cell:
    if not row.has("published_is_within"):
        return EMPTY
    is_within = row.flag("published_is_within")
    return words(say("agrees") if is_within else say("differs"))._replace(tint=float(is_within))
