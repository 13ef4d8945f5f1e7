"""Files of learned weights: numpy's ``.npz`` with a JSON header.

Most weights of a network are never used, so a file has a bit for each, and omits unknown weights.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from lzma import LZMAError
from math import ceil
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar
from zipfile import ZIP_LZMA, BadZipFile, ZipFile, ZipInfo

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from papan.ai.learning.compact import read_compact
from papan.ai.learning.network import KeptForm, Vector
from papan.game.base import array_files
from papan.game.base.assets import ASSETS
from papan.game.base.large_arrays import large_array
from papan.game.base.places import atomic_file
from papan.game.base.sentences import SentenceError
from papan.game.base.untrusted import UnreadableError, parsed_json, quoted_path

log = logging.getLogger(__name__)

HEAD, KNOWN, WEIGHTS = "head", "known", "weights"
"""The names of arrays in files."""
KIND, VERSION = "Papan network", 1

MOST_BYTES = 1 << 27
"""Of a file's arrays together, by default."""
_MOST_HEAD = 1 << 20
_MOST = (1 << 15) - 1
_BLOCK = 1 << 22
"""Weights whose bits are unpacked at a time, a multiple of eight."""

Read = TypeVar("Read")
Head = Mapping[str, Any]
Arrays = Mapping[str, NDArray[Any]]


class WeightFileError(SentenceError, ValueError):
    """A file lacks the expected arrays; the message is a sentence that says why."""


def read_arrays(
    path: Path, kinds: Mapping[str, npt.DTypeLike], most_bytes: int = MOST_BYTES
) -> dict[str, NDArray[Any]]:
    """The arrays of the file *path* that *kinds* names, each of that type.

    :raises WeightFileError: one is not there, or of another type, they are larger, or the file is damaged.
    """
    try:
        return array_files.read_arrays(path, kinds, most_bytes)
    except UnreadableError as error:
        raise WeightFileError(str(error)) from None


def keep_arrays(path: Path, provenance: str, **arrays: Any) -> None:
    """Write *arrays* by their names to the file *path*, and in words where they come from."""
    with atomic_file(path) as file:
        np.savez_compressed(file, provenance=np.array(provenance), **arrays)


def own_or_bundled(own: Path, asset: str, read: Callable[[Path], Read]) -> Read | None:
    """*read* the user's *own* file if there is one, else the *asset*; None if both are damaged.

    :param read: raises ``WeightFileError``, which is logged, for a wrong file.
    """
    if own.exists():
        try:
            return read(own)
        except WeightFileError as error:
            log.error("%s", error)
    return ASSETS.open(asset, read)


