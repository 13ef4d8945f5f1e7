"""A search of one step: whatever is judged best right after it, before anybody else acts, chance included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, WeightValues, evaluate
from papan.ai.limits import WIN, WIN_BOUND, Limit
from papan.ai.search.deepening import LIVE_FIELDS, Deepening
from papan.game.kernel import compiled
from papan.game.rules import Rules, State, is_over, payoff, play, seats

WORKSPACE = np.dtype((np.record, LIVE_FIELDS))


@compiled
def judged(state: State, seat: int, weights: Weights) -> float:
    """What the state *state* after a step is worth to *seat*."""
    if not is_over(state):
        value: float = evaluate(state, seat, weights)
        return value
    paid: float = payoff(state, seat)
    return paid if seats(state) == 1 else paid * (WIN - 1.0)


class OneStep(Deepening):
    """Judges what each step leaves. Whatever the limit says, it looks no further."""

    most_depth = 1

    def __init__(self, rules: Rules, weights: WeightValues) -> None:
        super().__init__(rules, weights, WORKSPACE)
        self._is_for_one = False

    def prepare(self, state: State) -> None:
        judged.prepare(state, 0, self._weights)

    def _begin(self, state: State, limit: Limit, came_twice: Sequence[int]) -> None:
        self._is_for_one = seats(state) == 1

    def _search(self, state: State, step: int, depth: int, best: float) -> float:
        work: Any = self._work
        after = play(state, step)
        work.nodes += 1
        self._leaves[0] += not is_over(after)
        return self._judged(after, int(work.root_seat))

    def _judged(self, after: State, seat: int) -> float:
        return float(judged(after, seat, self._weights))

    def _is_decided(self, score: float) -> bool:
        return not self._is_for_one and abs(score) >= WIN_BOUND

    def _is_exact(self) -> bool:
        return bool(self._leaves[0] == 0)
