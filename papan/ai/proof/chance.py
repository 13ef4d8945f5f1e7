"""A winning chance from probability-based proof numbers.

Primanita, Khalid and Iida, "Computing Games: Bridging the Gap Between Search and Entertainment" (2021), equations 1 to
4, after Song, Iida and van den Herik (2019). A number is the chance that its seat forces a win; a draw is none. So two
sides have two numbers, and share the rest: the chances add up to 1.
"""

from __future__ import annotations

from collections.abc import Callable

from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting, make_solver
from papan.ai.reviews.reviewer import sides
from papan.game.game import Game
from papan.game.rules import State, allied, is_over, payoff, seats

NODES = 400
"""Nodes of each tree, by default: with playouts as much work as a second of search."""
MEMORY = 16.0
"""MiB for a tree."""


class ProofChance:
    """The winning chances in one game's positions. One at a time; ``stop`` from another thread meanwhile."""

    def __init__(self, game: Game, nodes: int = NODES, seed: int = 0) -> None:
        """:param nodes: generated for each number.
        :raises SolverError: the game hides something.
        """
        self._solver = make_solver("ppns", game, SolverSetting(memory=MEMORY, seed=seed))
        self._nodes = nodes
        self._is_stopped = False

    @staticmethod
    def suits(game: Game, state: State) -> bool:
        """Whether such chances exist: two sides, nothing hidden, no chance."""
        return sides(state) == 2 and not game.has_hidden_information and not game.has_chance

    def prepare(self, state: State) -> None:
        self._solver.prepare(state)

    def number(self, state: State, seat: int | None = None, nodes: int | None = None) -> float:
        """The probability-based proof number of *state* for *seat*, or for the seat to act: 0 to 1.

        It is exactly 1 where a win is proved, and 0 where it is disproved.
        """
        self._solver.begin(state, seat)
        limit = Limit(nodes=self._nodes if nodes is None else nodes)
        chance = self._solver.run(limit, lambda: self._is_stopped).chance
        assert chance is not None
        return chance

    def chance(self, state: State, seat: int, nodes: int | None = None) -> float:
        """The winning chance of *seat*, one of two sides, a draw counting a half."""
        if is_over(state):
            return (1.0 + (payoff(state, seat) > 0) - (payoff(state, seat) < 0)) / 2
        other = next(one for one in range(int(seats(state))) if not allied(state, seat, one))
        return (self.number(state, seat, nodes) + 1.0 - self.number(state, other, nodes)) / 2

    def __call__(self, state: State) -> float:
        """The winning chance of the first seat."""
        return self.chance(state, 0)

    def stop(self) -> None:
        """End the current computation; its result and all later ones are meaningless."""
        self._is_stopped = True
        self._solver.stop()


class Refining:
    """The winning chance of one seat in one position, in growing accuracy."""

    def __init__(self, game: Game, state: State, seat: int, most: int = 64 * NODES) -> None:
        self._chance = ProofChance(game)
        self._state, self._seat, self._most = state, seat, most
        self._is_stopped = False

    def run(self, said: Callable[[float], object]) -> None:
        """Call *said* with the chance from trees of ``NODES`` nodes, then of four times as many, up to the maximum."""
        nodes = NODES
        while nodes <= self._most:
            chance = self._chance.chance(self._state, self._seat, nodes)
            if self._is_stopped:
                return
            said(chance)
            nodes *= 4

    def stop(self) -> None:
        self._is_stopped = True
        self._chance.stop()
