"""The table: the board, the seats, the turns, and one sentence that always says what is expected of whom."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from papan.ai.engines.opinion import second_opinion
from papan.game.match import Turn
from papan.game.rules import CHANCE, mover
from papan.ui.boards import BoardView, Moving, Picture, board_of
from papan.ui.drawing.theme import GAP, MARGIN, SeatStyle
from papan.ui.play.advice import Advice
from papan.ui.play.session import Session, ShownStep, cells_of_last_turn
from papan.ui.play.study import Study
from papan.ui.scenes import IDLE_SECONDS, Scene, Stage
from papan.ui.scenes.hand_over import HandOver
from papan.ui.scenes.message import Message, Paused, Reply
from papan.ui.scenes.services import ALONE, Services
from papan.ui.scenes.table_actions import TableActions
from papan.ui.scenes.table_analysis import TableAnalysis
from papan.ui.scenes.table_choices import TableChoices
from papan.ui.scenes.table_clock import TableClock
from papan.ui.scenes.table_ending import TableEnding
from papan.ui.scenes.table_guide import TableGuide
from papan.ui.scenes.table_header import TableHeader
from papan.ui.scenes.table_saving import TableSaving
from papan.ui.scenes.table_seats import TableSeats
from papan.ui.scenes.table_sounds import TableSounds
from papan.ui.scenes.table_words import TableWords, table_keys
from papan.ui.settings import COMPUTER_ANIMATIONS
from papan.ui.sounds import Cue
from papan.ui.texts import _, translated
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.status_line import StatusLine, StatusView
from papan.ui.widgets.turn_list import Entry, TurnList

_TOP = 66
_SIDE_WIDE, _SIDE_NARROW = 360, 296
_NARROW_BELOW = 1180
_STATUS_HEIGHT = 68
_STATUS_MOST_WIDTH = 820
_BUTTON_GAP = 8

_THINKING_FRAME = 1 / 60
_LIVE_SECONDS = 0.12
_STUDYING_SECONDS = 0.1
_REFUSAL_SECONDS = 5.0
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
            stage, session, services, lambda: self.words, self._open_review, self.actions.begin_again
        )
        self.analysis = TableAnalysis(stage, self._new_study(), self._style)
        self.saving = TableSaving(stage, session)
        self.guide = TableGuide(stage, session, services)
        self.header = TableHeader(stage, self.match, services, (self.actions, self.analysis, self.saving))
        self.sounds = TableSounds(stage, session, self._cues, self.view.seat_in_front)
        self._turns: list[Turn] = []
        self._progress = 0.0
        self._refusal = ""
        self._refusal_seconds = 0.0
        self._live_seconds = 0.0
        self._status_panel = pygame.Rect(0, 0, 0, 0)
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
            opinion=second_opinion(self.match.game),
        )

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
        add = self.widgets.add
        self._board = add(BoardWidget(self.view, self.picture, self._point, self._point_by_arrow))
        self.guide.build(self.widgets)
        self._undo = add(Button(_("Undo"), self._take_back, icon="undo", name="undo"))
        self._redo = add(IconButton("redo", _("Redo"), self._play_again, name="redo"))
        self._hint = add(Button(_("Hint"), self.session.ask_hint, icon="hint", name="hint"))
        self._step = add(IconButton("step", _("One turn"), lambda: self.session.go_on(turns=1), name="step"))
        self._run = add(Button("", self._pause_or_go_on, icon="pause", name="run"))
        self._playing = self._undo, self._redo, self._hint, self._step, self._run
        self._main = add(Button("", self._main_action, kind="primary", name="main"))
        self._status = add(StatusLine(self._status_view))
        self._turn_list = add(TurnList(len(self.match.seats), self.seats.player))
        self.seats.build(self.widgets)
        self._review_end = add(Button(_("Review"), self._open_review, icon="chart", name="review the end"))
        self._replay = add(IconButton("play", _("The last turn once more"), self._show_last_again, name="last again"))
        turn_board = self._turn_board if self.view.outlooks > 1 else None
        self.header.build(self.widgets, self.back, self._open_review, self._toggle_analysis, turn_board)
        self.ending.build(self.widgets)
        self.widgets.shortcuts = self._shortcut
        self.analysis.build(self.widgets, self._turn_list)
        self.saving.build(self.widgets)
        self._choices = TableChoices(self.widgets, self._board, self.view, self.session)
        self._seen = None
        self.widgets.focus(self._board, by_keyboard=False)
        self._refresh()

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        margin, gap = px(MARGIN), px(GAP)
        side_width = px(_SIDE_NARROW if area.w < px(_NARROW_BELOW) else _SIDE_WIDE)
        side = pygame.Rect(area.right - margin - side_width, px(_TOP), side_width, 0)
        self.header.place(area)
        top = self.seats.place(side.x, side.y, side.w)
        column = self.ending.place(pygame.Rect(side.x, top, side.w, area.bottom - margin - top))
        self.analysis.place_column(column)
        left_width = side.x - gap - margin
        width = min(left_width, px(_STATUS_MOST_WIDTH))
        self._status_panel = pygame.Rect(0, 0, width, px(_STATUS_HEIGHT))
        self._status_panel.midbottom = (margin + left_width // 2, area.bottom - margin)
        board_area = pygame.Rect(margin, px(_TOP), left_width, self._status_panel.y - gap - px(_TOP))
        self._place_status_buttons()
        self._choices.place(self.analysis.place_bar(self.guide.place(board_area)))

    def _place_row(self, buttons: Sequence[Button], left: int, top: int) -> None:
        for button in buttons:
            button.place(pygame.Rect((left, top), button.natural_size))
            left += button.natural_size[0] + self.px(_BUTTON_GAP)

    def _place_status_buttons(self) -> None:
        shown = [button for button in (*self._playing, self._replay, self._review_end, self._main) if button.is_visible]
        width = sum(button.natural_size[0] for button in shown) + self.px(_BUTTON_GAP) * (len(shown) - 1)
        left = self._status_panel.right - self.px(14) - width
        self._place_row(shown, left, self._status_panel.centery - self.px(20))
        line = self._status_panel.copy()
        line.w = left - self.px(12) - line.x
        self._status.place(line)

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
        self.actions.update()
        self._advance(seconds)
        self._look_for_advice()
        self.clock.update()
        if self.ending.update(seconds, self.view.duration) | self.guide.update():
            self.layout(self.area)
            self.invalidate()
        if self._refusal:
            self._refusal_seconds -= seconds
            if self._refusal_seconds <= 0:
                self._refusal = ""
                self.invalidate()
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

    def _advance(self, seconds: float) -> None:
        """Move the animation on; steps without one are shown at once."""
        showing = self.session.showing
        if showing is None:
            self._progress = 0.0
            return
        duration = self.view.duration(showing.before, showing.step, showing.after)
        speed = self.stage.animation_speed * self._share_of_speed(int(mover(showing.before)))
        self._progress = min(1.0, self._progress + (seconds * speed / duration if duration and speed else 1.0))
        self.sounds.advance(self._progress)
        # A computer waits for the step before its own to be in the file, so that a kill costs one, and not more.
        if self._progress == 1.0 and (self.session.turn.person_is_due() or not self.session.is_being_kept):
            self._finish_showing()

    def _share_of_speed(self, seat: int) -> float:
        """How fast the steps of *seat* are shown, as a factor of the speed of animations."""
        is_person = self.session.turn.is_person
        if seat == CHANCE:
            return 1.0 if any(is_person) else COMPUTER_ANIMATIONS[self.stage.settings.computer_speed]
        return 1.0 if is_person[seat] else COMPUTER_ANIMATIONS[self.stage.settings.computer_speed]

    def _cues(self, showing: ShownStep) -> Sequence[Cue]:
        """The board's cues for a step, as the viewer may see it."""
        before, after = (self.session.visible_state(state) for state in (showing.before, showing.after))
        return self.view.cues(before, showing.step, after)

    def _finish_showing(self) -> None:
        self.sounds.advance(1.0)
        self._progress = 0.0
        self.session.finish_showing()
        self.invalidate()

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
        self._turns = self.match.turns()
        self._show_turns()
        self.seats.show()
        self._show_buttons()
        self._choices.offer()
        self.invalidate()

    def _show_turns(self) -> None:
        match, turn = self.match, self.session.turn
        entries = [Entry(played.seat, played.notation) for played in self._turns if played.seat != CHANCE]
        complete = len(entries)
        if self._turns and not match.ending and match.mover == self._turns[-1].seat != CHANCE:
            complete -= 1
            last = entries.pop()
            entries.append(Entry(last.seat, last.text + " …", self._style(last.seat).ink))
        elif turn.pointed and turn.due == "completing":
            entries.append(Entry(match.mover, "…", self._style(match.mover).ink))
        self._turn_list.show_turns(entries, complete)

    def _show_buttons(self) -> None:
        turn = self.session.turn
        has_computer = not all(turn.is_person)
        has_only_computers = not any(turn.is_person)
        may_play = turn.due not in ("over", "watching")
        self._undo.enable(turn.can_undo)
        self._redo.enable(turn.can_redo)
        self._hint.show(not has_only_computers and may_play)
        self._hint.enable(self.session.can_hint and not self.session.is_hinting)
        self._step.show(has_only_computers and may_play)
        self._step.enable(turn.due == "paused")
        has_run = has_computer and (has_only_computers or turn.due == "paused")
        self._run.show(may_play and (has_run or self.session.clock is not None))
        is_stopped = turn.is_paused or turn.due == "paused"
        self._run.relabel(_("Go on") if is_stopped else _("Pause"), "play" if is_stopped else "pause")
        self._review_end.show(turn.due == "over")
        self._replay.show(turn.due == "over" and bool(self.match.steps) and self.stage.animation_speed > 0)
        labels = {"confirming": _("Play it"), "over": _("Play again"), "watching": _("Play here")}
        label = labels.get(turn.due)
        self._main.show(label is not None)
        if label:
            self._main.relabel(label)
        if self._status_panel.w:
            self._place_status_buttons()

    # ------------------------------------------------------------------------------ looking

    def _style(self, seat: int) -> SeatStyle:
        return self.view.seat_style(self.match.state, max(seat, 0))

    def picture(self) -> Picture:
        """The picture that the board shows now."""
        session, turn = self.session, self.session.turn
        if session.showing:
            shown = session.showing
            before, after = session.visible_state(shown.before), session.visible_state(shown.after)
            return Picture(before, moving=Moving(before, shown.step, after, min(1.0, self._progress)))
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
        return cells_of_last_turn(self.match, self._turns)

    def draw(self, surface: pygame.Surface) -> None:
        self.header.draw(surface, self.words.subtitle())
        self.paint.panel(surface, self._status_panel)
        self.ending.draw(surface)
        self.guide.draw(surface)

    def _board_for_file(self) -> pygame.Surface:
        """The board as it stands, without marks of what could be played."""
        surface = pygame.Surface(self.area.size)
        surface.fill(self.theme.background)
        picture = Picture(self.session.visible_state(self.match.state), last=self._last_cells())
        with self.paint.pictures.slice_of_work(math.inf):
            self.view.draw(surface, picture)
        return surface.subsurface(self.view.area.clip(surface.get_rect())).copy()

    def _status_view(self) -> StatusView:
        request, detail = self.words.status()
        return StatusView(
            self._style(self._seat_of_status()), request, translated(self._refusal) or detail, bool(self._refusal)
        )

    def _seat_of_status(self) -> int:
        """The seat whose badge stands beside the sentence: that of the step shown, else a winner or the one to act."""
        showing, ending = self.session.showing, self.match.ending
        shown_seat = int(mover(showing.before)) if showing else CHANCE
        if shown_seat != CHANCE:
            return shown_seat
        return next(iter(ending.winners), 0) if ending else self.match.mover

    # ------------------------------------------------------------------------------- acting

    def _cut_short(self) -> bool:
        """End the showing of a step; returns whether there was anything left of it to see."""
        had_more = self.session.showing is not None and self._progress < 1.0
        if self.session.showing:
            self._finish_showing()
        return had_more

    def _point(self, cell: int) -> None:
        if self._cut_short() or self.ending.skip():
            return
        refusal = self.session.point(cell)
        self.sounds.pointed(refusal)
        self._refusal, self._refusal_seconds = refusal or "", _REFUSAL_SECONDS
        self._refresh()
        self.invalidate()

    def _point_by_arrow(self, cell: int) -> None:
        """Point at *cell* by an arrow key that plays by itself: it waits for no animation."""
        while self.session.showing:
            self._finish_showing()
        self._point(cell)

    def _take_back(self) -> None:
        if self.session.turn.can_undo:
            self.session.undo()
            self.sounds.taken_back()

    def _play_again(self) -> None:
        if self.session.turn.can_redo:
            self.session.redo()
            self.sounds.taken_back()

    def _pause_or_go_on(self) -> None:
        if self.session.clock is not None and any(self.session.turn.is_person):
            self._pause_clock()
        elif self.session.turn.is_paused or self.session.turn.due == "paused":
            self.session.go_on()
        else:
            self.session.pause()

    def _pause_clock(self) -> None:
        """Let a match with a clock wait behind a message, so that nobody thinks on while time stands still."""
        if self.session.turn.due in ("over", "watching"):
            return
        self.session.pause()
        go_on = Reply(_("Go on"), self.session.go_on, kind="primary")
        self.stage.push(Paused(self.stage, _("Paused"), _("The clocks stand still."), [go_on]))

    def _main_action(self) -> None:
        if self.session.turn.due == "confirming":
            self.session.turn.confirm()
        elif self.session.is_watching:
            self.session.play_here()
        elif self.session.turn.due == "over":
            self.actions.begin_again(self.match.seats)

    def _open_review(self, turn: int | None = None) -> None:
        """Review what has been played, from *turn* on; the match waits."""
        from papan.ui.scenes.review import ReviewScene

        session = self.session
        review = ReviewScene(self.stage, self.match, session.viewer, self._services, session.number)
        self.stage.push(review)
        if turn is not None:
            review.go_to(turn)

    def _show_last_again(self) -> None:
        self.ending.play_again(self.view.duration)

    def _shortcut(self, event: pygame.event.Event) -> bool:
        """Enter on the board plays a turn that waits for it; any key ends the replay of the last turn."""
        is_enter = event.key in (pygame.K_RETURN, pygame.K_KP_ENTER)
        if is_enter and self.session.turn.due == "confirming" and self.widgets.focused in (self._board, None):
            self.session.turn.confirm()
            return True
        return event.key not in (pygame.K_ESCAPE, pygame.K_TAB) and self.ending.skip()

    def _turn_board(self) -> None:
        """Look at the board in the next way."""
        self.session.outlook = (self.view.outlook + 1) % self.view.outlooks
        self._board.look(self.session.outlook)
        self.layout(self.area)

    def _toggle_analysis(self) -> None:
        self.analysis.switch()
        self.layout(self.area)
        self.invalidate()

    def back(self) -> None:
        if self.session.turn.pointed:
            self.session.turn.let_go()
        else:
            self.stage.pop(self)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.KEYDOWN:
            return False
        if event.key in (pygame.K_RETURN, pygame.K_SPACE) and self._cut_short():
            return True
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            act = {
                pygame.K_z: self._play_again if event.mod & pygame.KMOD_SHIFT else self._take_back,
                pygame.K_y: self._play_again,
                pygame.K_h: self.session.ask_hint,
                pygame.K_n: self.header.open_new_game,
                pygame.K_c: lambda: self.actions.act("copy"),
                pygame.K_d: self.actions.offer_draw,
                pygame.K_e: self.actions.branch,
                pygame.K_g: self.actions.resign,
                pygame.K_s: self.actions.save_picture,
                pygame.K_x: self.actions.swap_sides,
                pygame.K_u: self.actions.set_up,
                pygame.K_p: self._pause_or_go_on,
                pygame.K_r: self._open_review,
                pygame.K_a: self._toggle_analysis,
                pygame.K_t: self._turn_board,
            }.get(event.key)
            if act:
                act()
            return act is not None
        if event.key in (pygame.K_F2, pygame.K_F10):
            (self.header.show_rules if event.key == pygame.K_F2 else self.actions.open)()
            return True
        return self._choices.key(event.key)

    def keys(self) -> Sequence[tuple[str, str]]:
        keys = table_keys(plays_by_arrow=self.view.cell_of_arrow("up") is not None)
        if self.session.clock is not None or not all(self.session.turn.is_person):
            keys.append(("Ctrl+P", _("pause, or go on")))
        return keys
