"""The outer form of SGF and its kin, GGF among them: games in brackets, nodes, properties with values.

Real files keep few of SGF's rules, so this reader has few: text around games is skipped; values may hold brackets that
are not escaped; small letters of names are skipped, as in FF[3]; the end of a game may be missing. The main line of a
game is read: the first variation everywhere. What properties mean is for the game's format to say, except for names,
date, place and result.

FF[4]: https://www.red-bean.com/sgf/sgf4.html
"""

from __future__ import annotations

import codecs
import itertools
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

from papan.game.formats import written_date
from papan.game.formats.source import Source
from papan.game.match import Kind, Match

MOST_PROPERTIES = 100_000
"""Of one game, a value each; what follows is left out."""
LONGEST_VALUE = 1 << 16
"""Characters; a longer value is cut there."""
_LONGEST_SOUGHT = 1 << 20
"""Characters without the end of a value, after which the game is broken off."""
_AHEAD = 1 << 12
"""Characters to look at beyond a bracket."""
_CHUNK = 1 << 16

_ROOT = r"(?:AN|AP|BR|BT|CA|CP|DT|EV|FF|GM|GN|KM|PB|PC|PW|RB|RE|RO|RU|RW|SO|ST|SZ|TI|TM|TY|US|WR|WT)\["
"""A property that only the first node of a game has."""
_BEGIN = re.compile(r"\(\s*(?=;|[A-Z]{1,2}\[)")
_NEXT = re.compile(r"\(\s*;\s*" + _ROOT)
_NAME = re.compile(r"([A-Za-z0-9]+)\s*(?=\[)")
_SIMPLE_PROPERTY = re.compile(r"([A-Z][A-Z0-9]?)\[([^\[\]\\]{0,256})\](?=\s*(?:[;()]|[A-Z0-9]+\[))")
"""With one value that needs no care: most moves."""
_SIMPLE_VALUE = re.compile(r"\[([^\[\]\\]{0,256})\](?=[;(\[]|[A-Z0-9]+\[)")
_IN_VALUE = re.compile(r"[\[\]\\]|\n(?:\d+ )?(?=\(\s?;\s?" + _ROOT + ")")
_AFTER_VALUE = re.compile(r"\s*(?:$|[;()\[]|[A-Z0-9][A-Za-z0-9]*\s*\[)")
_SURELY_AFTER_VALUE = re.compile(r"\s*(?:$|;\s*(?:[;()]|[A-Za-z0-9]+\s*\[)|\(\s*;|\)\s*(?:$|[();]|\d)|[A-Z0-9]+\[)")
_CHARSET = re.compile(rb"\bCA\[\s*([A-Za-z0-9._-]{1,40})\s*\]")
_CHARSETS = ("big5", "cp", "euc", "gb", "hz", "iso8859", "johab", "koi8", "latin", "mac", "shift_jis")
_USUAL_ENCODING = "cp1252"
_BLACK = ("b", "black", "黑", "先手")
_WHITE = ("w", "white", "白", "后手", "後手")
_DRAWS = ("draw", "jigo", "tie", "和", "平")
_LOSES = ("负", "負", "lose")
_KINDS: dict[str, Kind] = {"t": "time", "f": "forfeited"}


class Property(NamedTuple):
    name: str
    """In capital letters."""
    value: str
    """One of its values; a list of them is as many properties."""


@dataclass
class Game:
    """One game of a file."""

    line: int
    """Its first line, from 1."""
    nodes: list[list[Property]] = field(default_factory=list)
    """Of the main line; in the order of the file, as GGF has all moves in one node."""
    variations: int = 0
    cut: int = 0
    """The line in which it breaks off; 0 if its last bracket was there."""

    def tag(self, *names: str) -> str:
        """The first value of the first of *names* that the first node gives, in one line; "" for none and ``?``."""
        root = self.nodes[0] if self.nodes else []
        for name in names:
            for own, value in root:
                if own == name and value.strip("?-. \n"):
                    return " ".join(value.split())
        return ""

    def moves(self, *names: str) -> Iterator[Property]:
        """Yield the properties of all nodes that have one of *names*, such as B and W."""
        return (one for node in self.nodes for one in node if one.name in names)

    @property
    def left_out(self) -> int:
        """Comments and variations."""
        return self.variations + sum(name == "C" for node in self.nodes for name, _ in node)

    def told(self) -> dict[str, Any]:
        """What a ``Transcript`` tells besides position and steps: players, date, result and tags."""
        result = self.tag("RE")
        payoffs, ended_by = read_result(result)
        tags = {
            "Event": self.tag("EV", "CP", "GN"),
            "Site": self.tag("PC"),
            "Round": self.tag("RO"),
            "Annotator": self.tag("AN"),
            "BlackRating": self.tag("BR", "RB"),
            "WhiteRating": self.tag("WR", "RW"),
            "TimeControl": self.tag("TM", "TI"),
        }
        return {
            "players": (self.tag("PB"), self.tag("PW")),
            "payoffs": payoffs,
            "ended_by": ended_by,
            "date": self.tag("DT"),
            "tags": {name: value for name, value in tags.items() if value},
            "left_out": self.left_out,
            "cut": self.cut,
        }


