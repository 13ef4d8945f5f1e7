"""SQLite for the program's databases: transactions, migrations of the schema, errors in words, backup copies.

Copies are next to a database: the last three daily ones, and one from before the last change of its schema. They are
written under another name and then renamed, so that a kill leaves no half. Only files that pass SQLite's quick check
are copied. Names have the date; copies from the future, made while the clock was wrong, count as oldest.
"""

from __future__ import annotations

import datetime
import logging
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from papan.game.base.places import make_private_file, sweep, temporary_path
from papan.game.base.sentences import say

Migration = Sequence[str]
"""The SQL statements that bring a schema from one version to the next."""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction around the block: committed at its end, rolled back on an error."""
    with _begun(connection, "BEGIN IMMEDIATE"):
        yield
        connection.execute("COMMIT")


@contextmanager
def read_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Statements in the block only read, and see the database as of one moment."""
    with _begun(connection, "BEGIN"):
        yield


@contextmanager
def _begun(connection: sqlite3.Connection, words: str) -> Iterator[None]:
    """A transaction begun with *words*, rolled back at the end unless it was committed."""
    if connection.in_transaction:  # an earlier rollback failed
        connection.execute("ROLLBACK")
    try:
        connection.execute(words)
        yield
    finally:
        if connection.in_transaction:  # SQLite rolls back by itself after some errors, such as a full disk
            connection.execute("ROLLBACK")


class InMemory(sqlite3.Connection):
    """A database in memory."""


def in_memory(migrations: Sequence[Migration]) -> sqlite3.Connection:
    """A new database in memory with the schema of *migrations*."""
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=InMemory)
    connection.text_factory = text
    prepare(connection, migrations)
    return connection


def prepare(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Apply the missing *migrations* in one transaction."""
    connection.execute("PRAGMA foreign_keys = ON")
    if schema_version(connection) == len(migrations):
        return
    with transaction(connection):
        for statements in migrations[schema_version(connection) :]:  # read again: another program may have migrated
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


def schema_version(connection: sqlite3.Connection) -> int:
    """The number of migrations applied to the database."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def table_names(connection: sqlite3.Connection) -> list[str]:
    """The tables in the order of their creation, without SQLite's own."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
    )
    return [str(name) for (name,) in names.fetchall()]


def has_row_numbers(connection: sqlite3.Connection, table: str) -> bool:
    """Whether *table* has row numbers (https://www.sqlite.org/withoutrowid.html, section 6)."""
    return connection.execute("SELECT 1 FROM pragma_index_info(?)", (table,)).fetchone() is None


def structure(connection: sqlite3.Connection) -> set[tuple[object, ...]]:
    """The schema independent of its wording: columns and foreign keys of all tables, and the text of triggers.

    SQLite reads a trigger only when it fires, so a changed text would be noticed too late.
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
    """The ``text_factory`` of every connection: invalid UTF-8 becomes replacement characters."""
    return content.decode(errors="replace")


DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""Errors of statements on damaged, locked or full files; their messages may contain bytes of the file."""

_PRIMARY_CODE = 0xFF  # SQLite's extended error codes keep the primary one in the lowest byte

_ACCESS_ERRORS = {
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
"""Errors of the disk, of other programs and of rights; any other means damage."""


def code_of(error: BaseException) -> int:
    """SQLite's primary code of *error*; 0 if it has none."""
    return int(getattr(error, "sqlite_errorcode", None) or 0) & _PRIMARY_CODE


def is_access_error(error: BaseException) -> bool:
    """Whether *error* comes from the disk, another program or missing rights, and the file may be sound."""
    return code_of(error) in _ACCESS_ERRORS


def in_words(error: BaseException) -> str:
    """The reason of *error* as a clause, such as "the disk is full"."""
    if is_access_error(error):
        return _ACCESS_ERRORS[code_of(error)]
    if isinstance(error, UnicodeDecodeError) or code_of(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return say("it is damaged")
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error)


log = logging.getLogger(__name__)

MOST_COPIES = 3
MOST_BYTES = 200_000_000
"""Larger files are not copied."""

_DAILY = ".copy-"
_PATIENCE = 5.0  # seconds to wait for a lock


def make_daily_copy(path: Path, today: datetime.date | None = None) -> Path | None:
    """Copy the database *path*, for a background thread; returns the copy.

    None if there is one of today, or if the file is damaged, too large or unreadable, or the copy can't be written,
    which is logged.
    """
    today = today or datetime.date.today()
    copy = path.with_name(f"{path.name}{_DAILY}{today}")
    sweep(path.parent)
    try:
        if copy.exists() or not path.is_file():
            return None
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as connection:
            if not is_sound(connection):
                raise sqlite3.DatabaseError("it is damaged")
            if _is_too_large(connection):
                raise OSError(f"it is larger than {MOST_BYTES:,} bytes")
            write_copy(connection, copy)
        for old in _daily_copies(path, today)[MOST_COPIES:]:
            old.unlink()
    except Exception as error:  # sqlite3 raises other errors than its own for damaged files
        log.warning("No copy of %s could be made: %s", path, error)
        return None
    return copy


def write_copy(connection: sqlite3.Connection, copy: Path) -> None:
    """Write the database of *connection* to the file *copy* atomically.

    :raises OSError, sqlite3.Error: it can't be read or written.
    """
    begun = temporary_path(copy)
    begun.unlink(missing_ok=True)
    try:
        make_private_file(begun)
        connection.execute("VACUUM INTO ?", (str(begun),))
        with begun.open("r+b") as file:
            os.fsync(file.fileno())
        begun.replace(copy)
    finally:
        with suppress(OSError):
            begun.unlink(missing_ok=True)


def _is_too_large(connection: sqlite3.Connection) -> bool:
    [size] = connection.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()
    return bool(size > MOST_BYTES)


def sound_copies(path: Path, today: datetime.date | None = None) -> Iterator[Path]:
    """The undamaged daily copies of the database *path*, the newest first."""
    for copy in _daily_copies(path, today or datetime.date.today()):
        try:
            with closing(sqlite3.connect(copy, timeout=_PATIENCE, isolation_level=None)) as connection:
                sound = is_sound(connection)
        except Exception as error:  # as above
            log.warning("The copy %s can't be read: %s", copy, error)
            continue
        if sound:
            yield copy


def is_sound(connection: sqlite3.Connection) -> bool:
    """Whether SQLite finds no damage; raises its errors for some kinds of damage."""
    return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")


def keep_before_migration(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Copy the database *path* before it is migrated to *version*; the previous such copy is deleted."""
    before = f"{path.name}.before-version-"
    copy = path.with_name(f"{before}{version}")
    try:
        if _is_too_large(connection):
            raise OSError(f"{path.name} is larger than {MOST_BYTES:,} bytes")
        write_copy(connection, copy)
        for other in path.parent.glob(f"{before}*"):
            if other != copy:
                other.unlink()
    except (OSError, sqlite3.Error) as error:  # the migration is one transaction and doesn't need the copy
        log.warning("%s can't be written: %s", copy, error)


def _daily_copies(path: Path, today: datetime.date) -> list[Path]:
    dated = []
    for copy in path.parent.glob(f"{path.name}{_DAILY}*"):
        with suppress(ValueError):  # another file's name
            date = datetime.date.fromisoformat(copy.name.removeprefix(f"{path.name}{_DAILY}"))
            if copy.is_file():
                dated.append((date <= today, date, copy))
    return [copy for _, _, copy in sorted(dated, reverse=True)]
