"""Checkers networks: from the squares of men and kings to the log odds of a win.

There is a network for each *phase* (no kings yet, kings, few pieces). With White to move the board is turned round.
The first layer is an accumulator: a move changes the sums of its rows only (Nasu, "Efficiently Updatable
Neural-Network-based Evaluation Functions for Computer Shogi", 2018). Its weights are 16-bit integers, so incremental
sums are exact.

A network is one block of a vector of weights: for each row ``NEURONS`` weights, then as many biases, the second layer's
weights, and its bias.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import Weights
from papan.ai.evaluation.accumulator import accumulator, gather
from papan.ai.learning.weight_files import misshapen, read_arrays
from papan.game.base.assets import ASSETS
from papan.game.kernel import subroutine
from papan.game.kernel.arrays import new_record, record_type, zeros
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.checkers.board import SQUARES, State, pieces_of, square_of

Whole = NDArray[np.int16]

UNIT = 1.0 / 1024.0
"""Unit of the first layer's weights."""
COUNT = 1.0 / 4096.0
"""Unit of the second layer's weights and bias."""
NEURONS = 128
"""The same for every network: a constant, so that the compiler vectorizes the loops."""


def block_size(rows: int) -> int:
    """Return the number of weights of a network."""
    return (rows + 2) * NEURONS + 1


ASSET = "weights/checkers.npz"

KINDS = 4
"""Own men, own kings, their men, their kings."""
ROWS = KINDS * SQUARES
BLOCK = block_size(ROWS)
PHASES = 3
FEW = 8
"""The most pieces of the last phase."""
NETWORKS = PHASES * BLOCK


def has_room(rows: Whole, lasts: Whole) -> bool:
    """Whether the sums fit 16 bits and the answer 32, in every position.

    :param rows: the first layer, its biases last: shape (rows + 1, neurons).
    :param lasts: the second layer, its bias last: shape (neurons + 1,).
    """
    most, least = np.maximum(rows, 0).sum(0, np.int64), np.minimum(rows, 0).sum(0, np.int64)
    counted = most * lasts[:-1]
    widest = max(np.maximum(counted, 0).sum(), -np.minimum(counted, 0).sum())
    return bool(most.max() < 1 << 15 and -least.min() < 1 << 15 and widest < 1 << 31)


class Networks(NamedTuple):
    rows: Whole
    """The first layer in units of ``UNIT``, biases last: shape (phases, rows + 1, neurons)."""
    lasts: Whole
    """The second layer in units of ``COUNT``, bias last: shape (phases, neurons + 1)."""


def vector(networks: Networks) -> Whole:
    """The *networks* as evaluations read them."""
    return np.concatenate([networks.rows.reshape(PHASES, -1), networks.lasts], axis=1).ravel()


def bundled_networks() -> Whole | None:
    """The learned networks that come with the program; None if their file is damaged."""
    return ASSETS.open(ASSET, learned_networks) if ASSET in ASSETS.digests else None


def learned_networks(path: Path) -> Whole:
    """The networks in the file *path*; raises WeightFileError if it does not hold them."""
    found = Networks(**read_arrays(path, dict.fromkeys(Networks._fields, np.int16)))
    for name, array, shape in zip(Networks._fields, found, ((ROWS + 1, NEURONS), (NEURONS + 1,)), strict=True):
        if array.shape != (PHASES, *shape):
            raise misshapen(path, name)
    if not all(map(has_room, *found)):
        raise misshapen(path, "rows")
    return vector(found)


# Rows are sliced first: an index into the slice is known to be non-negative, so the loops stay vectorized.


@subroutine
def begin(sums: Any, weights: Weights, rows: int, base: int) -> None:
    """Set *sums* to those of an empty board, for the network with *rows* rows at *base*."""
    first = base + rows * NEURONS
    row = weights[first : first + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] = row[neuron]


@subroutine
def add(sums: Any, weights: Weights, row: int, base: int) -> None:
    first = base + row * NEURONS
    added = weights[first : first + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] += added[neuron]


@subroutine
def take(sums: Any, weights: Weights, row: int, base: int) -> None:
    first = base + row * NEURONS
    taken = weights[first : first + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] -= taken[neuron]


