"""Where Santorini's workers can move and build under each god's power, and who can't complete a turn.

Only what can be completed is offered. Nearly always that takes no looking ahead, as the cell that a worker
has just left can be built on: Apollo, who leaves somebody there, and Hermes, who may stay, are the exceptions.
"""

from __future__ import annotations

import numpy as np

from game.bits import lowest
from game.kernel import inlined, subroutine
from game.santorini_board import (
    BOARD,
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
    side_of,
    workers_of,
)
from game.santorini_gods import APOLLO, HEPHAESTUS, HERMES, MINOTAUR, PAN


def _beyond(origin: int, target: int) -> int:
    (row, column), (target_row, target_column) = divmod(origin, SIZE), divmod(target, SIZE)
    row, column = 2 * target_row - row, 2 * target_column - column
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else -1


BEYOND = np.array([[_beyond(origin, target) for target in range(CELLS)] for origin in range(CELLS)], np.int64)
"""The cell that one comes to going straight on from the first cell over the second, or -1 off the board."""

WALK_FURTHER = 1 << APOLLO | 1 << MINOTAUR | 1 << HERMES
"""The gods who reach with their first move what others don't, as bits by their numbers."""
NOT_FIRST_COLUMN = sum(((1 << SIZE) - 2) << (SIZE * row) for row in range(SIZE))
NOT_LAST_COLUMN = NOT_FIRST_COLUMN >> 1


# -------------------------------------------------------------------------------------------- moving


@subroutine
def is_bound(state: State, seat: int) -> bool:
    """Whether an opponent's Athena keeps *seat* from moving up."""
    return state.climbed != 0 and has_rival_in(state, seat, state.climbed)


@subroutine
def has_rival_in(state: State, seat: int, seats: int) -> bool:
    """Whether an opponent of *seat* is among *seats*, one bit a seat."""
    for other in range(state.seats):
        if seats >> other & 1 and side_of(state, other) != side_of(state, seat):
            return True
    return False


@subroutine
def too_high(state: State, cell: int, may_climb: bool) -> int:
    """The cells that are too high for a worker on *cell*, domes too: it can climb one level, or none."""
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
    """The cells that a worker on *cell* can walk to without ever going up or down."""
    height_1, height_2, height_3 = state.level_1 >> cell & 1, state.level_2 >> cell & 1, state.level_3 >> cell & 1
    level = state.level_1 if height_1 else ~state.level_1
    level &= state.level_2 if height_2 else ~state.level_2
    level &= state.level_3 if height_3 else ~state.level_3
    free = level & BOARD & ~(state.domes | all_workers(state))
    region = 1 << cell
    grown = 0
    while region != grown:
        grown = region
        wide = grown | (grown << 1 & NOT_FIRST_COLUMN) | (grown >> 1 & NOT_LAST_COLUMN)
        region = grown | ((wide | wide << SIZE | wide >> SIZE) & free)
    return region & free


@subroutine
def pushes(state: State, cell: int, targets: int) -> int:
    """Those of *targets*, cells with workers next to *cell*, whose worker can be forced straight on."""
    found = 0
    blocked = all_workers(state) | state.domes
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        beyond = int(BEYOND[cell, target])
        if beyond >= 0 and not blocked >> beyond & 1:
            found |= 1 << target
    return found


@subroutine
def swaps(state: State, seat: int, cell: int, targets: int) -> int:
    """Those of *targets*, cells with workers next to *cell*, where Apollo wins or can build after changing places."""
    found = 0
    blocked = all_workers(state) | state.domes
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        if int(NEIGHBOURS[target]) & ~blocked or wins_by(state, seat, cell, target):
            found |= 1 << target
    return found


@inlined
def destinations(state: State, seat: int, cell: int) -> int:
    """The cells to which *seat* can begin a turn by moving its worker on *cell*, as a bitboard."""
    occupied = all_workers(state)
    in_reach = int(NEIGHBOURS[cell]) & ~too_high(state, cell, not is_bound(state, seat))
    targets = in_reach & ~occupied
    god = god_of(state, seat)
    if WALK_FURTHER >> god & 1:
        return targets | further_destinations(state, seat, cell, in_reach & occupied)
    return targets


