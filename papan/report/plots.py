"""PNG charts drawn with matplotlib, in the current language. Only this module imports matplotlib.

Functions raise ``OutputError`` if the file can't be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from papan.ai.indicators.conspiracy import AtDepth
from papan.ai.indicators.course import HIGH_FROM, LOW_BELOW
from papan.ai.indicators.motion import PEAK_ENERGY, cap
from papan.ai.reviews.reviewer import Moment, Review
from papan.game.base.languages import said
from papan.game.base.places import atomic_file
from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.base.untrusted import shortened
from papan.game.match import Match
from papan.lab.arena import Tally
from papan.lab.calibration import Calibration
from papan.lab.files import unwritable
from papan.lab.statistics import wilson
from papan.research.reproduction.experiment import Chart

SIZE = (12.8, 8.0)
"""Inches, at ``DOTS`` an inch."""
DOTS = 100
BACKGROUND, PANEL, LINE, INK, SECOND_INK = "#F3EDE2", "#FFFCF6", "#E4DACA", "#2B2926", "#756C60"
SEATS = ("#C4523A", "#2B6C78", "#A06A00", "#6C4A7E")
DASHES = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)))
GOOD, BAD, MOMENTUM, ENERGY = "#5E8C56", "#C4523A", "#D8A035", "#6C4A7E"
_COLOURS = (*SEATS, GOOD, MOMENTUM)
MOST_UNITS = 10.0
"""Values are clipped to this many units; forced wins and losses are larger."""
MOST_LABELS = 40
"""The most marks drawn with their sign; more are drawn as dots."""


def draw_review(match: Match, review: Review, path: Path) -> None:
    """Draw the curves of *review* into the PNG file *path*: winning chances, conspiracy numbers, motion in mind."""
    heights = [5, 3, 3] if review.course.plays else [1]
    with _picture(joined([match.game.title, joined(map(_name, match.seats), ", ")], ": "), path) as figure:
        ratios = {"height_ratios": heights}
        plots = figure.subplots(len(heights), 1, sharex=True, squeeze=False, gridspec_kw=ratios)[:, 0]
        for plot in plots:
            _prepare(plot)
        _draw_chances(plots[0], match, review)
        if review.course.plays:
            _draw_conspiracy(plots[1], match, review)
            _draw_ride(plots[2], match, review)
        _name_axes(plots[-1], across=say("turn"))


def draw_learning_curve(title: str, tallies: Sequence[Tally], path: Path) -> None:
    """Draw the scores of successive generations, with intervals, into the PNG file *path*."""
    with _picture(title, path) as figure:
        plot = figure.subplots()
        _prepare(plot)
        generations = range(1, len(tallies) + 1)
        low, high = zip(*(tally.interval for tally in tallies), strict=True)
        plot.fill_between(
            generations,
            [100 * each for each in low],
            [100 * each for each in high],
            color=SEATS[1],
            alpha=0.2,
            linewidth=0,
        )
        plot.plot(generations, [100 * tally.score for tally in tallies], "o-", color=SEATS[1], linewidth=1.6)
        plot.axhline(50, color=LINE, linewidth=1)
        plot.set_ylim(0, 100)
        _name_axes(plot, across=say("generation"), up=say("points, %"))
        _title(plot, say("Learning curve"), say("score against the starting weights, with its 95 % interval"))


@contextmanager
def _picture(title: str, path: Path, screens: float = 1.0) -> Iterator[Figure]:
    """A figure with *title*, *screens* screens high, written to the PNG file *path* at the end."""
    with matplotlib.rc_context({"font.family": ["Inter", "DejaVu Sans"], "font.size": 10, "text.color": INK}):
        figure = Figure((SIZE[0], SIZE[1] * screens), DOTS, facecolor=BACKGROUND, layout="constrained")
        figure.suptitle(re.sub(r"(?<!\\)\$", r"\\$", said(title)), fontweight="bold", fontsize=13)  # escapes formulas
        yield figure
        try:
            with atomic_file(path) as file:
                figure.savefig(file, format="png")
        except OSError as error:
            raise unwritable(path, error) from None


def _prepare(plot: Any) -> None:
    plot.set_facecolor(PANEL)
    plot.tick_params(colors=SECOND_INK, labelsize=9)
    plot.margins(x=0.01)
    plot.xaxis.set_major_locator(MaxNLocator(integer=True))
    plot.xaxis.set_major_formatter(_Numbers())
    plot.yaxis.set_major_formatter(_Numbers())
    for spine in plot.spines.values():
        spine.set_color(LINE)


class _Numbers(ScalarFormatter):
    """Formats the numbers of an axis with the separators of the current language."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """*x* as text, with enough decimals to tell the ticks apart."""
        decimals = len(super().__call__(x, pos).partition(".")[2])
        return said(figures(x, f",.{decimals}f")).replace("-", "−")


def _name_axes(plot: Any, *, across: str | None = None, up: str | None = None) -> None:
    if across is not None:
        plot.set_xlabel(said(across), color=SECOND_INK)
    if up is not None:
        plot.set_ylabel(said(up), color=SECOND_INK)


def _title(plot: Any, what: str, told: str) -> None:
    title, note = said(what), said(told)
    heading = plot.set_title(title, loc="left", fontweight="bold", fontsize=11)
    plot.annotate(note, (1, 0), (8, 0), heading, "offset points", va="bottom", color=SECOND_INK, fontsize=9)


def _legend(plot: Any) -> None:
    plot.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2, fontsize=8, frameon=False, ncols=8)


def _draw_chances(plot: Any, match: Match, review: Review) -> None:
    """Draw the first seat's chances of two, all chances of more seats, or the expected score of a single seat."""
    turns = [moment.index for moment in review.moments]
    number = len(match.seats)
    if number == 1:
        marked = [moment.score / review.scale for moment in review.moments]
        plot.plot(turns, marked, color=SEATS[0], linewidth=1.6)
        _title(plot, say("Expected score"), say("points made so far plus the points that the search expects"))
    elif number == 2:
        marked = [100 * moment.chances[0] for moment in review.moments]
        plot.plot(turns, marked, color=INK, linewidth=1.6)
        _shade(plot, turns, marked)
        sides = say("above: {one}; below: {other}", one=_label(match, 0), other=_label(match, 1))
        _title(plot, say("Who is better"), sides)
    else:
        for seat in range(number):
            own = [100 * moment.chances[seat] for moment in review.moments]
            plot.plot(
                turns, own, color=SEATS[seat], linestyle=DASHES[seat], linewidth=1.6, label=said(_label(match, seat))
            )
        marked = [100 * moment.chances[moment.seat or 0] for moment in review.moments]
        _legend(plot)
        _title(plot, say("Who is better"), say("each seat's winning chance"))
    if number > 1:
        plot.set_ylim(-6, 106)
        _name_axes(plot, up=say("winning chance, %"))
    else:
        _name_axes(plot, up=say("points"))
    is_written = sum(bool(moment.mark) for moment in review.moments) <= MOST_LABELS
    for moment, height in zip(review.moments, marked, strict=True):
        if moment.mark:
            _draw_mark(plot, moment, height, is_written)
        if moment.index in review.turning_points:
            plot.axvline(moment.index, color=BAD, linewidth=0.8, alpha=0.6, zorder=1)


