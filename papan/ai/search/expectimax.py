"""Expectimax for every game in which chance acts: the best step by the mean of its outcomes.

Michie, "Game-playing and game-learning automata" (1966). The seat at the root, with its team, maximizes its value;
others minimize it; CHANCE has the mean of its outcomes by their probabilities. Depth counts turns of seats; chance
takes none. A game for one seat is played for its payoff, others for the win. Repetitions are ignored: chance
brings other positions.

With a limit of depth nothing is cut off, and all scores are exact to it. With a limit of time or nodes, *chance
pruning* lets it look further: positions less likely than ``LEAST_CHANCE`` are evaluated at once, and so are chance
nodes at the horizon.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, WeightValues, evaluate, is_quiet, mean_evaluation
from papan.ai.limits import WIN, Limit
from papan.ai.search.deepening import INFINITY, LIVE_FIELDS, STEPS_A_TURN, Deepening, look_at_limits
from papan.ai.search.table import slot
from papan.game.base.large_arrays import large_array
from papan.game.kernel import compiled, inlined, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.rules import CHANCE, Rules, State, allied, chance, is_over, key, mover, moves, payoff, play, seats

MOST_DEPTH = 64  # turns

LEAST_CHANCE = 1e-3
"""Positions that are less likely, by the product of all chances before them, are evaluated at once."""

_LESS = 1e-3
"""Factor on ``LEAST_CHANCE`` when a greater depth visits nothing new."""
_NOTHING_NEW = 1.05  # of the nodes of the depth before: with fewer, nothing is new

_AS_LIKELY = 0.2
"""A table entry is deep enough if its position was at least this many times as likely."""

_BUFFER = 1 << 15  # steps waiting on the path of one search

HORIZON, RESOLVED = 1, 2

WORKSPACE = record_type(
    *LIVE_FIELDS,
    ("buffer_limit", np.int64),  # the end of the buffer's space for another turn
    ("age", np.int64),  # the search's number: older entries of the table are replaced first
    ("uses_older", np.int64),  # whether it may use them: not if "depth 2" has to mean exactly that
    ("judges_ends", np.int64),  # whether finished games get their value from the evaluation
    ("least_chance", np.float64),  # 0 to cut nothing off
    ("buffer", np.int64, (_BUFFER,)),
)

ENTRY = record_type(
    ("key", np.int64),
    ("score", np.float64),
    ("likelihood", np.float32),  # of the position when searched; less likely ones are cut off sooner
    ("depth", np.int8),
    ("kind", np.int8),  # HORIZON, or RESOLVED if no evaluation contributed; 0 for an empty entry
    ("age", np.int16),
)
TABLE_BITS = 17
"""The table holds 2**17 positions, 3 MiB, by default."""


@inlined
def is_leaf(state: State, player: int, depth: int, likelihood: float, base: int, work: Any) -> bool:
    """Whether *state* is not searched: its game is over, or it is evaluated at once.

    The arguments are those of ``searched``.
    """
    if is_over(state):
        return True
    seat = mover(state)
    if seat == CHANCE:
        return bool(work.least_chance > 0.0 and (depth == 1 or likelihood < work.least_chance))
    return bool(seat != player and ((depth == 1 and is_quiet(state)) or base > work.buffer_limit))


@inlined
def leaf_value(state: State, turn: int, weights: Weights, work: Any) -> float:
    """The value of a leaf, *turn* turns from the root, to the root's seat."""
    is_final = is_over(state)
    if is_final and work.judges_ends == 0:
        return ending_value(state, turn, work)
    if not is_final:
        work.horizon_leaves += 1
    value: float = evaluate(state, int(work.root_seat), weights)
    return value


@subroutine
def ending_value(state: State, turn: int, work: Any) -> float:
    """The value of the finished game *state*, *turn* turns from the root, to the root's seat."""
    won: float = payoff(state, int(work.root_seat))
    if seats(state) == 1:
        return won
    if won > 0.0:
        return WIN - turn
    return turn - WIN if won < 0.0 else 0.0


@subroutine
def is_known(entry: Any, position: int, depth: int, likelihood: float, work: Any) -> bool:
    """Whether *entry* has the score of the position with that key, searched that deep."""
    if entry.key != position or entry.kind == 0 or (entry.age != work.age and work.uses_older == 0):
        return False
    return bool(entry.kind == RESOLVED or (entry.depth >= depth and entry.likelihood >= _AS_LIKELY * likelihood))


@subroutine
def store(entry: Any, position: int, score: float, likelihood: float, depth: int, kind: int, work: Any) -> None:
    """Store the result for a position in *entry*, unless it has a deeper one of another position from this search."""
    if entry.key == position or entry.age != work.age or entry.depth <= depth:
        entry.key = position
        entry.score = score
        entry.likelihood = likelihood
        entry.depth = depth
        entry.kind = kind
        entry.age = work.age


@inlined
def mean_at_once(state: State, depth: int, weights: Weights, work: Any) -> float:
    """The mean over chance's outcomes at the horizon, if the game knows it without them; else infinity."""
    if depth > 1 or work.judges_ends == 0 or mover(state) != CHANCE:
        return INFINITY
    mean: float = mean_evaluation(state, int(work.root_seat), weights)
    return mean


