"""Charts as widgets: one to click on, and one that updates while data comes in."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import pygame

from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.graphs import CurveChart, Plot, curves_painting, draw_chart, plot_rect, value_at, value_between
from papan.ui.drawing.theme import Colour, TextStyle
from papan.ui.widgets.base import Widget

_TOOLTIP_PADDING = 10
_SLICE_SECONDS = 0.002
"""Seconds of a frame for painting the picture."""
_PAUSE = 1 / 60
"""Seconds from one slice to the next while nothing else is animated."""


class Chart(Widget):
    """A chart that goes to the turn that is clicked or dragged to."""

    role = "picture"

    def __init__(self, name: str, go_to: Callable[[int], object]) -> None:
        super().__init__(name)
        self.graph = CurveChart("")
        self._edition = object()
        """Stands for the graph in the key of its cached picture."""
        self.turn: int | None = 0
        """The turn shown; None for no cursor."""
        self._go_to = go_to

    def show_graph(self, graph: CurveChart) -> None:
        if self.change(graph=graph):
            self._edition = object()

    def show_turn(self, turn: int | None) -> None:
        self.change(turn=turn)

    @property
    def plot(self) -> pygame.Rect:
        return plot_rect(self.paint, self.rect)

    def x_of(self, turn: int) -> int:
        return round(Plot(self.graph, self.plot).x(turn))

    def part_at(self, point: tuple[int, int]) -> int | None:
        around = self.plot.inflate(2 * self.theme.px(10), 2 * self.theme.px(6))
        return Plot(self.graph, self.plot).turn(point[0]) if around.collidepoint(point) else None

    def takes_drag(self, point: tuple[int, int]) -> bool:
        return self.part_at(point) is not None

    def press(self, point: tuple[int, int]) -> bool:
        if self.part_at(point) is None:
            return False
        self.take_focus()
        return self.drag(point)

    def drag(self, point: tuple[int, int]) -> bool:
        turn = Plot(self.graph, self.plot).turn(point[0])
        self.change(part_under=turn)
        self._go_to(turn)
        return True

    def draw(self, surface: pygame.Surface) -> None:
        key = ("chart", self._edition, self.rect.size)
        curves = self.paint.pictures.painted(key, lambda: curves_painting(self.paint, self.rect, self.graph))
        draw_chart(self.paint, surface, self.rect, self.graph, self.turn, curves)
        if self.part_under is not None:
            self._draw_hover(surface, self.part_under)

    def said_at(self, turn: int) -> list[tuple[str, Colour]]:
        """The text for *turn*: the turn itself, each curve's value in its colour, and the bands."""
        said = [(self.graph.turn_in_words(turn), self.theme.ink)]
        for curve in self.graph.curves:
            value = value_at(curve.points, turn)
            if value is not None:
                words = curve.written.get(turn) or curve.in_words(value)
                said.append((f"{curve.name} {words}" if curve.name else words, curve.ink))
        said += [(band.name, self.theme.ink) for band in self.graph.bands if band.first < turn <= band.last]
        return said

    def _draw_hover(self, surface: pygame.Surface, turn: int) -> None:
        """A fine line at the pointer, and that turn's values next to it."""
        paint, px, plot = self.paint, self.theme.px, self.plot
        left = self.x_of(turn)
        surface.fill(self.theme.second, (left, plot.y, max(1, px(1)), plot.h))
        said = self.said_at(turn)
        styles: list[TextStyle] = ["small strong", *["small" for _ in said[1:]]]  # type: ignore[list-item]
        pitch = paint.line_height("small")
        width = max(paint.width(text, style) for (text, _), style in zip(said, styles, strict=True))
        width = min(width, max(px(60), plot.w // 2))
        box = pygame.Rect(0, 0, width + 2 * px(_TOOLTIP_PADDING), len(said) * pitch + px(10))
        first = value_between(self.graph.curves[0].points, turn) if self.graph.curves else None
        is_high = first is not None and first > (self.graph.low + self.graph.high) / 2
        box.midleft = left + px(10), plot.y + plot.h * (3 if is_high else 1) // 4
        if box.right > plot.right:
            box.right = left - px(10)
        box.clamp_ip(self.rect)
        paint.rounded_rect(surface, box, self.theme.panel, px(8), line=self.theme.line)
        for row, ((text, ink), style) in enumerate(zip(said, styles, strict=True)):
            at = (box.x + px(_TOOLTIP_PADDING), box.y + px(5) + row * pitch + pitch // 2)
            paint.text(surface, text, at, style, ink, anchor="midleft", width=width)


class LiveChart(Widget):
    """A chart that can't be clicked; new data is painted in slices, so that no frame takes long."""

    role = "picture"
    is_focusable = False

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.graph = self._next = CurveChart("")
        """The chart shown, and the one whose picture is being painted."""
        self._picture: pygame.Surface | None = None
        self._painting: Painting | None = None

    def place(self, rect: pygame.Rect) -> None:
        if rect.size != self.rect.size:
            self.graph, self._picture, self._painting = self._next, None, None
        super().place(rect)

    @property
    def is_painting(self) -> bool:
        """Whether the last chart given is not shown yet."""
        return self._painting is not None

    def show_graph(self, graph: CurveChart) -> None:
        """Show *graph* in a few frames, unless another is still being painted."""
        if graph != self.graph and self._painting is None and self.rect.w:
            self._next = graph
            self._painting = curves_painting(self.paint, self.rect, graph)
            self.invalidate()

    def replace_graph(self, graph: CurveChart) -> None:
        """Show *graph*, and drop the one being painted."""
        self._painting, self._next = None, self.graph
        self.show_graph(graph)

    @property
    def idle_seconds(self) -> float:
        """Short while painting: that needs updates, but no frame until it is done."""
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
        self.graph, self._picture, self._painting = self._next, picture, None
        self.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        if self._picture is None:
            if self._painting is None:
                self._next, self._painting = self.graph, curves_painting(self.paint, self.rect, self.graph)
            self._show(self.paint.pictures.finish(self._painting))
        draw_chart(self.paint, surface, self.rect, self.graph, None, self._picture)