def _shade(plot: Any, turns: Sequence[int], heights: Sequence[float]) -> None:
    """Fill between the curve and 50 % in the colour of the favoured seat."""
    for seat, side in enumerate((1, -1)):
        beyond = [side * height > side * 50 for height in heights]
        plot.fill_between(turns, heights, 50, where=beyond, interpolate=True, color=SEATS[seat], alpha=0.3, linewidth=0)
    plot.axhline(50, color=LINE, linewidth=1)


def _draw_mark(plot: Any, moment: Moment, height: float, is_written: bool) -> None:
    colour = GOOD if "!" in moment.mark else BAD
    plot.plot(moment.index, height, "o", color=colour, markersize=13 if is_written else 5, zorder=3)
    if is_written:
        point = (moment.index, height)
        style = {"color": "white", "fontsize": 8, "fontweight": "bold", "zorder": 4}
        plot.annotate(moment.mark, point, ha="center", va="center_baseline", **style)


def _draw_conspiracy(plot: Any, match: Match, review: Review) -> None:
    course = review.course
    for seat in range(len(match.seats)):
        series = course.series(seat)
        turns, numbers = [turn for turn, _ in series], [number for _, number in series]
        label = said(_label(match, seat))
        plot.plot(turns, numbers, marker="o", markersize=3, color=SEATS[seat], linestyle=DASHES[seat], label=label)
        for trap in course.traps(seat) if review.has_zones else ():
            plot.axvspan(trap.first, trap.last, color=SEATS[seat], alpha=0.15, linewidth=0)
    for height in (LOW_BELOW, HIGH_FROM):
        plot.axhline(height, color=LINE, linewidth=1)
    plot.set_ylim(-0.05, 1.05)
    _name_axes(plot, up=say("SCN, normalised"))
    _legend(plot)
    told = say(
        "SCN of each play for its seat: low = near the threshold, infinity shown as {cap}", cap=figures(course.cap, "g")
    )
    if review.has_zones:
        told = say(
            "SCN of each play for its seat: low = near the threshold, infinity shown as {cap}; shaded: stability traps",
            cap=figures(course.cap, "g"),
        )
    _title(plot, say("How close to the goal"), told)


