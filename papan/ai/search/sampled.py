"""Search with hidden cards: deal them at random, several times, and take the mean.

Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game" (2001), calls it Monte-Carlo search over
deals. Each deal is searched as if all cards were open, by any search for open games, and the step with the best mean
winning chance is played. The method can't value information: in every deal the search assumes that all seats know
everything.

All deals are searched to one depth before the next, which tries the best steps only: so a stopped search has compared
steps by the same deals, to the same depth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from papan.ai.evaluation import winning_chance
from papan.ai.limits import WIN, WIN_BOUND, Analysis, Limit, Line
from papan.ai.search import Query, Searcher
from papan.ai.search.deepening import Deepening, Pace
from papan.game.kernel.clock import clock_seconds
from papan.game.kernel.rng import random_state
from papan.game.rules import State, guess, mover

GUESSES = 8
"""Deals to search for one step."""

FINALISTS = 8
"""The number of best steps at one depth, or a quarter of all if that is more, to search a turn further."""

_DOUBT = 1e-9
"""The chance of a step that is no forced win, or no forced loss, in all deals keeps this distance from 1, or from 0."""


@dataclass
class _Budget:
    """A limit, and the part spent."""

    limit: Limit
    started: float = field(default_factory=clock_seconds)
    nodes: int = 0

    @property
    def seconds(self) -> float:
        """Time since the search began."""
        return clock_seconds() - self.started

    def left(self, depth: int) -> Limit:
        """The rest of the limit, for a search *depth* turns ahead."""
        return Limit(
            None if self.limit.time is None else max(0.001, self.limit.time - self.seconds),
            depth,
            None if self.limit.nodes is None else max(1, self.limit.nodes - self.nodes),
        )

    @property
    def is_spent(self) -> bool:
        return (self.limit.time is not None and self.seconds >= self.limit.time) or (
            self.limit.nodes is not None and self.nodes >= self.limit.nodes
        )


class Sampled(Searcher):
    """Turns a search for open games into one for games with hidden cards."""

    def __init__(self, search: Deepening, scale: float, guesses: int = GUESSES) -> None:
        """:param scale: the ``SCALE`` of the search's evaluation, for means of winning chances."""
        self._search = search
        self._scale = scale
        self._guesses = guesses
        self._is_stopped = False
        self._live: Analysis | None = None

    def prepare(self, state: State) -> None:
        self._search.prepare(state)

    def touch(self) -> None:
        self._search.touch()

    def stop(self) -> None:
        self._is_stopped = True
        self._search.stop()

    def live(self) -> Analysis | None:
        """The progress of the current search, once one deal has been searched."""
        return self._live

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``; it uses only the view of the seat to act.

        The figures of the answer are for all deals together. In an unfinished depth, half of the deals are enough.
        """
        limit, lines = query.limit, query.lines
        self._is_stopped, self._live = False, None
        if query.is_cancelled():
            self.stop()
        seat = int(mover(query.state))
        budget = _Budget(limit)
        deals = [guess(query.state, seat, random_state(query.seed, number)) for number in range(self._guesses)]
        asked = replace(query, is_cancelled=lambda: self._is_stopped, lines=0)
        pace = Pace(limit)
        most_depth = min(limit.depth or self._search.most_depth, self._search.most_depth)
        found: Analysis | None = None
        for depth in range(1, most_depth + 1):
            rows: list[Analysis] = []
            pace.begin()
            for deal in deals:
                if found and (self._is_stopped or budget.is_spent):
                    break
                row = self._search.answer(replace(asked, state=deal, limit=budget.left(depth)), first_depth=depth)
                budget.nodes += row.nodes
                if found and row.depth < depth:
                    break  # stopped within a deal: not all steps have a score
                rows.append(row)
                if depth == 1 or 2 * len(rows) >= len(deals):
                    pace.of_use()
                    found = self._together(rows)
                    self._live = _shortened(found, lines, budget)
            assert found
            pace.end(found.score)
            if not pace.may_go_on:
                break
            if len(rows) < len(deals) or all(line.is_proven for row in rows for line in row.lines):
                break
            count = len(found.lines)
            best = found.lines[: max(FINALISTS, count // 4, lines or count)]
            asked = replace(asked, only=[line.step for line in best])
        assert found
        return _shortened(found, lines, budget)

    def _together(self, rows: Sequence[Analysis]) -> Analysis:
        """The analyses of several deals, each with all steps, as one."""
        scores: dict[int, list[float]] = {}
        for row in rows:
            for line in row.lines:
                scores.setdefault(line.step, []).append(line.score)
        worth = {step: mean_score(found, self._scale) for step, found in scores.items()}
        lines = tuple(
            # A win is proven only if it is immediate, whatever is hidden.
            Line(step, worth[step], (step,), worth[step] >= WIN - 1)
            for step in sorted(worth, key=worth.__getitem__, reverse=True)
        )
        return Analysis.of(
            lines,
            rows[0].seat,
            depth=min(row.depth for row in rows),
            is_proven=lines[0].is_proven,
            promises=tuple(
                mean_score(promises, self._scale) for promises in zip(*(row.promises for row in rows), strict=True)
            ),
        )


def _shortened(found: Analysis, lines: int, budget: _Budget) -> Analysis:
    """*found* with its best *lines* only (all for 0), and with the cost so far."""
    return replace(found, lines=found.lines[: lines or None], nodes=budget.nodes, seconds=budget.seconds)


def mean_score(scores: Sequence[float], scale: float) -> float:
    """The score of the mean of the winning chances of *scores*.

    If all are forced wins, or all forced losses, it is their mean.

    >>> from papan.ai.limits import WIN
    >>> mean_score([WIN - 3, WIN - 5], 100.0), round(mean_score([WIN - 3, 0.0], 100.0)), mean_score([50.0, -50.0], 1.0)
    (999996.0, 110, 0.0)
    """
    if min(scores) >= WIN_BOUND or max(scores) <= -WIN_BOUND:
        return fmean(scores)
    chance = fmean(winning_chance(score, scale) for score in scores)
    chance = min(max(chance, _DOUBT), 1.0 - _DOUBT)
    return scale * math.log(chance / (1.0 - chance))
