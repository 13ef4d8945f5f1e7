"""Sounds that come often are quieter, and some are left out."""

from __future__ import annotations

import pytest

from papan.ui.sounds.rhythm import LEAST_GAP, Rhythm


def loudnesses(times: int, gap: float) -> list[float]:
    """Those of so many sounds, a *gap* of seconds apart."""
    rhythm = Rhythm()
    return [rhythm.loudness(100 + number * gap) for number in range(times)]


class TestLoudness:
    def test_the_first_and_those_after_a_pause_have_their_own(self) -> None:
        assert loudnesses(4, 5.0) == pytest.approx([1.0] * 4, abs=1e-3)

    def test_ten_a_second_become_quieter_and_stay_so(self) -> None:
        heard = loudnesses(50, 0.1)
        assert heard == sorted(heard, reverse=True)
        assert 0.2 < heard[-1] < 0.45

    def test_of_a_hundred_a_second_most_are_left_out(self) -> None:
        heard = [one for one in loudnesses(100, 0.01) if one]
        assert len(heard) <= 1 / LEAST_GAP
        assert sum(heard) < 8

    def test_what_is_left_out_does_not_count(self) -> None:
        rhythm = Rhythm()
        assert rhythm.loudness(1.0) == 1.0
        assert [rhythm.loudness(1.0 + LEAST_GAP * share) for share in (0.2, 0.5, 0.9)] == [0.0] * 3
        assert rhythm.loudness(1.0 + LEAST_GAP) > 0

    def test_is_as_before_once_it_was_quiet(self) -> None:
        rhythm = Rhythm()
        for number in range(50):
            rhythm.loudness(number * 0.1)
        assert rhythm.loudness(10.0) > 0.99
