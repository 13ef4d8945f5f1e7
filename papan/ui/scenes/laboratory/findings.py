"""The results of an experiment: progress, table, curve, and how games end."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from papan.lab.simulation.counts import Rate, by_player, by_seat
from papan.ui.drawing.graphs import DASHED, DOTS, LONG_DASHES, SOLID, Caption, Curve, CurveChart, round_step
from papan.ui.drawing.theme import GAP, Colour
from papan.ui.play.laboratory import Experiment, Sample, Standing
from papan.ui.scenes import Scene, strip
from papan.ui.scenes.laboratory.form import LaboratoryForm, draw_badge
from papan.ui.scenes.review.charts import line_colour
from papan.ui.texts import _, in_figures, in_hundredths, in_whole_numbers, translated
from papan.ui.widgets.chart import LiveChart

_PADDING = 14
_TROUBLE_LINES = 3
_TABLE_HEAD, _TABLE_FOOT = 32, 10
_ROW, _LOW_ROW = 24, 20
_ENDINGS_HEAD, _ENDINGS_ROW = 38, 21
_ENDINGS, _FEW_ENDINGS = 3, 2
_LOW_BELOW = 650
"""In a column lower than this, large tables have lower rows."""
_FEW_ROWS = 5
_COLUMNS = (0.15, 0.29, 0.14, 0.14)
"""The widths of the columns of numbers, as shares of the table's width."""
_LEAST_PERCENT = 0.1
"""A smaller share of games is told as less than this."""
_TICKS = 4
"""Steps between lines across the plot, at most."""
_LEFT_OUT = 8
"""The scale ignores the first n-th of a curve's points, whose bands are too wide."""
_LOG_STEPS = 1000
"""Steps of the logarithmic axis of games per factor of ten."""
_DASHES = (SOLID, DASHED, LONG_DASHES, DOTS)
_MINUTE, _HOUR = 60, 3600


