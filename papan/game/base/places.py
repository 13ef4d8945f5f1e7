"""Bundled files, the user's folders, and atomic writing of files.

Folders follow the system's conventions; asking for one doesn't create it. A file is written under a temporary name with
the process id and then renamed; ``sweep`` deletes the temporary files of killed processes.
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
"""The package's folder, perhaps read-only, also inside the frozen program."""

CHECKOUT = ROOT.parent
"""The checkout, with documentation and tests, for developers' tools; not there in an installed program."""

HOME_VARIABLE = "PAPAN_HOME"
"""Environment variable: one folder for all of a user's files in place of the system's."""
KERNELS_VARIABLE = "PAPAN_KERNELS"
"""Environment variable: another folder for compiled kernels, such as that of a parent process."""

SETTINGS_FILE = "settings.sqlite"

_NOWHERE = Path(os.devnull).absolute()
"""Is no folder, so nothing can be saved below it."""
_OWNER_ONLY_FOLDER = 0o700
_OWNER_ONLY_FILE = 0o600
_PART = re.compile(r"(?P<name>.+)\.part-(?P<process>[0-9]{1,18})(-journal)?")
_LONGEST_WRITING = 3600.0
"""Seconds after which a temporary file counts as left over, on Windows."""


def bundled_file(*parts: str) -> Path:
    """A file of the program, such as ``bundled_file("assets", "fonts")``."""
    return ROOT.joinpath(*parts)


def _user_folder(kind: str, system_place: Callable[[], Path]) -> Path:
    """The folder of this *kind*; if the user's home is unknown, one where nothing can be saved."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home) / kind
    try:
        place = system_place()
    except RuntimeError:
        place = _NOWHERE / kind
    return place if place.is_absolute() else _NOWHERE / kind  # "~", which would be a folder of that name


def make_private_folder(folder: Path) -> None:
    """Make *folder*, if missing, readable by its owner only; an existing one keeps its rights.

    On Windows a user's folders are private already.

    :raises OSError: it can't be made.
    """
    folder.mkdir(mode=_OWNER_ONLY_FOLDER, parents=True, exist_ok=True)


def make_private_file(file: Path) -> None:
    """Make an empty *file*, if missing, readable by its owner only; may raise OSError."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY_FILE))


def is_only_ours(facts: os.stat_result) -> bool:
    """Whether only the user can have written the file or folder with these *facts*; always true on Windows."""
    if sys.platform == "win32":
        return True
    return facts.st_uid == os.getuid() and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def is_trusted(facts: os.stat_result) -> bool:
    """Whether only the user or the system's administrator can have written what has these *facts*."""
    if sys.platform == "win32":
        return True
    return facts.st_uid in (0, os.getuid()) and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def data_folder() -> Path:
    """The folder of the game library and of the settings."""
    return _user_folder("data", lambda: platformdirs.user_data_path("Papan", appauthor=False))


def settings_file() -> Path:
    """The file of the window's settings."""
    return data_folder() / SETTINGS_FILE


def cache_folder() -> Path:
    """The folder of files that can be made again, such as compiled kernels."""
    return _user_folder("cache", lambda: platformdirs.user_cache_path("Papan", appauthor=False))


def pictures_folder() -> Path:
    """The user's folder for pictures."""
    return _user_folder("pictures", platformdirs.user_pictures_path)


def documents_folder() -> Path:
    """The user's folder for documents."""
    return _user_folder("documents", platformdirs.user_documents_path)


def log_folder() -> Path:
    """The folder of the log file."""
    return _user_folder("log", lambda: platformdirs.user_log_path("Papan", appauthor=False))


def temporary_path(path: Path) -> Path:
    """The temporary name under which this process writes *path*."""
    return path.with_name(f"{path.name}.part-{os.getpid()}")


@contextmanager
def atomic_file(path: Path, *, is_private: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to, which replaces *path* at the end; if anything fails, the old file stays.

    :param is_private: whether only its owner can read it.
    :raises OSError: it can't be written.
    """
    path = Path(os.path.realpath(path))  # a link's target is replaced, not the link
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
    """Delete temporary files of dead processes in *folder*: those of the file *name*, or all."""
    with suppress(OSError):  # files that can't be deleted now may be later
        for file in list(folder.iterdir()):
            found = _PART.fullmatch(file.name)
            if found is not None and name in (None, found["name"]) and _is_dead(int(found["process"]), file):
                with suppress(OSError):
                    file.unlink()


def _is_dead(process: int, file: Path) -> bool:
    """Whether the *process* that wrote *file* has ended."""
    if sys.platform == "win32":  # there ``os.kill`` would end it; open files can't be deleted anyway
        return abs(time.time() - file.stat().st_mtime) > _LONGEST_WRITING
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:  # another user's
        return False
    return False
