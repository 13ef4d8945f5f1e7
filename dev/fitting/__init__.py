"""Fitting an evaluation's weights to games of the player against itself: what the tools for several games share.

Some random steps come first, then each seat looks at the answers to its steps by the weights that there are, blurred
a little. Who won is what every position of the game is judged by: a logistic regression (by Newton's method, with a
small penalty) finds the weights by which a position's worth, divided by a scale, comes nearest to the logarithm of the
odds. One position in ten is held back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from dev.fitting.selfplay import measure, play_itself
from papan.game.kernel.rng import random_state
from papan.game.rules import State
from papan.lab.printing import show
from papan.lab.statistics import regress

_MOST_STEPS = 300
_LEARNT = 0.9

Array = np.ndarray[Any, Any]


def play_games(
    begin: Callable[[Random], State],
    room: int,
    weights: Sequence[float],
    entries: int,
    noise: float,
    most_random: int,
    games: int,
    seed: int,
) -> tuple[Array, Array]:
    """Positions as their features for the seat to move, and how each game went for it: 0, ½ or 1.

    :param begin: draws a position to begin with.
    :param room: more steps than two turns offer.
    :param weights: those that the games are played by.
    :param entries: how many features there are.
    :param noise: how much what a step promises is blurred by.
    :param most_random: steps at random at most, to begin with.
    """
    random, compiled_random = Random(seed), random_state(seed)
    vector, units = np.array(weights), np.eye(entries)
    buffer, steps = np.zeros(room, np.int64), np.zeros(_MOST_STEPS, np.int64)
    rows = np.zeros((_MOST_STEPS, entries + 1))
    begun = begin(Random(seed))
    play_itself.prepare(begun, 0, 0, noise, vector, compiled_random, buffer, steps)
    measure.prepare(begun, steps, 0, units, rows)
    features: list[Array] = []
    results: list[Array] = []
    for _ in range(games):
        state = begin(random)
        turns = random.randint(0, most_random)
        count = int(play_itself(state, turns, _MOST_STEPS, noise, vector, compiled_random, buffer, steps))
        result = measure(state, steps, count, units, rows)
        judged = rows[turns:count]
        features.append(judged[:, :-1].copy())
        results.append((1.0 + judged[:, -1] * result) / 2.0)
    return np.concatenate(features), np.concatenate(results)


def surprise(weights: Array, features: Array, results: Array, scale: float) -> float:
    """The mean cross-entropy of *results* against the chances by *weights*: less is better."""
    worth = features @ weights / scale
    return float(np.mean(np.logaddexp(0.0, worth) - results * worth))


def fit(
    features: Array,
    results: Array,
    before: Sequence[float],
    scale: float,
    names: Sequence[str],
    left_out: Sequence[int] = (),
) -> None:
    """Fit weights, and print them and how far they are better than those *before*.

    :param names: what each feature is called.
    """
    learnt = int(_LEARNT * len(results))
    found = regress(features[:learnt], results[:learnt], scale, left_out)
    show(f"{len(results)} positions; surprise by those held back:")
    for name, weights in (("before", np.array(before)), ("now", found)):
        show(f"  {surprise(weights, features[learnt:], results[learnt:], scale):.4f} {name}")
    for number in np.flatnonzero(found).tolist():
        show(f"    {names[number]}={found[number]:.2f},")
