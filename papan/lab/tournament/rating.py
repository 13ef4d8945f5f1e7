"""Ratings of players: logistic Elo by maximum likelihood, with error bars, and a sequential test of two players.

The chance that one of two players beats the other is a logistic curve of their rating difference; 400 points mean odds
of ten to one (Zermelo 1929, Bradley and Terry 1952; Elo 1978 for the scale). A draw is half a win and half a loss, and
the mean is 0. With more than two players, a higher payoff beats a lower one, and equal losers are not compared: if
chances are proportional to strengths, each pair follows the same curve (Luce 1959). One drawn game is added for each
pair that has met, so that players with only wins have a rating too.

The 95 % error bars are cluster-robust sandwich estimates (Liang and Zeger 1986), with all games from one opening as a
cluster. Errors from the likelihood's curvature would count the games of a pair as independent: too wide if an opening
favours one side, which both players have once, and too narrow if equal players play the same game twice.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from papan.game.base.sentences import say
from papan.lab.statistics import Z_95

ELO = 400.0 / math.log(10.0)
"""Elo points per unit of the logistic curve's argument."""
_VIRTUAL = 1.0
"""Drawn games added for each pair that has met."""
_LONGEST_STEP = 2.0
_ROUNDS = 100
_NEAR_ENOUGH = 1e-10

Array = np.ndarray[Any, np.dtype[np.float64]]


class Comparison(NamedTuple):
    """Two players of a game, and the first one's result: 1, ½ or 0."""

    one: int
    other: int
    points: float


class Rating(NamedTuple):
    """A player's rating in Elo points, and the half width of its 95 % interval."""

    elo: float
    margin: float


def expected_score(elo: float) -> float:
    """The expected share of points of a player *elo* points stronger.

    >>> round(expected_score(400.0), 4)
    0.9091
    """
    return 1.0 / (1.0 + math.exp(-elo / ELO))


def comparisons(players: Sequence[int], payoffs: Sequence[float]) -> list[Comparison]:
    """The pairwise results of a game that paid *payoffs* to *players*.

    >>> comparisons((4, 5, 6), (-1.0, 1.0, -1.0))
    [Comparison(one=4, other=5, points=0.0), Comparison(one=5, other=6, points=1.0)]
    """
    is_drawn = len(set(payoffs)) == 1
    found: list[Comparison] = []
    for seat, paid in enumerate(payoffs):
        for other in range(seat + 1, len(payoffs)):
            if is_drawn or paid != payoffs[other]:
                points = 0.5 if is_drawn else float(paid > payoffs[other])
                found.append(Comparison(players[seat], players[other], points))
    return found


def rate(players: int, clusters: Iterable[Sequence[Comparison]], reference: int | None = None) -> list[Rating | None]:
    """The ratings of *players* players, or their differences to that of *reference*; None for one without games.

    :param clusters: the comparisons of each opening.
    :param reference: must be connected by games to all others.
    """
    fit = _fitted(players, clusters)
    ratings: list[Rating | None] = []
    for player in range(players):
        strength, variance = fit.strengths[player], fit.spread[player, player]
        if reference is not None:
            strength = strength - fit.strengths[reference]
            variance = variance + fit.spread[reference, reference] - 2.0 * fit.spread[player, reference]
        ratings.append(_rating(strength, variance) if player in fit.known else None)
    return ratings


class _Fit(NamedTuple):
    """The maximum-likelihood strengths, in units of the logistic curve's argument, and their covariance."""

    strengths: Array
    spread: Array
    known: set[int]
    """The players with games."""


def _fitted(players: int, clusters: Iterable[Sequence[Comparison]]) -> _Fit:
    clusters = [cluster for cluster in clusters if cluster]
    met: Mapping[tuple[int, int], list[float]] = _sums(clusters)
    pairs = np.array(list(met), np.int64).reshape(-1, 2)
    numbers, points = np.array(list(met.values()), np.float64).reshape(-1, 2).T
    differences = np.zeros((len(pairs), players))
    differences[np.arange(len(pairs)), pairs[:, 0]] = 1.0
    differences[np.arange(len(pairs)), pairs[:, 1]] = -1.0
    strengths = _most_likely(differences, numbers + _VIRTUAL, points + _VIRTUAL / 2.0)
    chances = 1.0 / (1.0 + np.exp(-differences @ strengths))
    spread = _covariance(players, clusters, differences, numbers + _VIRTUAL, chances, strengths)
    return _Fit(strengths, spread, set(pairs.ravel().tolist()))


def _rating(strength: float, variance: float) -> Rating:
    return Rating(ELO * float(strength), Z_95 * ELO * math.sqrt(max(0.0, float(variance))))


