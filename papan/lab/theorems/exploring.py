"""Small positions of Santorini on graphs by trying plays: who wins, and of all plays how long and how many turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from papan.game.kernel import compiled, subroutine
from papan.game.rules import State, is_over, key, mover, moves, payoff, play, santorini_graph

_FIRST_SLOTS = 1 << 12
_MOST_STEPS_ON_PATH = 1 << 10
_FULL = -1
_LOST, _WON = 1, 2
"""Answers of ``decide``; 0 is none."""

ENTRY = np.dtype([("key", np.int64), ("answer", np.int64)])


class Outcome(NamedTuple):
    """What all plays of a position come to."""

    is_won: bool
    """Whether the seat to act can force a win."""
    longest: int
    """The turns of the longest game."""


class _Asker:
    """Asks a kernel about positions of one graph and one variant; a position that was met is known by its key."""

    def __init__(self) -> None:
        self._table = np.zeros(_FIRST_SLOTS, ENTRY)
        self._facts = np.zeros(2, np.int64)  # filled slots, the most turns to choose among
        self._buffer = np.empty(santorini_graph.MOST_STEPS * _MOST_STEPS_ON_PATH, np.int64)

    @property
    def positions(self) -> int:
        """How many positions, within turns as well, were looked at."""
        return int(self._facts[0])

    def _ask(self, kernel: Callable[..., int], state: State) -> int:
        """What *kernel* says of *state*, with a table that is large enough."""
        while (answer := int(kernel(state, self._table, self._facts, self._buffer, 0))) == _FULL:
            self._table = np.zeros(4 * len(self._table), ENTRY)
            self._facts[0] = 0
        return answer


class Explorer(_Asker):
    """Tries every play to its end."""

    @property
    def most_turns(self) -> int:
        """The most turns that a seat had to choose among in any of them."""
        return int(self._facts[1])

    def outcome(self, state: State) -> Outcome:
        """What all plays of *state* come to."""
        if is_over(state):
            return Outcome(bool(payoff(state, mover(state)) > 0), 0)
        answer = self._ask(explore, state)
        return Outcome(bool(answer & 1), answer >> 1)


class Decider(_Asker):
    """Tries plays until it is known who wins."""

    def is_won(self, state: State) -> bool:
        """Whether the seat to act can force a win of *state*."""
        if is_over(state):
            return bool(payoff(state, mover(state)) > 0)
        return self._ask(decide, state) == _WON


@subroutine
def slot_of(position: int, table: Any) -> int:
    """Where the answer about the key *position* is, or is to be: there the answer is 0."""
    slot = position & (len(table) - 1)
    while table[slot].answer != 0 and table[slot].key != position:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@compiled
def explore(state: State, table: Any, facts: Any, buffer: Any, base: int) -> int:
    """Twice the turns of the longest game from *state* on, and 1 more if its mover wins; ``_FULL`` if the table is.

    ``buffer[base:]`` is free to use. Two positions of one key would be taken for one; keys have 63 bits.
    """
    position = key(state)
    known = int(table[slot_of(position, table)].answer)
    if known != 0:
        return known
    if facts[0] * 2 >= len(table):
        return _FULL
    seat = mover(state)
    end = moves(state, buffer, base)
    is_won, longest, turns = False, 0, 0
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        if is_over(after):
            is_won = is_won or payoff(after, seat) > 0
            longest = max(longest, 1)
            turns += 1
            continue
        answer = explore(after, table, facts, buffer, end)
        if answer == _FULL:
            return answer
        if mover(after) == seat:
            is_won = is_won or answer & 1 == 1
            longest = max(longest, answer >> 1)
            turns += moves(after, buffer, end) - end
        else:
            is_won = is_won or answer & 1 == 0
            longest = max(longest, 1 + (answer >> 1))
            turns += 1
    facts[1] = max(facts[1], turns)
    slot = slot_of(position, table)
    table[slot].key, table[slot].answer = position, 2 * longest + is_won
    facts[0] += 1
    return int(2 * longest + is_won)


@compiled
def decide(state: State, table: Any, facts: Any, buffer: Any, base: int) -> int:
    """``_WON`` if the mover of *state* can force a win, ``_LOST`` if not, ``_FULL`` if the table is.

    ``buffer[base:]`` is free to use. Two positions of one key would be taken for one; keys have 63 bits.
    """
    position = key(state)
    known = int(table[slot_of(position, table)].answer)
    if known != 0:
        return known
    if facts[0] * 2 >= len(table):
        return _FULL
    seat = mover(state)
    found = _LOST
    end = moves(state, buffer, base)
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        if is_over(after):
            wins = payoff(after, seat) > 0
        else:
            answer = decide(after, table, facts, buffer, end)
            if answer == _FULL:
                return answer
            wins = (answer == _WON) == (mover(after) == seat)
        if wins:
            found = _WON
            break
    slot = slot_of(position, table)
    table[slot].key, table[slot].answer = position, found
    facts[0] += 1
    return found
