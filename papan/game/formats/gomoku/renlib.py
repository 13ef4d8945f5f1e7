"""Libraries of RenLib, .lib: a tree of variations on a board of 15 × 15, without players or results.

After a header of 20 bytes come the nodes: a node, then all that follows it, then the alternatives to it. A node has a
byte for its cell, 0 for a pass or the root, and a byte of flags; comments and texts on the board follow in pairs of
bytes up to one with a zero. Libraries of the first versions have no header and begin with h8. Each line from the root
to a leaf is a game. Facts from descriptions of the format and the files of several programs.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from papan.game.base.sentences import say
from papan.game.formats import NO, PERHAPS, SURE, FormatError, Transcript
from papan.game.formats.gomoku.board import ANY_RULE, cell_at, replayed
from papan.game.formats.source import Source
from papan.game.match.collection import Refused
from papan.game.rules import PositionError

MARK = b"\xffRenLib\xff"
HEADER = 20
SIZE = 15
MOST_LINES = 1000
"""Lines that are read; a library may have millions."""
MOST_BYTES = 8 << 20
"""Of a file that are looked at."""
MOST_DEPTH = SIZE * SIZE
"""Moves of a line."""
_NEWEST = (3, 4)
_CENTRE = 0x78
_OTHER, _LEAF, _OLD_COMMENT, _COMMENT, _NO_MOVE, _MORE_FLAGS = 0x80, 0x40, 0x20, 0x08, 0x02, 0x01
"""Flags of a node: an alternative to it comes later, nothing follows it, …"""
_BOARD_TEXT = 0x01
"""In the second byte of more flags."""
PASS = -2


class Node(NamedTuple):
    cell: int
    """-1 if the board has none, PASS for a pass."""
    flags: int
    has_comment: bool


@dataclass(frozen=True)
class RenLib:
    """A library of variations."""

    name: str = "renlib"
    title: str = "RenLib"
    suffixes: Sequence[str] = (".lib",)

    def fits(self, source: Source) -> int:
        if source.head.startswith(MARK):
            return SURE
        return PERHAPS if source.suffix in self.suffixes and source.head[:1] == bytes((_CENTRE,)) else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        with source.open() as file:
            data = file.read(MOST_BYTES)
        start = 0
        if data.startswith(MARK):
            start = HEADER
            if len(data) < HEADER:
                raise FormatError.saying("It is cut off within its header.")
            if (data[8], data[9]) > _NEWEST:
                raise FormatError.saying(
                    "It has version {version} of RenLib's libraries; those up to 3.4 are read.",
                    version=f"{data[8]}.{data[9]}",
                )
        number = 0
        for number, line in enumerate(_lines(data, start), start=1):
            if number > MOST_LINES or (line.is_cut and source.size > len(data)):
                reason = say("Only the first {number} lines of the library were read.", number=number - 1)
                yield Refused(number, reason)
                return
            yield _read_line(line, number)


@dataclass
class _Line:
    cells: list[int]
    comments: int
    is_cut: bool = False


def _read_line(line: _Line, number: int) -> Transcript | Refused:
    if line.is_cut:
        return Refused(number, say("The library is cut off after move {number}.", number=len(line.cells)))
    if PASS in line.cells:
        move = line.cells.index(PASS) + 1
        return Refused(number, say("Move {number} is a pass: gomoku has none.", number=move))
    try:
        replay = replayed(line.cells, SIZE, [*dict.fromkeys(("renju", "yes", "no", *ANY_RULE))])
    except (FormatError, PositionError) as error:
        return Refused(number, str(error))
    return replay.transcript(left_out=line.comments)


def _lines(data: bytes, start: int) -> Iterator[_Line]:
    """Yield the moves from the root to each leaf; texts on the board, nodes too, make no lines of their own."""
    path: list[int | None] = []  # cells, None for nodes that are no moves
    waiting: list[int] = []  # depths at which an alternative comes later
    comments = 0
    last: list[int] = []
    held: _Line | None = None  # a line that may go on after the texts at its end
    is_whole = False
    for number, node in enumerate(_nodes(data, start)):
        if len(path) > MOST_DEPTH:
            break
        is_root = number == 0 and node.cell == PASS
        comments += node.has_comment
        path.append(None if is_root or node.flags & _NO_MOVE else node.cell)
        if node.flags & _OTHER:
            waiting.append(len(path) - 1)
        if not node.flags & _LEAF:
            continue
        cells = [cell for cell in path if cell is not None]
        if held and cells[: len(held.cells)] != held.cells:
            yield held
            last = held.cells
            held = None
        if path[-1] is not None:
            yield _Line(cells, comments)
            comments, last, held = 0, cells, None
        elif cells and last[: len(cells)] != cells:
            held = _Line(cells, comments)
        if not waiting:
            is_whole = True
            break
        del path[waiting.pop() :]
    if held:
        yield held
    if not is_whole:
        yield _Line([cell for cell in path if cell is not None], comments, is_cut=True)


def _nodes(data: bytes, place: int) -> Iterator[Node]:
    """Yield the nodes from *place* on, up to the end or to where they are cut off."""
    while place + 2 <= len(data):
        position, flags = data[place], data[place + 1]
        place += 2
        has_text = False
        if flags & _MORE_FLAGS:
            has_text = bool(data[place + 1 : place + 2] and data[place + 1] & _BOARD_TEXT)
            place += 2
        if flags & _OLD_COMMENT:
            place = _after(data, place, range(0x80, 0x100))
        if flags & _COMMENT:
            place = _after(data, place, (0,))
        if has_text:
            place = _after(data, place, (0,))
        if place > len(data):
            return
        cell = cell_at(position % 16 - 1, position // 16, SIZE) if position else PASS
        yield Node(cell, flags, bool(flags & (_OLD_COMMENT | _COMMENT)))


def _after(data: bytes, place: int, ends: Container[int]) -> int:
    """The place after the pair of bytes, counted from *place*, that has one of *ends*; beyond the end if none has."""
    for index in range(place, len(data) - 1, 2):
        if data[index] in ends or data[index + 1] in ends:
            return index + 2
    return len(data) + 1
