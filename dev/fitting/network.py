"""Fits the small networks that evaluations add up from the board (``papan.ai.evaluation.perceptron``).

The logistic loss by Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015), with weights that decay
apart from it (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019) and a rate that falls as half a
cosine (the same, "SGDR", 2017). One thread is enough: a million positions take a minute or two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

EPOCHS = 30  # how often each position is learned from
BATCH = 2048
LEAST_BATCH, BATCHES = 64, 200
"""Where positions are few, batches are smaller, so that there are so many of them an epoch."""
RATE = 3e-3
DECAY = 0.05
FIRST, SECOND, LEAST = 0.9, 0.999, 1e-8  # Adam's rates of decay, and what keeps it from dividing by nothing
SPREAD, LIFT = 0.15, 0.1
"""The deviation of the first layer's weights to begin with, and what is always added to a neuron."""

Array = np.ndarray[Any, Any]


class Layers(NamedTuple):
    """A network."""

    rows: Array
    """What stands where, by neuron: shape (rows, neurons)."""
    always: Array
    lasts: Array
    """What each neuron counts."""
    last: Array
    """What is added in the end: shape (1,)."""

    def promises(self, planes: Array) -> Array:
        """The logarithms of the odds to win that the network promises: *planes* has a row of zeros and ones each."""
        found = [self._lively(part) @ self.lasts for part in np.array_split(planes, len(planes) // 20_000 + 1)]
        promised: Array = np.concatenate(found) + self.last
        return promised

    def _lively(self, planes: Array) -> Array:
        sums: Array = planes.astype(np.float32) @ self.rows + self.always
        return np.maximum(sums, 0.0, out=sums)

    def slopes(self, planes: Array, wanted: Array) -> Layers:
        """The slopes of the mean loss in each weight."""
        real = planes.astype(np.float32)
        lively = self._lively(real)
        off = (1.0 / (1.0 + np.exp(-(lively @ self.lasts + self.last))) - wanted) / np.float32(len(wanted))
        passed = np.outer(off, self.lasts) * (lively > 0.0)
        return Layers(real.T @ passed, passed.sum(0), lively.T @ off, off.sum(keepdims=True))


def new_network(inputs: int, neurons: int, random: np.random.Generator) -> Layers:
    return Layers(
        random.normal(0.0, SPREAD, (inputs, neurons)).astype(np.float32),
        np.full(neurons, LIFT, np.float32),
        random.normal(0.0, neurons**-0.5, neurons).astype(np.float32),
        np.zeros(1, np.float32),
    )


def fit_network(
    planes: Array, wanted: Array, neurons: int, seed: int = 1, epochs: int = EPOCHS, begin: Layers | None = None
) -> Layers:
    """A network that promises the *wanted* chances as nearly as it can.

    :param begin: what it learns on from; without, it has learned nothing before.
    """
    random = np.random.default_rng(seed)
    known = begin or new_network(planes.shape[1], neurons, random)
    found = Layers(*(layer.copy() for layer in known))
    means, squares = ([np.zeros_like(layer) for layer in found] for _ in range(2))
    size = min(BATCH, max(LEAST_BATCH, len(planes) // BATCHES))
    batches = len(planes) // size
    wanted = wanted.astype(np.float32)
    for number in range(epochs * batches):
        if number % batches == 0:
            order = random.permutation(len(planes))
        chosen = order[number % batches * size :][:size]
        rate = RATE * 0.5 * (1.0 + np.cos(np.pi * number / (epochs * batches)))
        slopes = found.slopes(planes[chosen], wanted[chosen])
        for layer, slope, mean, square in zip(found, slopes, means, squares, strict=True):
            mean += (1.0 - FIRST) * (slope - mean)
            square += (1.0 - SECOND) * (slope**2 - square)
            spread = np.sqrt(square / (1.0 - SECOND ** (number + 1))) + LEAST
            layer -= (rate / (1.0 - FIRST ** (number + 1)) * mean / spread + rate * DECAY * layer).astype(np.float32)
    return found
