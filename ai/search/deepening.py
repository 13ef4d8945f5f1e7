"""What searches share: deepen turn by turn until a limit, in a way that another thread can watch and stop."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from ai.limits import WIN, Analysis, Limit
from game.kernels import State, mover, play
from game.rules import Rules, legal_steps

INFINITY = 2.0 * WIN
STEPS_A_TURN = 32
"""More steps than any turn takes."""

LIVE_FIELDS: list[tuple[str, type]] = [
    ("stop", np.int64),  # set from another thread to end the search
    ("nodes", np.int64),
    ("node_limit", np.int64),
    ("horizon_leaves", np.int64),  # leaves judged by the evaluation: none left means an exact result
    ("root_seat", np.int64),
    ("depth", np.int64),  # live figures: turns searched throughout, best step so far and its score
    ("best", np.int64),
    ("score", np.float64),
]
"""What every search's workspace begins with: a record that compiled calls pass as a single pointer."""


class Deepening(ABC):
    """A searcher for one game.

    One search at a time; only ``stop`` and ``live`` may be called from another thread meanwhile.
    """

    most_depth: int
    """Turns that it can look ahead."""

    def __init__(self, rules: Rules, weights: Sequence[float], workspace: np.dtype[Any]) -> None:
        """:param workspace: the type of its record, which begins with ``LIVE_FIELDS``."""
        self._rules = rules
        self._weights = np.array(weights, np.float64)
        self._work = np.zeros(1, workspace).view(np.recarray)[0]

    @abstractmethod
    def prepare(self, state: State) -> None:
        """Compile the search for this type of state, or load it from the cache."""

    @abstractmethod
    def _begin(self, state: State, limit: Limit, came_twice: Sequence[int]) -> None:
        """Get ready for a search of *state*."""

    def _steps(self, state: State) -> list[int]:
        """The steps of *state* to look at."""
        return legal_steps(state, self._rules.MOST_STEPS)

    @abstractmethod
    def _search(self, after: State, depth: int, best: float) -> float:
        """The score, for the seat at the root, of the state after one of its steps.

        :param depth: turns to look ahead, the root's included.
        :param best: the best score so far: what is no better need not be exact.
        """

    @abstractmethod
    def _is_decided(self, score: float) -> bool:
        """Whether *score*, the best of all steps, can't change at a greater depth."""

    @abstractmethod
    def _is_exact(self) -> bool:
        """Whether the last depth was searched to all ends of the game."""

    def _principal_variation(self, state: State, step: int) -> tuple[int, ...]:
        """*step* and what is expected after it, as far as that is known."""
        return (step,)

    def stop(self) -> None:
        """End the search that is going on; it answers with the best it has."""
        self._work.stop = 1

    def live(self) -> Analysis:
        """How far the search that is going on has come."""
        work = self._work
        return Analysis(int(work.best), float(work.score), int(work.root_seat), int(work.depth), int(work.nodes))

    def analyse(
        self,
        state: State,
        limit: Limit,
        came_twice: Sequence[int] = (),
        seed: int = 0,
        is_cancelled: Callable[[], bool] = lambda: False,
        only: Sequence[int] = (),
        lines: int = 1,
    ) -> Analysis:
        """The best step for the seat to act in *state*, which is not over, as deep as *limit* allows.

        :param came_twice: keys of positions that end the game in a draw if they come once more.
        :param seed: settles which of equally good steps is played.
        :param is_cancelled: asked once at the beginning; later ``stop`` must be called.
        :param only: the steps to choose from; all that it looks at by itself for none.
        """
        self.prepare(state)
        steps = list(only) or self._steps(state)
        Random(seed).shuffle(steps)
        work = self._work
        self._begin(state, limit, came_twice)
        work.root_seat = int(mover(state))
        work.stop, work.nodes, work.depth, work.best, work.score = 0, 0, 0, steps[0], 0.0
        work.node_limit = limit.nodes if limit.nodes is not None else np.iinfo(np.int64).max
        if is_cancelled():
            self.stop()
        timer = threading.Timer(limit.time, self.stop) if limit.time is not None else None
        started = time.perf_counter()
        if timer:
            timer.daemon = True
            timer.start()
        try:
            is_proven = self._deepen(state, steps, min(limit.depth or self.most_depth, self.most_depth))
        finally:
            if timer:
                timer.cancel()
        return replace(
            self.live(),
            seconds=time.perf_counter() - started,
            principal_variation=self._principal_variation(state, int(work.best)),
            is_proven=is_proven,
        )

    def _deepen(self, state: State, steps: list[int], most_depth: int) -> bool:
        """Search *steps* ever deeper until stopped; returns whether the score is proven."""
        work = self._work
        for depth in range(1, most_depth + 1):
            work.horizon_leaves = 0
            best = -INFINITY
            for index, step in enumerate(steps):
                score = self._search(play(state, step), depth, best)
                if work.stop:
                    return False
                if score > best:
                    best = score
                    work.best, work.score = step, score
                    steps.insert(0, steps.pop(index))
            work.depth = depth
            if self._is_decided(best) or self._is_exact():
                return True
            if work.horizon_leaves == 0:
                return False
        return False
