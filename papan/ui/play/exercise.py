"""An exercise: in a position of a reviewed match, a person looks for a better turn than the one played.

It works on a copy of the match. Call its methods on the window's thread; a worker judges the turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from papan.ai.thinking.thinker import Worker
from papan.game.match import Match
from papan.game.rules import CHANCE, State, is_over, mover
from papan.ui.play.practice import Practice
from papan.ui.play.reviewed_match import ReviewedMatch

if TYPE_CHECKING:
    from papan.ai.reviews.reviewer import Moment, Review, Reviewer

Stage = Literal["trying", "judging", "judged", "showing"]
"""``trying``: the person looks for the turn; ``judging``: a worker judges it; ``judged``: the verdict is there, and a
bad turn is answered on the board; ``showing``: the better turn is being played, or has been."""
Kind = Literal["best", "good", "played", "worse"]


@dataclass(frozen=True)
class Verdict:
    """The judgement of a tried turn."""

    kind: Kind
    """``best``: the review's own turn; ``good``: one that loses next to nothing against it; ``played``: the turn of
    the match; ``worse``: any other."""
    name: str
    moment: Moment | None = None
    """The review of the position after the turn; None for the best."""

    @property
    def is_solved(self) -> bool:
        return self.kind in ("best", "good")


class Exercise(Practice):
    """One position of a reviewed match, without hints."""

    stage: Stage

    def __init__(self, reviewed: ReviewedMatch, moment: Moment, worker: Worker) -> None:
        """:param moment: the review of the bad turn, with a better one."""
        assert moment.seat is not None and moment.best is not None and moment.index > 0
        super().__init__(moment.seat, worker)
        self.moment = moment
        self.verdict: Verdict | None = None
        self._reviewed = reviewed
        self._before = moment.index - 1
        stop = reviewed.stops[moment.index]
        self.start = reviewed.stops[self._before].end
        self._turn_end = self.start  # the index of the state after the tried turn and chance
        self._played = tuple(reviewed.steps[stop.first_step : stop.turn_end])
        self._reviewer: Reviewer | None = None
        self.set_up()

    @property
    def best_steps(self) -> tuple[int, ...]:
        assert self.moment.best is not None
        return self._own_steps(self.moment.best.steps)

    @property
    def awaits(self) -> bool:
        return self.stage == "judging"

    @property
    def state_after_turn(self) -> State:
        return self.match.states[self._turn_end]

    @property
    def has_answer(self) -> bool:
        state = self.state_after_turn
        return not is_over(state) and mover(state) not in (CHANCE, self.seat)

    @property
    def played_name(self) -> str:
        return self.own_name_of(self._played)

    def own_name_of(self, steps: Sequence[int]) -> str:
        """The name of the seat's turn of *steps* from the position."""
        return self.name_of(self._reviewed.states[self.start], steps)

    def _own_steps(self, steps: Sequence[int]) -> tuple[int, ...]:
        """The first of *steps* from the position that make the seat's turn."""
        from papan.ai.reviews.coach import first_turn

        match = self._reviewed.match
        turn = first_turn(match.states[self.start], steps, match.rules.MOST_STEPS)
        return turn.steps if turn is not None else ()

    def set_up(self, *, is_shown: bool = False) -> None:
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
        """Judge the last turn of *part*, on the worker's thread; None if stopped."""
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
        """Store the verdict, and play the answer to a bad turn."""
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
    """Return the indices of the turning points with a known better turn."""
    best = [review.moments[index].best for index in review.turning_points]
    return [index for index, one in zip(review.turning_points, best, strict=True) if one is not None and one.steps]
