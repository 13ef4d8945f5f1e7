"""The library for the scenes: lists and previews read in the background, and changes that a person makes.

A thread with its own connection reads lists and replays matches for their previews; the ``LibraryWriter`` writes.
Methods named ``..._on_thread`` run on that thread, all others on the window's.
"""

from __future__ import annotations

import datetime
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from papan.ai.thinking.thinker import Worker
from papan.game.base.sentences import say_number
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.library import Library, LibraryError, LibraryWriter, SavedMatch, Summary
from papan.game.rules import NOBODY, State, observe
from papan.online.letterbox import Letterbox
from papan.ui.play.entries import Entry, MatchFilter, Wording, filter_entries
from papan.ui.texts import _
from papan.ui.texts.manner import naming
from papan.ui.texts.wording import only_person, played_in_words

log = logging.getLogger(__name__)

READER, IMPORTER = "library reader", "library importer"
"""The names of the threads for lists and exports, and for imports."""
_MOST_PREVIEWS = 400
"""Previews in the cache, which drops the least recently used first."""
_MOST_WANTED = 40
"""Requested previews; older requests are dropped, as the list has been scrolled past them."""


@dataclass(frozen=True)
class Listing:
    """The answer to ``LibraryReader.ask``."""

    wanted: MatchFilter
    entries: Sequence[Entry] = ()
    total: int = 0
    """The matches in the library, without variations."""
    unfinished: int = 0
    """How many of these are unfinished."""
    trouble: str = ""
    """Why the list is empty or incomplete, as a sentence."""


class Preview(NamedTuple):
    """The position in a picture of a match."""

    game: Game
    state: State
    """Without the hidden cards of an unfinished match."""
    is_open: bool
    only_person: int | None
    """The seat of the only person; None: several or none."""


def preview_of(match: Match) -> Preview:
    """Return the last position of *match*, without hidden cards."""
    state = match.state if match.is_open else observe(match.state, NOBODY)
    return Preview(match.game, state, match.is_open, only_person(match.seats))


