"""How things move on boards: gently from one point to another, and growing out of nothing."""

from __future__ import annotations


def ease_in_out(progress: float) -> float:
    """*progress* from 0 to 1 with a gentle start and a gentle end: Hermite's cubic polynomial."""
    return progress * progress * (3 - 2 * progress)


def interpolate(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    """The point, or size, at *share* of the way from *start* to *end*."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def ease_out_back(progress: float) -> float:
    """A scale that grows from nothing, goes a little beyond 1, and ends there."""
    left = progress - 1
    return 1 + 2.7 * left**3 + 1.7 * left**2
