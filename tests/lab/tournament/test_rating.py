"""Elo and its error bars."""

from __future__ import annotations

import math
from random import Random

import pytest

from papan.lab.tournament.rating import (
    SCORES,
    Comparison,
    Rating,
    SequentialTest,
    Verdict,
    comparisons,
    expected_score,
    rate,
)


def ratings(players: int, clusters: list[list[Comparison]]) -> list[Rating]:
    found = [rating for rating in rate(players, clusters) if rating is not None]
    assert len(found) == players
    return found


def games(one: int, other: int, *points: float) -> list[list[Comparison]]:
    return [[Comparison(one, other, each)] for each in points]


class TestElo:
    def test_is_that_of_the_score(self) -> None:
        first, second = ratings(2, games(0, 1, *[1.0] * 750, *[0.0] * 250))
        assert expected_score(first.elo - second.elo) == pytest.approx(750.5 / 1001)  # a draw is added
        assert first.elo + second.elo == pytest.approx(0.0, abs=1e-6)
        drawn = ratings(2, games(0, 1, *[1.0] * 500, *[0.5] * 500))
        assert drawn[0].elo == pytest.approx(first.elo), "a draw is half"

    def test_compares_two_by_two(self) -> None:
        assert comparisons((3, 1), (0.0, 0.0)) == [Comparison(3, 1, 0.5)]
        teams = comparisons((0, 1, 2, 3), (1.0, -1.0, 1.0, -1.0))
        assert {(one, other, points) for one, other, points in teams} == {
            (0, 1, 1.0), (0, 3, 1.0), (1, 2, 0.0), (2, 3, 1.0),
        }  # fmt: skip
        places = comparisons((0, 1, 2), (2.0, 0.0, 1.0))
        assert [pair.points for pair in places] == [1.0, 1.0, 0.0]

    def test_is_found_again_in_games_that_it_settled(self) -> None:
        random, true = Random(1), [200.0, 50.0, -50.0, -200.0]
        played = [
            games(one, other, float(random.random() < expected_score(true[one] - true[other])))[0]
            for _ in range(1500)
            for one in range(4)
            for other in range(one + 1, 4)
        ]
        for found, elo in zip(ratings(4, played), true, strict=True):
            assert abs(found.elo - elo) < 2 * found.margin < 30.0

    def test_who_has_won_all_is_rated_too_and_not_known_well(self) -> None:
        first, second = ratings(2, games(0, 1, *[1.0] * 20))
        assert first.elo > 300.0 and second.elo == pytest.approx(-first.elo) and first.margin > 100.0
        assert rate(3, games(0, 2, 1.0, 0.0))[1] is None, "who has met nobody"
        assert rate(2, []) == [None, None]


class TestErrorBars:
    def test_are_those_of_independent_games(self) -> None:
        first, second = ratings(2, games(0, 1, *[1.0, 0.0] * 200))
        # The error of a share of 400 games is 1 / 40; the curve's slope there is 1 / 4 of a unit, of 173.7 points.
        assert 2 * first.margin == pytest.approx(1.96 * 4 / 40 * 173.7, rel=0.02)
        assert second.margin == pytest.approx(first.margin)

    def test_a_pair_that_an_opening_decides_says_that_they_are_even_and_a_game_twice_no_more_than_once(self) -> None:
        single = ratings(2, games(0, 1, *[1.0, 0.0] * 100))
        paired = ratings(2, [[Comparison(0, 1, 1.0), Comparison(0, 1, 0.0)]] * 100)
        assert paired[0].margin < single[0].margin / 5
        twice = ratings(2, [2 * game for game in games(0, 1, *[1.0, 0.0] * 100)])
        assert twice[0].margin == pytest.approx(single[0].margin, rel=0.02)

    def test_cover_the_truth_as_often_as_they_say(self) -> None:
        random, covered = Random(2), 0
        for _ in range(200):
            points = [float(random.random() < expected_score(100.0)) for _ in range(100)]
            first, second = ratings(2, games(0, 1, *points))
            covered += abs(first.elo - second.elo - 100.0) < 2 * first.margin
        assert 180 <= covered <= 199


def verdict_of(test: SequentialTest, elo: float, seed: int) -> tuple[Verdict | None, int]:
    """What *test* says of a player that is *elo* stronger, and after how many pairs of games."""
    random, chance, counts = Random(seed), expected_score(elo), [0] * len(SCORES)
    for pair in range(1, 2000):
        counts[2 * sum(random.random() < chance for _ in range(2))] += 1
        verdict = test.verdict(counts)
        if verdict:
            return verdict, pair
    return None, 2000


class TestLikelihoods:
    def test_nothing_and_the_middle_of_both_claims_say_nothing(self) -> None:
        assert SequentialTest(0.0, 10.0).log_likelihood_ratio([0] * 5) == 0.0
        assert SequentialTest(-20.0, 20.0).log_likelihood_ratio([10, 20, 40, 20, 10]) == pytest.approx(0.0, abs=1e-6)
        bounds = SequentialTest(0.0, 5.0, alpha=0.01, beta=0.1).bounds
        assert bounds == (math.log(0.1 / 0.99), math.log(0.9 / 0.01)), "Wald's"

    def test_is_that_of_a_coin_where_only_wins_and_losses_of_both_games_come(self) -> None:
        low, high = expected_score(-50.0), expected_score(100.0)
        by_hand = 30 * math.log(high / low) + 20 * math.log((1 - high) / (1 - low))
        assert SequentialTest(-50.0, 100.0).log_likelihood_ratio([20, 0, 0, 0, 30]) == pytest.approx(by_hand, rel=1e-3)

    def test_pairs_that_are_shared_are_more_certain_than_single_wins(self) -> None:
        test = SequentialTest(0.0, 20.0)
        assert test.log_likelihood_ratio([0, 5, 80, 15, 0]) > 2 * test.log_likelihood_ratio([40, 5, 0, 15, 40]) > 0.0


class TestVerdicts:
    def test_errors_are_as_rare_as_asked_and_what_is_clear_is_said_sooner(self) -> None:
        test = SequentialTest(0.0, 100.0)
        strong = [verdict_of(test, 100.0, seed)[0] for seed in range(60)]
        even = [verdict_of(test, 0.0, seed)[0] for seed in range(60)]
        assert strong.count("stronger") >= 54 and even.count("not stronger") >= 54
        assert None not in strong + even
        assert verdict_of(test, 400.0, 1)[1] < verdict_of(test, 100.0, 1)[1]
