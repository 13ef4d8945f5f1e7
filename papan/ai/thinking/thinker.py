"""Background threads: ``Worker`` does any job, ``Thinker`` lets players choose, so that the window never waits.

Every question has a ticket, and only the newest question is answered: undo, a hint, a new game or the end of the
program withdraw it, and its search is stopped. Searches release the global lock.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from weakref import ReferenceType, WeakKeyDictionary, ref

from papan.ai.engines import EngineError
from papan.ai.limits import Analysis, watchdog
from papan.ai.players import Player, PlayerWithSearch, Situation
from papan.game.kernel import lacks_compiler, plainly
from papan.game.rules import State

log = logging.getLogger(__name__)

PLAIN_SECONDS = 1.5
"""Seconds that a player thinks in plain Python, where there is no compiler."""
_LATER = 1.0
"""Urgency of compiling for later in a game."""

Job = Callable[[], object]
"""A job; if it was cancelled meanwhile, it should do nothing."""


class Worker:
    """A background thread for jobs, by urgency, then in order of submission. It starts with the first job."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: queue.PriorityQueue[tuple[float, int, Job | None]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    def submit(self, job: Job, urgency: float = 0.0) -> None:
        """Queue *job*; lower numbers of *urgency* come first. Its errors are logged."""
        self._jobs.put((urgency, next(self._numbers), job))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    def close(self, patience: float, *, at_once: bool = False) -> bool:
        """End after all jobs; returns whether that was within *patience* seconds.

        :param at_once: end after the current job.
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
        """Do the next job; returns False to end. It holds no reference to a job while waiting for the next."""
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
    """The compilation of a player for a type of state."""

    is_done: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None


@dataclass
class _Question:
    ticket: int
    player: Player
    situation: Situation
    not_before: float  # perf_counter time before which there is no answer
    preparation: _Preparation
    asked_at: float  # perf_counter time
    is_withdrawn: bool = False
    is_prepared: bool = False
    is_plain: bool = False
    """Whether it is searched in plain Python until then."""


@dataclass(frozen=True)
class Answer:
    """An analysis, or an error in words."""

    ticket: int
    analysis: Analysis | None
    error: str | None = None
    failure: type[EngineError] | None = None


class Thinker:
    """Answers one question at a time in a thread. All methods are for the thread that made it.

    A second thread compiles, and answers wait for it, as a move without compiled code would be weak. Players are
    referenced weakly.
    """

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._held: Answer | None = None
        self._question: _Question | None = None
        self._tickets = 0
        self._preparations: WeakKeyDictionary[Player, dict[type, _Preparation]] = WeakKeyDictionary()
        self._thinker = Worker("thinker")
        self._compiler = Worker("compiler")
        self._expected: Callable[[], Iterable[tuple[Player, State]]] | None = None

    def ask(self, player: Player, situation: Situation, least_seconds: float = 0.0) -> int:
        """Let *player* choose in *situation*; returns the ticket of its answer. An earlier question is withdrawn.

        :param least_seconds: delays the answer, so that a person sees that there was a move.
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
        """Compile *player* for this type of state in the background."""
        known = self._preparations.setdefault(player, {})
        preparation = known.get(type(state))
        if preparation is None:
            preparation = known[type(state)] = _Preparation()
            self._compiler.submit(partial(_compile, ref(player), state, preparation))
            self._compiler.submit(partial(_compile_rest, ref(player), state), _LATER)
        return preparation

    def expect(self, make: Callable[[], Iterable[tuple[Player, State]]]) -> None:
        """Compile the players of a match that may begin soon, unless others are expected before that begins.

        :param make: makes the players, each with a state of its match; runs on the thread that compiles.
        """
        self._expected = make
        self._compiler.submit(partial(self._compile_expected, make))

    def _compile_expected(self, make: Callable[[], Iterable[tuple[Player, State]]]) -> None:
        if self._expected is not make:
            return
        try:
            for player, state in make():
                player.prepare(state)
        except Exception as error:  # the match itself will tell
            log.info("The players of the next match can't be compiled: %s", error)

    def withdraw(self) -> None:
        """Withdraw the open question, if any; its search stops within milliseconds."""
        if self._question:
            self._question.is_withdrawn = True
            self._question.player.stop()
        self._question = None
        self._held = None

    def poll(self) -> Answer | None:
        """Return the answer to the open question once, else None. Call it once a frame."""
        while not self._answers.empty():
            answer = self._answers.get()
            if self._question and answer.ticket == self._question.ticket:
                self._held = answer
        if not self._held or not self._question or time.perf_counter() < self._question.not_before:
            return None
        answer, self._held, self._question = self._held, None, None
        return answer

    @property
    def is_preparing(self) -> bool:
        """Whether the open question waits for the compiler, and nothing is searched in plain Python meanwhile."""
        return self._question is not None and not (self._question.is_prepared or self._question.is_plain)

    @property
    def preparing_seconds(self) -> float:
        """How long it has waited for the compiler; 0 if it does not wait."""
        return time.perf_counter() - self._question.asked_at if self._question and self.is_preparing else 0.0

    def live(self) -> Analysis | None:
        """The progress of the search for the open question."""
        if not self._question or not self._question.is_prepared:
            return None
        return self._question.player.live()

    def close(self, patience: float = 1.0) -> bool:
        """Withdraw the question and end the threads; returns whether they ended within *patience* seconds.

        A compilation can't be interrupted, so the threads are daemons.
        """
        self.withdraw()
        deadline = time.perf_counter() + patience
        has_thought = self._thinker.close(patience)
        return self._compiler.close(max(0.0, deadline - time.perf_counter()), at_once=True) and has_thought

    def _answer(self, question: _Question) -> None:
        found = self._plain_answer(question)
        if found is not None:
            self._answers.put(Answer(question.ticket, found))
            return
        while not (question.is_withdrawn or question.preparation.is_done.wait(0.02)):
            pass
        if question.is_withdrawn:
            return
        question.is_prepared = True
        try:
            if question.preparation.error:
                raise question.preparation.error
            player, situation = question.player, question.situation
            if lacks_compiler():
                with watchdog(PLAIN_SECONDS, player.stop) as is_late, plainly():
                    analysis = player.choose(situation, lambda: question.is_withdrawn or is_late())
            else:
                analysis = player.choose(situation, lambda: question.is_withdrawn)
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

    def _plain_answer(self, question: _Question) -> Analysis | None:
        """Search in plain Python until the compiler is ready; None if that did not finish, or can't."""
        player, preparation = question.player, question.preparation
        if not isinstance(player, PlayerWithSearch) or player.make_plain is None or lacks_compiler():
            return None
        question.is_plain = True
        try:
            return player.choose_plainly(
                question.situation, lambda: question.is_withdrawn or preparation.is_done.is_set()
            )
        except Exception:
            log.exception("A player failed in plain Python")
            return None
        finally:
            question.is_plain = False


def _compile(known: ReferenceType[Player], state: State, preparation: _Preparation) -> None:
    player = known()
    if player is None:
        return  # the match was left
    try:
        player.prepare(state)
    except Exception as error:
        log.exception("A player can't be compiled")
        preparation.error = error
    finally:
        preparation.is_done.set()
        if isinstance(player, PlayerWithSearch):
            player.stop_plainly()


def _compile_rest(known: ReferenceType[Player], state: State) -> None:
    player = known()
    if player is not None:
        player.prepare_rest(state)
