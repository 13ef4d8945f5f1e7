"""Locks between processes, by files that the system unlocks when their holder ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, UnixFileLock

PATIENCE = 0.2
"""Seconds to wait for another process's lock: enough for one that is just ending."""


@contextmanager
def locked(place: Path) -> Iterator[None]:
    """Hold the lock file *place* until the block ends, and delete it.

    It also works between machines that share the folder.

    :raises TimeoutError: another process, or thread, holds it.
    :raises OSError: it can't be made.
    """
    lock = FileLock(place, thread_local=False)
    lock.acquire(timeout=PATIENCE)
    try:
        yield
    finally:
        # Deleted while held: a process that has it open notices the deletion, and opens a new one.
        if isinstance(lock, UnixFileLock):
            with suppress(OSError):
                place.unlink()
        lock.release()
