"""SQLite files that survive what happens to a desktop program: kills, damage, full or read-only disks.

Opening never fails. A damaged file is kept under another name and a fresh one begun; where no file can be
used, and where it was written by a newer version of the program, the database lives in memory. Each of
these comes with a notice for the person.

The write-ahead log keeps every committed transaction when the program is killed; when the machine loses
power the last few may be lost (``synchronous = NORMAL``), never the file. A connection belongs to the
thread that opened it.
"""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PATIENCE = 5.0
"""Seconds to wait for another program that is writing to the same file."""

_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_PRIMARY_CODE = 0xFF  # SQLite's extended error codes keep the primary one in the lowest byte
_COMPANIONS = ("-wal", "-shm")

Migration = Sequence[str]
"""The SQL statements that bring a schema from one version to the next."""


class Opened(NamedTuple):
    """A database ready for use, and what the person should be told of how it was opened, or None."""

    connection: sqlite3.Connection
    notice: str | None


class _NewerSchema(Exception):
    """The file was written by a newer version of the program."""


class _Damaged(Exception):
    """The file is no sound database."""


def open_database(path: Path, migrations: Sequence[Migration]) -> Opened:
    """The database in the file *path*, made if there is none, with the schema that *migrations* lead to.

    The schema's version, kept in the file (``PRAGMA user_version``), is how many migrations it has had.
    Outside ``transaction`` each statement is a transaction of its own.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return Opened(_open(path, migrations), None)
        except _Damaged:
            kept = _set_aside(path)
            notice = f"The file {path.name} was damaged. It is kept as {kept}, and a new one has been begun."
            return Opened(_open(path, migrations), notice)
    except _NewerSchema:
        reason = f"The file {path} was written by a newer version of Papan, and is left as it is"
    except (OSError, sqlite3.Error, _Damaged) as error:
        reason = f"The file {path} can't be used ({error})"
    return Opened(
        _in_memory(migrations), f"{reason}. Until that is mended, what would be kept there is lost at the end."
    )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All statements inside take effect together when it ends, or none if it ends by an error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite rolls back by itself after some errors, such as a full disk
            connection.execute("ROLLBACK")
        raise


def _open(path: Path, migrations: Sequence[Migration]) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        if _schema_version(connection) > len(migrations):
            raise _NewerSchema
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise _Damaged(verdict)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _prepare(connection, migrations)
    except sqlite3.DatabaseError as error:
        connection.close()
        if getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE in _DAMAGE:
            raise _Damaged(str(error)) from error
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def _in_memory(migrations: Sequence[Migration]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    _prepare(connection, migrations)
    return connection


def _prepare(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    if _schema_version(connection) == len(migrations):
        return
    with transaction(connection):
        for statements in migrations[_schema_version(connection) :]:  # asked anew: another program may have been here
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


def _schema_version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _set_aside(path: Path) -> str:
    """Give the file and its companions another name; returns the file's."""
    stamp = f"{path.name}.damaged-{datetime.datetime.now():%Y%m%d-%H%M%S}"
    name, copies = stamp, 1
    while path.with_name(name).exists():
        copies += 1
        name = f"{stamp}-{copies}"
    path.rename(path.with_name(name))
    for suffix in _COMPANIONS:
        companion = path.with_name(path.name + suffix)
        if companion.exists():
            companion.rename(path.with_name(name + suffix))
    return name
