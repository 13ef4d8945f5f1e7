"""SGF of Othello, GM[2]: cells as ``dc``, column and row in letters from the top left, or as ``d3``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import LIKELY, NO, PERHAPS, SURE, Transcript, sgf
from papan.game.formats.othello.played import START, Told, likely_start, not_a_cell, transcripts
from papan.game.formats.source import Source
from papan.game.kernel.bits import popcount
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules.othello import BLACK, CELL_OF, CELLS, PASS, SIZE, WHITE, State, discs

_NUMBER = 2
_GAME = re.compile(rb"\bGM\[\s*(?:2|[Oo]thello|[Rr]eversi)\s*\]")
_ANY_GAME = re.compile(rb"\bGM\[")
_NAMES = ("2", "othello", "reversi")
_PASSES = ("", "tt", "pass", "pa", "ps", "--")
_CENTRE = START.mine | START.theirs


@dataclass(frozen=True)
class Sgf:
    name: str = "sgf"
    title: str = "SGF"
    suffixes: Sequence[str] = (".sgf",)

    def fits(self, source: Source) -> int:
        if not re.search(rb"\(\s*;", source.head):
            return NO
        if _GAME.search(source.head):
            return SURE if b"FF[" in source.head or source.suffix in self.suffixes else LIKELY
        if _ANY_GAME.search(source.head) or b"SZ[8]" not in source.head:
            return NO
        return PERHAPS

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        found = (game for game in sgf.games(source.lines(sgf.encodings(source))) if game.nodes)
        return transcripts(_told(game, number) for number, game in enumerate(found, start=1))

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        return (_written(match).encode() for match in matches)


def _told(game: sgf.Game, number: int) -> Told | Refused:
    kind, size = game.tag("GM"), game.tag("SZ")
    if kind and kind.lower() not in _NAMES:
        return Refused(number, say("GM[{kind}] is another game; Othello is GM[2].", kind=kind[:20]), game.line)
    if size and size.strip() not in (str(SIZE), f"{SIZE}:{SIZE}"):
        reason = say("SZ[{size}] is a board of another size; Othello here has 8 × 8 cells.", size=size[:20])
        return Refused(number, reason, game.line)
    board = _Board()
    cells, colours = bytearray(), bytearray()
    for node in game.nodes:
        for name, value in node:
            if name in ("B", "W"):
                move = _cell(value)
                if move is None:
                    return not_a_cell(number, game.line, len(cells) + 1, value)
                cells.append(move)
                colours.append("BW".index(name))
            elif name in ("AB", "AW", "AE", "PL"):
                if cells:
                    reason = say("{name} sets up discs after moves, which no rule allows.", name=name)
                    return Refused(number, reason, game.line)
                if not board.set_up(name, value):
                    reason = say("{name} names {value}, which is no cell.", name=name, value=quoted(value))
                    return Refused(number, reason, game.line)
    return Told(number, game.line, bytes(cells), board.state(bytes(cells), bytes(colours)), bytes(colours), game.told())


class _Board:
    """A board that is being set up: handicap discs come to the usual four, unless a file sets up the centre itself."""

    def __init__(self) -> None:
        self.discs = [0, 0]
        self.set = 0
        self.to_move: int | None = None

    def set_up(self, name: str, value: str) -> bool:
        """Add a property; returns whether its value is right."""
        if name == "PL":
            self.to_move = WHITE if value.strip().lower().startswith(("w", "2")) else BLACK
            return True
        first, colon, last = value.partition(":")
        corners = [_cell(corner) for corner in ((first, last) if colon else (first,))]
        if None in corners or PASS in corners:
            return False
        rows, columns = (sorted(part(cell or 0, SIZE) for cell in corners) for part in (int.__floordiv__, int.__mod__))
        for cell in range(CELLS):
            if rows[0] <= cell // SIZE <= rows[-1] and columns[0] <= cell % SIZE <= columns[-1]:
                self.set |= 1 << cell
                for seat, own in enumerate(("AB", "AW")):
                    self.discs[seat] &= ~(1 << cell)
                    self.discs[seat] |= (name == own) << cell
        return True

    def state(self, cells: bytes, colours: bytes) -> State:
        to_move = self.to_move if self.to_move is not None else colours[0] if colours else BLACK
        if not self.set:
            return likely_start(cells, to_move)
        black, white = self.discs
        if not self.set & _CENTRE:
            black, white = black | START.mine, white | START.theirs
        return State(black, white, BLACK) if to_move == BLACK else State(white, black, WHITE)


def _cell(value: str) -> int | None:
    """The cell of a value, PASS, or None."""
    small = value.strip().lower()
    if small in CELL_OF:
        return CELL_OF[small]
    if small in _PASSES:
        return PASS
    found = sgf.point(small, SIZE)
    return found[1] * SIZE + found[0] if found else None


def _written(match: Match) -> str:
    first: State = match.states[0]
    last: State = match.state
    margin = abs(popcount(last.mine) - popcount(last.theirs))
    root = sgf.usual_properties(match, _NUMBER, SIZE, margin)
    if first != START:
        if not (first.mine | first.theirs) & _CENTRE:
            root.append(("AE", "dd:ee"))  # else the usual four discs would be there
        for seat, name in enumerate(("AB", "AW")):
            root += [(name, _point(cell)) for cell in range(CELLS) if discs(first, seat) >> cell & 1]
        root.append(("PL", "BW"[first.to_move]))
    nodes = [root]
    seat = first.to_move
    for step in match.steps:
        nodes.append([("BW"[seat], "" if step == PASS else _point(step))])
        seat = 1 - seat
    return sgf.written(nodes)


def _point(cell: int) -> str:
    return sgf.written_point(cell % SIZE, cell // SIZE)
