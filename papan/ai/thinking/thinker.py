"""Background threads: ``Worker`` does any job, ``Thinker`` has players choose, so that the window never waits.

Every question carries a ticket, and only the newest one's answer is handed out: undo, a hint, a new game or the end of
the program withdraw a question, and what its search still finds is dropped. Searches release the global lock.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from weakref import ReferenceType, WeakKeyDictionary, ref

from papan.ai.engines import EngineError
from papan.ai.limits import Analysis, ringing
from papan.ai.players import Player, Situation
from papan.game.kernel import lacks_compiler, plainly
from papan.game.rules import State

log = logging.getLogger(__name__)

PLAIN_SECONDS = 1.5
"""Seconds that a player thinks in plain Python, where there is no compiler."""
_LATER = 1.0
"""Urgency of compiling what is for later in a game."""

Job = Callable[[], object]
"""What is to be done. One that was given up meanwhile should see so when its turn comes, and do nothing."""


class Worker:
    """A background thread for jobs that may wait for each other: the most urgent first, then in order of submission.

    It starts with the first job. What can't be interrupted queues here instead of piling up on threads.
    """

    def __init__(self, name: str) -> None:
        """:param name: the thread's."""
        self._name = name
        self._jobs: queue.PriorityQueue[tuple[float, int, Job | None]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    def submit(self, job: Job, urgency: float = 0.0) -> None:
        """Have *job* done, before all of a higher number of *urgency*; an error that it raises is logged."""
        self._jobs.put((urgency, next(self._numbers), job))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    def close(self, patience: float, *, at_once: bool = False) -> bool:
        """End after the jobs that were submitted; returns whether that was within *patience* seconds.

        :param at_once: after the job that is being done.
        """
        thread, self._thread = self._thread, None
        if thread is None:
            return True
        self._jobs.put((-inf if at_once else inf, next(self._numbers), None))
        thread.join(patience)
        return not thread.is_alive()

    def _work(self) -> None:
        while self._do_next():
            pass

    def _do_next(self) -> bool:
        """Do the next job; False where there is none any more. Holds no reference to it while the next is awaited."""
        job = self._jobs.get()[-1]
        if job is None:
            return False
        try:
            job()
        except Exception:
            log.exception("A job in the background failed")
        return True


@dataclass
class _Preparation:
    """A player that is compiled for a type of state, or is going to be."""

    is_done: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None


@dataclass
class _Question:
    ticket: int
    player: Player
    situation: Situation
    not_before: float  # perf_counter time before which the answer is held back
    preparation: _Preparation
    asked_at: float  # perf_counter time
    is_withdrawn: bool = False
    is_prepared: bool = False


@dataclass(frozen=True)
class Answer:
    """The answer to a question: an analysis, or an error in words."""

    ticket: int
    analysis: Analysis | None
    error: str | None = None
    failure: type[EngineError] | None = None
    """How the player failed, where it is another program."""


class Thinker:
    """One thread, one question at a time. All methods are for the thread that made it.

    A second thread compiles, and answers wait for it: an earlier move would be below the player's strength. A player
    that nobody else references is neither kept nor compiled.
    """

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._held: Answer | None = None
        self._question: _Question | None = None
        self._tickets = 0
        self._preparations: WeakKeyDictionary[Player, dict[type, _Preparation]] = WeakKeyDictionary()
        self._thinker = Worker("thinker")
        self._compiler = Worker("compiler")

    def ask(self, player: Player, situation: Situation, least_seconds: float = 0.0) -> int:
        """Let *player* choose in *situation*; returns the ticket that its answer will carry.

        An earlier question is withdrawn. The answer is held back for *least_seconds*, so that a person
        can see that there was a move.
        """
        self.withdraw()
        self._tickets += 1
        preparation = self.prepare(player, situation.state)
        now = time.perf_counter()
        question = _Question(self._tickets, player, situation, now + least_seconds, preparation, now)
        self._question = question
        self._thinker.submit(lambda: self._answer(question))
        return question.ticket

    def prepare(self, player: Player, state: State) -> _Preparation:
        """Have what *player* needs for this type of state compiled, beside what is being thought about."""
        known = self._preparations.setdefault(player, {})
        preparation = known.get(type(state))
        if preparation is None:
            preparation = known[type(state)] = _Preparation()
            self._compiler.submit(partial(_compile, ref(player), state, preparation))
            self._compiler.submit(partial(_compile_rest, ref(player), state), _LATER)
        return preparation

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

    @property
    def preparing_seconds(self) -> float:
        """For how long it has waited for that; 0 where it does not."""
        return time.perf_counter() - self._question.asked_at if self._question and self.is_preparing else 0.0

    def live(self) -> Analysis | None:
        """How far the search for the open question has come."""
        if not self._question or not self._question.is_prepared:
            return None
        return self._question.player.live()

    def close(self, patience: float = 1.0) -> bool:
        """Withdraw the question and end the threads; returns whether they ended within *patience* seconds.

        A compilation can't be interrupted: the threads are daemons, and die with the program at the latest.
        """
        self.withdraw()
        deadline = time.perf_counter() + patience
        has_thought = self._thinker.close(patience)
        return self._compiler.close(max(0.0, deadline - time.perf_counter()), at_once=True) and has_thought

    def _answer(self, question: _Question) -> None:
        while not (question.is_withdrawn or question.preparation.is_done.wait(0.02)):
            pass
        if question.is_withdrawn:
            return
        question.is_prepared = True
        try:
            if question.preparation.error:
                raise question.preparation.error
            if lacks_compiler():
                analysis = self._choose_plainly(question)
            else:
                analysis = question.player.choose(question.situation, lambda: question.is_withdrawn)
        except Exception as error:
            failure = type(error) if isinstance(error, EngineError) else None
            said = str(error) if failure else f"{type(error).__name__}: {error}"
            if failure:
                log.warning("%s", said)
            else:
                log.exception("A player failed")
            self._answers.put(Answer(question.ticket, None, said, failure))
        else:
            self._answers.put(Answer(question.ticket, analysis))

    def _choose_plainly(self, question: _Question) -> Analysis:
        """The analysis that the player makes in plain Python, in a short time."""
        player = question.player
        with ringing(PLAIN_SECONDS, player.stop) as is_late, plainly():
            return player.choose(question.situation, lambda: question.is_withdrawn or is_late())


def _compile(known: ReferenceType[Player], state: State, preparation: _Preparation) -> None:
    player = known()
    if player is None:
        return  # its table was left
    try:
        player.prepare(state)
    except Exception as error:
        log.exception("A player can't be compiled")
        preparation.error = error
    finally:
        preparation.is_done.set()


def _compile_rest(known: ReferenceType[Player], state: State) -> None:
    player = known()
    if player is not None:
        player.prepare_rest(state)
