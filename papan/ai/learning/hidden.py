"""Learning with hidden cards: each seat learns the values of its views.

Temporal differences (Sutton, "Learning to predict by the methods of temporal differences", 1988) between a seat's views
of all positions of a game. A view's target is the λ-return: λ times the next view's target plus (1 - λ) times its
value; the last target is the payoff. With λ = 1 views are fitted to results; this is supervised learning if a teacher
plays, which takes the step that an evaluation judges best.

Views are learned with all cards open, as a search of a deal judges them. Players take the step that looks best in a
random deal of the unknown cards.

The model is logistic; corrections are the gradient of its cross-entropy, at rates by temporal coherence
(``papan.ai.learning.learner``). A position after a random step is no target for the one before.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import evaluate
from papan.ai.learning.learner import EXPLORATION, GAMES, PAID, RATE, REPORT, STEPS, STOP, TRACE, correct_weight
from papan.ai.learning.views import Views, odds_of, promised, write_view
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import zeros
from papan.game.kernel.rng import RandomState, below, next_stream, random_state
from papan.game.rules import MOST_SEATS, State, deal, guess, is_over, mover, moves, payoff, play, seats

MOST_TURNS = 80
"""More steps than a game takes."""
MOST_VIEWS = MOST_TURNS * MOST_SEATS
SEAT, FIRST, END, IS_CUT = range(4)
"""Columns of ``notes``: whose view it is, the range of its places, and whether a random step followed."""

_TICKETS = 1 << 30
_CERTAIN = 1.0e9


class Memory(NamedTuple):
    """Buffers of compiled code, for one thread."""

    places: Any
    notes: Any
    values: Any
    """The value of each view."""
    buffer: Any
    report: Any
    random: RandomState

    @classmethod
    def new(cls, views: Views, most_steps: int) -> Memory:
        """:param most_steps: more steps than any state has."""
        return cls(
            np.zeros((MOST_VIEWS + 1) * views.most, np.int64),
            np.zeros((MOST_VIEWS, IS_CUT + 1), np.int64),
            np.zeros(MOST_VIEWS, np.float64),
            np.zeros(most_steps, np.int64),
            np.zeros(REPORT, np.float64),
            random_state(0),
        )


@subroutine
def worth_seen(seen: State, step: int, seat: int, weights: Any, base: int, places: Any, first: int) -> float:
    """What *step* leaves *seat*, which is to act, in the deal *seen*: from -1 to 1.

    :param base: the weights of views are ``weights[base:]``.
    """
    after = play(seen, step)
    if is_over(after):
        paid: float = payoff(after, seat)
        return paid
    return promised(odds_of(weights, base, places, first, write_view(after, seat, places, first)))


@subroutine
def best_seen(
    seen: State, seat: int, weights: Any, base: int, places: Any, first: int, buffer: Any, end: int
) -> tuple[int, float]:
    """The best of the steps ``buffer[:end]`` for *seat*, and its worth."""
    step, most = int(buffer[0]), -math.inf
    for index in range(end):
        worth = worth_seen(seen, int(buffer[index]), seat, weights, base, places, first)
        if worth > most:
            step, most = int(buffer[index]), worth
    return step, most


@subroutine
def taught(state: State, seat: int, teacher: Any, buffer: Any, end: int) -> int:
    """The best of the steps ``buffer[:end]`` by the evaluation with the weights *teacher*."""
    step, most = int(buffer[0]), -math.inf
    for index in range(end):
        after = play(state, int(buffer[index]))
        worth: float = _CERTAIN * payoff(after, seat) if is_over(after) else evaluate(after, seat, teacher)
        if worth > most:
            step, most = int(buffer[index]), worth
    return step


@subroutine
def note(state: State, seat: int, number: int, first: int, weights: Any, memory: Any) -> int:
    """Store view *number*, that of *seat*, with its indices from *first* on; returns their end."""
    places, notes, values = memory
    end = write_view(state, seat, places, first)
    values[number] = promised(odds_of(weights, 0, places, first, end))
    notes[number, SEAT], notes[number, IS_CUT] = seat, 0
    notes[number, FIRST], notes[number, END] = first, end
    return end


@subroutine
def learn(number: int, returns: Any, settings: Any, memory: Any, weights: Any, sums: Any, totals: Any) -> None:
    """Correct *number* views, the last first.

    :param returns: the payoffs of the seats; overwritten.
    """
    places, notes, values = memory
    for row in range(number - 1, -1, -1):
        seat = int(notes[row, SEAT])
        value = float(values[row])
        if notes[row, IS_CUT]:
            returns[seat] = value
            continue
        first, end = int(notes[row, FIRST]), int(notes[row, END])
        difference = returns[seat] - value
        share = float(settings[RATE]) / (end - first)
        for index in range(first, end):
            correct_weight(int(places[index]), difference, share, weights, sums, totals)
        returns[seat] = value + float(settings[TRACE]) * difference


@subroutine
def learn_from_game(
    state: State, settings: Any, weights: Any, sums: Any, totals: Any, teacher: Any, memory: Any,
    buffer: Any, report: Any, random: RandomState,
) -> State:  # fmt: skip
    """Play from *state* to the end, and learn from it; returns the final state."""
    places, notes, _ = memory
    returns = zeros(np.float64, MOST_SEATS)
    number, first = 0, 0
    while not is_over(state):
        seat = mover(state)
        for other in range(seats(state)):
            first = note(state, other, number, first, weights, memory)
            number += 1
        seen = guess(state, seat, random)
        end = moves(seen, buffer, 0)
        if below(random, _TICKETS) < settings[EXPLORATION] * _TICKETS:
            step = int(buffer[below(random, end)])
            for row in range(number - seats(state), number):
                notes[row, IS_CUT] = 1
        elif len(teacher) > 0:
            step = taught(seen, seat, teacher, buffer, end)
        else:
            step, _ = best_seen(seen, seat, weights, 0, places, first, buffer, end)
        state = play(state, step)
        report[STEPS] += 1
    for seat in range(seats(state)):
        returns[seat] = payoff(state, seat)
    learn(number, returns, settings, memory, weights, sums, totals)
    return state


@compiled
def learn_games(
    start: State, facts: Any, games: int, settings: Any, weights: Any, sums: Any, totals: Any, teacher: Any,
    places: Any, notes: Any, values: Any, buffer: Any, report: Any, random: RandomState, streams: RandomState,
) -> None:  # fmt: skip
    """Learn from *games* games.

    :param start: the start of each game, dealt anew by *facts*.
    :param teacher: the weights of a teacher; empty for self-play.
    """
    memory = (places, notes, values)
    for _ in range(games):
        next_stream(streams, random)
        if report[STOP] != 0:
            return
        begun = deal(start, facts, random)
        final = learn_from_game(begun, settings, weights, sums, totals, teacher, memory, buffer, report, random)
        report[GAMES] += 1
        report[PAID] += payoff(final, 0)
