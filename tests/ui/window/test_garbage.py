"""Looking for garbage: while nobody does anything, and not again and again."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from papan.ui.window.garbage import Garbage

USUAL = (700, 10, 10)


class Circle:
    """Something that knows itself."""

    def __init__(self) -> None:
        self.itself = self


def aged_circle() -> weakref.ref[Circle]:
    """A circle that has outlived the looks at what is new, and that nobody else knows."""
    circle = Circle()
    gc.collect(1)
    gc.collect(0)
    gc.collect(1)
    return weakref.ref(circle)


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*USUAL)
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the clock shows, to be changed."""
    now = [100.0]
    monkeypatch.setattr("papan.ui.window.garbage.time.monotonic", lambda: now[0])
    return now


class TestFullLooks:
    def test_what_is_left_is_found_while_nobody_does_anything(self, clock: list[float]) -> None:
        looks = Garbage()
        circle = aged_circle()
        assert circle() is not None
        clock[0] += 6.0
        assert looks.collect() and circle() is None

    def test_not_at_once_again(self, clock: list[float]) -> None:
        looks = Garbage()
        clock[0] += 6.0
        aged_circle()
        assert looks.collect()
        circle = aged_circle()
        clock[0] += 1.0
        assert not looks.collect() and circle() is not None
        clock[0] += 6.0
        assert looks.collect() and circle() is None

    def test_nothing_is_looked_for_where_nothing_is_new(self, clock: list[float]) -> None:
        looks = Garbage()
        gc.collect()
        clock[0] += 6.0
        assert not looks.collect()

    def test_what_has_come_through_one_is_left_out_for_a_while(self, clock: list[float]) -> None:
        looks, circle = Garbage(), Circle()
        known = weakref.ref(circle)
        aged_circle()
        clock[0] += 6.0
        assert looks.collect()
        assert len(gc.get_objects()) < gc.get_freeze_count() / 10
        del circle
        clock[0] += 6.0
        aged_circle()
        assert looks.collect() and known() is not None
        clock[0] += 30.0
        aged_circle()
        assert looks.collect() and known() is None

    def test_a_scene_that_is_left_goes_at_once_and_so_does_what_a_thread_still_held(self, clock: list[float]) -> None:
        looks, circle = Garbage(), Circle()
        known, later = weakref.ref(circle), Circle()
        held = weakref.ref(later)
        clock[0] += 6.0
        aged_circle()
        assert looks.collect()  # leaves out both from now on
        del circle
        looks.scene_left()
        assert looks.collect() and known() is None
        del later
        clock[0] += 3.0
        assert looks.collect() and held() is None

    def test_allocating_hardly_ever_starts_one(self) -> None:
        Garbage()
        newest, middle, full = gc.get_threshold()
        assert (newest, middle) == USUAL[:2] and full > 50 * USUAL[2]
