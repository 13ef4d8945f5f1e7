"""2048 as planes and actions. Rewards are points, paid when scored."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import Plane, always, earned, write_planes
from papan.game.rules.twenty48 import DIRECTIONS
from papan.game.rules.twenty48.board import FIELD, LARGEST, State, tile

ROWS = "Rows are counted from the top, columns from the left."
ACTIONS = f"The directions: {', '.join(DIRECTIONS)}."
PLANES = tuple(Plane(f"tiles of {1 << power}") for power in range(1, LARGEST + 1))
planes = always(PLANES)


def board(state: State) -> tuple[int, int]:
    return state.size, state.size


actions = always(len(DIRECTIONS))


@earned.of(State)
def _earned(state: State, seat: int) -> float:
    return float(state.score)


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    for row in range(state.size):
        for column in range(state.size):
            power = tile(state, FIELD * row + column)
            if power > 0:
                planes[power - 1, row, column] = 1
