"""Checks the reasons of Santorini on graphs on the position text; moves are those that the rules allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dev.reasons.cases import Case, Check
from papan.game.base.sentences import Value
from papan.game.rules import State, is_over, legal_steps, payoff, play
from papan.game.rules.santorini_graph import notation, text
from papan.game.rules.santorini_graph.board import MOVING


class Board:
    """Heights, workers and moves of a position."""

    def __init__(self, state: State) -> None:
        self.state = state
        heights, seat, *workers = text(state).split("/")
        self.seat = int(seat) - 1
        self.heights = [int(digit) for digit in heights]
        self.workers = [{int(node) for node in nodes.split(",") if node} for nodes in workers]

    def of(self, seat: int) -> set[int]:
        return self.workers[seat % len(self.workers)]

    def moves(self, seat: int) -> list[tuple[int, int, State]]:
        """The moves of *seat* if it were to move: the nodes left and reached, and the state after."""
        start = self.state._replace(seat=seat, phase=MOVING)
        found = []
        for step in legal_steps(start):
            origin, target = notation(start, step).split("-")
            found.append((int(origin), int(target), play(start, step)))
        return found

    def wins(self, seat: int) -> set[int]:
        moves = self.moves(seat)
        return {target for _origin, target, after in moves if is_over(after) and payoff(after, seat) > 0}

    def targets(self, seat: int) -> set[int]:
        return {target for _origin, target, _after in self.moves(seat)}


class _Turn:
    """A turn on two boards."""

    def __init__(self, case: Case, values: Mapping[str, Value]) -> None:
        self.values = values
        self.before, self.after = Board(case.before), Board(case.after)
        self.seat = self.before.seat
        self.other = 1 - self.seat
        self.come = self.after.of(self.seat) - self.before.of(self.seat)

    @property
    def node(self) -> int:
        return int(self.values["node"])

    def rise(self) -> tuple[int, int]:
        """The height of the node before and after."""
        return self.before.heights[self.node], self.after.heights[self.node]

    def is_grown(self) -> bool:
        return self.rise()[0] < self.rise()[1]

    def is_stopped(self) -> bool:
        return self.node in self.before.wins(self.other) - self.after.wins(self.other)

    def threatens(self, *names: str) -> bool:
        nodes = {int(self.values[name]) for name in names}
        return nodes <= self.after.wins(self.seat) - self.before.wins(self.seat)

    def counts(self, seat: int) -> tuple[int, int]:
        return len(self.before.moves(seat)), len(self.after.moves(seat))


def _climbs(turn: _Turn) -> bool:
    gone = turn.before.of(turn.seat) - turn.after.of(turn.seat)
    level = turn.after.heights[turn.node]
    is_up = all(turn.before.heights[node] < level for node in gone)
    return turn.node in turn.come and is_up and level == turn.values["level"]


def _traps(turn: _Turn) -> bool:
    had, have = ([origin for origin, _target, _after in board.moves(turn.other)] for board in (turn.before, turn.after))
    return turn.node in turn.after.of(turn.other) and turn.node in had and turn.node not in have


def _is_step(turn: _Turn) -> bool:
    moves = [(origin, target) for origin, target, _after in turn.after.moves(turn.seat)]
    heights = turn.after.heights
    is_up = any(target == turn.node and heights[origin] < heights[target] for origin, target in moves)
    return turn.is_grown() and is_up and heights[turn.node] == turn.values["level"]


def _leaves(turn: _Turn) -> bool:
    return turn.values["count"] == turn.counts(turn.other)[1]


def _leads_to(state: State, node: int) -> int:
    """The number of edges from *node*."""
    edges, nodes = state.edges, state.nodes
    words = len(edges) // (2 * nodes)
    return sum(int(edges[node * words + word]).bit_count() for word in range(words))


def _finds_more(turn: _Turn) -> bool:
    gone = turn.before.of(turn.seat) - turn.after.of(turn.seat)
    had, has = ([_leads_to(turn.after.state, node) for node in nodes] for nodes in (gone, turn.come))
    return len(has) == 1 and has[0] > max(had)


_FACTS: Mapping[str, Callable[[_Turn], bool]] = {
    "climbs to level {level} on node {node}": _climbs,
    "closes node {node} before the opponent climbs it": lambda turn: (
        turn.rise()[1] == turn.after.state.top and turn.is_grown() and turn.is_stopped()
    ),
    "keeps the opponent from winning on node {node}": _Turn.is_stopped,
    "threatens to win on node {node}": lambda turn: turn.threatens("node"),
    "threatens to win on nodes {node} and {other}": lambda turn: turn.threatens("node", "other"),
    "raises node {node} out of the opponent's reach": lambda turn: (
        turn.is_grown() and turn.node in turn.before.targets(turn.other) - turn.after.targets(turn.other)
    ),
    "builds a step up to level {level} on node {node}": _is_step,
    "builds on node {node} out of the opponent's reach": lambda turn: (
        turn.is_grown() and turn.node not in turn.after.targets(turn.other)
    ),
    "traps the worker on node {node}": _traps,
    "leaves the opponent only {count} move": _leaves,
    "leaves the opponent {count} move": _leaves,
    "cuts the opponent's moves to {count}": lambda turn: (
        _leaves(turn) and turn.counts(turn.other)[0] > turn.counts(turn.other)[1]
    ),
    "leaves you {count} moves to the opponent's {other}": lambda turn: (
        (turn.counts(turn.seat)[1], turn.counts(turn.other)[1]) == (turn.values["count"], turn.values["other"])
        and turn.counts(turn.seat)[1] > turn.counts(turn.other)[1]
    ),
    "gives your workers more ways to move": lambda turn: turn.counts(turn.seat)[0] < turn.counts(turn.seat)[1],
    "puts a worker on node {node}, which leads to {count} node": lambda turn: (
        turn.node in turn.come and _leads_to(turn.after.state, turn.node) == turn.values["count"]
    ),
    "moves to a node with more neighbours": _finds_more,
    "leaves no opponent a winning move": lambda turn: not turn.after.wins(turn.other),
}


def _check(fact: Callable[[_Turn], bool]) -> Check:
    return lambda case, values: not is_over(case.after) and fact(_Turn(case, values))


CHECKS: Mapping[str, Check] = {template: _check(fact) for template, fact in _FACTS.items()}
