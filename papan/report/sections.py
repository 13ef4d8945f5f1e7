"""What a report says of one file: words, tables of typed cells, and plots as the numbers that they show.

Words of the program are sentences, which the page says in its language; texts out of files stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from papan.game.base.sentences import Sentence, figures, joined, say

_PRECISE, _COARSE = 100.0, 1000.0
_MANY = 1e6
"""From here on, numbers are written without decimals, however many were asked for."""


class Cell(NamedTuple):
    """What stands in a table, and what it is sorted by."""

    text: str
    value: float | str | None = None
    """None comes last, whichever way a column is sorted."""
    tint: float | None = None
    """How good it is, from 0 to 1, where its colour is to say so; ½ has none."""


class Column(NamedTuple):
    """The head of a table's column."""

    heading: str
    is_number: bool = False


@dataclass(frozen=True)
class Table:
    """Rows under columns."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]


class Axis(NamedTuple):
    """What an axis measures, and how its numbers are written."""

    label: str
    unit: str = ""
    digits: int = 0
    is_signed: bool = False
    """Whether a plus is written, too."""

    def text(self, value: float) -> Sentence:
        """*value* with its unit.

        >>> Axis("points", " %", 1).text(12.34), Axis("Elo", is_signed=True).text(-7.2)
        ('12.3 %', '−7')
        """
        return joined([written(value, self.digits, self.is_signed), self.unit], "")


class Interval(NamedTuple):
    """Between which bounds a number lies."""

    low: float
    high: float


class Reference(NamedTuple):
    """What is compared with: a dashed line."""

    value: float
    label: str


class Item(NamedTuple):
    """One of the things that are compared."""

    label: str
    value: float
    interval: Interval | None = None


@dataclass(frozen=True)
class Comparison:
    """A plot of items beneath each other: points with their intervals, or bars that begin at 0."""

    title: str
    axis: Axis
    items: Sequence[Item]
    reference: Reference | None = None
    has_bars: bool = False


class Point(NamedTuple):
    """A point of a curve."""

    x: float
    y: float
    interval: Interval | None = None
    label: str = ""
    """What is special about it; it is marked then."""


class Curve(NamedTuple):
    """A line through points, with a band where these have intervals."""

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
    """The least and the most that there can be, where that is known and all of it is to be seen."""


Plot = Comparison | Curves


@dataclass(frozen=True)
class Section:
    """What a report says of one file."""

    kind: str
    """What it is, in a word or two: Simulation."""
    title: str
    command: str | None = None
    """The words that make it again."""
    facts: Sequence[tuple[str, str]] = ()
    """What a reader needs to know of it, by name: the seed, the version …"""
    warning: str = ""
    """What keeps it from being the whole."""
    paragraphs: Sequence[str] = ()
    plots: Sequence[Plot] = ()
    tables: Sequence[Table] = field(default_factory=tuple)


def written(value: float, digits: int = 0, is_signed: bool = False) -> Sentence:
    """*value* with so many decimals, groups of three digits and a true minus.

    >>> written(-1234.5, 1), written(0.0, is_signed=True), written(-0.01, 1)
    ('−1,234.5', '0', '0.0')
    """
    size = figures(abs(value), f",.{0 if abs(value) >= _MANY else digits}f")
    if not size.strip("0.,"):
        return size
    return joined(["−", size], "") if value < 0 else joined(["+", size], "") if is_signed else size


def words(text: str) -> Cell:
    """A cell with *text*, by which it is sorted."""
    return Cell(text, text)


def number(value: float | None, digits: int = 0, unit: str = "", *, is_signed: bool = False) -> Cell:
    """A cell with a *value*; an empty one for None."""
    return EMPTY if value is None else Cell(joined([written(value, digits, is_signed), unit], ""), value)


def measured(value: float, *, is_signed: bool = False) -> Cell:
    """A cell with a *value* of any size: the smaller, the more decimals.

    >>> measured(1234.5).text, measured(0.25).text
    ('1,234', '0.250')
    """
    return number(value, 0 if abs(value) >= _COARSE else 1 if abs(value) >= _PRECISE else 3, is_signed=is_signed)


def percent(share: float, digits: int = 1) -> Cell:
    """A cell with a *share* of the whole in percent."""
    return number(100 * share, digits, " %")


def bounds(interval: Interval, digits: int = 1) -> Cell:
    """A cell with an *interval*, sorted by its lower bound."""
    return Cell(span(written(interval.low, digits), written(interval.high, digits)), interval.low)


def span(low: Sentence, high: Sentence) -> Sentence:
    """From the one to the other, both as they are written."""
    return say("{low} to {high}", low=low, high=high)


def in_percent(interval: Interval) -> Interval:
    """An *interval* of shares, in percent."""
    return Interval(100 * interval.low, 100 * interval.high)


EMPTY = Cell("")
"""A cell with nothing."""
