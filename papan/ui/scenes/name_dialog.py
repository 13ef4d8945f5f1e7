"""A dialog with one line to write: a name."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.drawing.theme import FIELD_HEIGHT
from papan.ui.scenes import Stage
from papan.ui.scenes.message import Message, Reply
from papan.ui.texts import _
from papan.ui.widgets.text_field import TextField

LONGEST_NAME = 80


class NameDialog(Message):
    """Asks for a name; an empty one takes it away."""

    def __init__(self, stage: Stage, title: str, name: str, accept: Callable[[str], object]) -> None:
        """:param accept: called with the name."""
        self.name = name
        self._accept = accept
        replies = [Reply(_("Cancel")), Reply(_("Save"), self._save, kind="primary")]
        super().__init__(stage, title, _("A name of your own; without one the game's is shown."), replies)

    def build(self) -> None:
        self._field = self.widgets.add(
            TextField(self.name, self._write, name="name", most=LONGEST_NAME, submitted=self._submit)
        )
        self._field.beside = self.title
        super().build()
        self.widgets.focus(self._field)
        self._field.line.select_all()

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        inner = self.panel.inflate(-2 * px(24), 0)
        height = self.paint.paragraph_height(self.text, inner.w, "text")
        self._field.place(pygame.Rect(inner.x, self.panel.y + px(24 + 34 + 10) + height, inner.w, px(FIELD_HEIGHT)))

    def _body_height(self, width: int) -> int:
        return super()._body_height(width) + self.px(10 + FIELD_HEIGHT)

    def _write(self, text: str) -> None:
        self.name = text

    def _submit(self) -> None:
        self.stage.pop(self)
        self._save()

    def _save(self) -> None:
        self._accept(self.name)
