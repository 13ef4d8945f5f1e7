"""Files that the laboratory writes: whole or not at all, and one process at a time."""

from __future__ import annotations

import csv
import errno
import io
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout, UnixFileLock

from papan.game.base import places
from papan.game.base.foreign import decimal_number, plain, quoted, quoted_path
from papan.game.base.sentences import say

PATIENCE = 0.2
"""Seconds to wait for another process to finish with a file: one that is just ending, not one that works on."""
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet may carry out."""


class OutputError(ValueError):
    """A file can't be written; the message is a sentence that says why."""


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Keep every other Papan from writing *path* until the block ends; reading needs no lock.

    The lock lies beside the file, so that it also holds between machines that share the folder and between two names of
    one file. The system drops it when the process ends, however that ends; its holder deletes the lock file.

    :raises OutputError: another Papan is writing the file, or the folder takes no lock.
    """
    real = _real(path)
    place = real.with_name(f".{real.name}.papan-lock")
    lock = FileLock(place, thread_local=False)
    try:
        if not real.parent.is_dir():  # the library would make it
            raise unwritable(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
        lock.acquire(timeout=PATIENCE)
    except Timeout:
        raise OutputError(say("Another running Papan is writing to {file}.", file=quoted_path(path))) from None
    except OSError as error:
        raise unwritable(place, error) from None
    try:
        yield
    finally:
        # Deleted while it is held: whoever opened it before sees that it is gone, and opens a new one.
        if isinstance(lock, UnixFileLock):
            with suppress(OSError):
                place.unlink()
        lock.release()


def check_output(path: Path) -> None:
    """Find out, before the work is done, whether *path* can be written; nothing is left behind.

    :raises OutputError: it can't.
    """
    try:
        check_kind(path)
        if not path.absolute().parent.is_dir():
            raise OutputError(
                say(
                    "There is no folder {folder} to write {file} into.",
                    folder=quoted(str(path.parent)),
                    file=quoted(path.name),
                )
            )
        places.sweep(path.parent, path.name)
        part = places.part_of(path)
        part.write_bytes(b"")
        part.unlink()
        if path.exists():
            with path.open("ab"):
                pass
    except OSError as error:
        raise unwritable(path, error) from None


def write_whole(path: Path, text: str) -> None:
    """Write *text*, as UTF-8, to *path*; whatever interrupts it, an old file is there, or the new one.

    :raises OutputError: it can't be written; what was there before still is.
    """
    with whole_file(path) as file:
        file.write(text.encode())


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of *path* at the end; until then, and if that fails, an old file stays.

    :raises OutputError: it can't be written.
    """
    path = _real(path)
    try:
        check_kind(path)
        with places.whole_file(path) as file:
            yield file
    except OSError as error:
        raise unwritable(path, error) from None


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    r"""*rows* as a table with commas between, in which no text is a formula: one that looks like it gets an apostrophe.

    >>> csv_text([("=1+1", -1.5, "-1.5", None)])
    "'=1+1,-1.5,-1.5,\n"
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def _harmless(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    is_formula = cell.startswith(_FORMULAS) and decimal_number(cell) is None
    return f"'{plain(cell)}" if is_formula else plain(cell)


def _real(path: Path) -> Path:
    """Where *path* leads to.

    :raises OutputError: it is a link to itself.
    """
    real = Path(os.path.realpath(path))
    if real.is_symlink():
        raise unwritable(path, OSError(errno.ELOOP, os.strerror(errno.ELOOP)))
    return real


def check_kind(path: Path) -> None:
    """Make sure that nothing but a file is replaced: a device or a pipe would be gone, for all programs.

    :raises OutputError: *path* is there, but no file.
    :raises OSError: that can't be found out.
    """
    try:
        kind = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISDIR(kind):
        raise OutputError(say("{file} is a folder: name a file.", file=quoted(str(path))))
    if not stat.S_ISREG(kind):
        raise OutputError(say("{file} is not a regular file.", file=quoted(str(path))))


def unwritable(path: Path, error: OSError) -> OutputError:
    """That *path* can't be written for *error*."""
    return OutputError(
        say("{file} can't be written: {reason}.", file=quoted(str(path)), reason=error.strerror or str(error))
    )
