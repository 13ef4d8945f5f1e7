"""Learning values from games of a player against itself, in compiled code.

Temporal differences on *afterstates*, the states after a step (Sutton, "Learning to predict by the methods of temporal
differences", 1988; for 2048: Szubert and Jaśkowski, 2014): the value of the best step is the target of the afterstate
before. With a *trace*, differences correct earlier afterstates as well, each by a factor λ less, down to
``LEAST_TRACE`` (TD(λ), as Jaśkowski, "Mastering 2048 with delayed temporal coherence learning, multistage weight
promotion, redundant encoding and carousel shaping", 2018).

*Temporal coherence* (Beal and Smith, "Temporal coherence and prediction decay in TD learning", 1999) gives each weight
its own rate: the absolute sum of its corrections divided by the sum of their absolute values.

As late positions are rare, the last *stage* that a game reaches can be played several times, each time with other
chances (after Jaśkowski's *carousel shaping*, 2018, and Matsuzaki, "Developing a 2048 player with backward temporal
coherence learning and restart", 2020).

A value is that of the seat ``viewer``; for others its sign is turned. In a game for one seat it is the points to come,
in others the final payoff.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from papan.ai.learning.network import (
    Form,
    Layout,
    Network,
    Vector,
    familiar,
    most_familiar,
    network_value,
    note_places,
    stage,
    viewer,
)
from papan.ai.observation import earned
from papan.game.base.large_arrays import large_array
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.rng import RandomState, below, next_stream
from papan.game.playout import random_step
from papan.game.rules import CHANCE, State, deal, is_over, mover, moves, payoff, play, seats

LEAST_TRACE = 0.1
"""The trace ends below this factor."""

RATE, TRACE, EXPLORATION, RESTARTS, LIKENED = range(5)
"""Places in ``settings``: learning rate, λ, share of random steps, replays of a game's last stage if later than the
first, and whether steps are chosen by ``most_familiar`` positions there, 0 or 1."""

GAMES, STEPS, PAID, STOP = range(4)
"""Places in ``report``: games, steps of seats, the first seat's payoffs; if ``STOP`` is not 0, no game is begun."""
REPORT = 4

SUREST = 0.999
"""A network's highest value in a game of several seats."""

_TICKETS = 1 << 30


class Knowledge(NamedTuple):
    """The weights, and their corrections. The three columns share memory rows, as learning is bound by cache misses."""

    weights: Vector
    sums: Vector
    """The sums of corrections."""
    totals: Vector
    """The sums of their absolute values."""


def unknown_weight(network: Form, promise: float) -> np.float32:
    return np.float32(promise / network.placements if isinstance(network, Network) else 0.0)


def new_knowledge(network: Form, promise: float = 0.0) -> Knowledge:
    """The knowledge before the first game.

    :param promise: the initial value of every position; a high one makes unknown positions be tried (Guei, Chen and Wu,
        "Optimistic temporal difference learning for 2048", 2021).
    """
    columns = len(Knowledge._fields)
    knowledge = Knowledge(*large_array(columns * network.size, np.float32).reshape(-1, columns).T)
    if promise:
        knowledge.weights[:] = unknown_weight(network, promise)
    return knowledge


def trace_length(trace: float) -> int:
    """The number of afterstates that a difference corrects.

    >>> trace_length(0.0), trace_length(0.5)
    (1, 4)
    """
    return 1 if trace <= 0.0 else 1 + int(math.log(LEAST_TRACE) / math.log(trace))


class Memory(NamedTuple):
    """Buffers of compiled code, for one thread."""

    places: Any
    """A row for each afterstate of the trace: the places of its weights."""
    viewers: Any
    """Whose value each is."""
    buffer: Any
    report: Any
    random: RandomState

    @classmethod
    def new(cls, network: Network, most_steps: int, trace: float) -> Memory:
        """:param most_steps: more steps than any state has."""
        length = trace_length(trace)
        return cls(
            np.zeros((length, network.placements), np.int64),
            np.zeros(length, np.int64),
            np.zeros(most_steps, np.int64),
            np.zeros(REPORT, np.float64),
            np.zeros(1, np.uint64),
        )


