"""Terms of an evaluation: numbers that know their slopes, and features by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation.terms import Features, Traced, counted, named_terms, traced, traced_weights


class TestTraced:
    """Numbers that know their slopes."""

    def test_sums_and_products_keep_the_slopes(self) -> None:
        first, second = Traced(3.0, {0: 1.0}), Traced(5.0, {1: 1.0})
        found = 2 * first - second / 4 + 1.0 - (-first) + (7 - second)
        assert float(found) == 6.0 - 1.25 + 1.0 + 3.0 + 2.0
        assert found.slopes == {0: 3.0, 1: -1.25}

    def test_the_first_of_two_factors_is_the_weight(self) -> None:
        found = Traced(3.0, {0: 1.0}) * Traced(5.0, {1: 1.0})
        assert found.value == 15.0 and found.slopes == {0: 5.0}

    def test_the_larger_of_two_keeps_its_slopes(self) -> None:
        first, second = Traced(3.0, {0: 1.0}), Traced(5.0, {1: 1.0})
        assert max(first, second).slopes == {1: 1.0} and min(first, 4.0) is first and max(0.0, first) is first
        assert first != 4.0 and first == 3.0 and first <= 3.0 and first >= 3.0

    def test_numbers_of_numpy_leave_arithmetic_to_it(self) -> None:
        found = np.float64(2.0) * Traced(3.0, {0: 1.0}) + np.int64(1)
        assert isinstance(found, Traced) and found.slopes == {0: 2.0} and found.value == 7.0

    def test_what_weighs_nothing_still_has_a_slope(self) -> None:
        terms = named_terms(Features("a", "b"), {"a": "a", "b": "b"}, (2.0, 0.0), also=("b",))

        def judge(weights: Any) -> Any:
            a, b = weights
            return a * 3 + (b * 4 if b != 0.0 else 0.0)

        found = traced(judge, (2.0, 0.0), terms)
        assert float(found) == 6.0 and counted(terms, found) == (3.0, 4.0)

    def test_only_terms_are_traced(self) -> None:
        terms = named_terms(Features("a", "b"), {"a": "a"}, (2.0, 0.0))
        first, second = traced_weights((2.0, 5.0), terms)
        assert isinstance(first, Traced) and second == 5.0 and isinstance(second, float)

    def test_weights_longer_than_the_features_have_no_terms(self) -> None:
        assert named_terms(Features("a", "b"), {"a": "a", "b": "b"}, (1.0, 1.0, 7.0)) == ()
