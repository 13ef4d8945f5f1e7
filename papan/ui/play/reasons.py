"""Why this move, without a picture of it: the position, who judges it, and the weights that a person has chosen.

Only what may be shown is explained: where hands are hidden, decisions of the viewer's own, or all once all is open; and
each as the seat to act saw it. Nothing of it changes the player that sits at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from papan.ai.evaluation.terms import Term, terms_of
from papan.ai.thinking.thinker import Worker
from papan.game.game import Game, PartError
from papan.game.match import Match
from papan.game.rules import CHANCE, State, is_over, mover
from papan.ui.play.inquiry import Inquiry
from papan.ui.play.reviewed_match import ReviewedMatch

if TYPE_CHECKING:
    from papan.ai.reviews.why import Explaining, Judge, Why


_TOLD = 48
"""So many of the best candidates of a search are told with their terms."""


class Answer(NamedTuple):
    """What a judge makes of a position."""

    why: Why
    usual: frozenset[int]
    """The steps that it takes by its usual weights."""


def can_explain(game: Game, state: State) -> bool:
    """Whether there is a player of *game* that judges positions like *state* by few named terms."""
    from papan.ai.reviews.why import judges

    try:
        return bool(judges(game, state))
    except PartError:
        return False


def decisions_seen(reviewed: ReviewedMatch) -> list[int]:
    """The indices of the states in which somebody decided, or is to decide, as far as that may be seen."""
    is_hidden = reviewed.match.game.has_hidden_information and not reviewed.is_open
    deciding = [
        index for index, state in enumerate(reviewed.states) if not is_over(state) and int(mover(state)) != CHANCE
    ]
    return [index for index in deciding if not is_hidden or int(mover(reviewed.states[index])) == reviewed.viewer]


class Reasons:
    """The questions of one person about the decisions of one match. All methods are for the window's thread."""

    def __init__(self, reviewed: ReviewedMatch, worker: Worker, index: int | None = None) -> None:
        """:param index: the decision to begin with: the index of the state before it; default: that of ``usual``."""
        from papan.ai.reviews.why import judges

        self.reviewed = reviewed
        self.judges: Sequence[Judge] = judges(reviewed.match.game, reviewed.states[0])
        self.decisions = decisions_seen(reviewed)
        self.place = self._place_of(index) if index is not None else self.usual
        self.inquiry: Inquiry[Answer] = Inquiry(worker)
        self.answer: Answer | None = None
        """What is known of the position; it stays while it is judged anew by other weights."""
        self._weights: dict[str, dict[str, float]] = {}
        self.judge = self._judge_of_mover() or max(self.judges, key=self._number_weighed, default=None)

    def _number_weighed(self, judge: Judge) -> int:
        """How many terms weigh something."""
        return sum(term.weight != 0.0 for term in self._terms_of(judge))

    def _terms_of(self, judge: Judge) -> Sequence[Term]:
        from papan.ai.evaluation import evaluation_of

        evaluation = evaluation_of(self.reviewed.match.game)
        return terms_of(evaluation, self.reviewed.states[self.index or 0], evaluation.WEIGHTS[judge.weights])

    def _place_of(self, index: int) -> int:
        """The place among the decisions of the one at *index*, or the last one before it."""
        return max(0, sum(number <= index for number in self.decisions) - 1)

    @property
    def usual(self) -> int:
        """The place of the last decision of a player that can say why; else of the last one of all."""
        from papan.ai.reviews.why import judge_named

        match, states = self.reviewed.match, self.reviewed.states
        seats = {seat for seat, name in enumerate(match.seats) if judge_named(match.game, states[0], name)}
        own = [
            place
            for place, index in enumerate(self.decisions)
            if index < len(self.reviewed.steps) and int(mover(states[index])) in seats
        ]
        return own[-1] if own else max(0, len(self.decisions) - 1)

    # ---------------------------------------------------------------------------------- what is shown

    @property
    def index(self) -> int | None:
        """The index of the state shown; None where there is nothing to be seen."""
        return self.decisions[self.place] if self.decisions else None

    @property
    def state(self) -> State:
        """The state shown, as it may be shown."""
        return self.reviewed.visible_state(self.index or 0)

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return int(mover(self.reviewed.states[self.index or 0]))

    @property
    def played(self) -> int | None:
        """The step that was played there; None where none was yet."""
        index = self.index
        return self.reviewed.steps[index] if index is not None and index < len(self.reviewed.steps) else None

    @property
    def terms(self) -> Sequence[Term]:
        """The terms of the judge, with their usual weights, in the position shown."""
        return self._terms_of(self.judge) if self.judge is not None else ()

    @property
    def weights(self) -> Mapping[str, float]:
        """The weights that a person has chosen for the judge, by term."""
        return self._weights.get(self.judge.weights, {}) if self.judge is not None else {}

    def _judge_of_mover(self) -> Judge | None:
        from papan.ai.reviews.why import judge_named

        match = self.reviewed.match
        return judge_named(match.game, match.states[0], match.seats[self.seat]) if self.decisions else None

    # ------------------------------------------------------------------------------------------ acting

    def go(self, places: int) -> None:
        """Show the decision so many *places* on, judged by whoever took it, if that one can say why."""
        self.place = min(max(0, self.place + places), max(0, len(self.decisions) - 1))
        self.judge = self._judge_of_mover() or self.judge
        self._forget()

    def choose_judge(self, name: str) -> None:
        """Have the judge of that *name*."""
        self.judge = next(judge for judge in self.judges if judge.name == name)
        self._forget()

    def weigh(self, name: str, weight: float) -> None:
        """Have the term of that *name* weigh so much."""
        if self.judge is not None:
            chosen = self._weights.setdefault(self.judge.weights, {})
            chosen[name] = weight
            if any(term.name == name and term.weight == weight for term in self.terms):
                del chosen[name]
        self.ask()

    def as_it_was(self) -> None:
        """Have every term weigh what it usually does."""
        if self.judge is not None:
            self._weights.pop(self.judge.weights, None)
        self.ask()

    def _forget(self) -> None:
        self.answer = None
        self.ask()

    def ask(self) -> None:
        """Have the position judged anew."""
        if self.judge is None or self.index is None:
            return
        match, index, judge, played = self.reviewed.match, self.index, self.judge, self.played
        weights, usual = dict(self.weights), self.answer.usual if self.answer is not None else None
        self.inquiry.ask(lambda: _Asking(_explaining(match, index, judge), weights, usual, played))

    def tick(self) -> bool:
        """Look for an answer; returns whether there is a new one."""
        answer = self.inquiry.answer
        if answer is None or answer is self.answer:
            return False
        self.answer = answer
        return True

    def stop(self) -> None:
        """Ask for nothing any more."""
        self.inquiry.stop()


def _explaining(match: Match, index: int, judge: Judge) -> Explaining:
    """What *judge* makes of the state with this *index*, as the seat to act there saw it."""
    from papan.ai.players import situation
    from papan.ai.reviews.why import Explaining

    told = situation(match.up_to(index))
    return Explaining(match.game, told.state, judge, told.came_twice)


class _Asking:
    """One position, judged by some weights, and by the usual ones where it isn't known what these take."""

    def __init__(
        self, asked: Explaining, weights: Mapping[str, float], usual: frozenset[int] | None, played: int | None
    ) -> None:
        self._asked = asked
        self._weights = weights
        self._usual = usual
        self._played = played

    def run(self, said: Callable[[Answer], object]) -> None:
        shown = 0 if self._asked.judge.depth is None else _TOLD  # to rate a step takes next to no time
        found = self._asked.answer(self._weights, shown, self._played)
        if found is None:
            return
        usual = self._usual
        if usual is None:
            before = self._asked.answer({}, shown=1) if self._weights else found
            usual = frozenset(one.step for one in before.best) if before is not None else frozenset()
        said(Answer(found, usual))

    def stop(self) -> None:
        self._asked.stop()
