"""All plays of small positions of Santorini on graphs: who wins, how long a game can last, how many turns there are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.game.kernel import compiled
from papan.game.rules import State, is_over, key, mover, moves, payoff, play, santorini_graph

_FIRST_SLOTS = 1 << 12
_MOST_STEPS_ON_PATH = 1 << 10
_FULL = -1

ENTRY = np.dtype([("key", np.int64), ("answer", np.int64)])


class Outcome(NamedTuple):
    """What all plays of a position come to."""

    is_won: bool
    """Whether the seat to act can force a win."""
    longest: int
    """The turns of the longest game."""


class Explorer:
    """Answers about positions of one graph and one variant; a position that was met is known by its key."""

    def __init__(self) -> None:
        self._table = np.zeros(_FIRST_SLOTS, ENTRY)
        self._facts = np.zeros(2, np.int64)  # filled slots, the most turns to choose among
        self._buffer = np.empty(santorini_graph.MOST_STEPS * _MOST_STEPS_ON_PATH, np.int64)

    @property
    def positions(self) -> int:
        """How many positions, within turns as well, were looked at."""
        return int(self._facts[0])

    @property
    def most_turns(self) -> int:
        """The most turns that a seat had to choose among in any of them."""
        return int(self._facts[1])

    def outcome(self, state: State) -> Outcome:
        """What all plays of *state* come to."""
        if is_over(state):
            return Outcome(bool(payoff(state, mover(state)) > 0), 0)
        while (answer := int(explore(state, self._table, self._facts, self._buffer, 0))) == _FULL:
            self._table = np.zeros(4 * len(self._table), ENTRY)
            self._facts[0] = 0
        return Outcome(bool(answer & 1), answer >> 1)


@compiled
def explore(state: State, table: Any, facts: Any, buffer: Any, base: int) -> int:
    """Twice the turns of the longest game from *state* on, and 1 more if its mover wins; ``_FULL`` if the table is.

    ``buffer[base:]`` is free to use. Two positions of one key would be taken for one; keys have 63 bits.
    """
    position = key(state)
    slot = position & (len(table) - 1)
    while table[slot].answer != 0:
        if table[slot].key == position:
            return int(table[slot].answer)
        slot = (slot + 1) & (len(table) - 1)
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
    slot = position & (len(table) - 1)
    while table[slot].answer != 0:
        slot = (slot + 1) & (len(table) - 1)
    table[slot].key, table[slot].answer = position, 2 * longest + is_won
    facts[0] += 1
    return int(2 * longest + is_won)
