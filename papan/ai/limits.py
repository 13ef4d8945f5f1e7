"""Limits of searches, their results, and scores: the same types for every search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from papan.game.kernel.clock import own_clock

WIN = 1_000_000.0
"""The score of a game won on the spot; a win n turns away scores n less."""
WIN_BOUND = WIN - 10_000.0
"""A score of at least this is a forced win."""
UNPROVEN = WIN / 10.0
"""The score of a win against all answers that were tried, while others were not."""
UNTIMED_WIN = WIN_BOUND
"""The score of a forced win at an unknown distance."""

LEAST_TIME = 0.001
"""Seconds that a search gets at least."""
PATIENCE, LEAST_PATIENCE = 100.0, 60.0
"""Factor and minimum in seconds of the wall time after which a watchdog rings, whatever other clocks say."""
_WALL = time.perf_counter_ns


@dataclass(frozen=True)
class Limit:
    """Limits of a search, which ends at the first one reached. At least one must be set."""

    time: float | None = None
    """Seconds, by the clock that the process goes by (``papan.game.kernel.clock``)."""
    depth: int | None = None
    """Turns looked ahead."""
    nodes: int | None = None
    simulations: int | None = None
    """Random games of a Monte-Carlo search."""
    usual: float | None = None
    """Seconds for most positions, where a clock keeps unused ones; ``time`` is the maximum."""

    def within(self, seconds: float | None, usual: float | None = None) -> Limit:
        """This limit, at most *seconds* long, *usual* seconds mostly; unchanged for None.

        >>> Limit(time=1.0, depth=4).within(0.5).time, Limit(depth=4).within(0.5).time, Limit(depth=4).within(None).time
        (0.5, 0.5, None)
        >>> Limit(time=1.0).within(3.0, usual=0.5)
        Limit(time=1.0, depth=None, nodes=None, simulations=None, usual=0.5)
        """
        if seconds is None:
            return self
        least = seconds if self.time is None else min(self.time, seconds)
        return replace(self, time=least, usual=self.usual if usual is None else min(usual, least))

    @property
    def plain_time(self) -> float | None:
        """The seconds for a search that does not extend its time."""
        return self.time if self.usual is None else self.usual

    def after(self, seconds: float) -> Limit:
        """The rest of the limit after *seconds*: at least ``LEAST_TIME``.

        >>> Limit(time=1.0, depth=4).after(0.75).time, Limit(time=1.0).after(2.0).time, Limit(depth=4).after(2.0).time
        (0.25, 0.001, None)
        """
        left, usual = (None if was is None else max(LEAST_TIME, was - seconds) for was in (self.time, self.usual))
        return replace(self, time=left, usual=usual)


@contextmanager
def watchdog(
    seconds: float | None, action: Callable[[], None], clock: Callable[[], int] | None = None
) -> Iterator[Callable[[], bool]]:
    """Call *action* from another thread if the block lasts longer than *seconds*; never for None.

    Yields a function that says whether it has rung, for a search that begins only after *action* stopped it.

    :param clock: nanoseconds, the same in all threads; default: ``own_clock``. As waiting uses no processor time, it
        also rings after ``PATIENCE`` of wall time.
    """
    rung, is_over = threading.Event(), threading.Event()

    def ring() -> None:
        rung.set()
        action()

    if seconds is not None:
        patience = max(LEAST_PATIENCE, PATIENCE * seconds)
        deadlines = [
            (now, now() + int(most * 1e9)) for now, most in ((clock or own_clock(), seconds), (_WALL, patience))
        ]
        threading.Thread(target=_watch, args=(deadlines, is_over, ring), daemon=True).start()
    try:
        yield rung.is_set
    finally:
        is_over.set()


def _watch(
    deadlines: Sequence[tuple[Callable[[], int], int]], is_over: threading.Event, ring: Callable[[], None]
) -> None:
    try:
        while (left := min(deadline - now() for now, deadline in deadlines)) > 0:
            if is_over.wait(max(LEAST_TIME, left / 1e9)):  # no clock is faster than the wall's
                return
    except OSError:
        return  # the thread whose clock it was has ended, so all is over
    ring()


@dataclass(frozen=True)
class Line:
    """What a search found for one of the steps."""

    step: int
    score: float
    principal_variation: tuple[int, ...] = ()
    """The expected steps of both sides, ``step`` first."""
    is_proven: bool = False
    """Whether the score is the game's true value."""
    visits: int = 0
    bounds: tuple[float, float] | None = None
    """The bounds of the true score; None if not known."""


@dataclass(frozen=True)
class Analysis:
    """What a search found for a state."""

    step: int
    score: float
    """The step's score for ``seat``, in the evaluation's units; beyond ``WIN_BOUND`` a forced win."""
    seat: int
    """The seat to act, whose point of view ``score`` is."""
    depth: int = 0
    nodes: int = 0
    simulations: int = 0
    seconds: float = 0.0
    principal_variation: tuple[int, ...] = ()
    """The expected steps of both sides, ``step`` first."""
    is_proven: bool = False
    """Whether the score is the game's true value."""
    promises: tuple[float, ...] = ()
    """The score for each seat in a game of more than two sides (maxⁿ)."""
    lines: tuple[Line, ...] = ()
    """The best steps, best first: as many as requested."""
    bounds: tuple[float, float] | None = None
    """The bounds of the true score; None if not known."""
    is_by_book: bool = False
    """Whether the step is from an opening book."""

    @classmethod
    def of(cls, lines: Sequence[Line], seat: int, **facts: Any) -> Analysis:
        """The analysis by *lines*, best first, with further *facts*."""
        step, score, variation = lines[0].step, lines[0].score, lines[0].principal_variation
        return cls(step, score, seat, principal_variation=variation, lines=tuple(lines), **facts)

    @property
    def win_distance(self) -> int | None:
        """Turns of both sides to a forced win (positive) or loss (negative); None if neither."""
        return win_distance(self.score)


def win_distance(score: float) -> int | None:
    """Turns to the forced win (positive) or loss (negative) of *score*; None if neither, or not known.

    >>> win_distance(WIN - 3), win_distance(-WIN + 2), win_distance(4.5), win_distance(UNTIMED_WIN)
    (3, -2, None, None)
    """
    if abs(score) <= UNTIMED_WIN:
        return None
    turns = round(WIN - abs(score))
    return turns if score > 0 else -turns


def own_turns(distance: int) -> int:
    """The number of turns that the winner still takes, where *distance* counts those of both sides.

    >>> own_turns(5), own_turns(-4), own_turns(0)
    (3, 2, 0)
    """
    return (abs(distance) + 1) // 2
