"""Santorini: the heuristics of seeds 000 and 002, and a standard evaluation of height, climbs and threats.

Seed 002, section 8.2, judges a position by how high and how central a seat's workers stand and by how near
they are to the opponent's; seed 000 judges a single move or build. Both are weights over the features below:
the first ones are read by ``evaluate``, the others by ``appraise``, and one that weighs nothing costs nothing.
"""

from __future__ import annotations

import numpy as np

from ai.evaluation import STANDARD, Greedy, Level, Searching, Weights, appraise, evaluate
from game.bits import lowest, popcount
from game.kernel import subroutine
from game.kernels import mover
from game.santorini import BUILD, CELL_MASK, DOME, KIND_MASK, MOVE, State
from game.santorini_board import (
    APOLLO,
    ATLAS,
    CELLS,
    DOME_HEIGHT,
    NEIGHBOURS,
    SIZE,
    all_workers,
    god_of,
    height,
    next_seat,
    workers_of,
)

FEATURES = (
    # Of a position; each but "distance" is the seat's own less its opponent's.
    "heights",  # sum of the workers' heights
    "centricity",  # 2 for a worker in the centre, 1 on the ring around it
    "distance",  # 8 less the king's moves from each opponent's worker to the nearest own one
    "upper",  # workers on level 2 or 3, beyond what "heights" gives them
    "climbs",  # cells on level 2 to which a worker on level 1 can move
    "threats",  # 1 if a worker can move up onto level 3
    "wins",  # the same, counted only for the seat to act
    # Of a step, by the equations of seed 000.
    "seed",  # f_move of a move, f_build of a build
    "apollo",  # f_Apollo of changing places, instead of f_move
    "atlas",  # what f_Atlas adds to f_build: the opponents' workers next to a dome
    "low_atlas",  # the same, but only for a builder on the ground and a cell of level 0 or 1
    "idle_dome",  # 1 for a dome below level 3 for which the two before it give nothing
)
HEIGHTS, CENTRICITY, DISTANCE, UPPER, CLIMBS, THREATS, WINS = range(7)
SEED, APOLLO_SWAP, ATLAS_DOME, LOW_ATLAS_DOME, IDLE_DOME = range(7, len(FEATURES))


def _weights(**by_feature: float) -> tuple[float, ...]:
    return tuple(by_feature.pop(feature, 0.0) for feature in FEATURES)


_NEVER = -1000.0  # outweighs what any build is worth

WEIGHTS = {
    STANDARD: _weights(heights=2.0, centricity=1.2, upper=3.0, climbs=3.5, threats=14.0, wins=1000.0),
    "heights": _weights(heights=1.0),
    "centricity": _weights(centricity=1.0),
    "distance": _weights(distance=1.0),
    "combined": _weights(heights=3.0, centricity=1.0, distance=1.0),
    "norm": _weights(seed=1.0, idle_dome=_NEVER),
    "god": _weights(seed=1.0, apollo=1.0, atlas=20.0, idle_dome=_NEVER),
    "god-low-domes": _weights(seed=1.0, apollo=1.0, low_atlas=20.0, idle_dome=_NEVER),
    "random-no-domes": _weights(idle_dome=_NEVER),
}
"""``norm``, ``god`` and ``random-no-domes`` are the players of seed 000's Table 2. It does not say that they
build a dome below level 3 only where f_Atlas rates it above a block, its ``random`` and ``norm`` therefore
never, but its figures do. ``god-low-domes`` is the reading of f_Atlas that comes nearest to its figures, and
no more than a guess."""
LEVELS = {"easy": Level(1, "heights"), "medium": Level(3), "hard": Level(None)}
PLAYERS = {
    "heights": Searching("heights", depth=3),
    "centricity": Searching("centricity", depth=3),
    "distance": Searching("distance", depth=3),
    "combined": Searching("combined", depth=3),
    "norm": Greedy("norm"),
    "god": Greedy("god"),
}

