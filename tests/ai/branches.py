"""A game for tests that is just the tree it is given: each node has a mover, children, and a value for seat 0."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from papan.ai.evaluation import STANDARD, Weights, evaluate
from papan.game.game import Game
from papan.game.kernel import Integers, int64, state
from papan.game.rules import CHANCE, chance, is_over, key, mover, moves, payoff, play

MOST_STEPS = 16
RECORD = 4  # numbers a node: who is to act, its value, its first child, how many children


class Node(NamedTuple):
    """A node as a test writes it; one without children is a finished game, won by seat 0 if its value is positive."""

    mover: int
    """0, 1 or ``CHANCE``; of no meaning in a finished game."""
    value: int
    children: Sequence[Node] = ()


@state
class State(NamedTuple):
    tree: Integers
    at: int64
    """The node's number."""


@mover.of(State)
def _mover(state: State) -> int:
    return state.tree[RECORD * state.at]


@moves.of(State)
def _moves(state: State, buffer: Any, base: int) -> int:
    for child in range(state.tree[RECORD * state.at + 3]):
        buffer[base] = child
        base += 1
    return base


@play.of(State)
def _play(state: State, step: int) -> State:
    return State(state.tree, state.tree[RECORD * state.at + 2] + step)


@is_over.of(State)
def _is_over(state: State) -> bool:
    return state.tree[RECORD * state.at + 3] == 0


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    value = state.tree[RECORD * state.at + 1]
    won = 1.0 if value > 0 else -1.0 if value < 0 else 0.0
    return won if seat == 0 else -won


@key.of(State)
def _key(state: State) -> int:
    return state.at + 1


@chance.of(State)
def _chance(state: State, step: int) -> float:
    return 1.0 / state.tree[RECORD * state.at + 3]


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    value = float(state.tree[RECORD * state.at + 1])
    return value if seat == 0 else -value


def state_of(tree: Node) -> State:
    """The root of *tree* as a state."""
    numbers: list[int] = []
    nodes = [tree]
    first_free = 1
    for node in nodes:  # which grows by the children of each
        numbers += [node.mover, node.value, first_free, len(node.children)]
        first_free += len(node.children)
        nodes += node.children
    return State(Integers(numbers), 0)


RULES = SimpleNamespace(MOST_STEPS=MOST_STEPS)
EVALUATION = SimpleNamespace(WEIGHTS={STANDARD: (1.0,)}, THRESHOLD=5.0, SCALE=5.0)
GAME = cast(Game, SimpleNamespace(rules=RULES, name="branches", title="Branches", has_chance=True))
__all__ = ["CHANCE", "EVALUATION", "GAME", "RULES", "Node", "State", "state_of"]
