"""The library as scenes know it: read beside the window, and what a person does to its matches.

A thread with a connection of its own reads lists and plays matches anew for their pictures; the ``LibraryWriter``
makes changes. Methods named ``..._beside`` run on that thread, all others on the window's.
"""

from __future__ import annotations

import datetime
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from papan.ai.thinking.thinker import Worker
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.library import Library, LibraryError, LibraryWriter, Summary
from papan.game.rules import NOBODY, State, observe
from papan.ui.play.entries import Entry, Wanted, Wording, arranged
from papan.ui.texts import current_language
from papan.ui.texts.wording import only_person

log = logging.getLogger(__name__)

READER, CARRIER = "library reader", "library carrier"
"""The names of the threads that lists are read on, and that records are brought in and out on."""
_MOST_PREVIEWS = 400
"""Positions that are kept; those that nobody has looked at for longest go first."""
_MOST_WANTED = 40
"""Positions that wait to be found; the rest has been scrolled past."""


@dataclass(frozen=True)
class Listing:
    """A list of matches as it was asked for."""

    wanted: Wanted
    entries: Sequence[Entry] = ()
    total: int = 0
    """How many matches there are in the library, without variations."""
    unfinished: int = 0
    """How many of these go on."""
    trouble: str = ""
    """Why there is nothing, or not all, in a sentence."""


class Preview(NamedTuple):
    """What a picture of a match shows."""

    game: Game
    state: State
    """As everybody may see it: hidden cards of a match that goes on are not in it."""
    is_open: bool
    only_person: int | None
    """The seat of the only person; None where there are several or none."""


def preview_of(match: Match) -> Preview:
    """The picture of *match* as it stands, for anybody's eyes."""
    state = match.state if match.is_open else observe(match.state, NOBODY)
    return Preview(match.game, state, match.is_open, only_person(match.seats))


