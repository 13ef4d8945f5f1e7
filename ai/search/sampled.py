"""Searching where cards are hidden: deal what can't be seen at random, several times, and add up.

Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game" (2001), calls it Monte-Carlo
search over deals. Each guess is searched as if all cards lay open, by any search for open games; each step
that is best in one of them is then judged in all of them, and the best one on average is played. What the
method can't see is the worth of knowing more: in every guess the search believes that everybody knows all.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from ai.limits import WIN, WIN_BOUND, Analysis, Limit, Line
from ai.search import Query, Searcher
from ai.search.deepening import Deepening
from game.kernels import State, guess, mover
from game.rng import random_state

GUESSES = 8
"""Deals that are searched for one step."""

_FINDING_SHARE = 0.5
"""The share of the limit that goes into finding good steps; the rest goes into comparing them."""
_WORTH_OF_A_WIN = 1000.0
"""What a forced win in one of the deals counts, in the evaluation's units, where it is not one in all of them."""


@dataclass
class _Budget:
    """A limit, and what has been spent of it."""

    limit: Limit
    share: float
    """How much of the limit may be spent."""
    started: float = field(default_factory=time.perf_counter)
    nodes: int = 0

    def left(self, searches: int, depth: int | None) -> Limit:
        """One of *searches* equal parts of what is left, for *depth* turns at most."""
        seconds, nodes = self._seconds_left(), self._nodes_left()
        return Limit(
            None if seconds is None else max(0.001, seconds / searches),
            depth,
            None if nodes is None else max(1, nodes // searches),
        )

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        seconds, nodes = self._seconds_left(), self._nodes_left()
        return (seconds is not None and seconds <= 0) or (nodes is not None and nodes <= 0)

    def _seconds_left(self) -> float | None:
        if self.limit.time is None:
            return None
        return self.limit.time * self.share - (time.perf_counter() - self.started)

    def _nodes_left(self) -> int | None:
        return None if self.limit.nodes is None else int(self.limit.nodes * self.share) - self.nodes


class Sampled(Searcher):
    """Makes a search for open games one for games with hidden cards.

    Used as a ``Deepening`` is: one search at a time; only ``stop`` and ``live`` from another thread meanwhile.
    """

    def __init__(self, search: Deepening, guesses: int = GUESSES) -> None:
        self._search = search
        self._guesses = guesses
        self._is_stopped = False
        self._live: Analysis | None = None

    def prepare(self, state: State) -> None:
        """Compile the search for this type of state, or load it from the cache."""
        self._search.prepare(state)

    def stop(self) -> None:
        """End the search that is going on; it answers with the best it has."""
        self._is_stopped = True
        self._search.stop()

    def live(self) -> Analysis | None:
        """How far the search that is going on has come, once one deal has been searched."""
        return self._live

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``; nothing of the state is used that the seat to act can't see.

        The figures of the answer are those of all deals together, its depth the least of them.
        """
        state, limit, lines = query.state, query.limit, query.lines
        self._is_stopped, self._live = False, None
        if query.is_cancelled():
            self.stop()
        seat = int(mover(state))
        budget = _Budget(limit, _FINDING_SHARE)
        deals = [guess(state, seat, random_state(query.seed, number)) for number in range(self._guesses)]

        def look(deal: State, part: Limit, only: Sequence[int], lines: int) -> Analysis:
            asked = replace(query, state=deal, limit=part, only=only, lines=lines)
            found = self._search.answer(replace(asked, is_cancelled=lambda: self._is_stopped))
            budget.nodes += found.nodes
            return found

        found: list[Analysis] = []
        for number, deal in enumerate(deals):
            if not found or not (self._is_stopped or budget.is_spent):
                found.append(look(deal, budget.left(len(deals) - number, limit.depth), query.only, lines))
                self._live = _together(_gathered(found), found, budget, lines)
        found = [one for one in found if one.depth > 0 or one.is_proven] or found  # some were stopped at once
        judged = _gathered(found)
        depth = max(1, min(analysis.depth for analysis in found))
        budget.share = 1.0
        rows: list[Analysis] = []
        for deal in deals if len(judged) > 1 else ():
            if self._is_stopped or budget.is_spent:
                break
            row = look(deal, budget.left(1, depth), list(judged), 0)
            if row.depth < depth and not all(line.is_proven for line in row.lines):
                break  # stopped in the middle: scores of different depths can't be compared
            rows.append(row)
        return _together(_gathered(rows) if rows else judged, found, budget, lines)


def _gathered(found: Sequence[Analysis]) -> dict[int, list[Line]]:
    """What was found of each step that stands in any of the analyses."""
    gathered: dict[int, list[Line]] = {}
    for analysis in found:
        for line in analysis.lines:
            gathered.setdefault(line.step, []).append(line)
    return gathered


def _promise(judged: Sequence[Line]) -> float:
    """What a step is worth on average over the deals in which it was judged; 0 for none."""
    return _mean_promise([one.score for one in judged])


def _mean_promise(scores: Sequence[float]) -> float:
    """The mean of what several deals promise, none of which counts too much; 0 for none."""
    if scores and (min(scores) >= WIN_BOUND or max(scores) <= -WIN_BOUND):
        return fmean(scores)
    return fmean(max(-_WORTH_OF_A_WIN, min(score, _WORTH_OF_A_WIN)) for score in scores) if scores else 0.0


def _together(judged: Mapping[int, Sequence[Line]], found: Sequence[Analysis], budget: _Budget, lines: int) -> Analysis:
    """The findings for several deals as one.

    :param judged: what each step promises in some of the deals.
    :param found: what the search of each deal by itself has come to.
    """
    votes = Counter(analysis.step for analysis in found)
    # Where the steps were not judged in the same deals, their promises can't be compared.
    is_fair = len({len(judgements) for judgements in judged.values()}) == 1
    ranking = sorted(judged, key=lambda step: (_promise(judged[step]) * is_fair, votes[step]), reverse=True)
    promises = tuple(
        # A win is proven only where it comes on the spot, whatever is hidden.
        Line(step, _promise(judged[step]), (step,), _promise(judged[step]) >= WIN - 1)
        for step in ranking[: lines or None]
    )
    return Analysis(
        promises[0].step,
        promises[0].score,
        found[0].seat,
        min(one.depth for one in found),
        budget.nodes,
        seconds=time.perf_counter() - budget.started,
        principal_variation=promises[0].principal_variation,
        is_proven=promises[0].is_proven,
        lines=promises,
        promises=tuple(_mean_promise(scores) for scores in zip(*(one.promises for one in found), strict=True)),
    )
