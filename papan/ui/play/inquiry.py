"""Questions about a match that a worker answers bit by bit: chances by proof numbers, its course, depth by depth."""

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


class ProofBalance:
    """The chance of one seat in the position asked about last."""

    def __init__(self, game: Game, worker: Worker) -> None:
        self._game = game
        self._inquiry: Inquiry[float] = Inquiry(worker)
        self._asked: tuple[State, int] | None = None

    @staticmethod
    def suits(game: Game, state: State) -> bool:
        """Whether there are such chances: see ``ProofChance``."""
        from papan.ai.proof.chance import ProofChance

        return ProofChance.suits(game, state)

    def ask(self, state: State, seat: int) -> None:
        """Find out the chance of *seat* in *state*, unless that was asked last."""
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
        """What is known of it, from 0 to 1."""
        return self._inquiry.answer

    @property
    def is_busy(self) -> bool:
        """Whether it may still become another."""
        return self._inquiry.is_working

    def stop(self) -> None:
        """Ask nothing any more."""
        self._inquiry.stop()
        self._inquiry.answer = self._asked = None


class ProofCourse:
    """The first seat's chances in the positions of a match, one after the other."""

    def __init__(self, match: Match, indices: Sequence[int]) -> None:
        """:param indices: of its states."""
        from papan.ai.proof.chance import ProofChance

        self._states = [match.states[index] for index in indices]
        self._chance = ProofChance(match.game)
        self._is_stopped = False

    def run(self, said: Callable[[tuple[float, ...]], object]) -> None:
        """Tell *said* all that are known, each time that there is one more."""
        found: tuple[float, ...] = ()
        for state in self._states:
            chance = self._chance(state)
            if self._is_stopped:
                return
            found = (*found, chance)
            said(found)

    def stop(self) -> None:
        """Give it up."""
        self._is_stopped = True
        self._chance.stop()


FACTORS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0, 40.0, 80.0)
"""The thresholds to choose from, as multiples of the game's own; after them comes a win."""
USUAL = FACTORS.index(1.0)
DEPTH_SECONDS = 20.0
"""How long one position is looked at: each depth takes some ten times as long as the last."""


class Instruments:
    """The questions about one match. All methods are for the window's thread."""

    def __init__(self, match: Match, worker: Worker) -> None:
        """:param match: must not change any more."""
        self._match = match
        self.course: Inquiry[Course] = Inquiry(worker)
        self.depths: Inquiry[list[AtDepth]] = Inquiry(worker)
        self.proof: Inquiry[tuple[float, ...]] = Inquiry(worker)
        self.place = USUAL
        """Which threshold was chosen: an index of ``FACTORS``, or the next one for a win."""
        self._looked_at: tuple[int, int] | None = None

    def threshold(self) -> float:
        """The threshold chosen, before any milestone."""
        from papan.ai.evaluation import evaluation_of

        if self.place == len(FACTORS):
            return WIN
        return FACTORS[self.place] * float(evaluation_of(self._match.game).THRESHOLD)

    def choose(self, place: int) -> None:
        """Take another threshold, and count the course anew."""
        self.place = place
        match, threshold = self._match, self.threshold()
        self.course.ask(lambda: _Counting(match, threshold))

    def prove(self, indices: Sequence[int]) -> None:
        """Find the winning chances by proof numbers in the states with these *indices*, unless that was done."""
        if self.proof.answer is not None and len(self.proof.answer) == len(indices):
            return
        match = self._match
        self.proof.ask(lambda: ProofCourse(match, indices))

    def look(self, state_index: int) -> None:
        """Look deeper and deeper at a state of the match, unless that is being done."""
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
        """Give everything up."""
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

        def note(one: AtDepth) -> None:
            found.append(one)
            said(list(found))

        with watchdog(DEPTH_SECONDS, self.stop):
            self._depths.run(MOST_TURNS, note)

    def stop(self) -> None:
        self._depths.stop()
