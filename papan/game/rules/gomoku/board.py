"""The board of gomoku as words, rows of stones on it, and which rows win."""

from __future__ import annotations

import numpy as np

from papan.game.kernel import inlined, subroutine

LARGEST = 20
ROW = 21  # bits of a row
WORD = 3 * ROW  # bits of a word
WORDS = 7
CELLS = WORD * WORDS
"""Bits of a board."""
DIRECTIONS = (1, ROW, ROW + 1, ROW - 1)  # from a cell to the next one: along a row, a column, either diagonal

Words = tuple[int, int, int, int, int, int, int]
"""A set of cells in the words of a board, the lowest row first."""

FREE, EXACT, RENJU, CARO, EXACT_CARO = range(5)
"""Which rows win, as a state has it. ``FREE``: five or more. ``EXACT``: exactly five. ``RENJU``: exactly five of Black,
who has forbidden cells; five or more of White. ``CARO``: five or more, but not exactly five between two stones of the
other colour. ``EXACT_CARO``: exactly five, but not between two such stones.
"""

BOARD = np.array(
    [
        [sum(((1 << size) - 1) << (ROW * row) for row in range(3) if 3 * word + row < size) for word in range(WORDS)]
        for size in range(LARGEST + 1)
    ],
    np.int64,
)
"""The words of a whole board, by its size."""


@inlined
def word_of(words: Words, number: int) -> int:
    """The word of that *number* among a board's *words*."""
    if number == 0:
        return words[0]
    if number == 1:
        return words[1]
    if number == 2:
        return words[2]
    if number == 3:
        return words[3]
    if number == 4:
        return words[4]
    if number == 5:
        return words[5]
    return words[6]


@inlined
def is_in(words: Words, cell: int) -> bool:
    """Whether *cell*, which may be off the board, is among *words*."""
    return 0 <= cell < CELLS and word_of(words, cell // WORD) >> (cell % WORD) & 1 != 0


@inlined
def stones_beside(stones: Words, cell: int, distance: int) -> int:
    """The number of consecutive *stones* next to *cell*, *distance* bits apart: five at most."""
    count, at = 0, cell + distance
    while count < 5 and 0 <= at < CELLS and word_of(stones, at // WORD) >> (at % WORD) & 1:
        count += 1
        at += distance
    return count


@inlined
def long_rows_win(rule: int, colour: int) -> bool:
    """Whether more than five in a row win for *colour*, 0 for Black."""
    return rule in (FREE, CARO) or (rule == RENJU and colour == 1)


@inlined
def around(words: Words, cell: int) -> int:
    """The bits of *words* from ``ROW`` + 1 before *cell*, which is bit ``ROW`` + 1, to as many after it."""
    first = cell - (ROW + 1) + WORD
    number, shift = first // WORD - 1, first % WORD
    before = word_of(words, number) >> shift if number >= 0 else 0
    after = word_of(words, number + 1) << (WORD - shift) if number + 1 < WORDS else 0
    return before | after


@subroutine
def makes_five(own: Words, cell: int) -> bool:
    """Whether *cell*, one of the stones *own*, is in a row of at least five of them."""
    near = around(own, cell)
    for distance in DIRECTIONS:
        if near & (1 << (ROW + 1 + distance) | 1 << (ROW + 1 - distance)) == 0:
            continue
        if stones_beside(own, cell, distance) + stones_beside(own, cell, -distance) >= 4:
            return True
    return False


@subroutine
def completes_five(own: Words, other: Words, cell: int, rule: int, colour: int) -> bool:
    """Whether *cell*, one of *colour*'s stones *own*, is in a row that wins; *other* are the other colour's stones."""
    for distance in DIRECTIONS:
        ahead, behind = stones_beside(own, cell, distance), stones_beside(own, cell, -distance)
        if ahead + behind == 4:
            if rule < CARO:
                return True
            if not (is_in(other, cell + (ahead + 1) * distance) and is_in(other, cell - (behind + 1) * distance)):
                return True
        elif ahead + behind > 4 and long_rows_win(rule, colour):
            return True
    return False
