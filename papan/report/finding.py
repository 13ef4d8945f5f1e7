"""Finding the files of a folder and its subfolders that may be results, in the order of their names.

Numbers and sizes are bounded, as a folder may contain anything. Files that do not begin like JSON are not read.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from papan.game.base.sentences import figures, say
from papan.game.base.untrusted import UnreadableError, open_file, plain, quoted_path, read_stream

MOST_FILES = 1000
"""The most files examined."""
MOST_BYTES = 1 << 26
"""The largest file."""
MOST_BYTES_TOGETHER = 1 << 28
"""The largest total of all files."""

_START = 64
"""Bytes read to see whether a file may be a result."""
_BEFORE_JSON = codecs.BOM_UTF8 + codecs.BOM_UTF16_LE + codecs.BOM_UTF16_BE + b"\0 \t\r\n"
"""Bytes that may precede the first brace; output redirected on Windows may be UTF-16."""


class FolderError(ValueError):
    """A folder can't be read; the message is a sentence that says why."""


class LeftOut(NamedTuple):
    """A file or folder that the report does not show."""

    name: str
    """Its path relative to the folder, with slashes."""
    reason: str
    """A sentence."""


class File(NamedTuple):
    """A file with its content."""

    name: str
    content: bytes


def files_in(folder: Path, apart: Path) -> Iterator[File | LeftOut]:
    """The files in *folder* and its subfolders; links are not followed.

    :param apart: the report's own file, which is skipped.
    :raises FolderError: *folder* is not a folder, or can't be read.
    """
    try:
        if not folder.is_dir():
            raise FolderError(say("There is no folder {folder}.", folder=quoted_path(folder)))
        paths = sorted(folder.iterdir(), reverse=True)
    except OSError as error:
        raise FolderError(
            say(
                "The folder {folder} can't be read: {reason}.",
                folder=quoted_path(folder),
                reason=error.strerror or str(error),
            )
        ) from None
    root, own, left = folder.resolve(), apart.resolve(), MOST_BYTES_TOGETHER
    looked_at = 0
    while paths:
        path = paths.pop()
        below = path.relative_to(folder)
        name = plain(below.as_posix())
        if _is_link(path, root / below):
            yield LeftOut(name, say("It is a link; links are not followed."))
        elif path.is_dir():
            try:
                paths += sorted(path.iterdir(), reverse=True)
            except OSError as error:
                yield LeftOut(name, say("It can't be read: {reason}.", reason=error.strerror or str(error)))
        elif root / below != own:
            looked_at += 1
            if looked_at > MOST_FILES:
                most = figures(MOST_FILES)
                yield LeftOut(name, say("Files from here on were not read: there are more than {most}.", most=most))
                return
            found = _read(path, name, min(left, MOST_BYTES))
            if isinstance(found, File):
                left -= len(found.content)
            yield found


def _read(path: Path, name: str, most_bytes: int) -> File | LeftOut:
    try:
        with open_file(path) as file:
            start = file.read(_START)
            if not start.lstrip(_BEFORE_JSON).startswith(b"{"):
                return LeftOut(name, say("It is not a result: neither a journal nor a command's JSON answer."))
            file.seek(0)
            return File(name, read_stream(file, most_bytes, path.name))
    except UnreadableError as error:
        return LeftOut(name, str(error))


def _is_link(path: Path, real: Path) -> bool:
    """Whether *path* is a link or, on Windows, a junction: it does not resolve to *real*."""
    try:
        return path.is_symlink() or path.resolve() != real
    except (OSError, RuntimeError):
        return True
