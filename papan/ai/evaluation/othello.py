"""Othello: by learned patterns, or by a classical evaluation with weights set by hand.

The standard weights predict the final difference in discs. The classical features are corners, stable discs, mobility
and the last move (Rosenbloom, "A World-Championship-Level Othello Program", 1982); discs hardly count before the end.
If the learned weights are damaged, the classical ones replace them.

The patterns are as in Buro, "An evaluation function for Othello based on statistics" (1997): some lines and blocks of n
cells have a weight for each of their 3**n fillings, and a position is worth the sum over all its patterns. The weights
depend on the phase of the game. A pattern has up to eight places on the board and may be read in two directions; all
share its weights. A filled pattern is a number in balanced ternary: a digit is 1 for a disc of the seat to move, -1 for
one of the other seat, 0 for none. So each disc adds a constant, and all places are one vector. The weights of a phase
of the game are one block of a vector: those of the patterns, then one for each number of moves of the seat to move, and
of the other one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, Level, OwnPlayer, Selectivity, Strength, Weights, WeightValues, evaluate
from papan.ai.evaluation.accumulator import accumulator, gather, judged
from papan.ai.evaluation.terms import Features
from papan.ai.learning.weight_files import keep_arrays, misshapen, read_arrays
from papan.game.base.assets import ASSETS
from papan.game.base.sentences import say
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.arrays import new_record, record_type, zeros
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.othello import BIT, BLACK, CELLS, FULL, SIZE, State, playable_cells

ASSET = "weights/othello.npz"

UNIT = 64
"""Weight units in a disc."""

PHASES = 10
PHASE_DISCS = (CELLS - 4) // PHASES

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
    """The cells of a pattern, in order, for each of its places."""
    found: dict[frozenset[int], list[int]] = {}
    for way in range(WAYS):
        cells = [laid(cell, way) for cell in shape]
        found.setdefault(frozenset(cells), cells)
    return list(found.values())


_SHAPES = [[SIZE * (int(name[1]) - 1) + "abcdefgh".index(name[0]) for name in shape.split()] for shape in SHAPES]
_STARTS = [sum(3 ** len(shape) for shape in _SHAPES[:number]) for number in range(len(_SHAPES) + 1)]
_LAID = [(number, cells) for number, shape in enumerate(_SHAPES) for cells in _places(shape)]

PLACES = len(_LAID)
WIDTH = 64
"""Padded: with fewer than 56 the compiler does not vectorize, which takes five times the time."""
assert PLACES <= WIDTH

EMPTY = np.array([_STARTS[number] + (3 ** len(cells) - 1) // 2 for number, cells in _LAID], np.int64)
"""For each place, the index of the weight of its empty pattern; the others are around it."""


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
    ("filled", np.int16, (WIDTH,)),  # from Black's view
    ("black", np.uint64),  # the discs included so far
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
    """The number of moves of the seat with the discs *mine*, capped at 31."""
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
    """As ``pattern_value``, from the accumulator *kept*."""
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
    """Write *weights*, in discs, a row for each phase, and their provenance to a file."""
    distinct = np.round(weights[:, np.unique(first_sharers())] * UNIT).clip(-(1 << 15), (1 << 15) - 1).astype(np.int16)
    keep_arrays(path, provenance, weights=distinct)


CLASSICAL = "classical"
"""The name of the weights set by hand; they are in units of a sixth of a cell to play on."""

FEATURES = Features(
    # Each is the seat's own less its opponent's.
    mobility=say("moves to choose from"),
    frontier=say("moves to come"),  # empty cells next to the opponent's discs
    in_corners=say("discs in corners"),
    diagonal=say("discs diagonally next to empty corners"),  # they give the corner away
    beside=say("discs beside empty corners"),  # along the edge
    stable=say("discs that stay for good"),  # as far as can be seen from the corners
    last_move=say("having the last move"),  # if nobody passes, as the board fills up
    discs=say("discs"),
    late_discs=say("discs, the later the more"),  # times the square of the share of cells filled
)

MOBILITY, FRONTIER, IN_CORNERS, DIAGONAL, BESIDE, STABLE, LAST_MOVE, DISCS, LATE_DISCS = FEATURES.indices
TERMS = FEATURES.titles
CLASSICAL_FEATURES = len(FEATURES)
"""The number of features; the patterns' weights follow, if any."""

_BY_HAND = FEATURES.weights(
    mobility=6.0,
    frontier=2.5,
    in_corners=35.0,
    diagonal=-20.0,
    beside=-7.0,
    stable=14.0,
    last_move=6.0,
    late_discs=3.0,
)
_BY_HAND_PER_DISC = 12.0
"""Their units for a disc of the learned weights, by regression over games."""


