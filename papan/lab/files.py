"""Files that the laboratory writes: whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from papan.game.base import whole_files
from papan.game.base.foreign import quoted
from papan.game.base.sentences import say


class OutputError(ValueError):
    """A file can't be written; the message is a sentence that says why."""


def check_output(path: Path) -> None:
    """Find out, before the work is done, whether *path* can be written; nothing is left behind.

    :raises OutputError: it can't.
    """
    try:
        _check_kind(path)
        if not path.absolute().parent.is_dir():
            raise OutputError(
                say(
                    "There is no folder {folder} to write {file} into.",
                    folder=quoted(str(path.parent)),
                    file=quoted(path.name),
                )
            )
        whole_files.sweep(path.parent, path.name)
        part = whole_files.part_of(path)
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
    try:
        _check_kind(path)
        with whole_files.whole_file(path) as file:
            yield file
    except OSError as error:
        raise unwritable(path, error) from None


def _check_kind(path: Path) -> None:
    """Make sure that nothing but a file is replaced: a device or a pipe would be gone, for all programs.

    :raises OutputError: *path* is there, but no file.
    :raises OSError: that can't be found out.
    """
    if path.is_dir():
        raise OutputError(say("{file} is a folder: name a file.", file=quoted(str(path))))
    if path.exists() and not path.is_file():
        raise OutputError(say("{file} is no file.", file=quoted(str(path))))


def unwritable(path: Path, error: OSError) -> OutputError:
    """That *path* can't be written for *error*."""
    return OutputError(
        say("{file} can't be written: {reason}.", file=quoted(str(path)), reason=error.strerror or str(error))
    )
