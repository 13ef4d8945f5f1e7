"""Records read, imported into the library, exported from it, and saved in files, beside the window."""

from __future__ import annotations

import datetime
import itertools
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

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
"""So many matches are stored at once."""
_NOON = datetime.time(12, tzinfo=datetime.UTC)
"""When a match was played of which only the day is known."""


class _NothingToWrite(Exception):
    """There is no match to make a file of."""


@dataclass
class Brought:
    """What has become of records so far; the window looks at it while it goes on."""

    parts: int = 0
    """How many there are, of those that have been looked at."""
    read: int = 0
    stored: int = 0
    known: int = 0
    """How many were in the library already."""
    refused: list[str] = field(default_factory=list)
    """A sentence for each that is no record of a match."""
    is_over: bool = False
    is_given_up: bool = False
    """Set it, and no more is read."""


@dataclass
class Taken:
    """What has become of matches that were to be written to a file."""

    path: Path
    count: int = 0
    hidden: int = 0
    """How many were left out, because they go on and hide cards."""
    unreadable: int = 0
    trouble: str = ""
    """Why there is no file, in a sentence."""


class Import:
    """Reads records, from files or texts, into the library; more can be given while it goes on."""

    def __init__(self, reader: LibraryReader, done: Callable[[Brought], object]) -> None:
        """:param done: called on the window's thread, once all is stored, or was given up."""
        self.brought = Brought()
        self._reader = reader
        self._done = done
        self._sources: list[Path | str] = []
        self._is_submitted = False
        self._waiting = 0  # matches that the writer has not stored yet
        self._is_read = False

    def give(self, *sources: Path | str) -> None:
        """Have *sources* read: files, or texts."""
        self._sources += sources
        if not self._is_submitted:
            self._is_submitted = True
            self._reader.carrier.submit(self._run_beside)

    def _run_beside(self) -> None:
        try:
            with closing(_Known(self._reader.writer.path)) as known:
                while self._sources and not self.brought.is_given_up:
                    self._read_beside(self._sources.pop(0), known)
        except LibraryError as error:
            self.brought.refused.append(str(error))
        self._reader.call_soon(self._has_read)

    def _read_beside(self, source: Path | str, known: _Known) -> None:
        batch: list[NewMatch] = []
        for new in self._new_matches_beside(source):
            if known.has(new):
                self.brought.known += 1
                continue
            known.add(new)
            batch.append(new)
            if len(batch) == _BATCH:
                self._store_beside(batch)
                batch = []
        if batch:
            self._store_beside(batch)

    def _new_matches_beside(self, source: Path | str) -> Iterator[NewMatch]:
        brought = self.brought
        try:
            text = source if isinstance(source, str) else read_collection_text(source)
        except RecordError as error:
            brought.refused.append(str(error))
            return
        brought.parts += sum(1 for _ in parts_of(text))
        if not text.strip():
            brought.refused.append(self._told(source, say("There is nothing in it.")))
        for found in read_collection(text):
            if brought.is_given_up:
                return
            brought.read += 1
            if isinstance(found, Refused):
                reason = say("Record {number}: {reason}", number=found.number, reason=found.reason)
                brought.refused.append(self._told(source, reason))
            elif not found.steps:
                reason = say("Record {number}: no step of it was played.", number=brought.read)
                brought.refused.append(self._told(source, reason))
            else:
                yield new_match(found)

    def _told(self, source: Path | str, reason: str) -> str:
        if isinstance(source, str):
            return reason
        return say("{file}: {reason}", file=source.name, reason=reason)

    def _store_beside(self, batch: Sequence[NewMatch]) -> None:
        def stored(numbers: Sequence[int]) -> None:
            self._reader.call_soon(lambda: self._has_stored(len(numbers)))

        self._reader.call_soon(lambda: self._expect(len(batch)))
        self._reader.writer.add(batch, stored)

    def _expect(self, number: int) -> None:
        self._waiting += number

    def _has_stored(self, number: int) -> None:
        self._waiting -= number
        self.brought.stored += number
        self._finish_if_over()

    def _has_read(self) -> None:
        if self._sources and not self.brought.is_given_up:  # given in the last moment
            self._reader.carrier.submit(self._run_beside)
            return
        self._is_read = True
        self._finish_if_over()

    def _finish_if_over(self) -> None:
        if self._is_read and not self._waiting and not self.brought.is_over:
            self.brought.is_over = True
            self._done(self.brought)


class _Known:
    """The matches that are in the library already: by their tags, and only where these are the same by their steps."""

    def __init__(self, path: Path) -> None:
        """:raises LibraryError: the library in *path* can't be read."""
        self._library = Library(path)
        self._numbers: dict[str, list[int]] = {}
        self._added: set[tuple[str, tuple[str, ...]]] = set()
        for number, tags in self._library.tags().items():
            self._numbers.setdefault(tags, []).append(number)

    def add(self, new: NewMatch) -> None:
        """Note that *new* comes in now."""
        self._added.add((new.header.tags, new.snapshot.notations))

    def has(self, new: NewMatch) -> bool:
        """Whether *new* is there already, or a match that goes on from where it ends."""
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
        """Let go of the file."""
        self._library.close()


