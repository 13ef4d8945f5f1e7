"""The clock of time limits, in Python and in compiled code, read without Python's lock.

Searches read it themselves: a timer thread would wait for a processor, on a busy machine longer than the search takes.

The *wall* clock is Python's performance counter. A process without a window may use the *processor* time of each
thread instead, so that a time limit allows the same work on a busy machine as on a quiet one. Compiled code is the same
for both: a cell of memory says which one to read.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from papan.game.base.sentences import Sentence, figures, say
from papan.game.kernel import instruction

NEVER = (1 << 63) - 1
"""A time that is never reached."""

_SECOND = 10**9
_LONGEST = 1e9  # seconds; longer limits are shortened to this, so that they fit

WALL, PROCESSOR = "wall", "processor"
CLOCKS = (WALL, PROCESSOR)
"""The names of the clocks."""

COARSEST = 10**6
"""Most nanoseconds between two steps of a thread's clock that may limit players."""
_STEPS_SEEN, _MOST_LOOKS = 3, 10**6

SYMBOLS = {"PyTime_PerfCounterRaw": "papan_clock_by_pointer", "_PyTime_GetPerfCounter": "papan_clock"}
"""Python's C functions for the time, from 3.13 on and before, and their names in compiled code."""

CELL, READER = "papan_chosen_clock", "papan_read_clock"
"""Names in compiled code of the cell with the chosen clock, and of the system's function that reads a clock."""

_WALL_ID = -1
_cell = ctypes.c_int64(_WALL_ID)  # the system's number of the clock, or _WALL_ID for Python's


class ClockError(ValueError):
    """This clock can't be used; the message is a sentence that says why."""


@instruction("clock")
def clock() -> int:
    """Nanoseconds of the chosen clock: ``time.perf_counter_ns``, or the processor time of this thread.

    >>> clock() <= time.perf_counter_ns() <= clock()
    True
    """
    return time.perf_counter_ns() if _cell.value == _WALL_ID else time.thread_time_ns()


def clock_seconds() -> float:
    """Seconds of ``clock``; only differences within one thread have a meaning."""
    return clock() / _SECOND


def time_after(seconds: float | None) -> int:
    """The value of ``clock`` in *seconds* from now; ``NEVER`` for None.

    >>> time_after(None) == NEVER, 0 < time_after(2.0) - clock() <= 2 * 10**9
    (True, True)
    """
    return NEVER if seconds is None else clock() + int(min(seconds, _LONGEST) * _SECOND)


# ------------------------------------------------------------------------------------ the choice of the clock


def chosen_clock() -> str:
    """The name of this process's clock."""
    return WALL if _cell.value == _WALL_ID else PROCESSOR


@contextmanager
def timed_by(name: str) -> Iterator[None]:
    """Use the clock *name* in this process meanwhile; no time limit may be running when it changes.

    :raises ClockError: this system has none that is fine enough.
    """
    if name == PROCESSOR:
        why_not = why_no_processor_clock()
        if why_not:
            raise ClockError(why_not)
    before = _cell.value
    _cell.value = _WALL_ID if name == WALL else time.CLOCK_THREAD_CPUTIME_ID
    try:
        yield
    finally:
        _cell.value = before


def own_clock() -> Callable[[], int]:
    """A function for any thread that reads the ``clock`` of the thread that called this, in nanoseconds.

    It raises ``OSError`` once that thread has ended.
    """
    if _cell.value == _WALL_ID:
        return time.perf_counter_ns
    own = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime_ns(own)


def why_no_processor_clock(read: Callable[[], int] = time.thread_time_ns) -> Sentence | None:
    """Why this process can't use processor time; None if it can.

    :param read: returns the thread's clock in nanoseconds.
    """
    if address_of_reader() is None or not hasattr(time, "pthread_getcpuclockid"):
        return say("This system can't tell how much processor time another thread has used.")
    step = _step_of(read)
    if step > COARSEST:
        return say(
            "This system measures processor time in steps of {step} ms; limiting players needs steps of {most} ms or "
            "less.",
            step=figures(step / 10**6, ".1f"),
            most=figures(COARSEST / 10**6, "g"),
        )
    return None


def _step_of(read: Callable[[], int]) -> int:
    """The step of the clock *read*, in nanoseconds: the least of several, as another thread may run in between."""
    steps: list[int] = []
    before = read()
    for _ in range(_MOST_LOOKS):
        now = read()
        if now != before:
            steps.append(now - before)
            before = now
        if len(steps) == _STEPS_SEEN:
            break
    return min(steps, default=_SECOND)


# --------------------------------------------------------------------------------- for compiled code


def symbol_of_clock() -> tuple[str, int]:
    """The name of Python's clock in compiled code, and its address.

    :raises ImportError: this Python has none that can be called.
    """
    for name, symbol in SYMBOLS.items():
        function = getattr(ctypes.pythonapi, name, None)
        address = ctypes.cast(function, ctypes.c_void_p).value if function is not None else None
        if address is not None:
            return symbol, address
    raise ImportError(f"this Python offers compiled code no clock: one of {', '.join(SYMBOLS)} has to be there")


def address_of_cell() -> int:
    """The address of the chosen clock's number, 64 bits; negative for Python's clock."""
    return ctypes.addressof(_cell)


def address_of_reader() -> int | None:
    """The address of POSIX's ``clock_gettime`` with times of two 64-bit numbers; None if there is none."""
    if sys.maxsize < 1 << 32 or not hasattr(time, "CLOCK_THREAD_CPUTIME_ID"):
        return None
    function = getattr(ctypes.CDLL(None), "clock_gettime", None)
    return None if function is None else ctypes.cast(function, ctypes.c_void_p).value
