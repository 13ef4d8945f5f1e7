"""The buttons below a table's board, and what they do: take turns back, pause, go on, what the end offers."""

from __future__ import annotations

from collections.abc import Callable

from papan.ui.play.session import Session
from papan.ui.scenes import Stage
from papan.ui.scenes.message import Paused, Reply
from papan.ui.scenes.table_actions import TableActions
from papan.ui.scenes.table_sounds import TableSounds
from papan.ui.texts import _
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button, IconButton


class TableControls:
    """The buttons of one table."""

    def __init__(self, stage: Stage, session: Session, sounds: TableSounds, actions: TableActions) -> None:
        self._stage = stage
        self._session = session
        self._sounds = sounds
        self._actions = actions

    # -------------------------------------------------------------------------------------- building

    def build(self, widgets: Widgets) -> None:
        """Add the buttons that are used in the course of a match."""
        add, session = widgets.add, self._session
        self._undo = add(Button(_("Undo"), self.take_back, icon="undo", name="undo"))
        self._redo = add(IconButton("redo", _("Redo"), self.play_again, name="redo"))
        self._hint = add(Button(_("Hint"), session.ask_hint, icon="hint", name="hint"))
        self._step = add(IconButton("step", _("One turn"), lambda: session.go_on(turns=1), name="step"))
        self._run = add(Button("", self.pause_or_go_on, icon="pause", name="run"))
        self._main = add(Button("", self._main_action, kind="primary", name="main"))

    def build_for_end(
        self, widgets: Widgets, open_review: Callable[[], object], show_last_again: Callable[[], object]
    ) -> None:
        """Add those that are there once the match is over; Tab comes to them later."""
        self._review = widgets.add(Button(_("Review"), open_review, icon="chart", name="review the end"))
        self._replay = widgets.add(IconButton("play", _("The last turn once more"), show_last_again, name="last again"))

    def show(self) -> None:
        """Show what can be done now."""
        session, turn = self._session, self._session.turn
        has_computer = not all(turn.is_person)
        has_only_computers = not any(turn.is_person)
        may_play = turn.due not in ("over", "watching")
        self._undo.enable(turn.can_undo)
        self._redo.enable(turn.can_redo)
        self._hint.show(not has_only_computers and may_play)
        self._hint.enable(session.can_hint and not session.is_hinting)
        self._step.show(has_only_computers and may_play)
        self._step.enable(turn.due == "paused")
        has_run = has_computer and (has_only_computers or turn.due == "paused")
        self._run.show(may_play and (has_run or session.clock is not None))
        is_stopped = turn.is_paused or turn.due == "paused"
        self._run.relabel(_("Go on") if is_stopped else _("Pause"), "play" if is_stopped else "pause")
        self._review.show(turn.due == "over")
        self._replay.show(turn.due == "over" and bool(session.match.steps) and self._stage.animation_speed > 0)
        labels = {"confirming": _("Play it"), "over": _("Play again"), "watching": _("Play here")}
        label = labels.get(turn.due)
        self._main.show(label is not None)
        if label:
            self._main.relabel(label)

    @property
    def shown(self) -> list[Button]:
        """Those that are seen, from left to right."""
        row = (self._undo, self._redo, self._hint, self._step, self._run, self._replay, self._review, self._main)
        return [button for button in row if button.is_visible]

    # ---------------------------------------------------------------------------------------- acting

    def take_back(self) -> None:
        """Undo."""
        if self._session.turn.can_undo:
            self._session.undo()
            self._sounds.taken_back()

    def play_again(self) -> None:
        """Redo."""
        if self._session.turn.can_redo:
            self._session.redo()
            self._sounds.taken_back()

    def pause_or_go_on(self) -> None:
        """Let clocks or computers wait, or go on."""
        session = self._session
        if session.clock is not None and any(session.turn.is_person):
            self._pause_clock()
        elif session.turn.is_paused or session.turn.due == "paused":
            session.go_on()
        else:
            session.pause()

    def _pause_clock(self) -> None:
        """Let a match with a clock wait behind a message, so that nobody thinks on while time stands still."""
        if self._session.turn.due in ("over", "watching"):
            return
        self._session.pause()
        go_on = Reply(_("Go on"), self._session.go_on, kind="primary")
        self._stage.push(Paused(self._stage, _("Paused"), _("The clocks stand still."), [go_on]))

    def _main_action(self) -> None:
        session = self._session
        if session.turn.due == "confirming":
            session.turn.confirm()
        elif session.is_watching:
            session.play_here()
        elif session.turn.due == "over":
            self._actions.begin_again(session.match.seats)
