"""Arrays that strangers give, in numpy's ``.npz``: what a file says of them is looked at before anything is allocated.

A file of megabytes may unpack to terabytes, and what it says of itself may be untrue. So only the arrays that are
asked for are unpacked, in small parts, and nothing that a file holds is ever run.
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

from papan.game.base.foreign import UnreadableError, open_file, quoted_path, too_large
from papan.game.base.sentences import say

_MOST_DIRECTORY = 1 << 20
"""Bytes of the list of what an archive holds."""
_PART = 1 << 12
"""Bytes that are unpacked at a time: by LZMA each may become thousands, and ``zipfile`` sets no bound."""
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


class _Begun(NamedTuple):
    """An array of which the header has been read."""

    member: IO[bytes]
    rest: bytes
    """What has been read behind the header."""
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    order: Any
    size: int
    """Bytes."""


def read_arrays(path: Path, kinds: Mapping[str, npt.DTypeLike], most_bytes: int) -> dict[str, NDArray[Any]]:
    """The arrays of the file *path* that *kinds* names, each of that type.

    :param most_bytes: of all these together.
    :raises UnreadableError: the file can't be read, is damaged, or one of them is not there, or of another type, or
        they are larger.
    """
    with open_file(path) as file:
        try:
            with ZipFile(_InParts(file)) as archive:
                begun = {name: _begin(archive, name) for name in kinds}
                for name, kind in kinds.items():
                    if not np.issubdtype(begun[name].dtype, kind):
                        raise misshapen(path, name)
                if sum(array.size for array in begun.values()) > most_bytes:
                    raise too_large(path.name, most_bytes)
                return {name: _read(array) for name, array in begun.items()}
        except UnreadableError:
            raise
        except Exception as error:  # a damaged file leads deep into zipfile, zlib and numpy
            reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            raise UnreadableError(
                say("{file} holds no weights: {reason}.", file=quoted_path(path), reason=reason)
            ) from None


def misshapen(path: Path, name: str) -> UnreadableError:
    """That the array *name* of the file *path* is not what it should be."""
    return UnreadableError(
        say("{file} is damaged, or of another network: {array} does not fit.", file=quoted_path(path), array=name)
    )


def _begin(archive: ZipFile, name: str) -> _Begun:
    """:raises Exception: the array is not there, or what is said of it can't be."""
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
    """:raises Exception: there is less than was said."""
    found: NDArray[Any] = np.empty(array.size, np.uint8)
    begin, part = 0, array.rest
    while begin < array.size:
        if not part:
            raise EOFError
        found[begin : begin + len(part)] = np.frombuffer(part, np.uint8)
        begin += len(part)
        part = array.member.read(_PART)
    return found.view(array.dtype).reshape(array.shape, order=array.order)


class _InParts:
    """A file of which nothing large is read at once, whatever it says of itself."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, number: int = -1) -> bytes:
        """:raises BadZipFile: that is too much."""
        found = self._file.read(number if 0 <= number <= _MOST_DIRECTORY else _MOST_DIRECTORY + 1)
        if len(found) > _MOST_DIRECTORY:
            raise BadZipFile
        return found
