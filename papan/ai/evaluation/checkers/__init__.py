"""Checkers: by learned networks (``network``), or by features, each the seat's own less its opponent's.

The features follow Arthur Samuel ("Some Studies in Machine Learning Using the Game of Checkers", 1959): advancement,
the bridge on the first row, the centre, mobility, exchanges for the side that is ahead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from papan.ai.evaluation import (
    STANDARD,
    Level,
    OwnPlayer,
    Selectivity,
    Strength,
    Weights,
    WeightValues,
    evaluate,
    is_quiet,
)
from papan.ai.evaluation.accumulator import judged
from papan.ai.evaluation.checkers.network import bundled_networks, promise, promise_kept
from papan.ai.evaluation.checkers.tables import Table, known_endings
from papan.ai.evaluation.terms import Features
from papan.game.base.sentences import say
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.checkers.board import (
    BOARD,
    ROW_EIGHT,
    ROW_ONE,
    State,
    bit_of,
    downward,
    must_capture,
    pieces_of,
    square_of,
    upward,
)

FEATURES = Features(
    men=say("men"),
    kings=say("kings"),
    advance=say("rows that men have advanced"),
    back_row=say("men guarding the first row"),  # the opponent's men become kings there
    bridge=say("bridge on the first row"),  # both squares where men guard it
    centre_men=say("men in the centre"),
    centre_kings=say("kings in the centre"),
    mobility=say("moves to choose from"),  # not captures
    shut_in=say("kings that can't move"),
    arrivals=say("men about to be crowned"),  # that can step onto the last row
    lead=say("lead in pieces, as a share"),  # exchanges help the side that is ahead
    chase=say("distance from the kings to the pieces they chase"),  # rows or columns, for the side that is ahead
    to_move=say("having the move"),
)
MEN, KINGS, ADVANCE, BACK_ROW, BRIDGE, CENTRE_MEN, CENTRE_KINGS, MOBILITY, *_OTHERS = FEATURES.indices
SHUT_IN, ARRIVALS, LEAD, CHASE, TO_MOVE = _OTHERS
BY_HAND = len(FEATURES)
"""The number of features; the networks' weights follow, if any."""

TERMS = FEATURES.titles

CLASSICAL = "classical"
"""The name of the weights that were set by hand, before a network learned some."""
# Found by trial, in games to depths 4 and 7. Advanced men are worth less: they are lost, and the search sees crownings.
_BY_HAND = FEATURES.weights(
    men=10.0,
    kings=13.0,
    advance=-0.2,
    back_row=0.6,
    bridge=0.8,
    centre_men=0.4,
    centre_kings=0.5,
    mobility=0.05,
    shut_in=1.0,
    arrivals=1.5,
    lead=20.0,
    chase=0.1,
    to_move=0.2,
)


def standard_weights() -> WeightValues:
    """The learned networks after zeros for the features; or the weights set by hand."""
    learned = bundled_networks()
    if learned is None:
        return _BY_HAND
    weights = np.concatenate([np.zeros(BY_HAND, np.int16), learned])
    weights.flags.writeable = False
    return weights


WEIGHTS: Mapping[str, WeightValues] = {
    STANDARD: standard_weights(),
    CLASSICAL: _BY_HAND,
    "pieces": FEATURES.weights(men=10.0, kings=13.0),
}
SCALE = 9.0
THRESHOLD = SCALE
SELECTIVITY = Selectivity(grows=True, probe=5.0, singular=0.3)
TRUST = 0.8
LEVELS = {"easy": Level(1, "pieces"), "medium": Level(3, CLASSICAL), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 2.0, blindness=0.3, weights="pieces"),
    Strength(1, 0.86, blindness=0.03, weights="pieces"),
    Strength(2, 0.65, weights=CLASSICAL),
    Strength(3, 0.33, weights=CLASSICAL),
    "medium",
    Strength(3, 0.04),
    Strength(5),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {}


def endings() -> Table:
    """The endgame tables, read at the first use."""
    return known_endings()


