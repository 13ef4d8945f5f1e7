"""Above and below a table's board: hints for beginners, the status line, and buttons."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.game.rules import CHANCE, mover
from papan.ui.drawing.theme import GAP
from papan.ui.play.guide import guided, next_game
from papan.ui.scenes import fold, place_from_right
from papan.ui.scenes.services import begin_guided
from papan.ui.scenes.table.actions import TableActions
from papan.ui.scenes.table.model import Part, TableModel
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.readouts import StatusLine, StatusView

_LEAST_SENTENCE = 340
"""The width kept for the sentence before buttons may have labels."""
_BUTTON_GAP = 8
_PADDING, _APART = 14, 12
_REFUSAL_SECONDS = 5.0

_GUIDE_HEIGHT, _GUIDE_WIDEST = 64, 900
_TEXT_LEFT = 50
_MOST_LINES = 2


class TableFoot(Part):
    def __init__(self, model: TableModel, actions: TableActions) -> None:
        super().__init__(model)
        self._actions = actions
        self._refusal = ""
        self._refusal_seconds = 0.0
        self.panel = pygame.Rect(0, 0, 0, 0)

    def build(self) -> None:
        """Add the sentence and the buttons used during a match."""
        add, session, actions = self._add, self._session, self._actions
        self._undo = add(Button(_("Undo"), actions.take_back, icon="undo", name="undo"))
        self._redo = add(IconButton("redo", _("Redo"), actions.play_again, name="redo"))
        self._hint = add(Button(_("Hint"), session.ask_hint, icon="hint", name="hint"))
        self._step = add(IconButton("step", _("One turn"), lambda: session.go_on(turns=1), name="step"))
        self._run = add(Button("", actions.pause_or_go_on, icon="pause", name="run"))
        self._main = add(Button("", actions.main_action, kind="primary", name="main"))
        self._sentence = add(StatusLine(self.view))

    def build_for_end(self, show_last_again: Callable[[], object]) -> None:
        """Add the buttons for a finished match, later in the Tab order."""
        self._review = self._add(Button(_("Review"), self._actions.open_review, icon="chart", name="review the end"))
        self._replay = self._add(IconButton("play", _("Replay the last turn"), show_last_again, name="last again"))

    def place(self, panel: pygame.Rect) -> None:
        """Fill *panel*, with the buttons at the right; they lose labels if the sentence needs room."""
        self.panel = panel
        row = (self._undo, self._redo, self._hint, self._step, self._run, self._replay, self._review, self._main)
        shown: list[Button] = [button for button in row if button.is_visible]
        px, gap = self._px, self._px(_BUTTON_GAP)
        fold(shown, panel.w - px(_PADDING + _APART + _LEAST_SENTENCE), gap)
        begin = place_from_right(shown[::-1], (panel.right - px(_PADDING), panel.centery), gap) + gap
        if not shown:
            begin -= gap
        self._sentence.place(pygame.Rect(panel.x, panel.y, begin - px(_APART) - panel.x, panel.h))

    def show(self) -> None:
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
        self._replay.show(turn.due == "over" and bool(self._match.steps) and self._stage.animation_speed > 0)
        labels = {"confirming": _("Play it"), "over": _("Play again"), "watching": _("Play here")}
        label = labels.get(turn.due)
        self._main.show(label is not None)
        if label:
            self._main.relabel(label)
        if self.panel.w:
            self.place(self.panel)

    def refuse(self, refusal: str | None) -> None:
        """Show *refusal* for a while; None shows the detail again."""
        self._refusal, self._refusal_seconds = refusal or "", _REFUSAL_SECONDS

    def pass_time(self, seconds: float) -> None:
        if self._refusal:
            self._refusal_seconds -= seconds
            if self._refusal_seconds <= 0:
                self._refusal = ""
                self._stage.invalidate()

    def view(self) -> StatusView:
        request, detail = self._model.words.status()
        style = self._model.style(self._seat())
        return StatusView(style, request, translated(self._refusal) or detail, bool(self._refusal))

    def _seat(self) -> int:
        """Return the seat whose badge the sentence has: that of the animated step, a winner, or the one to act."""
        match, showing = self._match, self._session.showing
        shown_seat = int(mover(showing.before)) if showing else CHANCE
        if shown_seat != CHANCE:
            return shown_seat
        return next(iter(match.ending.winners), 0) if match.ending else match.mover

    def draw(self, surface: pygame.Surface) -> None:
        self._stage.paint.panel(surface, self.panel)


class TableGuide(Part):
    """The hints of a guided match above the board, and the offer after its end; otherwise it takes no space."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(model)
        self._guided = guided(self._match)
        self._next = next_game(self._match.game)
        self._is_through = self._match.ending is not None
        """Whether the offer after the end was dismissed, or the match had ended before."""
        self._text_right = 0
        self._shown: object = None
        self.rect = pygame.Rect(0, 0, 0, 0)

    @property
    def has_room(self) -> bool:
        if self._guided is None:
            return False
        return self._guided.has_more or (self._model.is_over and not self._is_through)

    @property
    def text(self) -> str:
        if self._guided is None or not self.has_room:
            return ""
        if not self._model.is_over:
            return translated(self._guided.hint.text) if self._guided.hint is not None else ""
        if self._next is None:
            return _("You have finished the first steps. All games are on the home screen.")
        words = _("Next: {game} in its simplest form. Short hints show you how.")
        return words.format(game=translated(self._next.title))

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the hint is about."""
        return tuple(self._guided.cells) if self._guided is not None and not self._model.is_over else ()

    def build(self) -> None:
        self._close = self._add(Button("", self._dismiss, name="dismiss hint"))
        words = _("Play {game}").format(game=translated(self._next.title)) if self._next is not None else ""
        self._go_on = self._add(Button(words, self._begin_next, icon="play", name="next steps"))
        self._show()

    def place(self, area: pygame.Rect) -> pygame.Rect:
        """Place the strip at the top of *area*; return the rest."""
        if not self.has_room:
            self.rect = pygame.Rect(0, 0, 0, 0)
            return area
        px = self._px
        self.rect = pygame.Rect(area.x, area.y, min(area.w, px(_GUIDE_WIDEST)), px(_GUIDE_HEIGHT))
        self.rect.centerx = area.centerx
        right = self.rect.right - px(_PADDING)
        self._text_right = place_from_right((self._go_on, self._close), (right, self.rect.centery), px(8)) - px(8)
        taken = self.rect.h + px(GAP)
        return pygame.Rect(area.x, area.y + taken, area.w, area.h - taken)

    def update(self) -> bool:
        """Choose the hint; return whether the table must be laid out anew."""
        if self._guided is None:
            return False
        if self._session.showing is None:
            self._guided.look()
        if (self.has_room, self.text) == self._shown:
            return False
        self._show()
        return True

    def _show(self) -> None:
        self._shown = self.has_room, self.text
        is_offer = self.has_room and self._model.is_over and self._next is not None
        self._close.show(bool(self.text))
        self._close.relabel(_("Not now") if is_offer else _("Got it"))
        self._go_on.show(is_offer)

    def _dismiss(self) -> None:
        if self._guided is not None:
            self._is_through = self._model.is_over
            self._guided.dismiss()
            self._stage.invalidate()

    def _begin_next(self) -> None:
        if self._next is not None:
            begin_guided(self._stage, self._services, self._next)

    def draw(self, surface: pygame.Surface) -> None:
        if not self.text or not self.rect.w:
            return
        paint, theme, px, rect = self._stage.paint, self._stage.paint.theme, self._px, self.rect
        paint.panel(surface, rect, fill=theme.accent_soft, line=theme.accent)
        paint.icon(surface, "hint", (rect.x + px(_TEXT_LEFT) // 2, rect.centery), theme.accent)
        width = self._text_right - rect.x - px(_TEXT_LEFT)
        height = paint.paragraph_height(self.text, width, "text", _MOST_LINES)
        area = pygame.Rect(rect.x + px(_TEXT_LEFT), rect.centery - height // 2, width, height)
        paint.paragraph(surface, self.text, area, "text", most_lines=_MOST_LINES)