@subroutine
def swap(sums: Any, weights: Weights, gone: int, come: int, base: int) -> None:
    first, second = base + gone * NEURONS, base + come * NEURONS
    taken, added = weights[first : first + NEURONS], weights[second : second + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] += added[neuron] - taken[neuron]


@subroutine
def answer(sums: Any, weights: Weights, rows: int, base: int) -> float:
    """The network's output for *sums*."""
    first = base + (rows + 1) * NEURONS
    counts = weights[first : first + NEURONS]
    total = np.int32(0)  # 32 bits, so that more are multiplied at a time
    for neuron in range(NEURONS):
        total = np.int32(total + np.int32(max(0, int(sums[neuron])) * int(counts[neuron])))
    return float(total) * (UNIT * COUNT) + float(weights[first + NEURONS]) * COUNT


RECORD = record_type(
    ("sums", np.int16, (2, NEURONS)),  # by the seat that sees them
    ("sets", np.int64, (2, KINDS)),  # the pieces in the sums
    ("phase", np.int64, (2,)),  # whose network summed them; -1 for none
)


@accumulator.of(State)
def _accumulator(state: State) -> Any:
    return new_record(RECORD)


@gather.of(State)
def _gather(state: State, kept: Any) -> None:
    kept.phase[0] = kept.phase[1] = -1


@subroutine
def phase_of(state: State) -> int:
    """The phase of the game: 0 without kings, 1 with kings, 2 with few pieces."""
    if popcount(state.black | state.white) <= FEW:
        return 2
    return 1 if state.kings != 0 else 0


@subroutine
def pieces_of_kind(state: State, kind: int) -> int:
    """The pieces of *kind*, from the view of the seat to move."""
    pieces = pieces_of(state, state.to_move if kind < 2 else 1 - state.to_move)
    return pieces & state.kings if kind & 1 else pieces & ~state.kings


@subroutine
def change(sums: Any, weights: Weights, seat: int, kind: int, before: int, now: int, base: int) -> None:
    """Update *sums* of *seat* for pieces of a *kind*: from those *before* to those *now*."""
    gone, come = before & ~now, now & ~before
    while gone != 0 and come != 0:
        first, second = lowest(gone), lowest(come)
        gone &= gone - 1
        come &= come - 1
        swap(sums, weights, row_of(first, kind, seat), row_of(second, kind, seat), base)
    while gone != 0:
        bit = lowest(gone)
        gone &= gone - 1
        take(sums, weights, row_of(bit, kind, seat), base)
    while come != 0:
        bit = lowest(come)
        come &= come - 1
        add(sums, weights, row_of(bit, kind, seat), base)


@subroutine
def row_of(bit: int, kind: int, seat: int) -> int:
    """The row of a piece of that *kind*, as *seat* sees it."""
    square = square_of(bit)
    return kind * SQUARES + (SQUARES - 1 - square if seat == 1 else square)


@subroutine
def promise(state: State, weights: Weights, first: int) -> float:
    """The output for *state* and the seat to move, by the networks in ``weights[first:]``, computed afresh."""
    base = first + phase_of(state) * BLOCK
    sums = zeros(np.int16, NEURONS)
    begin(sums, weights, ROWS, base)
    for kind in range(KINDS):
        change(sums, weights, state.to_move, kind, 0, pieces_of_kind(state, kind), base)
    return answer(sums, weights, ROWS, base)


@subroutine
def promise_kept(state: State, weights: Weights, first: int, kept: Any) -> float:
    """As ``promise``, from the sums kept for the previous position."""
    seat, phase = state.to_move, phase_of(state)
    base = first + phase * BLOCK
    sums = kept.sums[seat]
    if kept.phase[seat] != phase:
        kept.phase[seat] = phase
        begin(sums, weights, ROWS, base)
        for kind in range(KINDS):
            kept.sets[seat, kind] = 0
    for kind in range(KINDS):
        now = pieces_of_kind(state, kind)
        before = int(kept.sets[seat, kind])
        if now != before:
            change(sums, weights, seat, kind, before, now, base)
            kept.sets[seat, kind] = now
    return answer(sums, weights, ROWS, base)
