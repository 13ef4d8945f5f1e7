"""Clocks and time controls.

Records store a ``TimeControl`` as chess's PGN does: the tag ``TimeControl`` with ``300+5`` for five minutes a game and
an increment of five seconds a turn, or ``1/30`` for thirty seconds a turn.
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
"""Seconds between two readings of a clock; a longer gap is not counted, as the board was not visible meanwhile."""
_PER_GAME = re.compile(r"([0-9]{1,5})\+([0-9]{1,4})")
_PER_TURN = re.compile(r"1/([0-9]{1,5})")
_RESERVE = 0.3
"""Seconds that a computer keeps for showing its move and for slow machines."""
_SHARE_OF_TURN = 0.6
"""The share of a turn's time for one of its steps."""
_TURNS_TO_COME = 40
"""Expected turns to go."""

_MOST_TIMES = 3.0
"""A computer thinks at most this multiple of its usual time for a step,"""
_MOST_OF_LEFT = 0.15
"""and at most this share of the time left."""


class TimeControl(NamedTuple):
    """The time of each seat.

    >>> TimeControl(300, 5).text, read_time_control("1/30")
    ('300+5', TimeControl(seconds=30, increment=0, is_per_turn=True))
    """

    seconds: int
    """For the game or, if ``is_per_turn``, for each turn."""
    increment: int = 0
    """Seconds added after each turn."""
    is_per_turn: bool = False

    @property
    def text(self) -> str:
        """The notation in records."""
        return f"1/{self.seconds}" if self.is_per_turn else f"{self.seconds}+{self.increment}"

    @property
    def words(self) -> str:
        """The control in a few words."""
        if self.is_per_turn:
            return say("{seconds} s per turn", seconds=self.seconds)
        if self.seconds % 60:
            whole = say("{seconds} s per game", seconds=self.seconds)
        else:
            whole = say("{minutes} min per game", minutes=self.seconds // 60)
        if not self.increment:
            return whole
        return say("{whole}, plus {seconds} s per turn", whole=whole, seconds=self.increment)


USUAL_CONTROLS = (
    TimeControl(60), TimeControl(180, 2), TimeControl(300), TimeControl(300, 5), TimeControl(600), TimeControl(600, 5),
    TimeControl(900, 10), TimeControl(1800), TimeControl(3600), TimeControl(10, is_per_turn=True),
    TimeControl(30, is_per_turn=True), TimeControl(60, is_per_turn=True), TimeControl(180, is_per_turn=True),
)  # fmt: skip
"""The offered controls, the shortest first; those by turn come last."""


def read_time_control(text: str) -> TimeControl | None:
    """Read the control in a record's *text*; None for "", "-" and unknown texts."""
    for pattern, is_per_turn in ((_PER_GAME, False), (_PER_TURN, True)):
        found = pattern.fullmatch(text)
        if found and 0 < int(found[1]) <= MOST_SECONDS:
            increment = 0 if is_per_turn else int(found[2])
            return TimeControl(int(found[1]), increment, is_per_turn)
    return None


class Clock:
    """The clock of one match: a time for each seat; at most one runs."""

    def __init__(
        self,
        control: TimeControl,
        seats: int,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """:param now: a clock in seconds."""
        self.control = control
        self._left = [float(control.seconds)] * seats
        self._now = now
        self.running: int | None = None
        """The seat whose time runs, or None."""
        self._looked_at = 0.0
        self._turns_credited = 0

    @property
    def left(self) -> tuple[float, ...]:
        """The seconds left to each seat, as of the last ``run``."""
        return tuple(self._left)

    def set(self, left: Sequence[float]) -> None:
        """Set the seconds left to each seat; ignored if the number of seats is wrong."""
        if len(left) == len(self._left):
            self._left = [min(max(0.0, seconds), float(MOST_SECONDS)) for seconds in left]

    @property
    def fallen(self) -> int | None:
        return next((seat for seat, seconds in enumerate(self._left) if seconds <= 0.0), None)

    def run(self, seat: int | None) -> None:
        """Subtract the time since the last call, and let the time of *seat* run from now on; None stops the clock.

        Call it often: a gap longer than ``LONGEST_GAP`` does not count.
        """
        now = self._now()
        passed = now - self._looked_at
        if self.running is not None and 0.0 <= passed <= LONGEST_GAP:
            self._left[self.running] = max(0.0, self._left[self.running] - passed)
        self.running, self._looked_at = seat, now

    def turn_ended(self, seat: int, number: int) -> None:
        """Give *seat* its increment, or the time of a new turn.

        :param number: the number of steps now; a turn played again after an undo gets no increment.
        """
        if self.control.is_per_turn:
            self._left[seat] = float(self.control.seconds)
        elif number > self._turns_credited:
            self._left[seat] = min(self._left[seat] + self.control.increment, float(MOST_SECONDS))
        self._turns_credited = max(self._turns_credited, number)

    def turn_taken_back(self) -> None:
        """Reset all times of controls by turn."""
        if self.control.is_per_turn:
            self._left = [float(self.control.seconds)] * len(self._left)

    def allowance(self, seat: int) -> float:
        """The seconds that a computer in *seat* should usually think for its next step."""
        left = self._left[seat] - _RESERVE
        wanted = (
            left * _SHARE_OF_TURN if self.control.is_per_turn else left / _TURNS_TO_COME + 0.8 * self.control.increment
        )
        return max(0.01, min(wanted, left))

    def most(self, seat: int) -> float | None:
        """The maximum of seconds for a difficult step; None for controls by turn, where ``allowance`` is the most."""
        if self.control.is_per_turn:
            return None
        wanted = self.allowance(seat)
        return max(wanted, min(_MOST_TIMES * wanted, (self._left[seat] - _RESERVE) * _MOST_OF_LEFT))


def clock_words(seconds: float) -> str:
    """The time left as a clock shows it, with tenths below ten seconds.

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
