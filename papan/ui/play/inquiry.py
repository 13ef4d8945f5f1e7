"""Questions about the match that is looked through: only the latest matters, and it is answered bit by bit."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from papan.ai.thinking.thinker import Worker

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")
Found = TypeVar("Found", covariant=True)


class Question(Protocol[Found]):
    """Something to be found out."""

    def run(self, said: Callable[[Found], object]) -> object:
        """Find it out, and tell *said* each time that more is known."""

    def stop(self) -> None:
        """Give it up, from another thread; what was not begun yet is not begun."""


class Inquiry(Generic[Answer]):
    """Asks a worker one question at a time. All methods are for the window's thread."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._ticket = 0
        self._question: Question[Answer] | None = None
        self.answer: Answer | None = None
        """What is known of the latest question; None while nothing is."""
        self.is_working = False
        """Whether more may come."""

    def ask(self, make: Callable[[], Question[Answer]]) -> None:
        """Ask the question that *make* makes on the worker's thread, in place of the one before."""
        self.stop()
        self.answer, self.is_working = None, True
        ticket = self._ticket
        self._worker.submit(lambda: self._run(ticket, make))

    def stop(self) -> None:
        """Ask nothing any more; what is known stays."""
        self._ticket += 1
        self.is_working = False
        question = self._question
        if question is not None:
            question.stop()

    def _run(self, ticket: int, make: Callable[[], Question[Answer]]) -> None:
        if ticket != self._ticket:
            return
        try:
            question = self._question = make()
            if ticket == self._ticket:  # else it was given up before it could be told so
                question.run(lambda answer: self._note(ticket, answer))
        except Exception:
            log.exception("A question about a match can't be answered")
        finally:
            self._question = None
            if ticket == self._ticket:
                self.is_working = False

    def _note(self, ticket: int, answer: Answer) -> None:
        if ticket == self._ticket:
            self.answer = answer
