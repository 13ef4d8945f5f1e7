"""Games written down by hand, node by node, for tests of searches: trees, and graphs whose positions come back.

Run them in plain Python (``papan.game.kernel.plainly``): the few positions take less time than compiling would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from papan.game.kernel import Integers, int64, state
from papan.game.rules import CHANCE, allied, can_repeat, is_over, key, mover, moves, payoff, play, seats, steps_to_draw

FIRST, SECOND, THIRD, DICE, WON, LOST, DRAWN = range(7)
"""Who is to act at a node, or how the game has ended for the first seat."""
MOST_STEPS = 16
"""Of any node."""
_FACTS = 3


@state
class Node(NamedTuple):
    """A node of a tree or graph, and after how many steps without a reset the game is drawn."""

    node: int64
    quiet: int64
    limit: int64
    has_teams: int64
    graph: Integers


def written(
    kinds: Sequence[int], successors: Mapping[int, Sequence[int]], limit: int = 1 << 20, has_teams: bool = False
) -> Node:
    """The node 0 of the graph of nodes of these *kinds*, each with its *successors*.

    After *limit* quiet steps the game is drawn. A step is quiet that stays among eight nodes, 0 to 7, 8 to 15 and so
    on; from a later eight none may lead back.
    """
    facts: list[int] = []
    edges: list[int] = []
    for node, kind in enumerate(kinds):
        after = list(successors.get(node, ()))
        facts += [kind, _FACTS * len(kinds) + len(edges), len(after)]
        edges += after
    return Node(0, 0, limit, int(has_teams), Integers([*facts, *edges]))


def fact(state: Node, number: int) -> int:
    return state.graph[_FACTS * state.node + number]


@mover.of(Node)
def _mover(state: Node) -> int:
    kind = fact(state, 0)
    return CHANCE if kind == DICE else min(kind, THIRD)


@moves.of(Node)
def _moves(state: Node, buffer: Any, base: int) -> int:
    count = 0 if is_over(state) else fact(state, 2)
    for step in range(count):
        buffer[base + step] = step
    return base + count


@play.of(Node)
def _play(state: Node, step: int) -> Node:
    node = state.graph[fact(state, 1) + step]
    is_reset = node // 8 != state.node // 8
    return state._replace(node=node, quiet=0 if is_reset else state.quiet + 1)


@is_over.of(Node)
def _is_over(state: Node) -> bool:
    return fact(state, 0) >= WON or state.quiet >= state.limit


@payoff.of(Node)
def _payoff(state: Node, seat: int) -> float:
    kind = fact(state, 0)
    won = 1.0 if kind == WON else -1.0 if kind == LOST else 0.0
    return won if allied(state, 0, seat) else -won


@key.of(Node)
def _key(state: Node) -> int:
    return state.node * 0x1E3779B97F4A7C15 % (1 << 62)


@seats.of(Node)
def _seats(state: Node) -> int:
    return 3


@allied.of(Node)
def _allied(state: Node, seat: int, other: int) -> bool:
    return seat == other or (state.has_teams == 1 and seat + other == 2)


@can_repeat.of(Node)
def _can_repeat(state: Node) -> bool:
    return True


@steps_to_draw.of(Node)
def _steps_to_draw(state: Node) -> int:
    return state.limit - state.quiet
