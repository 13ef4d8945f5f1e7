"""SGF of gomoku and renju, GM[4]. Points are letters from the top left, as in Go, or a letter and a number, as h8."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import LIKELY, NO, SURE, FormatError, Transcript, sgf
from papan.game.formats.gomoku.board import (
    ANY_RULE,
    cell_at,
    check_size,
    place_of,
    replayed,
    size_of,
)
from papan.game.formats.source import Source
from papan.game.kernel.bits import cells_of
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules import PositionError
from papan.game.rules.gomoku import cell_named, start, stones, text, with_stones

NUMBER = 4
"""The game's number in SGF."""
_USUAL_SIZE = 15
_OWN_SIZES = ("15", "20")
"""Sizes that only gomoku and its kin have."""
_ENCODINGS = ("gb18030", "big5", "shift_jis", "cp1252")
_SQUARE = re.compile(r"\s*([a-tA-T])([1-9][0-9]?)\s*")
_GAME = re.compile(r"GM\s*\[\s*(\d+)\s*\]")
_SIZE = re.compile(r"SZ\s*\[\s*(\d+)\s*(?::\s*(\d+)\s*)?\]")
_RENJU_TAGS = ("5A",)
"""Own tags of files that only renju has, such as for the offered fifth moves."""


@dataclass(frozen=True)
class Sgf:
    name: str = "sgf"
    title: str = "SGF"
    suffixes: Sequence[str] = (".sgf",)

    def fits(self, source: Source) -> int:
        head = source.head.decode("latin-1")
        if not re.search(r"\(\s*;", head):
            return NO
        told = _GAME.search(head)
        if told:
            return SURE if told[1] == str(NUMBER) else NO
        size = _SIZE.search(head)
        return LIKELY if size and size[1] in _OWN_SIZES else NO  # without GM it is Go on any other board

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        for number, game in enumerate(sgf.games(source.lines(_ENCODINGS)), start=1):
            try:
                yield _read(game)
            except (FormatError, PositionError) as error:
                yield Refused(number, str(error), game.line)

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        for match in matches:
            yield _written(match).encode()


def _read(game: sgf.Game) -> Transcript:
    told = game.tag("GM")
    if told and told != str(NUMBER):
        raise FormatError.saying(
            "GM is {number}, another game's number; gomoku's is {own}.", number=quoted(told), own=NUMBER
        )
    size = _size_of(game)
    black, white = _set_up(game, size)
    moves = _moves(game, "BW" if black.bit_count() == white.bit_count() else "WB")
    cells = [_cell(one.value, size) for one in moves]
    position = _position(black, white, size) if black | white else None
    replay = replayed(cells, size, _rules(game), position)
    return replay.transcript(**game.told())


def _size_of(game: sgf.Game) -> int:
    text = game.tag("SZ")
    if not text:
        return _USUAL_SIZE
    columns, _colon, rows = (part.strip() for part in text.partition(":"))
    rows = rows or columns
    if not (columns.isdecimal() and rows.isdecimal() and len(text) < 9):
        raise FormatError.saying("SZ is {text}, no size of a board.", text=quoted(text))
    check_size(int(columns), int(rows))
    return int(columns)


def _rules(game: sgf.Game) -> Sequence[str]:
    """The rules to try, in order: the one that RU or a tag of renju names, then the others."""
    words = game.tag("RU").lower()
    root = game.nodes[0] if game.nodes else []
    first: Sequence[str] = ()
    if "caro" in words:
        first = ("caro", "caro-exact")
    elif "renju" in words or "连珠" in words or "連珠" in words:
        first = ("renju",)
    elif "standard" in words or "exact" in words:
        first = ("yes",)
    elif any(name in _RENJU_TAGS for name, _ in root):
        first = ("renju",)
    return [*first, *(rule for rule in ANY_RULE if rule not in first)]


def _moves(game: sgf.Game, colours: str) -> Iterator[sgf.Property]:
    """The stones in turn, of both *colours*; raises FormatError if one plays twice, or passes before the end."""
    moves = list(game.moves("B", "W"))
    while moves and not moves[-1].value.strip():
        moves.pop()  # a pass at the end
    for number, (one, colour) in enumerate(zip(moves, itertools.cycle(colours), strict=False), start=1):
        if one.name != colour:
            raise FormatError.saying(
                "Move {number}, {move}: the other colour is to play.",
                number=number,
                move=quoted(f"{one.name}[{one.value}]"),
            )
        if not one.value.strip():
            raise FormatError.saying("Move {number} is a pass: gomoku has none.", number=number)
        yield one


def _cell(value: str, size: int) -> int:
    """The cell of a point; raises FormatError."""
    square = _SQUARE.fullmatch(value)
    if square and max(ord(square[1].lower()) - ord("a") + 1, int(square[2])) <= size:
        return cell_named(value.strip().lower())
    place = sgf.point(value, size)
    if place is None:
        raise FormatError.saying(
            "{point} is no point on a board of {size} × {size}.", point=quoted(value.strip()), size=size
        )
    return cell_at(*place, size)


def _set_up(game: sgf.Game, size: int) -> tuple[int, int]:
    """The cells on which AB and AW set up stones, as numbers of bits."""
    found = []
    for name in ("AB", "AW"):
        cells = 0
        for _, value in game.moves(name):
            places = sgf.points(value, size)
            if places is None:
                raise FormatError.saying(
                    "{point} is no point on a board of {size} × {size}.", point=quoted(value.strip()), size=size
                )
            for place in places:
                cells |= 1 << cell_at(*place, size)
        found.append(cells)
    black, white = found
    if black & white:
        raise FormatError(say("AB and AW put stones of both colours on one point."))
    return black, white


def _position(black: int, white: int, size: int) -> str:
    """The position's text; raises PositionError if no order of play leads there."""
    return text(with_stones(start({"size": str(size)}, Random(0)), black, white))


def _written(match: Match) -> str:
    size = size_of(match)
    first = sgf.usual_properties(match, NUMBER, size)
    words = {"yes": "standard", "renju": "renju", "caro": "caro", "caro-exact": "caro, exactly five"}
    rule = match.options["exact"]
    if rule in words:
        first.append(("RU", words[rule]))
    for seat, name in enumerate(("AB", "AW")):
        first += [(name, _point(cell, size)) for cell in cells_of(stones(match.states[0], seat))]
    moves = [
        [("BW"[int(match.states[number].placed) % 2], _point(cell, size))] for number, cell in enumerate(match.steps)
    ]
    return sgf.written([first, *moves])


def _point(cell: int, size: int) -> str:
    return sgf.written_point(*place_of(cell, size))
