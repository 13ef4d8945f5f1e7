"""The limit of a search, and its findings: the same types for every search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from papan.game.kernel.clock import own_clock

WIN = 1_000_000.0
"""The score of a game won on the spot; a win n turns away scores n less. No evaluation comes near."""

WIN_BOUND = WIN - 10_000.0
"""A score of at least this is a forced win."""

UNPROVEN = WIN / 10.0
"""The score of a win against all answers that were tried, where others were not: no forced win."""

UNTIMED_WIN = WIN_BOUND
"""The score of a forced win of which it is not known how soon."""


LEAST_TIME = 0.001
"""Seconds that a search is given at least."""

PATIENCE, LEAST_PATIENCE = 100.0, 60.0
"""So many times its seconds, and at least so many, by the wall's clock: then a bell rings whatever other clocks say."""
_WALL = time.perf_counter_ns


@dataclass(frozen=True)
class Limit:
    """The limits of a search, which ends at the first one reached. At least one must be set."""

    time: float | None = None
    """Seconds, by the clock that the process goes by (``papan.game.kernel.clock``)."""
    depth: int | None = None
    """Turns looked ahead."""
    nodes: int | None = None
    """Steps played on the search's board."""
    simulations: int | None = None
    """Random games of a Monte-Carlo search."""
    usual: float | None = None
    """Seconds that do in most positions, where a clock keeps what is left of them: ``time`` is for the others."""

    def within(self, seconds: float | None, usual: float | None = None) -> Limit:
        """The same limit, but not longer than so many *seconds*, and *usual* ones mostly; as it is for None.

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
        """The seconds for a search that can't tell which positions are worth more than the usual ones."""
        return self.time if self.usual is None else self.usual

    def after(self, seconds: float) -> Limit:
        """What is left of the limit when so many *seconds* have passed: a millisecond at least.

        >>> Limit(time=1.0, depth=4).after(0.75).time, Limit(time=1.0).after(2.0).time, Limit(depth=4).after(2.0).time
        (0.25, 0.001, None)
        """
        left, usual = (None if was is None else max(LEAST_TIME, was - seconds) for was in (self.time, self.usual))
        return replace(self, time=left, usual=usual)


@contextmanager
def ringing(
    seconds: float | None, action: Callable[[], None], clock: Callable[[], int] | None = None
) -> Iterator[Callable[[], bool]]:
    """Call *action*, from another thread, if this lasts longer than so many *seconds*; never for None.

    Yields what tells whether it has rung: an *action* that stops a search is lost on one that has not begun yet, which
    has to be told as well.

    :param clock: tells the nanoseconds to any thread; default: ``own_clock``. Where that is no wall's clock, it
        also rings after ``PATIENCE``: who waits for something uses no processor, and would never be late.
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
    """Ring once a clock has come to its deadline, both in nanoseconds, unless all is over before."""
    try:
        while (left := min(deadline - now() for now, deadline in deadlines)) > 0:
            if is_over.wait(max(LEAST_TIME, left / 1e9)):  # no clock is quicker than the wall's
                return
    except OSError:
        return  # the thread whose clock it was has ended, so all is over
    ring()


@dataclass(frozen=True)
class Line:
    """The findings of a search on one of the steps that it could take."""

    step: int
    score: float
    """The score of the step, on the scale and from the point of view of the ``Analysis`` that it belongs to."""
    principal_variation: tuple[int, ...] = ()
    """The steps that both sides are expected to play, ``step`` first."""
    is_proven: bool = False
    """Whether the score is the game's true value."""
    visits: int = 0
    """How many random games of a Monte-Carlo search went through the step."""
    bounds: tuple[float, float] | None = None
    """The bounds of the true score; None where they are not told."""


@dataclass(frozen=True)
class Analysis:
    """The findings of a search on one state."""

    step: int
    """The step it would play."""
    score: float
    """The step's score for ``seat``, in the evaluation's units; beyond ``WIN_BOUND`` a forced win."""
    seat: int
    """Whose point of view ``score`` is: the seat that was to act."""
    depth: int = 0
    """Turns looked ahead throughout."""
    nodes: int = 0
    simulations: int = 0
    seconds: float = 0.0
    principal_variation: tuple[int, ...] = ()
    """The steps that both sides are expected to play, ``step`` first."""
    is_proven: bool = False
    """Whether the score is the game's true value: a forced result, or the tree was searched to its ends."""
    promises: tuple[float, ...] = ()
    """The step's score for each seat, in a game of more than two sides, where the search says (maxⁿ)."""
    lines: tuple[Line, ...] = ()
    """The best steps with what each promises, best first: as many as were asked for."""
    bounds: tuple[float, float] | None = None
    """The bounds of the true score; None where they are not told."""
    is_by_book: bool = False
    """Whether nothing was searched: the step stands in an opening book."""

    @property
    def win_distance(self) -> int | None:
        """In how many turns of both sides the game is won (positive) or lost (negative); None if neither."""
        return win_distance(self.score)


def win_distance(score: float) -> int | None:
    """Turns to a forced win (positive) or loss (negative) that *score* stands for; None if neither, or not known.

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
