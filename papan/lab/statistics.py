"""Statistics: 95 % intervals, rank correlation, logistic regression, and variance components."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Z_95 = 1.959964
"""The half width of a normal 95 % interval, in standard deviations."""
_PENALTY = 1.0
_FLAT = 1e-9

Array = np.ndarray[Any, Any]
Points = NDArray[np.float64]
"""Results from 0 to 1, adding up to 1 in each game, as ``points[deal, seat, player, replay]``."""


def wilson(rate: float, number: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a *rate* in *number* trials; (0, 1) without trials.

    Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).

    >>> [round(bound, 3) for bound in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    if not number:
        return 0.0, 1.0
    z, n = Z_95, number
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_interval(mean: float, variance: float, number: int) -> tuple[float, float]:
    """The normal 95 % interval for a mean of *number* independent values with *variance*."""
    half = Z_95 * math.sqrt(variance / number) if number else math.inf
    return mean - half, mean + half


def jackknife_error(data: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], float]) -> float:
    """The jackknife standard error of a smooth *statistic* of independent rows of *data*.

    Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), equation 11.5. Dependent values, such as the games
    of one deal, must be in one row. Infinite with fewer than two rows.

    >>> round(jackknife_error(np.array([1.0, 2.0, 3.0, 4.0]), lambda rows: rows.mean()), 4)  # that of a mean
    0.6455
    """
    number = len(data)
    if number < 2:
        return math.inf
    without = np.array([statistic(np.delete(data, row, axis=0)) for row in range(number)])
    return float(math.sqrt((number - 1) / number * ((without - without.mean()) ** 2).sum()))


def jackknife_interval(
    data: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], float]
) -> tuple[float, float]:
    """The normal 95 % interval of a *statistic* of independent rows, by its ``jackknife_error``."""
    middle, half = statistic(data), Z_95 * jackknife_error(data, statistic)
    return middle - half, middle + half


def ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """The rank of each of *values*, from 1 on; equal ones share the mean of theirs.

    >>> ranks([3, 1, 3, 2]).tolist()
    [3.5, 1.0, 3.5, 2.0]
    """
    _, places, counts = np.unique(np.asarray(values, np.float64), return_inverse=True, return_counts=True)
    last = counts.cumsum()
    middles: NDArray[np.float64] = (last - (counts - 1) / 2)[places]
    return middles


def spearman(first: Sequence[float], second: Sequence[float]) -> tuple[float, tuple[float, float]] | None:
    """Spearman's rank correlation of pairs, and its 95 % interval; None for fewer than four, or where all are equal.

    The interval is that of Bonett and Wright, "Sample Size Requirements for Estimating Pearson, Kendall and Spearman
    Correlations" (2000): Fisher's z with the variance (1 + rho² / 2) / (n - 3). Pairs count as independent.

    >>> spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])[0]  # 1 - 6 · 4 / (5 · 24)
    0.8
    """
    one, other = ranks(first), ranks(second)
    if len(one) < 4 or not one.std() or not other.std():
        return None
    rho = round(float(np.corrcoef(one, other)[0, 1]), 12)
    if abs(rho) == 1.0:
        return rho, (rho, rho)
    half = Z_95 * math.sqrt((1 + rho * rho / 2) / (len(one) - 3))
    return rho, (math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half))


def regress(features: Array, results: Array, scale: float, left_out: Sequence[int] = ()) -> Array:
    """The weights of a logistic regression of *results* on *features*: Newton's method with a small ridge penalty.

    :param scale: the score that stands for a chance of 73 %.
    :param left_out: features without a weight.
    """
    spread = features.std(0)
    used = np.flatnonzero(np.abs(features).max(0) > _FLAT)
    used = used[~np.isin(used, left_out)]
    spread = np.where(spread > _FLAT, spread, 1.0)[used]
    scaled = features[:, used] / spread
    weights = np.zeros(len(used))
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-scaled @ weights))
        slope = scaled.T @ (chance - results) + _PENALTY * weights
        curve = (scaled * (chance * (1.0 - chance))[:, None]).T @ scaled + _PENALTY * np.eye(len(used))
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    found = np.zeros(features.shape[1])
    found[used] = scale * weights / spread
    return found


class Parts(NamedTuple):
    """The mean square of a result around its mean, 1 / n, and its components."""

    total: float
    cards: float
    """The cards dealt to a seat."""
    seat: float
    """The order of play."""
    player: float
    """Differences between players over all deals: skill."""
    together: float
    """The interaction of player, cards and seat."""
    play: float
    """Differences between replays of the same deal by the same players in the same seats: random choices."""


def parts(points: Points) -> Parts:
    """The variance components of results if the same deals are replayed with seats exchanged, as in duplicate bridge.

    Each deal is played with every player in every seat, and each of these games several times. A result is the sum of
    the effects of the seat, the player, the seat's cards, their interaction, and random play::

        y(d, s, p, k) = 1/n + seat(s) + player(p) + cards(d, s) + together(d, s, p) + play(d, s, p, k)

    for the deal d of N, the seat s and the player p of n each, and the replay k of K. Seats and players are fixed,
    deals and play are drawn; cards have a mean of 0 over deals, and together over players. The parts of the mean square
    of y - 1/n are estimated without bias by the method of moments for balanced data (Searle, Casella and McCulloch,
    "Variance Components" (1992), chapter 4)::

        play     = the mean variance of the replays of a cell (d, s, p)
        cards    = 1/n Σ_s v(s) - play / nK               v(s) the variance over deals of y's mean at the seat s
        seat     = 1/n Σ_s [(y(s) - 1/n)² - v(s) / N]     y(s) the mean at the seat s
        player   = 1/n Σ_p [(y(p) - 1/n)² - v(p) / N]     likewise of the player p
        together = the mean square of y - 1/n less these

    The mean over players of one deal at one seat covers n different games, so the results of one game, which add up to
    1, never meet in a variance. The estimate of an absent effect may be slightly below 0.

    >>> always_the_first = np.zeros((2, 2, 2, 2))
    >>> always_the_first[:, 0] = 1.0  # in both deals, the first seat wins with any player
    >>> parts(always_the_first)
    Parts(total=0.25, cards=0.0, seat=0.25, player=0.0, together=0.0, play=0.0)

    :raises ValueError: there are fewer than two deals or replays.
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
    """The unbiased mean square around *mean* of the column means of *means*, whose rows are independent."""
    return float(((means.mean(axis=0) - mean) ** 2 - means.var(axis=0, ddof=1) / len(means)).mean())
