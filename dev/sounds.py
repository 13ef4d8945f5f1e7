"""Synthesizes the program's sounds: ``python -m dev.sounds`` writes the files; run ``dev.digests`` afterwards.

The same code makes the same bytes. A struck thing rings in modes, sines with their own frequencies and exponential
decay; the blow itself is a short noise (Cook, "Real Sound Synthesis for Interactive Applications", 2002, chapters 4 and
14). Signals are arrays of floats, ``RATE`` of them a second. Random numbers come directly from the bit generator PCG64,
whose stream numpy keeps from version to version.
"""

from __future__ import annotations

import io
import math
import wave
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papan.game.base.places import bundled_file
from papan.ui.sounds import SOUNDS, VARIANTS, Sound, file_name

FOLDER = bundled_file("assets")
SEED = 2027
_MOST_VARIANTS = 100
Signal: TypeAlias = NDArray[np.float64]

RATE = 22_050  # samples a second: enough for soft sounds
LARGEST = 32_767  # the largest 16-bit sample
MOST_PEAK = 0.84  # as a share of the largest sample, so that simultaneous sounds are not clipped
REFERENCE = 0.09  # the loudness of a sound with level 0 dB, as a share of the largest sample

_WINDOW = RATE // 20
"""The samples in a window for loudness: a twentieth of a second, as the ear integrates over shorter times."""
_SILENCE = 10 ** (-48 / 20)  # as a share of the peak; a quieter end is cut off
_FADE_IN, _FADE_OUT = 0.001, 0.012
_AUDIBLE_FROM = 150.0  # hertz; lower frequencies hardly contribute to loudness


class Chance:
    """Random numbers for a sound, from a seed."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def uniform(self, number: int) -> Signal:
        """*number* independent random numbers, uniform between -1 and 1."""
        return np.asarray(self._bits.random_raw(number) >> np.uint64(11), dtype=np.float64) * 2.0**-52 - 1.0

    def near(self, value: float, share: float) -> float:
        """A random number that differs from *value* by at most a *share* of it."""
        return value * (1.0 + share * float(self.uniform(1)[0]))


class Mode(NamedTuple):
    """A mode of vibration."""

    frequency: float
    """Hertz."""
    decay: float
    """The seconds in which its amplitude falls by a factor of e."""
    loudness: float = 1.0


def samples(seconds: float) -> int:
    return round(seconds * RATE)


def ringing(modes: Iterable[Mode], seconds: float, chance: Chance | None = None, spread: float = 0.012) -> Signal:
    """The sum of *modes*, struck at once.

    :param chance: moves each mode's frequency by at most the share *spread*, and its loudness by ten times that.
    """
    time = np.arange(samples(seconds)) / RATE
    total = np.zeros_like(time)
    for mode in modes:
        frequency = chance.near(mode.frequency, spread) if chance else mode.frequency
        loudness = chance.near(mode.loudness, 10 * spread) if chance else mode.loudness
        total += loudness * np.exp(-time / mode.decay) * np.sin(2 * math.pi * frequency * time)
    return total


def burst(chance: Chance, seconds: float, decay: float, low: float, high: float) -> Signal:
    """Decaying noise between two frequencies: a blow, or grit."""
    time = np.arange(samples(seconds)) / RATE
    return high_pass(low_pass(chance.uniform(len(time)), high), low) * np.exp(-time / decay)


def rubbing(chance: Chance, seconds: float, low: float, high: float, loudest_at: float = 0.4) -> Signal:
    """Noise between two frequencies that swells and fades: a thing that moves along another.

    :param loudest_at: the time of the maximum, as a share of *seconds*.
    """
    place = np.linspace(0.0, 1.0, samples(seconds))
    swell = np.where(place < loudest_at, place / loudest_at, (1 - place) / (1 - loudest_at))
    noise = high_pass(low_pass(low_pass(chance.uniform(len(place)), high), high), low)
    return np.asarray(noise * np.sin(swell * math.pi / 2) ** 2)


def low_pass(signal: Signal, cutoff: float) -> Signal:
    """*signal* attenuated above *cutoff*, in hertz, by 6 dB an octave."""
    share = 1.0 - math.exp(-2 * math.pi * cutoff / RATE)
    passed, value = [], 0.0
    for sample in signal.tolist():
        value += share * (sample - value)
        passed.append(value)
    return np.array(passed)


def high_pass(signal: Signal, cutoff: float) -> Signal:
    """*signal* attenuated below *cutoff*, in hertz, by 6 dB an octave."""
    return signal - low_pass(signal, cutoff)


def together(parts: Sequence[tuple[float, Signal]]) -> Signal:
    """The sum of signals, each starting at a time in seconds."""
    total = np.zeros(max(samples(start) + len(part) for start, part in parts))
    for start, part in parts:
        total[samples(start) : samples(start) + len(part)] += part
    return total


def loudness_of(signal: Signal) -> float:
    """The root mean square of *signal* in its loudest twentieth of a second, without low frequencies."""
    energy = np.concatenate([np.zeros(_WINDOW), high_pass(signal, _AUDIBLE_FROM) ** 2, np.zeros(_WINDOW)]).cumsum()
    return math.sqrt(float(np.max(energy[_WINDOW:] - energy[:-_WINDOW])) / _WINDOW)


def finished(signal: Signal, level: float) -> Signal:
    """*signal* without its silent end, faded in and out, at *level* decibels above ``REFERENCE``.

    It is quieter than that if its peak would exceed ``MOST_PEAK``.
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


