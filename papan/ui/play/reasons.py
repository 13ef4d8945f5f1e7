"""Why this move: a position, the player that judges it, and the weights that a person has chosen for its terms.

With hidden hands only the viewer's own decisions are explained until all cards are open, each as the seat to act saw
it. Changed weights never affect the player at the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from papan.ai.evaluation.terms import Term, terms_of
from papan.ai.limits import Analysis
from papan.ai.thinking.thinker import Worker
from papan.game.game import Game, PartError
from papan.game.rules import CHANCE, State, is_over, mover
from papan.ui.play.inquiry import Asked, Inquiry
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.turn_names import TurnName, names_in_line

if TYPE_CHECKING:
    from papan.ai.reviews.why import Candidate, Judge, Why


_TOLD = 48
"""Candidates of a search that are explained by their terms, the best first."""


class Answer(NamedTuple):
    """A judge's evaluation of a position."""

    why: Why
    usual: frozenset[int]
    """The steps that it chooses with its own weights."""


def can_explain(game: Game, state: State) -> bool:
    """Whether some player of *game* evaluates positions like *state* by a few named terms."""
    from papan.ai.reviews.why import judges

    try:
        return bool(judges(game, state))
    except PartError:
        return False


def decisions_seen(reviewed: ReviewedMatch) -> list[int]:
    """Return the indices of the states with a decision that the viewer may see."""
    is_hidden = reviewed.match.game.has_hidden_information and not reviewed.is_open
    deciding = [
        index for index, state in enumerate(reviewed.states) if not is_over(state) and int(mover(state)) != CHANCE
    ]
    return [index for index in deciding if not is_hidden or int(mover(reviewed.states[index])) == reviewed.viewer]


