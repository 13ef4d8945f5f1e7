"""Logs of sessions on the Generic Game Server: boards and moves as its Othello service ``/os`` sends them.

A game begins with ``match`` and ``join``, which shows the first board; each ``update`` brings a move; the final
``match`` tells the result for the player named first.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import NO, SURE, Transcript
from papan.game.formats.othello.ggf import wrong_type
from papan.game.formats.othello.played import START, Told, scored, transcripts
from papan.game.formats.source import Source
from papan.game.match.collection import Refused
from papan.game.rules import PositionError
from papan.game.rules.othello import BLACK, CELL_OF, PASS, SIZE, WHITE, State, parse

_EVENT = re.compile(r"/os:\s+(join|update)\s+(\.\d+(?:\.\d+)?)\s+(\S+)")
_MATCH = re.compile(
    r"/os:\s+([+-])\s+match\s+(\.\d+(?:\.\d+)?)\s+\S+\s+(\S+)\s+\S+\s+(\S+)\s+(\S+)(?:\s+\S+)?(?:\s+([+-]?\d+(?:\.\d+)?))?"
)
_MOVE = re.compile(r"\|\s*(\d+):\s*(\S+)")
_PLAYER = re.compile(r"\|(\S+)\s+\(\s*(\S+)\s+([*O])\)")
_BOARD_ROW = re.compile(rf"\|\s*[1-{SIZE}]\s+[-*O]")
_LONGEST_BLOCK = 40
"""Lines."""
_MOST_GAMES = 1000
"""Games under way at once."""
_MOST_MOVES = 1000


@dataclass
class _Game:
    number: int
    line: int
    type: str
    names: list[str] = field(default_factory=lambda: ["", ""])
    ratings: list[str] = field(default_factory=lambda: ["", ""])
    start: State = START
    cells: bytearray = field(default_factory=bytearray)
    first: int = 1
    """The number of the first move after the board at the beginning."""
    wrong: str = ""


@dataclass(frozen=True)
class GgsLog:
    name: str = "ggs"
    title: str = say("logs of GGS")
    suffixes: Sequence[str] = (".log", ".txt")

    def fits(self, source: Source) -> int:
        return SURE if re.search(rb"^/os:\s+(?:join|update)\s", source.head, re.MULTILINE) else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        return transcripts(_games(source.lines(("cp1252",))))


def _games(lines: Iterable[str]) -> Iterator[Told | Refused]:
    under_way: dict[str, _Game] = {}
    number = line_number = 0
    numbered = enumerate(lines, start=1)
    for line_number, line in numbered:
        event = _EVENT.match(line)
        if event:
            _, match, kind = event.groups()
            if match not in under_way and len(under_way) < _MOST_GAMES:
                number += 1
                under_way[match] = _Game(number, line_number, kind)
            if match in under_way:
                block = [text for _, text in itertools.islice(_block(numbered), _LONGEST_BLOCK)]
                _read_block(under_way[match], block, is_first=event[1] == "join")
            continue
        ended = _MATCH.match(line)
        if ended and ended[1] == "-" and ended[2] in under_way:
            yield _told(under_way.pop(ended[2]), ended[3], ended[6] or "")
    for game in under_way.values():
        yield _told(game, "", "", cut=line_number)


def _block(numbered: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines that begin with a bar."""
    return itertools.takewhile(lambda one: one[1].startswith("|"), numbered)


def _read_block(game: _Game, lines: Sequence[str], is_first: bool) -> None:
    """Read what follows ``join`` or ``update``: the last move, the players, the board, whose turn it is."""
    move: tuple[int, str] | None = None
    for line in lines:
        found = _MOVE.match(line)
        if found:
            move = int(found[1][:9]), found[2].partition("/")[0].lower()
        elif player := _PLAYER.match(line):
            seat = BLACK if player[3] == "*" else WHITE
            game.names[seat], game.ratings[seat] = player[1], player[2]
    if is_first and not game.cells:
        try:
            game.start = parse("\n".join(line for line in lines if _BOARD_ROW.match(line) or "to move" in line), {})
        except PositionError as error:
            game.wrong = game.wrong or say("Its board is wrong: {reason}", reason=str(error))
        game.first = (move[0] if move else 0) + 1
        return
    if move is None:
        return
    number, name = move
    expected = game.first + len(game.cells)
    if number < expected:  # shown again
        return
    if number > expected or len(game.cells) >= _MOST_MOVES:
        game.wrong = game.wrong or say("Move {number} is missing.", number=expected)
    elif name in CELL_OF or name in ("pass", "pa"):
        game.cells.append(CELL_OF.get(name, PASS))
    else:
        game.wrong = game.wrong or say(
            "Move {number}, {move}, is neither a cell from a1 to h8 nor a pass.", number=number, move=quoted(name)
        )


def _told(game: _Game, first_player: str, result: str, cut: int = 0) -> Told | Refused:
    wrong = wrong_type(game.type) or game.wrong
    if wrong:
        return Refused(game.number, wrong, game.line)
    payoffs: tuple[float, float] | None = None
    if result:
        ahead = float(result) * (-1 if first_player == game.names[WHITE] != game.names[BLACK] else 1)
        payoffs = scored(ahead, 0)
    ratings = zip(("BlackRating", "WhiteRating"), game.ratings, strict=True)
    told = {
        "players": tuple(game.names),
        "payoffs": payoffs,
        "cut": cut,
        "tags": {"Site": "GGS/os", **{name: value for name, value in ratings if value}},
    }
    return Told(game.number, game.line, bytes(game.cells), game.start, told=told)
