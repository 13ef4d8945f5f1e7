"""Clocks: how much time each seat has for its turns, and how much is left of it.

A ``TimeControl`` is written into a match's record as in chess's PGN: the tag ``TimeControl`` with ``300+5`` for five
minutes a game and five seconds more for each turn, or ``1/30`` for thirty seconds a turn. A ``Clock`` measures; who has
to act is told by whoever conducts the match.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from papan.game.base.sentences import say

TAG = "TimeControl"
MOST_SECONDS = 24 * 3600
LONGEST_GAP = 1.0
"""Seconds between two looks at a clock: after more, nobody has seen the board meanwhile, and nothing counts."""
_PER_GAME = re.compile(r"([0-9]{1,5})\+([0-9]{1,4})")
_PER_TURN = re.compile(r"1/([0-9]{1,5})")
_RESERVE = 0.3
"""Seconds that a computer keeps back: for its move to be shown, and for a slow machine."""
_SHARE_OF_TURN = 0.6
"""Of the time for a turn, which may have several steps to think about."""
_TURNS_TO_COME = 40
"""For how many more turns a computer saves its time."""

_MOST_TIMES = 3.0
"""So many times what it usually thinks a computer thinks at most,"""
_MOST_OF_LEFT = 0.15
"""and no more than this part of what is left."""


class TimeControl(NamedTuple):
    """The time that each seat has.

    >>> TimeControl(300, 5).text, read_time_control("1/30")
    ('300+5', TimeControl(seconds=30, increment=0, is_per_turn=True))
    """

    seconds: int
    """For all its turns, or for each."""
    increment: int = 0
    """Seconds more after each turn."""
    is_per_turn: bool = False
    """Whether each turn has time of its own."""

    @property
    def text(self) -> str:
        """The control in the notation of records."""
        return f"1/{self.seconds}" if self.is_per_turn else f"{self.seconds}+{self.increment}"

    @property
    def words(self) -> str:
        """The control in a few words: "5 min a game, 5 s more a turn"."""
        if self.is_per_turn:
            return say("{seconds} s a turn", seconds=self.seconds)
        if self.seconds % 60:
            whole = say("{seconds} s a game", seconds=self.seconds)
        else:
            whole = say("{minutes} min a game", minutes=self.seconds // 60)
        if not self.increment:
            return whole
        return say("{whole}, {seconds} s more a turn", whole=whole, seconds=self.increment)


USUAL_CONTROLS = (
    TimeControl(60), TimeControl(180, 2), TimeControl(300), TimeControl(300, 5), TimeControl(600), TimeControl(600, 5),
    TimeControl(900, 10), TimeControl(1800), TimeControl(3600), TimeControl(10, is_per_turn=True),
    TimeControl(30, is_per_turn=True), TimeControl(60, is_per_turn=True), TimeControl(180, is_per_turn=True),
)  # fmt: skip
"""The controls that are offered, from the shortest on; those a turn last."""


def read_time_control(text: str) -> TimeControl | None:
    """The control that *text* stands for in a record; None where that is no clock: "", "-", or what nobody knows."""
    for pattern, is_per_turn in ((_PER_GAME, False), (_PER_TURN, True)):
        found = pattern.fullmatch(text)
        if found and 0 < int(found[1]) <= MOST_SECONDS:
            increment = 0 if is_per_turn else int(found[2])
            return TimeControl(int(found[1]), increment, is_per_turn)
    return None


class Clock:
    """The clock of one match: a time for each seat, of which one runs, or none."""

    def __init__(
        self,
        control: TimeControl,
        seats: int,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """:param now: the time in seconds, from any beginning."""
        self.control = control
        self._left = [float(control.seconds)] * seats
        self._now = now
        self._running: int | None = None
        self._looked_at = 0.0
        self._turns_credited = 0

    @property
    def left(self) -> tuple[float, ...]:
        """The seconds left to each seat, as of the last ``run``."""
        return tuple(self._left)

    def set(self, left: Sequence[float]) -> None:
        """Leave so many seconds to each seat; what does not fit the match is passed over."""
        if len(left) == len(self._left):
            self._left = [min(max(0.0, seconds), float(MOST_SECONDS)) for seconds in left]

    @property
    def running(self) -> int | None:
        """The seat whose time runs; None while the clock stands still."""
        return self._running

    @property
    def fallen(self) -> int | None:
        return next((seat for seat, seconds in enumerate(self._left) if seconds <= 0.0), None)

    def run(self, seat: int | None) -> None:
        """Take off what has passed since the last call, and let the time of *seat* run from now on; of none for None.

        Call it often while a clock runs: a gap longer than ``LONGEST_GAP`` does not count.
        """
        now = self._now()
        passed = now - self._looked_at
        if self._running is not None and 0.0 <= passed <= LONGEST_GAP:
            self._left[self._running] = max(0.0, self._left[self._running] - passed)
        self._running, self._looked_at = seat, now

    def turn_ended(self, seat: int, number: int) -> None:
        """Give *seat* what a turn brings.

        :param number: how many steps the match has now: a turn that is played again, after it was taken back, brings
            nothing.
        """
        if self.control.is_per_turn:
            self._left[seat] = float(self.control.seconds)
        elif number > self._turns_credited:
            self._left[seat] = min(self._left[seat] + self.control.increment, float(MOST_SECONDS))
        self._turns_credited = max(self._turns_credited, number)

    def turn_taken_back(self) -> None:
        """Give everybody a whole turn again, where each turn has time of its own."""
        if self.control.is_per_turn:
            self._left = [float(self.control.seconds)] * len(self._left)

    def allowance(self, seat: int) -> float:
        """The seconds that a computer in *seat* may think for its next step without running out of time later on."""
        left = self._left[seat] - _RESERVE
        wanted = (
            left * _SHARE_OF_TURN if self.control.is_per_turn else left / _TURNS_TO_COME + 0.8 * self.control.increment
        )
        return max(0.01, min(wanted, left))

    def most(self, seat: int) -> float | None:
        """The seconds that a computer in *seat* may think at most where a step is worth more than its ``allowance``.

        None where there are no more: what is left of a turn with a time of its own is lost.
        """
        if self.control.is_per_turn:
            return None
        wanted = self.allowance(seat)
        return max(wanted, min(_MOST_TIMES * wanted, (self._left[seat] - _RESERVE) * _MOST_OF_LEFT))


def clock_words(seconds: float) -> str:
    """The time left, as a clock shows it: below ten seconds with tenths.

    >>> [clock_words(seconds) for seconds in (3725.0, 251.4, 59.6, 9.96, 9.24, 0.0)]
    ['1:02:05', '4:12', '1:00', '0:10', '0:09.3', '0:00.0']
    """
    if seconds < 9.95:
        tenths = -int(-seconds * 10 // 1)
        return f"0:{tenths // 10:02}.{tenths % 10}"
    whole = -int(-seconds // 1)
    hours, rest = divmod(whole, 3600)
    minutes = f"{rest // 60:02}" if hours else str(rest // 60)
    return f"{hours}:{minutes}:{rest % 60:02}" if hours else f"{minutes}:{rest % 60:02}"