@subroutine
def searched(
    state: State, player: int, depth: int, turn: int, likelihood: float, base: int,
    weights: Weights, table: Any, work: Any,
) -> float:  # fmt: skip
    """The value of *state*, which is no leaf, to the seat at the root.

    :param player: the seat, or CHANCE, that took the step which led to *state*.
    :param depth: turns to look ahead, including *player*'s own, or the one that chance has followed.
    :param likelihood: the product of all chances on the way from the root.
    :param base: ``work.buffer[base:]`` is free.
    """
    seat = mover(state)
    if seat != player and seat != CHANCE:
        depth = max(depth - 1, 1)
        turn += 1

    # Transposition table probe: before chance, as a hit there saves all outcomes
    is_kept = player != CHANCE
    position = key(state) if is_kept else 0
    entry = table[slot(position, len(table))]
    if is_kept and is_known(entry, position, depth, likelihood, work):
        if entry.kind == HORIZON:
            work.horizon_leaves += 1
        known: float = entry.score
        return known

    leaves_before = work.horizon_leaves
    end = moves(state, work.buffer, base)
    work.nodes += end - base
    if work.nodes >= work.look_at:
        look_at_limits(work)
        if work.stop != 0:
            work.nodes -= end - base
            return 0.0
    best = mean_at_once(state, depth, weights, work)
    if best < INFINITY:
        work.horizon_leaves += 1
    elif seat == CHANCE:
        # The mean of the outcomes
        best = 0.0
        for index in range(base, end):
            outcome = int(work.buffer[index])
            share = chance(state, outcome)
            reached = likelihood * share
            after = play(state, outcome)
            if is_leaf(after, seat, depth, reached, end, work):
                value = leaf_value(after, turn + 1, weights, work)
            else:
                value = searched(after, seat, depth, turn, reached, end, weights, table, work)
                if work.stop != 0:
                    return 0.0
            best += share * value
    else:
        # The best step
        is_own = allied(state, int(work.root_seat), seat)
        best = -INFINITY if is_own else INFINITY
        for index in range(base, end):
            after = play(state, int(work.buffer[index]))
            if is_leaf(after, seat, depth, likelihood, end, work):
                value = leaf_value(after, turn + 1, weights, work)
            else:
                value = searched(after, seat, depth, turn, likelihood, end, weights, table, work)
                if work.stop != 0:
                    return 0.0
            if (value > best) == is_own:
                best = value
    if is_kept:
        kind = RESOLVED if work.horizon_leaves == leaves_before else HORIZON
        store(entry, position, best, likelihood, depth, kind, work)
    return best


@compiled
def expectimax(state: State, seat: int, depth: int, weights: Weights, table: Any, work: Any) -> float:
    """The value of *state*, which is no leaf, after a step of *seat* at the root."""
    value: float = searched(state, seat, depth, 0, 1.0, 0, weights, table, work)
    return value


class Expectimax(Deepening):
    """Expectimax for one game. It owns the transposition table, which a player keeps from move to move."""

    most_depth = MOST_DEPTH

    def __init__(
        self, rules: Rules, weights: WeightValues, table_bits: int = TABLE_BITS, *, judges_ends: bool = False
    ) -> None:
        """:param table_bits: the table holds two to this power positions, of 24 bytes each.
        :param judges_ends: whether finished games get their value from the evaluation too, as in some papers.
        """
        super().__init__(rules, weights, WORKSPACE)
        self._table = _empty_table(1 << table_bits)
        self._work.buffer_limit = _BUFFER - rules.MOST_STEPS * 2 * STEPS_A_TURN
        self._work.judges_ends = int(judges_ends)
        self._depth = self._nodes_before = self._nodes_begun = 0

    def prepare(self, state: State) -> None:
        expectimax.prepare(state, 0, 1, self._weights, self._table, self._work)

    def _begin(self, state: State, limit: Limit, came_twice: Sequence[int]) -> None:
        work = self._work
        seat = int(mover(state))
        if seat != work.root_seat:
            # Scores are for the seat at the root. Clearing a large table takes a second, with no reaction to a stop.
            self._table = _empty_table(len(self._table))
        work.root_seat = seat
        work.age = (int(work.age) + 1) % 30_000
        work.uses_older = int(limit.depth is None)
        work.least_chance = LEAST_CHANCE if limit.depth is None else 0.0
        self._depth, self._nodes_before, self._nodes_begun = 0, 0, 0

    def _go_deeper(self, depth: int) -> None:
        """Begin a new *depth*. If the last one visited nothing new, as in small games, cut off less."""
        work = self._work
        nodes = int(work.nodes) - self._nodes_begun
        if depth > 1 and nodes <= _NOTHING_NEW * self._nodes_before:
            work.least_chance *= _LESS
        self._depth, self._nodes_before, self._nodes_begun = depth, nodes, int(work.nodes)

    def _search(self, state: State, step: int, depth: int, best: float) -> float:
        work, after = self._work, play(state, step)
        if depth > self._depth:
            self._go_deeper(depth)
        seat = int(work.root_seat)
        work.nodes += 1
        if is_leaf(after, seat, depth, 1.0, 0, work):
            return float(leaf_value(after, 1, self._weights, work))
        return float(expectimax(after, seat, depth, self._weights, self._table, work))


def _empty_table(entries: int) -> Any:
    return large_array(entries, ENTRY)
