"""Records as files and streams: bounded, and text."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from papan.game.base.foreign import UnreadableError, quoted, read_file, read_stream
from papan.game.base.sentences import say
from papan.game.match.record.errors import RecordFileError

MOST_BYTES = 2 * 2**20
"""A larger file is no record of a match that anybody has played."""


def read_text(path: Path) -> str:
    """The text in the file *path*, for ``read``.

    :raises RecordFileError: there is no such file, it can't be read, or it is too large or no text.
    """
    try:
        return _decoded(read_file(path, MOST_BYTES), path.name)
    except UnreadableError as error:
        raise RecordFileError(say("{error} A record is a text file.", error=str(error))) from error


def read_text_from(stream: BinaryIO, name: str) -> str:
    """The text that *stream* brings, for ``read``; *name* is for messages.

    :raises RecordFileError: it is too large, or no text.
    """
    try:
        return _decoded(read_stream(stream, MOST_BYTES, name), name)
    except UnreadableError as error:
        raise RecordFileError(str(error)) from error


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordFileError(
            say(
                "{name} is no text in UTF-8 (at byte {byte}): a record is a text file.",
                name=quoted(name),
                byte=error.start,
            )
        ) from error
