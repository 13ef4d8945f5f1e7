"""Xiangqi: pieces and where they stand, freedom, the guard of the general, and what is about to be captured.

The values of pieces are the usual ones, a soldier at home being 1; the values of cells are our own, made of
a few sentences below. A search ends in positions where something hangs, so the best capture is foreseen: the
whole piece where it is not guarded, the difference where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from papan.ai.evaluation import (
    STANDARD,
    Level,
    OwnPlayer,
    Strength,
    Weights,
    can_pass,
    evaluate,
    exchange,
    forcing,
    is_quiet,
    passed,
    standing,
)
from papan.ai.evaluation.features import Features
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, popcount, write_bits
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    GENERAL,
    HORSE,
    KINDS,
    MOST_QUIET,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    State,
    after_moving,
    far_kind,
    far_of,
    file_bits,
    general_cell,
    in_check,
    is_taken,
    kind_at,
    legal_reach,
    near_kind,
    near_of,
    reach,
    watched_cells,
)
from papan.game.rules.xiangqi.tables import CELLS, FILES, HALF, LINE_BITS, LINE_SEEN, RANKS, RED, in_palace

FEATURES = Features(
    "to_move",
    "places",  # what the cells are worth on which the pieces stand
    "advisor",  # what pieces are worth, in the order of their kinds
    "elephant",
    "horse",
    "chariot",
    "cannon",
    "soldier",
    "horse_freedom",  # cells that a horse can go to
    "chariot_freedom",
    "cannon_freedom",
    "bare",  # advisors and elephants that are missing, times what the opponent has to attack with
    "open_cannon",  # an opponent's cannon on the general's file with nothing between
    "palace",  # cells of the palace that the opponent's pieces reach
    "capture",  # the best capture of the seat to move
    "threat",  # the best capture of the other one, which can still be answered
)
TO_MOVE, PLACES, *_PIECES, FREEDOM, _, _, BARE, OPEN_CANNON, PALACE, CAPTURE, THREAT = FEATURES.indices
"""A piece's worth stands at the number of its kind; from FREEDOM on, that of a horse, a chariot and a cannon."""

WEIGHTS = {
    STANDARD: FEATURES.weights(
        to_move=0.15,
        places=1.0,
        advisor=2.0,
        elephant=2.0,
        horse=4.2,
        chariot=9.0,
        cannon=4.6,
        soldier=1.0,
        horse_freedom=0.09,
        chariot_freedom=0.04,
        cannon_freedom=0.02,
        bare=0.05,
        open_cannon=0.7,
        palace=0.08,
        capture=0.75,
        threat=0.1,
    ),
    "pieces": FEATURES.weights(places=0.3, advisor=2.0, elephant=2.0, horse=4.2, chariot=9.0, cannon=4.6, soldier=1.0),
}
SCALE = 7.5
THRESHOLD = SCALE
MARGIN = 1.5
LEVELS = {"easy": Level(1, "pieces"), "medium": Level(3), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 1.0, blindness=0.78, weights="pieces"),
    Strength(1, 1.0, blindness=0.4, weights="pieces"),
    Strength(2, 1.0, blindness=0.5),
    Strength(2, 1.0, blindness=0.27),
    Strength(2, 0.58),
    Strength(2, 0.25),
    "medium",
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {}

PALACES_NEAR = sum(1 << cell for cell in range(HALF) if in_palace(0, cell))
PALACES_FAR = sum(1 << (cell - HALF) for cell in range(HALF, CELLS) if in_palace(1, cell))


