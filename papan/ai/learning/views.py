"""Views and choices: logistic models of positions as a seat sees them, and of steps.

The *view* of a seat is a list of indices of weights, written by the game; the weights' sum is the logarithm of the
seat's odds to win (as in Buro, "From simple features to sophisticated evaluation functions", 1998). Unlike the digits
of an n-tuple network it may describe cards in hand, and any seat's view can be taken.

*Choices* predict the steps of a strong player: a multinomial logit (McFadden, "Conditional logit analysis of
qualitative choice behavior", 1974). Each *mark* of a step is the index of a weight; their sum is the step's logit. The
weights are learned from a search's choices, and guide the search: expert iteration (Anthony, Tian and Barber, "Thinking
Fast and Slow with Deep Learning and Tree Search", 2017), with a linear model.

Both need states without hidden cards, such as guesses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from papan.game.kernel import compiled, kernel, kernel_with_default, subroutine
from papan.game.rules import State

MOST_CERTAIN = 8.0
"""The limit of log odds: a chance of 0.9997."""


@kernel
def write_view(state: State, seat: int, places: Any, first: int) -> int:
    """Write into ``places[first:]`` the indices of the weights of the view of *seat*; returns their end."""
    raise NotImplementedError


@dataclass(frozen=True)
class Views:
    name: str
    """Changes when the indices change their meaning."""
    size: int
    """The number of weights."""
    most: int
    """The maximum of weights in a view."""

    def as_data(self) -> dict[str, Any]:
        return {"views": self.name, "size": self.size}


@subroutine
def odds_of(weights: Any, base: int, places: Any, first: int, end: int) -> float:
    """The log odds by the weights at ``places[first:end]``.

    :param base: the weights of views are ``weights[base:]``.
    """
    total = 0.0
    for index in range(first, end):
        total += float(weights[base + places[index]])
    return min(max(total, -MOST_CERTAIN), MOST_CERTAIN)


@subroutine
def promised(odds: float) -> float:
    """The expected payoff, from -1 to 1, for log *odds*."""
    return 2.0 / (1.0 + math.exp(-odds)) - 1.0


@subroutine
def view_odds(state: State, seat: int, weights: Any, base: int, places: Any) -> float:
    """The log odds that *seat* wins *state*, which is not over.

    :param base: the weights of views are ``weights[base:]``.
    """
    end = write_view(state, seat, places, 0)
    return odds_of(weights, base, places, 0, end)


MARKS = 4
"""The number of marks of each step."""
_CAREFUL = 1e-8  # avoids division by zero


@kernel_with_default
def write_marks(state: State, buffer: Any, end: int, marks: Any) -> None:
    """Write into *marks* the indices of the MARKS weights of each legal step ``buffer[:end]``, for guessed states."""
    marks[: end * MARKS] = 0


@dataclass(frozen=True)
class Choices:
    name: str
    """Changes when the marks change their meaning."""
    size: int
    """The number of weights."""

    def as_data(self) -> dict[str, Any]:
        return {"choices": self.name, "size": self.size}


@subroutine
def write_chances(weights: Any, base: int, marks: Any, first: int, end: int, chances: Any) -> None:
    """Write into ``chances[:end]`` the probabilities of *end* steps, whose marks begin at *first*.

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
    """Train *weights* on choices in this *order*; returns the mean cross-entropy before, in nats.

    The steps of choice n are ``firsts[n]`` to ``firsts[n + 1]``. Each weight has its own rate (AdaGrad): Duchi, Hazan
    and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization" (2011).

    :param shares: each step's share of the search.
    :param rate: nothing is learned at 0.
    :param squares: the sum of squared gradients of each weight.
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
