"""Recovery of a damaged database: it is kept under another name, and what can be saved of it takes its place.

Rows are read from the damaged pages (``sqlite_pages``) and inserted one by one into a new database of a known schema. A
row that names its table goes there if its values fit, any other row to the first table that its values fit. A row that
is refused loses only itself. The first row of a key stays, so the most trusted source comes first.

A kill at any moment loses nothing: the new file is complete before the damaged one is renamed, and ``finish_rescue``
puts it in place if it was still to be.

``Files`` notices that other programs delete, move or replace the files of an open database: on most systems SQLite goes
on writing to files without a name.
"""

from __future__ import annotations

import datetime
import logging
import sqlite3
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from papan.game.base.copies import sound_copies, write_copy
from papan.game.base.sentences import say, say_number
from papan.game.base.sqlite import Migration, has_row_numbers, in_memory, prepare, table_names
from papan.game.base.sqlite_pages import Row, Value, read_pages, read_rows

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

_TYPES: Mapping[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "REAL": (float, int), "BLOB": (bytes,)}
"""What the columns of a declared type hold; those of other types may hold anything."""

Orphans = Mapping[str, Sequence[tuple[Value, ...]]]
"""Rows by their table that were read, but not brought over, because the row that they refer to is lost."""


Accept = Callable[[str, Mapping[str, Value]], bool]
"""Whether a row, given its table and its values by their columns, makes sense to the one whose rows they are."""


def accept_all(_table: str, _row: Mapping[str, Value]) -> bool:
    """Accept every row."""
    return True


class _Column(NamedTuple):
    name: str
    declared: str
    may_be_missing: bool
    is_row_number: bool

    def takes(self, value: Value) -> bool:
        if value is None:
            return self.may_be_missing or self.is_row_number
        return isinstance(value, _TYPES.get(self.declared, (int, float, str, bytes)))


class _Table(NamedTuple):
    name: str
    columns: Sequence[_Column]
    """In the order in which their values are stored."""
    has_row_numbers: bool

    def takes(self, row: Row) -> bool:
        """Whether *row* can be one of this table's; columns that it lacks get their defaults."""
        if (row.number is not None) != self.has_row_numbers or not 0 < len(row.values) <= len(self.columns):
            return False
        values = [*row.values, *[None] * (len(self.columns) - len(row.values))]
        return all(column.takes(value) for column, value in zip(self.columns, values, strict=True))

    def by_column(self, row: Row) -> dict[str, Value]:
        """The values of *row*, which are not those of all columns, by their names."""
        pairs = zip(self.columns, row.values, strict=False)
        return {column.name: row.number if column.is_row_number else value for column, value in pairs}


def rows_of(path: Path) -> list[Row]:
    """All rows that can be read in the file *path*, damaged as it may be, and in its write-ahead log.

    :raises OSError: the file can't be read.
    """
    return max((list(read_rows(pages)) for pages in read_pages(path)), key=len)


def insert_rows(
    connection: sqlite3.Connection, sources: Sequence[Iterable[Row]], accept: Accept = accept_all
) -> tuple[int, Orphans]:
    """Insert the rows of *sources* into the tables that are there; returns how many, and those that have lost theirs.

    A row that is not accepted gives way to the one of its key in the next source. Tables are filled in the order in
    which they were made, so that a row finds the one that it refers to.
    """
    tables = [_table(connection, name) for name in table_names(connection)]
    sorted_rows: dict[str, list[Row]] = {table.name: [] for table in tables}
    for row in (row for source in sources for row in source):
        fitting = [table.name for table in tables if table.takes(row)]
        if fitting:
            sorted_rows[row.table if row.table in fitting else fitting[0]].append(row)
    count = 0
    orphans: dict[str, list[tuple[Value, ...]]] = {table.name: [] for table in tables}
    for table in tables:
        for row in sorted_rows[table.name]:
            try:
                if accept(table.name, table.by_column(row)):
                    count += _insert(connection, table, row)
            except sqlite3.IntegrityError:
                orphans[table.name].append(row.values)
            except Exception:  # after chance has been at the row, anything may be in it
                log.warning("A row of %s makes no sense", table.name, exc_info=True)
    return count, orphans


def _insert(connection: sqlite3.Connection, table: _Table, row: Row) -> int:
    """1 if the row is new, else 0.

    :raises sqlite3.IntegrityError: the row that it refers to is not there.
    """
    values = table.by_column(row)
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    inserted = connection.execute(
        f'INSERT OR IGNORE INTO "{table.name}" ({names}) VALUES ({marks})', tuple(values.values())
    )
    return inserted.rowcount


def _table(connection: sqlite3.Connection, name: str) -> _Table:
    is_numbered = has_row_numbers(connection, name)
    found = connection.execute(
        'SELECT pk, name, type, "notnull", dflt_value FROM pragma_table_xinfo(?)', (name,)
    ).fetchall()
    if not is_numbered:  # the columns of the key are stored first
        found = sorted(found, key=lambda column: column[0] or len(found))
    keys = [column for key, column, *_ in found if key]
    columns = []
    for _, column, declared, is_needed, default in found:
        is_row_number = [column] == keys and declared == "INTEGER" and is_numbered
        columns.append(_Column(column, declared, not is_needed or default is not None, is_row_number))
    return _Table(name, columns, is_numbered)


Mend = Callable[[sqlite3.Connection, Orphans], str]
"""Puts in order what was saved of a damaged file, and says in a sentence what was saved and what was lost.

It is given the rows, too, that were readable, but refer to one that is lost.
"""


def count_rows(connection: sqlite3.Connection, _orphans: Orphans) -> str:
    """The ``Mend`` of a database without references between rows."""
    tables = table_names(connection)
    count = sum(int(connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]) for table in tables)
    if not count:
        return say("Nothing could be saved.")
    return say_number("{count} entry was saved.", "{count} entries were saved.", count)


class _Attempt(NamedTuple):
    taken: int
    connection: sqlite3.Connection
    orphans: Orphans


def salvage(path: Path, migrations: Sequence[Migration], mend: Mend, accept: Accept) -> tuple[sqlite3.Connection, str]:
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
    count, orphans = insert_rows(connection, sources, accept)
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
