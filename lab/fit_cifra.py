"""Fits CIFRA's standard weights: ``python -m lab.fit_cifra --mode dash``; the weights are printed.

The player plays against itself on boards dealt at random: some random moves first, then each seat looks at the
answers to its moves by the weights that there are, blurred a little. Who won is what every position of the game is
judged by: a logistic regression (by Newton's method, with a small penalty) finds the weights by which a position's
worth, divided by ``SCALE``, comes nearest to the logarithm of the odds. One position in ten is held back.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from ai.evaluation import STANDARD
from ai.evaluation.cifra import ENTRIES, H1, H3, NAMES, SCALE, WEIGHTS
from ai.learning.selfplay import measure, play_itself
from game import cifra
from game.cifra_board import MODES, MOVING
from game.kernels import play
from game.rng import random_state
from game.rules import legal_steps

NOISE = 3.0
"""How much what a move promises is blurred by."""

MOST_RANDOM = 8
"""Moves at random at most, to begin with."""

_MOST_STEPS = 300
_PENALTY = 1.0
_LEARNT = 0.9
_FLAT = 1e-9

Array = np.ndarray[Any, Any]


def play_games(options: dict[str, str], seconds: float, seed: int) -> tuple[Array, Array]:
    """Positions as their features for the seat to move, and how each game went for it: 0, ½ or 1."""
    random, compiled_random = Random(seed), random_state(seed)
    weights, units = np.array(WEIGHTS[STANDARD]), np.eye(ENTRIES)
    buffer, steps = np.zeros(4 * cifra.MOST_STEPS, np.int64), np.zeros(_MOST_STEPS, np.int64)
    rows = np.zeros((_MOST_STEPS, ENTRIES + 1))
    begun = cifra.start(options, Random(seed))
    play_itself.prepare(begun, 0, 0, NOISE, weights, compiled_random, buffer, steps)
    measure.prepare(begun, steps, 0, units, rows)
    features: list[Array] = []
    results: list[Array] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        state = cifra.start(options, random)
        while state.stage != MOVING:
            state = play(state, random.choice(legal_steps(state)))
        turns = random.randint(0, MOST_RANDOM)
        count = int(play_itself(state, turns, _MOST_STEPS, NOISE, weights, compiled_random, buffer, steps))
        result = measure(state, steps, count, units, rows)
        judged = rows[turns:count]
        features.append(judged[:, :-1].copy())
        results.append((1.0 + judged[:, -1] * result) / 2.0)
    return np.concatenate(features), np.concatenate(results)


def regress(features: Array, results: Array) -> Array:
    """The weights by which the chance to win is nearest to *results*, on the scale of ``SCALE``."""
    scale = features.std(0)
    used = np.flatnonzero(np.abs(features).max(0) > _FLAT)
    used = used[(used != H1) & (used != H3)]
    scale = np.where(scale > _FLAT, scale, 1.0)[used]
    scaled = features[:, used] / scale
    weights = np.zeros(len(used))
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-scaled @ weights))
        slope = scaled.T @ (chance - results) + _PENALTY * weights
        curve = (scaled * (chance * (1.0 - chance))[:, None]).T @ scaled + _PENALTY * np.eye(len(used))
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    found = np.zeros(features.shape[1])
    found[used] = SCALE * weights / scale
    return found


def surprise(weights: Array, features: Array, results: Array) -> float:
    """The mean cross-entropy of *results* against the chances by *weights*: less is better."""
    worth = features @ weights / SCALE
    return float(np.mean(np.logaddexp(0.0, worth) - results * worth))


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--mode", choices=MODES, default=MODES[0])
    parser.add_argument("--size", choices=("5", "9"), default="5")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    features, results = play_games({"mode": asked.mode, "size": asked.size}, asked.seconds, asked.seed)
    learnt = int(_LEARNT * len(results))
    found = regress(features[:learnt], results[:learnt])
    block = ENTRIES * MODES.index(asked.mode)
    before = np.array(WEIGHTS[STANDARD])[block : block + ENTRIES]
    print(f"{len(results)} positions; surprise by those held back:")
    for name, weights in (("before", before), ("now", found)):
        print(f"  {surprise(weights, features[learnt:], results[learnt:]):.4f} {name}")
    for number in np.flatnonzero(found):
        print(f"    {NAMES[number]}: {found[number]:.2f},")


if __name__ == "__main__":
    main()
