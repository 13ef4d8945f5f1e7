"""Batches of whole games in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation import greedy_step
from papan.ai.players.compiled import END_OF_WEIGHTS, FIRST_WEIGHT, GREEDY, KIND, RANDOM, searching_step
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import get_state, put_state, record_type
from papan.game.kernel.rng import RandomState, below, next_stream
from papan.game.playout import random_step
from papan.game.rules import (
    CHANCE,
    State,
    can_repeat,
    deal,
    is_over,
    key,
    mover,
    moves,
    observe,
    payoff,
    play,
    reason_number,
)
from papan.lab.simulation.counts import DRAWN, LOST, SAMPLE, WON
from papan.lab.simulation.plan import MOST_IN_BATCH, MOST_SEATS

ALL_PLAYED, CAME_THRICE, NO_ROOM = range(3)
"""Why ``play_games`` returned."""

NOBODY_YET = -2
"""The seat that acted last, at the start of a game."""

RECORD = record_type(
    ("game", np.int64),  # the number of the current or the next game
    ("end", np.int64),  # the last game's number plus 1; any thread may set 0 to stop the batch
    ("players", np.int64),
    ("first", np.int64),  # the player that starts; -1 if chance decides
    # The current game.
    ("is_under_way", np.int64),
    ("rotation", np.int64),  # the player on the first seat
    ("acted", np.int64),  # the seat that acted last
    ("past", np.int64),  # positions in its history, if positions can repeat
    # The counts.
    ("undecided", np.int64),
    ("turns", np.int64),
    ("steps", np.int64),
    ("choices", np.int64),
    ("legal_steps", np.int64),
    ("results", np.int64, (MOST_SEATS, MOST_SEATS, 3)),
    ("payoffs", np.float64, (MOST_SEATS, MOST_SEATS)),
    ("squares", np.float64, (MOST_SEATS, MOST_SEATS)),
    ("endings", np.int64),  # different reasons so far
    ("numbers", np.int64, (MOST_IN_BATCH,)),  # the number of each reason
    ("ended", np.int64, (MOST_IN_BATCH,)),  # games that ended for each reason
)
"""The counts and progress of a batch."""


@subroutine
def count_ending(state: State, record: Any, finals: Any) -> None:
    """Count the finished game *state* under its reason; store the first of each reason in *finals*."""
    number = reason_number(state)
    if number >= 0:
        for index in range(record.endings):
            if record.numbers[index] == number:
                record.ended[index] += 1
                return
    put_state(state, finals, int(record.endings))
    record.numbers[record.endings] = number
    record.ended[record.endings] = 1
    record.endings += 1


@subroutine
def count_game(state: State, record: Any, finals: Any) -> None:
    """Count how the finished game *state* ended, for each player; the next one can begin."""
    has_winner = False
    for seat in range(record.players):
        paid = payoff(state, seat)
        player = (seat + record.rotation) % record.players
        outcome = WON if paid > 0.0 else LOST if paid < 0.0 else DRAWN
        has_winner |= outcome == WON
        record.results[player, seat, outcome] += 1
        record.payoffs[player, seat] += paid
        record.squares[player, seat] += paid * paid
    record.undecided += 0 if has_winner else 1
    count_ending(state, record, finals)
    record.is_under_way = 0
    record.game += 1


@subroutine
def count_legal_steps(state: State, buffer: Any, record: Any) -> None:
    """Count the legal steps of the seat to act."""
    record.choices += 1
    record.legal_steps += moves(state, buffer, 0)


@subroutine
def remember(state: State, history: Any, keys: Any, record: Any) -> bool:
    """Store *state* in its game's history; return whether its position occurs for the third time."""
    past = int(record.past)
    position = key(state)
    times = 1
    for index in range(past):
        times += 1 if keys[index] == position else 0
    put_state(state, history, past)
    keys[past] = position
    record.past = past + 1
    return times >= 3


@subroutine
def begin_game(
    start: State, facts: Any, history: Any, keys: Any, streams: RandomState, random: RandomState, record: Any
) -> State:
    """The first state of the next game; the player in the first seat is chosen before the deal."""
    next_stream(streams, random)
    record.rotation = below(random, int(record.players)) if record.first < 0 else record.first
    record.past, record.acted, record.is_under_way = 0, NOBODY_YET, 1
    state = deal(start, facts, random)
    if can_repeat(start):
        remember(state, history, keys, record)
    return state


@compiled
def play_games(
    start: State, facts: Any, settings: Any, weights: Any, record: Any, finals: Any, history: Any, keys: Any,
    path: Any, buffer: Any, streams: RandomState, random: RandomState, work: Any, table: Any, marks: Any,
    endings: Any, accumulator: Any,
) -> int:  # fmt: skip
    """Play the games of *record* until all are played, or Python has to handle one.

    :param start: the state before the deal; *facts* describes the deal, *streams* gives random states.
    :param settings: the players, with *weights*: see ``papan.ai.players.compiled``.
    :param finals: rows for one finished game of each reason; *work* and what follows are for searches, or None.
    :param history: rows for the states of a game whose positions can repeat; *keys* are their keys.
    :param path: receives the steps of all games, as far as they fit.
    :returns: ``ALL_PLAYED``; ``CAME_THRICE`` if the last position of *history* occurs for the third time; ``NO_ROOM``
        if *history* and *keys* are full. After the last two, another call continues the game.
    """
    while record.game < record.end:
        if record.is_under_way == 0:
            state = begin_game(start, facts, history, keys, streams, random, record)
        else:
            state = get_state(start, history, int(record.past) - 1)
        is_sampled = record.game % SAMPLE == 0
        rotation, players = int(record.rotation), int(record.players)
        turns, steps, acted = 0, 0, int(record.acted)
        before = int(record.steps)
        room = len(path) - before
        stopped = ALL_PLAYED
        while not is_over(state):
            if can_repeat(start) and record.past == len(keys):
                stopped = NO_ROOM
                break
            seat = mover(state)
            if seat == CHANCE:
                step = random_step(state, buffer, random)
            else:
                if is_sampled:
                    count_legal_steps(state, buffer, record)
                player = seat + rotation
                if player >= players:  # quicker than to divide
                    player -= players
                # Dispatched here: one function for all kinds would make random games half as slow again.
                kind = settings[player, KIND]
                if kind == RANDOM:
                    step = random_step(state, buffer, random)
                elif kind == GREEDY:
                    own_weights = weights[settings[player, FIRST_WEIGHT] : settings[player, END_OF_WEIGHTS]]
                    step = greedy_step(observe(state, seat), own_weights, buffer, random)
                else:
                    past = int(record.past)
                    step = searching_step(
                        state, player, settings, weights, history, keys, past, random,
                        work, table, marks, endings, accumulator,
                    )  # fmt: skip
                    if record.end == 0:
                        return ALL_PLAYED
                turns += 1 if seat != acted else 0
            acted = seat
            if steps < room:
                path[before + steps] = step
            steps += 1
            state = play(state, step)
            if can_repeat(start) and remember(state, history, keys, record) and not is_over(state):
                stopped = CAME_THRICE
                break
        record.turns += turns
        record.steps += steps
        record.acted = acted
        if stopped != ALL_PLAYED:
            return stopped
        count_game(state, record, finals)
    return ALL_PLAYED
