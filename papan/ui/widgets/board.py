"""Boards as widgets: one to play on, one to set up, one to look at."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import pygame

from papan.game.rules import State
from papan.ui.boards import BoardView, Direction, Picture
from papan.ui.texts import _, current_language, translated
from papan.ui.widgets.base import Part, Widget, join_phrases
from papan.ui.widgets.shortcuts import Shortcut

log = logging.getLogger(__name__)

_LEAST_DRAG = 6
"""How far the mouse must move, in design pixels, before a press becomes a drag."""
_LEAST_SWIPE = 18
"""How far it must move, in design pixels, to play what the arrow key of that direction plays."""

_DIRECTIONS: dict[int, Direction] = {
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
}
_LEFT, _RIGHT = 1, 3
CELLS_A_FRAME = 20
"""The cells to put into words in a frame, for a screen reader: a millisecond's work."""
InWords = Callable[[int], str]
"""Returns the name of a cell and what is on it."""


class _Board(Widget):
    """Shows a board view, whose cells a screen reader can read."""

    role = "board"

    def __init__(
        self, view: BoardView, picture: Callable[[], Picture], in_words: Callable[[State], InWords] | None
    ) -> None:
        """:param picture: returns what to draw, each frame.
        :param in_words: returns a function that names a cell and what is on it; None for no words.
        """
        super().__init__("board")
        self.view = view
        self._picture = picture
        self._in_words = in_words
        self._was_drawn = False
        self._parts: Sequence[Part] = ()
        """The cells for a screen reader."""
        self._told: object = None
        """What they depend on."""
        self._telling: Iterator[Part] | None = None
        """The cells of a new position that are not in words yet."""
        self._coming: list[Part] = []

    @property
    def _has_cells(self) -> bool:
        """Whether the view knows where this position's cells are."""
        return self._was_drawn or not self.view.lies_by_position

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self.view.layout(rect)

    def _cell_in_words(self, picture: Picture, cell: int, in_words: InWords | None = None) -> str:
        in_words = in_words or (self._in_words(picture.state) if self._in_words is not None else lambda cell: "")
        return join_phrases(
            translated(self.view.arrow_in_words(picture.state, cell) or in_words(cell)),
            _("chosen") if cell == picture.chosen else _("can be chosen") if cell in picture.targets else "",
            picture.marks.get(cell, ""),
        )

    def name_and_value(self) -> tuple[str, str]:
        return _("Board"), ""

    def parts(self) -> Sequence[Part]:
        """All cells, each with what is on it and whether it can be chosen, row by row.

        A new position is put into words in the course of some frames.
        """
        picture = self._picture()
        if not self._has_cells or picture.moving is not None:
            return self._parts
        on = picture.state, picture.targets, picture.chosen, dict(picture.marks), tuple(self.rect), self.view.outlook
        if self._told != (on, current_language()):
            self._told, self._coming = (on, current_language()), []
            self._telling = self._tell(picture)
        if self._telling is not None:
            told = list(islice(self._telling, CELLS_A_FRAME))
            self._coming += told
            if len(told) < CELLS_A_FRAME:
                self._parts, self._telling = self._coming, None
        return self._parts

    def _tell(self, picture: Picture) -> Iterator[Part]:
        in_words = self._in_words(picture.state) if self._in_words is not None else None
        cells = [(self.view.cell_rect(cell), cell) for cell in self.view.cells_in_reach(picture.state)]
        for rect, cell in sorted(cells, key=lambda one: (one[0].y, one[0].x)):
            yield Part(cell, rect, self._cell_in_words(picture, cell, in_words), "cell")

    @property
    def has_more_parts(self) -> bool:
        return self._telling is not None


