"""The outer form of PGN and its kin, PDN among them: tags, numbered moves, comments, variations, a result.

Real files keep few of PGN's rules, so this reader has few: a game begins where tags begin after something else, at the
beginning of a line or within one; a line that begins with ``%`` is skipped; comments may hold brackets. What the words
between tags mean, results among them, is for the game's format to say.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from papan.game.base.sentences import Sentence, say
from papan.game.base.untrusted import quoted
from papan.game.formats import written_date
from papan.game.match import Match
from papan.game.match.record import COLUMNS

MOST_WORDS = 100_000
"""Words of one game; what follows is left out."""
MOST_TAGS = 1000
_LONGEST_VALUE = 10_000
"""Characters of a tag; what follows is left out, as for words and comments."""
_LONGEST_WORD = 1000
_LONGEST_COMMENTS = 1 << 20
"""Characters of all comments of one game."""
_TAG = re.compile(r'\[\s*([^\W\d]\w*)\s+"((?:[^"\\]|\\.)*)"\s*\]?')
_PIECE = re.compile(r'(?P<tag>\[\s*[^\W\d]\w*\s+")|(?P<sign>[({})\[;]|\$\d+)|(?P<word>[^\s(){};\[]+)')
_NUMBERS = re.compile(r"(?:(\d+)(?:\.+|…+|[．、]))+")
_BEFORE_A_REPLY = re.compile(r"\.\.|…")
_LONGEST_NUMBER = 4
"""Digits that are no number of a move any more, but a year, say."""
_ASSESSMENT = "!?"
_RESULT = re.compile(r"\*|0-0|1-0|0-1|2-0|0-2|1-1|1/2(?:-1/2)?|½(?:-½)?")


class Word(NamedTuple):
    text: str
    line: int
    number: int = 0
    """Of the move, if it stands right before the word; 0 for none."""
    is_reply: bool = False
    """Whether the number tells a move of the second player: ``1...``"""


def before_first(words: Sequence[Word]) -> Sentence | None:
    """Why *words*, the moves of a game without a position, don't begin with its first move; None if they may.

    A number alone, before moves without numbers, may be the game's.
    """
    if not words:
        return None
    are_numbered = len(words) < 3 or any(word.number for word in words[1:])
    return missing_before(words[0].number, words[0].is_reply, are_numbered)


def missing_before(number: int, is_reply: bool, are_numbered: bool) -> Sentence | None:
    """The sentence about a game whose first move has *number*; None for 0 and 1, and if others have no numbers."""
    if not is_reply and (number <= 1 or not are_numbered):
        return None
    return say(
        "Moves are missing before {number}: a game must begin with its first move, or tell its position.",
        number=quoted(f"{number}{'...' if is_reply else '.'}"),
    )


def is_heading(word: Word, turn: Word) -> bool:
    """Whether the numbered *word* before the first *turn* may belong to a heading: ``1. Final`` before ``1. h2e2``."""
    return 0 < turn.number <= word.number or (turn.number == 0 and turn.line != word.line)


def is_in_place_of_reply(word: Word, turn: Word | None) -> bool:
    """Whether *word* stands where the reply to the last *turn* is expected, which has a number: ``2. h2e2 foo``."""
    return turn is not None and turn.number > 0 == word.number and turn.line == word.line


@dataclass
class Block:
    """One game of a file."""

    line: int
    """Its first line, from 1."""
    tags: dict[str, str] = field(default_factory=dict)
    words: list[Word] = field(default_factory=list)
    """Moves and results, without numbers, assessments (``!?``, ``$1``), comments and variations."""
    comments: list[str] = field(default_factory=list)
    variations: int = 0
    cut: int = 0
    """The line in which it breaks off, within a comment, say; 0 if it is whole."""
    is_last: bool = False
    """Whether the text ends with it: then its last word may be cut off, unless it is a result."""

    @property
    def left_out(self) -> int:
        return len(self.comments) + self.variations

    def tag(self, *names: str) -> str:
        """The value of the first of *names* that says something, in any letters; "" for none and for ``?``."""
        small = {name.lower(): value for name, value in self.tags.items()}
        values = (small.get(name.lower(), "").strip() for name in names)
        return next((value for value in values if value.strip("?-. ")), "")


def blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Yield the games in *lines*."""
    return _Reader().read(lines)


