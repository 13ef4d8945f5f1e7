"""The display of statistics: figures in words, charts, and rows of the table."""

from __future__ import annotations

import math
from typing import NamedTuple

import pygame

from papan.lab.tournament.rating import Rating
from papan.ui.drawing.faces import face_of
from papan.ui.drawing.graphs import Caption, Curve, CurveChart, round_step
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import TextStyle, Theme
from papan.ui.play.milestones import Milestone
from papan.ui.play.statistics import Row, Score, Statistics, Streak
from papan.ui.texts import _, in_figures, plural, translated
from papan.ui.texts.wording import MINUS, date_in_figures

Words = tuple[str, str, str, str]
"""Label, value ("" for none), note next to it, tooltip."""


def figures_of(shown: Statistics, game: str) -> list[Words]:
    if shown.is_of_one:
        best, mean = ("" if score is None else in_figures(score, ",.0f") for score in (shown.best, shown.mean))
        every = _("Of all finished matches")
        matches = (_("Matches"), in_figures(shown.number), "", _("Finished matches"))
        return [(_("Best score"), best, "", every), (_("Mean score"), mean, "", every), matches]
    results = share = interval = ""
    if shown.score.number:
        results = " / ".join(in_figures(number) for number in shown.score)
        low, high = shown.score.interval
        share, interval = share_in_words(shown.score), f"{low * 100:.0f}–{high * 100:.0f} %"
    tooltip = _("A draw counts as half a point. Beside it: the 95 % interval, where the true value most likely lies")
    figures = [
        (_("Won, drawn, lost"), results, "", _("Matches of one person against computers")),
        (_("Share of the points"), share, interval, tooltip),
    ]
    if game:
        label = _("Elo, relative to {player}").format(player=translated(shown.reference)) if shown.reference else "Elo"
        tooltip = _(
            "How much stronger you are than this opponent, in Elo points: 100 points more means scoring 64 %. Each "
            "opponent has a separate scale"
        )
        value = rating_in_words(shown.rating) if shown.rating else ""
        figures.append((label, value, "", tooltip))
    streak, best = streak_in_words(shown.streak), streak_in_words(shown.best_streak)
    figures.append((_("Streak"), streak, "", _("How many of your latest matches in a row had the same result")))
    figures.append((_("Best streak"), best, "", _("The most wins in a row")))
    return figures


def share_in_words(score: Score) -> str:
    return f"{score.share * 100:.0f} %"


def rating_in_words(rating: Rating) -> str:
    sign = "+" if rating.elo >= 0 else MINUS
    return f"{sign}{abs(rating.elo):.0f} ± {rating.margin:.0f}"


def streak_in_words(streak: Streak) -> str:
    number = streak.length
    if streak.outcome == "won":
        return plural("{count} won", "{count} won", number)
    if streak.outcome == "lost":
        return plural("{count} lost", "{count} lost", number)
    return plural("{count} drawn", "{count} drawn", number) if number else ""


_TICKS = 3
_LEAST_ELO = 200
"""The least range of the chart of ratings."""
_DATES = 3
"""Labelled weeks, at most."""


def weeks_chart(shown: Statistics, theme: Theme) -> CurveChart:
    numbers = [number for _monday, number in shown.weeks]
    top, values = _scale(max(numbers, default=0))
    note = _("No match in the last two years.")
    if 1 <= len(numbers) <= 2:  # a single week, and perhaps the empty one before it: a point in the middle, no line
        curve, last = Curve("", [(1, numbers[-1])], theme.accent, shape="diamond"), 2
        dates: tuple[tuple[int, str], ...] = ((1, date_in_figures(shown.weeks[-1][0].isoformat())),)
    else:
        curve = Curve("", list(enumerate(numbers)), theme.accent, ground=theme.accent)
        last = max(1, len(numbers) - 1)
        dates = _dates(shown, last)
    return CurveChart(_("Matches by week"), (), (curve,), last, 0.0, top, values, numbers=dates, note=note)


def _dates(shown: Statistics, last: int) -> tuple[tuple[int, str], ...]:
    """Return labels of evenly spaced weeks: their Mondays."""
    if not shown.weeks:
        return ()
    places = {round(last * part / _DATES) for part in range(_DATES + 1)}
    mondays = {place: shown.weeks[place][0].isoformat() for place in sorted(places) if place < len(shown.weeks)}
    return tuple((place, date_in_figures(monday)) for place, monday in mondays.items())


