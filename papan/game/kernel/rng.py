"""A small random generator that gives the same numbers compiled, in plain Python, and on every machine.

SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): the state is
one 64-bit counter, so that the number for "step 7 of the match with seed 12" needs no history.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, popcount

GOLDEN = 0x9E3779B97F4A7C15
MASK64 = 0xFFFFFFFFFFFFFFFF

RandomState = Any
"""A ``numpy`` array of one ``uint64``: the counter, advanced in place."""


def random_state(*seeds: int) -> RandomState:
    """A fresh generator for the numbers *seeds*, such as a match's seed and a step's number."""
    counter = 0
    for seed in seeds:
        counter = int(mix((counter + GOLDEN + (seed & MASK64)) & MASK64))
    return np.array([counter], dtype=np.uint64)


@subroutine
def mix(z: int) -> int:
    """SplitMix64's output function: a bijection of 64-bit numbers that looks random."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return z ^ (z >> 31)


@subroutine
def below(random: RandomState, n: int) -> int:
    """A whole number from 0 to n-1, uniform to one part in 2**32 / n; *n* is below 2**31."""
    counter = (int(random[0]) + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    random[0] = counter
    return int(((mix(counter) >> 32) * n) >> 32)


@subroutine
def drawn_bit(bits: int, random: RandomState) -> int:
    """Index of one of the set bits, each as likely as any other; *bits* is positive."""
    for _ in range(below(random, popcount(bits))):
        bits &= bits - 1
    return lowest(bits)


@subroutine
def next_stream(streams: RandomState, random: RandomState) -> None:
    """Start the next of many independent sequences in *random*; the counter *streams* numbers them."""
    counter = (int(streams[0]) + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    streams[0] = counter
    random[0] = mix(counter)


def skip_streams(streams: RandomState, number: int) -> None:
    """Skip the next *number* sequences of *streams*."""
    streams[0] = (int(streams[0]) + number * GOLDEN) & MASK64
