"""2048 on 2 × 2 cells, solved: the expected final score with best play.

Expectimax to all ends of the game, over some thousand positions.
"""

from __future__ import annotations

from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.twenty48 import WEIGHTS
from papan.ai.exact import MIB, Measure
from papan.ai.search.expectimax import ENTRY, Expectimax
from papan.game.base.sentences import figures, say
from papan.game.rules import CHANCE, State, mover, twenty48

IS_SOLVED = False
MEMORY = 3
"""MiB of the table, by default."""
LARGEST_SIZE = 2
"""Cells across; 3 × 3 would have tens of millions of positions."""


def can_solve(state: State) -> bool:
    """Whether the board is small enough, and the player must slide."""
    return bool(state.size <= LARGEST_SIZE and mover(state) != CHANCE)


def measure(state: State, score: float) -> Measure:
    """The measure of a proven *score*: the expected final points, those of *state* included."""
    return Measure(score, say("{points} points at the end on average", points=figures(score, ",.4f")), None)


class Exact(Expectimax):
    """Solves small boards. Its table stays true for all positions, and is kept from one to the next."""

    def __init__(self, memory: int | None = None) -> None:
        """:param memory: MiB of the table, rounded down to a power of two; default: ``MEMORY``."""
        entries = max(memory or MEMORY, 1) * MIB // ENTRY.itemsize
        super().__init__(twenty48, WEIGHTS[STANDARD], table_bits=entries.bit_length() - 1)