ROWS = 8
CENTRE = sum(1 << bit_of(square - 1) for square in (10, 11, 14, 15, 18, 19, 22, 23))
BLACK_BRIDGE = 1 << bit_of(0) | 1 << bit_of(2)
WHITE_BRIDGE = 1 << bit_of(29) | 1 << bit_of(31)


@subroutine
def rows_down(pieces: int) -> int:
    """The sum of rows of *pieces* below the top one."""
    rows = 0
    for row in range(1, ROWS):
        rows += popcount(pieces >> bit_of(4 * row))
    return rows


@subroutine
def rows_and_columns(one: int, other: int) -> int:
    """The larger of the distances in rows and columns between two bits."""
    square, to = square_of(one), square_of(other)
    rows = (to >> 2) - (square >> 2)
    columns = 2 * ((to & 3) - (square & 3)) - ((to >> 2) & 1) + ((square >> 2) & 1)
    return max(abs(rows), abs(columns))


@subroutine
def chase(state: State, seat: int) -> int:
    """The sum of distances from kings of *seat* to the opponent's; 0 unless *seat* has more pieces."""
    own, theirs = pieces_of(state, seat), pieces_of(state, 1 - seat)
    far = 0
    if popcount(own) > popcount(theirs):
        hunters = own & state.kings
        while hunters:
            hunter = lowest(hunters)
            hunters &= hunters - 1
            hunted = theirs & state.kings
            while hunted:
                far += rows_and_columns(hunter, lowest(hunted))
                hunted &= hunted - 1
    return far


@subroutine
def standing(state: State, seat: int, weights: Weights) -> float:
    own = pieces_of(state, seat)
    men, kings = own & ~state.kings, own & state.kings
    empty = BOARD & ~(state.black | state.white)
    if seat == 0:
        advance, home, bridge = rows_down(men), ROW_ONE, BLACK_BRIDGE
        arriving = men & (ROW_EIGHT & empty) >> 4 | men & (ROW_EIGHT & empty) >> 5
    else:
        advance, home, bridge = (ROWS - 1) * popcount(men) - rows_down(men), ROW_EIGHT, WHITE_BRIDGE
        arriving = men & (ROW_ONE & empty) << 4 | men & (ROW_ONE & empty) << 5
    down, up = downward(state, seat), upward(state, seat)
    mobility = (
        popcount(down << 4 & empty)
        + popcount(down << 5 & empty)
        + popcount(up >> 4 & empty)
        + popcount(up >> 5 & empty)
    )
    around_empty = empty << 4 | empty << 5 | empty >> 4 | empty >> 5
    value: float = (
        weights[MEN] * popcount(men)
        + weights[KINGS] * popcount(kings)
        + weights[ADVANCE] * advance
        + weights[BACK_ROW] * popcount(men & home)
        + weights[CENTRE_MEN] * popcount(men & CENTRE)
        + weights[CENTRE_KINGS] * popcount(kings & CENTRE)
        + weights[MOBILITY] * mobility
        - weights[SHUT_IN] * popcount(kings & ~around_empty)
        + weights[ARRIVALS] * popcount(arriving)
    )
    if men & bridge == bridge:
        value += weights[BRIDGE]
    if kings:
        value -= weights[CHASE] * chase(state, seat)
    return value


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    if len(weights) > BY_HAND:
        promised = SCALE * promise(state, weights, BY_HAND)
        return promised if seat == state.to_move else -promised
    return by_hand(state, seat, weights)


@judged.of(State)
def _judged(state: State, seat: int, weights: Weights, kept: Any) -> float:
    if len(weights) > BY_HAND:
        promised = SCALE * promise_kept(state, weights, BY_HAND, kept)
        return promised if seat == state.to_move else -promised
    return by_hand(state, seat, weights)


@subroutine
def by_hand(state: State, seat: int, weights: Weights) -> float:
    own, theirs = popcount(pieces_of(state, seat)), popcount(pieces_of(state, 1 - seat))
    value: float = weights[LEAD] * (own - theirs) / (own + theirs)
    value += weights[TO_MOVE] if seat == state.to_move else -weights[TO_MOVE]
    return value + standing(state, seat, weights) - standing(state, 1 - seat, weights)


@is_quiet.of(State)
def _is_quiet(state: State) -> bool:
    return not must_capture(state)
