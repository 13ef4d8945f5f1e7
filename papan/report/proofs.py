"""Report sections on ``solve``: the result, its cost, and the proof numbers of each step."""

from __future__ import annotations

from dataclasses import replace
from typing import cast, get_args

from papan.ai.exact import Measure
from papan.ai.proof.claims import Chance, Conditions, Value, exactly_said, result_said
from papan.ai.proof.result import Result
from papan.game.base.sentences import Sentence, joined, say
from papan.game.base.untrusted import quoted
from papan.game.catalogue import GAMES
from papan.game.game import SEATS
from papan.report.fields import Fields, MalformedError
from papan.report.making import Made, game_title, options_facts, position_fact
from papan.report.sections import Cell, Column, Section, Table, number, words, written

KIND = say("Proof")
_EXACT = "exact"
"""The method, and the result, of an answer that gives a mean value."""
_REASONS = {"nodes": say("Out of nodes."), "memory": say("Out of memory."), "time": say("Out of time.")}


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``solve``."""
    line = " ".join(answer.texts("line"))
    seconds = answer.number("seconds")
    return Section(
        KIND,
        game_title(answer.text("game")),
        how.command,
        (
            position_fact(answer),
            (say("Method"), answer.text("method")),
            (say("Nodes"), written(answer.whole("nodes"))),
            (say("Seconds"), written(seconds, 3)),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        paragraphs=[*_said(answer), *([say("Line: {turns}", turns=line)] if line else [])],
        tables=_branches(answer),
    )


def _said(answer: Fields) -> list[Sentence]:
    """The result in sentences, with its conditions."""
    conditions, result = _conditions(answer), answer.text("result")
    if result not in (*get_args(Result), _EXACT):
        raise MalformedError(say("{fact} is not a known result.", fact=quoted(result)))
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
        raise MalformedError(say("{fact} is not a known setting of chance.", fact=quoted(str(side))))
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
        raise MalformedError(say("{fact} is not a known value of a position.", fact=quoted(value)))
    words = Sentence(exact.text("words"), (exact.text("words"),)) if exact.has("words") else None
    turns = exact.whole("turns") if exact.has("turns") else None
    measure = Measure(exact.number("score") if exact.has("score") else None, words, turns)
    return cast(Value, value), measure, exact.whole("least_turns") if exact.has("least_turns") else 0


def _branches(answer: Fields) -> list[Table]:
    columns = (
        *(Column(say("step")), Column(say("proof number"), True)),
        *(Column(say("disproof number"), True), Column(say("verdict"))),
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
