"""Turns of Santorini in words: where workers go, and what they build."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papan.game.base.sentences import Sentence, capitalised, joined, say
from papan.game.rules.santorini.board import (
    BUILD,
    DOME,
    DOME_HEIGHT,
    DONE,
    MOVE,
    MOVING,
    NEIGHBOURS,
    PICK,
    PLACE,
    State,
    cell_name,
    height,
    step_parts,
    workers_of,
)
from papan.game.rules.santorini.gods import GODS


def turn_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """Each step in order; a god's further move or build that is declined is left out."""
    return _told(states, steps, _move)


def short_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """As ``turn_words``, without whether the worker climbs."""
    return _told(states, steps, _short_move)


def _told(states: Sequence[State], steps: Sequence[int], moved: Callable[[State, int], Sentence]) -> Sentence:
    """The words for each step.

    :param moved: returns those for a worker's first move.
    """
    parts: list[str] = []
    walked: int | None = None
    for state, step in zip(states, steps, strict=False):
        kind, origin, target = step_parts(step)
        if kind == MOVE:
            parts.append(say("then to {cell}", cell=cell_name(target)) if walked == origin else moved(state, step))
            walked = target
        elif kind != DONE:
            parts.append(_standing(state, kind, target))
    return capitalised(joined(parts or [say("nothing more")], ", "))


def _short_move(state: State, step: int) -> Sentence:
    _kind, origin, target = step_parts(step)
    if _is_clear(state, origin, target):
        return say("worker to {cell}", cell=cell_name(target))
    return say("worker {origin} to {cell}", origin=cell_name(origin), cell=cell_name(target))


def _move(state: State, step: int) -> Sentence:
    _kind, origin, target = step_parts(step)
    climbs = height(state, target) > height(state, origin)
    if _is_clear(state, origin, target):
        words = say("worker climbs to {cell}", cell=cell_name(target))
        return words if climbs else say("worker to {cell}", cell=cell_name(target))
    start, cell = cell_name(origin), cell_name(target)
    words = say("worker from {origin} climbs to {cell}", origin=start, cell=cell)
    return words if climbs else say("worker from {origin} to {cell}", origin=start, cell=cell)


def _is_clear(state: State, origin: int, target: int) -> bool:
    """Whether only the worker on *origin* stands beside *target*, so that it need not be named."""
    others = workers_of(state, state.seat) & ~(1 << origin)
    return bool(NEIGHBOURS[origin] >> target & 1) and not int(NEIGHBOURS[target]) & others


def _standing(state: State, kind: int, target: int) -> Sentence:
    """The words for a step without a move."""
    cell = cell_name(target)
    if kind == PICK:
        return say("picks {god}", god=GODS[target].title)
    if kind == PLACE:
        return say("worker on {cell}", cell=cell)
    if kind == DOME:
        return say("puts Atlas' dome on {cell}", cell=cell)
    if state.phase == MOVING:
        return say("first builds on {cell}", cell=cell)
    assert kind == BUILD
    is_dome = height(state, target) == DOME_HEIGHT - 1
    return say("puts a dome on {cell}", cell=cell) if is_dome else say("builds on {cell}", cell=cell)
