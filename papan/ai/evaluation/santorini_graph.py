"""Santorini on graphs: how high workers stand and can climb, which seat is about to win or has more room to move.

The features generalize Geissler's (2020) from the ordinary game to any graph. Centricity is the diameter of the graph
less a node's *eccentricity*, the number of edges to the node farthest from it. On the board of 5×5 the diameter is 4,
and the eccentricity 2 in the centre, 3 on the ring around it and 4 on the border: this gives the thesis' 2, 1 and 0.
Nearness is the diameter less the number of edges: the thesis' 8 for two workers. An unreachable node is as many edges
away as the graph has nodes. Features count by variant: height is worth nothing where climbing does not win. Shared
workers serve both seats alike, so only the turn counts: a win in reach is good for the seat to act and, without tower
wins, so is room to move, as it shrinks.

On boards of more than 63 nodes only heights, climbs and moves count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from papan.ai.evaluation import STANDARD, Level, OwnPlayer, Strength, Weights, WeightValues, evaluate, geissler
from papan.ai.evaluation.terms import Features, Term, named_terms
from papan.game.base.sentences import say
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
from papan.game.rules.santorini_graph.names import MOST_WORDS, NODES_A_WORD
from papan.game.rules.santorini_graph.wide import WideState, destinations_in, part

FEATURES = Features(
    # Each but the last three is the seat's own less its opponent's. The first five count only where there are tower
    # wins, and only mobility and room where workers are shared.
    heights=geissler.TABLES["heights"],  # the sum
    upper=geissler.TABLES["upper"],  # heights above the first level, beyond "heights"
    climbs=say("nodes in reach below the winning level"),
    threats=say("could win in one turn"),  # 1 if so
    wins=say("can win in this turn"),  # the same, for the seat to move
    mobility=say("moves to choose from"),
    room=say("free nodes near by"),  # within two edges, where there are no tower wins
    centricity=geissler.TABLES["centricity"],  # the diameter of the graph less the node's eccentricity
    centre=geissler.TABLES["centre"],  # on nodes of least eccentricity, beyond "centricity"
    distance=geissler.TABLES["distance"],  # for each, the diameter less the edges to the nearest own worker
    adjacent=geissler.TABLES["adjacent"],  # beyond "distance"
    two_away=geissler.TABLES["two_away"],  # likewise
)
HEIGHTS, UPPER, CLIMBS, THREATS, WINS, MOBILITY, ROOM, *_OF_PLACES = FEATURES.indices
CENTRICITY, CENTRE, DISTANCE, ADJACENT, TWO_AWAY = _OF_PLACES
TERMS = FEATURES.titles


WEIGHTS = {
    STANDARD: FEATURES.weights(heights=2.0, upper=3.0, climbs=3.5, threats=14.0, wins=1000.0, mobility=0.5, room=1.0),
    **geissler.weights(FEATURES),
}
SCALE = 10.0
THRESHOLD = SCALE
LEVELS = {"easy": Level(1, "heights"), "medium": Level(3), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 10.0, blindness=0.4),
    "easy",
    Strength(2, 1.4),
    Strength(2, 0.42),
    Strength(3, 0.48),
    Strength(3, 0.19),
    "medium",
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = geissler.PLAYERS


def terms(state: State | WideState, weights: WeightValues) -> Sequence[Term]:
    """The terms of *weights*: those with a weight and, on small boards if alone, Geissler's."""
    also = geissler.also(FEATURES, weights) if isinstance(state, State) else ()
    return named_terms(FEATURES, TERMS, weights, also)


@subroutine
def tower_value(state: State, seat: int, weights: Weights) -> float:
    """The worth to the seat of the heights in its reach."""
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
    """The worth of the seat's moves and, without tower wins, of the nodes in its reach."""
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


