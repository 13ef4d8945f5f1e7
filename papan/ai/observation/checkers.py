"""Checkers as planes and actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.observation import Plane, action_of, always, step_of, write_planes
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest
from papan.game.rules.checkers.board import QUIET_TURNS, SQUARES, State, bit_of, pieces_of, square_of

SIZE = 8
ROWS = "Rows are counted from the top, columns from the left, as PDN prints the board (square 1: row 0, column 1)."
ACTIONS = (
    "Eight for each square, from square 1: a move to the next square to the lower left, lower right, upper right"
    " and upper left of it, then a jump to the one after it in the same order."
)
PLANES = (
    Plane("men of the seat"),
    Plane("kings of the seat"),
    Plane("men of the other seat"),
    Plane("kings of the other seat"),
    Plane("the piece that must jump on"),
    Plane("everywhere: 1 for White, whose men move up"),
    Plane("everywhere: turns since the last capture or man's move", QUIET_TURNS),
)
planes = always(PLANES)

WAYS = np.array([4, 5, -4, -5, 8, 10, -8, -10], np.int64)
"""The distance in bits that each of a square's eight actions leads."""


board = always((SIZE, SIZE))
actions = always(SQUARES * len(WAYS))


@action_of.of(State)
def _action_of(state: State, step: int) -> int:
    distance = bit_of(step & (SQUARES - 1)) - bit_of(step // SQUARES)
    way = 0
    while WAYS[way] != distance:
        way += 1
    return step // SQUARES * len(WAYS) + way


@step_of.of(State)
def _step_of(state: State, action: int) -> int:
    origin = action // len(WAYS)
    return origin * SQUARES + square_of(bit_of(origin) + int(WAYS[action % len(WAYS)]))


@subroutine
def paint_squares(pieces: int, plane: Any) -> None:
    while pieces:
        square = square_of(lowest(pieces))
        pieces &= pieces - 1
        row = square // 4
        plane[row, 2 * (square % 4) + 1 - row % 2] = 1


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    for place in range(2):
        pieces = pieces_of(state, seat if place == 0 else 1 - seat)
        paint_squares(pieces & ~state.kings, planes[2 * place])
        paint_squares(pieces & state.kings, planes[2 * place + 1])
    paint_squares(state.jumper, planes[4])
    planes[5, :, :] = seat
    planes[6, :, :] = state.quiet
