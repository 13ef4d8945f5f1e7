"""A search that leaves to the exact solver what the solver can do: the last moves are then played without fault."""

from __future__ import annotations

from dataclasses import replace

from papan.ai.exact import ExactModule
from papan.ai.limits import WIN_BOUND, Analysis, Limit
from papan.ai.search import Query, Searcher
from papan.game.kernel.clock import clock_seconds
from papan.game.rules import State

SHARE = 0.5
"""The solver may use this part of a limit; the search gets what is left."""


class Finishing(Searcher):
    """Asks the solver of *module* first where it can solve the position, and *search* where it can't or is out.

    Where the solver was out and knew of no win, it is not asked about the next position: the one after that is smaller.
    Limits of depth or of random games mean a certain search, which gets all of them.
    """

    def __init__(self, search: Searcher, module: ExactModule, memory: int | None = None) -> None:
        """:param memory: MiB for the solver; its usual amount for None."""
        self._search = search
        self._module = module
        self._memory = memory
        self._solver: Searcher | None = None
        self._active = search
        self._is_stopped = False
        self._is_pausing = False

    def prepare(self, state: State) -> None:
        self._search.prepare(state)

    def touch(self) -> None:
        self._search.touch()

    def prepare_solver(self, state: State) -> None:
        """Compile the solver, which is wanted only later in a game; otherwise its first call does."""
        self._made_solver().prepare(state)

    def _made_solver(self) -> Searcher:
        if self._solver is None:  # not before it is needed: its tables are large
            self._solver = self._module.Exact(self._memory)
        return self._solver

    def stop(self) -> None:
        self._is_stopped = True
        self._active.stop()

    def live(self) -> Analysis | None:
        return self._active.live()

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``; the time and the nodes of both count."""
        self._is_stopped = False

        def is_over_with() -> bool:
            return self._is_stopped or query.is_cancelled()

        limit = query.limit
        started, nodes = clock_seconds(), 0
        is_any = limit.depth is None and limit.simulations is None
        if is_any and self._module.can_solve(query.state) and not self._paused():
            solver = self._active = self._made_solver()
            solver.prepare(query.state)
            started = clock_seconds()
            solved = solver.answer(replace(query, limit=_part(limit), is_cancelled=is_over_with))
            if solved.is_proven or self._is_stopped or solved.score >= WIN_BOUND:
                return solved  # a known win will do, by however much
            self._is_pausing = True
            nodes = solved.nodes
            limit = _left(limit, clock_seconds() - started, nodes)
        self._active = self._search
        found = self._search.answer(replace(query, limit=limit, is_cancelled=is_over_with))
        return replace(found, nodes=found.nodes + nodes, seconds=clock_seconds() - started)

    def _paused(self) -> bool:
        was_pausing, self._is_pausing = self._is_pausing, False
        return was_pausing


def _part(limit: Limit) -> Limit:
    """The part of *limit* that the solver may use."""
    seconds = None if limit.plain_time is None else SHARE * limit.plain_time
    return Limit(seconds, nodes=None if limit.nodes is None else max(int(SHARE * limit.nodes), 1))


def _left(limit: Limit, seconds: float, nodes: int) -> Limit:
    """The rest of *limit*, for the search."""
    return replace(limit.after(seconds), nodes=None if limit.nodes is None else max(limit.nodes - nodes, 1))
