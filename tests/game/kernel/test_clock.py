"""The clock that compiled code reads."""

from __future__ import annotations

import ctypes
import threading
import time

import pytest

from papan.game.kernel import clock as clocks
from papan.game.kernel import compiled
from papan.game.kernel.clock import (
    COARSEST,
    NEVER,
    PROCESSOR,
    WALL,
    ClockError,
    chosen_clock,
    clock,
    clock_seconds,
    own_clock,
    symbol_of_clock,
    time_after,
    timed_by,
    why_no_processor_clock,
)

ASLEEP = 0.2
"""Seconds for which a thread does nothing, so that hardly any is processor time."""


@compiled
def told(number: int) -> int:
    return clock() + number


@compiled
def waited_for(deadline: int) -> int:
    looks = 0
    while clock() < deadline:
        looks += 1
    return looks


class TestCompiled:
    def test_it_tells_the_time_that_python_tells(self) -> None:
        for _ in range(100):
            before = time.perf_counter_ns()
            now = told(0)
            assert before <= now <= time.perf_counter_ns()

    def test_it_is_asked_anew_each_time(self) -> None:
        waited_for(0)  # which compiles it
        deadline = time_after(0.01)
        assert waited_for(deadline) > 10
        assert time.perf_counter_ns() >= deadline


@pytest.mark.skipif(why_no_processor_clock() is not None, reason="this system has no fine clock of a thread's own")
class TestProcessorTime:
    def test_compiled_code_and_python_read_it(self) -> None:
        told(0)  # which compiles it
        with timed_by(PROCESSOR):
            for _ in range(100):
                before = time.thread_time_ns()
                assert before <= told(0) <= clock() <= time.thread_time_ns()
        assert told(0) >= time.perf_counter_ns() - 10**12  # the same machine code, by the wall's clock again

    def test_it_stands_still_while_the_thread_sleeps(self) -> None:
        for name, passes in ((PROCESSOR, False), (WALL, True)):
            with timed_by(name):
                began, began_seconds = told(0), clock_seconds()
                time.sleep(ASLEEP)
                assert (told(0) - began >= ASLEEP * 10**9 / 2) is passes
                assert (clock_seconds() - began_seconds >= ASLEEP / 2) is passes

    def test_a_deadline_is_of_it(self) -> None:
        with timed_by(PROCESSOR):
            used = time.thread_time_ns()
            assert waited_for(time_after(0.01)) > 10
            assert time.thread_time_ns() - used >= 10**7

    def test_each_thread_has_its_own_which_others_may_ask(self) -> None:
        with timed_by(PROCESSOR):
            waited_for(time_after(0.01))
            own, ours = own_clock(), clock()
            others: list[int] = []
            thread = threading.Thread(target=lambda: others.extend((clock(), own())))
            thread.start()
            thread.join()
        assert others[0] < ours <= others[1]

    def test_whatever_happens_the_wall_s_clock_comes_back(self) -> None:
        with pytest.raises(RuntimeError), timed_by(PROCESSOR):
            assert chosen_clock() == PROCESSOR
            raise RuntimeError
        assert chosen_clock() == WALL and own_clock() is time.perf_counter_ns


class TestRefusals:
    def test_a_clock_of_coarse_steps(self) -> None:
        told_times = iter(step // 100 * 15 * COARSEST for step in range(10**6))
        why_not = why_no_processor_clock(lambda: next(told_times))
        assert why_not is not None and "in steps of 15.0 ms" in why_not and "of 1 ms or less" in why_not
        assert why_no_processor_clock(lambda: 0) is not None, "it stands still"

    def test_others_that_have_run_between_make_no_clock_coarse(self) -> None:
        steps = iter((0, 90 * COARSEST, 90 * COARSEST + 700, 95 * COARSEST, 96 * COARSEST))
        assert why_no_processor_clock(lambda: next(steps)) == why_no_processor_clock()

    def test_a_system_without_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(clocks, "address_of_reader", lambda: None)
        with pytest.raises(ClockError, match="can.t tell how much processor time"), timed_by(PROCESSOR):
            pytest.fail("it is gone by")
        with timed_by(WALL):
            assert chosen_clock() == WALL


def test_a_time_that_never_comes() -> None:
    assert time_after(None) == NEVER
    assert time.perf_counter_ns() < time_after(1e300) < NEVER


def test_it_is_looked_up_by_its_name_in_code_that_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    symbol, address = symbol_of_clock()
    assert symbol.startswith("papan_clock") and address > 0
    monkeypatch.setattr(ctypes, "pythonapi", object())
    with pytest.raises(ImportError, match="offers compiled code no clock"):
        symbol_of_clock()
