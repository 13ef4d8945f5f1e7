"""Searches: each written once, for every game that it makes sense for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from papan.ai.limits import Analysis, Limit
from papan.game.rules import State


def never() -> bool:
    return False


@dataclass(frozen=True)
class Query:
    state: State
    """It is not over; the best step is wanted for the seat to act."""
    limit: Limit
    came_twice: Sequence[int] = ()
    """Keys of positions that end the game if they come once more."""
    seed: int = 0
    """Settles all that is random: within a limit that is no time, the same seed gives the same answer."""
    is_cancelled: Callable[[], bool] = never
    """Asked once at the beginning; later ``stop`` must be called."""
    only: Sequence[int] = ()
    """The steps to choose from; default: all that the search looks at by itself."""
    lines: int = 1
    """How many of the best steps to give the true score and a line of its own each; 0 for all steps."""
    is_followed: bool = True
    """Whether lines are wanted beyond their first steps; a solver takes longer over these than over the scores."""


class Searcher(ABC):
    """A search for one game, one question at a time; only ``stop`` and ``live`` from another thread meanwhile."""

    @abstractmethod
    def prepare(self, state: State) -> None:
        """Compile the search for this type of state, or load it from the cache."""

    def touch(self) -> None:  # noqa: B027 - most write to little
        """Have the system provide the memory that searches write to, so that none limited by time waits for it."""

    @abstractmethod
    def answer(self, query: Query) -> Analysis:
        """The best step, as far as the limit allows."""

    @abstractmethod
    def stop(self) -> None:
        """End the search that is going on, within 20 ms; it answers with the best it has."""

    def live(self) -> Analysis | None:
        """How far the search that is going on has come, if that can be told."""
        return None

    def analyse(
        self,
        state: State,
        limit: Limit,
        came_twice: Sequence[int] = (),
        seed: int = 0,
        is_cancelled: Callable[[], bool] = never,
        only: Sequence[int] = (),
        lines: int = 1,
    ) -> Analysis:
        """``answer`` the query that is made of these; see ``Query`` for what they are."""
        return self.answer(Query(state, limit, came_twice, seed, is_cancelled, only, lines))
