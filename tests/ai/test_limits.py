"""The bell that rings when something lasts too long."""

from __future__ import annotations

import threading
import time

import pytest

from papan.ai import limits
from papan.ai.limits import watchdog
from papan.game.kernel.clock import PROCESSOR, clock, timed_by, why_no_processor_clock
from tests.waiting import PATIENCE, wait_for


class FakeClock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


class TestRinging:
    def test_it_rings_when_the_clock_comes_to_its_time(self) -> None:
        own, rung = FakeClock(), threading.Event()
        with watchdog(0.01, rung.set, own) as is_late:
            own.now = 10**7 - 1
            assert not rung.wait(0.05) and not is_late()
            own.now = 10**7
            wait_for(rung.is_set, "the bell")
            assert is_late()

    def test_not_after_the_end(self) -> None:
        own, rung = FakeClock(), threading.Event()
        with watchdog(0.01, rung.set, own):
            pass
        own.now = 10**9
        assert not rung.wait(0.05)

    def test_never_without_a_time(self) -> None:
        with watchdog(None, lambda: pytest.fail("it rings")) as is_late:
            assert not is_late()

    def test_a_clock_that_stands_still_is_waited_for_with_patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "LEAST_PATIENCE", 0.02)
        monkeypatch.setattr(limits, "PATIENCE", 2.0)
        rung = threading.Event()
        with watchdog(0.01, rung.set, FakeClock()):
            wait_for(rung.is_set, "the bell")

    def test_a_thread_that_has_ended_is_not_late(self) -> None:
        asked, rung = threading.Event(), threading.Event()

        def gone() -> int:
            if asked.is_set():
                raise OSError("no such thread")
            asked.set()
            return 0

        with watchdog(0.001, rung.set, gone):
            assert not rung.wait(0.05)

    @pytest.mark.skipif(why_no_processor_clock() is not None, reason="this system has no fine clock of a thread's own")
    def test_by_processor_time_sleep_is_not_late_and_work_is(self) -> None:
        rung = threading.Event()
        with timed_by(PROCESSOR), watchdog(0.1, rung.set):
            time.sleep(0.3)
            assert not rung.is_set()
            used, given_up_at = clock(), time.perf_counter() + PATIENCE
            while not rung.is_set():
                assert time.perf_counter() < given_up_at, "the bell never rang"
            assert clock() - used >= 0.09e9
