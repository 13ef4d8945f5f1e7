"""Best-first proof search in a tree kept in memory: PNS, MCPNS and PPNS; ``numbers`` has the differences.

An iteration walks down to the most proving leaf, always to the child that the last back-up found best, generates all
its children, and backs the numbers up as far as they change. It tries all legal steps, not only a game's
``candidates``. OR is the side of the seat with the goal, with its team; all other seats are AND, and so is chance by
default. A turn may have several steps of one seat: OR stays OR. A forced pass is a step like any other.

States are not kept: the walk plays the steps again, which costs less than the memory would.

**Repetitions.** A position that is already on the path, or came twice before the root, counts as not achieved. That is
sound for proofs: a forced win never needs a repetition, because the shortest way to win has none. Nor does it disprove
too much where a third repetition is a draw. Where the rules make a repetition a loss for the other side (perpetual
check), a disproof only says that the goal can't be forced without it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.proof import SolverSetting
from papan.ai.proof.numbers import MCPNS, NODE, PNS, PPNS, back_up, begin_leaf, settle
from papan.ai.proof.result import (
    MEBIBYTE,
    MOST_PATH,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    PATH_FIELDS,
    Branch,
    Result,
    Running,
    comes_again,
    side_of,
)
from papan.game.base.large_arrays import large_array
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.kernel.rng import RandomState, random_state
from papan.game.playout import random_step
from papan.game.rules import State, achieved, can_repeat, key, moves, play

METHODS = {"pns": PNS, "mcpns": MCPNS, "ppns": PPNS}
MEMORY = 1024
"""MiB that the tree takes at most, by default: 33 million nodes."""

WORKSPACE = record_type(
    *PATH_FIELDS,
    ("method", np.int64),
    ("playouts_each", np.int64),
    ("theta", np.float64),
    ("pr", np.float64),
    ("path", np.int64, (MOST_PATH,)),  # the indices of the nodes from the root to the leaf
)


@subroutine
def won_playouts(state: State, work: Any, buffer: Any, random: RandomState) -> int:
    """The number of random games from *state* that achieve the goal; meaningless once stopped."""
    seat, goal = int(work.seat), int(work.goal)
    wins = 0
    for _ in range(work.playouts_each):
        if work.stop != 0:
            break
        now = state
        while achieved(now, seat, goal) == 0:
            now = play(now, random_step(now, buffer, random))
        if achieved(now, seat, goal) > 0:
            wins += 1
    return wins


@subroutine
def generate(
    state: State, base: int, count: int, depth: int, nodes: Any, work: Any, steps: Any, buffer: Any, random: RandomState
) -> None:
    """Write the children of *state*, reached by *steps*, into ``nodes[base:]``."""
    for index in range(count):
        if work.stop != 0:
            return
        child = nodes[base + index]
        after = play(state, int(steps[index]))
        child.step = steps[index]
        child.first, child.count, child.best, child.length = 0, 0, 0, 0
        child.side = side_of(after, work)
        value = achieved(after, int(work.seat), int(work.goal))
        if value == 0 and can_repeat(after) and comes_again(key(after), work, int(work.path_start) + depth + 1) >= 0:
            value = -1
        child.value = value
        if value != 0:
            settle(child, value, int(work.method))
            continue
        wins = 0
        if work.method != PNS:
            wins = won_playouts(after, work, buffer, random)
        begin_leaf(child, wins, int(work.playouts_each), int(work.method), work.theta)


@subroutine
def is_concluded(node: Any, work: Any) -> bool:
    """Whether the root's number is within pr of 1 or of 0, which is PPNS's tolerance."""
    if work.method != PPNS or work.pr <= 0.0:
        return False
    chance: float = node.pn
    return bool(abs(chance - 1.0) <= work.pr * chance or chance <= work.pr * (1.0 - chance))


@compiled
def grow(root: State, nodes: Any, work: Any, steps: Any, buffer: Any, random: RandomState) -> None:
    """Expand most proving nodes until the root is decided or concluded, or *work* says stop."""
    method = int(work.method)
    while work.stop == 0 and nodes[0].value == 0 and not is_concluded(nodes[0], work):
        state = root
        index, depth = 0, 0
        while nodes[index].count > 0:
            index = int(nodes[index].first) + int(nodes[index].best)
            state = play(state, int(nodes[index].step))
            depth += 1
            work.path[depth] = index
            if can_repeat(state):
                work.keys[int(work.path_start) + depth] = key(state)
        count = moves(state, steps, 0)
        base = int(work.nodes)
        if base + count > work.node_limit:
            work.out = OUT_OF_NODES
            return
        if base + count > len(nodes) or depth + 1 >= MOST_PATH:
            work.out = OUT_OF_MEMORY
            return
        before = random[0]
        generate(state, base, count, depth, nodes, work, steps, buffer, random)
        if work.stop != 0:
            random[0] = before  # expand again later
            return
        if method != PNS:
            for child_index in range(base, base + count):
                if nodes[child_index].value == 0:
                    work.playouts += work.playouts_each
        nodes[index].first = base
        nodes[index].count = count
        work.nodes += count
        work.iterations += 1
        while back_up(nodes, index, method) and depth > 0:
            depth -= 1
            index = int(work.path[depth])


class TreeSearch(Running):
    """PNS, MCPNS or PPNS for one game. It keeps its tree, so that a run can resume where the last one ended."""

    def __init__(self, most_steps: int, method: str, setting: SolverSetting) -> None:
        """:param most_steps: the rules' ``MOST_STEPS``."""
        super().__init__(method, WORKSPACE, setting.chance)
        capacity = min(int((setting.memory or MEMORY) * MEBIBYTE) // NODE.itemsize, np.iinfo(np.int32).max)
        self._nodes = large_array(capacity, NODE)
        self._steps = np.empty(most_steps, np.int64)
        self._buffer = np.empty(most_steps, np.int64)
        self._seed = setting.seed
        self._random = random_state(self._seed)
        work = self._work
        work.method, work.playouts_each = METHODS[method], setting.playouts
        work.theta, work.pr = setting.theta, setting.pr

    @property
    def memory(self) -> int:
        return int(self._nodes.nbytes)

    def prepare(self, state: State) -> None:
        grow.prepare(state, self._nodes, self._work, self._steps, self._buffer, self._random)

    def _begin(self, state: State, value: int) -> None:
        self._random[:] = random_state(self._seed)
        root = self._nodes[0]
        root.first, root.count, root.best, root.length, root.value = 0, 0, 0, 0, value
        root.side = side_of(state, self._work)
        if value:
            settle(root, value, int(self._work.method))
        else:
            begin_leaf(root, 1, 2, int(self._work.method), 0.0)

    def _go(self, state: State) -> None:
        grow(state, self._nodes, self._work, self._steps, self._buffer, self._random)

    def _result(self) -> Result:
        root = self._nodes[0]
        if root.value:
            return "proved" if root.value > 0 else "disproved"
        if is_concluded(root, self._work):
            return "concluded win" if root.pn > root.dn else "concluded not-win"
        return "out"

    def _numbers(self) -> tuple[float, float, float | None]:
        root = self._nodes[0]
        return float(root.pn), float(root.dn), self._chance(root)

    def _chance(self, node: Any) -> float | None:
        return float(node.pn) if self._work.method == PPNS else None

    def _line(self) -> tuple[int, ...]:
        node = self._nodes[0]
        line = []
        while node.count:
            node = self._nodes[int(node.first) + int(node.best)]
            line.append(int(node.step))
        return tuple(line)

    def _branches(self) -> tuple[Branch, ...]:
        root = self._nodes[0]
        children = self._nodes[int(root.first) : int(root.first) + int(root.count)]
        return tuple(
            Branch(int(child.step), float(child.pn), float(child.dn), self._chance(child), int(child.value))
            for child in children
        )
