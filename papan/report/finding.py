"""The files of a folder and of those below it that may be results, in the order of their names.

Within bounds: a folder may have anything in it. Of a file that does not begin as JSON nothing more is read.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from papan.game.base.foreign import UnreadableError, open_file, plain, quoted, read_stream
from papan.game.base.sentences import figures, say

MOST_FILES = 1000
"""Files that are looked at."""
MOST_BYTES = 1 << 26
"""Bytes of a file."""
MOST_BYTES_TOGETHER = 1 << 28
"""Bytes of all files."""

_START = 64
"""Bytes by which it is told whether a file may be one."""
_BEFORE_JSON = codecs.BOM_UTF8 + codecs.BOM_UTF16_LE + codecs.BOM_UTF16_BE + b"\0 \t\r\n"
"""What stands before its brace, in the encodings of JSON; what is redirected on Windows may be UTF-16."""


class FolderError(ValueError):
    """A folder can't be looked into; the message is a sentence that says why."""


class LeftOut(NamedTuple):
    """A file or folder of which nothing is told."""

    name: str
    """Its path below the folder that was asked for, with slashes."""
    reason: str
    """A sentence."""


class File(NamedTuple):
    """A file, and what is in it."""

    name: str
    content: bytes


def files_in(folder: Path, apart: Path) -> Iterator[File | LeftOut]:
    """The files in *folder* and its sub-folders; links are not followed.

    :param apart: the file that is to be written, which may be there from an earlier time: it is passed over.
    :raises FolderError: *folder* is none, or can't be read.
    """
    try:
        if not folder.is_dir():
            raise FolderError(say("There is no folder {folder}.", folder=quoted(str(folder))))
        paths = sorted(folder.iterdir(), reverse=True)
    except OSError as error:
        raise FolderError(
            say(
                "The folder {folder} can't be read: {reason}.",
                folder=quoted(str(folder)),
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
    """Whether *path* leads elsewhere than to *real*: also by what Windows calls a junction."""
    try:
        return path.is_symlink() or path.resolve() != real
    except (OSError, RuntimeError):
        return True
