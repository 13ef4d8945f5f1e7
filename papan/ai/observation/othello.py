"""Othello as planes and actions."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import Plane, always, write_planes
from papan.game.rules.othello import BIT, CELLS, SIZE, State

ROWS = "Rows are counted from the top, columns from the left, as they are written."
ACTIONS = "The cells, row by row from a1; after them to pass."
PLANES = (Plane("discs of the seat"), Plane("discs of the other seat"))
planes = always(PLANES)


board = always((SIZE, SIZE))
actions = always(CELLS + 1)


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    own = 0 if seat == state.to_move else 1
    for cell in range(CELLS):
        if state.mine & int(BIT[cell]):
            planes[own, cell // SIZE, cell % SIZE] = 1
        elif state.theirs & int(BIT[cell]):
            planes[1 - own, cell // SIZE, cell % SIZE] = 1
