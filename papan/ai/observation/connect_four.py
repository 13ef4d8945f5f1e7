"""Connect Four as planes and actions."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import Plane, always, write_planes
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest
from papan.game.rules import mover
from papan.game.rules.connect_four import COLUMNS, HEIGHT, State
from papan.game.rules.connect_four import ROWS as BOARD_ROWS

ROWS = "Rows are counted from the bottom, columns from the left."
ACTIONS = "The columns, from the left."
PLANES = (Plane("discs of the seat"), Plane("discs of the other seat"))
planes = always(PLANES)


board = always((BOARD_ROWS, COLUMNS))
actions = always(COLUMNS)


@subroutine
def paint_columns(discs: int, plane: Any) -> None:
    while discs:
        cell = lowest(discs)
        discs &= discs - 1
        plane[cell % HEIGHT, cell // HEIGHT] = 1


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    is_mover = seat == mover(state)
    paint_columns(state.mine if is_mover else state.theirs, planes[0])
    paint_columns(state.theirs if is_mover else state.mine, planes[1])