class BoardWidget(_Board):
    """Shows a board view and reports the cells that the player points at."""

    def __init__(
        self,
        view: BoardView,
        picture: Callable[[], Picture],
        point: Callable[[int], object],
        point_by_arrow: Callable[[int], object] | None = None,
        *,
        in_words: Callable[[State], InWords] | None = None,
    ) -> None:
        """:param picture: returns what to draw, each frame; hover and cursor are set by the widget.
        :param point: called with the cell that was clicked, or chosen with Enter.
        :param point_by_arrow: called with the cell that an arrow key pointed at; default: *point*.
        :param in_words: returns a function that names a cell and what is on it, for speech.
        """
        super().__init__(view, picture, in_words)
        self._point = point
        self._point_by_arrow = point_by_arrow or point
        self._grip: tuple[int, int] | None = None
        self._drag_offset = (0, 0)
        self._was_lifted = False
        self._uttered: tuple[int | None, str] = (None, "")
        self.cursor: int | None = None
        """The keyboard cursor's cell; None until the keyboard was used."""

    def look(self, outlook: int) -> None:
        self.view.outlook = outlook
        self.part_under = None
        self._end_drag()
        self.place(self.rect)

    def utterance(self) -> str:
        """The cell under the cursor, as it was when the cursor arrived: later moves are announced as news.

        Without a cursor, that this is the board.
        """
        if self.cursor is None or self._in_words is None:
            return self.name_and_value()[0]
        if self.cursor != self._uttered[0]:
            self._uttered = self.cursor, self._cell_in_words(self._picture(), self.cursor)
        return self._uttered[1]

    @property
    def active_part(self) -> int | None:
        return self.cursor

    def point_at_part(self, number: int) -> None:
        self.cursor = number

    def press_part(self, number: int) -> None:
        self.take_focus()
        self.cursor = number
        self._point(number)

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

    def takes_drag(self, point: tuple[int, int]) -> bool:
        return self._has_cells

    def press(self, point: tuple[int, int]) -> bool:
        cell = self.part_at(point)
        self.take_focus()
        if self._is_swiped:
            self._grip = point
        elif cell is not None:
            self._press(cell, point)
        return True

    @property
    def _is_swiped(self) -> bool:
        """Whether a drag in some direction does what its arrow key does, and a click counts when it is released."""
        return self.view.cell_of_arrow("up") is not None

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
        if self._is_swiped:
            if max(map(abs, moved)) >= self.theme.px(_LEAST_SWIPE):
                self._end_drag()
                self._point_in(_direction_of(*moved))
        elif self._drag_offset != (0, 0) or max(map(abs, moved)) >= self.theme.px(_LEAST_DRAG):
            self._drag_offset = moved
            self.invalidate()

    def _release(self, at: tuple[int, int]) -> None:
        was_dragged, lifted = self._drag_offset != (0, 0), self._picture().chosen
        self._end_drag()
        cell = self.part_at(at)
        if self._is_swiped and cell is not None:
            self.cursor = cell
            self._point(cell)
        if lifted is None:
            return
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
        if self._point_in(direction):
            return True
        if self.cursor is None:
            self.cursor = self.view.first_cursor(self._picture().state)
        elif self._has_cells:
            self.cursor = self.view.neighbour(self.cursor, direction)
        return True

    def _point_in(self, direction: Direction) -> bool:
        """Point at the cell that this arrow key chooses directly; return whether there is one."""
        cell = self.view.cell_of_arrow(direction)
        if cell is None:
            return False
        self.cursor = cell
        self._point_by_arrow(cell)
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


def _direction_of(right: int, down: int) -> Direction:
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "down" if down > 0 else "up"


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
        in_words: Callable[[State], InWords] | None = None,
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


class StillBoard(_Board):
    """Shows a board view that takes no clicks; the wheel steps through the turns."""

    is_focusable = False

    def __init__(
        self,
        view: BoardView,
        picture: Callable[[], Picture],
        turn_wheel: Callable[[int], object],
        in_words: Callable[[State], InWords] | None = None,
    ) -> None:
        """:param picture, in_words: as for ``BoardWidget``.
        :param turn_wheel: called with the number of turns to go forward; negative: back.
        """
        super().__init__(view, picture, in_words)
        self._turn_wheel = turn_wheel

    def draw(self, surface: pygame.Surface) -> None:
        self.view.draw(surface, self._picture())
        self._was_drawn = True

    def turn_wheel(self, notches: int) -> bool:
        if notches:
            self._turn_wheel(-notches)
        return bool(notches)