def games(lines: Iterable[str]) -> Iterator[Game]:
    """Yield the games in *lines*, each of them without its variations."""
    return _Reader(lines).read()


def read_result(text: str) -> tuple[tuple[float, float] | None, Kind]:
    """The payoffs of Black and White in the words of RE, and how the game ended, if not by the rules.

    >>> read_result("B+R"), read_result("白胜"), read_result("W+T"), read_result("?")
    (((1.0, -1.0), 'resigned'), ((-1.0, 1.0), 'resigned'), ((-1.0, 1.0), 'time'), (None, 'resigned'))
    """
    winner, plus, how = text.strip().lower().partition("+")
    winner = winner.strip()
    kind = _KINDS.get(how.strip()[:1], "resigned")
    if not plus and (winner == "0" or winner.startswith(_DRAWS)):
        return (0.0, 0.0), "agreed"
    for (letter, *words), payoff in ((_BLACK, 1.0), (_WHITE, -1.0)):
        if winner == letter or winner.startswith(tuple(words)):
            payoff = -payoff if any(word in winner for word in _LOSES) else payoff
            return (payoff, -payoff), kind
    return None, kind


def encodings(source: Source) -> Sequence[str]:
    """The encodings to try besides UTF-8, and the one that CA names."""
    found = _CHARSET.search(source.head)
    with suppress(LookupError):
        name = codecs.lookup(found[1].decode()).name if found else ""
        source.named_encoding = name if name.startswith(_CHARSETS) else ""
    return (_USUAL_ENCODING,)


def point(value: str, size: int) -> tuple[int, int] | None:
    """Column and row from the top left, both from 0, of a point such as ``dd``; None if *size* has no such point.

    >>> point("aa", 15), point("od", 15), point("pa", 15)
    ((0, 0), (14, 3), None)
    """
    value = value.strip()
    if len(value) != 2 or not value.isascii() or not value.isalpha():
        return None
    column, row = (ord(letter) - (ord("a") if letter.islower() else ord("A") - 26) for letter in value)
    return (column, row) if max(column, row) < size else None


def points(value: str, size: int) -> list[tuple[int, int]] | None:
    """The points of a value such as ``dd``, or ``aa:cb`` for a rectangle; None if one is wrong.

    >>> points("aa:ba", 15)
    [(0, 0), (1, 0)]
    """
    first, colon, last = value.partition(":")
    one, other = point(first, size), point(last if colon else first, size)
    if one is None or other is None:
        return None
    columns, rows = (range(min(pair), max(pair) + 1) for pair in zip(one, other, strict=True))
    return [(column, row) for row in rows for column in columns]


def written_point(column: int, row: int) -> str:
    """The value of a point on a board of at most 26 columns and rows."""
    return chr(ord("a") + column) + chr(ord("a") + row)


def written(nodes: Iterable[Sequence[tuple[str, str]]]) -> str:
    """A game of *nodes*, each of them properties with a name and a value; the first node stands on its own line."""
    first, *others = map(_written_node, nodes)
    moves = textwrap.wrap("".join(f";{node} " for node in others), 80, break_long_words=False, break_on_hyphens=False)
    return "\n".join([f"(;{first}", *(line.replace(" ;", ";") for line in moves)]) + ")\n"


def _written_node(node: Sequence[tuple[str, str]]) -> str:
    lists = itertools.groupby(node, key=itemgetter(0))
    return "".join(name + "".join(f"[{escaped(value)}]" for _, value in values) for name, values in lists)


