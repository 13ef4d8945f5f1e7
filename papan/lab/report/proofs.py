"""What a report says of an attempt at a proof: whether it came about, at what cost, and what is known of each step."""

from __future__ import annotations

from papan.lab.report.fields import Fields
from papan.lab.report.making import Made, game_title, options_facts, position_fact
from papan.lab.report.sections import Cell, Column, Section, Table, number, words, written

KIND = "Proof"
_VERDICTS = {
    "proved": "Proved: seat {seat} can force {aim}.",
    "disproved": "Disproved: seat {seat} can't force {aim}.",
    "concluded win": "Concluded, not proved: it is likely that seat {seat} can force {aim}.",
    "concluded not-win": "Concluded, not proved: it is likely that seat {seat} can't force {aim}.",
}
_OPEN = "Not settled ({reason}): it is neither proved nor disproved that seat {seat} can force {aim}."


def section(answer: Fields, how: Made) -> Section:
    """The section of the *answer* of ``solve``."""
    aim = f"the goal {answer.whole('goal')}" if answer.has("goal") else "a win"
    reason = answer.text("reason") if answer.has("reason") else "unknown"
    verdict = _VERDICTS.get(answer.text("result"), _OPEN).format(seat=answer.whole("seat"), aim=aim, reason=reason)
    line = " ".join(answer.texts("line"))
    seconds = answer.number("seconds")
    return Section(
        KIND,
        game_title(answer.text("game")),
        how.command,
        (
            position_fact(answer),
            ("Method", answer.text("method")),
            ("Nodes", written(answer.whole("nodes"))),
            ("Seconds", written(seconds, 3)),
            *how.facts,
            *options_facts(answer.pairs("options")),
        ),
        paragraphs=[verdict, *([f"Line: {line}"] if line else [])],
        tables=_branches(answer),
    )


def _branches(answer: Fields) -> list[Table]:
    columns = (Column("step"), Column("proof number", True), Column("disproof number", True), Column("verdict"))
    rows = []
    for branch in answer.rows("branches"):
        verdict = "proved" if branch.flag("is_proved") else "disproved" if branch.flag("is_disproved") else ""
        rows.append(
            [words(branch.text("step")), _proof_number(branch, "pn"), _proof_number(branch, "dn"), words(verdict)]
        )
    return [Table("What is known of each step", columns, rows)] if rows else []


def _proof_number(branch: Fields, name: str) -> Cell:
    """Infinite where the answer has none."""
    if not branch.has(name):
        return Cell("∞", float("inf"))
    value = branch.number(name)
    return number(value, 0 if value.is_integer() else 3)
