"""Monte-Carlo search that adapts: it deals the others' hands by their likelihood, given their steps so far.

It infers the others' steps since the last question from the table, and updates beliefs about their hands and models of
their play (``papan.ai.learning.opponents``). Beliefs are for one match; models last as long as the search, from match
to match. If the table does not show a seat's step, its hand may be any again.

Where the others' latest steps are likelier as ``habit`` than by models, the search expects habits in half of its
simulations: a counter-strategy that stays sound if they change (Johanson, Zinkevich and Bowling, "Computing Robust
Counter-Strategies", 2007).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import WeightValues, as_vector
from papan.ai.learning.opponents import (
    MODEL,
    MOST_HANDS,
    Model,
    follow_hands,
    step_between,
    weigh_by_habit,
    weigh_hands,
    with_hand,
    write_hands,
)
from papan.ai.limits import Analysis
from papan.ai.search import Query
from papan.ai.search.mcts import MCTS
from papan.ai.search.mcts_simulation import BELIEVED, search
from papan.game.kernel.rng import random_state
from papan.game.rules import Rules, State, is_over, legal_steps, mover, observe, play, seats

EXPECTED = 0.5
"""The share of steps that are expected by habit, once it explains what the others do."""
_LATEST = 12  # steps that say whether the others follow habits
_DOUBT = 2.0  # by so much their log likelihood must be larger
_UNLIKELY = 1e-4
"""Beliefs drop hands that are less likely than this share of the likeliest."""


@dataclass
class Belief:
    """The probability of each hand that a seat may hold."""

    hands: NDArray[np.int64]
    chances: NDArray[np.float64]

    @classmethod
    def of_any(cls, seen: State, seat: int) -> Belief:
        """A prior: all unseen cards of *seat* are equally likely."""
        hands, chances = np.zeros(MOST_HANDS, np.int64), np.zeros(MOST_HANDS)
        number = write_hands(seen, seat, hands, chances)
        return cls(hands[:number].copy(), chances[:number].copy())

    def write(self, hands: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
        """Write the hands, and their cumulative probabilities, for ``believed_deal``."""
        number = len(self.hands)
        hands[:number], hands[number:] = self.hands, self.hands[-1]
        sums[:number], sums[number:] = np.cumsum(self.chances) / self.chances.sum(), 1.0


class Follower:
    """Follows matches from one seat's view: the others' possible hands, and their play.

    :ivar models: the other players' models, by the number of turns that they come after it.
    :ivar told: the log likelihood of each step that it has followed.
    """

    def __init__(
        self,
        rules: Rules,
        weights: WeightValues,
        base: int,
        most: int,
        *,
        believes: bool = True,
        learns: bool = True,
        by_habit: bool = False,
    ) -> None:
        """:param weights: the weights of views from *base* on; a view uses *most* of them at most.
        :param believes: whether steps change beliefs; *learns*, whether they change models.
        :param by_habit: whether all follow their habits, in place of models.
        """
        self._rules, self._base = rules, base
        self._weights = as_vector(weights)
        self._believes, self._learns, self._by_habit = believes, learns, by_habit
        self._places = np.zeros(most, np.int64)
        self._buffer = np.zeros(rules.MOST_STEPS, np.int64)
        self._rows = np.zeros((rules.MOST_STEPS, MODEL + 1))
        self.models: dict[int, Model] = {}
        self.told: list[float] = []
        self._beliefs: dict[int, Belief] = {}
        self._seat = -1
        """The seat of its last view of the table."""
        self._left: State | None = None
        """The state after that seat's last turn, as it saw it."""

    def prepare(self, state: State) -> None:
        hands, figures, random = np.zeros(1, np.int64), np.zeros(1), np.zeros(1, np.uint64)
        weigh_by_habit.prepare(state, 0, 0, hands, figures, self._buffer, random)
        weigh_hands.prepare(
            state, 0, 0, hands, figures, figures, figures, self._rows, self._weights, 0, self._places, self._buffer,
            random,
        )  # fmt: skip
        follow_hands.prepare(state, 0, 0, hands, figures, hands, figures)

    def belief(self, other: int) -> Belief:
        return self._beliefs[other]

    def takes(self, seen: State, step: int) -> None:
        """Note that its own seat, which sees *seen*, takes *step*."""
        self._seat, self._left = int(mover(seen)), play(seen, step)

    def follow(self, seen: State, seat: int) -> None:
        """Update beliefs and models by the others' steps until *seat* sees *seen*."""
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
        """The seats and steps since the last question; None if that question was not about this match."""
        state = self._left
        if state is None or seat != self._seat or type(state) is not type(seen) or seats(state) != seats(seen):
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
        return found if not is_over(state) and _looks_like(state, seen, seat) else None

    def _after(self, state: State, seat: int, other: int, step: int) -> State:
        """The view of *seat* after *step* of *other*; updates the belief about *other*, and its model."""
        belief = self._beliefs[other] if self._believes else Belief.of_any(state, other)
        model = self.models.setdefault((other - seat) % seats(state), Model())
        slope, random = np.zeros(MODEL), random_state(len(self.told))
        if self._by_habit:
            likely = weigh_by_habit(state, other, step, belief.hands, belief.chances, self._buffer, random)
        else:
            likely = weigh_hands(
                state, other, step, belief.hands, belief.chances, model.weights, slope, self._rows,
                self._weights, self._base, self._places, self._buffer, random,
            )  # fmt: skip
        self.told.append(math.log(max(likely, 1e-12)))
        if likely <= 0.0:  # impossible: an earlier step was not as inferred
            after = observe(play(_holding(state, other, step, self._rules.MOST_STEPS), step), seat)
            self._beliefs[other] = Belief.of_any(after, other)
            return after
        if self._learns and not self._by_habit:
            model.learn(slope)
        later, shares = np.zeros(1 << 14, np.int64), np.zeros(1 << 14)
        number = follow_hands(state, other, step, belief.hands, belief.chances, later, shares)
        hands, places = np.unique(later[:number], return_inverse=True)
        chances = np.bincount(places, shares[:number])
        likely_hands = chances > _UNLIKELY * chances.max()
        after = observe(play(with_hand(state, other, int(belief.hands[belief.chances.argmax()])), step), seat)
        found = Belief(hands[likely_hands], chances[likely_hands] / chances[likely_hands].sum())
        self._beliefs[other] = found if self._believes else Belief.of_any(after, other)
        return after


