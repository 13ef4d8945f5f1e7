"""SQLite files that survive kills, damage, and full or read-only disks.

Opening never fails. A damaged file is renamed, and a new one gets everything that can be read from it and from the last
daily copy. If the file can't be used, or a newer version of the program wrote it, the database is in memory. In each of
these cases there is a notice for the user.

The write-ahead log keeps every committed transaction when the program is killed; a power failure may lose the last few
(``synchronous = NORMAL``), never the file. A connection belongs to the thread that opened it.
"""

from __future__ import annotations

import logging
import sqlite3
import stat
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from papan.game.base.copies import is_sound, keep_before_migration, sound_copies
from papan.game.base.places import make_private_file, make_private_folder
from papan.game.base.recovery import (
    COMPANIONS,
    WRITTEN,
    Accept,
    Files,
    Mend,
    accept_all,
    count_rows,
    finish_rescue,
    put_in_place,
    salvage,
)
from papan.game.base.sentences import say
from papan.game.base.sqlite import (
    InMemory,
    Migration,
    code_of,
    in_memory,
    in_words,
    is_access_error,
    prepare,
    schema_version,
    structure,
    text,
)
from papan.game.base.sqlite_pages import is_log_damaged

log = logging.getLogger(__name__)

PATIENCE = 0.01
"""Seconds to wait for another program that writes to the file: less than a frame of the window."""

_MOST_VERSIONS = 100
"""A greater version of the schema means damage."""
_WRITING_FORMAT = 18  # offset of the file format write version, 1 or 2 (fileformat2.html, section 1.3.3)

_OPENING = threading.Lock()
"""Keeps two threads from replacing the same damaged file."""


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
            raise OSError("it is no file")
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
        raise OSError("it is no file")
    for suffix in COMPANIONS:
        companion = path.with_name(path.name + suffix)
        if _is_no_file(companion):
            raise _Damaged(f"{companion.name} is no file")


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
