"""Boards as widgets: one to play on, one to set up, one to look at."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

import pygame

from papan.game.rules import State
from papan.ui.boards import BoardView, Direction, Picture
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widget, join_phrases
from papan.ui.widgets.shortcuts import Shortcut

log = logging.getLogger(__name__)

_LEAST_DRAG = 6
"""How far the mouse must move, in design pixels, before a press becomes a drag."""

_DIRECTIONS: dict[int, Direction] = {
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
}
_LEFT, _RIGHT = 1, 3


class BoardWidget(Widget):
    """Shows a board view and reports the cells that the player points at."""

    def __init__(
        self,
        view: BoardView,
        picture: Callable[[], Picture],
        point: Callable[[int], object],
        point_by_arrow: Callable[[int], object] | None = None,
        *,
        in_words: Callable[[State, int], str] | None = None,
    ) -> None:
        """:param picture: returns what to draw, each frame; hover and cursor are set by the widget.
        :param point: called with the cell that was clicked, or chosen with Enter.
        :param point_by_arrow: called with the cell that an arrow key pointed at; default: *point*.
        :param in_words: returns the name of a cell and what is on it, for speech.
        """
        super().__init__("board")
        self.view = view
        self._picture = picture
        self._point = point
        self._point_by_arrow = point_by_arrow or point
        self._grip: tuple[int, int] | None = None
        self._drag_offset = (0, 0)
        self._was_lifted = False
        self._in_words = in_words
        self._uttered: tuple[int | None, str] = (None, "")
        self._was_drawn = False
        self.cursor: int | None = None
        """The keyboard cursor's cell; None until the keyboard was used."""

    @property
    def _has_cells(self) -> bool:
        """Whether the view knows where this position's cells are."""
        return self._was_drawn or not self.view.lies_by_position

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self.view.layout(rect)

    def look(self, outlook: int) -> None:
        self.view.outlook = outlook
        self.part_under = None
        self._end_drag()
        self.place(self.rect)

    def utterance(self) -> str:
        """The cell under the cursor, as it was when the cursor arrived: later moves are announced as news."""
        if self.cursor is None or self._in_words is None:
            return ""
        if self.cursor != self._uttered[0]:
            picture = self._picture()
            words = join_phrases(
                translated(self._in_words(picture.state, self.cursor)),
                _("can be chosen") if self.cursor in picture.targets else "",
                picture.marks.get(self.cursor, ""),
            )
            self._uttered = self.cursor, words
        return self._uttered[1]

    def draw(self, surface: pygame.Surface) -> None:
        cursor = self.cursor if self.shows_focus else None
        picture = self._picture()
        carried = self._drag_offset if picture.chosen is not None else (0, 0)
        self.view.draw(surface, replace(picture, hover=self.part_under, cursor=cursor, carried=carried))
        if not self._was_drawn:
            self._was_drawn = True
            log.info("The board is shown")

    def draw_focus(self, surface: pygame.Surface) -> None:
        """Nothing: the board draws its cursor instead."""

    def focus_changed(self) -> None:
        if self.has_focus and self.cursor is None:
            self.cursor = self.view.first_cursor(self._picture().state)

    def handle(self, event: pygame.event.Event) -> bool:
        if not self._has_cells:
            return False
        if event.type == pygame.MOUSEMOTION:
            self.change(part_under=self.part_at(event.pos) if self.is_hovered else None)
            if self._grip is not None and event.buttons[0]:
                self._drag_to(event.pos)
            elif self._grip is not None:
                self._end_drag()  # the button was released outside the window
            return False
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._grip is not None:
            self._release(event.pos)
            return True
        return event.type == pygame.MOUSEBUTTONDOWN and super().handle(event)

    def part_at(self, point: tuple[int, int]) -> int | None:
        """The cell at *point*."""
        return self.view.cell_at(point) if self.rect.collidepoint(point) else None

    def press(self, point: tuple[int, int]) -> bool:
        cell = self.part_at(point)
        self.take_focus()
        if cell is not None:
            self._press(cell, point)
        return True

    # A piece is moved by two clicks or one drag. Dropped on a cell that it can't go to, it stays lifted, with the
    # reason; dropped outside the board, it is put back, as by a click on the lifted piece.

    def _press(self, cell: int, at: tuple[int, int]) -> None:
        self.cursor = cell
        self._was_lifted = self._picture().chosen == cell
        if not self._was_lifted:
            self._point(cell)
        if self._picture().chosen == cell:
            self._grip, self._drag_offset = at, (0, 0)

    def _drag_to(self, at: tuple[int, int]) -> None:
        assert self._grip is not None
        moved = at[0] - self._grip[0], at[1] - self._grip[1]
        if self._drag_offset != (0, 0) or max(map(abs, moved)) >= self.theme.px(_LEAST_DRAG):
            self._drag_offset = moved
            self.invalidate()

    def _release(self, at: tuple[int, int]) -> None:
        was_dragged, lifted = self._drag_offset != (0, 0), self._picture().chosen
        self._end_drag()
        if lifted is None:
            return
        cell = self.part_at(at)
        if was_dragged and cell is not None and cell != lifted:
            self.cursor = cell
            self._point(cell)
        elif was_dragged or self._was_lifted:
            self._point(lifted)

    def _end_drag(self) -> None:
        self._grip, self._drag_offset = None, (0, 0)
        self.invalidate()

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
        elif self._has_cells:
            self.cursor = self.view.neighbour(self.cursor, direction)
        return True

    def keys(self) -> Sequence[Shortcut]:
        if self.view.cell_of_arrow("up") is not None:
            return (Shortcut("Arrows", _("play"), group=_("The board")),)
        return (
            Shortcut("Arrows", _("move over the board"), group=_("The board")),
            Shortcut("Enter", _("choose the cell"), group=_("The board")),
        )

    def activate(self) -> None:
        if self.cursor is not None and self._has_cells:
            self._point(self.cursor)


