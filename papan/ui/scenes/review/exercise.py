"""Find the better move: exercises from positions of a reviewed match, on copies of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import pygame

from papan.ui.boards import BoardView
from papan.ui.play.exercise import Exercise, Verdict
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.turn_names import joined_turns, names_in_line, names_in_sentences
from papan.ui.scenes import Stage
from papan.ui.scenes.practice import PracticeScene, SideText
from papan.ui.scenes.services import Services
from papan.ui.texts import _, translated
from papan.ui.texts.wording import unbroken
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Item
from papan.ui.widgets.shortcuts import Shortcut

if TYPE_CHECKING:
    from papan.ai.reviews.coach import Coach
    from papan.ai.reviews.reviewer import Review

_SHOWN_LINE = 3


class ExerciseScene(PracticeScene):
    """The exercises of one review, one after the other."""

    practice: Exercise

    def __init__(
        self, stage: Stage, reviewed: ReviewedMatch, review: Review, turns: Sequence[int], seat: int, services: Services
    ) -> None:
        """:param turns: bad turns for which a better one is known; at least one.
        :param seat: the seat whose turns come first, if it has any.

        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        """
        self._reviewed = reviewed
        self._review = review
        self._services = services
        self._all_turns = list(turns)
        self._seats = sorted({self._seat_of(turn) for turn in turns})
        self.seat = seat if seat in self._seats else self._seats[0]
        """The seat whose turns are shown."""
        self.solved: set[int] = set()
        """The turns for which the person found the better one, or one as good."""
        self._coach: Coach | None = None
        self._judged_in_words: tuple[Verdict, str] | None = None
        """The reasons against the turn tried, and the verdict that they are for."""
        super().__init__(stage, reviewed.match.game, 0)

    def _seat_of(self, turn: int) -> int:
        return self._review.moments[turn].seat or 0

    @property
    def turns(self) -> list[int]:
        return [turn for turn in self._all_turns if self._seat_of(turn) == self.seat]

    @property
    def count(self) -> int:
        return len(self.turns)

    def practice_at(self, place: int) -> Exercise:
        return Exercise(self._reviewed, self._review.moments[self.turns[place]], self._services.replayer)

    def seat_in_front(self, view: BoardView) -> int | None:
        return self.seat if view.seat_behind is not None else self._reviewed.only_person

    def name_of(self, seat: int) -> str:
        return self._reviewed.names[seat]

    def build(self) -> None:
        self.title = _("Find the better move")
        self._judged_in_words = self._coach = None
        super().build()

    def _add_buttons(self) -> None:
        add = self.widgets.add
        items = [Item(str(seat), self._reviewed.names[seat]) for seat in self._seats]
        self._players = add(Segments(items, str(self.seat), self._choose_seat, name="players"))
        self._players.beside = _("Player")
        self._has_head = len(self._seats) > 1
        self._players.show(self._has_head)
        self._again = add(Button(_("Try again"), self.try_again, icon="undo", name="again"))
        self._best = add(Button(_("Show it"), self.show_answer, icon="eye", name="show"))
        self._add_previous_and_next()
        self._grid = ((self._again, self._best), (self._previous, self._next))

    def _place_side(self) -> None:
        super()._place_side()
        inner = self.side_inside
        self._players.place(pygame.Rect(inner.x, inner.y, inner.w, self.px(40)))

    def _state_seen(self) -> object:
        return super()._state_seen(), self.practice.verdict, self.practice.trouble, self.seat

    def _bring_in_line(self) -> None:
        exercise = self.practice
        if exercise.verdict is not None and exercise.verdict.is_solved:
            self.solved.add(exercise.moment.index)
        solved = sum(turn in self.solved for turn in self.turns)
        words = _("Position {number} of {count} · {solved} found")
        self.pill = words.format(number=self.place + 1, count=self.count, solved=solved)
        self.note, self.short_note = _("An exercise: the match itself stays as it is"), _("An exercise")
        self._again.enable(exercise.has_begun)
        self._best.enable(exercise.stage != "showing")

    def _choose_seat(self, seat: str) -> None:
        self.seat = int(seat)
        self.go_to(0)

    def shortcuts(self) -> Sequence[Shortcut]:
        return [
            *super().shortcuts(),
            Shortcut("S", _("show the better move"), self.show_answer),
            Shortcut("N", _("next position"), self._go_on),
            Shortcut("P", _("previous position"), self._go_back),
        ]

    def side_text(self) -> SideText:
        exercise = self.practice
        whose = self._whose(exercise)
        verdict = exercise.verdict
        if exercise.trouble:
            return SideText(whose, _("It can't be judged"), translated(exercise.trouble))
        if exercise.stage == "trying":
            request, detail = exercise.match.rules.prompt(
                exercise.match.state, exercise.turn.pointed[0] if exercise.turn.pointed else None
            )
            heading = _("What would have been better than {turn}?").format(turn=translated(exercise.played_name))
            parts = [f"{translated(request)}.", translated(detail)]
            return SideText(whose, heading, " ".join(part for part in parts if part))
        if exercise.stage == "judging":
            return SideText(whose, _("Checking your turn …"), "")
        if exercise.stage == "showing" or verdict is None:
            heading = _("This was better: {turn}").format(turn=self._best_in_words(exercise))
            return SideText(whose, heading, self._line(exercise))
        return self._judged(exercise, whose, verdict)

    def _whose(self, exercise: Exercise) -> str:
        number = exercise.moment.index
        if len(self._reviewed.names) == 1:
            return _("Turn {number}").format(number=number)
        return _("Turn {number}, {name}").format(number=number, name=self._reviewed.names[exercise.seat])

    def _best_in_words(self, exercise: Exercise) -> str:
        return translated(exercise.own_name_of(exercise.best_steps))

    def _line(self, exercise: Exercise) -> str:
        best = exercise.moment.best
        if best is None or len(best.line) < 2:
            return ""
        start = self._reviewed.states[exercise.start]
        turns = islice(names_in_line(exercise.match.game, start, best.steps), 1, _SHOWN_LINE)
        line = joined_turns(name.shown for name in turns)
        return _("The likely continuation was **{line}**.").format(line=line)

    def _judged(self, exercise: Exercise, whose: str, verdict: Verdict) -> SideText:
        name = translated(verdict.name)
        if verdict.kind == "best":
            return SideText(whose, _("{turn} is the best turn").format(turn=name), self._line(exercise), "good")
        if verdict.kind == "good":
            body = _("The review's own choice was **{turn}**.").format(turn=self._best_in_words(exercise))
            return SideText(whose, _("{turn} is as good as the best").format(turn=name), body, "good")
        heading = _("{turn} was played in the match") if verdict.kind == "played" else _("{turn} is not the best")
        if self._judged_in_words is None or self._judged_in_words[0] is not verdict:
            self._judged_in_words = verdict, self._reasons(exercise, verdict)
        return SideText(whose, heading.format(turn=name), self._judged_in_words[1], "bad")

    def _reasons(self, exercise: Exercise, verdict: Verdict) -> str:
        """Return what a bad turn allows and costs, without revealing the better turn."""
        from papan.ai.reviews.coach import Coach

        moment, match = verdict.moment, exercise.match
        if moment is None or moment.best is None:
            return ""
        if self._coach is None:
            self._coach = Coach(match.game, self._reviewed.names, names_in_sentences(match.game))
        if moment.chances:
            after = moment.chances[exercise.seat]
            before = min(1.0, after + moment.loss)
            words = _("Winning chance {after}; the best move kept {before}.")
            parts = [words.format(after=unbroken(after), before=unbroken(before))]
        else:
            words = _("It costs {share} of the expected score.")
            parts = [words.format(share=unbroken(moment.loss))]
        parts += [translated(allowed) for allowed in self._coach.allowed(moment, exercise.state_after_turn)]
        if moment.line and exercise.has_answer:
            answer = next(names_in_line(match.game, exercise.state_after_turn, moment.steps))
            parts.append(_("The answer is **{turn}**.").format(turn=answer.shown))
        return " ".join(parts)