def standard_weights() -> WeightValues:
    """The learned weights after zeros for the features; or the classical ones, in discs."""
    learned = bundled_weights()
    if learned is None:
        return tuple(weight / _BY_HAND_PER_DISC for weight in _BY_HAND)
    weights = np.concatenate([np.zeros(len(FEATURES), np.int16), learned])
    weights.flags.writeable = False
    return weights


WEIGHTS: Mapping[str, WeightValues] = {
    STANDARD: standard_weights(),
    CLASSICAL: _BY_HAND,
    "discs": FEATURES.weights(discs=1.0),
}
SCALE = 10.0  # by games against itself: more before the middle of the game, less later
THRESHOLD = SCALE
SELECTIVITY = Selectivity(probe=6.0)
LEVELS = {"easy": Level(1, "discs"), "medium": Level(3), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 1.0, blindness=0.32),
    Strength(1, 0.5, blindness=0.06),
    Strength(2, 0.44),
    Strength(3, 0.33),
    Strength(3, 0.17),
    "medium",
    Strength(5),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {}

# Sets that hold h8 are unsigned in compiled code, and stay so when combined with unsigned ones: see game.othello.
LEFT = sum(1 << (row * SIZE) for row in range(SIZE))
SIDES = LEFT | LEFT << (SIZE - 1)
ENDS = ((1 << SIZE) - 1) << (CELLS - SIZE) | ((1 << SIZE) - 1)
BORDER = SIDES | ENDS
A1, H1, A8, H8 = 1 << 0, 1 << (SIZE - 1), 1 << (CELLS - SIZE), 1 << (CELLS - 1)
CORNERS = A1 | H1 | A8 | H8


@subroutine
def stable(discs: int) -> int:
    """The *discs* that are stable, found from the corners: on each line next to the edge or a stable disc."""
    found = discs & CORNERS
    if found == 0:
        return found
    while True:
        # Bits that a shift carries over to the opposite edge land on cells that have an edge there anyway.
        more = discs & (found << 1 | found >> 1 | SIDES)
        more &= found << SIZE | found >> SIZE | ENDS
        more &= found << (SIZE + 1) | found >> (SIZE + 1) | BORDER
        more &= found << (SIZE - 1) | found >> (SIZE - 1) | BORDER
        if more == found:
            return found
        found = more


@subroutine
def corner_neighbours(corners: int) -> tuple[int, int]:
    """The cells diagonally next to any of *corners*, and those next to them along the edge."""
    a1, h1, a8, h8 = corners & A1, corners & H1, corners & A8, corners & H8
    diagonally = a1 << (SIZE + 1) | h1 << (SIZE - 1) | a8 >> (SIZE - 1) | h8 >> (SIZE + 1)
    along = (a1 | a8) << 1 | a1 << SIZE | h1 >> 1 | h1 << SIZE | a8 >> SIZE | h8 >> 1 | h8 >> SIZE
    return diagonally, along


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    if len(weights) > CLASSICAL_FEATURES:
        promised = pattern_value(state.mine, state.theirs, weights, CLASSICAL_FEATURES)
    else:
        promised = by_hand(state, weights)
    return promised if seat == state.to_move else -promised


@judged.of(State)
def _judged(state: State, seat: int, weights: Weights, kept: Any) -> float:
    if len(weights) > CLASSICAL_FEATURES:
        promised = pattern_value_kept(state, weights, CLASSICAL_FEATURES, kept)
    else:
        promised = by_hand(state, weights)
    return promised if seat == state.to_move else -promised


@subroutine
def by_hand(state: State, weights: Weights) -> float:
    """The worth of *state* to the seat to move by the classical features."""
    mine, theirs = state.mine, state.theirs
    empty = ~(mine | theirs) & FULL
    diagonally, along = corner_neighbours(empty & CORNERS)
    filled = CELLS - popcount(empty)
    discs = popcount(mine) - popcount(theirs)
    ahead: float = (
        weights[MOBILITY] * (popcount(playable_cells(mine, theirs)) - popcount(playable_cells(theirs, mine)))
        + weights[FRONTIER] * (popcount(beside(theirs) & empty) - popcount(beside(mine) & empty))
        + weights[IN_CORNERS] * (popcount(mine & CORNERS) - popcount(theirs & CORNERS))
        + weights[DIAGONAL] * (popcount(mine & diagonally) - popcount(theirs & diagonally))
        + weights[BESIDE] * (popcount(mine & along) - popcount(theirs & along))
        + weights[STABLE] * (popcount(stable(mine)) - popcount(stable(theirs)))
        + weights[LAST_MOVE] * (1 if filled & 1 else -1)
        + weights[DISCS] * discs
        + weights[LATE_DISCS] * discs * filled * filled / (CELLS * CELLS)
    )
    return ahead
