"""Recovery of a damaged database: the file is renamed, and a new one with the readable rows takes its place.

Rows are read from the damaged pages (``sqlite_pages``) and inserted one by one into a new database of a known schema. A
row with a known table goes there if its values fit; any other row goes to the first table that its values fit. A
refused row loses only itself. The first row of a key stays, so the most trusted source comes first.

A kill at any moment loses nothing: the new file is complete before the damaged one is renamed, and ``finish_rescue``
completes an interrupted replacement.

``Files`` notices that another program deleted, moved or replaced the files of an open database; on most systems SQLite
would go on writing to files without a name.
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
"""Suffixes of the files that SQLite writes beside a database."""

_LASTING = COMPANIONS[:2]
"""The companions that exist as long as a database with a write-ahead log is open."""
_SAVED = ".saved"

Identity = tuple[int, int]


def identity(path: Path) -> Identity | None:
    """Identifies the file at *path*, also after it was replaced; None if there is none.

    On Windows, where open files can't be deleted or replaced, it only tells whether there is a file.
    """
    try:
        status = path.stat()
    except OSError:
        return None
    return (0, 0) if sys.platform == "win32" else (status.st_dev, status.st_ino)


class Files(NamedTuple):
    """The files of an open database."""

    database: Identity | None
    companions: tuple[Identity | None, ...]

    @classmethod
    def at(cls, path: Path) -> Files:
        """The files at *path* now."""
        return cls(identity(path), tuple(identity(path.with_name(path.name + suffix)) for suffix in _LASTING))

    def are_at(self, path: Path) -> bool:
        """Whether they are still at *path*; without a log from the start, as on some disks, none is missed."""
        if self.database is None or (None in self.companions and any(self.companions)):
            return False
        now = Files.at(path)
        return self.database == now.database and (not any(self.companions) or self.companions == now.companions)

    def have_lost_log_at(self, path: Path) -> bool:
        """Whether only the log or its index was taken away, so that the database looks damaged."""
        return self.database == identity(path) and not self.are_at(path)


WRITTEN: set[tuple[Path, Files]] = set()
"""The databases that this process writes to, and rewrites if their files are taken away."""

_TYPES: Mapping[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "REAL": (float, int), "BLOB": (bytes,)}
"""Python types by declared type; columns of other types take anything."""

Orphans = Mapping[str, Sequence[tuple[Value, ...]]]
"""By table, rows that were read but refer to lost rows."""


Accept = Callable[[str, Mapping[str, Value]], bool]
"""Takes a table and a row by columns; returns whether the row makes sense."""


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
    """In storage order."""
    has_row_numbers: bool

    def takes(self, row: Row) -> bool:
        """Whether *row* fits this table; missing columns get their defaults."""
        if (row.number is not None) != self.has_row_numbers or not 0 < len(row.values) <= len(self.columns):
            return False
        values = [*row.values, *[None] * (len(self.columns) - len(row.values))]
        return all(column.takes(value) for column, value in zip(self.columns, values, strict=True))

    def by_column(self, row: Row) -> dict[str, Value]:
        """The values of *row* by column; it may have fewer."""
        pairs = zip(self.columns, row.values, strict=False)
        return {column.name: row.number if column.is_row_number else value for column, value in pairs}


def rows_of(path: Path) -> list[Row]:
    """All readable rows of the damaged file *path* and its write-ahead log; may raise OSError."""
    return max((list(read_rows(pages)) for pages in read_pages(path)), key=len)


def insert_rows(
    connection: sqlite3.Connection, sources: Sequence[Iterable[Row]], accept: Accept = accept_all
) -> tuple[int, Orphans]:
    """Insert the rows of *sources* into the tables of *connection*; returns how many, and the orphans.

    If *accept* refuses a row, the next source may have another one with its key. Tables are filled in the order of
    creation, so that a row finds the one that it refers to.
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
            except Exception:  # a damaged row may contain anything
                log.warning("A row of %s makes no sense", table.name, exc_info=True)
    return count, orphans


def _insert(connection: sqlite3.Connection, table: _Table, row: Row) -> int:
    """Insert a row; returns 1, or 0 if its key exists.

    :raises sqlite3.IntegrityError: it refers to a missing row.
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
"""Takes a database with recovered rows and the orphans, repairs it, and returns a sentence about what was lost."""


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
    """A database in memory with the readable rows of the file *path* and of its last copy, and the sentence of *mend*.

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
    except Exception:  # damaged rows may contain anything
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
    """Replace the file *path* by the content of *saved*; returns the new name of the damaged file.

    :raises OSError, sqlite3.Error: it can't be written; the damaged file is still there.
    """
    write_copy(saved, _saved(path))
    kept = _set_aside(path)
    _saved(path).replace(path)
    return kept


def finish_rescue(path: Path) -> None:
    """Complete a replacement that a kill interrupted."""
    if _saved(path).is_file() and not path.exists():
        _set_aside(path)  # the companions
        _saved(path).replace(path)


def _saved(path: Path) -> Path:
    return path.with_name(path.name + _SAVED)


def _set_aside(path: Path) -> str:
    """Rename the file and its companions; returns the file's new name."""
    stamp = f"{path.name}.damaged-{datetime.datetime.now():%Y%m%d-%H%M%S}"
    name, copies = stamp, 1
    while any(path.with_name(name + suffix).exists() for suffix in ("", *COMPANIONS)):
        copies += 1
        name = f"{stamp}-{copies}"
    for suffix in ("", *COMPANIONS):
        with suppress(FileNotFoundError):  # other programs create and delete companions
            path.with_name(path.name + suffix).rename(path.with_name(name + suffix))
    return name