class _Reader:
    def __init__(self) -> None:
        self._line = 0
        self._block: Block | None = None
        self._comment: list[str] | None = None  # the comment that has begun
        self._room = 0  # characters for comments in this game
        self._depth = 0  # of variations
        self._number = 0  # of the move that comes next, if it was just told
        self._is_reply = False
        self._have_results = False  # all games so far, and there was one
        self._is_first = True

    def read(self, lines: Iterable[str]) -> Iterator[Block]:
        for self._line, line in enumerate(lines, start=1):
            if self._comment is not None and _TAG.match(line):
                self._end_unended()
            if self._comment is not None or not line.startswith("%"):
                yield from self._read_line(line)
        self._end_unended()
        if self._block is not None:
            self._block.is_last = True
            tells_result = self._have_results or (self._is_first and _RESULT.fullmatch(self._block.tag("Result")))
            if tells_result and self._block.words and not _has_result(self._block):
                self._block.cut = self._block.cut or self._line
            yield self._block

    def _end_unended(self) -> None:
        """Forget a comment and a variation that never end."""
        if self._comment is not None or self._depth:
            self._begun().cut = self._line
        self._comment, self._depth = None, 0

    def _read_line(self, line: str) -> Iterator[Block]:
        offset = 0
        while offset < len(line):
            if self._comment is not None:
                offset = self._read_comment(line, offset)
                continue
            tag = _TAG.match(line, offset)
            if tag is None:
                offset = self._read_word(line, offset)
                continue
            self._end_unended()
            if self._block is not None and self._is_next(tag[1]):
                may_have = self._have_results or self._is_first
                self._have_results = may_have and _has_result(self._block)
                self._is_first = False
                yield self._block
                self._block = None
            self._begun().tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2][:_LONGEST_VALUE])
            offset = tag.end()

    def _is_next(self, name: str) -> bool:
        """Whether a tag *name* begins another game."""
        block = self._block
        return block is not None and bool(block.words or name in block.tags or len(block.tags) >= MOST_TAGS)

    def _begun(self) -> Block:
        if self._block is None:
            self._block = Block(self._line)
            self._number = 0
            self._room = _LONGEST_COMMENTS
        return self._block

    def _read_comment(self, line: str, offset: int) -> int:
        assert self._comment is not None
        end = line.find("}", offset)
        self._add_comment(self._comment, line[offset : end if end >= 0 else len(line)])
        if end < 0:
            return len(line)
        self._end_comment(self._comment)
        self._comment = None
        return end + 1

    def _add_comment(self, comment: list[str], text: str) -> None:
        self._begun()
        if self._room > 0:
            comment.append(text[: self._room])
            self._room -= len(text) + 1

    def _end_comment(self, comment: list[str]) -> None:
        if comment:
            self._begun().comments.append(" ".join(comment).strip())

    def _read_word(self, line: str, offset: int) -> int:
        """Read what comes next at *offset*, and return the offset behind it."""
        found = _PIECE.search(line, offset)
        if found is None:
            return len(line)
        if found["tag"] and found.start() > offset:
            return found.start()
        sign = found["sign"]
        if sign == ";":
            comment: list[str] = []
            self._add_comment(comment, line[found.end() :])
            self._end_comment(comment)
            return len(line)
        if sign == "{":
            self._comment = []
        elif sign == "(":
            self._depth += 1
            self._begun().variations += self._depth == 1
        elif sign == ")":
            self._depth = max(0, self._depth - 1)
        elif found["word"] and not self._depth:
            self._add(found["word"])
        return found.end()

    def _add(self, text: str) -> None:
        text = text.rstrip(_ASSESSMENT)
        block = self._begun()
        if numbers := _NUMBERS.match(text):
            text, digits = text[numbers.end() :], numbers[1][:_LONGEST_NUMBER]
            self._number = int(digits) if len(digits) < _LONGEST_NUMBER else 0
            self._is_reply = self._number > 0 and _BEFORE_A_REPLY.search(numbers[0]) is not None
        if not text.strip(".…"):  # ``1. ...`` before a move of the second player
            self._is_reply = self._number > 0 and (self._is_reply or bool(text))
            return
        if len(block.words) < MOST_WORDS:
            block.words.append(Word(text[:_LONGEST_WORD], self._line, self._number, self._is_reply))
        self._number, self._is_reply = 0, False


def _has_result(block: Block) -> bool:
    return any(_RESULT.fullmatch(word.text) for word in reversed(block.words))


def written(tags: Mapping[str, str], moves: Iterable[str], result: str) -> str:
    """A game as PGN: tags, moves numbered in pairs in lines of at most ``COLUMNS`` characters, the result."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    numbered = [move if number % 2 else f"{number // 2 + 1}. {move}" for number, move in enumerate(moves)]
    return (
        "\n".join([*lines, "", *textwrap.wrap(" ".join([*numbered, result]), COLUMNS, break_on_hyphens=False)]) + "\n"
    )


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def usual_tags(match: Match) -> dict[str, str]:
    """The tags that every program expects, from those of *match*."""
    return {
        "Event": match.tags.get("Event", "?"),
        "Site": match.tags.get("Site", "?"),
        "Date": _date(match),
        "Round": match.tags.get("Round", "?"),
    }


def _date(match: Match) -> str:
    """The date as PGN writes it, with question marks for what is unknown."""
    told = written_date(match).split("-")
    return ".".join(part or unknown for part, unknown in zip_longest(filter(None, told), ("????", "??", "??")))
