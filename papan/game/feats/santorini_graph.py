"""The feats of Santorini on graphs: climbs, and nodes closed in front of who could win there."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.feats import Feat
from papan.game.kernel.bits import cells_of
from papan.game.rules import mover
from papan.game.rules.santorini_graph.board import (
    BUILD,
    MOVE,
    SHARED,
    TOWER_WINS,
    State,
    destinations,
    height,
    step_parts,
    workers_of,
)

_CLOSED = 100  # more than any level


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    """What the worker climbs to, and what is built in front of the other seat."""
    seat, found = int(mover(states[0])), []
    for state, step in zip(states, steps, strict=False):
        kind, origin, target = step_parts(step)
        level = height(state, target)
        if kind == MOVE and height(state, origin) < level < state.top - 1:
            found.append(
                Feat(
                    level,
                    say("{who} can now climb to level {level} on node {node}.", who=who, level=level, node=target),
                    say("{who} could have climbed to level {level} on node {node}.", who=who, level=level, node=target),
                )
            )
        if kind == BUILD and level == state.top - 1 and _could_win_on(state, 1 - seat, target):
            found.append(
                Feat(
                    _CLOSED,
                    say("{who} can now close node {node}.", who=who, node=target),
                    say("{who} could have closed node {node}.", who=who, node=target),
                )
            )
    return found


def _could_win_on(state: State, seat: int, node: int) -> bool:
    """Whether a worker of *seat* is in reach of the *node*, where moving there wins."""
    if state.rules & TOWER_WINS == 0 or state.rules & SHARED:
        return False
    return any(destinations(state, worker) >> node & 1 for worker in cells_of(workers_of(state, seat)))
