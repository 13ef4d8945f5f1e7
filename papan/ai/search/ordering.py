"""The order of alpha-beta's steps in a position: the sooner a refutation comes, the less is searched.

First the table's step, then captures that lose nothing by exchange, then the two that last refuted a position at the
same ply (*killers*: Akl and Newborn, "The Principal Continuation and the Killer Heuristic", 1977), then the others by
their past refutations (*history*: Schaeffer, "The History Heuristic", 1983) and by the game's ``prospect``, and
captures that lose something last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, exchange
from papan.ai.evaluation.accumulator import prospect
from papan.game.kernel import subroutine
from papan.game.rules import State

MOST_PLIES = 640
"""Steps on the path of one search."""
_HISTORY = 1 << 14  # step codes, folded
KILLER = 1 << 58
"""A killer is rated at least this; no history comes near."""
CAPTURE = 1 << 60
"""A capture that loses nothing is rated at least this."""
EVERYTHING = 1e6
"""More than any exchange wins."""
_PICKED = 4
"""The number of steps picked one by one before the rest is sorted."""
EXCHANGE_UNITS = 1024.0
"""Exchanges are rated in this many parts of a unit of the evaluation."""

ORDERING_FIELDS: list[tuple[Any, ...]] = [
    ("killers", np.int64, (MOST_PLIES, 2)),
    ("history", np.int64, (2, _HISTORY)),
]


@subroutine
def bring_forward(work: Any, base: int, end: int, step: int) -> bool:
    """Swap *step* to the front of ``buffer[base:end]``; returns whether it is one of them."""
    buffer = work.buffer
    for index in range(base, end):
        if buffer[index] == step:
            buffer[index] = buffer[base]
            buffer[base] = step
            return True
    return False


@subroutine
def rate_steps(
    state: State, work: Any, base: int, end: int, ply: int, side: int, weights: Weights, accumulator: Any
) -> None:
    """Rate the steps ``buffer[base:end]``: captures by their gain, killers, then by their history and prospects."""
    buffer, order, history = work.buffer, work.order, work.history
    first_killer, second_killer = work.killers[ply, 0], work.killers[ply, 1]
    for index in range(base, end):
        step = buffer[index]
        won = exchange(state, int(step), weights, -EVERYTHING)
        if won > 0.0:
            order[index] = CAPTURE + int(won * EXCHANGE_UNITS)
        elif won < 0.0:
            order[index] = int(won * EXCHANGE_UNITS) - CAPTURE
        elif step == first_killer:
            order[index] = 2 * KILLER
        elif step == second_killer:
            order[index] = KILLER
        else:
            order[index] = history[side, step & (_HISTORY - 1)] + prospect(state, int(step), accumulator)


@subroutine
def rate_exchanges(state: State, work: Any, base: int, end: int, weights: Weights, least: float) -> None:
    """Rate the steps ``buffer[base:end]`` of *state* by their gain in the exchange, in ``EXCHANGE_UNITS``.

    Roughly if that is at most *least*.
    """
    for index in range(base, end):
        work.order[index] = int(exchange(state, int(work.buffer[index]), weights, least) * EXCHANGE_UNITS)


@subroutine
def bring_best_forward(work: Any, index: int, end: int) -> None:
    """Swap the best rated of the steps from *index* on to the front."""
    buffer, order = work.buffer, work.order
    best = index
    for other in range(index + 1, end):
        if order[other] > order[best]:
            best = other
    if best != index:
        step, rating = buffer[best], order[best]
        buffer[best], order[best] = buffer[index], order[index]
        buffer[index], order[index] = step, rating


@subroutine
def sort_steps(work: Any, first: int, end: int) -> None:
    """Sort the steps ``buffer[first:end]``, the best rated first."""
    buffer, order = work.buffer, work.order
    for index in range(first + 1, end):
        step, rating = buffer[index], order[index]
        at = index
        while at > first and order[at - 1] < rating:
            buffer[at], order[at] = buffer[at - 1], order[at - 1]
            at -= 1
        buffer[at], order[at] = step, rating


@subroutine
def next_step(
    state: State, work: Any, index: int, unrated: int, end: int, ply: int, side: int, weights: Weights, accumulator: Any
) -> int:
    """The step of *state* to try at *index*: the best of ``buffer[index:end]``, rated once *unrated* is reached.

    One of the first steps refutes most positions; if none does, the rest is sorted at once.
    """
    if index == unrated:
        rate_steps(state, work, index, end, ply, side, weights, accumulator)
    if unrated <= index < unrated + _PICKED:
        bring_best_forward(work, index, end)
    elif index == unrated + _PICKED:
        sort_steps(work, index, end)
    return int(work.buffer[index])


@subroutine
def remember_cutoff(work: Any, step: int, ply: int, side: int, depth: int) -> None:
    """A step that refuted its position is tried early elsewhere."""
    if work.killers[ply, 0] != step:
        work.killers[ply, 1] = work.killers[ply, 0]
        work.killers[ply, 0] = step
    work.history[side, step & (_HISTORY - 1)] += depth * depth


MOST_TELLING = 16384
"""A history that is learned from failures too stays between this and its negative."""
_MOST_BONUS = 1200


@subroutine
def adjust(work: Any, side: int, step: int, bonus: int) -> None:
    """Move the history of *step* by *bonus*, the less the nearer it is to its bounds."""
    place = step & (_HISTORY - 1)
    history = int(work.history[side, place])
    work.history[side, place] = history + bonus - history * abs(bonus) // MOST_TELLING


@subroutine
def learn_cutoff(work: Any, first: int, index: int, ply: int, side: int, depth: int) -> None:
    """As ``remember_cutoff`` of ``buffer[index]``; quiet steps tried in vain from *first* on are tried later."""
    step = int(work.buffer[index])
    if abs(work.order[index]) > 2 * KILLER and index >= first:
        return  # captures are rated by their gain
    if work.killers[ply, 0] != step:
        work.killers[ply, 1] = work.killers[ply, 0]
        work.killers[ply, 0] = step
    bonus = min(16 * depth * depth, _MOST_BONUS)
    adjust(work, side, step, bonus)
    for other in range(first, index):
        if abs(work.order[other]) <= 2 * KILLER:
            adjust(work, side, int(work.buffer[other]), -bonus)
