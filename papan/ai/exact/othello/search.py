"""Othello's end game: alpha-beta with principal variations to the last disc.

All nodes but those of the principal variation only test whether a score exceeds a bound (a *null window*) (Marsland and
Campbell, "Parallel search of strongly ordered game trees", 1982). Move ordering makes it fast: first moves that leave
the opponent the fewest answers (*fastest first*) and, where the evaluation is affordable, look good to it; near the end
those into quarters of the board with an odd number of empty cells. A table keeps a lower and an upper bound of each
position searched; discs that can't be turned over any more bound the score as well.

On a nearly full board discs are turned over line by line from the cell that is played on: the first cell along the line
that has no disc of the other colour is the lowest bit, or the highest, of those that are left when the discs are masked
out; if an own disc is there, all between are turned over. The score of a finished game is the seat to move's discs less
its opponent's. The winner gets the empty cells, as in tournaments (World Othello Federation, rule 12) and in all
published end games.

All sets of cells are unsigned here: a signed one would be shifted and negated otherwise (see its rules).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation import Weights
from papan.ai.evaluation.othello import BORDER, CORNERS, beside, pattern_value, stable
from papan.ai.search.deepening import LIVE_FIELDS, look_at_limits
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.kernel.bits import highest, lowest, popcount
from papan.game.kernel.rng import mix
from papan.game.rules.othello import BIT, CELLS, FULL, SIZE, State, playable_cells

LAST = 4
"""With at most this many empty cells a position is searched without lists and tables."""

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
"""Not a score: there is no move. Worse than any."""


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

    The seat that plays into one is likely to make the last move there.
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


SORTED = 7
"""With at least this many empty cells moves are sorted, and positions stored: below, that costs more than it saves."""

PROBED = 9
"""With at least this many empty cells all successors are looked up before one is searched."""

JUDGED = 10
"""With at least this many empty cells the evaluation rates moves too."""

DISC = 4.0
"""The weight of a disc of the evaluation in the rate of a move."""

_MOST_MOVES = 40

WORKSPACE = record_type(
    *LIVE_FIELDS,
    ("cut", np.int64),  # the best score that the table knows of the moves just rated
    ("root_empty", np.int64),  # empty cells at the root: entries with more are of no use any more
    ("step", np.int64, (CELLS, _MOST_MOVES)),  # by the number of empty cells
    ("rate", np.int64, (CELLS, _MOST_MOVES)),
)
ENTRY = record_type(
    ("mine", np.uint64),
    ("theirs", np.uint64),
    ("lower", np.int8),
    ("upper", np.int8),
    ("step", np.int8),
    ("empty", np.int8),  # 0: nothing is kept here
    ("padding", np.int32),
)


@subroutine
def as_unsigned(cells: int) -> int:
    """*cells* as the unsigned integer that holds h8 too, for the compiler."""
    return State(cells, 0, 0).mine


@subroutine
def slot(mine: int, theirs: int, size: int) -> int:
    """The slot of a position in a table of *size* entries (a power of two): this or the next."""
    return (mix(mix(mine) ^ theirs) >> 8) & (size - 2)


@subroutine
def find(mine: int, theirs: int, table: Any) -> int:
    index = slot(mine, theirs, len(table))
    for other in (index, index + 1):
        if table[other].mine == mine and table[other].theirs == theirs and table[other].empty != 0:
            return other
    return -1


@subroutine
def store(mine: int, theirs: int, empty: int, lower: int, upper: int, step: int, table: Any, work: Any) -> None:
    """Store the bounds of a position over the less valuable of two entries."""
    index = slot(mine, theirs, len(table))
    first, second = table[index], table[index + 1]
    entry = first
    is_second = second.mine == mine and second.theirs == theirs
    if not is_second and first.empty <= work.root_empty:  # neither of no use any more
        is_second = second.empty > work.root_empty or second.empty < first.empty
    if is_second and (first.mine != mine or first.theirs != theirs):
        entry = second
    if entry.mine == mine and entry.theirs == theirs and entry.empty != 0:
        lower = max(lower, int(entry.lower))
        upper = min(upper, int(entry.upper))
    entry.mine = mine
    entry.theirs = theirs
    entry.lower = lower
    entry.upper = upper
    entry.step = step
    entry.empty = empty


@subroutine
def promise(mine: int, theirs: int) -> int:
    """The rate of a position for the seat that has just moved, whose discs are *theirs*."""
    answers = playable_cells(mine, theirs)
    empty = ~(mine | theirs) & FULL
    value = -16 * (popcount(answers) + popcount(answers & CORNERS))
    value -= 6 * popcount(beside(theirs) & empty)
    return value + 12 * popcount(stable(theirs) & BORDER)


@subroutine
def rate_moves(
    mine: int, theirs: int, cells: int, empty: int, first: int, table: Any, weights: Weights, work: Any
) -> int:
    """Write the moves *cells* and their rates to row *empty* of the workspace; returns how many.

    ``work.cut`` gets the highest score that, by the table, one of them reaches.
    """
    work.cut = -CELLS - 1
    count = 0
    free = ~(mine | theirs) & FULL
    odd = odd_quarters(free)
    while cells != 0:
        cell = lowest(cells)
        disc = int(BIT[cell])
        cells ^= disc
        found = turned_discs(cell, mine, theirs)
        after_mine, after_theirs = theirs & ~found, mine | found | disc
        if empty >= PROBED:
            known = find(after_mine, after_theirs, table)
            if known >= 0:
                work.cut = max(int(work.cut), -int(table[known].upper))
        if after_mine == 0:
            rate = 1 << 40
        elif cell == first:
            rate = 1 << 30
        else:
            rate = promise(after_mine, after_theirs)
            if empty >= JUDGED:
                rate -= int(DISC * pattern_value(after_mine, after_theirs, weights, 0))
            if disc & odd:
                rate += 8
        work.step[empty, count] = cell
        work.rate[empty, count] = rate
        count += 1
    return count


@subroutine
def bring_best_forward(index: int, count: int, empty: int, work: Any) -> int:
    """Swap the best rated of the moves from *index* on to the front, and return it."""
    best = index
    for other in range(index + 1, count):
        if work.rate[empty, other] > work.rate[empty, best]:
            best = other
    cell = int(work.step[empty, best])
    if best != index:
        work.step[empty, best] = work.step[empty, index]
        work.rate[empty, best] = work.rate[empty, index]
    return cell


@subroutine
def settled(mine: int, theirs: int, alpha: int, beta: int, table: Any) -> tuple[bool, int, int]:
    """Whether stable discs or the table settle the score; the score, if so; else the table's step, or -1."""
    if alpha >= CELLS - 2 * popcount(theirs):  # else stability can't settle it
        most = CELLS - 2 * popcount(stable(theirs))
        if most <= alpha:
            return True, most, -1
    known = find(mine, theirs, table)
    if known < 0:
        return False, 0, -1
    lower, upper = int(table[known].lower), int(table[known].upper)
    if lower >= beta or lower == upper:
        return True, lower, -1
    return upper <= alpha, upper, int(table[known].step)