class LibraryReader:
    """The library of the running program."""

    def __init__(
        self,
        writer: LibraryWriter,
        call_soon: Callable[[Callable[[], None]], object],
        letterbox: Letterbox | None = None,
    ) -> None:
        """:param call_soon: runs a function on the window's thread; may be called from any thread.
        :param letterbox: of the matches by letter; default: the program's.
        """
        self.letterbox = letterbox or Letterbox()
        self.reader, self.importer = Worker(READER), Worker(IMPORTER)
        self.writer = writer
        self.call_soon = call_soon
        self.deletions: list[Sequence[int]] = []
        """The deletions that can be undone, oldest first: each the numbers of the matches deleted together."""
        self._library: Library | None = None  # the reader's
        self._entries: list[Entry] = []  # the reader's
        self._read_at: object = None  # the reader's
        self._asked = 0
        self._previews: OrderedDict[object, Preview | None] = OrderedDict()
        self._wanted: OrderedDict[object, int] = OrderedDict()

    @property
    def changes(self) -> int:
        """A number that changes when there is something new to show."""
        return self.writer.changes + self.letterbox.changes

    def ask(self, wanted: MatchFilter, unfolded: frozenset[int], answer: Callable[[Listing], object]) -> None:
        """List the *wanted* matches; only the latest request is answered.

        :param unfolded: the numbers of the matches whose variations are listed.
        :param answer: called on the window's thread.
        """
        self._asked += 1
        ticket, hidden, changes = self._asked, self.writer.deleted, self.changes

        def tell(listing: Listing) -> None:
            if ticket == self._asked:
                answer(listing)

        def read() -> None:
            if ticket != self._asked:
                return
            trouble = ""
            try:
                self._read_on_thread(changes)
            except LibraryError as error:
                trouble = str(error)
            there = [entry for entry in self._entries if entry.id not in hidden]
            rows = filter_entries(there, wanted, unfolded, datetime.datetime.now().astimezone())
            matches = [entry for entry in there if not entry.summary.is_line]
            going_on = sum(entry.outcome == "unfinished" for entry in matches)
            listing = Listing(wanted, rows, len(matches), going_on, trouble)
            self.call_soon(lambda: tell(listing))

        self.reader.submit(read)

    def forget_question(self) -> None:
        """Drop all requests for lists and previews."""
        self._asked += 1
        self._wanted.clear()

    def _read_on_thread(self, changes: int) -> None:
        """Read the entries again if something has changed."""
        names = naming()
        moment = changes, names, self._library is not None and self._library.is_in_memory
        if moment == self._read_at and self._library is not None:
            return
        library, wording = self._opened_on_thread(), Wording(self.letterbox)
        self._entries = [wording.entry(summary) for page in library.all() for summary in page]
        self._read_at = changes, names, library.is_in_memory

    def _opened_on_thread(self) -> Library:
        if self._library is None:
            self._library = Library(self.writer.path)
        return self._library

    def load_on_thread(self, match_id: int) -> Match:
        """Load a match, in a job of the ``reader``.

        :raises LibraryError: it can't be loaded.
        """
        return self._opened_on_thread().load(match_id)

    def preview(self, summary: Summary) -> Preview | None:
        """Return the preview of a match; None while it is being read, or if it can't be."""
        key = summary.id, summary.updated
        if key in self._previews:
            self._previews.move_to_end(key)
            return self._previews[key]
        if key not in self._wanted:
            self._wanted[key] = summary.id
            while len(self._wanted) > _MOST_WANTED:
                self._wanted.popitem(last=False)
            self.reader.submit(self._find_on_thread)
        return None

    def know(self, summary: Summary, match: Match) -> None:
        """Make the preview of a match from *match* itself, which may not be saved yet."""
        self._keep((summary.id, summary.updated), preview_of(match))

    def is_known(self, summary: Summary) -> bool:
        """Whether the preview of this match has been read, or could not be."""
        return (summary.id, summary.updated) in self._previews

    def _find_on_thread(self) -> None:
        """Read the preview requested last."""
        try:
            key, match_id = self._wanted.popitem()
        except KeyError:
            return  # dropped
        found = None
        try:
            found = preview_of(self.load_on_thread(match_id))
        except LibraryError as error:
            log.info("There is no picture of match %d: %s", match_id, error)
        self.call_soon(lambda: self._keep(key, found))

    def _keep(self, key: object, found: Preview | None) -> None:
        self._previews[key] = found
        while len(self._previews) > _MOST_PREVIEWS:
            self._previews.popitem(last=False)

    def rename(self, match_id: int, name: str) -> None:
        """Give a match a name; "" removes it."""
        self.writer.rename(match_id, " ".join(name.split()))

    def delete(self, match_ids: Iterable[int]) -> None:
        """Delete matches; ``undo_deletion`` restores them until the program ends."""
        numbers = tuple(match_ids)
        self.writer.delete(numbers)
        self.deletions.append(numbers)

    def delete_with_lines(self, match_ids: Iterable[int], done: Callable[[], object]) -> None:
        """As ``delete``, with those variations of the matches that no person has continued.

        :param done: called on the window's thread once variations were deleted, too.
        """
        numbers = list(match_ids)
        self.delete(numbers)
        place = len(self.deletions) - 1

        def find() -> None:
            gone = set(numbers)
            for entry in sorted(self._entries, key=lambda entry: entry.id):  # a branch has a higher number
                origin = entry.summary.origin
                if entry.summary.is_line and origin is not None and origin.match_id in gone:
                    gone.add(entry.id)
            lines = sorted(gone.difference(numbers))
            self.call_soon(lambda: also(lines))

        def also(lines: Sequence[int]) -> None:
            if not lines or place >= len(self.deletions) or self.deletions[place][: len(numbers)] != tuple(numbers):
                return  # undone meanwhile
            self.deletions[place] = (*numbers, *lines)
            self.writer.delete(lines)
            done()

        self.reader.submit(find)

    def undo_deletion(self) -> Sequence[int]:
        """Restore the matches deleted last; return their numbers."""
        numbers = self.deletions.pop() if self.deletions else ()
        if numbers:
            self.writer.restore(numbers)
        return numbers

    def close(self, patience: float) -> bool:
        """Close the file and the threads; return whether they ended within *patience* seconds."""
        self.forget_question()

        def shut() -> None:
            if self._library is not None:
                self._library.close()
                self._library = None

        self.reader.submit(shut)
        ended = [self.importer.close(patience), self.reader.close(patience)]
        return all(ended)


