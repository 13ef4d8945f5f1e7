"""XQF, the files of XQStudio: one game with comments and variations, in GBK or Big5.

A header of 1024 bytes, then the tree of moves (``tree``). From version 0x0B on, cells, lengths of comments and the
tree are veiled by four keys from the header, which sum to a multiple of 256; from 0x0C on the list of pieces is turned,
too. A cell is ``10 * file + rank``. Facts from descriptions of the format and the files of several programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papan.game.base.sentences import say
from papan.game.formats import NO, PERHAPS, SURE, FormatError, Transcript
from papan.game.formats.source import Source
from papan.game.formats.xiangqi.notation import ENCODINGS, likeliness
from papan.game.formats.xiangqi.tree import (
    FIRST_RANK,
    NOWHERE,
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
from papan.game.match.collection import Refused
from papan.game.rules.xiangqi.board import BLACK, CANNON, RED, SOLDIER

MARK = b"XQ"
HEADER = 1024
MOST_BYTES = 4 << 20
"""A file with a million moves."""
_VEILED_FROM, _TURNED_FROM = 0x0B, 0x0C
_NEWEST = 0x20
"""Versions above are doubtful if the file's name doesn't end in .xqf."""
_KEYS = slice(12, 16)
_WORDS = b"[(C) Copyright Mr. Dong Shiwei.]"
"""The bytes that the keys are applied to."""
_PIECES = [(seat, kind) for seat in (RED, BLACK) for kind in (*FIRST_RANK, CANNON, CANNON, *[SOLDIER] * 5)]
"""The pieces in the order of the header."""
_TAGS = {"Title": (80, 64), "Event": (208, 64), "Site": (288, 16), "TimeControl": (336, 64), "Annotator": (464, 16)}
"""Offset and size of texts in the header; their first byte is their length."""
_DATE, _RED_NAME, _BLACK_NAME = (272, 16), (304, 16), (320, 16)


@dataclass(frozen=True)
class Veil:
    """What was added to the bytes of a file."""

    pieces: int = 0
    origin: int = 0
    target: int = 0
    length: int = 0
    stream: bytes = bytes(32)
    """Added to the tree, by place."""


@dataclass(frozen=True)
class Xqf:
    """A file of XQStudio."""

    name: str = "xqf"
    title: str = "XQF"
    suffixes: Sequence[str] = (".xqf",)

    def fits(self, source: Source) -> int:
        is_named = source.suffix in self.suffixes
        if not source.head.startswith(MARK):
            return PERHAPS if is_named else NO
        if is_named:
            return SURE
        head = source.head[:HEADER]
        is_header = len(head) == HEADER and b"\0" in head and 0 < head[2] <= _NEWEST and _keys_agree(head)
        return SURE if is_header else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        data = source.data(MOST_BYTES)
        if not data.startswith(MARK):
            raise FormatError.saying("It is no XQF file: it doesn't begin with XQ.")
        if len(data) < HEADER + 4:
            raise FormatError.saying(
                "It is cut off: it has {size} bytes, and an XQF file at least {least}.",
                size=len(data),
                least=HEADER + 4,
            )
        facts = _facts(data, source.chosen_encoding)
        if not _keys_agree(data):
            yield Refused(1, titled(facts, say("The header is damaged: its keys don't sum to a multiple of 256.")))
            return
        veil = _veil(data)
        setting = Setting(_pieces(data, veil), BLACK if data[50] == 1 else RED)
        records = _records(_unveiled(data[HEADER:], veil), veil, data[2] >= _VEILED_FROM)
        root = next(records)
        yield from games_of(setting, lines_of(records) if root.has_next else [], facts, 1, root.has_comment)


def _keys_agree(data: bytes) -> bool:
    return data[2] < _VEILED_FROM or sum(data[_KEYS]) % 256 == 0


def _veil(data: bytes) -> Veil:
    if data[2] < _VEILED_FROM:
        return Veil()
    mask, alternatives, keys = data[3], data[8:12], data[_KEYS]
    total, pieces_key, origin_key, target_key = keys
    pieces = _scrambled(pieces_key) * pieces_key % 256
    origin = _scrambled(origin_key) * pieces % 256
    target = _scrambled(target_key) * origin % 256
    masks = [key & mask | other for key, other in zip(keys, alternatives, strict=True)]
    return Veil(
        pieces,
        origin,
        target,
        (total * 256 + pieces_key) % 32000 + 767,
        bytes(sign & masks[place % 4] for place, sign in enumerate(_WORDS)),
    )


def _scrambled(key: int) -> int:
    return 54 * key * key + 221


def _unveiled(tree: bytes, veil: Veil) -> bytes:
    bare = bytearray(tree)
    for place, added in enumerate(veil.stream):
        table = bytes((value - added) % 256 for value in range(256))
        bare[place::32] = bare[place::32].translate(table)
    return bytes(bare)


def _pieces(data: bytes, veil: Veil) -> Pieces:
    pieces = {}
    for place, value in enumerate(data[16:48]):
        index = (place + 1 + veil.pieces) % 32 if data[2] >= _TURNED_FROM else place
        cell = _cell(value - veil.pieces)
        if cell != NOWHERE:
            pieces[cell] = _PIECES[index]
    return pieces


def _cell(value: int) -> int:
    return cell_at(*divmod(value % 256, 10))


def _records(tree: bytes, veil: Veil, is_veiled: bool) -> Iterator[Record]:
    """Yield the first position, which is no move, then each move; stop where the tree is cut off."""
    place = 0
    while place + 4 <= len(tree):
        origin, target, flags = tree[place : place + 3]
        place += 4
        has_next, has_other, length = flags & 0x80, flags & 0x40, 0
        if not is_veiled:
            has_next, has_other = flags & 0xF0, flags & 0x0F
        if not is_veiled or flags & 0x20:
            length = int.from_bytes(tree[place : place + 4], "little") - veil.length
            place += 4
        yield Record(
            _cell(origin - 0x18 - veil.origin),
            _cell(target - 0x20 - veil.target),
            has_next > 0,
            has_other > 0,
            length > 0,
        )
        if not 0 <= length <= len(tree) - place:
            return
        place += length


def _facts(data: bytes, encoding: str) -> Facts:
    """What the header tells.

    :param encoding: as a person chose it; "" to find out.
    """
    written = b" ".join(_text(data, place) for place in (*_TAGS.values(), _RED_NAME, _BLACK_NAME))
    used = encoding or max(ENCODINGS, key=lambda one: likeliness(written.decode(one, errors="replace")))

    def text(place: tuple[int, int]) -> str:
        return plain_text(_text(data, place).decode(used, errors="replace"))

    return Facts(
        players=(text(_RED_NAME), text(_BLACK_NAME)),
        payoffs=result_of(data[51]),
        date=text(_DATE),
        tags={tag: value for tag, place in _TAGS.items() if (value := text(place))},
    )


def _text(data: bytes, place: tuple[int, int]) -> bytes:
    offset, size = place
    return data[offset + 1 : offset + 1 + min(data[offset], size - 1)]


FORMATS = (Xqf(),)
