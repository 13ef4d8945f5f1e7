"""Charts of a match: curves over its turns.

The curves are one anti-aliased picture, which callers can cache; cursor, marks and text are drawn on it.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

import pygame

from papan.ui.drawing.antialiasing import Painting, finished
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.theme import Colour, Shape, TextStyle, with_opacity
from papan.ui.texts import in_hundredths

_PADDING = 14
_HEAD = 34
"""The height above the plot."""
_FOOT = 24
"""The height below the plot, for the turns' numbers."""
_FOOT_WITHOUT_NUMBERS = 12
_LEFT = 50
"""The width to the left of the plot, for the values."""
_RIGHT = 18
_LINE = 2.2
_FINE_LINE = 1.3
_DENSE = 2.5
"""Curves with more than one point in this many pixels are drawn thinner."""
_SHAPE = 4.6
_MARK = 11
_LOWEST_WITH_NUMBERS = 130
"""The least height of a panel with turn numbers."""
_STRONGEST_FILL = 0.5
_PALE_FILL = 0.2
_FIRM = 5.0
"""The height of a firm band."""
_LEAST_APART = 56
"""The least distance between two numbers below the plot."""
_ROUND_STEPS = (1, 2, 5)
_SAMPLE = 32
"""The length of the line sample next to a name in the legend."""

SOLID, DASHED, LONG_DASHES, DOTS = 0.0, 6.0, 14.0, 2.4
"""The length of a curve's dashes and gaps, in design pixels."""

TurnValues = Sequence[tuple[int, float]]
"""Pairs of a turn, ascending, and the value after it."""


@dataclass(frozen=True)
class Curve:
    """One line of a chart."""

    name: str
    points: TurnValues
    ink: Colour
    dash: float = SOLID
    """``SOLID``, ``DASHED`` and so on, so that colour is not the only difference."""
    shape: Shape | None = None
    """The shape at its last point."""
    ground: Colour | None = None
    """The colour of the area below it."""
    band: Sequence[tuple[int, float, float]] = ()
    """The uncertainty, drawn as a pale area: turn (ascending), lowest and highest value."""
    in_words: Callable[[float], str] = in_hundredths
    """Formats a value."""
    written: Mapping[int, str] = field(default_factory=dict)
    """By turn, the text of values that ``in_words`` can't format because the curve is scaled."""


@dataclass(frozen=True)
class TurnMark:
    """A mark at a turn of the first curve, such as ``??``."""

    turn: int
    sign: str
    ground: Colour
    ink: Colour


@dataclass(frozen=True)
class Band:
    """A range of turns, drawn as a background behind the curves."""

    first: int
    last: int
    colour: Colour
    name: str
    """The text in the tooltip of its turns."""
    is_firm: bool = False
    """Whether it is a solid strip at the bottom instead of a pale background."""


@dataclass(frozen=True)
class Caption:
    """A part of a legend: a text, or the name of a curve after a sample of its line."""

    text: str
    curve: Curve | None = None
    ink: Colour | None = None
    """The colour of the name; default: the curve's."""


@dataclass(frozen=True)
class CurveChart:
    """All that a chart shows."""

    title: str
    legend: Sequence[Caption] = ()
    """The captions next to the title."""
    curves: Sequence[Curve] = ()
    last_turn: int = 0
    low: float = 0.0
    high: float = 1.0
    values: Sequence[tuple[float, str]] = ()
    """The labelled values at the left, each with a fine line across."""
    numbers: Sequence[tuple[int, str]] | None = None
    """The labelled turns below the plot; default: as many turn numbers as fit."""
    middle: float | None = None
    """The value of an even position: the first curve's area begins there."""
    sides: tuple[Colour, Colour] | None = None
    """The colours of that area above and below the middle."""
    top_note: str = ""
    bottom_note: str = ""
    marks: Sequence[TurnMark] = ()
    bands: Sequence[Band] = ()
    note: str = ""
    """The text in the middle of the plot while there is no curve."""
    progress: str = ""
    """The text at the upper right while more data is to come."""
    turn_in_words: Callable[[int], str] = field(default="{}".format, compare=False)


