"""The analysis at the table: the choice of the position to study, and the content of the panel.

Only what the person at the screen may see is studied: with hidden hands, the positions of the viewer's own turns.
Between them, and while the screen is handed over, nothing is shown.

On a machine with two processors the analyst pauses while a person waits for the computer's move or a hint. With more
processors, or without a waiting person, both think in parallel.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of, winning_chance
from papan.ai.exact import Measure, exact_of, measure_of
from papan.ai.limits import WIN, WIN_BOUND, Analysis, Line, own_turns, win_distance
from papan.ai.outcome import value_of
from papan.ai.players import situation
from papan.ai.proof.claims import conditions_of, exactly_said, result_said
from papan.ai.thinking.analyst import Analyst, Report
from papan.ai.thinking.opinion import SecondOpinion
from papan.game.base.untrusted import shortened
from papan.game.rules import CHANCE, NOBODY, State, allied, is_over, mover, payoff, play
from papan.ui.play.inquiry import ProofBalance
from papan.ui.play.session import Session
from papan.ui.play.turn_names import TurnName, names_in_line
from papan.ui.texts import _, current_language, translated
from papan.ui.texts.manner import tells_details
from papan.ui.texts.wording import Scores, compact_count, only_person

MOST_LINES = 3
"""The largest number of lines of play that are shown."""
MOST_TURNS = 12
"""Turns of a line, at most; the panel cuts off those without room."""
MOST_SCORED_CELLS = 12
"""With more cells than this to choose from, only the best get a score."""
FEW_SCORED_CELLS = 5
"""The number of these best cells."""

_FEW_PROCESSORS = 2


@dataclass(frozen=True)
class LineView:
    score: str
    turns: tuple[TurnName, ...]
    result: str = ""
    """The proven result, in words, or ""."""


@dataclass(frozen=True)
class Balance:
    """The winning chance of one seat, and the seat with the rest."""

    seat: int
    rival: int | None
    """The seat with the rest of the chance; None: several share it."""
    chance: float
    """From 0 to 1."""
    score: str
    name: str
    is_by_proof: bool = False
    """Whether the chance comes from proof numbers; the score is always the search's."""


@dataclass(frozen=True)
class OpinionView:
    name: str
    words: str = ""
    """Its score, with engine details its depth too; or its error."""
    turns: tuple[TurnName, ...] = ()


@dataclass(frozen=True)
class AnalysisView:
    seat: int = 0
    """The seat to act; the lines' scores are its."""
    figures: str = ""
    """Depth and nodes with engine details, or why nothing new comes."""
    lines: tuple[LineView, ...] = ()
    note: str = ""
    """Why there is nothing to show yet."""
    balance: Balance | None = None
    footing: str = ""
    """The expected score in words, shown where there is no winning chance."""
    proof: str = ""
    claim: str = ""
    """What is proved, with all conditions, as a sentence; "" for nothing."""
    opinion: OpinionView | None = None
    """The other engine's evaluation; None without another engine."""
    is_old: bool = False
    """Whether it is about an earlier position."""


def _as_analysis(best: Line, report: Report) -> Analysis:
    return Analysis(
        best.step, best.score, report.situation.seat, depth=report.depth, nodes=report.nodes,
        is_proven=best.is_proven, principal_variation=best.principal_variation,
    )  # fmt: skip


