"""Questions about a match that a worker answers step by step: review, proof-number chances, course, depth by depth."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar

from papan.ai.limits import WIN, Limit, watchdog
from papan.ai.thinking.thinker import Worker
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import State, is_over

if TYPE_CHECKING:
    from papan.ai.indicators.conspiracy import AtDepth
    from papan.ai.indicators.course import Course
    from papan.ai.reviews.reviewer import Review

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")


class Asked(Generic[Answer]):
    """One question, as the function sees it that answers it on the worker's thread."""

    def __init__(self, inquiry: Inquiry[Answer]) -> None:
        self._inquiry = inquiry
        self._interrupt: Callable[[], object] | None = None
        self.is_stopped = False

    def say(self, answer: Answer) -> None:
        """Publish an intermediate result, or the last one."""
        if not self.is_stopped:
            self._inquiry.answer = answer

    def interrupt_by(self, interrupt: Callable[[], object]) -> None:
        """Have *interrupt* called, from another thread, when the question is stopped."""
        self._interrupt = interrupt
        if self.is_stopped:
            interrupt()

    def stop(self) -> None:
        self.is_stopped = True
        interrupt = self._interrupt
        if interrupt is not None:
            interrupt()

    def end(self) -> None:
        """Release what computed the answer: its tables are large."""
        self._interrupt = None
        if not self.is_stopped:
            self._inquiry.is_working = False


class Inquiry(Generic[Answer]):
    """Asks a worker one question at a time. Call its methods on the window's thread."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._asked: Asked[Answer] | None = None
        self.answer: Answer | None = None
        """The latest result for the latest question; None before the first."""
        self.is_working = False
        """Whether more results may come."""

    def ask(self, find: Callable[[Asked[Answer]], object]) -> None:
        """Drop the previous question, and have *find* answer another one on the worker's thread."""
        self.stop()
        self.answer, self.is_working = None, True
        asked = self._asked = Asked(self)

        def work() -> None:
            if asked.is_stopped:
                return
            try:
                find(asked)
            except Exception:
                log.exception("A question about a match can't be answered")
            finally:
                asked.end()

        self._worker.submit(work)

    def stop(self) -> None:
        """Stop the question; ``answer`` stays."""
        self.is_working = False
        if self._asked is not None:
            self._asked.stop()


class ReviewTask(Inquiry["Review"]):
    """Reviews one match: all of it, or quickly for its key moments."""

    def __init__(
        self, match: Match, worker: Worker, limit: Limit | None = None, *, has_conspiracy: bool = True
    ) -> None:
        """:param match: must not change any more.
        :param worker: does one review after another: a compilation can't be interrupted.
        :param limit: for each position; default: the reviewer's own.
        :param has_conspiracy: whether to compute conspiracy numbers, which doubles the time.
        """
        super().__init__(worker)
        self._match = match
        self._limit = limit
        self._has_conspiracy = has_conspiracy
        self.trouble = ""
        """Why the review has failed, as a sentence."""
        self.has_begun = False

    @property
    def review(self) -> Review | None:
        """The review so far; None before the first result."""
        return self.answer

    def start(self) -> None:
        """Begin once the worker's earlier reviews have ended."""
        self.has_begun = True
        self.ask(self._go_through)

    def _go_through(self, asked: Asked[Review]) -> None:
        import_module("papan.ai.reviews.coach")  # the window needs it next
        from papan.ai.indicators.conspiracy import TURNS
        from papan.ai.reviews.reviewer import Reviewer, ReviewError

        try:
            reviewer = Reviewer(self._match, self._limit, conspiracy_turns=TURNS if self._has_conspiracy else None)
            asked.interrupt_by(reviewer.stop)
            asked.say(reviewer.review)
            reviewer.run(asked.say)
        except ReviewError as error:
            self.trouble = str(error)
        except Exception as error:
            log.exception("A match can't be reviewed")
            self.trouble = f"{type(error).__name__}: {error}"


