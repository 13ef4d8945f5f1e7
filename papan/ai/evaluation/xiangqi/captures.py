"""Captures in xiangqi: which there are, what each wins by exchange, and which is the best as far as is seen at once."""

from __future__ import annotations

from typing import Any

from papan.ai.evaluation import Weights, exchange, forcing
from papan.ai.evaluation.xiangqi.sides import Side
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, write_bits
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CELLS,
    CHARIOT,
    ELEPHANT,
    FILES,
    GENERAL,
    HALF,
    HORSE,
    RED,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    State,
    after_moving,
    far_kind,
    far_of,
    is_taken,
    kind_at,
    legal_reach,
    line_reach,
    near_kind,
    near_of,
    reach,
    watched_cells,
)

PRICELESS = 100.0
"""What a general is worth in an exchange."""


@subroutine
def soldier_beside(soldiers_near: int, soldiers_far: int, seat: int, target: int) -> int:
    """The cell of one of these soldiers of *seat* that could go to *target*, or -1."""
    behind = target - FILES if seat == RED else target + FILES
    if 0 <= behind < CELLS and is_taken(soldiers_near, soldiers_far, behind):
        return behind
    if (target >= HALF) == (seat == RED):
        file = target % FILES
        if file > 0 and is_taken(soldiers_near, soldiers_far, target - 1):
            return target - 1
        if file < FILES - 1 and is_taken(soldiers_near, soldiers_far, target + 1):
            return target + 1
    return -1


@subroutine
def one_that_reaches(state: State, seat: int, kind: int, target: int) -> int:
    """The cell of a piece of *kind* and *seat* from which it reaches *target*, or -1."""
    near, far = near_kind(state, kind) & near_of(state, seat), far_kind(state, kind) & far_of(state, seat)
    for half in range(2):
        pieces = near if half == 0 else far
        while pieces:
            cell = lowest(pieces) + half * HALF
            pieces &= pieces - 1
            reach_near, reach_far = reach(state, cell, kind, seat)
            if is_taken(reach_near, reach_far, target):
                return cell
    return -1


@subroutine
def one_on_lines(state: State, seat: int, kind: int, target: int) -> int:
    """As ``one_that_reaches`` for a chariot or a cannon that could take on *target*: seen from there, as lines are."""
    near, far = near_kind(state, kind) & near_of(state, seat), far_kind(state, kind) & far_of(state, seat)
    if near | far == 0:
        return -1
    seen_near, seen_far = line_reach(state.red_near | state.black_near, state.red_far | state.black_far, target, kind)
    if seen_near & near:
        return lowest(seen_near & near)
    return lowest(seen_far & far) + HALF if seen_far & far else -1


@subroutine
def cheapest_attacker(state: State, seat: int, target: int) -> int:
    """The cell of the least valuable piece of *seat* that could take on *target*, or -1; pins are not looked at."""
    near, far = near_of(state, seat), far_of(state, seat)
    found = soldier_beside(near_kind(state, SOLDIER) & near, far_kind(state, SOLDIER) & far, seat, target)
    is_home = (target < HALF) == (seat == RED)
    if found < 0 and is_home:
        found = one_that_reaches(state, seat, ADVISOR, target)
        if found < 0:
            found = one_that_reaches(state, seat, ELEPHANT, target)
    if found < 0:
        found = one_that_reaches(state, seat, HORSE, target)
    if found < 0:
        found = one_on_lines(state, seat, CANNON, target)
    if found < 0:
        found = one_on_lines(state, seat, CHARIOT, target)
    if found < 0 and is_home:
        found = one_that_reaches(state, seat, GENERAL, target)
    return found


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


@subroutine
def best_capture(state: State, seat: int, reached: Side, guarded: Side, weights: Weights) -> float:
    """What the best capture by *seat* brings: a piece, less the cheapest capturer where the piece is guarded.

    :param reached: what ``side`` says of *seat*.
    :param guarded: what it says of the other one.
    """
    near, far = near_of(state, 1 - seat) & reached[6], far_of(state, 1 - seat) & reached[7]
    best = 0.0
    for kind in range(ADVISOR, SOLDIER + 1):
        worth = weights[kind]
        if worth > best:
            for half in range(2):
                pieces = near_kind(state, kind) & near if half == 0 else far_kind(state, kind) & far
                while pieces:
                    cell = lowest(pieces) + half * HALF
                    pieces &= pieces - 1
                    gain = worth
                    if is_taken(guarded[6], guarded[7], cell):
                        if is_taken(reached[2], reached[3], cell):
                            gain -= weights[SOLDIER]
                        elif is_taken(reached[4], reached[5], cell):
                            gain -= weights[HORSE]
                        else:
                            gain -= weights[CHARIOT]
                    best = max(best, gain)
    return best
