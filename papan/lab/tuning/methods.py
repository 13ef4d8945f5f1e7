"""How better weights are looked for: what a method plays in a generation, and what it learns from the results."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

Values = Sequence[float]
"""The tuned weights."""
State = list[list[float]]
"""What a method knows: some vectors of tuned weights, the same as JSON has them."""


class Duel(NamedTuple):
    """Two vectors of weights that are to meet from one opening, each having either side."""

    one: Values
    other: Values
    opening: int


class Method(Protocol):
    """A way to look for weights. It draws from nothing but the *random* that it is given."""

    @property
    def openings(self) -> int:
        """How many openings a generation needs."""

    def begin(self, values: Values, random: Random) -> State:
        """What it knows before the first generation, from the weights that there are."""

    def duels(self, state: State, generation: int, random: Random) -> list[Duel]:
        """What is to be played."""

    def learn(self, state: State, generation: int, scores: Sequence[float], random: Random) -> State:
        """What it knows after a generation.

        :param scores: for each of its duels the share of points of the first.
        :param random: in the state in which ``duels`` was given it.
        """

    def answer(self, state: State) -> list[float]:
        """The weights that it would play by now."""


def mean(vectors: Sequence[Values]) -> list[float]:
    """The mean of *vectors*.

    >>> mean([[1.0, 4.0], [3.0, 0.0]])
    [2.0, 2.0]
    """
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]
