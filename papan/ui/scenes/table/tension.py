"""The row below the board that asks how tense the last turn was."""

from __future__ import annotations

from functools import partial

import pygame

from papan.game.match.tension import LEAST, MOST
from papan.ui.play.tension import TensionQuestion
from papan.ui.scenes import News, strip
from papan.ui.scenes.table.model import Part, TableModel
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button

_HEIGHT, _GAP, _APART = 40, 6, 12
_NARROWEST = 28
"""The least width of a button, where the words need the room."""


class TensionRow(Part):
    """Has a place of its own while the setting is on, so that nothing moves when a question comes or goes."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(model)
        self._question = TensionQuestion(model.session, lambda: self.is_on)
        self._shown = ""
        """The words that fit."""
        self._row = self._label = pygame.Rect(0, 0, 0, 0)

    @property
    def is_on(self) -> bool:
        return self._stage.settings.asks_tension and any(self._session.turn.is_person)

    def build(self) -> None:
        ends = {LEAST: _("calm"), MOST: _("very tense")}
        self._buttons = []
        for value in range(LEAST, MOST + 1):
            button = Button(
                str(value),
                partial(self.answer, value),
                kind="quiet",
                name=f"tension {value}",
                tooltip=ends.get(value, ""),
            )
            self._buttons.append(self._add(button))
        self.show()

    @property
    def _words(self) -> str:
        """The question, to one of several persons by name."""
        if sum(self._session.turn.is_person) == 1:
            return _("How tense was that?")
        return _("{name}, how tense was that?").format(name=self._model.words.names[self._question.seat])

    def place(self, board: pygame.Rect) -> pygame.Rect:
        """Place the row at the foot of *board*; return the rest of it."""
        if not self.is_on:
            return board
        self._row, rest = strip(board, "bottom", self._px(_HEIGHT), self._px(_GAP))
        self._place()
        return rest

    def _place(self) -> None:
        px, row, gap, number = self._px, self._row, self._px(_GAP), len(self._buttons)
        width, room = self._stage.paint.width, row.w - px(_APART)
        whole = f"{self._words} {_('1 is calm, 5 very tense.')}"
        self._shown = whole if width(whole, "text") <= room - number * (row.h + gap) else self._words
        words = width(self._shown, "text")
        side = min(row.h, max(px(_NARROWEST), (room - words) // number - gap))
        words = min(words, room - number * (side + gap))
        left = row.centerx - (words + px(_APART) + number * (side + gap) - gap) // 2
        self._label = pygame.Rect(left, row.y, words, row.h)
        left += words + px(_APART)
        for button in self._buttons:
            button.place(pygame.Rect(left, row.y, side, row.h))
            left += side + gap

    def show(self) -> None:
        self._question.look()
        for button in self._buttons:
            button.beside = self._words
            button.show(self._is_asked)
        if self._is_asked and self._row.w:
            self._place()

    @property
    def _is_asked(self) -> bool:
        return self._question.turn is not None

    def answer(self, value: int) -> bool:
        """Take *value* as the answer; return whether it is one to a question."""
        if not self._is_asked or not LEAST <= value <= MOST:
            return False
        self._question.answer(value)
        self.show()
        self._stage.invalidate()
        return True

    def update(self) -> None:
        """Tell what went wrong with an answer."""
        if self._question.trouble:
            self._stage.notify(translated(self._question.trouble))
            self._question.trouble = ""

    def close(self) -> None:
        self._question.close()

    def news(self) -> News:
        words = f"{self._words} {_('Answer with a key from 1, calm, to 5, very tense.')}"
        return News(words if self._is_asked else "", self._question.turn or 0)

    def draw(self, surface: pygame.Surface) -> None:
        if self._is_asked:
            rect = self._label
            paint, second = self._stage.paint, self._stage.paint.theme.second
            paint.text(surface, self._shown, rect.midleft, "text", second, anchor="midleft", width=rect.w, shrinks=True)
