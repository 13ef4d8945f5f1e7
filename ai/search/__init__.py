"""Searches: each written once, for every game that it makes sense for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ai.limits import Analysis, Limit
from game.kernels import State


class Searcher(Protocol):
    """What looks ahead in one game. One search at a time; only ``stop`` and ``live`` from another thread meanwhile."""

    def prepare(self, state: State) -> None:
        """Compile the search for this type of state, or load it from the cache."""

    def analyse(
        self,
        state: State,
        limit: Limit,
        came_twice: Sequence[int] = (),
        seed: int = 0,
        is_cancelled: Callable[[], bool] = ...,
        only: Sequence[int] = (),
        lines: int = 1,
    ) -> Analysis:
        """The best step for the seat to act in *state*, which is not over, as far as *limit* allows.

        :param came_twice: keys of positions that end the game if they come once more.
        :param seed: settles all that is random: within a limit that is no time, the same seed gives the same answer.
        :param is_cancelled: asked once at the beginning; later ``stop`` must be called.
        :param only: the steps to choose from; all that it looks at by itself for none.
        :param lines: how many of the best steps to give the true score and a line of its own each; 0 for all steps.
        """

    def stop(self) -> None:
        """End the search that is going on, within 20 ms; it answers with the best it has."""

    def live(self) -> Analysis | None:
        """How far the search that is going on has come, if that can be told."""
