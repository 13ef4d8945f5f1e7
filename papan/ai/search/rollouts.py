"""Looking ahead where cards are hidden, by what views of positions have learned to promise.

A step is tried on many deals of what is not seen: the other seats answer it, each by what looks best in a deal of what
it does not see itself, until it is the first seat's turn again, and the view of that seat says what it is worth. The
mean counts: truncated rollouts (Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", 1996).
Nobody plays by cards that it can't see, which is what a search of single deals can't help (*strategy fusion*: Frank and
Basin, "Search in games with incomplete information", 1998).

All steps are tried on the same deals, and as time goes by half of those that are left, the better ones, go on
(*sequential halving*: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import WeightValues, as_vector, score_of_mean
from papan.ai.learning.hidden import best_seen, worth_seen
from papan.ai.learning.views import odds_of, promised, write_view
from papan.ai.limits import WIN, Analysis, Limit, Line
from papan.ai.search import Query, Searcher
from papan.game.kernel import compiled
from papan.game.kernel.rng import RandomState, random_state
from papan.game.rules import Rules, State, guess, is_over, legal_steps, mover, moves, observe, payoff, play

GUESSES = 8
"""Deals in which what each step leaves is judged to begin with."""
KEPT = 16
"""So many of the steps that promise most are tried on deals."""
LEAST = 3
"""So many go on to the end."""
DEALS_A_TURN = 48
"""Where depth is the only limit, a step is tried on so many deals for each further turn."""
_ROUNDS = 4
"""Halvings of the steps that are tried, and a share of the time for each."""
_MOST_DEALS = 1 << 20


@compiled
def judge_steps(deal: State, seat: int, steps: Any, total: Any, weights: Any, base: int, places: Any) -> None:
    """Add to *total* what each of *steps* leaves *seat* in one *deal*."""
    for index in range(len(steps)):
        total[index] += worth_seen(deal, int(steps[index]), seat, weights, base, places, 0)


@compiled
def try_steps(
    deal: State, seat: int, steps: Any, number: int, total: Any, weights: Any, base: int, places: Any, buffer: Any,
    random: RandomState,
) -> int:  # fmt: skip
    """Add to *total* what the first *number* of *steps* bring *seat* in one *deal*; returns how many were judged."""
    judged = 0
    for index in range(number):
        state = play(deal, int(steps[index]))
        while not is_over(state) and mover(state) != seat:
            other = mover(state)
            seen = guess(state, other, random)  # nobody plays by what it can't see
            end = moves(seen, buffer, 0)
            judged += end
            step, _ = best_seen(seen, other, weights, base, places, 0, buffer, end)
            state = play(state, step)
        if is_over(state):
            total[index] += payoff(state, seat)
        else:
            total[index] += promised(odds_of(weights, base, places, 0, write_view(state, seat, places, 0)))
    return judged + number


class Rollouts(Searcher):
    """Rollouts for one game whose seats have learned what their views promise; a ``Searcher``."""

    def __init__(self, rules: Rules, weights: WeightValues, scale: float, base: int, most: int) -> None:
        """:param weights: the weights of views from *base* on.
        :param scale: the evaluation's ``SCALE``.
        :param most: how many weights one view asks for at most.
        """
        self._rules, self._scale, self._base = rules, scale, base
        self._weights = as_vector(weights)
        self._places = np.zeros(most, np.int64)
        self._buffer = np.zeros(rules.MOST_STEPS, np.int64)
        self._is_stopped = False
        self._live: Analysis | None = None

    def prepare(self, state: State) -> None:
        judge_steps.prepare(state, 0, self._buffer, np.zeros(1), self._weights, 0, self._places)
        try_steps.prepare(
            state, 0, self._buffer, 0, np.zeros(1), self._weights, 0, self._places, self._buffer, random_state(0)
        )

    def stop(self) -> None:
        self._is_stopped = True

    def live(self) -> Analysis | None:
        return self._live

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``; only what the seat to act can see of the state is used.

        At a depth of 1 only what each step leaves is judged.
        """
        started = time.perf_counter()
        self._is_stopped, self._live = query.is_cancelled(), None
        seat = int(mover(query.state))
        seen = observe(query.state, seat)
        steps = np.array(list(query.only) or legal_steps(seen, self._rules.MOST_STEPS), np.int64)
        worth = np.zeros(len(steps))
        for number in range(1, GUESSES + 1):
            deal = self._deal(seen, seat, random_state(query.seed, -number))
            judge_steps(deal, seat, steps, worth, self._weights, self._base, self._places)
        worth /= GUESSES
        order = np.argsort(-worth, kind="stable")
        steps, worth = steps[order], worth[order]
        found = self._analysis(seat, seen, steps, worth, len(steps), started)
        if not found.is_proven and query.limit.depth != 1 and len(steps) > 1:
            found = self._looked_ahead(query, seen, steps, worth, found, started)
        return replace(found, lines=found.lines[: query.lines or None])

    def _looked_ahead(
        self, query: Query, seen: State, steps: NDArray[Any], worth: NDArray[Any], found: Analysis, started: float
    ) -> Analysis:
        """What deals say of the best of *steps*, which are in order of their *worth*."""
        limit, seat = query.limit, found.seat
        kept = min(KEPT, len(steps))
        tried, total, judged = steps[:kept].copy(), np.zeros(kept), len(steps)
        rest = list(zip(steps[kept:].tolist(), worth[kept:].tolist(), strict=True))
        for deals in range(1, _MOST_DEALS):
            if self._is_stopped:
                break
            random = random_state(query.seed, deals)
            deal = self._deal(seen, seat, random)
            judged += self._try(deal, seat, tried, kept, total, random)
            share = _spent(limit, deals, judged, time.perf_counter() - started)
            self._live = found = self._analysis(seat, seen, tried, total / deals, kept, started, judged, deals, rest)
            if share >= 1.0:
                break
            fewer = max(LEAST, len(steps[:KEPT]) >> int(share * _ROUNDS))
            if fewer < kept:
                order = np.argsort(-total[:kept], kind="stable")
                rest = [(int(tried[i]), float(total[i] / deals)) for i in order[fewer:]] + rest
                tried, total, kept = tried[order[:fewer]], total[order[:fewer]], fewer
        return found

    def _deal(self, seen: State, seat: int, random: RandomState) -> State:
        return guess(seen, seat, random)

    def _try(self, deal: State, seat: int, tried: Any, kept: int, total: Any, random: RandomState) -> int:
        return int(
            try_steps(deal, seat, tried, kept, total, self._weights, self._base, self._places, self._buffer, random)
        )

    def _analysis(
        self, seat: int, seen: State, steps: NDArray[Any], means: NDArray[Any], number: int, started: float,
        judged: int = 0, deals: int = 0, rest: Sequence[tuple[int, float]] = (),
    ) -> Analysis:  # fmt: skip
        """*means* of *steps* as lines, the best first, those of *rest* behind them."""
        order = np.argsort(-means[:number], kind="stable")
        known = [(int(steps[index]), float(means[index])) for index in order]
        lines = tuple(self._line(step, mean, seen, seat, deals) for step, mean in [*known, *rest])
        best = lines[0]
        return Analysis(
            best.step, best.score, seat, 1 if deals == 0 else 2, judged or number, deals,
            time.perf_counter() - started, best.principal_variation, best.is_proven, lines=lines,
        )  # fmt: skip

    def _line(self, step: int, mean: float, seen: State, seat: int, deals: int) -> Line:
        if mean >= 1.0:  # a view never promises that much: it is over, and won
            after = play(seen, step)
            if is_over(after) and payoff(after, seat) == 1.0:
                return Line(step, WIN - 1.0, (step,), True, deals)
        return Line(step, score_of_mean(mean, self._scale), (step,), False, deals)


def _spent(limit: Limit, deals: int, judged: int, seconds: float) -> float:
    """The share of *limit* that is spent, from 0 to 1 and more."""
    shares = [0.0]
    if limit.time is not None:
        shares.append(seconds / limit.time)
    if limit.nodes is not None:
        shares.append(judged / limit.nodes)
    if limit.simulations is not None:
        shares.append(deals / limit.simulations)
    if len(shares) == 1 or limit.depth is not None:
        shares.append(deals / (DEALS_A_TURN * max((limit.depth or 2) - 1, 1)))
    return max(shares)
