"""Santorini: a learned ``network`` for two seats, two published heuristics, and one of height, climbs and threats.

With three or four sides a seat's value is its own side's less that of the best other side.

Geissler, "A Mathematical Analysis of the Game of Santorini" (2020), section 8.2, judges a position by how high and how
central a seat's workers stand and by how near they are to the opponent's; his players are in ``geissler``. Kelvin and
Lukas, "Mean End Analysis Decision Making Model in Santorini Board Game" (undated), judge a single move or build. Both
are weights over the features below: ``evaluate`` reads the first ones, ``appraise`` the others. Features of weight 0
cost no time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import (
    STANDARD,
    Greedy,
    Level,
    OwnPlayer,
    Strength,
    Weights,
    WeightValues,
    appraise,
    best_of_all,
    evaluate,
    geissler,
    greedy_step,
)
from papan.ai.evaluation.accumulator import judged
from papan.ai.evaluation.santorini.network import (
    bundled_network,
    promise,
    promise_kept,
    tops_in_two_moves,
    viewer,
    winning_targets,
)
from papan.ai.evaluation.terms import Features, Term, named_terms
from papan.game.base.sentences import say
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.kernel.rng import RandomState, below
from papan.game.rules import mover
from papan.game.rules.santorini.board import (
    BOARD,
    BUILD,
    BUILDING,
    BUILDING_AGAIN,
    CELL_MASK,
    CELLS,
    DOME,
    DOME_HEIGHT,
    DONE,
    KIND_MASK,
    MOVE,
    MOVING,
    MOVING_AGAIN,
    NEIGHBOURS,
    ORIGIN_SHIFT,
    PICK,
    PICKING,
    PLACE,
    PLACING,
    SIZE,
    TEAMS,
    State,
    all_workers,
    god_of,
    height,
    side_of,
    workers_of,
    workers_of_side,
)
from papan.game.rules.santorini.gods import APOLLO, ARTEMIS, ATLAS, HERMES, PROMETHEUS, REPEATS
from papan.game.rules.santorini.powers import (
    building_sites,
    destinations,
    early_sites,
    is_bound,
    next_destinations,
    next_sites,
)

FEATURES = Features(
    # Of a position; each but "distance" is the own side's less its best opponent's.
    heights=geissler.TABLES["heights"],  # the sum
    centricity=geissler.TABLES["centricity"],  # 2 in the centre, 1 on the ring around it
    distance=geissler.TABLES["distance"],  # for each, 4 less the king's moves to the nearest own worker
    centre=geissler.TABLES["centre"],  # beyond "centricity"
    adjacent=geissler.TABLES["adjacent"],  # beyond "distance"
    two_away=geissler.TABLES["two_away"],  # likewise
    upper=geissler.TABLES["upper"],  # beyond "heights"
    climbs=say("cells in reach on level 2"),  # from level 1, as the rules and the god allow
    threats=say("could win in one turn"),  # if its turn began now
    wins=say("can win in this turn"),  # the same, for the seat to move
    # Of a step, by the equations of Kelvin and Lukas.
    step_value=say("height gained, or a tower the worker can use"),  # f_move of a move, f_build of a build
    apollo_swap=say("Apollo: changing places"),  # f_Apollo, instead of f_move
    atlas_dome=say("Atlas: dome next to an opponent"),  # what f_Atlas adds to f_build: opponents' workers next to it
    low_atlas_dome=say("Atlas: dome on a low tower"),  # the same, only by a builder on the ground, level 0 or 1
    idle_dome=say("dome that stops nobody"),  # below level 3, where no other feature of domes counts
    # Further ones for f_Apollo and f_Atlas, which are not in the paper.
    apollo_ground=say("Apollo: changing places on the ground"),  # beyond "apollo_swap"
    apollo_climb=say("Apollo: changing places to climb"),  # one level up, likewise
    atlas_denial=say("Atlas: dome where an opponent could climb"),  # their gain by f_move, for a builder below 2
)
HEIGHTS, CENTRICITY, DISTANCE, CENTRE, ADJACENT, TWO_AWAY, UPPER, CLIMBS, THREATS, WINS, *_OF_STEPS = FEATURES.indices
STEP_VALUE, APOLLO_SWAP, ATLAS_DOME, LOW_ATLAS_DOME, IDLE_DOME, APOLLO_GROUND, APOLLO_CLIMB, ATLAS_DENIAL = _OF_STEPS
TERMS = FEATURES.titles


_NEVER = -1000.0  # outweighs what any build is worth

BY_HAND = len(FEATURES)
"""The number of features; the network's weights follow, if any."""
TENTH = 0.1
"""The unit of the features' weights before a network's, which are whole numbers."""
CLASSICAL = "classical"
"""The name of the weights that were set by hand, before a network learned some."""
_BY_HAND = FEATURES.weights(heights=2.0, centricity=1.2, upper=3.0, climbs=3.5, threats=14.0, wins=1000.0)


