"""Retrograde analysis of all positions reachable from a position, if they are few.

Ströhlein (1970); Thompson, "Retrograde analysis of certain endgames" (1986), for any game of two sides. Cycles, with
which proof searches have trouble, need no care here: a position that no side can win is a draw.

Draw counters are ignored, as they only turn wins into draws: draws stay draws, and a win counts only if it comes before
the counter runs out. If a rule on repetitions makes wins (perpetual check), only wins are reliable.

Positions are numbered in the order of discovery. ``keys`` has each number's key; ``slots`` is a hash table with open
addressing, whose length is a power of two, with the number plus one, or 0 for empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.search.table import number_of, numbered
from papan.game.base.large_arrays import large_array
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import get_state, new_record, put_state, record_type, row_type
from papan.game.rules import State, is_over, key, mover, moves, payoff, play, repetition_payoff, steps_to_draw

MOST_POSITIONS = 60_000
"""Listing this many takes less than a second."""
_EDGES = 12
"""Space for edges per position."""

UNKNOWN, DRAWN = 0, 1 << 14
"""Other values: n > 0 for a win of the first seat in n - 1 turns, n < 0 for one of the second."""

WORKSPACE = record_type(
    ("stop", np.int64),  # set from another thread to end the work
    ("positions", np.int64),
    ("edges", np.int64),
    ("is_full", np.int64),
)


@subroutine
def add(state: State, rows: Any, keys: Any, slots: Any, work: Any) -> int:
    """The number of *state*, new if needed; -1 if the table is full."""
    known = work.positions
    number = numbered(key(state), keys, slots, work)
    if work.positions > known:
        put_state(state, rows, number)
    return number


@compiled
def follow(
    state: State,
    rows: Any,
    keys: Any,
    slots: Any,
    first: Any,
    edges: Any,
    values: Any,
    movers: Any,
    buffer: Any,
    work: Any,
) -> None:
    """List all positions after *state*, their edges, and the values of finished games.

    Returns early if stopped, or with ``is_full`` if the tables are full or a draw counter would run out.

    :param first: ``edges[first[n]:first[n + 1]]`` are the successors of n.
    """
    add(state, rows, keys, slots, work)
    done, edge = 0, 0
    while done < work.positions:
        if work.stop != 0:
            return
        here = get_state(state, rows, done)
        values[done], movers[done] = UNKNOWN, mover(here)
        if is_over(here):
            if steps_to_draw(here) <= 0:
                work.is_full = 1
                return
            won = payoff(here, 0)
            values[done] = 1 if won > 0.0 else (-1 if won < 0.0 else DRAWN)
        else:
            count = moves(here, buffer, 0)
            if edge + count > len(edges):
                work.is_full = 1
                return
            for index in range(count):
                reached = add(play(here, int(buffer[index])), rows, keys, slots, work)
                if reached < 0:
                    work.is_full = 1
                    return
                edges[edge] = reached
                edge += 1
        done += 1
        first[done] = edge
    work.edges = edge


@compiled
def turn_round(first: Any, edges: Any, first_back: Any, backward: Any, work: Any) -> None:
    """Reverse the edges: ``backward[first_back[n]:first_back[n + 1]]`` are the predecessors of n."""
    for index in range(work.edges):
        first_back[edges[index] + 2] += 1
    for number in range(work.positions):
        first_back[number + 2] += first_back[number + 1]
    for number in range(work.positions):
        for index in range(first[number], first[number + 1]):
            reached = edges[index]
            backward[first_back[reached + 1]] = number
            first_back[reached + 1] += 1


@compiled
def value_all(
    first: Any, first_back: Any, backward: Any, values: Any, movers: Any, left: Any, queue: Any, work: Any
) -> None:
    """Compute the values of all positions that a side wins; the others stay UNKNOWN.

    :param left: space for a number for each position, as *queue*.
    """
    start, end = 0, 0
    for number in range(work.positions):
        left[number] = first[number + 1] - first[number]
        if values[number] == 1 or values[number] == -1:
            queue[end] = number
            end += 1
    while start < end:
        if work.stop != 0:
            return
        number = queue[start]
        start += 1
        value = int(values[number])
        for index in range(first_back[number], first_back[number + 1]):
            before = backward[index]
            if values[before] != UNKNOWN:
                continue
            left[before] -= 1
            is_movers = (value > 0) == (movers[before] == 0)
            if is_movers or left[before] == 0:
                further = 1 if movers[before] != movers[number] or first[number] == first[number + 1] else 0
                values[before] = value + further if value > 0 else value - further
                queue[end] = before
                end += 1


class Closure:
    """Retrograde analysis of a position; caches the last listing."""

    def __init__(self, most_steps: int, most_positions: int = MOST_POSITIONS) -> None:
        self._most_positions = most_positions
        self._buffer = np.empty(most_steps, np.int64)
        self._work = new_record(WORKSPACE)
        self._keys = self._slots = self._values = np.zeros(0, np.int64)
        self._too_large: set[int] = set()

    def stop(self) -> None:
        self._work.stop = 1

    def value(self, state: State) -> int | None:
        """The value of *state* as in ``value_all``, 0 for a draw; None if too many positions are reachable."""
        position = int(key(state))
        number = self._number(position)
        if number < 0:
            if position in self._too_large or not self._list(state):
                self._too_large.add(position)
                return None
            number = self._number(position)
        value = int(self._values[number])
        if abs(value) in (UNKNOWN, DRAWN):
            return 0 if repetition_payoff.implementation(type(state)).function is repetition_payoff.default else None
        return value if abs(value) <= steps_to_draw(state) else None

    def _number(self, position: int) -> int:
        return int(number_of(position, self._keys, self._slots)) if len(self._slots) else -1

    def _list(self, state: State) -> bool:
        """List the positions after *state*; returns whether there was enough space."""
        work, room = self._work, self._most_positions
        work.positions, work.edges, work.is_full = 0, 0, 0
        keys, slots = large_array(room, np.int64), large_array(1 << (2 * room - 1).bit_length(), np.int64)
        rows, values, movers = np.zeros(room, row_type(type(state))), np.zeros(room, np.int64), np.zeros(room, np.int64)
        first, edges = np.zeros(room + 1, np.int64), np.zeros(room * _EDGES, np.int64)
        follow(state, rows, keys, slots, first, edges, values, movers, self._buffer, work)
        if work.is_full or work.stop:
            return False
        first_back, backward = np.zeros(room + 2, np.int64), np.zeros(max(1, int(work.edges)), np.int64)
        turn_round(first, edges, first_back, backward, work)
        left, queue = np.zeros(room, np.int64), np.zeros(room, np.int64)
        value_all(first, first_back, backward, values, movers, left, queue, work)
        if work.stop:
            return False
        self._keys, self._slots, self._values = keys, slots, values
        return True
