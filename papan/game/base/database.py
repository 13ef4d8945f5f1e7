"""SQLite files that survive kills, damage, and full or read-only disks.

Opening never fails. A damaged file is renamed, and a new one gets everything that can be read from it and from the last
daily copy. If the file can't be used, or a newer version of the program wrote it, the database is in memory. In each of
these cases there is a notice for the user.

The write-ahead log keeps every committed transaction when the program is killed; a power failure may lose the last few
(``synchronous = NORMAL``), never the file. A connection belongs to the thread that opened it.

Recovery: rows are read from the damaged pages (``sqlite_pages``) and inserted one by one into a new database of a known
schema. A row with a known table goes there if its values fit; any other row goes to the first table that its values
fit. A refused row loses only itself. The first row of a key stays, so the most trusted source comes first. A kill at
any moment loses nothing: the new file is complete before the damaged one is renamed, and ``finish_rescue`` completes an
interrupted replacement.

``Files`` notices that another program deleted, moved or replaced the files of an open database; on most systems SQLite
would go on writing to files without a name.
"""

from __future__ import annotations

import datetime
import logging
import sqlite3
import stat
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from papan.game.base.places import make_private_file, make_private_folder
from papan.game.base.sentences import say, say_number
from papan.game.base.sqlite import (
    InMemory,
    Migration,
    code_of,
    has_row_numbers,
    in_memory,
    in_words,
    is_access_error,
    is_sound,
    keep_before_migration,
    prepare,
    schema_version,
    sound_copies,
    structure,
    table_names,
    text,
    write_copy,
)
from papan.game.base.sqlite_pages import Row, Value, is_log_damaged, read_pages, read_rows

log = logging.getLogger(__name__)

COMPANIONS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite writes next to a database."""

_LASTING = COMPANIONS[:2]
"""The companions that exist as long as a database with a write-ahead log is open."""
_SAVED = ".saved"

Identity = tuple[int, int]


def identity(path: Path) -> Identity | None:
    """Identifies the file at *path*, also after it was replaced; None if there is none.

    On Windows, where open files can't be deleted or replaced, it only shows whether there is a file.
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
"""Takes a database with recovered rows and the orphans, repairs it, and returns a sentence about the losses."""


def count_rows(connection: sqlite3.Connection, _orphans: Orphans) -> str:
    """The ``Mend`` of a database without references between rows."""
    tables = table_names(connection)
    count = sum(int(connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]) for table in tables)
    if not count:
        return say("Nothing could be recovered.")
    return say_number("{count} entry was recovered.", "{count} entries were recovered.", count)


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


PATIENCE = 0.01
"""Seconds to wait for another program that writes to the file: less than a frame of the window."""

_MOST_VERSIONS = 100
"""A greater version of the schema means damage."""
_WRITING_FORMAT = 18  # offset of the file format write version, 1 or 2 (fileformat2.html, section 1.3.3)

_OPENING = threading.Lock()
"""Keeps two threads from replacing the same damaged file."""


# -------------------------------------------------------------------------------------------- opening


class Opened(NamedTuple):
    """A database ready for use, and a notice for the user about how it was opened, or None."""

    connection: sqlite3.Connection
    notice: str | None


class _NewerSchema(Exception):
    """A newer version of the program wrote the file."""


class _Damaged(Exception):
    """The file is no sound database."""


def open_database(
    path: Path,
    migrations: Sequence[Migration],
    *,
    mend: Mend = count_rows,
    accept: Accept = accept_all,
    patience: float = PATIENCE,
) -> Opened:
    """Open the database in the file *path*, made if missing, with the schema of *migrations*.

    ``PRAGMA user_version`` is the number of migrations applied. Outside ``transaction`` each statement is its own
    transaction. Invalid UTF-8 is read as replacement characters.

    :param mend: called with the new database after rows of a damaged file were inserted.
    :param accept: decides about each row read from a damaged file or its copy.
    :param patience: seconds that each statement waits for another program.
    """
    with _OPENING:
        return _opened(path, migrations, mend, accept, patience)


def _opened(path: Path, migrations: Sequence[Migration], mend: Mend, accept: Accept, patience: float) -> Opened:
    memory = in_memory(migrations)
    try:
        make_private_folder(path.parent)
        finish_rescue(path)
        notice = None
        try:
            connection = _open(path, migrations, memory, patience)
        except _Damaged as error:
            if any(files.have_lost_log_at(path) for written, files in WRITTEN if written == path):
                raise OSError(say("another program deleted, moved or replaced its file")) from error
            log.warning("The file %s is damaged: %s", path, error)
            memory, told = salvage(path, migrations, mend, accept)
            kept = put_in_place(path, memory)
            notice = say(
                "The file {file} was damaged. It is now called {kept}, and a new one was started. {told}",
                file=path.name,
                kept=kept,
                told=told,
            )
            connection = _open(path, migrations, memory, patience)
        memory.close()
        return Opened(connection, notice)
    except _NewerSchema:
        reason = say("The file {file} was written by a newer version of Papan and was not changed", file=str(path))
    except Exception as error:  # the program goes on with the database in memory
        log.warning("The file %s can't be used", path, exc_info=True)
        reason = say("The file {file} can't be used ({reason})", file=str(path), reason=in_words(error))
    return Opened(memory, say("{reason}. Until this is fixed, changes are lost when Papan closes.", reason=reason))


