"""Positions as single seats see them, in deals of what is hidden: which weights a seat asks for, and what they promise.

A game writes the numbers of a view by itself, as it sees fit: each is the place of a weight, and their sum is the
logarithm of the seat's odds to win, a logistic model of patterns (as in Buro, "From simple features to sophisticated
evaluation functions", 1998). Unlike the digits of an n-tuple network they may speak of cards in hand, and a view need
not be that of the seat to act. Of a state whose cards are hidden a view says little: guesses are judged instead.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from papan.game.kernel import kernel, subroutine
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
