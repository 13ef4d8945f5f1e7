"""The background thread in which players think, so that the window never waits for one.

Every question carries a ticket. An answer is handed out only if its ticket is still the newest: undo,
a hint, a new game or the end of the program withdraw the question, and whatever the search then finds,
late or failing, touches nothing. The searches hold no global lock, so the window keeps its 60 frames.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from weakref import ReferenceType, WeakKeyDictionary, ref

from papan.ai.engines import EngineError
from papan.ai.limits import Analysis, ringing
from papan.ai.players import Player, Situation
from papan.game.kernel import plainly
from papan.game.kernel.mode import lacks_compiler
from papan.game.rules import State

log = logging.getLogger(__name__)


PLAIN_SECONDS = 1.5
"""Seconds that a player thinks in plain Python, where there is no compiler."""


_Task = Callable[[], None]


class _Urgency(IntEnum):
    """The order in which tasks are compiled: to leave comes first, what is for later in the game last."""

    TO_LEAVE = 0
    NOW = 1
    LATER = 2


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

    A second thread compiles, and the answer waits for it, however long it takes: a move that comes soon would be below
    the player's strength. A player that is not needed any more is not kept, nor compiled.
    """

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._held: Answer | None = None
        self._question: _Question | None = None
        self._tickets = 0
        self._preparations: WeakKeyDictionary[Player, dict[type, _Preparation]] = WeakKeyDictionary()
        self._to_compile: queue.PriorityQueue[tuple[_Urgency, int, _Task | None]] = queue.PriorityQueue()
        self._compilations = itertools.count()
        self._threads = [
            threading.Thread(target=self._work, args=(next_task,), name=name, daemon=True)
            for name, next_task in (("thinker", self._tasks.get), ("compiler", lambda: self._to_compile.get()[-1]))
        ]
        for thread in self._threads:
            thread.start()

    # ------------------------------------------------------------------------------- the asking side

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
        self._tasks.put(lambda: self._answer(question))
        return question.ticket

    def prepare(self, player: Player, state: State) -> _Preparation:
        """Have what *player* needs for this type of state compiled, beside what is being thought about."""
        known = self._preparations.setdefault(player, {})
        preparation = known.get(type(state))
        if preparation is None:
            preparation = known[type(state)] = _Preparation()
            self._compile(_Urgency.NOW, partial(_compile, ref(player), state, preparation))
            self._compile(_Urgency.LATER, partial(_compile_rest, ref(player), state))
        return preparation

    def _compile(self, urgency: _Urgency, task: _Task | None) -> None:
        self._to_compile.put((urgency, next(self._compilations), task))

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
        self._tasks.put(None)
        self._compile(_Urgency.TO_LEAVE, None)
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.perf_counter()))
        return not any(thread.is_alive() for thread in self._threads)

    # ----------------------------------------------------------------------------- the thinking side

    @staticmethod
    def _work(next_task: Callable[[], _Task | None]) -> None:
        while _do(next_task()):
            pass

    def _answer(self, question: _Question) -> None:
        while not (question.is_withdrawn or question.preparation.is_done.wait(0.02)):
            pass
        if question.is_withdrawn:
            return
        question.is_prepared = True
        try:
            if question.preparation.error:
                raise question.preparation.error
            analysis = self._choose_plainly(question) if lacks_compiler() else self._choose(question)
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

    def _choose(self, question: _Question) -> Analysis:
        return question.player.choose(question.situation, lambda: question.is_withdrawn)

    def _choose_plainly(self, question: _Question) -> Analysis:
        """The analysis that the player makes in plain Python, in a short time."""
        player = question.player
        with ringing(PLAIN_SECONDS, player.stop) as is_late, plainly():
            return player.choose(question.situation, lambda: question.is_withdrawn or is_late())


def _do(task: _Task | None) -> bool:
    """Do *task*, and keep nothing of it while the next one is waited for; False for None."""
    if task is None:
        return False
    try:
        task()
    except Exception:
        log.exception("A task of the thinker failed")
    return True


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
