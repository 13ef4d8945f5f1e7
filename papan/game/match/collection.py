"""Collections: several records in one text, separated by empty lines, as in PGN.

A record begins with a line with a tag after a line without one. A damaged record doesn't affect the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from papan.game.base.sentences import Sentence, say
from papan.game.match import Match
from papan.game.match.record import RecordError, read, write

NAME_TAG = "Name"
"""The tag with the user's name for a match."""

_LINE = re.compile(r"^[^\S\n]*+\S.*$", re.MULTILINE)
"""A line that is not empty."""
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

    def told(self, number: int) -> Sentence:
        """The reason with the place: the *number* of the game in its file, and the line."""
        if self.line is None:
            return say("Game {number}: {reason}", number=number, reason=self.reason)
        return say("Game {number}, line {line}: {reason}", number=number, line=self.line, reason=self.reason)


def write_collection(matches: Iterable[Match]) -> Iterator[str]:
    """Yield the records of *matches*; joined they are a collection."""
    for number, match in enumerate(matches):
        yield ("\n" if number else "") + write(match)


def parts_of(text: str) -> Iterator[Part]:
    """Yield the parts of *text* that should be records."""
    text = text.removeprefix("\ufeff")
    begin, end, number, after_tag = -1, 0, 1, False
    for found in _LINE.finditer(text):
        is_tag = _TAG_LINE.match(found[0].rstrip("\r")) is not None
        start = found.start()
        if begin < 0 or (is_tag and not (after_tag and start == end + 1)):
            if begin >= 0:
                yield Part(text[begin : start - 1], number)
            number += text.count("\n", max(begin, 0), start)
            begin = start
        after_tag, end = is_tag, found.end()
    if begin >= 0:
        yield Part(text[begin:], number)


def has_several(text: str) -> bool:
    """Whether *text* has more than one part that should be a record."""
    return len(list(islice(parts_of(text), 2))) > 1


def read_collection(text: str) -> Iterator[Match | Refused]:
    """Yield the match of each record in *text*, or why it was refused."""
    if has_several(text):
        try:  # a comment may have lines that look like tags
            yield read(text)
            return
        except RecordError:
            pass
    for number, part in enumerate(parts_of(text), start=1):
        try:
            yield read(part.text, part.line)
        except RecordError as error:
            yield Refused(number, str(error))
