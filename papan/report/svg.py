"""Plots as SVG that fits any width without a script: horizontal lengths are percentages, and text keeps its size.

The page's style sheet sets colours and label positions by class names, as they differ on narrow screens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree as Tree

from papan.game.base.languages import said
from papan.game.base.sentences import Sentence, joined, say
from papan.report.sections import Axis, Comparison, Curves, Interval, Item, Plot, Point

ROW = 40
"""The height of an item, in CSS pixels."""
_TICKS = 28
"""The height of the axis labels."""
_BAR, _CAP = 14, 9
HEIGHT = 240
"""The height of curves, without the axis labels."""
_WIDE = 1000
"""The width of curves in drawing units, before stretching."""
MOST_DOTS = 60
"""The most points drawn as dots."""
LONGEST_LABEL = 28
"""The longest label in characters; the table has the full text."""
SHORT_NUMBER = 6
"""The longest axis label, in characters, with room for six of them."""
COLOURS = 8
"""The number of curve colours."""
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Round steps of an axis, times a power of ten."""


def drawn(plot: Plot, name: str) -> str:
    """*plot* as an ``<svg>`` element.

    :param name: a prefix for the unique ids of its title and description.
    """
    svg = _comparison(plot) if isinstance(plot, Comparison) else _curves(plot)
    svg.set("role", "img")
    svg.set("aria-labelledby", f"{name}-title {name}-text")
    for tag, identity, text in (("desc", f"{name}-text", description(plot)), ("title", f"{name}-title", plot.title)):
        element = Tree.Element(tag, {"id": identity})
        element.text = said(text)
        svg.insert(0, element)
    return Tree.tostring(svg, encoding="unicode")


def description(plot: Plot) -> Sentence:
    """A text alternative for the plot."""
    if isinstance(plot, Comparison):
        values = (joined([item.label, value_text(plot.axis, item.value, item.interval)], ": ") for item in plot.items)
        return say("{measured}. {values}.", measured=plot.axis.label, values=joined(values, "; "))
    ends = (
        say(
            "{name} from {first} to {last}",
            name=curve.name,
            first=plot.up.text(curve.points[0].y),
            last=plot.up.text(curve.points[-1].y),
        )
        for curve in plot.curves
        if curve.points
    )
    return say("{up} by {across}: {ends}.", up=plot.up.label, across=plot.across.label, ends=joined(ends, "; "))


def value_text(axis: Axis, value: float, interval: Interval | None) -> Sentence:
    """*value* with its interval, if any."""
    if interval is None:
        return axis.text(value)
    low, high = axis.text(interval.low), axis.text(interval.high)
    return say("{value} ({low} to {high})", value=axis.text(value), low=low, high=high)


# ------------------------------------------------------------------------------------------- comparisons


