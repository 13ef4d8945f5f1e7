"""Othello by patterns: edges, rows, columns, diagonals and corners, with weights learned from games.

As in Buro, "An evaluation function for Othello based on statistics" (1997): for each of some lines and blocks of
cells, and each of the 3**n ways in which they can be filled, there is a weight; a position is worth the sum of those
of all its patterns. The weights depend on how far the game is. A pattern lies on the board in up to eight places and
may be read in two directions: all of these share their weights.

A filled pattern is a number in balanced ternary: a digit is 1 for a disc of the seat to move, -1 for one of the other
seat, 0 for none. So each disc adds a constant, and all places are one vector.

The weights of a phase of the game are one block of a vector: those of the patterns, then one for each number of moves
of the seat to move, and of the other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import Weights
from papan.ai.evaluation.accumulator import accumulator, gather
from papan.ai.learning.weight_files import misshapen, read_arrays
from papan.game.base.assets import ASSETS
from papan.game.base.places import atomic_file
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.arrays import new_record, record_type, zeros
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.othello import BIT, BLACK, CELLS, FULL, SIZE, State, playable_cells

ASSET = "weights/othello.npz"
"""The learned weights, among the assets."""

UNIT = 64
"""Parts of a disc that weights are in."""

PHASES = 10
PHASE_DISCS = (CELLS - 4) // PHASES
"""Discs of a phase."""

SHAPES = (
    "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",  # the edge and the two cells diagonally next to its corners
    "a2 b2 c2 d2 e2 f2 g2 h2",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    "a1 b2 c3 d4 e5 f6 g7 h8",
    "b1 c2 d3 e4 f5 g6 h7",
    "c1 d2 e3 f4 g5 h6",
    "d1 e2 f3 g4 h5",
    "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
)
"""The cells of the patterns, each in one of its places."""

WAYS = 8
"""The symmetries of the board: mirrored in rows, columns and the long diagonal or not."""


def laid(cell: int, way: int) -> int:
    """The image of *cell* by a symmetry."""
    row, column = divmod(cell, SIZE)
    row = SIZE - 1 - row if way & 1 else row
    column = SIZE - 1 - column if way & 2 else column
    return column * SIZE + row if way & 4 else row * SIZE + column


def _places(shape: Sequence[int]) -> list[list[int]]:
    """The cells of a pattern, in order, in each of the places where it lies."""
    found: dict[frozenset[int], list[int]] = {}
    for way in range(WAYS):
        cells = [laid(cell, way) for cell in shape]
        found.setdefault(frozenset(cells), cells)
    return list(found.values())


_SHAPES = [[SIZE * (int(name[1]) - 1) + "abcdefgh".index(name[0]) for name in shape.split()] for shape in SHAPES]
_STARTS = [sum(3 ** len(shape) for shape in _SHAPES[:number]) for number in range(len(_SHAPES) + 1)]
_LAID = [(number, cells) for number, shape in enumerate(_SHAPES) for cells in _places(shape)]

PLACES = len(_LAID)
"""The number of places of patterns on a board."""
WIDTH = 64
"""Padded: with fewer than 56 the compiler does not vectorize, which takes five times the time."""
assert PLACES <= WIDTH

EMPTY = np.array([_STARTS[number] + (3 ** len(cells) - 1) // 2 for number, cells in _LAID], np.int64)
"""For each place, the index of the weight of its empty pattern; the others lie around it."""


def _counts() -> NDArray[np.int16]:
    """What a disc of the seat to move adds to each place's number: shape (cells, ``WIDTH``)."""
    found = np.zeros((CELLS, WIDTH), np.int16)
    for place, (_, cells) in enumerate(_LAID):
        found[cells, place] = 3 ** np.arange(len(cells))
    return found


COUNTS = _counts()

PATTERNS_END = _STARTS[-1]
OWN_MOVES = PATTERNS_END
THEIR_MOVES = OWN_MOVES + 32
BLOCK = THEIR_MOVES + 32


@subroutine
def add(filled: Any, cells: int) -> None:
    """Update *filled* for own discs put on *cells*, or the other seat's taken from there."""
    while cells != 0:
        cell = lowest(cells)
        cells ^= int(BIT[cell])
        for place in range(WIDTH):
            filled[place] += COUNTS[cell, place]


@subroutine
def take(filled: Any, cells: int) -> None:
    """Update *filled* for own discs taken from *cells*, or the other seat's put there."""
    while cells != 0:
        cell = lowest(cells)
        cells ^= int(BIT[cell])
        for place in range(WIDTH):
            filled[place] -= COUNTS[cell, place]


@subroutine
def fill(filled: Any, mine: int, theirs: int) -> None:
    """Compute *filled*, the number of each place's pattern, from ``WIDTH`` zeros."""
    add(filled, mine)
    take(filled, theirs)


RECORD = record_type(
    ("filled", np.int16, (WIDTH,)),  # as Black sees it
    ("black", np.uint64),  # the discs that it has been told of
    ("white", np.uint64),
)


@accumulator.of(State)
def _accumulator(state: State) -> Any:
    return new_record(RECORD)