def write_arrays(file: IO[bytes], head: Head, arrays: Arrays, *, compressed: bool) -> None:
    """Write the JSON *head* and *arrays* to *file*.

    :param compressed: by LZMA, which numpy reads, a sixth smaller than its own compression.
    """
    written: dict[str, Any] = {HEAD: np.array(json.dumps(head, ensure_ascii=False)), **arrays}
    if not compressed:
        np.savez(file, **written)
        return
    with ZipFile(file, "w", ZIP_LZMA) as archive:
        for name, array in written.items():
            about = ZipInfo(f"{name}.npy")
            about.compress_type = ZIP_LZMA
            with archive.open(about, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def read_head(path: Path, kind: str, version: int) -> Head:
    """The head of the file *path*; raises WeightFileError if it is none of that *kind* and *version*."""
    text = read_arrays(path, {HEAD: np.str_}, _MOST_HEAD)[HEAD]
    try:
        head = parsed_json(str(text.item()).encode())
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("kind") != kind:
        raise WeightFileError.saying("{file} is not a file of this kind: {kind}.", file=quoted_path(path), kind=kind)
    if head.get("version") != version:
        raise WeightFileError.saying("{file} was written by another version of the program.", file=quoted_path(path))
    return head


def bits_of(is_known: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The array ``KNOWN``."""
    return np.packbits(is_known)


class Block(NamedTuple):
    """Consecutive weights of a network."""

    weights: slice
    is_known: NDArray[np.bool_]
    kept: slice
    """The range of the known ones in the file's arrays."""


def read_kept(path: Path, size: int, kinds: Mapping[str, npt.DTypeLike]) -> tuple[NDArray[Any], Arrays]:
    """Which of the *size* weights of a network the file *path* keeps, as bits, and the arrays *kinds* of those.

    :raises WeightFileError: it does not hold them, or more.
    """
    bits = read_arrays(path, {KNOWN: np.uint8}, (size + 7) // 8)[KNOWN]
    if bits.shape != ((size + 7) // 8,):
        raise misshapen(path, KNOWN)
    number = int(np.bitwise_count(bits).sum())
    return bits, read_arrays(path, kinds, sum(number * np.dtype(kind).itemsize for kind in kinds.values()))


def blocks_of(path: Path, bits: NDArray[Any], size: int, arrays: Arrays) -> Iterator[Block]:
    """The blocks of a network of *size* weights, for *bits* and *arrays* of ``read_kept``: so temporaries stay small.

    :raises WeightFileError: an array has another length; before the first block.
    """
    number = sum(int(np.count_nonzero(is_known)) for _, is_known in _unpacked(bits, size))
    for name, array in arrays.items():
        if array.shape != (number,) or (array.dtype.kind == "f" and not np.isfinite(array).all()):
            raise misshapen(path, name)
    begin = 0
    for weights, is_known in _unpacked(bits, size):
        end = begin + int(np.count_nonzero(is_known))
        yield Block(weights, is_known, slice(begin, end))
        begin = end


def _unpacked(bits: NDArray[Any], size: int) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
    for begin in range(0, size, _BLOCK):
        count = min(_BLOCK, size - begin)
        yield slice(begin, begin + count), np.unpackbits(bits[begin // 8 :], count=count).view(np.bool_)


def misshapen(path: Path, name: str) -> WeightFileError:
    return WeightFileError(str(array_files.misshapen(path, name)))


def keep_weights(
    file: IO[bytes],
    network: KeptForm,
    weights: Vector,
    is_known: NDArray[np.bool_],
    provenance: str,
    least_unit: float = 0.0,
    games: int = 0,
) -> None:
    """Write the known *weights*, in whole units, and their provenance; those that round to 0 become unknown.

    :param games: the number of training games.
    :param least_unit: a coarser unit makes a smaller file.
    """
    unit = max(least_unit, float(np.abs(weights[is_known]).max(initial=0.0)) / _MOST) or 1.0
    unit = float(ceil(unit)) if unit > 1.0 else unit  # compact weights are multiplied by whole numbers
    is_known = is_known & (np.abs(weights) > unit / 2.0)
    values = weights[is_known]
    head = {
        "kind": KIND, "version": VERSION, "network": network.as_data(), "unit": unit, "provenance": provenance,
        "games": games,
    }  # fmt: skip
    arrays = {KNOWN: bits_of(is_known), WEIGHTS: np.rint(values / unit).astype(np.int16)}
    write_arrays(file, head, arrays, compressed=True)


def read_weights(path: Path, network: KeptForm, before: NDArray[Any]) -> Vector:
    """The weights of *network* in the file *path*, 0 for unknown ones, behind those given as *before*.

    :raises WeightFileError: the file holds none of this network.
    """
    head = read_head(path, KIND, VERSION)
    unit = head.get("unit")
    if head.get("network") != network.as_data() or not isinstance(unit, float) or not np.isfinite(unit):
        raise misshapen(path, "network")
    bits, kept = read_kept(path, network.size, {WEIGHTS: np.int16})
    values = kept[WEIGHTS]
    found: Vector = large_array(len(before) + network.size, np.float32)
    found[: len(before)] = before
    learned = found[len(before) :]
    for block in blocks_of(path, bits, network.size, kept):
        learned[block.weights][block.is_known] = values[block.kept] * np.float32(unit)
    return found


def read_compact_weights(
    path: Path, network: KeptForm, before: int, is_wanted: Callable[[], bool] = lambda: True
) -> NDArray[np.int16]:
    """As ``read_weights``, as a compact array: see ``papan.ai.learning.compact``.

    :param before: the number of weights before the network's.
    :raises WeightFileError: the file holds none of this network, or its unit is no whole number.
    """
    head = read_head(path, KIND, VERSION)
    unit = head.get("unit")
    if head.get("network") != network.as_data() or not isinstance(unit, float) or unit not in range(1, _MOST):
        raise misshapen(path, "network")
    bits = read_arrays(path, {KNOWN: np.uint8})[KNOWN]
    if bits.shape != ((network.size + 7) // 8,):
        raise misshapen(path, KNOWN)
    try:
        return read_compact(path, int(unit), bits, WEIGHTS, before, is_wanted)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, LZMAError) as error:
        log.debug("%s: %s", path, error)
        raise misshapen(path, WEIGHTS) from None


def games_of(path: Path) -> int:
    """The number of games that the weights of the file *path* were learned from.

    :raises WeightFileError: it does not say so.
    """
    games = read_head(path, KIND, VERSION).get("games")
    if not isinstance(games, int) or games < 0:
        raise WeightFileError.saying("{file} is damaged: it does not say after how many games.", file=quoted_path(path))
    return games
