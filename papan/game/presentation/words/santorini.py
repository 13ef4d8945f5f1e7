"""Turns of Santorini in words: where workers go, and what they build."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papan.game.base.sentences import Sentence, capitalised, joined, say
from papan.game.rules.santorini import board
from papan.game.rules.santorini.gods import GODS


def turn_words(states: Sequence[board.State], steps: Sequence[int]) -> Sentence:
    """Each step in order; a god's further move or build that is declined is left out."""
    return _told(states, steps, _move)


def short_words(states: Sequence[board.State], steps: Sequence[int]) -> Sentence:
    """As ``turn_words``, without whether the worker climbs."""
    return _told(states, steps, _short_move)


def _told(
    states: Sequence[board.State], steps: Sequence[int], moved: Callable[[board.State, int], Sentence]
) -> Sentence:
    """The words for each step.

    :param moved: returns those for a worker's first move.
    """
    parts: list[str] = []
    walked: int | None = None
    for state, step in zip(states, steps, strict=False):
        kind, origin, target = board.step_parts(step)
        if kind == board.MOVE:
            parts.append(
                say("then to {cell}", cell=board.cell_name(target)) if walked == origin else moved(state, step)
            )
            walked = target
        elif kind != board.DONE:
            parts.append(_standing(state, kind, target))
    return capitalised(joined(parts or [say("nothing more")], ", "))


def _short_move(state: board.State, step: int) -> Sentence:
    _kind, origin, target = board.step_parts(step)
    if _is_clear(state, origin, target):
        return say("worker to {cell}", cell=board.cell_name(target))
    return say("worker {origin} to {cell}", origin=board.cell_name(origin), cell=board.cell_name(target))


def _move(state: board.State, step: int) -> Sentence:
    _kind, origin, target = board.step_parts(step)
    climbs = board.height(state, target) > board.height(state, origin)
    if _is_clear(state, origin, target):
        words = say("worker climbs to {cell}", cell=board.cell_name(target))
        return words if climbs else say("worker to {cell}", cell=board.cell_name(target))
    start, cell = board.cell_name(origin), board.cell_name(target)
    words = say("worker from {origin} climbs to {cell}", origin=start, cell=cell)
    return words if climbs else say("worker from {origin} to {cell}", origin=start, cell=cell)


def _is_clear(state: board.State, origin: int, target: int) -> bool:
    """Whether only the worker on *origin* stands beside *target*, so that it need not be named."""
    others = board.workers_of(state, state.seat) & ~(1 << origin)
    return bool(board.NEIGHBOURS[origin] >> target & 1) and not int(board.NEIGHBOURS[target]) & others


def _standing(state: board.State, kind: int, target: int) -> Sentence:
    """The words for a step without a move."""
    cell = board.cell_name(target)
    if kind == board.PICK:
        return say("picks {god}", god=GODS[target].title)
    if kind == board.PLACE:
        return say("worker on {cell}", cell=cell)
    if kind == board.DOME:
        return say("puts Atlas' dome on {cell}", cell=cell)
    if state.phase == board.MOVING:
        return say("first builds on {cell}", cell=cell)
    assert kind == board.BUILD
    is_dome = board.height(state, target) == board.DOME_HEIGHT - 1
    return say("puts a dome on {cell}", cell=cell) if is_dome else say("builds on {cell}", cell=cell)
