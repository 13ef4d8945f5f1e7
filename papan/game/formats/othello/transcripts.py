"""Transcripts: a game as its cells one after the other, ``f5d6c3…``, a game on each line; also in a column of a table.

Letters may be capital, moves may be numbered and separated, passes may be told (``PA``, ``pass``, ``--``) or not; lists
of openings such as XOT's are beginnings of games. Lines without moves are skipped, and so is what follows the moves,
except for a result such as ``41-23``.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import LIKELY, NO, PERHAPS, SURE, FormatError, Transcript
from papan.game.formats.othello.played import MOST_MOVES, Told, likely_start, scored, transcripts
from papan.game.formats.pgn import missing_before
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules.othello import CELL_OF, CELLS, PASS, State, name_of, text

_MOVES = re.compile(r"(?:[a-h][1-8])+")
_BEGIN = re.compile(r"\s*(?:\d{1,3}(?:\s*[.:)…]+| )\s*)?[a-h][1-8]", re.IGNORECASE)
_MOVE = re.compile(
    r"\s*(?:[,;|]\s*|[-–](?:\s+|(?=[a-h][1-8])))?(?:(?P<number>\d{1,3})(?P<dots>\s*[.:)…]+| )\s*)?"
    r"(?:(?P<cell>[a-h][1-8])|(?P<pass>pass|pa|ps|--|@@)(?![a-z]))[!?]*",
    re.IGNORECASE,
)
_CUT_CELL = re.compile(r"[a-h]", re.IGNORECASE)
_HEAD_LINES = 50
_SCORE = re.compile(r"(?<![\d.])(\d{1,2})\s*[-:]\s*(\d{1,2})(?![\d.])")
_WITHIN_A_LINE = re.compile(r"(?<![a-z0-9])(?:[a-h][1-8] ?){4,}(?![0-9i-z])", re.IGNORECASE)
_FIRST = re.compile(r"\s*(?:\d{1,3}(?:\s*[.:)…]+| )\s*)?(?:d3|c4|f5|e6|d6|c5|f4|e3)[^0-9]", re.IGNORECASE)


@dataclass
class _Line:
    """A game that may go on in the next line."""

    number: int
    line: int
    cells: bytearray = field(default_factory=bytearray)
    rest: str = ""
    first: tuple[int, bool] = (0, False)
    """The number before the first move, 0 for none, and whether it is a reply's: ``1...``"""
    are_numbered: bool = False
    """Whether moves after the first have numbers."""
    is_last: bool = False
    """Whether the text ends with it."""

    def read(self, told: str) -> int:
        """Read moves from *told*, and return the number of its last move if moves are numbered, else 0."""
        simple = told.strip().lower()
        if _MOVES.fullmatch(simple):
            self.cells += bytes(CELL_OF[simple[place : place + 2]] for place in range(0, len(simple), 2))
            return 0
        offset = numbered = 0
        while found := _MOVE.match(told, offset):
            if found["number"]:
                numbered = int(found["number"])
                self.are_numbered = bool(self.cells)
                if not self.cells:
                    self.first = numbered, ".." in found["dots"] or "…" in found["dots"]
            self.cells.append(CELL_OF.get((found["cell"] or "").lower(), PASS))
            offset = found.end()
        self.rest = told[offset:]
        return numbered


@dataclass(frozen=True)
class Transcripts:
    name: str = "transcripts"
    title: str = say("transcripts of Othello")
    suffixes: Sequence[str] = (".txt",)

    def fits(self, source: Source) -> int:
        lines = _head(source)
        able = sum(_FIRST.match(line + " ") is not None for line in lines)
        if not able or lines[0].lstrip()[:1] in "([{<":
            return NO
        return LIKELY if able == len(lines) and all(map(_BEGIN.match, lines)) else PERHAPS

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        return transcripts(_told(one) for one in _games(source.lines(("cp1252",))))

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        for match in matches:
            yield written(match).encode() + b"\n"


def _head(source: Source) -> list[str]:
    """The first whole lines of *source* that are not empty."""
    text = source.head.decode(source.encoding(("cp1252",)), errors="ignore")
    whole = text if source.size <= len(source.head) else text.rpartition("\n")[0] or text
    return [line for line in whole.splitlines()[:_HEAD_LINES] if line.strip()]


def _games(lines: Iterable[str]) -> Iterator[_Line]:
    """Yield the games in *lines*; numbered moves may go on in the next line."""
    game: _Line | None = None
    number = last = 0
    for line_number, line in enumerate(lines, start=1):
        told = _MOVE.match(line)
        if told is None:
            continue
        goes_on = game is not None and last and told["number"] and int(told["number"]) == last + 1
        if game is not None and goes_on:
            # Else games are numbered, and not moves.
            is_free = not told["cell"] or CELL_OF[told["cell"].lower()] not in game.cells
            goes_on = is_free and len(game.cells) < MOST_MOVES and not game.rest.strip()
        if game is None or not goes_on:
            if not told["cell"]:
                continue
            if game is not None:
                yield game
            number += 1
            game = _Line(number, line_number)
        last = game.read(line)
    if game is not None:
        game.is_last = True
        yield game


