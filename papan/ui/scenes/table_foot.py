"""The foot of a table: one sentence that always says what is expected of whom, and the buttons beside it."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.game.rules import CHANCE, mover
from papan.ui.drawing.theme import SeatStyle
from papan.ui.play.session import Session
from papan.ui.scenes import Stage
from papan.ui.scenes.header import fold
from papan.ui.scenes.table_controls import TableControls
from papan.ui.scenes.table_words import TableWords
from papan.ui.texts import translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.readouts import StatusLine, StatusView

_LEAST_SENTENCE = 340
"""The room that is kept for the sentence, before buttons have labels."""
_BUTTON_GAP = 8
_PADDING, _APART, _HALF_BUTTON = 14, 12, 20
_REFUSAL_SECONDS = 5.0


class TableFoot:
    """The panel below the board of one table."""

    def __init__(
        self,
        stage: Stage,
        session: Session,
        controls: TableControls,
        words: Callable[[], TableWords],
        style: Callable[[int], SeatStyle],
    ) -> None:
        """:param words: the words of the table, in the language chosen.
        :param style: the colour and the shape of a seat.
        """
        self._stage = stage
        self._session = session
        self._controls = controls
        self._words = words
        self._style = style
        self._refusal = ""
        self._refusal_seconds = 0.0
        self.panel = pygame.Rect(0, 0, 0, 0)

    def build(self, widgets: Widgets) -> None:
        """Add the sentence."""
        self._sentence = widgets.add(StatusLine(self.view))

    def place(self, panel: pygame.Rect) -> None:
        """Stand on *panel*."""
        self.panel = panel
        self._share()

    def _share(self) -> None:
        """Stand the buttons at the right; labels give way to the sentence where an icon stands for them."""
        px = self._stage.paint.theme.px
        shown, panel, gap = self._controls.shown, self.panel, px(_BUTTON_GAP)
        fold(shown, panel.w - px(_PADDING + _APART + _LEAST_SENTENCE), gap)
        width = sum(button.natural_size[0] for button in shown) + gap * (len(shown) - 1)
        left = begin = panel.right - px(_PADDING) - width
        for button in shown:
            button.place(pygame.Rect((left, panel.centery - px(_HALF_BUTTON)), button.natural_size))
            left += button.natural_size[0] + gap
        line = panel.copy()
        line.w = begin - px(_APART) - line.x
        self._sentence.place(line)

    def show(self) -> None:
        """Show what can be done now."""
        self._controls.show()
        if self.panel.w:
            self._share()

    # ----------------------------------------------------------------------------------- what it says

    def refuse(self, refusal: str | None) -> None:
        """Say for a while why something can't be done, or no longer."""
        self._refusal, self._refusal_seconds = refusal or "", _REFUSAL_SECONDS

    def pass_time(self, seconds: float) -> None:
        """Let time pass: after some of it, nothing is said of a refusal any more."""
        if self._refusal:
            self._refusal_seconds -= seconds
            if self._refusal_seconds <= 0:
                self._refusal = ""
                self._stage.invalidate()

    def view(self) -> StatusView:
        """What is said now."""
        request, detail = self._words().status()
        return StatusView(self._style(self._seat()), request, translated(self._refusal) or detail, bool(self._refusal))

    def _seat(self) -> int:
        """The seat whose badge stands beside the sentence: that of the step shown, else a winner or the one to act."""
        match, showing = self._session.match, self._session.showing
        shown_seat = int(mover(showing.before)) if showing else CHANCE
        if shown_seat != CHANCE:
            return shown_seat
        return next(iter(match.ending.winners), 0) if match.ending else match.mover

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel."""
        self._stage.paint.panel(surface, self.panel)
