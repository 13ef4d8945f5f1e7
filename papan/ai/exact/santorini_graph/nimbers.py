"""Nimbers of Santorini on graphs where both seats share the workers: Geissler's impartial variants.

All plays are tried once, turn by turn: a move and a block, or a worker placed. With tower wins, a move onto a tower
wins the whole sum. See ``papan.ai.exact.nimbers``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.exact import MIB
from papan.ai.exact.nimbers import AT_ONCE, MOST_NIMBER, WON, NimberError
from papan.ai.exact.santorini_graph.asking import ENTRY, FULL, Asker, slot_of
from papan.ai.limits import Limit
from papan.game.kernel import compiled
from papan.game.kernel.bits import lowest
from papan.game.kernel.clock import clock_seconds
from papan.game.rules import State, key, moves, play, santorini_graph
from papan.game.rules.santorini_graph.board import BUILDING, REACHED_TOP, SEATS, STUCK, begin_turn

OUT, TOO_LARGE = -2, -3
"""Results of the kernel where it finds no nimber; so is ``FULL``."""
USUAL_MEMORY = 256
"""MiB of the table."""
_SLICE = 1 << 18
"""Positions between two looks at the clock."""
_MOST_OPTIONS = 3 * santorini_graph.MOST_STEPS


class Nimbers(Asker):
    """Computes nimbers of positions of one graph and one variant."""

    def nimber(self, state: State, limit: Limit | None = None, memory: int | None = None) -> int | None:
        """As ``Impartial`` says; nodes are positions at the start of a turn."""
        if state.phase in (STUCK, REACHED_TOP):
            return WON if state.phase == REACHED_TOP else 0
        limit = limit or Limit()
        started, before = clock_seconds(), self.positions
        most_slots = (memory or USUAL_MEMORY) * MIB // ENTRY.itemsize
        while True:
            left = _SLICE if limit.nodes is None else min(_SLICE, limit.nodes - (self.positions - before))
            if left <= 0:
                return None
            self._facts[2] = self._facts[0] + left
            answer = int(grundy(state, self._table, self._facts, self._buffer, 0))
            if answer > 0:
                return answer - 1
            if answer == TOO_LARGE:
                raise NimberError.saying("The board is too large for nimbers.")
            if limit.plain_time is not None and clock_seconds() - started > limit.plain_time:
                return None
            if answer == FULL and not self._enlarge(most_slots):
                return None

    def of_starts(self, empty: State, shared: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The value of each start on the board *empty* whose workers are one of *shared*; all follow from *empty*."""
        self.nimber(empty)
        found = np.zeros(len(shared), np.uint8)
        unknown = look_up_nimbers(empty, shared, self._table, found)
        assert not unknown, "a start can't come of the empty board"
        return found

    def _enlarge(self, most_slots: int) -> bool:
        """Make the table four times as large; returns whether *most_slots* allow it."""
        if 4 * len(self._table) > most_slots:
            return False
        known, self._table = self._table, np.zeros(4 * len(self._table), ENTRY)
        refill(known, self._table)
        return True

    def prepare(self, state: State) -> None:
        grundy.prepare(state, self._table, self._facts, self._buffer, 0)


@compiled
def refill(known: Any, table: Any) -> int:
    """Copy the entries of *known* to the empty *table*; returns how many."""
    count = 0
    for index in range(len(known)):
        if known[index].answer != 0:
            slot = slot_of(int(known[index].key), table)
            table[slot].key, table[slot].answer = known[index].key, known[index].answer
            count += 1
    return count


@compiled
def look_up_nimbers(empty: State, shared: Any, table: Any, found: Any) -> int:
    """Write to *found* the value of each start, by ``grundy``; returns how many are missing."""
    unknown = 0
    for index in range(len(shared)):
        start = begin_turn(empty._replace(workers=int(shared[index]), seat=empty.number % SEATS))
        if start.phase != STUCK:
            answer = int(table[slot_of(key(start), table)].answer)
            found[index] = max(answer - 1, 0)
            unknown += answer == 0
    return unknown


@compiled
def grundy(state: State, table: Any, facts: Any, buffer: Any, base: int) -> int:
    """1 more than the nimber of *state*, at the start of a turn and not over, or than ``AT_ONCE``; else why not.

    ``facts[0]`` counts positions up to ``facts[2]``. ``buffer[base:]`` is free. Positions with equal keys, of 63 bits,
    count as one.
    """
    position = key(state)
    known = int(table[slot_of(position, table)].answer)
    if known != 0:
        return known
    if facts[0] * 2 >= len(table):
        return FULL
    if facts[0] >= facts[2]:
        return OUT
    if base + _MOST_OPTIONS > len(buffer):
        return TOO_LARGE
    seen, found = 0, 0
    end = moves(state, buffer, base)
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        if after.phase == REACHED_TOP:
            found = AT_ONCE + 1
            break
        is_building = after.phase == BUILDING
        last = moves(after, buffer, end) if is_building else end + 1
        for further in range(end, last):
            left = play(after, int(buffer[further])) if is_building else after
            answer = 1 if left.phase == STUCK else grundy(left, table, facts, buffer, last)
            if answer < 0:
                return answer
            if answer != AT_ONCE + 1:
                seen |= 1 << (answer - 1)
    if found == 0:
        found = 1 + lowest(~seen)
        if found > MOST_NIMBER + 1:
            return TOO_LARGE
    slot = slot_of(position, table)
    table[slot].key, table[slot].answer = position, found
    facts[0] += 1
    return found
