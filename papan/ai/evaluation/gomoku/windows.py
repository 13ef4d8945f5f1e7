"""The live windows of a position, found for three rows of cells at once: a window is the bit of its first cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.game.kernel import subroutine
from papan.game.kernel.bits import popcount, write_bits
from papan.game.rules.gomoku import BOARD, DIRECTIONS, LARGEST, ROW, WORD, WORDS, State, stones_in_word

ONES, TWOS, THREES, FOURS, OPEN_THREES = range(5)
COUNTS = 5
"""What is counted: live windows with one to four stones, and open threes."""

MASK = (1 << WORD) - 1

# The notes on a position are one array: words for each side, and counts.
MINE, THEIRS = 0, 1  # the sides: the seat to act, and the other one
PADDED = WORDS + 4
"""Words of one kind, with an empty one before and three after, for shifts."""
STONES, WINNING, IN_THREES, IN_TWOS = (kind * PADDED for kind in range(4))
"""Offsets: a side's stones; the empty cells of its live windows with four stones, three, two."""
SIDE = 4 * PADDED
"""The size of a side's notes."""
COUNTED = 2 * SIDE
NOTES = COUNTED + 2 * COUNTS

_DISTANCES = [[shift * distance for distance in range(6)] for shift in DIRECTIONS]
SKIPPED = np.array([[bits // WORD for bits in row] for row in _DISTANCES], np.int64)
SHIFT = np.array([[bits % WORD for bits in row] for row in _DISTANCES], np.int64)
"""How far the cells of a window are from its first one: whole words, and bits."""


def _starts() -> np.ndarray[Any, np.dtype[np.int64]]:
    """The words of the first cells of all windows, by the board's size and the direction."""
    table = np.zeros((LARGEST + 1, len(DIRECTIONS), WORDS), np.int64)
    for size in range(5, LARGEST + 1):
        for direction, (right, up) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
            for row in range(size - 4 * up):
                columns = range(4 if right < 0 else 0, size - 4 * max(0, right))
                table[size, direction, row // 3] |= sum(1 << (row % 3 * ROW + column) for column in columns)
    return table


STARTS = _starts()


@subroutine
def note_stones(state: State, notes: Any) -> None:
    """Write the stones of both sides into *notes*, ``NOTES`` zeros."""
    mine, theirs = MINE * SIDE, THEIRS * SIDE
    notes[mine + 1], notes[theirs + 1] = state.mine0, state.theirs0
    notes[mine + 2], notes[theirs + 2] = state.mine1, state.theirs1
    notes[mine + 3], notes[theirs + 3] = state.mine2, state.theirs2
    notes[mine + 4], notes[theirs + 4] = state.mine3, state.theirs3
    notes[mine + 5], notes[theirs + 5] = state.mine4, state.theirs4
    notes[mine + 6], notes[theirs + 6] = state.mine5, state.theirs5
    notes[mine + 7], notes[theirs + 7] = state.mine6, state.theirs6


@subroutine
def ahead(notes: Any, words: int, number: int, direction: int, distance: int) -> int:
    """Of the *words*, the bits *distance* cells further along *direction* than those of the word of that *number*."""
    at = words + number + 1 + int(SKIPPED[direction, distance])
    shift = int(SHIFT[direction, distance])
    return (int(notes[at]) >> shift | int(notes[at + 1]) << (WORD - shift)) & MASK


@subroutine
def live_windows(notes: Any, side: int, number: int, direction: int, starts: int) -> tuple[int, int, int]:
    """The binary digits 1, 2 and 4 of the stone counts of *side*'s live windows among *starts*."""
    own, other = side * SIDE, (1 - side) * SIDE
    ones, twos, fours, blocked = 0, 0, 0, 0
    for distance in range(5):
        stones = ahead(notes, own, number, direction, distance)
        carried = ones & stones
        ones ^= stones
        fours |= twos & carried
        twos ^= carried
        blocked |= ahead(notes, other, number, direction, distance)
    live = starts & ~blocked
    return ones & live, twos & live, fours & live


@subroutine
def without_long_rows(fours: int, notes: Any, own: int, number: int, direction: int) -> int:
    """Those windows of *fours* whose five would not be part of a longer row."""
    shift = int(SHIFT[direction, 1])
    before = int(notes[own + number + 1]) << shift | int(notes[own + number]) >> (WORD - shift)
    return fours & ~before & ~ahead(notes, own, number, direction, 5)


@subroutine
def mark_windows(windows: int, number: int, direction: int, notes: Any, own: int, marked: int) -> None:
    """Add the cells of *windows* that hold none of the stones *own* to the words *marked*."""
    for distance in range(5):
        cells = windows & ~ahead(notes, own, number, direction, distance)
        at = marked + number + 1 + int(SKIPPED[direction, distance])
        shift = int(SHIFT[direction, distance])
        notes[at] |= (cells << shift) & MASK
        notes[at + 1] |= cells >> (WORD - shift)


@subroutine
def survey(state: State, notes: Any, side: int) -> None:
    """Note the counts of *side*, and its winning cells."""
    own = side * SIDE
    counts = COUNTED + side * COUNTS
    for direction in range(len(DIRECTIONS)):
        shift = int(SHIFT[direction, 1])
        threes_above = 0
        for number in range(WORDS - 1, -1, -1):
            at = own + number + 1
            if notes[at] | notes[at + 1] | notes[at + 2] == 0:
                threes_above = 0
                continue
            starts = int(STARTS[state.size, direction, number])
            digit_1, digit_2, digit_4 = live_windows(notes, side, number, direction, starts)
            twos, threes, fours = digit_2 & ~digit_1, digit_2 & digit_1, digit_4
            if fours != 0 and state.exact != 0:
                fours = without_long_rows(fours, notes, own, number, direction)
            next_to = threes >> shift | threes_above << (WORD - shift)
            threes_above = threes
            notes[counts + ONES] += popcount(digit_1 & ~digit_2 & ~digit_4)
            notes[counts + TWOS] += popcount(twos)
            notes[counts + THREES] += popcount(threes)
            notes[counts + FOURS] += popcount(fours)
            notes[counts + OPEN_THREES] += popcount(threes & next_to & ~int(notes[at]))
            if fours != 0:
                mark_windows(fours, number, direction, notes, own, own + WINNING)


@subroutine
def count_cells(notes: Any, words: int) -> int:
    found = 0
    for number in range(WORDS):
        found += popcount(int(notes[words + number + 1]))
    return found


@subroutine
def write_marked(state: State, notes: Any, words: int, buffer: Any, base: int) -> int:
    """Write the empty cells that are marked in the *words*; return the index after the last."""
    for number in range(WORDS):
        empty = int(BOARD[state.size, number]) & ~stones_in_word(state, number)
        base = write_bits(int(notes[words + number + 1]) & empty, WORD * number, buffer, base)
    return base


@subroutine
def widen(notes: Any, words: int, wide: int, size: int) -> None:
    """Note in the words *wide* the cells of *words*, and those of the board next to them."""
    for number in range(WORDS):
        at = words + number + 1
        here = int(notes[at])
        rows = here | here << ROW | here >> ROW
        rows |= int(notes[at - 1]) >> (WORD - ROW) | int(notes[at + 1]) << (WORD - ROW)
        rows &= MASK
        notes[wide + number + 1] = (rows | rows << 1 | rows >> 1) & int(BOARD[size, number])


@subroutine
def mark_shared(windows: int, number: int, direction: int, notes: Any, own: int) -> None:
    """Mark the cells of *windows* that hold none of the stones *own*: in threes or, a second time, in twos."""
    for distance in range(5):
        cells = windows & ~ahead(notes, own, number, direction, distance)
        at = own + number + 1 + int(SKIPPED[direction, distance])
        shift = int(SHIFT[direction, distance])
        low, high = (cells << shift) & MASK, cells >> (WORD - shift)
        notes[at + IN_TWOS] |= notes[at + IN_THREES] & low
        notes[at + IN_THREES] |= low
        notes[at + 1 + IN_TWOS] |= notes[at + 1 + IN_THREES] & high
        notes[at + 1 + IN_THREES] |= high
