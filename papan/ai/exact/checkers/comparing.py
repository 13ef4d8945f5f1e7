"""Positions of the tables of checkers' endings compared with what is found without them.

What the moves lead to must come to the same: if that holds of every position, all are right. And all that can come of
a position is listed and valued by ``papan.ai.puzzles.closure``, which knows nothing of tables, where that is not too
much.
"""

from __future__ import annotations

from papan.ai.evaluation.checkers.tables import Table
from papan.ai.exact.checkers import turns_by_moves, turns_of
from papan.ai.puzzles.closure import Closure
from papan.game.rules import mover
from papan.game.rules.checkers import MOST_STEPS
from papan.game.rules.checkers.board import State

MOST_LISTED = 500_000
"""Positions that are listed at most to value one."""


class Comparer:
    """Compares positions of tables."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._closure = Closure(MOST_STEPS, MOST_LISTED)

    def compare(self, state: State) -> tuple[bool, bool]:
        """Whether the tables are right about *state*, as far as can be told, and whether it was valued by listing."""
        turns = turns_of(state, self._table)
        is_right = turns_by_moves(state, self._table) == turns
        value = self._closure.value(state)
        if value is None:
            return is_right, False
        return is_right and _of_mover(value, state) == turns, True


def _of_mover(value: int, state: State) -> int:
    """The turns to the end for the seat to act, of a *value* of ``Closure``, which has one more."""
    if value == 0:
        return 0
    return abs(value) - 1 if (value > 0) == (mover(state) == 0) else 1 - abs(value)
