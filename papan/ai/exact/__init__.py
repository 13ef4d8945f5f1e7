"""Exact solvers: searchers that find a position's true value, one module a game, named as its rules' module.

A game has such a module where its positions, or those near its end, can be solved while a person waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np

from papan.ai.limits import WIN_BOUND, Analysis, Limit, Line, own_turns, win_distance
from papan.ai.search import Query, Searcher
from papan.game.base.protocols import offers
from papan.game.base.sentences import Sentence
from papan.game.game import Game, part_of
from papan.game.kernel.clock import clock_seconds, time_after
from papan.game.rules import State, legal_steps, mover


class ExactModule(Protocol):
    """The facts and functions that a game's module in this folder offers."""

    @property
    def IS_SOLVED(self) -> bool:  # noqa: N802 - a constant of a module
        """Whether the game is solved play: with search and book it has an answer from the first move on."""

    def can_solve(self, state: State) -> bool:
        """Whether *state*, which is not over, can be solved within about two seconds. Cheap: it searches nothing."""

    def Exact(self, memory: int | None = None) -> Searcher:  # noqa: N802 - a class, called
        """A searcher whose analyses are proven unless a limit ends them, with exact ``lines``.

        :param memory: MiB that its tables may take; None for its usual amount.
        """


class Measure(NamedTuple):
    """A proven score in the game's own measure."""

    number: float | None
    """Above 0 where it is good for the seat to act; None in a game without its own measure."""
    words: Sentence | None
    """The same for people, as a clause."""
    turns: int | None
    """The winner's remaining turns; None for a draw, or where speed does not count."""


class Measuring(Protocol):
    """Optional function of an exact solver's module, for games with a margin of victory."""

    def measure(self, state: State, score: float) -> Measure:
        """The measure of a proven *score* that ``Exact`` gave to *state* or to one of its steps."""


def measure_of(module: ExactModule, state: State, score: float) -> Measure:
    """The measure of a solver's proven *score*: the turns to the win, unless *module* says more."""
    if offers(module, Measuring):
        return module.measure(state, score)
    distance = win_distance(score)
    return Measure(None, None, None if distance is None else own_turns(distance))


def is_solved(game: Game) -> bool:
    """Whether *game* is solved play; the other solvers solve positions near the end only."""
    solver = exact_of(game)
    return solver is not None and solver.IS_SOLVED


def exact_of(game: Game) -> ExactModule | None:
    """The exact solver's module of *game*, or None.

    >>> from papan.game.catalogue import GAMES
    >>> exact_of(GAMES["connect-four"]).__name__
    'papan.ai.exact.connect_four'
    >>> exact_of(GAMES["gomoku"]) is None
    True

    :raises PartError: the module can't be loaded, or is no solver.
    """
    if not game.parts.exact:
        return None
    return part_of(game, game.parts.exact, ExactModule)


# ------------------------------------------------------------------------------------- limits and players

MIB = 1 << 20


def set_limit(work: Any, query: Query) -> None:
    """Count nodes anew, and stop at the limit of *query*, or at once if it is cancelled.

    :param work: a record with the fields ``stop``, ``nodes``, ``node_limit``, ``look_at`` and ``deadline``.
    """
    work.stop, work.nodes, work.look_at = 0, 0, 0
    work.deadline = time_after(query.limit.plain_time)
    work.node_limit = query.limit.nodes if query.limit.nodes is not None else np.iinfo(np.int64).max
    if query.is_cancelled():
        work.stop = 1


def shuffled_steps(query: Query, most_steps: int) -> list[int]:
    """The steps to choose from, in the order of the seed."""
    steps = list(query.only) or legal_steps(query.state, most_steps)
    Random(query.seed).shuffle(steps)
    return steps


def analysis_by(
    lines: Sequence[Line], query: Query, started: float, nodes: int, depth: int, is_proven: bool
) -> Analysis:
    """The answer to *query* by *lines*, best first; *started* by ``clock_seconds``.

    :param depth: in turns, if it is proven.
    """
    return Analysis.of(
        lines[: query.lines or None],
        int(mover(query.state)),
        depth=depth if is_proven else 0,
        nodes=nodes,
        seconds=clock_seconds() - started,
        is_proven=is_proven,
    )


class Interrupted(Exception):
    """A limit was reached, or the search was stopped."""


class ExactSearcher(Searcher):
    """A solver in compiled code, whose record ``_work`` has the fields of ``set_limit``."""

    _work: Any

    @property
    def nodes(self) -> int:
        """Steps played since the last call of ``analyse`` began."""
        return int(self._work.nodes)

    def stop(self) -> None:
        self._work.stop = 1


SHARE = 0.5
"""The solver's share of a limit; the search gets the rest."""


class Finishing(Searcher):
    """Uses the solver of *module* where it can solve the position, and *search* where it can't or reaches its limit.

    After a solver that reached its limit without a win, the next position goes straight to the search: the one after
    that is smaller. Limits of depth or simulations mean a certain search, so the solver is not used.
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

    @property
    def search(self) -> Searcher:
        """The search without the solver."""
        return self._search

    def may_solve(self, state: State, limit: Limit) -> bool:
        """Whether the solver is asked first."""
        return limit.depth is None and limit.simulations is None and self._module.can_solve(state)

    def prepare_rest(self, state: State) -> None:
        self._made_solver().prepare(state)

    def _made_solver(self) -> Searcher:
        if self._solver is None:  # only on demand: its tables are large
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
        if self.may_solve(query.state, limit) and not self._paused():
            solver = self._active = self._made_solver()
            solver.prepare(query.state)
            started = clock_seconds()
            solved = solver.answer(replace(query, limit=_part(limit), is_cancelled=is_over_with))
            if solved.is_proven or self._is_stopped or solved.score >= WIN_BOUND:
                return solved  # a known win is enough, by any margin
            self._is_pausing = True
            nodes = solved.nodes
            left = None if limit.nodes is None else max(limit.nodes - nodes, 1)
            limit = replace(limit.after(clock_seconds() - started), nodes=left)
        self._active = self._search
        found = self._search.answer(replace(query, limit=limit, is_cancelled=is_over_with))
        return replace(found, nodes=found.nodes + nodes, seconds=clock_seconds() - started)

    def _paused(self) -> bool:
        was_pausing, self._is_pausing = self._is_pausing, False
        return was_pausing


def _part(limit: Limit) -> Limit:
    seconds = None if limit.plain_time is None else SHARE * limit.plain_time
    return Limit(seconds, nodes=None if limit.nodes is None else max(int(SHARE * limit.nodes), 1))
