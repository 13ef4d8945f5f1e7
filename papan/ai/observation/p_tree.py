"""P-tree as planes and actions: without the numbers to come, which the learner has to learn."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import Plane, write_planes
from papan.game.rules.p_tree import LARGEST, MOST_DEPTH, State

ROWS = "One row, with a column for each choice in the order of play."
ACTIONS = "The branches."
BYTE = 256
OFFSET = LARGEST * MOST_DEPTH
"""Added to sums, so that none is negative."""


def board(state: State) -> tuple[int, int]:
    return 1, state.depth


def planes(state: State) -> tuple[Plane, ...]:
    branches = (Plane(f"1 where branch {branch + 1} was chosen") for branch in range(state.branching))
    total = f"everywhere: the sum as the seat wants it, high above 0, and {OFFSET} more"
    return (
        *branches,
        Plane("everywhere: 1 for the second seat"),
        Plane(f"{total}, divided by {BYTE}", 2 * OFFSET // BYTE),
        Plane(f"{total}: the rest", BYTE - 1),
    )


def actions(state: State) -> int:
    return state.branching


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    path = state.path
    for back in range(1, state.plies + 1):
        planes[path % state.branching, 0, state.plies - back] = 1
        path //= state.branching
    total = (state.total if seat == 0 else -state.total) + OFFSET
    planes[state.branching, :, :] = seat
    planes[state.branching + 1, :, :] = total // BYTE
    planes[state.branching + 2, :, :] = total % BYTE
