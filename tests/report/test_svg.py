"""Axes have round numbers, and all values lie on them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.report.svg import scale_of

NUMBERS = st.floats(-1e18, 1e18)


class TestScales:
    @given(st.lists(NUMBERS, min_size=1, max_size=5))
    def test_all_values_lie_on_it(self, values: list[float]) -> None:
        scale = scale_of(values)
        assert 2 <= len(scale.ticks) <= 12 and list(scale.ticks) == sorted(set(scale.ticks))
        assert all(-1e-6 <= scale.share(value) <= 1 + 1e-6 for value in values)

    @pytest.mark.parametrize(
        ("values", "ticks", "digits"),
        [
            ([0.0, 1.0], (0.0, 0.25, 0.5, 0.75, 1.0), 2),
            ([-575.0, 350.0], (-750.0, -500.0, -250.0, 0.0, 250.0, 500.0), 0),
            ([49.2, 50.8], (49.0, 49.5, 50.0, 50.5, 51.0), 1),
            ([7.0, 7.0], (0.0, 5.0, 10.0, 15.0), 0),
        ],
    )
    def test_numbers_are_round(self, values: list[float], ticks: tuple[float, ...], digits: int) -> None:
        scale = scale_of(values)
        assert scale.ticks == pytest.approx(ticks) and scale.digits == digits
