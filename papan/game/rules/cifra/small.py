"""CIFRA's states on 5×5 cells: dash, and the modes with ranks.

Dash on 5×5 is the project's game, and is played by the million: its state has only what it needs. See ``board`` for the
contents of states.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.game.kernel import int64, state, subroutine
from papan.game.kernel.bits import hashed
from papan.game.rules import key
from papan.game.rules.cifra.board import (
    CHOOSING_COLOUR,
    DASH,
    MOVING,
    SMALL,
    coloured_board,
    coloured_tiles,
    far_row,
    goal_sum,
    has_won_by_king,
    home_ranks,
    in_sight,
    mode_of,
    neighbours,
    part_with,
    passable_cells,
    pieces_of,
    ranked_pieces,
    size_of,
    turned_tiles,
    white_tiles_of,
    with_colour,
    with_move,
    with_piece_moved,
    with_side,
)
from papan.game.rules.cifra.small_rays import seen_from

ROW = (1 << SMALL) - 1
TOP_ROW = ROW << SMALL * (SMALL - 1)
COLOURED = coloured_board(SMALL)
NEIGHBOURS = np.array([seen_from(cell, 0) for cell in range(SMALL * SMALL)], np.int64)
RANKS = np.array(home_ranks(SMALL), np.int64)


@state
class State(NamedTuple):
    """Dash on 5×5: tiles, pieces and counters."""

    white_tiles: int64
    """Bitboard; all other tiles but the neutral one in the centre are blue."""
    first: int64
    """Bitboard of the pieces of seat 0, goal pieces included; none before play."""
    second: int64
    """Bitboard of the pieces of seat 1."""
    to_move: int64
    """The seat to act."""
    white_seat: int64
    """The seat that plays white; 0 until the colour is chosen."""
    stage: int64
    """CHOOSING_SIDE, CHOOSING_COLOUR or MOVING."""
    quiet: int64
    """Turns since the last capture or goal."""


@state
class RankedState(NamedTuple):
    """King or sum on 5×5: as ``State``, and the ranks of the pieces."""

    white_tiles: int64
    first: int64
    second: int64
    to_move: int64
    white_seat: int64
    stage: int64
    quiet: int64
    mode: int64
    """KING or SUM."""
    ones: int64
    """Bitboard of the pieces whose rank has the binary digit 1: in king, the kings."""
    twos: int64
    fours: int64


# --------------------------------------------------------------------------------------------- facts


@size_of.of(State, RankedState)
def _size_of(state: State | RankedState) -> int:
    return SMALL


@mode_of.of(State)
def _mode_of_dash(state: State) -> int:
    return DASH


@part_with.of(State, RankedState)
def _part_with(state: State | RankedState, cell: int) -> int:
    return 0


@coloured_tiles.of(State, RankedState)
def _coloured_tiles(state: State | RankedState, part: int) -> int:
    return COLOURED


@white_tiles_of.of(State, RankedState)
def _white_tiles_of(state: State | RankedState, part: int) -> int:
    return state.white_tiles


@far_row.of(State, RankedState)
def _far_row(state: State | RankedState, seat: int, part: int) -> int:
    return TOP_ROW if seat == 0 else ROW


@pieces_of.of(State, RankedState)
def _pieces_of(state: State | RankedState, seat: int, part: int) -> int:
    return state.first if seat == 0 else state.second


@neighbours.of(State, RankedState)
def _neighbours(state: State | RankedState, cell: int, part: int) -> int:
    return int(NEIGHBOURS[cell])


@in_sight.of(State, RankedState)
def _in_sight(state: State | RankedState, seat: int, cell: int, part: int) -> int:
    return seen_from(cell, passable_cells(state, seat, 0))


# --------------------------------------------------------------------------------------------- ranks


@ranked_pieces.of(State)
def _ranked_in_dash(state: State, digit: int, part: int) -> int:
    return 0


@ranked_pieces.of(RankedState)
def _ranked(state: RankedState, digit: int, part: int) -> int:
    if digit == 0:
        return state.ones
    if digit == 1:
        return state.twos
    return state.fours if digit == 2 else 0


@goal_sum.of(State)
def _goal_sum_in_dash(state: State, seat: int) -> int:
    return 0


@has_won_by_king.of(State)
def _has_no_king(state: State, seat: int) -> bool:
    return False


# -------------------------------------------------------------------------------------------- set-up


@with_side.of(State, RankedState)
def _with_side(state: State | RankedState, quarters: int) -> State | RankedState:
    return state._replace(white_tiles=turned_tiles(state, quarters, 0), stage=CHOOSING_COLOUR)


@subroutine
def ranks_at_start(mode: int, digit: int) -> int:
    """Bitboard of the pieces at the start whose rank has the binary *digit*."""
    return int(RANKS[mode, digit, 0])


@with_colour.of(State)
def _with_colour(state: State, colour: int) -> State:
    return state._replace(first=ROW, second=TOP_ROW, to_move=0, white_seat=1 - colour, stage=MOVING)


@with_colour.of(RankedState)
def _with_colour_ranked(state: RankedState, colour: int) -> RankedState:
    mode = state.mode
    return state._replace(
        first=ROW, second=TOP_ROW, to_move=0, white_seat=1 - colour, stage=MOVING,
        ones=ranks_at_start(mode, 0), twos=ranks_at_start(mode, 1), fours=ranks_at_start(mode, 2),
    )  # fmt: skip


# --------------------------------------------------------------------------------------------- moves


@with_move.of(State)
def _with_move(state: State, origin: int, target: int, quiet: int) -> State:
    landing, touched = 1 << target, 1 << origin | 1 << target
    first = with_piece_moved(state.first, touched, landing, state.first >> origin & 1)
    second = with_piece_moved(state.second, touched, landing, state.second >> origin & 1)
    return state._replace(first=first, second=second, to_move=1 - state.to_move, stage=MOVING, quiet=quiet)


@with_move.of(RankedState)
def _with_move_ranked(state: RankedState, origin: int, target: int, quiet: int) -> RankedState:
    landing, touched = 1 << target, 1 << origin | 1 << target
    return state._replace(
        first=with_piece_moved(state.first, touched, landing, state.first >> origin & 1),
        second=with_piece_moved(state.second, touched, landing, state.second >> origin & 1),
        to_move=1 - state.to_move,
        stage=MOVING,
        quiet=quiet,
        ones=with_piece_moved(state.ones, touched, landing, state.ones >> origin & 1),
        twos=with_piece_moved(state.twos, touched, landing, state.twos >> origin & 1),
        fours=with_piece_moved(state.fours, touched, landing, state.fours >> origin & 1),
    )


# ---------------------------------------------------------------------------------------------- keys


@key.of(State)
def _key(state: State) -> int:
    # One word has everything that changes in play: no two positions of one board share a key.
    return hashed(
        state.white_tiles | state.white_seat << 25 | state.stage << 26,
        state.first | state.second << 25 | state.to_move << 50,
    )


@key.of(RankedState)
def _key_ranked(state: RankedState) -> int:
    return hashed(
        state.white_tiles | state.white_seat << 25 | state.stage << 26 | state.mode << 28,
        state.ones | state.twos << 25,
        state.fours,
        state.first | state.second << 25 | state.to_move << 50,
    )
