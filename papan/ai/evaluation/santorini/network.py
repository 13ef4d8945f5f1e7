"""Santorini's network: from towers, workers and what each seat can reach to the log odds of a win, for two seats.

The first layer is an accumulator (Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
Shogi", 2018): it adds one row of weights for each cell, each worker, each god, and the threats of the seat that is not
to move. A cell's row depends on its height and on whether a worker stands there, or else on how either seat can get at
it: not at all, only to build, by one worker, or by both. A worker's depends on its height and on how many cells it can
climb to, can walk to, and finds too high. "Reach" is what the god allows in a first move. Each pair of gods has a
second layer of its own.

The network sees the seat to move as its own; within a turn, the other seat. It sees no win in that turn: ``promise``
finds it by the rules.
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
from papan.game.kernel import compiled, inlined, subroutine
from papan.game.kernel.arrays import new_record, record_type, zeros
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.santorini.board import (
    BOARD,
    CELLS,
    DOME_HEIGHT,
    MOVING,
    NEIGHBOURS,
    WORKERS,
    State,
    all_workers,
    god_of,
    workers_of,
)
from papan.game.rules.santorini.gods import ARTEMIS, PAN, PROMETHEUS
from papan.game.rules.santorini.powers import destinations, is_bound

Whole = NDArray[np.int16]

UNIT = 1.0 / 1024.0
"""Unit of the first layer's weights."""
COUNT = 1.0 / 4096.0
"""Unit of the second layers' weights and biases."""
NEURONS = 32
"""A constant, so that the compiler vectorizes the loops."""

NUMBER_OF_GODS = PROMETHEUS + 1  # mortals among them
GETS = 4
"""How a seat gets at a free cell: not, to build only, by one worker's move, by either's."""
FREE = DOME_HEIGHT * GETS * GETS
"""The codes of cells that are free, by height, own and their ``GETS``; one of domes follows, then those of workers."""
CODES = FREE + 1 + 2 * DOME_HEIGHT
CLIMBS, WALKS, TOO_HIGH = 4, 5, 3
"""The digits of a worker's code after its height: each counts cells, up to one less than the digits."""
STANDINGS = DOME_HEIGHT * CLIMBS * WALKS * TOO_HIGH
THREATS = 3
"""The cells where a seat could win: none, one, more."""

CELL_ROWS = CELLS * CODES
WORKER_ROWS = CELL_ROWS + 2 * STANDINGS
THREAT_ROWS = WORKER_ROWS + THREATS
ROWS = THREAT_ROWS + 2 * NUMBER_OF_GODS
LAST = NEURONS + 1
SECOND = (ROWS + 1) * NEURONS
"""Where the second layers begin; the biases of the first are the row before."""
SIZE = SECOND + NUMBER_OF_GODS**2 * LAST
"""The number of all weights."""
BESIDE = 2 * WORKERS + 1
"""The rows of workers and of threats."""
ACTIVE = CELLS + BESIDE + 2
"""The number of rows of a position."""

ASSET = "weights/santorini.npz"


class Network(NamedTuple):
    rows: Whole
    """The first layer in units of ``UNIT``, biases last: shape (rows + 1, neurons)."""
    lasts: Whole
    """The second layers in units of ``COUNT``, biases last: shape (own gods, their gods, neurons + 1)."""


def vector(network: Network) -> Whole:
    """The *network* as evaluations read it."""
    return np.concatenate([network.rows.ravel(), network.lasts.ravel()])


def has_room(network: Network) -> bool:
    """Whether the sums fit 16 bits and the answer 32, in every position."""
    cells, workers, threats, gods, bias = np.split(
        network.rows.astype(np.int64), [CELL_ROWS, WORKER_ROWS, THREAT_ROWS, ROWS]
    )
    sums = []
    for most in (np.max, np.min):
        found = most(cells.reshape(CELLS, CODES, NEURONS), axis=1).sum(0) + most(threats, axis=0) + bias[0]
        found += WORKERS * most(workers.reshape(2, STANDINGS, NEURONS), axis=1).sum(0)
        sums.append(found + most(gods.reshape(2, NUMBER_OF_GODS, NEURONS), axis=1).sum(0))
    widest = np.abs(network.lasts[..., :-1].astype(np.int64)) @ np.maximum(sums[0], 0)
    return bool(sums[0].max() < 1 << 15 and sums[1].min() >= -1 << 15 and widest.max() < 1 << 31)


