"""Small positions of Santorini on graphs by trying all plays: who wins, how long it lasts, how many turns there are."""

from __future__ import annotations

from typing import Any, NamedTuple

from papan.ai.exact.santorini_graph.making import FULL, Asker, slot_of
from papan.game.kernel import compiled
from papan.game.rules import State, is_over, key, mover, moves, payoff, play


class Outcome(NamedTuple):
    """What all plays of a position come to."""

    is_won: bool
    """Whether the seat to act can force a win."""
    longest: int
    """The turns of the longest game."""


class Explorer(Asker):
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


@compiled
def explore(state: State, table: Any, facts: Any, buffer: Any, base: int) -> int:
    """Twice the turns of the longest game from *state* on, and 1 more if its mover wins; ``FULL`` if the table is.

    ``buffer[base:]`` is free to use. Two positions of one key would be taken for one; keys have 63 bits.
    """
    position = key(state)
    known = int(table[slot_of(position, table)].answer)
    if known != 0:
        return known
    if facts[0] * 2 >= len(table):
        return FULL
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
        if answer == FULL:
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
