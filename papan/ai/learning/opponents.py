"""What others may hold and are likely to do, by what they have done: a model of opponents where hands are hidden.

A *belief* is how likely each hand is that a seat may hold, by Bayes's rule from each of its steps: a hand that would
have played otherwise becomes unlikely, such as one with a card that would have won, or closed a four that was left open
(as Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", 2001, deals by the bidding).

How somebody plays is a *model*, a multinomial logit of its choices (McFadden, "Conditional logit analysis of
qualitative choice behavior", 1974): a step is the likelier the better it leaves the seat by its own view, and the more
it is to its habits, its *traits*. What weight these have is learned step by step, up the slope of what the beliefs say
of each.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.learning.views import odds_of, write_view
from papan.game.kernel import compiled, kernel, kernel_with_default, subroutine
from papan.game.kernel.rng import RandomState, below
from papan.game.kernel.room import zeros
from papan.game.rules import State, guess, is_over, moves, payoff, play, seats

TRAITS = 6
"""How many traits a step has."""
SKILL = 0
"""The weight in a model of what a view promises; those of the traits follow."""
MODEL = 1 + TRAITS
FIRST_MODEL = (1.0, *[0.0] * TRAITS)
"""Of somebody who has not been seen to play: the better a step the likelier, no habits."""
LAPSES = 0.1
"""The share of steps that no model explains: any may be one of them, so that no hand is ever out of the question."""
_LEAST_SKILL, _MOST_SKILL = 0.1, 3.0
_RATE = 0.3  # of the first step that is learned from
_SETTLING = 12.0  # steps after which the rate is half
_DOUBT = 0.2  # how much each weight is drawn back to the first model: hands that fit a habit seem to confirm it
MOST_HANDS = 1 << 9
"""More hands than a seat may hold, or come to."""
_TICKETS = 1 << 30
_WON = 12.0  # odds of a step that wins at once


@kernel
def write_hands(state: State, seat: int, hands: Any, chances: Any) -> int:
    """Write what *seat* may hold, and how likely it is where any card is as likely; returns how many hands there are.

    :param state: what is hidden of the hand is not known; what is seen of it stays.
    """
    raise NotImplementedError


@kernel_with_default
def with_hand(state: State, seat: int, hand: int) -> State:
    """*state* with this *hand* of *seat* for all to see."""
    return state


@kernel_with_default
def deal_rest(state: State, random: RandomState) -> State:
    """*state* with all that is not known dealt at random."""
    return state


@kernel
def write_traits(state: State, step: int, traits: Any) -> None:
    """Write into *traits* what of *step* may be to somebody's habits, numbers about from 0 to 1."""
    raise NotImplementedError


@kernel
def step_between(before: State, after: State, seat: int) -> int:
    """The step that *seat* has taken since *before*, as far as the table tells *after* a round; -1 where it doesn't."""
    raise NotImplementedError


# --------------------------------------------------------------------------------------- in compiled code


@subroutine
def odds_after(state: State, step: int, seat: int, weights: Any, base: int, places: Any) -> float:
    """The logarithm of the odds that *step* leaves *seat* by its own view, in a deal."""
    after = play(state, step)
    if is_over(after):
        return _WON * float(payoff(after, seat))
    return odds_of(weights, base, places, 0, write_view(after, seat, places, 0))


@subroutine
def liking(state: State, step: int, seat: int, model: Any, row: Any, weights: Any, base: int, places: Any) -> float:
    """How much *seat* likes *step* by the *model* of it; *row* is given the figures that it is made of."""
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
    """Have the *chances* of *hands* take in that *seat* has taken *step*; returns how likely that was.

    :param slope: is given how the logarithm of that likelihood depends on the *model*.
    :param rows: room for a row of MODEL figures for each step.
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
def follow_hands(before: State, seat: int, step: int, hands: Any, chances: Any, later: Any, shares: Any) -> int:
    """Write into *later* and *shares* what *seat*, with one of *hands*, may hold once it has taken *step*.

    Returns how many there are, of which some may be the same.
    """
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
    """A deal of what *seat* does not see, in which each other seat holds one of its *hands*, a row for each seat.

    :param sums: how likely each of them is or one before it, the last 1.
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


# ------------------------------------------------------------------------------------------- a person's


class Model:
    """How somebody plays, as far as its steps have told."""

    def __init__(self) -> None:
        self.weights: NDArray[np.float64] = np.array(FIRST_MODEL)
        self.steps = 0
        """How many steps it was learned from."""

    def learn(self, slope: NDArray[np.float64]) -> None:
        """Take in a step, of which *slope* is that of the logarithm of its likelihood."""
        rate = _RATE / (1.0 + self.steps / _SETTLING)
        self.weights += rate * (np.clip(slope, -2.0, 2.0) - _DOUBT * (self.weights - FIRST_MODEL))
        self.weights[SKILL] = min(max(self.weights[SKILL], _LEAST_SKILL), _MOST_SKILL)
        self.steps += 1
