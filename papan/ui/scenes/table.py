"""The table: the board, and all that stands around it; what a person does there, and what time brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from papan.ai.thinking.opinion import second_opinion
from papan.game.setup import cell_in_words
from papan.ui.boards import BoardView, Picture, board_of
from papan.ui.drawing.theme import GAP, MARGIN, SMALLEST_PAGE
from papan.ui.play.advice import Advice
from papan.ui.play.proof_balance import ProofBalance
from papan.ui.play.session import Session, ShownStep, cells_of_last_turn
from papan.ui.play.study import Study
from papan.ui.scenes import IDLE_SECONDS, News, Scene, Stage
from papan.ui.scenes.hand_over import HandOver
from papan.ui.scenes.message import Message
from papan.ui.scenes.services import ALONE, Services
from papan.ui.scenes.table_actions import TableActions
from papan.ui.scenes.table_analysis import TableAnalysis
from papan.ui.scenes.table_animation import TableAnimation
from papan.ui.scenes.table_choices import TableChoices
from papan.ui.scenes.table_clock import TableClock
from papan.ui.scenes.table_column import TableColumn
from papan.ui.scenes.table_controls import TableControls
from papan.ui.scenes.table_ending import TableEnding
from papan.ui.scenes.table_foot import TableFoot
from papan.ui.scenes.table_guide import TableGuide
from papan.ui.scenes.table_header import TableHeader
from papan.ui.scenes.table_saving import TableSaving
from papan.ui.scenes.table_seats import TableSeats
from papan.ui.scenes.table_shortcuts import table_shortcuts
from papan.ui.scenes.table_sounds import TableSounds
from papan.ui.scenes.table_turns import TableTurns
from papan.ui.scenes.table_words import TableWords
from papan.ui.sounds import Cue
from papan.ui.texts import _, translated
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.shortcuts import DIGITS, Shortcut, is_way_out

_TOP = 66
_SIDE_WIDE, _SIDE_NARROW = 360, 296
_NARROW_BELOW = 1180
_COMPACT_BELOW = 900
"""The width of a page below which everything moves closer together."""
_SIDE_COMPACT, _COMPACT_TOP, _COMPACT_FOOT, _COMPACT_GAP = 240, 60, 62, 8
_FOOT_HEIGHT = 68
_FOOT_MOST_WIDTH = 820

_THINKING_FRAME = 1 / 60
_LIVE_SECONDS = 0.12
_STUDYING_SECONDS = 0.1
_CLOCK_SECONDS = 0.1
"""Seconds between two looks at a clock that runs."""


class TableScene(Scene):
    """One match being played."""

    def __init__(self, stage: Stage, session: Session, services: Services = ALONE) -> None:
        super().__init__(stage)
        self._services = services
        self.session = session
        self.match = session.match
        self.game = self.match.game
        self.view = self._new_view()
        self.clock = TableClock(stage, session)
        self.advice = Advice(self.match, services.adviser if services.advises else None, lambda: self.words.names)
        self.words = TableWords(session, lambda: stage.settings.analysis, self.advice)
        self.seats = TableSeats(stage, session, self.view, self.words)
        self.actions = TableActions(stage, session, services, lambda: self.words.names, self._board_for_file)
        self.ending = TableEnding(
            stage, session, services, lambda: self.words, self.open_review, self.actions.begin_again
        )
        explain = self.actions.explain if self.actions.can_explain else None
        self.analysis = TableAnalysis(stage, self._new_study(), lambda seat: self.seats.style(seat), explain)
        self.column = TableColumn(stage, self.ending, self.analysis)
        self.saving = TableSaving(stage, session)
        self.guide = TableGuide(stage, session, services)
        self.header = TableHeader(stage, self.match, services, (self.actions, self.analysis, self.saving))
        self.sounds = TableSounds(stage, session, self._cues, self.view.seat_in_front)
        self.animation = TableAnimation(stage, session, self.sounds)
        self.controls = TableControls(stage, session, self.sounds, self.actions)
        self.foot = TableFoot(stage, session, self.controls, lambda: self.words, lambda seat: self.seats.style(seat))
        self.turns = TableTurns(session, lambda seat: self.seats.player(seat))
        self._live_seconds = 0.0
        self._seen: object = None
        self._advised: object = None

    def _new_view(self) -> BoardView:
        view = board_of(self.match.game, self.stage.paint)
        persons = [seat for seat, is_person in enumerate(self.session.turn.is_person) if is_person]
        view.seat_in_front = persons[0] if len(persons) == 1 else None
        view.outlook = self.session.outlook % view.outlooks
        return view

    def _new_study(self) -> Study | None:
        if self._services.analyst is None:
            return None
        is_on = self.stage.settings.analysis
        return Study(
            self.session,
            self._services.analyst,
            self._names,
            self.view.seat_in_front,
            is_on=is_on,
            opinion=second_opinion(self.match.game, self.match.state),
            proof=self._new_proof(),
            is_by_proof=lambda: self.stage.settings.chance_by_proof,
        )

    def _new_proof(self) -> ProofBalance | None:
        if not ProofBalance.suits(self.match.game, self.match.state):
            return None
        return ProofBalance(self.match.game, self._services.replayer)

    @property
    def _names(self) -> list[str]:
        """The players' names, in the language chosen."""
        return self.words.names

    # ------------------------------------------------------------------------------- building

    def build(self) -> None:
        self.view = self._new_view()  # in the look, and the language, that may have been chosen meanwhile
        self.words = TableWords(self.session, lambda: self.stage.settings.analysis, self.advice)
        self.seats = TableSeats(self.stage, self.session, self.view, self.words)
        self.analysis.rename(self._names)
        self._board = self.widgets.add(
            BoardWidget(
                self.view,
                self.picture,
                self._point,
                self._point_by_arrow,
                in_words=partial(cell_in_words, self.match.game),
            )
        )
        self.guide.build(self.widgets)
        self.controls.build(self.widgets)
        self.foot.build(self.widgets)
        self.turns.build(self.widgets)
        self.seats.build(self.widgets)
        self.controls.build_for_end(self.widgets, self.open_review, self._show_last_again)
        turn_board = self.turn_board if self.view.outlooks > 1 else None
        self.header.build(self.widgets, self.back, self.open_review, self.toggle_analysis, turn_board)
        self.ending.build(self.widgets)
        self.column.build(self.widgets, self.seats, self.turns.list)
        self.analysis.build(self.widgets)
        self.saving.build(self.widgets)
        self._choices = TableChoices(self.widgets, self._board, self.view, self.session)
        self._seen = None
        self.widgets.focus(self._board)
        self._refresh()

    def page_height(self, width: int) -> int:
        return self.px(SMALLEST_PAGE[1])

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        margin, gap = px(MARGIN), px(GAP)
        self.header.place(area)
        if area.w < px(_COMPACT_BELOW):
            self._lay_out_compactly(area)
            return
        side_width = px(_SIDE_NARROW if area.w < px(_NARROW_BELOW) else _SIDE_WIDE)
        side = pygame.Rect(area.right - margin - side_width, px(_TOP), side_width, area.bottom - margin - px(_TOP))
        self.column.place(side)
        left_width = side.x - gap - margin
        width = min(left_width, px(_FOOT_MOST_WIDTH))
        foot = pygame.Rect(0, 0, width, px(_FOOT_HEIGHT))
        foot.midbottom = (margin + left_width // 2, area.bottom - margin)
        board_area = pygame.Rect(margin, px(_TOP), left_width, foot.y - gap - px(_TOP))
        self.foot.place(foot)
        self._choices.place(self.analysis.place_bar(self.guide.place(board_area)))

    def _lay_out_compactly(self, area: pygame.Rect) -> None:
        """Give the status line, and hints to beginners, the whole width: the board has the height that is left."""
        px = self.px
        margin, gap = px(MARGIN), px(_COMPACT_GAP)
        width = area.w - 2 * margin
        foot = pygame.Rect(margin, area.bottom - gap - px(_COMPACT_FOOT), width, px(_COMPACT_FOOT))
        self.foot.place(foot)
        middle = pygame.Rect(margin, px(_COMPACT_TOP), width, foot.y - gap - px(_COMPACT_TOP))
        middle = self.guide.place(middle)
        side_width = px(_SIDE_COMPACT)
        self.column.place(pygame.Rect(middle.right - side_width, middle.y, side_width, middle.h))
        board_area = pygame.Rect(middle.x, middle.y, middle.w - side_width - gap, middle.h)
        self._choices.place(self.analysis.place_bar(board_area))

    # --------------------------------------------------------------------------------- time

    def enter(self) -> None:
        if self.session.turn.due == "settling":
            self.session.begin()
        self._refresh()

    def leave(self) -> None:
        self.clock.keep()
        self.ending.stop()
        self.advice.close()
        self.analysis.leave()
        self.session.close()

    def dismantle(self) -> None:
        self.analysis.dismantle()
        super().dismantle()

    @property
    def is_animating(self) -> bool:
        return self.session.showing is not None or self.ending.replay is not None

    @property
    def idle_seconds(self) -> float:
        if self.session.turn.due == "thinking" or self.session.is_hinting:
            return _THINKING_FRAME
        if self.session.clock is not None and self.session.clock.running is not None:
            return _CLOCK_SECONDS
        return _STUDYING_SECONDS if self.analysis.is_busy else IDLE_SECONDS

    def update(self, seconds: float) -> None:
        self.session.tick(is_seen=self.stage.scene is self)
        self.animation.advance(seconds, self.view.duration)
        self._look_for_advice()
        self.clock.update()
        if self.ending.update(seconds, self.view.duration) | self.guide.update():
            self.layout(self.area)
            self.invalidate()
        self.foot.pass_time(seconds)
        self._live_seconds += seconds
        clock = self.session.clock
        is_busy = self.session.turn.due == "thinking" or self.session.is_hinting
        is_busy |= clock is not None and clock.running is not None
        if is_busy and self._live_seconds >= _LIVE_SECONDS:
            self._live_seconds = 0.0
            self.seats.show()
        self._refresh()
        self.sounds.update()
        self.header.update()
        if self.saving.update():
            self.header.place(self.area)
            self.invalidate()
        if self.analysis.update(seconds):
            self.invalidate()
        if self.session.passes_to is not None and self.stage.scene is self:
            name = self.words.names[self.session.passes_to]
            self.stage.push(HandOver(self.stage, name, self.session.take_screen, self.back))
        if self.session.trouble and self.stage.scene is self:
            trouble, self.session.trouble = self.session.trouble, None
            self.stage.push(Message(self.stage, _("Something went wrong"), trouble, icon="warning"))

    def _look_for_advice(self) -> None:
        """Have it found out what matters now, and say it once it is known."""
        session = self.session
        self.advice.look(is_persons=session.turn.due in ("choosing", "completing"))
        self.advice.explain(session.hinted[0] if session.hinted else None)
        if self.advice.version != self._advised:
            self._advised = self.advice.version
            self.invalidate()

    def _cues(self, showing: ShownStep) -> Sequence[Cue]:
        """The board's cues for a step, as the viewer may see it."""
        before, after = (self.session.visible_state(state) for state in (showing.before, showing.after))
        return self.view.cues(before, showing.step, after)

    def _refresh(self) -> None:
        """Bring widgets in line with the session, if it has changed."""
        turn = self.session.turn
        seen = (
            turn.due, turn.is_paused, turn.pointed, len(self.match.steps), self.match.state, self.match.can_redo,
            self.session.hint, self.session.is_hinting, self.session.showing, self.session.viewer,
            self.session.is_watching and self.words.status(), self.match.conclusion,
        )  # fmt: skip
        if seen == self._seen:
            return
        self._seen = seen
        self.turns.show()
        self.seats.show()
        self.foot.show()
        self._choices.offer()
        self.invalidate()

    # ------------------------------------------------------------------------------ looking

    def picture(self) -> Picture:
        """The picture that the board shows now."""
        session, turn = self.session, self.session.turn
        moving = self.animation.moving
        if moving is not None:
            return Picture(moving.before, moving=moving)
        if self.ending.replay is not None and self.ending.replay.picture is not None:
            return self.ending.replay.picture
        hint = self.guide.cells
        if session.hint is not None:
            hint = self.match.rules.cells(self.match.state, session.hint)
        shows_targets = self.stage.settings.show_legal_steps and session.passes_to is None
        return Picture(
            session.visible_state(self.match.state),
            targets=turn.targets() if shows_targets else frozenset(),
            chosen=turn.pointed[0] if turn.pointed else None,
            last=self._last_cells(),
            hint=hint,
            marks=self.analysis.cell_scores(),
        )

    def _last_cells(self) -> tuple[int, ...]:
        """The cells of the last turn that was completed."""
        # Not the turns that are shown: in the frame in which some are taken back, those are still there.
        return cells_of_last_turn(self.match, self.match.turns())

    def news(self) -> Sequence[News]:
        """The turn that was played, and what is expected of whom: of persons, and once it is over."""
        due = self.session.turn.due
        is_told = self.session.showing is None and due not in ("thinking", "settling", "animating")
        view = self.foot.view()
        return (
            News(translated(self.match.game.title)),
            self.turns.news(),
            News(f"{view.request}. {view.detail}" if is_told else ""),
            News(self.guide.text),
        )

    def draw(self, surface: pygame.Surface) -> None:
        self.header.draw(surface, self.words.subtitle())
        self.foot.draw(surface)
        self.ending.draw(surface)
        self.guide.draw(surface)

    def _board_for_file(self) -> Callable[[], pygame.Surface]:
        """What draws the board as it stands now, without marks of what could be played."""
        view, size, background = self._new_view(), self.area.size, self.theme.background
        view.layout(self.view.area)
        picture = Picture(self.session.visible_state(self.match.state), last=self._last_cells())

        def draw() -> pygame.Surface:
            surface = pygame.Surface(size)
            surface.fill(background)
            view.draw(surface, picture)
            return surface.subsurface(view.area.clip(surface.get_rect())).copy()

        return draw

    # ------------------------------------------------------------------------------- acting

    def _point(self, cell: int) -> None:
        if self.animation.cut_short() or self.ending.skip():
            return
        refusal = self.session.point(cell)
        self.sounds.pointed(refusal)
        self.foot.refuse(refusal)
        self._refresh()
        self.invalidate()

    def _point_by_arrow(self, cell: int) -> None:
        """Point at *cell* by an arrow key that plays by itself: it waits for no animation."""
        self.animation.skip_all()
        self._point(cell)

    def open_review(self, turn: int | None = None) -> None:
        """Review what has been played, from *turn* on; the match waits."""
        from papan.ui.scenes.review import ReviewScene

        session = self.session
        review = ReviewScene(self.stage, self.match, session.viewer, self._services, session.number)
        self.stage.push(review)
        if turn is not None:
            review.go_to(turn)

    def _show_last_again(self) -> None:
        self.ending.play_again(self.view.duration)

    def key_first(self, event: pygame.event.Event) -> bool:
        """Any key but those that lead away ends the replay of the last turn."""
        return super().key_first(event) or (not is_way_out(event) and self.ending.skip())

    def _confirm(self) -> bool:
        """Play a turn that waits for it; False where none does, or the keyboard is elsewhere."""
        if self.session.turn.due != "confirming" or self.widgets.focused not in (self._board, None):
            return False
        self.session.turn.confirm()
        return True

    def turn_board(self) -> None:
        """Look at the board in the next way."""
        self.session.outlook = (self.view.outlook + 1) % self.view.outlooks
        self._board.look(self.session.outlook)
        self.layout(self.area)

    def toggle_analysis(self) -> None:
        self.analysis.switch()
        self.layout(self.area)
        self.invalidate()

    def toggle_proof(self) -> None:
        """Have winning chances told by proof numbers, or by the search again."""
        self.actions.toggle_proof()
        self.invalidate()

    def back(self) -> None:
        if self.session.turn.pointed:
            self.session.turn.let_go()
        else:
            self.stage.pop(self)

    def shortcuts(self) -> Sequence[Shortcut]:
        return [
            Shortcut("Enter", _("play the turn that waits for it"), self._confirm, comes_first=True),
            Shortcut("Enter  Space", _("show the next at once"), self.animation.cut_short),
            Shortcut(DIGITS, _("choose what is offered by name"), self._choices.choose_place),
            *table_shortcuts(self, self.controls, self.actions, self.header),
        ]
