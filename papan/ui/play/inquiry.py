"""Questions about a match that a worker answers step by step: proof-number chances, course, depth by depth."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from papan.ai.limits import WIN, watchdog
from papan.ai.thinking.thinker import Worker
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import State, is_over

if TYPE_CHECKING:
    from papan.ai.indicators.conspiracy import AtDepth
    from papan.ai.indicators.course import Course

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")
Found = TypeVar("Found", covariant=True)


class Question(Protocol[Found]):
    """A computation with intermediate results."""

    def run(self, said: Callable[[Found], object]) -> object:
        """Compute, and call *said* with each intermediate result."""

    def stop(self) -> None:
        """Stop, or never start; called from another thread."""


class Inquiry(Generic[Answer]):
    """Asks a worker one question at a time. Call its methods on the window's thread."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._ticket = 0
        self._question: Question[Answer] | None = None
        self.answer: Answer | None = None
        """The latest result for the latest question; None before the first."""
        self.is_working = False
        """Whether more results may come."""

    def ask(self, make: Callable[[], Question[Answer]]) -> None:
        """Drop the previous question, and ask the one that *make* creates on the worker's thread."""
        self.stop()
        self.answer, self.is_working = None, True
        ticket = self._ticket
        self._worker.submit(lambda: self._run(ticket, make))

    def stop(self) -> None:
        """Stop the question; ``answer`` stays."""
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
            if ticket == self._ticket:  # else stop() came before the question existed
                question.run(lambda answer: self._take(ticket, answer))
        except Exception:
            log.exception("A question about a match can't be answered")
        finally:
            self._question = None
            if ticket == self._ticket:
                self.is_working = False

    def _take(self, ticket: int, answer: Answer) -> None:
        if ticket == self._ticket:
            self.answer = answer


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

        def make() -> Question[float]:
            from papan.ai.proof.chance import Refining

            return Refining(game, state, seat)

        self._inquiry.ask(make)

    @property
    def chance(self) -> float | None:
        """The chance so far, from 0 to 1; None before the first result."""
        return self._inquiry.answer

    @property
    def is_busy(self) -> bool:
        """Whether the chance may still change."""
        return self._inquiry.is_working

    def stop(self) -> None:
        """Stop, and forget the chance."""
        self._inquiry.stop()
        self._inquiry.answer = self._asked = None


class ProofCourse:
    """The first seat's proof-number chances in the positions of a match, one after the other."""

    def __init__(self, match: Match, indices: Sequence[int]) -> None:
        """:param indices: of the match's states."""
        from papan.ai.proof.chance import ProofChance

        self._states = [match.states[index] for index in indices]
        self._chance = ProofChance(match.game)
        self._is_stopped = False

    def run(self, said: Callable[[tuple[float, ...]], object]) -> None:
        """Call *said* with all chances so far, after each new one."""
        found: tuple[float, ...] = ()
        for state in self._states:
            chance = self._chance(state)
            if self._is_stopped:
                return
            found = (*found, chance)
            said(found)

    def stop(self) -> None:
        self._is_stopped = True
        self._chance.stop()


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
        """The chosen threshold, as a score."""
        from papan.ai.evaluation import evaluation_of

        if self.place == len(FACTORS):
            return WIN
        return FACTORS[self.place] * float(evaluation_of(self._match.game).THRESHOLD)

    def choose(self, place: int) -> None:
        """Choose another threshold, and compute the course again."""
        self.place = place
        match, threshold = self._match, self.threshold()
        self.course.ask(lambda: _Counting(match, threshold))

    def prove(self, indices: Sequence[int]) -> None:
        """Compute the proof-number chances of the states with these *indices*, unless they are known."""
        if self.proof.answer is not None and len(self.proof.answer) == len(indices):
            return
        match = self._match
        self.proof.ask(lambda: ProofCourse(match, indices))

    def look(self, state_index: int) -> None:
        """Analyse a state of the match deeper and deeper, unless that is already the question."""
        if (state_index, self.place) == self._looked_at:
            return
        self._looked_at = state_index, self.place
        match, state, threshold = self._match, self._match.states[state_index], self.threshold()
        if is_over(state):
            self.depths.stop()
            self.depths.answer = []
        else:
            self.depths.ask(lambda: _Deepening(match, state, threshold))

    def stop(self) -> None:
        self.course.stop()
        self.depths.stop()
        self.proof.stop()


class _Counting:
    """The course of a match for a threshold."""

    def __init__(self, match: Match, threshold: float) -> None:
        from papan.ai.indicators.conspiracy import TURNS, Conspiracy

        self._match = match
        self._conspiracy = Conspiracy(match.game, TURNS, threshold)
        self._is_stopped = False

    def run(self, said: Callable[[Course], object]) -> None:
        from papan.ai.indicators.course import course_of

        self._conspiracy.prepare(self._match.states[0])
        course = course_of(self._match, self._conspiracy, lambda: self._is_stopped)
        if not self._is_stopped:
            said(course)

    def stop(self) -> None:
        self._is_stopped = True
        self._conspiracy.stop()


class _Deepening:
    """A position at each depth."""

    def __init__(self, match: Match, state: State, threshold: float) -> None:
        from papan.ai.indicators.conspiracy import Depths
        from papan.ai.reviews.reviewer import searcher_for

        self._depths = Depths(match.game, searcher_for(match.game, len(match.seats), state), state, threshold)

    def run(self, said: Callable[[list[AtDepth]], object]) -> None:
        from papan.ai.indicators.conspiracy import MOST_TURNS

        found: list[AtDepth] = []

        def add(one: AtDepth) -> None:
            found.append(one)
            said(list(found))

        with watchdog(DEPTH_SECONDS, self.stop):
            self._depths.run(MOST_TURNS, add)

    def stop(self) -> None:
        self._depths.stop()
