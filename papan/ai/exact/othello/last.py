"""Othello on a nearly full board: turning discs over in few instructions, and the last four empty cells.

Discs are turned over line by line from the cell that is played on: the first cell along the line that has no disc
of the other colour is the lowest bit, or the highest, of those that are left when the discs are masked out; if an
own disc is there, all between are turned over. The score of a finished game is how many discs more the seat to move
has, where the winner gets the cells that are left empty, as in tournaments (World Othello Federation, rule 12)
and in all published end games.

All sets of cells are unsigned here: a signed one would be shifted and negated otherwise (see its rules).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.game.kernel import subroutine
from papan.game.kernel.bits import highest, lowest, popcount
from papan.game.rules.othello import BIT, CELLS, FULL, SIZE

LAST = 4
"""With at most so many empty cells a position is searched without lists and tables."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows and columns of a step to a higher cell


def _rays(sign: int) -> list[list[int]]:
    """For each cell and each of four directions: the cells from there to the edge."""
    rays: list[list[int]] = []
    for cell in range(CELLS):
        rays.append([])
        for rows, columns in DIRECTIONS:
            row, column = cell // SIZE + sign * rows, cell % SIZE + sign * columns
            bits = 0
            while 0 <= row < SIZE and 0 <= column < SIZE:
                bits |= 1 << (row * SIZE + column)
                row, column = row + sign * rows, column + sign * columns
            rays[-1].append(bits)
    return rays


