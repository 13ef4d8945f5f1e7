"""Accumulators: data that a search updates step by step, so that leaves are not evaluated from scratch.

An *accumulator* (Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018) is a
record of any type that follows the search's path: ``note`` goes along with a step, ``unnote`` back. ``judged`` and
``options`` then answer as ``evaluate`` and ``candidates`` do. A game without one falls back to these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, candidates, essential, evaluate, standing
from papan.game.kernel import compiled, kernel_with_default
from papan.game.kernel.arrays import new_record, record_type
from papan.game.rules import State, moves

PASS = -1
"""In place of a step: a pass."""

_NOTHING = record_type(("nothing", np.int64))


@kernel_with_default
def accumulator(state: State) -> Any:
    """A new accumulator for the match of *state*; called from Python only."""
    return new_record(_NOTHING)


@kernel_with_default
def gather(state: State, kept: Any) -> None:
    """Compute *kept* for *state* afresh."""


@kernel_with_default
def note(state: State, step: int, kept: Any) -> None:
    """Update *kept* from *state* to its successor by *step*, or by ``PASS`` in games that implement ``defences``."""


@kernel_with_default
def unnote(state: State, step: int, kept: Any) -> None:
    """Undo ``note``: restore *kept* for *state*."""


@kernel_with_default
def judged(state: State, seat: int, weights: Weights, kept: Any) -> float:
    """Exactly ``evaluate``, from the accumulator *kept* of *state*."""
    worth: float = evaluate(state, seat, weights)
    return worth


@kernel_with_default
def stood(state: State, seat: int, weights: Weights, kept: Any) -> float:
    """As ``standing``, from the accumulator *kept* of *state*."""
    worth: float = standing(state, seat, weights)
    return worth


@kernel_with_default
def options(state: State, buffer: Any, base: int, kept: Any) -> int:
    """As ``candidates``, in any order, from the accumulator *kept* of *state*."""
    return candidates(state, buffer, base)


@kernel_with_default
def prospect(state: State, step: int, kept: Any) -> int:
    """A first estimate of *step*, for move ordering, in units of a search's history (``ordering``)."""
    return 0


@kernel_with_default
def pressing(state: State, buffer: Any, base: int, kept: Any) -> int:
    """Write steps that leave the other side few ``answers`` into ``buffer[base:]``, best first; return their end.

    A threat-space search follows these alone; without any it is skipped.
    """
    return base


@kernel_with_default
def answers(state: State, buffer: Any, base: int, kept: Any) -> int:
    """As ``essential``, from the accumulator *kept* of *state*."""
    return essential(state, buffer, base)


@kernel_with_default
def defences(state: State, proof: Any, length: int, buffer: Any, base: int, kept: Any) -> int:
    """Write the steps that may stop the forced win that follows a pass into ``buffer[base:]``; return their end.

    All steps that are left out must lose to the same win.

    :param proof: ``proof[:length]`` are the steps of that win: those of the winner, and ``~step`` for all answers.
    """
    return moves(state, buffer, base)


@compiled
def regather(state: State, kept: Any) -> None:
    """``gather``, from Python."""
    gather(state, kept)


def has_accumulator(state: State) -> bool:
    return gather.implementation(type(state)).function is not gather.default
