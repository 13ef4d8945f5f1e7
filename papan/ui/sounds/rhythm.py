"""The rhythm of sounds: many in a short time become quieter, so that a quick game is a patter and no din."""

from __future__ import annotations

import math

LEAST_GAP = 0.05
"""Seconds between two sounds; one that comes sooner is left out."""
_FORGETTING = 0.45
"""The seconds in which a sound that was heard counts for less by a factor of e."""
_EVENNESS = 0.7
"""How strongly a crowd of sounds makes each of them quieter: 1 would keep their sum as loud as one."""


class Rhythm:
    """The loudness of each sound, by those that were heard shortly before."""

    def __init__(self) -> None:
        self._last = -math.inf
        self._crowd = 0.0

    def loudness(self, now: float) -> float:
        """The share of its own loudness at which a sound is heard at *now*, in seconds of any clock; 0 for not at all.

        It counts as heard, unless it is 0.
        """
        passed = now - self._last
        if passed < LEAST_GAP:
            return 0.0
        self._crowd = 1.0 + self._crowd * math.exp(-passed / _FORGETTING)
        self._last = now
        return float(self._crowd**-_EVENNESS)