def bundled_network() -> Whole | None:
    """The learned network that comes with the program; None if its file is damaged."""
    return ASSETS.open(ASSET, learned_network) if ASSET in ASSETS.digests else None


def learned_network(path: Path) -> Whole:
    """The network in the file *path*; raises WeightFileError if it does not hold one."""
    found = Network(**read_arrays(path, dict.fromkeys(Network._fields, np.int16)))
    shapes = ((ROWS + 1, NEURONS), (NUMBER_OF_GODS, NUMBER_OF_GODS, LAST))
    for name, array, shape in zip(Network._fields, found, shapes, strict=True):
        if array.shape != shape:
            raise misshapen(path, name)
    if not has_room(found):
        raise misshapen(path, "rows")
    return vector(found)


# -------------------------------------------------------------------------------------------- positions


@subroutine
def viewer(state: State) -> int:
    """The seat that the network sees as its own: the one to move, or within a turn the next."""
    return state.seat if state.phase == MOVING and state.active == 0 else 1 - state.seat


class Side(NamedTuple):
    """What a seat could do if its turn began now."""

    few: int
    """The cells with an odd number of ``GETS``."""
    many: int
    """Those that a worker can move to."""
    threats: int
    """The number of cells where a move wins."""
    first: int
    """The code of the first worker."""
    second: int


@subroutine
def tops_in_two_moves(state: State, firsts: int) -> int:
    """The cells on level 3 in reach of Artemis' second move after *firsts*."""
    tops = 0
    firsts &= state.level_2 & ~state.level_3
    while firsts:
        tops |= int(NEIGHBOURS[lowest(firsts)]) & state.level_3 & ~(state.domes | all_workers(state))
        firsts &= firsts - 1
    return tops


@inlined
def winning_targets(state: State, god: int, cell: int, targets: int) -> int:
    """Those of *targets* where a move from *cell*, at least on level 2, wins."""
    is_on_top = state.level_3 >> cell & 1
    tops = 0 if is_on_top else targets & state.level_3
    if god == PAN:
        tops |= targets & ~(state.level_2 if is_on_top else state.level_1)
    return tops


@inlined
def standing_code(state: State, cell: int, targets: int) -> int:
    """The code of a worker on *cell* that can move to *targets*."""
    around = int(NEIGHBOURS[cell]) & ~state.domes
    if state.level_2 >> cell & 1:
        level, higher, highest = 2 + (state.level_3 >> cell & 1), state.level_3, 0
        if level == DOME_HEIGHT - 1:
            higher = 0
    elif state.level_1 >> cell & 1:
        level, higher, highest = 1, state.level_2, state.level_3
    else:
        level, higher, highest = 0, state.level_1, state.level_2
    climbs = popcount(targets & higher)
    walks = min(popcount(targets) - climbs, WALKS - 1)
    too_high = min(popcount(around & highest), TOO_HIGH - 1)
    return ((level * CLIMBS + min(climbs, CLIMBS - 1)) * WALKS + walks) * TOO_HIGH + too_high


@inlined
def side(state: State, seat: int) -> Side:
    god = god_of(state, seat)
    workers = workers_of(state, seat)
    once = twice = beside = tops = 0
    code = last = 0
    while workers:
        cell = lowest(workers)
        workers &= workers - 1
        targets = destinations(state, seat, cell)
        twice |= once & targets
        once |= targets
        beside |= int(NEIGHBOURS[cell])
        if state.level_2 >> cell & 1:
            tops |= winning_targets(state, god, cell, targets)
        if god == ARTEMIS and state.level_1 >> cell & 1 and not is_bound(state, seat):
            tops |= tops_in_two_moves(state, targets)
        last, code = code, standing_code(state, cell, targets)
    return Side(twice | (beside & ~once), once, popcount(tops), last, code)


