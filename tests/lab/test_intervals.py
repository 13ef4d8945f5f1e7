"""The jackknife, beside what is known of means and of ratios."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest

from papan.lab.statistics import jackknife_error, jackknife_interval


class TestJackknife:
    def test_a_means_error_is_the_usual_one(self) -> None:
        values = np.array([2.0, 3.0, 7.0, 8.0, 15.0])
        error = jackknife_error(values, lambda rows: float(rows.mean()))
        assert error == pytest.approx(values.std(ddof=1) / sqrt(5))

    def test_a_ratio_of_three_rows_by_hand(self) -> None:
        """1 of 2, 3 of 4, 2 of 2: without one of them 5/6, 3/4, 4/6; the squares around their mean are 1/72 in all."""
        rows = np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 2.0]])
        low, high = jackknife_interval(rows, lambda some: float(some[:, 0].sum() / some[:, 1].sum()))
        assert (low + high) / 2 == pytest.approx(6 / 8)
        assert (high - low) / 2 == pytest.approx(1.959964 * sqrt(2 / 3 / 72))

    def test_one_row_tells_nothing(self) -> None:
        assert jackknife_error(np.array([1.0]), lambda rows: float(rows.mean())) == inf
