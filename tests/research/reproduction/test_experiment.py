"""Rows, scales and seeds of experiments, by hand."""

from __future__ import annotations

import pytest

from papan.research.reproduction.experiment import Asked, Row, mean_row, share_row


class TestAsked:
    @pytest.mark.parametrize(
        ("scale", "full", "count"), [(1.0, 200, 200), (0.125, 200, 25), (0.001, 20, 1), (2.0, 10, 20), (0.3, 10, 3)]
    )
    def test_counts_are_shares_of_the_papers_size(self, scale: float, full: int, count: int) -> None:
        assert Asked(scale, 0, {}).count(full) == count

    def test_seeds_depend_on_their_words_and_on_nothing_else(self) -> None:
        asked = Asked(1.0, 3, {})
        assert asked.draw("position", 4) == Asked(0.5, 3, {}).draw("position", 4) < 1 << 31
        others = {asked.draw("position", 5), asked.draw("playouts", 4), Asked(1.0, 4, {}).draw("position", 4)}
        assert len({asked.draw("position", 4), *others}) == 4


class TestRows:
    def test_a_share_has_wilsons_interval_in_percent(self) -> None:
        row = share_row("norm – god", "won, %", 45.0, 50, 100)
        assert (row.ours, row.number, row.difference, row.is_within) == (50.0, 100, 5.0, True)
        assert row.interval == pytest.approx((40.383, 59.617), abs=0.001)
        assert share_row("norm – god", "won, %", 70.0, 50, 100).is_within is False

    def test_all_of_all_holds_within_its_own_interval(self) -> None:
        assert share_row("", "", 100.0, 120, 120).is_within is True

    def test_a_mean_has_the_normal_laws(self) -> None:
        row = mean_row("d = 2", "score", 4.0, [1.0, 2.0, 3.0, 4.0])
        assert row.ours == 2.5 and row.number == 4
        assert row.interval == pytest.approx((2.5 - 1.2651, 2.5 + 1.2651), abs=0.0001)  # 1.96 √(5/3 / 4)
        assert row.is_within is False

    def test_one_value_has_no_interval_and_none_no_mean(self) -> None:
        assert mean_row("", "", 1.0, [2.0]) == Row("", "", 1.0, 2.0, None, 1)
        assert mean_row("", "", 1.0, []).ours is None and share_row("", "", 1.0, 0, 0).ours is None

    def test_words_are_not_compared(self) -> None:
        row = Row("", "", "most", 70.0, (60.0, 80.0), 10)
        assert (row.difference, row.is_within) == (None, None)
