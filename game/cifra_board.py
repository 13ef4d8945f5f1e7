"""CIFRA's board: what a state holds, and how pieces walk.

The board is one bit a cell, row by row from a1, and column a first::

    20 21 22 23 24     row 5: home of seat 1, far row of seat 0
    15 16 17 18 19
    10 11 12 13 14     cell 12 is the neutral tile
     5  6  7  8  9
     0  1  2  3  4     row 1: home of seat 0, far row of seat 1

A piece on its far row is a goal piece, so the state need not tell them apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from game.bits import lowest
from game.kernel import int64, state, subroutine
from game.sight import BOARD, CELLS, ROW, SIZE, TOP_ROW_FROM, seen_from

PIECES = 5  # of each colour
CENTRE = 1 << (CELLS // 2)
COLOURED = BOARD ^ CENTRE  # the tiles that are white or blue
BOTTOM_ROW = ROW
TOP_ROW = ROW << TOP_ROW_FROM
QUIET_TURNS = 2 * 50  # turns in a row without a capture or a goal that make a draw

CHOOSING_SIDE, CHOOSING_COLOUR, MOVING = range(3)
COLOURS = ("white", "blue")

NEIGHBOURS = np.array([seen_from(cell, 0) for cell in range(CELLS)], np.int64)


@state
class State(NamedTuple):
    """Tiles, pieces and counters."""

    white_tiles: int64
    """Bitboard; every other tile is blue, but for the neutral one in the centre."""
    first: int64
    """Bitboard of the pieces of seat 0, goal pieces included; none before play."""
    second: int64
    """Bitboard of the pieces of seat 1."""
    to_move: int64
    """The seat that is to act."""
    white_seat: int64
    """The seat that plays white; 0 until the colour is chosen."""
    stage: int64
    """CHOOSING_SIDE, CHOOSING_COLOUR or MOVING."""
    quiet: int64
    """Turns since the last capture or goal."""


@subroutine
def pieces_of(state: State, seat: int) -> int:
    """Bitboard of all pieces of *seat*."""
    return state.first if seat == 0 else state.second


@subroutine
def far_row(seat: int) -> int:
    """Bitboard of the row that *seat* plays towards: the other seat's home."""
    return TOP_ROW if seat == 0 else BOTTOM_ROW


@subroutine
def tiles_of(state: State, seat: int) -> int:
    """Bitboard of the tiles in the colour of *seat*."""
    return state.white_tiles if seat == state.white_seat else COLOURED ^ state.white_tiles


@subroutine
def living(state: State, seat: int) -> int:
    """Bitboard of the pieces of *seat* that are not goal pieces."""
    return pieces_of(state, seat) & ~far_row(seat)


@subroutine
def goals(state: State, seat: int) -> int:
    """Bitboard of the goal pieces of *seat*."""
    return pieces_of(state, seat) & far_row(seat)


@subroutine
def passable(state: State, seat: int) -> int:
    """Bitboard of the cells that a walk of *seat* can go on from: empty tiles of its own colour."""
    return tiles_of(state, seat) & ~(state.first | state.second)


@subroutine
def stops(state: State, seat: int, cell: int, open_cells: int) -> int:
    """Bitboard of the cells where a piece of *seat* on *cell* can go; *open_cells* are the passable ones.

    Every cell in sight costs 1 at most where the piece stands on its own colour. Where it does not, the
    first step has been paid for, and of the cells beyond only those of its own colour cost no more.
    """
    tiles = tiles_of(state, seat)
    everywhere_from_own_tile = -(tiles >> cell & 1)  # all bits or none
    affordable = tiles | int(NEIGHBOURS[cell]) | everywhere_from_own_tile
    return seen_from(cell, open_cells) & affordable & ~(pieces_of(state, seat) | goals(state, 1 - seat))


@subroutine
def quarter_turn(tiles: int) -> int:
    """The bitboard turned anticlockwise by a right angle: the column on the right becomes the top row."""
    turned = 0
    while tiles:
        cell = lowest(tiles)
        tiles &= tiles - 1
        row = cell // SIZE
        column = cell - row * SIZE
        turned |= 1 << (column * SIZE + SIZE - 1 - row)
    return turned


def cell_name(cell: int) -> str:
    """Column and row of *cell*.

    >>> cell_name(7)
    'c2'
    """
    return "abcde"[cell % SIZE] + str(cell // SIZE + 1)


def cells_of(bits: int) -> list[int]:
    """The cells of a bitboard, in rising order."""
    return [cell for cell in range(CELLS) if bits >> cell & 1]