def escaped(value: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", value)


def usual_properties(match: Match, game: int, size: int, margin: int = 0) -> list[tuple[str, str]]:
    """The first properties of *match* in FF[4], of the number GM[*game*].

    :param margin: the points by which the match was won; 0 if nobody counts any.
    """
    result = ""
    ending = match.ending
    if ending is not None:
        how = str(margin or "")
        if match.conclusion is not None:
            how = {"resigned": "R", "time": "T", "forfeited": "F"}.get(match.conclusion.kind, "")
        first, second = ending.payoffs
        result = "0" if first == second else ("B+" if first > second else "W+") + how
    known = [name if name != "?" else "" for name in match.seats]
    properties = [
        ("FF", "4"),
        ("GM", str(game)),
        ("CA", "UTF-8"),
        ("AP", "Papan"),
        ("SZ", str(size)),
        ("PB", known[0]),
        ("PW", known[1]),
        ("DT", written_date(match)),
        ("RE", result),
        *((own, match.tags.get(tag, "")) for own, tag in _TAGS),
    ]
    return [(name, value) for name, value in properties if value]


_TAGS = (
    ("EV", "Event"),
    ("PC", "Site"),
    ("RO", "Round"),
    ("AN", "Annotator"),
    ("BR", "BlackRating"),
    ("WR", "WhiteRating"),
    ("TM", "TimeControl"),
)


class _Reader:
    """Reads from a window of the text that moves on, so that a file of any size takes little memory."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._text = ""
        self._at = 0
        self._dropped = 0  # line ends before the window
        self._counted = 0  # up to where in the window they are counted
        self._is_whole = False  # the window reaches to the end of the text

    def read(self) -> Iterator[Game]:
        while self._fill():
            begin = _BEGIN.search(self._text, self._at)
            if begin is None:
                # What begins a game may begin at the very end of the window.
                self._at = len(self._text) if self._is_whole else max(self._at + 1, len(self._text) - _AHEAD // 2)
                continue
            self._at = begin.start()
            game = Game(self._line())
            self._at = begin.end()
            self._read_game(game)
            yield game

    def _fill(self, ahead: int = _AHEAD) -> bool:
        """Read on until *ahead* characters follow; False at the end of the text."""
        if len(self._text) - self._at < ahead and not self._is_whole:
            self._line()
            self._counted = 0
            more = [self._text[self._at :]]
            self._at = 0
            length = len(more[0])
            wanted = max(_CHUNK, ahead)
            while length < wanted:
                line = next(self._lines, None)
                if line is None:
                    self._is_whole = True
                    break
                more.append(line + "\n")
                length += len(line) + 1
            self._text = "".join(more)
        return self._at < len(self._text)

    def _line(self) -> int:
        """The number of the line that is being read."""
        self._dropped += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._dropped + 1

    def _read_game(self, game: Game) -> None:
        depth, number, is_main, node = 1, 0, True, list[Property]()
        while self._fill():
            sign = self._text[self._at]
            if sign == "(":
                if _NEXT.match(self._text, self._at) and (number or depth > 1):
                    break
                depth += 1
                game.variations += not is_main
            elif sign == ")":
                is_main = False
                depth -= 1
                if not depth:
                    self._at += 1
                    return
            elif sign == ";":
                node = []
                if is_main and number < MOST_PROPERTIES:
                    game.nodes.append(node)
                    number += 1
            elif simple := _SIMPLE_PROPERTY.match(self._text, self._at):
                if not game.nodes:
                    game.nodes.append(node)
                self._at = simple.end()
                if is_main and number < MOST_PROPERTIES:
                    node.append(Property(*simple.groups()))
                number += 1
                continue
            elif name := _NAME.match(self._text, self._at):
                if not game.nodes:
                    game.nodes.append(node)
                self._at = name.end()
                kept = is_main and number < MOST_PROPERTIES
                found = self._read_values(name[1], node if kept else [])
                if found < 0:
                    break
                number += found
                continue
            self._at += 1
        self._at = min(self._at, len(self._text))
        game.cut = self._line() - (self._text[: self._at].endswith("\n"))

    def _read_values(self, name: str, node: list[Property]) -> int:
        """Add a property to *node* for each value that follows; return their number, -1 if the last has no end."""
        name = re.sub("[a-z]", "", name) or name.upper()
        before = len(node)
        while True:
            simple = _SIMPLE_VALUE.match(self._text, self._at)
            if simple:
                value: str | None = simple[1]
                self._at = simple.end()
            else:
                value = self._read_value()
                if value is None:
                    return -1
            if len(node) < MOST_PROPERTIES:
                node.append(Property(name, value or ""))
            self._fill()
            while self._text[self._at : self._at + 1].isspace():
                self._at += 1
                self._fill()
            if self._text[self._at : self._at + 1] != "[":
                return len(node) - before

    def _read_value(self) -> str | None:
        """The value whose opening bracket comes next; None if it has no end."""
        pieces: list[str] = []
        length = opened = 0
        while length <= _LONGEST_SOUGHT:
            # The window is read up to and with the character at self._at.
            found = _IN_VALUE.search(self._text, self._at + 1)
            end = found.start() if found else len(self._text)
            sign = found[0] if found else ""
            piece = self._text[self._at + 1 : end]
            self._at = end if sign else end - 1
            if sign.startswith("\n"):
                return None
            if not sign and not self._more():
                break
            self._fill()
            if sign == "]":
                after = _SURELY_AFTER_VALUE if opened else _AFTER_VALUE
                if after.match(self._text, self._at + 1):
                    self._at += 1
                    return "".join([*pieces, piece])[:LONGEST_VALUE]
            if sign == "\\" and self._at + 1 < len(self._text):
                self._at += 1
                sign = self._text[self._at].replace("\n", "")
            elif sign:
                opened = max(0, opened + (1 if sign == "[" else -1))
            length += len(piece) + 1
            if length <= LONGEST_VALUE:
                pieces += piece, sign
        self._at += 1
        return None

    def _more(self) -> bool:
        """Read on, from the last character of the window; False at the end of the text."""
        before = len(self._text) - self._at
        self._fill(before + _CHUNK)
        return len(self._text) - self._at > before
