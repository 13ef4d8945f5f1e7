"""When a search ends: by its nodes and the time, and at which depth no other iteration would be of use."""

from __future__ import annotations

from typing import Any

from papan.ai.limits import Limit
from papan.game.kernel import subroutine
from papan.game.kernel.clock import NEVER, clock, time_after


class Pace:
    """The times of one search's iterations, and what its limit allows.

    The next iteration is expected to take longer than the last by the least growth of the last two, and is not begun
    where that would be too late. Where time left over is lost, what counts is the time to its first useful result, its
    first step; where a clock keeps it, the whole iteration.
    """

    def __init__(self, limit: Limit) -> None:
        self.deadline = time_after(limit.time)
        """When the search has to end, on the scale of ``clock``; ``NEVER`` without a limit."""
        self._is_saving = limit.usual is not None
        self._usual = min(time_after(limit.usual), self.deadline)
        self._began = 0
        self._first: list[int] = []  # nanoseconds until an iteration was of use
        self._whole: list[int] = []
        self._scores: list[float] = []

    def in_part(self, part: float) -> int:
        """When that *part* of the time left is over; ``NEVER`` without a limit."""
        now = clock()
        return NEVER if self._usual == NEVER else now + int(part * max(0, self._usual - now))

    @property
    def is_late(self) -> bool:
        return self.deadline != NEVER and clock() >= self.deadline

    def begin(self) -> None:
        self._began = clock()
        del self._first[len(self._whole) :]

    def of_use(self) -> None:
        """Note that the iteration has its first useful result."""
        if len(self._first) == len(self._whole):
            self._first.append(clock() - self._began)

    def end(self, score: float) -> None:
        self.of_use()
        self._whole.append(clock() - self._began)
        self._scores.append(score)

    @property
    def may_go_on(self) -> bool:
        if self.deadline == NEVER and not self._is_saving:
            return True
        if not self._whole:
            return not self.is_late
        if not self._is_saving:
            return clock() + self._expected(self._first) < self.deadline
        until = self.deadline if self._falls else self._usual
        return clock() + self._expected(self._whole) < until

    def _expected(self, times: list[int]) -> int:
        """The least time that the next iteration takes for what took these *times* before."""
        grown = [later / max(sooner, 1) for sooner, later in zip(times[-3:], times[-2:], strict=False)]
        return int(times[-1] * max(1.0, min(grown, default=1.0)))

    @property
    def _falls(self) -> bool:
        """Whether the last score fell by more than scores change from one depth to the next."""
        if len(self._scores) < 3:
            return False
        one, other, last = self._scores[-3:]
        return last < min(one, other) - abs(one - other)


NODES_BETWEEN_LOOKS = 64
"""Nodes between two looks at the clock, which costs as much as a node of the quickest games."""


@subroutine
def look_at_limits(work: Any) -> None:
    """Stop the search of *work* if a limit is reached, and set when to look again.

    To be called where ``work.nodes`` has reached ``work.look_at``.
    """
    if work.nodes >= work.node_limit or clock() >= work.deadline:
        work.stop = 1
    work.look_at = min(work.node_limit, work.nodes + NODES_BETWEEN_LOOKS)