# The sounds of things of wood, stone and card on one wooden table, chosen by ear. Small blocks of wood ring for
# hundredths of a second in a few inharmonic modes, stone higher and drier; the low tone of the table is added to all.
# Signals to a person are wooden bars, tuned like a marimba's (1 : 4 : 9.2).

_TABLE = (Mode(118, 0.026, 0.16), Mode(193, 0.026, 0.36), Mode(281, 0.02, 0.3))
"""The wooden table below everything."""


def _table(chance: Chance, share: float) -> Signal:
    return share * ringing(_TABLE, 0.14, chance)


def _wooden(chance: Chance, pitch: float = 1.0, brightness: float = 1.0) -> Signal:
    """A piece of wood set down on wood."""
    pitch = chance.near(pitch, 0.05)
    modes = [
        Mode(412 * pitch, 0.021, 0.9),
        Mode(1015 * pitch, 0.013, 0.62 * brightness),
        Mode(1690 * pitch, 0.008, 0.38 * brightness),
        Mode(2840 * pitch, 0.005, 0.16 * brightness),
    ]
    blow = burst(chance, 0.03, 0.0035, 350, 2600 * brightness)
    return together([(0, ringing(modes, 0.15, chance)), (0, 2.2 * blow), (0.001, _table(chance, 1.0))])


def _wood(chance: Chance) -> Signal:
    """A block of wood set down not quite flat: one edge, then the other."""
    return together([(0, 0.4 * _wooden(chance, 1.12)), (chance.near(0.014, 0.25), _wooden(chance))])


def _stony(chance: Chance, pitch: float = 1.0) -> Signal:
    pitch = chance.near(pitch, 0.06)
    modes = [
        Mode(780 * pitch, 0.016, 0.7),
        Mode(1247 * pitch, 0.012, 0.6),
        Mode(2130 * pitch, 0.008, 0.4),
        Mode(3390 * pitch, 0.005, 0.18),
    ]
    blow = burst(chance, 0.05, 0.006, 300, 3000)
    return together([(0, ringing(modes, 0.12, chance)), (0, 3.0 * blow), (0, _table(chance, 1.3))])


def _stone(chance: Chance) -> Signal:
    """A block of stone set down on another: it lands, and rubs into place."""
    grit = rubbing(chance, 0.11, 500, 2400, 0.15)
    settle = chance.near(0.034, 0.3)
    return together([(0, _stony(chance)), (settle, 0.35 * _stony(chance, 1.15)), (0.01, 0.9 * grit)])


def _dome(chance: Chance) -> Signal:
    """A dome: hollow, and rounder than a block."""
    modes = [Mode(523, 0.075, 0.9), Mode(1203, 0.04, 0.4), Mode(2011, 0.018, 0.2)]
    return together([(0, 0.75 * _stony(chance, 0.8)), (0, ringing(modes, 0.35, chance)), (0.03, 0.25 * _stony(chance))])


