"""Report sections on ``analyse``: winning chances over the match, and the loss of each turn."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import Sentence, joined, say
from papan.report.fields import Fields, MalformedError
from papan.report.making import Made, opponents, options_facts, titled
from papan.report.sections import (
    EMPTY,
    Axis,
    Cell,
    Column,
    Curve,
    Curves,
    Interval,
    Point,
    Reference,
    Section,
    Table,
    number,
    percent,
    words,
    written,
)

KIND = say("Review")
MOST_SEATS = 8
MOST_CANDIDATES = 20
"""The most candidates of a decision in a table, best first."""


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``analyse``."""
    if answer.has("depths"):
        return _by_depth(answer, how)
    if answer.has("decisions"):
        return _by_terms(answer, how)
    seats, moments = answer.texts("seats"), answer.rows("turns")
    if not seats or len(seats) > MOST_SEATS or not moments:
        raise MalformedError(say("it has no seats or no turns."))
    if any(len(moment.numbers("chances")) != (len(seats) if len(seats) > 1 else 0) for moment in moments):
        raise MalformedError(say("a turn does not have one chance for each seat."))
    names = [say("{player} (seat {seat})", player=name, seat=place) for place, name in enumerate(seats, start=1)]
    return Section(
        KIND,
        titled(answer.text("game"), opponents(seats)),
        how.command,
        ((say("Result"), answer.text("result")), *how.facts, *options_facts(answer.pairs("options"))),
        paragraphs=_told(answer, moments),
        plots=[_chances(moments, names) if len(seats) > 1 else _scores(answer, moments)],
        tables=[_turns(answer, moments, len(seats))],
    )


def _by_depth(answer: Fields, how: Made) -> Section:
    """The section of a position searched to each depth."""
    rows, seats = answer.rows("depths"), answer.texts("seats")
    if not rows or not 0 < len(seats) <= MOST_SEATS or any(len(one.numbers("values")) != len(seats) for one in rows):
        raise MalformedError(say("it has no depths, or not one value for each seat."))
    columns = [Column(say("depth"), True)]
    columns += [Column(say("value {seat}", seat=seat + 1), True) for seat in range(len(seats))]
    cells = [[number(one.whole("depth")), *(number(value, 2) for value in one.numbers("values"))] for one in rows]
    curves = [
        Curve(name, [Point(one.whole("depth"), one.numbers("values")[seat]) for one in rows])
        for seat, name in enumerate(seats)
    ]
    return Section(
        KIND,
        titled(answer.text("game"), opponents(seats)),
        how.command,
        ((say("Position"), answer.text("position")), *how.facts, *options_facts(answer.pairs("options"))),
        plots=[Curves(say("minimax value"), Axis(say("depth")), Axis(say("minimax value")), curves)],
        tables=[Table(say("By depth"), columns, cells)],
    )