def _draw_ride(plot: Any, match: Match, review: Review) -> None:
    course = review.course
    for seat in range(len(match.seats)):
        own = [
            (play.turn, motion) for play, motion in zip(course.plays, course.motions, strict=True) if play.seat == seat
        ]
        turns, motions = [turn for turn, _motion in own], [motion for _turn, motion in own]
        for values, colour, label in (
            ([motion.mean_momentum for motion in motions], MOMENTUM, say("p̄ {seat}", seat=seat + 1)),
            ([motion.momentum for motion in motions], GOOD, say("M·v {seat}", seat=seat + 1)),
            ([motion.potential_energy for motion in motions], ENERGY, say("E_p {seat}", seat=seat + 1)),
        ):
            plot.plot(turns, values, color=colour, linestyle=DASHES[seat], label=said(label))
    plot.set_ylim(0, 1.1 * PEAK_ENERGY)
    _legend(plot)
    told = say(
        "mean momentum p̄ = mean of m·v, momentum M·v and potential energy E_p of each seat, by v = normalised SCN"
    )
    _title(plot, say("Energy"), told)


def draw_calibration(title: Sentence, found: Calibration, path: Path) -> None:
    """Draw a reliability diagram, and the number of positions in each bin, into the PNG file *path*."""
    with _picture(title, path) as figure:
        plot, counts = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 1]})
        for one in (plot, counts):
            _prepare(one)
        plot.plot([0, 1], [0, 1], color=SECOND_INK, linewidth=1, linestyle=DASHES[1])
        bins = found.bins
        intervals = [wilson(one.share, one.positions) for one in bins]
        plot.errorbar(
            [one.mean for one in bins],
            [one.share for one in bins],
            yerr=[
                [max(0.0, one.share - low) for one, (low, _high) in zip(bins, intervals, strict=True)],
                [max(0.0, high - one.share) for one, (_low, high) in zip(bins, intervals, strict=True)],
            ],
            fmt="o-", color=SEATS[1], capsize=3,
        )  # fmt: skip
        plot.set_xlim(-0.02, 1.02)
        plot.set_ylim(-0.02, 1.02)
        _name_axes(plot, up=say("share won"))
        told = say("dashed: perfect predictions; bars: 95 % intervals")
        _title(plot, say("Predicted and proved wins"), told)
        middles = [(one.low + one.high) / 2 for one in bins]
        counts.bar(middles, [one.positions for one in bins], width=0.09, color=SEATS[1], alpha=0.6)
        _name_axes(counts, across=say("probability-based proof number"), up=say("positions"))


def draw_depths(title: Sentence, found: Sequence[AtDepth], scale: float, path: Path) -> None:
    """Draw minimax values and conspiracy numbers by depth, one plot for each seat, into the PNG file *path*.

    :param scale: the score of one unit.
    """
    number = len(found[0].numbers)
    with _picture(title, path) as figure:
        depths = [one.depth for one in found]
        most = cap([own for one in found for own in one.numbers])
        for seat, plot in enumerate(figure.subplots(number, 1, sharex=True, squeeze=False)[:, 0]):
            _prepare(plot)
            values = [min(max(one.values[seat] / scale, -MOST_UNITS), MOST_UNITS) for one in found]
            plot.plot(depths, values, "s--", color=INK, label=said(say("minimax value")))
            _name_axes(plot, up=say("minimax value"), across=say("depth, in turns") if seat == number - 1 else None)
            other = plot.twinx()
            _prepare(other)
            numbers = [min(one.numbers[seat], most) for one in found]
            plot.plot([], [], "o-", color=SEATS[seat], label="SCN")
            other.plot(depths, numbers, "o-", color=SEATS[seat])
            _name_axes(other, up=say("SCN"))
            _legend(plot)
            told = say("value and SCN by search depth, infinity shown as {cap}", cap=figures(most, "g"))
            _title(plot, say("Seat {seat}", seat=seat + 1), told)


def draw_charts(title: Sentence, charts: Sequence[Chart], path: Path) -> None:
    """Draw *charts*, one below the other, into the PNG file *path*, with published curves dashed."""
    with _picture(title, path, max(1.0, len(charts) / 3)) as figure:
        for chart, plot in zip(charts, figure.subplots(len(charts), 1, squeeze=False)[:, 0], strict=True):
            _prepare(plot)
            if chart.is_logarithmic:
                plot.set_xscale("log")
            for number, line in enumerate(chart.lines):
                across, up = zip(*line.points, strict=True) if line.points else ((), ())
                dashes = DASHES[1] if line.is_published else "solid"
                colour = _COLOURS[number % len(_COLOURS)]
                dots = "o" if len(across) <= MOST_LABELS else None
                plot.plot(across, up, marker=dots, markersize=4, color=colour, linestyle=dashes, label=said(line.name))
            _name_axes(plot, across=chart.across, up=chart.up)
            _legend(plot)
            _title(plot, chart.title, chart.note)


def _label(match: Match, seat: int) -> Sentence:
    return say("{player} (seat {seat})", player=_name(match.seats[seat]), seat=seat + 1)


def _name(player: str) -> str:
    """The name with its dollar signs escaped; otherwise they would enclose a formula."""
    return shortened(player).replace("$", r"\$")
