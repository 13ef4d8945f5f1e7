"""Whether a search that deepens step by step begins another iteration, by the time that those before have taken."""

from __future__ import annotations

from papan.ai.limits import Limit
from papan.game.kernel.clock import NEVER, clock, time_after


class Pace:
    """The times of one search's iterations, and what its limit allows.

    An iteration is foreseen to take longer than the one before by the least growth of the last two: what would be too
    late even so is not begun. Where time that is left over is lost, that is the part of it which an answer has
    something of, its first step; where a clock keeps it, the whole iteration.
    """

    def __init__(self, limit: Limit) -> None:
        self._deadline = time_after(limit.time)
        self._is_saving = limit.usual is not None
        self._usual = min(time_after(limit.usual), self._deadline)
        self._began = 0
        self._first: list[int] = []  # nanoseconds until an iteration was of use
        self._whole: list[int] = []
        self._scores: list[float] = []

    @property
    def deadline(self) -> int:
        """When the search has to end, as ``clock`` says it; the limit, or ``NEVER``."""
        return self._deadline

    def in_part(self, part: float) -> int:
        """When that *part* of the time left will be over; ``NEVER`` without a limit."""
        now = clock()
        return NEVER if self._usual == NEVER else now + int(part * max(0, self._usual - now))

    @property
    def is_late(self) -> bool:
        """Whether it is that late."""
        return self._deadline != NEVER and clock() >= self._deadline

    def begin(self) -> None:
        """An iteration begins."""
        self._began = clock()
        del self._first[len(self._whole) :]

    def of_use(self) -> None:
        """The iteration has come so far that an answer would have something of it."""
        if len(self._first) == len(self._whole):
            self._first.append(clock() - self._began)

    def end(self, score: float) -> None:
        """The iteration has ended with that *score* of the best step."""
        self.of_use()
        self._whole.append(clock() - self._began)
        self._scores.append(score)

    @property
    def may_go_on(self) -> bool:
        """Whether another iteration is worth beginning."""
        if self._deadline == NEVER and not self._is_saving:
            return True
        if not self._whole:
            return not self.is_late
        if not self._is_saving:
            return clock() + self._foreseen(self._first) < self._deadline
        until = self._deadline if self._falls else self._usual
        return clock() + self._foreseen(self._whole) < until

    def _foreseen(self, times: list[int]) -> int:
        """How long what took these *times* before takes at least in the next iteration."""
        grown = [later / max(sooner, 1) for sooner, later in zip(times[-3:], times[-2:], strict=False)]
        return int(times[-1] * max(1.0, min(grown, default=1.0)))

    @property
    def _falls(self) -> bool:
        """Whether the last score is lower than its coming and going from one depth to the next explains."""
        if len(self._scores) < 3:
            return False
        one, other, last = self._scores[-3:]
        return last < min(one, other) - abs(one - other)