class ProofBalance:
    """The winning chance of one seat by proof numbers, in the position asked about last."""

    def __init__(self, game: Game, worker: Worker) -> None:
        self._game = game
        self._inquiry: Inquiry[float] = Inquiry(worker)
        self._asked: tuple[State, int] | None = None

    @staticmethod
    def suits(game: Game, state: State) -> bool:
        """Whether ``ProofChance`` can tell chances here."""
        from papan.ai.proof.chance import ProofChance

        return ProofChance.suits(game, state)

    def ask(self, state: State, seat: int) -> None:
        """Compute the chance of *seat* in *state*, unless that was the last question."""
        if (state, seat) == self._asked:
            return
        self._asked = state, seat
        game = self._game

        def refine(asked: Asked[float]) -> None:
            from papan.ai.proof.chance import Refining

            refining = Refining(game, state, seat)
            asked.interrupt_by(refining.stop)
            refining.run(asked.say)

        self._inquiry.ask(refine)

    @property
    def chance(self) -> float | None:
        """The chance so far, from 0 to 1; None before the first result."""
        return self._inquiry.answer

    @property
    def is_busy(self) -> bool:
        return self._inquiry.is_working

    def stop(self) -> None:
        """Stop, and forget the chance."""
        self._inquiry.stop()
        self._inquiry.answer = self._asked = None


FACTORS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0, 40.0, 80.0)
"""The thresholds to choose from, as multiples of the game's own; the last choice after them is a win."""
USUAL = FACTORS.index(1.0)
DEPTH_SECONDS = 20.0
"""The time limit for one position; each depth takes about ten times as long as the one before."""


class Instruments:
    """The researchers' questions about one match. Call its methods on the window's thread."""

    def __init__(self, match: Match, worker: Worker) -> None:
        """:param match: must not change any more."""
        self._match = match
        self.course: Inquiry[Course] = Inquiry(worker)
        self.depths: Inquiry[list[AtDepth]] = Inquiry(worker)
        self.proof: Inquiry[tuple[float, ...]] = Inquiry(worker)
        self.place = USUAL
        """The chosen threshold: an index of ``FACTORS``, or ``len(FACTORS)`` for a win."""
        self._looked_at: tuple[int, int] | None = None

    def threshold(self) -> float:
        from papan.ai.evaluation import evaluation_of

        if self.place == len(FACTORS):
            return WIN
        return FACTORS[self.place] * float(evaluation_of(self._match.game).THRESHOLD)

    def choose(self, place: int) -> None:
        """Choose another threshold, and compute the course again."""
        self.place = place
        match, threshold = self._match, self.threshold()

        def count(asked: Asked[Course]) -> None:
            from papan.ai.indicators.conspiracy import TURNS, Conspiracy
            from papan.ai.indicators.course import course_of

            conspiracy = Conspiracy(match.game, TURNS, threshold)
            asked.interrupt_by(conspiracy.stop)
            conspiracy.prepare(match.states[0])
            asked.say(course_of(match, conspiracy, lambda: asked.is_stopped))

        self.course.ask(count)

    def prove(self, indices: Sequence[int]) -> None:
        """Compute the proof-number chances of the states with these *indices*, unless they are known."""
        if self.proof.answer is not None and len(self.proof.answer) == len(indices):
            return
        match = self._match

        def compute(asked: Asked[tuple[float, ...]]) -> None:
            from papan.ai.proof.chance import ProofChance

            chance, found = ProofChance(match.game), list[float]()
            asked.interrupt_by(chance.stop)
            for index in indices:
                found.append(chance(match.states[index]))
                if asked.is_stopped:
                    return
                asked.say(tuple(found))

        self.proof.ask(compute)

    def look(self, state_index: int) -> None:
        """Analyse a state of the match deeper and deeper, unless that is already the question."""
        if (state_index, self.place) == self._looked_at:
            return
        self._looked_at = state_index, self.place
        match, state, threshold = self._match, self._match.states[state_index], self.threshold()
        if is_over(state):
            self.depths.stop()
            self.depths.answer = []
            return

        def deepen(asked: Asked[list[AtDepth]]) -> None:
            from papan.ai.indicators.conspiracy import MOST_TURNS, Depths
            from papan.ai.reviews.reviewer import searcher_for

            depths = Depths(match.game, searcher_for(match.game, len(match.seats), state), state, threshold)
            found: list[AtDepth] = []

            def add(one: AtDepth) -> None:
                found.append(one)
                asked.say(list(found))

            asked.interrupt_by(depths.stop)
            with watchdog(DEPTH_SECONDS, depths.stop):
                depths.run(MOST_TURNS, add)

        self.depths.ask(deepen)

    def stop(self) -> None:
        self.course.stop()
        self.depths.stop()
        self.proof.stop()
