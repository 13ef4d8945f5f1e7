"""Rounding of weights that games rarely look up."""

from __future__ import annotations

import numpy as np

from dev.rounding import FINEST, rounded


def test_the_rarer_the_look_ups_the_coarser_the_weight() -> None:
    visits = np.array([FINEST, FINEST - 1, 7, 4, 1, 0, 0], np.uint32)
    values = np.array([100, 100, 100, 100, 100, 100, -40], np.int16)
    assert rounded(values, visits).tolist() == [100, 99, 99, 99, 99, 81, 0]
