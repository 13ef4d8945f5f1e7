"""Xiangqi as planes and actions."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import Plane, action_of, always, numbered_ways, paint, step_of, write_planes
from papan.game.rules.xiangqi.board import (
    CELLS,
    FILES,
    HALF_RANKS,
    KIND_NAMES,
    KINDS,
    MOST_QUIET,
    RANKS,
    RED,
    STEP_SHIFT,
    TARGET_MASK,
    State,
    far_kind,
    far_of,
    has_crossed,
    in_palace,
    near_kind,
    near_of,
)

ROWS = "Rows are the ranks from 0, red's, columns the files from a."
ACTIONS = (
    "The ways that some piece can take on an empty board, by the cell that they leave, rank by rank from"
    " a0, then by where they lead in the same order: along ranks and files, a horse's leaps, diagonals within a palace,"
    " and two cells along a diagonal on one side of the river."
)
PLANES = (
    *(Plane(f"the seat's {name}s") for name in KIND_NAMES[1:]),
    *(Plane(f"the other seat's {name}s") for name in KIND_NAMES[1:]),
    Plane("everywhere: 1 for black, whose soldiers go down"),
    Plane("everywhere: turns since the last capture", MOST_QUIET),
)
planes = always(PLANES)


def _is_way(origin: int, target: int) -> bool:
    """Whether some piece can go from *origin* to *target* on an empty board."""
    files, ranks = abs(origin % FILES - target % FILES), abs(origin // FILES - target // FILES)
    if files == 0 or ranks == 0:
        return origin != target
    if files == ranks == 1:
        return any(in_palace(seat, origin) and in_palace(seat, target) for seat in range(2))
    if files == ranks == 2:
        return has_crossed(RED, origin) == has_crossed(RED, target)
    return (files, ranks) in ((1, 2), (2, 1))


NUMBERS, WAYS = numbered_ways(CELLS, _is_way)


board = always((RANKS, FILES))
actions = always(len(WAYS))


@action_of.of(State)
def _action_of(state: State, step: int) -> int:
    return int(NUMBERS[(step >> STEP_SHIFT) * CELLS + (step & TARGET_MASK)])


@step_of.of(State)
def _step_of(state: State, action: int) -> int:
    way = int(WAYS[action])
    return way // CELLS << STEP_SHIFT | way % CELLS


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    for place in range(2):
        owner = seat if place == 0 else 1 - seat
        for kind in KINDS:
            plane = planes[place * len(KINDS) + kind - 1]
            paint(near_of(state, owner) & near_kind(state, kind), FILES, 0, plane)
            paint(far_of(state, owner) & far_kind(state, kind), FILES, HALF_RANKS, plane)
    planes[2 * len(KINDS), :, :] = seat
    planes[2 * len(KINDS) + 1, :, :] = state.quiet
