"""A small network that judges a board: rows of weights for what stands where, added up, and a layer above them.

The first layer is changed by what has changed on the board and no more (Nasu, "Efficiently Updatable Neural-Network-
based Evaluation Functions for Computer Shogi", 2018). Its weights are whole multiples of a power of two, so that sums
are exact, whatever their order: what is brought up to date and what is added up anew agree to the last digit.

A network is one block of a vector of weights: a row of as many as there are neurons for each of ``rows``, one for what
is added always, one of what each neuron counts that is above 0, and a last weight for what is added in the end.
"""

from __future__ import annotations

from typing import Any

from papan.ai.evaluation import Weights
from papan.game.kernel import subroutine

UNIT = 1.0 / 1024.0
"""The first layer's weights are whole multiples of it."""
_LANES = 4


def block_size(rows: int, neurons: int) -> int:
    """How many weights a network has; its *neurons* are a multiple of four."""
    return (rows + 2) * neurons + 1


# A row is made an array of its own: so the machine need not ask of each place in it whether it counts from the end.


@subroutine
def begin(sums: Any, weights: Weights, rows: int, base: int) -> None:
    """Have *sums* be those of an empty board, by the network of so many *rows* at *base*."""
    first = base + rows * len(sums)
    found = weights[first : first + len(sums)]
    for index in range(len(sums)):
        sums[index] = found[index]


@subroutine
def add(sums: Any, weights: Weights, row: int, base: int) -> None:
    """Add a *row*."""
    first = base + row * len(sums)
    found = weights[first : first + len(sums)]
    for index in range(len(sums)):
        sums[index] += found[index]


@subroutine
def take(sums: Any, weights: Weights, row: int, base: int) -> None:
    """Take a *row* away again."""
    first = base + row * len(sums)
    found = weights[first : first + len(sums)]
    for index in range(len(sums)):
        sums[index] -= found[index]


@subroutine
def passed_on(summed: float, weight: float) -> float:
    """What a neuron passes on, times what that counts."""
    return max(0.0, float(summed)) * float(weight)


@subroutine
def answer(sums: Any, weights: Weights, rows: int, base: int) -> float:
    """What the network makes of *sums*."""
    first = base + (rows + 1) * len(sums)
    one, two, three, four = 0.0, 0.0, 0.0, 0.0  # that no addition waits for the one before
    for index in range(0, len(sums), _LANES):
        place = first + index
        one += passed_on(sums[index], weights[place])
        two += passed_on(sums[index + 1], weights[place + 1])
        three += passed_on(sums[index + 2], weights[place + 2])
        four += passed_on(sums[index + 3], weights[place + 3])
    found: float = (one + two) + (three + four) + float(weights[first + len(sums)])
    return found
