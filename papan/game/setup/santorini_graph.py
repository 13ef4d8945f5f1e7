"""Setting up Santorini on graphs: workers and heights on the nodes of the match's graph."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.rules import PositionError
from papan.game.rules.santorini_graph.board import BITBOARDS, MOVING, SEATS, SHARED, State, height, with_boards
from papan.game.setup import Brush, Setting, player_names, turn_setting

_HEIGHTS = SEATS
"""Codes below this one are seats, whose worker is put; those from it on are heights."""


def brushes(state: State) -> Sequence[Brush]:
    """A worker of each seat, or everybody's, and each height."""
    if state.rules & SHARED:
        workers = [Brush(0, say("Worker"))]
    else:
        workers = [Brush(seat, say("Worker of player {number}", number=seat + 1)) for seat in range(SEATS)]
    heights = [Brush(_HEIGHTS + level, say("Level {level}", level=level), 1) for level in range(1, state.top)]
    return [*workers, *heights, Brush(_HEIGHTS + state.top, say("Closed node"), 1)]


def put(state: State, code: int, cell: int) -> State:
    """*state* with a worker on the node *cell*, or a tower as high as that.

    :raises PositionError: a worker would stand on a closed node.
    """
    is_manned = (state.workers | state.others) >> cell & 1
    is_closed = height(state, cell) == state.top
    if (code < _HEIGHTS and is_closed) or (code == _HEIGHTS + state.top and is_manned):
        raise PositionError(say("No worker can stand on a closed node: node {node} can't be both.", node=cell))
    if code >= _HEIGHTS:
        return _settled(_with_height(state, cell, code - _HEIGHTS))
    rest = ~(1 << cell)
    boards = [state.workers & rest, state.others & rest]
    boards[code] |= 1 << cell
    return _settled(with_boards(state, workers=boards[0], others=boards[1]))


def name_of(state: State, cell: int) -> str:
    """The number of the node."""
    return say("Node {number}", number=cell)


def standing(state: State, cell: int) -> Sequence[int]:
    """The worker on the node *cell*, if there is one, and its height."""
    boards = (state.workers | state.others,) if state.rules & SHARED else (state.workers, state.others)
    found = [seat for seat, workers in enumerate(boards) if workers >> cell & 1]
    high = height(state, cell)
    return [*found, *([_HEIGHTS + high] if high else [])]


def taken(state: State, cell: int) -> State:
    """*state* without the worker on the node *cell*, or without its uppermost level."""
    rest = ~(1 << cell)
    if (state.workers | state.others) >> cell & 1:
        return _settled(with_boards(state, workers=state.workers & rest, others=state.others & rest))
    return _settled(_with_height(state, cell, max(height(state, cell) - 1, 0)))


def cleared(state: State) -> State:
    """Neither workers nor heights; the first seat is to move."""
    return _settled(with_boards(state._replace(seat=0), **dict.fromkeys(BITBOARDS, 0)))


def settings(state: State) -> Sequence[Setting]:
    """Who is to move."""
    return [turn_setting(player_names(SEATS), state.seat)]


def changed(state: State, name: str, value: str) -> State:
    """*state* with another seat to move."""
    return _settled(state._replace(seat=int(value)))


def note(state: State) -> str:
    """Nothing is left to the text."""
    return ""


def _with_height(state: State, node: int, level: int) -> State:
    planes = [
        plane & ~(1 << node) | (level >> digit & 1) << node
        for digit, plane in enumerate((state.ones, state.twos, state.fours, state.eights))
    ]
    return with_boards(state, ones=planes[0], twos=planes[1], fours=planes[2], eights=planes[3])


def _settled(state: State) -> State:
    """*state* at the start of a turn."""
    return with_boards(state._replace(phase=MOVING), active=0, origin=0)
