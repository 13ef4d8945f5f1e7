"""Who leads, how often that changes, and how long the winner had been behind.

*Lead change* and *drama* are two of the measures of Browne, "Automatic Generation and Evaluation of Recombination
Games" (2008), by which games are told that people like. He leaves open how a position is judged, and how the turn is
taken account of: whoever is to move looks better in most games. Here a seat stands as its mean chance over a round, in
which every seat was to move once; it leads where all others stand worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean


def leaders(chances: Sequence[Sequence[float]]) -> list[int | None]:
    """Who leads at each position from the end of the first round on; None where two stand equally well.

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
    """How often another seat came to lead than the one that had led last.

    >>> lead_changes([None, 0, None, 0, 1, 0])
    2
    """
    led = [seat for seat in leading if seat is not None]
    return sum(before != after for before, after in pairwise(led))


def time_behind(leading: Sequence[int | None], winner: int) -> float:
    """The share of the positions at which another seat than the *winner* led; 0 without positions.

    >>> time_behind([0, 1, None, 1], 0)
    0.5
    """
    return sum(seat not in (None, winner) for seat in leading) / len(leading) if leading else 0.0
