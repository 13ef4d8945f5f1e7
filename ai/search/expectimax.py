"""Expectimax for every game in which chance acts: the best step by the mean of what may follow.

Michie, "Game-playing and game-learning automata" (1966). The seat at the root, with its team, takes the step
that promises it most; others take the one that leaves it least; CHANCE has the mean of its outcomes by their
probabilities. Nothing is cut off, so all scores are exact to their depth. Depth counts turns of seats: what
chance brings takes none. A game for one seat is played for its payoff, others for the win. Positions that come
back are not looked for: chance brings other ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ai.evaluation import Weights, evaluate, is_quiet
from ai.limits import WIN, WIN_BOUND, Limit
from ai.search.deepening import INFINITY, LIVE_FIELDS, STEPS_A_TURN, Deepening
from ai.search.table import slot
from game.kernel import compiled, subroutine
from game.kernels import CHANCE, State, allied, chance, is_over, key, mover, moves, payoff, play, seats
from game.rules import Rules

MOST_DEPTH = 64  # turns

_BUFFER = 1 << 15  # steps waiting on the path of one search

HORIZON, RESOLVED = 1, 2

WORKSPACE = np.dtype(
    (
        np.record,
        [
            *LIVE_FIELDS,
            ("buffer_limit", np.int64),  # where the buffer is too full for another turn
            ("age", np.int64),  # the search's number: older entries of the table are replaced first
            ("uses_older", np.int64),  # whether it may use them: not where "depth 2" is to mean just that
            ("buffer", np.int64, (_BUFFER,)),
        ],
    )
)

ENTRY = np.dtype(
    [
        ("key", np.int64),
        ("score", np.float64),
        ("depth", np.int32),
        ("kind", np.int16),  # HORIZON, or RESOLVED where no evaluation had a part in it; 0 where nothing is kept
        ("age", np.int16),
    ]
)
TABLE_BITS = 20
"""The table holds 2**20 positions, 24 MiB, unless asked otherwise."""


@subroutine
def ending_value(state: State, turn: int, work: Any) -> float:
    """What the finished game *state*, *turn* turns from the root, is worth to the root's seat."""
    won: float = payoff(state, int(work.root_seat))
    if seats(state) == 1:
        return won
    if won > 0.0:
        return WIN - turn
    return turn - WIN if won < 0.0 else 0.0


@compiled
def expectimax(
    state: State, player: int, depth: int, turn: int, base: int, weights: Weights, table: Any, work: Any
) -> float:
    """What *state* promises the seat at the root.

    :param player: the seat, or CHANCE, that took the step which led to *state*.
    :param depth: turns to look ahead, the one that *player* is in, or that chance has followed, included.
    :param turn: turns from the root.
    :param base: ``work.buffer[base:]`` is free.
    """
    work.nodes += 1
    if work.nodes >= work.node_limit:
        work.stop = 1
    if is_over(state):
        return ending_value(state, turn + 1, work)
    seat = mover(state)
    # Recursive calls are given variables: a constant is of a type of its own, and the function compiled for it
    # another one, whose recursion would be unresolved when both come from the cache.
    if seat == CHANCE:
        last = moves(state, work.buffer, base)
        mean = 0.0
        for index in range(base, last):
            outcome = int(work.buffer[index])
            value = expectimax(play(state, outcome), seat, depth, turn, last, weights, table, work)
            if work.stop != 0:
                return 0.0
            mean += chance(state, outcome) * value
        return mean
    if seat != player:
        depth -= 1
        turn += 1
        if depth == 0 and not is_quiet(state):
            depth = 1
        if depth == 0 or base > work.buffer_limit:
            work.horizon_leaves += 1
            judged: float = evaluate(state, int(work.root_seat), weights)
            return judged
    position = key(state)
    entry = table[slot(position, len(table))]
    is_known = entry.key == position and entry.kind != 0 and (entry.age == work.age or work.uses_older != 0)
    if is_known and (entry.depth >= depth or entry.kind == RESOLVED):
        if entry.kind == HORIZON:
            work.horizon_leaves += 1
        known: float = entry.score
        return known
    is_own = allied(state, int(work.root_seat), seat)
    leaves_before = work.horizon_leaves
    end = moves(state, work.buffer, base)
    best = -INFINITY if is_own else INFINITY
    for index in range(base, end):
        value = expectimax(play(state, int(work.buffer[index])), seat, depth, turn, end, weights, table, work)
        if work.stop != 0:
            return 0.0
        if (value > best) == is_own:
            best = value
    if entry.key == position or entry.age != work.age or entry.depth <= depth:
        entry.key = position
        entry.score = best
        entry.depth = depth
        entry.kind = RESOLVED if work.horizon_leaves == leaves_before else HORIZON
        entry.age = work.age
    return best


class Expectimax(Deepening):
    """Expectimax for one game. It owns the transposition table, which a player keeps from move to move."""

    most_depth = MOST_DEPTH

    def __init__(self, rules: Rules, weights: Sequence[float], table_bits: int = TABLE_BITS) -> None:
        """:param table_bits: the table holds two to this power positions, of 24 bytes each."""
        super().__init__(rules, weights, WORKSPACE)
        self._table = np.zeros(1 << table_bits, ENTRY).view(np.recarray)
        self._work.buffer_limit = _BUFFER - rules.MOST_STEPS * 2 * STEPS_A_TURN
        self._is_for_one = False

    def prepare(self, state: State) -> None:
        expectimax.prepare(state, 0, 1, 0, 0, self._weights, self._table, self._work)

    def _begin(self, state: State, limit: Limit, came_twice: Sequence[int]) -> None:
        work = self._work
        seat = int(mover(state))
        if seat != work.root_seat:
            self._table.kind[:] = 0  # scores are for the seat at the root
        work.root_seat = seat
        work.age = (int(work.age) + 1) % 30_000
        work.uses_older = int(limit.depth is None)
        self._is_for_one = seats(state) == 1

    def _search(self, after: State, depth: int, best: float) -> float:
        work = self._work
        return float(expectimax(after, int(work.root_seat), depth, 0, 0, self._weights, self._table, work))

    def _is_decided(self, score: float) -> bool:
        return not self._is_for_one and abs(score) >= WIN_BOUND

    def _is_exact(self) -> bool:
        return bool(self._work.horizon_leaves == 0)
