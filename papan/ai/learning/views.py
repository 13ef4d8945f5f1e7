"""Views and choices: logistic models of which weights a position, as a seat sees it, and a step ask for.

The *view* of a seat is a list of places of weights, written by the game, whose sum is the logarithm of the seat's odds
to win (as in Buro, "From simple features to sophisticated evaluation functions", 1998). Unlike the digits of an n-tuple
network it may speak of cards in hand, and need not be that of the seat to act.

*Choices* say which steps a strong player is likely to take: a multinomial logit (McFadden, "Conditional logit analysis
of qualitative choice behavior", 1974). Each *mark* of a step is the place of a weight, and their sum is its appeal. The
weights are learned from what a search has chosen, and the search then looks first at what appeals: expert iteration
(Anthony, Tian and Barber, "Thinking Fast and Slow with Deep Learning and Tree Search", 2017), with a linear model.

Both are for deals of what is hidden: of a state whose cards are hidden they say little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from papan.game.kernel import compiled, kernel, kernel_with_default, subroutine
from papan.game.rules import State

MOST_CERTAIN = 8.0
"""Beyond it the odds count for no more: a chance of 0.9997."""


@kernel
def write_view(state: State, seat: int, places: Any, first: int) -> int:
    """Write into ``places[first:]`` which weights *state* asks for as *seat* sees it; returns the end of them."""
    raise NotImplementedError


@dataclass(frozen=True)
class Views:
    """The form of a game's views, in place of a network's."""

    name: str
    """Says which numbers are written, and changes with them."""
    size: int
    """How many weights there are."""
    most: int
    """How many weights one view asks for at most."""

    def as_data(self) -> dict[str, Any]:
        """The form as JSON has it."""
        return {"views": self.name, "size": self.size}


@subroutine
def odds_of(weights: Any, base: int, places: Any, first: int, end: int) -> float:
    """The logarithm of the odds that the weights at ``places[first:end]`` say.

    :param base: the weights of views are ``weights[base:]``.
    """
    total = 0.0
    for index in range(first, end):
        total += float(weights[base + places[index]])
    return min(max(total, -MOST_CERTAIN), MOST_CERTAIN)


@subroutine
def promised(odds: float) -> float:
    """What a game is likely to pay, from -1 to 1, by the logarithm of the *odds* to win it."""
    return 2.0 / (1.0 + math.exp(-odds)) - 1.0


@subroutine
def view_odds(state: State, seat: int, weights: Any, base: int, places: Any) -> float:
    """The logarithm of the odds that *seat* wins *state*, which is not over.

    :param base: the weights of views are ``weights[base:]``.
    :param places: room for ``Views.most`` numbers.
    """
    end = write_view(state, seat, places, 0)
    return odds_of(weights, base, places, 0, end)


MARKS = 4
"""How many marks each step has."""
_CAREFUL = 1e-8  # keeps the rate of a weight that was never corrected finite


@kernel_with_default
def write_marks(state: State, buffer: Any, end: int, marks: Any) -> None:
    """Write the places of the weights of each legal step ``buffer[:end]``, MARKS of them, into *marks*, one after the
    other; of a state whose cards are hidden they say little, so guesses are looked at instead.
    """
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