UP = np.array(_rays(1), np.uint64)
DOWN = np.array(_rays(-1), np.uint64)
AROUND = np.array(
    [
        sum(
            1 << (row * SIZE + column)
            for row in range(max(cell // SIZE - 1, 0), min(cell // SIZE + 2, SIZE))
            for column in range(max(cell % SIZE - 1, 0), min(cell % SIZE + 2, SIZE))
            if row * SIZE + column != cell
        )
        for cell in range(CELLS)
    ],
    np.uint64,
)

QUARTERS = np.array([0x0F0F0F0F << shift for shift in (0, 4, 32, 36)], np.uint64)

NONE = -CELLS - 1
"""Instead of a score: there is no move. Worse than any."""


@subroutine
def discs_turned_along(mine: int, theirs: int, up: int, down: int) -> int:
    """The discs that are turned over along the rays *up* and *down* from a cell."""
    others = up & ~theirs
    first = others & -others & mine
    found = up & (first + FULL) & FULL if first != 0 else first
    others = down & ~theirs
    if others != 0:
        first = int(BIT[highest(others)]) & mine
        found |= down & -(first + first) & FULL
    return found


@subroutine
def turned_discs(cell: int, mine: int, theirs: int) -> int:
    """The discs of *theirs* that a disc on *cell* turns over: ``discs_turned_over``, quicker."""
    found = discs_turned_along(mine, theirs, int(UP[cell, 0]), int(DOWN[cell, 0]))
    found |= discs_turned_along(mine, theirs, int(UP[cell, 1]), int(DOWN[cell, 1]))
    found |= discs_turned_along(mine, theirs, int(UP[cell, 2]), int(DOWN[cell, 2]))
    found |= discs_turned_along(mine, theirs, int(UP[cell, 3]), int(DOWN[cell, 3]))
    return found


@subroutine
def final_score(mine: int, theirs: int) -> int:
    own, others = popcount(mine), popcount(theirs)
    if own > others:
        return CELLS - 2 * others
    return 2 * own - CELLS if own < others else 0


@subroutine
def last_one(mine: int, theirs: int, cell: int) -> int:
    own = popcount(mine)
    more = popcount(turned_discs(cell, mine, theirs))
    if more != 0:
        return 2 * (own + more + 1) - CELLS
    fewer = popcount(turned_discs(cell, theirs, mine))
    if fewer != 0:
        return 2 * (own - fewer) - CELLS
    return 2 * own + 2 - CELLS if 2 * own >= CELLS else 2 * own - CELLS


@subroutine
def two_left(mine: int, theirs: int, beta: int, first: int, second: int, work: Any) -> int:
    """The best score of the seat to move where two cells are empty, or the first to reach *beta*; NONE: no move."""
    best = NONE
    if int(AROUND[first]) & theirs:
        found = turned_discs(first, mine, theirs)
        if found != 0:
            work.nodes += 1
            best = -last_one(theirs & ~found, mine | found | int(BIT[first]), second)
            if best >= beta:
                return best
    if int(AROUND[second]) & theirs:
        found = turned_discs(second, mine, theirs)
        if found != 0:
            work.nodes += 1
            best = max(best, -last_one(theirs & ~found, mine | found | int(BIT[second]), first))
    return best


@subroutine
def last_two(mine: int, theirs: int, alpha: int, beta: int, first: int, second: int, work: Any) -> int:
    """The score where two cells are empty: exact if between *alpha* and *beta*, else a bound."""
    best = two_left(mine, theirs, beta, first, second, work)
    if best != NONE:
        return best
    best = two_left(theirs, mine, -alpha, first, second, work)
    return -best if best != NONE else final_score(mine, theirs)


@subroutine
def then_two(mine: int, theirs: int, alpha: int, beta: int, cell: int, first: int, second: int, work: Any) -> int:
    """The score of playing on *cell* with two more left empty; NONE where that is no move."""
    if int(AROUND[cell]) & theirs:
        found = turned_discs(cell, mine, theirs)
        if found != 0:
            work.nodes += 1
            after = mine | found | int(BIT[cell])
            return -last_two(theirs & ~found, after, -beta, -alpha, first, second, work)
    return NONE


@subroutine
def three_left(mine: int, theirs: int, alpha: int, beta: int, first: int, second: int, third: int, work: Any) -> int:
    """As ``two_left``, for three cells."""
    best = then_two(mine, theirs, alpha, beta, first, second, third, work)
    if best >= beta:
        return best
    best = max(best, then_two(mine, theirs, max(alpha, best), beta, second, first, third, work))
    if best >= beta:
        return best
    return max(best, then_two(mine, theirs, max(alpha, best), beta, third, first, second, work))


@subroutine
def last_three(mine: int, theirs: int, alpha: int, beta: int, first: int, second: int, third: int, work: Any) -> int:
    """As ``last_two``, for three cells."""
    best = three_left(mine, theirs, alpha, beta, first, second, third, work)
    if best != NONE:
        return best
    best = three_left(theirs, mine, -beta, -alpha, first, second, third, work)
    return -best if best != NONE else final_score(mine, theirs)


@subroutine
def then_three(
    mine: int, theirs: int, alpha: int, beta: int, cell: int, first: int, second: int, third: int, work: Any
) -> int:
    """As ``then_two``, for three more cells."""
    if int(AROUND[cell]) & theirs:
        found = turned_discs(cell, mine, theirs)
        if found != 0:
            work.nodes += 1
            after = mine | found | int(BIT[cell])
            return -last_three(theirs & ~found, after, -beta, -alpha, first, second, third, work)
    return NONE


@subroutine
def four_left(mine: int, theirs: int, alpha: int, beta: int, cells: tuple[int, int, int, int], work: Any) -> int:
    """As ``two_left``, for four cells."""
    first, second, third, fourth = cells
    best = then_three(mine, theirs, alpha, beta, first, second, third, fourth, work)
    if best >= beta:
        return best
    best = max(best, then_three(mine, theirs, max(alpha, best), beta, second, first, third, fourth, work))
    if best >= beta:
        return best
    best = max(best, then_three(mine, theirs, max(alpha, best), beta, third, fourth, first, second, work))
    if best >= beta:
        return best
    return max(best, then_three(mine, theirs, max(alpha, best), beta, fourth, third, first, second, work))


@subroutine
def last_four(mine: int, theirs: int, alpha: int, beta: int, cells: tuple[int, int, int, int], work: Any) -> int:
    """As ``last_two``, for four cells; those that are alone in their quarter of the board had better come first."""
    best = four_left(mine, theirs, alpha, beta, cells, work)
    if best != NONE:
        return best
    best = four_left(theirs, mine, -beta, -alpha, cells, work)
    return -best if best != NONE else final_score(mine, theirs)


@subroutine
def odd_quarters(empty: int) -> int:
    """The cells of those quarters of the board that have an odd number of *empty* cells.

    Who plays into one of these is likely to have the last word there.
    """
    found = 0
    for quarter in range(4):
        cells = int(QUARTERS[quarter])
        if popcount(empty & cells) & 1:
            found |= cells
    return found


@subroutine
def last_cells(mine: int, theirs: int, alpha: int, beta: int, work: Any) -> int:
    """The score where at most LAST cells are empty: exact if between *alpha* and *beta*, else a bound."""
    empty = ~(mine | theirs) & FULL
    odd = empty & odd_quarters(empty)
    even = empty ^ odd
    count = 0
    first, second, third, fourth = 0, 0, 0, 0
    while count < LAST and empty != 0:
        cell = lowest(odd) if odd != 0 else lowest(even)
        if odd != 0:
            odd ^= int(BIT[cell])
        else:
            even ^= int(BIT[cell])
        empty ^= int(BIT[cell])
        fourth, third, second, first = third, second, first, cell
        count += 1
    # The cells came in from the front: the one to play on first is the last.
    if count == 4:
        return last_four(mine, theirs, alpha, beta, (fourth, third, second, first), work)
    if count == 3:
        return last_three(mine, theirs, alpha, beta, third, second, first, work)
    if count == 2:
        return last_two(mine, theirs, alpha, beta, second, first, work)
    return last_one(mine, theirs, first) if count == 1 else final_score(mine, theirs)
