"""Odd surroundings: what they are drawn from, and what of a start's end is a failure."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from dev import rehearsal
from dev.scenery import STOPS
from dev.trials import TrialFailure, monkey, screens, tour
from dev.trials.screens import FONTS, HOMES, LANGUAGES, REFUSED_DEPTHS, SIZES, Place, Surroundings, draw
from dev.trials.tour import Facts, Told
from papan.game.catalogue import GAMES
from papan.self_test import close_in_order
from papan.ui.window.program import Program

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
        assert draw(7) == drawn[7] != drawn[8]


class TestThePlace:
    @pytest.mark.parametrize("home", HOMES)
    def test_the_own_files_of_whoever_tries_are_out_of_reach(self, home: str, tmp_path: Path) -> None:
        place = Place(SOUND._replace(home=home), tmp_path)
        for name in ("HOME", "XDG_CACHE_HOME"):
            assert place.environment.get(name, str(tmp_path)).startswith(str(tmp_path))
        assert place.facts.knows_home == (home != "unknown")


class TestWhatIsAFailure:
    @pytest.mark.parametrize(
        ("found", "words"),
        [
            (ended(1, "Something went wrong."), "ended with 1"),
            (ended(0, "Traceback (most recent call last):", "[]"), "Traceback"),
            (ended(0), "before its tour"),
        ],
    )
    def test_an_error_or_an_end_without_a_tour_is(self, found: subprocess.CompletedProcess[str], words: str) -> None:
        with pytest.raises(TrialFailure, match=words):
            screens.judge(SOUND, found)

    def test_a_sentence_is_where_a_window_could_be(self) -> None:
        refusal = ended(2, "There is no display.")
        with pytest.raises(TrialFailure):
            screens.judge(SOUND, refusal)
        for depth in REFUSED_DEPTHS:
            assert screens.judge(SOUND._replace(depth=depth), refusal) is None

    def test_what_was_told_is_not(self) -> None:
        told = Told("library", 7, 7, "", 1, ["HomeScene"])
        assert screens.judge(SOUND, ended(0, "A file is damaged.", f"pygame\n{json.dumps(told)}\n")) == told


FEW = {name: STOPS[name] for name in ("home", "new game", "rules", "settings")}


@pytest.fixture
def program(home: Path) -> Iterator[Program]:
    program = Program(size=(1024, 640))
    program.app.settings.animation = "off"
    yield program
    close_in_order(program)


def guide(program: Program) -> tour._Tour:
    return tour._Tour(program, Facts(seed=1), tour._Clock(), [])


class TestTheTour:
    def test_names_what_it_left_out(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tour, "STOPS", FEW)
        with pytest.raises(TrialFailure, match="never came to AboutScene"):
            guide(program)._go_everywhere(GAMES["connect-four"])

    def test_uses_the_library(self, program: Program) -> None:
        table = program.start_match(GAMES["connect-four"], ["human", "human"], {"first": "1"}, 1)
        going = guide(program)
        going._play(table, 2)
        going._leave(table)
        going._use_library()
        assert {"LibraryScene", "NameDialog", "FileChooser"} <= going._seen
        assert program.library.unfinished(), "what was deleted was brought back"


class TestTheMonkey:
    @pytest.fixture(autouse=True)
    def short(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(monkey, "EVENTS", 60)
        monkeypatch.setattr(monkey, "SIZES", ((1024, 640),))

    def test_tells_what_the_machine_kept_from_a_long_frame(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        stolen = itertools.count()
        monkeypatch.setattr(monkey, "STOPS", FEW)
        monkeypatch.setattr(monkey, "missing", lambda seen: [])
        monkeypatch.setattr(rehearsal, "stolen_seconds", lambda: [0.0, 0.08 * next(stolen)])
        for module in (rehearsal, monkey):
            monkeypatch.setattr(module, "LONG_SECONDS", -1.0)
        counts = monkey.case(5, home)
        assert any(name.endswith(", 80 ms more kept from the processor") for name in counts)
        assert counts["most milliseconds of later frames"] == 0, "none of these took the program itself 80 ms"

    def test_says_where_it_never_was(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(monkey, "STOPS", FEW)
        monkeypatch.setattr(monkey.Monkey, "gesture", monkey.Monkey.move)
        with pytest.raises(TrialFailure, match="it never came to AboutScene"):
            monkey.case(5, home)
