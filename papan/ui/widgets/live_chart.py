"""A chart that goes on changing: its picture is painted beside the frames, and the last one stays meanwhile."""

from __future__ import annotations

import math
import time

import pygame

from papan.ui.drawing.graphs import CurveChart, curves_painting, draw_chart
from papan.ui.drawing.samples import Painting
from papan.ui.widgets.base import Widget

_SLICE_SECONDS = 0.002
"""Of a frame, for the picture."""
_PAUSE = 1 / 60
"""Seconds from one slice to the next where nothing else moves."""


class LiveChart(Widget):
    """Shows a chart to look at."""

    is_focusable = False

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.graph = CurveChart("")
        self._next = self.graph
        """The chart whose picture is being painted."""
        self._picture: pygame.Surface | None = None
        self._painting: Painting | None = None

    @property
    def is_painting(self) -> bool:
        """Whether the last chart that was to be shown is not shown yet."""
        return self._painting is not None

    def show_graph(self, graph: CurveChart) -> None:
        """Show *graph* in a few frames; one that is being painted is shown before."""
        if graph != self.graph and self._painting is None and self.rect.w:
            self._next = graph
            self._painting = curves_painting(self.paint, self.rect, graph)
            self.invalidate()

    def begin_with(self, graph: CurveChart) -> None:
        """Show *graph*, and nothing more of what was to be shown before."""
        self._painting, self._next = None, self.graph
        self.show_graph(graph)

    def place(self, rect: pygame.Rect) -> None:
        if rect.size != self.rect.size:
            self.graph = self._next
            self._picture = self._painting = None
        super().place(rect)

    @property
    def idle_seconds(self) -> float:
        """Painting needs time, but no frame until it is done."""
        return math.inf if self._painting is None else _PAUSE

    def update(self, seconds: float) -> None:
        if self._painting is None:
            return
        until = time.perf_counter() + _SLICE_SECONDS
        try:
            while time.perf_counter() < until:
                next(self._painting)
        except StopIteration as end:
            self._show(end.value)

    def _show(self, picture: pygame.Surface) -> None:
        """Show *picture*, which is that of the next chart."""
        self.graph, self._picture, self._painting = self._next, picture, None
        self.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        if self._picture is None:
            if self._painting is None:
                self._next, self._painting = self.graph, curves_painting(self.paint, self.rect, self.graph)
            self._show(self.paint.pictures.finish(self._painting))
        draw_chart(self.paint, surface, self.rect, self.graph, None, self._picture)
