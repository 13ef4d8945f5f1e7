"""The numbers behind a review, for researchers: figures with their meaning, their course, one position by depth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from papan.ai.indicators.zones import ZONE_NAMES, Zone
from papan.ui.drawing.graphs import CurveChart
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import mix
from papan.ui.play.instruments import FACTORS
from papan.ui.scenes.review_charts import zone_colour
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widget, Widgets
from papan.ui.widgets.buttons import IconButton
from papan.ui.widgets.chart import Chart
from papan.ui.widgets.choices import Segments, Slider
from papan.ui.widgets.dropdown import Item
from papan.ui.widgets.readouts import Figure

_PADDING = 16
_GAP = 12
_HEAD = 42
_TABS = 38
_MEASURE = 172
_FIGURE = (190, 50)
_LEAST_CHART, _MOST_CHART = 104, 260
_LEGEND = 22
_LINES = 3
_SLIDER = 34

FIGURES, COURSE, DEPTH = "figures", "course", "depth"
SEARCH, PROOF = "search", "proof"


@dataclass(frozen=True)
class NumbersActions:
    """What the panel's widgets do."""

    go_to: Callable[[int], object]
    """Goes to a turn."""
    close: Callable[[], object]
    choose_threshold: Callable[[int], object]
    """Takes the threshold at a place of ``FACTORS``, or the next one for a win."""
    tell_by_proof: Callable[[bool], object]
    """Has winning chances told by proof numbers, or by the search."""


