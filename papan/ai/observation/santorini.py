"""Santorini as planes and actions."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import Plane, action_of, always, next_but, paint, step_of, write_planes
from papan.game.rules.santorini.board import (
    BUILD,
    BUILDING_AGAIN,
    CELL_MASK,
    CELLS,
    DOME,
    DONE,
    KIND_MASK,
    MOVE,
    ORIGIN_SHIFT,
    PICK,
    PLACE,
    SIZE,
    State,
    god_of,
    side_of,
    workers_of_side,
)
from papan.game.rules.santorini.gods import GODS, MORTAL

NUMBER_OF_GODS = len(GODS) - 1  # compiled code takes numbers only
ROWS = "Rows are counted from row 1, columns from a."
ACTIONS = (
    "Cells are counted row by row from a1. To move from each cell, by turns to every cell; to build from each cell, by"
    " turns on every cell, where the cell built from counts only before a move and is a1 otherwise; Atlas' dome on each"
    " cell; to place a worker on each cell; to pick each god; to decline what a god allows."
)
PHASES = (
    "while gods are picked", "while workers are placed", "before a move", "before another move", "before a build",
    "before another build",
)  # fmt: skip
LEVELS = 4  # the last is the dome

WAYS = CELLS * CELLS
# The first action of each kind.
BUILDS, DOMES, PLACES, PICKS, DECLINES = (
    WAYS, 2 * WAYS, 2 * WAYS + CELLS, 2 * WAYS + 2 * CELLS, 2 * WAYS + 2 * CELLS + len(GODS)
)  # fmt: skip


board = always((SIZE, SIZE))


def planes(state: State) -> tuple[Plane, ...]:
    seats = ["the seat", *(next_but(number, "seat") for number in range(state.seats - 1))]
    sides = ["the seat's side", *(next_but(number, "side") for number in range(state.sides - 1))]
    return (
        *(Plane(f"workers of {side}") for side in sides),
        *(Plane(f"cells of level {level} and higher") for level in range(1, LEVELS)),
        Plane("domes"),
        Plane("within a turn, the workers that can go on"),
        Plane("the cell that the turn must remember: where Artemis began, what Demeter or Hephaestus built on"),
        *(Plane(f"everywhere: 1 {phase}") for phase in PHASES),
        *(Plane(f"everywhere: 1 if {seat} is to act") for seat in seats),
        *(Plane(f"everywhere: 1 if {seat} is out of the game") for seat in seats),
        *(Plane(f"everywhere: 1 if {seat} has Athena and moved up in its last turn") for seat in seats),
        *(Plane(f"everywhere: 1 if {god.title} can be picked") for god in GODS[MORTAL + 1 :]),
        Plane("everywhere: 1 if two seats may pick the same god"),
        *(Plane(f"everywhere: 1 if {seat} has {god.title}") for seat in seats for god in GODS[MORTAL + 1 :]),
    )


actions = always(DECLINES + 1)


@action_of.of(State)
def _action_of(state: State, step: int) -> int:
    kind, target = step & KIND_MASK, step & CELL_MASK
    way = (step >> ORIGIN_SHIFT & CELL_MASK) * CELLS + target
    if kind == MOVE:
        return way
    if kind == BUILD:
        return BUILDS + way
    if kind == DOME:
        return DOMES + target
    if kind == PLACE:
        return PLACES + target
    return PICKS + target if kind == PICK else DECLINES


@step_of.of(State)
def _step_of(state: State, action: int) -> int:
    if action < DOMES:
        kind, way = MOVE if action < BUILDS else BUILD, action % WAYS
        return kind | way // CELLS << ORIGIN_SHIFT | way % CELLS
    if action < PLACES:
        return DOME | action - DOMES
    if action < PICKS:
        return PLACE | action - PLACES
    return PICK | action - PICKS if action < DECLINES else DONE


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    for number in range(state.sides):
        side = (side_of(state, seat) + number) % state.sides
        paint(workers_of_side(state, side), SIZE, 0, planes[number])
    at = state.sides
    paint(state.level_1, SIZE, 0, planes[at])
    paint(state.level_2, SIZE, 0, planes[at + 1])
    paint(state.level_3, SIZE, 0, planes[at + 2])
    paint(state.domes, SIZE, 0, planes[at + 3])
    paint(state.active, SIZE, 0, planes[at + 4])
    paint(state.marked, SIZE, 0, planes[at + 5])
    at += 6
    if state.phase <= BUILDING_AGAIN:
        planes[at + state.phase, :, :] = 1
    at += len(PHASES)
    gods = NUMBER_OF_GODS
    first_god = at + 3 * state.seats + gods + 1
    for number in range(state.seats):
        other = (seat + number) % state.seats
        planes[at + number, :, :] = 1 if state.seat == other else 0
        planes[at + state.seats + number, :, :] = state.out >> other & 1
        planes[at + 2 * state.seats + number, :, :] = state.climbed >> other & 1
        if god_of(state, other) != MORTAL:
            planes[first_god + number * gods + god_of(state, other) - 1, :, :] = 1
    at += 3 * state.seats
    for god in range(gods):
        planes[at + god, :, :] = state.offer >> (god + 1) & 1
    planes[at + gods, :, :] = state.offer & 1
