"""Fits xiangqi's weights: ``python -m dev.fitting.xiangqi games FILE`` and ``… weights FILE …``.

*Games* are the player's own against itself (``searched``). Kept are the positions in which nothing is about to be
captured.

*Weights* are a logistic regression (Österlund, "Texel's Tuning Method", 2014): the chance that a position's worth
stands for is to be near to how the game ended, and to the chance that the search saw. A number of which little is known
stays near what was set by hand. One game in ten is held back, and says how good the result is.

After weights have been written ``python -m dev.digests`` tells the program that they are meant to be so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dev.fitting.searched import Positions, Practice, command_line, read_games, surprise, write_games
from dev.fitting.xiangqi_terms import TERMS, Layout, write_terms
from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.xiangqi import BY_HAND, SCALE, SELECTIVITY, WEIGHTS
from papan.ai.evaluation.xiangqi.sides import FEATURES
from papan.ai.evaluation.xiangqi.tables import ASSET, Tables, keep_tables, tables_by_hand
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.game.rules import xiangqi
from papan.game.rules.xiangqi.board import TARGET_MASK, State, in_check, kind_at
from papan.lab.printing import show_lines

SHARE_OF_RESULTS = 0.5
"""How much of what is learned from is how games ended; the rest is what searches saw."""

ALIKE = 4.0
"""So many positions of a game, which ended in one way, tell as much as one."""

Array = np.ndarray[Any, Any]


def tells(state: State, step: int) -> bool:
    """Whether nothing is about to be captured, as far as a step found tells."""
    return kind_at(state, step & TARGET_MASK) == 0 and not in_check(state, state.to_move)


def practice() -> Practice:
    search = AlphaBeta(xiangqi, WEIGHTS[STANDARD], table_bits=16, selectivity=SELECTIVITY)
    return Practice(xiangqi, search, tells, hopeless=12.0, most_turns=239)


def features_of(rows: Array, weights: Sequence[float] = BY_HAND) -> Array:
    """The terms of each position, for the seat to move: so many rows of ``TERMS``.

    :param weights: what pieces are worth that can be captured.
    """
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
    """The weights by which the chance to win is nearest to *wanted*, and which are not far from those *before*.

    Newton's method; *before* is taken for the mean, and *spread* for the deviation, of what each may be.
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
    asked = command_line(__doc__ or "").parser.parse_args(arguments)
    if asked.command == "games":
        write_games(asked, practice())
        return
    kept = read_games(asked.files)
    tables, report = fit(kept)
    show_lines("\n".join(report))
    provenance = (
        f"{GAMES['xiangqi'].title}: fitted by dev/fitting/xiangqi.py to {len(kept.results)} positions of the"
        " program's games against itself"
    )
    keep_tables(tables, ASSETS.folder / ASSET, provenance)


if __name__ == "__main__":
    main()
