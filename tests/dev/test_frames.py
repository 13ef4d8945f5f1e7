"""The own times of frames, scene by scene."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from dev import frames
from dev.bench import window
from papan.game.catalogue import GAMES
from papan.self_test import FRAME_SECONDS, SIZE, close_in_order
from papan.ui.window.program import Program
from tests.dev.computing import compute


class TestScenes:
    @pytest.mark.parametrize(("name", "scenes"), [("connect-four", window.GAME_SCENES), ("", window.OTHER_SCENES)])
    def test_each_has_its_longest_frames(
        self, name: str, scenes: Sequence[str], home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(frames, "_WATCHED_SECONDS", 0.1)
        seen = frames.watch_scenes(GAMES.get(name))
        assert set(seen) == set(scenes), "those that the benchmark asks for"
        assert all(times["shown"] >= times["cold"] > 0 and times["warm"] > 0 for times in seen.values())
        assert all(times["deed"] for times in seen.values()), "what was done in the longest frame"

    def test_frames_that_are_drawn_on_the_way_there_count_one_by_one(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A scene that is entered by waiting for something in it: its first frame is not all of them."""
        frames_a_wait, work = 40, 0.004
        monkeypatch.setattr(frames, "_WATCHED_SECONDS", 0.1)
        program = Program(size=SIZE)

        def enter() -> None:
            compute(work)
            for _ in range(frames_a_wait):
                program.app.call_soon(partial(compute, work))
                program.app.step(FRAME_SECONDS, [])

        seen = frames._watched(program, "entered", enter=enter)
        close_in_order(program)
        assert len(seen) >= frames_a_wait + 2
        assert seen[0].seconds >= 2 * work, "what is done before the first frame is a part of it"
        assert seen[0].seconds < frames_a_wait * work, "those that follow are not counted with it"


class TestScrolling:
    def test_has_the_times_of_frames_in_which_the_page_moves(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(frames, "_SETTLING", 1.0)
        seen = frames.watch_scrolling(["settings"])
        assert set(seen) == {"settings"}
        assert 0 < seen["settings"]["most"] <= seen["settings"]["longest"]


class TestRedrawing:
    def test_has_the_times_of_frames_that_are_drawn_anew(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(frames, "_SETTLING", 1.0)
        seen = frames.watch_redrawing(None, ["settings", "table", "about"])
        assert set(seen) == {"settings", "about"}, "a table shows a game"
        assert all(0 < times["most"] <= times["longest"] for times in seen.values())
