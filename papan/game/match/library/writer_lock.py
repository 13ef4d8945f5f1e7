"""Detect whether other programs that write to a library still run: each keeps a small file next to it locked.

SQLite does the locking, and the system frees the lock at any end of the process. A program with an unlocked file was
killed; one without a file may still run.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from papan.game.base.places import make_private_file

EXPIRY = 15.0
"""Seconds without a heartbeat after which a program counts as gone."""

_SUFFIX = ".running"


def is_fresh(heartbeat: float | None, now: float) -> bool:
    """Whether a *heartbeat* is recent; both in seconds since 1970, and the clock may have been set."""
    return heartbeat is not None and abs(now - heartbeat) < EXPIRY


class WriterLock:
    """The lock of this program next to the library *library_path*; it belongs to the thread that made it."""

    def __init__(self, library_path: Path, name: str) -> None:
        """:raises sqlite3.Error: the file can't be made or locked."""
        self._path = _file_of(library_path, name)
        with contextlib.suppress(OSError):  # SQLite raises its own error
            make_private_file(self._path)
        self._lock = sqlite3.connect(self._path, timeout=0, isolation_level=None)
        self._lock.execute("PRAGMA journal_mode = OFF")  # no second file
        self._lock.execute("BEGIN EXCLUSIVE")

    def close(self) -> None:
        """Free the lock and delete the file."""
        self._lock.close()
        _remove(self._path)


def new_name() -> str:
    """A unique name for this program."""
    return os.urandom(16).hex()


def is_dead(library_path: Path, name: str) -> bool:
    """Whether the program *name* was surely killed."""
    path = _file_of(library_path, name)
    if not name.isalnum() or not path.is_file():
        return False
    try:
        probe = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            probe.execute("BEGIN EXCLUSIVE")
        finally:
            probe.close()
    except sqlite3.Error:
        return False
    return True


def dead_names(library_path: Path) -> Iterator[str]:
    """The names of programs that were surely killed."""
    for path in library_path.parent.glob(f"{library_path.name}-*{_SUFFIX}"):
        name = path.name[len(library_path.name) + 1 : -len(_SUFFIX)]
        if is_dead(library_path, name):
            yield name


def forget(library_path: Path, name: str) -> None:
    """Delete the file of the dead program *name*."""
    _remove(_file_of(library_path, name))


def _file_of(library_path: Path, name: str) -> Path:
    return library_path.with_name(f"{library_path.name}-{name}{_SUFFIX}")


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):  # another program may have it open; the next start deletes it
        path.unlink()
