"""Numbers for researchers: figures with their meaning, their course, and one position by depth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pygame

from papan.ai.indicators.course import Zone
from papan.ai.thinking.thinker import Worker
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import TextStyle, mix
from papan.ui.play.inquiry import FACTORS, Instruments, ProofBalance
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes.review.charts import ReviewCharts, zone_colour
from papan.ui.scenes.review.words import ReviewWords
from papan.ui.texts import _, in_figures, translated
from papan.ui.widgets.base import Widget, Widgets
from papan.ui.widgets.buttons import IconButton
from papan.ui.widgets.chart import Chart
from papan.ui.widgets.choices import Segments, Slider
from papan.ui.widgets.dropdown import Item
from papan.ui.widgets.readouts import Figure

if TYPE_CHECKING:
    from papan.ai.indicators.conspiracy import AtDepth
    from papan.ai.indicators.course import Course

_SETTLED_SECONDS = 0.4
"""How long a turn is shown before its position is analysed, so that walking through a match starts nothing."""
_PADDING = 16
_GAP = 12
_HEAD = 42
_TABS = 38
_FIGURE = (190, 50)
_LEAST_FIGURE, _BETWEEN = 35, 3
"""The least height of a figure, and what is between two."""
_LEAST_CHART, _MOST_CHART = 104, 260
_LEGEND = 22
_LINES = 3
_SLIDER = 34

FIGURES, COURSE, DEPTH = "figures", "course", "depth"
SEARCH, PROOF = "search", "proof"


class NumbersPanel:
    def __init__(self, reviewed: ReviewedMatch, words: ReviewWords, charts: ReviewCharts, worker: Worker) -> None:
        self._reviewed, self._words, self._review_charts = reviewed, words, charts
        self.instruments = Instruments(reviewed.match, worker)
        self.is_visible = False
        self.tab = FIGURES
        self.has_proof = ProofBalance.suits(reviewed.match.game, reviewed.states[0])
        """Whether proof numbers can tell winning chances."""
        self._turn = -1
        self._seconds = 0.0
        self._shown_depths: tuple[list[AtDepth] | None, bool] | None = None

    def build(
        self,
        paint: Painter,
        widgets: Widgets,
        go_to: Callable[[int], object],
        close: Callable[[], object],
        tell_by_proof: Callable[[bool], object],
    ) -> None:
        """Add the widgets.

        :param go_to: goes to a turn.
        :param tell_by_proof: chooses proof numbers (True) or the search for winning chances.
        """
        self._paint, self._shown_depths = paint, None
        add, title = widgets.add, _("Numbers for researchers")
        figures = self._words.figures()
        self._meanings = [meaning for _name, meaning, _whose in figures]
        self._close = add(IconButton("close", _("Back to the advice"), close, name="less"))
        items = [Item(FIGURES, _("Figures")), Item(COURSE, _("Turn by turn")), Item(DEPTH, _("Depth and target score"))]
        self._tabs = add(Segments(items, self.tab, self._turn_to, name="numbers"))
        measures = [Item(SEARCH, _("search")), Item(PROOF, _("proof"))]
        tooltip = _("Take winning chances from the usual search or from the proof search")
        self._measure = add(
            Segments(measures, SEARCH, lambda measure: tell_by_proof(measure == PROOF), name="measure", tooltip=tooltip)
        )
        self._tabs.beside = self._measure.beside = title
        self._figures = [add(Figure(f"figure {index}", *said)) for index, said in enumerate(figures)]
        self.charts = [add(Chart(name, go_to)) for name in ("hold", "ride")]
        self.charts[0].beside, self.charts[1].beside = (
            _("How close to the goal"),
            _("Energy"),
        )
        tooltip = _("T: the target score for the conspiracy numbers. Slide to the far right to make T a win.")
        self._slider = add(Slider("threshold", len(FACTORS), self._choose_threshold, tooltip))
        self._depth = add(Chart("depth", lambda place: None))
        self._depth.beside = _("By depth")
        self._depth.show_turn(None)

    def set_visible(self, is_visible: bool) -> None:
        self.is_visible = is_visible
        self._close.show(is_visible)
        self._tabs.show(is_visible)
        self._measure.show(is_visible and self.has_proof)
        behind: dict[str, Sequence[Widget]]
        behind = {FIGURES: self._figures, COURSE: self.charts, DEPTH: (self._slider, self._depth)}
        for tab, widgets in behind.items():
            for widget in widgets:
                widget.show(is_visible and tab == self.tab)

    def _turn_to(self, tab: str) -> None:
        self.tab = tab
        self.set_visible(self.is_visible)
        self._close.invalidate()

    def show_tab(self, tab: str) -> None:
        self._tabs.choose(tab)

    def show_measure(self, *, is_by_proof: bool) -> None:
        self._measure.value = PROOF if is_by_proof else SEARCH

    def takes_arrows(self, widget: Widget | None) -> bool:
        """Whether *widget* uses the arrow keys, which otherwise walk through the match."""
        return widget in (self._tabs, self._slider, self._measure)

    def show_turn(self, turn: int, values: Sequence[str]) -> None:
        """Show the *values* of the figures after *turn*, and mark the turn in the charts."""
        for figure, value in zip(self._figures, values, strict=True):
            figure.show_value(value)
        for chart in self.charts:
            chart.show_turn(turn)

    @property
    def is_working(self) -> bool:
        """Whether results may come that the window should poll."""
        asked = self.instruments
        waits = self._is_deepening and self._seconds < _SETTLED_SECONDS
        return asked.course.is_working or asked.depths.is_working or asked.proof.is_working or waits

    @property
    def _is_deepening(self) -> bool:
        return self.is_visible and self.tab == DEPTH

    def tell_by_proof(self, is_on: bool) -> None:
        """Use proof numbers for winning chances, or the search again."""
        self._words.proof_chances = () if is_on else None
        if is_on:
            self.instruments.prove([stop.end for stop in self._reviewed.stops])

    def _choose_threshold(self, place: int) -> None:
        self.instruments.choose(place)
        self._shown_depths = None
        self._show_depths()

    def update(self, seconds: float, turn: int) -> bool:
        """Let time pass while *turn* is shown; return whether the charts must be redrawn."""
        self._seconds = 0.0 if turn != self._turn else self._seconds + seconds
        self._turn = turn
        if self._is_deepening:
            if self._seconds >= _SETTLED_SECONDS:
                self.instruments.look(self._reviewed.stops[turn].end)
            self._show_depths()
        words, has_news = self._words, False
        course: Course | None = self.instruments.course.answer
        if course is not None and course is not words.own_course:
            words.own_course, has_news = course, True
        proof = self.instruments.proof.answer
        if words.proof_chances is not None and proof is not None and proof is not words.proof_chances:
            words.proof_chances, has_news = proof, True
        return has_news

    def _show_depths(self) -> None:
        depths = self.instruments.depths
        if self._shown_depths == (depths.answer, depths.is_working):
            return
        self._shown_depths = depths.answer, depths.is_working
        note = _("The game is over here.") if depths.answer == [] else _("looking deeper …")
        progress = _("looking deeper …") if depths.is_working and depths.answer else ""
        graph = self._review_charts.deeper(depths.answer or [], note, progress)
        self._depth.show_graph(graph)
        self._slider.show_value(self.instruments.place)
        self._slider.beside = self._threshold_in_words()

    def _threshold_in_words(self) -> str:
        place = self.instruments.place
        if place == len(FACTORS):
            return _("T now stands for a win, so these are proof numbers.")
        threshold = in_figures(self.instruments.threshold(), ",.6g")
        return _("T = {threshold}, {factor} × the game's own").format(
            threshold=threshold, factor=in_figures(FACTORS[place], "g")
        )

    def place(self, rect: pygame.Rect) -> None:
        """Place the tabs in *rect*, and their contents below."""
        px = self._paint.theme.px
        self.rect = rect
        inner = rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        side = px(36)
        self._close.place(pygame.Rect(inner.right - side, inner.y - px(6), side, side))
        width = px(172)
        self._measure.place(pygame.Rect(self._close.rect.x - px(_GAP) - width, self._close.rect.y, width, side))
        self._tabs.place(pygame.Rect(inner.x, inner.y + px(_HEAD) - px(10), inner.w, px(_TABS)))
        top = self._tabs.rect.bottom + px(_GAP)
        self._inside = pygame.Rect(inner.x, top, inner.w, inner.bottom - top)
        _style, heights = self._sizes_of_meanings()
        spare, row = (self._inside.h - sum(heights)) // len(heights), top
        for figure, least in zip(self._figures, heights, strict=True):
            pitch = min(least + spare, max(least, px(_FIGURE[1] + 8)))
            high = min(px(_FIGURE[1]), pitch - px(_BETWEEN))
            figure.place(pygame.Rect(inner.x, row + (pitch - high) // 2, px(_FIGURE[0]), high))
            row += pitch
        charts = self._inside.copy()
        charts.h -= px(_LEGEND)
        self._place_charts(charts)
        self._slider.place(pygame.Rect(inner.x, top + px(_LEGEND), inner.w, px(_SLIDER)))
        below = self._slider.rect.bottom + px(_GAP) // 2
        self._depth.place(pygame.Rect(inner.x, below, inner.w, min(inner.bottom - below, px(2 * _MOST_CHART))))

    def _sizes_of_meanings(self) -> tuple[TextStyle, list[int]]:
        """Return the style of the meanings, smaller if they need it, and the least heights of their rows."""
        paint, px = self._paint, self._paint.theme.px
        width = self._inside.w - px(_FIGURE[0] + _GAP)

        def heights(style: TextStyle) -> list[int]:
            tall = (paint.paragraph_height(meaning, width, style, _LINES) for meaning in self._meanings)
            return [max(px(_LEAST_FIGURE), height) + px(_BETWEEN) for height in tall]

        usual = heights("small")
        return ("small", usual) if sum(usual) <= self._inside.h else ("fine", heights("fine"))

    def _place_charts(self, room: pygame.Rect) -> None:
        px, gap = self._paint.theme.px, self._paint.theme.px(_GAP)
        if room.h >= 2 * px(_LEAST_CHART) + gap:
            first = pygame.Rect(room.x, room.y, room.w, min(px(_MOST_CHART), (room.h - gap) // 2))
            second = first.move(0, first.h + gap)
        else:
            first = pygame.Rect(room.x, room.y, (room.w - gap) // 2, min(px(_MOST_CHART), room.h))
            second = first.move(first.w + gap, 0)
        for chart, rect in zip(self.charts, (first, second), strict=True):
            chart.place(rect)

    def draw(self, surface: pygame.Surface) -> None:
        if not self.is_visible:
            return
        paint, px = self._paint, self._paint.theme.px
        paint.panel(surface, self.rect)
        left = self.rect.x + px(_PADDING)
        title = _("Numbers for researchers")
        at = (left, self._close.rect.centery)
        right = self._measure.rect.x if self.has_proof else self._close.rect.x
        paint.text(surface, title, at, "strong", anchor="midleft", width=right - px(6) - left)
        if self.tab == FIGURES:
            self._draw_meanings(surface)
        elif self.tab == COURSE:
            if self._words.is_solo:
                self._draw_zones(surface)
        else:
            at = (self._inside.x, self._inside.y + px(_LEGEND) // 2)
            paint.text(surface, self._slider.beside, at, "small", anchor="midleft", width=self._inside.w)

    def _draw_meanings(self, surface: pygame.Surface) -> None:
        paint, px = self._paint, self._paint.theme.px
        right = self._inside.right
        style, _heights = self._sizes_of_meanings()
        for figure, meaning in zip(self._figures, self._meanings, strict=True):
            beside = figure.rect.right + px(_GAP)
            height = paint.paragraph_height(meaning, right - beside, style, _LINES)
            area = pygame.Rect(beside, figure.rect.centery - height // 2, right - beside, 0)
            paint.paragraph(surface, meaning, area, style, paint.theme.second, most_lines=_LINES)

    def _draw_zones(self, surface: pygame.Surface) -> None:
        paint, px = self._paint, self._paint.theme.px
        left, middle = self._inside.x, self.charts[-1].rect.bottom + px(_LEGEND) // 2 + px(2)
        for zone in Zone:
            square = pygame.Rect(left, middle - px(6), px(12), px(12))
            paint.rounded_rect(surface, square, mix(paint.theme.panel, zone_colour(zone, paint.theme), 0.45), px(3))
            room = self._inside.right - square.right - px(6)
            name = translated(zone.value)
            written = paint.text(
                surface, name, (square.right + px(6), middle), "small", paint.theme.second, anchor="midleft", width=room
            )
            left = written.right + px(14)
