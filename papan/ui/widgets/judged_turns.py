"""The turns of a match with their marks: a click on one goes there, and the one shown is always in sight.

There is a row for each round and a column for each seat; a row for each turn where three or more seats play, and where
a turn is too long for its column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from papan.ui.drawing.theme import Colour, SeatStyle, mix
from papan.ui.texts import _
from papan.ui.widgets.base import Widget, in_one
from papan.ui.widgets.shortcuts import Shortcut

_ROW = 31
_NUMBER = 30
_PADDING = 12
_BAR = 4
_BESIDE = 6
"""Between a turn and the edges of its column."""
_BEFORE_MARK = 5
_LONGEST_MARK = "??"
_SHAPE, _SHAPE_ROOM = 5, 20
_MOST_IN_COLUMNS = 2
_WHEEL_ROWS = 2


@dataclass(frozen=True)
class JudgedTurn:
    """A turn in the list."""

    seat: int
    notation: str
    mark: str = ""
    ink: Colour | None = None
    """The colour of the mark."""


class JudgedTurns(Widget):
    """Draws the turns, without a panel of its own."""

    def __init__(self, seats: int, go_to: Callable[[int], object], style: Callable[[int], SeatStyle]) -> None:
        """:param go_to: called with the number of a turn, counted from 1.
        :param style: asked for the colour and the shape of a seat, where each turn has a row.
        """
        super().__init__("turns")
        self._seats = seats
        self._go_to = go_to
        self._style = style
        self._turns: Sequence[JudgedTurn] = ()
        self._rounds: list[list[int]] = []  # the numbers of the turns in each
        self._round_begun_by: dict[int, int] = {}  # the numbers of the rounds, by their first turns
        self._rows: list[list[int]] = []
        self._row_of: list[int] = [0]
        self._widest: int | None = None  # of the turns, in real pixels; None until they are measured
        self.chosen = 0
        """The turn shown; 0 is the start."""
        self._top = 0.0
        self._under: int | None = None

    def show_turns(self, turns: Sequence[JudgedTurn]) -> None:
        """List *turns*."""
        if turns == self._turns:
            return
        if len(turns) != len(self._turns):
            self._widest = None
        self._turns, self._rounds = turns, []
        for number, turn in enumerate(turns, start=1):
            if not self._rounds or turns[self._rounds[-1][-1] - 1].seat >= turn.seat:
                self._rounds.append([])
            self._rounds[-1].append(number)
        self._round_begun_by = {numbers[0]: number for number, numbers in enumerate(self._rounds, start=1)}
        self._arrange()
        self.invalidate()

    def _arrange(self) -> None:
        """Put the turns into rows."""
        if self._has_row_a_turn:
            self._rows = [[number] for numbers in self._rounds for number in numbers]
        else:
            self._rows = self._rounds
        self._row_of = [0, *(row for row, numbers in enumerate(self._rows) for _number in numbers)]

    @property
    def _has_row_a_turn(self) -> bool:
        if self._seats != _MOST_IN_COLUMNS or self.host is None:
            return self._seats > _MOST_IN_COLUMNS
        if self._widest is None:
            self._widest = max((self.paint.width(turn.notation, "small") for turn in self._turns), default=0)
        mark = self.paint.width(_LONGEST_MARK, "strong") + self.theme.px(2 * _BESIDE + _BEFORE_MARK)
        return self._widest + mark > (self.rect.right - self.theme.px(_PADDING) - self._left) // self._seats

    def choose(self, turn: int) -> None:
        """Mark *turn* as the one shown, and bring it into sight."""
        if turn != self.chosen:
            self.chosen = turn
            self._bring_into_sight()
            self.invalidate()

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._arrange()
        self._bring_into_sight()

    # ------------------------------------------------------------------------------------- scrolling

    def _lowest_top(self) -> float:
        return max(0, len(self._rows) * self.theme.px(_ROW) - self.rect.h) if self.host else 0

    def _bring_into_sight(self) -> None:
        if self.host is None or not self.rect.h:
            return
        height = self.theme.px(_ROW)
        top = (self._row_of[self.chosen] if self.chosen < len(self._row_of) else 0) * height
        beside = height if self.rect.h > 3 * height else 0  # the row before and the one after are seen too
        highest, lowest = top + height + beside - self.rect.h, top - beside
        self._top = min(max(0.0, min(max(self._top, highest), lowest)), self._lowest_top())

    def _scroll(self, rows: float) -> None:
        self._top = min(max(0.0, self._top + rows * self.theme.px(_ROW)), self._lowest_top())
        self.invalidate()

    # ---------------------------------------------------------------------------------------- acting

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self.is_hovered:
            self._scroll(-_WHEEL_ROWS * event.y)
            return True
        if event.type == pygame.MOUSEMOTION:
            under = self.turn_at(event.pos) if self.is_hovered else None
            if under != self._under:
                self._under = under
                self.invalidate()
            return False
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            if self.host is not None:
                self.host.focus(self, by_keyboard=False)
            turn = self.turn_at(event.pos)
            if turn is not None:
                self._go_to(turn)
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        if event.key not in (pygame.K_UP, pygame.K_DOWN) or not self._rows:
            return super().key(event)
        row = self._row_of[self.chosen] + (1 if event.key == pygame.K_DOWN else -1) if self.chosen else 0
        if 0 <= row < len(self._rows):
            seat = self._turns[self.chosen - 1].seat if self.chosen else self._turns[0].seat
            round_ = self._rows[row]
            self._go_to(next((number for number in round_ if self._turns[number - 1].seat >= seat), round_[-1]))
        return True

    def keys(self) -> Sequence[Shortcut]:
        return (Shortcut("Up  Down", _("choose a turn")),)

    def turn_at(self, point: tuple[int, int]) -> int | None:
        """The number of the turn at *point*; None for none."""
        if not self.rect.collidepoint(point):
            return None
        row = int((point[1] - self.rect.y + self._top) // self.theme.px(_ROW))
        numbers = self._rows[row] if 0 <= row < len(self._rows) else []
        return next((number for number in numbers if self.rect_of(number).collidepoint(point)), None)

    def rect_of(self, turn: int) -> pygame.Rect:
        """Where *turn* stands, be it in sight or not."""
        row, height = self._row_of[turn], self.theme.px(_ROW)
        left = self._left + (self._turns[turn - 1].seat * self._column if self._columns > 1 else 0)
        return pygame.Rect(left, round(self.rect.y + row * height - self._top), self._column, height)

    # --------------------------------------------------------------------------------------- drawing

    @property
    def _left(self) -> int:
        number = self.paint.tabular_width(f"{len(self._rounds)}.") + self.theme.px(_BESIDE)
        return self.rect.x + self.theme.px(_PADDING) + max(self.theme.px(_NUMBER), number)

    @property
    def _columns(self) -> int:
        return 1 if self._has_row_a_turn else self._seats

    @property
    def _column(self) -> int:
        return (self.rect.right - self.theme.px(_PADDING) - self._left) // self._columns

    def utterance(self) -> str:
        turn = self._turns[self.chosen - 1] if self.chosen else None
        return in_one(_("Turns"), *((turn.notation, turn.mark) if turn is not None else ()))

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, rect = self.paint, self.theme, self.theme.px, self.rect
        if not self._rows:
            at = (rect.x + px(_PADDING), rect.y + px(14))
            paint.text(surface, _("Nothing has been played."), at, "small", theme.second, anchor="midleft")
            return
        clip = surface.get_clip()
        surface.set_clip(rect.clip(clip))
        first = int(self._top // px(_ROW))
        for row in range(first, min(len(self._rows), first + rect.h // px(_ROW) + 2)):
            self._draw_row(surface, row)
        surface.set_clip(clip)
        self._draw_bar(surface)

    def _draw_row(self, surface: pygame.Surface, row: int) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        middle = round(self.rect.y + (row + 0.5) * px(_ROW) - self._top)
        round_number = self._round_begun_by.get(self._rows[row][0])
        if round_number is not None:
            at = (self.rect.x + px(_PADDING), middle)
            paint.text(surface, f"{round_number}.", at, "text", theme.second, anchor="midleft", tabular=True)
        for number in self._rows[row]:
            self._draw_turn(surface, number, middle)

    def _draw_turn(self, surface: pygame.Surface, number: int, middle: int) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        turn, box = self._turns[number - 1], self.rect_of(number)
        if number == self.chosen:
            ink = turn.ink or theme.accent
            paint.rounded_rect(surface, box.inflate(0, -px(3)), mix(theme.panel, ink, 0.16), px(6), line=ink)
        elif number == self._under and self.is_hovered:
            paint.rounded_rect(surface, box.inflate(0, -px(3)), theme.hover, px(6))
        left = box.x + px(_BESIDE)
        if self._columns == 1 and self._seats > 1:
            style = self._style(turn.seat)
            paint.seat_shape(surface, (left + px(_SHAPE), middle), px(_SHAPE), style.shape, style.colour)
            left += px(_SHAPE_ROOM)
        room = box.right - px(_BESIDE) - left
        if turn.mark:
            room -= paint.width(turn.mark, "strong") + px(_BEFORE_MARK)
        written = paint.text(
            surface, turn.notation, (left, middle), "text", anchor="midleft", width=room, tabular=True, shrinks=True
        )
        if turn.mark:
            at = (written.right + px(_BEFORE_MARK), middle)
            paint.text(surface, turn.mark, at, "strong", turn.ink, anchor="midleft")

    def _draw_bar(self, surface: pygame.Surface) -> None:
        lowest = self._lowest_top()
        if lowest <= 0:
            return
        px, rect = self.theme.px, self.rect
        height = max(px(24), rect.h * rect.h // (len(self._rows) * px(_ROW)))
        top = rect.y + round((rect.h - height) * self._top / lowest)
        bar = pygame.Rect(rect.right - px(_BAR) - px(1), top, px(_BAR), height)
        self.paint.rounded_rect(surface, bar, self.theme.line, px(_BAR) // 2)
