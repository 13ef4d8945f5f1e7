"""Charts that go on changing: painted beside the frames, the last one shown meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.drawing.graphs import Curve, CurveChart
from papan.ui.widgets.chart import LiveChart
from tests.ui.hands import Hands, Shelf
from tests.waiting import wait_for

RED = (200, 30, 30)


def graph(height: float, **facts: object) -> CurveChart:
    """A level curve at *height*."""
    return CurveChart("", curves=(Curve("", [(0, height), (100, height)], RED),), last_turn=100, **facts)  # type: ignore[arg-type]


def shown(hands: Hands) -> LiveChart:
    hands.show(Shelf(hands.app, lambda: LiveChart("chart")))
    chart = hands.widget_as("chart", LiveChart)
    chart.place(pygame.Rect(100, 100, 500, 300))
    hands.frames()
    return chart


def until(hands: Hands, is_so: Callable[[], bool]) -> None:
    def look() -> bool:
        hands.frames()
        return is_so()

    wait_for(look)


def red_rows(hands: Hands, chart: LiveChart) -> set[int]:
    """The heights at which the window has the curve's colour."""
    surface, middle = hands.app.surface, chart.rect.centerx
    rows = range(chart.rect.y, chart.rect.bottom)
    return {y for y in rows if surface.get_at((middle, y))[0] > 150 and surface.get_at((middle, y))[1] < 80}


class TestTheChart:
    def test_is_shown_once_it_is_painted(self, hands: Hands) -> None:
        chart = shown(hands)
        low, high = graph(0.2), graph(0.8)
        chart.show_graph(low)
        assert chart.is_painting and chart.graph != low
        until(hands, lambda: chart.graph == low)
        before = red_rows(hands, chart)
        chart.show_graph(high)
        until(hands, lambda: chart.graph == high)
        assert before and red_rows(hands, chart) and max(red_rows(hands, chart)) < min(before)

    def test_one_that_is_being_painted_comes_first(self, hands: Hands) -> None:
        chart = shown(hands)
        first, second = graph(0.2), graph(0.8)
        chart.show_graph(first)
        chart.show_graph(second)
        until(hands, lambda: not chart.is_painting)
        assert chart.graph == first
        chart.show_graph(second)
        until(hands, lambda: chart.graph == second)

    def test_is_painted_at_another_size_at_once(self, hands: Hands) -> None:
        chart = shown(hands)
        chart.show_graph(graph(0.5))
        chart.place(pygame.Rect(100, 100, 700, 400))
        hands.frames()
        assert not chart.is_painting and chart.graph == graph(0.5) and red_rows(hands, chart)


class TestBands:
    def test_reach_from_the_least_to_the_most(self, hands: Hands) -> None:
        chart = shown(hands)
        plain = graph(0.5)
        band = Curve("", plain.curves[0].points, RED, band=[(0, 0.3, 0.7), (100, 0.3, 0.7)])

        def painted(shown_graph: CurveChart) -> list[int]:
            """The heights at which the plot is not the panel's colour."""
            chart.show_graph(shown_graph)
            until(hands, lambda: chart.graph == shown_graph)
            ground = hands.app.theme.panel[:3]
            x = chart.rect.x + 2 * chart.rect.w // 5
            plot = range(chart.rect.y + 40, chart.rect.bottom - 30)
            return [y for y in plot if hands.app.surface.get_at((x, y))[:3] != ground]

        line = painted(plain)
        area = painted(CurveChart("", curves=(band,), last_turn=100))
        assert len(area) > 5 * len(line) and min(area) < min(line) and max(area) > max(line)
