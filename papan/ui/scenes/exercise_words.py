"""The words of an exercise: whose turn it is to find, and what the one that was tried is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.ui.play.exercise import Exercise, Verdict
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes.review_words import unbroken
from papan.ui.scenes.trial import Said
from papan.ui.texts import _, translated

if TYPE_CHECKING:
    from papan.ai.reviews.coach import Coach
    from papan.ai.reviews.reviewer import Review

_SHOWN_LINE = 3


class ExerciseWords:
    """The words on the exercises of one review."""

    def __init__(self, reviewed: ReviewedMatch, review: Review) -> None:
        self._reviewed = reviewed
        self._review = review
        self._coach: Coach | None = None
        self._kept: tuple[Verdict, str] | None = None

    def forget_language(self) -> None:
        """Say everything anew: the language may be another one."""
        self._kept = None

    def said(self, exercise: Exercise) -> Said:
        """What is to be said now."""
        whose = self._whose(exercise)
        verdict = exercise.verdict
        if exercise.trouble:
            return Said(whose, _("It can't be judged"), exercise.trouble)
        if exercise.stage == "trying":
            request, detail = exercise.match.rules.prompt(
                exercise.match.state, exercise.turn.pointed[0] if exercise.turn.pointed else None
            )
            heading = _("What would have been better than {turn}?").format(turn=translated(exercise.played_name))
            parts = [f"{translated(request)}.", translated(detail)]
            return Said(whose, heading, " ".join(part for part in parts if part))
        if exercise.stage == "judging":
            return Said(whose, _("Looking at it …"), "")
        if exercise.stage == "showing" or verdict is None:
            return Said(whose, _("This was better: {turn}").format(turn=self._best(exercise)), self._line(exercise))
        return self._judged(exercise, whose, verdict)

    def _whose(self, exercise: Exercise) -> str:
        number = exercise.moment.index
        if len(self._reviewed.names) == 1:
            return _("Turn {number}").format(number=number)
        return _("Turn {number}, {name}").format(number=number, name=self._reviewed.names[exercise.seat])

    def _best(self, exercise: Exercise) -> str:
        return translated(exercise.own_name_of(exercise.best_steps))

    def _line(self, exercise: Exercise) -> str:
        """The line that was expected after the better turn."""
        best = exercise.moment.best
        if best is None or len(best.line) < 2:
            return ""
        return _("It would have gone on with **{line}**.").format(line=" ".join(best.line[1:_SHOWN_LINE]))

    def _judged(self, exercise: Exercise, whose: str, verdict: Verdict) -> Said:
        if verdict.kind == "best":
            heading = _("{turn} is the best turn").format(turn=translated(verdict.name))
            return Said(whose, heading, self._line(exercise), "good")
        if verdict.kind == "good":
            heading = _("{turn} is as good as the best").format(turn=translated(verdict.name))
            body = _("The review's own choice was **{turn}**.").format(turn=self._best(exercise))
            return Said(whose, heading, body, "good")
        if verdict.kind == "played":
            heading = _("{turn} is what was played").format(turn=translated(verdict.name))
        else:
            heading = _("{turn} is not the best").format(turn=translated(verdict.name))
        return Said(whose, heading, self._why_not(exercise, verdict), "bad")

    def _why_not(self, exercise: Exercise, verdict: Verdict) -> str:
        """What a bad turn allows, and what it costs; never the better turn itself."""
        if self._kept is None or self._kept[0] is not verdict:
            self._kept = verdict, self._reasons(exercise, verdict)
        return self._kept[1]

    def _reasons(self, exercise: Exercise, verdict: Verdict) -> str:
        from papan.ai.reviews.coach import Coach

        moment, match = verdict.moment, exercise.match
        if moment is None or moment.best is None:
            return ""
        if self._coach is None:
            self._coach = Coach(match.game, self._reviewed.names)
        if moment.chances:
            after = moment.chances[exercise.seat]
            before = min(1.0, after + moment.loss)
            words = _("It keeps a winning chance of {after} where {before} were to be had.")
            parts = [words.format(after=unbroken(after), before=unbroken(before))]
        else:
            words = _("It gives away {share} of the score to be expected.")
            parts = [words.format(share=unbroken(moment.loss))]
        parts += [translated(allowed) for allowed in self._coach.allowed(moment, exercise.state_after_turn)]
        if moment.line and exercise.has_answer:
            parts.append(_("The answer is **{turn}**.").format(turn=moment.line[0]))
        return " ".join(parts)
