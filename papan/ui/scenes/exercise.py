"""Find the better move: positions of a reviewed match in which a person looks for what would have been better.

Everything happens on copies of the match, which is said all the time; the way back leads to the review.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pygame

from papan.ui.boards import Moving, Picture, board_of
from papan.ui.drawing.theme import GAP, MARGIN
from papan.ui.play.exercise import Exercise
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes import IDLE_SECONDS, Stage
from papan.ui.scenes.exercise_words import ExerciseWords
from papan.ui.scenes.header import HeaderScene
from papan.ui.scenes.review_board import draw_exercise_frame
from papan.ui.scenes.review_coach import tone_ink
from papan.ui.scenes.services import Services
from papan.ui.scenes.table_choices import TableChoices
from papan.ui.texts import _, translated
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Item

if TYPE_CHECKING:
    from papan.ai.review import Review

_TOP = 68
_SIDE, _SIDE_BOUNDS = 0.3, (330, 440)
_PADDING = 18
_NOTE_HEIGHT = 44
_BUTTON_GAP = 8
_BODY_LINES = 8
_JUDGING_SECONDS = 0.05


class ExerciseScene(HeaderScene):
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
        super().__init__(stage)
        self.game = reviewed.match.game
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
        self.exercise = Exercise(reviewed, review.moments[self.turns[0]], services.replayer)
        self.words = ExerciseWords(reviewed, review)
        self.title = _("Find the better move")
        self.refusal = ""
        """Why what was pointed at last makes no turn, in a sentence."""
        self._progress = 0.0
        self._seen: object = None
        self._board_panel = self._side = self._note = pygame.Rect(0, 0, 0, 0)
        self._new_view()

    def _seat_of(self, turn: int) -> int:
        return self._review.moments[turn].seat or 0

    @property
    def turns(self) -> list[int]:
        """The turns to try again, of the seat chosen."""
        return [turn for turn in self._all_turns if self._seat_of(turn) == self.seat]

    def _new_view(self) -> None:
        self.view = board_of(self._reviewed.match.game, self.stage.paint)
        self.view.seat_in_front = self.seat if self.view.seat_behind is not None else self._reviewed.only_person

    # -------------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        self.title = _("Find the better move")
        self._new_view()
        self.words.forget_language()
        add = self.widgets.add
        self._board = add(BoardWidget(self.view, self.picture, self._point, self._point_by_arrow))
        items = [Item(str(seat), self._reviewed.names[seat]) for seat in self._seats]
        self._players = add(Segments(items, str(self.seat), self._choose_seat, name="players"))
        self._players.show(len(self._seats) > 1)
        self._again = add(Button(_("Try again"), self.try_again, icon="undo", name="again"))
        self._best = add(Button(_("Show it"), self.show_best, icon="eye", name="show"))
        self._previous = add(Button(_("Previous"), self._go_back, name="previous"))
        self._next = add(Button(_("Next"), self._go_on, kind="primary", name="next"))
        self._choices = TableChoices(self.widgets, self._board, self.view, self.exercise)
        self.widgets.focus(self._board, by_keyboard=False)
        self._seen = None
        self._refresh()

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        margin, gap = px(MARGIN), px(GAP)
        width = round(min(px(_SIDE_BOUNDS[1]), max(px(_SIDE_BOUNDS[0]), area.w * _SIDE)))
        top, bottom = px(_TOP), area.bottom - px(16)
        self._side = pygame.Rect(area.right - margin - width, top, width, bottom - top)
        self._board_panel = pygame.Rect(margin, top, self._side.x - gap - margin, bottom - top)
        self._note = pygame.Rect(self._board_panel.x, self._board_panel.y, self._board_panel.w, px(_NOTE_HEIGHT))
        inner = self._board_panel.inflate(-2 * px(16), -2 * px(14))
        inner.h -= self._note.bottom - inner.y
        inner.y = self._note.bottom
        self._place_side()
        self._choices.place(inner)

    def _place_side(self) -> None:
        px, inner = self.px, self._side.inflate(-2 * self.px(_PADDING), -2 * self.px(_PADDING))
        gap, height = px(_BUTTON_GAP), px(40)
        half = (inner.w - gap) // 2
        lower, upper = inner.bottom - height, inner.bottom - 2 * height - gap
        for column, pair in enumerate(((self._again, self._previous), (self._best, self._next))):
            for button, row in zip(pair, (upper, lower), strict=True):
                button.place(pygame.Rect(inner.x + column * (half + gap), row, half, height))
        self._players.place(pygame.Rect(inner.x, inner.y, inner.w, height))

    # ------------------------------------------------------------------------------------------ time

    def leave(self) -> None:
        self.exercise.close()

    @property
    def is_animating(self) -> bool:
        return self.exercise.showing is not None

    @property
    def idle_seconds(self) -> float:
        return _JUDGING_SECONDS if self.exercise.stage == "judging" else IDLE_SECONDS

    def update(self, seconds: float) -> None:
        self.exercise.tick()
        showing = self.exercise.showing
        if showing is not None:
            speed = self.stage.animation_speed
            duration = self.view.duration(showing.before, showing.step, showing.after)
            self._progress = min(1.0, self._progress + (seconds * speed / duration if duration and speed else 1.0))
            if self._progress == 1.0:
                self._finish_showing()
        self._refresh()

    def _finish_showing(self) -> None:
        self._progress = 0.0
        self.exercise.finish_showing()
        self.invalidate()

    def _refresh(self) -> None:
        """Bring the widgets in line with the exercise, if it has changed."""
        exercise = self.exercise
        turn = exercise.turn
        seen = (
            exercise.stage, exercise.verdict, exercise.trouble, exercise.showing, turn.pointed, turn.due,
            self.place, self.seat, self.refusal,
        )  # fmt: skip
        if seen == self._seen:
            return
        self._seen = seen
        if exercise.verdict is not None and exercise.verdict.is_solved:
            self.solved.add(exercise.moment.index)
        has_begun = exercise.stage != "trying" or bool(exercise.turn.pointed)
        self._again.enable(has_begun or len(exercise.match.steps) > exercise.start)
        self._best.enable(exercise.stage != "showing")
        self._previous.enable(self.place > 0)
        is_last = self.place == len(self.turns) - 1
        self._next.relabel(_("Done") if is_last else _("Next"))
        self._choices.offer()
        self.invalidate()

    # --------------------------------------------------------------------------------------- showing

    def picture(self) -> Picture:
        """The picture that the board shows now."""
        exercise = self.exercise
        shown = exercise.showing
        if shown is not None:
            before, after = exercise.visible_state(shown.before), exercise.visible_state(shown.after)
            return Picture(before, moving=Moving(before, shown.step, after, min(1.0, self._progress)))
        shows_targets = exercise.person_is_due and self.stage.settings.show_legal_steps
        return Picture(
            exercise.visible_state(exercise.match.state),
            targets=exercise.turn.targets() if shows_targets else frozenset(),
            chosen=exercise.turn.pointed[0] if exercise.turn.pointed else None,
            last=exercise.tried_cells,
        )

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.px
        solved = sum(turn in self.solved for turn in self.turns)
        pill = _("Position {number} of {count} · {solved} found").format(
            number=self.place + 1, count=len(self.turns), solved=solved
        )
        self.draw_header(surface, pill, self.area.right - px(MARGIN))
        for panel in (self._board_panel, self._side):
            paint.panel(surface, panel)
        draw_exercise_frame(paint, surface, self._board_panel)
        at = (self._note.x + px(16), self._note.centery)
        text = _("An exercise: the match itself stays as it is")
        width = self._note.w - 2 * px(16)
        paint.pill(surface, text, at, fill=theme.accent_soft, ink=theme.accent, width=width, icon="info")
        self._draw_words(surface)

    def _draw_words(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.px
        inner = self._side.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        top = inner.y + (px(54) if self._players.is_visible else 0)
        said = self.words.said(self.exercise)
        style = self.view.seat_style(self.exercise.match.state, self.seat)
        paint.badge(surface, (inner.x + px(12), top + px(12)), px(12), style)
        whose = (inner.x + px(34), top + px(12))
        paint.text(surface, said.whose, whose, "small", theme.second, anchor="midleft", width=inner.w - px(34))
        top += px(38)
        heading = pygame.Rect(inner.x, top, inner.w, 0)
        ink = tone_ink(paint, said.tone)
        top += paint.paragraph(surface, said.heading, heading, "heading", ink, most_lines=3) + px(8)
        room = max(1, (self._again.rect.y - px(12) - top) // paint.line_height("text"))
        lines = min(_BODY_LINES, room)
        if self.refusal:
            refusal = pygame.Rect(inner.x, top, inner.w, 0)
            paint.paragraph(surface, translated(self.refusal), refusal, "text", theme.bad_ink, most_lines=lines)
            return
        paint.paragraph(surface, said.body, pygame.Rect(inner.x, top, inner.w, 0), "text", theme.ink, most_lines=lines)

    # ---------------------------------------------------------------------------------------- acting

    def _cut_short(self) -> bool:
        """End the showing of a step; returns whether one was shown."""
        had_more = self.exercise.showing is not None
        if had_more:
            self._finish_showing()
        return had_more

    def _point(self, cell: int) -> None:
        if not self._cut_short():
            self.refusal = self.exercise.point(cell) or ""
            self._refresh()

    def _point_by_arrow(self, cell: int) -> None:
        while self.exercise.showing is not None:
            self._finish_showing()
        self._point(cell)

    def try_again(self) -> None:
        """Set the position up again."""
        self._begin(self.exercise.try_again)

    def show_best(self) -> None:
        """Have the better turn played."""
        self._begin(self.exercise.show_best)

    def _begin(self, begin: Callable[[], object]) -> None:
        self.refusal, self._progress = "", 0.0
        begin()
        self.widgets.focus(self._board, by_keyboard=self.widgets.shows_focus)
        self._refresh()

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
        self.exercise.close()
        self.place = min(len(self.turns) - 1, max(0, place))
        self.refusal, self._progress = "", 0.0
        self.exercise = Exercise(self._reviewed, self._review.moments[self.turns[self.place]], self._services.replayer)
        self.stage.rebuild(self)

    def _choose_seat(self, seat: str) -> None:
        self.seat = int(seat)
        self.go_to(0)

    def back(self) -> None:
        if self.exercise.person_is_due and self.exercise.turn.pointed:
            self.exercise.turn.let_go()
            self._refresh()
        else:
            self.stage.pop(self)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.KEYDOWN:
            return False
        if event.key in (pygame.K_RETURN, pygame.K_SPACE) and self._cut_short():
            return True
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            if event.key != pygame.K_z:
                return False
            self.try_again()
            return True
        acts: dict[int, Callable[[], object]] = {
            pygame.K_r: self.try_again,
            pygame.K_s: self.show_best,
            pygame.K_n: self._go_on,
            pygame.K_p: self._go_back,
        }
        act = acts.get(event.key)
        if act is not None:
            act()
            return True
        return self._choices.key(event.key)

    def keys(self) -> Sequence[tuple[str, str]]:
        plays_by_arrow = self.view.cell_of_arrow("up") is not None
        return [
            (_("Arrows"), _("play") if plays_by_arrow else _("move over the board")),
            (_("Enter"), _("choose the cell")),
            ("1 … 9, 0", _("choose what is offered by name")),
            ("R  Ctrl+Z", _("try again")),
            ("S", _("show the better move")),
            ("N  P", _("next position, previous one")),
        ]