def _by_terms(answer: Fields, how: Made) -> Section:
    """The section of a position whose candidates are explained term by term."""
    seats, terms, decisions = answer.texts("seats"), answer.rows("terms"), answer.rows("decisions")
    if not terms or not decisions or not 0 < len(seats) <= MOST_SEATS:
        raise MalformedError(say("it has no terms or no decisions."))
    titles = [one.text("title") for one in terms]
    tables = []
    for decision in decisions:
        candidates = decision.rows("candidates")[:MOST_CANDIDATES]
        columns = [Column(say("turn")), *(Column(title, True) for title in titles), Column(say("sum"), True)]
        rows = []
        for one in candidates:
            parts = one.numbers("additions")
            if parts and len(parts) != len(titles):
                raise MalformedError(say("a candidate does not have one value for each term."))
            cells = [number(part, 2, is_signed=True) for part in parts] or [EMPTY] * len(titles)
            rows.append([words(one.text("notation")), *cells, number(one.number("score"), 2)])
        tables.append(Table(say("What each term adds"), columns, rows))
    weights = [f"{one.text('name')} = {written(one.number('weight'), 2)}" for one in terms]
    return Section(
        KIND,
        titled(answer.text("game"), opponents(seats)),
        how.command,
        (
            (say("Judged by"), answer.text("player")),
            (say("Weights"), ", ".join(weights)),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        tables=tables,
    )


def _told(answer: Fields, moments: Sequence[Fields]) -> list[Sentence]:
    turning = [moments[place] for place in answer.wholes("turning_points") if 0 <= place < len(moments)]
    points = ", ".join(f"{one.whole('turn')} ({one.text('notation')}{one.text('mark')})" for one in turning)
    told = [
        say("Turning points: {turns}.", turns=points) if points else say("No turn decided the match by itself."),
    ]
    if answer.has("game_refinement"):
        figures = answer.fields("game_refinement")
        length = figures.number("length")
        told.append(
            say(
                "Game refinement: {branching} turns to choose from, {length} turns, GR = {refinement}.",
                branching=written(figures.number("branching"), 1),
                length=written(length, 0 if length.is_integer() else 1),
                refinement=written(figures.number("refinement"), 3),
            )
        )
    return told


def _chances(moments: Sequence[Fields], names: Sequence[str]) -> Curves:
    """Each seat's chance; with two seats, only the first one's."""
    curves = [
        Curve(
            name,
            [
                Point(one.whole("turn"), 100 * one.numbers("chances")[seat], label=_label(one) if not seat else "")
                for one in moments
            ],
        )
        for seat, name in enumerate(names[:1] if len(names) == 2 else names)
    ]
    of_one = say("winning chance of {player}", player=names[0])
    return Curves(
        say("Who is better"),
        Axis(say("turn")),
        Axis(of_one if len(names) == 2 else say("winning chance"), " %"),
        curves,
        reference=Reference(50.0, say("an even chance")),
        bounds=Interval(0.0, 100.0),
    )


def _scores(answer: Fields, moments: Sequence[Fields]) -> Curves:
    scale = answer.number("scale") or 1.0
    points = [Point(one.whole("turn"), one.number("score") / scale, label=_label(one)) for one in moments]
    return Curves(say("Expected score"), Axis(say("turn")), Axis(say("points")), [Curve(say("score"), points)])


def _label(moment: Fields) -> str:
    mark = moment.text("mark")
    played = f"{moment.text('notation')}{mark}"
    return say("turn {number}: {played}", number=moment.whole("turn"), played=played) if mark else ""


def _turns(answer: Fields, moments: Sequence[Fields], seats: int) -> Table:
    scale = answer.number("scale") or 1.0
    shown = range(1 if seats == 2 else seats if seats > 1 else 0)
    chance = say("chance")
    chances = [Column(chance if seats == 2 else joined([chance, str(seat + 1)]), True) for seat in shown]
    columns = [
        *(Column(say("turn"), True), Column(say("seat"), True), Column(say("played")), Column("")),
        *(Column(say("score"), True), *chances, Column(say("better")), Column(say("lost"), True)),
    ]
    rows = [
        [
            number(one.whole("turn")),
            number(one.whole("seat")) if one.has("seat") else EMPTY,
            words(one.text("notation") or say("(start)")),
            words(one.text("mark")),
            _score(one, scale, seats),
            *(percent(one.numbers("chances")[seat], 0) for seat in shown),
            *_better(one),
        ]
        for one in moments
    ]
    return Table(say("Turn by turn"), columns, rows)


def _score(one: Fields, scale: float, seats: int) -> Cell:
    """The score; in a decided game, the number of turns to the end, or the result for the first seat."""
    score, chances = one.number("score") / scale, one.numbers("chances")
    if not one.has("win_distance"):
        if chances and chances[0] in (0.0, 1.0):
            return Cell(say("won") if chances[0] else say("lost"), score)
        return number(score, 1, is_signed=seats > 1)
    distance = one.whole("win_distance")
    turns = abs(distance)
    return Cell(say("win in {turns}", turns=turns) if distance > 0 else say("loss in {turns}", turns=turns), score)


def _better(one: Fields) -> list[Cell]:
    if not one.has("best") or one.flag("is_best"):
        return [EMPTY, EMPTY]
    return [words(one.fields("best").text("notation")), percent(one.number("loss"), 0)]