class LibraryReader:
    """The library of one program."""

    def __init__(self, writer: LibraryWriter, call_soon: Callable[[Callable[[], None]], object]) -> None:
        """:param call_soon: has the window's thread call something; called from any thread."""
        self.reader, self.carrier = Worker(READER), Worker(CARRIER)
        self.writer = writer
        self.call_soon = call_soon
        self.deletions: list[Sequence[int]] = []
        """The numbers of the matches that were deleted together, the last ones last: what can be taken back."""
        self._library: Library | None = None  # the reader's
        self._entries: list[Entry] = []  # the reader's
        self._read_at: object = None  # the reader's
        self._asked = 0
        self._previews: OrderedDict[object, Preview | None] = OrderedDict()
        self._wanted: OrderedDict[object, int] = OrderedDict()

    @property
    def changes(self) -> int:
        """A number that another one takes the place of when there is something new to list."""
        return self.writer.changes

    # -------------------------------------------------------------------------------------- lists

    def ask(self, wanted: Wanted, unfolded: frozenset[int], answer: Callable[[Listing], object]) -> None:
        """Have the *wanted* matches listed; of several questions only the last is answered.

        :param unfolded: the numbers of the matches whose variations are listed, too.
        :param answer: called on the window's thread.
        """
        self._asked += 1
        ticket, hidden, changes = self._asked, self.writer.deleted, self.writer.changes

        def tell(listing: Listing) -> None:
            if ticket == self._asked:
                answer(listing)

        def list_them() -> None:
            if ticket == self._asked:
                listing = self._listed_beside(wanted, unfolded, hidden, changes)
                self.call_soon(lambda: tell(listing))

        self.reader.submit(list_them)

    def forget_question(self) -> None:
        """Have no list answered any more that was asked for, and no position found."""
        self._asked += 1
        self._wanted.clear()

    def _listed_beside(self, wanted: Wanted, unfolded: frozenset[int], hidden: frozenset[int], changes: int) -> Listing:
        trouble = ""
        try:
            self._read_beside(changes)
        except LibraryError as error:
            trouble = str(error)
        there = [entry for entry in self._entries if entry.id not in hidden]
        rows = arranged(there, wanted, unfolded, datetime.datetime.now().astimezone())
        matches = [entry for entry in there if not entry.summary.is_line]
        going_on = sum(entry.outcome == "unfinished" for entry in matches)
        return Listing(wanted, rows, len(matches), going_on, trouble)

    def _read_beside(self, changes: int) -> None:
        """Bring the entries up to date, where something has changed since they were read."""
        moment = changes, current_language(), self._library is not None and self._library.is_in_memory
        if moment == self._read_at and self._library is not None:
            return
        library, wording = self._opened_beside(), Wording()
        self._entries = [wording.entry(summary) for page in library.all() for summary in page]
        self._read_at = changes, current_language(), library.is_in_memory

    def _opened_beside(self) -> Library:
        if self._library is None:
            self._library = Library(self.writer.path)
        return self._library

    def load_beside(self, match_id: int) -> Match:
        """A match of the library, for a job of the ``reader``.

        :raises LibraryError: it can't be loaded.
        """
        return self._opened_beside().load(match_id)

    # ----------------------------------------------------------------------------------- pictures

    def preview(self, summary: Summary) -> Preview | None:
        """What a picture of this match shows; None while that has to be found, or where it can't be."""
        key = summary.id, summary.updated
        if key in self._previews:
            self._previews.move_to_end(key)
            return self._previews[key]
        if key not in self._wanted:
            self._wanted[key] = summary.id
            while len(self._wanted) > _MOST_WANTED:
                self._wanted.popitem(last=False)
            self.reader.submit(self._find_beside)
        return None

    def know(self, summary: Summary, match: Match) -> None:
        """Have the picture of a match made of *match* itself, which may not be in the file yet."""
        self._keep((summary.id, summary.updated), preview_of(match))

    def is_known(self, summary: Summary) -> bool:
        """Whether it has been tried to find what a picture of this match shows."""
        return (summary.id, summary.updated) in self._previews

    def _find_beside(self) -> None:
        """Find the position that was asked for last."""
        try:
            key, match_id = self._wanted.popitem()
        except KeyError:
            return  # it has been scrolled past
        found = None
        try:
            found = preview_of(self.load_beside(match_id))
        except LibraryError as error:
            log.info("There is no picture of match %d: %s", match_id, error)
        self.call_soon(lambda: self._keep(key, found))

    def _keep(self, key: object, found: Preview | None) -> None:
        self._previews[key] = found
        while len(self._previews) > _MOST_PREVIEWS:
            self._previews.popitem(last=False)

    # --------------------------------------------------------------------------- what a person does

    def rename(self, match_id: int, name: str) -> None:
        """Give a match a name of its own; "" takes it away."""
        self.writer.rename(match_id, " ".join(name.split()))

    def delete(self, match_ids: Iterable[int]) -> None:
        """Delete matches together; ``undo_deletion`` takes that back until the program ends."""
        numbers = tuple(match_ids)
        self.writer.delete(numbers)
        self.deletions.append(numbers)

    def delete_with_lines(self, match_ids: Iterable[int], done: Callable[[], object]) -> None:
        """As ``delete``, with the variations of these matches that nobody has gone on with.

        :param done: called on the window's thread, once these have been found.
        """
        numbers = list(match_ids)
        self.delete(numbers)
        place = len(self.deletions) - 1

        def find() -> None:
            gone = set(numbers)
            for entry in sorted(self._entries, key=lambda entry: entry.id):  # what branches off has a higher number
                origin = entry.summary.origin
                if entry.summary.is_line and origin is not None and origin.match_id in gone:
                    gone.add(entry.id)
            lines = sorted(gone.difference(numbers))
            self.call_soon(lambda: also(lines))

        def also(lines: Sequence[int]) -> None:
            if not lines or place >= len(self.deletions) or self.deletions[place][: len(numbers)] != tuple(numbers):
                return  # it has been taken back meanwhile
            self.deletions[place] = (*numbers, *lines)
            self.writer.delete(lines)
            done()

        self.reader.submit(find)

    def undo_deletion(self) -> Sequence[int]:
        """Take back what was deleted last; returns the numbers of these matches."""
        numbers = self.deletions.pop() if self.deletions else ()
        if numbers:
            self.writer.restore(numbers)
        return numbers

    def close(self, patience: float) -> bool:
        """Let go of the file, and end the threads; returns whether that was within *patience* seconds."""
        self.forget_question()

        def shut() -> None:
            if self._library is not None:
                self._library.close()
                self._library = None

        self.reader.submit(shut)
        ended = [self.carrier.close(patience), self.reader.close(patience)]
        return all(ended)
