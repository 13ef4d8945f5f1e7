"""A genetic algorithm over weights.

Geissler, "A Mathematical Analysis of the Game of Santorini" (2020), section 8.3, proposes it: individuals are weights,
and "those with the strongest winrates against the others are selected for reproduction". What the thesis leaves open
is done here as is usual for real numbers:

- **Winrates**: in a generation everybody meets some others, drawn anew, from the same openings, with sides exchanged.
- **Selection**: the better half are parents; the best two of them live on as they are.
- **Crossover**: each weight of a child lies between its parents', or a little beyond (BLX-α: Eshelman and Schaffer,
  "Real-Coded Genetic Algorithms and Interval-Schemata", 1993).
- **Mutation**: some weights are moved by a normally distributed amount, which gets less from generation to generation.
- **The answer** is the mean of the population: who was best in a few games was lucky too, and the mean of many is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from papan.lab.tuning.methods import Duel, State, Values, mean

ELITE = 2
"""Individuals that live on as they are."""
BEYOND = 0.5
"""α of BLX-α: how far beyond its parents' a child's weight may lie, as a share of their difference."""
MUTATED = 0.3
"""The share of weights that are mutated."""
FIRST_SIZE, SLOWING = 0.5, 0.08
"""The size of a mutation in the first generation, in spreads; later ones are divided by 1 + 0.08 a generation."""


class Genetic:
    """The algorithm; a ``Method`` whose state is its population."""

    def __init__(self, spreads: Values, population: int, meetings: int) -> None:
        """:param spreads: by how much each weight is to be changed to make a difference.
        :param population: how many individuals there are: an even number.
        :param meetings: how many others each meets in a generation.
        """
        self._spreads = spreads
        self._population = population
        self.openings = meetings

    def begin(self, values: Values, random: Random) -> State:
        others = [
            [value + random.gauss(0.0, spread) for value, spread in zip(values, self._spreads, strict=True)]
            for _ in range(self._population - 1)
        ]
        return [list(values), *others]

    def duels(self, state: State, generation: int, random: Random) -> list[Duel]:
        return [
            Duel(state[one], state[other], meeting)
            for meeting, pairs in enumerate(self._meetings(random))
            for one, other in pairs
        ]

    def _meetings(self, random: Random) -> list[list[tuple[int, int]]]:
        """Who meets whom: for each meeting everybody has one other."""
        meetings: list[list[tuple[int, int]]] = []
        for _ in range(self.openings):
            order = list(range(self._population))
            random.shuffle(order)
            meetings.append(list(zip(order[::2], order[1::2], strict=True)))
        return meetings

    def learn(self, state: State, generation: int, scores: Sequence[float], random: Random) -> State:
        points = [0.0] * self._population
        pairs = [pair for meeting in self._meetings(random) for pair in meeting]
        for (one, other), score in zip(pairs, scores, strict=True):
            points[one] += score
            points[other] += 1.0 - score
        ranked = sorted(range(self._population), key=lambda individual: -points[individual])
        parents = [state[individual] for individual in ranked[: self._population // 2]]
        size = FIRST_SIZE / (1.0 + SLOWING * generation)
        children: State = []
        while len(children) < self._population - ELITE:
            father, mother = random.sample(parents, 2)
            children.append(self._mutated(_crossed(father, mother, random), size, random))
        return [*parents[:ELITE], *children]

    def _mutated(self, values: Values, size: float, random: Random) -> list[float]:
        return [
            value + random.gauss(0.0, size * spread) if random.random() < MUTATED else value
            for value, spread in zip(values, self._spreads, strict=True)
        ]

    def answer(self, state: State) -> list[float]:
        return mean(state)


def _crossed(one: Values, other: Values, random: Random) -> list[float]:
    """A child of two parents."""
    return [
        first + random.uniform(-BEYOND, 1.0 + BEYOND) * (second - first)
        for first, second in zip(one, other, strict=True)
    ]
