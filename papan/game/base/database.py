"""SQLite files that survive what happens to a desktop program: kills, damage, full or read-only disks.

Opening never fails. A damaged file is kept under another name, and a new one has what could be saved of it
and of the last daily copy; where no file can be used, and where it was written by a newer version of the program,
the database lives in memory. Each of these comes with a notice for the person.

The write-ahead log keeps every committed transaction when the program is killed; when the machine loses
power the last few may be lost (``synchronous = NORMAL``), never the file. A connection belongs to the
thread that opened it.
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
"""Seconds to wait for another program that is writing to the same file: less than a frame of the window."""

_MOST_VERSIONS = 100
"""A schema of a greater version was not written by any program, but by chance."""
_WRITING_FORMAT = 18  # where the file's header says who may write it: 1 or 2 (fileformat2.html, section 1.3.3)

_OPENING = threading.Lock()
"""Two threads that find the same file damaged must not both replace it."""


class Opened(NamedTuple):
    """A database ready for use, and what the person should be told of how it was opened, or None."""

    connection: sqlite3.Connection
    notice: str | None


class _NewerSchema(Exception):
    """The file was written by a newer version of the program."""


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
    """The database in the file *path*, made if there is none, with the schema that *migrations* lead to.

    The schema's version, kept in the file (``PRAGMA user_version``), is how many migrations it has had.
    Outside ``transaction`` each statement is a transaction of its own. Text that is not UTF-8 is read with
    marks of replacement.

    :param mend: called once what was saved of a damaged file is in the new one.
    :param accept: asked for each row that is read in a damaged file and its copy, as that schema has it.
    :param patience: seconds that a statement waits for another program, here and later.
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
                "The file {file} was damaged. It is kept as {kept}, and a new one has been begun. {told}",
                file=path.name,
                kept=kept,
                told=told,
            )
            connection = _open(path, migrations, memory, patience)
        memory.close()
        return Opened(connection, notice)
    except _NewerSchema:
        reason = say("The file {file} was written by a newer version of Papan, and is left as it is", file=str(path))
    except Exception as error:  # whatever it is, there is a database to go on with
        log.warning("The file %s can't be used", path, exc_info=True)
        reason = say("The file {file} can't be used ({reason})", file=str(path), reason=in_words(error))
    return Opened(
        memory, say("{reason}. Until that is mended, what would be kept there is lost at the end.", reason=reason)
    )


def is_kept(connection: sqlite3.Connection) -> bool:
    """Whether what is written to *connection*, of ``open_database``, goes to a file, and not only to memory."""
    return not isinstance(connection, InMemory)


def rewrite_file(path: Path, connection: sqlite3.Connection, files: Files) -> Path | None:
    """Write what *connection* holds to a new file *path*, once its own *files* don't lie there any more.

    A file that somebody else has put there stays. Returns the file that was set aside, if there was one: that of
    *connection* without its log, which may have got another one.

    :raises OSError, sqlite3.Error: it can't be read or written; *connection* is still the only one that has it all.
    """
    with _OPENING:
        make_private_folder(path.parent)
        if _is_no_file(path):
            raise OSError("it is no file")
        now = Files.at(path)
        if now.database not in (None, files.database):
            _part_from_log(path, files, now)
            return None
        return path.with_name(put_in_place(path, connection))


def _part_from_log(path: Path, files: Files, now: Files) -> None:
    """Delete what lies *now* beside another database, but belongs to *files*: SQLite would take the log for its own."""
    for suffix, was, there in zip(COMPANIONS, files.companions, now.companions, strict=False):
        if there is not None and there == was:
            path.with_name(path.name + suffix).unlink()


def delete_database(path: Path) -> None:
    """Delete the file *path* and what lies beside it, as far as that can be done."""
    for suffix in ("", *COMPANIONS):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def taken_away_notice(path: Path) -> str:
    """What a person is told once that has been put right, in a sentence."""
    return say(
        "Another program deleted, moved or replaced the file {file} while Papan was using it. "
        "Papan has written its contents again.",
        file=path.name,
    )


def _open(
    path: Path, migrations: Sequence[Migration], pattern: sqlite3.Connection, patience: float
) -> sqlite3.Connection:
    """The sound file *path*, brought up to date; *pattern* is a database whose schema it is to have then."""
    _check_kinds(path)
    # A second look, because another program may have been writing during the first.
    if is_log_damaged(path) and is_log_damaged(path):
        raise _Damaged("the write-ahead log has been changed")
    if path.exists() and not path.stat().st_size and any(sound_copies(path)):
        raise _Damaged("it is empty, and was not")
    make_private_file(path)  # what SQLite puts beside it is as private
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
            connection.execute("PRAGMA wal_checkpoint")  # a new file must not be all in its log, which may be deleted
        if not structure(pattern) <= structure(connection):
            raise _Damaged("its tables are others")
    except (_Damaged, _NewerSchema, OSError, MemoryError):
        connection.close()
        raise
    except Exception as error:  # the texts of SQLite's errors may have bytes of the file, and fail on their way
        connection.close()
        if is_access_error(error):
            raise
        raise _Damaged(repr(error)) from error
    return connection


def _check_kinds(path: Path) -> None:
    """Make sure that nothing is opened that never ends, such as a pipe.

    :raises OSError: *path* is there, but no file.
    """
    if _is_no_file(path):
        raise OSError("it is no file")
    for suffix in COMPANIONS:
        companion = path.with_name(path.name + suffix)
        if _is_no_file(companion):
            raise _Damaged(f"{companion.name} is no file")


def _is_no_file(path: Path) -> bool:
    """Whether something is there that is no file; asked once, because SQLite deletes companions at any time."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def _can_be_written(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file's header says so: otherwise SQLite takes the file for a read-only one.

    The header is read only where nothing can be written: whoever closes a file gives up all locks that the process
    has on it (sqlite.org/howtocorrupt.html, section 2.2). Then another program that leaves takes itself for the last
    one, and deletes the log that others still write to.
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
        if code_of(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):  # somebody is writing: so it can be
            raise
    return True
