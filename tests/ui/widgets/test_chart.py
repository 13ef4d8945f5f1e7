"""Charts and sliders: what is drawn of thousands of turns, and where a click or a key leads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.ui.drawing.antialiasing import finished
from papan.ui.drawing.graphs import (
    DASHED,
    SOLID,
    Caption,
    Curve,
    CurveChart,
    Plot,
    TurnMark,
    curves_painting,
    draw_chart,
    plot_rect,
    room_for,
    thinned_points,
    value_between,
)
from papan.ui.drawing.graphs import value_at as value_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import THEMES, theme_of
from papan.ui.scenes import Scene
from papan.ui.widgets.base import Widget
from papan.ui.widgets.chart import Chart, LiveChart
from papan.ui.widgets.choices import Slider, value_after_key
from tests.ui.hands import Hands, Shelf, Written

RED, BLUE = (220, 30, 30), (30, 30, 220)


def graph(*values: float) -> CurveChart:
    curve = Curve("you", tuple(enumerate(values)), RED)
    return CurveChart("Who is better", curves=(curve,), last_turn=max(1, len(values) - 1))


def picture_of(hands: Hands, widget: Widget) -> bytes:
    """The pixels of *widget* on the window."""
    return pygame.image.tobytes(hands.app.surface.subsurface(widget.rect), "RGB")


@pytest.fixture
def paint() -> Painter:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((10, 10))
    return Painter(theme_of("light"))


class TestThinning:
    @given(st.lists(st.tuples(st.floats(0, 50), st.floats(-5, 5)), min_size=1, max_size=300))
    def test_each_column_keeps_its_extremes(self, points: list[tuple[float, float]]) -> None:
        points.sort(key=lambda point: point[0])
        kept = thinned_points(points)
        assert kept[0] == points[0] and kept[-1] == points[-1]
        assert [x for x, _ in kept] == sorted(x for x, _ in kept)
        for column in {math.floor(x) for x, _ in points}:
            before = [point for point in points if math.floor(point[0]) == column]
            after = [point for point in kept if math.floor(point[0]) == column]
            assert len(after) <= 4
            for extreme in (min, max):
                assert extreme(y for _, y in after) == extreme(y for _, y in before)

    def test_thousands_of_turns_leave_no_more_points_than_the_plot_has_room_for(self, paint: Painter) -> None:
        plot = Plot(graph(*[(turn * 7 % 13) / 13 for turn in range(5000)]), pygame.Rect(0, 0, 700, 200))
        assert len(plot.path(plot.graph.curves[0].points)) <= 4 * 700 / 2


class TestNumbers:
    def test_turns_and_places_go_both_ways(self) -> None:
        plot = Plot(graph(*[0.5] * 24), pygame.Rect(50, 20, 700, 200))
        assert [plot.turn(plot.x(turn)) for turn in range(24)] == list(range(24))
        assert plot.turn(-1000) == 0 and plot.turn(5000) == 23

    def test_values_beyond_the_scale_stay_on_the_plot(self) -> None:
        plot = Plot(graph(0.5), pygame.Rect(0, 20, 700, 200))
        assert plot.y(7.0) == 20 and plot.y(-7.0) == 220 and plot.y(0.5) == 120

    def test_a_value_is_known_where_there_is_a_point_and_lies_between_elsewhere(self) -> None:
        points = ((0, 0.0), (10, 1.0))
        assert value_of(points, 10) == 1.0 and value_of(points, 5) is None
        assert value_between(points, 5) == 0.5 and value_between(points, 11) is None


class TestDrawing:
    RECT = pygame.Rect(0, 0, 600, 240)

    def ink_at(self, paint: Painter, shown: CurveChart, turn: float, value: float) -> tuple[int, int, int]:
        surface = pygame.Surface(self.RECT.size)
        draw_chart(paint, surface, self.RECT, shown, 0)
        plot = Plot(shown, plot_rect(paint, self.RECT))
        red, green, blue, _ = surface.get_at((round(plot.x(turn)), round(plot.y(value))))
        return red, green, blue

    def test_the_curve_goes_through_its_points(self, paint: Painter) -> None:
        shown = graph(0.2, 0.9, 0.4, 0.4)
        for turn, value in ((1, 0.9), (1.5, 0.65), (2.5, 0.4)):
            red, green, blue = self.ink_at(paint, shown, turn, value)
            assert red > 180 and green < 120 and blue < 120, (turn, value)
        assert self.ink_at(paint, shown, 2.5, 0.8) == paint.theme.panel

    def test_the_area_has_the_colour_of_the_better_side(self, paint: Painter) -> None:
        shown = replace(graph(0.95, 0.95, 0.5, 0.05, 0.05), middle=0.5, sides=(RED, BLUE))
        above, below = self.ink_at(paint, shown, 0.5, 0.85), self.ink_at(paint, shown, 3.5, 0.15)
        assert above[0] > above[2] + 30
        assert below[2] > below[0] + 30
        assert self.ink_at(paint, shown, 0.5, 0.2) == paint.theme.panel

    def test_a_mark_hides_the_curve_and_the_cursor(self, paint: Painter) -> None:
        green = (10, 200, 10)
        shown = replace(graph(0.5, 0.5, 0.5), marks=(TurnMark(0, "", green, RED),))
        assert self.ink_at(paint, shown, 0, 0.5) == green

    def test_a_note_is_written_where_nothing_covers_it(self, paint: Painter) -> None:
        rect = pygame.Rect(0, 0, 700, 280)

        def area(values: Sequence[float], *turns: int, is_at_top: bool = True) -> pygame.Rect:
            shown = replace(graph(*values), marks=[TurnMark(turn, "?", RED, BLUE) for turn in turns])
            return room_for(paint, Plot(shown, plot_rect(paint, rect)), "you better", is_at_top)

        low, high = [0.03] * 60, [0.97] * 60
        corner = area(low)
        assert area(low, 4) == corner and area(low, 4, is_at_top=False).bottom < area([0.9], is_at_top=False).bottom
        assert area(high).top > corner.top and area(high).x == corner.x
        assert area(high, 4).x > corner.x
        assert area([0.97, 0.1] * 30) == corner  # there is no room

    def test_a_legend_shrinks_before_it_is_cut(self, paint: Painter) -> None:
        curves = [Curve(name, ((0, 0.5),), RED) for name in ("minimax value", "conspiracy number")]
        shown = CurveChart("By depth", [Caption(curve.name, curve) for curve in curves], curves)
        heights = {}
        for width in (440, 390, 320):
            paint.witness = written = Written()
            draw_chart(paint, pygame.Surface((width, 150)), pygame.Rect(0, 0, width, 150), shown, None)
            assert bool(written.cut) == (width == 320)
            heights[width] = dict(written.rects)["minimax value"].h
        assert heights[390] < heights[440]

    def test_dashes_leave_gaps(self, paint: Painter) -> None:
        def covered(dash: float) -> int:
            shown = CurveChart("", curves=(Curve("", ((0, 0.5), (9, 0.5)), RED, dash),), last_turn=9)
            picture = finished(curves_painting(paint, self.RECT, shown))
            row = picture.get_height() // 2
            return sum(picture.get_at((x, row))[1] < 120 for x in range(picture.get_width()))

        assert 0.3 < covered(DASHED) / covered(SOLID) < 0.8

    @pytest.mark.parametrize("values", [(), (0.5,), (0.0, 0.0), (1.0,) * 3000])
    @pytest.mark.parametrize("theme", THEMES)
    def test_any_number_of_turns_in_any_theme(self, paint: Painter, values: tuple[float, ...], theme: str) -> None:
        paint.set_theme(theme_of(theme, 1.5))
        curve = Curve("x", tuple(enumerate(values)), RED, DASHED, "triangle", ground=BLUE)
        shown = CurveChart(
            "T", (Caption("x", curve),), (curve,), len(values), middle=0.5, sides=(RED, BLUE), note="There is nothing."
        )
        surface = pygame.Surface((400, 150))
        draw_chart(paint, surface, surface.get_rect(), shown, 0)
        assert surface.get_at((200, 3))[:3] == paint.theme.panel

    def test_what_was_found_meanwhile_is_drawn_anew(self, hands: Hands) -> None:
        scene = OneChart(hands, graph(0.5, 0.5))
        hands.show(scene)
        shown, frames = picture_of(hands, scene.chart), hands.app.frames
        scene.chart.show_graph(graph(0.5, 0.5))
        hands.frames()
        assert hands.app.frames == frames, "nothing is new"
        scene.chart.show_graph(graph(0.5, 0.9))
        hands.frames()
        assert picture_of(hands, scene.chart) != shown


class OneChart(Scene):
    """A chart and a slider."""

    def __init__(self, hands: Hands, shown: CurveChart) -> None:
        super().__init__(hands.app)
        self.shown = shown
        self.went: list[int] = []

    def build(self) -> None:
        self.chart = self.widgets.add(Chart("chart", self.went.append))
        self.chart.show_graph(self.shown)
        self.slider = self.widgets.add(Slider("slider", 2000, self.slid))

    def slid(self, value: int) -> None:
        self.went.append(value)
        self.slider.show_value(value)

    def layout(self, area: pygame.Rect) -> None:
        self.chart.place(pygame.Rect(20, 20, 700, 240))
        self.slider.place(pygame.Rect(20, 300, 700, 34))


class TestActing:
    def test_a_click_and_a_drag_go_to_a_turn(self, hands: Hands) -> None:
        scene = OneChart(hands, graph(*[0.5] * 24))
        hands.show(scene)
        chart = scene.chart
        hands.click((chart.x_of(14), chart.plot.centery))
        assert scene.went == [14]
        hands.event(pygame.MOUSEBUTTONDOWN, pos=(chart.x_of(3), chart.plot.centery), button=1, touch=False)
        hands.move((chart.x_of(7), chart.plot.bottom + 300))
        hands.event(pygame.MOUSEBUTTONUP, pos=(chart.x_of(7), 700), button=1, touch=False)
        hands.move((chart.x_of(20), chart.plot.centery))
        assert scene.went == [14, 3, 7]

    def test_the_mouse_tells_turn_and_value(self, hands: Hands) -> None:
        scene = OneChart(hands, replace(graph(0.25, 0.75), turn_in_words="Turn {}".format))
        hands.show(scene)
        plain = picture_of(hands, scene.chart)
        hands.move((scene.chart.x_of(1), scene.chart.plot.centery))
        pointed_at = (scene.chart.x_of(1), scene.chart.plot.y + 1)
        assert hands.app.surface.get_at(pointed_at)[:3] == hands.app.theme.second
        assert [words for words, _ink in scene.chart.said_at(1)] == ["Turn 1", "you 0.75"]
        hands.move((5, 700))
        assert picture_of(hands, scene.chart) == plain

    def test_the_slider_by_mouse_wheel_and_keys(self, hands: Hands) -> None:
        scene = OneChart(hands, graph(0.5))
        hands.show(scene)
        slider = scene.slider
        hands.click((slider.x_of(1000), slider.rect.centery))
        assert abs(slider.value - 1000) <= 2
        slider.show_value(0)
        hands.press(pygame.K_END)
        assert slider.value == 2000
        hands.press(pygame.K_PAGEUP)
        assert slider.value == 1800
        hands.event(pygame.MOUSEWHEEL, y=1, x=0)
        assert slider.value == 1799
        hands.press(pygame.K_HOME)
        assert slider.value == 0

    @given(st.integers(0, 3000), st.data())
    def test_no_key_leads_beyond_the_ends(self, most: int, data: st.DataObject) -> None:
        value = data.draw(st.integers(0, most))
        for key in (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP, pygame.K_PAGEDOWN):
            target = value_after_key(value, most, key)
            assert target is not None and 0 <= target <= most


def level_graph(height: float, **facts: object) -> CurveChart:
    """A level curve at *height*."""
    return CurveChart("", curves=(Curve("", [(0, height), (100, height)], RED),), last_turn=100, **facts)  # type: ignore[arg-type]


def shown(hands: Hands) -> LiveChart:
    hands.show(Shelf(hands.app, lambda: LiveChart("chart")))
    chart = hands.widget_as("chart", LiveChart)
    chart.place(pygame.Rect(100, 100, 500, 300))
    hands.frames()
    return chart


def red_rows(hands: Hands, chart: LiveChart) -> set[int]:
    """The heights at which the window has the curve's colour."""
    surface, middle = hands.app.surface, chart.rect.centerx
    rows = range(chart.rect.y, chart.rect.bottom)
    return {y for y in rows if surface.get_at((middle, y))[0] > 150 and surface.get_at((middle, y))[1] < 80}


