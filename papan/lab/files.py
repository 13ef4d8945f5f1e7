"""Output files: written whole or not at all, by one process at a time.

Functions raise ``OutputError`` for a file that can't be written; an old one stays.
"""

from __future__ import annotations

import csv
import errno
import io
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from papan.game.base import places
from papan.game.base.locks import locked
from papan.game.base.sentences import SentenceError
from papan.game.base.untrusted import decimal_number, plain, quoted, quoted_path

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""How cells begin that a spreadsheet may execute."""


class OutputError(SentenceError, ValueError):
    """A file can't be written; the message is a sentence that says why."""


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Lock *path* against writing by other Papan processes until the block ends; reading needs no lock.

    The lock file is in the same folder, so that it also works between machines that share the folder, and between two
    names of one file. The system releases the lock when the process ends; its holder deletes the lock file.

    :raises OutputError: another Papan is writing the file, or the folder can't be locked.
    """
    real = _real(path)
    place = real.with_name(f".{real.name}.papan-lock")
    with ExitStack() as held:
        try:
            if not real.parent.is_dir():  # filelock would make it
                raise unwritable(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
            held.enter_context(locked(place))
        except TimeoutError:
            raise OutputError.saying("Another running Papan is writing to {file}.", file=quoted_path(path)) from None
        except OSError as error:
            raise unwritable(place, error) from None
        yield


def check_output(path: Path) -> None:
    """Check, before the work starts, that *path* can be written; leave nothing behind."""
    try:
        check_kind(path)
        if not path.absolute().parent.is_dir():
            raise OutputError.saying(
                "There is no folder {folder} to write {file} into.",
                folder=quoted_path(path.parent),
                file=quoted(path.name),
            )
        places.sweep(path.parent, path.name)
        part = places.temporary_path(path)
        part.write_bytes(b"")
        part.unlink()
        if path.exists():
            with path.open("ab"):
                pass
    except OSError as error:
        raise unwritable(path, error) from None


def write_whole(path: Path, text: str) -> None:
    """Write *text*, as UTF-8, to *path*; an interruption leaves either the old file or the new one."""
    with whole_file(path) as file:
        file.write(text.encode())


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, which replaces *path* at the end; until then, and on failure, an old file stays."""
    path = _real(path)
    try:
        check_kind(path)
        with places.atomic_file(path) as file:
            yield file
    except OSError as error:
        raise unwritable(path, error) from None


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    r"""*rows* as CSV; texts that a spreadsheet would take for formulas get an apostrophe.

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
    real = Path(os.path.realpath(path))
    if real.is_symlink():
        raise unwritable(path, OSError(errno.ELOOP, os.strerror(errno.ELOOP)))
    return real


def check_kind(path: Path) -> None:
    """Check that *path*, if it exists, is a regular file: a device or pipe must not be replaced.

    :raises OutputError: it is something else.
    :raises OSError: that can't be determined.
    """
    try:
        kind = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISDIR(kind):
        raise OutputError.saying("{file} is a folder: name a file.", file=quoted_path(path))
    if not stat.S_ISREG(kind):
        raise OutputError.saying("{file} is not a regular file.", file=quoted_path(path))


def data_place(name: str) -> Path:
    """The folder *name* for the user's results, made if need be."""
    folder = places.data_folder() / name
    try:
        places.make_private_folder(folder)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError.saying(
            "The folder {folder} can't be made: {reason}.", folder=quoted_path(folder), reason=reason
        ) from None
    return folder


def unwritable(path: Path, error: OSError) -> OutputError:
    """The error that *path* can't be written because of *error*."""
    return OutputError.saying(
        "{file} can't be written: {reason}.", file=quoted_path(path), reason=error.strerror or str(error)
    )
