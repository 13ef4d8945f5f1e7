"""RIF, the database of RenjuNet: XML with tables of players, tournaments, cities, rules and openings, then the games.

A game names the rows of the tables by number, and has its moves as ``h8 h9 i7``, its result for black as ``1``,
``0.5`` or ``0``. Most games are renju; those whose rule or tournament says gomoku are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import NO, PERHAPS, SURE, FormatError, Transcript
from papan.game.formats.gomoku.board import ANY_RULE, replayed
from papan.game.formats.source import Source
from papan.game.formats.xml import XmlReader
from papan.game.match.collection import Refused
from papan.game.rules import PositionError
from papan.game.rules.gomoku import cell_named

ROOT = "database"
SIZE = 15
MOST_ROWS = 500_000
"""Of all tables together; further ones are left out."""
MOST_MOVES_TEXT = 10_000
"""Characters of the moves of a game."""
MOST_TEXT = 1000
"""Characters of a name."""
_MARKS = (b"<database", b"<game ")
_TABLES = ("country", "city", "rule", "opening", "player", "tournament")
_COLUMNS = ("name", "surname", "abbr", "country", "city", "start", "year", "month")
"""What is kept of a row."""
_RESULTS = {"1": (1.0, -1.0), "0": (-1.0, 1.0), "0.5": (0.0, 0.0)}
_RENJU, _GOMOKU = ("renju", "yes", "no"), ("yes", "no")
"""The values of the option ``exact`` to try, in this order."""


@dataclass(frozen=True)
class Rif:
    """The database of RenjuNet."""

    name: str = "rif"
    title: str = "RIF"
    suffixes: Sequence[str] = (".rif",)

    def fits(self, source: Source) -> int:
        if _MARKS[0] not in source.head:
            return PERHAPS if source.suffix in self.suffixes else NO
        return SURE if source.suffix in self.suffixes or b"renju" in source.head.lower() else PERHAPS

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        reader = _Reader()
        for line in source.lines(("cp1252",)):
            reader.feed(line + "\n")
            yield from reader.taken()
        reader.feed("", is_last=True)
        yield from reader.taken()


@dataclass
class _Told:
    """A game as it is written."""

    number: int
    facts: Mapping[str, str]
    moves: str = ""
    has_comment: bool = False


class _Reader(XmlReader):
    """Collects tables, and games until they are taken."""

    ROOT = ROOT

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[tuple[str, str], dict[str, str]] = {}
        self._games: list[_Told] = []
        self._game: _Told | None = None
        self._number = 0

    def begun(self, attributes: Mapping[str, str]) -> None:
        element, depth = self.path[-1], len(self.path)
        if element == "game" and depth == 3:
            self._number += 1
            self._game = _Told(self._number, {name: _plain(value) for name, value in list(attributes.items())[:50]})
        elif element in _TABLES and depth == 3 and len(self._rows) < MOST_ROWS:
            kept = {name: _plain(attributes[name]) for name in _COLUMNS if attributes.get(name)}
            self._rows[element, _plain(attributes.get("id", ""))] = kept

    def said(self, text: str) -> None:
        if self._game is None:
            return
        if self.path[3:] == ["move"]:
            if len(self._game.moves) < MOST_MOVES_TEXT:
                self._game.moves += text[:MOST_MOVES_TEXT]
        elif text.strip():
            self._game.has_comment = True

    def ended(self) -> None:
        if self._game is not None and len(self.path) == 3:
            self._games.append(self._game)
            self._game = None

    def taken(self) -> Iterator[Transcript | Refused]:
        """Yield the games that were read since the last time."""
        games, self._games = self._games, []
        for game in games:
            yield self._read(game)

    def _read(self, told: _Told) -> Transcript | Refused:
        black, white = (self._player(told.facts.get(colour, "")) for colour in ("black", "white"))
        tournament = self._row("tournament", told)
        rule = self._row("rule", told).get("name", "")
        tags = {
            "Event": tournament.get("name", ""),
            "Site": self._site(tournament),
            "Round": told.facts.get("round", ""),
            "Rule": rule,
            "Opening": self._row("opening", told).get("name", ""),
        }
        is_gomoku = "gomoku" in f"{rule} {tags['Event']}".lower()
        try:
            cells = [_cell(number, move) for number, move in enumerate(told.moves.split(), start=1)]
            replay = replayed(cells, SIZE, [*dict.fromkeys((*(_GOMOKU if is_gomoku else _RENJU), *ANY_RULE))])
        except (FormatError, PositionError) as error:
            reason = say(
                "{black} against {white}: {reason}", black=quoted(black), white=quoted(white), reason=str(error)
            )
            return Refused(told.number, reason)
        return replay.transcript(
            players=(black, white),
            payoffs=_RESULTS.get(told.facts.get("bresult", "")),
            date=_date(tournament),
            tags={name: value for name, value in tags.items() if value},
            left_out=int(told.has_comment),
        )

    def _row(self, table: str, told: _Told) -> Mapping[str, str]:
        return self._rows.get((table, told.facts.get(table, "")), {})

    def _player(self, number: str) -> str:
        row = self._rows.get(("player", number), {})
        return " ".join(part for part in (row.get("name"), row.get("surname")) if part)

    def _site(self, tournament: Mapping[str, str]) -> str:
        rows = [self._rows.get((table, tournament.get(table, "")), {}) for table in ("city", "country")]
        return ", ".join(row["name"] for row in rows if row.get("name"))


def _plain(text: str) -> str:
    shown = "".join(sign if sign.isprintable() else " " for sign in text[:MOST_TEXT])
    return " ".join(shown.split())


def _cell(number: int, move: str) -> int:
    column, row = move[:1].lower(), move[1:]
    if not ("a" <= column <= "o" and row.isascii() and row.isdecimal() and len(row) < 3 and 1 <= int(row) <= SIZE):
        raise FormatError.saying("Move {number}, {move}, is no cell.", number=number, move=quoted(move))
    return cell_named(column + str(int(row)))


def _date(tournament: Mapping[str, str]) -> str:
    """When *tournament* began; unknown parts are zeros there."""
    start = tournament.get("start", "")
    if start.startswith("0000") or not start:
        return f"{tournament.get('year', '')}-{tournament.get('month', '')}"
    return start