class TestTheChart:
    def test_is_shown_once_it_is_painted(self, hands: Hands) -> None:
        chart = shown(hands)
        low, high = level_graph(0.2), level_graph(0.8)
        chart.show_graph(low)
        assert chart.is_painting and chart.graph != low
        hands.until(lambda: chart.graph == low)
        before = red_rows(hands, chart)
        chart.show_graph(high)
        hands.until(lambda: chart.graph == high)
        assert before and red_rows(hands, chart) and max(red_rows(hands, chart)) < min(before)

    def test_one_that_is_being_painted_comes_first(self, hands: Hands) -> None:
        chart = shown(hands)
        first, second = level_graph(0.2), level_graph(0.8)
        chart.show_graph(first)
        chart.show_graph(second)
        hands.until(lambda: not chart.is_painting)
        assert chart.graph == first
        chart.show_graph(second)
        hands.until(lambda: chart.graph == second)

    def test_is_painted_at_another_size_at_once(self, hands: Hands) -> None:
        chart = shown(hands)
        chart.show_graph(level_graph(0.5))
        chart.place(pygame.Rect(100, 100, 700, 400))
        hands.frames()
        assert not chart.is_painting and chart.graph == level_graph(0.5) and red_rows(hands, chart)


class TestBands:
    def test_reach_from_the_least_to_the_most(self, hands: Hands) -> None:
        chart = shown(hands)
        plain = level_graph(0.5)
        band = Curve("", plain.curves[0].points, RED, band=[(0, 0.3, 0.7), (100, 0.3, 0.7)])

        def painted(shown_graph: CurveChart) -> list[int]:
            """The heights at which the plot is not the panel's colour."""
            chart.show_graph(shown_graph)
            hands.until(lambda: chart.graph == shown_graph)
            ground = hands.app.theme.panel[:3]
            x = chart.rect.x + 2 * chart.rect.w // 5
            plot = range(chart.rect.y + 40, chart.rect.bottom - 30)
            return [y for y in plot if hands.app.surface.get_at((x, y))[:3] != ground]

        line = painted(plain)
        area = painted(CurveChart("", curves=(band,), last_turn=100))
        assert len(area) > 5 * len(line) and min(area) < min(line) and max(area) > max(line)
