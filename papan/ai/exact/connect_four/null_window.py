"""The compiled part of the Connect Four solver: does a position's score reach a bound?

Negamax with a null window over bitboards, without recursion. It follows Pascal Pons
("Solving Connect 4: how to build a perfect AI", 2015): moves that lose at once are left out, moves that make most
threats come first, a table keeps bounds. Beyond these

- a move after which the opponent can't stop all threats wins without a search;
- all children are looked up in the table before any is searched (Plaat and others, "Exploiting Graph Properties of
  Game Trees", 1996, call it enhanced transposition cutoff);
- a side that has no four cells in a line left can't win;
- with an even number of empty cells in each column the seat that does not move may answer each disc on top of it:
  it gets all cells of even rows (Victor Allis, "A Knowledge-Based Approach of Connect-Four", 1988, rule *claimeven*).

**Scores here** are those of Pons: 22 less the number of the winner's discs when four are completed, from the view of
the seat to move: positive if it wins, negative if it loses, 0 for a draw.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation.connect_four import threats_of
from papan.game.kernel import compiled, inlined, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.kernel.bits import lowest, popcount, product
from papan.game.kernel.clock import NEVER, clock
from papan.game.rules.connect_four import BOTTOM, COLUMNS, FULL, HEIGHT, ROWS, four_in_a_row

CELLS = COLUMNS * ROWS
NODES_BETWEEN_LOOKS = 16
"""Nodes between two checks for a stop; a power of two. The system takes long to provide a part of the table when it is
first written, and this few nodes touch few parts.
"""
LOOKS_BETWEEN_TIMES = 16
"""One check in this many reads the time; a power of two."""

MIRROR_DISCS = 16
"""Positions with fewer discs share the entry of their mirror image; later ones hardly meet theirs."""
TABLE_DISCS = 34
"""Positions with more are searched faster than looked up."""
CHILDREN_DISCS = 34
"""Positions with fewer discs look their children up first."""
LATE_DISCS = 20
LATE_BITS = 16
"""Positions with more than ``LATE_DISCS`` share the first 2**16 entries of the table, half a megabyte: they are many,
of use for a short while, and the processor's cache holds them there, whatever the table's size. The others last, in the
whole table.
"""
LINES_DISCS = 16
"""With fewer discs each side can still make four somewhere."""

UNKNOWN = -CELLS - 1
"""Not a score: less than any."""

SCORE_BITS = 6
SCORE_ZERO = 1 << (SCORE_BITS - 1)
KEY_SHIFT = 2 * SCORE_BITS
"""An entry of the table is one integer: a position's key, its upper bound and its lower bound."""

_HASH_FACTOR = 0x2545F4914F6CDD1D
_HASH_BITS = 63
_HIGH_LANDINGS = BOTTOM * 0b101010  # an odd number of discs in the column
_EVEN_ROWS = BOTTOM * 0b101010  # the second, fourth and sixth row
_THREAT = 16
_LOWER_ROWS = BOTTOM * 0b111111

