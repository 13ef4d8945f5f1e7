"""Who leads: games of a few positions by hand."""

from __future__ import annotations

import pytest

from papan.ai.indicators.leads import lead_changes, leaders, time_behind


class TestLeaders:
    def test_being_to_move_is_no_lead(self) -> None:
        """Whoever is to move looks better by as much: over a round nobody leads."""
        assert leaders([(0.75, 0.25), (0.25, 0.75)] * 3) == [None] * 5

    def test_three_seats_by_the_mean_of_a_round(self) -> None:
        """Over the first round 0.5, 0.3, 0.2; over the second 0.3, 0.4, 0.3."""
        chances = [(0.8, 0.1, 0.1), (0.4, 0.4, 0.2), (0.3, 0.4, 0.3), (0.2, 0.4, 0.4)]
        assert leaders(chances) == [0, 1]

    def test_before_the_end_of_a_round_nobody_is_judged(self) -> None:
        assert leaders([(0.8, 0.1, 0.1)] * 2) == [] and leaders([]) == []


class TestLead:
    @pytest.mark.parametrize(
        ("leading", "changes"), [([], 0), ([None, 1, 1], 0), ([0, None, 1], 1), ([0, 1, 0], 2), ([2, None, 2], 0)]
    )
    def test_changes_count_from_one_leader_to_the_next(self, leading: list[int | None], changes: int) -> None:
        assert lead_changes(leading) == changes

    def test_the_winner_is_behind_while_another_leads(self) -> None:
        assert time_behind([1, None, 0, 0], 0) == 0.25 and time_behind([1, None, 0, 0], 2) == 0.75
        assert time_behind([], 0) == 0.0
