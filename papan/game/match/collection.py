"""Collections: several records in one text, separated by empty lines, as in PGN.

A record begins with a line with a tag after a line without one. A damaged record doesn't affect the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from papan.game.match import Match
from papan.game.match.record import MOST_CHARACTERS, RecordError, read, write

NAME_TAG = "Name"
"""The tag with the user's name for a match."""

_TAG_LINE = re.compile(r"^\[[ \t]*[A-Za-z][A-Za-z0-9_]*[ \t]*\".*$")


class Part(NamedTuple):
    """A text that should be one record."""

    text: str
    line: int
    """Its first line in the whole text, from 1."""


class Refused(NamedTuple):
    """A part that is not a record."""

    number: int
    """The number of the part, from 1."""
    reason: str
    """A sentence."""
    line: int | None = None
    """Where the fault is, from 1, unless the sentence tells it."""


def write_collection(matches: Iterable[Match]) -> Iterator[str]:
    """Yield the records of *matches*; joined they are a collection."""
    for number, match in enumerate(matches):
        yield ("\n" if number else "") + write(match)


def parts_of(lines: Iterable[str]) -> Iterator[Part]:
    """Yield the parts of a text of these *lines* that should be records."""
    part, begin, length, follows_tag = list[str](), 1, 0, False
    for number, line in enumerate(lines, start=1):
        if number == 1:
            line = line.removeprefix("\ufeff")
        is_tag = _TAG_LINE.match(line) is not None
        if line.strip() and part and is_tag and not follows_tag:
            yield Part("\n".join(part), begin)
            part = []
        follows_tag = is_tag
        if not part:
            begin, length = number, 0
        if (part or line.strip()) and length <= MOST_CHARACTERS:  # what is longer is refused
            part.append(line)
            length += len(line) + 1
    if part:
        yield Part("\n".join(part), begin)


def read_collection(lines: Iterable[str]) -> Iterator[Match | Refused]:
    """Yield the match of each record in a text of these *lines*, or why it was refused."""
    rest, first = iter(lines), list[str]()
    length = 0
    for line in rest:
        first.append(line)
        length += len(line) + 1
        if length > MOST_CHARACTERS:
            break
    else:
        if len(list(islice(parts_of(first), 2))) > 1:
            try:  # a comment may have lines that look like tags
                yield read("\n".join(first))
                return
            except RecordError:
                pass
    for number, part in enumerate(parts_of(chain(first, rest)), start=1):
        try:
            yield read(part.text, part.line)
        except RecordError as error:
            yield Refused(number, str(error))
