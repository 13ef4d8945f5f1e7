"""Records brought into the library and out of it, beside the window."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from papan.game.base.places import whole_file
from papan.game.base.sentences import say
from papan.game.match import Match
from papan.game.match.collection import (
    NAME_TAG,
    Refused,
    parts_of,
    read_collection,
    read_collection_text,
    write_collection,
)
from papan.game.match.library import Chronicle, Library, LibraryError, NewMatch, facts_of
from papan.game.match.record import RecordError
from papan.ui.play.shelf import Shelf

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

    def __init__(self, shelf: Shelf, done: Callable[[Brought], object]) -> None:
        """:param done: called on the window's thread, once all is stored, or was given up."""
        self.brought = Brought()
        self._shelf = shelf
        self._done = done
        self._sources: list[Path | str] = []
        self._is_submitted = False
        self._waiting = 0  # matches that the desk has not stored yet
        self._is_read = False

    def give(self, *sources: Path | str) -> None:
        """Have *sources* read: files, or texts."""
        self._sources += sources
        if not self._is_submitted:
            self._is_submitted = True
            self._shelf.carrier.submit(self._run_beside)

    def _run_beside(self) -> None:
        try:
            with closing(_Known(self._shelf.writer.path)) as known:
                while self._sources and not self.brought.is_given_up:
                    self._read_beside(self._sources.pop(0), known)
        except LibraryError as error:
            self.brought.refused.append(str(error))
        self._shelf.call_soon(self._has_read)

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
            self._shelf.call_soon(lambda: self._has_stored(len(numbers)))

        self._shelf.call_soon(lambda: self._expect(len(batch)))
        self._shelf.writer.add(batch, stored)

    def _expect(self, number: int) -> None:
        self._waiting += number

    def _has_stored(self, number: int) -> None:
        self._waiting -= number
        self.brought.stored += number
        self._finish_if_over()

    def _has_read(self) -> None:
        if self._sources and not self.brought.is_given_up:  # given in the last moment
            self._shelf.carrier.submit(self._run_beside)
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
        self._added.add((new.facts.tags, new.snapshot.notations))

    def has(self, new: NewMatch) -> bool:
        """Whether *new* is there already, or a match that goes on from where it ends."""
        tags, notations = new.facts.tags, new.snapshot.notations
        if (tags, notations) in self._added:
            return True
        for number in self._numbers.get(tags, ()):
            try:
                played = self._library.load(number)
            except LibraryError:
                continue
            if Chronicle(played).snapshot().notations[: len(notations)] == notations:
                return True
        return False

    def close(self) -> None:
        """Let go of the file."""
        self._library.close()


def new_match(match: Match) -> NewMatch:
    """*match*, read from a record, as it comes into the library: played on the day that the record tells."""
    name = " ".join(match.tags.pop(NAME_TAG, "").split())
    when = datetime.datetime.combine(match.date, _NOON)
    return NewMatch(facts_of(match), Chronicle(match).snapshot()._replace(when=when), name)


def take_out(
    shelf: Shelf, match_ids: Sequence[int], path: Path, names: dict[int, str], done: Callable[[Taken], object]
) -> None:
    """Write the records of matches to the file *path*, what is there is replaced once all is written.

    :param names: what a person calls them, by their numbers.
    :param done: called on the window's thread.
    """
    taken = Taken(path)

    def write() -> None:
        try:
            _write_beside(shelf, match_ids, names, taken)
        except OSError as error:
            taken.trouble = say(
                "{file} can't be written: {reason}.", file=path.name, reason=error.strerror or str(error)
            )
        shelf.call_soon(tell)

    def tell() -> None:
        done(taken)

    shelf.reader.submit(write)


def _write_beside(shelf: Shelf, match_ids: Sequence[int], names: dict[int, str], taken: Taken) -> None:
    def matches() -> Iterator[Match]:
        for match_id in match_ids:
            try:
                match = shelf.load_beside(match_id)
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

    with suppress(_NothingToWrite), whole_file(taken.path) as file:
        file.writelines(text.encode() for text in write_collection(matches()))
        if not taken.count:
            raise _NothingToWrite
