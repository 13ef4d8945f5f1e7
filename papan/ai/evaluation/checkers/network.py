"""Checkers by a network: which men and kings stand where, as the seat to move sees it, by how far the game is.

There is a network for each *phase*: no kings yet, kings, few pieces. Where White is to move the board is turned round.
What a network answers is the logarithm of the odds to win.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import Weights
from papan.ai.evaluation.accumulator import accumulator, gather
from papan.ai.evaluation.perceptron import NEURONS, Whole, add, answer, begin, block_size, has_room, swap, take
from papan.ai.learning.kept import misshapen, read_arrays
from papan.game.base.assets import ASSETS
from papan.game.base.places import whole_file
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.kernel.records import new_record
from papan.game.kernel.room import zeros
from papan.game.rules.checkers.board import SQUARES, State, pieces_of, square_of

ASSET = "weights/checkers.npz"
"""The learned networks, among the assets."""

KINDS = 4
"""Own men, own kings, their men, their kings."""
ROWS = KINDS * SQUARES
BLOCK = block_size(ROWS)
PHASES = 3
FEW = 8
"""So many pieces at most are few."""
NETWORKS = PHASES * BLOCK
"""So many weights all networks have."""


class Networks(NamedTuple):
    """What is kept of the networks in a file: an entry for each phase."""

    rows: Whole
    """The first layer in parts of ``UNIT``, what is added always last: shape (phases, rows + 1, neurons)."""
    lasts: Whole
    """What each neuron counts, and what is added in the end, in parts of ``COUNT``: shape (phases, neurons + 1)."""


def vector(networks: Networks) -> Whole:
    """The *networks* as evaluations read them."""
    return np.concatenate([networks.rows.reshape(PHASES, -1), networks.lasts], axis=1).ravel()


def bundled_networks() -> Whole | None:
    """The learned networks that come with the program; None if their file is damaged."""
    return ASSETS.open(ASSET, learned_networks) if ASSET in ASSETS.digests else None


def learned_networks(path: Path) -> Whole:
    """The networks in the file *path*.

    :raises KeptError: it does not hold them.
    """
    found = Networks(**read_arrays(path, dict.fromkeys(Networks._fields, np.int16)))
    for name, array, shape in zip(Networks._fields, found, ((ROWS + 1, NEURONS), (NEURONS + 1,)), strict=True):
        if array.shape != (PHASES, *shape):
            raise misshapen(path, name)
    if not all(map(has_room, *found)):
        raise misshapen(path, "rows")
    return vector(found)


def keep_networks(networks: Networks, path: Path, provenance: str) -> None:
    """Write *networks* to a file such as the asset, and where they are from."""
    with whole_file(path) as file:
        np.savez_compressed(file, provenance=np.array(provenance), **networks._asdict())


RECORD = np.dtype(
    (
        np.record,
        [
            ("sums", np.int16, (2, NEURONS)),  # by the seat that sees them
            ("sets", np.int64, (2, KINDS)),  # the pieces that have been added up
            ("phase", np.int64, (2,)),  # by whose network they were; -1 for by none
        ],
    )
)


@accumulator.of(State)
def _accumulator(state: State) -> Any:
    return new_record(RECORD)


@gather.of(State)
def _gather(state: State, kept: Any) -> None:
    kept.phase[0] = kept.phase[1] = -1


@subroutine
def phase_of(state: State) -> int:
    """How far the game is: 0 without kings, 1 with, 2 with few pieces."""
    if popcount(state.black | state.white) <= FEW:
        return 2
    return 1 if state.kings != 0 else 0


@subroutine
def pieces_of_kind(state: State, kind: int) -> int:
    """The pieces of a kind, as the seat to move counts kinds."""
    pieces = pieces_of(state, state.to_move if kind < 2 else 1 - state.to_move)
    return pieces & state.kings if kind & 1 else pieces & ~state.kings


@subroutine
def change(sums: Any, weights: Weights, seat: int, kind: int, before: int, now: int, base: int) -> None:
    """Bring *sums* of *seat* up to date: of a *kind* there were the pieces *before*, and there are those *now*."""
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
    """What the networks in *weights* from *first* on make of *state* for the seat to move, added up anew."""
    base = first + phase_of(state) * BLOCK
    sums = zeros(np.int16, NEURONS)
    begin(sums, weights, ROWS, base)
    for kind in range(KINDS):
        change(sums, weights, state.to_move, kind, 0, pieces_of_kind(state, kind), base)
    return answer(sums, weights, ROWS, base)


@subroutine
def promise_kept(state: State, weights: Weights, first: int, kept: Any) -> float:
    """As ``promise``, by what was added up for the position looked at before."""
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
