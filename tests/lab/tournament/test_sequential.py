"""The sequential test."""

from __future__ import annotations

import math
from random import Random

import pytest

from papan.lab.tournament.rating import SCORES, SequentialTest, Verdict, expected_score


def verdict_of(test: SequentialTest, elo: float, seed: int) -> tuple[Verdict | None, int]:
    """What *test* says of a player that is *elo* stronger, and after how many pairs of games."""
    random, chance, counts = Random(seed), expected_score(elo), [0] * len(SCORES)
    for pair in range(1, 2000):
        counts[2 * sum(random.random() < chance for _ in range(2))] += 1
        verdict = test.verdict(counts)
        if verdict:
            return verdict, pair
    return None, 2000


class BoundsOfTest:
    def test_are_walds(self) -> None:
        low, high = SequentialTest(0.0, 5.0, alpha=0.01, beta=0.1).bounds
        assert (low, high) == (math.log(0.1 / 0.99), math.log(0.9 / 0.01))


class TestLikelihoods:
    def test_nothing_says_nothing(self) -> None:
        assert SequentialTest(0.0, 10.0).log_likelihood_ratio([0] * 5) == 0.0

    def test_the_middle_of_both_claims_says_nothing(self) -> None:
        assert SequentialTest(-20.0, 20.0).log_likelihood_ratio([10, 20, 40, 20, 10]) == pytest.approx(0.0, abs=1e-6)

    def test_is_that_of_a_coin_where_only_wins_and_losses_of_both_games_come(self) -> None:
        low, high = expected_score(-50.0), expected_score(100.0)
        by_hand = 30 * math.log(high / low) + 20 * math.log((1 - high) / (1 - low))
        assert SequentialTest(-50.0, 100.0).log_likelihood_ratio([20, 0, 0, 0, 30]) == pytest.approx(by_hand, rel=1e-3)

    def test_pairs_that_are_shared_are_more_certain_than_single_wins(self) -> None:
        test = SequentialTest(0.0, 20.0)
        assert test.log_likelihood_ratio([0, 5, 80, 15, 0]) > 2 * test.log_likelihood_ratio([40, 5, 0, 15, 40]) > 0.0


class TestVerdicts:
    def test_errors_are_as_rare_as_asked(self) -> None:
        test = SequentialTest(0.0, 100.0)
        strong = [verdict_of(test, 100.0, seed)[0] for seed in range(100)]
        even = [verdict_of(test, 0.0, seed)[0] for seed in range(100)]
        assert strong.count("stronger") >= 89 and even.count("not stronger") >= 89
        assert None not in strong + even

    def test_what_is_clear_is_said_sooner(self) -> None:
        test = SequentialTest(0.0, 100.0)
        assert verdict_of(test, 400.0, 1)[1] < verdict_of(test, 100.0, 1)[1]
