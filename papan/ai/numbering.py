"""Positions numbered as they are met: a table with open addressing leads from a position's key to its number.

``keys`` has the key of each number; ``slots``, whose length is a power of two, has a number plus one, or 0 where there
is room.
"""

from __future__ import annotations

from typing import Any

from papan.game.kernel import compiled, subroutine
from papan.game.kernel.rng import mix


@subroutine
def find_slot(position: int, keys: Any, slots: Any) -> int:
    """Where ``slots`` has the position with that key, or has room for it."""
    size = len(slots)
    index = mix(position) >> 20 & (size - 1)
    while slots[index] != 0 and keys[slots[index] - 1] != position:
        index = (index + 1) & (size - 1)
    return index


@subroutine
def numbered(position: int, keys: Any, slots: Any, work: Any) -> int:
    """The number of the position with that key, the next one if it has none; -1 where there is no room.

    :param work: a record whose ``positions`` counts those that have a number.
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
