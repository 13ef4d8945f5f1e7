"""Tables of positions: the transposition table of alpha-beta, and numbers of listed positions.

An entry of the transposition table is three words. The first is the position's key combined by exclusive or with the
other two (Hyatt and Mann, "A Lockless Transposition Table Implementation for Parallel Search", 2002): an entry that two
threads wrote at once belongs to no position, and isn't found. Each position has two slots. The first keeps the deepest
entry, the second takes the latest.

Listed positions are numbered in the order of discovery, by open addressing: ``keys`` has the key of each number;
``slots``, whose length is a power of two, has a number plus one, or 0 for empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.limits import WIN, WIN_BOUND
from papan.ai.search.repetition import REPETITION_SCORE
from papan.game.base.large_arrays import large_array
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.kernel.bits import product
from papan.game.kernel.rng import mix
from papan.game.rules import State, canonical_key, key

ENTRY = record_type(
    ("check", np.int64),  # the key, score and facts, by exclusive or
    ("score", np.int64),  # the bits of a float64: for the side to act, wins and losses counted from here
    ("facts", np.int64),  # see ``pack``; 0 for an empty entry
)

EXACT, LOWER, UPPER = 1, 2, 3
"""The meaning of a score: the value, or a bound of it."""
RESOLVED = 4
"""Added to these if no evaluation contributed."""

AGES = 1 << 12
"""Ages are counted below this."""

TABLE_BITS = 20
"""A table holds 2**20 positions, 24 MiB, by default."""
_FEWEST_BITS = 10


def table_bits(mebibytes: int | None, usual: int = TABLE_BITS) -> int:
    """The logarithm of the most positions, of 24 bytes each, that fit into *mebibytes* of memory; *usual* for None.

    >>> table_bits(24), table_bits(47), table_bits(48)
    (20, 20, 21)
    """
    if mebibytes is None:
        return usual
    return max(_FEWEST_BITS, (mebibytes * (1 << 20) // ENTRY.itemsize).bit_length() - 1)


def new_table(bits: int) -> Any:
    return large_array(1 << bits, ENTRY)


@subroutine
def slot(position: int, size: int) -> int:
    """The slot of the position with that key in a table of *size* entries, a power of two."""
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
    """Whether no evaluation contributed to the score."""
    return facts & RESOLVED != 0


@subroutine
def depth_of(facts: int) -> int:
    """The depth in turns."""
    return facts >> 3 & 0xFF


@subroutine
def orientation_of(facts: int) -> int:
    """The orientation of the board."""
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
def probe(table: Any, position: int) -> tuple[int, float]:
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
def store(table: Any, position: int, facts: int, score: float) -> None:
    """Store the facts and score of the position with that key."""
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


SYMMETRY_DEPTH = 2
"""With fewer turns to the horizon mirror images are not looked up: the rest of the search costs less."""


@subroutine
def identify(state: State, depth: int, work: Any) -> tuple[int, int]:
    """The key of *state* in the table, and the orientation of its board."""
    if work.sees_symmetry != 0 and depth >= SYMMETRY_DEPTH:
        least, orientation = canonical_key(state)
        return least ^ int(work.salt), orientation
    return key(state) ^ int(work.salt), 0


@subroutine
def from_table(score: float, turn: int) -> float:
    """Convert a score of the table, with the win's distance from its own position, to the distance from the root."""
    if score >= WIN_BOUND:
        return score - turn
    return score + turn if score <= -WIN_BOUND else score


@subroutine
def is_deep_enough(facts: int, depth: int, work: Any) -> bool:
    """Whether the table's entry holds for a search *depth* turns ahead."""
    if work.is_exact != 0:
        return depth_of(facts) == depth or (is_resolved(facts) and depth_of(facts) < depth)
    return depth_of(facts) >= depth or is_resolved(facts)


@subroutine
def decides(bound: int, score: float, alpha: float, beta: float) -> bool:
    """Whether a *score* with this *bound* settles the matter between *alpha* and *beta*."""
    return bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha)


@subroutine
def probe_table(
    table: Any, position: int, orientation: int, depth: int, turn: int, left: int, alpha: float, beta: float, work: Any
) -> tuple[bool, float, int]:
    """Whether the table settles the matter, the score if so, and otherwise its step, or -1.

    :param left: turns before a draw counter ends the game; a win that takes more does not count here.
    """
    facts, score = probe(table, position)
    if depth == 1:
        work.last_turns += 1
    if facts == 0:
        return False, 0.0, -1
    is_of_another_past = abs(score) == REPETITION_SCORE and age_of(facts) != work.age
    if is_of_another_past or (abs(score) >= WIN_BOUND and WIN - abs(score) > left):
        return False, 0.0, step_of(facts) if orientation_of(facts) == orientation else -1
    score = from_table(score, turn)
    if is_deep_enough(facts, depth, work) and decides(bound_of(facts), score, alpha, beta):
        if depth == 1:
            work.last_turns_known += 1
        if orientation_of(facts) != orientation:
            work.images_known += 1
        if not is_resolved(facts):
            work.horizon_leaves += 1
        return True, score, -1
    return False, 0.0, step_of(facts) if orientation_of(facts) == orientation else -1


# ------------------------------------------------------------------------------------- numbered positions


@subroutine
def find_slot(position: int, keys: Any, slots: Any) -> int:
    """The index in ``slots`` of the position with that key, or of an empty slot for it."""
    size = len(slots)
    index = mix(position) >> 20 & (size - 1)
    while slots[index] != 0 and keys[slots[index] - 1] != position:
        index = (index + 1) & (size - 1)
    return index


@subroutine
def numbered(position: int, keys: Any, slots: Any, work: Any) -> int:
    """The number of the position with that key, the next one if it has none; -1 if there is no room.

    :param work: a record whose ``positions`` is the count of numbered ones.
    """
    index = find_slot(position, keys, slots)
    if slots[index] == 0:
        number = int(work.positions)
        if number >= len(keys):
            return -1
        keys[number] = position
        slots[index] = number + 1
        work.positions = number + 1
    return int(slots[index]) - 1


@compiled
def number_of(position: int, keys: Any, slots: Any) -> int:
    """The number of the position with that key, or -1."""
    return int(slots[find_slot(position, keys, slots)]) - 1
