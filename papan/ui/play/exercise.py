"""An exercise: a position of a reviewed match in which a person looks for the turn that would have been better.

It is tried on a copy of the match; the match itself is never touched. All methods are for the window's thread; turns
that were not played are judged beside it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from papan.ai.worker import Worker
from papan.game.match import Match
from papan.game.match.turn import TurnController
from papan.game.rules import CHANCE, State, is_over, mover, observe
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.session import ShownStep

if TYPE_CHECKING:
    from papan.ai.review import Moment, Review, Reviewer

log = logging.getLogger(__name__)

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


class Exercise:
    """One position, and what a person tries there; the ``TurnHost`` of its turn controller."""

    hint: int | None = None
    """No step is ever hinted here."""

    def __init__(self, reviewed: ReviewedMatch, moment: Moment, worker: Worker) -> None:
        """:param moment: the one that the bad turn led to; it knows a better turn.
        :param worker: judges turns, one after the other.
        """
        assert moment.seat is not None and moment.best is not None and moment.index > 0
        self.moment = moment
        self.seat = moment.seat
        self.stage: Stage = "trying"
        self.showing: ShownStep | None = None
        self.verdict: Verdict | None = None
        self.trouble = ""
        """Why a turn can't be judged, in a sentence."""
        self._reviewed = reviewed
        self._worker = worker
        self._before = moment.index - 1
        stop = reviewed.stops[moment.index]
        self.start = reviewed.stops[self._before].end
        """How many steps of the match led to the position."""
        self._turn_end = self.start  # where the turn that was tried ends, once chance has acted
        self._played = tuple(reviewed.steps[stop.first_step : stop.turn_end])
        self._is_hidden = reviewed.match.game.has_hidden_information
        self._to_play: list[int] = []  # steps of others, or of the better turn, that are still to be played
        self._found: Verdict | str | None = None
        self._ticket = 0
        self._reviewer: Reviewer | None = None
        self._set_up(is_shown=False)

    # --------------------------------------------------------------------------------------- looking

    @property
    def best_steps(self) -> tuple[int, ...]:
        """The steps of the better turn."""
        assert self.moment.best is not None
        return self._own_steps(self.moment.best.steps)

    @property
    def person_is_due(self) -> bool:
        """Whether the person may point at something."""
        return self.stage == "trying" and self.turn.due in ("choosing", "completing")

    def visible_state(self, state: State) -> State:
        """*state* as the seat that is to find the turn sees it."""
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
    def tried_cells(self) -> tuple[int, ...]:
        """The cells of what has been played since the position was set up: its last turn."""
        match, cells = self.match, dict[int, None]()
        first = max(self.start, match.turns()[-1].first_step) if len(match.steps) > self.start else len(match.steps)
        for index in range(first, len(match.steps)):
            cells.update(dict.fromkeys(match.rules.cells(match.states[index], match.steps[index])))
        return tuple(cells)

    @property
    def played_name(self) -> str:
        """What the turn that was played in the match is called."""
        return self.name_of(self._played)

    def name_of(self, steps: Sequence[int]) -> str:
        """What the seat's turn of *steps*, which begin at the position, is called."""
        from papan.ai.coach import first_turn, turn_name

        rules = self._reviewed.match.rules
        turn = first_turn(self._reviewed.states[self.start], steps, rules.MOST_STEPS)
        return turn_name(rules, turn) if turn is not None else ""

    def _own_steps(self, steps: Sequence[int]) -> tuple[int, ...]:
        """Those of *steps*, which begin at the position, that make the seat's turn."""
        from papan.ai.coach import first_turn

        match = self._reviewed.match
        turn = first_turn(match.states[self.start], steps, match.rules.MOST_STEPS)
        return turn.steps if turn is not None else ()

    # ---------------------------------------------------------------------------------------- acting

    def _set_up(self, is_shown: bool) -> None:
        """Stand where the bad turn was played, with the person to act, or to look on."""
        self._ticket += 1
        self._stop_judging()
        self.match = self._reviewed.match.up_to(self.start)
        self.showing, self.verdict, self.trouble, self._to_play = None, None, "", []
        self.stage = "showing" if is_shown else "trying"
        persons = [seat == self.seat and not is_shown for seat in range(len(self.match.seats))]
        self.turn = TurnController(self.match, persons, self)
        if is_shown:
            self._to_play = list(self.best_steps)
        self.turn.begin()
        self._go_on()

    def try_again(self) -> None:
        """Set the position up again."""
        self._set_up(is_shown=False)

    def show_best(self) -> None:
        """Set the position up again, and play the better turn."""
        self._set_up(is_shown=True)

    def point(self, cell: int) -> str | None:
        """Point at *cell*; returns the refusal, or None where it makes or begins a step."""
        return self.turn.point(cell) if self.person_is_due else None

    def choose(self, step: int) -> None:
        """Play *step*, which was chosen by its name."""
        if self.person_is_due:
            self.turn.choose(step)

    def finish_showing(self) -> None:
        """End the showing of a step."""
        if self.showing is None:
            return
        self.showing = None
        self.turn.shown()
        if self.stage == "trying" and self._turn_is_complete():
            self._judge()
        self._go_on()

    def tick(self) -> bool:
        """Fetch what was found of the turn; returns whether anything changed."""
        found, self._found = self._found, None
        if found is None or self.stage != "judging":
            return False
        if isinstance(found, str):
            self.trouble, self.stage = found, "judged"
        else:
            self._settle(found)
        return True

    def close(self) -> None:
        """Give up what is being judged."""
        self._ticket += 1
        self._stop_judging()

    def _stop_judging(self) -> None:
        self._found = None
        reviewer, self._reviewer = self._reviewer, None
        if reviewer is not None:
            reviewer.stop()

    def _go_on(self) -> None:
        """Play the next of the steps that are to be played; once there are none, there is nothing to point at."""
        if self.showing is not None or self.stage == "trying":
            return
        if self._to_play and self.turn.due == "thinking":
            self.turn.answer(self._to_play.pop(0))
        elif self.turn.due == "choosing":
            self.turn.watch()

    # --------------------------------------------------------------------------------------- judging

    def _turn_is_complete(self) -> bool:
        """Whether the turn is over that began at the position, and chance, if it is due, has acted."""
        match = self.match
        if len(match.steps) == self.start or match.mover == CHANCE:
            return bool(match.ending)
        return bool(match.ending) or match.mover != self.seat or match.turns()[-1].seat == CHANCE

    def _judge(self) -> None:
        steps = self._own_steps(self.match.steps[self.start :])
        name = self.name_of(steps)
        self.stage, self._turn_end = "judging", len(self.match.steps)
        if steps == self.best_steps:
            self._settle(Verdict("best", name))
        elif steps == self._played:
            self._settle(Verdict("played", name, self.moment))
        else:
            part, ticket = self.match.up_to(len(self.match.steps)), self._ticket
            self._worker.submit(lambda: self._look(part, name, ticket))

    def _look(self, part: Match, name: str, ticket: int) -> None:
        """Judge the last turn of *part*, on the worker's thread."""
        from papan.ai.marks import INACCURACY
        from papan.ai.review import Reviewer

        if ticket != self._ticket:
            return
        try:
            reviewer = Reviewer(part, conspiracy_turns=None, since=self._before, is_part=self._reviewed.is_open)
            self._reviewer = reviewer
            if ticket != self._ticket:
                return
            review = reviewer.run()
            found: Verdict | str | None = None
            if review.is_complete:
                moment = review.moments[-1]
                is_good = moment.is_best or moment.loss < INACCURACY
                found = Verdict("good" if is_good else "worse", name, moment)
        except Exception as error:  # whatever a guest's own code raises
            log.exception("A turn of an exercise can't be judged")
            found = f"{type(error).__name__}: {error}"
        finally:
            self._reviewer = None  # its tables are large
        if ticket == self._ticket:
            self._found = found

    def _settle(self, verdict: Verdict) -> None:
        """Take up the verdict, and have a bad turn answered."""
        self.verdict, self.stage = verdict, "judged"
        if not verdict.is_solved and verdict.moment is not None:
            from papan.ai.coach import first_turn

            answer = first_turn(self.match.state, verdict.moment.steps, self.match.rules.MOST_STEPS)
            if answer is not None and self.has_answer:
                self._to_play = list(answer.steps)
        self._go_on()

    # ---------------------------------------------------------------------- what the controller wants

    def ask(self, match: Match) -> None:
        """Nobody thinks here: what others play is known, or not played."""

    def withdraw(self) -> None:
        """Nothing was asked."""

    def show(self, before: State, step: int, after: State) -> None:
        self.showing = ShownStep(before, step, after)

    def changed(self, match: Match) -> None:
        """Exercises are not kept."""


def exercises_of(review: Review) -> list[int]:
    """The indices of the turning points with a better turn to look for, in order."""
    best = [review.moments[index].best for index in review.turning_points]
    return [index for index, one in zip(review.turning_points, best, strict=True) if one is not None and one.steps]
