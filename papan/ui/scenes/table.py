"""The table: the board, the seats, the turns, and one sentence that always says what is expected of whom."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from papan.ai.engines.opinion import second_opinion
from papan.game.facts import PartError
from papan.game.match import Turn
from papan.game.rules import CHANCE, mover
from papan.ui.boards import BoardView, Moving, Picture, board_of
from papan.ui.drawing.theme import GAP, MARGIN, SeatStyle
from papan.ui.play.position_editor import position_shown
from papan.ui.play.session import Session, ShownStep
from papan.ui.play.study import Study
from papan.ui.scenes import IDLE_SECONDS, Scene, Stage
from papan.ui.scenes.hand_over import HandOver
from papan.ui.scenes.message import Message
from papan.ui.scenes.record_copy import copy_record
from papan.ui.scenes.services import ALONE, Services
from papan.ui.scenes.table_analysis import TableAnalysis
from papan.ui.scenes.table_choices import TableChoices
from papan.ui.scenes.table_saving import TableSaving
from papan.ui.scenes.table_sounds import TableSounds
from papan.ui.scenes.table_words import TableWords
from papan.ui.sounds import Cue
from papan.ui.texts import _, translated
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.seat_card import SeatCard, SeatView
from papan.ui.widgets.status_line import StatusLine, StatusView
from papan.ui.widgets.turn_list import Entry, TurnList

_TOP = 66
_SIDE_WIDE, _SIDE_NARROW = 360, 296
_NARROW_BELOW = 1180
_SEAT_HEIGHT = 84
_MANY_SEATS_HEIGHT = 62
_STATUS_HEIGHT = 68
_STATUS_MOST_WIDTH = 820
_BUTTON_GAP = 8
_LEAST_PILL = 48

LEAST_THINKING_SECONDS = 0.45
"""Seconds before which no computer moves, so that its move can be seen; unless animations are off."""
_THINKING_FRAME = 1 / 60
_LIVE_SECONDS = 0.12
_STUDYING_SECONDS = 0.1
_REFUSAL_SECONDS = 5.0


class TableScene(Scene):
    """One match being played."""

    def __init__(self, stage: Stage, session: Session, services: Services = ALONE) -> None:
        super().__init__(stage)
        self._services = services
        self.session = session
        self.match = session.match
        self.game = self.match.game
        self.view = self._new_view()
        self.words = TableWords(session)
        self.analysis = TableAnalysis(stage, self._new_study(), self._style)
        self.saving = TableSaving(stage, session)
        self.sounds = TableSounds(stage, session, self._cues, self.view.seat_in_front)
        self._turns: list[Turn] = []
        self._progress = 0.0
        self._refusal = ""
        self._refusal_seconds = 0.0
        self._live_seconds = 0.0
        self._status_panel = pygame.Rect(0, 0, 0, 0)
        self._seen: object = None

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
        return [player.label for player in self.words.players]

    # ------------------------------------------------------------------------------- building

    def build(self) -> None:
        self.view = self._new_view()  # in the look, and the language, that may have been chosen meanwhile
        self.words = TableWords(self.session)
        self.analysis.rename(self._names)
        add = self.widgets.add
        self._board = add(BoardWidget(self.view, self.picture, self._point, self._point_by_arrow))
        self._undo = add(Button(_("Undo"), self._take_back, icon="undo", name="undo"))
        self._redo = add(IconButton("redo", _("Redo"), self._play_again, name="redo"))
        self._hint = add(Button(_("Hint"), self.session.ask_hint, icon="hint", name="hint"))
        self._step = add(IconButton("step", _("One turn"), lambda: self.session.go_on(turns=1), name="step"))
        self._run = add(Button("", self._pause_or_go_on, icon="pause", name="run"))
        self._main = add(Button("", self._main_action, kind="primary", name="main"))
        self._status = add(StatusLine(self._status_view))
        self._turn_list = add(TurnList(len(self.match.seats)))
        self._cards = [add(SeatCard(seat, self._seat_view(seat))) for seat in range(len(self.match.seats))]
        self._back = add(IconButton("back", _("Back to the games"), self.back, name="back"))
        self._new = add(IconButton("plus", _("New game"), self._open_new_game, name="new"))
        self._setup = add(IconButton("board", _("Set up a position from here"), self._set_up, name="set up"))
        self._copy = add(IconButton("copy", _("Copy the record"), self._copy_record, name="copy"))
        self._review = add(IconButton("chart", _("Review what has been played"), self._open_review, name="review"))
        self._review_end = add(Button(_("Review"), self._open_review, icon="chart", name="review the end"))
        self._analyse = self.analysis.build_button(self.widgets, self._toggle_analysis)
        self._eye = add(IconButton("eye", _("Show legal steps, or not"), self._toggle_targets, name="eye"))
        self._sound = add(IconButton("sound", _("Sounds on or off"), self.stage.toggle_sound, name="sound"))
        self._turn = add(IconButton("turn", _("Turn the board"), self._turn_board, name="turn"))
        self._turn.show(self.view.outlooks > 1)
        self._rules = add(IconButton("help", _("Rules of the game"), self._show_rules, name="rules"))
        self._gear = add(IconButton("gear", _("Settings"), self._open_settings, name="settings"))
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
        self._place_row([self._back], margin, px(14))
        buttons = [self._gear, self._rules, self._sound, self._turn, self._eye]
        buttons += [self._analyse, self._review, self._copy, self._setup, self._new]
        right = area.right - margin
        for button in [button for button in buttons if button.is_visible]:
            button.place(pygame.Rect(right - px(40), px(14), px(40), px(40)))
            right -= px(48)
        left = px(MARGIN + 54 + 14) + self.paint.width(translated(self.match.game.title), "title")
        self.saving.place(pygame.Rect(left, px(14), right - left, px(40)))
        height = px(_SEAT_HEIGHT if len(self._cards) <= 2 else _MANY_SEATS_HEIGHT)
        top = side.y
        for card in self._cards:
            card.place(pygame.Rect(side.x, top, side.w, height))
            top += height + gap
        self.analysis.place_column(pygame.Rect(side.x, top, side.w, area.bottom - margin - top))
        left_width = side.x - gap - margin
        width = min(left_width, px(_STATUS_MOST_WIDTH))
        self._status_panel = pygame.Rect(0, 0, width, px(_STATUS_HEIGHT))
        self._status_panel.midbottom = (margin + left_width // 2, area.bottom - margin)
        board_area = pygame.Rect(margin, px(_TOP), left_width, self._status_panel.y - gap - px(_TOP))
        self._place_status_buttons()
        self._choices.place(self.analysis.place_bar(board_area))

    def _place_row(self, buttons: Sequence[Button], left: int, top: int) -> None:
        for button in buttons:
            button.place(pygame.Rect((left, top), button.natural_size))
            left += button.natural_size[0] + self.px(_BUTTON_GAP)

    def _place_status_buttons(self) -> None:
        shown = [
            button
            for button in (self._undo, self._redo, self._hint, self._step, self._run, self._review_end, self._main)
            if button.is_visible
        ]
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
        self.analysis.leave()
        self.session.close()

    def dismantle(self) -> None:
        self.analysis.dismantle()
        super().dismantle()

    @property
    def is_animating(self) -> bool:
        return self.session.showing is not None

    @property
    def idle_seconds(self) -> float:
        if self.session.turn.due == "thinking" or self.session.is_hinting:
            return _THINKING_FRAME
        return _STUDYING_SECONDS if self.analysis.is_busy else IDLE_SECONDS

    def update(self, seconds: float) -> None:
        self.session.tick()
        self._advance(seconds)
        if self._refusal:
            self._refusal_seconds -= seconds
            if self._refusal_seconds <= 0:
                self._refusal = ""
                self.invalidate()
        self._live_seconds += seconds
        is_busy = self.session.turn.due == "thinking" or self.session.is_hinting
        if is_busy and self._live_seconds >= _LIVE_SECONDS:
            self._live_seconds = 0.0
            self._show_seats()
            self.invalidate()
        self._refresh()
        self.sounds.update()
        self._sound.relabel("", "sound" if self.stage.settings.sound else "sound off")
        if self.saving.update():
            self.invalidate()
        if self.analysis.update(seconds):
            self.invalidate()
        if self.session.passes_to is not None and self.stage.scene is self:
            name = self.words.players[self.session.passes_to].label
            self.stage.push(HandOver(self.stage, name, self.session.take_screen, self.back))
        if self.session.trouble and self.stage.scene is self:
            trouble, self.session.trouble = self.session.trouble, None
            self.stage.push(Message(self.stage, _("Something went wrong"), trouble, icon="warning"))

    def _advance(self, seconds: float) -> None:
        """Move the animation on; steps without one are shown at once."""
        showing = self.session.showing
        if showing is None:
            self._progress = 0.0
            return
        duration = self.view.duration(showing.before, showing.step, showing.after)
        speed = self.stage.animation_speed
        self._progress = min(1.0, self._progress + (seconds * speed / duration if duration and speed else 1.0))
        self.sounds.advance(self._progress)
        # A computer waits for the step before its own to be in the file, so that a kill costs one, and not more.
        if self._progress == 1.0 and (self.session.turn.person_is_due() or not self.session.is_being_kept):
            self._finish_showing()

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
            self.session.is_watching and self.words.status(),
        )  # fmt: skip
        if seen == self._seen:
            return
        self._seen = seen
        self._turns = self.match.turns()
        self._show_turns()
        self._show_seats()
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

    def _show_seats(self) -> None:
        for seat, card in enumerate(self._cards):
            card.show_view(self._seat_view(seat))

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
        self._run.show(has_computer and may_play and (has_only_computers or turn.due == "paused"))
        is_stopped = turn.is_paused or turn.due == "paused"
        self._run.relabel(_("Go on") if is_stopped else _("Pause"), "play" if is_stopped else "pause")
        self._review_end.show(turn.due == "over")
        labels = {"confirming": _("End turn"), "over": _("Play again"), "watching": _("Play here")}
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
        hint: tuple[int, ...] = ()
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
        turns = self._turns
        if turns and not self.match.ending and turns[-1].seat == self.match.mover:
            turns = turns[:-1]
        if not turns:
            return ()
        last = turns[-1]
        cells: dict[int, None] = {}
        for index in range(last.first_step, last.end_step):
            cells.update(dict.fromkeys(self.match.rules.cells(self.match.states[index], self.match.steps[index])))
        return tuple(cells)

    def _seat_view(self, seat: int) -> SeatView:
        session, match = self.session, self.match
        state = session.showing.before if session.showing else match.state
        fact, fact_note = match.rules.seat_note(state, seat)
        is_due = not match.ending and int(mover(state)) == seat
        is_over = match.ending is not None and not session.showing
        return SeatView(
            self._style(seat),
            self.words.players[seat].label,
            self.words.note(seat),
            translated(fact),
            translated(fact_note),
            self.view.seat_emblem(state, seat),
            match.ending.outcome(seat) if is_over and match.ending else None,
            is_active=is_due,
            is_thinking=is_due and (session.turn.due == "thinking" or session.is_hinting),
        )

    def draw(self, surface: pygame.Surface) -> None:
        paint, px = self.paint, self.px
        at = (px(MARGIN + 54), px(34))
        title = paint.text(surface, translated(self.match.game.title), at, "title", anchor="midleft")
        subtitle = self.words.subtitle()
        if subtitle:
            room = (self.saving.left or self._new.rect.x) - title.right - px(28)
        if subtitle and room >= px(_LEAST_PILL):
            paint.pill(surface, subtitle, (title.right + px(14), px(34)), width=room)
        paint.panel(surface, self._status_panel)

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
        if self._cut_short():
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
        if self.session.turn.is_paused or self.session.turn.due == "paused":
            self.session.go_on()
        else:
            self.session.pause()

    def _main_action(self) -> None:
        if self.session.turn.due == "confirming":
            self.session.turn.confirm()
        elif self.session.is_watching:
            self.session.play_here()
        elif self.session.turn.due == "over" and self._services.start_match:
            match, options = self.match, dict(self.match.options)
            position = None if match.game.has_hidden_information else match.position
            if options["first"] != "random" or position is not None:
                options["first"] = "1"  # the seats stand in the order of play already
            again = (match.game, match.seats, options, None)
            self._services.start_match(*again, *([] if position is None else [position]))

    def _open_new_game(self) -> None:
        from papan.ui.scenes.new_game import NewGameScene

        self.stage.push(NewGameScene(self.stage, self.match.game, self._services))

    def _set_up(self) -> None:
        """Set up a position, beginning with the one on the table: what the viewer can't see is dealt anew."""
        from papan.ui.scenes.new_game import set_up_position

        text = position_shown(self.match, self.session.viewer)
        try:
            set_up_position(self.stage, self.match.game, self.match.options, text, self._services)
        except PartError as error:
            self.stage.push(Message(self.stage, _("Set up a position"), translated(str(error)), icon="warning"))

    def _open_settings(self) -> None:
        from papan.ui.scenes.settings import SettingsScene

        self.stage.push(SettingsScene(self.stage))

    def _show_rules(self) -> None:
        from papan.ui.scenes.rules_page import RulesScene

        self.stage.push(RulesScene(self.stage, self.match.game))

    def _open_review(self) -> None:
        """Review what has been played; the match waits."""
        from papan.ui.scenes.review import ReviewScene

        self.stage.push(ReviewScene(self.stage, self.match, self.session.viewer, self._services))

    def _copy_record(self) -> None:
        copy_record(self.stage, self.match)

    def _toggle_targets(self) -> None:
        settings = self.stage.settings
        settings.show_legal_steps = not settings.show_legal_steps
        self.invalidate()

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
                pygame.K_n: self._open_new_game,
                pygame.K_e: self._set_up,
                pygame.K_c: self._copy_record,
                pygame.K_p: self._pause_or_go_on,
                pygame.K_r: self._open_review,
                pygame.K_a: self._toggle_analysis,
                pygame.K_t: self._turn_board,
            }.get(event.key)
            if act:
                act()
            return act is not None
        if event.key == pygame.K_F2:
            self._show_rules()
            return True
        return self._choices.key(event.key)

    def keys(self) -> Sequence[tuple[str, str]]:
        plays_by_arrow = self.view.cell_of_arrow("up") is not None
        keys = [
            (_("Arrows"), _("play") if plays_by_arrow else _("move over the board")),
            (_("Enter"), _("choose the cell")),
            ("1 … 9, 0", _("choose what is offered by name")),
            ("Ctrl+Z", _("undo")),
            ("Ctrl+Y", _("redo")),
            ("Ctrl+H", _("hint")),
            ("Ctrl+N", _("new game")),
            ("Ctrl+E", _("set up a position from here")),
            ("Ctrl+A", _("analysis on or off")),
            ("Ctrl+T", _("turn the board")),
            ("F2", _("the rules")),
            ("Ctrl+C", _("copy the record")),
            ("Ctrl+R", _("review what has been played")),
        ]
        if not all(self.session.turn.is_person):
            keys.append(("Ctrl+P", _("pause the computers, or go on")))
        return keys