@dataclass
class StoredMatch:
    """A match of the library, in words."""

    matches: StoredMatches
    summary: Summary
    title: str
    """The name that a person gave the match, or its game's."""
    players: str
    standing: str
    """Its state or result."""
    note: str
    """The same, with the number of the turn."""
    when: str
    kept: SavedMatch | None = None
    """The match itself, if part of it is not written yet."""

    def open(self) -> None:
        self.matches.open(self.summary, self.kept)

    def delete(self) -> None:
        self.matches.delete(self.summary, self.kept)


class StoredMatches:
    """The matches of *library*, in words, with those that are not written yet."""

    def __init__(
        self,
        library: Library,
        reader: LibraryReader,
        open_match: Callable[[Summary, SavedMatch | None], object],
        tell: Callable[[str], object],
    ) -> None:
        """:param open_match: resumes a match, or reviews it if it is over."""
        self._library = library
        self._writer = reader.writer
        self._reader = reader
        self.open = open_match
        self._tell = tell
        self._told = 0
        """The number of unreadable matches that the player was told of."""

    @property
    def changes(self) -> int:
        """A number that changes when there is something new to show."""
        return self._reader.changes

    def unfinished(self, most: int) -> list[StoredMatch]:
        """Return at most *most* unfinished matches, the one played last first."""
        return self._in_words(self._summaries(self._library.unfinished, most, is_over=False))

    def unfinished_count(self) -> int:
        try:
            return self._library.unfinished_count()
        except LibraryError:
            return 0

    def last_finished(self, most: int) -> list[StoredMatch]:
        """Return at most *most* finished matches, the latest first."""
        return self._in_words(self._summaries(self._library.recent, most, is_over=True))

    def delete(self, summary: Summary, kept: SavedMatch | None) -> None:
        """Delete a match, or drop it if it was never written."""
        if kept is not None and kept.held is None:
            self._writer.abandon(kept)
        else:
            self._reader.delete_with_lines([summary.id], lambda: None)

    def _in_words(self, found: Sequence[tuple[Summary, SavedMatch | None]]) -> list[StoredMatch]:
        wording, matches = Wording(self._reader.letterbox), []
        for summary, kept in found:
            entry = wording.entry(summary)
            if entry.game is None:
                continue
            if kept is not None:
                self._reader.know(summary, kept.match)
            note = entry.result
            if summary.ending is None and summary.turns is not None:
                note = _("turn {number} · {standing}").format(number=summary.turns + 1, standing=entry.result)
            when = played_in_words(summary)
            matches.append(StoredMatch(self, summary, entry.title, entry.players, entry.result, note, when, kept))
        return matches

    def _summaries(
        self, ask: Callable[[int], list[Summary]], most: int, *, is_over: bool
    ) -> list[tuple[Summary, SavedMatch | None]]:
        writer = self._writer
        waiting = [(kept.summary, kept) for kept in reversed(writer.unsaved) if kept.is_closed]
        hidden = {*writer.dropped, *writer.deleted, *(summary.id for summary, _kept in waiting)}
        found: list[tuple[Summary, SavedMatch | None]] = []
        found += [(summary, kept) for summary, kept in waiting if (summary.ending is not None) == is_over]
        found = [(summary, kept) for summary, kept in found if summary.id not in writer.deleted]
        try:
            found += [(summary, None) for summary in ask(most + len(hidden)) if summary.id not in hidden]
        except LibraryError as error:
            self._tell(str(error))
        number = len(self._library.unreadable)
        if number > self._told:
            words = say_number(
                "{count} match in the library can't be read and is left as it is.",
                "{count} matches in the library can't be read and are left as they are.",
                number,
            )
            self._tell(words)
        self._told = number
        return found[:most]
