"""Lookup tables: what a stone changes in a row through its cell, by how the cells around it are filled.

A row is seen by one colour: a cell is its *own* stone, *blocked* by the other colour or the board's edge, or empty. The
cells around the middle one are a number in base 3, with digit 1 for own stones and 2 for blocked cells.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.game.kernel import inlined, subroutine

REACH = 5
"""The distance at which stones matter for the counts: an open three may end beside a stone."""
NEAR = 4
"""The distance at which they matter for what a stone would make."""
FIELD = 12
"""Bits of each packed count: windows with one to four stones, then open threes."""
COUNTED = 5

# What a stone on an empty cell would make in a row, from the least to the most.
LITTLE, TWO, OPEN_TWO, THREE, BROAD_THREE, OPEN_THREE, FOUR, STRAIGHT_FOUR, FIVE = range(9)
"""``LITTLE``: it is alone in each live window. ``TWO``, ``THREE``, ``FOUR``, ``FIVE``: with so many stones in one
window at most. ``BROAD_THREE``: in two windows or more. ``OPEN_TWO``, ``OPEN_THREE``: among the inner four of six
cells whose ends are empty. ``STRAIGHT_FOUR``: a four with two cells that complete it."""


def _digits(reach: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each base-3 number: which of ``2 * reach + 1`` cells are own stones, and which are blocked."""
    number = np.arange(3 ** (2 * reach))
    places = np.arange(2 * reach)
    digits = number[:, None] // 3**places % 3
    row = np.insert(digits, reach, 0, axis=1)
    return row == 1, row == 2


def ternary(reach: int) -> NDArray[np.int64]:
    """The base-3 number of each bit pattern of a row, without the middle."""
    bits = np.arange(1 << (2 * reach + 1))
    around = [place for place in range(2 * reach + 1) if place != reach]
    return np.asarray(sum((bits >> place & 1) * 3**digit for digit, place in enumerate(around)), np.int64)


def _open(own: NDArray[np.bool_], blocked: NDArray[np.bool_], number: int, start: int) -> NDArray[np.bool_]:
    """Where six cells from *start* have *number* own stones, all among the inner four, and no blocked cell."""
    six = slice(start, start + 6)
    has_empty_ends = ~own[:, start] & ~own[:, start + 5]
    found: NDArray[np.bool_] = has_empty_ends & ~blocked[:, six].any(axis=1) & (own[:, six].sum(axis=1) == number)
    return found


