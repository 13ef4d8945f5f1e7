"""The background thread in which players think, so that the window never waits for one.

Every question carries a ticket. An answer is handed out only if its ticket is still the newest: undo,
a hint, a new game or the end of the program withdraw the question, and whatever the search then finds,
late or failing, touches nothing. The searches hold no global lock, so the window keeps its 60 frames.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from ai.limits import Analysis
from ai.players import Player, Situation
from game.kernels import State

log = logging.getLogger(__name__)


@dataclass
class _Question:
    ticket: int
    player: Player
    situation: Situation
    not_before: float  # perf_counter time before which the answer is held back
    is_withdrawn: bool = False
    is_prepared: bool = False


@dataclass(frozen=True)
class Answer:
    """What became of a question: an analysis, or an error in words."""

    ticket: int
    analysis: Analysis | None
    error: str | None = None


class Thinker:
    """One thread, one question at a time. All methods are for the thread that made it."""

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._held: Answer | None = None
        self._question: _Question | None = None
        self._tickets = 0
        self._thread = threading.Thread(target=self._work, name="thinker", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------------------- the asking side

    def ask(self, player: Player, situation: Situation, least_seconds: float = 0.0) -> int:
        """Let *player* choose in *situation*; returns the ticket that its answer will carry.

        An earlier question is withdrawn. The answer is held back for *least_seconds*, so that a person
        can see that there was a move.
        """
        self.withdraw()
        self._tickets += 1
        question = _Question(self._tickets, player, situation, time.perf_counter() + least_seconds)
        self._question = question
        self._tasks.put(lambda: self._answer(question))
        return question.ticket

    def prepare(self, player: Player, state: State) -> None:
        """Compile what *player* needs, after what is being thought about."""
        self._tasks.put(lambda: player.prepare(state))

    def withdraw(self) -> None:
        """Forget the question that is open, if any; its search stops within milliseconds."""
        if self._question:
            self._question.is_withdrawn = True
            self._question.player.stop()
        self._question = None
        self._held = None

    def hurry(self) -> None:
        """Hand out the answer as soon as there is one, whatever the least thinking time."""
        if self._question:
            self._question.not_before = 0.0

    def poll(self) -> Answer | None:
        """The answer to the open question, once; None while there is none. Call it once a frame."""
        while not self._answers.empty():
            answer = self._answers.get()
            if self._question and answer.ticket == self._question.ticket:
                self._held = answer
        if not self._held or not self._question or time.perf_counter() < self._question.not_before:
            return None
        answer, self._held, self._question = self._held, None, None
        return answer

    @property
    def is_thinking(self) -> bool:
        """Whether a question is open."""
        return self._question is not None

    @property
    def is_preparing(self) -> bool:
        """Whether the open question still waits for its player to be compiled."""
        return self._question is not None and not self._question.is_prepared

    def live(self) -> Analysis | None:
        """How far the search for the open question has come."""
        if not self._question or not self._question.is_prepared:
            return None
        return self._question.player.live()

    def close(self, patience: float = 1.0) -> bool:
        """Withdraw the question and end the thread; returns whether it ended within *patience* seconds.

        A compilation can't be interrupted: the thread is a daemon, and dies with the program at the latest.
        """
        self.withdraw()
        self._tasks.put(None)
        self._thread.join(patience)
        return not self._thread.is_alive()

    # ----------------------------------------------------------------------------- the thinking side

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception:
                log.exception("A task of the thinker failed")

    def _answer(self, question: _Question) -> None:
        if question.is_withdrawn:
            return
        try:
            question.player.prepare(question.situation.state)
            question.is_prepared = True
            analysis = question.player.choose(question.situation, lambda: question.is_withdrawn)
        except Exception as error:
            log.exception("A player failed")
            self._answers.put(Answer(question.ticket, None, f"{type(error).__name__}: {error}"))
        else:
            self._answers.put(Answer(question.ticket, analysis))
