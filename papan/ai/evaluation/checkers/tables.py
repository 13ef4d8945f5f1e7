"""Checkers' endgame tables: the turns to the end of every position with few pieces.

A position is stored from the view of the seat to move: with White to move the board is turned round and the colours are
swapped. The tables are one array of a byte for each position, *slice* by slice. A slice has all positions with the same
numbers of men and kings on either side; those with fewer pieces come first. Within a slice a position's index is a
number whose digits are the ranks of four sets of squares (own men, their men, own kings, their kings) among all sets of
that size, by sums of binomials (Lehmer's combinatorial number system). Indices of overlapping sets are unused.

A byte is 0 for a draw, else the turns to the end, if the winner takes the shortest way and the loser the longest: odd
for a win of the seat to move, even for a loss. Positions with a capture to make have no value: a search looks further
there anyway, and the file is smaller. The tables ignore the draw counter and repetitions; callers check that the
counter leaves enough time.
"""

from __future__ import annotations

from functools import cache
from math import comb
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import NO_ENDINGS, NOT_LISTED, turns_to_end
from papan.ai.learning.weight_files import WeightFileError, own_or_bundled, read_arrays
from papan.game.base.places import data_folder
from papan.game.base.untrusted import quoted_path
from papan.game.kernel import subroutine
from papan.game.kernel.bits import highest, lowest, popcount
from papan.game.rules.checkers.board import SQUARES, State, must_capture, square_of

ASSET = "endings/checkers.npz"

MOST_PIECES = 6
"""The most pieces of tables that can be made; the bundled ones have fewer."""
MAN_SQUARES = SQUARES - 4
"""The number of squares where a man can stand: all but the row that makes it a king."""

DRAWN = 0

Table = NDArray[np.uint8]

CHOOSE = np.array([[comb(n, k) for k in range(MOST_PIECES + 1)] for n in range(SQUARES + 1)], np.int64)
"""Binomials: the number of ways to choose k of n squares, at [n, k]."""


def slices(pieces: int) -> list[tuple[int, int, int, int]]:
    """The slices with exactly *pieces* pieces: own men, own kings, their men, their kings; those with fewer men first.

    Each stands next to the one with the sides exchanged.
    """
    found = [
        (own_men, own - own_men, their_men, pieces - own - their_men)
        for own in range(1, pieces)
        for own_men in range(own + 1)
        for their_men in range(pieces - own + 1)
    ]
    return sorted(found, key=lambda one: (one[0] + one[2], max(one, exchanged(one)), one))


def exchanged(one: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    return one[2], one[3], one[0], one[1]


def slice_size(own_men: int, own_kings: int, their_men: int, their_kings: int) -> int:
    men = comb(MAN_SQUARES, own_men) * comb(MAN_SQUARES, their_men)
    return men * comb(SQUARES, own_kings) * comb(SQUARES, their_kings)


def _offsets() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    width = MOST_PIECES + 1
    starts, ends = np.zeros((width,) * 4, np.int64), np.zeros(width, np.int64)
    end = 0
    for pieces in range(2, MOST_PIECES + 1):
        for one in slices(pieces):
            starts[one] = end
            end += slice_size(*one)
        ends[pieces] = end
    return starts, ends


SLICE_START, PIECES_END = _offsets()
"""The start of each slice, and the end of the tables by number of pieces."""


@subroutine
def rank(bits: int, first: int, is_turned: bool) -> int:
    """The number of a set of squares among those of its size; *is_turned* reads the board from the other side.

    :param first: the square that is counted as 0.
    """
    place, number = 0, 0
    while bits != 0:
        if is_turned:
            bit = highest(bits)
            bits ^= 1 << bit
            square = SQUARES - 1 - square_of(bit)
        else:
            bit = lowest(bits)
            bits &= bits - 1
            square = square_of(bit)
        number += 1
        place += int(CHOOSE[square - first, number])
    return place


@subroutine
def place_of(state: State) -> int:
    """The index of *state* in the tables, at the start of a turn with both sides on the board and few pieces."""
    is_turned = state.to_move != 0
    own, theirs = state.black, state.white
    if is_turned:
        own, theirs = theirs, own
    own_men, own_kings = own & ~state.kings, own & state.kings
    their_men, their_kings = theirs & ~state.kings, theirs & state.kings
    m, k, n, j = popcount(own_men), popcount(own_kings), popcount(their_men), popcount(their_kings)
    place = rank(own_men, 0, is_turned) * int(CHOOSE[MAN_SQUARES, n]) + rank(
        their_men, SQUARES - MAN_SQUARES, is_turned
    )
    place = place * int(CHOOSE[SQUARES, k]) + rank(own_kings, 0, is_turned)
    place = place * int(CHOOSE[SQUARES, j]) + rank(their_kings, 0, is_turned)
    return int(SLICE_START[m, k, n, j]) + place


@turns_to_end.of(State)
def _turns_to_end(state: State, endings: Any) -> int:
    pieces = popcount(state.black | state.white)
    if pieces > MOST_PIECES or len(endings) < PIECES_END[pieces] or must_capture(state):
        return NOT_LISTED
    turns = int(np.int64(endings[place_of(state)]))  # a byte is unsigned in compiled code, and would stay so
    return turns if turns & 1 != 0 else -turns


def most_pieces(endings: Table) -> int:
    """The most pieces of a position in *endings*; 0 for empty tables."""
    return max((pieces for pieces in range(2, MOST_PIECES + 1) if len(endings) >= PIECES_END[pieces]), default=0)


def own_file() -> Path:
    """The path of the user's own tables, which replace the bundled ones."""
    return data_folder() / "endings" / "checkers.npz"


@cache
def known_endings() -> Table:
    """The user's own tables, else the bundled ones; empty if both are damaged."""
    found = own_or_bundled(own_file(), ASSET, read_endings)
    return NO_ENDINGS if found is None else found


def read_endings(path: Path) -> Table:
    """The tables in the file *path*; raises WeightFileError if it holds none."""
    endings: Table = read_arrays(path, {"endings": np.uint8}, int(PIECES_END[MOST_PIECES]))["endings"]
    if endings.ndim != 1 or len(endings) not in PIECES_END[2:]:
        raise WeightFileError.saying("{file} holds no tables of checkers' endings.", file=quoted_path(path))
    return endings


def keep_tables(tables: Table, file: IO[bytes]) -> None:
    """Write *tables* to a file for ``read_endings``."""
    np.savez_compressed(file, endings=tables)
