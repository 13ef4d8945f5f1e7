"""What waits for the window's thread: calls of other threads, and works that go on from frame to frame."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from papan.ui.scenes.dialogs import ErrorMessage
from papan.ui.window.app import App
from tests.ui.hands import Hands
from tests.ui.window.plain import Plain


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
