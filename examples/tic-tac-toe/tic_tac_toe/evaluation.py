"""Tic-tac-toe: what a position is worth is how many lines are still open to each seat."""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.evaluation import STANDARD, Level, OwnPlayer, Weights, evaluate
from papan.game.kernel import subroutine
from papan.game.rules import mover
from tic_tac_toe import COLUMN, FALLING, RISING, ROW, SIZE, State

WEIGHTS = {STANDARD: (1.0,)}  # of a line without the opponent's marks
SCALE = 3.0
THRESHOLD = SCALE
LEVELS = {"easy": Level(1), "medium": Level(3), "hard": Level(None)}
PLAYERS: Mapping[str, OwnPlayer] = {}


@subroutine
def open_lines(theirs: int) -> int:
    """How many lines hold none of the marks *theirs*."""
    lines = int(not theirs & RISING) + int(not theirs & FALLING)
    for line in range(SIZE):
        lines += int(not theirs & ROW << SIZE * line) + int(not theirs & COLUMN << line)
    return lines


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    ahead: float = weights[0] * (open_lines(state.theirs) - open_lines(state.mine))
    return ahead if seat == mover(state) else -ahead
