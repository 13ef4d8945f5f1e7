"""The time, for compiled code that has to end in time: Python's own performance counter, read without its lock.

A thread that rings when the time is up would have to wait for a processor first, and on a busy machine that takes
longer than the search.
"""

from __future__ import annotations

import ctypes
import time

from papan.game.kernel import instruction

NEVER = (1 << 63) - 1
"""A time that does not come."""

_SECOND = 10**9
_LONGEST = 1e9  # seconds; what is longer, and would not fit, is as good as that

SYMBOLS = {"PyTime_PerfCounterRaw": "papan_clock_by_pointer", "_PyTime_GetPerfCounter": "papan_clock"}
"""The C functions of Python that tell the time, from 3.13 on and before, and what compiled code calls them."""


@instruction("clock")
def clock() -> int:
    """The nanoseconds of ``time.perf_counter_ns``.

    >>> clock() <= time.perf_counter_ns() <= clock()
    True
    """
    return time.perf_counter_ns()


def time_after(seconds: float | None) -> int:
    """What ``clock`` will say after so many *seconds* from now; ``NEVER`` for None.

    >>> time_after(None) == NEVER, 0 < time_after(2.0) - clock() <= 2 * 10**9
    (True, True)
    """
    return NEVER if seconds is None else time.perf_counter_ns() + int(min(seconds, _LONGEST) * _SECOND)


def symbol_of_clock() -> tuple[str, int]:
    """What compiled code calls Python's clock, and where in memory that is.

    :raises ImportError: this Python has none that can be called.
    """
    for name, symbol in SYMBOLS.items():
        function = getattr(ctypes.pythonapi, name, None)
        address = ctypes.cast(function, ctypes.c_void_p).value if function is not None else None
        if address is not None:
            return symbol, address
    raise ImportError(f"this Python offers compiled code no clock: one of {', '.join(SYMBOLS)} has to be there")