class Findings:
    def __init__(self, scene: Scene, form: LaboratoryForm) -> None:
        self._scene = scene
        self._form = form

    def build(self) -> None:
        self.chart = self._scene.widgets.add(LiveChart("curve"))

    @property
    def _rows(self) -> int:
        return 1 if self._form.seats == 1 else 2 * self._form.seats

    def place(self, column: pygame.Rect) -> None:
        px, gap = self._scene.px, self._scene.px(GAP)
        is_low = column.h < px(_LOW_BELOW) and self._rows > _FEW_ROWS
        self._pitch = px(_LOW_ROW if is_low else _ROW)
        self._shown_endings = _FEW_ENDINGS if is_low else _ENDINGS
        self._progress, rest = strip(column, "top", px(64), gap)
        self._table, rest = strip(rest, "top", px(_TABLE_HEAD + _TABLE_FOOT) + self._rows * self._pitch, gap)
        height = px(_ENDINGS_HEAD + _TABLE_FOOT) + self._shown_endings * px(_ENDINGS_ROW)
        self._endings, chart = strip(rest, "bottom", height, gap)
        self.chart.place(chart)

    def draw(self, surface: pygame.Surface, experiment: Experiment | None, trouble: str) -> None:
        for panel in (self._progress, self._table, self._endings):
            self._scene.paint.panel(surface, panel)
        self._draw_progress(surface, experiment, trouble)
        self._draw_table(surface, experiment.standing if experiment else None)
        self._draw_endings(surface, experiment.standing if experiment else None)

    def picture(self, size: tuple[int, int], experiment: Experiment | None) -> pygame.Surface:
        """Return a picture of all results, drawn as in a window of *size*."""
        window = pygame.Surface(size)
        window.fill(self._scene.theme.background)
        self.draw(window, experiment, "")
        self.chart.draw(window)
        margin = self._scene.px(GAP)
        around = self._progress.union(self._endings).inflate(2 * margin, 2 * margin)
        return window.subsurface(around.clip(window.get_rect())).copy()

    def _draw_progress(self, surface: pygame.Surface, experiment: Experiment | None, trouble: str) -> None:
        px, paint, theme = self._scene.px, self._scene.paint, self._scene.theme
        inner = self._progress.inflate(-2 * px(_PADDING), 0)
        if trouble:
            paint.icon(surface, "warning", (inner.x + px(10), inner.centery), theme.bad_ink)
            room = pygame.Rect(inner.x + px(30), 0, inner.w - px(30), 0)
            height = paint.paragraph_height(trouble, room.w, "small strong", _TROUBLE_LINES)
            room.update(room.x, inner.centery - height // 2, room.w, height)
            paint.paragraph(surface, trouble, room, "small strong", theme.bad_ink, most_lines=_TROUBLE_LINES)
            return
        track = pygame.Rect(inner.x, inner.bottom - px(22), inner.w, px(6))
        paint.rounded_rect(surface, track, theme.pill, track.h // 2)
        words, beside = progress_in_words(experiment)
        middle = inner.y + px(24)
        right = paint.text(surface, beside, (inner.right, middle), "small", theme.second, anchor="midright")
        width = right.x - px(10) - inner.x
        paint.text(surface, words, (inner.x, middle), "strong", anchor="midleft", width=width)
        if experiment is not None and experiment.standing.counts.games:
            share = experiment.standing.counts.games / experiment.question.games
            surface.fill(theme.accent, (track.x, track.y, max(px(2), round(track.w * share)), track.h))

    def _draw_table(self, surface: pygame.Surface, standing: Standing | None) -> None:
        px, paint, theme = self._scene.px, self._scene.paint, self._scene.theme
        is_score = self._form.seats == 1
        headings = (_("won"), _("95 % interval"), _("drawn"), _("lost"))
        if is_score:
            headings = (_("mean"), _("95 % interval"), "", _("games"))
        middle = self._table.y + px(_TABLE_HEAD // 2 + 3)
        self._draw_cells(surface, middle, headings, theme.second)
        left = self._table.x + px(_PADDING)
        width = max(px(60), self._right_edges()[0] - left - px(60))
        paint.text(surface, _("Results"), (left, middle), "strong", anchor="midleft", width=width)
        rates: Sequence[Rate | None] = [None] * self._rows
        if standing is not None and standing.counts.games:
            rates = by_player(standing.counts) if is_score else [*by_player(standing.counts), *by_seat(standing.counts)]
        top = self._table.y + px(_TABLE_HEAD)
        for row, rate in enumerate(rates):
            middle = top + row * self._pitch + self._pitch // 2
            if row == self._form.seats:
                surface.fill(theme.line, (left, top + row * self._pitch, self._table.w - 2 * px(_PADDING), 1))
            if row < self._form.seats:
                name = self._form.label_of(row)
                draw_badge(self._scene, surface, (left + px(8), middle), row, is_small=True)
            else:
                name = _("Seat {number}").format(number=row - self._form.seats + 1)
            at = (left + px(24), middle)
            paint.text(surface, name, at, "small", anchor="midleft", width=self._right_edges()[0] - px(58) - at[0])
            self._draw_cells(surface, middle, _cells(rate, is_score=is_score), theme.ink)

    def _right_edges(self) -> list[int]:
        inner = self._table.inflate(-2 * self._scene.px(_PADDING), 0)
        edges = [inner.right]
        for share in reversed(_COLUMNS[1:]):
            edges.append(edges[-1] - round(inner.w * share))
        return edges[::-1]

    def _draw_cells(self, surface: pygame.Surface, middle: int, cells: Sequence[str], ink: Colour) -> None:
        for right, cell in zip(self._right_edges(), cells, strict=True):
            self._scene.paint.text(surface, cell, (right, middle), "small", ink, anchor="midright")

    def _draw_endings(self, surface: pygame.Surface, standing: Standing | None) -> None:
        px, paint, theme = self._scene.px, self._scene.paint, self._scene.theme
        inner = self._endings.inflate(-2 * px(_PADDING), 0)
        middle = inner.y + px(21)
        title = paint.text(surface, _("How games end"), (inner.x, middle), "strong", anchor="midleft")
        if standing is None or not standing.counts.games:
            words = _("The most common reasons, and the length of games.")
            below = pygame.Rect(inner.x, inner.y + px(_ENDINGS_HEAD + 2), inner.w, 0)
            paint.paragraph(surface, words, below, "small", theme.second, most_lines=2)
            return
        counts = standing.counts
        length = _("{turns} turns, {steps} steps on average").format(
            turns=in_figures(counts.turns / counts.games, ",.1f"), steps=in_figures(counts.steps / counts.games, ",.1f")
        )
        room = inner.right - title.right - px(12)
        paint.text(surface, length, (inner.right, middle), "small", theme.second, anchor="midright", width=room)
        commonest = counts.reasons.most_common(self._shown_endings)
        if len(counts.reasons) > self._shown_endings:
            rest = counts.games - sum(number for _reason, number in commonest[:-1])
            commonest[-1] = (_("others"), rest)
        top = inner.y + px(_ENDINGS_HEAD)
        for row, (reason, number) in enumerate(commonest):
            share = number / counts.games
            middle = top + row * px(_ENDINGS_ROW) + px(_ENDINGS_ROW) // 2
            bar = pygame.Rect(inner.x + inner.w // 2, middle - px(4), inner.w // 2 - px(58), px(8))
            words, most = translated(reason), inner.w // 2 - px(10)
            paint.text(surface, words, (inner.x, middle), "small", anchor="midleft", width=most, shrinks=True)
            surface.fill(theme.pill, bar)
            surface.fill(theme.accent, (bar.x, bar.y, max(1, round(bar.w * share)), bar.h))
            percent = 100 * share
            words = f"{in_figures(max(percent, _LEAST_PERCENT), '.1f')} %"
            if percent < _LEAST_PERCENT:
                words = f"< {words}"
            paint.text(surface, words, (inner.right, middle), "small", anchor="midright")

    def reset(self) -> None:
        """Forget the curve of the previous experiment, even while it is being painted."""
        self.chart.replace_graph(self._graph(()))

    def show_curve(self, standing: Standing | None) -> None:
        self.chart.show_graph(self._graph(standing.samples if standing else ()))

    def _graph(self, samples: Sequence[Sample]) -> CurveChart:
        is_score = self._form.seats == 1
        title = _("Mean score") if is_score else _("Won")
        if not samples:
            note = _("The curve starts after the first games; the shaded bands narrow as more games are played.")
            return CurveChart(title, note=note, numbers=())
        theme = self._scene.theme
        first = math.log10(samples[0].games)
        turns = [round(_LOG_STEPS * (math.log10(sample.games) - first)) for sample in samples]
        low, high, values = _scale(samples, is_score=is_score)
        curves = []
        for player in range(self._form.seats):
            style = theme.seats[player % len(theme.seats)]
            points = [(turn, sample.values[player]) for turn, sample in zip(turns, samples, strict=True)]
            band = [(turn, *sample.intervals[player]) for turn, sample in zip(turns, samples, strict=True)]
            name = "" if is_score else self._form.label_of(player) if self._form.seats == 2 else str(player + 1)
            dash = _DASHES[player % len(_DASHES)]
            curves.append(Curve(name, points, line_colour(style.colour, theme), dash, style.shape, band=band))
        legend = [Caption(_("with its 95 % interval"))]
        if not is_score:
            legend += [
                Caption(curve.name, curve, theme.seats[player % len(theme.seats)].ink)
                for player, curve in enumerate(curves)
            ]
        numbers = [
            (round(_LOG_STEPS * (power - first)), in_figures(10**power))
            for power in range(math.ceil(first), math.floor(math.log10(samples[-1].games)) + 1)
        ]
        return CurveChart(
            title, tuple(legend), tuple(curves), max(1, turns[-1]), low, high, values, numbers=tuple(numbers)
        )


def progress_in_words(experiment: Experiment | None) -> tuple[str, str]:
    if experiment is None:
        return _("Choose players, and start"), ""
    standing, asked = experiment.standing, experiment.question
    speed = in_figures(standing.rate, ",.0f" if standing.rate >= 10 else ".1f")
    games, rate = standing.counts.games, _("{number} a second").format(number=speed)
    if experiment.is_done:
        return _("All {number} games").format(number=in_figures(asked.games)), rate if standing.rate else ""
    words = _("{done} of {number} games").format(done=in_figures(games), number=in_figures(asked.games))
    if not experiment.is_playing:
        return words, _("stopped")
    if not standing.rate:
        return words, _("preparing …")
    left = standing.seconds_left
    return words, rate if left is None else f"{rate} · {_('{time} left').format(time=duration_in_words(left))}"


def duration_in_words(seconds: float) -> str:
    if seconds < _MINUTE:
        return _("{number} s").format(number=f"{seconds:.0f}")
    if seconds < _HOUR:
        return _("{number} min").format(number=f"{seconds / _MINUTE:.0f}")
    return _("{number} h").format(number=in_figures(seconds / _HOUR, ".1f"))


def _cells(rate: Rate | None, *, is_score: bool) -> tuple[str, ...]:
    if rate is None:
        return "–", "–", "" if is_score else "–", "–"
    if is_score:
        low, high = rate.payoff_interval
        return in_figures(rate.mean_payoff, ",.1f"), _interval(low, high, ",.1f"), "", in_figures(rate.games)
    low, high = rate.win_interval
    shares = (share_in_words(number / max(1, rate.games)) for number in (rate.drawn, rate.lost))
    interval = _interval(100 * low, 100 * high, ".2f") + " %"
    return share_in_words(rate.win_rate), interval, *shares


def _interval(low: float, high: float, form: str) -> str:
    return f"{in_figures(low, form)} – {in_figures(high, form)}"


def share_in_words(share: float) -> str:
    return in_hundredths(100 * share) + " %"


def _scale(samples: Sequence[Sample], *, is_score: bool) -> tuple[float, float, list[tuple[float, str]]]:
    """Return the least and the greatest value of a plot of *samples*, and the labelled values."""
    settled = samples[len(samples) // _LEFT_OUT :]
    lows, highs = zip(*(edge for sample in settled for edge in sample.intervals), strict=True)
    low, high = min(lows), max(highs)
    unit = 1.0 if is_score else 0.0001
    step = unit * round_step((high - low) / (unit * _TICKS))
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    low, high = max(0.0, low), high if is_score else min(1.0, high)
    number = round((high - low) / step)
    values = [low + index * step for index in range(number + 1)]
    if is_score:
        words = [in_whole_numbers(value) for value in values]
    else:
        digits = 0 if step >= 0.01 else 1 if step >= 0.001 else 2
        words = [in_figures(100 * value, f".{digits}f") + " %" for value in values]
    return low, max(high, low + unit), list(zip(values, words, strict=True))
