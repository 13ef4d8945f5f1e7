"""P-tree: the sum so far, and which seat has more choices to come."""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.evaluation import STANDARD, Level, OwnPlayer, Strength, Weights, evaluate
from papan.ai.evaluation.terms import Features
from papan.game.base.sentences import say
from papan.game.rules.p_tree import State

FEATURES = Features(
    sum=say("sum along the path"),
    choices=say("choices still to come"),  # the first player's less the second's
)
SUM, CHOICES = FEATURES.indices
TERMS = FEATURES.titles
WEIGHTS = {STANDARD: FEATURES.weights(sum=1.0, choices=63.5)}
SCALE = 40.0
THRESHOLD = SCALE
LEVELS = {"easy": Level(1), "medium": Level(4), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 0.5, blindness=0.45),
    "easy",
    Strength(2, 0.3),
    Strength(3, 0.1),
    "medium",
    Strength(5),
    Strength(8),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {}


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    # Only where an odd number of choices is left has the seat to act one more: MAX adds, MIN takes away.
    left = state.depth - state.plies
    more = 0 if left % 2 == 0 else (-1 if state.plies & 1 else 1)
    ahead: float = weights[SUM] * state.total + weights[CHOICES] * more
    return ahead if seat == 0 else -ahead
