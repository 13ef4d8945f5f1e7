"""Santorini on graphs: how high workers stand and can climb, who is about to win, who has more room to move in.

The features are those that Geissler (2020) has for the ordinary game, as far as they make sense on any graph. Which of
them count depends on the variant: height is worth nothing where climbing does not win. Shared workers are as good
for one seat as for the other; what counts is who is to act: a win in reach is good for that seat and, without tower
wins, so is room to move in, as it gets less.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.evaluation import (
    STANDARD,
    Level,
    OwnPlayer,
    Weights,
    evaluate,
)
from papan.ai.evaluation.features import Features
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.santorini_graph import State
from papan.game.rules.santorini_graph.board import (
    SHARED,
    TOWER_WINS,
    destinations,
    height,
    nodes_after,
    nodes_up_to,
    open_nodes,
    workers_of,
)

FEATURES = Features(
    # Each is the seat's own less its opponent's. The first five count only where there are tower wins.
    "heights",  # the sum of the workers' heights
    "upper",  # the sum of their heights above the first level, beyond what "heights" gives them
    "climbs",  # nodes that a worker can move up to, onto the level below the winning one
    "threats",  # 1 if a worker can move onto a winning node
    "wins",  # the same, counted only for the seat to act
    "mobility",  # moves
    "room",  # where there are no tower wins: free nodes that are not more than two edges away
)
HEIGHTS, UPPER, CLIMBS, THREATS, WINS, MOBILITY, ROOM = FEATURES.indices


WEIGHTS = {
    STANDARD: FEATURES.weights(heights=2.0, upper=3.0, climbs=3.5, threats=14.0, wins=1000.0, mobility=0.5, room=1.0),
    "heights": FEATURES.weights(heights=1.0),
}
SCALE = 10.0
THRESHOLD = SCALE
LEVELS = {"easy": Level(1, "heights"), "medium": Level(3), "hard": Level(None)}
PLAYERS: Mapping[str, OwnPlayer] = {}


@subroutine
def tower_value(state: State, seat: int, weights: Weights) -> float:
    """What the heights in the seat's reach are worth to it."""
    winning = open_nodes(state) & ~nodes_up_to(state, state.top - 2)
    below = nodes_up_to(state, state.top - 2) & ~nodes_up_to(state, state.top - 3)
    value: float = 0.0
    threats = 0
    workers = workers_of(state, seat)
    while workers:
        node = lowest(workers)
        workers &= workers - 1
        level = height(state, node)
        reached = destinations(state, node)
        threats |= reached & winning
        value += weights[HEIGHTS] * level + weights[UPPER] * max(0, level - 1)
        if level < state.top - 2:
            value += weights[CLIMBS] * popcount(reached & below)
    if threats:
        value += weights[THREATS]
        if seat == state.seat:
            value += weights[WINS]
    return value


@subroutine
def room_value(state: State, seat: int, weights: Weights) -> float:
    """What the moves of the seat are worth to it and, without tower wins, the nodes that it can get to."""
    moves = 0
    near = 0
    free = open_nodes(state) & ~(state.workers | state.others)
    workers = workers_of(state, seat)
    while workers:
        node = lowest(workers)
        workers &= workers - 1
        moves += popcount(destinations(state, node))
        near |= nodes_after(state, node) & free
    value: float = weights[MOBILITY] * moves
    if state.rules & TOWER_WINS == 0 and weights[ROOM] != 0.0:
        reached = near
        while near:
            reached |= nodes_after(state, lowest(near)) & free
            near &= near - 1
        value += weights[ROOM] * popcount(reached)
    return value


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    value: float = 0.0
    if state.rules & TOWER_WINS:
        value += tower_value(state, seat, weights) - tower_value(state, 1 - seat, weights)
    if state.rules & SHARED == 0:
        value += room_value(state, seat, weights) - room_value(state, 1 - seat, weights)
    elif state.rules & TOWER_WINS == 0:
        own = room_value(state, seat, weights)
        value += own if seat == state.seat else -own
    return value
