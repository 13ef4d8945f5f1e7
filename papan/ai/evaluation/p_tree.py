"""P-tree: the sum so far, and who has more choices still to come."""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.evaluation import (
    STANDARD,
    Level,
    OwnPlayer,
    Weights,
    evaluate,
)
from papan.game.rules.p_tree import State

# Weights of: the sum along the path; a choice that the first player has left and the second has not.
WEIGHTS = {STANDARD: (1.0, 63.5)}
SCALE = 40.0
THRESHOLD = SCALE
LEVELS = {"easy": Level(1), "medium": Level(4), "hard": Level(None)}
PLAYERS: Mapping[str, OwnPlayer] = {}


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    # Only where an odd number of choices is left has the seat to act one more: MAX adds, MIN takes away.
    left = state.depth - state.plies
    more = 0 if left % 2 == 0 else (-1 if state.plies & 1 else 1)
    ahead: float = weights[0] * state.total + weights[1] * more
    return ahead if seat == 0 else -ahead