def standard_weights() -> WeightValues:
    """The hand-set weights in tenths, then the learned network; or the hand-set ones alone."""
    learned = bundled_network()
    if learned is None:
        return _BY_HAND
    weights = np.concatenate([np.round(np.array(_BY_HAND) / TENTH).astype(np.int16), learned])
    weights.flags.writeable = False
    return weights


WEIGHTS: Mapping[str, WeightValues] = {
    STANDARD: standard_weights(),
    CLASSICAL: _BY_HAND,
    **geissler.weights(FEATURES),
    "norm": FEATURES.weights(step_value=1.0, idle_dome=_NEVER),
    "god": FEATURES.weights(step_value=1.0, apollo_swap=1.0, atlas_dome=20.0, idle_dome=_NEVER),
    "god-low-domes": FEATURES.weights(step_value=1.0, apollo_swap=1.0, low_atlas_dome=20.0, idle_dome=_NEVER),
    "god-tuned": FEATURES.weights(
        step_value=1.0, apollo_swap=0.75, apollo_ground=0.5, apollo_climb=4.0, atlas_denial=1.0, idle_dome=_NEVER
    ),
    "random-no-domes": FEATURES.weights(idle_dome=_NEVER),
}
"""``norm``, ``god`` and ``random-no-domes`` are the players of Kelvin and Lukas's Table 2. By their figures, though not
by their text, these build a dome below level 3 only where f_Atlas rates it above a block: ``random`` and ``norm``
never do. ``god-low-domes`` is a guess: the reading of f_Atlas that comes nearest to their figures. ``god-tuned`` is
ours: ``papan reproduce santorini-god-tuning`` found it.
"""
SCALE = 11.5
THRESHOLD = SCALE
LEVELS = {"easy": Level(1, "heights"), "medium": Level(3, CLASSICAL), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 10.0, blindness=0.34, weights=CLASSICAL),
    "easy",
    Strength(2, 0.47, weights=CLASSICAL),
    Strength(2, 0.2, weights=CLASSICAL),
    Strength(3, 0.3, weights=CLASSICAL),
    "medium",
    Strength(4, weights=CLASSICAL),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {
    **geissler.PLAYERS,
    "norm": Greedy("norm"),
    "god": Greedy("god"),
    "god-tuned": Greedy("god-tuned"),
}


def terms(state: State, weights: WeightValues) -> Sequence[Term]:
    """The terms of *weights*: all that rate steps, if one weighs; else those with a weight and, if alone,
    Geissler's. () for a network's.
    """
    if len(weights) > BY_HAND:
        return ()
    also = FEATURES[STEP_VALUE:] if any(weights[index] for index in _OF_STEPS) else geissler.also(FEATURES, weights)
    return named_terms(FEATURES, TERMS, weights, also)


