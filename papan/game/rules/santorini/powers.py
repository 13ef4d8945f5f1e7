"""Santorini's moves and builds under each god's power, and seats that can't complete a turn.

Only turns that can be completed are offered. Nearly always that needs no look-ahead, as a worker can build on the cell
that it has just left: Apollo, who leaves another worker there, and Hermes, who may stay, are the exceptions. If
``State.may_strand`` is set, Apollo is offered every swap, and is stuck after one that leaves no cell to build on.
"""

from __future__ import annotations

import numpy as np

from papan.game.kernel import inlined, subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.santorini.board import (
    BOARD,
    BUILDING,
    CELLS,
    MOVING,
    MOVING_AGAIN,
    NEIGHBOURS,
    SIZE,
    STUCK,
    State,
    all_workers,
    cells_around,
    god_of,
    height,
    seat_after,
    workers_of,
)
from papan.game.rules.santorini.gods import APOLLO, HEPHAESTUS, HERMES, MINOTAUR, PAN


def _beyond(origin: int, target: int) -> int:
    (row, column), (target_row, target_column) = divmod(origin, SIZE), divmod(target, SIZE)
    row, column = 2 * target_row - row, 2 * target_column - column
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else -1


BEYOND = np.array([[_beyond(origin, target) for target in range(CELLS)] for origin in range(CELLS)], np.int64)
"""The next cell straight on from the first cell over the second, or -1 off the board."""

FIRST_TEAM = 0b101
"""One bit for each seat of the first seat's team."""
WALK_FURTHER = 1 << APOLLO | 1 << MINOTAUR | 1 << HERMES
"""The gods with further targets of a first move, as bits by their numbers."""
NOT_FIRST_COLUMN = sum(((1 << SIZE) - 2) << (SIZE * row) for row in range(SIZE))
NOT_LAST_COLUMN = NOT_FIRST_COLUMN >> 1


# -------------------------------------------------------------------------------------------- moving


@subroutine
def is_bound(state: State, seat: int) -> bool:
    """Whether an opponent's Athena keeps *seat* from moving up."""
    allies = FIRST_TEAM << (seat & 1) if state.sides < state.seats else 1 << seat
    return state.climbed & ~allies != 0


@subroutine
def too_high(state: State, cell: int, may_climb: bool) -> int:
    """The cells too high for a worker on *cell*, including domes: it can climb one level, or none."""
    if state.level_2 >> cell & 1:
        return state.domes if may_climb or state.level_3 >> cell & 1 else state.level_3
    if state.level_1 >> cell & 1:
        return state.level_3 if may_climb else state.level_2
    return state.level_2 if may_climb else state.level_1


@subroutine
def wins_by(state: State, seat: int, origin: int, target: int) -> bool:
    """Whether the move of *seat* from *origin* to *target* wins: up onto level 3, or for Pan two levels down."""
    if state.level_3 >> target & ~(state.level_3 >> origin) & 1:
        return True
    return god_of(state, seat) == PAN and height(state, origin) >= height(state, target) + 2


@subroutine
def level_region(state: State, cell: int) -> int:
    """The cells that a worker on *cell* can reach without going up or down."""
    other_height = state.level_1 ^ -(state.level_1 >> cell & 1)
    other_height |= state.level_2 ^ -(state.level_2 >> cell & 1)
    other_height |= state.level_3 ^ -(state.level_3 >> cell & 1)
    free = BOARD & ~(other_height | state.domes | all_workers(state))
    region = grown = 1 << cell
    while grown:
        wide = region | (region << 1 & NOT_FIRST_COLUMN) | (region >> 1 & NOT_LAST_COLUMN)
        grown = (wide | wide << SIZE | wide >> SIZE) & free & ~region
        region |= grown
    return region & free


@subroutine
def displaceable(state: State, seat: int, cell: int, targets: int) -> int:
    """The *targets*, cells with workers next to *cell*, whose worker can make room for one on *cell*.

    For Minotaur the cell straight on must be free. For Apollo the way back always is, but he must then have a cell to
    build on, or win, or be allowed to strand.
    """
    found = 0
    blocked = all_workers(state) | state.domes
    is_pushing = god_of(state, seat) == MINOTAUR
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        room = int(BEYOND[cell, target])
        can_push = room >= 0 and not blocked >> room & 1
        can_build = state.may_strand != 0 or int(NEIGHBOURS[target]) & ~blocked != 0
        if can_push if is_pushing else can_build or wins_by(state, seat, cell, target):
            found |= 1 << target
    return found