@gather.of(State)
def _gather(state: State, kept: Any) -> None:
    kept.filled[:] = 0
    kept.black = kept.white = 0


@subroutine
def catch_up(kept: Any, black: int, white: int) -> None:
    """Update *kept* to these discs."""
    before_black, before_white = int(kept.black), int(kept.white)
    take(kept.filled, before_black & ~black)
    add(kept.filled, before_white & ~white)
    add(kept.filled, black & ~before_black)
    take(kept.filled, white & ~before_white)
    kept.black, kept.white = black, white


NOT_LEFT = FULL & ~sum(1 << (row * SIZE) for row in range(SIZE))


@subroutine
def beside(discs: int) -> int:
    """The cells next to any of *discs*, and most of the discs."""
    wide = discs | (discs & NOT_LEFT) >> 1 | (discs << 1) & NOT_LEFT
    return (wide | wide << SIZE | wide >> SIZE) & FULL


@subroutine
def phase_of(mine: int, theirs: int) -> int:
    """0 to PHASES - 1."""
    return min(max(popcount(mine | theirs) - 4, 0) // PHASE_DISCS, PHASES - 1)


@subroutine
def moves_of(mine: int, theirs: int) -> int:
    """The number of moves of the seat with the discs *mine*, at most 31."""
    return int(min(popcount(playable_cells(mine, theirs)), THEIR_MOVES - OWN_MOVES - 1))


@inlined
def summed(filled: Any, sign: int, mine: int, theirs: int, weights: Weights, base: int) -> float:
    """The worth to the seat to move, in discs, by *filled* patterns.

    :param sign: 1 if *filled* is for the seat to move, -1 for the other one.
    :param base: where the blocks of weights begin.
    """
    base += BLOCK * phase_of(mine, theirs)
    value = int(weights[base + OWN_MOVES + moves_of(mine, theirs)])
    value += int(weights[base + THEIR_MOVES + moves_of(theirs, mine)])
    for place in range(PLACES):
        value += int(weights[base + int(EMPTY[place]) + sign * int(filled[place])])
    return value / UNIT


@subroutine
def pattern_value(mine: int, theirs: int, weights: Weights, base: int) -> float:
    """The worth to the seat to move, in discs, by the blocks in ``weights[base:]``."""
    filled = zeros(np.int16, WIDTH)
    fill(filled, mine, theirs)
    return summed(filled, 1, mine, theirs, weights, base)


@subroutine
def pattern_value_kept(state: State, weights: Weights, base: int, kept: Any) -> float:
    """As ``pattern_value``, by the accumulator *kept*."""
    if state.to_move == BLACK:
        catch_up(kept, state.mine, state.theirs)
        return summed(kept.filled, 1, state.mine, state.theirs, weights, base)
    catch_up(kept, state.theirs, state.mine)
    return summed(kept.filled, -1, state.mine, state.theirs, weights, base)


def first_sharers() -> NDArray[np.int64]:
    """For each entry of a block, the first with the same weight, read in the other direction."""
    first = np.arange(BLOCK)
    for shape, start in zip(_SHAPES, _STARTS, strict=False):
        count = 3 ** len(shape)
        digits = [np.arange(count) // 3**place % 3 for place in range(len(shape))]
        for way in range(1, WAYS):
            cells = [laid(cell, way) for cell in shape]
            if set(cells) != set(shape):
                continue
            read = sum(digits[cells.index(cell)] * 3**place for place, cell in enumerate(shape))
            first[start : start + count] = np.minimum(first[start : start + count], start + read)
    return first


PatternWeights = NDArray[np.int16]


def bundled_weights() -> PatternWeights | None:
    """The learned weights that come with the program; None if their file is damaged."""
    return ASSETS.open(ASSET, learned_weights)


def plain_weights() -> PatternWeights:
    """Trivial weights: a disc for each move more, nothing for patterns."""
    weights = np.zeros((PHASES, BLOCK), np.int16)
    weights[:, OWN_MOVES:THEIR_MOVES] = UNIT * np.arange(THEIR_MOVES - OWN_MOVES)
    weights[:, THEIR_MOVES:] = -UNIT * np.arange(BLOCK - THEIR_MOVES)
    return weights.ravel()


def learned_weights(path: Path) -> PatternWeights:
    """The learned weights in the file *path*, block by block.

    :raises WeightFileError: it does not hold weights for each phase.
    """
    distinct = read_arrays(path, {"weights": np.int16})["weights"]
    own, places = np.unique(first_sharers(), return_inverse=True)
    if distinct.shape != (PHASES, len(own)):
        raise misshapen(path, "weights")
    weights: PatternWeights = distinct[:, places].ravel()
    return weights


def keep_learned_weights(weights: NDArray[Any], path: Path, provenance: str) -> None:
    """Write *weights*, in discs, a row for each phase, and where they are from to a file."""
    distinct = np.round(weights[:, np.unique(first_sharers())] * UNIT).clip(-(1 << 15), (1 << 15) - 1).astype(np.int16)
    with atomic_file(path) as file:
        np.savez_compressed(file, weights=distinct, provenance=np.array(provenance))