CELL_RATES = np.array(
    [2 * (COLUMNS // 2 - abs(cell // HEIGHT - COLUMNS // 2)) + cell % HEIGHT for cell in range(COLUMNS * HEIGHT)],
    np.int64,
)
"""The order of moves that make equally many threats: towards the centre, and up. Found by trial."""

_PATH = CELLS + 2
WORKSPACE = record_type(
    ("stop", np.int64),  # set from another thread to end the search
    ("is_spent", np.int64),  # the node limit was reached
    ("nodes", np.int64),
    ("node_limit", np.int64),
    ("look_at", np.int64),  # as other searches have it; this one looks by itself
    ("deadline", np.int64),  # the time to end, by ``papan.game.kernel.clock``
    ("has_early", np.int64),  # the table may hold positions with at most ``LATE_DISCS``: entries anywhere in it
    # one entry for each number of discs
    ("mine", np.int64, (_PATH,)),
    ("discs", np.int64, (_PATH,)),
    ("beta", np.int64, (_PATH,)),
    ("best", np.int64, (_PATH,)),
    ("lower", np.int64, (_PATH,)),
    ("upper", np.int64, (_PATH,)),
    ("slot", np.int64, (_PATH,)),
    ("left", np.int64, (_PATH,)),  # moves not yet searched: the last is the best
    ("move", np.int64, (_PATH, COLUMNS + 1)),
    ("threats", np.int64, (_PATH, COLUMNS + 1)),
    ("rate", np.int64, (_PATH, COLUMNS + 1)),
)
"""Everything that a search writes besides the table, as one record."""


@inlined
def mirror_image(key: int) -> int:
    """The key of the mirror image of the position with that *key*."""
    column = (1 << HEIGHT) - 1
    return (
        (key & column) << 6 * HEIGHT
        | (key & column << HEIGHT) << 4 * HEIGHT
        | (key & column << 2 * HEIGHT) << 2 * HEIGHT
        | (key & column << 3 * HEIGHT)
        | (key >> 2 * HEIGHT) & column << 2 * HEIGHT
        | (key >> 4 * HEIGHT) & column << HEIGHT
        | (key >> 6 * HEIGHT) & column
    )


@inlined
def table_key(key: int, count: int) -> int:
    """The table key of a position of *count* discs: the smaller one of its mirror images."""
    if count < MIRROR_DISCS:
        other = mirror_image(key)
        if other < key:
            return other
    return key


@inlined
def slot_of(key: int, bits: int, count: int) -> int:
    """The slot of the position of *count* discs with that *key* in a table of 2**bits entries: this or the next.

    The next one, ``slot ^ 1``, is for the successors of a position with fewer discs, which took more work.
    """
    if count > LATE_DISCS:
        return product(key, _HASH_FACTOR) >> (_HASH_BITS - min(bits, LATE_BITS))
    return product(key, _HASH_FACTOR) >> (_HASH_BITS - bits)


@inlined
def discs_of(key: int) -> int:
    """The number of discs of the position with that *key*: in each column the highest bit stands above them."""
    filled = key | (key >> 1 & _LOWER_ROWS)
    filled |= filled >> 2 & BOTTOM * 0b11111
    filled |= filled >> 4 & BOTTOM * 0b111
    return popcount(filled) - COLUMNS


@inlined
def find(table: Any, key: int, bits: int, count: int) -> int:
    """The table's entry of the position with that *key*, or 0."""
    slot = slot_of(key, bits, count)
    entry = int(table[slot])
    if entry >> KEY_SHIFT == key:
        return entry
    entry = int(table[slot ^ 1])
    return entry if entry >> KEY_SHIFT == key else 0


@inlined
def entry_of(key: int, lower: int, upper: int) -> int:
    return key << KEY_SHIFT | (upper + SCORE_ZERO) << SCORE_BITS | (lower + SCORE_ZERO)


@inlined
def lower_of(entry: int) -> int:
    return (entry & (1 << SCORE_BITS) - 1) - SCORE_ZERO


@inlined
def upper_of(entry: int) -> int:
    return (entry >> SCORE_BITS & (1 << SCORE_BITS) - 1) - SCORE_ZERO


@inlined
def upper_by_lines(mine: int, theirs: int, count: int) -> int:
    """The most that the seat to move can get, by the cells that it may still fill: 0, or more than any score."""
    empty = FULL & ~(mine | theirs)
    if count >= LINES_DISCS and not four_in_a_row(mine | empty):
        return 0
    if count & 1 == 0 and (mine | theirs) + BOTTOM & _HIGH_LANDINGS == 0:
        return CELLS if four_in_a_row(mine | empty & ~_EVEN_ROWS) else 0
    return CELLS


@inlined
def bound_at_once(mine: int, discs: int, count: int, allowed: int, beta: int, table: Any, bits: int, work: Any) -> int:
    """A bound of a new position's score that settles whether it is at least *beta*, or ``UNKNOWN``.

    Writes its known bounds and its slot in the table into *work*, under its number of discs.

    :param allowed: moves that do not lose at once.
    """
    if allowed == 0:
        return -((CELLS - count) >> 1)
    if count >= CELLS - 2:
        return 0
    upper = min((CELLS - 1 - count) >> 1, upper_by_lines(mine, discs ^ mine, count))
    lower = -((CELLS - 2 - count) >> 1)
    if count >= LINES_DISCS and lower < 0 and not four_in_a_row(FULL & ~mine):
        lower = 0
    slot = -1
    if count <= TABLE_DISCS and lower < beta <= win_later(count) and beta <= upper:
        key = table_key(mine + discs + BOTTOM, count)
        slot = slot_of(key, bits, count)
        entry = find(table, key, bits, count)
        if entry != 0:
            lower = max(lower, lower_of(entry))
            upper = min(upper, upper_of(entry))
    if lower >= beta:
        return lower
    if upper < beta:
        return upper
    work.lower[count], work.upper[count], work.slot[count] = lower, upper, slot
    return UNKNOWN


@inlined
def win_later(count: int) -> int:
    """The score of a win that takes the seat to move at least three more discs."""
    return (CELLS - 3 - count) >> 1


@inlined
def bound_by_moves(mine: int, discs: int, count: int, allowed: int, beta: int, table: Any, bits: int, work: Any) -> int:
    """A bound that settles the matter before any move is searched, or ``UNKNOWN``.

    Writes the moves to search into *work*, the best last, and the best score of those that the table knows.
    """
    best = -CELLS
    moves = 0
    while allowed != 0:
        move = allowed & -allowed
        allowed ^= move
        after = discs | move
        made = threats_of(mine | move) & ~after
        replies = after + BOTTOM & FULL
        forced = replies & made
        if forced != 0:
            replies = forced if forced & forced - 1 == 0 else 0
        if replies & ~(made >> 1) == 0:
            return (CELLS - 1 - count) >> 1  # the other seat can't stop it
        if win_later(count) < beta:
            continue
        rate = _THREAT * popcount(made) + int(CELL_RATES[lowest(move)])
        if forced != 0:
            rate -= _THREAT >> 1  # the other seat stops it at once
        if count < CHILDREN_DISCS and (CELLS - 4 - count) >> 1 >= 1 - beta:
            child = table_key((discs ^ mine) + after + BOTTOM, count + 1)
            entry = find(table, child, bits, count + 1)
            if entry != 0:
                if -upper_of(entry) >= beta:
                    return -upper_of(entry)
                if -lower_of(entry) < beta:
                    best = max(best, -lower_of(entry))
                    continue
        at = moves
        while at > 0 and work.rate[count, at - 1] > rate:
            work.rate[count, at] = work.rate[count, at - 1]
            work.move[count, at] = work.move[count, at - 1]
            work.threats[count, at] = work.threats[count, at - 1]
            at -= 1
        work.rate[count, at] = rate
        work.move[count, at] = move
        work.threats[count, at] = made
        moves += 1
    upper = min(int(work.upper[count]), win_later(count))
    if upper < beta:
        return upper
    work.upper[count] = upper
    work.mine[count], work.discs[count], work.beta[count] = mine, discs, beta
    work.best[count], work.left[count] = best, moves
    return UNKNOWN


@inlined
def settle(count: int, table: Any, bits: int, work: Any) -> int:
    """Store and return the bound of the position of *count* discs, from its searched moves."""
    mine, discs, best = int(work.mine[count]), int(work.discs[count]), int(work.best[count])
    lower, upper = int(work.lower[count]), int(work.upper[count])
    value = best
    if best >= int(work.beta[count]):
        lower = best
    else:
        upper = min(upper, best)
        value = upper
    slot = int(work.slot[count])
    if slot >= 0:
        key = table_key(mine + discs + BOTTOM, count)
        kept = int(table[slot]) >> KEY_SHIFT
        if kept != key and kept != 0 and discs_of(kept) < count:
            slot ^= 1
        table[slot] = entry_of(key, lower, upper)
    return value


@subroutine
def searched_bound(mine: int, discs: int, beta: int, table: Any, work: Any) -> int:
    """Bound the score where the seat to move has *mine* of all *discs*, to decide whether it is at least *beta*.

    A result of at least *beta* is a lower bound of the score, another one an upper bound. It means nothing if
    ``work.stop`` or ``work.is_spent`` is set afterwards.

    The seat to move must not have four in a row at once, nor the other one have them already.

    :param table: ``int64`` entries, a power of two of them. What it holds stays true for all positions.
    """
    bits = lowest(len(table))
    count = popcount(discs)
    first_count = count
    if count <= LATE_DISCS:
        work.has_early = 1
    threats = threats_of(discs ^ mine) & ~discs  # where the other seat would win
    nodes = int(work.nodes)
    while True:
        # A new position: known at once, or its moves are found.
        nodes += 1
        if nodes & NODES_BETWEEN_LOOKS - 1 == 0:
            work.nodes = nodes
            if nodes >= work.node_limit:
                work.is_spent = 1
            if nodes & NODES_BETWEEN_LOOKS * LOOKS_BETWEEN_TIMES - 1 == 0 and clock() >= work.deadline:
                work.stop = 1
            if work.stop != 0 or work.is_spent != 0:
                return 0
        landings = discs + BOTTOM & FULL
        allowed = landings
        forced = landings & threats
        if forced != 0:
            allowed = forced if forced & forced - 1 == 0 else 0
        allowed &= ~(threats >> 1)  # not below a cell where the other seat would win
        value = bound_at_once(mine, discs, count, allowed, beta, table, bits, work)
        if value == UNKNOWN:
            value = bound_by_moves(mine, discs, count, allowed, beta, table, bits, work)
        # Back to the last position with something left to search, or on to its next move.
        while True:
            if value != UNKNOWN:
                if count == first_count:
                    work.nodes = nodes
                    return value
                count -= 1
                if -value > work.best[count]:
                    work.best[count] = -value
            left = int(work.left[count]) - 1
            if int(work.best[count]) < int(work.beta[count]) and left >= 0:
                break
            value = settle(count, table, bits, work)
        work.left[count] = left
        move = int(work.move[count, left])
        threats = int(work.threats[count, left])
        mine, discs = int(work.discs[count]) ^ int(work.mine[count]), int(work.discs[count]) | move
        beta = 1 - int(work.beta[count])
        count += 1


@compiled
def bound(mine: int, discs: int, beta: int, table: Any, work: Any) -> int:
    """``searched_bound``, from Python."""
    return searched_bound(mine, discs, beta, table, work)


@subroutine
def between(lower: int, upper: int) -> int:
    """The next bound to test: first whether the seat to move wins, then quick ends."""
    middle = lower + (upper - lower) // 2
    if middle <= 0 and lower // 2 < middle:
        middle = -(-lower // 2)
    elif middle >= 0 and upper // 2 > middle:
        middle = upper // 2
    return min(middle, upper - 1) + 1


@compiled
def exact_score(mine: int, discs: int, lower: int, upper: int, table: Any, work: Any) -> int:
    """The exact score where the seat to move has *mine* of all *discs*; without any limit.

    The other seat must not have four in a row.

    :param lower: a known lower bound; *upper*: a known upper bound.
    """
    count = popcount(discs)
    if threats_of(mine) & discs + BOTTOM & FULL & ~discs != 0:
        return (CELLS + 1 - count) >> 1
    least, most = max(-((CELLS - count) >> 1), lower), min((CELLS - 1 - count) >> 1, upper)
    work.stop = work.is_spent = 0
    work.node_limit = work.deadline = NEVER
    while least < most:
        asked = between(least, most)
        value = searched_bound(mine, discs, asked, table, work)
        if value >= asked:
            least = min(value, most)
        else:
            most = max(value, least)
    return least


@compiled
def remember(keys: Any, scores: Any, table: Any, work: Any) -> int:
    """Write the exact *scores* of the positions with these *keys*, by ``table_key``, into the *table*.

    :returns: the number written: not all once ``work.stop`` is set, or the time is up.
    """
    bits = lowest(len(table))
    work.has_early = 1
    for index in range(len(keys)):
        if index & NODES_BETWEEN_LOOKS * LOOKS_BETWEEN_TIMES - 1 == 0 and clock() >= work.deadline:
            work.stop = 1
        if work.stop != 0:
            return index
        key, score = int(keys[index]), int(scores[index])
        table[slot_of(key, bits, discs_of(key))] = entry_of(key, score, score)
    return len(keys)
