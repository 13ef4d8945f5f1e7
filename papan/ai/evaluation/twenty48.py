"""2048: the score so far, and the prospects of the board's rows and columns.

The features are those of Robert Xiao's program of 2014: each row and column counts for its empty cells, its pairs that
can merge and its order, and against large tiles. All are looked up in one table by the 16 bits of the line, and are in
points of the game's score, to be comparable with a merge.

Learned weights are those of an n-tuple network (``papan.ai.learning``), behind the standard ones, which are for smaller
boards. They predict the points to come.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from papan.ai.evaluation import (
    CONSPIRACY,
    STANDARD,
    Level,
    OwnPlayer,
    Searching,
    Strength,
    Weights,
    WeightValues,
    evaluate,
    mean_evaluation,
    milestone,
)
from papan.ai.evaluation.terms import Features, Term, named_terms
from papan.ai.learning.network import network_value
from papan.ai.learning.twenty48 import LAYOUT
from papan.game.base.sentences import say
from papan.game.kernel import inlined, subroutine
from papan.game.rules import chance, play
from papan.game.rules.twenty48 import DIRECTIONS
from papan.game.rules.twenty48.board import FIELD, State, cells_of_rows, lower_of_turned, tile, upper_of_turned

ORDER_POWER = 4.0
SIZE_POWER = 3.5

SNAKE = (1.0, 0.5**4, 0.5**8, 0.5**12)
"""What the largest cell of each row weighs, each following cell half of the one before: along a snake from a corner, to
the right in the first row, back in the second. Equation 9 of Primanita, Khalid and Iida (2021) leaves the matrix open;
these are our weights for it. The sum of weight times tile is largest where the tiles fall along the snake.
"""

FEATURES = Features(
    # Of the lines of the board, rows and columns.
    lines_left=say("rows and columns in play"),
    empty=say("empty cells"),
    merges=say("tiles that can merge"),
    disorder=say("disorder in rows and columns"),  # as ``_lines`` defines it
    tile_size=say("large tiles"),  # the same
)
LINES_LEFT, EMPTY, MERGES, DISORDER, TILE_SIZE = FEATURES.indices
TERMS = FEATURES.titles
SNAKE_ROWS = (
    say("the snake's first row"),
    say("the snake's second row"),
    say("the snake's third row"),
    say("the snake's fourth row"),
)
LEARNED = len(FEATURES)
"""Where the weights of the network begin, in vectors that have some."""
WEIGHTS = {
    STANDARD: FEATURES.weights(lines_left=2000.0, empty=2.7, merges=7.0, disorder=-0.47, tile_size=-0.11),
    "score": FEATURES.weights(),
    CONSPIRACY: SNAKE,
}
SCALE = 1.0
THRESHOLD = 5.5
"""By ``SNAKE``, while the largest tile is at most a 4. A perfect snake 4, 2, 1 … is worth 5.33 at most: so no order of
the tiles reaches T before there is a second largest tile, whatever its size.
"""
LEVELS = {"easy": Level(1, "score"), "medium": Level(1), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 0.5, blindness=0.45, weights="score"),
    "easy",
    Strength(1, 1.0, blindness=0.2),
    Strength(1, 0.5, blindness=0.07),
    "medium",
    Strength(2, 60.0),
    Strength(3, 42.0),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {
    name: Searching(CONSPIRACY, depth, prefers_wins=False)
    for name, depth in (("rookie", 2), ("casual", 3), ("expert", 4), ("master", 5))
}
"""Expectimax to a fixed depth on ``SNAKE``, ends included: the players of Primanita, Khalid and Iida (2021), tables 4
and 6, equation 9."""

FORECASTS: Mapping[int, WeightValues] = {
    2: FEATURES.weights(lines_left=-0.35, empty=2.41, merges=2.37, disorder=0.045, tile_size=-0.104),
    3: FEATURES.weights(lines_left=322.9, empty=-12.06, merges=4.01, disorder=-0.126, tile_size=-0.346),
    4: FEATURES.weights(lines_left=1323.6, empty=28.42, merges=21.14, disorder=-0.373, tile_size=-0.419),
}
"""By board size: predictions of the points to come, by least squares over games of expectimax to depths 6, 2 and 1."""


def forecast(state: State) -> WeightValues:
    return FORECASTS[state.size]


def terms(state: State, weights: WeightValues) -> Sequence[Term]:
    """The terms of *weights*: features, or the rows of the snake; a network has none."""
    if len(weights) != len(SNAKE):
        return named_terms(FEATURES, TERMS, weights)
    return [
        Term(f"row{row + 1}", title, ((row, float(weights[row])),), 1.0)
        for row, title in enumerate(SNAKE_ROWS[: state.size])
    ]


# Bits of each feature in the table: eight lines can be added without overflow.
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
def one_line(row: int) -> int:
    """The features of the lowest 16 bits of *row*."""
    return int(LINES[row & _ROW])


@subroutine
def two_lines(rows: int) -> int:
    return one_line(rows) + one_line(rows >> 16)


def _slopes() -> np.ndarray[Any, np.dtype[np.float32]]:
    """The sums of the tiles of each possible line, halved from cell to cell: from the left, and from the right.

    Both are exact, as tiles are powers of two: an array of 65,536 by 2.
    """
    powers = cells_of_rows()
    tiles = np.where(powers > 0, np.exp2(powers), 0.0)
    halves = 0.5 ** np.arange(FIELD)
    return np.array(np.stack((tiles @ halves, tiles @ halves[::-1]), 1), np.float32)


SLOPES = _slopes()


def _halvings() -> np.ndarray[Any, np.dtype[np.float64]]:
    """What each column weighs beside its row's weight: by size, odd row, and whether the row is mirrored."""
    found = np.zeros((FIELD + 1, 2, 2, FIELD))
    from_left, from_right = 0.5 ** np.arange(FIELD), 0.5 ** np.arange(FIELD)[::-1]
    for size in range(1, FIELD + 1):
        wide = float(1 << (FIELD - size))
        found[size] = ((from_left, wide * from_right), (from_right, from_left / wide))
    return found


