"""What results are made of where the same deals are replayed with the seats exchanged, as in duplicate bridge.

Each deal is played once with every player in every seat, and each of these games several times. So a result is the sum
of what its seat is worth, its player, the cards that the deal gave to the seat, what this player made of these cards,
and the chance with which it was played::

    y(d, s, p, k) = 1/n + seat(s) + player(p) + cards(d, s) + together(d, s, p) + play(d, s, p, k)

for the deal d of N, the seat s and the player p of n each, and the replay k of K. Seats and players are fixed, deals
and play are drawn; cards have a mean of 0 over deals, and together over players. The parts of the mean square of
y - 1/n are estimated without bias by the method of moments for balanced data (Searle, Casella and McCulloch, "Variance
Components" (1992), chapter 4)::

    play     = the mean variance of the replays of a cell (d, s, p)
    cards    = 1/n Σ_s v(s) - play / nK               v(s) the variance over deals of y's mean at the seat s
    seat     = 1/n Σ_s [(y(s) - 1/n)² - v(s) / N]     y(s) the mean at the seat s
    player   = 1/n Σ_p [(y(p) - 1/n)² - v(p) / N]     likewise of the player p
    together = the mean square of y - 1/n less these

The mean over players of one deal at one seat is of n different games, so that the results of one game, which add up to
1, never meet in a variance. An estimate may be a little below 0 where there is nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""What was won, from 0 to 1 and 1 in each game, as ``points[deal, seat, player, replay]``."""


class Parts(NamedTuple):
    """The mean square of a result around its mean, 1 / n, and what it is made of."""

    total: float
    cards: float
    """What a seat is dealt."""
    seat: float
    """Who begins, and who comes next."""
    player: float
    """What the players' results differ by over all deals: skill."""
    together: float
    """What a player makes of its cards in its seat, more or less than others."""
    play: float
    """What differs when the same players replay the same deal in the same seats: choices by chance."""


def parts(points: Points) -> Parts:
    """What the results are made of.

    >>> always_the_first = np.zeros((2, 2, 2, 2))
    >>> always_the_first[:, 0] = 1.0  # in both deals, whoever has the first seat
    >>> parts(always_the_first)
    Parts(total=0.25, cards=0.0, seat=0.25, player=0.0, together=0.0, play=0.0)

    :raises ValueError: fewer than two deals or replays, of which no variance can be told.
    """
    deals, seats, players, replays = points.shape
    if deals < 2 or replays < 2 or seats != players:
        raise ValueError(
            "points[deal, seat, player, replay] must be of two deals and two replays at least, and of as many players "
            f"as seats; this is {points.shape}"
        )
    mean = 1.0 / seats
    total = float(((points - mean) ** 2).mean())
    play = float(points.var(axis=3, ddof=1).mean())
    at_seats, by_players = points.mean(axis=(2, 3)), points.mean(axis=(1, 3))
    cards = float(at_seats.var(axis=0, ddof=1).mean()) - play / (players * replays)
    seat, player = fixed(at_seats, mean), fixed(by_players, mean)
    return Parts(total, cards, seat, player, total - cards - seat - player - play, play)


def fixed(means: NDArray[np.float64], mean: float) -> float:
    """The mean square around *mean* of what is estimated by the columns of *means*, whose rows are independent."""
    return float(((means.mean(axis=0) - mean) ** 2 - means.var(axis=0, ddof=1) / len(means)).mean())
