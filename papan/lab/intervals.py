"""Intervals: how far a rate that was counted may be from the true one."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Z_95 = 1.959964
"""The normal distribution is within so many standard deviations of its mean with a probability of 95 %."""


def wilson(rate: float, number: int) -> tuple[float, float]:
    """Wilson's interval at 95 % for a *rate* counted in *number* trials; all there can be where there were none.

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
    """The interval at 95 % for a mean of *number* independent values with that *variance*, as the normal law has it."""
    half = Z_95 * math.sqrt(variance / number) if number else math.inf
    return mean - half, mean + half


def jackknife_error(data: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], float]) -> float:
    """The standard error of a smooth *statistic* of independent rows of *data*, by leaving out each of them once.

    Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), equation 11.5. What depends on each other, such as
    the games of one deal, must lie in one row. Infinite with fewer than two rows, of which nothing can be told.

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
    """The interval at 95 % of a *statistic* of independent rows, by its ``jackknife_error`` and the normal law."""
    middle, half = statistic(data), Z_95 * jackknife_error(data, statistic)
    return middle - half, middle + half
