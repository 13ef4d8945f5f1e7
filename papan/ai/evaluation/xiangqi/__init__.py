"""Xiangqi: pieces and where they stand, freedom, the guard of the general, and what is about to be captured.

The values of pieces are the usual ones, a soldier at home being 1; the others are our own, unless some were learned
(``tables``). What a cell is worth may change as horses, chariots and cannons leave the board. ``evaluate`` is for
searches that end in positions where something hangs, so it foresees the best capture: the whole piece where it is not
guarded, the difference where it is. ``standing`` leaves that to the search.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.evaluation import (
    STANDARD,
    Level,
    OwnPlayer,
    Selectivity,
    Strength,
    Weights,
    can_pass,
    evaluate,
    is_quiet,
    passed,
    standing,
)
from papan.ai.evaluation.xiangqi.captures import best_capture
from papan.ai.evaluation.xiangqi.sides import (
    CAPTURE,
    FEATURES,
    GUARDED,
    HANGING,
    LEARNED,
    OPEN_CANNON,
    PALACE,
    THREAT,
    TO_MOVE,
    Side,
    danger,
    earliness,
    side,
)
from papan.game.kernel import subroutine
from papan.game.rules.xiangqi.board import (
    CANNON,
    CHARIOT,
    HORSE,
    MOST_QUIET,
    State,
    far_kind,
    far_of,
    in_check,
    near_kind,
    near_of,
)

TERMS = FEATURES.titles
BY_HAND = FEATURES.weights(
    to_move=0.15,
    places=1.0,
    advisor=2.0,
    elephant=2.0,
    horse=4.2,
    chariot=9.0,
    cannon=4.6,
    soldier=1.0,
    freedom=1.0,
    guard=1.0,
    open_cannon=0.7,
    palace=1.0,
    capture=0.75,
    threat=0.1,
)
WEIGHTS = {
    STANDARD: LEARNED or BY_HAND,
    "pieces": FEATURES.weights(places=0.3, advisor=2.0, elephant=2.0, horse=4.2, chariot=9.0, cannon=4.6, soldier=1.0),
}
SCALE = 7.5
THRESHOLD = SCALE
SELECTIVITY = Selectivity(margin=1.5)
LEVELS = {"easy": Level(1, "pieces"), "medium": Level(3), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 1.0, blindness=0.88, weights="pieces"),
    Strength(1, 1.0, blindness=0.06, weights="pieces"),
    Strength(2, 1.0, blindness=0.18),
    Strength(2, 0.5),
    Strength(3, 0.17),
    "medium",
    Strength(5),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {}


@subroutine
def ahead(state: State, own: Side, theirs: Side, weights: Weights) -> float:
    """How far the seat to move is ahead, whatever it can capture at once."""
    mover, waiting = state.to_move, 1 - state.to_move
    early = earliness(state)
    value: float = weights[TO_MOVE] + early * (own[0] - theirs[0]) + (1.0 - early) * (own[1] - theirs[1])
    if weights[GUARDED] != 0.0 or weights[PALACE] != 0.0 or weights[OPEN_CANNON] != 0.0 or weights[HANGING] != 0.0:
        value -= danger(state, mover, own, theirs, weights)
        value += danger(state, waiting, theirs, own, weights)
    if weights[THREAT] != 0.0:
        value -= weights[THREAT] * best_capture(state, waiting, theirs, own, weights)
    return value


@standing.of(State)
def _standing(state: State, seat: int, weights: Weights) -> float:
    own, theirs = side(state, state.to_move, weights), side(state, 1 - state.to_move, weights)
    value = ahead(state, own, theirs, weights)
    return value if seat == state.to_move else -value


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    own, theirs = side(state, state.to_move, weights), side(state, 1 - state.to_move, weights)
    value = ahead(state, own, theirs, weights)
    if weights[CAPTURE] != 0.0:
        value += weights[CAPTURE] * best_capture(state, state.to_move, own, theirs, weights)
    return value if seat == state.to_move else -value


@is_quiet.of(State)
def _is_quiet(state: State) -> bool:
    # Checks are answered before a position is judged; captures are foreseen by the evaluation.
    return not in_check(state, state.to_move)


@can_pass.of(State)
def _can_pass(state: State) -> bool:
    near, far = near_of(state, state.to_move), far_of(state, state.to_move)
    strong_near = near_kind(state, HORSE) | near_kind(state, CHARIOT) | near_kind(state, CANNON)
    strong_far = far_kind(state, HORSE) | far_kind(state, CHARIOT) | far_kind(state, CANNON)
    has_strong = (strong_near & near) | (strong_far & far)
    return has_strong != 0 and state.quiet < MOST_QUIET - 1 and not in_check(state, state.to_move)


@passed.of(State)
def _passed(state: State) -> State:
    return state._replace(to_move=1 - state.to_move, quiet=state.quiet + 1)
