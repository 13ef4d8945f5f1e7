"""Which programs still write to a library: each keeps a small file beside it locked while it runs.

SQLite does the locking, in the way of each system, and the system frees the lock however the process ends. A program
whose file is not locked has been killed or lost power; one without a file may be running all the same.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from papan.game.base.places import make_private_file

EXPIRY = 15.0
"""Seconds without a heartbeat after which a program is taken for gone."""

_SUFFIX = ".running"


def is_fresh(heartbeat: float | None, now: float) -> bool:
    """Whether a *heartbeat* is recent, by a clock that may have been set in between; both in seconds since 1970."""
    return heartbeat is not None and abs(now - heartbeat) < EXPIRY


class WriterLock:
    """The presence of this program beside the library in *library_path*; it belongs to the thread that made it."""

    def __init__(self, library_path: Path, name: str) -> None:
        """:raises sqlite3.Error: the file can't be made or locked."""
        self._path = _file_of(library_path, name)
        with contextlib.suppress(OSError):  # SQLite says the same in its own way
            make_private_file(self._path)
        self._lock = sqlite3.connect(self._path, timeout=0, isolation_level=None)
        self._lock.execute("PRAGMA journal_mode = OFF")  # which would be a second file
        self._lock.execute("BEGIN EXCLUSIVE")

    def close(self) -> None:
        """Say that the program is gone."""
        self._lock.close()
        _remove(self._path)


def new_name() -> str:
    """A name for this program's presence that no other has or had."""
    return os.urandom(16).hex()


def is_dead(library_path: Path, name: str) -> bool:
    """Whether the program called *name* is known to have ended without a word."""
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
    """The names of the programs that are known to have ended without a word."""
    for path in library_path.parent.glob(f"{library_path.name}-*{_SUFFIX}"):
        name = path.name[len(library_path.name) + 1 : -len(_SUFFIX)]
        if is_dead(library_path, name):
            yield name


def forget(library_path: Path, name: str) -> None:
    """Remove what is left of the program called *name*, which is dead."""
    _remove(_file_of(library_path, name))


def _file_of(library_path: Path, name: str) -> Path:
    return library_path.with_name(f"{library_path.name}-{name}{_SUFFIX}")


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):  # another program may look at it just now; then the next start removes it
        path.unlink()
