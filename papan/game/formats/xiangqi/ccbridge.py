"""CBR and CBL, the files of CCBridge: one game, and a library of many, in UTF-16.

A game is a record of 2214 bytes with facts at fixed places and the board, then the tree of moves (``tree``). A library
has a header, an index, and records in slots of 4096 bytes; a long game fills several slots. Its headings are records
with an empty board. A cell is ``9 * row + file``, rows counted from black's side. Facts from descriptions of the format
and the files of several programs.
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from papan.game.base.sentences import say
from papan.game.formats import NO, PERHAPS, SURE, FormatError, Transcript
from papan.game.formats.source import Source
from papan.game.formats.xiangqi.tree import (
    USUAL_PIECES,
    Facts,
    Pieces,
    Record,
    Setting,
    cell_at,
    games_of,
    lines_of,
    plain_text,
    result_of,
    titled,
)
from papan.game.match import Kind
from papan.game.match.collection import Refused
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    BLACK,
    CANNON,
    CELLS,
    CHARIOT,
    ELEPHANT,
    FILES,
    GENERAL,
    HORSE,
    RANKS,
    RED,
    SOLDIER,
    cell_name,
)

RECORD_MARK = b"CCBridge Record\0"
LIBRARY_MARK = b"CCBridgeLibrary\0"
SLOT = 4096
MOST_RECORD_BYTES = 1 << 20
"""Of one game; the rest is left out."""
_MOST_INDEXED = 1 << 16
"""Entries of an index that are looked at."""
_INDEX, _ENTRY = 66624, 276
_SLOTS = slice(60, 64)
"""The number of entries, in the library's header."""
_DELETED = 5
"""The first number of the index entry of a game that was deleted and is still there; others have 7."""
_RESULT, _FIRST_MOVER, _BOARD, _TREE = 2076, 2112, 2120, 2214
_KINDS = (0, CHARIOT, HORSE, ELEPHANT, ADVISOR, GENERAL, CANNON, SOLDIER)
"""The kind of piece for the lower half of a byte of the board; the upper half is 1 for red, 2 for black."""
_TAGS = {
    "Title": (180, 128), "Opening": (308, 256), "Event": (692, 64), "Round": (756, 64), "Table": (852, 32),
    "Site": (948, 64), "TimeControl": (1012, 64), "RedTeam": (1140, 64), "RedElo": (1268, 32), "BlackTeam": (1364, 64),
    "BlackElo": (1492, 32), "Annotator": (1652, 64), "Termination": (2080, 32),
}  # fmt: skip
"""Offset and size of texts in a record."""
_DATE, _RED_NAME, _BLACK_NAME = (884, 64), (1076, 64), (1300, 64)
_TIME_IS_OVER = "超时"


@dataclass(frozen=True)
class CCBridge:
    """Games and libraries of CCBridge."""

    name: str = "ccbridge"
    title: str = "CBR, CBL"
    suffixes: Sequence[str] = (".cbr", ".cbl")

    def fits(self, source: Source) -> int:
        if source.head.startswith((RECORD_MARK, LIBRARY_MARK)):
            return SURE
        return PERHAPS if source.suffix in self.suffixes else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        if source.head.startswith(RECORD_MARK):
            with source.open() as file:
                yield from _read_record(file.read(MOST_RECORD_BYTES), 1)
            return
        if not source.head.startswith(LIBRARY_MARK):
            raise FormatError.saying(
                "It is no file of CCBridge 3: it begins neither with CCBridge Record nor with CCBridgeLibrary."
            )
        with source.open() as file:
            deleted = _deleted(file)
            start = _first_record(file)
            if start is None:
                raise _without_games(file)
            file.seek(start)
            for number, record in enumerate(_records(file), start=1):
                source.position = file.tell()
                if _is_heading(record):
                    continue
                if record[20:36] in deleted:
                    yield Refused(number, titled(_facts(record), say("It is marked as deleted in the file.")))
                else:
                    yield from _read_record(record, number)
        source.position = source.size


def _without_games(file: BinaryIO) -> FormatError:
    file.seek(0)
    number = int.from_bytes(file.read(SLOT)[_SLOTS], "little")
    if file.seek(0, io.SEEK_END) < _INDEX + _ENTRY * max(1, number):
        return FormatError.saying("It is cut off: it ends before its first game.")
    return FormatError.saying("It is a library without games.")


def _deleted(file: BinaryIO) -> set[bytes]:
    """The identifiers of records that the index calls deleted."""
    file.seek(0)
    number = int.from_bytes(file.read(SLOT)[_SLOTS], "little")
    file.seek(_INDEX)
    found = set()
    for _ in range(min(number, _MOST_INDEXED)):
        entry = file.read(_ENTRY)
        if len(entry) < _ENTRY or entry.startswith(RECORD_MARK):
            break
        if int.from_bytes(entry[:4], "little") == _DELETED:
            found.add(_identifier(entry[20:100].decode("utf-16-le", errors="replace")))
    return found - {b""}


