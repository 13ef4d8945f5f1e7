"""WTHOR, the base of the French Othello Federation: 68 bytes a game, names by number in files beside it.

A year's games stand in ``WTH_2019.wtb``, players in ``WTHOR.JOU``, tournaments in ``WTHOR.TRN``, in the same folder and
in any case of letters. Numbers fit only the names of the same age. Passes are not written, a game that was cut short is
filled with zeros, and empty cells count for the winner.

https://www.ffothello.org/informatique/la-base-wthor/
"""

from __future__ import annotations

import datetime
import os
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from papan.game.base.sentences import say
from papan.game.base.untrusted import UnreadableError, quoted, read_file
from papan.game.formats import LIKELY, NO, SURE, UNKNOWN_PLAYER, FormatError, Transcript
from papan.game.formats.othello.played import START, Told, scored, transcripts
from papan.game.formats.source import Source
from papan.game.kernel.bits import popcount
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules.othello import BLACK, CELLS, PASS, SIZE, WHITE, State, discs, name_of, text

_HEADER = struct.Struct("<4B I H H 4B")
_GAME = struct.Struct("<3H 2B 60s")
_PLAYER_BYTES, _TOURNAMENT_BYTES = 20, 26
_MOST_NAMES = 1 << 16
_NAMES_SUFFIXES = (".jou", ".trn")
_MOST_BYTES = 1 << 21
"""Of a file of names."""
_READ = 1 << 10
"""Games read at once."""
_NO_TOURNAMENT, _NO_PLAYER = "Diverses parties", "???"
"""The names with the number 0."""
_ENCODING = "cp1252"
_WRONG = 0xFF
_CELLS = bytes(
    (code // 10 - 1) * SIZE + code % 10 - 1 if 1 <= code // 10 <= SIZE and 1 <= code % 10 <= SIZE else _WRONG
    for code in range(256)
)
"""The cell of each code: rows are tens, columns are units, both from 1."""


class Header(NamedTuple):
    games: int
    names: int
    year: int
    size: int
    kind: int

    @classmethod
    def read(cls, head: bytes) -> Header:
        *_, games, names, year, size, kind, _depth, _ = _HEADER.unpack_from(head)
        return cls(games, names, year, size or SIZE, kind)


@dataclass(frozen=True)
class Wthor:
    name: str = "wthor"
    title: str = "WTHOR"
    suffixes: Sequence[str] = (".wtb", *_NAMES_SUFFIXES)

    def fits(self, source: Source) -> int:
        if source.suffix in self.suffixes:
            return SURE
        if source.size <= _HEADER.size or len(source.head) <= _HEADER.size:
            return NO
        header = Header.read(source.head)
        fits = source.size == _HEADER.size + header.games * _GAME.size and 1900 < header.year < 2200
        return LIKELY if fits else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        if source.suffix in _NAMES_SUFFIXES:
            raise FormatError.saying(
                "{name} holds names of WTHOR; the games are in the .wtb files of the same folder.",
                name=quoted(source.name),
            )
        if source.size < _HEADER.size:
            raise FormatError.saying("{name} ends within the header of WTHOR.", name=quoted(source.name))
        header = Header.read(source.head)
        _check(header, source.name)
        return transcripts(_games(source, header))

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        """The games alone; their names are numbers, for which ``files`` gives the rest."""
        _, games = next(iter(self.files(matches)))
        yield games

    def files(self, matches: Iterable[Match]) -> Iterator[tuple[str, bytes]]:
        """Yield the suffix and the content of each of the three files: games, players, tournaments.

        :raises FormatError: a match has another start, or there are too many names.
        """
        players, tournaments = _Names(_NO_PLAYER), _Names(_NO_TOURNAMENT)
        years = Counter[int]()
        games = [_written(match, players, tournaments, years) for match in matches]
        year = years.most_common(1)[0][0] if years else 0
        yield ".wtb", _header(games=len(games), year=year) + b"".join(games)
        yield ".jou", _header(names=len(players.numbers)) + players.written(_PLAYER_BYTES)
        yield ".trn", _header(names=len(tournaments.numbers)) + tournaments.written(_TOURNAMENT_BYTES)


def _check(header: Header, name: str) -> None:
    """:raises FormatError: these are not games of Othello on 8×8 cells."""
    if header.size != SIZE:
        raise FormatError.saying(
            "{name} holds games on a board of {size} × {size} cells; Othello here has 8 × 8.",
            name=quoted(name),
            size=header.size,
        )
    if header.kind == 1:
        raise FormatError.saying(
            "{name} holds solitaires of WTHOR, problems to play alone, and not games.", name=quoted(name)
        )


def _games(source: Source, header: Header) -> Iterator[Told | Refused]:
    players = _names_beside(source, ".jou", _PLAYER_BYTES)
    tournaments = _names_beside(source, ".trn", _TOURNAMENT_BYTES)
    there = (source.size - _HEADER.size) // _GAME.size
    told = header.games or there
    date = str(header.year) if header.year else ""
    number = 0
    with source.open() as file:
        file.seek(_HEADER.size)
        while number < told and (data := file.read(min(_READ, told - number) * _GAME.size)):
            for offset in range(0, len(data) - _GAME.size + 1, _GAME.size):
                number += 1
                tournament, black, white, score, best, moves = _GAME.unpack_from(data, offset)
                cells = moves.rstrip(b"\0").translate(_CELLS)
                wrong = cells.find(_WRONG)
                if wrong >= 0:
                    yield _wrong_code(number, wrong + 1, moves[wrong])
                    continue
                tags = {"Event": _name(tournaments, tournament)} if tournament else {}
                if score <= CELLS:
                    tags["Score"] = f"{score}-{CELLS - score}"
                if best <= CELLS:
                    tags["TheoreticalScore"] = f"{best}-{CELLS - best}"
                yield Told(
                    number,
                    None,
                    cells,
                    told={
                        "players": (_name(players, black), _name(players, white)),
                        "payoffs": scored(score, CELLS - score) if score <= CELLS else None,
                        "date": date,
                        "tags": tags,
                    },
                )
            source.position = file.tell()
    if number < told:
        yield Refused(
            number + 1,
            say("The file tells of {told} games, but ends after {there}.", told=told, there=number),
        )


def _wrong_code(number: int, move: int, code: int) -> Refused:
    return Refused(number, say("Move {number}, {code}, is no cell: 11 is a1 and 88 is h8.", number=move, code=code))


def _name(names: Sequence[str], number: int) -> str:
    """The name with that *number*; the number itself where the file with the names is missing or older."""
    if number < len(names):
        return names[number]
    return f"#{number}" if number else ""


def _names_beside(source: Source, suffix: str, size: int) -> Sequence[str]:
    """The names in the file with *suffix* beside *source*, by number; the file's own name goes before WTHOR's."""
    if source.path is None:
        return ()
    own = source.path.stem.lower()
    try:
        with os.scandir(source.path.parent) as entries:
            found = [entry.name for entry in entries if Path(entry.name).suffix.lower() == suffix]
    except OSError:
        return ()
    found.sort(key=lambda name: (Path(name).stem.lower() != own, not Path(name).stem.lower().startswith("wth"), name))
    if not found:
        return ()
    try:
        content = read_file(source.path.parent / found[0], _MOST_BYTES)
    except UnreadableError:
        return ()
    if len(content) < _HEADER.size:
        return ()
    header = Header.read(content)
    records = content[_HEADER.size :]
    number = min(header.names or header.games or _MOST_NAMES, len(records) // size)
    texts = (records[place * size : (place + 1) * size].partition(b"\0")[0] for place in range(number))
    names = [" ".join(one.decode(_ENCODING, errors="replace").split()) for one in texts]
    return [name if name.strip("?") else "" for name in names]


# ------------------------------------------------------------------------------------------- writing


class _Names:
    """Names that are being numbered."""

    def __init__(self, first: str) -> None:
        self.numbers = {first: 0}

    def number(self, name: str) -> int:
        """:raises FormatError: there are too many names."""
        if not name or name == UNKNOWN_PLAYER:
            return 0
        if name not in self.numbers and len(self.numbers) == _MOST_NAMES:
            raise FormatError.saying("WTHOR has room for {most} names only.", most=_MOST_NAMES - 1)
        return self.numbers.setdefault(name, len(self.numbers))

    def written(self, size: int) -> bytes:
        encoded = (name.encode(_ENCODING, errors="replace")[: size - 1] for name in self.numbers)
        return b"".join(name.ljust(size, b"\0") for name in encoded)


def _header(games: int = 0, names: int = 0, year: int = 0) -> bytes:
    today = datetime.date.today()
    return _HEADER.pack(
        today.year // 100, today.year % 100, today.month, today.day, games, min(names, 0xFFFF), year, 0, 0, 0, 0
    )


def _written(match: Match, players: _Names, tournaments: _Names, years: Counter[int]) -> bytes:
    first = match.states[0]
    if first != START:
        raise FormatError.saying(
            "WTHOR has games from the usual start only; this one starts from {position}.", position=quoted(text(first))
        )
    if match.date.year > 1:
        years[match.date.year] += 1
    score = _black_score(match)
    best, _, _ = match.tags.get("TheoreticalScore", "").partition("-")
    cells = (name_of(step) for step in match.steps if step != PASS)
    return _GAME.pack(
        tournaments.number(match.tags.get("Event", "")),
        players.number(match.seats[BLACK]),
        players.number(match.seats[WHITE]),
        score,
        int(best) if best in map(str, range(CELLS + 1)) else score,
        bytes(10 * int(name[1]) + "abcdefgh".index(name[0]) + 1 for name in cells),
    )


def _black_score(match: Match) -> int:
    """Black's discs at the end, with the empty cells for the winner; as the tag tells of a game that was cut short."""
    told = match.tags.get("Score", "").partition("-")[0]
    if (match.ending is None or match.conclusion is not None) and told in map(str, range(CELLS + 1)):
        return int(told)
    state: State = match.state
    black, white = (popcount(discs(state, seat)) for seat in (BLACK, WHITE))
    payoffs = match.ending.payoffs if match.ending else scored(black, white)
    if payoffs[BLACK] == payoffs[WHITE]:
        return CELLS // 2
    return max(CELLS - white, CELLS // 2 + 1) if payoffs[BLACK] > payoffs[WHITE] else min(black, CELLS // 2 - 1)