def _sums(clusters: Sequence[Sequence[Comparison]]) -> Mapping[tuple[int, int], list[float]]:
    """By pair, smaller number first: the number of games, and the points of the first."""
    met: defaultdict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for cluster in clusters:
        for one, other, points in cluster:
            pair = met[min(one, other), max(one, other)]
            pair[0] += 1.0
            pair[1] += points if one < other else 1.0 - points
    return met


def _most_likely(differences: Array, numbers: Array, points: Array) -> Array:
    """The maximum-likelihood strengths, with mean 0, by Newton's method."""
    strengths = np.zeros(differences.shape[1])
    for _ in range(_ROUNDS):
        chances = 1.0 / (1.0 + np.exp(-differences @ strengths))
        step = np.linalg.pinv(_information(differences, numbers, chances)) @ (
            differences.T @ (points - numbers * chances)
        )
        strengths += np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        if len(step) == 0 or np.abs(step).max() < _NEAR_ENOUGH:
            break
    return strengths - strengths.mean() if len(strengths) else strengths


def _information(differences: Array, numbers: Array, chances: Array) -> Array:
    return (differences * (numbers * chances * (1.0 - chances))[:, None]).T @ differences


def _covariance(
    players: int,
    clusters: Sequence[Sequence[Comparison]],
    differences: Array,
    numbers: Array,
    chances: Array,
    strengths: Array,
) -> Array:
    """The sandwich estimate of the strengths' covariance."""
    pulls = np.zeros((len(clusters), players))
    for cluster, pull in zip(clusters, pulls, strict=True):
        for one, other, points in cluster:
            surprise = points - 1.0 / (1.0 + math.exp(float(strengths[other] - strengths[one])))
            pull[one] += surprise
            pull[other] -= surprise
    # An added drawn game counts as an independent half win and half loss.
    virtual = (_VIRTUAL / 2.0) ** 2 * ((1.0 - chances) ** 2 + chances**2)
    filling = pulls.T @ pulls + (differences * virtual[:, None]).T @ differences
    bread = np.linalg.pinv(_information(differences, numbers, chances))
    covariance: Array = bread @ filling @ bread
    return covariance


SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible shares of points of two games."""
_LEAST = 1e-3
"""The count used for a result that has not occurred yet."""
_HALVINGS = 60

STOPPED_EARLY = say(
    "A test that stops early exaggerates: on average the Elo is too far in the direction of the verdict, and the "
    "intervals don't correct for it."
)
"""The warning about ratings after a stopped test."""

Verdict = Literal["stronger", "not stronger"]


class SequentialTest(NamedTuple):
    """A sequential test whether the first player is stronger by at most ``elo0``, or by ``elo1``.

    After each opening, the log-likelihood ratio is compared with two bounds (Wald, "Sequential Tests of Statistical
    Hypotheses", 1945). The sample is the pentanomial result of an opening's two games, which depend on each other; each
    hypothesis gets the likeliest distribution with its mean (Van den Bergh, "The Generalized Sequential Probability
    Ratio Test", 2020, which computer chess uses).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The error rate of passing a player that is only ``elo0`` stronger."""
    beta: float = 0.05
    """The error rate of failing one that is ``elo1`` stronger."""

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the ratio between which the test continues.

        >>> [round(bound, 3) for bound in SequentialTest(0.0, 10.0).bounds]
        [-2.944, 2.944]
        """
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of ``elo1`` against ``elo0``.

        :param counts: how often each of ``SCORES`` occurred.
        """
        if not any(counts):
            return 0.0
        filled = [max(float(count), _LEAST) for count in counts]
        total = sum(filled)
        shares = [count / total for count in filled]
        under0, under1 = (_likeliest(shares, expected_score(elo)) for elo in (self.elo0, self.elo1))
        return total * sum(
            share * math.log(one / zero) for share, zero, one in zip(shares, under0, under1, strict=True)
        )

    def verdict(self, counts: Sequence[int]) -> Verdict | None:
        """The verdict for *counts*; None while the test continues."""
        low, high = self.bounds
        ratio = self.log_likelihood_ratio(counts)
        return "stronger" if ratio >= high else "not stronger" if ratio <= low else None


def _likeliest(shares: Sequence[float], mean: float) -> list[float]:
    """The distribution over ``SCORES`` with *mean* that makes *shares* likeliest.

    Each share is divided by 1 + θ(score - mean); bisection finds the θ that gives the mean.
    """
    low, high = -1.0 / (SCORES[-1] - mean), 1.0 / (mean - SCORES[0])
    for _ in range(_HALVINGS):
        theta = (low + high) / 2.0
        pull = sum(
            share * (score - mean) / (1.0 + theta * (score - mean)) for share, score in zip(shares, SCORES, strict=True)
        )
        low, high = (theta, high) if pull > 0.0 else (low, theta)
    theta = (low + high) / 2.0
    return [share / (1.0 + theta * (score - mean)) for share, score in zip(shares, SCORES, strict=True)]
