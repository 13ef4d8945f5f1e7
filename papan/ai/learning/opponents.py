"""Opponent models where hands are hidden: others' likely hands and steps, from their steps so far.

A *belief* is the probability of each hand that a seat may hold, updated by Bayes's rule with each of its steps (as
Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", 2001, deals by the bidding).

A *model* is a multinomial logit of a player's choices (McFadden, "Conditional logit analysis of qualitative choice
behavior", 1974), over the value that a step leaves by the seat's own view and its *traits*, which are habits. The
weights follow the gradient of the likelihood of each step, given the beliefs. Another model is a player of habits: it
takes the step that a simple rule likes best (``habit``).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.learning.views import odds_of, write_view
from papan.game.kernel import compiled, kernel, kernel_with_default, subroutine
from papan.game.kernel.arrays import zeros
from papan.game.kernel.rng import RandomState, below
from papan.game.rules import State, guess, is_over, moves, payoff, play, seats

TRAITS = 6
SKILL = 0
"""The weight of a view's value in a model; those of the traits follow."""
MODEL = 1 + TRAITS
FIRST_MODEL = (1.0, *[0.0] * TRAITS)
"""The model of an unknown player: skill, and no habits."""
LAPSES = 0.1
"""The share of steps at random, so that no hand is ever impossible."""
_LEAST_SKILL, _MOST_SKILL = 0.1, 3.0
_RATE = 0.3  # of the first step that is learned from
_SETTLING = 12.0  # steps after which the rate is half
_DOUBT = 0.2  # the pull of each weight towards the first model
MOST_HANDS = 1 << 9
"""More hands than a seat may hold."""
_TICKETS = 1 << 30
_WON = 12.0  # odds of a step that wins at once


@kernel
def write_hands(state: State, seat: int, hands: Any, chances: Any) -> int:
    """Write the possible *hands* of *seat* and their prior *chances*; returns how many there are."""
    raise NotImplementedError


@kernel_with_default
def with_hand(state: State, seat: int, hand: int) -> State:
    """*state* with this *hand* of *seat* open."""
    return state


@kernel_with_default
def deal_rest(state: State, random: RandomState) -> State:
    """*state* with everything unknown dealt at random."""
    return state


@kernel
def write_traits(state: State, step: int, traits: Any) -> None:
    """Write the *traits* of *step*, numbers about from 0 to 1."""
    raise NotImplementedError


@kernel_with_default
def habit(state: State, step: int) -> float:
    """How well a player who follows a simple rule, without looking ahead, likes *step*."""
    return 0.0


@kernel
def step_between(before: State, after: State, seat: int) -> int:
    """The step that *seat* took between *before* and *after* a round; -1 where the table doesn't show it."""
    raise NotImplementedError


@subroutine
def odds_after(state: State, step: int, seat: int, weights: Any, base: int, places: Any) -> float:
    """The log odds that *step* leaves *seat* by its own view, in a deal."""
    after = play(state, step)
    if is_over(after):
        return _WON * float(payoff(after, seat))
    return odds_of(weights, base, places, 0, write_view(after, seat, places, 0))


@subroutine
def liking(state: State, step: int, seat: int, model: Any, row: Any, weights: Any, base: int, places: Any) -> float:
    """The logit of *step* by the *model* of *seat*; *row* is filled with its terms."""
    row[SKILL] = odds_after(state, step, seat, weights, base, places)
    write_traits(state, step, row[1:])
    total = 0.0
    for index in range(MODEL):
        total += model[index] * row[index]
    return total