class Seen(NamedTuple):
    """A position as bitboards: what the rows of cells depend on."""

    level_1: int
    level_2: int
    level_3: int
    domes: int
    own: int
    """Workers."""
    theirs: int
    own_few: int
    own_many: int
    their_few: int
    their_many: int


BITBOARDS = len(Seen._fields)


@inlined
def seen(state: State, seat: int, own: Side, theirs: Side) -> Seen:
    """*state* as *seat* sees it."""
    free = BOARD & ~(all_workers(state) | state.domes)
    return Seen(
        state.level_1, state.level_2, state.level_3, state.domes, workers_of(state, seat), workers_of(state, 1 - seat),
        own.few & free, own.many & free, theirs.few & free, theirs.many & free,
    )  # fmt: skip


@inlined
def cell_row(board: Seen, cell: int) -> int:
    """The row of *cell*."""
    level = (board.level_1 >> cell & 1) + (board.level_2 >> cell & 1) + (board.level_3 >> cell & 1)
    code = (level + (board.domes >> cell & 1)) * (GETS * GETS)
    if (board.own | board.theirs) >> cell & 1:
        code = FREE + 1 + level + (0 if board.own >> cell & 1 else DOME_HEIGHT)
    code += 8 * (board.own_many >> cell & 1) + 4 * (board.own_few >> cell & 1)
    return cell * CODES + code + 2 * (board.their_many >> cell & 1) + (board.their_few >> cell & 1)


@inlined
def write_beside(own: Side, theirs: Side, rows: Any, start: int) -> None:
    """Write the rows of workers and of threats to ``rows[start:]``."""
    rows[start] = CELL_ROWS + own.first
    rows[start + 1] = CELL_ROWS + own.second
    rows[start + 2] = CELL_ROWS + STANDINGS + theirs.first
    rows[start + 3] = CELL_ROWS + STANDINGS + theirs.second
    rows[start + 4] = WORKER_ROWS + min(theirs.threats, THREATS - 1)


@subroutine
def write_rows(state: State, rows: Any) -> int:
    """Write the ``ACTIVE`` rows of *state* to *rows*; return the number of cells where the viewer wins in its turn."""
    seat = viewer(state)
    own, theirs = side(state, seat), side(state, 1 - seat)
    board = seen(state, seat, own, theirs)
    for cell in range(CELLS):
        rows[cell] = cell_row(board, cell)
    write_beside(own, theirs, rows, CELLS)
    rows[CELLS + BESIDE] = THREAT_ROWS + god_of(state, seat)
    rows[CELLS + BESIDE + 1] = THREAT_ROWS + NUMBER_OF_GODS + god_of(state, 1 - seat)
    return own.threats


@compiled
def rows_of(state: State, rows: Any) -> int:
    """``write_rows``, from Python."""
    return write_rows(state, rows)


# ------------------------------------------------------------------------------------------------ sums
#
# Rows are sliced first: an index into the slice is known to be non-negative, so the loops stay vectorized.


@subroutine
def begin(sums: Any, weights: Weights, base: int) -> None:
    """Set *sums* to the biases."""
    first = base + ROWS * NEURONS
    row = weights[first : first + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] = row[neuron]


@subroutine
def add(sums: Any, weights: Weights, row: int, base: int) -> None:
    first = base + row * NEURONS
    added = weights[first : first + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] += added[neuron]


@inlined
def swap(sums: Any, weights: Weights, gone: int, come: int, base: int) -> None:
    first, second = base + gone * NEURONS, base + come * NEURONS
    taken, added = weights[first : first + NEURONS], weights[second : second + NEURONS]
    for neuron in range(NEURONS):
        sums[neuron] += added[neuron] - taken[neuron]


