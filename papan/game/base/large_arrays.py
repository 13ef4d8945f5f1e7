"""Large arrays whose memory returns to the system as soon as they are freed.

After a large block was freed, glibc takes the next blocks of that size from its heap, which can't shrink below anything
allocated above them. So a program that allocates tables or pictures again and again would grow.
"""

from __future__ import annotations

import contextlib
import mmap
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

_PAGE = 4096
_MOST_TOUCHED = 1 << 28


def large_array(length: int, kind: npt.DTypeLike) -> Any:
    """An array of *length* zeros of *kind*. The system provides memory page by page when it is first written."""
    size = max(1, length * np.dtype(kind).itemsize)
    if sys.platform == "win32":
        memory = mmap.mmap(-1, size)
    else:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a kernel without large pages
            memory.madvise(mmap.MADV_HUGEPAGE)  # as numpy does: tables are read at random
    return np.frombuffer(memory, kind, length)


def touch(array: Any) -> None:
    """Have the system provide the memory of *array* now, which is faster than at each first write.

    Very large arrays are left out, as most of them may never be written. The content stays.
    """
    if array.nbytes <= _MOST_TOUCHED:
        np.asarray(array).view(np.uint8).reshape(-1)[::_PAGE] |= 0
