"""Motion in mind and game refinement: how a game's uncertainty moves, in the terms of mechanics.

Iida and Khalid, "Using games to study law of motions in mind" (2020), with the velocity taken from single
conspiracy numbers as by Primanita, Khalid and Iida, "Computing Games: Bridging the Gap Between Search and
Entertainment" (2021), equations 11 and 12. Game refinement: Iida, Takeshita and Yoshimura, "A Metric for
Entertainment of Boardgames" (2003).

The paper contradicts itself on whether a high conspiracy number is good for the seat. Here the velocity is its mean, as
in equation 12; ``Motion.inverted`` is the opposite reading.

*Lead change* and *drama* are measures of Browne, "Automatic Generation and Evaluation of Recombination Games" (2008),
who leaves the judgement of positions open. Here a seat is judged by its mean chance over a round, so that the move
makes no difference; it leads if all others are worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, sqrt
from statistics import fmean
from typing import NamedTuple

PEAK_MOMENTUM = 1 / 4
"""The maximum of momentum, at velocity 1/2."""
PEAK_ENERGY = 8 / 27
"""The maximum of potential energy, at velocity 2/3."""
SOPHISTICATED = (0.07, 0.08)
"""The zone of game refinement of games that have been played for centuries."""

INFINITY_ABOVE = 1.25
"""An infinite number counts as this multiple of the largest finite one of the game."""


class Motion(NamedTuple):
    """The motion in mind of a segment of a game: Primanita, Khalid and Iida (2021), section V."""

    velocity: float
    """v, the mean of the normalised conspiracy numbers: 0 to 1."""
    mean_momentum: float
    """p̄, the mean of (1 - v)·v play by play; never above ``momentum``."""

    @property
    def mass(self) -> float:
        """M = 1 - v, how hard it is."""
        return 1.0 - self.velocity

    @property
    def momentum(self) -> float:
        """p = M·v: at most 1/4, at v = 1/2."""
        return self.mass * self.velocity

    @property
    def potential_energy(self) -> float:
        """E_p = 2·M·v²: at most 8/27, at v = 2/3."""
        return 2.0 * self.mass * self.velocity**2

    @property
    def inverted(self) -> Motion:
        return Motion(self.mass, self.mean_momentum)


class Refinement(NamedTuple):
    branching: float
    """B, the mean number of turns to choose from."""
    length: float
    """D, the number of turns."""

    @property
    def refinement(self) -> float:
        """GR = √B / D; see ``SOPHISTICATED``."""
        return sqrt(self.branching) / self.length

    @property
    def acceleration(self) -> float:
        """a = B / D², the square of the refinement."""
        return self.branching / self.length**2


def cap(numbers: Sequence[float]) -> float:
    """The stand-in for infinity among *numbers*: a quarter more than the largest finite one, at least 1.

    >>> cap([0, 8, inf]), cap([inf, 0])
    (10.0, 1.0)
    """
    return max([1.0, *(INFINITY_ABOVE * number for number in numbers if number != inf)])


def normalise(numbers: Sequence[float]) -> list[float]:
    """Conspiracy numbers scaled to 0 … 1: (n - min) / (max - min), equation 11; 0 if all are equal.

    >>> normalise([2, 4, 6])
    [0.0, 0.5, 1.0]
    """
    most = cap(numbers)
    finite = [min(number, most) for number in numbers]
    least, largest = min(finite, default=0.0), max(finite, default=0.0)
    if largest <= least:
        return [0.0] * len(finite)
    return [(number - least) / (largest - least) for number in finite]


def motion(velocities: Sequence[float]) -> Motion:
    """The motion of a segment, from its normalised conspiracy numbers, one a play.

    >>> motion([0.0, 1.0])
    Motion(velocity=0.5, mean_momentum=0.0)

    :raises ValueError: a segment without plays.
    """
    if not velocities:
        raise ValueError("A segment without plays has no motion.")
    return Motion(fmean(velocities), fmean((1.0 - v) * v for v in velocities))


def rolling_motion(velocities: Sequence[float], window: int, starts: Sequence[int] = ()) -> list[Motion]:
    """The motion after each play, over the last *window* plays of its segment.

    :param velocities: normalised conspiracy numbers, one a play.
    :param starts: where segments begin, besides the first.
    """
    motions = []
    first = 0
    for index in range(len(velocities)):
        if index in starts:
            first = index
        motions.append(motion(velocities[max(first, index + 1 - window) : index + 1]))
    return motions


def refinement(branchings: Sequence[int]) -> Refinement | None:
    """The refinement of a game, from the number of turns to choose from at each of its turns; None without any.

    >>> refinement([7, 7, 7, 7]).refinement
    0.6614378277661477
    """
    return Refinement(fmean(branchings), len(branchings)) if branchings else None


def leaders(chances: Sequence[Sequence[float]]) -> list[int | None]:
    """The leader at each position from the end of the first round on; None for equal seats.

    :param chances: for each position in order the chance of each seat, a round being as many positions as seats.

    >>> leaders([(0.6, 0.4), (0.5, 0.5), (0.2, 0.8), (0.5, 0.5)])
    [0, 1, 1]
    """
    found: list[int | None] = []
    for end in range(1, len(chances) + 1):
        seats = len(chances[end - 1])
        if end < seats:
            continue
        stand = [fmean(column) for column in zip(*chances[end - seats : end], strict=True)]
        best = max(stand)
        found.append(stand.index(best) if stand.count(best) == 1 else None)
    return found


def lead_changes(leading: Sequence[int | None]) -> int:
    """The number of changes of the leading seat.

    >>> lead_changes([None, 0, None, 0, 1, 0])
    2
    """
    led = [seat for seat in leading if seat is not None]
    return sum(before != after for before, after in pairwise(led))


def time_behind(leading: Sequence[int | None], winner: int) -> float:
    """The share of positions in which another seat than the *winner* led.

    >>> time_behind([0, 1, None, 1], 0)
    0.5
    """
    return sum(seat not in (None, winner) for seat in leading) / len(leading) if leading else 0.0