def _cell_value(kind: int, rank: int, file: int) -> float:
    """What it is worth to have a piece of *kind* on a cell; ranks are counted from its own side."""
    centre = 4 - abs(file - 4)
    worth = 0.0
    if kind == GENERAL:
        worth = -0.35 * rank
    elif kind == ADVISOR:
        worth = 0.1 if rank == 1 else -0.15 if rank == 2 else 0.0
    elif kind == ELEPHANT:
        worth = 0.2 if (rank, file) == (2, 4) else -0.15 if file in (0, 8) else 0.0
    elif kind == HORSE:
        worth = 0.08 * centre + 0.12 * min(rank, 6)  # forward, and never at the edge
        worth -= 0.3 * (rank == RANKS - 1) + 0.8 * ((rank, file) == (1, 4))  # the palace's heart is for advisors
    elif kind == CHARIOT:
        worth = 0.04 * centre + (0.35 if rank >= RANKS // 2 else 0.2 if rank in (1, 3, 4) else 0.0)
    elif kind == CANNON:
        worth = (0.45 if file == 4 else 0.04 * centre) + (0.25 if rank in (2, RANKS - 1) else 0.0)
    elif rank >= RANKS // 2:  # a soldier beyond the river is worth two, most of all beside the palace
        worth = 0.9 + 0.12 * centre + (0.25 if 6 <= rank <= 8 else 0.0) - 0.9 * (rank == RANKS - 1)
    else:
        worth = 0.15 * (rank == RANKS // 2 - 1) + (0.1 if file in (2, 6) else 0.0)
    return worth


CELL_VALUE = np.array(
    [_cell_value(kind, *divmod(cell, FILES)) for kind in (0, *KINDS) for cell in range(CELLS)], np.float64
)
ATTACKING = np.array((0, 0, 0, 0, 2, 3, 2, 1), np.int64)
"""How dangerous a piece of each kind is to a bare general."""


@subroutine
def side(state: State, seat: int, weights: Weights) -> tuple[float, int, int, int, int, int, int]:
    """What the pieces of *seat* are worth by themselves, and the cells they reach, each set in two halves.

    These are the cells of soldiers, advisors and elephants; of these, horses and cannons; of all.
    """
    own_near, own_far = near_of(state, seat), far_of(state, seat)
    value = 0.0
    soft_near, soft_far, light_near, light_far, all_near, all_far = 0, 0, 0, 0, 0, 0
    for kind in range(GENERAL, SOLDIER + 1):
        worth = 0.0 if kind == GENERAL else float(weights[kind])
        freedom = float(weights[FREEDOM + kind - HORSE]) if HORSE <= kind <= CANNON else 0.0
        is_soft = kind in (SOLDIER, ADVISOR, ELEPHANT)
        is_light = is_soft or kind in (HORSE, CANNON)
        for half in range(2):
            pieces = near_kind(state, kind) & own_near if half == 0 else far_kind(state, kind) & own_far
            while pieces:
                cell = lowest(pieces) + half * HALF
                pieces &= pieces - 1
                value += worth + weights[PLACES] * float(
                    CELL_VALUE[kind * CELLS + (cell if seat == RED else CELLS - 1 - cell)]
                )
                near, far = reach(state, cell, kind, seat)
                if freedom != 0.0:
                    value += freedom * (popcount(near & ~own_near) + popcount(far & ~own_far))
                all_near |= near
                all_far |= far
                if is_light:
                    light_near |= near
                    light_far |= far
                if is_soft:
                    soft_near |= near
                    soft_far |= far
    return value, soft_near, soft_far, light_near, light_far, all_near, all_far


@subroutine
def best_capture(
    state: State,
    seat: int,
    reached: tuple[float, int, int, int, int, int, int],
    guarded: tuple[float, int, int, int, int, int, int],
    weights: Weights,
) -> float:
    """What the best capture by *seat* brings: a piece, less the cheapest capturer where the piece is guarded.

    :param reached: what ``side`` says of *seat*.
    :param guarded: what it says of the other one.
    """
    near, far = near_of(state, 1 - seat) & reached[5], far_of(state, 1 - seat) & reached[6]
    best = 0.0
    for kind in range(ADVISOR, SOLDIER + 1):
        worth = float(weights[kind])
        if worth > best:
            for half in range(2):
                pieces = near_kind(state, kind) & near if half == 0 else far_kind(state, kind) & far
                while pieces:
                    place = lowest(pieces)
                    pieces &= pieces - 1
                    cell = place + half * HALF
                    gain = worth
                    if is_taken(guarded[5], guarded[6], cell):
                        if is_taken(reached[1], reached[2], cell):
                            gain -= weights[SOLDIER]
                        elif is_taken(reached[3], reached[4], cell):
                            gain -= weights[HORSE]
                        else:
                            gain -= weights[CHARIOT]
                    best = max(best, gain)
    return best


@subroutine
def number_of(state: State, seat: int, kind: int) -> int:
    """How many pieces of *kind* the seat has."""
    return popcount(near_kind(state, kind) & near_of(state, seat)) + popcount(
        far_kind(state, kind) & far_of(state, seat)
    )


@subroutine
def danger(state: State, seat: int, reached_near: int, reached_far: int, weights: Weights) -> float:
    """How unsafe the general of *seat* is, whose opponent reaches these cells."""
    missing = 4 - number_of(state, seat, ADVISOR) - number_of(state, seat, ELEPHANT)
    attackers = 0
    for kind in range(HORSE, SOLDIER + 1):
        attackers += int(ATTACKING[kind]) * number_of(state, 1 - seat, kind)
    cell = general_cell(state, seat)
    rank, file = cell // FILES, cell % FILES
    pieces = file_bits(state.red_near | state.black_near, state.red_far | state.black_far, file)
    cannons_near = near_kind(state, CANNON) & near_of(state, 1 - seat)
    cannons_far = far_kind(state, CANNON) & far_of(state, 1 - seat)
    open_cannons = int(LINE_SEEN[rank << LINE_BITS | pieces]) & file_bits(cannons_near, cannons_far, file)
    palace = popcount(reached_near & PALACES_NEAR) if seat == RED else popcount(reached_far & PALACES_FAR)
    value: float = weights[BARE] * missing * attackers + weights[PALACE] * palace
    if open_cannons:
        value += weights[OPEN_CANNON]
    return value


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    mover, waiting = state.to_move, 1 - state.to_move
    own, theirs = side(state, mover, weights), side(state, waiting, weights)
    value: float = weights[TO_MOVE] + own[0] - theirs[0]
    if weights[BARE] != 0.0 or weights[PALACE] != 0.0 or weights[OPEN_CANNON] != 0.0:
        value -= danger(state, mover, theirs[5], theirs[6], weights)
        value += danger(state, waiting, own[5], own[6], weights)
    if weights[CAPTURE] != 0.0:
        value += weights[CAPTURE] * best_capture(state, mover, own, theirs, weights)
        value -= weights[THREAT] * best_capture(state, waiting, theirs, own, weights)
    return value if seat == mover else -value


@is_quiet.of(State)
def _is_quiet(state: State) -> bool:
    # Checks are answered before a position is judged; captures are foreseen by the evaluation.
    return not in_check(state, state.to_move)


# ----------------------------------------------------------------------------- what a search leaves out


BY_VALUE = np.array((SOLDIER, ADVISOR, ELEPHANT, HORSE, CANNON, CHARIOT, GENERAL), np.int64)
PRICELESS = 100.0
"""What a general is worth in an exchange."""


@subroutine
def cheapest_attacker(state: State, seat: int, target: int) -> int:
    """The cell of the least valuable piece of *seat* that could take on *target*, or -1; pins are not looked at."""
    own_near, own_far = near_of(state, seat), far_of(state, seat)
    for rank in range(len(BY_VALUE)):
        kind = int(BY_VALUE[rank])
        for half in range(2):
            pieces = near_kind(state, kind) & own_near if half == 0 else far_kind(state, kind) & own_far
            while pieces:
                cell = lowest(pieces) + half * HALF
                pieces &= pieces - 1
                near, far = reach(state, cell, kind, seat)
                if is_taken(near, far, target):
                    return cell
    return -1


@subroutine
def price(kind: int, weights: Weights) -> float:
    """What a piece of *kind* is worth in an exchange."""
    worth: float = PRICELESS if kind == GENERAL else float(weights[kind])
    return worth


@exchange.of(State)
def _exchange(state: State, step: int, weights: Weights, least: float) -> float:
    origin, target = step >> STEP_SHIFT, step & TARGET_MASK
    taken = kind_at(state, target)
    if taken == 0:
        return 0.0
    taker = kind_at(state, origin)
    won = price(taken, weights)
    if won <= least or won > price(taker, weights):
        return won - 0.01 * taker  # a bound: at worst the taker is lost, which is worth less
    # The swap algorithm, in two running bounds instead of a list: what the seat has for certain, and can hope for.
    after = after_moving(state, origin, target)
    least, most = -PRICELESS * 2.0, won
    at_stake, seat, sign = price(taker, weights), after.to_move, -1.0
    balance = won
    while True:
        cell = cheapest_attacker(after, seat, target)
        if cell < 0:
            break
        kind = kind_at(after, cell)
        if sign < 0.0:
            most = min(most, balance)  # the other side may stop here
            balance -= at_stake
            if balance >= most:
                break
        else:
            least = max(least, balance)
            balance += at_stake
            if balance <= least:
                break
        at_stake = price(kind, weights)
        after = after_moving(after, cell, target)
        seat, sign = 1 - seat, -sign
    value = max(least, min(most, balance))
    return value if value != 0.0 else 0.001


@forcing.of(State)
def _forcing(state: State, buffer: Any, base: int) -> int:
    own = near_of(state, state.to_move), far_of(state, state.to_move)
    theirs = near_of(state, 1 - state.to_move), far_of(state, 1 - state.to_move)
    looked_at = watched_cells(state, state.to_move)
    for kind in range(1, SOLDIER + 1):
        for half in range(2):
            pieces = near_kind(state, kind) & own[0] if half == 0 else far_kind(state, kind) & own[1]
            while pieces:
                cell = lowest(pieces) + half * HALF
                pieces &= pieces - 1
                near, far = reach(state, cell, kind, state.to_move)
                if near & theirs[0] | far & theirs[1]:
                    near, far = legal_reach(state, cell, kind, own, looked_at)
                    base = write_bits(near & theirs[0], cell << STEP_SHIFT, buffer, base)
                    base = write_bits(far & theirs[1], cell << STEP_SHIFT | HALF, buffer, base)
    return base


@standing.of(State)
def _standing(state: State, seat: int, weights: Weights) -> float:
    mover, waiting = state.to_move, 1 - state.to_move
    own, theirs = side(state, mover, weights), side(state, waiting, weights)
    value: float = weights[TO_MOVE] + own[0] - theirs[0]
    value -= danger(state, mover, theirs[5], theirs[6], weights)
    value += danger(state, waiting, own[5], own[6], weights)
    return value if seat == mover else -value


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
