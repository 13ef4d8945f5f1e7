"""The transposition table: what is known of positions that have been searched, for one thread or several.

An entry is three words. The first is the position's key combined by exclusive or with the other two (Hyatt and
Mann, "A Lockless Transposition Table Implementation for Parallel Search", 2002): where two threads have written
to an entry at once, it belongs to no position, and isn't found. Each position has two places. The first is held
by what was searched deepest, the second takes whatever comes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.game.base.large_arrays import large_array
from papan.game.kernel import subroutine
from papan.game.kernel.bits import product

ENTRY = np.dtype(
    [
        ("check", np.int64),  # the key, score and facts, by exclusive or
        ("score", np.int64),  # the bits of a float64: for the side to act, wins and losses counted from here
        ("facts", np.int64),  # see pack; 0 where nothing is kept
    ]
)

EXACT, LOWER, UPPER = 1, 2, 3
"""What a score is: the value, or a bound of it."""
RESOLVED = 4
"""Added to these where no evaluation had a part in it."""

AGES = 1 << 12
"""Ages are counted below this."""

TABLE_BITS = 20
"""A table holds 2**20 positions, 24 MiB, unless asked otherwise."""
_FEWEST_BITS = 10


def table_bits(mebibytes: int | None, usual: int = TABLE_BITS) -> int:
    """The logarithm of the most positions, of 24 bytes each, that fit into so much memory; *usual* for None.

    >>> table_bits(24), table_bits(47), table_bits(48)
    (20, 20, 21)
    """
    if mebibytes is None:
        return usual
    return max(_FEWEST_BITS, (mebibytes * (1 << 20) // ENTRY.itemsize).bit_length() - 1)


def new_table(bits: int) -> Any:
    """A table of two to the power of *bits* entries."""
    return large_array(1 << bits, ENTRY).view(np.recarray)


@subroutine
def slot(position: int, size: int) -> int:
    """Where a table of *size* (a power of two) keeps the position with that key."""
    mixed = product((position ^ position >> 29) & 0x7FFFFFFFFFFFFFFF, 0x2545F4914F6CDD1D)
    return (mixed >> 32 ^ mixed) & (size - 1)


@subroutine
def pack(step: int, depth: int, bound: int, orientation: int, age: int) -> int:
    """An entry's facts: *step* from -1 to 2**31, *depth* below 256, *bound*, *orientation* below 16, *age*."""
    return bound | depth << 3 | orientation << 11 | age << 15 | (step + 1) << 27


@subroutine
def bound_of(facts: int) -> int:
    """EXACT, LOWER or UPPER."""
    return facts & 3


@subroutine
def is_resolved(facts: int) -> bool:
    """Whether no evaluation had a part in the score."""
    return facts & RESOLVED != 0


@subroutine
def depth_of(facts: int) -> int:
    """Turns looked ahead."""
    return facts >> 3 & 0xFF


@subroutine
def orientation_of(facts: int) -> int:
    """Which way round the board lay."""
    return facts >> 11 & 0xF


@subroutine
def age_of(facts: int) -> int:
    """The number of the search that wrote it."""
    return facts >> 15 & 0xFFF


@subroutine
def step_of(facts: int) -> int:
    """The best step, or -1."""
    return (facts >> 27) - 1


@subroutine
def look_up(table: Any, position: int) -> tuple[int, float]:
    """The facts and the score kept for the position with that key; no facts (0) for none."""
    index = slot(position, len(table))
    score, facts = table[index].score, table[index].facts
    if table[index].check ^ score ^ facts != position:
        index ^= 1
        score, facts = table[index].score, table[index].facts
        if table[index].check ^ score ^ facts != position:
            return 0, 0.0
    return int(facts), float(np.int64(score).view(np.float64))


@subroutine
def keep(table: Any, position: int, facts: int, score: float) -> None:
    """Write what was found out about the position with that key."""
    index = slot(position, len(table))
    there = table[index].facts
    if (
        age_of(there) == age_of(facts)
        and depth_of(there) > depth_of(facts)
        and table[index].check ^ table[index].score ^ there != position
    ):
        index ^= 1
    bits = np.float64(score).view(np.int64)
    table[index].check = position ^ bits ^ facts
    table[index].score = bits
    table[index].facts = facts
