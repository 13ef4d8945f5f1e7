"""Tuning methods: the games of a generation, and the update from their results."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

Values = Sequence[float]
"""The tuned weights."""
State = list[list[float]]
"""A method's state: vectors of tuned weights, as in JSON."""


class Duel(NamedTuple):
    """Two vectors of weights to play one opening, once with either side."""

    one: Values
    other: Values
    opening: int


class Method(Protocol):
    """A tuning method. All its randomness comes from the *random* arguments."""

    @property
    def openings(self) -> int:
        """The number of openings in a generation."""

    def begin(self, values: Values, random: Random) -> State:
        """The initial state, from the starting weights."""

    def duels(self, state: State, generation: int, random: Random) -> list[Duel]:
        """The duels of a generation."""

    def learn(self, state: State, generation: int, scores: Sequence[float], random: Random) -> State:
        """The state after a generation.

        :param scores: the share of points of the first player in each duel.
        :param random: in the same state as for ``duels``.
        """

    def answer(self, state: State) -> list[float]:
        """The current best weights."""


def mean(vectors: Sequence[Values]) -> list[float]:
    """The mean of *vectors*.

    >>> mean([[1.0, 4.0], [3.0, 0.0]])
    [2.0, 2.0]
    """
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]


ELITE = 2
"""Individuals that survive unchanged."""
BEYOND = 0.5
"""α of BLX-α: how far a child's weight may lie outside its parents', as a share of their difference."""
MUTATED = 0.3
FIRST_SIZE, SLOWING = 0.5, 0.08
"""The size of mutations in the first generation, in spreads; it is divided by 1 + 0.08 · generation later."""


class Genetic:
    """A genetic algorithm; its state is its population.

    Geissler, "A Mathematical Analysis of the Game of Santorini" (2020), section 8.3, proposes it: individuals are
    weights, and "those with the strongest winrates against the others are selected for reproduction". What the thesis
    leaves open is done as usual for real numbers:

    - **Winrates**: in a generation individuals meet random others from the same openings, once on either side.
    - **Selection**: the better half are parents; the best two survive unchanged.
    - **Crossover**: each weight of a child lies between its parents', or a little beyond (BLX-α: Eshelman and Schaffer,
      "Real-Coded Genetic Algorithms and Interval-Schemata", 1993).
    - **Mutation**: some weights change by a normally distributed amount that shrinks with the generations.
    - **Answer**: the mean of the population, as the best individual of a few games was also lucky.
    """

    def __init__(self, spreads: Values, population: int, meetings: int) -> None:
        """:param spreads: the size of a noticeable change of each weight.
        :param population: the number of individuals, which is even.
        :param meetings: the opponents of each individual in a generation.
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
        """The pairings of each meeting: each individual has one opponent."""
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
            child = [
                first + random.uniform(-BEYOND, 1.0 + BEYOND) * (second - first)
                for first, second in zip(father, mother, strict=True)
            ]
            children.append(self._mutated(child, size, random))
        return [*parents[:ELITE], *children]

    def _mutated(self, values: Values, size: float, random: Random) -> list[float]:
        return [
            value + random.gauss(0.0, size * spread) if random.random() < MUTATED else value
            for value, spread in zip(values, self._spreads, strict=True)
        ]

    def answer(self, state: State) -> list[float]:
        return mean(state)


ALPHA, GAMMA = 0.602, 0.101
STABILITY = 10.0
"""A of Spall's gains: about a tenth of the expected generations."""
PERTURBATION = 0.3
"""The first perturbation, in spreads."""
STEP = 0.3
"""The step after a match won by all points in the first generation, in spreads."""


class Spsa:
    """Simultaneous perturbation: all weights change at once, in both directions, and follow the winning side.

    Its state is one vector. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient
    Approximation" (1992); its gains follow "Implementation of the Simultaneous Perturbation Algorithm for Stochastic
    Optimization" (1998). The difference of the two measured values is the result of a match between them.
    """

    def __init__(self, spreads: Values, openings: int) -> None:
        """:param spreads: the size of a noticeable change of each weight.
        :param openings: the number of openings in a generation's match.
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