@subroutine
def answer(sums: Any, weights: Weights, gods: int, base: int) -> float:
    """The output for *sums*, by the second layer of the pair number *gods*."""
    first = base + SECOND + gods * LAST
    counts = weights[first : first + NEURONS]
    total = np.int32(0)  # 32 bits, so that more are multiplied at a time
    for neuron in range(NEURONS):
        total = np.int32(total + np.int32(max(0, int(sums[neuron])) * int(counts[neuron])))
    return float(total) * (UNIT * COUNT) + float(weights[first + NEURONS]) * COUNT


@inlined
def pair_of(state: State, seat: int) -> int:
    """The number of the pair of gods, as *seat* sees it."""
    return god_of(state, seat) * NUMBER_OF_GODS + god_of(state, 1 - seat)


WON = 80.0
"""The log odds of a seat that wins in its turn."""


@subroutine
def promise(state: State, weights: Weights, base: int) -> float:
    """The log odds of the ``viewer``, by the network in ``weights[base:]``, computed afresh."""
    rows = zeros(np.int64, ACTIVE)
    sums = zeros(np.int16, NEURONS)
    if write_rows(state, rows):
        return WON
    begin(sums, weights, base)
    for index in range(ACTIVE):
        add(sums, weights, int(rows[index]), base)
    worth: float = answer(sums, weights, pair_of(state, viewer(state)), base)
    return worth


RECORD = record_type(
    ("sums", np.int16, (2, NEURONS)),  # by the seat that sees them
    ("rows", np.int64, (2, CELLS + BESIDE)),  # in the sums
    ("board", np.int64, (2, BITBOARDS)),  # as of the rows
    ("gods", np.int64, (2,)),  # in the sums; -1 for empty ones
)


@accumulator.of(State)
def _accumulator(state: State) -> Any:
    return new_record(RECORD)


@gather.of(State)
def _gather(state: State, kept: Any) -> None:
    kept.gods[0] = kept.gods[1] = -1


@subroutine
def begin_kept(state: State, seat: int, weights: Weights, base: int, kept: Any) -> None:
    """Sum all rows of *state* for *seat*, its viewer."""
    sums, rows = kept.sums[seat], zeros(np.int64, ACTIVE)
    begin(sums, weights, base)
    write_rows(state, rows)
    for index in range(ACTIVE):
        add(sums, weights, int(rows[index]), base)
    for index in range(CELLS + BESIDE):
        kept.rows[seat, index] = rows[index]
    kept.gods[seat] = pair_of(state, seat)


@inlined
def change(sums: Any, weights: Weights, rows: Any, index: int, row: int, base: int) -> None:
    """Replace ``rows[index]`` by *row*, in *sums* too."""
    if rows[index] != row:
        swap(sums, weights, int(rows[index]), row, base)
        rows[index] = row


@subroutine
def promise_kept(state: State, weights: Weights, base: int, kept: Any) -> float:
    """As ``promise``, from the sums kept for the previous position with that viewer."""
    seat = viewer(state)
    own = side(state, seat)
    if own.threats:
        return WON
    theirs = side(state, 1 - seat)
    now = seen(state, seat, own, theirs)
    board, sums, rows = kept.board[seat], kept.sums[seat], kept.rows[seat]
    changed = 0
    for index in range(BITBOARDS):
        changed |= now[index] ^ int(board[index])
        board[index] = now[index]
    gods = pair_of(state, seat)
    if kept.gods[seat] != gods:
        begin_kept(state, seat, weights, base, kept)
    else:
        while changed:
            cell = lowest(changed)
            changed &= changed - 1
            change(sums, weights, rows, cell, cell_row(now, cell), base)
        change(sums, weights, rows, CELLS, CELL_ROWS + own.first, base)
        change(sums, weights, rows, CELLS + 1, CELL_ROWS + own.second, base)
        change(sums, weights, rows, CELLS + 2, CELL_ROWS + STANDINGS + theirs.first, base)
        change(sums, weights, rows, CELLS + 3, CELL_ROWS + STANDINGS + theirs.second, base)
        change(sums, weights, rows, CELLS + 4, WORKER_ROWS + min(theirs.threats, THREATS - 1), base)
    worth: float = answer(sums, weights, gods, base)
    return worth
