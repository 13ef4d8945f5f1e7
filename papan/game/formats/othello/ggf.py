"""GGF, the format of the Generic Game Server, of its archives and of NBoard: a game on a line, all moves in one node.

A move is a cell, an evaluation and a time (``B[f5/0.48/1.2]``, both may be missing); a board is in BO with its size and
the side to move. The result counts discs from Black's side; ``:r`` is a resignation, ``:t`` lost time, ``:s`` an agreed
score.

https://www.skatgame.net/mburo/ggsa/ggf
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted, shortened
from papan.game.formats import LIKELY, NO, PERHAPS, SURE, UNKNOWN_PLAYER, Transcript, written_date
from papan.game.formats.othello.played import Told, likely_start, not_a_cell, scored, transcripts
from papan.game.formats.sgf import Game, escaped, games
from papan.game.formats.source import Source
from papan.game.kernel.bits import popcount
from papan.game.match import Kind, Match
from papan.game.match.collection import Refused
from papan.game.rules import PositionError
from papan.game.rules.othello import BLACK, CELL_OF, CELLS, PASS, SIZE, WHITE, State, discs, name_of, parse, text

_OTHELLO = ("othello", "reversi")
_GAME = re.compile(rb"GM\[\s*(?:[Oo]thello|[Rr]eversi)\s*\]")
_BOARD_OR_TYPE = re.compile(rb"\b(?:BO|TY)\[")
_OTHER_GAME = re.compile(rb"GM\[\s*[A-Za-z]{2,}")
_TYPE = re.compile(r"s?k?s?(\d+)([a-zA-Z]*)", re.IGNORECASE)
"""Of a game: synchronous, with komi; the size; anti-Othello, preferred colours, random discs."""
_RESULT = re.compile(r"([+-]?\d+(?:\.\d+)?)\s*(?::\s*(\w))?")
_ENDED_BY: dict[str, Kind] = {"r": "resigned", "t": "time", "l": "forfeited", "s": "agreed"}
_PASSES = ("pa", "pass", "ps", "--")


@dataclass(frozen=True)
class Ggf:
    name: str = "ggf"
    title: str = "GGF"
    suffixes: Sequence[str] = (".ggf",)

    def fits(self, source: Source) -> int:
        if b"(" not in source.head:
            return NO
        if _GAME.search(source.head) and _BOARD_OR_TYPE.search(source.head):
            return SURE
        if source.suffix in self.suffixes:
            return LIKELY
        return PERHAPS if _OTHER_GAME.search(source.head) else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        found = (game for game in games(source.lines(("cp1252",))) if game.nodes)
        return transcripts(_told(game, number) for number, game in enumerate(found, start=1))

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        return (_written(match).encode() for match in matches)


def _told(game: Game, number: int) -> Told | Refused:
    wrong = _not_othello(game)
    if wrong:
        return Refused(number, wrong, game.line)
    cells, colours = bytearray(), bytearray()
    for colour, value in game.moves("B", "W"):
        move = value.partition("/")[0].strip().lower()
        if move not in CELL_OF and move not in _PASSES:
            return not_a_cell(number, game.line, len(cells) + 1, value)
        cells.append(CELL_OF.get(move, PASS))
        colours.append(BLACK if colour == "B" else WHITE)
    try:
        start = _board(game, bytes(cells), bytes(colours))
    except PositionError as error:
        return Refused(number, say("Its board is wrong: {reason}", reason=str(error)), game.line)
    return Told(number, game.line, bytes(cells), start, bytes(colours), _tags(game))


def _not_othello(game: Game) -> str:
    """Why *game* is none of Othello's; "" if it is one."""
    name = game.tag("GM")
    if name and name.lower() not in _OTHELLO:
        return say("The game is {name}, not Othello.", name=quoted(name))
    if not name and not game.tag("BO", "TY"):
        return say("GM doesn't say which game it is: Othello would be right.")
    return wrong_type(game.tag("TY"))


def wrong_type(told: str) -> str:
    """Why a type of game as the server tells it, such as ``s8r20``, can't be read here; "" if it can."""
    kind = _TYPE.match(told)
    if kind and int(kind[1][:3]) != SIZE:
        return say("The type {type} is a board of another size; Othello here has 8 × 8 cells.", type=quoted(told))
    if kind and "a" in kind[2].lower():
        return say("The type {type} is anti-Othello, in which fewer discs win.", type=quoted(told))
    return ""


def _board(game: Game, cells: bytes, colours: bytes) -> State:
    """:raises PositionError: BO is wrong."""
    board = game.tag("BO")
    if not board:
        return likely_start(cells, colours[0] if colours else BLACK)
    size = board.split()[0]
    if size != str(SIZE) and size.isdecimal():
        raise PositionError.saying("{size} is another size; Othello here has 8 × 8 cells.", size=quoted(size))
    state: State = parse(board, {})
    return state


def _tags(game: Game) -> dict[str, Any]:
    told = game.told()
    tags = told["tags"]
    result = _RESULT.match(game.tag("RE"))
    if result:
        told["payoffs"] = scored(float(result[1]), 0)
        told["ended_by"] = _ENDED_BY.get(result[2] or "", "resigned")
        if result[2]:
            tags["Score"] = shortened(game.tag("RE"))
    if game.tag("TB", "TW"):
        tags["TimeControl"] = f"{game.tag('TB') or '?'} {game.tag('TW') or '?'}"
    return told


# ------------------------------------------------------------------------------------------- writing


def board(state: State) -> str:
    """The value of BO."""
    written = text(state).replace("X", "*")
    rows = (written[place : place + SIZE] for place in range(0, CELLS, SIZE))
    return " ".join([str(SIZE), *rows, written[CELLS + 1 :]])


def _written(match: Match) -> str:
    first: State = match.states[0]
    known = [name if name != UNKNOWN_PLAYER else "" for name in match.seats]
    tags = match.tags
    properties = [
        ("GM", "Othello"),
        ("PC", tags.get("Site", "") or tags.get("Event", "")),
        ("DT", written_date(match).replace("-", ".")),
        ("PB", known[BLACK]),
        ("PW", known[WHITE]),
        ("RB", tags.get("BlackRating", "")),
        ("RW", tags.get("WhiteRating", "")),
        ("TI", tags.get("TimeControl", "")),
        ("TY", str(SIZE)),
        ("RE", _result(match)),
        ("BO", board(first)),
    ]
    seat, moves = first.to_move, list[tuple[str, str]]()
    for step in match.steps:
        moves.append(("BW"[seat], "PA" if step == PASS else name_of(step).upper()))
        seat = 1 - seat
    told = "".join(f"{name}[{escaped(value)}]" for name, value in properties if value)
    return f"(;{told}{''.join(f'{name}[{value}]' for name, value in moves)};)\n"


def _result(match: Match) -> str:
    """Black's discs less White's, as the server counts them: the winner of a game that was cut short has all 64."""
    ending = match.ending
    if ending is None:
        return ""
    state: State = match.state
    black, white = (popcount(discs(state, seat)) for seat in (BLACK, WHITE))
    ahead = black - white
    flag = ""
    if match.conclusion is not None:
        flag = {"resigned": ":r", "time": ":t", "forfeited": ":l", "agreed": ":s"}[match.conclusion.kind]
        ahead = round(CELLS * ending.payoffs[BLACK])
    elif ahead:
        ahead += (CELLS - black - white) * (1 if ahead > 0 else -1)
    return f"{ahead:+d}.000{flag}"
