"""Files that are written whole or not at all.

A file is written beside its place, under a name with the number of the process that writes it, and then takes the
place. What a process that was killed had begun is known by its number, and deleted by the next one that comes by.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from papan.game.base.places import make_private_file

_PART = re.compile(r"(?P<name>.+)\.part-(?P<process>[0-9]{1,18})(-journal)?")
_LONGEST_WRITING = 3600.0
"""Seconds, where nobody can tell whether a process still runs."""


def part_of(path: Path) -> Path:
    """Where this process writes the file that is to become *path*."""
    return path.with_name(f"{path.name}.part-{os.getpid()}")


@contextmanager
def whole_file(path: Path, *, is_private: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of *path* at the end; until then, and if that fails, an old file stays.

    :param is_private: whether only its owner is to read it.
    :raises OSError: it can't be written.
    """
    path = Path(os.path.realpath(path))  # what a link leads to is replaced, not the link
    sweep(path.parent, path.name)
    part = part_of(path)
    try:
        if is_private:
            make_private_file(part)
        with part.open("w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def sweep(folder: Path, name: str | None = None) -> None:
    """Delete what dead processes had begun to write in *folder*: to the file called *name*; default: to any."""
    with suppress(OSError):  # what can't be seen or deleted now is another time
        for file in list(folder.iterdir()):
            found = _PART.fullmatch(file.name)
            if found is not None and name in (None, found["name"]) and _is_dead(int(found["process"]), file):
                with suppress(OSError):
                    file.unlink()


def _is_dead(process: int, file: Path) -> bool:
    """Whether the *process* that was writing *file* has ended."""
    if sys.platform == "win32":  # where asking a process would end it; an open file can't be deleted there
        return abs(time.time() - file.stat().st_mtime) > _LONGEST_WRITING
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:  # somebody else's
        return False
    return False
