"""Logistic regression, by Newton's method with a small ridge penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_PENALTY = 1.0
_FLAT = 1e-9

Array = np.ndarray[Any, Any]


def regress(features: Array, results: Array, scale: float, left_out: Sequence[int] = ()) -> Array:
    """The weights by which the chance to win is nearest to *results*.

    :param scale: the score that is to stand for a chance of 73 %.
    :param left_out: features that get no weight.
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
