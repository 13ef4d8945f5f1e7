"""Simultaneous perturbation: all weights are changed at once, both ways, and follow the side that wins.

Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation" (1992); the
sequences of gains are those that he recommends in "Implementation of the Simultaneous Perturbation Algorithm for
Stochastic Optimization" (1998). The difference of the two measured values is what a match between them brings.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from papan.lab.tuning.methods import Duel, State, Values

ALPHA, GAMMA = 0.602, 0.101
STABILITY = 10.0
"""A of Spall's gains: about a tenth of the generations that are expected."""
PERTURBATION = 0.3
"""The first change, in spreads."""
STEP = 0.3
"""The step that a match won by all points would bring in the first generation, in spreads."""


class Spsa:
    """The algorithm; a ``Method`` whose state is one vector."""

    def __init__(self, spreads: Values, openings: int) -> None:
        """:param spreads: by how much each weight is to be changed to make a difference.
        :param openings: how many openings a generation's match has.
        """
        self._spreads = spreads
        self.openings = openings

    def begin(self, values: Values, random: Random) -> State:
        return [list(values)]

    def duels(self, state: State, generation: int, random: Random) -> list[Duel]:
        changes = self._changes(generation, random)
        more = [value + change for value, change in zip(state[0], changes, strict=True)]
        less = [value - change for value, change in zip(state[0], changes, strict=True)]
        return [Duel(more, less, opening) for opening in range(self.openings)]

    def _changes(self, generation: int, random: Random) -> list[float]:
        size = PERTURBATION / (generation + 1) ** GAMMA
        return [random.choice((-size, size)) * spread for spread in self._spreads]

    def learn(self, state: State, generation: int, scores: Sequence[float], random: Random) -> State:
        changes = self._changes(generation, random)
        won = 2.0 * sum(scores) / len(scores) - 1.0
        first = PERTURBATION * STEP * (STABILITY + 1.0) ** ALPHA
        gain = first / (STABILITY + generation + 1) ** ALPHA
        return [
            [
                value + gain * won * spread * spread / change
                for value, spread, change in zip(state[0], self._spreads, changes, strict=True)
            ]
        ]

    def answer(self, state: State) -> list[float]:
        return list(state[0])
