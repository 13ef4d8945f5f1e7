"""Othello by patterns: what each edge, row, column, diagonal and corner is worth as it is filled, learned from games.

As in Buro, "An evaluation function for Othello based on statistics" (1997): for each of some lines and blocks of
cells, and each of the 3**n ways in which they can be filled, there is a weight; a position is worth the sum of those
of all its patterns. The weights depend on how far the game is. A pattern lies on the board in up to four places and
may be read in two directions: all of these share their weights.

The weights of a phase of the game are one block of a vector: those of the patterns, then those of three numbers that
patterns can't tell well.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from papan.ai.evaluation import Weights
from papan.ai.learning.kept import read_arrays
from papan.game.base.assets import ASSETS
from papan.game.kernel import subroutine
from papan.game.kernel.bits import popcount
from papan.game.rules.othello import CELLS, FULL, SIZE, playable_cells

ASSET = "weights/othello.npz"
"""The learned weights, among the assets."""

PHASES = 8
PHASE_DISCS = (CELLS - 4) // PHASES + 1
"""So many discs long is a phase."""

# Where the weights of each pattern begin: 3**n each.
EDGE = 0  # the edge and the two cells diagonally next to its corners
SECOND = EDGE + 3**10  # the second row or column from the edge, and so on
THIRD = SECOND + 3**8
FOURTH = THIRD + 3**8
LONG_DIAGONAL = FOURTH + 3**8
DIAGONAL_7 = LONG_DIAGONAL + 3**8
DIAGONAL_6 = DIAGONAL_7 + 3**7
DIAGONAL_5 = DIAGONAL_6 + 3**6
CORNER = DIAGONAL_5 + 3**5  # the nine cells around the one diagonally next to the corner
PATTERNS_END = CORNER + 3**9
# And of the numbers.
MOBILITY = PATTERNS_END  # the seat's own cells to play on less its opponent's
FRONTIER = MOBILITY + 1  # empty cells next to the opponent's discs, less those next to its own
TO_MOVE = FRONTIER + 1  # always 1
BLOCK = TO_MOVE + 1

PLACES = 34
"""In so many places patterns lie on a board."""


def _ternary(bits: int, order: Sequence[int]) -> int:
    """The number with a 1 for each of *bits*, in base 3, its digits taken in *order*."""
    return sum(3**digit for digit, bit in enumerate(order) if bits >> bit & 1)


ON_LINE = np.array([_ternary(bits, range(8)) for bits in range(1 << 8)], np.int64)
ON_EDGE = np.array([_ternary(bits, range(10)) for bits in range(1 << 10)], np.int64)

_BLOCK_ORDERS = (
    range(9),
    [row * 3 + 2 - column for row in range(3) for column in range(3)],
    [(2 - row) * 3 + column for row in range(3) for column in range(3)],
    [8 - cell for cell in range(9)],
)
IN_CORNER = np.array([[_ternary(bits, order) for bits in range(1 << 9)] for order in _BLOCK_ORDERS], np.int64)
"""For the corners a1, h1, a8, h8: blocks are read from the corner on."""


def _diagonal(shift: int, rising: bool) -> int:
    """Bitboard of a diagonal, *shift* columns to the right of the long one."""
    cells = 0
    for row in range(SIZE):
        column = (SIZE - 1 - row if rising else row) + shift
        if 0 <= column < SIZE:
            cells |= 1 << (row * SIZE + column)
    return cells


FALLING_0, RISING_0 = _diagonal(0, False), _diagonal(0, True)
FALLING_RIGHT_1, FALLING_LEFT_1 = _diagonal(1, False), _diagonal(-1, False)
FALLING_RIGHT_2, FALLING_LEFT_2 = _diagonal(2, False), _diagonal(-2, False)
FALLING_RIGHT_3, FALLING_LEFT_3 = _diagonal(3, False), _diagonal(-3, False)
RISING_RIGHT_1, RISING_LEFT_1 = _diagonal(1, True), _diagonal(-1, True)
RISING_RIGHT_2, RISING_LEFT_2 = _diagonal(2, True), _diagonal(-2, True)
RISING_RIGHT_3, RISING_LEFT_3 = _diagonal(3, True), _diagonal(-3, True)

# To mirror the board in its long diagonal: blocks of 4, 2 and 1 cells change places.
_SWAP_4 = 0x00000000F0F0F0F0
_SWAP_2 = 0x0000CCCC0000CCCC
_SWAP_1 = 0x00AA00AA00AA00AA


@subroutine
def transpose(cells: int) -> int:
    """*cells* with rows and columns exchanged."""
    swap = (cells ^ cells >> 28) & _SWAP_4
    cells = cells ^ swap ^ (swap << 28 & FULL)
    swap = (cells ^ cells >> 14) & _SWAP_2
    cells = cells ^ swap ^ (swap << 14 & FULL)
    swap = (cells ^ cells >> 7) & _SWAP_1
    return cells ^ swap ^ (swap << 7 & FULL)


@subroutine
def row_of(mine: int, theirs: int, row: int) -> int:
    """The row as a number of base 3: digits 1 for *mine* and 2 for *theirs*, column a first."""
    return int(ON_LINE[mine >> (SIZE * row) & 255]) + 2 * int(ON_LINE[theirs >> (SIZE * row) & 255])


@subroutine
def edge_bits(cells: int, row: int, inner: int) -> int:
    """The cells of an outer *row*, and the two next to its corners in the *inner* one, in ten bits."""
    beyond = cells >> (SIZE * inner)
    return cells >> (SIZE * row) & 255 | (beyond & 2) << 7 | (beyond & 64) << 3


@subroutine
def edge_of(mine: int, theirs: int, row: int, inner: int) -> int:
    """The edge as a number of base 3."""
    return int(ON_EDGE[edge_bits(mine, row, inner)]) + 2 * int(ON_EDGE[edge_bits(theirs, row, inner)])


@subroutine
def columns_of(cells: int) -> int:
    """*cells*, no two in one column, all moved to row 1."""
    cells |= cells >> 32
    cells |= cells >> 16
    return (cells | cells >> 8) & 255


@subroutine
def diagonal_of(mine: int, theirs: int, cells: int, shift: int) -> int:
    """The diagonal *cells*, whose first column is *shift*, as a number of base 3."""
    return int(ON_LINE[columns_of(mine & cells) >> shift]) + 2 * int(ON_LINE[columns_of(theirs & cells) >> shift])


@subroutine
def block_bits(cells: int, shift: int) -> int:
    """The nine cells of which *shift* is the first."""
    cells >>= shift
    return cells & 7 | cells >> 5 & 56 | cells >> 10 & 448


@subroutine
def corner_of(mine: int, theirs: int, corner: int, shift: int) -> int:
    """The block of nine cells in a corner as a number of base 3."""
    own = int(IN_CORNER[corner, block_bits(mine, shift)])
    return own + 2 * int(IN_CORNER[corner, block_bits(theirs, shift)])


@subroutine
def patterns(mine: int, theirs: int) -> tuple[int, ...]:
    """Which weights of a block the patterns of a position ask for, place by place."""
    own, others = transpose(mine), transpose(theirs)
    return (
        EDGE + edge_of(mine, theirs, 0, 1),
        EDGE + edge_of(mine, theirs, 7, 6),
        EDGE + edge_of(own, others, 0, 1),
        EDGE + edge_of(own, others, 7, 6),
        SECOND + row_of(mine, theirs, 1),
        SECOND + row_of(mine, theirs, 6),
        SECOND + row_of(own, others, 1),
        SECOND + row_of(own, others, 6),
        THIRD + row_of(mine, theirs, 2),
        THIRD + row_of(mine, theirs, 5),
        THIRD + row_of(own, others, 2),
        THIRD + row_of(own, others, 5),
        FOURTH + row_of(mine, theirs, 3),
        FOURTH + row_of(mine, theirs, 4),
        FOURTH + row_of(own, others, 3),
        FOURTH + row_of(own, others, 4),
        LONG_DIAGONAL + diagonal_of(mine, theirs, FALLING_0, 0),
        LONG_DIAGONAL + diagonal_of(mine, theirs, RISING_0, 0),
        DIAGONAL_7 + diagonal_of(mine, theirs, FALLING_RIGHT_1, 1),
        DIAGONAL_7 + diagonal_of(mine, theirs, FALLING_LEFT_1, 0),
        DIAGONAL_7 + diagonal_of(mine, theirs, RISING_RIGHT_1, 1),
        DIAGONAL_7 + diagonal_of(mine, theirs, RISING_LEFT_1, 0),
        DIAGONAL_6 + diagonal_of(mine, theirs, FALLING_RIGHT_2, 2),
        DIAGONAL_6 + diagonal_of(mine, theirs, FALLING_LEFT_2, 0),
        DIAGONAL_6 + diagonal_of(mine, theirs, RISING_RIGHT_2, 2),
        DIAGONAL_6 + diagonal_of(mine, theirs, RISING_LEFT_2, 0),
        DIAGONAL_5 + diagonal_of(mine, theirs, FALLING_RIGHT_3, 3),
        DIAGONAL_5 + diagonal_of(mine, theirs, FALLING_LEFT_3, 0),
        DIAGONAL_5 + diagonal_of(mine, theirs, RISING_RIGHT_3, 3),
        DIAGONAL_5 + diagonal_of(mine, theirs, RISING_LEFT_3, 0),
        CORNER + corner_of(mine, theirs, 0, 0),
        CORNER + corner_of(mine, theirs, 1, 5),
        CORNER + corner_of(mine, theirs, 2, 40),
        CORNER + corner_of(mine, theirs, 3, 45),
    )


NOT_LEFT = FULL & ~sum(1 << (row * SIZE) for row in range(SIZE))


@subroutine
def beside(discs: int) -> int:
    """The cells next to any of *discs*, and most of these."""
    wide = discs | (discs & NOT_LEFT) >> 1 | (discs << 1) & NOT_LEFT
    return (wide | wide << SIZE | wide >> SIZE) & FULL


@subroutine
def phase_of(mine: int, theirs: int) -> int:
    """How far the game is: 0 to PHASES - 1."""
    return max(popcount(mine | theirs) - 4, 0) // PHASE_DISCS


@subroutine
def numbers(mine: int, theirs: int) -> tuple[int, int]:
    """What MOBILITY and FRONTIER weigh."""
    empty = ~(mine | theirs) & FULL
    mobility = popcount(playable_cells(mine, theirs)) - popcount(playable_cells(theirs, mine))
    return mobility, popcount(beside(theirs) & empty) - popcount(beside(mine) & empty)


@subroutine
def pattern_value(mine: int, theirs: int, weights: Weights, base: int) -> float:
    """What a position is worth to the seat to move, in discs; its weights lie in ``weights[base:]``, by phase."""
    base += BLOCK * phase_of(mine, theirs)
    mobility, frontier = numbers(mine, theirs)
    value: float = weights[base + MOBILITY] * mobility + weights[base + FRONTIER] * frontier + weights[base + TO_MOVE]
    for index in patterns(mine, theirs):
        value += weights[base + index]
    return value


def first_sharers() -> np.ndarray:
    """For each entry of a block, the first with the same weight: read in the other direction, it is the same."""
    first = np.arange(BLOCK)
    lines = [range(7, -1, -1)] * 4  # SECOND to LONG_DIAGONAL
    orders = [
        (EDGE, [*range(7, -1, -1), 9, 8]),
        *((start, [*order]) for start, order in zip((SECOND, THIRD, FOURTH, LONG_DIAGONAL), lines, strict=True)),
        (DIAGONAL_7, [*range(6, -1, -1)]),
        (DIAGONAL_6, [*range(5, -1, -1)]),
        (DIAGONAL_5, [*range(4, -1, -1)]),
        (CORNER, [column * 3 + row for row in range(3) for column in range(3)]),
    ]
    for start, order in orders:
        numbers = np.arange(3 ** len(order))
        read = sum((numbers // 3**digit % 3) * 3**place for place, digit in enumerate(order))
        first[start : start + len(numbers)] = start + np.minimum(numbers, read)
    return first


UNIT = 64
"""Learned weights are kept in so small parts of a disc, as whole numbers."""


PatternWeights = np.ndarray[Any, np.dtype[np.float64]]


def bundled_weights() -> PatternWeights | None:
    """The learned weights that come with the program; None if their file is damaged."""
    return ASSETS.open(ASSET, learned_weights)


def plain_weights() -> PatternWeights:
    """The weights that tell least, block by block: a disc for each cell more to play on, and nothing for patterns."""
    weights = np.zeros((PHASES, BLOCK))
    weights[:, MOBILITY] = 1.0
    return weights.ravel()


def learned_weights(path: Path) -> PatternWeights:
    """The learned weights in the file *path*, block by block, in discs.

    :raises ValueError: it does not hold weights for each phase.
    """
    distinct = read_arrays(path, {"weights": np.int16})["weights"]
    _, places = np.unique(first_sharers(), return_inverse=True)
    weights: PatternWeights = distinct[:, places].ravel() / UNIT
    if len(weights) != PHASES * BLOCK:
        raise ValueError(f"{path} does not hold weights for {PHASES} phases of the game")
    return weights


def keep_learned_weights(weights: np.ndarray, path: Path, provenance: str) -> None:
    """Write *weights*, a row for each phase, to a file such as ``learned_weights`` reads, and where they are from."""
    distinct = np.round(weights[:, np.unique(first_sharers())] * UNIT).clip(-(1 << 15), (1 << 15) - 1).astype(np.int16)
    np.savez_compressed(path, weights=distinct, provenance=np.array(provenance))