CENTRE = 1 << (CELLS // 2)
RING_AND_CENTRE = int(NEIGHBOURS[CELLS // 2]) | CENTRE
FARTHEST = 8  # the longest possible ways to two workers: 4 king's moves each
KING_MOVES = np.array(
    [[max(abs(a % SIZE - b % SIZE), abs(a // SIZE - b // SIZE)) for b in range(CELLS)] for a in range(CELLS)], np.int64
)

# By the height of the cell moved to: seed 000's f_move and f_Apollo.
F_MOVE = np.array([1.0, 2.0, 5.0, 100.0])
F_APOLLO = np.array([1.0, 5.0, 10.0, 100.0])
# By the height that both the builder and the cell have: the first sum of f_build.
F_BUILD = np.array([1.0, 2.0, 5.0, 0.0])
F_BUILD_BLOCK = 10.0  # the second sum: for each opponent's worker next to a tower of level 3 that is closed


# ----------------------------------------------------------------------------------------- positions


@subroutine
def heights_of(state: State, workers: int) -> int:
    """The sum of the workers' heights: seed 002's figure 8.1."""
    return popcount(workers & state.level_1) + popcount(workers & state.level_2) + popcount(workers & state.level_3)


@subroutine
def centricity_of(workers: int) -> int:
    """The sum of the workers' places: seed 002's figure 8.2."""
    return popcount(workers & RING_AND_CENTRE) + popcount(workers & CENTRE)


@subroutine
def closeness(own: int, theirs: int) -> int:
    """8 less the sum of ways to *theirs*, each from the nearest of *own*: seed 002's figure 8.3.

    0 until both seats have workers.
    """
    if own == 0 or theirs == 0:
        return 0
    ways = 0
    while theirs:
        goal = lowest(theirs)
        theirs &= theirs - 1
        nearest = SIZE
        others = own
        while others:
            nearest = min(nearest, int(KING_MOVES[goal, lowest(others)]))
            others &= others - 1
        ways += nearest
    return FARTHEST - ways


@subroutine
def outlook(state: State, seat: int, weights: Weights) -> float:
    """What *seat* can climb to next: the weighted ``climbs``, ``threats`` and ``wins``."""
    own = workers_of(state, seat)
    blocked = state.domes | (own if god_of(state, seat) == APOLLO else all_workers(state))
    climbs = 0
    tops = 0
    low = own & state.level_1 & ~state.level_2
    while low:
        climbs += popcount(int(NEIGHBOURS[lowest(low)]) & state.level_2 & ~(state.level_3 | blocked))
        low &= low - 1
    high = own & state.level_2 & ~state.level_3
    while high:
        tops |= int(NEIGHBOURS[lowest(high)]) & state.level_3 & ~blocked
        high &= high - 1
    value: float = weights[CLIMBS] * climbs
    if tops:
        value += weights[THREATS]
        if seat == mover(state):
            value += weights[WINS]
    return value


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    own = workers_of(state, seat)
    theirs = all_workers(state) & ~own
    value: float = 0.0
    if weights[HEIGHTS] != 0.0:
        value += weights[HEIGHTS] * (heights_of(state, own) - heights_of(state, theirs))
    if weights[CENTRICITY] != 0.0:
        value += weights[CENTRICITY] * (centricity_of(own) - centricity_of(theirs))
    if weights[DISTANCE] != 0.0:
        value += weights[DISTANCE] * closeness(own, theirs)
    if weights[UPPER] != 0.0:
        value += weights[UPPER] * (popcount(own & state.level_2) - popcount(theirs & state.level_2))
    if weights[CLIMBS] != 0.0 or weights[THREATS] != 0.0 or weights[WINS] != 0.0:
        value += outlook(state, seat, weights) - outlook(state, next_seat(seat), weights)
    return value


# --------------------------------------------------------------------------------------------- steps


@subroutine
def f_build(state: State, cell: int, opponents: int) -> float:
    """Seed 000's f_build of building on *cell*, next to which *opponents* workers stand."""
    level = height(state, cell)
    if level == DOME_HEIGHT - 1:
        return F_BUILD_BLOCK * opponents
    return float(F_BUILD[level]) if height(state, lowest(state.active)) == level else 0.0


@appraise.of(State)
def _appraise(state: State, step: int, weights: Weights) -> float:
    kind = step & KIND_MASK
    cell = step & CELL_MASK
    if kind == MOVE:
        level = height(state, cell)
        if weights[APOLLO_SWAP] != 0.0 and all_workers(state) >> cell & 1:
            swap: float = weights[APOLLO_SWAP] * F_APOLLO[level]
            return swap
        move: float = weights[SEED] * F_MOVE[level]
        return move
    if kind != BUILD and kind != DOME:
        return 0.0
    opponents = popcount(int(NEIGHBOURS[cell]) & all_workers(state) & ~workers_of(state, state.seat))
    value: float = weights[SEED] * f_build(state, cell, opponents)
    is_early = kind == DOME
    if is_early or (god_of(state, state.seat) == ATLAS and height(state, cell) == DOME_HEIGHT - 1):
        bonus: float = weights[ATLAS_DOME] * opponents
        if is_early and not state.level_2 >> cell & 1 and not state.level_1 & state.active:
            bonus += weights[LOW_ATLAS_DOME] * opponents
        value += weights[IDLE_DOME] if is_early and bonus == 0.0 else bonus
    return value
