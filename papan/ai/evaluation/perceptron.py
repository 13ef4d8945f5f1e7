"""A small network that judges a board: rows of weights for what stands where, added up, and a layer above them.

The first layer is changed by what has changed on the board and no more (Nasu, "Efficiently Updatable Neural-Network-
based Evaluation Functions for Computer Shogi", 2018). Its weights are whole multiples of a power of two, so that sums
are exact, whatever their order: what is brought up to date and what is added up anew agree to the last digit.

A network is one block of a vector of weights: a row of as many as there are neurons for each of ``rows``, one for what
is added always, one of what each neuron counts that is above 0, and a last weight for what is added in the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation import Weights
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.room import zeros

UNIT = 1.0 / 1024.0
"""The first layer's weights are whole multiples of it."""
NEURONS = 128
"""So many has every network. As it is a constant the compiler has several added at a time: one of 64 answers in a fifth
of the time that it takes where neurons are counted as it runs."""
assert NEURONS // 32 == 4, "an answer is folded five times, until four numbers are left"


def block_size(rows: int) -> int:
    """How many weights a network has."""
    return (rows + 2) * NEURONS + 1


# A row is made an array of its own: so the machine need not ask of each place in it whether it counts from the end.


@subroutine
def begin(sums: Any, weights: Weights, rows: int, base: int) -> None:
    """Have *sums* be those of an empty board, by the network of so many *rows* at *base*."""
    first = base + rows * NEURONS
    row = weights[first : first + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] = row[neuron]


@subroutine
def add(sums: Any, weights: Weights, row: int, base: int) -> None:
    """Add a *row*."""
    first = base + row * NEURONS
    added = weights[first : first + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] += added[neuron]


@subroutine
def take(sums: Any, weights: Weights, row: int, base: int) -> None:
    """Take a *row* away again."""
    first = base + row * NEURONS
    taken = weights[first : first + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] -= taken[neuron]


@subroutine
def swap(sums: Any, weights: Weights, gone: int, come: int, base: int) -> None:
    """Take the row *gone* away, and add the row *come*."""
    first, second = base + gone * NEURONS, base + come * NEURONS
    taken, added = weights[first : first + NEURONS], weights[second : second + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] += added[neuron] - taken[neuron]


@subroutine
def answer(sums: Any, weights: Weights, rows: int, base: int) -> float:
    """What the network makes of *sums*."""
    first = base + (rows + 1) * NEURONS
    counts = weights[first : first + NEURONS]
    passed = zeros(np.float64, NEURONS)  # which holds their products to the last digit, fused with sums or not
    for neuron in range(NEURONS):
        passed[neuron] = max(0.0, float(sums[neuron])) * float(counts[neuron])
    fold(passed, NEURONS // 2)
    fold(passed, NEURONS // 4)
    fold(passed, NEURONS // 8)
    fold(passed, NEURONS // 16)
    fold(passed, NEURONS // 32)
    found: float = (passed[0] + passed[1]) + (passed[2] + passed[3]) + float(weights[first + NEURONS])
    return found


@inlined
def fold(numbers: Any, half: int) -> None:
    """Add to each of the first *half* of *numbers* one of the second, so that the sum of the first is that of both."""
    for index in range(half):
        numbers[index] += numbers[index + half]
