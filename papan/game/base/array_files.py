"""Read arrays of untrusted files.

An ``.npz`` file may unpack to terabytes and declare wrong sizes. So only the requested arrays are unpacked, in small
chunks, after their headers were checked. No content is ever executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from math import prod
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, BadZipFile, ZipFile

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy
from numpy.typing import NDArray

from papan.game.base.untrusted import UnreadableError, open_file, quoted_path, too_large

_MOST_DIRECTORY = 1 << 20
"""Bytes of an archive's directory."""
_PART = 1 << 12
"""Bytes to unpack at a time; with LZMA each may unpack to thousands, and ``zipfile`` sets no limit."""
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


class _Begun(NamedTuple):
    """An array after its header was read."""

    member: IO[bytes]
    rest: bytes
    """The bytes already read after the header."""
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    order: Any
    size: int
    """Bytes."""


def read_arrays(path: Path, kinds: Mapping[str, npt.DTypeLike], most_bytes: int) -> dict[str, NDArray[Any]]:
    """The arrays in *kinds*, name to type, of the ``.npz`` file *path*.

    :param most_bytes: the limit of all arrays together.
    :raises UnreadableError: the file can't be read or is damaged, an array is missing or has another type, or the limit
        is exceeded.
    """
    with open_file(path) as file:
        try:
            with ZipFile(_BoundedReader(file)) as archive:
                begun = {name: _begin(archive, name) for name in kinds}
                for name, kind in kinds.items():
                    if not np.issubdtype(begun[name].dtype, kind):
                        raise misshapen(path, name)
                if sum(array.size for array in begun.values()) > most_bytes:
                    raise too_large(path.name, most_bytes)
                return {name: _read(array) for name, array in begun.items()}
        except UnreadableError:
            raise
        except Exception as error:  # zipfile, zlib and numpy raise anything for damaged files
            reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            raise UnreadableError.saying(
                "{file} holds no weights: {reason}.", file=quoted_path(path), reason=reason
            ) from None


def mapped_array(path: Path, kind: npt.DTypeLike) -> NDArray[Any]:
    """The one-dimensional array of *kind* in the ``.npy`` file *path*, read from the disk where it is used.

    :raises UnreadableError: the file can't be read or is damaged, or its array has another type or shape.
    """
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        raise UnreadableError.saying("{file} can't be read: {reason}.", file=quoted_path(path), reason=reason) from None
    if not isinstance(found, np.ndarray) or found.dtype != np.dtype(kind) or found.ndim != 1:
        raise UnreadableError.saying("{file} is damaged: it has another shape.", file=quoted_path(path))
    return found


def misshapen(path: Path, name: str) -> UnreadableError:
    return UnreadableError.saying(
        "{file} is damaged, or of another network: {array} does not fit.", file=quoted_path(path), array=name
    )


def _begin(archive: ZipFile, name: str) -> _Begun:
    """Read the header of an array; raises anything if it is missing or damaged."""
    about = archive.getinfo(f"{name}.npy")
    if about.compress_type not in (ZIP_STORED, ZIP_DEFLATED, ZIP_LZMA):
        raise BadZipFile
    member = archive.open(about)
    start = BytesIO(member.read(_PART))
    shape, is_fortran, dtype = _HEADERS[npy.read_magic(start)](start)
    size = prod(shape) * dtype.itemsize
    if dtype.hasobject or not dtype.itemsize or min(shape, default=0) < 0 or start.tell() + size != about.file_size:
        raise BadZipFile
    return _Begun(member, start.read(), dtype, shape, "F" if is_fortran else "C", size)


def _read(array: _Begun) -> NDArray[Any]:
    """Read the rest of an array; raises anything if it is damaged."""
    found: NDArray[Any] = np.empty(array.size, np.uint8)
    begin, part = 0, array.rest
    while begin < array.size:
        if not part:
            raise EOFError
        found[begin : begin + len(part)] = np.frombuffer(part, np.uint8)
        begin += len(part)
        part = array.member.read(_PART)
    return found.view(array.dtype).reshape(array.shape, order=array.order)


class _BoundedReader:
    """A file that refuses large reads, even if its directory allows them."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, number: int = -1) -> bytes:
        """Read up to *number* bytes; raises BadZipFile for too many."""
        found = self._file.read(number if 0 <= number <= _MOST_DIRECTORY else _MOST_DIRECTORY + 1)
        if len(found) > _MOST_DIRECTORY:
            raise BadZipFile
        return found
