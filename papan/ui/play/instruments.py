"""What researchers ask of a match that is looked through: its course for a threshold, a position at each depth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from papan.ai.limits import WIN, ringing
from papan.ai.thinking.thinker import Worker
from papan.game.match import Match
from papan.game.rules import State, is_over
from papan.ui.play.inquiry import Inquiry
from papan.ui.play.proof_balance import ProofCourse

if TYPE_CHECKING:
    from papan.ai.indicators.conspiracy import AtDepth
    from papan.ai.indicators.course import Course

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

        with ringing(DEPTH_SECONDS, self.stop):
            self._depths.run(MOST_TURNS, note)

    def stop(self) -> None:
        self._depths.stop()
