"""What is done beside the window: whatever one game lacks, the others are loaded."""

from __future__ import annotations

import dataclasses
import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from papan.game.catalogue import GAMES
from papan.game.game import Game, PartError
from papan.ui.scenes.dialogs import ErrorMessage
from papan.ui.window import background
from papan.ui.window.app import App
from papan.ui.window.background import IdleCollector
from tests.ui.hands import Hands
from tests.ui.window.conftest import Plain

FOUR = GAMES["connect-four"]


class TestLoading:
    def test_beside_the_window_all_games_are_tried_whatever_one_lacks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tried: list[str] = []

        def load(game: Game) -> None:
            tried.append(game.name)
            if game.name == "lacking":
                raise PartError("no such module")

        lacking = dataclasses.replace(FOUR, name="lacking")
        monkeypatch.setattr(background, "GALLERY", {"lacking": lacking, "connect-four": FOUR})
        for part in ("evaluation_of", "exact_of", "page_of"):
            monkeypatch.setattr(background, part, load)
        drawable: set[str] = set()
        loaded: set[str] = set()
        told: list[tuple[set[str], set[str]]] = []

        def rest() -> None:
            tried.append("-")

        background.preload(drawable, loaded, lambda: told.append((set(drawable), set(loaded))), rest)
        assert tried == ["lacking", "connect-four", "-", "lacking", "connect-four", "connect-four"]
        both = {"lacking", "connect-four"}
        assert told == [({"lacking"}, set()), (both, set()), (both, {"lacking"}), (both, both)]


class TestThreads:
    def test_a_call_from_another_thread_comes_within_a_frame(self, hands: Hands, plain: Plain) -> None:
        called: list[threading.Thread] = []
        thread = threading.Thread(target=lambda: hands.app.call_soon(lambda: called.append(threading.current_thread())))
        thread.start()
        thread.join()
        hands.frames()
        assert called == [threading.main_thread()]

    def test_calls_made_by_calls_wait_for_the_next_frame(self, hands: Hands, plain: Plain) -> None:
        def again() -> None:
            hands.app.call_soon(again)
            called.append(1)

        called: list[int] = []
        hands.app.call_soon(again)
        hands.frames(3)
        assert len(called) == 3

    def test_a_failing_call_is_shown(self, hands: Hands, plain: Plain) -> None:
        hands.app.call_soon(lambda: [][0])
        hands.frames()
        assert isinstance(hands.app.scene, ErrorMessage)


def thrice(done: list[int]) -> Callable[[], bool]:
    """Work that is done when *done* has three entries, of which it makes one each time."""

    def work() -> bool:
        done.append(1)
        return len(done) == 3

    return work


class TestWork:
    """What a scene that was left has begun."""

    def test_goes_on_in_each_frame_until_it_is_done(self, hands: Hands) -> None:
        done: list[int] = []
        hands.app.carry_on(thrice(done))
        for expected in (1, 2, 3, 3):
            hands.app.step(0.01, [])
            assert len(done) == expected

    def test_is_done_in_turn(self, hands: Hands) -> None:
        first: list[int] = []
        second: list[int] = []
        hands.app.carry_on(thrice(first))
        hands.app.carry_on(thrice(second))
        seen = []
        for _frame in range(7):
            hands.app.step(0.01, [])
            seen.append((len(first), len(second)))
        assert seen == [(1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3), (3, 3)]

    def test_is_ended_before_the_window_closes(self, home: Path) -> None:
        done: list[int] = []
        app = App()
        app.carry_on(thrice(done))
        app.is_running = False
        app.run()
        assert len(done) == 3

    def test_that_fails_is_shown_and_given_up(self, hands: Hands) -> None:
        hands.app.carry_on(lambda: 1 // 0 > 0)
        hands.app.step(0.01, [])
        assert isinstance(hands.app.scene, ErrorMessage) and isinstance(hands.app.scene.error, ZeroDivisionError)
        error = hands.app.scene
        hands.app.step(0.01, [])
        assert hands.app.scene is error, "once"


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
    monkeypatch.setattr("papan.ui.window.background.time.monotonic", lambda: now[0])
    return now


class TestFullLooks:
    def test_what_is_left_is_found_while_nobody_does_anything(self, clock: list[float]) -> None:
        looks = IdleCollector()
        circle = aged_circle()
        assert circle() is not None
        clock[0] += 6.0
        assert looks.collect() and circle() is None

    def test_not_at_once_again(self, clock: list[float]) -> None:
        looks = IdleCollector()
        clock[0] += 6.0
        aged_circle()
        assert looks.collect()
        circle = aged_circle()
        clock[0] += 1.0
        assert not looks.collect() and circle() is not None
        clock[0] += 6.0
        assert looks.collect() and circle() is None

    def test_nothing_is_looked_for_where_nothing_is_new(self, clock: list[float]) -> None:
        looks = IdleCollector()
        gc.collect()
        clock[0] += 6.0
        assert not looks.collect()

    def test_what_has_come_through_one_is_left_out_for_a_while(self, clock: list[float]) -> None:
        looks, circle = IdleCollector(), Circle()
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
        looks, circle = IdleCollector(), Circle()
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
        IdleCollector()
        newest, middle, full = gc.get_threshold()
        assert (newest, middle) == USUAL[:2] and full > 50 * USUAL[2]
