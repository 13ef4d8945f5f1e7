"""The game library: every match, kept step by step as it is played, in one SQLite file.

What is committed stays when the program is killed, so at most the step in flight is lost. Steps that were
taken back are kept too, and can be played again after a restart. A match that today's rules refuse all the
same is reported in words and stays in the file.

``Library`` looks, on the window's thread; ``LibraryWriter`` writes, in a thread of its own, so that no disk
and no other program can keep the window waiting. Several programs may use one file, and one match has one
writer at a time: see ``store``.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from papan.game.base.database import one_moment
from papan.game.base.recovery import identity
from papan.game.base.sentences import say
from papan.game.base.sqlite import DATABASE_ERRORS, in_words
from papan.game.match import Match
from papan.game.match.library.desk import Desk
from papan.game.match.library.kept import KeptMatch, Standing
from papan.game.match.library.presence import is_dead, is_fresh
from papan.game.match.library.replaying import replay
from papan.game.match.library.rows import (
    IS_PLAYED,
    SUMMARY_COLUMNS,
    BadRow,
    LibraryError,
    Stored,
    Summary,
    read_stored,
    summary_of,
)
from papan.game.match.library.schema import FILE_NAME, default_path, is_in_memory, open_library
from papan.game.match.library.snapshot import Chronicle, Facts, Origin, Snapshot, facts_of
from papan.game.match.library.store import NewMatch
from papan.game.match.library.writer import LibraryWriter

__all__ = [
    "FILE_NAME",
    "Chronicle",
    "Desk",
    "Facts",
    "Found",
    "KeptMatch",
    "Library",
    "LibraryError",
    "LibraryWriter",
    "NewMatch",
    "Origin",
    "Snapshot",
    "Standing",
    "Summary",
    "facts_of",
    "replay",
]

_PAGE = 200
"""So many rows are read at once where all are: between two pages other threads have their turn."""
_IS_SHOWN = f"deleted IS NULL AND {IS_PLAYED}"
_GOES_ON = f"payoffs IS NULL AND NOT is_line AND {_IS_SHOWN}"


class Found(NamedTuple):
    """A match as it stands in the library, to be played anew before it can be played on or watched."""

    stored: Stored
    is_taken: bool
    """Whether another program is playing it, for all that is known."""


class Library:
    """The matches in one file, to look at; each method sees one moment of it.

    A library belongs to the thread that opened it. Every method raises LibraryError where the file can't be
    read any more.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Opens, or makes, the library in the file *path*, otherwise the user's own. Never fails; see ``notice``."""
        self.path = path or default_path()
        self.notice: str | None = None
        """What the person should be told of how it was opened, or None."""
        self.unreadable: set[int] = set()
        """The numbers of the matches that were met and make no sense; they are left as they are."""
        self._connect()

    def _connect(self) -> None:
        self._connection, self.notice = open_library(self.path)
        self._file = identity(self.path)

    @property
    def is_in_memory(self) -> bool:
        """Whether the file can't be used; then the library is empty."""
        return is_in_memory(self._connection)

    def close(self) -> None:
        self._connection.close()

    def unfinished(self, most: int | None = None) -> list[Summary]:
        """The matches that go on, without variations, at most *most*, the one played last first."""
        return self._summaries(_GOES_ON, most)

    def unfinished_count(self) -> int:
        """How many matches go on, without variations."""
        with _reported(say("The library can't be read")):
            return int(self._connection.execute(f"SELECT count(*) FROM matches WHERE {_GOES_ON}").fetchone()[0])

    def recent(self, most: int) -> list[Summary]:
        """The matches that are over, without variations, at most *most*, the one played last first."""
        return self._summaries(f"payoffs IS NOT NULL AND NOT is_line AND {_IS_SHOWN}", most)

    def all(self) -> Iterator[list[Summary]]:
        """Every match and every variation, in the order of their numbers, page by page."""
        last = 0
        self._look_at_the_file()
        while True:
            with _reported(say("The library can't be read")):
                rows = self._connection.execute(
                    f"SELECT {SUMMARY_COLUMNS} FROM matches WHERE id > ? AND {_IS_SHOWN} ORDER BY id LIMIT {_PAGE}",
                    (last,),
                ).fetchall()
            if not rows:
                return
            last = rows[-1][0]
            yield self._readable(rows)

    def tags(self) -> dict[int, str]:
        """The tags of every match, as they are stored, by its number: two records of one match have the same."""
        with _reported(say("The library can't be read")):
            rows = self._connection.execute(f"SELECT id, tags FROM matches WHERE {_IS_SHOWN}").fetchall()
        return {number: tags for number, tags in rows if isinstance(tags, str)}

    def load(self, match_id: int) -> Match:
        """The match as it was saved last, with what can be played again.

        :raises LibraryError: there is none of this number, or the rules refuse it; it stays in the library.
        """
        return replay(self._read(match_id))

    def find(self, match_id: int, own_name: str = "") -> Found:
        """The rows of a match, from which ``replay`` makes it in any thread, and who plays it.

        :param own_name: the presence of the program that asks, which may still be about to leave the match.
        :raises LibraryError: there is none of this number, or its rows make no sense.
        """
        stored = self._read(match_id)
        return Found(stored, self._is_taken(stored, own_name))

    def _is_taken(self, stored: Stored, own_name: str) -> bool:
        if stored.writer in (None, own_name) or not is_fresh(stored.heartbeat, time.time()):
            return False
        return not is_dead(self.path, str(stored.writer))

    def _look_at_the_file(self) -> None:
        """Open the file anew where another has taken its place, as after damage, or where it could not be used."""
        if self.is_in_memory or identity(self.path) not in (self._file, None):
            self._connection.close()
            self._connect()

    def _read(self, match_id: int) -> Stored:
        self._look_at_the_file()
        with _reported(say("The match can't be loaded")), one_moment(self._connection):
            try:
                stored = read_stored(self._connection, match_id)
            except BadRow as error:
                raise LibraryError(
                    say(
                        "Match {number} can't be played on: {reason}. It stays in the library as it is.",
                        number=match_id,
                        reason=str(error),
                    )
                ) from error
        if stored is None:
            raise LibraryError(say("There is no match {number} in the library.", number=match_id))
        return stored

    def _summaries(self, which: str, most: int | None = None) -> list[Summary]:
        self._look_at_the_file()
        found: list[Summary] = []
        with _reported(say("The library can't be read")):
            rows = self._connection.execute(
                f"SELECT {SUMMARY_COLUMNS} FROM matches WHERE {which} ORDER BY updated DESC, id DESC"
            )
            for row in rows:
                if len(found) == most:
                    break
                found += self._readable([row])
            rows.close()
        return found

    def _readable(self, rows: Iterable[tuple[Any, ...]]) -> list[Summary]:
        """The summaries in those *rows* that make sense."""
        found = []
        for row in rows:
            try:
                found.append(summary_of(row))
            except BadRow:
                self.unreadable.add(row[0])
        return found


@contextmanager
def _reported(trouble: str) -> Iterator[None]:
    """Says in words what SQLite could not do.

    A mistake of the program, such as a call from another thread, is left as it is.
    """
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except DATABASE_ERRORS as error:
        raise LibraryError(f"{trouble}: {in_words(error)}.") from error