def thinned_points(points: Sequence[Point], width: float = 1.0) -> list[Point]:
    """*points*, ascending in x, with at most four in each column of *width*: first, lowest, highest, last.

    The drawing looks the same.
    """
    kept: list[Point] = []
    for _column, group in groupby(points, key=lambda point: math.floor(point[0] / width)):
        column = list(group)
        extremes = {column.index(pick(column, key=lambda point: point[1])) for pick in (min, max)}
        kept += [column[index] for index in sorted({0, len(column) - 1, *extremes})]
    return kept


def round_step(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 … that is at least *least*.

    >>> round_step(0.3), round_step(3), round_step(20.5)
    (1, 5, 50)
    """
    power = 1
    while True:
        for digit in _ROUND_STEPS:
            if digit * power >= least:
                return digit * power
        power *= 10


def value_at(points: TurnValues, turn: int) -> float | None:
    """The value after *turn*; None if there is none."""
    index = bisect_left(points, (turn, -math.inf))
    return points[index][1] if index < len(points) and points[index][0] == turn else None


def value_between(points: TurnValues, turn: int) -> float | None:
    """The value of the curve at *turn*, linearly interpolated; None outside the curve."""
    index = bisect_left(points, (turn, -math.inf))
    if index < len(points) and points[index][0] == turn:
        return points[index][1]
    if not 0 < index < len(points):
        return None
    (before, low), (after, high) = points[index - 1], points[index]
    return low + (high - low) * (turn - before) / (after - before)


class Plot:
    """The scales of a chart: converts turns and values to positions in *rect*."""

    def __init__(self, graph: CurveChart, rect: pygame.Rect) -> None:
        self.graph = graph
        self.rect = rect

    def x(self, turn: float) -> float:
        return self.rect.x + self.rect.w * turn / max(1, self.graph.last_turn)

    def y(self, value: float) -> float:
        span = (self.graph.high - self.graph.low) or 1.0
        share = min(1.0, max(0.0, (value - self.graph.low) / span))
        return self.rect.bottom - self.rect.h * share

    def turn(self, x: float) -> int:
        share = (x - self.rect.x) / max(1, self.rect.w)
        return round(min(1.0, max(0.0, share)) * self.graph.last_turn)

    def path(self, points: TurnValues) -> list[Point]:
        return thinned_points([(self.x(turn), self.y(value)) for turn, value in points], _LINE)


def plot_rect(paint: Painter, rect: pygame.Rect) -> pygame.Rect:
    """The rectangle of the curves in a chart's panel *rect*."""
    px = paint.theme.px
    foot = px(_FOOT if rect.h >= px(_LOWEST_WITH_NUMBERS) else _FOOT_WITHOUT_NUMBERS)
    left, top = rect.x + px(_LEFT), rect.y + px(_HEAD)
    return pygame.Rect(left, top, max(1, rect.right - px(_RIGHT) - left), max(1, rect.bottom - foot - top))


def draw_chart(
    paint: Painter,
    surface: pygame.Surface,
    rect: pygame.Rect,
    graph: CurveChart,
    turn: int | None,
    curves: pygame.Surface | None = None,
) -> None:
    """Draw *graph* in a panel at *rect*, with the cursor at *turn* if that is not None.

    :param curves: the picture by ``curves_painting`` for this graph and size; default: paint it.
    """
    px, theme = paint.theme.px, paint.theme
    plot = Plot(graph, plot_rect(paint, rect))
    paint.panel(surface, rect)
    pad = _pad(paint)
    curves = curves or finished(curves_painting(paint, rect, graph))
    surface.blit(curves, plot.rect.move(-pad, -pad))
    _draw_head(paint, surface, rect, graph)
    for value, words in graph.values:
        height = min(max(round(plot.y(value)), plot.rect.y + px(6)), plot.rect.bottom - px(4))
        paint.text(surface, words, (plot.rect.x - px(8), height), "tiny", theme.second, anchor="midright")
    if rect.h >= px(_LOWEST_WITH_NUMBERS):
        _draw_turns(paint, surface, plot)
    if turn is not None:
        width = max(2, px(2))
        surface.fill(theme.accent, (round(plot.x(turn)) - width // 2, plot.rect.y, width, plot.rect.h))
    for note, is_at_top in ((graph.top_note, True), (graph.bottom_note, False)):
        area = room_for(paint, plot, note, is_at_top)
        paint.text(surface, note, area.midleft, "small", theme.ink, anchor="midleft", width=area.w)
    if graph.note and not any(curve.points for curve in graph.curves):
        _draw_note(paint, surface, plot.rect, graph.note)
    for mark in graph.marks:
        _draw_mark(paint, surface, plot, mark)


def _draw_head(paint: Painter, surface: pygame.Surface, rect: pygame.Rect, graph: CurveChart) -> None:
    px, theme = paint.theme.px, paint.theme
    middle = rect.y + px(19)
    right = rect.right - px(_PADDING)
    if graph.progress:
        written = paint.text(surface, graph.progress, (right, middle), "small", theme.second, anchor="midright")
        right = written.x - px(10)
    title = paint.text(surface, graph.title, (rect.x + px(_PADDING), middle), "strong", anchor="midleft")
    left = title.right + px(10)
    pieces = [piece for piece in graph.legend if piece.curve is None or piece.text]
    if left + sum(_piece_width(paint, piece) for piece in pieces) - px(10) > right:
        pieces = [piece for piece in pieces if piece.curve is not None] or pieces  # the names matter most
    is_tight = left + sum(_piece_width(paint, piece) for piece in pieces) - px(10) > right
    for piece in pieces:
        left += _draw_piece(paint, surface, piece, (left, middle), right - left, is_tight=is_tight)


def _piece_style(piece: Caption, *, is_tight: bool) -> TextStyle:
    if piece.curve is None:
        return "fine" if is_tight else "small"
    return "tiny" if is_tight else "small strong"


def _piece_width(paint: Painter, piece: Caption, *, is_tight: bool = False) -> int:
    sample = 0 if piece.curve is None else paint.theme.px(_SAMPLE + 6)
    return sample + paint.width(piece.text, _piece_style(piece, is_tight=is_tight)) + paint.theme.px(10)


def _draw_piece(
    paint: Painter, surface: pygame.Surface, piece: Caption, at: tuple[int, int], room: int, *, is_tight: bool
) -> int:
    """Draw a part of the legend in *room* pixels; return the distance to the next one."""
    px = paint.theme.px
    left, ink = at[0], paint.theme.second
    if piece.curve is not None:
        if room < px(_SAMPLE + 30):
            return room
        surface.blit(_sample(paint, piece.curve), (left, at[1] - px(6)))
        left += px(_SAMPLE + 6)
        ink = piece.ink or piece.curve.ink
    width = max(0, room - (left - at[0]))
    style = _piece_style(piece, is_tight=is_tight)
    paint.text(surface, piece.text, (left, at[1]), style, ink, anchor="midleft", width=width)
    return _piece_width(paint, piece, is_tight=is_tight)


def _sample(paint: Painter, curve: Curve) -> pygame.Surface:
    px = paint.theme.scale
    width, middle = paint.theme.px(_SAMPLE), paint.theme.px(12) / 2

    def draw(canvas: Canvas) -> None:
        reach = _SHAPE * 1.3 if curve.shape else _LINE
        ends = [(_LINE * px, middle), (width - reach * px, middle)]
        canvas.line(ends, _LINE * px, curve.ink, dash=min(curve.dash, _SAMPLE / 4) * px)
        if curve.shape:
            draw_shape(canvas, curve.shape, ends[1], _SHAPE * px, curve.ink)

    return paint.drawn_picture(("sample", curve.ink, curve.dash, curve.shape), (width, paint.theme.px(12)), draw)


def _draw_turns(paint: Painter, surface: pygame.Surface, plot: Plot) -> None:
    px, last = paint.theme.px, plot.graph.last_turn
    step = round_step(last * px(_LEAST_APART) / max(1, plot.rect.w))
    numbers = plot.graph.numbers
    for turn, words in [(turn, str(turn)) for turn in range(0, last + 1, step)] if numbers is None else numbers:
        furthest = plot.rect.right + px(4) - paint.width(words, "tiny") // 2
        at = (min(round(plot.x(turn)), furthest), plot.rect.bottom + px(4))
        paint.text(surface, words, at, "tiny", paint.theme.second, anchor="midtop")


def _draw_note(paint: Painter, surface: pygame.Surface, plot: pygame.Rect, note: str) -> None:
    width = min(plot.w - paint.theme.px(40), paint.theme.px(520))
    area = pygame.Rect(0, 0, width, paint.paragraph_height(note, width, "small")).move_to(center=plot.center)
    paint.paragraph(surface, note, area, "small", paint.theme.second, align="center")


def _mark_centre(plot: Plot, mark: TurnMark) -> tuple[int, int] | None:
    """The point of the first curve at the mark's turn; None if the curve does not reach it."""
    value = value_between(plot.graph.curves[0].points, mark.turn) if plot.graph.curves else None
    return None if value is None else (round(plot.x(mark.turn)), round(plot.y(value)))


def room_for(paint: Painter, plot: Plot, note: str, is_at_top: bool) -> pygame.Rect:
    """The rectangle for a *note* on the upper or lower half of the plot.

    It is as near to the edge and the left as possible without covering marks or the first curve, or in the corner.
    """
    px = paint.theme.px
    corner = pygame.Rect(0, 0, min(paint.width(note, "small"), plot.rect.w - px(12)), paint.line_height("small"))
    corner.midleft = plot.rect.x + px(8), plot.rect.y + px(10) if is_at_top else plot.rect.bottom - px(10)
    around = 2 * px(_MARK + 3)
    marks = [
        pygame.Rect(0, 0, around, around).move_to(center=centre)
        for centre in (_mark_centre(plot, mark) for mark in plot.graph.marks)
        if centre
    ]
    lefts = sorted([corner.x, *(mark.right for mark in marks), plot.rect.right - px(8) - corner.w])
    for row in range(max(1, plot.rect.h // (2 * corner.h))):
        area = corner.move(0, row * corner.h * (1 if is_at_top else -1))
        for area.x in lefts:
            is_inside = area.right <= plot.rect.right
            if is_inside and area.collidelist(marks) < 0 and not _is_crossed(plot, area):
                return area
    return corner


def _is_crossed(plot: Plot, area: pygame.Rect) -> bool:
    points = plot.graph.curves[0].points if plot.graph.curves else ()
    heights = [
        plot.y(value)
        for turn in range(plot.turn(area.x), plot.turn(area.right) + 1)
        if (value := value_between(points, turn)) is not None
    ]
    return bool(heights) and min(heights) <= area.bottom and max(heights) >= area.top


def _draw_mark(paint: Painter, surface: pygame.Surface, plot: Plot, mark: TurnMark) -> None:
    centre = _mark_centre(plot, mark)
    if centre is None:
        return
    radius = paint.theme.px(_MARK)
    paint.disc(surface, centre, radius + paint.theme.px(1.5), paint.theme.panel)
    paint.disc(surface, centre, radius, mark.ground)
    paint.text(surface, mark.sign, centre, "small strong", mark.ink, anchor="center")


def _pad(paint: Painter) -> int:
    """The margin around the plot for lines and shapes."""
    return paint.theme.px(8)


def curves_painting(paint: Painter, rect: pygame.Rect, graph: CurveChart) -> Painting:
    """Paint the curves of *graph* and their areas on the panel's background, for a panel of the size of *rect*."""
    pad, px = _pad(paint), paint.theme.scale
    inner = plot_rect(paint, rect)
    canvas = Canvas((inner.w + 2 * pad, inner.h + 2 * pad))
    canvas.rounded_rect((0, 0, *canvas.size), 0, paint.theme.panel)
    plot = Plot(graph, pygame.Rect(pad, pad, inner.w, inner.h))
    paths = [plot.path(curve.points) for curve in graph.curves]
    for band in graph.bands:
        left, right = plot.x(band.first), plot.x(band.last)
        height = _FIRM * px if band.is_firm else plot.rect.h
        area = (round(left), round(plot.rect.bottom - height), max(1, round(right - left)), round(height))
        canvas.rounded_rect(area, 0, band.colour if band.is_firm else with_opacity(band.colour, _PALE_FILL))
    for value, _words in graph.values:
        across = (plot.rect.x, round(plot.y(value)), plot.rect.w, max(1, round(px)))
        canvas.rounded_rect(across, 0, paint.theme.pill)
    if graph.middle is not None and graph.sides and paths and len(paths[0]) > 1:
        _draw_sides(canvas, plot, paths[0], graph.middle, graph.sides)
    for curve in graph.curves:
        if len(curve.band) > 1:
            lower, upper = ([(plot.x(edge[0]), plot.y(edge[side])) for edge in curve.band] for side in (1, 2))
            canvas.polygon([*lower, *reversed(upper)], with_opacity(curve.ink, _PALE_FILL))
    for curve, path in zip(graph.curves, paths, strict=True):
        if curve.ground and len(path) > 1:
            foot = float(plot.rect.bottom)
            canvas.polygon([(path[0][0], foot), *path, (path[-1][0], foot)], with_opacity(curve.ground, _PALE_FILL))
    for curve, path in zip(graph.curves, paths, strict=True):
        if len(path) > 1:
            width = _LINE if len(path) < inner.w / _DENSE else _FINE_LINE
            canvas.line(path, width * px, curve.ink, dash=curve.dash * px)
    for curve, path in zip(graph.curves, paths, strict=True):
        if path and curve.shape:
            draw_shape(canvas, curve.shape, path[-1], (_SHAPE + 1.6) * px, paint.theme.panel)
            draw_shape(canvas, curve.shape, path[-1], _SHAPE * px, curve.ink)
        elif len(path) == 1:
            canvas.circle(path[0], _LINE * px, curve.ink)
    return canvas.painting()


def _draw_sides(canvas: Canvas, plot: Plot, path: Sequence[Point], middle: float, sides: tuple[Colour, Colour]) -> None:
    height = plot.y(middle)
    crossed = _with_crossings(path, height)
    for is_above, colour in zip((True, False), sides, strict=True):
        edge = [(x, min(y, height) if is_above else max(y, height)) for x, y in crossed]
        far = min(y for _, y in edge) if is_above else max(y for _, y in edge)
        reach = height - plot.rect.y if is_above else plot.rect.bottom - height
        if abs(far - height) < 0.5 or reach <= 0:
            continue
        strong, weak = with_opacity(colour, _STRONGEST_FILL * abs(far - height) / reach), with_opacity(colour, 0.02)
        outline = [(edge[0][0], height), *edge, (edge[-1][0], height)]
        canvas.gradient(outline, strong if is_above else weak, weak if is_above else strong)


def _with_crossings(path: Sequence[Point], height: float) -> list[Point]:
    """*path* with a point wherever it crosses *height*."""
    crossed = [path[0]]
    for (x, y), (next_x, next_y) in pairwise(path):
        if (y - height) * (next_y - height) < 0:
            crossed.append((x + (next_x - x) * (height - y) / (next_y - y), height))
        crossed.append((next_x, next_y))
    return crossed
