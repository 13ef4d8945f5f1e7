"""The sequential test of two players: match after match until it is clear enough which of two claims holds.

The claims are that the first player is stronger by no more than ``elo0``, or by ``elo1``. After each opening the
logarithm of the ratio of their likelihoods is compared with two bounds, which keep errors as rare as was asked (Wald,
"Sequential Tests of Statistical Hypotheses", 1945). What is drawn from is not single games but the five results that
an opening's two can have together, since these depend on each other; each claim is given the likeliest distribution
that has its mean: the generalised test of Van den Bergh, "The Generalized Sequential Probability Ratio Test" (2020),
which computer chess plays by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from papan.game.base.sentences import say
from papan.lab.tournament.rating import expected_score

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The shares of points that two games can have brought."""
_LEAST = 1e-3
"""Instead of a result that has not come: it may yet."""
_HALVINGS = 60

STOPPED_EARLY = say(
    "A test that stops early exaggerates: Elo lies too far to the side of its verdict in the mean, and intervals don't "
    "allow for that."
)
"""What is to be known of ratings then."""

Verdict = Literal["stronger", "not stronger"]


class SequentialTest(NamedTuple):
    """What is tested: by how much the first player is stronger, and how rare errors are to be."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often a player that is only ``elo0`` stronger may pass."""
    beta: float = 0.05
    """How often one that is ``elo1`` stronger may fail."""

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds between which the test goes on.

        >>> [round(bound, 3) for bound in SequentialTest(0.0, 10.0).bounds]
        [-2.944, 2.944]
        """
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Sequence[int]) -> float:
        """How much likelier ``elo1`` makes what has come than ``elo0``, as a logarithm.

        :param counts: how often each of ``SCORES`` has come.
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
        """What the test says once *counts* have come; None where it goes on."""
        low, high = self.bounds
        ratio = self.log_likelihood_ratio(counts)
        return "stronger" if ratio >= high else "not stronger" if ratio <= low else None


def _likeliest(shares: Sequence[float], mean: float) -> list[float]:
    """The distribution over ``SCORES`` with that *mean* under which *shares* are likeliest.

    Each share is divided by 1 + θ(score - mean), with the θ by which the mean comes out.
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