HALVINGS = _halvings()


@subroutine
def sums_along_rows(upper: int, lower: int, size: int, weights: Weights) -> tuple[float, float, float, float]:
    """The weighted sums of tiles of the board, mirrored, flipped, and both."""
    last = size - 1
    wide = float(1 << (FIELD - size))  # a smaller board's missing cells, as halvings
    narrow = 1.0 / wide
    plain, mirrored, flipped, both = 0.0, 0.0, 0.0, 0.0
    for row in range(FIELD):  # those that the board lacks are empty
        line = (upper >> 16 * row if row < 2 else lower >> 16 * (row - 2)) & _ROW
        from_left, from_right = float(SLOPES[line, 0]), float(SLOPES[line, 1])
        # Even rows of the snake go away from the corner, odd ones come back; mirrored, the other way.
        away, away_mirrored = from_left, wide * from_right
        back, back_mirrored = from_right, narrow * from_left
        is_away, is_away_flipped = row & 1 == 0, (last - row) & 1 == 0
        plain += weights[row] * (away if is_away else back)
        mirrored += weights[row] * (away_mirrored if is_away else back_mirrored)
        flipped += weights[last - row] * (away if is_away_flipped else back)
        both += weights[last - row] * (away_mirrored if is_away_flipped else back_mirrored)
    return plain, mirrored, flipped, both


@subroutine
def along_snake(state: State, weights: Weights) -> float:
    """The largest weighted sum of tiles among all symmetries of the board."""
    upper, lower, size = state.upper, state.lower, state.size
    best = max(sums_along_rows(upper, lower, size, weights))
    return max(best, max(sums_along_rows(upper_of_turned(upper, lower), lower_of_turned(upper, lower), size, weights)))


@subroutine
def weight_along_rows(row: int, column: int, symmetry: int, size: int, weights: Weights) -> float:
    """The weight of a cell in one of the sums of ``sums_along_rows``."""
    place = row if symmetry < 2 else size - 1 - row
    weight: float = weights[place] * HALVINGS[size, place & 1, symmetry & 1, column]
    return weight


@mean_evaluation.of(State)
@subroutine
def _mean_evaluation(state: State, seat: int, weights: Weights) -> float:
    """By the snake only: a new tile adds its value times a weight to each symmetry's sum."""
    if len(weights) != len(SNAKE):
        return math.inf
    upper, lower, size = state.upper, state.lower, state.size
    sums = sums_along_rows(upper, lower, size, weights)
    turned = sums_along_rows(upper_of_turned(upper, lower), lower_of_turned(upper, lower), size, weights)
    is_two, is_four = chance(state, 0), chance(state, 1)
    mean = 0.0
    for row in range(size):
        for column in range(size):
            if tile(state, FIELD * row + column) != 0:
                continue
            two, four = -math.inf, -math.inf
            for symmetry in range(4):
                more = weight_along_rows(row, column, symmetry, size, weights)
                two, four = max(two, sums[symmetry] + 2.0 * more), max(four, sums[symmetry] + 4.0 * more)
                more = weight_along_rows(column, row, symmetry, size, weights)
                two, four = max(two, turned[symmetry] + 2.0 * more), max(four, turned[symmetry] + 4.0 * more)
            mean += is_two * two
            mean += is_four * four
    return mean


@subroutine
def learned_promise(state: State, weights: Weights) -> float:
    """The score plus the network's prediction for afterstates; a board to slide has that of its best slide."""
    if state.awaits_tile:
        return state.score + network_value(state, LAYOUT, weights, LEARNED)
    most = -math.inf
    for step in range(len(DIRECTIONS)):
        after = play(state, step)
        if after.upper != state.upper or after.lower != state.lower:
            most = max(most, after.score + network_value(after, LAYOUT, weights, LEARNED))
    return most


@milestone.of(State)
def _milestone(state: State) -> int:
    """One for each doubling of the largest tile since it was a 4."""
    largest = 0
    for cell in range(FIELD * FIELD):
        largest = max(largest, tile(state, cell))
    return max(0, largest - 2)


@evaluate.of(State)
@inlined
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    if len(weights) == len(SNAKE):
        return along_snake(state, weights)
    if len(weights) > LEARNED and state.size == FIELD:
        return learned_promise(state, weights)
    upper, lower = state.upper, state.lower
    features = two_lines(upper) + two_lines(lower)
    features += two_lines(upper_of_turned(upper, lower)) + two_lines(lower_of_turned(upper, lower))
    promised: float = (
        weights[LINES_LEFT] * _LINES
        + weights[EMPTY] * (features & ((1 << EMPTY_BITS) - 1))
        + weights[MERGES] * (features >> _MERGE_SHIFT & ((1 << MERGE_BITS) - 1))
        + weights[DISORDER] * (features >> _DISORDER_SHIFT & ((1 << DISORDER_BITS) - 1))
        + weights[TILE_SIZE] * (features >> _SIZE_SHIFT)
    )
    return state.score + promised