class Study:
    """The analysis of one session. ``tick`` is called about ten times a second, and at once when it ``is_due``."""

    def __init__(
        self,
        session: Session,
        analyst: Analyst,
        names: Sequence[str],
        seat_in_front: int | None,
        *,
        is_on: bool = False,
        opinion: SecondOpinion | None = None,
        proof: ProofBalance | None = None,
        is_by_proof: Callable[[], bool] = lambda: False,
    ) -> None:
        """:param seat_in_front: the seat whose winning chance is shown; None: the first.
        :param opinion: another engine's evaluation, shown as well.
        :param proof: computes winning chances by proof numbers.
        :param is_by_proof: whether to show these instead of the search's.
        """
        self.is_on = is_on
        self._session = session
        self._match = session.match
        self._analyst = analyst
        self._opinion = opinion
        self._proof, self._is_by_proof = proof, is_by_proof
        self._names = names
        self._you = only_person(session.match.seats)
        self._seat_in_front = seat_in_front or 0
        self._scores = Scores(self._match.game)
        self._weights = np.array(evaluation_of(self._match.game).WEIGHTS[STANDARD], np.float64)
        self._shares_processors = (os.cpu_count() or 1) > _FEW_PROCESSORS or not any(session.turn.is_person)
        self._studied: State | None = None  # the match's state that the analyst studies
        self._report: Report | None = None  # of that state
        self._seen: tuple[State, str | None] | None = None
        self._language = current_language()
        self.view = AnalysisView()
        self._cell_scores: Mapping[int, str] = {}
        self._scored_for: object = None

    def rename(self, names: Sequence[str]) -> None:
        """Write the view anew with *names*, in the present language; an earlier position's is dropped if it changed."""
        self._names = names
        self._report = self._seen = self._scored_for = None
        if self._language != current_language():
            self._language, self.view = current_language(), AnalysisView()

    @property
    def has_balance(self) -> bool:
        return len(self._match.seats) > 1

    @property
    def is_busy(self) -> bool:
        """Whether new results may come."""
        others = (self._opinion, self._proof)
        return self.is_on and (self._analyst.is_busy or any(one is not None and one.is_busy for one in others))

    @property
    def has_opinion(self) -> bool:
        return self._opinion is not None

    @property
    def is_due(self) -> bool:
        """Whether ``tick`` must come now: the position, or who may see it, has changed."""
        seen = self._seen
        return seen is None or seen[0] is not self._match.state or seen[1] != self._obstacle()

    def tick(self) -> bool:
        """Update the analysis, if it is on; return whether the view has changed."""
        if not self.is_on:
            return False
        obstacle = self._obstacle()
        self._seen = self._match.state, obstacle
        if obstacle is None:
            self._study()
            if self._proof is not None and self._is_by_proof():
                self._proof.ask(self._match.state, self._viewpoint)
            elif self._proof is not None:
                self._proof.stop()
        else:
            self._rest()
        return self._renew_view(obstacle)

    def switch(self, is_on: bool) -> None:
        self.is_on = is_on
        if not is_on:
            self._forget()

    def close(self) -> None:
        """End for good: the table is left."""
        self._forget()
        self._analyst.release()
        if self._opinion is not None:
            self._opinion.close()
            self._opinion = None  # which may hold half a gibibyte

    def _rest(self) -> None:
        self._analyst.rest()
        if self._opinion is not None:
            self._opinion.rest()
        if self._proof is not None:
            self._proof.stop()

    def _forget(self) -> None:
        self._rest()
        self._studied = self._report = self._seen = None
        self.view, self._cell_scores, self._scored_for = AnalysisView(), {}, None

    def _obstacle(self) -> str | None:
        """Return why the position is not studied, in words or as ""; None if it is studied."""
        session, match = self._session, self._match
        if match.ending is not None or match.mover == CHANCE:
            return ""
        if session.passes_to is not None:
            return _("The hands are hidden until the next player is ready.")
        if match.game.has_hidden_information and session.viewer != match.mover:
            if session.viewer == NOBODY:
                return _("All hands are hidden, so there is nothing to analyse.")
            return _("The hand of {name} is hidden.").format(name=self._names[match.mover])
        if not self._shares_processors and session.is_hinting:
            return _("paused until the hint is ready")
        is_computers = not session.turn.is_person[match.mover]
        if not self._shares_processors and is_computers and session.turn.due != "paused":
            return _("waiting for {name}").format(name=self._names[match.mover])
        return None

    def _study(self) -> None:
        match = self._match
        if self._studied is match.state and not self._analyst.is_resting:
            return
        if self._studied is not match.state:
            self._studied, self._report = match.state, None
        told = situation(match)
        self._analyst.study(match.game, told)
        if self._opinion is not None:
            self._opinion.ask(told)

    def _renew_view(self, obstacle: str | None) -> bool:
        before = self.view
        if obstacle is None:
            report = self._analyst.report()
            if report is not None and (report.lines or report.error):
                self._show_report(report)
            else:
                waiting = _("preparing …") if report is None or report.stage == "preparing" else ""
                self.view = self._without_news(waiting)
        elif self._match.ending is not None:
            self.view = replace(self._without_news(""), lines=(), balance=self._final_balance())
        else:
            self.view = self._without_news(obstacle)
        self.view = replace(self.view, opinion=self._opinion_view())
        return self.view != before

    def _opinion_view(self) -> OpinionView | None:
        """Return the other engine's evaluation; like our own, the old one stays until there is a new one."""
        opinion = self._opinion
        if opinion is None:
            return None
        found = opinion.found()
        if opinion.error:
            return OpinionView(opinion.name, translated(opinion.error))
        if found is None:
            old = self.view.opinion
            return old if self.view.is_old and old is not None else OpinionView(opinion.name)
        words = self._scores.shown(found.score)
        if found.depth and tells_details():
            words += " · " + _("depth {depth}").format(depth=found.depth)
        turns = self._names_in(self._match.state, found.principal_variation or (found.step,))
        return OpinionView(opinion.name, words, turns)

    def _without_news(self, note: str) -> AnalysisView:
        """Return the view of the earlier position, unless it would reveal a hidden hand."""
        session, view = self._session, self.view
        is_secret = self._match.game.has_hidden_information and session.viewer != view.seat
        if is_secret or not view.lines:
            return AnalysisView(note=note[:1].upper() + note[1:], balance=None if is_secret else view.balance)
        if self._report is not None and self._studied is self._match.state:
            return replace(view, figures=note or view.figures)
        return replace(view, figures=note, proof="", claim="", is_old=True)

    def _show_report(self, report: Report) -> None:
        known, self._report = self._report, report
        figures = ""
        if report.lines and tells_details():
            figures = _("depth {depth} · {nodes}").format(depth=report.depth, nodes=compact_count(report.nodes))
        is_same = known is not None and known.lines is report.lines and not self.view.is_old
        if is_same and known is not None and known.proof == report.proof and known.stage == report.stage:
            self.view = replace(self.view, figures=figures)
            return
        seat, state = report.situation.seat, report.situation.state
        balance = self._balance(report)
        best = report.best
        footing = ""
        if balance is None and best is not None:
            footing = _("expected score {score}").format(score=self._scores.text(best.score))
        self.view = AnalysisView(
            seat,
            figures,
            tuple(self._line_view(state, line) for line in report.lines[:MOST_LINES]),
            translated(report.error),
            balance,
            footing,
            self._proof_in_words(report),
            self._claim(report),
        )
        if best is not None and state is self._match.state:
            self._session.consider(_as_analysis(best, report))

    def _line_view(self, state: State, line: Line) -> LineView:
        turns = self._names_in(state, line.principal_variation or (line.step,))
        result = self._result_in_words(line) if line.is_proven else ""
        score = self._scores.shown(line.score)
        if result and line.score:
            score = _("win") if line.score > 0 else _("loss")  # the number of turns is in the result
        return LineView(score, turns, result)

    def _result_in_words(self, line: Line) -> str:
        distance = win_distance(line.score)
        if distance is None:
            return _("a draw") if line.score == 0 else ""
        return (_("wins in {n}") if distance > 0 else _("loses in {n}")).format(n=own_turns(distance))

    def _names_in(self, state: State, steps: Sequence[int]) -> tuple[TurnName, ...]:
        """Return the names of the turns in *steps*; with hidden hands only the first turn's."""
        most = 1 if self._match.game.has_hidden_information else MOST_TURNS
        return tuple(islice(names_in_line(self._match.game, state, steps), most))

    def _proof_in_words(self, report: Report) -> str:
        if report.is_proven and report.best:
            score, seat = report.best.score, report.situation.seat
            distance = report.win_distance
            if distance is not None:
                if seat == self._you:
                    words = _("proved: you win in {n}") if distance > 0 else _("proved: you lose in {n}")
                else:
                    words = _("proved: {name} wins in {n}") if distance > 0 else _("proved: {name} loses in {n}")
                return words.format(name=self._names[seat], n=own_turns(distance))
            winner = seat if score > 0 else self._rival(report.situation.state, seat)
            if abs(score) >= WIN_BOUND and winner is not None:
                return self._untimed_result(winner, report)
            return _("proved: draw") if score == 0 else _("proved")
        if report.proof is None:
            game = self._match.game
            can_be_proved = not game.has_chance and not game.has_hidden_information
            return _("not proved yet") if can_be_proved and tells_details() else ""
        proof, seat = report.proof, report.situation.seat
        is_you, name = seat == self._you, self._names[seat]
        if proof.result == "proved":
            return _("proved: you win") if is_you else _("proved: {name} wins").format(name=name)
        if proof.result == "disproved":
            return _("proved: no win for you") if is_you else _("proved: no win for {name}").format(name=name)
        if not tells_details():
            return ""
        return _("not proved yet (proof {proof}, disproof {disproof})").format(
            proof=compact_count(round(proof.pn)), disproof=compact_count(round(proof.dn))
        )

    def _claim(self, report: Report) -> str:
        """Return the proved result, with all conditions, as a sentence; "" for none, and with hidden hands."""
        game, asked, proof = self._match.game, report.situation, report.proof
        is_known = report.is_proven and report.best is not None
        if game.has_hidden_information or not (is_known or (proof is not None and proof.is_proof)):
            return ""
        state, before = asked.state, len(asked.came_twice)
        options = {name: shortened(value) for name, value in self._match.options.items()}
        conditions = conditions_of(game, options, state, asked.seat, chance="drawn", came_twice=before)
        conditions = replace(conditions, position=shortened(conditions.position))  # the board shows all of it
        if proof is not None and proof.is_proof and not is_known:
            return translated(result_said(proof.result, conditions))
        assert report.best is not None
        score, module = report.best.score, exact_of(game)
        distance = report.win_distance
        measure = Measure(None, None, None if distance is None else own_turns(distance))
        if module is not None and module.can_solve(state):
            measure = measure_of(module, state, score)
        return translated(exactly_said(value_of(score, state), measure, 0, conditions))

    def _untimed_result(self, winner: int, report: Report) -> str:
        """Return in words that *winner* wins at an unknown time, with the source of the proof if there is one."""
        words = _("proved: you win") if winner == self._you else _("proved: {name} wins")
        words = words.format(name=self._names[winner])
        module, state = exact_of(self._match.game), report.situation.state
        if report.best is None or module is None or not module.can_solve(state):
            return words
        source = measure_of(module, state, report.best.score).words
        return words if source is None else _("{words}, {source}").format(words=words, source=translated(source))

    @property
    def _viewpoint(self) -> int:
        """The seat whose winning chance is shown."""
        viewer = self._session.viewer
        return viewer if self._match.game.has_hidden_information and viewer != NOBODY else self._seat_in_front

    def _rival(self, state: State, seat: int) -> int | None:
        """Return the first seat of the other side; None unless there are two sides."""
        others = [other for other in range(len(self._match.seats)) if not allied(state, seat, other)]
        if others and all(allied(state, others[0], other) for other in others):
            return others[0]
        return None

    def _balance(self, report: Report) -> Balance | None:
        """Return the winning chance of the seat ``_viewpoint``; None for none."""
        best, state = report.best, report.situation.state
        if best is None:
            return self.view.balance
        if len(self._match.seats) == 1:
            return None
        seat = self._viewpoint
        score = self._score_for(seat, best, state)
        if score is None:
            return self.view.balance
        chance = winning_chance(score, self._scores.scale)
        proof = self._proof.chance if self._proof is not None and state is self._match.state else None
        rival, words, name = self._rival(state, seat), self._scores.shown(score), self._names[seat]
        return Balance(seat, rival, chance if proof is None else proof, words, name, is_by_proof=proof is not None)

    def _score_for(self, seat: int, line: Line, state: State) -> float | None:
        """Return the score of *line*, which is that of the seat to act, for *seat*; None if unknown."""
        to_act = int(mover(state))
        if allied(state, to_act, seat):
            return line.score
        if self._rival(state, to_act) is not None:
            return -line.score
        settled, turns = None, 0  # with more than two sides: evaluate the end of the line for *seat*
        for step in line.principal_variation:
            last, state = int(mover(state)), play(state, step)
            if is_over(state):
                won = payoff(state, seat)
                return math.copysign(WIN - turns - 1, won) if won else 0.0
            if int(mover(state)) not in (last, CHANCE):
                settled, turns = state, turns + 1
        return None if settled is None else float(evaluate(settled, seat, self._weights))

    def _final_balance(self) -> Balance | None:
        ending = self._match.ending
        if ending is None or len(ending.payoffs) == 1:
            return None
        seat = self._viewpoint
        outcome = ending.outcome(seat)
        chance = {"won": 1.0, "lost": 0.0}.get(outcome, 0.5)
        words = {"won": _("won"), "lost": _("lost")}.get(outcome, _("draw"))
        return Balance(seat, self._rival(self._match.state, seat), chance, words, self._names[seat])

    def cell_scores(self) -> Mapping[int, str]:
        """Return the best score through each cell that the person may point at; of many cells only for the best few."""
        report, turn = self._report, self._session.turn
        if not self.is_on or report is None or self._studied is not self._match.state or self.view.is_old:
            return {}
        if turn.due not in ("choosing", "completing") or self._obstacle():
            return {}
        wanted = (report.lines, turn.pointed)
        if wanted != self._scored_for:
            self._scored_for, self._cell_scores = wanted, self._best_scores(report)
        return self._cell_scores

    def _best_scores(self, report: Report) -> Mapping[int, str]:
        turn, match = self._session.turn, self._match
        candidates = frozenset(turn.candidates())
        at, best = len(turn.pointed), dict[int, tuple[float, bool]]()
        for line in report.lines:  # in their order, so that of equal cells those of the listed lines come first
            cells = match.rules.cells(match.state, line.step) if line.step in candidates else ()
            if len(cells) > at:
                score = line.score, line.step not in report.bounded
                best[cells[at]] = max(best.get(cells[at], (-math.inf, False)), score)
        shown = sorted((cell for cell, (_score, is_known) in best.items() if is_known), key=lambda cell: -best[cell][0])
        if len(turn.targets()) > MOST_SCORED_CELLS:
            shown = shown[:FEW_SCORED_CELLS]
        return {cell: self._scores.shown(best[cell][0]) for cell in shown}