def course_chart(shown: Statistics, theme: Theme) -> CurveChart:
    """Return the chart of the share of the points after each match, or of a solo game's scores."""
    if shown.is_of_one:
        return _scores_chart(shown, theme)
    course = shown.course
    points = [(moment.number, moment.share) for moment in course]
    band = [(moment.number, *moment.interval) for moment in course]
    curves = [Curve("", points, theme.accent, shape="diamond", band=band)] if course else []
    legend, last = [Caption(_("with its 95 % interval"))], max(1, course[-1].number if course else 1)
    values = [(share / 100, f"{share} %") for share in (0, 50, 100)]
    note = _("This shows matches of one person against computers.")
    return CurveChart(_("Share of the points"), legend, curves, last, 0.0, 1.0, values, note=note)


def rating_chart(shown: Statistics, theme: Theme) -> CurveChart:
    """Return the chart of one game's rating after each match."""
    course = shown.rating_course
    elos = [moment.rating.elo for moment in course]
    step = round_step(max(max(elos) - min(elos), _LEAST_ELO) / _TICKS)
    low, high = step * math.floor(min(elos) / step - 0.5), step * math.ceil(max(elos) / step + 0.5)
    band = [
        (number, max(low, rating.elo - rating.margin), min(high, rating.elo + rating.margin))
        for number, rating in course
    ]
    points = [(number, rating.elo) for number, rating in course]
    curve = Curve("", points, theme.accent, shape="diamond", band=band)
    title = _("Elo, relative to {player}").format(player=translated(shown.reference))
    values = [(float(value), _signed(value)) for value in range(low, high + 1, step)]
    legend = [Caption(_("with its 95 % interval"))]
    return CurveChart(title, legend, (curve,), course[-1].number, float(low), float(high), values)


def _signed(value: int) -> str:
    return f"{'+' if value > 0 else MINUS if value < 0 else ''}{abs(value)}"


def _scores_chart(shown: Statistics, theme: Theme) -> CurveChart:
    top, values = _scale(max(score for _number, score in shown.scores))
    curve = Curve("", shown.scores, theme.accent, shape="diamond")
    last = max(1, shown.scores[-1][0])
    return CurveChart(_("Scores, match by match"), (), (curve,), last, 0.0, top, values)


def _scale(most: float) -> tuple[float, tuple[tuple[float, str], ...]]:
    """Return the end of a scale from 0 to at least *most*, and its labels."""
    step = round_step(max(most, 1.0) / _TICKS)
    top = step * math.ceil(max(most, 1.0) / step)
    return float(top), tuple((float(value), in_figures(value)) for value in range(0, top + 1, step))


ROW = 46
"""The height of a row, in design pixels."""
_NUMBERS = (0.43, 0.53, 0.63, 0.72)
"""The right edges of the columns matches, won, drawn, lost, as shares of the table's width."""
_BAR = (0.75, 0.895)
_BAR_ROOM = 20
"""Space at the right of the table for its scroll bar."""
_SHAPE_RADIUS = 4.5
_FACE_RADIUS = 17
_CHECK = 20


class _Columns(NamedTuple):
    """The places of a table's columns, in real pixels."""

    names: pygame.Rect
    numbers: list[int]
    bar: tuple[int, int]
    share: int


def _columns(paint: Painter, box: pygame.Rect) -> _Columns:
    width = box.w - paint.theme.px(_BAR_ROOM)
    rights = [box.x + round(width * share) for share in _NUMBERS]
    names = pygame.Rect(box.x, box.y, rights[0] - box.x - paint.theme.px(52), box.h)
    low, high = (box.x + round(width * share) for share in _BAR)
    return _Columns(names, rights, (low, high), box.x + width)


def draw_columns(paint: Painter, surface: pygame.Surface, box: pygame.Rect, *, has_results: bool = True) -> None:
    """Draw the column names in *box*, above the rows; without *has_results* only that of the matches."""
    columns, second = _columns(paint, box), paint.theme.second
    surface.fill(paint.theme.line, (box.x, box.bottom - 1, columns.share - box.x, 1))
    if not has_results:
        at = (columns.share, box.centery)
        paint.text(surface, _("Matches"), at, "tiny", second, anchor="midright")
        return
    room = columns.numbers[1] - columns.numbers[0] - paint.theme.px(6)
    for right, words in zip(columns.numbers, (_("Matches"), _("Won"), _("Drawn"), _("Lost")), strict=True):
        width = None if right == columns.numbers[0] else room
        paint.text(surface, words, (right, box.centery), "tiny", second, anchor="midright", width=width)
    paint.text(surface, _("Points"), (columns.share, box.centery), "tiny", second, anchor="midright")


