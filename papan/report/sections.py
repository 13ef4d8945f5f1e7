"""The content of a report: sections with texts, tables of typed cells, and the data of plots.

The program's own texts are sentences, which the page translates; texts from files stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from papan.game.base.sentences import Sentence, figures, joined, say

_PRECISE, _COARSE = 100.0, 1000.0
_MANY = 1e6
"""Numbers from this size on are written without decimals."""


class Cell(NamedTuple):
    """A table cell: its text, and its value for sorting."""

    text: str
    value: float | str | None = None
    """None sorts last in both directions."""
    tint: float | None = None
    """How good it is, from 0 to 1, shown as a colour; ½ has none."""


class Column(NamedTuple):
    """The head of a table's column."""

    heading: str
    is_number: bool = False


def number_columns(*headings: str) -> list[Column]:
    return [Column(heading, True) for heading in headings]


@dataclass(frozen=True)
class Table:
    """Rows under columns."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]


class Axis(NamedTuple):
    """The label of an axis, and the format of its numbers."""

    label: str
    unit: str = ""
    digits: int = 0
    is_signed: bool = False
    """Whether to write plus signs."""

    def text(self, value: float) -> Sentence:
        """*value* with its unit.

        >>> Axis("points", " %", 1).text(12.34), Axis("Elo", is_signed=True).text(-7.2)
        ('12.3 %', '−7')
        """
        return joined([written(value, self.digits, self.is_signed), self.unit], "")


class Interval(NamedTuple):
    """The bounds of a number."""

    low: float
    high: float


class Reference(NamedTuple):
    """A reference value, drawn as a dashed line."""

    value: float
    label: str


class Item(NamedTuple):
    label: str
    value: float
    interval: Interval | None = None


@dataclass(frozen=True)
class Comparison:
    """A plot of items below each other: points with intervals, or bars from 0."""

    title: str
    axis: Axis
    items: Sequence[Item]
    reference: Reference | None = None
    has_bars: bool = False


class Point(NamedTuple):
    x: float
    y: float
    interval: Interval | None = None
    label: str = ""
    """A label; labelled points are marked."""


class Curve(NamedTuple):
    """A line through points, with a band of their intervals."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Curves:
    """A plot of curves over one axis."""

    title: str
    across: Axis
    up: Axis
    curves: Sequence[Curve]
    reference: Reference | None = None
    bounds: Interval | None = None
    """The range that the plot must show, if fixed."""


Plot = Comparison | Curves


@dataclass(frozen=True)
class Section:
    """The part of a report on one file."""

    kind: str
    """The kind of result in a word or two: Simulation."""
    title: str
    command: str | None = None
    """The command that reproduces it."""
    facts: Sequence[tuple[str, str]] = ()
    """Names and values: the seed, the version …"""
    warning: str = ""
    """A warning that the result is incomplete."""
    paragraphs: Sequence[str] = ()
    plots: Sequence[Plot] = ()
    tables: Sequence[Table] = field(default_factory=tuple)


def written(value: float, digits: int = 0, is_signed: bool = False) -> Sentence:
    """*value* with *digits* decimals, digit groups and a minus sign.

    >>> written(-1234.5, 1), written(0.0, is_signed=True), written(-0.01, 1)
    ('−1,234.5', '0', '0.0')
    """
    size = figures(abs(value), f",.{0 if abs(value) >= _MANY else digits}f")
    if not size.strip("0.,"):
        return size
    return joined(["−", size], "") if value < 0 else joined(["+", size], "") if is_signed else size


def words(text: str) -> Cell:
    """A cell with *text*, sorted by it."""
    return Cell(text, text)


def number(value: float | None, digits: int = 0, unit: str = "", *, is_signed: bool = False) -> Cell:
    """A cell with a *value*; empty for None."""
    return EMPTY if value is None else Cell(joined([written(value, digits, is_signed), unit], ""), value)


def measured(value: float, *, is_signed: bool = False) -> Cell:
    """A cell with a *value* of any size; smaller values get more decimals.

    >>> measured(1234.5).text, measured(0.25).text
    ('1,234', '0.250')
    """
    return number(value, 0 if abs(value) >= _COARSE else 1 if abs(value) >= _PRECISE else 3, is_signed=is_signed)


def percent(share: float, digits: int = 1) -> Cell:
    return number(100 * share, digits, " %")


def bounds(interval: Interval, digits: int = 1) -> Cell:
    """A cell with an *interval*, sorted by its lower bound."""
    return Cell(span(written(interval.low, digits), written(interval.high, digits)), interval.low)


def span(low: Sentence, high: Sentence) -> Sentence:
    """ "low to high" as a sentence."""
    return say("{low} to {high}", low=low, high=high)


def in_percent(interval: Interval) -> Interval:
    return Interval(100 * interval.low, 100 * interval.high)


EMPTY = Cell("")
