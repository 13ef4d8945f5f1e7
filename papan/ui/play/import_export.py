"""Import and export: match records read from files and the clipboard, and written to files, in the background."""

from __future__ import annotations

import datetime
import itertools
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from papan.game.base.places import atomic_file, data_folder, documents_folder, make_private_folder
from papan.game.base.sentences import Sentence, figures, joined, say, say_number
from papan.game.catalogue import GALLERY, GAMES
from papan.game.formats import ForeignFile, SeveralGames, read_game
from papan.game.formats.importing import ImportProgress, KnownMatches, new_matches
from papan.game.formats.reasons import Reasons
from papan.game.formats.source import FormatError, Source
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.collection import (
    NAME_TAG,
    write_collection,
)
from papan.game.match.library import LibraryError, NewMatch
from papan.game.presentation import fault_of_nearest, recognised
from papan.ui.play.library_reader import LibraryReader

_MOST_WAITING = 20
"""Batches of matches that wait to be stored."""
_LOOK_SECONDS = 0.1
_MOST_REASONS = 6
"""Refused games whose reasons are told."""


class _NothingToWrite(Exception):
    """No match can be written."""


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
        self.numbers: list[int] = []
        """The numbers of the matches stored so far."""
        self._reader = reader
        self._done = done
        self._sources: list[Path | Source] = []
        self._is_submitted = False
        self._waiting = 0  # matches that the writer has not stored yet
        self._room = threading.Semaphore(_MOST_WAITING)
        self._is_read = False

    def give(self, *sources: Path | Source) -> None:
        self._sources += sources
        if not self._is_submitted:
            self._is_submitted = True
            self._reader.importer.submit(self._run_on_thread)

    def _run_on_thread(self) -> None:
        try:
            with closing(KnownMatches(self._reader.writer.path)) as known:
                while self._sources and not self.progress.is_stopped:
                    for batch in new_matches(self._sources.pop(0), GAMES.values(), known, self.progress):
                        self._store_on_thread(batch)
        except LibraryError as error:
            self.progress.refused.add(str(error))
        self._reader.call_soon(self._has_read)

    def _store_on_thread(self, batch: Sequence[NewMatch]) -> None:
        """Have *batch* stored; wait while many others are not stored yet, which bounds the memory."""
        while not self._room.acquire(timeout=_LOOK_SECONDS):
            if self.progress.is_stopped:
                return

        def expect() -> None:
            self._waiting += len(batch)

        def has_stored(numbers: Sequence[int]) -> None:
            self._room.release()
            self._waiting -= len(numbers)
            self.numbers += numbers
            self.progress.stored += len(numbers)
            self._finish_if_over()

        self._reader.call_soon(expect)
        self._reader.writer.add(batch, lambda numbers: self._reader.call_soon(lambda: has_stored(numbers)))

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


def with_reasons(report: Sentence, progress: ImportProgress) -> Sentence:
    """Return *report*, what was left out, what is doubtful, and the reasons for the first refused games."""
    report = joined(filter(None, [report, progress.left_out_in_words]))
    notes = progress.notes.told(_MOST_REASONS)
    if not progress.refused:
        return joined([report, *notes], "\n")
    refused = say_number(
        "{count} was not imported:", "{count} were not imported:",
        progress.refused.number, count=figures(progress.refused.number),
    )  # fmt: skip
    return joined([joined([report, refused]), *progress.refused.told(_MOST_REASONS), *notes], "\n")


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


def save_text(name: str, suffix: str, text: str) -> Path:
    """Write *text* to a new file in the documents folder, else in the data folder, and return its path.

    It is named by *name*, the date and *suffix*.

    :raises CopyError: it can't be written anywhere.
    """
    stem, trouble = f"{name}-{datetime.date.today().isoformat()}", ""
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


def position_in(text: str) -> FoundPosition | None:
    """The position that *text* is; None if it is none, or a record."""
    one_line = " ".join(text.split())
    position = None if one_line.startswith("[") else recognised(one_line, list(GALLERY.values()))
    return FoundPosition(*position, one_line) if position else None


def read_record_or_position(text: str, doubtful: list[Reasons] | None = None) -> Match | FoundPosition:
    """Return the match or the position that *text* describes.

    :param doubtful: receives what is doubtful about the match.
    :raises papan.game.formats.SeveralGames: *text* holds several games.
    :raises FormatError: *text* is neither; the message says for what it was taken, and what is wrong.
    """
    position = position_in(text)
    if position is not None:
        return position
    source = Source(text=text)
    if doubtful is not None:
        doubtful.append(source.notes)
    try:
        return read_game(source, list(GALLERY.values()))
    except FormatError as error:
        fault = fault_of_nearest(" ".join(text.split()), list(GALLERY.values()))
        is_told = str(fault).partition(": ")[2] in str(error)
        if not fault or is_told or isinstance(error, (ForeignFile, SeveralGames)):
            raise
        raise FormatError(joined([str(error), fault])) from error
