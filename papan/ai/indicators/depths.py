"""One position looked at deeper and deeper: its minimax value and its single conspiracy number at each depth.

Primanita, Khalid and Iida, "Computing Games: Bridging the Gap Between Search and Entertainment" (2021), figure 3: where
the value says little yet, the number may already tell whether a threshold is near.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.limits import Limit
from papan.ai.search import Searcher
from papan.game.facts import Game
from papan.game.rules import State, allied, mover, observe, seats


class AtDepth(NamedTuple):
    """What a tree of one depth says of a position, for each seat."""

    depth: int
    """In turns."""
    values: tuple[float, ...]
    """The minimax value in the evaluation's units; of several sides maxⁿ's, with chance expectimax's."""
    numbers: tuple[float, ...]
    """The single conspiracy number: with the seat to act as MAX for itself, as MIN for others."""


class Depths:
    """The figures of one position, depth by depth. One at a time; ``stop`` from another thread meanwhile."""

    def __init__(self, game: Game, search: Searcher, state: State, threshold: float | None = None) -> None:
        """:param search: what finds the minimax value.
        :param state: not over, at the start of a turn.
        :param threshold: T; default: the game's own.
        """
        self._game, self._search, self._state = game, search, state
        self._threshold = threshold
        self._conspiracy: Conspiracy | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End what is being computed, and all that would follow."""
        self._is_stopped = True
        self._search.stop()
        if self._conspiracy is not None:
            self._conspiracy.stop()

    def run(self, most: int, said: Callable[[AtDepth], None] = lambda found: None) -> list[AtDepth]:
        """The figures from depth 1 to *most*, or as far as they have come when stopped; *said* is told each."""
        found: list[AtDepth] = []
        self._search.prepare(self._state)
        for depth in range(1, most + 1):
            numbers = self._numbers(depth)
            values = self._values(depth)
            if self._is_stopped:
                break
            found.append(AtDepth(depth, values, numbers))
            said(found[-1])
        return found

    def _numbers(self, depth: int) -> tuple[float, ...]:
        self._conspiracy = Conspiracy(self._game, depth, self._threshold)
        self._conspiracy.prepare(self._state)
        return self._conspiracy.numbers(self._state, lambda: self._is_stopped)

    def _values(self, depth: int) -> tuple[float, ...]:
        """Each seat's minimax value, as the seat to act sees the position."""
        state = self._state
        sight = observe(state, int(mover(state)))
        found = self._search.analyse(sight, Limit(depth=depth), is_cancelled=lambda: self._is_stopped)
        if found.promises:
            return found.promises
        own = found.seat
        return tuple(found.score if allied(state, seat, own) else -found.score for seat in range(int(seats(state))))