def _comparison(plot: Comparison) -> Tree.Element:
    known = [bound for item in plot.items for bound in (item.value, *(item.interval or ()))]
    aside = [0.0] if plot.has_bars else []
    aside += [] if plot.reference is None else [plot.reference.value]
    scale = scale_of([*known, *aside] or [0.0], 5)
    longest = max(len(plot.axis._replace(digits=scale.digits).text(tick)) for tick in scale.ticks)
    if longest > SHORT_NUMBER:
        scale = scale_of([*known, *aside] or [0.0], 3)  # fewer labels, so that they don't overlap on a phone
    height = ROW * len(plot.items)
    svg = Tree.Element("svg", {"class": "plot", "width": "100%", "height": str(height + _TICKS)})
    for tick in scale.ticks:
        at = scale.share(tick)
        _line(svg, "grid", at, 0, at, height)
        _text(svg, "tick across", at, height + _TICKS - 9, plot.axis._replace(digits=scale.digits).text(tick))
    if plot.reference is not None:
        at = scale.share(plot.reference.value)
        _line(svg, "reference", at, 0, at, height)
    for number, item in enumerate(plot.items):
        _draw_item(svg, plot, scale, item, ROW * number + ROW // 2)
    return svg


def _draw_item(svg: Tree.Element, plot: Comparison, scale: Scale, item: Item, middle: int) -> None:
    name = said(item.label)
    label = _text(svg, "label", 0.0, middle, _cut(name))
    if len(name) > LONGEST_LABEL:
        Tree.SubElement(label, "title").text = name
    _text(svg, "value", 1.0, middle, plot.axis.text(item.value))
    marks = Tree.SubElement(svg, "g", {"class": "marks"})
    Tree.SubElement(marks, "title").text = f"{name}: {said(value_text(plot.axis, item.value, item.interval))}"
    at = scale.share(item.value)
    if plot.has_bars:
        zero = scale.share(0.0)
        places = {"x": _percent(min(at, zero)), "y": f"{middle - _BAR // 2:g}", "width": _percent(abs(at - zero))}
        Tree.SubElement(marks, "rect", {"class": "bar", **places, "height": f"{_BAR:g}", "rx": "2"})
    if item.interval is not None:
        low, high = scale.share(item.interval.low), scale.share(item.interval.high)
        _line(marks, "whisker", low, middle, high, middle)
        for end in (low, high):
            _line(marks, "whisker", end, middle - _CAP // 2, end, middle + _CAP // 2)
    if not plot.has_bars:
        _dot(marks, "dot", at, middle, 5)


# ------------------------------------------------------------------------------------------------ curves


def _curves(plot: Curves) -> Tree.Element:
    points = [point for curve in plot.curves for point in curve.points]
    heights = [bound for point in points for bound in (point.y, *(point.interval or ()))]
    aside = [*(plot.bounds or ()), *([] if plot.reference is None else [plot.reference.value])]
    up, across = scale_of([*heights, *aside]), _scale_across([point.x for point in points])
    svg = Tree.Element("svg", {"class": "plot", "width": "100%", "height": str(HEIGHT + _TICKS)})
    for tick in up.ticks:
        y = _height(up, tick)
        _line(svg, "grid", 0.0, y, 1.0, y)
        _text(svg, "tick up", 0.0, y, plot.up._replace(digits=up.digits).text(tick))
    for tick in across.ticks:
        text = plot.across._replace(digits=across.digits).text(tick)
        _text(svg, "tick across", across.share(tick), HEIGHT + _TICKS - 9, text)
    if plot.reference is not None:
        y = _height(up, plot.reference.value)
        _line(svg, "reference", 0.0, y, 1.0, y)
    lines = Tree.SubElement(
        svg,
        "svg",
        {
            "class": "lines",
            "width": "100%",
            "height": str(HEIGHT),
            "viewBox": f"0 0 {_WIDE} {HEIGHT}",
            "preserveAspectRatio": "none",
        },
    )
    for number, curve in enumerate(plot.curves):
        series = f"series-{number % COLOURS}"
        _draw_curve(lines, curve.points, across, up, series)
        for point in curve.points:
            if point.label or len(curve.points) <= MOST_DOTS:
                name, radius = ("dot marked", 6) if point.label else ("dot small", 3)
                dot = _dot(svg, f"{name} {series}", across.share(point.x), _height(up, point.y), radius)
                there = joined([plot.across.text(point.x), value_text(plot.up, point.y, point.interval)], ": ")
                Tree.SubElement(dot, "title").text = said(point.label or there)
    return svg


def _draw_curve(lines: Tree.Element, points: Sequence[Point], across: Scale, up: Scale, series: str) -> None:
    banded = [(point.x, point.interval) for point in points if point.interval is not None]
    if len(banded) > 1:
        edge = [_place(across, up, x, interval.high) for x, interval in banded]
        edge += [_place(across, up, x, interval.low) for x, interval in reversed(banded)]
        Tree.SubElement(lines, "polygon", {"class": f"band {series}", "points": " ".join(edge)})
    line = " ".join(_place(across, up, point.x, point.y) for point in points)
    Tree.SubElement(lines, "polyline", {"class": f"curve {series}", "points": line})


def _scale_across(values: Sequence[float]) -> Scale:
    """A scale from the first value to the last, with round whole numbers between."""
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 1, high + 1
    step = max(1.0, scale_of([0.0, high - low], 6).ticks[1])
    inner = [tick * step for tick in range(int(low // step), int(high // step) + 1)]
    ticks = sorted({low, high, *(tick for tick in inner if low + step / 2 <= tick <= high - step / 2)})
    return Scale(tuple(ticks), 0)


def _place(across: Scale, up: Scale, x: float, y: float) -> str:
    return f"{_WIDE * across.share(x):.2f},{_height(up, y):.2f}"


def _height(up: Scale, y: float) -> float:
    return HEIGHT * (1.0 - up.share(y))


# ------------------------------------------------------------------------------------------------ shapes


def _percent(share: float) -> str:
    return f"{100 * share:.3f}%"


def _line(parent: Tree.Element, name: str, x1: float, y1: float, x2: float, y2: float) -> None:
    places = {"x1": _percent(x1), "y1": f"{y1:g}", "x2": _percent(x2), "y2": f"{y2:g}"}
    Tree.SubElement(parent, "line", {"class": name, **places})


def _dot(parent: Tree.Element, name: str, x: float, y: float, radius: int) -> Tree.Element:
    return Tree.SubElement(parent, "circle", {"class": name, "cx": _percent(x), "cy": f"{y:g}", "r": str(radius)})


def _text(parent: Tree.Element, name: str, x: float, y: float, text: str) -> Tree.Element:
    element = Tree.SubElement(parent, "text", {"class": name, "x": _percent(x), "y": f"{y:g}", "aria-hidden": "true"})
    element.text = said(text)
    return element


def _cut(label: str) -> str:
    """*label* without its middle if it is too long, as similar labels often differ at the end."""
    if len(label) <= LONGEST_LABEL:
        return label
    half = (LONGEST_LABEL - 1) // 2
    return f"{label[:half].rstrip()}…{label[-half:].lstrip()}"


# -------------------------------------------------------------------------------------------------- axes


class Scale(NamedTuple):
    """The ticks of an axis: round numbers in ascending order, at least two."""

    ticks: tuple[float, ...]
    digits: int
    """Decimals that tell the ticks apart."""

    def share(self, value: float) -> float:
        """The relative position of *value*: 0 to 1 between the outermost ticks.

        >>> Scale((0.0, 50.0, 100.0), 0).share(25.0)
        0.25
        """
        low, high = self.ticks[0], self.ticks[-1]
        return (value - low) / (high - low)


def scale_of(values: Sequence[float], steps: int = 4) -> Scale:
    """A scale that covers all *values* in about *steps* steps.

    >>> scale_of([3.0, 97.0]).ticks
    (0.0, 25.0, 50.0, 75.0, 100.0)
    >>> scale_of([0.5]).ticks
    (0.0, 0.25, 0.5, 0.75, 1.0)
    """
    low, high = min(values), max(values)
    # Values that differ by rounding errors only count as one, and get some space around them.
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-9):
        low, high = low - max(abs(low), 0.5), high + max(abs(high), 0.5)
    rough = (high - low) / steps
    power = 10.0 ** math.floor(math.log10(rough))
    factor = next(factor for factor in _ROUND if factor * power >= rough * (1 - 1e-9))
    step = factor * power
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(number * step for number in range(first, last + 1))
    return Scale(ticks, max(0, -math.floor(math.log10(step) + 1e-9) + (factor == 2.5)))
