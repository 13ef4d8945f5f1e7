"""The window driven by the program itself."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from dev import rehearsal
from papan import self_test
from papan.ai.players import SearchingPlayer
from papan.game.catalogue import GAMES
from papan.self_test import SelfTestError
from papan.ui.scenes.table import TableScene


@pytest.fixture(autouse=True)
def one_game(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "GALLERY", {"connect-four": GAMES["connect-four"]})
    monkeypatch.setattr(self_test, "MOVE_TIMEOUT", 60.0)
    monkeypatch.setattr(rehearsal, "_THINKING_SECONDS", 0.3)
    monkeypatch.setattr(rehearsal, "_IDLE_SECONDS", 0.3)


class TestSelfTest:
    def test_a_computer_that_does_not_play_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def choose(*arguments: object) -> None:
            raise ZeroDivisionError("no idea")

        monkeypatch.setattr(SearchingPlayer, "choose", choose)
        with pytest.raises(SelfTestError, match="Connect Four: something went wrong"):
            self_test.test_program()

    def test_a_computer_that_is_too_slow_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(self_test, "MOVE_TIMEOUT", 0.0)
        with pytest.raises(SelfTestError, match="no computer move within 0 seconds of a processor"):
            self_test.test_program()


class TestLookingAround:
    def test_a_table_that_can_not_be_shown_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(TableScene, "draw", lambda *_: 1 / 0)
        with pytest.raises(SelfTestError, match="Othello: something went wrong"):
            rehearsal.look_around(GAMES["othello"])


class TestFigures:
    def test_the_first_frame_has_a_time(self) -> None:
        before, used = time.time(), time.process_time()
        timed = rehearsal.time_first_frame()
        assert before < timed["first_frame_at"] < time.time()
        assert used < timed["processor_seconds"] < time.process_time()

    def test_a_table_is_watched(self) -> None:
        seen = rehearsal.watch_table(GAMES["connect-four"])
        for times in (seen["frame_times"], seen["frame_times_studying"]):
            assert len(times) >= rehearsal.LEAST_FRAMES and all(seconds > 0 for seconds in times)
        assert seen["memory"] is None or seen["memory"] > 10
        assert 0 <= seen["idle_share"] < 1
