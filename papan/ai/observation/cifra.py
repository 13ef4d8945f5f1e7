"""CIFRA as planes and actions, in every mode and size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from papan.ai.observation import Plane, action_of, always, numbered_ways, paint, step_of, write_planes
from papan.game.kernel.bits import lowest
from papan.game.rules.cifra import SIDES
from papan.game.rules.cifra.board import (
    CHOOSING_COLOUR,
    CHOOSING_SIDE,
    COLOURS,
    LARGE,
    QUIET_TURNS,
    RANK_DIGITS,
    SMALL,
    cell_bits,
    goal_pieces,
    living_pieces,
    parts_of,
    ranked_pieces,
    size_of,
    tiles_of,
)
from papan.game.rules.cifra.large_rays import PART_CELLS
from papan.game.rules.cifra.states import STATES, AnyState

ROWS = "Rows are counted from row 1, columns from a; seat 0 plays to higher rows."
ACTIONS = (
    f"To choose the side {', '.join(SIDES)}; to choose {' or '.join(COLOURS)}; then every walk along a row, column or"
    " diagonal, by its first cell, row by row from a1, and then its last one in the same order."
)
PLANES = (
    Plane("living pieces of the seat"),
    Plane("goal pieces of the seat"),
    Plane("living pieces of the other seat"),
    Plane("goal pieces of the other seat"),
    Plane("the rank of the piece: its number, or 1 for a king", (1 << RANK_DIGITS) - 1),
    Plane("tiles in the seat's colour; before it is chosen, the white ones for seat 0"),
    Plane("tiles in the other seat's colour"),
    Plane("everywhere: 1 while a side is to be chosen"),
    Plane("everywhere: 1 while a colour is to be chosen"),
    Plane("everywhere: 1 for the second seat, which plays to lower rows"),
    Plane("everywhere: turns since the last capture or goal", QUIET_TURNS),
)
planes = always(PLANES)
CHOICES = len(SIDES) + len(COLOURS)


def _is_walk(size: int) -> Callable[[int, int], bool]:
    """Whether two cells of a board of that *size* are in one line."""

    def is_walk(origin: int, target: int) -> bool:
        columns, rows = abs(origin % size - target % size), abs(origin // size - target // size)
        return origin != target and (columns == 0 or rows == 0 or columns == rows)

    return is_walk


SMALL_NUMBERS, SMALL_WALKS = numbered_ways(SMALL * SMALL, _is_walk(SMALL))
LARGE_NUMBERS, LARGE_WALKS = numbered_ways(LARGE * LARGE, _is_walk(LARGE))


def board(state: AnyState) -> tuple[int, int]:
    return size_of(state), size_of(state)


def actions(state: AnyState) -> int:
    return CHOICES + len(SMALL_WALKS if size_of(state) == SMALL else LARGE_WALKS)


@action_of.of(*STATES)
def _action_of(state: AnyState, step: int) -> int:
    if state.stage == CHOOSING_SIDE:
        return step
    if state.stage == CHOOSING_COLOUR:
        return len(SIDES) + step
    size, bits = size_of(state), cell_bits(state)
    walk = (step >> bits) * size * size + (step & (1 << bits) - 1)
    return CHOICES + (int(SMALL_NUMBERS[walk]) if size == SMALL else int(LARGE_NUMBERS[walk]))


@step_of.of(*STATES)
def _step_of(state: AnyState, action: int) -> int:
    if state.stage == CHOOSING_SIDE:
        return action
    if state.stage == CHOOSING_COLOUR:
        return action - len(SIDES)
    size, number = size_of(state), action - CHOICES
    walk = int(SMALL_WALKS[number]) if size == SMALL else int(LARGE_WALKS[number])
    return walk // (size * size) << cell_bits(state) | walk % (size * size)


@write_planes.of(*STATES)
def _write_planes(state: AnyState, seat: int, planes: Any) -> None:
    size = size_of(state)
    for part in range(parts_of(state)):
        first_row = part * PART_CELLS // size
        for place in range(2):
            owner = seat if place == 0 else 1 - seat
            paint(living_pieces(state, owner, part), size, first_row, planes[2 * place])
            paint(goal_pieces(state, owner, part), size, first_row, planes[2 * place + 1])
            paint(tiles_of(state, owner, part), size, first_row, planes[5 + place])
        for digit in range(RANK_DIGITS):
            ranked = ranked_pieces(state, digit, part)
            while ranked:
                cell = lowest(ranked)
                ranked &= ranked - 1
                planes[4, first_row + cell // size, cell % size] += 1 << digit
    planes[7, :, :] = 1 if state.stage == CHOOSING_SIDE else 0
    planes[8, :, :] = 1 if state.stage == CHOOSING_COLOUR else 0
    planes[9, :, :] = seat
    planes[10, :, :] = state.quiet
