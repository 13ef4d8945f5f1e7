"""Fitting the scale: a curve that is known is found again; a game's scores are gathered."""

from __future__ import annotations

from random import Random

import pytest

from dev.fitting.scale import Sample, fit, samples
from papan.ai.evaluation import winning_chance
from papan.ai.limits import WIN_BOUND
from papan.game.catalogue import GAMES


class TestFit:
    @pytest.mark.parametrize("scale", [0.5, 8.0, 300.0])
    def test_a_known_curve_is_found(self, scale: float) -> None:
        random = Random(1)
        scores = [random.gauss(0, 2 * scale) for _ in range(500)]
        assert fit([Sample(score, winning_chance(score, scale)) for score in scores]) == pytest.approx(scale, rel=1e-3)

    def test_a_few_huge_scores_that_were_wrong_do_not_rule_it(self) -> None:
        found = [Sample(score, winning_chance(score, 8.0)) for score in range(-30, 31)]
        assert fit([*found, Sample(5000.0, 0.0)]) == pytest.approx(fit([*found, Sample(100.0, 0.0)]), rel=0.01)

    def test_draws_flatten_it(self) -> None:
        won = [Sample(1.0, 1.0)] * 8 + [Sample(1.0, 0.0)] * 2
        assert fit([*won, *[Sample(1.0, 0.5)] * 10]) > fit(won)

    def test_results_that_say_nothing(self) -> None:
        with pytest.raises(ValueError, match="no scores to fit"):
            fit([])
        with pytest.raises(ValueError, match="do not go with the results"):
            fit([Sample(1.0, 0.0)] * 5)
        with pytest.raises(ValueError, match="do not go with the results"):
            fit([Sample(1.0, 1.0)] * 5)


def test_scores_are_gathered_from_games() -> None:
    found = samples(GAMES["connect-four"], 2, "minimax:depth=2")
    assert len(found) > 10 and all(abs(one.score) < WIN_BOUND and one.result in (0, 0.5, 1) for one in found)
