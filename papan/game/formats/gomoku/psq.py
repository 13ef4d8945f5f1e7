"""Files of Piskvork, the program that runs Gomocup: .psq, and .rec as Gomotur wrote them before.

A .psq file begins with ``Piskvorky 20x20, 7:7, 0``: the size, the levels of both players, and which of them began. A
line ``x,y,t`` is a stone on column x and row y from the top left, both from 1, after t milliseconds. At the end stand
the names of both players, if they were programs in a tournament, and a number for how the game ended, -1 for unknown.
A .rec file begins with the names, the first player's first, has no size, and counts columns and rows from 0. None tells
the rule. Source: Piskvork's game.cpp, ``openPsq`` and ``savePsq``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import LIKELY, NO, PERHAPS, SURE, UNKNOWN_PLAYER, FormatError, Transcript
from papan.game.formats.gomoku.board import (
    cell_at,
    cells_played,
    check_size,
    place_of,
    replayed,
    size_of,
    smallest_size,
)
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused

_HEADER = re.compile(
    r"\s*Piskvorky\s+(\d{1,4})\s*x\s*(\d{1,4})(?:\s*,\s*-?\d+\s*:\s*-?\d+\s*(?:,\s*(\d))?)?", re.IGNORECASE
)
_STONE = re.compile(r"\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*(?:,\s*-?\d{1,12}\s*)?")
_LIKE_STONE = re.compile(r"\s*-?\d[^,]*,.*")
_NUMBER = re.compile(r"\s*-?\d+\s*")
_MOST_STONES = 1000
_LONGEST_NAME = 200


class _Stone(NamedTuple):
    column: int
    row: int
    line: int
    has_time: bool


@dataclass
class _Game:
    """A game as it is read."""

    line: int
    header: re.Match[str] | None = None
    stones: list[_Stone] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    other: tuple[str, int] | None = None
    """The first line that is no stone, and its number."""
    cut: int = 0
    """The line in which it breaks off; 0 if it doesn't."""
    no_stone: tuple[str, int] | None = None
    """Such a line where a stone must be: it looks like one, or a stone follows."""

    def add(self, line: str, number: int) -> None:
        found = _STONE.fullmatch(line)
        if found:
            self.no_stone = self.no_stone or self.other
            if len(self.stones) < _MOST_STONES:
                self.stones.append(_Stone(int(found[1]), int(found[2]), number, line.count(",") > 1))
        elif line.strip():
            if self.header or self.stones:  # in a file without a header, names come first
                other = line.strip()[:_LONGEST_NAME], number
                self.other = self.other or other
                if _LIKE_STONE.fullmatch(line):
                    self.no_stone = self.no_stone or other
            if not _NUMBER.fullmatch(line) and len(self.names) < 2:
                self.names.append(line.strip()[:_LONGEST_NAME])

    def break_off(self, last_line: int) -> None:
        """Forget a stone that is cut off in the last line of the text, where the game's end is missing."""
        if self.other is not None and self.other != self.no_stone:
            return
        if self.no_stone is not None:
            self.cut = last_line if self.no_stone[1] == last_line else 0
            self.no_stone = None if self.cut else self.no_stone
        elif self.stones:
            self.cut = last_line
            if self.stones[0].has_time and not self.stones[-1].has_time:
                self.stones.pop()

    def damage(self, number: int) -> Refused | None:
        """The refusal as game *number* for a damaged stone, without which the later ones would change colours."""
        if self.no_stone is None:
            return None
        text, line = self.no_stone
        return Refused(number, say("{text} is no stone.", text=quoted(text)), line)


@dataclass(frozen=True)
class Psq:
    """Files of Piskvork; several games may follow each other in one."""

    name: str = "psq"
    title: str = "Piskvork"
    suffixes: Sequence[str] = (".psq",)

    def fits(self, source: Source) -> int:
        first = source.head.removeprefix(b"\xef\xbb\xbf").lstrip()[:60].decode("latin-1")
        if _HEADER.match(first):
            return SURE
        return LIKELY if source.suffix in self.suffixes else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        game: _Game | None = None
        number = line_number = 0
        for line_number, line in enumerate(source.lines(("cp1250",)), start=1):
            header = _HEADER.match(line)
            if header:
                if game is not None:
                    number += 1
                    yield _read(game, number)
                game = _Game(line_number, header)
            elif game is not None:
                game.add(line, line_number)
        if game is None:
            raise FormatError.saying(
                "{name} is no file of Piskvork: its first line must be like {example}.",
                name=quoted(source.name),
                example="Piskvorky 15x15, 0:0, 0",
            )
        game.break_off(line_number)
        yield _read(game, number + 1)

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        for match in matches:
            size = size_of(match)
            lines = [f"Piskvorky {size}x{size}, 0:0, 0"]
            places = [place_of(cell, size) for cell in cells_played(match)]
            lines += [f"{column + 1},{row + 1},0" for column, row in places]
            if set(match.seats) != {UNKNOWN_PLAYER}:
                lines += map(_written_name, match.seats)
            yield "".join(f"{line}\r\n" for line in [*lines, "-1"]).encode()


def _written_name(name: str) -> str:
    """*name*, unless a reader would take it for something else."""
    is_taken = _STONE.fullmatch(name) or _LIKE_STONE.fullmatch(name) or _NUMBER.fullmatch(name) or _HEADER.match(name)
    return UNKNOWN_PLAYER if is_taken else name


def _read(game: _Game, number: int) -> Transcript | Refused:
    """The game *number* of a file; without a header, its size is the smallest, and columns and rows begin at 0."""
    if damage := game.damage(number):
        return damage
    first = 1 if game.header else 0
    try:
        if game.header:
            size = int(game.header[1])
            check_size(size, int(game.header[2]))
        else:
            size = smallest_size(max([max(stone.column, stone.row) + 1 for stone in game.stones], default=1))
        cells = [cell_at(stone.column - first, stone.row - first, size) for stone in game.stones]
        if -1 in cells:
            stone = game.stones[cells.index(-1)]
            reason = say(
                "{text} is no cell: columns and rows go from {first} to {last}.",
                text=quoted(f"{stone.column},{stone.row}"),
                first=first,
                last=first + size - 1,
            )
            return Refused(number, reason, stone.line)
        replay = replayed(cells, size)
    except FormatError as error:
        return Refused(number, str(error), game.line)
    names = game.names if len(game.names) == 2 else []
    is_second_first = game.header is not None and game.header[3] == "1"
    return replay.transcript(players=tuple(names[::-1] if is_second_first else names), cut=game.cut)


@dataclass(frozen=True)
class Gomotur:
    """A file of Gomotur, a game each."""

    name: str = "rec"
    title: str = "Gomotur"
    suffixes: Sequence[str] = (".rec",)

    def fits(self, source: Source) -> int:
        lines = [line for line in source.head.decode("latin-1").splitlines()[:20] if line.strip()]
        has_names = len(lines) > 2 and not any(map(_STONE.fullmatch, lines[:2]))
        if not has_names or not _STONE.fullmatch(lines[2]):
            return NO
        return LIKELY if source.suffix in self.suffixes else PERHAPS

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        game = _Game(1)
        for line_number, line in enumerate(source.lines(("cp1250",)), start=1):
            game.add(line, line_number)
        yield _read(game, 1)
