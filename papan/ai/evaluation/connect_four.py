"""Connect Four: open threats count, and more where parity lets their owner play them at last.

Learned weights are those of an n-tuple network (``papan.ai.learning``), behind the standard ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.evaluation import STANDARD, Level, OwnPlayer, Strength, Weights, evaluate, score_of_mean
from papan.ai.evaluation.terms import Features
from papan.ai.learning.connect_four import LAYOUT
from papan.ai.learning.network import network_value
from papan.game.base.sentences import say
from papan.game.kernel import inlined
from papan.game.kernel.bits import popcount
from papan.game.rules import mover
from papan.game.rules.connect_four import BOTTOM, COLUMNS, FULL, HEIGHT, ROWS, State

FEATURES = Features(
    threats=say("cells that make four in a row"),
    kept_threats=say("winning cells that zugzwang will give you"),
    in_centre=say("discs in the middle column"),
)
THREATS, KEPT_THREATS, IN_CENTRE = FEATURES.indices
TERMS = FEATURES.titles
LEARNED = len(FEATURES)
"""Where the weights of the network begin, in vectors that have some."""
WEIGHTS = {STANDARD: FEATURES.weights(threats=6.0, kept_threats=9.0, in_centre=1.0)}
SCALE = 12.0
THRESHOLD = SCALE
TRUST = 0.8
LEVELS = {"easy": Level(1), "medium": Level(4), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 1.6),
    "easy",
    Strength(2, 0.38),
    Strength(2, 0.155),
    Strength(4, 0.11),
    "medium",
    Strength(8),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {}

CENTRE = ((1 << ROWS) - 1) << (COLUMNS // 2 * HEIGHT)
ODD_ROWS = BOTTOM * 0b010101  # the first, third and fifth row
EVEN_ROWS = BOTTOM * 0b101010


@inlined
def threats_of(discs: int) -> int:
    """The cells, filled or not, that complete four in a row of *discs*."""
    cells = (discs << 1) & (discs << 2) & (discs << 3)
    right = (discs >> HEIGHT) & (discs >> 2 * HEIGHT)
    left = (discs << HEIGHT) & (discs << 2 * HEIGHT)
    cells |= right & ((discs >> 3 * HEIGHT) | (discs << HEIGHT)) | left & ((discs << 3 * HEIGHT) | (discs >> HEIGHT))
    right = (discs >> ROWS) & (discs >> 2 * ROWS)
    left = (discs << ROWS) & (discs << 2 * ROWS)
    cells |= right & ((discs >> 3 * ROWS) | (discs << ROWS)) | left & ((discs << 3 * ROWS) | (discs >> ROWS))
    right = (discs >> (HEIGHT + 1)) & (discs >> 2 * (HEIGHT + 1))
    left = (discs << (HEIGHT + 1)) & (discs << 2 * (HEIGHT + 1))
    cells |= right & ((discs >> 3 * (HEIGHT + 1)) | (discs << (HEIGHT + 1)))
    cells |= left & ((discs << 3 * (HEIGHT + 1)) | (discs >> (HEIGHT + 1)))
    return cells & FULL


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    if len(weights) > LEARNED:
        promised = score_of_mean(network_value(state, LAYOUT, weights, LEARNED), SCALE)
        return promised if seat == mover(state) else -promised
    empty = FULL & ~(state.mine | state.theirs)
    first_moves = mover(state) == 0
    first = state.mine if first_moves else state.theirs
    second = state.theirs if first_moves else state.mine
    # With all else filled, the seat that started gets the odd rows and the other one the even rows.
    ahead: float = (
        weights[THREATS] * (popcount(threats_of(first) & empty) - popcount(threats_of(second) & empty))
        + weights[KEPT_THREATS] * popcount(threats_of(first) & empty & ODD_ROWS)
        - weights[KEPT_THREATS] * popcount(threats_of(second) & empty & EVEN_ROWS)
        + weights[IN_CENTRE] * (popcount(first & CENTRE) - popcount(second & CENTRE))
    )
    return ahead if seat == 0 else -ahead
