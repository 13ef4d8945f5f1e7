"""The course of a game by its single conspiracy numbers, one for each play.

Primanita, Khalid and Iida, "Computing Games: Bridging the Gap Between Search and Entertainment" (2021), figures 3, 4
and 7 to 10, equations 11 and 12. A play's number is that of the position before it, with its seat as MAX. Turns that
set up the board are no plays.

Zones and stages are those of table 7 and figures 11 and 12, for a single agent. The paper does not define low, middle
and high, nor the changeover gap: here normalised numbers, 0 to 1, are cut into thirds, and a gap is the distance from
the number of the same seat's previous play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

from papan.ai.evaluation import milestone
from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.indicators.motion import Motion, cap, normalise, rolling_motion
from papan.game.base.sentences import say
from papan.game.match import Match, Turn
from papan.game.perft import perft
from papan.game.rules import CHANCE, Rules, State, is_over, is_setting_up, legal_steps, mover, play

Value = TypeVar("Value")

LOW_BELOW, HIGH_FROM = 1 / 3, 2 / 3
"""The limits of low and high, for numbers and gaps."""
LEAST_TRAPPED = 3
"""Consecutive plays in the zone TRAP that make a stability trap."""


class Zone(Enum):
    """A cell of table 7. Its two thrilling cells are traps, too."""

    TRAP = say("trap")
    FAVOURABLE = say("favourable")
    UNCERTAIN = say("uncertain")
    THRILLING = say("thrilling")


class Stage(Enum):
    """What a player feels, by the paper's text."""

    APATHY = say("apathy")
    WORRY = say("worry")
    ANXIETY = say("anxiety")
    AROUSAL = say("arousal")
    FLOW = say("flow")
    CONTROL = say("control")


class Trap(NamedTuple):
    """A stability trap: the threshold stays near for several plays."""

    first: int
    last: int
    is_escaped: bool
    """Whether a later play left it (figure 11), or the series ends in it (figure 12)."""


_ZONES = (
    (Zone.TRAP, Zone.FAVOURABLE, Zone.FAVOURABLE),
    (Zone.UNCERTAIN, Zone.UNCERTAIN, Zone.UNCERTAIN),
    (Zone.FAVOURABLE, Zone.THRILLING, Zone.THRILLING),
)
"""By the level of the number, then by that of the gap: low, middle, high."""
_STAGES = (
    (Stage.CONTROL, Stage.FLOW, Stage.WORRY),
    (None, None, None),
    (Stage.APATHY, Stage.AROUSAL, Stage.ANXIETY),
)


def level(share: float) -> int:
    """0 for low, 1 for middle, 2 for high.

    >>> level(0.2), level(0.5), level(2 / 3)
    (0, 1, 2)
    """
    return 0 if share < LOW_BELOW else 1 if share < HIGH_FROM else 2


def gaps(series: Sequence[float]) -> list[float | None]:
    """The changeover gap of each play of one seat; None for its first."""
    return [None, *(abs(after - before) for before, after in pairwise(series))][: len(series)]


def _in_table(table: Sequence[Sequence[Value]], series: Sequence[float]) -> list[Value | None]:
    found = zip(series, gaps(series), strict=True)
    return [None if gap is None else table[level(share)][level(gap)] for share, gap in found]


def zones(series: Sequence[float]) -> list[Zone | None]:
    """The zone of each play of one seat, by its normalised conspiracy numbers; None for its first.

    >>> [zone and zone.value for zone in zones([0.9, 0.1, 0.0, 0.5])]
    [None, 'favourable', 'trap', 'uncertain']
    """
    return _in_table(_ZONES, series)


def stages(series: Sequence[float]) -> list[Stage | None]:
    """The stage of flow of each play of one seat; None for its first and for middle numbers."""
    return _in_table(_STAGES, series)


def traps(series: Sequence[Zone | None]) -> list[Trap]:
    """The stability traps among one seat's zones: runs of at least ``LEAST_TRAPPED``, by index.

    >>> traps([None, Zone.TRAP, Zone.TRAP, Zone.TRAP, Zone.UNCERTAIN])
    [Trap(first=1, last=3, is_escaped=True)]
    """
    found, first = [], None
    for place, zone in enumerate([*series, None]):
        if zone is Zone.TRAP:
            first = place if first is None else first
            continue
        if first is not None and place - first >= LEAST_TRAPPED:
            found.append(Trap(first, place - 1, place < len(series)))
        first = None
    return found


ROLLING_PLAYS = 6
"""Plays of a seat over which velocity is averaged in the curves of momentum and potential energy."""


class Play(NamedTuple):
    """A turn of play, and its conspiracy number."""

    turn: int
    """The turn's number among those of all seats, from 1 on; those that set up count too."""
    seat: int
    number: float
    """The single conspiracy number of its position for its seat; infinity where the threshold is out of reach."""
    segment: int = 0
    """The part of the game it belongs to: in 2048 a new one begins with each new largest tile."""