def _figure(chance: Chance) -> Signal:
    """A wooden worker that steps on stone."""
    return low_pass(together([(0, _wooden(chance, 1.45, 0.9)), (0.001, 0.3 * _stony(chance, 1.1))]), 5200)


def _stone_on_wood(chance: Chance) -> Signal:
    """A domed stone on a thick board: a bright click, and the board rings after."""
    click = [Mode(2380, 0.008, 1.1), Mode(3720, 0.005, 0.5)]
    board = [Mode(287, 0.04, 0.6), Mode(596, 0.026, 0.5), Mode(934, 0.016, 0.4)]
    rock = chance.near(0.024, 0.3)
    struck = together([(0, ringing(click, 0.06, chance)), (0, 2.6 * burst(chance, 0.02, 0.002, 900, 4500))])
    return together([(0, struck), (0.0005, ringing(board, 0.25, chance)), (rock, 0.16 * struck)])


def _plastic(chance: Chance, pitch: float = 1.0) -> Signal:
    pitch = chance.near(pitch, 0.05)
    modes = [Mode(640 * pitch, 0.014, 0.7), Mode(1385 * pitch, 0.01, 0.55), Mode(2260 * pitch, 0.006, 0.3)]
    return together([(0, ringing(modes, 0.12, chance)), (0, 1.8 * burst(chance, 0.02, 0.003, 500, 3400))])


def _disc(chance: Chance) -> Signal:
    """A flat disc laid on felt."""
    return low_pass(together([(0, _plastic(chance, 0.86)), (0.002, _table(chance, 0.9))]), 2600)


def _disc_turned(chance: Chance) -> Signal:
    """A disc turned over: air, and a light clap."""
    air = rubbing(chance, 0.07, 700, 2600, 0.7)
    return together([(0, 0.5 * air), (0.055, low_pass(_plastic(chance, 1.18), 2900))])


def _disc_landed(chance: Chance) -> Signal:
    """A disc that falls onto others in a stand, which rattles."""
    parts = [(0.0, _plastic(chance)), (0.001, _table(chance, 1.4))]
    parts += [(chance.near(0.03 * place, 0.3), 0.22 / place * _plastic(chance, 1.3)) for place in (1, 2, 3)]
    return low_pass(together(parts), 4200)


def _disc_settled(chance: Chance) -> Signal:
    """The same disc after its bounce."""
    return low_pass(together([(0, _plastic(chance, 1.06)), (0.021, 0.3 * _plastic(chance, 1.2))]), 3200)


def _card(chance: Chance) -> Signal:
    """A card that slides over the table and stops."""
    air = rubbing(chance, 0.12, 600, 2300, 0.55)
    flat = together([(0, 1.5 * burst(chance, 0.03, 0.005, 400, 2600)), (0, _table(chance, 0.5))])
    return together([(0, 1.1 * air), (chance.near(0.088, 0.06), flat)])


def _slide(chance: Chance) -> Signal:
    """Wooden tiles that slide over wood and stop at an edge."""
    return together([(0, 2.4 * rubbing(chance, 0.12, 250, 1500, 0.5)), (0.1, 0.4 * _wooden(chance, 1.2, 0.8))])


def _merge(chance: Chance) -> Signal:
    """Two tiles that merge: a round tone of wood."""
    tone = [Mode(466, 0.055, 1.0), Mode(1864, 0.016, 0.25)]
    return together([(0, 0.5 * _wooden(chance, 1.1, 0.8)), (0.004, ringing(tone, 0.3, chance, 0.02))])


def _capture(chance: Chance) -> Signal:
    """A piece set down hard in the place of another, which is put aside."""
    aside = chance.near(0.075, 0.12)
    parts = [(0, 1.15 * _wooden(chance, 0.84)), (aside, 0.5 * _wooden(chance, 1.25)), (0.001, _table(chance, 1))]
    return together(parts)


def _lift(chance: Chance) -> Signal:
    """A piece leaves the table."""
    return together([(0, rubbing(chance, 0.06, 300, 1800, 0.3)), (0.004, 0.25 * low_pass(_wooden(chance, 1.5), 2400))])