@inlined
def destinations(state: State, seat: int, cell: int) -> int:
    """Bitboard of the targets of *seat*'s worker on *cell* for the first move of a turn."""
    occupied = all_workers(state)
    in_reach = int(NEIGHBOURS[cell]) & ~too_high(state, cell, not is_bound(state, seat))
    targets = in_reach & ~occupied
    god = god_of(state, seat)
    if WALK_FURTHER >> god & 1:
        return targets | further_destinations(state, seat, cell, in_reach & occupied)
    return targets


@subroutine
def further_destinations(state: State, seat: int, cell: int, taken: int) -> int:
    """Bitboard of further targets of Apollo, Minotaur and Hermes; cells with workers next to *cell* are *taken*."""
    if god_of(state, seat) == HERMES:
        return level_region(state, cell)
    return displaceable(state, seat, cell, taken & ~workers_of(state, seat))


@subroutine
def next_destinations(state: State, cell: int) -> int:
    """Bitboard of the targets of the worker on *cell* after the first step of a turn."""
    if state.phase == MOVING_AGAIN and god_of(state, state.seat) == HERMES:
        return level_region(state, cell)
    is_second = state.phase == MOVING_AGAIN  # Artemis'; Prometheus, who has built, may not move up
    high = too_high(state, cell, is_second and not is_bound(state, state.seat))
    return int(NEIGHBOURS[cell]) & ~(high | all_workers(state) | state.marked)


# ------------------------------------------------------------------------------------------ building


@subroutine
def building_sites(state: State) -> int:
    """Bitboard of the cells where the active workers can build first in this turn."""
    return cells_around(state.active) & ~(all_workers(state) | state.domes)


@subroutine
def next_sites(state: State) -> int:
    """Bitboard of the cells where the active worker can build again: the last one, or all others."""
    marked = state.marked
    return building_sites(state) & (marked if god_of(state, state.seat) == HEPHAESTUS else ~marked)


@subroutine
def early_sites(state: State, cell: int) -> int:
    """Bitboard of the cells where Prometheus' worker on *cell* can build first and then still move."""
    free = int(NEIGHBOURS[cell]) & ~(all_workers(state) | state.domes)
    level = free & ~too_high(state, cell, False)
    if level == 0:
        return 0
    is_only = level & (level - 1) == 0
    if is_only and height(state, lowest(level)) >= height(state, cell):
        return free & ~level  # a block there would raise the only cell that it can move to
    return free


# ----------------------------------------------------------------------------------------- the turns


@inlined
def can_complete_turn(state: State) -> bool:
    """Whether the seat that begins its turn can complete one."""
    workers = workers_of(state, state.seat)
    while workers:
        if destinations(state, state.seat, lowest(workers)):
            return True
        workers &= workers - 1
    return can_stay(state)


@subroutine
def can_stay(state: State) -> bool:
    """Whether a move is optional: Hermes' workers can build from where they are."""
    if god_of(state, state.seat) != HERMES:
        return False
    return cells_around(workers_of(state, state.seat)) & ~(all_workers(state) | state.domes) != 0


@subroutine
def is_stranded(state: State) -> bool:
    """Whether Apollo has moved, without winning, to a cell where he can't build."""
    return state.phase == BUILDING and building_sites(state) == 0


@subroutine
def after_passing_on(state: State) -> State:
    """*state*, whose seat can't complete a turn, with the next seat about to move, or over.

    The seat is out of the game: its workers are removed, its towers stay. If only one side is left then, the game is
    over instead, and the workers stay visible.
    """
    seat, phase, out, climbed = state.seat, state.phase, state.out, state.climbed
    workers, more_workers = state.workers, state.more_workers
    if popcount(state.out) == state.sides - 2:  # two are left
        phase = STUCK
    else:
        own = BOARD << (CELLS * (seat & 1))
        workers, more_workers = (workers & ~own, more_workers) if seat < 2 else (workers, more_workers & ~own)
        out |= 1 << seat
        seat = seat_after(state, seat)
        climbed &= ~(1 << state.seat | 1 << seat)
    return state._replace(
        workers=workers, more_workers=more_workers, active=0, marked=0, seat=seat, phase=phase, climbed=climbed, out=out
    )


def begin_turn(state: State) -> State:
    """*state*, whose seat is about to move, or its successor if that seat can't complete a turn."""
    while state.phase == MOVING and not can_complete_turn(state):
        state = after_passing_on(state)
    return state
