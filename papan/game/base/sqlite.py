"""What every SQLite database of the program has: transactions, a schema with versions, errors in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from papan.game.base.sentences import say

Migration = Sequence[str]
"""The SQL statements that bring a schema from one version to the next."""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All statements inside take effect together when it ends, or none if it ends by an error."""
    with _begun(connection, "BEGIN IMMEDIATE"):
        yield
        connection.execute("COMMIT")


@contextmanager
def read_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Statements inside only read, and see the database as of one moment."""
    with _begun(connection, "BEGIN"):
        yield


@contextmanager
def _begun(connection: sqlite3.Connection, words: str) -> Iterator[None]:
    """A transaction begun with *words*, of which nothing is left at the end unless it was committed."""
    if connection.in_transaction:  # whatever ended the last one kept it from being rolled back as well
        connection.execute("ROLLBACK")
    try:
        connection.execute(words)
        yield
    finally:
        if connection.in_transaction:  # SQLite rolls back by itself after some errors, such as a full disk
            connection.execute("ROLLBACK")


class InMemory(sqlite3.Connection):
    """A database without a file: it ends with its connection."""


def in_memory(migrations: Sequence[Migration]) -> sqlite3.Connection:
    """A new database, in memory only, with the schema that *migrations* lead to."""
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=InMemory)
    connection.text_factory = text
    prepare(connection, migrations)
    return connection


def prepare(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Bring the schema up to date, all migrations in one transaction."""
    connection.execute("PRAGMA foreign_keys = ON")
    if schema_version(connection) == len(migrations):
        return
    with transaction(connection):
        for statements in migrations[schema_version(connection) :]:  # asked anew: another program may have been here
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


def schema_version(connection: sqlite3.Connection) -> int:
    """How many migrations the database has had."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def table_names(connection: sqlite3.Connection) -> list[str]:
    """The tables of the schema without SQLite's own, in the order in which they were made."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
    )
    return [str(name) for (name,) in names.fetchall()]


def has_row_numbers(connection: sqlite3.Connection, table: str) -> bool:
    """Whether *table* is not declared ``WITHOUT ROWID`` (https://www.sqlite.org/withoutrowid.html, section 6)."""
    return connection.execute("SELECT 1 FROM pragma_index_info(?)", (table,)).fetchone() is None


def structure(connection: sqlite3.Connection) -> set[tuple[object, ...]]:
    """The columns of all tables, and which refer to which: the schema without its wording. Of triggers the words.

    A trigger is read when a statement has it fire: nothing else tells that its words have been changed.
    """
    found: set[tuple[object, ...]] = set(
        connection.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
    )
    for table in table_names(connection):
        found.add((table, has_row_numbers(connection, table)))
        for what in ("table_xinfo", "foreign_key_list"):
            found.update((table, what, *row) for row in connection.execute(f"SELECT * FROM pragma_{what}(?)", (table,)))
    return found


def text(content: bytes) -> str:
    """The ``text_factory`` of every connection: bytes that are no UTF-8 become marks of replacement."""
    return content.decode(errors="replace")


DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""What a statement may raise where the file is damaged, locked or full: messages may have bytes of the file."""

_PRIMARY_CODE = 0xFF  # SQLite's extended error codes keep the primary one in the lowest byte

_TROUBLES = {
    sqlite3.SQLITE_PERM: say("it may not be used"),
    sqlite3.SQLITE_BUSY: say("another program is using it"),
    sqlite3.SQLITE_LOCKED: say("another program is using it"),
    sqlite3.SQLITE_NOMEM: say("there is too little memory"),
    sqlite3.SQLITE_READONLY: say("it can't be written"),
    sqlite3.SQLITE_INTERRUPT: say("its reading was interrupted"),
    sqlite3.SQLITE_IOERR: say("the disk reports an error"),
    sqlite3.SQLITE_FULL: say("the disk is full"),
    sqlite3.SQLITE_CANTOPEN: say("it can't be opened"),
    sqlite3.SQLITE_PROTOCOL: say("another program is using it"),
    sqlite3.SQLITE_NOLFS: say("the disk can't hold so large a file"),
    sqlite3.SQLITE_AUTH: say("it may not be used"),
}
"""What SQLite reports of the place, not of the file: anything else is damage."""


def code_of(error: BaseException) -> int:
    """SQLite's primary code of *error*; 0 where it has none."""
    return int(getattr(error, "sqlite_errorcode", None) or 0) & _PRIMARY_CODE


def is_access_error(error: BaseException) -> bool:
    """Whether *error* is trouble of the disk, of another program or of rights, and the file may be sound."""
    return code_of(error) in _TROUBLES


def in_words(error: BaseException) -> str:
    """What *error* says of a file, as a clause such as "the disk is full"."""
    if is_access_error(error):
        return _TROUBLES[code_of(error)]
    if isinstance(error, UnicodeDecodeError) or code_of(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return say("it is damaged")
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error)
