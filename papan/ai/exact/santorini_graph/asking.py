"""Kernels that try all plays of positions of one graph and one variant, and a table of their answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from papan.game.kernel import subroutine
from papan.game.rules import State, santorini_graph

FULL = -1
"""A kernel's result if the table is full."""

_FIRST_SLOTS = 1 << 12
_MOST_STEPS_ON_PATH = 1 << 10
ENTRY = np.dtype([("key", np.int64), ("answer", np.int64)])


class Asker:
    """Runs a kernel on positions of one graph and one variant; the table has earlier answers by key."""

    def __init__(self) -> None:
        self._table = np.zeros(_FIRST_SLOTS, ENTRY)
        self._facts = np.zeros(3, np.int64)  # filled slots, the most turns to choose among, a limit of slots
        self._buffer = np.empty(santorini_graph.MOST_STEPS * _MOST_STEPS_ON_PATH, np.int64)

    @property
    def positions(self) -> int:
        """The number of positions visited, including those within turns."""
        return int(self._facts[0])

    def _ask(self, kernel: Callable[..., int], state: State) -> int:
        """The answer of *kernel* for *state*; enlarges the table if needed."""
        while (answer := int(kernel(state, self._table, self._facts, self._buffer, 0))) == FULL:
            self._table = np.zeros(4 * len(self._table), ENTRY)
            self._facts[0] = 0
        return answer


@subroutine
def slot_of(position: int, table: Any) -> int:
    """The slot of the key *position*: that of its answer, or an empty one, with the answer 0."""
    slot = position & (len(table) - 1)
    while table[slot].answer != 0 and table[slot].key != position:
        slot = (slot + 1) & (len(table) - 1)
    return slot
