"""Santorini on graphs as planes and actions; the edges, which stay the same throughout, are not shown."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import Plane, action_of, always, paint, step_of, write_planes
from papan.game.kernel import subroutine
from papan.game.rules.santorini_graph.board import (
    BUILD,
    BUILDING,
    MOVE,
    MOVING,
    NODE_MASK,
    ORIGIN_SHIFT,
    PLACE,
    PLACING,
    State,
    height,
    workers_of,
)
from papan.game.rules.santorini_graph.names import MOST_WORDS, NODES_A_WORD
from papan.game.rules.santorini_graph.wide import WideState, part

ROWS = "One row, with a column for each node."
ACTIONS = "To place a worker on each node; to build on each node; to move from each node, by turns to every node."
MOST_HEIGHT = 15
PLANES = (
    Plane("workers of the seat, or everybody's"),
    Plane("workers of the other seat, or everybody's"),
    Plane("the height", MOST_HEIGHT),
    Plane("closed nodes"),
    Plane("the worker that has moved and is to build"),
    Plane("the node that it left"),
    Plane("everywhere: 1 while workers are placed"),
    Plane("everywhere: 1 before a move"),
    Plane("everywhere: 1 before a build"),
)
planes = always(PLANES)


def board(state: State) -> tuple[int, int]:
    return 1, state.nodes


def actions(state: State) -> int:
    return state.nodes * (2 + state.nodes)


@action_of.of(State, WideState)
def _action_of(state: State, step: int) -> int:
    target = step & NODE_MASK
    if state.phase == PLACING:
        return target
    if state.phase == BUILDING:
        return state.nodes + target
    return state.nodes * (2 + (step >> ORIGIN_SHIFT & NODE_MASK)) + target


@step_of.of(State, WideState)
def _step_of(state: State, action: int) -> int:
    group, target = action // state.nodes, action % state.nodes
    if group == 0:
        return PLACE | target
    if group == 1:
        return BUILD | target
    return MOVE | (group - 2) << ORIGIN_SHIFT | target


@subroutine
def write_word(state: State, seat: int, word: int, planes: Any) -> None:
    """Write *word* of the board's nodes into *planes*; *state* has the data shared by all words."""
    first = NODES_A_WORD * word
    end = first + state.nodes
    for place in range(2):
        paint(workers_of(state, seat if place == 0 else 1 - seat), NODES_A_WORD, 0, planes[place, :, first:end])
    for node in range(state.nodes):
        level = height(state, node)
        planes[2, 0, first + node] = level
        if level == state.top:
            planes[3, 0, first + node] = 1
    paint(state.active, NODES_A_WORD, 0, planes[4, :, first:end])
    paint(state.origin, NODES_A_WORD, 0, planes[5, :, first:end])
    planes[6, :, first:end] = 1 if state.phase == PLACING else 0
    planes[7, :, first:end] = 1 if state.phase == MOVING else 0
    planes[8, :, first:end] = 1 if state.phase == BUILDING else 0


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    write_word(state, seat, 0, planes)


@write_planes.of(WideState)
def _write_wide_planes(state: WideState, seat: int, planes: Any) -> None:
    for word in range(MOST_WORDS):
        write_word(part(state, word), seat, word, planes)
