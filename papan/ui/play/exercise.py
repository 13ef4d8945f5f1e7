"""An exercise: a position of a reviewed match in which a person looks for the turn that would have been better.

It is tried on a copy of the match; the match itself is never touched. All methods are for the window's thread; turns
that were not played are judged beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from papan.ai.thinking.thinker import Worker
from papan.game.match import Match
from papan.game.rules import CHANCE, State, is_over, mover, observe
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.trial import Trial

if TYPE_CHECKING:
    from papan.ai.reviews.reviewer import Moment, Review, Reviewer

Stage = Literal["trying", "judging", "judged", "showing"]
"""``trying``: the person is to find the turn; ``judging``: it is looked at; ``judged``: there is a verdict, and the
answer to a bad turn is played; ``showing``: the better turn is being played, or has been."""
Kind = Literal["best", "good", "played", "worse"]


@dataclass(frozen=True)
class Verdict:
    """How good the turn is that was tried."""

    kind: Kind
    """``best``: the turn that the review found; ``good``: one that loses next to nothing against it; ``played``: what
    was played in the match; ``worse``: another one."""
    name: str
    moment: Moment | None = None
    """What the turn leads to, as a review sees it; None for the best."""

    @property
    def is_solved(self) -> bool:
        """Whether the person has found what there was to be found."""
        return self.kind in ("best", "good")


class Exercise(Trial):
    """One position of a reviewed match. No step is ever hinted here."""

    stage: Stage

    def __init__(self, reviewed: ReviewedMatch, moment: Moment, worker: Worker) -> None:
        """:param moment: the one that the bad turn led to; it knows a better turn."""
        assert moment.seat is not None and moment.best is not None and moment.index > 0
        super().__init__(moment.seat, worker)
        self.moment = moment
        self.verdict: Verdict | None = None
        self._reviewed = reviewed
        self._before = moment.index - 1
        stop = reviewed.stops[moment.index]
        self.start = reviewed.stops[self._before].end
        self._turn_end = self.start  # where the turn that was tried ends, once chance has acted
        self._played = tuple(reviewed.steps[stop.first_step : stop.turn_end])
        self._is_hidden = reviewed.match.game.has_hidden_information
        self._reviewer: Reviewer | None = None
        self.set_up()

    @property
    def best_steps(self) -> tuple[int, ...]:
        assert self.moment.best is not None
        return self._own_steps(self.moment.best.steps)

    @property
    def awaits(self) -> bool:
        return self.stage == "judging"

    def visible_state(self, state: State) -> State:
        return observe(state, self.seat) if self._is_hidden else state

    @property
    def state_after_turn(self) -> State:
        """The state after the turn that was tried, once chance has acted."""
        return self.match.states[self._turn_end]

    @property
    def has_answer(self) -> bool:
        """Whether somebody else is to act after the turn that was tried."""
        state = self.state_after_turn
        return not is_over(state) and mover(state) not in (CHANCE, self.seat)

    @property
    def played_name(self) -> str:
        """What the turn that was played in the match is called."""
        return self.own_name_of(self._played)

    def own_name_of(self, steps: Sequence[int]) -> str:
        """What the seat's turn of *steps*, which begin at the position, is called."""
        return self.name_of(self._reviewed.states[self.start], steps)

    def _own_steps(self, steps: Sequence[int]) -> tuple[int, ...]:
        """Those of *steps*, which begin at the position, that make the seat's turn."""
        from papan.ai.reviews.coach import first_turn

        match = self._reviewed.match
        turn = first_turn(match.states[self.start], steps, match.rules.MOST_STEPS)
        return turn.steps if turn is not None else ()

    def set_up(self, *, is_shown: bool = False) -> None:
        """Stand where the bad turn was played, with the person to act, or to look on."""
        self.close()
        self.verdict, self.trouble, self._to_play = None, "", []
        self.stage = "showing" if is_shown else "trying"
        self._stand(self._reviewed.match.up_to(self.start), is_tried=not is_shown)
        if is_shown:
            self._to_play = list(self.best_steps)
        self._go_on()

    def close(self) -> None:
        super().close()
        reviewer, self._reviewer = self._reviewer, None
        if reviewer is not None:
            reviewer.stop()

    def _judge(self) -> None:
        steps = self._own_steps(self.match.steps[self.start :])
        name = self.own_name_of(steps)
        self.stage, self._turn_end = "judging", len(self.match.steps)
        if steps == self.best_steps:
            self._settle(Verdict("best", name))
        elif steps == self._played:
            self._settle(Verdict("played", name, self.moment))
        else:
            part = self.match.up_to(len(self.match.steps))
            self._ask(lambda is_wanted: self._look(part, name, is_wanted), self._settle)

    def _look(self, part: Match, name: str, is_wanted: Callable[[], bool]) -> Verdict | None:
        """Judge the last turn of *part*, on the worker's thread; None where that was stopped."""
        from papan.ai.reviews.marks import INACCURACY
        from papan.ai.reviews.reviewer import Reviewer

        try:
            reviewer = Reviewer(part, conspiracy_turns=None, since=self._before, is_part=self._reviewed.is_open)
            self._reviewer = reviewer
            review = reviewer.run() if is_wanted() else None
        finally:
            self._reviewer = None  # its tables are large
        if review is None or not review.is_complete:
            return None
        moment = review.moments[-1]
        is_good = moment.is_best or moment.loss < INACCURACY
        return Verdict("good" if is_good else "worse", name, moment)

    def _fail(self, trouble: str) -> None:
        self.trouble, self.stage = trouble, "judged"

    def _settle(self, verdict: Verdict | None) -> None:
        """Take up the verdict, and have a bad turn answered."""
        if verdict is None:
            return
        self.verdict, self.stage = verdict, "judged"
        if not verdict.is_solved and verdict.moment is not None:
            from papan.ai.reviews.coach import first_turn

            answer = first_turn(self.match.state, verdict.moment.steps, self.match.rules.MOST_STEPS)
            if answer is not None and self.has_answer:
                self._to_play = list(answer.steps)
        self._go_on()


def exercises_of(review: Review) -> list[int]:
    """The indices of the turning points with a better turn to look for, in order."""
    best = [review.moments[index].best for index in review.turning_points]
    return [index for index, one in zip(review.turning_points, best, strict=True) if one is not None and one.steps]
