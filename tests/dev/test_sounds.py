"""The sounds that come with the program are those that the tool makes, and what players can bear."""

from __future__ import annotations

import io
import math
import wave
from pathlib import Path

import numpy as np
import pytest

from dev.sounds import (
    INSTRUMENTS,
    LARGEST,
    MOST_PEAK,
    RATE,
    REFERENCE,
    Chance,
    Mode,
    Signal,
    finished,
    high_pass,
    loudness_of,
    low_pass,
    ringing,
    sound_file,
    sound_files,
    write_all,
)
from papan.game.base.assets import ASSETS
from papan.ui.sounds import SOUNDS, VARIANTS, Sound, file_name
from papan.ui.window import loudspeaker

MOST_BYTES = 700_000
SHORT, LONG = 0.36, 1.5
"""The most seconds of what is heard step by step, and of what ends a match."""


def read(content: bytes) -> Signal:
    with wave.open(io.BytesIO(content)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2") / LARGEST


class TestFiles:
    def test_are_made_again_byte_for_byte(self) -> None:
        """Where not: python -m dev.sounds, and python -m dev.digests."""
        for name, content in sound_files():
            assert content == (ASSETS.folder / name).read_bytes(), name

    def test_no_other_lies_there(self) -> None:
        lie_there = {name for name in ASSETS.digests if name.endswith(".wav")}
        assert lie_there == {name for name, _content in sound_files()}

    def test_are_written_below_a_folder(self, tmp_path: Path) -> None:
        write_all(tmp_path)
        assert (tmp_path / file_name("stone on wood", 3)).read_bytes() == sound_file("stone on wood", 3)

    def test_are_small(self) -> None:
        assert sum(len(content) for _name, content in sound_files()) < MOST_BYTES

    def test_the_mixer_takes_them_as_they_are(self) -> None:
        assert loudspeaker.RATE == RATE


@pytest.mark.parametrize("sound", SOUNDS)
class TestEachSound:
    def test_is_heard_at_its_level(self, sound: Sound) -> None:
        for variant in range(VARIANTS[sound]):
            signal = read(sound_file(sound, variant))
            wanted = REFERENCE * 10 ** (INSTRUMENTS[sound].level / 20)
            assert abs(20 * math.log10(loudness_of(signal) / wanted)) < 0.5
            assert 0.1 < np.max(np.abs(signal)) <= MOST_PEAK

    def test_is_short(self, sound: Sound) -> None:
        seconds = len(read(sound_file(sound, 0))) / RATE
        assert 0.05 < seconds < (LONG if sound in ("won", "lost", "drawn", "hint") else SHORT)

    def test_begins_and_ends_in_silence(self, sound: Sound) -> None:
        signal = read(sound_file(sound, 0))
        assert abs(signal[0]) < 1e-3 and abs(signal[-1]) < 1e-3

    def test_is_warm(self, sound: Sound) -> None:
        """Most of it lies below what hisses, and little below what small loudspeakers can play."""
        energy = np.abs(np.fft.rfft(read(sound_file(sound, 0)))) ** 2
        frequencies = np.fft.rfftfreq(2 * len(energy) - 2, 1 / RATE)
        assert energy[frequencies > 4000].sum() < 0.2 * energy.sum()
        assert energy[frequencies < 120].sum() < 0.3 * energy.sum()

    def test_its_variants_differ(self, sound: Sound) -> None:
        files = {sound_file(sound, variant) for variant in range(VARIANTS[sound])}
        assert len(files) == VARIANTS[sound]


class TestSynthesis:
    def test_the_seed_settles_what_is_random(self) -> None:
        first, again, other = (Chance(seed).uniform(1000) for seed in (1, 1, 2))
        assert np.array_equal(first, again) and not np.array_equal(first, other)
        assert -1 <= first.min() < -0.9 and 0.9 < first.max() < 1 and abs(first.mean()) < 0.1

    def test_a_mode_dies_away(self) -> None:
        signal = ringing([Mode(441, 0.1)], 0.5)
        assert np.max(np.abs(signal[:50])) > 0.9
        later = np.max(np.abs(signal[round(0.3 * RATE) :][:50]))
        assert later == pytest.approx(math.exp(-3), rel=0.1)

    @pytest.mark.parametrize(("frequency", "passes_low"), [(100, True), (6000, False)])
    def test_filters_tell_low_from_high(self, frequency: float, passes_low: bool) -> None:
        tone = np.sin(2 * math.pi * frequency * np.arange(RATE // 5) / RATE)
        low, high = (np.abs(passed[RATE // 10 :]).max() for passed in (low_pass(tone, 800), high_pass(tone, 800)))
        assert (low > 0.9 and high < 0.2) if passes_low else (low < 0.3 and high > 0.8)

    def test_what_is_silent_at_the_end_is_cut_off(self) -> None:
        tone = np.concatenate([np.sin(np.arange(4000) / 5), np.zeros(8000)])
        assert 3900 < len(finished(tone, 0)) <= 4000

    def test_a_level_is_in_decibels(self) -> None:
        tone = np.sin(np.arange(8000) / 5)
        assert loudness_of(finished(tone, 6)) / loudness_of(finished(tone, 0)) == pytest.approx(
            10 ** (6 / 20), rel=0.01
        )

    def test_no_peak_is_cut_off(self) -> None:
        clicks = np.zeros(4000)
        clicks[[100, 3000]] = 1.0
        assert np.max(np.abs(finished(clicks, 20))) == pytest.approx(MOST_PEAK)