def _identifier(text: str) -> bytes:
    """The 16 bytes of an identifier written as ``{E9D1A2B3-…}``; none for another text."""
    try:
        return uuid.UUID(text[:38]).bytes_le
    except ValueError:
        return b""


def _first_record(file: BinaryIO) -> int | None:
    """The place of the first record: after the index if the header is right, else wherever the first mark is."""
    file.seek(0)
    computed = _INDEX + _ENTRY * int.from_bytes(file.read(SLOT)[_SLOTS], "little")
    file.seek(computed)
    if file.read(len(RECORD_MARK)) == RECORD_MARK:
        return computed
    file.seek(0)
    kept, place = b"", 0  # the end of what was looked through, and its place
    while block := file.read(SLOT):
        found = (kept + block).find(RECORD_MARK)
        if found >= 0:
            return place + found
        place += len(kept) + len(block)
        kept = block[1 - len(RECORD_MARK) :]
        place -= len(kept)
    return None


def _records(file: BinaryIO) -> Iterator[bytes]:
    """Yield each record from the place of *file* on: the slots from one mark to the next."""
    record = bytearray()
    while slot := file.read(SLOT):
        if record and slot.startswith(RECORD_MARK):
            yield bytes(record)
            record.clear()
        if len(record) < MOST_RECORD_BYTES:
            record += slot
    if record:
        yield bytes(record)


def _is_heading(record: bytes) -> bool:
    """Whether *record* tells no game: its board is empty, or the usual one without moves, players and result."""
    if len(record) < _TREE + 4 or not record[_TREE] & 1:
        return False
    return not any(record[_BOARD : _BOARD + CELLS]) or (
        record[_BOARD : _BOARD + CELLS] == _USUAL_BOARD and not _facts(record).are_of_a_game
    )


def _read_record(record: bytes, number: int) -> Iterator[Transcript | Refused]:
    if len(record) < _TREE + 4:
        yield Refused(
            number,
            say("The record is cut off: it has {size} bytes of at least {least}.", size=len(record), least=_TREE + 4),
        )
        return
    facts = _facts(record)
    pieces: Pieces = {}
    for index, code in enumerate(record[_BOARD : _BOARD + CELLS]):
        owner, kind = divmod(code, 16)
        if code and (owner not in (1, 2) or not 0 < kind < len(_KINDS)):
            reason = say("{code} on {cell} stands for no piece.", code=f"{code:#04x}", cell=cell_name(_cell(index)))
            yield Refused(number, titled(facts, reason))
            return
        if code:
            pieces[_cell(index)] = owner - 1, _KINDS[kind]
    setting = Setting(pieces, BLACK if record[_FIRST_MOVER] == 2 else RED)
    moves = _moves(record)
    root = next(moves)
    yield from games_of(setting, lines_of(moves) if root.has_next else [], facts, number, root.has_comment)


def _cell(index: int) -> int:
    row, file = divmod(index, FILES)
    return cell_at(file, RANKS - 1 - row)


def _moves(record: bytes) -> Iterator[Record]:
    """Yield the first position, which is no move, then each move; stop where the record is cut off."""
    place = _TREE
    while place + 4 <= len(record):
        flags, _, origin, target = record[place : place + 4]
        place += 4
        length = 0
        if flags & 4:
            length = int.from_bytes(record[place : place + 4], "little")
            place += 4
        yield Record(_cell(origin), _cell(target), not flags & 1, flags & 2 > 0, length > 0)
        place += length


def _facts(record: bytes) -> Facts:
    def text(place: tuple[int, int]) -> str:
        offset, size = place
        return plain_text(record[offset : offset + size].decode("utf-16-le", errors="replace").partition("\0")[0])

    tags = {tag: value for tag, place in _TAGS.items() if (value := text(place))}
    ended_by: Kind = "time" if _TIME_IS_OVER in tags.get("Termination", "") else "resigned"
    return Facts((text(_RED_NAME), text(_BLACK_NAME)), result_of(record[_RESULT]), ended_by, text(_DATE), tags)


def _usual_board() -> bytes:
    board = bytearray(CELLS)
    for index in range(CELLS):
        if _cell(index) in USUAL_PIECES:
            seat, kind = USUAL_PIECES[_cell(index)]
            board[index] = (seat + 1) * 16 + _KINDS.index(kind)
    return bytes(board)


_USUAL_BOARD = _usual_board()
FORMATS = (CCBridge(),)
