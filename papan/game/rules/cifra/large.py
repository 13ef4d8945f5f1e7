"""CIFRA's states on 9×9 cells, in any mode: each bitboard in two parts. See ``board`` for their contents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.game.kernel import int64, state, subroutine
from papan.game.kernel.bits import hashed
from papan.game.rules import key
from papan.game.rules.cifra.board import (
    CHOOSING_COLOUR,
    DASH,
    LARGE,
    MOVING,
    coloured_board,
    coloured_tiles,
    far_row,
    home_ranks,
    in_parts,
    in_sight,
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
from papan.game.rules.cifra.large_rays import PART_CELLS, seen_from

ROW = (1 << LARGE) - 1
TOP_ROW = ROW << LARGE * (LARGE - 1) - PART_CELLS  # in the upper part
LOWER_COLOURED, UPPER_COLOURED = in_parts(coloured_board(LARGE))
NEIGHBOURS = np.array([[seen_from(cell, 0, 0, part) for part in range(2)] for cell in range(LARGE * LARGE)], np.int64)
RANKS = np.array(home_ranks(LARGE), np.int64)


@state
class LargeState(NamedTuple):
    """Any mode on 9×9: as ``RankedState``, each bitboard in two parts."""

    white_tiles: int64
    upper_white_tiles: int64
    first: int64
    upper_first: int64
    second: int64
    upper_second: int64
    to_move: int64
    white_seat: int64
    stage: int64
    quiet: int64
    mode: int64
    """DASH, KING or SUM."""
    ones: int64
    upper_ones: int64
    twos: int64
    upper_twos: int64
    fours: int64
    upper_fours: int64
    eights: int64
    upper_eights: int64


# --------------------------------------------------------------------------------------------- facts


@size_of.of(LargeState)
def _size_of_large(state: LargeState) -> int:
    return LARGE


@part_with.of(LargeState)
def _part_with_large(state: LargeState, cell: int) -> int:
    return 1 if cell >= PART_CELLS else 0


@coloured_tiles.of(LargeState)
def _coloured_tiles_large(state: LargeState, part: int) -> int:
    return LOWER_COLOURED if part == 0 else UPPER_COLOURED


@white_tiles_of.of(LargeState)
def _white_tiles_of_large(state: LargeState, part: int) -> int:
    return state.white_tiles if part == 0 else state.upper_white_tiles


@far_row.of(LargeState)
def _far_row_large(state: LargeState, seat: int, part: int) -> int:
    if part == 0:
        return 0 if seat == 0 else ROW
    return TOP_ROW if seat == 0 else 0


@pieces_of.of(LargeState)
def _pieces_of_large(state: LargeState, seat: int, part: int) -> int:
    if part == 0:
        return state.first if seat == 0 else state.second
    return state.upper_first if seat == 0 else state.upper_second


@neighbours.of(LargeState)
def _neighbours_large(state: LargeState, cell: int, part: int) -> int:
    return int(NEIGHBOURS[cell, part])


@in_sight.of(LargeState)
def _in_sight_large(state: LargeState, seat: int, cell: int, part: int) -> int:
    return seen_from(cell, passable_cells(state, seat, 0), passable_cells(state, seat, 1), part)


# --------------------------------------------------------------------------------------------- ranks


@ranked_pieces.of(LargeState)
def _ranked_of_large(state: LargeState, digit: int, part: int) -> int:
    if digit == 0:
        return state.ones if part == 0 else state.upper_ones
    if digit == 1:
        return state.twos if part == 0 else state.upper_twos
    if digit == 2:
        return state.fours if part == 0 else state.upper_fours
    return state.eights if part == 0 else state.upper_eights


# -------------------------------------------------------------------------------------------- set-up


@with_side.of(LargeState)
def _with_side_large(state: LargeState, quarters: int) -> LargeState:
    tiles, upper_tiles = turned_tiles(state, quarters, 0), turned_tiles(state, quarters, 1)
    return state._replace(white_tiles=tiles, upper_white_tiles=upper_tiles, stage=CHOOSING_COLOUR)


@subroutine
def ranks_at_start(mode: int, digit: int, part: int) -> int:
    """Bitboard of the pieces at the start whose rank has the binary *digit*."""
    return int(RANKS[mode, digit, part])


@with_colour.of(LargeState)
def _with_colour_large(state: LargeState, colour: int) -> LargeState:
    mode = state.mode
    return state._replace(
        first=ROW, upper_second=TOP_ROW, to_move=0, white_seat=1 - colour, stage=MOVING,
        ones=ranks_at_start(mode, 0, 0), upper_ones=ranks_at_start(mode, 0, 1),
        twos=ranks_at_start(mode, 1, 0), upper_twos=ranks_at_start(mode, 1, 1),
        fours=ranks_at_start(mode, 2, 0), upper_fours=ranks_at_start(mode, 2, 1),
        eights=ranks_at_start(mode, 3, 0), upper_eights=ranks_at_start(mode, 3, 1),
    )  # fmt: skip


# --------------------------------------------------------------------------------------------- moves


@subroutine
def lower_bit(cell: int) -> int:
    """*cell* alone in part 0, or nothing."""
    return 1 << cell if cell < PART_CELLS else 0


@subroutine
def upper_bit(cell: int) -> int:
    """*cell* alone in part 1, or nothing."""
    return 1 << (cell - PART_CELLS) if cell >= PART_CELLS else 0


@subroutine
def has(lower: int, upper: int, cell: int) -> int:
    """1 if *cell* is on the bitboard of these two parts, else 0."""
    return 1 if lower & lower_bit(cell) | upper & upper_bit(cell) else 0


@with_move.of(LargeState)
def _with_move_large(state: LargeState, origin: int, target: int, quiet: int) -> LargeState:
    low, high = lower_bit(target), upper_bit(target)
    lower, upper = low | lower_bit(origin), high | upper_bit(origin)
    in_first = has(state.first, state.upper_first, origin)
    in_ones = has(state.ones, state.upper_ones, origin)
    in_twos = has(state.twos, state.upper_twos, origin)
    in_fours = has(state.fours, state.upper_fours, origin)
    in_eights = has(state.eights, state.upper_eights, origin)
    return state._replace(
        first=with_piece_moved(state.first, lower, low, in_first),
        upper_first=with_piece_moved(state.upper_first, upper, high, in_first),
        second=with_piece_moved(state.second, lower, low, 1 - in_first),
        upper_second=with_piece_moved(state.upper_second, upper, high, 1 - in_first),
        to_move=1 - state.to_move,
        stage=MOVING,
        quiet=quiet,
        ones=with_piece_moved(state.ones, lower, low, in_ones),
        upper_ones=with_piece_moved(state.upper_ones, upper, high, in_ones),
        twos=with_piece_moved(state.twos, lower, low, in_twos),
        upper_twos=with_piece_moved(state.upper_twos, upper, high, in_twos),
        fours=with_piece_moved(state.fours, lower, low, in_fours),
        upper_fours=with_piece_moved(state.upper_fours, upper, high, in_fours),
        eights=with_piece_moved(state.eights, lower, low, in_eights),
        upper_eights=with_piece_moved(state.upper_eights, upper, high, in_eights),
    )


# ---------------------------------------------------------------------------------------------- keys


@key.of(LargeState)
def _key_large(state: LargeState) -> int:
    lowest_word = state.white_tiles | (state.white_seat | state.stage << 1 | state.mode << 3) << PART_CELLS
    highest_word = state.upper_second | state.to_move << PART_CELLS
    if state.mode == DASH:
        return hashed(lowest_word, state.upper_white_tiles, state.first, state.upper_first, state.second, highest_word)
    return hashed(
        lowest_word, state.upper_white_tiles,
        state.ones, state.upper_ones, state.twos, state.upper_twos,
        state.fours, state.upper_fours, state.eights, state.upper_eights,
        state.first, state.upper_first, state.second, highest_word,
    )  # fmt: skip
