"""Maxⁿ for three and four seats: every seat is assumed to want the best for itself.

Luckhardt and Irani, "An Algorithmic Solution of N-Person Games" (1986). The value of a state is a vector,
one number a seat; the seat to move takes the step whose vector is best for it. Nothing can be cut off in
general, so the search looks less far ahead than the paranoid one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, WeightValues, evaluate
from papan.ai.limits import WIN, WIN_BOUND, Analysis, Limit
from papan.ai.search import Query
from papan.ai.search.deepening import LIVE_FIELDS, STEPS_A_TURN, Deepening, look_at_limits
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.rules import MOST_SEATS, Rules, State, is_over, mover, moves, payoff, play, seats

MOST_DEPTH = 32  # turns
_BUFFER = 1 << 15  # steps waiting on the path
_LEVELS = 1 << 10  # steps on the path

WORKSPACE = record_type(
    *LIVE_FIELDS,
    ("buffer_limit", np.int64),
    ("buffer", np.int64, (_BUFFER,)),
    ("values", np.float64, (_LEVELS, MOST_SEATS)),  # of the state at each level of the path
)


@subroutine
def judge(state: State, level: int, turn: int, weights: Weights, work: Any) -> None:
    """Write the values of a leaf: the game's payoffs, or each seat's evaluation."""
    for seat in range(seats(state)):
        if is_over(state):
            won = payoff(state, seat)
            work.values[level, seat] = WIN - turn if won > 0.0 else (turn - WIN if won < 0.0 else 0.0)
        else:
            work.values[level, seat] = evaluate(state, seat, weights)


@compiled
def maxn(state: State, player: int, depth: int, turn: int, level: int, base: int, weights: Weights, work: Any) -> int:
    """Write the values of *state* into ``work.values[level]``; returns the number of leaves evaluated.

    :param player: the seat that took the step which led to *state*.
    :param depth: turns to look ahead, including *player*'s own.
    :param base: ``work.buffer[base:]`` is free.
    """
    work.nodes += 1
    if work.nodes >= work.look_at:
        look_at_limits(work)
    if is_over(state):
        judge(state, level, turn + 1, weights, work)
        return 0
    seat = mover(state)
    if seat != player:
        depth -= 1
        turn += 1
        if depth == 0 or base > work.buffer_limit or level + STEPS_A_TURN >= _LEVELS:
            judge(state, level, turn, weights, work)
            return 1
    end = moves(state, work.buffer, base)
    leaves = 0
    best = -2.0 * WIN
    for index in range(base, end):
        after = play(state, int(work.buffer[index]))
        leaves += maxn(after, seat, depth, turn, level + 1, end, weights, work)
        if work.stop != 0:
            return leaves
        if work.values[level + 1, seat] > best:
            best = work.values[level + 1, seat]
            for other in range(MOST_SEATS):
                work.values[level, other] = work.values[level + 1, other]
    return leaves


class MaxN(Deepening):
    most_depth = MOST_DEPTH

    def __init__(self, rules: Rules, weights: WeightValues) -> None:
        super().__init__(rules, weights, WORKSPACE)
        self._work.buffer_limit = _BUFFER - rules.MOST_STEPS * STEPS_A_TURN

    def prepare(self, state: State) -> None:
        maxn.prepare(state, 0, 1, 0, 0, 0, self._weights, self._work)

    def _begin(self, state: State, limit: Limit, came_twice: Sequence[int]) -> None:
        self._promises = (0.0,) * int(seats(state))  # no other state is kept between searches

    def _search(self, state: State, step: int, depth: int, best: float) -> float:
        work, after = self._work, play(state, step)
        work.horizon_leaves += maxn(after, int(work.root_seat), depth, 0, 0, 0, self._weights, work)
        score = float(work.values[0, work.root_seat])
        if score > best and not work.stop:
            self._promises = tuple(float(value) for value in work.values[0, : seats(after)])
        return score

    def answer(self, query: Query, first_depth: int = 1) -> Analysis:
        """As any ``Deepening``; the answer has each seat's value of the best step."""
        return replace(super().answer(query, first_depth), promises=self._promises)

    def _is_decided(self, score: float) -> bool:
        return score >= WIN_BOUND  # a loss is only as sure as the assumption about the others

    def _is_exact(self) -> bool:
        return False
