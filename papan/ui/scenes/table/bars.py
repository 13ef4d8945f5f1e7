"""Around a table's board: the header, a sign while the match is not saved, the status line."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pygame

from papan.game.rules import CHANCE, mover
from papan.ui.drawing.theme import MARGIN
from papan.ui.scenes import PILL_GAP, TITLE_LEFT, draw_title, fold, place_from_right, turn_button
from papan.ui.scenes.dialogs import save_copies
from papan.ui.scenes.table.actions import TableActions
from papan.ui.scenes.table.model import Part, TableModel
from papan.ui.scenes.table.online import phrase_items
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.dropdown import Item, MenuButton
from papan.ui.widgets.readouts import SavingSign, StatusLine, StatusView

_MENU_BELOW = 900
"""On pages narrower than this, rarely used buttons move into the menu."""
_TOP, _SIDE, _APART = 14, 40, 8
_LEAST_PILL = 160
"""The width kept for the pill before buttons may have labels."""

PATIENCE = 1.0
"""Seconds that a step may wait to be saved before the sign appears."""
_GAP = 12
_LEAST_SIGN = 96


class TableHeader(Part):
    def __init__(self, model: TableModel, actions: TableActions) -> None:
        super().__init__(model)
        self._actions = actions
        self.saving = SavingNote(model)

    def build(
        self,
        back: Callable[[], object],
        switch_analysis: Callable[[], object],
        turn_board: Callable[[], object],
    ) -> None:
        add, actions = self._add, self._actions
        self._back = add(IconButton("back", _("Back to the games"), back, name="back"))
        self._new = add(Button(_("New"), actions.new_game, icon="plus", name="new", tooltip=_("New game")))
        self._new.show(not self._session.is_online)
        tooltip = _("Review what has been played")
        self._review = add(Button(_("Review"), actions.open_review, icon="chart", name="review", tooltip=tooltip))
        tooltip = _("Analysis on or off")
        self._analyse = add(Button(_("Analysis"), switch_analysis, icon="analysis", name="analyse", tooltip=tooltip))
        self._analyse.show(self._model.study is not None)
        self._sound = add(IconButton("sound", _("Sounds on or off"), self._stage.toggle_sound, name="sound"))
        self._turn = add(turn_button(self._model.view, turn_board))
        tooltip = _("Rules of the game")
        self._rules = add(Button(_("Rules"), actions.show_rules, icon="help", name="rules", tooltip=tooltip))
        self._gear = add(Button(_("Settings"), actions.show_settings, icon="gear", name="settings"))
        self._more = actions.build()

    def place(self, area: pygame.Rect) -> None:
        """Fill the top of *area*. If it is narrow, buttons lose their labels, then move into the menu."""
        px, study = self._px, self._model.study
        self._analyse.turn(study is not None and study.is_on)
        self._back.place(pygame.Rect(px(MARGIN), px(_TOP), px(_SIDE), px(_SIDE)))
        self._fold_into_menu(is_folded=area.w < px(_MENU_BELOW))
        title = px(TITLE_LEFT) + self._stage.paint.width(translated(self._match.game.title), "title")
        last_to_give_way = self._new, self._review, self._analyse, self._turn, self._sound, self._rules, self._gear
        shown: list[Button] = [button for button in last_to_give_way if button.is_visible]
        right = area.right - px(MARGIN)
        words = max(px(_LEAST_PILL), self.saving.wanted_width)
        fold(shown, right - title - words - px(_SIDE + 3 * _APART), px(_APART))
        self._more.place(pygame.Rect(right - px(_SIDE), px(_TOP), px(_SIDE), px(_SIDE)))
        row = self._gear, self._rules, self._sound, self._review, self._analyse, self._turn, self._new
        right -= px(_SIDE) + px(_APART)
        self._right = right = place_from_right(row, (right, self._more.rect.centery), px(_APART))
        left = min(title + px(PILL_GAP), right)
        self.saving.place(pygame.Rect(left, px(_TOP), right - left, px(_SIDE)))

    def _fold_into_menu(self, *, is_folded: bool) -> None:
        for widget in (self._sound, self._rules, self._gear):
            widget.show(not is_folded)
        folded = (
            (Item("rules", _("Rules of the game"), "F2"), self._actions.show_rules),
            (Item("sound", _("Sounds on or off"), "M"), self._stage.toggle_sound),
            (Item("settings", _("Settings")), self._actions.show_settings),
        )
        self._actions.folded = folded if is_folded else ()

    def update(self, area: pygame.Rect) -> None:
        self._sound.relabel("", "sound" if self._stage.settings.sound else "sound off")
        is_fair_play = self._actions.is_fair_play
        self._review.enable(not is_fair_play)
        self._review.tooltip = fair_play() if is_fair_play else _("Review what has been played")
        if self.saving.update():
            self.place(area)
            self._stage.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        right = (self.saving.left or self._right) - self._px(_APART)
        title, options = translated(self._match.game.title), self._model.words.subtitle()
        draw_title(self._stage.paint, surface, title, options, right)


class SavingNote(Part):
    """A sign that the match is not saved, and a button to save a copy; hidden while all is saved."""

    _is_late = False

    def build(self) -> None:
        self._sign = self._add(SavingSign())
        tooltip = _("Write the match's record to a file of its own")
        save = partial(save_copies, self._stage, [self._match])
        self._copy = self._add(Button(_("Save a copy…"), save, sign="save", name="save a copy", tooltip=tooltip))
        self._show()

    def place(self, room: pygame.Rect) -> None:
        """Place both at the right end of *room*."""
        px = self._px
        self._copy.fold(False)
        self._copy.fold(self._copy.natural_size[0] + px(_GAP + _LEAST_SIGN) > room.w)
        button = pygame.Rect((0, 0), self._copy.natural_size)
        button.midright = room.midright
        self._copy.place(button)
        right = button.x - px(_GAP) if self._copy.is_visible else room.right
        width = max(0, min(self._sign.natural_width, right - room.x))
        self._sign.place(pygame.Rect(right - width, room.y, width, room.h))
        self._sign.show(self._is_late and right - room.x >= px(_LEAST_SIGN))

    @property
    def wanted_width(self) -> int:
        """The least width of both, in real pixels; 0 while they are hidden."""
        copy = self._copy.natural_size[0] + self._px(_GAP) if self._copy.is_visible else 0
        return self._px(_LEAST_SIGN) + copy if self._is_late else 0

    @property
    def left(self) -> int | None:
        """The left edge of sign and button, in real pixels; None while they are hidden."""
        shown = [widget.rect.x for widget in (self._sign, self._copy) if widget.is_visible]
        return min(shown, default=None)

    def update(self) -> bool:
        """Check whether the match is saved; return whether the header must be laid out anew."""
        before = self._is_late, self._copy.is_visible, self._sign.tooltip
        self._show()
        return before != (self._is_late, self._copy.is_visible, self._sign.tooltip)

    def _show(self) -> None:
        standing = self._session.standing
        since = standing.waiting_since if standing is not None else None
        self._is_late = since is not None and time.monotonic() - since > PATIENCE
        self._copy.show(self._is_late and self._match.is_open)  # a copy would show hidden cards
        if not self._is_late:
            self._sign.show(False)
        self._sign.tell(translated(standing.trouble) if self._is_late and standing is not None else "")


_LEAST_SENTENCE = 340
"""The width kept for the sentence during a match before buttons may have labels."""
_LEAST_RESULT = 230
"""The same after its end."""
_PADDING, _BEFORE_BUTTONS = 14, 12
_REFUSAL_SECONDS = 5.0


class TableFoot(Part):
    def __init__(self, model: TableModel, actions: TableActions) -> None:
        super().__init__(model)
        self._actions = actions
        self._refusal = ""
        self._refusal_seconds = 0.0
        self._hint_before: object = None
        """The hint that stood when it was refused."""
        self.panel = pygame.Rect(0, 0, 0, 0)

    def build(self) -> None:
        """Add the sentence and the buttons used during a match."""
        add, session, actions = self._add, self._session, self._actions
        self._undo = add(Button(_("Undo"), actions.take_back, icon="undo", name="undo"))
        self._redo = add(IconButton("redo", _("Redo"), actions.play_again, name="redo"))
        self._hint = add(Button(_("Hint"), session.ask_hint, icon="hint", name="hint"))
        self._step = add(IconButton("step", _("One turn"), lambda: session.go_on(turns=1), name="step"))
        self._run = add(Button("", actions.pause_or_go_on, icon="pause", name="run"))
        self._main = add(Button(_("Play again"), actions.main_action, kind="primary", name="main"))
        self._no = add(Button(_("No"), partial(self.reply, agrees=False), name="no", tooltip="Ctrl+Del"))
        yes = Button(_("Yes"), partial(self.reply, agrees=True), kind="primary", name="yes", tooltip="Ctrl+Enter")
        self._yes = add(yes)
        phrases = phrase_items() if self._model.online is not None else [Item("", "")]
        tooltip = _("Say something to the others")
        self._say = add(MenuButton(_("Say"), "speech", phrases, self._say_phrase, name="say", tooltip=tooltip))
        self._sentence = add(StatusLine(self.view))

    def build_for_end(self, show_last_again: Callable[[], object]) -> None:
        """Add the buttons for a finished match, later in the Tab order."""
        self._review = self._add(Button(_("Review"), self._actions.open_review, icon="chart", name="review the end"))
        self._replay = self._add(IconButton("play", _("Replay the last turn"), show_last_again, name="last again"))

    def place(self, panel: pygame.Rect) -> None:
        """Fill *panel*, with the buttons at the right; they lose labels if the sentence needs room.

        Buttons that come and go stand at the left of those that stay, which never move: a click meant for one
        of those can't hit another.
        """
        self.panel = panel
        px, gap = self._px, self._px(8)
        staying, passing = (
            [button for button in some if button.is_visible]
            for some in (
                (self._undo, self._redo, self._hint, self._step, self._run, self._say),
                (self._replay, self._review, self._main, self._no, self._yes),
            )
        )
        room = panel.w - px(_PADDING + _BEFORE_BUTTONS)
        at_end = self._main.natural_size[0] + 2 * px(_SIDE) + 3 * gap
        fold(staying, room - max(px(_LEAST_SENTENCE), px(_LEAST_RESULT) + at_end), gap)
        fold(passing, room - px(_LEAST_RESULT) - sum(button.natural_size[0] + gap for button in staying), gap)
        from_right = (
            self._say, self._hint, self._step, self._redo, self._undo, self._run, self._replay, self._review,
            self._main, self._no, self._yes,
        )  # fmt: skip
        row = [button for button in from_right if button.is_visible]
        begin = place_from_right(row, (panel.right - px(_PADDING), panel.centery), gap) + gap
        if not row:
            begin -= gap
        self._sentence.place(pygame.Rect(panel.x, panel.y, begin - px(_BEFORE_BUTTONS) - panel.x, panel.h))

    def show(self) -> None:
        session, turn = self._session, self._session.turn
        has_computer = not all(turn.is_person)
        has_only_computers = not any(turn.is_person)
        may_play = turn.due not in ("over", "watching")
        self._undo.enable(session.can_undo)
        self._redo.enable(session.can_redo)
        self._hint.show(not (has_only_computers or session.is_remote))
        self._hint.enable(session.can_hint and not session.is_hinting)
        self._step.show(has_only_computers)
        self._step.enable(turn.due == "paused")
        has_run = has_computer and (has_only_computers or turn.due == "paused")
        self._run.show(has_run or session.clock is not None)
        self._run.enable(may_play)
        is_stopped = turn.is_paused or turn.due == "paused"
        self._run.relabel(_("Continue") if is_stopped else _("Pause"), "play" if is_stopped else "pause")
        self._review.show(turn.due == "over")
        self._replay.show(turn.due == "over" and bool(self._match.steps) and self._stage.animation_speed > 0)
        labels = {"confirming": _("Play it"), "over": _("Play again"), "watching": _("Play here")}
        letter = _("Send my move") if self._match.steps else _("Send the match")
        label = letter if session.has_unsent else labels.get(turn.due)
        self._main.show(label is not None)
        if label:
            self._main.relabel(label)
        self._show_online()
        if self.panel.w:
            self.place(self.panel)

    def _show_online(self) -> None:
        """Show what there is with people elsewhere, instead of what there is with computers."""
        online = self._model.online
        is_asked = online is not None and online.is_asked
        self._yes.show(is_asked)
        self._no.show(is_asked)
        self._say.show(online is not None and online.seat >= 0 and online.state.standing != "ended")
        if online is None:
            return
        is_over, is_confirming = online.turn.due == "over", online.turn.due == "confirming"
        for button in (self._redo, self._step, self._run):
            button.show(False)
        is_played = online.seat >= 0 and online.turn.due not in ("over", "watching")
        self._undo.show(is_played)
        self._undo.tooltip = "" if online.has_unsent else _("Ask the others to take back your last turn")
        self._hint.show(is_played)
        self._hint.tooltip = fair_play()
        self._main.show(is_confirming or (is_over and online.can_propose("rematch") and not is_asked))
        self._main.relabel(_("Rematch") if is_over else _("Play it"))
        self._review.show(is_over and not is_asked)
        self._replay.show(self._replay.is_visible and not is_asked)

    def reply(self, *, agrees: bool) -> bool:
        """Answer what another person asks; return False if nobody asks."""
        online = self._model.online
        if online is None or not online.is_asked:
            return False
        online.reply(agrees=agrees)
        return True

    def _say_phrase(self, number: str) -> None:
        if self._model.online is not None:
            self._model.online.say_phrase(int(number))

    def open_phrases(self) -> None:
        if self._say.is_visible:
            self._say.open()

    def refuse(self, refusal: str | None) -> None:
        """Show *refusal* for a while; None shows the detail again."""
        self._refusal, self._refusal_seconds = refusal or "", _REFUSAL_SECONDS
        self._hint_before = self._session.hinted

    def pass_time(self, seconds: float) -> None:
        if self._refusal:
            self._refusal_seconds -= seconds
            if self._refusal_seconds <= 0:
                self._refusal = ""
                self._stage.invalidate()

    def view(self) -> StatusView:
        request, detail = self._model.words.status()
        if self._session.hinted is not self._hint_before:  # a hint is asked for after the refusal
            self._refusal = ""
        style = self._model.style(self._seat())
        return StatusView(style, request, translated(self._refusal) or detail, bool(self._refusal))

    def _seat(self) -> int:
        """Return the seat whose badge the sentence has: who asks, moves, has won, or is to act."""
        match, showing, online = self._match, self._session.showing, self._model.online
        if online is not None and online.is_asked and online.question is not None:
            return online.question[1]
        shown_seat = int(mover(showing.before)) if showing else CHANCE
        if shown_seat != CHANCE:
            return shown_seat
        return next(iter(match.ending.winners), 0) if match.ending else match.mover

    def draw(self, surface: pygame.Surface) -> None:
        self._stage.paint.panel(surface, self.panel)


def fair_play() -> str:
    """Return the sentence on why nothing helps a person who plays with others elsewhere."""
    from papan.ui.play.online_session import FAIR_PLAY

    return translated(FAIR_PLAY)