@subroutine
def edges_to_reach(state: State, starts: int, goals: int) -> int:
    """The edges from the nearest of *starts* to the farthest of *goals*; as many as nodes if one is out of reach."""
    edges = 0
    reached = starts
    newest = starts
    while goals & ~reached:
        found = 0
        while newest:
            found |= nodes_after(state, lowest(newest))
            newest &= newest - 1
        newest = found & ~reached
        if newest == 0:
            return state.nodes
        reached |= newest
        edges += 1
    return edges


@subroutine
def eccentricity(state: State, node: int) -> int:
    """The number of edges from *node* to the node farthest from it."""
    return edges_to_reach(state, 1 << node, (1 << state.nodes) - 1)


@subroutine
def place_value(state: State, seat: int, weights: Weights) -> float:
    """The worth of the places of the seat's workers, less its opponent's, and of the nearness to these."""
    least, diameter = state.nodes, 0
    for node in range(state.nodes):
        farthest = eccentricity(state, node)
        least = min(least, farthest)
        diameter = max(diameter, farthest)
    value: float = 0.0
    own, theirs = workers_of(state, seat), workers_of(state, 1 - seat)
    both = own | theirs
    while both:
        node = lowest(both)
        farthest = eccentricity(state, node)
        worth = weights[CENTRICITY] * (diameter - farthest)
        if farthest == least:
            worth += weights[CENTRE]
        value += worth if own >> node & 1 else -worth
        both &= both - 1
    while own and theirs:
        nearest = edges_to_reach(state, own, theirs & -theirs)
        value += weights[DISTANCE] * (diameter - nearest)
        if nearest == 1:
            value += weights[ADJACENT]
        elif nearest == 2:
            value += weights[TWO_AWAY]
        theirs &= theirs - 1
    return value


@subroutine
def weighs_places(weights: Weights) -> bool:
    """Whether *weights* include places, which take long to evaluate."""
    for feature in (CENTRICITY, CENTRE, DISTANCE, ADJACENT, TWO_AWAY):
        if weights[feature] != 0.0:
            return True
    return False


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    value: float = 0.0
    if state.rules & TOWER_WINS:
        value += tower_value(state, seat, weights) - tower_value(state, 1 - seat, weights)
    if state.rules & SHARED == 0:
        value += room_value(state, seat, weights) - room_value(state, 1 - seat, weights)
        if weighs_places(weights):
            value += place_value(state, seat, weights)
    elif state.rules & TOWER_WINS == 0:
        own = room_value(state, seat, weights)
        value += own if seat == state.seat else -own
    return value


# ------------------------------------------------------------------------------------------ wide boards


@subroutine
def wide_value(state: WideState, seat: int, weights: Weights) -> float:
    """The worth of the heights and moves of the seat's workers, on a board of several words."""
    value: float = 0.0
    is_threat = False
    for word in range(MOST_WORDS):
        here = part(state, word)
        workers = workers_of(here, seat)
        while workers:
            node = lowest(workers)
            workers &= workers - 1
            level = height(here, node)
            if state.rules & TOWER_WINS:
                value += weights[HEIGHTS] * level + weights[UPPER] * max(0, level - 1)
            for other in range(MOST_WORDS):
                there = part(state, other)
                reached = destinations_in(state, NODES_A_WORD * word + node, other)
                if state.rules & SHARED == 0 or state.rules & TOWER_WINS == 0:
                    value += weights[MOBILITY] * popcount(reached)
                if state.rules & TOWER_WINS:
                    lower = nodes_up_to(there, state.top - 2)
                    is_threat = is_threat or reached & ~lower != 0
                    if level < state.top - 2:
                        value += weights[CLIMBS] * popcount(reached & lower & ~nodes_up_to(there, state.top - 3))
    if is_threat:
        value += weights[THREATS]
        if seat == state.seat:
            value += weights[WINS]
    return value


@evaluate.of(WideState)
def _evaluate_wide(state: WideState, seat: int, weights: Weights) -> float:
    own = wide_value(state, seat, weights)
    if state.rules & SHARED and state.rules & TOWER_WINS == 0:
        return own if seat == state.seat else -own
    return own - wide_value(state, 1 - seat, weights)
