"""Renju's forbidden cells: where Black makes a row of more than five, two fours at once, or two threes at once.

A stone that makes exactly five in a row is always allowed. A *four* is four stones of which one more makes exactly
five. A *straight four* is a four without a gap that both cells at its ends complete. A *three* is three stones of which
one more, on a cell that is allowed itself and completes no five, makes a straight four; so threes depend on further
cells. These are paragraphs 9.2 and 9.3 of the rules of the Renju International Federation.

A row is seen as eleven bits, the new stone's in the middle.
"""

from __future__ import annotations

from typing import Any

from papan.game.kernel import inlined, subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.gomoku.board import CELLS, DIRECTIONS, WORD, WORDS, Words, word_of

FIVE, ALLOWED, LONG_ROW, TWO_FOURS, TWO_THREES = range(-1, 4)
"""What ``verdict`` says of a cell: the last three are forbidden."""

_MIDDLE = 5
_WIDTH = 2 * _MIDDLE + 1
_FEWEST = 4
"""Stones near a cell, in all its rows, without which it can't be forbidden; in one row they suffice for it."""
_NEAR = 4
"""The distance of these stones."""
_BITS = 4
"""Of the number of stones near a cell in one direction."""


@subroutine
def row_around(words: Words, cell: int, distance: int) -> int:
    """The cells of *words* in the row around *cell*, without itself; *distance* bits lie between two cells."""
    row, at = 0, cell - _MIDDLE * distance
    for place in range(_WIDTH):
        if place != _MIDDLE and 0 <= at < CELLS and words[at // WORD] >> (at % WORD) & 1:
            row |= 1 << place
        at += distance
    return row


@subroutine
def count_near(black: Words, near: Any) -> None:
    """Count the stones of *black* near each cell in its four rows, ``_BITS`` bits each, into the zeros *near*."""
    for number in range(WORDS):
        bits = word_of(black, number)
        while bits != 0:
            cell = WORD * number + lowest(bits)
            bits &= bits - 1
            for direction in range(len(DIRECTIONS)):
                distance = DIRECTIONS[direction]
                for place in range(1, _NEAR + 1):
                    if cell + place * distance < CELLS:
                        near[cell + place * distance] += 1 << (_BITS * direction)
                    if cell >= place * distance:
                        near[cell - place * distance] += 1 << (_BITS * direction)


@subroutine
def may_be_forbidden(near: int) -> bool:
    """Whether a cell with so many stones *near* it may be forbidden: two threes need two stones each in two rows."""
    rows = 0
    for direction in range(len(DIRECTIONS)):
        stones = near >> (_BITS * direction) & ((1 << _BITS) - 1)
        if stones >= _FEWEST:
            return True
        rows += stones > 1
    return rows > 1


@inlined
def length_of(row: int) -> int:
    """The number of stones in a row with the middle one."""
    first, last = _MIDDLE, _MIDDLE
    while row >> (last + 1) & 1:
        last += 1
    while first > 0 and row >> (first - 1) & 1:
        first -= 1
    return last - first + 1


@subroutine
def fours_in(row: int, free: int) -> int:
    """The number of fours with the middle stone."""
    count, before = 0, 0
    for start in range(1, _MIDDLE + 1):
        five = row >> start & 31
        is_four = popcount(five) == 4 and free >> start & 31 == 31 ^ five
        if is_four and row >> (start - 1) & 1 == 0 and row >> (start + 5) & 1 == 0:
            if five << start != before:  # a straight four is found twice
                count += 1
            before = five << start
    return count


@subroutine
def straight_four_in(row: int, free: int, start: int) -> int:
    """The place where a stone makes a straight four on four places from *start*, the middle among them; or -1."""
    four = row >> start & 15
    gap = 15 ^ four
    if popcount(four) != 3 or free >> start & gap != gap:
        return -1
    if free >> (start - 1) & 1 == 0 or free >> (start + 4) & 1 == 0:
        return -1
    if row >> (start - 2) & 1 or row >> (start + 5) & 1:
        return -1
    place = start
    while gap > 1:
        gap >>= 1
        place += 1
    return place


@subroutine
def may_become_straight(row: int, free: int) -> bool:
    """Whether one more stone would make a straight four of the middle one's row, if it is allowed."""
    for start in range(2, _MIDDLE + 1):
        if straight_four_in(row, free, start) >= 0:
            return True
    return False


@inlined
def word_with(words: Words, number: int, cell: int) -> int:
    """The word of that *number* with *cell* changed."""
    return word_of(words, number) ^ (1 << (cell % WORD) if cell // WORD == number else 0)


@inlined
def changed(words: Words, cell: int) -> Words:
    """*words* with *cell* added, or taken out if it was among them."""
    return (
        word_with(words, 0, cell),
        word_with(words, 1, cell),
        word_with(words, 2, cell),
        word_with(words, 3, cell),
        word_with(words, 4, cell),
        word_with(words, 5, cell),
        word_with(words, 6, cell),
    )


@subroutine
def verdict(black: Words, free: Words, cell: int) -> int:
    """What a black stone on the *free* cell would be: ``FIVE``, ``ALLOWED``, or why it is forbidden."""
    near, threes, fours, is_long = 0, 0, 0, False
    for distance in DIRECTIONS:
        row = row_around(black, cell, distance)
        near += popcount(row)
        row |= 1 << _MIDDLE
        length = length_of(row)
        if length == 5:
            return FIVE
        is_long = is_long or length > 5
        if popcount(row) > 2:
            empty = row_around(free, cell, distance)
            fours += fours_in(row, empty)
            threes += may_become_straight(row, empty)
    if is_long:
        return LONG_ROW
    if fours > 1:
        return TWO_FOURS
    if near < _FEWEST or threes < 2:
        return ALLOWED
    after, left = changed(black, cell), changed(free, cell)
    threes = 0
    for distance in DIRECTIONS:
        row = row_around(black, cell, distance) | 1 << _MIDDLE
        empty = row_around(free, cell, distance)
        for start in range(2, _MIDDLE + 1):
            place = straight_four_in(row, empty, start)
            if place >= 0 and verdict(after, left, cell + (place - _MIDDLE) * distance) == ALLOWED:
                threes += 1
                break
    return TWO_THREES if threes > 1 else ALLOWED
