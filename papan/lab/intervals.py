"""Intervals: how far a rate that was counted may be from the true one."""

from __future__ import annotations

import math

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
