"""The trials that go about in the window come to every scene, and say which one they never came to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from dev import rehearsal
from dev.scenery import STOPS, Stop, scene_classes
from dev.trials import TrialFailure, monkey, tour
from dev.trials.tour import Facts, TourError
from papan.game.catalogue import GAMES
from papan.self_test import close_in_order
from papan.ui.window.program import Program

WITHOUT_ABOUT = {name: stop for name, stop in STOPS.items() if name != "about"}


@pytest.fixture
def program(home: Path) -> Iterator[Program]:
    program = Program(size=(1024, 640))
    program.app.settings.animation = "off"
    yield program
    close_in_order(program)


def guide(program: Program) -> tour._Tour:
    return tour._Tour(program, Facts(seed=1), tour._Clock(), [])


class TestTheTour:
    def test_comes_to_all(self, program: Program) -> None:
        going = guide(program)
        going._go_everywhere(GAMES["connect-four"])
        assert {kind.__name__ for kind in scene_classes()} <= going._seen
        assert len(program.app.scenes) == 1, "and back"

    def test_names_what_it_left_out(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tour, "STOPS", WITHOUT_ABOUT)
        with pytest.raises(TourError, match="never came to AboutScene"):
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
        monkeypatch.setattr(monkey, "EVENTS", 2 * len(STOPS))
        monkeypatch.setattr(monkey, "SIZES", ((1024, 640),))

    def test_is_set_down_in_all(self, home: Path) -> None:
        assert monkey.case(5, home)["events"] >= 2 * len(STOPS)

    def test_tells_what_the_machine_kept_from_a_long_frame(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        stolen = itertools.count()
        monkeypatch.setattr(rehearsal, "stolen_seconds", lambda: [0.0, 0.08 * next(stolen)])
        for module in (rehearsal, monkey):
            monkeypatch.setattr(module, "LONG_SECONDS", -1.0)
        counts = monkey.case(5, home)
        assert any(name.endswith(", 80 ms more kept from the processor") for name in counts)
        assert counts["most milliseconds of later frames"] == 0, "none of these took the program itself 80 ms"

    @pytest.mark.parametrize("stops", [WITHOUT_ABOUT])
    def test_says_where_it_never_was(
        self, stops: Mapping[str, Stop], home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(monkey, "STOPS", stops)
        monkeypatch.setattr(monkey.Monkey, "gesture", monkey.Monkey.move)
        with pytest.raises(TrialFailure, match="it never came to AboutScene"):
            monkey.case(5, home)
