"""Axes of plots: round numbers along them, and where a value lies between the outermost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Steps that are read easily, times a power of ten."""


class Scale(NamedTuple):
    """The round numbers along an axis, in ascending order, two at least."""

    ticks: tuple[float, ...]
    digits: int
    """Decimals that tell them apart."""

    def share(self, value: float) -> float:
        """How far along the axis *value* lies: from 0 to 1 between the outermost numbers.

        >>> Scale((0.0, 50.0, 100.0), 0).share(25.0)
        0.25
        """
        low, high = self.ticks[0], self.ticks[-1]
        return (value - low) / (high - low)


def scale_of(values: Sequence[float], steps: int = 4) -> Scale:
    """The scale on which all *values* lie, in about so many *steps*.

    >>> scale_of([3.0, 97.0]).ticks
    (0.0, 25.0, 50.0, 75.0, 100.0)
    >>> scale_of([0.5]).ticks
    (0.0, 0.25, 0.5, 0.75, 1.0)
    """
    low, high = min(values), max(values)
    # What differs by less than rounding is one number, around which there is something to be seen.
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-9):
        low, high = low - max(abs(low), 0.5), high + max(abs(high), 0.5)
    rough = (high - low) / steps
    power = 10.0 ** math.floor(math.log10(rough))
    factor = next(factor for factor in _ROUND if factor * power >= rough * (1 - 1e-9))
    step = factor * power
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(number * step for number in range(first, last + 1))
    return Scale(ticks, max(0, -math.floor(math.log10(step) + 1e-9) + (factor == 2.5)))
