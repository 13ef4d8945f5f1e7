"""Searches: each is written once, for every suitable game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from papan.ai.limits import Analysis, Limit
from papan.game.rules import Rules, State, is_over, legal_steps, mover, payoff, play


def never() -> bool:
    return False


@dataclass(frozen=True)
class Query:
    state: State
    """Not over; the best step is for the seat to act."""
    limit: Limit
    came_twice: Sequence[int] = ()
    """Keys of positions that end the game if they come once more."""
    seed: int = 0
    """The seed of all randomness: without a limit of time the same seed gives the same answer."""
    is_cancelled: Callable[[], bool] = never
    """Polled once at the start; later ``stop`` must be called."""
    only: Sequence[int] = ()
    """The steps to choose from; default: all that the search tries by itself."""
    lines: int = 1
    """The number of best steps to give a true score and a line; 0 for all steps."""
    is_followed: bool = True
    """Whether lines should go beyond their first steps; a solver takes longer for these than for the scores."""


class Searcher(ABC):
    """A search for one game, one question at a time; only ``stop`` and ``live`` from another thread meanwhile."""

    @abstractmethod
    def prepare(self, state: State) -> None:
        """Compile the search for this type of state, or load it from the cache."""

    def prepare_rest(self, state: State) -> None:  # noqa: B027 - most have no rest
        """Compile what may be needed later in the game."""

    def touch(self) -> None:  # noqa: B027 - most write to little
        """Have the system provide the memory that searches write to, so that no timed search waits for it."""

    @abstractmethod
    def answer(self, query: Query) -> Analysis:
        """The best step, as far as the limit allows."""

    @abstractmethod
    def stop(self) -> None:
        """End the current search, within 20 ms; it answers with the best so far."""

    def live(self) -> Analysis | None:
        """The progress of the current search, if known."""
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
        """``answer`` the query with these fields; see ``Query``."""
        return self.answer(Query(state, limit, came_twice, seed, is_cancelled, only, lines))


@dataclass(frozen=True)
class PlayedTurn:
    """A turn: the state before it, and after each of its steps."""

    states: tuple[State, ...]
    steps: tuple[int, ...] = ()

    @property
    def seat(self) -> int:
        return int(mover(self.states[0]))

    @property
    def is_whole(self) -> bool:
        """Whether another seat is to act after it, or the game is over."""
        return is_over(self.states[-1]) or int(mover(self.states[-1])) != self.seat

    @property
    def wins(self) -> bool:
        return bool(is_over(self.states[-1])) and payoff(self.states[-1], self.seat) > 0

    def then(self, step: int) -> PlayedTurn:
        return PlayedTurn((*self.states, play(self.states[-1], step)), (*self.steps, step))

    def notation(self, rules: Rules) -> str:
        return "".join(rules.notation(*pair) for pair in zip(self.states, self.steps, strict=False))


def turns_along(state: State, steps: Sequence[int]) -> Iterator[PlayedTurn]:
    """Yield the turns that *steps* from *state* make; only the last one may not be whole."""
    turn = PlayedTurn((state,))
    for step in steps:
        if is_over(turn.states[-1]):
            break
        turn = turn.then(step)
        if turn.is_whole:
            yield turn
            turn = PlayedTurn(turn.states[-1:])
    if turn.steps:
        yield turn


def all_turns(rules: Rules, begun: PlayedTurn) -> Iterator[PlayedTurn]:
    """Yield the whole turns that begin with *begun*, depth-first."""
    if begun.steps and begun.is_whole:
        yield begun
    elif not is_over(begun.states[-1]):
        for step in legal_steps(begun.states[-1], rules.MOST_STEPS):
            yield from all_turns(rules, begun.then(step))
