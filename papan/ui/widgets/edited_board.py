"""A board that is set up: a click puts something on a cell, the right button takes it away, dragging goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.game.rules import State
from papan.ui.boards import BoardView, Picture
from papan.ui.texts import _
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.shortcuts import Shortcut

_LEFT, _RIGHT = 1, 3


class EditedBoard(BoardWidget):
    """Shows a board view, and reports where something is to be put or taken away."""

    def __init__(
        self,
        view: BoardView,
        picture: Callable[[], Picture],
        put: Callable[[int], object],
        paint: Callable[[int], object],
        take: Callable[[int], object],
        *,
        in_words: Callable[[State, int], str] | None = None,
    ) -> None:
        """:param picture: asked for what to draw, in each frame.
        :param put: called with the cell that was clicked, or chosen with Enter.
        :param paint: called with each further cell that the mouse is dragged over.
        :param take: called with a cell that is to be emptied: by the right button, or by Del.
        :param in_words: as for ``BoardWidget``.
        """
        super().__init__(view, picture, put, in_words=in_words)
        self._paint, self._take = paint, take
        self._dragged: Callable[[int], object] | None = None
        self._last: int | None = None

    @property
    def pointed_at(self) -> int | None:
        """The cell under the mouse pointer."""
        return self._hover

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONUP and event.button in (_LEFT, _RIGHT):
            self._dragged = None
        if event.type == pygame.MOUSEMOTION:
            super().handle(event)
            if self._dragged and not any(event.buttons):
                self._dragged = None
            elif self._dragged and self._hover is not None and self._hover != self._last:
                self._last = self._hover
                self._dragged(self._hover)
            return False
        if event.type != pygame.MOUSEBUTTONDOWN or not self.rect.collidepoint(event.pos):
            return False
        self._last = self.view.cell_at(event.pos)
        if event.button == _LEFT:
            self._dragged = self._paint
            return super().handle(event)
        if event.button == _RIGHT:
            self._dragged = self._take
            if self._last is not None:
                self.cursor = self._last
                self._take(self._last)
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_DELETE, pygame.K_BACKSPACE) and self.cursor is not None:
            self._take(self.cursor)
            return True
        return super().key(event)

    def keys(self) -> Sequence[Shortcut]:
        return (
            Shortcut("Arrows", _("move over the board"), group=_("The board")),
            Shortcut("Enter", _("put what is chosen"), group=_("The board")),
            Shortcut("Del  Backspace", _("take away"), group=_("The board")),
        )