def _told(game: _Line) -> Told | Refused:
    cells, rest = bytes(game.cells), game.rest
    if reason := missing_before(*game.first, game.are_numbered):
        return Refused(game.number, reason, game.line)
    if game.is_last and _CUT_CELL.fullmatch(rest):
        return Told(game.number, game.line, cells, likely_start(cells), told={"cut": game.line})
    if rest and rest[:1].isalnum():
        reason = say(
            "After move {number} comes {rest}, which is neither a cell from a1 to h8 nor a pass.",
            number=len(cells),
            rest=quoted(rest.split()[0]),
        )
        return Refused(game.number, reason, game.line)
    return Told(game.number, game.line, cells, likely_start(cells), told=_told_by_score(rest))


def _told_by_score(text: str) -> dict[str, Any]:
    """What a score such as ``41-23`` in *text* tells of a game."""
    found = _SCORE.search(text)
    if found is None or not 0 < int(found[1]) + int(found[2]) <= CELLS:
        return {}
    black, white = int(found[1]), int(found[2])
    return {"payoffs": scored(black, white), "tags": {"Score": f"{black}-{white}"}}


def written(match: Match) -> str:
    """The transcript of *match*, without its passes; a last one is told, as nothing that follows shows it.

    :raises FormatError: the match doesn't begin at a usual start.
    """
    first: State = match.states[0]
    cells = bytes(step for step in match.steps if step != PASS)
    if first != likely_start(cells):
        raise FormatError.saying(
            "A transcript can't tell a set-up position; this game starts from {position}.", position=quoted(text(first))
        )
    moves = "".join(name_of(cell) for cell in cells)
    return moves + "--" if match.steps and match.steps[-1] == PASS else moves


# ------------------------------------------------------------------------------------------- tables

_DELIMITERS = ",;\t"
_MOVES_NAMES = ("game_moves", "moves", "transcript", "game", "kifu", "record")
_WINNERS = {"1": 1.0, "black": 1.0, "b": 1.0, "-1": -1.0, "white": -1.0, "w": -1.0, "0": 0.0, "draw": 0.0}


@dataclass(frozen=True)
class Table:
    """A table as CSV with a transcript in each line, such as eOthello's; ``winner`` is 1 for Black, -1, or 0."""

    name: str = "csv"
    title: str = say("tables with transcripts of Othello")
    suffixes: Sequence[str] = (".csv", ".tsv")

    def fits(self, source: Source) -> int:
        lines = _head(source)
        if len(lines) < 2 or not any(sign in lines[0] for sign in _DELIMITERS):
            return NO
        if "game_moves" in lines[0]:
            return SURE
        if not any(map(_WITHIN_A_LINE.search, lines[1:])):
            return NO
        return LIKELY if source.suffix in self.suffixes else PERHAPS

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        return transcripts(_rows(source.lines(("cp1252",))))


def _rows(lines: Iterator[str]) -> Iterator[Told | Refused]:
    head = next(lines, "")
    delimiter = max(_DELIMITERS, key=head.count)
    names = [name.strip().lower() for name in _row(head, delimiter)]
    column = next((names.index(name) for name in _MOVES_NAMES if name in names), -1)
    first, number = 2, 0
    if any(_MOVES.fullmatch(name) and len(name) > 8 for name in names):  # there is no head
        lines, names, first = itertools.chain([head], lines), [], 1
    for line_number, line in enumerate(lines, start=first):
        if not line.strip():
            continue
        number += 1
        row = [value.strip() for value in _row(line, delimiter)]
        if column < 0:
            column = next((place for place, value in enumerate(row) if _MOVES.match(value.lower())), -1)
        if not 0 <= column < len(row) or not row[column]:
            yield Refused(number, say("There are no moves in {text}.", text=quoted(line)), line_number)
            continue
        game = _Line(number, line_number)
        game.read(row[column])
        told = _told(game)
        if isinstance(told, Told):
            told.told = _told_by_row(dict(zip(names, row, strict=False)))
        yield told


def _row(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def _told_by_row(row: dict[str, str]) -> dict[str, Any]:
    ids = [value for name, value in row.items() if name == "id" or name.endswith("_id")]
    winner = _WINNERS.get(row.get("winner", "").lower())
    return {
        "players": (row.get("black", ""), row.get("white", "")),
        "payoffs": None if winner is None else (winner, -winner),
        "date": row.get("date", ""),
        "tags": {"Id": ids[0]} if ids else {},
    }
