"""Where files live, and how they are written: bundled files, the user's folders, files written whole or not at all.

The folders are those that the system wants; asking for one does not create it. A file is written beside its place,
under a name with the number of the writing process, and then takes the place. What a killed process had begun is
deleted by the next one that comes by.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import platformdirs

ROOT = Path(__file__).resolve().parents[2]
"""The package's own folder; read-only for all we know, also inside the frozen program."""

CHECKOUT = ROOT.parent
"""Where documentation and tests lie beside the package, for developers' tools; not so where it is installed."""

HOME_VARIABLE = "PAPAN_HOME"
"""Environment variable: one folder for all of a user's files, instead of the system's places."""
KERNELS_VARIABLE = "PAPAN_KERNELS"
"""Environment variable: another folder for compiled kernels, such as that of the process for which one compiles."""

SETTINGS_FILE = "settings.sqlite"
"""What a person has set in the window, in the folder for data."""

_NOWHERE = Path(os.devnull).absolute()
"""Which is no folder."""
_OWNER_ONLY_FOLDER = 0o700
_OWNER_ONLY_FILE = 0o600
_PART = re.compile(r"(?P<name>.+)\.part-(?P<process>[0-9]{1,18})(-journal)?")
_LONGEST_WRITING = 3600.0
"""Seconds, where nobody can tell whether a process still runs."""


def bundled_file(*parts: str) -> Path:
    """A file that comes with the program, such as ``bundled("assets", "fonts")``."""
    return ROOT.joinpath(*parts)


def _user_folder(kind: str, system_place: Callable[[], Path]) -> Path:
    """The folder of this *kind*; where nobody knows the user's home, one in which nothing can be kept."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home) / kind
    try:
        place = system_place()
    except RuntimeError:
        place = _NOWHERE / kind
    return place if place.is_absolute() else _NOWHERE / kind  # "~", which would be a folder of that name


def make_private_folder(folder: Path) -> None:
    """Make *folder*, where it is missing, so that nobody but its owner can look into it.

    What is there stays as it is: who opened it to others meant to. On Windows a user's folders are private already.

    :raises OSError: it can't be made.
    """
    folder.mkdir(mode=_OWNER_ONLY_FOLDER, parents=True, exist_ok=True)


def make_private_file(file: Path) -> None:
    """Make *file*, empty, where it is missing, so that nobody but its owner can read it; one that is there stays.

    :raises OSError: it can't be made.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY_FILE))


def is_only_ours(facts: os.stat_result) -> bool:
    """Whether nobody but the user can have written the file or the folder of these *facts*.

    On Windows, where a user's folders are private, it always is.
    """
    if sys.platform == "win32":
        return True
    return facts.st_uid == os.getuid() and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def data_folder() -> Path:
    """The folder of the game library and of the settings."""
    return _user_folder("data", lambda: platformdirs.user_data_path("Papan", appauthor=False))


def settings_file() -> Path:
    """The file of what a person has set in the window."""
    return data_folder() / SETTINGS_FILE


def cache_folder() -> Path:
    """The folder of what can be made again, such as compiled kernels."""
    return _user_folder("cache", lambda: platformdirs.user_cache_path("Papan", appauthor=False))


def pictures_folder() -> Path:
    """The folder where a person looks for pictures."""
    return _user_folder("pictures", platformdirs.user_pictures_path)


def documents_folder() -> Path:
    """The folder where a person looks for texts."""
    return _user_folder("documents", platformdirs.user_documents_path)


def log_folder() -> Path:
    """The folder of the log file."""
    return _user_folder("log", lambda: platformdirs.user_log_path("Papan", appauthor=False))


def temporary_path(path: Path) -> Path:
    """Where this process writes the file that is to become *path*."""
    return path.with_name(f"{path.name}.part-{os.getpid()}")


@contextmanager
def atomic_file(path: Path, *, is_private: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of *path* at the end; until then, and if that fails, an old file stays.

    :param is_private: whether only its owner is to read it.
    :raises OSError: it can't be written.
    """
    path = Path(os.path.realpath(path))  # what a link leads to is replaced, not the link
    sweep(path.parent, path.name)
    part = temporary_path(path)
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
