"""What a report says of an attempt at a proof: whether it came about, at what cost, and what is known of each step."""

from __future__ import annotations

from papan.game.base.sentences import Sentence, joined, say
from papan.lab.report.fields import Fields
from papan.lab.report.making import Made, game_title, options_facts, position_fact
from papan.lab.report.sections import Cell, Column, Section, Table, number, words, written

KIND = say("Proof")
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
        paragraphs=[_verdict(answer), *([say("Line: {turns}", turns=line)] if line else [])],
        tables=_branches(answer),
    )


def _verdict(answer: Fields) -> Sentence:
    """What came of the attempt, as a sentence."""
    seat = say("seat {seat}", seat=answer.whole("seat"))
    aim = say("the goal {number}", number=answer.whole("goal")) if answer.has("goal") else say("a win")
    result = answer.text("result")
    if result == "proved":
        return say("Proved: {seat} can force {aim}.", seat=seat, aim=aim)
    if result == "disproved":
        return say("Disproved: {seat} can't force {aim}.", seat=seat, aim=aim)
    if result == "concluded win":
        return say("Concluded, not proved: it is likely that {seat} can force {aim}.", seat=seat, aim=aim)
    if result == "concluded not-win":
        return say("Concluded, not proved: it is likely that {seat} can't force {aim}.", seat=seat, aim=aim)
    open_still = say("It is neither proved nor disproved that {seat} can force {aim}.", seat=seat, aim=aim)
    why = _REASONS.get(answer.text("reason")) if answer.has("reason") else None
    return joined([why, open_still]) if why else open_still


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
    return [Table(say("What is known of each step"), columns, rows)] if rows else []


def _proof_number(branch: Fields, name: str) -> Cell:
    """Infinite where the answer has none."""
    if not branch.has(name):
        return Cell("∞", float("inf"))
    value = branch.number(name)
    return number(value, 0 if value.is_integer() else 3)