@dataclass(frozen=True)
class Course:
    plays: tuple[Play, ...] = ()
    """In order."""

    @cached_property
    def cap(self) -> float:
        """The stand-in for infinity in this game's curves: see ``motion.cap``."""
        return cap([one.number for one in self.plays])

    @cached_property
    def normalised(self) -> tuple[float, ...]:
        """The numbers scaled to 0 … 1, equation 11, by one range for all seats, and one for each segment."""
        parts: dict[int, list[float]] = {}
        for one in self.plays:
            parts.setdefault(one.segment, []).append(one.number)
        scaled = {segment: iter(normalise(numbers)) for segment, numbers in parts.items()}
        return tuple(next(scaled[one.segment]) for one in self.plays)

    def at(self, turn: int) -> int | None:
        """The index of the play of turn *turn*; None if it is no play."""
        return self._places.get(turn)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {one.turn: place for place, one in enumerate(self.plays)}

    def last(self, seat: int, turn: int) -> int | None:
        """The index of the last play of *seat* up to *turn*; None without any."""
        own = [place for place in self._of(seat) if self.plays[place].turn <= turn]
        return own[-1] if own else None

    def _of(self, seat: int) -> list[int]:
        return [place for place, one in enumerate(self.plays) if one.seat == seat]

    def series(self, seat: int) -> list[tuple[int, float]]:
        """The turns of *seat*'s plays, each with its normalised number."""
        return [(self.plays[place].turn, self.normalised[place]) for place in self._of(seat)]

    @cached_property
    def motions(self) -> tuple[Motion, ...]:
        """For each play its seat's motion in mind: by its last ``RIDE`` plays of the segment."""

        def ride(own: list[int]) -> Sequence[Motion]:
            segments = [self.plays[place].segment for place in own]
            starts = [at for at in range(1, len(own)) if segments[at] != segments[at - 1]]
            return rolling_motion([self.normalised[place] for place in own], ROLLING_PLAYS, starts)

        return self._for_each_seat(ride)

    @cached_property
    def zones(self) -> tuple[Zone | None, ...]:
        """The zone of table 7 of each play; None for a seat's first."""
        return self._for_each_seat(lambda own: zones([self.normalised[place] for place in own]))

    @cached_property
    def stages(self) -> tuple[Stage | None, ...]:
        """The stage of flow of each play's seat; None where the paper names none."""
        return self._for_each_seat(lambda own: stages([self.normalised[place] for place in own]))

    def traps(self, seat: int) -> list[Trap]:
        """The stability traps of *seat*, by its turns."""
        own = self._of(seat)
        turns = [self.plays[place].turn for place in own]
        found = traps([self.zones[place] for place in own])
        return [Trap(turns[trap.first], turns[trap.last], trap.is_escaped) for trap in found]

    def _for_each_seat(self, computed: Callable[[list[int]], Sequence[Value]]) -> tuple[Value, ...]:
        """The results of *computed* for each seat's plays, in the order of all plays."""
        found: dict[int, Value] = {}
        for seat in {one.seat for one in self.plays}:
            own = self._of(seat)
            found.update(zip(own, computed(own), strict=True))
        return tuple(found[place] for place in range(len(self.plays)))


def complete_turns(match: Match) -> list[Turn]:
    """The completed turns of seats in *match*, without one after which chance has yet to act."""
    played = match.turns()
    turns = [turn for turn in played if turn.seat != CHANCE]
    is_ended = match.ending is not None and match.conclusion is None
    is_open = not is_ended and (match.mover == CHANCE or (played and played[-1].seat == match.mover))
    return turns[:-1] if is_open else turns


def play_state(rules: Rules, states: Sequence[State], turn: Turn) -> State | None:
    """The state at the start of *turn*, after any set-up; None for a turn of set-up only."""
    own = states[turn.first_step : turn.end_step]
    return next((state for state in own if not is_setting_up(rules, state)), None)


def turns_to_choose_from(rules: Rules, state: State) -> int:
    """The number of turns in *state*; set-ups that differ only in order count once."""
    if not is_setting_up(rules, state):
        return perft(rules, state, 1)
    seat, reached, open_states = mover(state), set(), {state}
    while open_states:
        after = {play(one, step) for one in open_states for step in legal_steps(one, rules.MOST_STEPS)}
        open_states = {one for one in after if not is_over(one) and mover(one) == seat and is_setting_up(rules, one)}
        reached |= after - open_states
    return len(reached)


def course_of(
    match: Match,
    conspiracy: Conspiracy,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Course:
    """The course of *match* so far, or until *is_cancelled*."""
    states, plays = match.states, []
    for number, turn in enumerate(complete_turns(match), start=1):
        state = play_state(match.rules, states, turn)
        if state is None:
            continue
        found = conspiracy.number(state, turn.seat, None, is_cancelled)
        if is_cancelled():
            break
        plays.append(Play(number, turn.seat, found, int(milestone(state))))
    return Course(tuple(plays))
