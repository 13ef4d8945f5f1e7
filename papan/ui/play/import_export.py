"""Import and export: match records read from files and the clipboard, and written to files, in the background."""

from __future__ import annotations

import datetime
import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from papan.game.base.places import atomic_file, data_folder, documents_folder, make_private_folder
from papan.game.base.sentences import say
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.collection import (
    NAME_TAG,
    Refused,
    parts_of,
    read_collection,
    read_collection_text,
    read_single,
    write_collection,
)
from papan.game.match.library import Library, LibraryError, NewMatch, SnapshotBuilder, header_of
from papan.game.match.record import RecordError, write
from papan.game.presentation import recognised
from papan.ui.play.library_reader import LibraryReader

_BATCH = 40
"""Matches stored in one transaction."""
_NOON = datetime.time(12, tzinfo=datetime.UTC)
"""The time of day given to a match with a date only."""


class _NothingToWrite(Exception):
    """No match can be written."""


@dataclass
class ImportProgress:
    parts: int = 0
    """The records counted so far in all sources."""
    read: int = 0
    stored: int = 0
    known: int = 0
    """Records that the library had already."""
    refused: list[str] = field(default_factory=list)
    """A sentence for each record that could not be imported."""
    is_over: bool = False
    is_stopped: bool = False
    """Set it to stop the import."""


@dataclass
class ExportResult:
    path: Path
    count: int = 0
    hidden: int = 0
    """Matches left out because they are unfinished and have hidden cards."""
    unreadable: int = 0
    trouble: str = ""
    """Why there is no file, as a sentence."""


class Import:
    """Imports records from files or texts into the library; more can be added while it runs."""

    def __init__(self, reader: LibraryReader, done: Callable[[ImportProgress], object]) -> None:
        """:param done: called on the window's thread once everything is stored, or the import was stopped."""
        self.progress = ImportProgress()
        self._reader = reader
        self._done = done
        self._sources: list[Path | str] = []
        self._is_submitted = False
        self._waiting = 0  # matches that the writer has not stored yet
        self._is_read = False

    def give(self, *sources: Path | str) -> None:
        self._sources += sources
        if not self._is_submitted:
            self._is_submitted = True
            self._reader.importer.submit(self._run_on_thread)

    def _run_on_thread(self) -> None:
        try:
            with closing(_Known(self._reader.writer.path)) as known:
                while self._sources and not self.progress.is_stopped:
                    self._read_on_thread(self._sources.pop(0), known)
        except LibraryError as error:
            self.progress.refused.append(str(error))
        self._reader.call_soon(self._has_read)

    def _read_on_thread(self, source: Path | str, known: _Known) -> None:
        batch: list[NewMatch] = []
        for new in self._new_matches_on_thread(source):
            if known.has(new):
                self.progress.known += 1
                continue
            known.add(new)
            batch.append(new)
            if len(batch) == _BATCH:
                self._store_on_thread(batch)
                batch = []
        if batch:
            self._store_on_thread(batch)

    def _new_matches_on_thread(self, source: Path | str) -> Iterator[NewMatch]:
        progress = self.progress
        try:
            text = source if isinstance(source, str) else read_collection_text(source)
        except RecordError as error:
            progress.refused.append(str(error))
            return
        progress.parts += sum(1 for _ in parts_of(text))
        if not text.strip():
            self._refuse(source, say("It is empty."))
        for found in read_collection(text):
            if progress.is_stopped:
                return
            progress.read += 1
            if isinstance(found, Refused):
                self._refuse(source, say("Record {number}: {reason}", number=found.number, reason=found.reason))
            elif not found.steps:
                self._refuse(source, say("Record {number}: it has no turns.", number=progress.read))
            else:
                yield new_match(found)

    def _refuse(self, source: Path | str, reason: str) -> None:
        if isinstance(source, Path):
            reason = say("{file}: {reason}", file=source.name, reason=reason)
        self.progress.refused.append(reason)

    def _store_on_thread(self, batch: Sequence[NewMatch]) -> None:
        def expect() -> None:
            self._waiting += len(batch)

        def has_stored(number: int) -> None:
            self._waiting -= number
            self.progress.stored += number
            self._finish_if_over()

        self._reader.call_soon(expect)
        self._reader.writer.add(batch, lambda numbers: self._reader.call_soon(lambda: has_stored(len(numbers))))

    def _has_read(self) -> None:
        if self._sources and not self.progress.is_stopped:  # added after the loop ended
            self._reader.importer.submit(self._run_on_thread)
            return
        self._is_read = True
        self._finish_if_over()

    def _finish_if_over(self) -> None:
        if self._is_read and not self._waiting and not self.progress.is_over:
            self.progress.is_over = True
            self._done(self.progress)


