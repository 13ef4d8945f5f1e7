"""Room that compiled code has for itself: arrays of constant size, as long as the function that asks for them runs.

Compiled code asks the system for no memory, and so counts nobody's references to any: it is given arrays, and writes
to these, or takes ``zeros``. To count, in a way that threads can share, took up to a fifth of a search's time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.game.kernel import Subroutine


class Room(Subroutine[..., Any]):
    """The function by which compiled code takes room of its own."""

    @property
    def _numba_type_(self) -> Any:
        from papan.game.kernel import machine_types

        return machine_types.ROOM


@Room
def zeros(kind: Any, *counts: int) -> Any:
    """An array of numbers of a *kind* such as ``np.int64``, all 0, with that many of them along each axis.

    Compiled, *counts* are written out or constants of a module, and the array is gone when the function returns that
    asked for it: it hands it on to functions that it calls, and returns no array.

    >>> zeros(np.int64, 2, 3).shape
    (2, 3)
    """
    return np.zeros(counts, kind)
