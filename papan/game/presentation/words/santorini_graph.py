"""Turns of Santorini on graphs in words."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import Sentence, capitalised, joined, say
from papan.game.rules.santorini_graph.board import MOVE, PLACE, State, height, step_parts


def turn_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """Each step in order, with the numbers of the nodes."""
    return capitalised(joined((_words(*pair) for pair in zip(states, steps, strict=False)), ", "))


def short_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """As ``turn_words``, without whether the worker climbs."""
    return capitalised(joined((_short(*pair) for pair in zip(states, steps, strict=False)), ", "))


def _short(state: State, step: int) -> Sentence:
    kind, origin, target = step_parts(step)
    return say("worker {origin} to {cell}", origin=origin, cell=target) if kind == MOVE else _words(state, step)


def _words(state: State, step: int) -> Sentence:
    kind, origin, target = step_parts(step)
    if kind == PLACE:
        return say("worker on {cell}", cell=target)
    if kind == MOVE:
        if height(state, target) > height(state, origin):
            return say("worker from {origin} climbs to {cell}", origin=origin, cell=target)
        return say("worker from {origin} to {cell}", origin=origin, cell=target)
    if height(state, target) + 1 == state.top:
        return say("closes {cell}", cell=target)
    return say("builds on {cell}", cell=target)
