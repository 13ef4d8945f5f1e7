"""What a record is made of: tags and words; space and comments between them mean nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from papan.game.base.foreign import quoted, shortened
from papan.game.base.sentences import figures, say
from papan.game.match.record.errors import RecordError
from papan.game.match.record.tags import example_of

MOST_WORDS = 300_000
"""Of turns and numbers: the longest game there is, of 2048 to its last tile, has two thirds of them."""
MOST_TAGS = 1000
# Possessive: what has been matched is never given back, so that no text takes more than one look at each character.
_GAP = re.compile(r"(?: \s++ | ;[^\n]*+ | \{[^}]*+\} )*+", re.VERBOSE)
_TAG = re.compile(r"""\[ \s*+ ([A-Za-z][A-Za-z0-9_]*+) \s*+ ( "(?: [^"\\\n]++ | \\[^\n] )*+" ) \s*+ \]""", re.VERBOSE)
_WORD = re.compile(r"[^\s;{}\[\]]++")


class Tag(NamedTuple):
    name: str
    value: str
    line: int


class Word(NamedTuple):
    text: str
    line: int


def lexemes(text: str, first_line: int = 1) -> Iterator[Tag | Word]:
    """The tags and the words of *text*, one after another; each character is looked at once.

    :param first_line: the number of its first line.
    :raises RecordError: something that is neither.
    """
    line, counted, offset = first_line, 0, _end_of_gap(text, 0)
    while offset < len(text):
        line, counted = line + text.count("\n", counted, offset), offset
        tag = _TAG.match(text, offset)
        word = None if tag else _WORD.match(text, offset)
        if tag:
            yield Tag(tag[1], _unquote(tag[2], line), line)
            offset = tag.end()
        elif word:
            yield Word(word[0], line)
            offset = word.end()
        else:
            raise RecordError(_stray(text[offset]), line)
        offset = _end_of_gap(text, offset)


def _end_of_gap(text: str, start: int) -> int:
    """Where the space and the comments that begin at *start* end."""
    gap = _GAP.match(text, start)
    return gap.end() if gap else start


def take_tags(found: Iterator[Tag | Word]) -> tuple[dict[str, str], dict[str, int], Word | None]:
    """The tags, the line of each, and the first word after them, if there is one.

    :raises RecordError: a tag comes twice.
    """
    tags: dict[str, str] = {}
    lines: dict[str, int] = {}
    for lexeme in found:
        if isinstance(lexeme, Word):
            return tags, lines, lexeme
        name, value, line = lexeme
        if name in tags:
            raise RecordError(
                say("There is a tag {name} in line {line} already.", name=shortened(name), line=lines[name]), line
            )
        if len(tags) == MOST_TAGS:
            raise RecordError(
                say("There are more than {most} tags: that is no record of a match.", most=MOST_TAGS), line
            )
        tags[name], lines[name] = value, line
    return tags, lines, None


def words_of(first: Word, others: Iterator[Tag | Word]) -> Iterator[Word]:
    """*first* and *others*, which must be words.

    :raises RecordError: there is a tag among them, or there are too many.
    """
    yield first
    for number, lexeme in enumerate(others, start=2):
        if isinstance(lexeme, Tag):
            raise RecordError(
                say(
                    "Tag {name} after the turns: a second record? Put each into a text of its own.",
                    name=shortened(lexeme.name),
                ),
                lexeme.line,
            )
        if number > MOST_WORDS:
            raise RecordError(
                say("There are more than {most} words: no match is so long.", most=figures(MOST_WORDS)), lexeme.line
            )
        yield lexeme


def _unquote(quoted_value: str, line: int) -> str:
    try:
        return str(json.loads(quoted_value, strict=False))
    except ValueError as error:
        raise RecordError(
            say(
                r"{text} has a \ that means nothing: write \\ for it, and \" for a quotation mark.",
                text=shortened(quoted_value),
            ),
            line,
        ) from error


def _stray(sign: str) -> str:
    if sign == "[":
        return say("After '[' should come a tag such as {example}", example=example_of("Game")[1:])
    if sign == "{":
        return say("The comment that begins with '{' never ends: write '}' after it.")
    return say("{sign} closes nothing that was opened.", sign=quoted(sign))
