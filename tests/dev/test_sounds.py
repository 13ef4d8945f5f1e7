"""The sounds that come with the program are those that the tool makes, and what players can bear."""

from __future__ import annotations

import io
import math
import wave
from pathlib import Path

import numpy as np
import pytest

from dev import sounds
from dev import sounds as tool
from papan.game.base.assets import ASSETS
from papan.ui.sounds import SOUNDS, VARIANTS, Sound, file_name
from papan.ui.window import loudspeaker

MOST_BYTES = 700_000
SHORT, LONG = 0.36, 1.5
"""The most seconds of what is heard step by step, and of what ends a match."""


def read(content: bytes) -> tool.Signal:
    with wave.open(io.BytesIO(content)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, tool.RATE)
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2") / tool.LARGEST


class TestFiles:
    def test_are_made_again_byte_for_byte(self) -> None:
        """Where not: python -m dev.sounds, and python -m dev.digests."""
        made = dict(tool.sound_files())
        for name, content in made.items():
            assert content == (ASSETS.folder / name).read_bytes(), name
        assert {name for name in ASSETS.digests if name.endswith(".wav")} == {*made}
        assert sum(map(len, made.values())) < MOST_BYTES

    def test_are_written_below_a_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        name, content = file_name("stone on wood", 3), b"a sound"
        monkeypatch.setattr(sounds, "sound_files", lambda: [(name, content)])
        sounds.write_all(tmp_path)
        assert (tmp_path / name).read_bytes() == content

    def test_the_mixer_takes_them_as_they_are(self) -> None:
        assert loudspeaker.RATE == tool.RATE


@pytest.mark.parametrize("sound", SOUNDS)
def test_each_sound_is_short_and_warm_and_heard_at_its_level(sound: Sound) -> None:
    """Most of it lies below what hisses, and little below what small loudspeakers can play."""
    files = [tool.sound_file(sound, variant) for variant in range(VARIANTS[sound])]
    assert len({*files}) == len(files), "its variants differ"
    wanted = tool.REFERENCE * 10 ** (tool.INSTRUMENTS[sound].level / 20)
    for signal in map(read, files):
        assert abs(20 * math.log10(tool.loudness_of(signal) / wanted)) < 0.5
        assert 0.1 < np.max(np.abs(signal)) <= tool.MOST_PEAK
    signal = read(files[0])
    assert 0.05 < len(signal) / tool.RATE < (LONG if sound in ("won", "lost", "drawn", "hint") else SHORT)
    assert abs(signal[0]) < 1e-3 and abs(signal[-1]) < 1e-3, "it begins and ends in silence"
    energy = np.abs(np.fft.rfft(signal)) ** 2
    frequencies = np.fft.rfftfreq(2 * len(energy) - 2, 1 / tool.RATE)
    assert energy[frequencies > 4000].sum() < 0.2 * energy.sum()
    assert energy[frequencies < 120].sum() < 0.3 * energy.sum()


class TestSynthesis:
    def test_the_seed_settles_what_is_random(self) -> None:
        first, again, other = (tool.Chance(seed).uniform(1000) for seed in (1, 1, 2))
        assert np.array_equal(first, again) and not np.array_equal(first, other)
        assert -1 <= first.min() < -0.9 and 0.9 < first.max() < 1 and abs(first.mean()) < 0.1

    def test_a_mode_dies_away(self) -> None:
        signal = tool.ringing([tool.Mode(441, 0.1)], 0.5)
        assert np.max(np.abs(signal[:50])) > 0.9
        later = np.max(np.abs(signal[round(0.3 * tool.RATE) :][:50]))
        assert later == pytest.approx(math.exp(-3), rel=0.1)

    @pytest.mark.parametrize(("frequency", "passes_low"), [(100, True), (6000, False)])
    def test_filters_tell_low_from_high(self, frequency: float, passes_low: bool) -> None:
        tone = np.sin(2 * math.pi * frequency * np.arange(tool.RATE // 5) / tool.RATE)
        low, high = (
            np.abs(passed[tool.RATE // 10 :]).max() for passed in (tool.low_pass(tone, 800), tool.high_pass(tone, 800))
        )
        assert (low > 0.9 and high < 0.2) if passes_low else (low < 0.3 and high > 0.8)

    def test_what_is_silent_at_the_end_is_cut_off(self) -> None:
        tone = np.concatenate([np.sin(np.arange(4000) / 5), np.zeros(8000)])
        assert 3900 < len(tool.finished(tone, 0)) <= 4000

    def test_a_level_is_in_decibels(self) -> None:
        tone = np.sin(np.arange(8000) / 5)
        assert tool.loudness_of(tool.finished(tone, 6)) / tool.loudness_of(tool.finished(tone, 0)) == pytest.approx(
            10 ** (6 / 20), rel=0.01
        )

    def test_no_peak_is_cut_off(self) -> None:
        clicks = np.zeros(4000)
        clicks[[100, 3000]] = 1.0
        assert np.max(np.abs(tool.finished(clicks, 20))) == pytest.approx(tool.MOST_PEAK)