class Reasons:
    """A person's questions about the decisions of one match. Call its methods on the window's thread."""

    def __init__(
        self, reviewed: ReviewedMatch, worker: Worker, index: int | None = None, suggested: Analysis | None = None
    ) -> None:
        """:param index: the state of the first decision shown; default: ``usual``.
        :param suggested: what the hint or the analysis says about the match's last position.
        """
        from papan.ai.reviews.why import judges

        self.reviewed = reviewed
        self._suggested = suggested
        self.judges: Sequence[Judge] = judges(reviewed.match.game, reviewed.states[0])
        self.decisions = decisions_seen(reviewed)
        self.place = max(0, sum(number <= index for number in self.decisions) - 1) if index is not None else self.usual
        self.inquiry: Inquiry[Answer] = Inquiry(worker)
        self.answer: Answer | None = None
        """The evaluation; the old one stays while other weights are tried."""
        self._weights: dict[str, dict[str, float]] = {}
        self._names: dict[tuple[int | None, tuple[int, ...]], Sequence[TurnName]] = {}

        def nonzero_terms(judge: Judge) -> int:
            return sum(term.weight != 0.0 for term in self._terms_of(judge))

        self.judge = self._judge_of_mover() or max(self.judges, key=nonzero_terms, default=None)

    def _terms_of(self, judge: Judge) -> Sequence[Term]:
        from papan.ai.evaluation import evaluation_of

        evaluation = evaluation_of(self.reviewed.match.game)
        return terms_of(evaluation, self.reviewed.states[self.index or 0], evaluation.WEIGHTS[judge.weights])

    @property
    def usual(self) -> int:
        """The place of the last decision of a player that can be explained; else of the last of all."""
        from papan.ai.reviews.why import judge_named

        match, states = self.reviewed.match, self.reviewed.states
        seats = {seat for seat, name in enumerate(match.seats) if judge_named(match.game, states[0], name)}
        own = [
            place
            for place, index in enumerate(self.decisions)
            if index < len(self.reviewed.steps) and int(mover(states[index])) in seats
        ]
        return own[-1] if own else max(0, len(self.decisions) - 1)

    @property
    def index(self) -> int | None:
        """The index of the state shown; None without a visible decision."""
        return self.decisions[self.place] if self.decisions else None

    @property
    def state(self) -> State:
        return self.reviewed.visible_state(self.index or 0)

    @property
    def seat(self) -> int:
        return int(mover(self.reviewed.states[self.index or 0]))

    @property
    def played(self) -> int | None:
        """The step played there; None for none yet."""
        index = self.index
        return self.reviewed.steps[index] if index is not None and index < len(self.reviewed.steps) else None

    @property
    def suggested(self) -> Analysis | None:
        """What the hint or the analysis says about the position shown; None where a step was played."""
        return self._suggested if self.played is None else None

    @property
    def asked(self) -> int | None:
        """The step in question: the one played, else the one suggested; None for neither."""
        return self.suggested.step if self.suggested is not None else self.played

    def named(self, one: Candidate) -> Sequence[TurnName]:
        """The names of the turns in the line of *one*, found once."""
        key = self.index, one.steps
        if key not in self._names:
            self._names[key] = tuple(names_in_line(self.reviewed.match.game, self.state, one.steps))
        return self._names[key]

    def forget_names(self) -> None:
        """Forget the names of turns, as the language or the way they are told may have changed."""
        self._names.clear()

    @property
    def terms(self) -> Sequence[Term]:
        """The terms of the judge in the position shown, with its own weights."""
        return self._terms_of(self.judge) if self.judge is not None else ()

    @property
    def weights(self) -> Mapping[str, float]:
        return self._weights.get(self.judge.weights, {}) if self.judge is not None else {}

    def _judge_of_mover(self) -> Judge | None:
        from papan.ai.reviews.why import judge_named

        match = self.reviewed.match
        return judge_named(match.game, match.states[0], match.seats[self.seat]) if self.decisions else None

    def go(self, places: int) -> None:
        """Move by *places* decisions; let the player that decided there judge, if it can be explained."""
        self.place = min(max(0, self.place + places), max(0, len(self.decisions) - 1))
        self.judge = self._judge_of_mover() or self.judge
        self._forget()

    def choose_judge(self, name: str) -> None:
        self.judge = next(judge for judge in self.judges if judge.name == name)
        self._forget()

    def weigh(self, name: str, weight: float) -> None:
        if self.judge is not None:
            chosen = self._weights.setdefault(self.judge.weights, {})
            chosen[name] = weight
            if any(term.name == name and term.weight == weight for term in self.terms):
                del chosen[name]
        self.ask()

    def reset_weights(self) -> None:
        if self.judge is not None:
            self._weights.pop(self.judge.weights, None)
        self.ask()

    def _forget(self) -> None:
        self.answer = None
        self.ask()

    def ask(self) -> None:
        if self.judge is None or self.index is None:
            return
        match, index, judge, step = self.reviewed.match, self.index, self.judge, self.asked
        weights, usual = dict(self.weights), self.answer.usual if self.answer is not None else None
        shown = 0 if judge.depth is None else _TOLD  # without a search all are explained quickly

        def explain(asked: Asked[Answer]) -> None:
            from papan.ai.players import situation
            from papan.ai.reviews.why import Explaining

            told = situation(match.up_to(index))  # as the seat to act saw it
            explaining = Explaining(match.game, told.state, judge, told.came_twice)
            asked.interrupt_by(explaining.stop)
            found = explaining.answer(weights, shown, step)
            if found is None:
                return
            if usual is not None:
                asked.say(Answer(found, usual))
                return
            before = explaining.answer({}, shown=1) if weights else found
            if before is not None:
                asked.say(Answer(found, frozenset(one.step for one in before.best)))

        self.inquiry.ask(explain)

    def tick(self) -> bool:
        """Fetch the answer; return whether there is a new one."""
        answer = self.inquiry.answer
        if answer is None or answer is self.answer:
            return False
        self.answer = answer
        return True

    def stop(self) -> None:
        self.inquiry.stop()
