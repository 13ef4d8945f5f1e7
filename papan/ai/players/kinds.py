"""Players of the plainest kinds: those that rate single steps, and those that play what a search finds."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import WeightValues, appraise
from papan.ai.exact.finishing import Finishing
from papan.ai.limits import Analysis, Limit
from papan.ai.players.situations import Situation
from papan.ai.search import Searcher, never
from papan.game.rules import Rules, State, legal_steps


class GreedyPlayer:
    """Takes the step that ``appraise`` rates highest, ties at random; without weights any step at all."""

    def __init__(self, rules: Rules, weights: WeightValues | None) -> None:
        self._rules = rules
        self._weights = None if weights is None else np.array(weights, np.float64)

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """The weights that it rates steps by; None where any step will do."""
        return self._weights

    def prepare(self, state: State) -> None:
        """Nothing: it plays in plain Python."""

    def prepare_rest(self, state: State) -> None:
        """Nothing."""

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        steps = legal_steps(situation.state, self._rules.MOST_STEPS)
        worth = [0.0] * len(steps)
        if self._weights is not None:
            worth = [float(appraise(situation.state, step, self._weights)) for step in steps]
        best = max(worth)
        chosen = Random(situation.seed).choice(
            [step for step, value in zip(steps, worth, strict=True) if value == best]
        )
        return Analysis(chosen, best, situation.seat, principal_variation=(chosen,))

    def stop(self) -> None:
        """Nothing to stop."""

    def live(self) -> Analysis | None:
        return None


class SearchingPlayer:
    """Plays what a search finds within its limit."""

    def __init__(self, rules: Rules, search: Searcher, limit: Limit, depth_asked: int | None = None) -> None:
        """:param depth_asked: the turns to look ahead, where that is all that was asked for: a limit of time, if there
        is one, is only to keep nobody waiting.
        """
        self._rules = rules
        self._limit = limit
        self._search = search
        self.depth_asked = depth_asked

    @property
    def search(self) -> Searcher:
        """The search that it looks ahead with."""
        return self._search

    @property
    def limit(self) -> Limit:
        """The limit of a search."""
        return self._limit

    def prepare(self, state: State) -> None:
        self._search.prepare(state)

    def prepare_rest(self, state: State) -> None:
        if isinstance(self._search, Finishing):
            self._search.prepare_solver(state)

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        limit = self._limit.within(situation.seconds)
        if limit.depth is None and len(legal_steps(situation.state, self._rules.MOST_STEPS)) == 1:
            limit = Limit(depth=1)  # nothing to decide
        return self._search.analyse(
            situation.state, limit, situation.came_twice, seed=situation.seed, is_cancelled=is_cancelled
        )

    def stop(self) -> None:
        self._search.stop()

    def live(self) -> Analysis | None:
        return self._search.live()
