"""Backup copies beside a database: the last three daily ones, and one from before the last change of its schema.

Copies are written under another name and then renamed, so that a kill leaves no half. Only files that pass SQLite's
quick check are copied. Names have the date; copies from the future, made while the clock was wrong, count as oldest.
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
