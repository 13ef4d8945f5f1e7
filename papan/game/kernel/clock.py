"""The time, for code that has to end in time, compiled or not: read without Python's lock.

A thread that rings when the time is up would have to wait for a processor first, and on a busy machine that takes
longer than the search.

By default it is Python's own performance counter, the *wall* clock. A process without a window may go by *processor*
time instead: each thread that asks is told how long processors have worked for it, so that who has so much of that does
the same on a busy machine as on a quiet one. Compiled code reads which of the two it is in a cell of memory, and is the
same for both.
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
"""A time that does not come."""

_SECOND = 10**9
_LONGEST = 1e9  # seconds; what is longer, and would not fit, is as good as that

WALL, PROCESSOR = "wall", "processor"
CLOCKS = (WALL, PROCESSOR)
"""The names of the clocks that a process may go by."""

COARSEST = 10**6
"""Nanoseconds between two steps of a thread's clock, beyond which no player is limited by it."""
_STEPS_SEEN, _MOST_LOOKS = 3, 10**6

SYMBOLS = {"PyTime_PerfCounterRaw": "papan_clock_by_pointer", "_PyTime_GetPerfCounter": "papan_clock"}
"""The C functions of Python that tell the time, from 3.13 on and before, and what compiled code calls them."""

CELL, READER = "papan_chosen_clock", "papan_read_clock"
"""What compiled code calls the cell that says which clock it is, and the system's function that reads it."""

_WALL_ID = -1
_cell = ctypes.c_int64(_WALL_ID)  # the system's number of the clock; Python's own for that of the wall


class ClockError(ValueError):
    """A clock can't be gone by; the message is a sentence that says why."""


@instruction("clock")
def clock() -> int:
    """The nanoseconds of ``time.perf_counter_ns``; where the process goes by processor time, of the thread's own.

    >>> clock() <= time.perf_counter_ns() <= clock()
    True
    """
    return time.perf_counter_ns() if _cell.value == _WALL_ID else time.thread_time_ns()


def clock_seconds() -> float:
    """The seconds of ``clock``: how long something takes is the difference of two, told to one thread."""
    return clock() / _SECOND


def time_after(seconds: float | None) -> int:
    """What ``clock`` will say after so many *seconds* from now; ``NEVER`` for None.

    >>> time_after(None) == NEVER, 0 < time_after(2.0) - clock() <= 2 * 10**9
    (True, True)
    """
    return NEVER if seconds is None else clock() + int(min(seconds, _LONGEST) * _SECOND)


# ------------------------------------------------------------------------------------ which clock it is


def chosen_clock() -> str:
    """The name of the clock that this process goes by."""
    return WALL if _cell.value == _WALL_ID else PROCESSOR


@contextmanager
def timed_by(name: str) -> Iterator[None]:
    """Have this process go meanwhile by the clock called *name*; nothing may be limited by time when it changes.

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
    """A function that tells the nanoseconds of the ``clock`` of the thread that calls this, asked from any thread.

    It raises ``OSError`` once that thread has ended.
    """
    if _cell.value == _WALL_ID:
        return time.perf_counter_ns
    own = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime_ns(own)


def why_no_processor_clock(read: Callable[[], int] = time.thread_time_ns) -> Sentence | None:
    """Why this process can't go by processor time; None where it can.

    :param read: tells the nanoseconds of the thread's clock.
    """
    if address_of_reader() is None or not hasattr(time, "pthread_getcpuclockid"):
        return say("This system does not tell one thread how long processors have worked for another.")
    step = _step_of(read)
    if step > COARSEST:
        return say(
            "This system counts a thread's processor time in steps of {step} ms, and players are limited by steps of "
            "{most} ms at most.",
            step=figures(step / 10**6, ".1f"),
            most=figures(COARSEST / 10**6, "g"),
        )
    return None


def _step_of(read: Callable[[], int]) -> int:
    """The nanoseconds between two times that *read* tells, the least of some: in between, another may have run."""
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
    """What compiled code calls Python's clock, and where in memory that is.

    :raises ImportError: this Python has none that can be called.
    """
    for name, symbol in SYMBOLS.items():
        function = getattr(ctypes.pythonapi, name, None)
        address = ctypes.cast(function, ctypes.c_void_p).value if function is not None else None
        if address is not None:
            return symbol, address
    raise ImportError(f"this Python offers compiled code no clock: one of {', '.join(SYMBOLS)} has to be there")


def address_of_cell() -> int:
    """Where in memory the number of the chosen clock is, of 64 bits; less than 0 for Python's."""
    return ctypes.addressof(_cell)


def address_of_reader() -> int | None:
    """Where in memory POSIX's ``clock_gettime`` is, whose times are two numbers of 64 bits; None where it is not."""
    if sys.maxsize < 1 << 32 or not hasattr(time, "CLOCK_THREAD_CPUTIME_ID"):
        return None
    function = getattr(ctypes.CDLL(None), "clock_gettime", None)
    return None if function is None else ctypes.cast(function, ctypes.c_void_p).value
