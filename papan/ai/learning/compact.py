"""Learned weights in a fifth of the memory: only the known ones, with a rank index.

A bit for each weight says whether it is known; each row of ``ROW`` bits has the number of known weights before it
(Jacobson, "Space-efficient Static Trees and Graphs", 1989). A look-up takes two memory accesses instead of one, so
counted searches use plain arrays, and tables of the window this.

All of it is one array of ``int16``, which a search takes in place of ``float32`` weights:

- the head: ``UNIT``, the unit of the whole numbers; ``BEFORE``, the number of a game's own weights before the
  network's; ``ROWS``, the number of rows, in two words;
- the rows: their bits in two words, the count in two words, the lower word first;
- the known weights, in units.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from papan.game.base.large_arrays import large_array
from papan.game.kernel import subroutine
from papan.game.kernel.bits import popcount

LEAST_SIZE = 1 << 25
"""Networks of fewer weights stay plain arrays."""
COMPACT_BYTES = 2
"""Of an entry; plain vectors' entries have more."""
ROW = 32
UNIT, BEFORE, ROWS = 0, 1, 2
_HEAD = 4
_WORDS = 4
_LOW = 0xFFFF
_CHUNK = 1 << 17


@subroutine
def word_at(weights: Any, place: int) -> int:
    """Return the 32 bits at *place* and the place after it."""
    return (int(weights[place]) & _LOW) | (int(weights[place + 1]) & _LOW) << 16


@subroutine
def weight_at(weights: Any, place: int) -> float:
    """The weight at *place* of a plain or compact vector."""
    if weights.itemsize == COMPACT_BYTES:
        index = place - int(weights[BEFORE])
        row = _HEAD + _WORDS * (index // ROW)
        bits, below = word_at(weights, row), index % ROW
        if bits >> below & 1 == 0:
            return 0.0
        known = word_at(weights, row + 2) + popcount(bits & ((1 << below) - 1))
        return float(int(weights[_HEAD + _WORDS * word_at(weights, ROWS) + known]) * int(weights[UNIT]))
    return float(weights[place])


class NotWantedError(Exception):
    """Reading was cancelled."""


def read_compact(
    path: Path, unit: int, bits: NDArray[np.uint8], member: str, before: int, is_wanted: Callable[[], bool]
) -> NDArray[np.int16]:
    """Return the compact weights of a network from the array *member* of the file *path*, read chunk by chunk.

    :param unit: the weight of 1.
    :param bits: which weights are known, as ``weight_files.bits_of`` packs them.
    :param before: how many of the game's own weights come before the network's; compact weights leave them out.
    :param is_wanted: polled while the file is read, which takes seconds.
    :raises ValueError: their number or type is wrong.
    :raises NotWantedError: *is_wanted* returned false.
    """
    number = int(np.bitwise_count(bits).sum(dtype=np.int64))
    rows = -(-len(bits) * 8 // ROW)
    compact: NDArray[np.int16] = large_array(_HEAD + _WORDS * rows + number, np.int16)
    compact[:_HEAD] = np.array([unit, before, *np.array([rows], np.uint32).view(np.int16)])
    table = compact[_HEAD : _HEAD + _WORDS * rows].view(np.uint32).reshape(rows, 2)
    for begin in range(0, rows, _CHUNK):
        some = bits[begin * ROW // 8 : (begin + _CHUNK) * ROW // 8]
        padded = np.zeros(-(-len(some) // 4) * 4, np.uint8)
        # Files have a row's first bit highest.
        padded[: len(some)] = np.packbits(np.unpackbits(some).reshape(-1, 8), axis=1, bitorder="little").ravel()
        table[begin : begin + _CHUNK, 0] = padded.view("<u4")
    counts = np.bitwise_count(table[:, 0])
    np.cumsum(counts[:-1], out=table[1:, 1])
    with ZipFile(path) as archive, archive.open(f"{member}.npy") as file:
        version = np.lib.format.read_magic(file)
        if version != (1, 0):
            raise ValueError(f"an array of version {version}")
        shape, _, kind = np.lib.format.read_array_header_1_0(file)
        if shape != (number,) or kind != np.dtype("<i2"):
            raise ValueError(f"an array of {shape} {kind}")
        values = compact[_HEAD + _WORDS * rows :].view(np.uint8)
        for begin in range(0, len(values), _CHUNK):
            if not is_wanted():
                raise NotWantedError
            chunk = np.frombuffer(file.read(min(_CHUNK, len(values) - begin)), np.uint8)
            values[begin : begin + len(chunk)] = chunk
    compact.flags.writeable = False
    return compact