class Adaptive(MCTS):
    """Monte-Carlo search for one game that deals by the beliefs of a ``Follower``."""

    def __init__(
        self, follower: Follower, habits: Follower, rules: Rules, weights: WeightValues, scale: float, **settings: Any
    ) -> None:
        """:param habits: follows others ``by_habit``.
        :param settings: further ones of ``MCTS``.
        """
        super().__init__(rules, weights, scale, has_hidden_information=True, **settings)
        self.follower, self.habits = follower, habits

    def prepare_rest(self, state: State) -> None:
        self.follower.prepare(state)

    @property
    def meets_habits(self) -> bool:
        """Whether habits explain the others' latest steps."""
        return sum(self.habits.told[-_LATEST:]) > sum(self.follower.told[-_LATEST:]) + _DOUBT

    def answer(self, query: Query) -> Analysis:
        seat = int(mover(query.state))
        seen = observe(query.state, seat)
        self.follower.follow(seen, seat)
        self.habits.follow(seen, seat)
        found = super().answer(query)
        self.follower.takes(seen, found.step)
        self.habits.takes(seen, found.step)
        return found

    def _simulate(self, state: State, seed: int) -> None:
        work, seat = self._work, int(mover(state))
        meets_habits = self.meets_habits
        work.is_hidden, work.habit = BELIEVED, EXPECTED if meets_habits else 0.0
        follower = self.habits if meets_habits else self.follower
        for other in range(seats(state)):
            if other != seat:
                follower.belief(other).write(work.hands[other], work.sums[other])
        search(observe(state, seat), self._weights, self._nodes, work, random_state(seed))


def _holding(state: State, seat: int, step: int, most_steps: int) -> State | None:
    """*state* with a hand of *seat* that allows *step*; None if there is none."""
    hands, chances = np.zeros(MOST_HANDS, np.int64), np.zeros(MOST_HANDS)
    for number in range(write_hands(state, seat, hands, chances)):
        shown = with_hand(state, seat, int(hands[number]))
        if step in legal_steps(shown, most_steps):
            return shown
    return None


def _looks_like(state: State, seen: State, seat: int) -> bool:
    """Whether *seen* is *state* with a card drawn, apart from the cards that *seat* itself holds and has left."""
    hands, chances = np.zeros(MOST_HANDS, np.int64), np.zeros(MOST_HANDS)
    number = write_hands(state, seat, hands, chances)
    return any(observe(with_hand(state, seat, int(hand)), seat) == seen for hand in hands[:number])
