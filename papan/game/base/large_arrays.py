"""Large arrays whose memory goes back to the system as soon as they are dropped.

The heap of the C library doesn't promise that. Once a large block was freed, glibc takes the next ones of its size from
the heap, which whatever is allocated above them then keeps from shrinking: a program in
which tables, or pictures, come and go grows.
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
    """An array of *length* zeros of *kind*. The system provides its memory page by page, as it is written to."""
    size = max(1, length * np.dtype(kind).itemsize)
    if sys.platform == "win32":
        memory = mmap.mmap(-1, size)
    else:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a kernel without large pages
            memory.madvise(mmap.MADV_HUGEPAGE)  # as numpy does: a table is read here and there
    return np.frombuffer(memory, kind, length)


def touch(array: Any) -> None:
    """Have the system provide the memory of *array* now, and not when it is first written to, which takes longer.

    Of a very large one the system provides what is written to: most of it may never be. What it holds stays as it is.
    """
    if array.nbytes <= _MOST_TOUCHED:
        np.asarray(array).view(np.uint8).reshape(-1)[::_PAGE] |= 0