def new_match(match: Match) -> NewMatch:
    """*match*, read from a record, as it comes into the library: played on the day that the record tells."""
    name = " ".join(match.tags.pop(NAME_TAG, "").split())
    when = datetime.datetime.combine(match.date, _NOON)
    return NewMatch(header_of(match), SnapshotBuilder(match).snapshot()._replace(when=when), name)


def take_out(
    reader: LibraryReader, match_ids: Sequence[int], path: Path, names: dict[int, str], done: Callable[[Taken], None]
) -> None:
    """Write the records of matches to the file *path*, what is there is replaced once all is written.

    :param names: what a person calls them, by their numbers.
    :param done: called on the window's thread.
    """
    taken = Taken(path)

    def write() -> None:
        try:
            _write_beside(reader, match_ids, names, taken)
        except OSError as error:
            taken.trouble = say(
                "{file} can't be written: {reason}.", file=path.name, reason=error.strerror or str(error)
            )
        reader.call_soon(lambda: done(taken))

    reader.reader.submit(write)


def _write_beside(reader: LibraryReader, match_ids: Sequence[int], names: dict[int, str], taken: Taken) -> None:
    def matches() -> Iterator[Match]:
        for match_id in match_ids:
            try:
                match = reader.load_beside(match_id)
            except LibraryError:
                taken.unreadable += 1
                continue
            if not match.is_open:
                taken.hidden += 1
                continue
            if names.get(match_id):
                match.tags[NAME_TAG] = names[match_id]
            taken.count += 1
            yield match

    with suppress(_NothingToWrite), atomic_file(taken.path) as file:
        file.writelines(text.encode() for text in write_collection(matches()))
        if not taken.count:
            raise _NothingToWrite


class CopyError(Exception):
    """A text that can't be written to a file; the message says why."""


def save_record(match: Match, today: datetime.date | None = None) -> Path:
    """Write the record of *match* as a text file; see ``save_text``.

    :raises CopyError: it can't be written anywhere.
    """
    return save_text(f"papan-{match.game.name}", ".txt", write(match), today)


def save_text(name: str, suffix: str, text: str, today: datetime.date | None = None) -> Path:
    """Write *text* to a file among the person's documents, else among the program's own files.

    Returns its path, *name* and the day with *suffix*. No file that is there is written over.

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
    """Write *text* to a file in *folder* that was not there; a file that can't be completed is removed."""
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


T = TypeVar("T")

LONG_SECONDS = 0.4
"""Seconds after which a person wants to be told that something is being read."""


class FoundPosition(NamedTuple):
    """A text that is the position of a game under certain options."""

    game: Game
    options: Mapping[str, str]
    text: str


def read_record_or_position(text: str) -> Match | FoundPosition:
    """The match whose record is *text*, or the position that it is; it speaks of a record where it is neither.

    :raises SeveralRecords: it may be the records of several matches.
    :raises RecordError: what is wrong, and where.
    """
    one_line = " ".join(text.split())
    if not one_line.startswith("["):
        position = recognised(one_line, list(GALLERY.values()))
        if position is not None:
            return FoundPosition(*position, one_line)
    return read_single(text)


class RecordReader:
    """Reads one match at a time, in a thread of its own; what was asked for last counts."""

    def __init__(self, call_soon: Callable[[Callable[[], None]], object]) -> None:
        """:param call_soon: has the window's thread call something; called from any thread."""
        self._call_soon = call_soon
        self._ticket = 0
        self._is_reading = False

    @property
    def is_reading(self) -> bool:
        """Whether something is being read that somebody waits for."""
        return self._is_reading

    def read(self, read: Callable[[], T], found: Callable[[T], object], takes_long: Callable[[], object]) -> None:
        """Have *read* called beside the window; what it raises is raised on the window's thread.

        :param found: called on the window's thread with what *read* returns.
        :param takes_long: called on the window's thread if that is not there after a while.
        """
        self._ticket += 1
        self._is_reading = True
        ticket = self._ticket
        patience = threading.Timer(LONG_SECONDS, lambda: self._call_soon(lambda: self._if_wanted(ticket, takes_long)))
        patience.daemon = True

        def work() -> None:
            tell: Callable[[], object]
            try:
                answer = read()
                tell = partial(found, answer)
            except BaseException as error:
                tell = partial(_throw, error)
            patience.cancel()
            self._call_soon(lambda: self._if_wanted(ticket, lambda: self._end(tell)))

        patience.start()
        threading.Thread(target=work, name="record", daemon=True).start()

    def cancel(self) -> None:
        """Forget what is being read."""
        self._is_reading = False

    def _if_wanted(self, ticket: int, act: Callable[[], object]) -> None:
        if ticket == self._ticket and self._is_reading:
            act()

    def _end(self, tell: Callable[[], object]) -> None:
        self._is_reading = False
        tell()


def _throw(error: BaseException) -> None:
    raise error