@subroutine
def worth_after(state: State, seat: int, layout: Layout, weights: Any) -> float:
    """The value of the afterstate *state* to *seat*: earned and expected."""
    if is_over(state):
        final: float = payoff(state, seat)
        return final
    value = network_value(state, layout, weights, 0)
    if viewer(state) != seat:
        value = -value
    if seats(state) > 1:  # less than a real win
        value = min(max(value, -SUREST), SUREST)
    return earned(state, seat) + value


@subroutine
def best_step(state: State, layout: Layout, weights: Any, buffer: Any, end: int) -> tuple[int, float]:
    """The step of ``buffer[:end]`` whose afterstate is worth most to the seat to act, and that worth."""
    seat = mover(state)
    step, most = int(buffer[0]), -math.inf
    for index in range(end):
        worth = worth_after(play(state, int(buffer[index])), seat, layout, weights)
        if worth > most:
            step, most = int(buffer[index]), worth
    return step, most


@subroutine
def noted_value(places: Any, slot: int, weights: Any) -> float:
    """The value of the afterstate noted in row *slot* to its viewer."""
    value = 0.0
    for place in range(places.shape[1]):
        value += float(weights[places[slot, place]])
    return value


@subroutine
def correct_weight(index: int, difference: float, share: float, weights: Any, sums: Any, totals: Any) -> None:
    """Correct the weight at *index* by a *share* of the *difference*, at the weight's own rate."""
    sum_before, total = np.float64(sums[index]), np.float64(totals[index])
    rate = abs(sum_before) / total if total > 0.0 else 1.0
    weights[index] = np.float64(weights[index]) + difference * share * rate
    sums[index] = sum_before + difference
    totals[index] = total + abs(difference)


@subroutine
def correct(places: Any, slot: int, difference: float, share: float, weights: Any, sums: Any, totals: Any) -> None:
    """Correct the value of the afterstate noted in row *slot*, which is too low by the *difference*.

    :param share: of the difference, for each weight at full rate.
    """
    for place in range(places.shape[1]):
        correct_weight(int(places[slot, place]), difference, share, weights, sums, totals)


@subroutine
def learn(
    worth: float, seat: int, noted: int, settings: Any, places: Any, viewers: Any,
    weights: Any, sums: Any, totals: Any,
) -> None:  # fmt: skip
    """Correct the last afterstates by the *worth* to *seat* that the last should have had.

    :param noted: the number of afterstates since the trace began.
    """
    length = len(places)
    last = (noted - 1) % length
    difference = (worth if viewers[last] == seat else -worth) - noted_value(places, last, weights)
    share = float(settings[RATE]) / places.shape[1]
    for back in range(min(noted, length)):
        slot = (noted - 1 - back) % length
        signed = difference if viewers[slot] == viewers[last] else -difference
        correct(places, slot, signed, share, weights, sums, totals)
        share *= float(settings[TRACE])