@subroutine
def further_destinations(state: State, seat: int, cell: int, taken: int) -> int:
    """What Apollo, Minotaur and Hermes can reach besides, where cells with workers next to *cell* are *taken*."""
    god = god_of(state, seat)
    if god == HERMES:
        return level_region(state, cell)
    rivals = taken & ~workers_of(state, seat)
    return pushes(state, cell, rivals) if god == MINOTAUR else swaps(state, seat, cell, rivals)


@subroutine
def next_destinations(state: State, cell: int) -> int:
    """Where the worker on *cell* can go with a move that is not the first step of the turn."""
    if state.phase == MOVING_AGAIN and god_of(state, state.seat) == HERMES:
        return level_region(state, cell)
    is_second = state.phase == MOVING_AGAIN  # Artemis'; Prometheus, who has built, may not move up
    high = too_high(state, cell, is_second and not is_bound(state, state.seat))
    return int(NEIGHBOURS[cell]) & ~(high | all_workers(state) | state.marked)


# ------------------------------------------------------------------------------------------ building


@subroutine
def building_sites(state: State) -> int:
    """The cells on which the active workers can build for the first time in this turn, as a bitboard."""
    return cells_around(state.active) & ~(all_workers(state) | state.domes)


@subroutine
def next_sites(state: State) -> int:
    """The cells on which the active worker can build once more: the one just built on, or all others."""
    marked = state.marked
    return building_sites(state) & (marked if god_of(state, state.seat) == HEPHAESTUS else ~marked)


@subroutine
def early_sites(state: State, cell: int) -> int:
    """The cells on which Prometheus' worker on *cell* can build before it moves, as it then still can move."""
    free = int(NEIGHBOURS[cell]) & ~(all_workers(state) | state.domes)
    level = free & ~too_high(state, cell, False)
    if level == 0:
        return 0
    is_only = level & (level - 1) == 0
    if is_only and height(state, lowest(level)) >= height(state, cell):
        return free & ~level  # a block there would raise the one cell that it can move to above it
    return free


# ----------------------------------------------------------------------------------------- the turns


@inlined
def can_complete_turn(state: State) -> bool:
    """Whether the seat whose turn begins has one that can be completed."""
    workers = workers_of(state, state.seat)
    while workers:
        if destinations(state, state.seat, lowest(workers)):
            return True
        workers &= workers - 1
    return can_stay(state)


@subroutine
def can_stay(state: State) -> bool:
    """Whether nobody need move: Hermes' workers can build from where they are."""
    if god_of(state, state.seat) != HERMES:
        return False
    return cells_around(workers_of(state, state.seat)) & ~(all_workers(state) | state.domes) != 0


@subroutine
def count_of_seats_left(state: State) -> int:
    """How many seats are not out."""
    left = 0
    for seat in range(state.seats):
        left += 1 - (state.out >> seat & 1)
    return left


@subroutine
def passed_on(state: State) -> State:
    """*state*, whose seat can't complete a turn, when the next one is about to move, or the game is over.

    The seat is out of the game: its workers are gone, its towers stay. Where only one side is left with that, the game
    is over instead, and the workers stay to be seen.
    """
    seat, phase, out, climbed = state.seat, state.phase, state.out, state.climbed
    workers, more_workers = state.workers, state.more_workers
    if state.sides == 2 or count_of_seats_left(state) == 2:
        phase = STUCK
    else:
        own = BOARD << (CELLS * (seat & 1))
        workers, more_workers = (workers & ~own, more_workers) if seat < 2 else (workers, more_workers & ~own)
        out |= 1 << seat
        seat = seat_after(state, seat)
        climbed &= ~(1 << state.seat | 1 << seat)
    levels = (state.level_1, state.level_2, state.level_3, state.domes)
    table = (climbed, out, state.seats, state.sides, state.missing)
    return State(*levels, workers, more_workers, 0, 0, seat, phase, state.gods, 0, *table)


def begin_turn(state: State) -> State:
    """*state*, whose seat is about to move, or what comes of it where that seat can't complete a turn."""
    while state.phase == MOVING and not can_complete_turn(state):
        state = passed_on(state)
    return state
