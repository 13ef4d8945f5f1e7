"""What happens to a damaged database: what can be saved of it is put in its place, and it is kept under another name.

Files that others delete, move or replace while they are open are noticed by ``Files``: on most systems SQLite goes on
writing to what has no name any more.

A kill at any moment loses nothing: what was saved is complete, in a file of its own, before the damaged one is
renamed; and where only the former is found, it is taken.
"""

from __future__ import annotations

import datetime
import logging
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from papan.game.base.copies import sound_copies, write_copy
from papan.game.base.salvage import Accept, Orphans, bring_in, rows_of
from papan.game.base.schema import Migration, in_memory, prepare, table_names
from papan.game.base.sentences import say, say_number
from papan.game.base.sqlite_rows import Row

log = logging.getLogger(__name__)

COMPANIONS = ("-wal", "-shm", "-journal")
"""How the names of the files end that SQLite keeps beside a database."""

_LASTING = COMPANIONS[:2]
"""The companions that stay for as long as a database is open that has a write-ahead log."""
_SAVED = ".saved"

Identity = tuple[int, int]


def identity(path: Path) -> Identity | None:
    """What tells the file in *path* from one that takes its place later; None where there is none.

    On Windows, where an open file can be neither deleted nor replaced, it only tells whether there is one.
    """
    try:
        status = path.stat()
    except OSError:
        return None
    return (0, 0) if sys.platform == "win32" else (status.st_dev, status.st_ino)


class Files(NamedTuple):
    """The files of a database that somebody has open."""

    database: Identity | None
    companions: tuple[Identity | None, ...]

    @classmethod
    def at(cls, path: Path) -> Files:
        """Those that lie at *path* now."""
        return cls(identity(path), tuple(identity(path.with_name(path.name + suffix)) for suffix in _LASTING))

    def are_at(self, path: Path) -> bool:
        """Whether they still lie at *path*; where there never was a log, as on some disks, none is missed."""
        if self.database is None or (None in self.companions and any(self.companions)):
            return False
        now = Files.at(path)
        return self.database == now.database and (not any(self.companions) or self.companions == now.companions)

    def have_lost_log_at(self, path: Path) -> bool:
        """Whether only the log, or its index, was taken away: whoever opens the database then finds faults in it."""
        return self.database == identity(path) and not self.are_at(path)


WRITTEN: set[tuple[Path, Files]] = set()
"""The databases, by path, that this process writes to, and will write anew where their files are taken away."""


Mend = Callable[[sqlite3.Connection, Orphans], str]
"""Puts in order what was saved of a damaged file, and says in a sentence what was saved and what was lost.

It is given the rows, too, that were readable, but refer to one that is lost.
"""


def count_rows(connection: sqlite3.Connection, _orphans: Orphans) -> str:
    """The ``Mend`` of a database whose rows stand each for itself."""
    tables = table_names(connection)
    count = sum(int(connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]) for table in tables)
    if not count:
        return say("Nothing could be saved.")
    return say_number("{count} entry was saved.", "{count} entries were saved.", count)


class _Attempt(NamedTuple):
    """What the schema of one version takes."""

    taken: int
    connection: sqlite3.Connection
    orphans: Orphans


def saved_from(
    path: Path, migrations: Sequence[Migration], mend: Mend, accept: Accept
) -> tuple[sqlite3.Connection, str]:
    """A database in memory with what can be saved of the file *path* and of its last copy, and what *mend* says of it.

    :raises OSError: the file can't be read.
    """
    sources = [rows_of(file) for file in (path, *islice(sound_copies(path), 1))]
    # Rows of a newer version don't fit the tables of an older one: the oldest that takes most is the file's own.
    attempts = [_at_version(version, migrations, sources, accept) for version in range(1, len(migrations) + 1)]
    best = max(attempts, key=lambda attempt: attempt.taken)
    for attempt in attempts:
        if attempt is not best:
            attempt.connection.close()
    connection, orphans = best.connection, best.orphans
    try:
        return connection, mend(connection, orphans)
    except Exception:  # after chance has been at the rows, anything may be in them
        log.exception("What was saved of %s can't be put in order", path)
        return connection, count_rows(connection, orphans)


def _at_version(
    version: int, migrations: Sequence[Migration], sources: Sequence[Sequence[Row]], accept: Accept
) -> _Attempt:
    """The rows that fit the schema of *version*, migrated."""
    connection = in_memory(migrations[:version])
    count, orphans = bring_in(connection, sources, accept)
    try:
        prepare(connection, migrations)
    except sqlite3.Error:
        log.exception("What was saved can't be migrated from version %d", version)
        return _Attempt(-1, in_memory(migrations), {})
    return _Attempt(count, connection, orphans)


def put_in_place(path: Path, saved: sqlite3.Connection) -> str:
    """Make the file *path* one with the contents of *saved*; returns the name of what was there.

    :raises OSError, sqlite3.Error: the place can't be written; the damaged file is still there.
    """
    write_copy(saved, _saved(path))
    kept = _set_aside(path)
    _saved(path).replace(path)
    return kept


def finish_rescue(path: Path) -> None:
    """Take what was saved where the program was killed after it had set the damaged file aside."""
    if _saved(path).is_file() and not path.exists():
        _set_aside(path)  # its companions, if they are still here
        _saved(path).replace(path)


def _saved(path: Path) -> Path:
    return path.with_name(path.name + _SAVED)


def _set_aside(path: Path) -> str:
    """Give the file and its companions another name; returns the file's."""
    stamp = f"{path.name}.damaged-{datetime.datetime.now():%Y%m%d-%H%M%S}"
    name, copies = stamp, 1
    while any(path.with_name(name + suffix).exists() for suffix in ("", *COMPANIONS)):
        copies += 1
        name = f"{stamp}-{copies}"
    for suffix in ("", *COMPANIONS):
        with suppress(FileNotFoundError):  # companions come and go with whoever else has the database open
            path.with_name(path.name + suffix).rename(path.with_name(name + suffix))
    return name
