"""Find the better move: positions of a reviewed match in which a person looks for what would have been better.

Everything happens on copies of the match, which is said all the time; the way back leads to the review.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pygame

from papan.ui.boards import BoardView
from papan.ui.play.exercise import Exercise
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes import Stage
from papan.ui.scenes.exercise_words import ExerciseWords
from papan.ui.scenes.services import Services
from papan.ui.scenes.trial import Said, TrialScene
from papan.ui.texts import _
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Item
from papan.ui.widgets.shortcuts import Shortcut

if TYPE_CHECKING:
    from papan.ai.reviews.reviewer import Review


class ExerciseScene(TrialScene):
    """The positions of some turns, one after the other."""

    def __init__(
        self,
        stage: Stage,
        reviewed: ReviewedMatch,
        review: Review,
        turns: Sequence[int],
        seat: int,
        services: Services,
    ) -> None:
        """:param turns: the turns that were bad, each with a better one known; at least one.
        :param seat: whose turns come first, if it has any among them.

        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        """
        self._reviewed = reviewed
        self._review = review
        self._services = services
        self._all_turns = list(turns)
        self._seats = sorted({self._seat_of(turn) for turn in turns})
        self.seat = seat if seat in self._seats else self._seats[0]
        """Whose turns are looked at."""
        self.place = 0
        """The place of the position among those of the seat."""
        self.solved: set[int] = set()
        """The turns for which the better one, or one as good, was found."""
        self.words = ExerciseWords(reviewed, review)
        super().__init__(stage, reviewed.match.game, self._exercise_at(0))
        self.title = _("Find the better move")

    def _seat_of(self, turn: int) -> int:
        return self._review.moments[turn].seat or 0

    def _exercise_at(self, place: int) -> Exercise:
        return Exercise(self._reviewed, self._review.moments[self.turns[place]], self._services.replayer)

    @property
    def exercise(self) -> Exercise:
        """The exercise on the board."""
        assert isinstance(self.trial, Exercise)
        return self.trial

    @property
    def turns(self) -> list[int]:
        """The turns to try again, of the seat chosen."""
        return [turn for turn in self._all_turns if self._seat_of(turn) == self.seat]

    def seat_in_front(self, view: BoardView) -> int | None:
        return self.seat if view.seat_behind is not None else self._reviewed.only_person

    @property
    def header_pill(self) -> str:
        solved = sum(turn in self.solved for turn in self.turns)
        return _("Position {number} of {count} · {solved} found").format(
            number=self.place + 1, count=len(self.turns), solved=solved
        )

    @property
    def note(self) -> str:
        return _("An exercise: the match itself stays as it is")

    @property
    def short_note(self) -> str:
        return _("An exercise")

    def name_of(self, seat: int) -> str:
        return self._reviewed.names[seat]

    def said(self) -> Said:
        return self.words.said(self.exercise)

    # -------------------------------------------------------------------------------------- building

    def build(self) -> None:
        self.title = _("Find the better move")
        self.words.forget_language()
        super().build()

    def _add_buttons(self) -> None:
        add = self.widgets.add
        items = [Item(str(seat), self._reviewed.names[seat]) for seat in self._seats]
        self._players = add(Segments(items, str(self.seat), self._choose_seat, name="players"))
        self._players.beside = _("Player")
        self._players.show(len(self._seats) > 1)
        self._again = add(Button(_("Try again"), self.try_again, icon="undo", name="again"))
        self._best = add(Button(_("Show it"), self.show_best, icon="eye", name="show"))
        self._previous = add(Button(_("Previous"), self._go_back, sign="previous", name="previous"))
        self._next = add(Button(_("Next"), self._go_on, sign="next", kind="primary", name="next"))
        self._grid = ((self._again, self._best), (self._previous, self._next))

    @property
    def _has_head(self) -> bool:
        return self._players.is_visible

    def _place_side(self) -> None:
        super()._place_side()
        inner = self.side_inside
        self._players.place(pygame.Rect(inner.x, inner.y, inner.w, self.px(40)))

    def _state_seen(self) -> object:
        exercise = self.exercise
        return super()._state_seen(), exercise.verdict, exercise.trouble, self.place, self.seat

    def _bring_in_line(self) -> None:
        exercise = self.exercise
        if exercise.verdict is not None and exercise.verdict.is_solved:
            self.solved.add(exercise.moment.index)
        self._again.enable(exercise.has_begun)
        self._best.enable(exercise.stage != "showing")
        self._previous.enable(self.place > 0)
        is_last = self.place == len(self.turns) - 1
        self._next.relabel(_("Done") if is_last else _("Next"))

    # ---------------------------------------------------------------------------------------- acting

    def try_again(self) -> None:
        """Set the position up again."""
        self._begin(self.exercise.try_again)

    def show_best(self) -> None:
        """Have the better turn played."""
        self._begin(self.exercise.show_best)

    def _go_on(self) -> None:
        if self.place == len(self.turns) - 1:
            self.back()
        else:
            self.go_to(self.place + 1)

    def _go_back(self) -> None:
        if self.place > 0:
            self.go_to(self.place - 1)

    def go_to(self, place: int) -> None:
        """Set up the position of this *place* among those of the seat."""
        self.place = min(len(self.turns) - 1, max(0, place))
        self._take_up(self._exercise_at(self.place))

    def _choose_seat(self, seat: str) -> None:
        self.seat = int(seat)
        self.go_to(0)

    def shortcuts(self) -> Sequence[Shortcut]:
        return [
            *super().shortcuts(),
            Shortcut("S", _("show the better move"), self.show_best),
            Shortcut("N", _("next position"), self._go_on),
            Shortcut("P", _("previous position"), self._go_back),
        ]
