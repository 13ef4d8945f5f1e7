"""Gomoku's network: from what a stone on each cell would make to the log odds of a win.

The first layer is an accumulator (Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
Shogi", 2018): for each colour it adds one row of weights a cell, chosen by what a stone there would make in the four
directions, whatever their order (``combination``). A row has two halves, for the seat to move and for the other one.
Threats select the second layer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import Weights
from papan.ai.evaluation.gomoku.lines import (
    CELLS,
    COMBINATIONS,
    HALF,
    catch_up,
    combination,
    made_in,
    note_made,
)
from papan.ai.learning.weight_files import misshapen, read_arrays
from papan.game.base.assets import ASSETS
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.arrays import zeros
from papan.game.rules.gomoku import State

Whole = NDArray[np.int16]

UNIT = 1.0 / 512.0
"""Unit of the first layer's weights."""
COUNT = 1.0 / 1024.0
"""Unit of the second layers' weights and biases."""
WIDTH = 2 * HALF
"""The weights of a row."""
MOST = (1 << 14) - 1
"""The largest output of a neuron."""
STOPS, ATTACKS, DEFENDS, QUIET = range(4)
"""The second layers: the seat to move must stop a four; has an open three; faces one; none of these."""
LAYERS = 4
LAST = HALF + 1

BIAS = COMBINATIONS * WIDTH
"""Where the biases of the first layer begin."""
SECOND = BIAS + HALF
"""Where the second layers begin, biases last."""
SIZE = SECOND + LAYERS * LAST
"""The number of all weights."""
WON = 40.0
"""The log odds of a seat that completes a five, or will."""

ASSET = "weights/gomoku.npz"


class Network(NamedTuple):
    rows: Whole
    """The first layer in units of ``UNIT``, by combination; the first row, of cells where little is made, is 0."""
    biases: Whole
    """Of the first layer."""
    lasts: Whole
    """The second layers in units of ``COUNT``, biases last."""


def vector(network: Network) -> Whole:
    """The *network* as evaluations read it."""
    return np.concatenate([part.ravel() for part in network])


def bundled_network() -> Whole | None:
    """The learned network that comes with the program; None if its file is damaged."""
    return ASSETS.open(ASSET, learned_network) if ASSET in ASSETS.digests else None


def learned_network(path: Path) -> Whole:
    """The network in the file *path*; raises WeightFileError if it does not hold one."""
    found = Network(**read_arrays(path, dict.fromkeys(Network._fields, np.int16)))
    for name, array, shape in zip(
        Network._fields, found, ((COMBINATIONS, WIDTH), (HALF,), (LAYERS, LAST)), strict=True
    ):
        if array.shape != shape:
            raise misshapen(path, name)
    if found.rows[0].any():
        raise misshapen(path, "rows")
    if np.abs(found.lasts[:, :-1].astype(np.int64)).sum(axis=1).max() * MOST >= 1 << 31:
        raise misshapen(path, "lasts")
    return vector(found)


# Rows are sliced first: an index into the slice is known to be non-negative, so the loops stay vectorized.


@inlined
def add(sums: Any, weights: Weights, row: int) -> None:
    added = weights[row * WIDTH : row * WIDTH + WIDTH]
    for index in range(WIDTH):
        sums[index] += added[index]


@inlined
def swap(sums: Any, weights: Weights, gone: int, come: int) -> None:
    taken = weights[gone * WIDTH : gone * WIDTH + WIDTH]
    added = weights[come * WIDTH : come * WIDTH + WIDTH]
    for index in range(WIDTH):
        sums[index] += added[index] - taken[index]


@subroutine
def answer(own: Any, other: Any, layer: int, weights: Weights) -> float:
    """The log odds of the seat to move, by the sums of both seats."""
    biases = weights[BIAS : BIAS + HALF]
    first = SECOND + layer * LAST
    counts = weights[first : first + HALF]
    theirs = other[HALF:WIDTH]
    total = np.int32(0)
    for index in range(HALF):
        neuron = np.int32(own[index] + theirs[index] + biases[index])
        neuron = min(max(neuron, np.int32(0)), np.int32(MOST))
        total = np.int32(total + np.int32(neuron * np.int32(counts[index])))
    return float(total) * (UNIT * COUNT) + float(weights[first + HALF]) * COUNT


@subroutine
def promise(state: State, layer: int, weights: Weights) -> float:
    """The log odds of the seat to move, computed afresh."""
    made, sums = zeros(np.int64, 2, CELLS), zeros(np.int32, 2, WIDTH)
    note_made(state, made)
    for side in range(2):
        for cell in range(CELLS):
            if made[side, cell] != 0:
                add(sums[side], weights, combination(int(made[side, cell])))
    odds: float = answer(sums[0], sums[1], layer, weights)
    return odds


@subroutine
def promise_kept(colour: int, layer: int, weights: Weights, kept: Any) -> float:
    """As ``promise``, for *colour*, from what is kept."""
    catch_up(kept)
    if kept.summed < 0:
        number = int(kept.root)
        for side in range(2):
            sums = kept.sums[number, side]
            for index in range(WIDTH):
                sums[index] = 0
            for cell in range(CELLS):
                made = made_in(int(kept.look[number, 2 * cell + side]))
                if made != 0:
                    add(sums, weights, int(kept.combinations[made]))
        kept.summed = number
    for number in range(int(kept.summed) + 1, int(kept.placed) + 1):
        for side in range(2):
            sums, before = kept.sums[number, side], kept.sums[number - 1, side]
            for index in range(WIDTH):
                sums[index] = before[index]
        for change in range(int(kept.changes[number])):
            place = int(kept.changed[number, change])
            gone = int(kept.combinations[made_in(int(kept.look[number - 1, place]))])
            come = int(kept.combinations[made_in(int(kept.look[number, place]))])
            swap(kept.sums[number, place & 1], weights, gone, come)
    kept.summed = kept.placed
    odds: float = answer(kept.sums[kept.placed, colour], kept.sums[kept.placed, 1 - colour], layer, weights)
    return odds
