"""Which steps a strong player is likely to choose, at a glance: a multinomial logit of what each step shows.

A game writes down what marks each step, as it sees fit: each mark is the place of a weight, and the sum of a step's
weights is how much it appeals (McFadden, "Conditional logit analysis of qualitative choice behavior", 1974). The
weights are learned from what a search has chosen, and the search then looks first at what appeals: expert iteration
(Anthony, Tian and Barber, "Thinking Fast and Slow with Deep Learning and Tree Search", 2017), with a linear model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from papan.game.kernel import compiled, kernel, subroutine
from papan.game.rules import State

MARKS = 4
"""How many marks each step has."""
_CAREFUL = 1e-8  # keeps the rate of a weight that was never corrected finite


@kernel
def write_marks(state: State, buffer: Any, end: int, marks: Any) -> None:
    """Write the places of the weights of each legal step ``buffer[:end]``, MARKS of them, into *marks*, one after the
    other; of a state whose cards are hidden they say little, so guesses are looked at instead.
    """
    raise NotImplementedError


@write_marks.otherwise
def _unmarked(state: State, buffer: Any, end: int, marks: Any) -> None:
    marks[: end * MARKS] = 0


@dataclass(frozen=True)
class Choices:
    """The form of a game's marks."""

    name: str
    """Says what marks a step, and changes with it."""
    size: int
    """How many weights there are."""

    def as_data(self) -> dict[str, Any]:
        """The form as JSON has it."""
        return {"choices": self.name, "size": self.size}


@subroutine
def write_chances(weights: Any, base: int, marks: Any, first: int, end: int, chances: Any) -> None:
    """Write into ``chances[:end]`` how likely each of *end* steps is to be chosen, whose marks begin at *first*.

    :param base: the weights of marks are ``weights[base:]``.
    """
    most = -math.inf
    for number in range(end):
        appeal = 0.0
        for mark in range(first + number * MARKS, first + (number + 1) * MARKS):
            appeal += float(weights[base + marks[mark]])
        chances[number] = appeal
        most = max(most, appeal)
    total = 0.0
    for number in range(end):
        chances[number] = math.exp(chances[number] - most)
        total += chances[number]
    for number in range(end):
        chances[number] /= total


@compiled
def learn_choices(
    firsts: Any, marks: Any, shares: Any, order: Any, rate: float, weights: Any, squares: Any, chances: Any
) -> float:
    """Correct *weights* by choices, in this *order*; returns the mean cross-entropy of what they said before, in nats.

    The steps of choice number n are those from ``firsts[n]`` on, up to ``firsts[n + 1]``. Each weight has a rate of its
    own: Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization" (2011).

    :param shares: what share of the search each step has had.
    :param rate: nothing is learned at 0.
    :param squares: the sums of squared slopes of each weight.
    :param chances: room for one choice.
    """
    total = 0.0
    for position in range(len(order)):
        choice = order[position]
        first = firsts[choice]
        end = firsts[choice + 1] - first
        write_chances(weights, 0, marks, first * MARKS, end, chances)
        for number in range(end):
            share = shares[first + number]
            if share > 0.0:
                total -= share * math.log(chances[number])
            if rate > 0.0:
                slope = chances[number] - share
                for mark in range((first + number) * MARKS, (first + number + 1) * MARKS):
                    place = marks[mark]
                    squares[place] += slope * slope
                    weights[place] -= rate * slope / math.sqrt(squares[place] + _CAREFUL)
    return total / len(order)
