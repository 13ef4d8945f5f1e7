"""2048: the score so far, and what the rows and columns of the board promise for the time to come.

The features are those of Robert Xiao's program of 2014, the best known of the handmade ones: each row and each
column counts for its empty cells, its pairs that can merge, for being in order, and against tiles that are large
and therefore of little use. All four are looked up in one table by the 16 bits of the line. Here they are worth
points of the game's score, so that they can be weighed against a merge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.evaluation import STANDARD, Level, Weights, evaluate
from game.kernel import subroutine
from game.twenty48 import FIELD, State, cells_of_rows, lower_turned, upper_turned

ORDER_POWER = 4.0
SIZE_POWER = 3.5

# Weights of: a line that is still in play; an empty cell of a line; a tile that can merge in a line;
# and, in a line, the disorder and the size as ``_lines`` defines them.
WEIGHTS = {STANDARD: (2000.0, 2.7, 7.0, -0.47, -0.11), "score": (0.0, 0.0, 0.0, 0.0, 0.0)}
SCALE = 1.0
LEVELS = {"easy": Level(1, "score"), "medium": Level(1), "hard": Level(None)}
PLAYERS: dict[str, str] = {}

# Where each feature stands in the table: eight lines can be added up without one running into the next.
EMPTY_BITS, MERGE_BITS, DISORDER_BITS = 8, 8, 22
_MERGE_SHIFT = EMPTY_BITS
_DISORDER_SHIFT = _MERGE_SHIFT + MERGE_BITS
_SIZE_SHIFT = _DISORDER_SHIFT + DISORDER_BITS
_LINES = 2 * FIELD
_ROW = 0xFFFF


def _lines() -> np.ndarray[Any, np.dtype[np.int64]]:
    """The features of each possible line, side by side in the bits of one integer.

    With the tiles as powers of two, *size* is the sum of their 3.5th powers. *Disorder* is the sum of the steps
    down, or of the steps up, whichever is less, a step being the difference of fourth powers: 0 for a line that
    only rises or only falls.
    """
    powers = cells_of_rows()
    empty = (powers == 0).sum(axis=1)
    is_pair = (powers[:, 1:] == powers[:, :-1]) & (powers[:, 1:] > 0)
    beside = np.zeros((len(powers), FIELD), bool)
    beside[:, 1:] |= is_pair
    beside[:, :-1] |= is_pair
    steps = np.diff(powers.astype(float) ** ORDER_POWER, axis=1)
    disorder = np.minimum(np.maximum(steps, 0).sum(axis=1), np.maximum(-steps, 0).sum(axis=1))
    size = np.rint((powers.astype(float) ** SIZE_POWER).sum(axis=1))
    packed = empty | beside.sum(axis=1) << _MERGE_SHIFT | disorder.astype(np.int64) << _DISORDER_SHIFT
    return np.array(packed | size.astype(np.int64) << _SIZE_SHIFT, np.int64)


LINES = _lines()


@subroutine
def two_lines(rows: int) -> int:
    """The features of two rows, added up."""
    return int(LINES[rows & _ROW]) + int(LINES[rows >> 16])


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    upper, lower = state.upper, state.lower
    features = two_lines(upper) + two_lines(lower)
    features += two_lines(upper_turned(upper, lower)) + two_lines(lower_turned(upper, lower))
    promised: float = (
        weights[0] * _LINES
        + weights[1] * (features & ((1 << EMPTY_BITS) - 1))
        + weights[2] * (features >> _MERGE_SHIFT & ((1 << MERGE_BITS) - 1))
        + weights[3] * (features >> _DISORDER_SHIFT & ((1 << DISORDER_BITS) - 1))
        + weights[4] * (features >> _SIZE_SHIFT)
    )
    return state.score + promised
