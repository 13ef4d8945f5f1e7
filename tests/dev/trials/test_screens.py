"""Odd surroundings: what they are drawn from, and what of a start's end is a failure."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from dev.trials import TrialFailure, screens
from dev.trials.screens import FONTS, HOMES, LANGUAGES, REFUSED_DEPTHS, SIZES, Place, Surroundings, draw
from dev.trials.tour import Told

SOUND = Surroundings(1, (1280, 800), None, 1.0, "sound", "unset", "sound", 0.0, "no change", True, True)


def ended(code: int, said: str = "", told: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], code, told, said)


class TestDrawing:
    def test_everything_comes_up(self) -> None:
        drawn = [draw(seed) for seed in range(400)]
        assert {around.home for around in drawn} == set(HOMES)
        assert {around.fonts for around in drawn} == set(FONTS)
        assert {around.language for around in drawn} == set(LANGUAGES)
        assert {around.size for around in drawn} == set(SIZES)
        assert any(around.leap < 0 for around in drawn) and any(around.leap > 0 for around in drawn)

    def test_a_seed_is_always_the_same(self) -> None:
        assert draw(7) == draw(7) != draw(8)


class TestThePlace:
    @pytest.mark.parametrize("home", HOMES)
    def test_the_own_files_of_whoever_tries_are_out_of_reach(self, home: str, tmp_path: Path) -> None:
        place = Place(SOUND._replace(home=home), tmp_path)
        for name in ("HOME", "XDG_CACHE_HOME"):
            assert place.environment.get(name, str(tmp_path)).startswith(str(tmp_path))
        assert place.facts.knows_home == (home != "unknown")


class TestWhatIsAFailure:
    def test_an_error_is(self) -> None:
        with pytest.raises(TrialFailure, match="ended with 1"):
            screens.judge(SOUND, ended(1, "Something went wrong."))

    def test_a_traceback_is(self) -> None:
        with pytest.raises(TrialFailure, match="Traceback"):
            screens.judge(SOUND, ended(0, "Traceback (most recent call last):", "[]"))

    def test_an_end_without_a_tour_is(self) -> None:
        with pytest.raises(TrialFailure, match="before its tour"):
            screens.judge(SOUND, ended(0))

    def test_a_sentence_is_where_a_window_could_be(self) -> None:
        refusal = ended(2, "There is no display.")
        with pytest.raises(TrialFailure):
            screens.judge(SOUND, refusal)
        for depth in REFUSED_DEPTHS:
            assert screens.judge(SOUND._replace(depth=depth), refusal) is None

    def test_what_was_told_is_not(self) -> None:
        told = Told("library", 7, 7, "", 1, ["HomeScene"])
        assert screens.judge(SOUND, ended(0, "A file is damaged.", f"pygame\n{json.dumps(told)}\n")) == told