@subroutine
def learn_from_game(
    state: State, layout: Layout, settings: Any, weights: Any, sums: Any, totals: Any,
    places: Any, viewers: Any, buffer: Any, report: Any, random: RandomState, least_stage: int,
) -> tuple[State, State]:  # fmt: skip
    """Play from *state* to the end, or until the stage is less than *least_stage*, and learn from it.

    Returns the last state, and the first one of the last stage.
    """
    entered, last_stage = state, stage(state)
    noted, is_after_chance = 0, False
    before = 0.0  # what the seat to act had earned when the last afterstate was noted
    while not is_over(state):
        if stage(state) < least_stage:
            return state, entered
        if stage(state) > last_stage:
            entered, last_stage = state, stage(state)
        seat = mover(state)
        if seat == CHANCE:
            state = play(state, random_step(state, buffer, random))
            is_after_chance = True
            continue
        is_after_chance = False
        seen = most_familiar(state) if settings[LIKENED] != 0.0 else familiar(state)
        end = moves(state, buffer, 0)
        step, worth = best_step(seen, layout, weights, buffer, end)
        if seen != state:
            worth = worth_after(play(state, step), seat, layout, weights)
        before = earned(state, seat)
        if below(random, _TICKETS) < settings[EXPLORATION] * _TICKETS:
            # What follows a random step is no target.
            step = int(buffer[below(random, end)])
            noted = 0
        elif noted > 0:
            learn(worth - before, seat, noted, settings, places, viewers, weights, sums, totals)
        state = play(state, step)
        report[STEPS] += 1
        if not is_over(state):
            note_places(state, layout, places, noted % len(places))
            viewers[noted % len(places)] = viewer(state)
            noted += 1
    if noted > 0 and is_after_chance:  # otherwise the last step was valued by this end
        seat = int(viewers[(noted - 1) % len(places)])
        rest = payoff(state, seat) - earned(state, seat)
        learn(rest, seat, noted, settings, places, viewers, weights, sums, totals)
    return state, entered


@compiled
def learn_games(
    start: State, facts: Any, games: int, layout: Layout, settings: Any, weights: Any, sums: Any, totals: Any,
    places: Any, viewers: Any, buffer: Any, report: Any, random: RandomState, streams: RandomState,
) -> None:  # fmt: skip
    """Learn from *games* games, each with its restarts.

    :param start: the start of each game, dealt anew by *facts*.
    """
    for _ in range(games):
        next_stream(streams, random)
        if report[STOP] != 0:
            return
        begun = deal(start, facts, random)
        final, entered = learn_from_game(
            begun, layout, settings, weights, sums, totals, places, viewers, buffer, report, random, 0
        )
        report[GAMES] += 1
        report[PAID] += payoff(final, 0)
        last_stage = stage(entered)
        if last_stage > stage(begun):
            for _ in range(int(settings[RESTARTS])):
                learn_from_game(
                    entered, layout, settings, weights, sums, totals, places, viewers, buffer, report, random,
                    last_stage,
                )  # fmt: skip


@compiled
def learn_position(
    state: State, worths: Any, layout: Layout, settings: Any, weights: Any, sums: Any, totals: Any, places: Any,
    buffer: Any,
) -> int:  # fmt: skip
    """Learn a teacher's values of the steps from *state*; returns the step that is then best.

    :param worths: each step's value to the seat to act, in the order of ``moves``.
    """
    seat = mover(state)
    end = moves(state, buffer, 0)
    share = float(settings[RATE]) / places.shape[1]
    for index in range(end):
        after = play(state, int(buffer[index]))
        if not is_over(after):
            note_places(after, layout, places, 0)
            worth = worths[index] if viewer(after) == seat else -worths[index]
            correct(places, 0, worth - noted_value(places, 0, weights), share, weights, sums, totals)
    step, _ = best_step(state, layout, weights, buffer, end)
    return step


@compiled
def play_games(
    start: State, facts: Any, layout: Layout, weights: Any, paid: Any, buffer: Any, report: Any, random: RandomState,
    streams: RandomState,
) -> None:  # fmt: skip
    """Play games with the best step of each seat, and learn nothing.

    :param paid: is filled with the first seat's payoffs.
    """
    for game in range(len(paid)):
        next_stream(streams, random)
        if report[STOP] != 0:
            return
        state = deal(start, facts, random)
        while not is_over(state):
            if mover(state) == CHANCE:
                state = play(state, random_step(state, buffer, random))
            else:
                seen = familiar(state)
                step, _ = best_step(seen, layout, weights, buffer, moves(seen, buffer, 0))
                state = play(state, step)
                report[STEPS] += 1
        paid[game] = payoff(state, 0)
        report[GAMES] += 1


@compiled
def network_worth(state: State, seat: int, layout: Layout, weights: Any) -> float:
    """As ``worth_after``, for a search of one step."""
    return worth_after(state, seat, layout, weights)
