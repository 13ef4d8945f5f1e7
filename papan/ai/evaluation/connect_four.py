"""Connect Four: open threats count, the more so where parity lets their owner play them at last."""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.evaluation import (
    STANDARD,
    Level,
    OwnPlayer,
    Weights,
    evaluate,
)
from papan.game.kernel import subroutine
from papan.game.kernel.bits import popcount
from papan.game.rules import mover
from papan.game.rules.connect_four import BOTTOM, COLUMNS, FULL, HEIGHT, ROWS, State

# Weights of: a cell that would complete four; the same on a row that zugzwang gives its owner; a disc in the centre.
WEIGHTS = {STANDARD: (6.0, 9.0, 1.0)}
SCALE = 12.0
THRESHOLD = SCALE
LEVELS = {"easy": Level(1), "medium": Level(4), "hard": Level(None)}
PLAYERS: Mapping[str, OwnPlayer] = {}

CENTRE = ((1 << ROWS) - 1) << (COLUMNS // 2 * HEIGHT)
ODD_ROWS = BOTTOM * 0b010101  # the first, third and fifth row
EVEN_ROWS = BOTTOM * 0b101010


@subroutine
def completing_cells(discs: int, empty: int) -> int:
    """The *empty* cells, reachable now or later, that would make four in a row of *discs*."""
    cells = (discs << 1) & (discs << 2) & (discs << 3)
    for shift in (HEIGHT, HEIGHT - 1, HEIGHT + 1):
        right = (discs >> shift) & (discs >> (2 * shift))
        left = (discs << shift) & (discs << (2 * shift))
        cells |= right & (discs >> (3 * shift)) | right & (discs << shift)
        cells |= left & (discs << (3 * shift)) | left & (discs >> shift)
    return cells & empty


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    empty = FULL & ~(state.mine | state.theirs)
    first_moves = mover(state) == 0
    first = state.mine if first_moves else state.theirs
    second = state.theirs if first_moves else state.mine
    # With all else filled, the seat that started gets the odd rows and the other one the even rows.
    ahead: float = (
        weights[0] * (popcount(completing_cells(first, empty)) - popcount(completing_cells(second, empty)))
        + weights[1] * popcount(completing_cells(first, empty) & ODD_ROWS)
        - weights[1] * popcount(completing_cells(second, empty) & EVEN_ROWS)
        + weights[2] * (popcount(first & CENTRE) - popcount(second & CENTRE))
    )
    return ahead if seat == 0 else -ahead