@compiled
def solve(state: State, alpha: int, beta: int, table: Any, weights: Weights, work: Any) -> int:
    """The score of *state*, which may be over, for the seat to move: in discs, exact if between *alpha* and *beta*.

    Else it is a bound. It is invalid once ``work.stop`` is set.
    """
    work.nodes += 1
    if work.nodes >= work.look_at:
        look_at_limits(work)
    if work.stop != 0:
        return 0
    mine, theirs = state.mine, state.theirs
    free = ~(mine | theirs) & FULL
    empty = popcount(free)
    if empty <= LAST:
        return last_cells(mine, theirs, alpha, beta, work)
    cells = as_unsigned(playable_cells(mine, theirs))
    if cells == 0:
        if playable_cells(theirs, mine) == 0:
            return final_score(mine, theirs)
        return -solve(State(theirs, mine, 0), -beta, -alpha, table, weights, work)
    best = -CELLS - 1
    if empty < SORTED:
        odd = odd_quarters(free)
        for part in range(2):
            some = cells & odd if part == 0 else cells & ~odd
            while some != 0:
                cell = lowest(some)
                disc = int(BIT[cell])
                some ^= disc
                found = turned_discs(cell, mine, theirs)
                floor = max(alpha, best)
                score = -solve(State(theirs & ~found, mine | found | disc, 0), -beta, -floor, table, weights, work)
                if score > best:
                    best = score
                    if best >= beta:
                        return best
        return best
    is_settled, known, first = settled(mine, theirs, alpha, beta, table)
    if is_settled:
        return known
    count = rate_moves(mine, theirs, cells, empty, first, table, weights, work)
    if empty >= PROBED and beta - alpha == 1 and work.cut >= beta:
        return int(work.cut)
    best_step = -1
    for index in range(count):
        cell = bring_best_forward(index, count, empty, work)
        found = turned_discs(cell, mine, theirs)
        after = State(theirs & ~found, mine | found | int(BIT[cell]), 0)
        floor = max(alpha, best)
        if index == 0 or beta - floor == 1:
            score = -solve(after, -beta, -floor, table, weights, work)
        else:
            above = floor + 1
            score = -solve(after, -above, -floor, table, weights, work)
            if floor < score < beta:
                floor = score
                score = -solve(after, -beta, -floor, table, weights, work)
        if work.stop != 0:
            return 0
        if score > best:
            best, best_step = score, cell
            if best >= beta:
                break
    lower, upper = -CELLS if best <= alpha else best, CELLS if best >= beta else best
    store(mine, theirs, empty, lower, upper, best_step, table, work)
    return best
