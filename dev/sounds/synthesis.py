"""Sound out of numbers: modes that die away, bursts of noise, filters, and files of a common loudness.

What is struck rings in modes, each a sine of its own frequency that decays exponentially; the blow itself is a short
noise (Cook, "Real Sound Synthesis for Interactive Applications", 2002, chapters 4 and 14). Signals are arrays of
floats, ``RATE`` of them a second. Random numbers are those of the bit generator PCG64 itself, whose stream numpy keeps
from version to version.
"""

from __future__ import annotations

import io
import math
import wave
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Signal: TypeAlias = NDArray[np.float64]

RATE = 22_050
"""Samples a second: enough for what is to sound soft."""
LARGEST = 32_767
"""Of a sample of 16 bits."""
MOST_PEAK = 0.84
"""Of the largest sample: several sounds at once must not be cut off."""
REFERENCE = 0.09
"""The loudness to which a sound of level 0 dB is brought, as a share of the largest sample."""

_WINDOW = RATE // 20
"""The samples over which loudness is taken: a twentieth of a second, below which the ear adds up."""
_SILENCE = 10 ** (-48 / 20)
"""Of the peak: what is quieter at the end is cut off."""
_FADE_IN, _FADE_OUT = 0.001, 0.012
_AUDIBLE_FROM = 150.0
"""Hertz: what lies lower hardly counts for how loud a sound is heard."""


class Chance:
    """Random numbers for one sound, from a seed."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def uniform(self, number: int) -> Signal:
        """*number* independent ones, evenly between -1 and 1."""
        return np.asarray(self._bits.random_raw(number) >> np.uint64(11), dtype=np.float64) * 2.0**-52 - 1.0

    def near(self, value: float, share: float) -> float:
        """A number that differs from *value* by at most a *share* of it."""
        return value * (1.0 + share * float(self.uniform(1)[0]))


class Mode(NamedTuple):
    """One way in which a thing rings."""

    frequency: float
    """Hertz."""
    decay: float
    """The seconds in which it becomes quieter by a factor of e."""
    loudness: float = 1.0


def samples(seconds: float) -> int:
    return round(seconds * RATE)


def silence(seconds: float) -> Signal:
    return np.zeros(samples(seconds))


def ringing(modes: Iterable[Mode], seconds: float, chance: Chance | None = None, spread: float = 0.012) -> Signal:
    """The sum of *modes*, struck at once.

    :param chance: moves each mode's frequency by at most the share *spread*, and its loudness by ten times that.
    """
    time = np.arange(samples(seconds)) / RATE
    total = silence(seconds)
    for mode in modes:
        frequency = chance.near(mode.frequency, spread) if chance else mode.frequency
        loudness = chance.near(mode.loudness, 10 * spread) if chance else mode.loudness
        total += loudness * np.exp(-time / mode.decay) * np.sin(2 * math.pi * frequency * time)
    return total


def burst(chance: Chance, seconds: float, decay: float, low: float, high: float) -> Signal:
    """Noise between two frequencies that dies away: the blow itself, or grit."""
    time = np.arange(samples(seconds)) / RATE
    return high_pass(low_pass(chance.uniform(len(time)), high), low) * np.exp(-time / decay)


def rubbing(chance: Chance, seconds: float, low: float, high: float, loudest_at: float = 0.4) -> Signal:
    """Noise between two frequencies that swells and fades: one thing that moves along another.

    :param loudest_at: a share of the time.
    """
    place = np.linspace(0.0, 1.0, samples(seconds))
    swell = np.where(place < loudest_at, place / loudest_at, (1 - place) / (1 - loudest_at))
    noise = high_pass(low_pass(low_pass(chance.uniform(len(place)), high), high), low)
    return np.asarray(noise * np.sin(swell * math.pi / 2) ** 2)


def low_pass(signal: Signal, cutoff: float) -> Signal:
    """*signal* with what lies above *cutoff* (Hertz) made quieter, by 6 dB an octave."""
    share = 1.0 - math.exp(-2 * math.pi * cutoff / RATE)
    passed, value = [], 0.0
    for sample in signal.tolist():
        value += share * (sample - value)
        passed.append(value)
    return np.array(passed)


def high_pass(signal: Signal, cutoff: float) -> Signal:
    """*signal* with what lies below *cutoff* (Hertz) made quieter, by 6 dB an octave."""
    return signal - low_pass(signal, cutoff)


def together(parts: Sequence[tuple[float, Signal]]) -> Signal:
    """The sum of signals, each from a moment on, in seconds."""
    total = np.zeros(max(samples(start) + len(part) for start, part in parts))
    for start, part in parts:
        total[samples(start) : samples(start) + len(part)] += part
    return total


def loudness_of(signal: Signal) -> float:
    """The root mean square of *signal* over its loudest twentieth of a second, low notes left out."""
    energy = np.concatenate([np.zeros(_WINDOW), high_pass(signal, _AUDIBLE_FROM) ** 2, np.zeros(_WINDOW)]).cumsum()
    return math.sqrt(float(np.max(energy[_WINDOW:] - energy[:-_WINDOW])) / _WINDOW)


def finished(signal: Signal, level: float) -> Signal:
    """*signal* without its silent end, faded in and out, at *level* decibels above ``REFERENCE``.

    It is made quieter than that where its peak would be above ``MOST_PEAK``.
    """
    audible = np.flatnonzero(np.abs(signal) > _SILENCE * np.max(np.abs(signal)))
    shown = signal[: int(audible[-1]) + 1].copy()
    shown -= np.mean(shown)
    rise, fall = samples(_FADE_IN), min(samples(_FADE_OUT), len(shown) // 2)
    shown[:rise] *= np.linspace(0.0, 1.0, rise)
    shown[-fall:] *= np.linspace(1.0, 0.0, fall)
    factor = REFERENCE * 10 ** (level / 20) / loudness_of(shown)
    return shown * min(factor, MOST_PEAK / float(np.max(np.abs(shown))))


def wave_file(signal: Signal) -> bytes:
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.rint(signal * LARGEST).astype("<i2").tobytes())
    return data.getvalue()
