"""The kinds of results and their readers. A file is a command's JSON answer, or a journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from papan.game.base.sentences import figures, joined, say
from papan.game.base.untrusted import parsed_json, quoted, shortened
from papan.lab.journal import DamageError, Form, Kept, read_journal
from papan.lab.printing import MADE_BY
from papan.lab.simulation import store as simulation
from papan.lab.tournament import running as tournament
from papan.lab.training import running as training
from papan.lab.tuning import running as tuning
from papan.report import (
    levels,
    matches,
    measurements,
    proofs,
    reproductions,
    reviews,
    simulations,
    tournaments,
    trainings,
    tunings,
)
from papan.report.fields import Fields, MalformedError, shown
from papan.report.finding import LeftOut, files_in
from papan.report.making import Made, made_by
from papan.report.sections import Section
from papan.research.reproduction import running as reproduction

ANSWERS: Mapping[str, Callable[[Fields, Made], Section]] = {
    "analyse": reviews.section,
    "bench": measurements.bench_section,
    "levels": levels.section,
    "match": matches.section,
    "perft": measurements.perft_section,
    "reproduce": reproductions.section,
    "simulate": simulations.section,
    "solve": proofs.section,
    "tournament": tournaments.section,
    "train": trainings.section,
    "tune": tunings.section,
}
"""Readers of answers, by command."""

JOURNALS: Sequence[tuple[Form[Any, Any], Callable[[Any, Sequence[Any], int], Section]]] = (
    (reproduction.form_of(None), reproductions.journal_section),
    (simulation.JOURNAL, simulations.journal_section),
    (tournament.JOURNAL, tournaments.journal_section),
    (training.JOURNAL, trainings.journal_section),
    (tuning.JOURNAL, tunings.journal_section),
)
"""Readers of journals, by form: functions of the plan, the entries, and the number of damaged lines."""


MOST_LINES = 1 << 20
"""More lines than any result of readable size has."""


class NoResultError(ValueError):
    """A file is not a result; the message is a sentence that says why."""


def section_of(content: bytes) -> Section:
    """The section of a file with *content*.

    :raises NoResultError: it is not a known kind of result, or is damaged.
    """
    if content.count(b"\n") > MOST_LINES:
        raise NoResultError(say("It has more than {most} lines.", most=figures(MOST_LINES)))
    try:
        kept = read_journal(content)
        return _of_answer(content) if kept is None else _of_journal(kept)
    except (MalformedError, DamageError) as error:
        raise NoResultError(say("It is damaged, or of another version: {reason}", reason=str(error))) from None
    except (ValueError, ArithmeticError, LookupError, RecursionError) as error:
        # Readers compute with the file's numbers, and absurd ones fail on the way.
        raise NoResultError(say("It is damaged: {reason}.", reason=shortened(str(error)))) from None


def _of_journal(kept: Kept) -> Section:
    for form, section in JOURNALS:
        if (form.kind, form.version) == (kept.kind, kept.version):
            plan = form.read_plan(shown(kept.plan))
            entries = list(form.read(plan, kept.lines, shown))
            return section(plan, entries, len(kept.lines) - len(entries))
    kind, version = quoted(kept.kind), shortened(str(kept.version))
    raise MalformedError(say("version {version} of {kind} is unknown.", kind=kind, version=version))


def _of_answer(content: bytes) -> Section:
    try:
        answer: Any = parsed_json(content)
    except ValueError as error:
        raise MalformedError(joined([str(error), "."], "")) from None
    fields = Fields(answer)
    if not fields.has(MADE_BY):
        raise MalformedError(say("it does not say which command made it."))
    made = fields.fields(MADE_BY)
    read = ANSWERS.get(made.text("command"))
    if read is None:
        raise MalformedError(say("answers of {command} have nothing to show.", command=quoted(made.text("command"))))
    return read(fields, made_by(made))


def read_folder(folder: Path, apart: Path) -> tuple[list[tuple[str, Section]], list[LeftOut]]:
    """The sections of the results in *folder*, with their file names, and the files left out.

    :param apart: the report's own file, which is skipped.
    :raises FolderError: *folder* is not a folder, or can't be read.
    """
    sections: list[tuple[str, Section]] = []
    left_out: list[LeftOut] = []
    for found in files_in(folder, apart):
        if isinstance(found, LeftOut):
            left_out.append(found)
            continue
        try:
            sections.append((found.name, section_of(found.content)))
        except NoResultError as error:
            left_out.append(LeftOut(found.name, str(error)))
    return sections, left_out
