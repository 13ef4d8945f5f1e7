"""Rollouts that adapt: deals of what others are likely to hold, and their answers as they are likely to be.

What the others have done since the last question is read off the table, and goes into beliefs about their hands and
models of how they play (``papan.ai.learning.opponents``). Beliefs are of one match; models stay, from match to match,
as long as the search does. Where the table can't tell what somebody did, that hand may be any again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import WeightValues
from papan.ai.learning.opponents import (
    MODEL,
    MOST_HANDS,
    Model,
    deal_hands,
    expected_step,
    follow_hands,
    step_between,
    weigh_hands,
    with_hand,
    write_hands,
)
from papan.ai.learning.views import odds_of, promised, write_view
from papan.ai.limits import Analysis
from papan.ai.search import Query
from papan.ai.search.rollouts import Rollouts
from papan.game.kernel import compiled
from papan.game.kernel.rng import RandomState, below, random_state
from papan.game.rules import Rules, State, guess, is_over, legal_steps, mover, moves, observe, payoff, play, seats

_TICKETS = 1 << 30
_UNLIKELY = 1e-4
"""Hands that are less likely are not believed in."""


@compiled
def try_against(
    deal: State, seat: int, steps: Any, number: int, total: Any, models: Any, row: Any, weights: Any, base: int,
    places: Any, buffer: Any, random: RandomState,
) -> int:  # fmt: skip
    """As ``try_steps``, where the others answer as their *models* expect of them."""
    judged = 0
    for index in range(number):
        state = play(deal, int(steps[index]))
        while not is_over(state) and mover(state) != seat:
            other = mover(state)
            seen = guess(state, other, random)  # nobody plays by what it can't see
            end = moves(seen, buffer, 0)
            judged += end
            step = expected_step(seen, other, models[other], row, weights, base, places, buffer, end, random)
            state = play(state, step)
        if is_over(state):
            total[index] += payoff(state, seat)
        else:
            total[index] += promised(odds_of(weights, base, places, 0, write_view(state, seat, places, 0)))
    return judged + number


@dataclass
class Belief:
    """How likely each hand is that a seat may hold."""

    hands: NDArray[np.int64]
    chances: NDArray[np.float64]

    @classmethod
    def of_any(cls, seen: State, seat: int) -> Belief:
        """That any card of *seat* that is not seen is as likely."""
        hands, chances = np.zeros(MOST_HANDS, np.int64), np.zeros(MOST_HANDS)
        number = write_hands(seen, seat, hands, chances)
        return cls(hands[:number].copy(), chances[:number].copy())

    def drawn(self, random: RandomState) -> int:
        """One of the hands, by how likely they are."""
        ticket = (below(random, _TICKETS) + 0.5) / _TICKETS * float(self.chances.sum())
        index = int(np.searchsorted(np.cumsum(self.chances), ticket))
        return int(self.hands[min(index, len(self.hands) - 1)])


class Adaptive(Rollouts):
    """Rollouts by what others are believed to hold and to do.

    :ivar models: of those it has met, by how many turns after it they come.
    """

    def __init__(
        self, rules: Rules, weights: WeightValues, scale: float, base: int, most: int, *,
        believes: bool = True, expects: bool = True,
    ) -> None:  # fmt: skip
        """:param believes: whether deals are of likely hands; *expects*, whether answers are those of models."""
        super().__init__(rules, weights, scale, base, most)
        self._believes, self._expects = believes, expects
        self._row, self._rows = np.zeros(MODEL), np.zeros((rules.MOST_STEPS, MODEL + 1))
        self.models: dict[int, Model] = {}
        self._beliefs: dict[int, Belief] = {}
        self._left: State | None = None
        """What it left when it last had its turn, as it saw it."""

    def answer(self, query: Query) -> Analysis:
        seat = int(mover(query.state))
        self._follow(observe(query.state, seat), seat)
        found = super().answer(query)
        self._left = play(observe(query.state, seat), found.step)
        return found

    # -------------------------------------------------------------------------------- what has happened

    def _follow(self, seen: State, seat: int) -> None:
        """Take in what the others have done until *seat* sees *seen*."""
        others = [other for other in range(seats(seen)) if other != seat]
        steps = self._steps_until(seen, seat)
        if steps is None:
            self._beliefs = {other: Belief.of_any(seen, other) for other in others}
            return
        state = self._left
        assert state is not None
        for other, step in steps:
            if other not in self._beliefs:
                self._beliefs[other] = Belief.of_any(state, other)
            state = self._after(state, seat, other, step)

    def _steps_until(self, seen: State, seat: int) -> list[tuple[int, int]] | None:
        """Who took which step since the last question; None where that question was not about this match."""
        state = self._left
        if state is None or type(state) is not type(seen) or seats(state) != seats(seen):
            return None
        found: list[tuple[int, int]] = []
        while not is_over(state) and mover(state) != seat:
            other = int(mover(state))
            step = int(step_between(state, seen, other))
            shown = None if step < 0 else _holding(state, other, step, self._rules.MOST_STEPS)
            if shown is None:
                return None
            found.append((other, step))
            state = observe(play(shown, step), seat)
        return found if is_over(state) or _looks_like(state, seen, seat) else None

    def _after(self, state: State, seat: int, other: int, step: int) -> State:
        """What *seat* sees once *other* has taken *step*; the belief about it, and its model, take that in."""
        belief, model = self._beliefs[other], self._model(seat, other, seats(state))
        slope = np.zeros(MODEL)
        likely = weigh_hands(
            state, other, step, belief.hands, belief.chances, model.weights, slope, self._rows,
            self._weights, self._base, self._places, self._buffer, random_state(model.steps),
        )  # fmt: skip
        if likely <= 0.0:  # it can't have been: some step before was not what it seemed
            after = observe(play(_holding(state, other, step, self._rules.MOST_STEPS), step), seat)
            self._beliefs[other] = Belief.of_any(after, other)
            return after
        model.learn(slope)
        later, shares = np.zeros(1 << 14, np.int64), np.zeros(1 << 14)
        number = follow_hands(state, other, step, belief.hands, belief.chances, later, shares)
        hands, places = np.unique(later[:number], return_inverse=True)
        chances = np.bincount(places, shares[:number])
        kept = chances > _UNLIKELY * chances.max()
        after = observe(play(with_hand(state, other, int(belief.hands[belief.chances.argmax()])), step), seat)
        self._beliefs[other] = Belief(hands[kept], chances[kept] / chances[kept].sum())
        return after

    def _model(self, seat: int, other: int, number: int) -> Model:
        return self.models.setdefault((other - seat) % number, Model())

    # ------------------------------------------------------------------------------------- what may come

    def _deal(self, seen: State, seat: int, random: RandomState) -> State:
        if not self._believes:
            return super()._deal(seen, seat, random)
        hands = np.array([self._beliefs[o].drawn(random) if o in self._beliefs else 0 for o in range(seats(seen))])
        return deal_hands(seen, seat, hands, random)

    def _try(self, deal: State, seat: int, tried: Any, kept: int, total: Any, random: RandomState) -> int:
        if not self._expects:
            return super()._try(deal, seat, tried, kept, total, random)
        number = seats(deal)
        models = np.array([self._model(seat, other, number).weights for other in range(number)])
        return int(
            try_against(
                deal, seat, tried, kept, total, models, self._row, self._weights, self._base, self._places,
                self._buffer, random,
            )
        )  # fmt: skip

    def prepare(self, state: State) -> None:
        super().prepare(state)
        row, rows, figures = self._row, self._rows, np.zeros(1)
        hands, random = np.zeros(1, np.int64), np.zeros(1, np.uint64)
        try_against.prepare(
            state, 0, self._buffer, 0, figures, rows, row, self._weights, 0, self._places, self._buffer, random
        )
        weigh_hands.prepare(
            state, 0, 0, hands, figures, row, row, rows, self._weights, 0, self._places, self._buffer, random
        )
        follow_hands.prepare(state, 0, 0, hands, figures, hands, figures)
        deal_hands.prepare(state, 0, hands, random)


def _holding(state: State, seat: int, step: int, most_steps: int) -> State | None:
    """*state*, in which *seat* holds a hand that allows *step*; None where it can hold none."""
    hands, chances = np.zeros(MOST_HANDS, np.int64), np.zeros(MOST_HANDS)
    for number in range(write_hands(state, seat, hands, chances)):
        shown = with_hand(state, seat, int(hands[number]))
        if step in legal_steps(shown, most_steps):
            return shown
    return None


def _looks_like(state: State, seen: State, seat: int) -> bool:
    """Whether *seen* is *state* with a card drawn: the same but for what *seat* itself holds and has left."""
    hands, chances = np.zeros(MOST_HANDS, np.int64), np.zeros(MOST_HANDS)
    number = write_hands(state, seat, hands, chances)
    return any(observe(with_hand(state, seat, int(hand)), seat) == seen for hand in hands[:number])
