"""The ways to every scene: they lead there, and none is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dev import scenery
from dev.bench import window
from dev.scenery import STOPS, go_to, missing, scene_classes
from papan.game.catalogue import GAMES
from papan.self_test import close_in_order
from papan.ui.scenes.about import AboutScene
from papan.ui.scenes.dialogs import ErrorMessage, Message
from papan.ui.window.program import Program


@pytest.fixture
def program(home: Path) -> Iterator[Program]:
    program = Program(size=(1280, 800))
    yield program
    close_in_order(program)


def test_there_are_classes_of_all_modules() -> None:
    assert {AboutScene, Message, ErrorMessage} < scene_classes()
    assert not set(scenery.BASES) & scene_classes()


def test_every_scene_is_come_to_in_some_game(program: Program) -> None:
    """A new class of scene needs a stop, by which it is seen, timed, tried and drawn."""
    scenery.fill_library(program, 3)
    seen: set[str] = set()
    for stop in STOPS.values():
        shown = go_to(program, stop, GAMES["connect-four"])
        assert shown is not None and shown in program.app.scenes, stop.name
        for _ in range(3):
            program.app.step(1 / 60, [])
        seen |= {type(scene).__name__ for scene in program.app.scenes}
    assert missing(seen) == []
    assert missing(seen - {"AboutScene"}) == ["AboutScene"]


def test_the_frames_of_each_are_timed() -> None:
    assert {*window.SCENES} == {*STOPS} - {"experiment"}
    assert {*window.OTHER_SCENES} == {name for name, stop in STOPS.items() if not stop.shows_game}