def draw_row(paint: Painter, surface: pygame.Surface, box: pygame.Rect, row: Row) -> None:
    theme, px, columns = paint.theme, paint.theme.px, _columns(paint, box)
    notes = []
    if row.rating is not None:
        notes.append(_("{rating} Elo").format(rating=rating_in_words(row.rating)))
    if row.best is not None:
        notes.append(_("best {score}").format(score=in_figures(row.best, ",.0f")))
    notes.append(translated(row.note))
    note = " · ".join(note for note in notes if note)
    middle, room = box.centery, columns.names.w
    offset = px(9) if note else 0
    left = box.x
    if row.player:
        paint.face(surface, face_of(row.player), (left + px(_FACE_RADIUS), middle), px(_FACE_RADIUS))
        left += px(2 * _FACE_RADIUS + 10)
        room -= left - box.x
    at = (left, middle - offset)
    paint.text(surface, translated(row.label), at, "strong", anchor="midleft", width=room)
    if note:
        below = (left, middle + offset)
        paint.text(surface, note, below, "small", theme.second, anchor="midleft", width=room + px(24))
    values = [row.number, *row.score]
    for place, (right, value) in enumerate(zip(columns.numbers, values, strict=True)):
        is_told = place == 0 or row.score.number > 0
        ink = theme.ink if is_told and value else theme.second
        words = in_figures(value) if is_told else "–"
        paint.text(surface, words, (right, middle), "text", ink, anchor="midright", tabular=True)
    if row.score.number:
        _draw_share(paint, surface, row, columns, middle)
    surface.fill(theme.pill, (box.x, box.bottom - 1, columns.share - box.x, 1))


def draw_score(paint: Painter, surface: pygame.Surface, box: pygame.Rect, row: Row) -> None:
    columns, middle = _columns(paint, box), box.centery
    paint.text(surface, translated(row.label), (box.x, middle), "strong", anchor="midleft", tabular=True)
    paint.text(surface, in_figures(row.number), (columns.share, middle), "text", anchor="midright", tabular=True)
    surface.fill(paint.theme.pill, (box.x, box.bottom - 1, columns.share - box.x, 1))


def draw_milestone(
    paint: Painter, surface: pygame.Surface, box: pygame.Rect, row: Milestone, *, is_reached: bool
) -> None:
    """Draw a milestone in *box*: with a check mark if it *is_reached*, else with its progress."""
    theme, px, columns, middle = paint.theme, paint.theme.px, _columns(paint, box), box.centery
    left = box.x + px(_CHECK + 12)
    style: TextStyle = "strong" if is_reached else "text"
    ink = theme.ink if is_reached else theme.second
    paint.text(
        surface, translated(row.title), (left, middle), style, ink, anchor="midleft", width=columns.bar[0] - left
    )
    if is_reached:
        paint.icon(surface, "check", (box.x + px(_CHECK) // 2, middle), theme.accent, px(_CHECK))
    elif row.goal > 1:
        progress = f"{in_figures(row.progress)} / {in_figures(row.goal)}"
        paint.text(surface, progress, (columns.share, middle), "text", ink, anchor="midright", tabular=True)
    surface.fill(theme.pill, (box.x, box.bottom - 1, columns.share - box.x, 1))


def _draw_share(paint: Painter, surface: pygame.Surface, row: Row, columns: _Columns, middle: int) -> None:
    """Draw the share as a diamond on a line from 0 to 1, with its interval as a bar."""
    theme, px = paint.theme, paint.theme.px
    left, right = columns.bar
    low, high = (left + round((right - left) * bound) for bound in row.score.interval)
    surface.fill(theme.line, (left, middle - max(1, px(1)) // 2, right - left, max(1, px(1))))
    surface.fill(theme.second, (left + (right - left) // 2, middle - px(7), max(1, px(1)), px(14)))
    thick = px(8)
    bar = pygame.Rect(low, middle - thick // 2, max(thick, high - low), thick)
    paint.rounded_rect(surface, bar, theme.accent_soft, thick // 2, line=theme.accent)
    at = (left + (right - left) * row.score.share, middle)
    paint.seat_shape(surface, at, theme.scale * _SHAPE_RADIUS, "diamond", theme.accent)
    paint.text(
        surface, share_in_words(row.score), (columns.share, middle), "small strong", anchor="midright", tabular=True
    )