MIDDLE = 1 << (CELLS // 2)
RING_AND_MIDDLE = int(NEIGHBOURS[CELLS // 2]) | MIDDLE
FARTHEST = SIZE - 1  # king's moves between two workers, at most
LOST = -10_000.0  # the value of a seat that is out
KING_MOVES = np.array(
    [[max(abs(a % SIZE - b % SIZE), abs(a // SIZE - b // SIZE)) for b in range(CELLS)] for a in range(CELLS)], np.int64
)

# By the height of the cell moved to: f_move and f_Apollo of Kelvin and Lukas.
F_MOVE = np.array([1.0, 2.0, 5.0, 100.0])
F_APOLLO = np.array([1.0, 5.0, 10.0, 100.0])
# By the height that both the builder and the cell have: the first sum of f_build.
F_BUILD = np.array([1.0, 2.0, 5.0, 0.0])
F_BUILD_BLOCK = 10.0  # the second sum: for each opponent's worker next to a tower of level 3 that is closed


# ----------------------------------------------------------------------------------------- positions


@subroutine
def heights_of(state: State, workers: int) -> int:
    """The sum of the workers' heights: Geissler's figure 8.1."""
    return popcount(workers & state.level_1) + popcount(workers & state.level_2) + popcount(workers & state.level_3)


@subroutine
def centricity_of(workers: int) -> int:
    """The sum of the workers' places: Geissler's figure 8.2."""
    return popcount(workers & RING_AND_MIDDLE) + popcount(workers & MIDDLE)


@subroutine
def closeness(own: int, theirs: int, weights: Weights) -> float:
    """How near *own* are to *theirs*: Geissler's figure 8.3 with its table of points; 0 until both have workers."""
    near: float = 0.0
    if own == 0 or theirs == 0:
        return near
    while theirs:
        goal = lowest(theirs)
        theirs &= theirs - 1
        nearest = FARTHEST
        others = own
        while others:
            nearest = min(nearest, int(KING_MOVES[goal, lowest(others)]))
            others &= others - 1
        near += weights[DISTANCE] * (FARTHEST - nearest)
        if nearest == 1:
            near += weights[ADJACENT]
        elif nearest == 2:
            near += weights[TWO_AWAY]
    return near


@subroutine
def outlook(state: State, seat: int, weights: Weights) -> float:
    """The weighted ``climbs``, ``threats`` and ``wins`` of *seat*, were it to move now."""
    god = god_of(state, seat)
    workers = workers_of(state, seat) & state.level_1  # nothing that counts can be reached from the ground
    climbs = 0
    tops = 0
    while workers:
        cell = lowest(workers)
        workers &= workers - 1
        targets = destinations(state, seat, cell)
        if state.level_2 >> cell & 1:
            tops |= winning_targets(state, god, cell, targets)
        else:
            climbs += popcount(targets & state.level_2)
        if god == ARTEMIS and not is_bound(state, seat):
            tops |= tops_in_two_moves(state, targets)
    value: float = weights[CLIMBS] * climbs
    if tops:
        value += weights[THREATS]
        if seat == mover(state):
            value += weights[WINS]
    return value


@subroutine
def prospects(state: State, side: int, weights: Weights) -> float:
    """All features of one side but its distance; a team has its better seat's outlook."""
    own = workers_of_side(state, side)
    value: float = 0.0
    if weights[HEIGHTS] != 0.0:
        value += weights[HEIGHTS] * heights_of(state, own)
    if weights[CENTRICITY] != 0.0:
        value += weights[CENTRICITY] * centricity_of(own)
    if weights[CENTRE] != 0.0:
        value += weights[CENTRE] * popcount(own & MIDDLE)
    if weights[UPPER] != 0.0:
        value += weights[UPPER] * popcount(own & state.level_2)
    if weights[CLIMBS] != 0.0 or weights[THREATS] != 0.0 or weights[WINS] != 0.0:
        best: float = outlook(state, side, weights)
        if state.sides < state.seats:
            best = max(best, outlook(state, side + state.sides, weights))
        value += best
    return value


@subroutine
def is_for_network(state: State, weights: Weights) -> bool:
    """Whether the network in *weights*, if any, judges *state*: a game of two seats whose workers are placed."""
    return len(weights) > BY_HAND and state.seats == TEAMS and state.phase >= MOVING


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    if is_for_network(state, weights):
        promised = SCALE * promise(state, weights, BY_HAND)
        return promised if seat == viewer(state) else -promised
    return by_hand(state, seat, weights)


@judged.of(State)
def _judged(state: State, seat: int, weights: Weights, kept: Any) -> float:
    if is_for_network(state, weights):
        promised = SCALE * promise_kept(state, weights, BY_HAND, kept)
        return promised if seat == viewer(state) else -promised
    return by_hand(state, seat, weights)


@subroutine
def by_hand(state: State, seat: int, weights: Weights) -> float:
    """The sum of the features; their weights are tenths if a network follows them."""
    if state.out >> seat & 1:
        return LOST
    side = side_of(state, seat)
    strongest = LOST
    for other in range(state.sides):
        if other != side and not state.out >> other & 1:
            strongest = max(strongest, prospects(state, other, weights))
    value: float = prospects(state, side, weights) - strongest
    if weights[DISTANCE] != 0.0 or weights[ADJACENT] != 0.0 or weights[TWO_AWAY] != 0.0:
        own = workers_of(state, seat)
        value += closeness(own, all_workers(state) & ~own, weights)
    return value * TENTH if len(weights) > BY_HAND else value


# --------------------------------------------------------------------------------------------- steps


@subroutine
def f_build(state: State, builders: int, cell: int, opponents: int) -> float:
    """Kelvin and Lukas's f_build for *builders* building on *cell*, with *opponents* workers next to it."""
    level = height(state, cell)
    if level == DOME_HEIGHT - 1:
        return F_BUILD_BLOCK * opponents
    while builders:
        if height(state, lowest(builders)) == level:
            return float(F_BUILD[level])
        builders &= builders - 1
    return 0.0


@subroutine
def denial(state: State, cell: int) -> float:
    """The loss of opponents by a dome on *cell*, below level 3: f_move of each that could climb there, less 1."""
    level = height(state, cell)
    able = int(NEIGHBOURS[cell]) & all_workers(state) & ~workers_of(state, state.seat)
    if level == 2:
        able &= state.level_1
    return float(popcount(able) * (F_MOVE[level] - F_MOVE[0]))


@appraise.of(State)
def _appraise(state: State, step: int, weights: Weights) -> float:
    kind = step & KIND_MASK
    cell = step & CELL_MASK
    if kind == MOVE:
        level = height(state, cell)
        if weights[APOLLO_SWAP] != 0.0 and god_of(state, state.seat) == APOLLO and all_workers(state) >> cell & 1:
            swap: float = weights[APOLLO_SWAP] * F_APOLLO[level]
            if level == 0:
                swap += weights[APOLLO_GROUND]
            elif level > height(state, step >> ORIGIN_SHIFT & CELL_MASK):
                swap += weights[APOLLO_CLIMB]
            return swap
        move: float = weights[STEP_VALUE] * F_MOVE[level]
        return move
    if kind == DONE and state.phase < BUILDING and state.active:
        stay: float = weights[STEP_VALUE] * F_MOVE[height(state, lowest(state.active))]  # as if it moved to its cell
        return stay
    if kind not in (BUILD, DOME):
        return 0.0
    builders = 1 << (step >> ORIGIN_SHIFT & CELL_MASK) if state.phase == MOVING else state.active
    opponents = popcount(int(NEIGHBOURS[cell]) & all_workers(state) & ~workers_of(state, state.seat))
    value: float = weights[STEP_VALUE] * f_build(state, builders, cell, opponents)
    is_early = kind == DOME
    if is_early or (god_of(state, state.seat) == ATLAS and height(state, cell) == DOME_HEIGHT - 1):
        bonus: float = weights[ATLAS_DOME] * opponents
        if is_early and not state.level_2 >> cell & 1 and not state.level_1 & state.active:
            bonus += weights[LOW_ATLAS_DOME] * opponents
        if is_early and weights[ATLAS_DENIAL] != 0.0 and not state.level_2 & state.active:
            bonus += weights[ATLAS_DENIAL] * denial(state, cell)
        value += weights[IDLE_DOME] if is_early and bonus == 0.0 else bonus
    return value


# -------------------------------------------------------------------------------- greedy by the million
#
# Steps are rated in groups: a worker's moves to cells of one height are worth the same, and so are its builds. The best
# groups so far are kept in the buffer, each as the common part of its steps and its cells.


class Best(NamedTuple):
    """The groups of steps that are best so far."""

    worth: float
    steps: int
    """In all groups."""
    groups: int


@inlined
def or_group(best: Best, code: int, cells: int, worth: float, buffer: Any) -> Best:
    """*best*, joined with or replaced by the steps *code* to each of *cells*, if their *worth* is as high or higher."""
    if cells == 0 or worth < best.worth:
        return best
    groups, steps = (best.groups, best.steps) if worth == best.worth else (0, 0)
    buffer[2 * groups], buffer[2 * groups + 1] = code, cells
    return Best(worth, steps + popcount(cells), groups + 1)


@inlined
def at_height(state: State, level: int, cells: int) -> int:
    """Those of *cells* whose towers are *level* high: 0 to 2."""
    if level == 0:
        return cells & ~state.level_1
    return cells & state.level_1 & ~state.level_2 if level == 1 else cells & state.level_2 & ~state.level_3


@inlined
def or_moves(best: Best, state: State, code: int, cells: int, weights: Weights, buffer: Any) -> Best:
    """*best*, or moves to *cells* if they are as good or better."""
    taken = cells & all_workers(state)
    free = cells ^ taken
    for level in range(DOME_HEIGHT - 1):
        best = or_group(best, code, at_height(state, level, free), weights[STEP_VALUE] * F_MOVE[level], buffer)
    best = or_group(best, code, free & state.level_3, weights[STEP_VALUE] * F_MOVE[DOME_HEIGHT - 1], buffer)
    return or_each(best, state, code, taken, weights, buffer) if taken else best


@inlined
def or_builds(best: Best, state: State, code: int, builder: int, cells: int, weights: Weights, buffer: Any) -> Best:
    """*best*, or blocks on *cells* by the worker on the cell *builder*, if they are as good or better."""
    own_level = height(state, builder)
    for level in range(DOME_HEIGHT - 1):
        worth = weights[STEP_VALUE] * F_BUILD[level] if level == own_level else weights[STEP_VALUE] * 0.0
        best = or_group(best, code, at_height(state, level, cells), worth, buffer)
    closing = cells & state.level_3
    return or_each(best, state, code, closing, weights, buffer) if closing else best


@subroutine
def or_each(best: Best, state: State, code: int, cells: int, weights: Weights, buffer: Any) -> Best:
    """*best*, or steps to *cells*, rated one by one, if they are as good or better."""
    while cells:
        cell = lowest(cells)
        cells &= cells - 1
        best = or_group(best, code, 1 << cell, appraise(state, code | cell, weights), buffer)
    return best


@greedy_step.of(State)
def _greedy_step(state: State, weights: Weights, buffer: Any, random: RandomState) -> int:
    seat, phase, active = state.seat, state.phase, state.active
    god = god_of(state, seat)
    if god == HERMES and phase >= MOVING:  # moves and builds with both workers
        return best_of_all(state, weights, buffer, random)
    best = Best(-math.inf, 0, 0)
    if phase == MOVING and active == 0:
        workers = workers_of(state, seat)
        while workers:
            cell = lowest(workers)
            workers &= workers - 1
            first = cell << ORIGIN_SHIFT
            best = or_moves(best, state, MOVE | first, destinations(state, seat, cell), weights, buffer)
            if god == PROMETHEUS:
                best = or_builds(best, state, BUILD | first, cell, early_sites(state, cell), weights, buffer)
    elif phase == BUILDING:
        sites = building_sites(state)
        best = or_builds(best, state, BUILD, lowest(active), sites, weights, buffer)
        if god == ATLAS:
            best = or_each(best, state, DOME, sites & ~state.level_3, weights, buffer)
    elif phase == BUILDING_AGAIN:
        best = or_builds(best, state, BUILD, lowest(active), next_sites(state), weights, buffer)
        best = or_each(best, state, DONE, 1, weights, buffer)
    elif phase == PICKING:
        best = or_group(best, PICK, state.offer & ~REPEATS, 0.0, buffer)
    elif phase == PLACING:
        best = or_group(best, PLACE, BOARD & ~all_workers(state), 0.0, buffer)
    else:
        cell = lowest(active)
        best = or_moves(best, state, MOVE | cell << ORIGIN_SHIFT, next_destinations(state, cell), weights, buffer)
        if phase == MOVING_AGAIN:
            best = or_each(best, state, DONE, 1, weights, buffer)
    skip, group = below(random, best.steps), 0
    while skip >= popcount(buffer[2 * group + 1]):
        skip -= popcount(buffer[2 * group + 1])
        group += 1
    cells = int(buffer[2 * group + 1])
    for _ in range(skip):
        cells &= cells - 1
    return int(buffer[2 * group]) | lowest(cells)
