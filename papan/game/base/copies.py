"""Copies of a database beside it: one a day, three of them, and one of before each change of its schema.

A copy is written under another name and renamed, so that a kill leaves no half of one. Only what passes SQLite's
quick check is copied. Copies are told apart by the date in their names: those of days to come, made while the clock
was wrong, count as the oldest.
"""

from __future__ import annotations

import datetime
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from papan.game.base.places import make_private_file, sweep, temporary_path

log = logging.getLogger(__name__)

MOST_COPIES = 3
MOST_BYTES = 200_000_000
"""The size of a file that is not copied any more."""

_DAILY = ".copy-"
_PATIENCE = 5.0  # seconds; nobody waits for a copy


def make_daily_copy(path: Path, today: datetime.date | None = None) -> Path | None:
    """A copy of the database *path*, for which a thread without haste is the place; None where there is no need.

    There is one already today, or the file is damaged, too large or can't be read, or the copy can't be
    written; the log says which.

    :param today: default: the day by the computer's clock.
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
    except Exception as error:  # what sqlite3 raises for damaged files is not only its own errors
        log.warning("No copy of %s could be made: %s", path, error)
        return None
    return copy


def write_copy(connection: sqlite3.Connection, copy: Path) -> None:
    """Write the whole database of *connection* to the file *copy*, which a kill leaves as it was.

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
    """The daily copies of the database *path* that are not damaged, the newest first."""
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
    """Whether SQLite finds no damage; of some kinds it reads nothing without an error."""
    return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")


def keep_before_migration(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Copy the database *path* before its schema becomes that of *version*; only the last such copy is kept."""
    before = f"{path.name}.before-version-"
    copy = path.with_name(f"{before}{version}")
    try:
        if _is_too_large(connection):
            raise OSError(f"{path.name} is larger than {MOST_BYTES:,} bytes")
        write_copy(connection, copy)
        for other in path.parent.glob(f"{before}*"):
            if other != copy:
                other.unlink()
    except (OSError, sqlite3.Error) as error:  # the migration itself is one transaction: nothing depends on the copy
        log.warning("%s can't be written: %s", copy, error)


def _daily_copies(path: Path, today: datetime.date) -> list[Path]:
    dated = []
    for copy in path.parent.glob(f"{path.name}{_DAILY}*"):
        with suppress(ValueError):  # another file's name
            date = datetime.date.fromisoformat(copy.name.removeprefix(f"{path.name}{_DAILY}"))
            if copy.is_file():
                dated.append((date <= today, date, copy))
    return [copy for _, _, copy in sorted(dated, reverse=True)]