def _counts(own: NDArray[np.bool_], blocked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Packed counts of the windows and open threes that include the middle."""
    found = np.zeros(len(own), np.int64)
    for start in range(1, REACH + 1):
        window = slice(start, start + 5)
        stones = own[:, window].sum(axis=1)
        is_live = ~blocked[:, window].any(axis=1)
        for number in range(1, 5):
            found += (is_live & (stones == number)).astype(np.int64) << (FIELD * (number - 1))
    for start in range(REACH + 1):
        found += _open(own, blocked, 3, start).astype(np.int64) << (FIELD * 4)
    return found


@cache
def changes() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The changes of packed counts by an own stone, and by a blocking one, for each base-3 number."""
    own, blocked = _digits(REACH)
    before = _counts(own, blocked)
    with_stone, with_block = own.copy(), blocked.copy()
    with_stone[:, REACH] = with_block[:, REACH] = True
    return _counts(with_stone, blocked) - before, _counts(own, with_block) - before


def _made() -> NDArray[Any]:
    """What a stone would make in a row, by what is around its cell."""
    own, blocked = _digits(NEAR)
    windows = np.zeros((5, len(own)), np.int64)  # live ones, by their stones
    completing = np.zeros_like(own)  # cells that would complete a five with the stone
    is_open = {2: np.zeros(len(own), bool), 3: np.zeros(len(own), bool)}
    with_stone = own.copy()
    with_stone[:, NEAR] = True
    for start in range(NEAR + 1):
        window = slice(start, start + 5)
        stones = own[:, window].sum(axis=1)
        is_live = ~blocked[:, window].any(axis=1)
        for number in range(5):
            windows[number] += is_live & (stones == number)
        completing[:, window] |= (is_live & (stones == 3))[:, None] & ~with_stone[:, window]
    for start in range(NEAR):
        for number, found in is_open.items():
            found |= _open(with_stone, blocked, number, start)
    kinds = [
        (windows[4] > 0, FIVE),
        (completing.sum(axis=1) > 1, STRAIGHT_FOUR),
        (windows[3] > 0, FOUR),
        (is_open[3], OPEN_THREE),
        (windows[2] > 1, BROAD_THREE),
        (windows[2] > 0, THREE),
        (is_open[2], OPEN_TWO),
        (windows[1] > 0, TWO),
    ]
    return np.select([where for where, _ in kinds], [kind for _, kind in kinds], LITTLE).astype(np.int8)


MADE = _made()
OF_NO_KIND, IN_OPEN_TWOS, IN_THREES, IN_FOURS, IN_FIVES = range(5)
"""Kinds of cells, by the most that a stone there would make."""
KINDS = 5
_FIRST_OF_KIND = (LITTLE, OPEN_TWO, THREE, FOUR, FIVE)
_KIND_BY_MOST = np.searchsorted(_FIRST_OF_KIND, np.arange(FIVE + 1), "right") - 1

_POINTS = np.array([0, 3, 5, 6, 8, 30, 32, 600, 2000])
_DOUBLE_FOUR, _FOUR_AND_THREE, _DOUBLE_THREE = 500, 400, 150
"""Points of a stone in each row, and bonuses for combinations."""
_MOST_POINTS = (1 << 12) - 1
"""The largest that fits a look."""

KIND_BITS, POINTS_BITS = 16, 19
"""Offsets of the kind and the points in a *look*; below, four bits a direction say what a stone makes."""


@inlined
def made_in(look: int) -> int:
    """What a stone makes in each direction, by its *look*."""
    return look & ((1 << KIND_BITS) - 1)


@inlined
def kind_in(look: int) -> int:
    """The kind of a stone's cell, by its *look*."""
    return look >> KIND_BITS & 7


@inlined
def points_in(look: int) -> int:
    """How good a stone looks."""
    return look >> POINTS_BITS


@subroutine
def look_of(made: int) -> int:
    """The look of a stone that would make that, four bits for each direction; ``looks`` has it for all."""
    points, most, fours, threes = 0, 0, 0, 0
    for direction in range(4):
        kind = min(made >> (4 * direction) & 15, FIVE)
        most = max(most, kind)
        points += int(_POINTS[kind])
        fours += kind >= FOUR
        threes += kind == OPEN_THREE
    if fours > 1:
        points += _DOUBLE_FOUR
    elif fours == 1:
        points += _FOUR_AND_THREE if threes > 0 else 0
    elif threes > 1:
        points += _DOUBLE_THREE
    return made | int(_KIND_BY_MOST[most]) << KIND_BITS | min(points, _MOST_POINTS) << POINTS_BITS


@cache
def looks() -> NDArray[np.int32]:
    """The look of a stone, by what it makes in each direction, four bits each."""
    numbers = np.arange(1 << 16)
    made = np.minimum(numbers[:, None] >> np.arange(0, 16, 4) & 15, FIVE)
    fours, threes = (made >= FOUR).sum(axis=1), (made == OPEN_THREE).sum(axis=1)
    both = [fours > 1, (fours == 1) & (threes > 0), (fours == 0) & (threes > 1)]
    extra = np.select(both, [_DOUBLE_FOUR, _FOUR_AND_THREE, _DOUBLE_THREE], 0)
    points = np.minimum(_POINTS[made].sum(axis=1) + extra, _MOST_POINTS)
    return np.asarray(numbers | _KIND_BY_MOST[made.max(axis=1)] << KIND_BITS | points << POINTS_BITS, np.int32)


NEAR_TERNARY = ternary(NEAR)
"""The numbers to look ``MADE`` up by."""


def _together() -> NDArray[np.int64]:
    """Of the cells near one, those with no blocked cell between, by the bits of the blocked cells near it."""
    found = np.zeros(1 << (2 * NEAR + 1), np.int64)
    for blocked in range(len(found)):
        for sign in (-1, 1):
            for distance in range(1, NEAR + 1):
                place = NEAR + sign * distance
                if blocked >> place & 1:
                    break
                found[blocked] |= 1 << place
    return found


TOGETHER = _together()
"""The cells that may be in a live window together with the one in the middle, which is none of them itself."""