class _Known:
    """Tells which matches the library has already: it compares tags first, then notations."""

    def __init__(self, path: Path) -> None:
        """:raises LibraryError: the library in *path* can't be read."""
        self._library = Library(path)
        self._numbers: dict[str, list[int]] = {}
        self._added: set[tuple[str, tuple[str, ...]]] = set()
        for number, tags in self._library.tags().items():
            self._numbers.setdefault(tags, []).append(number)

    def add(self, new: NewMatch) -> None:
        self._added.add((new.header.tags, new.snapshot.notations))

    def has(self, new: NewMatch) -> bool:
        """Whether the library has *new*, or a match that begins with all of its turns."""
        tags, notations = new.header.tags, new.snapshot.notations
        if (tags, notations) in self._added:
            return True
        for number in self._numbers.get(tags, ()):
            try:
                played = self._library.load(number)
            except LibraryError:
                continue
            if SnapshotBuilder(played).snapshot().notations[: len(notations)] == notations:
                return True
        return False

    def close(self) -> None:
        self._library.close()


def new_match(match: Match) -> NewMatch:
    """Return *match*, read from a record, for the library, dated as in the record."""
    name = " ".join(match.tags.pop(NAME_TAG, "").split())
    when = datetime.datetime.combine(match.date, _NOON)
    return NewMatch(header_of(match), SnapshotBuilder(match).snapshot()._replace(when=when), name)


def export_matches(
    reader: LibraryReader,
    match_ids: Sequence[int],
    path: Path,
    names: dict[int, str],
    done: Callable[[ExportResult], None],
) -> None:
    """Write the records of matches to the file *path*, which is replaced once all is written.

    :param names: the names that a person gave the matches, by their numbers.
    :param done: called on the window's thread.
    """
    result = ExportResult(path)

    def matches() -> Iterator[Match]:
        for match_id in match_ids:
            try:
                match = reader.load_on_thread(match_id)
            except LibraryError:
                result.unreadable += 1
                continue
            if not match.is_open:
                result.hidden += 1
                continue
            if names.get(match_id):
                match.tags[NAME_TAG] = names[match_id]
            result.count += 1
            yield match

    def write() -> None:
        try:
            with suppress(_NothingToWrite), atomic_file(path) as file:
                file.writelines(text.encode() for text in write_collection(matches()))
                if not result.count:
                    raise _NothingToWrite
        except OSError as error:
            result.trouble = say(
                "{file} can't be written: {reason}.", file=path.name, reason=error.strerror or str(error)
            )
        reader.call_soon(lambda: done(result))

    reader.reader.submit(write)


class CopyError(Exception):
    """A file can't be written; the message says why."""


def save_record(match: Match, today: datetime.date | None = None) -> Path:
    """Write the record of *match* as a text file; see ``save_text``.

    :raises CopyError: it can't be written anywhere.
    """
    return save_text(f"papan-{match.game.name}", ".txt", write(match), today)


def save_text(name: str, suffix: str, text: str, today: datetime.date | None = None) -> Path:
    """Write *text* to a new file in the documents folder, else in the data folder, and return its path.

    It is named by *name*, the date and *suffix*.

    :raises CopyError: it can't be written anywhere.
    """
    stem, trouble = f"{name}-{(today or datetime.date.today()).isoformat()}", ""
    for folder in (documents_folder(), data_folder()):
        try:
            make_private_folder(folder)
            return _write_new(folder, stem, suffix, text)
        except OSError as error:
            trouble = error.strerror or str(error)
    raise CopyError(trouble)


def _write_new(folder: Path, stem: str, suffix: str, text: str) -> Path:
    """Write *text* to a new file in *folder*; a file that can't be completed is removed."""
    for number in itertools.count(1):
        path = folder / (f"{stem}{suffix}" if number == 1 else f"{stem} ({number}){suffix}")
        try:
            file = path.open("x", encoding="utf-8")
        except FileExistsError:
            continue
        try:
            with file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return path
    raise AssertionError("unreachable")


class FoundPosition(NamedTuple):
    """A position of a game under some options, with its text."""

    game: Game
    options: Mapping[str, str]
    text: str


def read_record_or_position(text: str) -> Match | FoundPosition:
    """Return the match or the position that *text* describes; for any other text, raise the errors of a record.

    :raises SeveralRecords: *text* may hold several records.
    :raises RecordError: *text* is neither; the message says what is wrong, and where.
    """
    one_line = " ".join(text.split())
    if not one_line.startswith("["):
        position = recognised(one_line, list(GALLERY.values()))
        if position is not None:
            return FoundPosition(*position, one_line)
    return read_single(text)
