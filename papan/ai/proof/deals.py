"""PPNS where things are hidden: probability-based proof numbers averaged over what the seat to act can't see.

Each deal that agrees with its view gets a tree of its own, in which everything is open, and an equal share of the
nodes; numbers are means, weighted by the deals' probability. As in ``papan.ai.search.sampled`` this can't value
information: within a deal all seats know everything, so that the mean is an upper estimate.

Only where a single deal is left, which the seat to act then knows, there is a proof or disproof.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum

from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting
from papan.ai.proof.result import Branch, Proof, Solver
from papan.ai.proof.tree import MEMORY, TreeSearch
from papan.game.base.protocols import offers
from papan.game.game import Game
from papan.game.kernel.rng import random_state
from papan.game.rules import Enumerating, State, guess, mover

GUESSES = 16
"""Deals drawn at random, where there are too many for all."""
MOST_DEALS = 64
"""Deals that are all searched."""


class OverDeals(Solver):
    """Averages PPNS over deals."""

    def __init__(self, game: Game, setting: SolverSetting) -> None:
        self._game, self._setting = game, setting
        self._trees: list[TreeSearch] = []
        self._weights: list[float] = []
        self._is_stopped = False

    @property
    def memory(self) -> int:
        return sum(tree.memory for tree in self._trees)

    def prepare(self, state: State) -> None:
        self._with_trees(1)[0].prepare(guess(state, int(mover(state)), random_state(self._setting.seed)))

    def begin(self, state: State, seat: int | None = None, goal: int = 0, came_twice: tuple[int, ...] = ()) -> None:
        deals = deals_of(self._game, state, self._setting.seed)
        total = sum(weight for _, weight in deals)
        self._weights = [weight / total for _, weight in deals]
        for tree, (deal, _) in zip(self._with_trees(len(deals)), deals, strict=True):
            tree.begin(deal, seat, goal, came_twice)

    def _with_trees(self, number: int) -> list[TreeSearch]:
        if len(self._trees) != number:
            setting = replace(self._setting, memory=(self._setting.memory or MEMORY) / number)
            self._trees = [TreeSearch(self._game.rules.MOST_STEPS, "ppns", setting) for _ in range(number)]
        return self._trees

    def run(self, limit: Limit, is_cancelled: Callable[[], bool] = lambda: False) -> Proof:
        started, self._is_stopped = time.perf_counter(), False
        nodes = None if limit.nodes is None else max(1, limit.nodes // len(self._trees))
        proofs = []
        for done, tree in enumerate(self._trees):
            left = None
            if limit.time is not None:
                left = max(0.001, (limit.time - (time.perf_counter() - started)) / (len(self._trees) - done))
            share = replace(limit, time=left, nodes=nodes)
            proofs.append(tree.run(share, lambda: self._is_stopped or is_cancelled()))
        return self._together(proofs)

    def stop(self) -> None:
        self._is_stopped = True
        for tree in self._trees:
            tree.stop()

    def live(self) -> Proof:
        return self._together([tree.live() for tree in self._trees])

    def _together(self, proofs: Sequence[Proof]) -> Proof:
        if len(proofs) == 1:
            return proofs[0]
        chance = fsum(weight * (one.chance or 0.0) for weight, one in zip(self._weights, proofs, strict=True))
        branches = self._branches(proofs)
        best = max(branches, key=lambda branch: branch.pn, default=None)
        return replace(
            proofs[0],
            result="out",
            reason="hidden",
            pn=chance,
            dn=1.0 - chance,
            chance=chance,
            nodes=sum(one.nodes for one in proofs),
            playouts=sum(one.playouts for one in proofs),
            iterations=sum(one.iterations for one in proofs),
            seconds=sum(one.seconds for one in proofs),
            line=() if best is None else (best.step,),
            branches=branches,
            deals=len(proofs),
        )

    def _branches(self, proofs: Sequence[Proof]) -> tuple[Branch, ...]:
        """The mean numbers of the steps at the root, over the deals that were searched."""
        sums: dict[int, float] = {}
        total = 0.0
        for weight, one in zip(self._weights, proofs, strict=True):
            total += weight * bool(one.branches)
            for branch in one.branches:
                sums[branch.step] = sums.get(branch.step, 0.0) + weight * branch.pn
        return tuple(Branch(step, found / total, 1.0 - found / total, found / total) for step, found in sums.items())


def deals_of(game: Game, state: State, seed: int) -> list[tuple[State, int]]:
    """States that agree with what the seat to act sees, each with its weight: all if they are few, else a sample."""
    seat = int(mover(state))
    found = game.rules.deals(state, seat, MOST_DEALS) if offers(game.rules, Enumerating) else None
    if found is not None:
        return list(found)
    drawn = Counter(guess(state, seat, random_state(seed, number)) for number in range(GUESSES))
    return list(drawn.items())
