"""The board as a widget: the mouse and the keyboard point at its cells, and it draws what the scene says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pygame

from papan.ui.boards import BoardView, Direction, Picture
from papan.ui.widgets.base import Widget

_DIRECTIONS: dict[int, Direction] = {
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
}


class BoardWidget(Widget):
    """Shows a board view and reports the cells that a person points at."""

    def __init__(
        self,
        view: BoardView,
        picture: Callable[[], Picture],
        point: Callable[[int], object],
        point_by_arrow: Callable[[int], object] | None = None,
    ) -> None:
        """:param picture: asked for what to draw, in each frame; hover and cursor are the widget's own.
        :param point: called with the cell that was clicked, or chosen with Enter.
        :param point_by_arrow: called with the cell that an arrow key pointed at; default: *point*.
        """
        super().__init__("board")
        self.view = view
        self._picture = picture
        self._point = point
        self._point_by_arrow = point_by_arrow or point
        self._hover: int | None = None
        self.cursor: int | None = None
        """The keyboard's cell, once the keyboard has been used."""

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self.view.layout(rect)

    def look(self, outlook: int) -> None:
        """Look at the board in another way from now on."""
        self.view.outlook = outlook
        self._hover = None
        self.place(self.rect)

    def draw(self, surface: pygame.Surface) -> None:
        shows_cursor = self.has_focus and self.host is not None and self.host.shows_focus
        cursor = self.cursor if shows_cursor else None
        self.view.draw(surface, replace(self._picture(), hover=self._hover, cursor=cursor))

    def draw_focus(self, surface: pygame.Surface) -> None:
        """The cursor on the board says it."""

    def focus_changed(self) -> None:
        if self.has_focus and self.cursor is None:
            self.cursor = self.view.first_cursor(self._picture().state)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            over = self.rect.collidepoint(event.pos) and self.is_hovered
            hover = self.view.cell_at(event.pos) if over else None
            if hover != self._hover:
                self._hover = hover
                self.invalidate()
            return False
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            cell = self.view.cell_at(event.pos)
            if self.host is not None:
                self.host.focus(self, by_keyboard=False)
            if cell is not None:
                self.cursor = cell
                self._point(cell)
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        direction = _DIRECTIONS.get(event.key)
        if direction is None or event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META):
            return super().key(event)
        cell = self.view.cell_of_arrow(direction)
        if cell is not None:
            self.cursor = cell
            self._point_by_arrow(cell)
        elif self.cursor is None:
            self.cursor = self.view.first_cursor(self._picture().state)
        else:
            self.cursor = self.view.neighbour(self.cursor, direction)
        return True

    def activate(self) -> None:
        if self.cursor is not None:
            self._point(self.cursor)
