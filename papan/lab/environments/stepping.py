"""Kernels that step many games at once, write their observations, and restart those that end."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import action_of, earned, step_of, write_mask, write_planes
from papan.game.kernel import compiled, inlined, subroutine
from papan.game.kernel.arrays import get_state, put_state
from papan.game.kernel.rng import RandomState
from papan.game.playout import random_step
from papan.game.rules import (
    CHANCE,
    State,
    can_repeat,
    deal,
    is_over,
    key,
    mover,
    observe,
    payoff,
    play,
    steps_to_draw,
)

GOES_ON, HAS_ENDED, CAME_THRICE = range(3)
"""The status of a game after a step; only Python can tell whether ``CAME_THRICE`` ends it."""

ALL_LEGAL = -1
"""The result of ``illegal_game`` if every action is legal."""


@inlined
def settled(state: State, buffer: Any, random: RandomState) -> State:
    """*state* after all random events before a seat is to act."""
    while not is_over(state) and mover(state) == CHANCE:
        state = play(state, random_step(state, buffer, random))
    return state


@subroutine
def came_thrice(state: State, past: Any, keys: Any, lengths: Any, index: int) -> bool:
    """Store *state*, and return whether it occurs for the third time in its game.

    Positions from before the draw counter was last reset can't occur again and are dropped.
    """
    length = lengths[index]
    if length > 0 and steps_to_draw(state) >= steps_to_draw(get_state(state, past, int(length) - 1)):
        length = 0
    position, times = key(state), 1
    for earlier in range(length):
        times += 1 if keys[earlier] == position else 0
    put_state(state, past, int(length))
    keys[length] = position
    lengths[index] = length + 1
    return times >= 3


@inlined
def show(state: State, seat: int, planes: Any, mask: Any, buffer: Any) -> None:
    """Write the observation and mask of *seat*, which is to act in *state*."""
    planes[:] = 0
    write_planes(observe(state, seat), seat, planes)
    write_mask(state, mask, buffer)


@compiled
def begin_games(
    start: State, facts: Any, which: Any, rows: Any, randoms: Any, history: Any, keys: Any, lengths: Any,
    paid: Any, seats: Any, planes: Any, masks: Any, buffer: Any,
) -> None:  # fmt: skip
    """Restart the games *which*; for the parameters see ``step_games``."""
    for place in range(len(which)):
        index = int(which[place])
        state = settled(deal(start, facts, randoms[index]), buffer, randoms[index])
        lengths[index] = 0
        if can_repeat(start):
            came_thrice(state, history[index], keys[index], lengths, index)
        paid[index] = 0.0
        put_state(state, rows, index)
        seats[index] = mover(state)
        show(state, mover(state), planes[index], masks[index], buffer)


@compiled
def illegal_game(actions: Any, masks: Any) -> int:
    """The index of a game whose action its mask forbids, or ``ALL_LEGAL``."""
    for index in range(len(actions)):
        action = actions[index]
        if action < 0 or action >= masks.shape[1] or masks[index, action] == 0:
            return index
    return ALL_LEGAL


@compiled
def step_games(
    start: State, facts: Any, first: int, end: int, actions: Any, rows: Any, randoms: Any, history: Any, keys: Any,
    lengths: Any, paid: Any, seats: Any, planes: Any, masks: Any, rewards: Any, ends: Any, buffer: Any,
) -> None:  # fmt: skip
    """Take a step in each game from *first* to *end* - 1, play random events, and restart games that are over.

    All arrays have one entry for each game:

    :param start: the state before the deal; *facts* is what to deal.
    :param actions: the legal actions of the seats to act.
    :param rows: the states.
    :param randoms: each game's random state.
    :param history: rows of the positions since the last reset of the draw counter, in games that can repeat;
        *keys* are their keys, *lengths* their numbers.
    :param paid: the payoff of each seat so far.
    :param seats: the seats to act.
    :param planes: their observations, with *masks*.
    :param rewards: each seat's reward of this step.
    :param ends: ``GOES_ON``, ``HAS_ENDED`` or ``CAME_THRICE``.
    """
    for index in range(first, end):
        random = randoms[index]
        state = get_state(start, rows, index)
        state = settled(play(state, step_of(state, int(actions[index]))), buffer, random)
        has_ended = is_over(state)
        for seat in range(paid.shape[1]):
            total = payoff(state, seat) if has_ended else earned(state, seat)
            rewards[index, seat] = total - paid[index, seat]
            paid[index, seat] = total
        ends[index] = HAS_ENDED if has_ended else GOES_ON
        if has_ended:
            state = settled(deal(start, facts, random), buffer, random)
            lengths[index] = 0
            paid[index] = 0.0
        if can_repeat(start) and came_thrice(state, history[index], keys[index], lengths, index):
            ends[index] = CAME_THRICE
        put_state(state, rows, index)
        seats[index] = mover(state)
        show(state, mover(state), planes[index], masks[index], buffer)


@compiled
def draw_actions(start: State, rows: Any, random: RandomState, buffer: Any, actions: Any) -> None:
    """Write a uniformly random legal action of each game into *actions*."""
    for index in range(len(rows)):
        state = get_state(start, rows, index)
        actions[index] = action_of(state, random_step(state, buffer, random))
