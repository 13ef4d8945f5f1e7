"""Opening books: files with searched scores of positions, and playing by a book.

The file begins with a header of 40 bytes, little-endian: the text ``PapanBk1``, the game's name in 20 bytes padded
with zeros, the number of positions and the CRC-32 of all that follows as 32-bit unsigned integers, and 4 zero bytes.
What follows is compressed by LZMA (``.xz``). Unpacked it holds, for *n* positions in ascending order of their keys, the
difference of each key from the one before (the first from 0) as 64-bit integers, stored plane by plane: the lowest
bytes of all first, the highest last; then *n* scores, a signed byte each, for the seat to act.

``Openings`` plays only steps that keep the book's score of the current position, as otherwise the best steps may be
missing in the book. Among nearly equal steps it draws at random. ``papan.lab.book`` makes books.
"""

from __future__ import annotations

import lzma
import struct
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from papan.ai.evaluation import evaluation_of
from papan.ai.exact import is_solved
from papan.ai.limits import Analysis
from papan.game.base.assets import ASSETS
from papan.game.base.places import atomic_file
from papan.game.base.sentences import SentenceError, figures
from papan.game.base.untrusted import UnreadableError, read_file
from papan.game.game import Game
from papan.game.rules import State, canonical_key, is_over, legal_steps, mover, play

MAGIC = b"PapanBk1"
MOST_POSITIONS = 2**23
"""Reading this many takes 150 MB."""
_HEADER = struct.Struct("<8s20sII4x")
_KEY_BYTES = 8
MOST_BYTES = _HEADER.size + (_KEY_BYTES + 1) * MOST_POSITIONS
_MOST_UNPACKING = 2**26
"""Bytes of memory, as a file states its own dictionary size."""
_PRESET = 6  # a dictionary of 8 MiB, more than a book has


class BookError(SentenceError, ValueError):
    """A file is no book, or damaged; the message says which and how."""


class Book:
    def __init__(self, keys: Iterable[int] = (), scores: Iterable[int] = ()) -> None:
        self.keys = np.array(list(keys), np.int64)
        """Distinct, ascending."""
        order = np.argsort(self.keys)
        self.keys = self.keys[order]
        self.scores = np.array(list(scores), np.int8)[order]

    @classmethod
    def of(cls, scores: Mapping[int, int]) -> Book:
        return cls(scores.keys(), scores.values())

    def __len__(self) -> int:
        return len(self.keys)

    def get(self, key: int) -> int | None:
        """The score of the position with that *key*; None if it is not there."""
        index = int(np.searchsorted(self.keys, key))
        if index == len(self.keys) or self.keys[index] != key:
            return None
        return int(self.scores[index])

    def as_dict(self) -> dict[int, int]:
        return dict(zip(self.keys.tolist(), self.scores.tolist(), strict=True))

    def write(self, path: Path, game: str) -> None:
        """Write the book of the *game* of that name to *path*, atomically."""
        differences = np.diff(self.keys, prepend=0).astype("<i8")
        planes = differences.view(np.uint8).reshape(-1, _KEY_BYTES).T
        packed = lzma.compress(planes.tobytes() + self.scores.tobytes(), preset=_PRESET)
        header = _HEADER.pack(MAGIC, game.encode("ascii"), len(self), zlib.crc32(packed))
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as file:
            file.write(header + packed)

    @classmethod
    def read(cls, path: Path, game: str) -> Book:
        """The book in the file *path*; raises BookError if it is none of *game*, damaged, or can't be read."""
        try:
            content = read_file(path, MOST_BYTES)
        except UnreadableError as error:
            raise BookError(str(error)) from error
        if len(content) < _HEADER.size or content[: len(MAGIC)] != MAGIC:
            raise BookError.saying("{file} is not an opening book.", file=str(path))
        _, name, number, checksum = _HEADER.unpack_from(content)
        packed = memoryview(content)[_HEADER.size :]
        if zlib.crc32(packed) != checksum:
            raise BookError.saying("The opening book {file} is damaged: its checksum is wrong.", file=str(path))
        if name.rstrip(b"\0") != game.encode("ascii"):
            other = name.rstrip(b"\0").decode("ascii", "replace")
            raise BookError.saying(
                "{file} is an opening book of {other}, not {game}.", file=str(path), other=other, game=game
            )
        if number > MOST_POSITIONS:
            raise BookError.saying(
                "The opening book {file} is said to hold {number} positions: so many can't be used.",
                file=str(path),
                number=figures(number),
            )
        try:
            raw = lzma.LZMADecompressor(memlimit=_MOST_UNPACKING).decompress(packed, number * (_KEY_BYTES + 1) + 1)
        except (lzma.LZMAError, EOFError):
            raw = b""
        if len(raw) != number * (_KEY_BYTES + 1):
            raise BookError.saying(
                "The opening book {file} is damaged: it does not hold {number} positions.",
                file=str(path),
                number=number,
            )
        planes = np.frombuffer(raw, np.uint8, number * _KEY_BYTES).reshape(_KEY_BYTES, number)
        differences: Any = planes.T.copy().view("<i8").reshape(number)
        book = cls()
        book.keys = np.cumsum(differences, dtype=np.int64, out=differences)
        book.scores = np.frombuffer(raw, np.int8, number, number * _KEY_BYTES)
        return book


UNITS = 32
"""Scores are stored in this many parts of an evaluation's ``SCALE``, within ``MOST``."""
MOST = 127
VARIETY = 2
"""A step may be this many units worse than the best and still be played."""
_MOST_TOLD = 12


def key_of(state: State) -> int:
    """The key of a position, the same for its symmetric images."""
    return int(canonical_key(state)[0])


def asset_of(game: Game) -> str:
    """The name that the book of *game* has among the assets, if there is one."""
    return f"books/{game.name}.book"


class Openings:
    def __init__(self, book: Book, most_steps: int, scale: float) -> None:
        self._book, self._most_steps, self._scale = book, most_steps, scale

    def scores(self, state: State) -> dict[int, int]:
        """The scores of the steps from *state* that the book knows, in ``UNITS`` for the seat to act."""
        seat, found = mover(state), dict[int, int]()
        for step in legal_steps(state, self._most_steps):
            after = play(state, step)
            score = None if is_over(after) else self._book.get(key_of(after))
            if score is not None:
                found[step] = score if mover(after) == seat else -score
        return found

    def choose(self, state: State, seed: int) -> Analysis | None:
        """The analysis with the step to play in *state* and the expected line; None where the book has nothing."""
        own = self._book.get(key_of(state))
        scores = {} if own is None else self.scores(state)  # most positions of a game are in no book
        best = max(scores.values(), default=-MOST)
        if not scores or own is None or best < own:
            return None
        step = Random(seed).choice([step for step, score in scores.items() if score >= best - VARIETY])
        line, after = [step], play(state, step)
        while len(line) < _MOST_TOLD:
            following = self.scores(after)
            if not following:
                break
            line.append(max(following, key=following.__getitem__))
            after = play(after, line[-1])
        score = scores[step] * self._scale / UNITS
        return Analysis(step, score, int(mover(state)), principal_variation=tuple(line), is_by_book=True)


def openings_of(game: Game) -> Openings | None:
    """The bundled openings of *game*; None where it has none, is solved, or the file is damaged."""
    book = None if is_solved(game) else _bundled(asset_of(game), game.name)
    return None if book is None else Openings(book, game.rules.MOST_STEPS, float(evaluation_of(game).SCALE))


@cache
def _bundled(asset: str, game: str) -> Book | None:
    return ASSETS.open(asset, lambda path: Book.read(path, game)) if asset in ASSETS.digests else None
