"""The own times of frames, scene by scene."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from dev import frames, rehearsal, scenery
from dev.rehearsal import OwnTime
from dev.scenery import STOPS, missing, scene_classes
from papan.game.catalogue import GAMES
from papan.self_test import FRAME_SECONDS, SIZE, close_in_order
from papan.ui.scenes.about import AboutScene
from papan.ui.scenes.dialogs import ErrorMessage, Message
from papan.ui.window.program import Program

SAMPLE = ("home", "settings", "library", "keys", "resumed table", "review", "rules", "laboratory", "experiment")
"""Those in which something is done, and two others."""


class TestScenes:
    @pytest.mark.parametrize("stops", [SAMPLE, pytest.param([*STOPS], marks=pytest.mark.slow)], ids=["some", "all"])
    @pytest.mark.parametrize("name", ["connect-four", ""])
    def test_each_has_its_longest_frames(
        self, name: str, stops: Sequence[str], home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(frames, "_WATCHED_SECONDS", 0.0)  # two frames each
        monkeypatch.setattr(frames, "STOPS", {name: STOPS[name] for name in stops})
        seen = frames.watch_scenes(GAMES.get(name))
        scenes = {stop for stop in stops if STOPS[stop].shows_game is bool(name)}
        assert set(seen) == scenes - {"experiment"}
        assert all(times["shown"] >= times["cold"] > 0 and times["warm"] > 0 for times in seen.values())
        assert all(times["deed"] for times in seen.values()), "what was done in the longest frame"

    def test_frames_that_are_drawn_on_the_way_there_count_one_by_one(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A scene that is entered by waiting for something in it: its first frame is not all of them."""
        frames_a_wait, work = 100, 0.004
        monkeypatch.setattr(frames, "_WATCHED_SECONDS", 0.1)
        program = Program(size=SIZE)

        def enter() -> None:
            compute(work)
            for _ in range(frames_a_wait):
                program.app.call_soon(partial(compute, work))
                program.app.step(FRAME_SECONDS, [])

        seen = frames._watched(program, "entered", enter=enter)
        close_in_order(program)
        assert len(seen) >= frames_a_wait + 1
        assert seen[0].seconds >= 2 * work, "what is done before the first frame is a part of it"
        assert seen[0].seconds < frames_a_wait * work, "those that follow are not counted with it"


class TestScrolling:
    def test_has_the_times_of_frames_in_which_the_page_moves(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(frames, "_SETTLING", 0.2)
        monkeypatch.setattr(frames, "_LEAST_SCROLLED", 20)
        seen = frames.watch_scrolling(["settings"])
        assert set(seen) == {"settings"}
        assert 0 < seen["settings"]["most"] <= seen["settings"]["longest"]


class TestRedrawing:
    def test_has_the_times_of_frames_that_are_drawn_anew(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(frames, "_SETTLING", 0.2)
        monkeypatch.setattr(frames, "_REDRAWN", 10)
        seen = frames.watch_redrawing(None, ["settings", "table", "about"])
        assert set(seen) == {"settings", "about"}, "a table shows a game"
        assert all(0 < times["most"] <= times["longest"] for times in seen.values())


KEPT = 10.0  # seconds


class TestOwnTime:
    def test_is_what_the_thread_computes(self) -> None:
        with OwnTime() as spent:
            compute(0.02)
            time.sleep(0.2)
        assert 0.02 <= spent.seconds < 0.2

    def test_leaves_out_what_the_host_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rehearsal, "LONG_SECONDS", -1.0)
        told = iter([[0.0, 1.0], [0.0, 1.0 + KEPT]])
        monkeypatch.setattr(rehearsal, "stolen_seconds", lambda: next(told))
        with OwnTime() as spent:
            compute(0.01)
        assert spent.seconds == 0.0
        assert "10000 ms more kept from the processor" in spent.words

    def test_tells_what_went_for_garbage(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rehearsal, "WORTH_TELLING", 0.0)
        with OwnTime() as spent:
            gc.collect()
        assert "for garbage" in spent.words
        assert not gc.callbacks or spent._note not in gc.callbacks


def compute(seconds: float) -> None:
    """Take so many *seconds* of a processor."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_there_are_classes_of_all_modules_and_the_missing_ones_are_named() -> None:
    """A new class of scene needs a stop, by which it is seen, timed, tried and drawn: the trials fail otherwise."""
    assert {AboutScene, Message, ErrorMessage} < scene_classes()
    assert not set(scenery.BASES) & scene_classes()
    seen = {kind.__name__ for kind in scene_classes()}
    assert missing(seen) == []
    assert missing(seen - {"AboutScene"}) == ["AboutScene"]