class NumbersPanel:
    """The panel, its words drawn, its figures and charts widgets of the scene."""

    def __init__(
        self, paint: Painter, widgets: Widgets, figures: Sequence[tuple[str, str, str]], actions: NumbersActions
    ) -> None:
        """:param figures: for each its name, its meaning in a sentence, and whose it is."""
        self._paint = paint
        self._meanings = [meaning for _name, meaning, _whose in figures]
        self._actions = actions
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.is_visible = False
        self.tab = FIGURES
        self.threshold = ""
        """The threshold, in words."""
        self._close = widgets.add(IconButton("close", _("Back to the advice"), actions.close, name="less"))
        items = [Item(FIGURES, _("Figures")), Item(COURSE, _("Course")), Item(DEPTH, _("Depth and T"))]
        self._tabs = widgets.add(Segments(items, FIGURES, self._turn_to, name="numbers"))
        self._tabs.beside = _("Numbers for researchers")
        measures = [Item(SEARCH, _("search")), Item(PROOF, _("PPN"))]
        tooltip = _("Winning chances by the search, or by probability-based proof numbers")
        self._measure = widgets.add(Segments(measures, SEARCH, self._measure_by, name="measure", tooltip=tooltip))
        self._measure.beside = _("Numbers for researchers")
        self._has_proof = False
        self._figures = [widgets.add(Figure(f"figure {index}", *said)) for index, said in enumerate(figures)]
        self._charts = [widgets.add(Chart(name, actions.go_to)) for name in ("hold", "ride")]
        for chart, title in zip(self._charts, (_("How hard to hold"), _("The ride")), strict=True):
            chart.beside = title
        self._slider = widgets.add(
            Slider(
                "threshold",
                len(FACTORS),
                actions.choose_threshold,
                _("T, the score that conspiracy numbers measure the way to; at the far right a win."),
            )
        )
        self._depth = widgets.add(Chart("depth", lambda place: None))
        self._depth.beside = _("By depth")
        self._depth.show_turn(None)

    def set_visible(self, is_visible: bool) -> None:
        """Show the panel, or hide it."""
        self.is_visible = is_visible
        self._close.show(is_visible)
        self._tabs.show(is_visible)
        self._measure.show(is_visible and self._has_proof)
        behind: dict[str, Sequence[Widget]] = {
            FIGURES: self._figures,
            COURSE: self._charts,
            DEPTH: (self._slider, self._depth),
        }
        for tab, widgets in behind.items():
            for widget in widgets:
                widget.show(is_visible and tab == self.tab)

    def show_tab(self, tab: str) -> None:
        """Bring *tab* to the front: ``FIGURES``, ``COURSE`` or ``DEPTH``."""
        self._tabs.choose(tab)

    def _turn_to(self, tab: str) -> None:
        self.tab = tab
        self.set_visible(self.is_visible)
        self._close.invalidate()

    def show_measure(self, is_by_proof: bool, *, has_proof: bool) -> None:
        """Show what winning chances are told by, and whether there is a choice."""
        self._measure.value = PROOF if is_by_proof else SEARCH
        self._has_proof = has_proof

    def _measure_by(self, measure: str) -> None:
        self._actions.tell_by_proof(measure == PROOF)

    def takes_arrows(self, widget: Widget | None) -> bool:
        """Whether arrow keys change something at *widget*, so that they can't walk through the match."""
        return widget in (self._tabs, self._slider, self._measure)

    def show_turn(self, turn: int, values: Sequence[str]) -> None:
        """Show the *values* of the figures after *turn*, and mark it in the charts."""
        for figure, value in zip(self._figures, values, strict=True):
            figure.show_value(value)
        for chart in self._charts:
            chart.show_turn(turn)

    def show_graph(self, index: int, graph: CurveChart) -> None:
        """Show *graph* in the chart of the course of this *index*, 0 or 1."""
        self._charts[index].show_graph(graph)

    def show_depths(self, graph: CurveChart, place: int, threshold: str) -> None:
        """Show the *graph* of a position by depth, and the *threshold*, in words, at its *place*."""
        self._depth.show_graph(graph)
        self._slider.show_value(place)
        self.threshold = self._slider.beside = threshold

    # --------------------------------------------------------------------------------------- placing

    def place(self, rect: pygame.Rect) -> None:
        """Lie in *rect*: tabs, and below them what is behind each."""
        px = self._paint.theme.px
        self.rect = rect
        inner = rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        side = px(36)
        self._close.place(pygame.Rect(inner.right - side, inner.y - px(6), side, side))
        width = px(_MEASURE)
        self._measure.place(pygame.Rect(self._close.rect.x - px(_GAP) - width, self._close.rect.y, width, side))
        self._tabs.place(pygame.Rect(inner.x, inner.y + px(_HEAD) - px(10), inner.w, px(_TABS)))
        top = self._tabs.rect.bottom + px(_GAP)
        self._inside = pygame.Rect(inner.x, top, inner.w, inner.bottom - top)
        rows = len(self._figures)
        pitch = min(px(_FIGURE[1] + 8), self._inside.h // rows)
        for row, figure in enumerate(self._figures):
            height = min(px(_FIGURE[1]), pitch - px(4))
            figure.place(pygame.Rect(inner.x, top + row * pitch, px(_FIGURE[0]), height))
        charts = self._inside.copy()
        charts.h -= px(_LEGEND)
        self._place_charts(charts)
        self._slider.place(pygame.Rect(inner.x, top + px(_LEGEND), inner.w, px(_SLIDER)))
        below = self._slider.rect.bottom + px(_GAP) // 2
        self._depth.place(pygame.Rect(inner.x, below, inner.w, min(inner.bottom - below, px(2 * _MOST_CHART))))

    def _place_charts(self, room: pygame.Rect) -> None:
        """Lay the charts of the course out in *room*, one below the other if it is high enough."""
        px, gap = self._paint.theme.px, self._paint.theme.px(_GAP)
        if room.h >= 2 * px(_LEAST_CHART) + gap:
            first = pygame.Rect(room.x, room.y, room.w, min(px(_MOST_CHART), (room.h - gap) // 2))
            second = first.move(0, first.h + gap)
        else:
            first = pygame.Rect(room.x, room.y, (room.w - gap) // 2, min(px(_MOST_CHART), room.h))
            second = first.move(first.w + gap, 0)
        for chart, rect in zip(self._charts, (first, second), strict=True):
            chart.place(rect)

    # --------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel, without its widgets."""
        if not self.is_visible:
            return
        paint, px = self._paint, self._paint.theme.px
        paint.panel(surface, self.rect)
        left = self.rect.x + px(_PADDING)
        title = _("Numbers for researchers")
        at = (left, self._close.rect.centery)
        right = self._measure.rect.x if self._has_proof else self._close.rect.x
        paint.text(surface, title, at, "strong", anchor="midleft", width=right - px(6) - left)
        if self.tab == FIGURES:
            self._draw_meanings(surface)
        elif self.tab == COURSE:
            self._draw_zones(surface)
        else:
            at = (self._inside.x, self._inside.y + px(_LEGEND) // 2)
            paint.text(surface, self.threshold, at, "small", anchor="midleft", width=self._inside.w)

    def _draw_meanings(self, surface: pygame.Surface) -> None:
        paint, px = self._paint, self._paint.theme.px
        right = self._inside.right
        for figure, meaning in zip(self._figures, self._meanings, strict=True):
            beside = figure.rect.right + px(_GAP)
            height = paint.paragraph_height(meaning, right - beside, "small", _LINES)
            area = pygame.Rect(beside, figure.rect.centery - height // 2, right - beside, 0)
            paint.paragraph(surface, meaning, area, "small", paint.theme.second, most_lines=_LINES)

    def _draw_zones(self, surface: pygame.Surface) -> None:
        """What the grounds behind the curves stand for, below the charts."""
        paint, px = self._paint, self._paint.theme.px
        left, middle = self._inside.x, self._charts[-1].rect.bottom + px(_LEGEND) // 2 + px(2)
        for zone in Zone:
            square = pygame.Rect(left, middle - px(6), px(12), px(12))
            paint.rounded_rect(surface, square, mix(paint.theme.panel, zone_colour(zone, paint.theme), 0.45), px(3))
            room = self._inside.right - square.right - px(6)
            name = translated(ZONE_NAMES[zone])
            written = paint.text(
                surface, name, (square.right + px(6), middle), "small", paint.theme.second, anchor="midleft", width=room
            )
            left = written.right + px(14)
