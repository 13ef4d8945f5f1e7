"""The board of checkers in bits, its squares, and moves.

In bitboards there is one more bit after every two rows, always empty, so that the four diagonal
neighbours are 4 and 5 bits away, on all rows, and nothing runs over an edge::

       0   1   2   3          the squares  1 to  4
     4   5   6   7                         5 to  8
       9  10  11  12          (8 is empty)
    13  14  15  16
      18  19  20  21          (17 is empty)
    22  23  24  25
      27  28  29  30          (26 is empty)
    31  32  33  34                        29 to 32
"""

from __future__ import annotations

from typing import NamedTuple

from papan.game.base.sentences import say
from papan.game.kernel import int64, state, subroutine
from papan.game.kernel.bits import lowest

SQUARES = 32
MEN = 12
QUIET_TURNS = 80
"""Turns of both sides together without a capture or a man's move that make a draw."""

COLOURS = (say("Black"), say("White"))


@state
class State(NamedTuple):
    """All pieces by colour, the kings among them, and the seat to move."""

    black: int64
    white: int64
    kings: int64
    to_move: int64
    jumper: int64
    """In the middle of a turn, the piece that must jump on; 0 at the start of a turn."""
    quiet: int64
    """Turns since the last capture or man's move."""


@subroutine
def bit_of(square: int) -> int:
    """The bit of a square counted from 0."""
    return square + (square >> 3)


@subroutine
def square_of(bit: int) -> int:
    """The square, counted from 0, of *bit*, which is that of a square."""
    return bit - bit // 9


BOARD = sum(1 << bit_of(square) for square in range(SQUARES))
ROW_ONE = 0b1111
ROW_EIGHT = ROW_ONE << bit_of(28)
START = State((1 << bit_of(MEN)) - 1 & BOARD, BOARD & -1 << bit_of(SQUARES - MEN), 0, 0, 0, 0)


@subroutine
def pieces_of(state: State, seat: int) -> int:
    """The pieces of *seat*."""
    return state.black if seat == 0 else state.white


@subroutine
def downward(state: State, seat: int) -> int:
    """The pieces of *seat* that may move to higher numbers: all of Black's, White's kings."""
    return state.black if seat == 0 else state.white & state.kings


@subroutine
def upward(state: State, seat: int) -> int:
    """The pieces of *seat* that may move to lower numbers: all of White's, Black's kings."""
    return state.white if seat == 1 else state.black & state.kings


@subroutine
def can_jump(down: int, up: int, theirs: int, empty: int) -> bool:
    """Whether one of the pieces *down*, which move to higher numbers, or *up*, to lower ones, can capture."""
    found = ((down << 4 & theirs) << 4 | (down << 5 & theirs) << 5) & empty
    return (found | ((up >> 4 & theirs) >> 4 | (up >> 5 & theirs) >> 5) & empty) != 0


@subroutine
def must_capture(state: State) -> bool:
    """Whether the seat to act has a capture, which is then compulsory."""
    seat = state.to_move
    empty = BOARD & ~(state.black | state.white)
    return can_jump(downward(state, seat), upward(state, seat), pieces_of(state, 1 - seat), empty)


@subroutine
def can_act(state: State) -> bool:
    """Whether the seat to act has any move."""
    down, up = downward(state, state.to_move), upward(state, state.to_move)
    empty = BOARD & ~(state.black | state.white)
    return ((down << 4 | down << 5 | up >> 4 | up >> 5) & empty) != 0 or must_capture(state)


@subroutine
def write_steps(targets: int, distance: int, buffer: list[int], base: int) -> int:
    """Write the step to each of *targets* from *distance* bits below it; return the index after the last."""
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        buffer[base] = square_of(target - distance) << 5 | square_of(target)
        base += 1
    return base


def squares_of(bits: int) -> list[int]:
    """The squares, counted from 0, of the bits in *bits*, in order."""
    return [square for square in range(SQUARES) if bits >> bit_of(square) & 1]


def column_and_row(square: int) -> tuple[int, int]:
    """The column from the left and the row from the top of a square, all counted from 0, as PDN prints the board."""
    row, pair = divmod(square, 4)
    return 2 * pair + 1 - row % 2, row
