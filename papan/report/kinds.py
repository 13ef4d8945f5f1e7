"""Finding the results in a folder, and the readers of their kinds: a command's JSON answer, or a journal."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from papan.game.base.sentences import SentenceError, figures, joined, say
from papan.game.base.untrusted import (
    UnreadableError,
    open_file,
    parsed_json,
    plain,
    quoted,
    quoted_path,
    read_stream,
    shortened,
)
from papan.lab.journal import DamageError, Form, Kept, read_journal
from papan.lab.printing import MADE_BY
from papan.lab.simulation import running as simulation
from papan.lab.tournament import results as tournament
from papan.lab.training import running as training
from papan.lab.tuning import running as tuning
from papan.report import reproductions, reviews, simulations, tournaments, trainings
from papan.report.fields import Fields, Made, MalformedError, made_by, shown
from papan.report.sections import Section
from papan.research.reproduction import running as reproduction

ANSWERS: Mapping[str, Callable[[Fields, Made], Section]] = {
    "analyse": reviews.review_section,
    "bench": reviews.bench_section,
    "levels": tournaments.levels_section,
    "match": tournaments.match_section,
    "perft": reviews.perft_section,
    "reproduce": reproductions.section,
    "simulate": simulations.section,
    "solve": reviews.proof_section,
    "tournament": tournaments.section,
    "train": trainings.training_section,
    "tune": trainings.tuning_section,
}
"""Readers of answers, by command."""

JOURNALS: Sequence[tuple[Form[Any, Any], Callable[[Any, Sequence[Any], int], Section]]] = (
    (reproduction.form_of(None), reproductions.journal_section),
    (simulation.JOURNAL, simulations.journal_section),
    (tournament.JOURNAL, tournaments.journal_section),
    (training.JOURNAL, trainings.training_journal),
    (tuning.JOURNAL, trainings.tuning_journal),
)
"""Readers of journals, by form: functions of the plan, the entries, and the number of damaged lines."""


MOST_LINES = 1 << 20
"""More lines than any result of readable size has."""


class NoResultError(SentenceError, ValueError):
    """A file is not a result; the message is a sentence that says why."""


def section_of(content: bytes) -> Section:
    """The section of a file with *content*.

    :raises NoResultError: it is not a known kind of result, or is damaged.
    """
    if content.count(b"\n") > MOST_LINES:
        raise NoResultError.saying("It has more than {most} lines.", most=figures(MOST_LINES))
    try:
        kept = read_journal(content)
        return _of_answer(content) if kept is None else _of_journal(kept)
    except (MalformedError, DamageError) as error:
        raise NoResultError.saying("It is damaged, or of another version: {reason}", reason=str(error)) from None
    except (ValueError, ArithmeticError, LookupError, RecursionError) as error:
        # Readers compute with the file's numbers, and absurd ones fail on the way.
        raise NoResultError.saying("It is damaged: {reason}.", reason=shortened(str(error))) from None


def _of_journal(kept: Kept) -> Section:
    for form, section in JOURNALS:
        if (form.kind, form.version) == (kept.kind, kept.version):
            plan = form.read_plan(shown(kept.plan))
            entries = list(form.read(plan, kept.lines, shown))
            return section(plan, entries, len(kept.lines) - len(entries))
    kind, version = quoted(kept.kind), shortened(str(kept.version))
    raise MalformedError.saying("version {version} of {kind} is unknown.", kind=kind, version=version)


def _of_answer(content: bytes) -> Section:
    try:
        answer: Any = parsed_json(content)
    except ValueError as error:
        raise MalformedError(joined([str(error), "."], "")) from None
    fields = Fields(answer)
    if not fields.has(MADE_BY):
        raise MalformedError.saying("it does not say which command made it.")
    made = fields.fields(MADE_BY)
    read = ANSWERS.get(made.text("command"))
    if read is None:
        raise MalformedError.saying("answers of {command} have nothing to show.", command=quoted(made.text("command")))
    return read(fields, made_by(made))


def read_folder(folder: Path, apart: Path) -> tuple[list[tuple[str, Section]], list[LeftOut]]:
    """The sections of the results in *folder*, with their file names, and the files left out.

    :param apart: the report's own file, which is skipped.
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


MOST_FILES = 1000
MOST_BYTES = 1 << 26
MOST_BYTES_TOGETHER = 1 << 28
"""The largest total of all files."""

_START = 64
"""Bytes read to see whether a file may be a result."""
_BEFORE_JSON = codecs.BOM_UTF8 + codecs.BOM_UTF16_LE + codecs.BOM_UTF16_BE + b"\0 \t\r\n"
"""Bytes that may precede the first brace; output redirected on Windows may be UTF-16."""


class FolderError(SentenceError, ValueError):
    """A folder can't be read; the message is a sentence that says why."""


class LeftOut(NamedTuple):
    """A file or folder that the report does not show."""

    name: str
    """Its path relative to the folder, with slashes."""
    reason: str


class File(NamedTuple):
    name: str
    content: bytes


def files_in(folder: Path, apart: Path) -> Iterator[File | LeftOut]:
    """The files in *folder* and its subfolders, in the order of their names; links are not followed.

    Numbers and sizes are bounded, as a folder may contain anything. Files that do not begin like JSON are not read.

    :param apart: the report's own file, which is skipped.
    :raises FolderError: *folder* is not a folder, or can't be read.
    """
    try:
        if not folder.is_dir():
            raise FolderError.saying("There is no folder {folder}.", folder=quoted_path(folder))
        paths = sorted(folder.iterdir(), reverse=True)
    except OSError as error:
        raise FolderError.saying(
            "The folder {folder} can't be read: {reason}.",
            folder=quoted_path(folder),
            reason=error.strerror or str(error),
        ) from None
    root, own, left = folder.resolve(), apart.resolve(), MOST_BYTES_TOGETHER
    looked_at = 0
    while paths:
        path = paths.pop()
        below = path.relative_to(folder)
        name = plain(below.as_posix())
        if _is_link(path, root / below):
            yield LeftOut(name, say("It is a link; links are not followed."))
        elif path.is_dir():
            try:
                paths += sorted(path.iterdir(), reverse=True)
            except OSError as error:
                yield LeftOut(name, say("It can't be read: {reason}.", reason=error.strerror or str(error)))
        elif root / below != own:
            looked_at += 1
            if looked_at > MOST_FILES:
                most = figures(MOST_FILES)
                yield LeftOut(name, say("Files from here on were not read: there are more than {most}.", most=most))
                return
            found = _read(path, name, min(left, MOST_BYTES))
            if isinstance(found, File):
                left -= len(found.content)
            yield found


def _read(path: Path, name: str, most_bytes: int) -> File | LeftOut:
    try:
        with open_file(path) as file:
            start = file.read(_START)
            if not start.lstrip(_BEFORE_JSON).startswith(b"{"):
                return LeftOut(name, say("It is not a result: neither a journal nor a command's JSON answer."))
            file.seek(0)
            return File(name, read_stream(file, most_bytes, path.name))
    except UnreadableError as error:
        return LeftOut(name, str(error))


def _is_link(path: Path, real: Path) -> bool:
    """Whether *path* is a link or, on Windows, a junction: it does not resolve to *real*."""
    try:
        return path.is_symlink() or path.resolve() != real
    except (OSError, RuntimeError):
        return True
