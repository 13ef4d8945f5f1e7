"""Othello: by learned patterns (``patterns``), or by a classical evaluation with weights set by hand.

The standard weights predict the final difference in discs. The classical features are corners, stable discs, mobility
and the last move (Rosenbloom, "A World-Championship-Level Othello Program", 1982); discs hardly count before the end.
Where the learned weights are damaged the classical ones stand in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from papan.ai.evaluation import STANDARD, Level, OwnPlayer, Selectivity, Strength, Weights, WeightValues, evaluate
from papan.ai.evaluation.accumulator import judged
from papan.ai.evaluation.othello.patterns import beside, bundled_weights, pattern_value, pattern_value_kept
from papan.ai.evaluation.terms import Features
from papan.game.base.sentences import say
from papan.game.kernel import subroutine
from papan.game.kernel.bits import popcount
from papan.game.rules.othello import CELLS, FULL, SIZE, State, playable_cells

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
    """Those of *discs* that are stable, as found from the corners: on each line next to the edge or a stable disc."""
    found = discs & CORNERS
    if found == 0:
        return found
    while True:
        # What a shift carries from one edge to the opposite one lands on cells that have the edge anyway.
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
