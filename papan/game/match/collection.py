"""Collections: several records in one text, one after the other with an empty line between them.

So PGN does it. A record begins with a line that is a tag, after one that is none. One that is
damaged costs no other: reading goes on where the next begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from papan.game.base.foreign import UnreadableError, quoted, read_file
from papan.game.base.sentences import say
from papan.game.match import Match
from papan.game.match.record import RecordError, RecordFileError, read, write

MOST_BYTES = 128 * 2**20
"""A larger file is no collection that anybody has made."""
NAME_TAG = "Name"
"""The tag with what a person calls a match."""

_TAG_LINE = re.compile(r"^\[[ \t]*[A-Za-z][A-Za-z0-9_]*[ \t]*\".*$")


class Part(NamedTuple):
    """A text that should be one record."""

    text: str
    line: int
    """The number of its first line in the whole text, from 1."""


class Refused(NamedTuple):
    """A part that is no record."""

    number: int
    """Which one of the text's parts it is, from 1."""
    reason: str
    """A sentence."""


def write_collection(matches: Iterable[Match]) -> Iterator[str]:
    """The records of *matches*, which make a text when they are joined; each is made when it is asked for."""
    for number, match in enumerate(matches):
        yield ("\n" if number else "") + write(match)


def parts_of(text: str) -> list[Part]:
    """The parts of *text* that should be records; none where it is empty."""
    lines = text.removeprefix("\ufeff").split("\n")
    starts: list[int] = []
    after_tag = False
    for number, line in enumerate(lines):
        if not line.strip():
            after_tag = False
            continue
        is_tag = _TAG_LINE.match(line.rstrip("\r")) is not None
        if (is_tag and not after_tag) or not starts:
            starts.append(number)
        after_tag = is_tag
    ends = [*starts, len(lines)][1:]
    return [Part("\n".join(lines[start:end]), start + 1) for start, end in zip(starts, ends, strict=True)]


class SeveralRecords(RecordError):
    """A text that should be one record has several."""

    def __init__(self, text: str) -> None:
        super().__init__(say("There are several records here."))
        self.text = text


def read_single(text: str) -> Match:
    """The match whose record is *text*.

    :raises SeveralRecords: it may be the records of several matches.
    :raises RecordError: it is none.
    """
    try:
        return read(text)
    except RecordError as error:
        if len(parts_of(text)) > 1:
            raise SeveralRecords(text) from error
        raise


def read_collection(text: str) -> Iterator[Match | Refused]:
    """The match of each record in *text*, or why there is none; each is played anew when it is asked for."""
    parts = parts_of(text)
    if len(parts) > 1:
        try:  # a comment may have lines that look like tags
            yield read(text)
            return
        except RecordError:
            pass
    for number, part in enumerate(parts, start=1):
        try:
            yield read(part.text, part.line)
        except RecordError as error:
            yield Refused(number, str(error))


def read_collection_text(path: Path) -> str:
    """The text in the file *path*, for ``read_collection``.

    :raises RecordFileError: there is no such file, it can't be read, or it is too large or no text.
    """
    try:
        return read_file(path, MOST_BYTES).decode("utf-8-sig")
    except UnreadableError as error:
        raise RecordFileError(str(error)) from error
    except UnicodeDecodeError as error:
        raise RecordFileError(
            say("{name} is no text in UTF-8 (at byte {byte}).", name=quoted(path.name), byte=error.start)
        ) from error
