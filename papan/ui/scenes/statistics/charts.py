"""The charts of statistics: matches by week, and the share of the points as it became what it is."""

from __future__ import annotations

import math

from papan.ui.drawing.graphs import Caption, Curve, CurveChart, round_step
from papan.ui.drawing.theme import Theme
from papan.ui.play.statistics import Statistics
from papan.ui.texts import _, in_figures

_TICKS = 3
_DATES = 3
"""Weeks that are named, at most."""


def weeks_chart(shown: Statistics, theme: Theme) -> CurveChart:
    """The matches of each week."""
    numbers = [number for _monday, number in shown.weeks]
    top, values = _scale(max(numbers, default=0))
    points = list(enumerate(numbers))
    curve = Curve("", points, theme.accent, ground=theme.accent)
    last = max(1, len(numbers) - 1)
    return CurveChart(
        _("Matches by week"),
        (),
        (curve,),
        last,
        0.0,
        top,
        values,
        numbers=_dates(shown, last),
        note=_("No match in the last two years."),
    )


def _dates(shown: Statistics, last: int) -> tuple[tuple[int, str], ...]:
    """Some weeks, evenly apart, by their Mondays."""
    if not shown.weeks:
        return ()
    places = {round(last * part / _DATES) for part in range(_DATES + 1)}
    return tuple((place, shown.weeks[place][0].isoformat()) for place in sorted(places) if place < len(shown.weeks))


def course_chart(shown: Statistics, theme: Theme) -> CurveChart:
    """The share of the points after each match; of a game for one its scores."""
    if shown.is_of_one:
        return _scores_chart(shown, theme)
    course = shown.course
    curve = Curve(
        "",
        [(moment.number, moment.share) for moment in course],
        theme.accent,
        shape="diamond",
        band=[(moment.number, *moment.interval) for moment in course],
    )
    last = max(1, course[-1].number if course else 1)
    return CurveChart(
        _("Share of the points"),
        (Caption(_("with its 95 % interval")),),
        (curve,) if course else (),
        last,
        0.0,
        1.0,
        tuple((share / 100, f"{share} %") for share in (0, 50, 100)),
        note=_("Here stands what one person played against computers."),
    )


def _scores_chart(shown: Statistics, theme: Theme) -> CurveChart:
    top, values = _scale(max(score for _number, score in shown.scores))
    curve = Curve("", shown.scores, theme.accent, shape="diamond")
    last = max(1, shown.scores[-1][0])
    return CurveChart(_("Scores, match by match"), (), (curve,), last, 0.0, top, values)


def _scale(most: float) -> tuple[float, tuple[tuple[float, str], ...]]:
    """The end of a scale from 0 to *most* at least, and the values to be written beside it."""
    step = round_step(max(most, 1.0) / _TICKS)
    top = step * math.ceil(max(most, 1.0) / step)
    return float(top), tuple((float(value), in_figures(value)) for value in range(0, top + 1, step))
