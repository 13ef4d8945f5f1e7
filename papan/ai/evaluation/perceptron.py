"""A small network that judges a board: rows of weights for what stands where, added up, and a layer above them.

The first layer is changed by what has changed on the board and no more (Nasu, "Efficiently Updatable Neural-Network-
based Evaluation Functions for Computer Shogi", 2018). Its weights are whole numbers of 16 bits, in small parts of their
unit: so sums are exact, whatever their order, and what is brought up to date and what is added up anew are the same.

A network is one block of a vector of weights: a row of as many as there are neurons for each of ``rows``, one for what
is added always, one of what each neuron counts that is above 0, and a last weight for what is added in the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import Weights
from papan.game.kernel import subroutine

Whole = NDArray[np.int16]

UNIT = 1.0 / 1024.0
"""What the first layer's weights are parts of."""
COUNT = 1.0 / 4096.0
"""What those of the second are parts of: what each neuron counts, and what is added in the end."""
NEURONS = 128
"""So many has every network. As it is a constant the compiler has many added at a time."""


def block_size(rows: int) -> int:
    """How many weights a network has."""
    return (rows + 2) * NEURONS + 1


def has_room(rows: Whole, lasts: Whole) -> bool:
    """Whether a network's sums are numbers of 16 bits and its answer one of 32, whatever stands on the board.

    :param rows: what is added for each row, and always: shape (rows + 1, neurons).
    :param lasts: what each neuron counts, and what is added in the end: shape (neurons + 1,).
    """
    most, least = np.maximum(rows, 0).sum(0, np.int64), np.minimum(rows, 0).sum(0, np.int64)
    counted = most * lasts[:-1]
    widest = max(np.maximum(counted, 0).sum(), -np.minimum(counted, 0).sum())
    return bool(most.max() < 1 << 15 and -least.min() < 1 << 15 and widest < 1 << 31)


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
    total = np.int32(0)  # numbers so short that the machine multiplies many at a time
    for neuron in range(NEURONS):
        total = np.int32(total + np.int32(max(0, int(sums[neuron])) * int(counts[neuron])))
    return float(total) * (UNIT * COUNT) + float(weights[first + NEURONS]) * COUNT
