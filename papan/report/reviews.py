"""Report sections on ``analyse``, ``solve``, ``bench`` and ``perft``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast, get_args

from papan.ai.exact import Measure
from papan.ai.proof.claims import Chance, Conditions, Value, exactly_said, result_said
from papan.ai.proof.result import Result
from papan.game.base.sentences import Sentence, joined, say, say_number
from papan.game.base.untrusted import quoted
from papan.game.catalogue import GAMES
from papan.game.game import SEATS
from papan.report.fields import Fields, Made, MalformedError, game_section, game_title, opponents, position_fact
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
    measured,
    number,
    number_columns,
    percent,
    words,
    written,
)

REVIEW = say("Review")
MOST_SEATS = 8
MOST_CANDIDATES = 20
"""The most candidates of a decision in a table, best first."""


def review_section(answer: Fields, how: Made) -> Section:
    if answer.has("depths"):
        return _by_depth(answer, how)
    if answer.has("decisions"):
        return _by_terms(answer, how)
    seats, moments = answer.texts("seats"), answer.rows("turns")
    if not seats or len(seats) > MOST_SEATS or not moments:
        raise MalformedError.saying("it has no seats or no turns.")
    if any(len(moment.numbers("chances")) != (len(seats) if len(seats) > 1 else 0) for moment in moments):
        raise MalformedError.saying("a turn does not have one chance for each seat.")
    names = [say("{player} (seat {seat})", player=name, seat=place) for place, name in enumerate(seats, start=1)]
    return game_section(
        REVIEW,
        answer,
        opponents(seats),
        how,
        [(say("Result"), answer.text("result"))],
        paragraphs=_told(answer, moments),
        plots=[_chances(moments, names) if len(seats) > 1 else _scores(answer, moments)],
        tables=[_turns(answer, moments, len(seats))],
    )


def _by_depth(answer: Fields, how: Made) -> Section:
    rows, seats = answer.rows("depths"), answer.texts("seats")
    if not rows or not 0 < len(seats) <= MOST_SEATS or any(len(one.numbers("values")) != len(seats) for one in rows):
        raise MalformedError.saying("it has no depths, or not one value for each seat.")
    values = (say("value {seat}", seat=seat) for seat in range(1, len(seats) + 1))
    cells = [[number(one.whole("depth")), *(number(value, 2) for value in one.numbers("values"))] for one in rows]
    curves = [
        Curve(name, [Point(one.whole("depth"), one.numbers("values")[seat]) for one in rows])
        for seat, name in enumerate(seats)
    ]
    return game_section(
        REVIEW,
        answer,
        opponents(seats),
        how,
        [(say("Position"), answer.text("position"))],
        plots=[Curves(say("minimax value"), Axis(say("depth")), Axis(say("minimax value")), curves)],
        tables=[Table(say("By depth"), number_columns(say("depth"), *values), cells)],
    )


def _by_terms(answer: Fields, how: Made) -> Section:
    seats, terms, decisions = answer.texts("seats"), answer.rows("terms"), answer.rows("decisions")
    if not terms or not decisions or not 0 < len(seats) <= MOST_SEATS:
        raise MalformedError.saying("it has no terms or no decisions.")
    titles = [one.text("title") for one in terms]
    columns = [Column(say("turn")), *number_columns(*titles, say("sum"))]
    tables = []
    for decision in decisions:
        rows = []
        for one in decision.rows("candidates")[:MOST_CANDIDATES]:
            parts = one.numbers("additions")
            if parts and len(parts) != len(titles):
                raise MalformedError.saying("a candidate does not have one value for each term.")
            cells = [number(part, 2, is_signed=True) for part in parts] or [EMPTY] * len(titles)
            rows.append([words(one.text("notation")), *cells, number(one.number("score"), 2)])
        tables.append(Table(say("What each reason adds"), columns, rows))
    weights = [f"{one.text('name')} = {written(one.number('weight'), 2)}" for one in terms]
    return game_section(
        REVIEW,
        answer,
        opponents(seats),
        how,
        [(say("Judged by"), answer.text("player")), (say("Weights"), ", ".join(weights))],
        tables=tables,
    )


def _told(answer: Fields, moments: Sequence[Fields]) -> list[Sentence]:
    turning = [moments[place] for place in answer.wholes("turning_points") if 0 <= place < len(moments)]
    points = ", ".join(f"{one.whole('turn')} ({one.text('notation')}{one.text('mark')})" for one in turning)
    told = [say("Turning points: {turns}.", turns=points) if points else say("No turn decided the match by itself.")]
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
    chances = [chance if seats == 2 else joined([chance, str(seat + 1)]) for seat in shown]
    columns = [
        *(*number_columns(say("turn"), say("seat")), Column(say("played")), Column("")),
        *(*number_columns(say("score"), *chances), Column(say("better")), Column(say("lost"), True)),
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


_EXACT = "exact"
"""The method, and the result, of an answer that gives a mean value."""
_REASONS = {"nodes": say("Out of nodes."), "memory": say("Out of memory."), "time": say("Out of time.")}


def proof_section(answer: Fields, how: Made) -> Section:
    line = " ".join(answer.texts("line"))
    seconds = answer.number("seconds")
    return game_section(
        say("Proof"),
        answer,
        "",
        how,
        [
            position_fact(answer),
            (say("Method"), answer.text("method")),
            (say("Nodes"), written(answer.whole("nodes"))),
            (say("Seconds"), written(seconds, 3)),
        ],
        paragraphs=[*_said(answer), *([say("Line: {turns}", turns=line)] if line else [])],
        tables=_branches(answer),
    )


def _said(answer: Fields) -> list[Sentence]:
    conditions, result = _conditions(answer), answer.text("result")
    if result not in (*get_args(Result), _EXACT):
        raise MalformedError.saying("{fact} is not a known result.", fact=quoted(result))
    verdict = result_said(cast(Result, result), conditions) if result != _EXACT else None
    why = _REASONS.get(answer.text("reason")) if result == "out" and answer.has("reason") else None
    said = [joined([why, verdict]) if why and verdict else verdict]
    if answer.has("exact"):
        exact = exactly_said(*_worth(answer.fields("exact")), replace(conditions, chance=conditions.chance and "drawn"))
        said = [exact] if answer.text("method") == _EXACT else [*said, exact]
    return [sentence for sentence in said if sentence]


def _conditions(answer: Fields) -> Conditions:
    """The conditions of the claim; older answers lack the side of chance."""
    name, options, position = answer.text("game"), answer.pairs("options"), answer.text("position")
    seat, goal = answer.whole("seat") - 1, answer.whole("goal") if answer.has("goal") else 0
    if not answer.has("conditions"):
        game = GAMES.get(name)
        seats = int(options[SEATS]) if options.get(SEATS, "").isdecimal() else game.seats[0] if game else 2
        chance: Chance | None = "unknown" if game is None or game.has_chance else None
        return Conditions(name, options, position, seat, seats=seats, sides=seats, goal=goal, chance=chance)
    noted = answer.fields("conditions")
    side = noted.text("chance") if noted.has("chance") else None
    if side not in (None, *get_args(Chance)):
        raise MalformedError.saying("{fact} is not a known setting of chance.", fact=quoted(str(side)))
    return Conditions(
        name,
        options,
        position,
        seat,
        tuple(one - 1 for one in noted.wholes("partners")),
        noted.whole("seats"),
        noted.whole("sides"),
        goal,
        cast("Chance | None", side),
        noted.whole("came_twice"),
        noted.flag("leaves_repetition_rule_aside"),
        noted.number("tolerance") if noted.has("tolerance") else 0.0,
    )


def _worth(exact: Fields) -> tuple[Value, Measure, int]:
    value = exact.text("value")
    if value not in get_args(Value):
        raise MalformedError.saying("{fact} is not a known value of a position.", fact=quoted(value))
    words = Sentence(exact.text("words"), (exact.text("words"),)) if exact.has("words") else None
    turns = exact.whole("turns") if exact.has("turns") else None
    measure = Measure(exact.number("score") if exact.has("score") else None, words, turns)
    return cast(Value, value), measure, exact.whole("least_turns") if exact.has("least_turns") else 0


def _branches(answer: Fields) -> list[Table]:
    columns = (
        *(Column(say("step")), *number_columns(say("proof number"), say("disproof number"))),
        Column(say("verdict")),
    )
    rows = []
    for branch in answer.rows("branches"):
        verdict = say("proved") if branch.flag("is_proved") else say("disproved") if branch.flag("is_disproved") else ""
        rows.append(
            [words(branch.text("step")), _proof_number(branch, "pn"), _proof_number(branch, "dn"), words(verdict)]
        )
    return [Table(say("Each step"), columns, rows)] if rows else []


def _proof_number(branch: Fields, name: str) -> Cell:
    """A proof number's cell; a missing number is infinite."""
    if not branch.has(name):
        return Cell("∞", float("inf"))
    value = branch.number(name)
    return number(value, 0 if value.is_integer() else 3)


def bench_section(answer: Fields, how: Made) -> Section:
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
    told = say_number("{met} of {count} target met.", "{met} of {count} targets met.", asked, met=asked - missed)
    tables = [Table(say("Figures"), columns, rows)]
    return Section(say("Benchmark"), say("Speed"), how.command, how.facts, "", [told], (), tables)


def perft_section(answer: Fields, how: Made) -> Section:
    depths = answer.rows("depths")
    if not depths:
        raise MalformedError.saying("it has no depths.")
    rows = [
        [number(one.whole("depth")), number(one.whole("leaves")), number(one.number("seconds"), 3), _speed(one)]
        for one in depths
    ]
    columns = number_columns(say("depth"), say("leaves"), say("seconds"), say("leaves a second"))
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