def is_kept(connection: sqlite3.Connection) -> bool:
    """Whether *connection* writes to a file, not only to memory."""
    return not isinstance(connection, InMemory)


def rewrite_file(path: Path, connection: sqlite3.Connection, files: Files) -> Path | None:
    """Write the content of *connection* to a new file *path* after its own *files* were taken away.

    Another program's file at *path* stays. Returns the file that was set aside, if any: that of *connection* without
    its log, which may have a new log by now.

    :raises OSError, sqlite3.Error: it can't be read or written; only *connection* has everything.
    """
    with _OPENING:
        make_private_folder(path.parent)
        if _is_no_file(path):
            raise OSError("it is not a file")
        now = Files.at(path)
        if now.database not in (None, files.database):
            # SQLite would take the old log for that of the other database.
            for suffix, was, there in zip(COMPANIONS, files.companions, now.companions, strict=False):
                if there is not None and there == was:
                    path.with_name(path.name + suffix).unlink()
            return None
        return path.with_name(put_in_place(path, connection))


def delete_database(path: Path) -> None:
    """Delete the file *path* and its companions as far as possible."""
    for suffix in ("", *COMPANIONS):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def taken_away_notice(path: Path) -> str:
    """The notice after ``rewrite_file``."""
    return say(
        "Another program deleted, moved or replaced the file {file} while Papan was using it. "
        "Papan has written its contents again.",
        file=path.name,
    )


def _open(
    path: Path, migrations: Sequence[Migration], pattern: sqlite3.Connection, patience: float
) -> sqlite3.Connection:
    """Open the sound file *path* and migrate it; *pattern* is a database with the current schema."""
    _check_kinds(path)
    # Checked twice, as another program may have been writing the first time.
    if is_log_damaged(path) and is_log_damaged(path):
        raise _Damaged("the write-ahead log has been changed")
    if path.exists() and not path.stat().st_size and any(sound_copies(path)):
        raise _Damaged("it is empty, and was not")
    make_private_file(path)  # SQLite gives its companions the same rights
    connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
    try:
        connection.text_factory = text
        version = schema_version(connection)
        if len(migrations) < version <= _MOST_VERSIONS:
            raise _NewerSchema
        if not (is_sound(connection) and 0 <= version <= _MOST_VERSIONS and _can_be_written(connection, path)):
            raise _Damaged("SQLite finds faults")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if 0 < version < len(migrations):
            keep_before_migration(connection, path, len(migrations))
        prepare(connection, migrations)
        if version < len(migrations):
            connection.execute("PRAGMA wal_checkpoint")  # a new file must not be only in its log
        if not structure(pattern) <= structure(connection):
            raise _Damaged("its tables are others")
    except (_Damaged, _NewerSchema, OSError, MemoryError):
        connection.close()
        raise
    except Exception as error:  # messages with bytes of the file may raise UnicodeDecodeError
        connection.close()
        if is_access_error(error):
            raise
        raise _Damaged(repr(error)) from error
    return connection


def _check_kinds(path: Path) -> None:
    """Raise OSError or _Damaged for pipes and the like, which would block."""
    if _is_no_file(path):
        raise OSError("it is not a file")
    for suffix in COMPANIONS:
        companion = path.with_name(path.name + suffix)
        if _is_no_file(companion):
            raise _Damaged(f"{companion.name} is not a file")


def _is_no_file(path: Path) -> bool:
    """Whether *path* exists and is no file."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def _can_be_written(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file's header allows writing; a damaged one makes SQLite open the file read-only.

    The header is read only if writing fails, as closing a file gives up all locks of the process on it
    (sqlite.org/howtocorrupt.html, section 2.2); then another program would delete the log that is still in use.
    """
    table = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").fetchone()
    if table is None:
        return True
    name = str(table[0]).replace('"', '""')
    try:
        connection.execute(f'DELETE FROM "{name}" WHERE 0')
    except sqlite3.OperationalError as error:
        if code_of(error) == sqlite3.SQLITE_READONLY:
            with path.open("rb") as file:
                header = file.read(_WRITING_FORMAT + 1)
            return not header or header[-1] in (1, 2)
        if code_of(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):  # locked: so it can be written
            raise
    return True
