"""What a course of conspiracy numbers says of who plays it: zones, stability traps, and stages of flow.

Primanita, Khalid and Iida, "Computing Games: Bridging the Gap Between Search and Entertainment" (2021), table 7,
figures 11 and 12, and the two paragraphs beside table 7. The paper draws no line between low, middle and high, and
does not say over what a changeover gap is taken. Here the normalised numbers, 0 to 1, are cut into thirds; a play's gap
is how far its number lies from that of the same seat's play before.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from papan.game.base.sentences import Sentence, say

LOW_BELOW, HIGH_FROM = 1 / 3, 2 / 3
"""Where low ends and high begins, of numbers and of gaps."""
LEAST_TRAPPED = 3
"""Plays in the zone of the trap, one after the other, that make a stability trap."""


class Zone(Enum):
    """A cell of table 7. The two that it marks as thrilling are traps, too."""

    TRAP = "trap"
    FAVOURABLE = "favourable"
    UNCERTAIN = "uncertain"
    THRILLING = "thrilling"


class Stage(Enum):
    """What a player feels, as the paper's text gives levels and gaps to players of different skill."""

    APATHY = "apathy"
    WORRY = "worry"
    ANXIETY = "anxiety"
    AROUSAL = "arousal"
    FLOW = "flow"
    CONTROL = "control"


class Trap(NamedTuple):
    """A stability trap: the threshold stays near for several plays, and nothing moves."""

    first: int
    last: int
    is_escaped: bool
    """Whether a later play left it, as in figure 11; else the series ends in it, as in figure 12."""


ZONE_NAMES: dict[Zone, Sentence] = {
    Zone.TRAP: say("trap"),
    Zone.FAVOURABLE: say("favourable"),
    Zone.UNCERTAIN: say("uncertain"),
    Zone.THRILLING: say("thrilling"),
}
STAGE_NAMES: dict[Stage, Sentence] = {
    Stage.APATHY: say("apathy"),
    Stage.WORRY: say("worry"),
    Stage.ANXIETY: say("anxiety"),
    Stage.AROUSAL: say("arousal"),
    Stage.FLOW: say("flow"),
    Stage.CONTROL: say("control"),
}

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


def zones(series: Sequence[float]) -> list[Zone | None]:
    """The zone of each play of one seat, by its normalised conspiracy numbers; None for its first.

    >>> [zone and zone.value for zone in zones([0.9, 0.1, 0.0, 0.5])]
    [None, 'favourable', 'trap', 'uncertain']
    """
    found = zip(series, gaps(series), strict=True)
    return [None if gap is None else _ZONES[level(share)][level(gap)] for share, gap in found]


def stages(series: Sequence[float]) -> list[Stage | None]:
    """The stage of flow of each play of one seat; None for its first, and in the middle, where all is uncertain.

    Beginners are said to worry as a sudden change throws them into the trap, and then to let a high number stand in
    apathy; casual players to be anxious or aroused where it is high and changes much or not so much; experts to be in
    flow or control where it is low and changes little or less.
    """
    found = zip(series, gaps(series), strict=True)
    return [None if gap is None else _STAGES[level(share)][level(gap)] for share, gap in found]


def traps(series: Sequence[Zone | None]) -> list[Trap]:
    """The stability traps in the zones of one seat's plays: runs of at least ``LEAST_TRAPPED``, by their places.

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
