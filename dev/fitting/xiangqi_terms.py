"""Xiangqi's evaluation as a sum of terms: for each number that is learned, how often it counts in a position.

``standing`` is this sum, with a weight for each term, looked up in tables; here the terms themselves are written down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from papan.ai.evaluation import Weights
from papan.ai.evaluation.xiangqi.captures import best_capture
from papan.ai.evaluation.xiangqi.sides import (
    FREE,
    GUARDED,
    HANGING,
    LINKED,
    OPEN_CANNON,
    PALACE,
    PALACES_FAR,
    PALACES_NEAR,
    PLACES,
    THREAT,
    TO_MOVE,
    Side,
    earliness,
    has_open_cannon,
    number_of,
    side,
)
from papan.ai.evaluation.xiangqi.tables import ATTACKING, KIND_ROWS, MOST_ATTACK, MOST_FREE, PALACE_CELLS, WING, Tables
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    GENERAL,
    HORSE,
    SOLDIER,
    State,
    far_kind,
    far_of,
    near_kind,
    near_of,
    reach,
)
from papan.game.rules.xiangqi.tables import FILES, HALF, RANKS, RED

# Where the terms of each table begin; those of the features that have names come first, at their numbers.
PLACES_EARLY = 16
PLACES_LATE = PLACES_EARLY + KIND_ROWS * RANKS * WING
FREEDOM_TERMS = PLACES_LATE + KIND_ROWS * RANKS * WING
GUARD_TERMS = FREEDOM_TERMS + 3 * MOST_FREE
PALACE_TERMS = GUARD_TERMS + 9 * MOST_ATTACK
TERMS = PALACE_TERMS + PALACE_CELLS + 1


@subroutine
def write_side(state: State, seat: int, own: Side, theirs: Side, sign: float, terms: Any) -> None:
    """Add the terms of *seat*, times *sign*."""
    early = earliness(state)
    own_near, own_far = near_of(state, seat), far_of(state, seat)
    for kind in range(GENERAL, SOLDIER + 1):
        for half in range(2):
            pieces = near_kind(state, kind) & own_near if half == 0 else far_kind(state, kind) & own_far
            while pieces:
                cell = lowest(pieces) + half * HALF
                pieces &= pieces - 1
                rank, file = cell // FILES, cell % FILES
                own_rank = rank if seat == RED else RANKS - 1 - rank
                place = (kind * RANKS + own_rank) * WING + min(file, FILES - 1 - file)
                terms[PLACES_EARLY + place] += sign * early
                terms[PLACES_LATE + place] += sign * (1.0 - early)
                if kind != GENERAL:
                    terms[kind] += sign
                if kind in (HORSE, CHARIOT, CANNON):
                    near, far = reach(state, cell, kind, seat)
                    goals = popcount(near & ~own_near) + popcount(far & ~own_far)
                    terms[FREEDOM_TERMS + (kind - HORSE) * MOST_FREE + goals] += sign
    terms[LINKED] += sign * (popcount(own[6] & own_near) + popcount(own[7] & own_far))
    attackers = 0
    for kind in range(HORSE, SOLDIER + 1):
        attackers += int(ATTACKING[kind]) * number_of(state, 1 - seat, kind)
    guards = number_of(state, seat, ADVISOR) * 3 + number_of(state, seat, ELEPHANT)
    terms[GUARD_TERMS + guards * MOST_ATTACK + attackers] -= sign
    palace = popcount(theirs[6] & PALACES_NEAR) if seat == RED else popcount(theirs[7] & PALACES_FAR)
    terms[PALACE_TERMS + palace] -= sign
    if has_open_cannon(state, seat):
        terms[OPEN_CANNON] -= sign
    strong_near = near_kind(state, HORSE) | near_kind(state, CHARIOT) | near_kind(state, CANNON)
    strong_far = far_kind(state, HORSE) | far_kind(state, CHARIOT) | far_kind(state, CANNON)
    hanging = popcount(strong_near & own_near & theirs[6] & ~own[6])
    terms[HANGING] -= sign * (hanging + popcount(strong_far & own_far & theirs[7] & ~own[7]))


@compiled
def write_terms(state: State, weights: Weights, terms: Any) -> None:
    """Write the terms of *state*, for the seat to move, into *terms*, which holds zeros.

    :param weights: those by which the best capture is found.
    """
    mover, waiting = state.to_move, 1 - state.to_move
    own, theirs = side(state, mover, weights), side(state, waiting, weights)
    terms[TO_MOVE] = 1.0
    write_side(state, mover, own, theirs, 1.0, terms)
    write_side(state, waiting, theirs, own, -1.0, terms)
    terms[THREAT] -= best_capture(state, waiting, theirs, own, weights)


# How far what is set by hand may be off, in soldiers.
_SPREADS = (0.5, 0.5, 0.5, 0.15, 0.3, 0.2)
"""Of the features with names and each table, in their order."""
_FIXED = 1e-3


@dataclass(frozen=True)
class Layout:
    """The numbers that are learned, in the order of the terms."""

    before: np.ndarray[Any, Any]
    """As they are set by hand."""
    spread: np.ndarray[Any, Any]
    """How far each may be off."""

    @staticmethod
    def of(tables: Tables, features: Sequence[float]) -> Layout:
        """The layout of *tables* and the weights of *features*."""
        parts = [np.array(features), tables.early, tables.late, tables.freedom, tables.guard, tables.palace]
        before = np.concatenate([part.ravel() for part in parts])
        spread = np.concatenate([np.full(part.size, size) for part, size in zip(parts, _SPREADS, strict=True)])
        for fixed in (PLACES, FREE, GUARDED, PALACE):
            spread[fixed] = _FIXED  # they scale the tables
        return Layout(before, spread)

    def tables(self, found: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> Tables:
        """The tables that *found* has, with what a cell is worth in the mean added to the worth of the piece.

        :param counts: how often each term counts.
        """
        scalars = found[:PLACES_EARLY].copy()
        places = found[PLACES_EARLY:FREEDOM_TERMS].reshape(2, KIND_ROWS, RANKS, WING).copy()
        seen = counts[PLACES_EARLY:FREEDOM_TERMS].reshape(places.shape)
        for kind in range(ADVISOR, SOLDIER + 1):
            mean = float((places[:, kind] * seen[:, kind]).sum() / max(float(seen[:, kind].sum()), 1e-9))
            if kind != SOLDIER:  # whose worth is that at home
                scalars[kind] += mean
                places[:, kind] -= mean
        return Tables(
            places[0],
            places[1],
            found[FREEDOM_TERMS:GUARD_TERMS].reshape(3, MOST_FREE),
            found[GUARD_TERMS:PALACE_TERMS].reshape(3, 3, MOST_ATTACK),
            found[PALACE_TERMS:],
            scalars,
        )