class EditedBoard(BoardWidget):
    """Shows a board view to set up a position on: it reports where to put and remove pieces."""

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
        """:param picture: returns what to draw, each frame.
        :param put: called with the cell that was clicked, or chosen with Enter.
        :param paint: called with each further cell that the mouse is dragged over.
        :param take: called with a cell to empty: by the right button, or by Del.
        :param in_words: as for ``BoardWidget``.
        """
        super().__init__(view, picture, put, in_words=in_words)
        self._paint, self._take = paint, take
        self._dragged: Callable[[int], object] | None = None
        self._last: int | None = None

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONUP and event.button in (_LEFT, _RIGHT):
            self._dragged = None
        if event.type == pygame.MOUSEMOTION:
            super().handle(event)
            if self._dragged and not any(event.buttons):
                self._dragged = None
            elif self._dragged and self.part_under is not None and self.part_under != self._last:
                self._last = self.part_under
                self._dragged(self.part_under)
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
            Shortcut("Enter", _("put the chosen piece there"), group=_("The board")),
            Shortcut("Del  Backspace", _("remove the piece"), group=_("The board")),
        )


class StillBoard(Widget):
    """Shows a board view that takes no clicks; the wheel steps through the turns."""

    is_focusable = False

    def __init__(self, view: BoardView, picture: Callable[[], Picture], turn_wheel: Callable[[int], object]) -> None:
        """:param picture: returns what to draw, each frame.
        :param turn_wheel: called with the number of turns to go forward; negative: back.
        """
        super().__init__("board")
        self.view = view
        self._picture = picture
        self._turn_wheel = turn_wheel

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self.view.layout(rect)

    def draw(self, surface: pygame.Surface) -> None:
        self.view.draw(surface, self._picture())

    def turn_wheel(self, notches: int) -> bool:
        if notches:
            self._turn_wheel(-notches)
        return bool(notches)
