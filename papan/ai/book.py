"""Opening books: exact scores of positions that take long to solve, in a small file.

The file begins with a header of 40 bytes, little-endian: the text ``PapanBk1``, the game's name in 20 bytes padded
with zeros, the number of positions and the CRC-32 of all that follows, as 32-bit unsigned integers, and 4 bytes of
zero. What follows is compressed by LZMA (the ``.xz`` format). Unpacked it holds, of *n* positions in rising order of
their keys, the difference of each key from the one before (the first from 0) as 64-bit integers, the lowest bytes of
all first, then the next ones, to the highest; then *n* scores, a signed byte each. Keys and scores are the game's.
"""

from __future__ import annotations

import lzma
import struct
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from papan.game.base.foreign import UnreadableError, read_file
from papan.game.base.places import whole_file
from papan.game.base.sentences import figures, say

MAGIC = b"PapanBk1"
MOST_POSITIONS = 2**23
"""They are read in 150 MB."""
_HEADER = struct.Struct("<8s20sII4x")
_KEY_BYTES = 8
MOST_BYTES = _HEADER.size + (_KEY_BYTES + 1) * MOST_POSITIONS
_MOST_UNPACKING = 2**26
"""Bytes of memory: a file says how far it looks back."""
_PRESET = 6  # looks back 8 MiB, more than a book has


class BookError(ValueError):
    """A file that is no book, or a damaged one; the message says which file and what is wrong with it."""


class Book:
    """Positions by key, and their scores."""

    def __init__(self, keys: Iterable[int] = (), scores: Iterable[int] = ()) -> None:
        self.keys = np.array(list(keys), np.int64)
        """Each once, in rising order."""
        order = np.argsort(self.keys)
        self.keys = self.keys[order]
        self.scores = np.array(list(scores), np.int8)[order]

    @classmethod
    def of(cls, scores: Mapping[int, int]) -> Book:
        """The book of these *scores* by key."""
        return cls(scores.keys(), scores.values())

    def __len__(self) -> int:
        return len(self.keys)

    def get(self, key: int) -> int | None:
        """The score of the position with that *key*, or None if it is not in the book."""
        index = int(np.searchsorted(self.keys, key))
        if index == len(self.keys) or self.keys[index] != key:
            return None
        return int(self.scores[index])

    def as_dict(self) -> dict[int, int]:
        """The scores by key."""
        return dict(zip(self.keys.tolist(), self.scores.tolist(), strict=True))

    def write(self, path: Path, game: str) -> None:
        """Write the file *path* anew; whatever interrupts it, there is an old or a new book afterwards.

        :param game: the game's name.
        """
        differences = np.diff(self.keys, prepend=0).astype("<i8")
        planes = differences.view(np.uint8).reshape(-1, _KEY_BYTES).T
        packed = lzma.compress(planes.tobytes() + self.scores.tobytes(), preset=_PRESET)
        header = _HEADER.pack(MAGIC, game.encode("ascii"), len(self), zlib.crc32(packed))
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.write(header + packed)

    @classmethod
    def read(cls, path: Path, game: str) -> Book:
        """The book in the file *path*.

        :raises BookError: it is none of *game*, damaged, or can't be read.
        """
        try:
            content = read_file(path, MOST_BYTES)
        except UnreadableError as error:
            raise BookError(str(error)) from error
        if len(content) < _HEADER.size or content[: len(MAGIC)] != MAGIC:
            raise BookError(say("{file} is no opening book.", file=str(path)))
        _, name, number, checksum = _HEADER.unpack_from(content)
        packed = memoryview(content)[_HEADER.size :]
        if zlib.crc32(packed) != checksum:
            raise BookError(say("The opening book {file} is damaged: its checksum is wrong.", file=str(path)))
        if name.rstrip(b"\0") != game.encode("ascii"):
            raise BookError(
                say(
                    "{file} is an opening book of {other}, not {game}.",
                    file=str(path),
                    other=name.rstrip(bytes(1)).decode("ascii", "replace"),
                    game=game,
                )
            )
        if number > MOST_POSITIONS:
            raise BookError(
                say(
                    "The opening book {file} is said to hold {number} positions: so many can't be used.",
                    file=str(path),
                    number=figures(number),
                )
            )
        try:
            raw = lzma.LZMADecompressor(memlimit=_MOST_UNPACKING).decompress(packed, number * (_KEY_BYTES + 1) + 1)
        except (lzma.LZMAError, EOFError):
            raw = b""
        if len(raw) != number * (_KEY_BYTES + 1):
            raise BookError(
                say(
                    "The opening book {file} is damaged: it does not hold {number} positions.",
                    file=str(path),
                    number=number,
                )
            )
        planes = np.frombuffer(raw, np.uint8, number * _KEY_BYTES).reshape(_KEY_BYTES, number)
        differences: Any = planes.T.copy().view("<i8").reshape(number)
        book = cls()
        book.keys = np.cumsum(differences, dtype=np.int64, out=differences)
        book.scores = np.frombuffer(raw, np.int8, number, number * _KEY_BYTES)
        return book
