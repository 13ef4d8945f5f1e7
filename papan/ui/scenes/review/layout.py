"""Where the panels of a review lie: board, turns and coach beside each other, below them the chart and a bar."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import MARGIN, SMALLEST_WINDOW

_TOP = 68
_FOOT = 16
_GAP = 12
_BAR = 54
_COACH, _COACH_BOUNDS = 0.235, (272, 400)
_TURNS, _TURNS_BOUNDS = 0.225, (280, 380)
"""Of the width."""
_CHART, _CHART_BOUNDS = 0.15, (116, 190)
"""Of the height."""
_NARROW = 900
"""The width of a page below which turns and chart lie below the bar."""
_NARROW_COACH, _NARROW_ROW, _NARROW_CHART, _NARROW_TURNS = 292, 346, 130, 400
"""There: the coach's width, and the heights of board and coach, of the chart, of the turns or the numbers."""
_PADDING = 14
_BOARD_HEAD = 40
_TURNS_HEAD = 44


class ReviewLayout:
    """The rectangles, in real pixels."""

    def __init__(self) -> None:
        nothing = pygame.Rect(0, 0, 0, 0)
        self.board = self.turns = self.coach = self.chart = self.bar = nothing
        self.accuracy = self.list = nothing
        """What lies in ``turns``."""
        self.numbers = nothing
        """What the numbers take: the place of the turns, and of the coach where that is beside it."""
        self.is_narrow = False
        self._head = 0
        self._padding = 0

    def page_height(self, paint: Painter, width: int) -> int:
        """The height that all needs on a page of *width*, in real pixels."""
        if width >= paint.theme.px(_NARROW):
            return paint.theme.px(SMALLEST_WINDOW[1])
        panels = _NARROW_ROW + _BAR + _NARROW_CHART + _NARROW_TURNS + 3 * _GAP
        return paint.theme.px(_TOP + panels + _FOOT)

    def lay_out(self, paint: Painter, area: pygame.Rect) -> None:
        """Divide *area*, the whole window."""
        px = paint.theme.px
        margin, gap = px(MARGIN), px(_GAP)
        width = area.w - 2 * margin
        self._head, self._padding = px(_BOARD_HEAD), px(_PADDING)
        self.is_narrow = area.w < px(_NARROW)
        if self.is_narrow:
            self._lay_out_narrowly(px, pygame.Rect(margin, px(_TOP), width, area.h), gap)
            return
        self.bar = pygame.Rect(margin, area.bottom - px(_FOOT) - px(_BAR), width, px(_BAR))
        height = _within(area.h * _CHART, px(_CHART_BOUNDS[0]), px(_CHART_BOUNDS[1]))
        self.chart = pygame.Rect(margin, self.bar.y - gap - height, width, height)
        top, bottom = px(_TOP), self.chart.y - gap
        coach = _within(width * _COACH, px(_COACH_BOUNDS[0]), px(_COACH_BOUNDS[1]))
        turns = _within(width * _TURNS, px(_TURNS_BOUNDS[0]), px(_TURNS_BOUNDS[1]))
        self.board = pygame.Rect(margin, top, width - coach - turns - 2 * gap, bottom - top)
        self.turns = pygame.Rect(self.board.right + gap, top, turns, bottom - top)
        self.coach = pygame.Rect(self.turns.right + gap, top, coach, bottom - top)
        self.numbers = self.turns.union(self.coach)

    def _lay_out_narrowly(self, px: Callable[[float], int], room: pygame.Rect, gap: int) -> None:
        """Board and coach beside each other, all else one below the other from the top of *room*."""
        coach = px(_NARROW_COACH)
        self.board = pygame.Rect(room.x, room.y, room.w - coach - gap, px(_NARROW_ROW))
        self.coach = pygame.Rect(self.board.right + gap, room.y, coach, self.board.h)
        self.bar = pygame.Rect(room.x, self.board.bottom + gap, room.w, px(_BAR))
        self.chart = pygame.Rect(room.x, self.bar.bottom + gap, room.w, px(_NARROW_CHART))
        self.turns = pygame.Rect(room.x, self.chart.bottom + gap, room.w, px(_NARROW_TURNS))
        self.numbers = self.turns

    @property
    def board_inside(self) -> pygame.Rect:
        """The board itself, below the words on what it shows."""
        inner = self.board.inflate(-2 * self._padding, -2 * self._padding)
        return pygame.Rect(inner.x, self.board.y + self._head, inner.w, inner.bottom - self.board.y - self._head)

    def divide_turns(self, paint: Painter, boxes: int) -> None:
        """Divide the panel of the turns between *boxes* of this height and the list."""
        px, turns = paint.theme.px, self.turns
        top = turns.y + px(_TURNS_HEAD)
        self.accuracy = pygame.Rect(turns.x + px(_PADDING), top, turns.w - 2 * px(_PADDING), boxes)
        first = self.accuracy.bottom + px(10)
        self.list = pygame.Rect(turns.x + 1, first, turns.w - 2, turns.bottom - px(8) - first)


def _within(length: float, least: int, most: int) -> int:
    return round(min(most, max(least, length)))