@compiled
def weigh_hands(
    before: State, seat: int, step: int, hands: Any, chances: Any, model: Any, slope: Any, rows: Any,
    weights: Any, base: int, places: Any, buffer: Any, random: RandomState,
) -> float:  # fmt: skip
    """Update the *chances* of *hands* after *step* of *seat*; returns the likelihood of the step.

    :param slope: is filled with the gradient of the log likelihood in the *model*.
    :param rows: room for a row of MODEL terms for each step.
    """
    slope[:] = 0.0
    whole = 0.0
    for number in range(len(hands)):
        if chances[number] <= 0.0:
            continue
        state = guess(with_hand(before, seat, int(hands[number])), seat, random)
        end = moves(state, buffer, 0)
        taken, most = -1, -math.inf
        for index in range(end):
            if buffer[index] == step:
                taken = index
        if taken < 0:
            chances[number] = 0.0
            continue
        for index in range(end):
            row = rows[index]
            row[MODEL] = liking(state, int(buffer[index]), seat, model, row, weights, base, places)
            most = max(most, row[MODEL])
        total = 0.0
        for index in range(end):
            rows[index, MODEL] = math.exp(rows[index, MODEL] - most)
            total += rows[index, MODEL]
        explained = (1.0 - LAPSES) * rows[taken, MODEL] / total
        likely = explained + LAPSES / end
        chances[number] *= likely
        whole += chances[number]
        for column in range(MODEL):
            mean = 0.0
            for index in range(end):
                mean += rows[index, MODEL] / total * rows[index, column]
            slope[column] += chances[number] * explained / likely * (rows[taken, column] - mean)
    if whole > 0.0:
        chances /= whole
        slope /= whole
    return whole


@compiled
def weigh_by_habit(
    before: State, seat: int, step: int, hands: Any, chances: Any, buffer: Any, random: RandomState
) -> float:
    """Update the *chances* of *hands* after *step* of *seat* by its ``habit``; returns the likelihood of the step."""
    whole = 0.0
    for number in range(len(hands)):
        state = guess(with_hand(before, seat, int(hands[number])), seat, random)
        end = moves(state, buffer, 0)
        most, ties, is_legal, is_best = -math.inf, 0, False, False
        for index in range(end):
            liked = habit(state, int(buffer[index]))
            if liked > most:
                most, ties, is_best = liked, 0, False
            if liked == most:
                ties += 1
                is_best = is_best or buffer[index] == step
            is_legal = is_legal or buffer[index] == step
        likely = LAPSES / end if is_legal else 0.0
        if is_best:
            likely += (1.0 - LAPSES) / ties
        chances[number] *= likely
        whole += chances[number]
    if whole > 0.0:
        chances /= whole
    return whole


@compiled
def follow_hands(before: State, seat: int, step: int, hands: Any, chances: Any, later: Any, shares: Any) -> int:
    """Write what *seat* may hold after *step* into *later* and *shares*; returns how many, with duplicates."""
    count = 0
    found, likely = zeros(np.int64, MOST_HANDS), zeros(np.float64, MOST_HANDS)
    for number in range(len(hands)):
        if chances[number] <= 0.0:
            continue
        after = play(with_hand(before, seat, int(hands[number])), step)
        for index in range(write_hands(after, seat, found, likely)):
            if count < len(later):
                later[count], shares[count] = found[index], likely[index] * chances[number]
                count += 1
    return count


@subroutine
def believed_deal(seen: State, seat: int, hands: Any, sums: Any, random: RandomState) -> State:
    """A deal in which each other seat holds one of its *hands*, a row for each seat.

    :param sums: cumulative chances of the hands, the last 1.
    """
    state = seen
    for other in range(seats(seen)):
        if other != seat:
            ticket = (below(random, _TICKETS) + 0.5) / _TICKETS
            first, last = 0, MOST_HANDS - 1
            while first < last:
                middle = (first + last) // 2
                if sums[other, middle] < ticket:
                    first = middle + 1
                else:
                    last = middle
            state = with_hand(state, other, int(hands[other, first]))
    return deal_rest(state, random)


class Model:
    """A player's model, learned from its steps."""

    def __init__(self) -> None:
        self.weights: NDArray[np.float64] = np.array(FIRST_MODEL)
        self.steps = 0

    def learn(self, slope: NDArray[np.float64]) -> None:
        rate = _RATE / (1.0 + self.steps / _SETTLING)
        self.weights += rate * (np.clip(slope, -2.0, 2.0) - _DOUBT * (self.weights - FIRST_MODEL))
        self.weights[SKILL] = min(max(self.weights[SKILL], _LEAST_SKILL), _MOST_SKILL)
        self.steps += 1
