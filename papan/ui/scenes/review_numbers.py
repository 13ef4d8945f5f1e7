"""The numbers behind a review, for researchers: each with its value, its meaning in a sentence, and two curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.graphs import CurveChart
from papan.ui.drawing.paint import Painter
from papan.ui.texts import _
from papan.ui.widgets.buttons import IconButton
from papan.ui.widgets.chart import Chart
from papan.ui.widgets.figure import Figure
from papan.ui.widgets.host import Widgets

_PADDING = 16
_GAP = 12
_HEAD = 46
_FIGURE = (152, 50)
_LEAST_PITCH = 44
_LEAST_CHART, _MOST_CHART = 110, 260
_LINES = 3


class NumbersPanel:
    """The panel, its words drawn, its figures and charts widgets of the scene."""

    def __init__(
        self,
        paint: Painter,
        widgets: Widgets,
        figures: Sequence[tuple[str, str, str]],
        go_to: Callable[[int], object],
        close: Callable[[], object],
    ) -> None:
        """:param figures: for each its name, its meaning in a sentence, and whose it is."""
        self._paint = paint
        self._meanings = [meaning for _name, meaning, _whose in figures]
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.is_visible = False
        self._close = widgets.add(IconButton("close", _("Back to the advice"), close, name="less"))
        self._figures = [widgets.add(Figure(f"figure {index}", *said)) for index, said in enumerate(figures)]
        self._charts = [widgets.add(Chart(name, go_to)) for name in ("hold", "ride")]

    def set_visible(self, is_visible: bool) -> None:
        """Show the panel, or hide it."""
        self.is_visible = is_visible
        for widget in (self._close, *self._figures, *self._charts):
            widget.show(is_visible)

    def show_turn(self, turn: int, values: Sequence[str]) -> None:
        """Show the *values* of the figures after *turn*, and mark it in the charts."""
        for figure, value in zip(self._figures, values, strict=True):
            figure.show_value(value)
        for chart in self._charts:
            chart.show_turn(turn)

    def show_graph(self, index: int, graph: CurveChart) -> None:
        """Show *graph* in the chart of this *index*, 0 or 1."""
        self._charts[index].show_graph(graph)

    def place(self, rect: pygame.Rect) -> None:
        """Lie in *rect*: the figures with their sentences, and the charts side by side below them."""
        px = self._paint.theme.px
        self.rect = rect
        inner = rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        side = px(36)
        self._close.place(pygame.Rect(inner.right - side, inner.y - px(6), side, side))
        top = inner.y + px(_HEAD) - px(6)
        rows = len(self._figures)
        room = inner.bottom - top - rows * px(_LEAST_PITCH) - px(_GAP)
        charts = self._place_charts(pygame.Rect(inner.x, inner.bottom - room, inner.w, room))
        pitch = min(px(_FIGURE[1] + 8), (charts - px(_GAP) - top) // rows)
        for row, figure in enumerate(self._figures):
            height = min(px(_FIGURE[1]), pitch - px(4))
            figure.place(pygame.Rect(inner.x, top + row * pitch, px(_FIGURE[0]), height))

    def _place_charts(self, room: pygame.Rect) -> int:
        """Lay the charts out at the bottom of *room*, one below the other if it is high enough; returns their top."""
        px, gap = self._paint.theme.px, self._paint.theme.px(_GAP)
        if room.h >= 2 * px(_LEAST_CHART) + gap:
            height = min(px(_MOST_CHART), (room.h - gap) // 2)
            first = pygame.Rect(room.x, room.bottom - 2 * height - gap, room.w, height)
            second = first.move(0, height + gap)
        else:
            height = min(px(_MOST_CHART), room.h)
            first = pygame.Rect(room.x, room.bottom - height, (room.w - gap) // 2, height)
            second = first.move(first.w + gap, 0)
        for chart, rect in zip(self._charts, (first, second), strict=True):
            chart.place(rect)
        return first.y

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel, without its widgets."""
        if not self.is_visible:
            return
        paint, px = self._paint, self._paint.theme.px
        paint.panel(surface, self.rect)
        left, right = self.rect.x + px(_PADDING), self.rect.right - px(_PADDING)
        title = _("Numbers for researchers")
        at = (left, self._close.rect.centery)
        paint.text(surface, title, at, "strong", anchor="midleft", width=self._close.rect.x - left)
        for figure, meaning in zip(self._figures, self._meanings, strict=True):
            beside = figure.rect.right + px(_GAP)
            height = paint.paragraph_height(meaning, right - beside, "small", _LINES)
            area = pygame.Rect(beside, figure.rect.centery - height // 2, right - beside, 0)
            paint.paragraph(surface, meaning, area, "small", paint.theme.second, most_lines=_LINES)