def _taken_back(chance: Chance) -> Signal:
    """A piece is drawn back."""
    return together([(0, 1.6 * rubbing(chance, 0.14, 300, 1700, 0.75)), (0.118, 0.45 * _wooden(chance, 0.95, 0.7))])


def _refused(chance: Chance) -> Signal:
    """Two dull knocks on the table."""
    knock = [Mode(196, 0.03, 1.0), Mode(407, 0.016, 0.5), Mode(640, 0.009, 0.2)]
    low = [mode._replace(frequency=mode.frequency * 0.86) for mode in knock]
    return low_pass(together([(0, ringing(knock, 0.16)), (0.105, 0.8 * ringing(low, 0.16))]), 900)


def _bar(frequency: float, decay: float, loudness: float = 1.0) -> Signal:
    """A tuned bar of wood, struck with a soft mallet."""
    modes = [
        Mode(frequency, decay, loudness),
        Mode(frequency * 3.98, decay * 0.22, loudness * 0.2),
        Mode(frequency * 9.24, decay * 0.07, loudness * 0.05),
    ]
    return low_pass(ringing(modes, 5 * decay), 3200)


_SECONDS_A_NOTE = 0.115
_C4, _E4, _F4, _G4, _A4, _C5, _E5, _G5 = 261.63, 329.63, 349.23, 392.0, 440.0, 523.25, 659.26, 783.99


def _notes(*notes: tuple[float, float]) -> Signal:
    """Bars struck one after another, each with its frequency and decay."""
    return together([(number * _SECONDS_A_NOTE, _bar(*note)) for number, note in enumerate(notes)])


def _low_time(chance: Chance) -> Signal:
    """A clock's tick and tock."""
    bar = ringing([Mode(930, 0.012), Mode(2310, 0.005, 0.3)], 0.1)
    tick = together([(0, bar), (0, burst(chance, 0.02, 0.002, 600, 3000))])
    tock = ringing([Mode(705, 0.015), Mode(1750, 0.006, 0.3)], 0.1)
    return low_pass(together([(0, tick), (0.16, 0.8 * tock)]), 3400)


class Instrument(NamedTuple):
    """The function that makes a sound, and its relative loudness."""

    make: Callable[[Chance], Signal]
    level: float = 0.0
    """Decibels: 0 for a piece set down, less for frequent or unimportant sounds."""


INSTRUMENTS: Mapping[Sound, Instrument] = {
    "wood": Instrument(_wood),
    "stone": Instrument(_stone),
    "dome": Instrument(_dome),
    "figure": Instrument(_figure, -1),
    "stone on wood": Instrument(_stone_on_wood),
    "disc": Instrument(_disc),
    "disc turned": Instrument(_disc_turned, -5),
    "disc landed": Instrument(_disc_landed),
    "disc settled": Instrument(_disc_settled, -8),
    "card": Instrument(_card, -1),
    "slide": Instrument(_slide, -5),
    "merge": Instrument(_merge, -2),
    "capture": Instrument(_capture, 1),
    "lift": Instrument(_lift, -9),
    "taken back": Instrument(_taken_back, -6),
    "refused": Instrument(_refused, -4),
    "hint": Instrument(lambda chance: _notes((_E5, 0.07), (_G5, 0.1)), -3),
    "low time": Instrument(_low_time, -2),
    "won": Instrument(lambda chance: _notes((_C4, 0.12), (_E4, 0.12), (_G4, 0.13), (_C5, 0.2))),
    "lost": Instrument(lambda chance: _notes((_A4, 0.11), (_F4, 0.12), (_C4, 0.2)), -1),
    "drawn": Instrument(lambda chance: _notes((_G4, 0.11), (_C4, 0.12), (_G4, 0.18)), -1),
}


def sound_file(sound: Sound, variant: int) -> bytes:
    instrument = INSTRUMENTS[sound]
    chance = Chance((SEED * len(SOUNDS) + SOUNDS.index(sound)) * _MOST_VARIANTS + variant)
    return wave_file(finished(instrument.make(chance), instrument.level))


def sound_files() -> Iterator[tuple[str, bytes]]:
    for sound in SOUNDS:
        for variant in range(VARIANTS[sound]):
            yield file_name(sound, variant), sound_file(sound, variant)


def write_all(folder: Path = FOLDER) -> None:
    for name, content in sound_files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    write_all()
