"""Questions about a match: only the latest is answered, and what was given up says nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable

from papan.ai.thinking.thinker import Worker
from papan.ui.play.inquiry import Asked, Inquiry
from tests.waiting import wait_for


def counting(most: int, gate: threading.Event) -> Callable[[Asked[int]], None]:
    """Tells 1, 2, 3 … until it is stopped or has come to *most*."""

    def count(asked: Asked[int]) -> None:
        for number in range(1, most + 1):
            gate.wait(10)
            if asked.is_stopped:
                return
            asked.say(number)

    return count


def opened() -> threading.Event:
    gate = threading.Event()
    gate.set()
    return gate


class TestInquiry:
    def test_the_answer_grows(self) -> None:
        inquiry: Inquiry[int] = Inquiry(Worker("test"))
        inquiry.ask(counting(3, opened()))
        wait_for(lambda: not inquiry.is_working)
        assert inquiry.answer == 3

    def test_a_new_question_takes_the_place_of_the_last(self) -> None:
        inquiry: Inquiry[int] = Inquiry(Worker("test"))
        gate = threading.Event()
        inquiry.ask(counting(5, gate))
        inquiry.ask(counting(2, opened()))
        assert inquiry.answer is None and inquiry.is_working
        gate.set()
        wait_for(lambda: not inquiry.is_working)
        assert inquiry.answer == 2

    def test_what_was_stopped_says_nothing_any_more(self) -> None:
        inquiry: Inquiry[int] = Inquiry(Worker("test"))
        gate = threading.Event()
        inquiry.ask(counting(5, gate))
        inquiry.stop()
        gate.set()
        done = threading.Event()
        inquiry._worker.submit(done.set)
        assert done.wait(10) and inquiry.answer is None and not inquiry.is_working

    def test_an_error_ends_it(self) -> None:
        def fail(asked: Asked[int]) -> None:
            raise ValueError("no")

        inquiry: Inquiry[int] = Inquiry(Worker("test"))
        inquiry.ask(fail)
        wait_for(lambda: not inquiry.is_working)
        assert inquiry.answer is None
