"""Fits xiangqi's weights: ``python -m dev.fitting.xiangqi games FILE`` and ``… weights FILE …``.

``games`` plays the player against itself (``searched``), and keeps positions without a pending capture.

``weights`` is a logistic regression (Österlund, "Texel's Tuning Method", 2014). Its targets mix the results of games
with the winning chances that searches found. Weights with little data stay close to the hand-set ones. One game in ten
is held back to test the result.

Run ``python -m dev.digests`` after writing weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dev.fitting.searched import Array, Positions, Practice, command_line, read_games, show_fit, surprise, write_games
from papan.ai.evaluation import STANDARD, Weights
from papan.ai.evaluation.xiangqi import (
    ASSET,
    ATTACKING,
    BY_HAND,
    FEATURES,
    FREEDOM,
    GUARD,
    HANGING,
    KIND_ROWS,
    LINKED,
    MOST_ATTACK,
    MOST_FREE,
    OPEN_CANNON,
    PALACE,
    PALACE_CELLS,
    PALACES_FAR,
    PALACES_NEAR,
    PLACES,
    SCALE,
    SELECTIVITY,
    THREAT,
    TO_MOVE,
    WEIGHTS,
    WING,
    Side,
    Tables,
    best_capture,
    earliness,
    has_open_cannon,
    keep_tables,
    number_of,
    side,
    tables_by_hand,
)
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.assets import ASSETS
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules import xiangqi
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    FILES,
    GENERAL,
    HALF,
    HORSE,
    RANKS,
    RED,
    SOLDIER,
    TARGET_MASK,
    State,
    far_kind,
    far_of,
    in_check,
    kind_at,
    near_kind,
    near_of,
    reach,
)

SHARE_OF_RESULTS = 0.5  # of results in the targets; the rest is the chances that searches found

ALIKE = 4.0  # the number of positions of a game, which share its result, that count as one


def tells(state: State, step: int) -> bool:
    """Whether *step*, the best one found, captures nothing, and the mover is not in check."""
    return kind_at(state, step & TARGET_MASK) == 0 and not in_check(state, state.to_move)


def practice() -> Practice:
    search = AlphaBeta(xiangqi, WEIGHTS[STANDARD], table_bits=16, selectivity=SELECTIVITY)
    return Practice(xiangqi, search, tells, hopeless=12.0, most_turns=239)


def features_of(rows: Array, weights: Sequence[float] = BY_HAND) -> Array:
    """The terms of each position for the seat to move, of shape (positions, ``TERMS``)."""
    found = np.zeros((len(rows), TERMS), np.float32)
    vector = np.array(weights)
    for row, features in zip(rows, found, strict=True):
        write_terms(State(*(int(field) for field in row)), vector, features)
    return found


def fit(kept: Positions) -> tuple[Tables, list[str]]:
    features = features_of(kept.rows)
    wanted, is_held_back = kept.wanted(SCALE, SHARE_OF_RESULTS), kept.held_back
    layout = Layout.of(tables_by_hand(), BY_HAND)
    found = regress(features[~is_held_back], wanted[~is_held_back], layout.before, layout.spread)
    report = [f"{len(wanted)} positions of {int(kept.games.max()) + 1} games; surprise by those held back:"]
    for name, weights in (("by hand", layout.before), ("now", found)):
        worth = features[is_held_back] @ weights / SCALE
        for what, target in (("of both", wanted), ("of results", kept.results)):
            report.append(f"  {surprise(worth, target[is_held_back]):.4f} {what}, {name}")
    tables = layout.tables(found, np.abs(features).mean(0))
    report += [f"  {name} {weight:.3f}" for name, weight in zip(FEATURES, tables.scalars, strict=True)]
    return tables, report


def regress(features: Array, wanted: Array, before: Array, spread: Array) -> Array:
    """The weights that fit the *wanted* winning chances best, given a normal prior; by Newton's method.

    :param before: the means of the prior.
    :param spread: its standard deviations.
    """
    weights = before.copy()
    pull = ALIKE / spread**2
    for _ in range(8):
        chance = 1.0 / (1.0 + np.exp(-(features @ weights.astype(np.float32)) / SCALE))
        slope = (features.T @ (chance - wanted).astype(np.float32)) / SCALE + pull * (weights - before)
        scaled = features * np.sqrt(chance * (1.0 - chance)).astype(np.float32)[:, None] / np.float32(SCALE)
        step = np.linalg.solve((scaled.T @ scaled).astype(np.float64) + np.diag(pull), slope)
        weights -= step
        if np.abs(step).max() < 1e-3:
            break
    return weights


def main(arguments: Sequence[str] | None = None) -> None:
    asked = command_line(__doc__ or "")[0].parse_args(arguments)
    if asked.command == "games":
        write_games(asked, practice)
        return
    kept = read_games(asked.files)
    tables, report = fit(kept)
    provenance = show_fit("xiangqi", "dev/fitting/xiangqi.py", len(kept.results), report)
    keep_tables(tables, ASSETS.folder / ASSET, provenance)


# The index of each table's first term; the named features come first, at their own indices.
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

    :param weights: the weights to find the best capture with.
    """
    mover, waiting = state.to_move, 1 - state.to_move
    own, theirs = side(state, mover, weights), side(state, waiting, weights)
    terms[TO_MOVE] = 1.0
    write_side(state, mover, own, theirs, 1.0, terms)
    write_side(state, waiting, theirs, own, -1.0, terms)
    terms[THREAT] -= best_capture(state, waiting, theirs, own, weights)


# Prior standard deviations around the hand-set values, in soldiers.
_SPREADS = (0.5, 0.5, 0.5, 0.15, 0.3, 0.2)  # of the named features and of each table, in order
_FIXED = 1e-3


@dataclass(frozen=True)
class Layout:
    """The prior of the learned weights, in the order of the terms."""

    before: np.ndarray[Any, Any]
    spread: np.ndarray[Any, Any]

    @staticmethod
    def of(tables: Tables, features: Sequence[float]) -> Layout:
        """The layout for hand-set *tables* and weights of *features*."""
        parts = [np.array(features), tables.early, tables.late, tables.freedom, tables.guard, tables.palace]
        before = np.concatenate([part.ravel() for part in parts])
        spread = np.concatenate([np.full(part.size, size) for part, size in zip(parts, _SPREADS, strict=True)])
        for fixed in (PLACES, FREEDOM, GUARD, PALACE):
            spread[fixed] = _FIXED  # they scale the tables
        return Layout(before, spread)

    def tables(self, found: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> Tables:
        """The tables of the weights *found*, with the mean value of a piece's cells moved into the piece's value.

        :param counts: how often each term occurs.
        """
        scalars = found[:PLACES_EARLY].copy()
        places = found[PLACES_EARLY:FREEDOM_TERMS].reshape(2, KIND_ROWS, RANKS, WING).copy()
        seen = counts[PLACES_EARLY:FREEDOM_TERMS].reshape(places.shape)
        for kind in range(ADVISOR, SOLDIER + 1):
            mean = float((places[:, kind] * seen[:, kind]).sum() / max(float(seen[:, kind].sum()), 1e-9))
            if kind != SOLDIER:  # a soldier's value is that on its own side
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


if __name__ == "__main__":
    main()
