"""The clock that compiled code reads."""

from __future__ import annotations

import ctypes
import time

import pytest

from papan.game.kernel import compiled
from papan.game.kernel.clock import NEVER, clock, symbol_of_clock, time_after


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

    def test_it_is_looked_up_by_its_name_in_code_that_was_kept(self) -> None:
        symbol, address = symbol_of_clock()
        assert symbol.startswith("papan_clock") and address > 0


def test_a_time_that_never_comes() -> None:
    assert time_after(None) == NEVER
    assert time.perf_counter_ns() < time_after(1e300) < NEVER


def test_a_python_without_a_clock_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "pythonapi", object())
    with pytest.raises(ImportError, match="offers compiled code no clock"):
        symbol_of_clock()
