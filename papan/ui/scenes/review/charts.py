"""The charts of a review (who is better, how hard to hold, the ride, by depth), and a picture of them to save."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pygame

from papan.ai.indicators.course import Zone
from papan.ai.indicators.motion import cap
from papan.game.rules import payoff
from papan.ui.boards import BoardView, Picture
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.graphs import (
    DASHED,
    DOTS,
    LONG_DASHES,
    SOLID,
    Band,
    Caption,
    Curve,
    CurveChart,
    TurnMark,
    TurnValues,
    curves_painting,
    draw_chart,
)
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import GAP, MARGIN, Colour, SeatStyle, Theme, contrast, mix
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes.review.words import ReviewWords, conspiracy
from papan.ui.texts import _, in_figures, in_hundredths, in_thousandths, in_whole_numbers, translated
from papan.ui.texts.wording import percent

if TYPE_CHECKING:
    from papan.ai.indicators.conspiracy import AtDepth
    from papan.ai.indicators.course import Course
    from papan.ai.reviews.reviewer import Moment

_LEAST_CONTRAST = 3.0
"""The least contrast of a line with its background, as WCAG 2.1 demands for graphics."""
_SHARES = ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %"))
_ENERGY_TOP = 0.3
"""A little more than the greatest possible momentum and potential energy, 0.25 and 0.296."""
_DASHES = (SOLID, DASHED, LONG_DASHES, DOTS)
"""The dashes of each seat's curve."""
_MEAN_SEAT, _MOMENTUM_SEAT, _ENERGY_SEAT = 1, 2, 3
"""The seats whose colours the curves of ``ride`` use."""
_SIZE = (1600, 900)
_PICTURE_TOP = 64
_LEFT_SHARE = 0.4
_NOTE_HEIGHT = 86
_HEIGHTS = (0.46, 0.27, 0.27)
"""The share of the height for each chart."""


def line_colour(colour: Colour, theme: Theme) -> Colour:
    """Return *colour* with enough contrast on a panel."""
    for share in range(0, 100, 5):
        tried = mix(colour, theme.ink, share / 100)
        if contrast(tried, theme.panel) >= _LEAST_CONTRAST:
            return tried
    return theme.ink


def zone_colour(zone: Zone, theme: Theme) -> Colour:
    colours = {
        Zone.TRAP: theme.bad_ink,
        Zone.FAVOURABLE: theme.good_ink,
        Zone.UNCERTAIN: theme.second,
        Zone.THRILLING: theme.seats[_ENERGY_SEAT].colour,
    }
    return colours[zone]


class ReviewCharts:
    """Makes the charts of one match from the review so far."""

    def __init__(self, reviewed: ReviewedMatch, words: ReviewWords, view: BoardView) -> None:
        self._reviewed = reviewed
        self._words = words
        self._view = view

    @property
    def _theme(self) -> Theme:
        return self._view.theme

    def _style(self, seat: int) -> SeatStyle:
        return self._view.seat_style(self._reviewed.states[-1], seat)

    def _seat_curve(self, seat: int, points: TurnValues, in_words: Callable[[float], str] = in_hundredths) -> Curve:
        style = self._style(seat)
        name = "" if self._words.is_solo else self._reviewed.names[seat]
        ink = line_colour(style.colour, self._theme)
        return Curve(name, points, ink, _DASHES[seat % len(_DASHES)], style.shape, in_words=in_words)

    def _legend(self, words: str, curves: Sequence[Curve]) -> list[Caption]:
        return [Caption(words), *(Caption(one.name, one, self._style(seat).ink) for seat, one in enumerate(curves))]

    def graph(self, index: int, progress: str = "") -> CurveChart:
        """Return chart 0, 1 or 2: ``better``, ``hold`` or ``ride``.

        :param progress: the progress of the review, in words, for the first one.
        """
        return (lambda: self.better(progress), self.hold, self.ride)[index]()

    def better(self, progress: str = "") -> CurveChart:
        """Return the chart of winning chances, or of the score of a solo game."""
        if self._words.is_solo:
            return self._score(progress)
        if len(self._words.sides) == 2:
            return self._two_sides(progress)
        curves = [
            self._seat_curve(seat, [(moment.index, moment.chances[seat]) for moment in self._moments()], percent)
            for seat in range(len(self._reviewed.names))
        ]
        legend = self._legend(_("winning chance"), curves)
        return self._graph(
            _("Who is better"), legend, curves, values=_SHARES, progress=progress, note=translated(self._words.trouble)
        )

    def _two_sides(self, progress: str) -> CurveChart:
        seat = self._words.seat
        other = next(side[0] for side in self._words.sides if seat not in side)
        points = self._two_sided()
        caption = _("winning chance after each turn")
        if self._words.proof_chances is not None:
            caption = _("winning chance after each turn, from proof numbers")
        better = _("{name} better")
        return self._graph(
            _("Who is better"),
            [Caption(caption)],
            [Curve(self._words.side_name(seat), points, self._theme.ink, in_words=percent)],
            values=_SHARES,
            middle=0.5,
            sides=(self._style(seat).colour, self._style(other).colour),
            top_note=better.format(name=self._words.side_name(seat)),
            bottom_note=better.format(name=self._words.side_name(other)),
            marks=self._marks(),
            note=translated(self._words.trouble),
            progress=progress,
        )

    def _two_sided(self) -> TurnValues:
        """Return the known winning chances of the figures' seat, by the search or by proof numbers."""
        words = self._words
        if words.proof_chances is None:
            return [(moment.index, moment.chances[words.seat]) for moment in self._moments()]
        is_first = words.seat in words.sides[0]
        return [(turn, one if is_first else 1.0 - one) for turn, one in enumerate(words.proof_chances)]

    def _score(self, progress: str) -> CurveChart:
        states = self._reviewed.states
        so_far = [(turn, float(payoff(states[stop.end], 0))) for turn, stop in enumerate(self._reviewed.stops)]
        expected = [(moment.index, moment.score) for moment in self._moments()]
        most = max(value for _turn, value in (*so_far, *expected)) or 1.0
        written = in_whole_numbers
        ink = self._style(0).ink
        curves = [
            Curve(_("expected"), expected, ink, in_words=written),
            Curve(_("so far"), so_far, self._theme.ink, DASHED, in_words=written),
        ]
        legend = [Caption(_("expected at the end"), curves[0]), Caption(_("so far"), curves[1])]
        return self._graph(
            _("The score"), legend, curves, high=most, values=((0.0, "0"), (most, _short(most))),
            marks=self._marks(), progress=progress,
        )  # fmt: skip

    def _marks(self) -> list[TurnMark]:
        theme = self._theme
        return [
            TurnMark(moment.index, moment.mark, theme.bad_ink if "?" in moment.mark else theme.good_ink, theme.panel)
            for moment in self._moments()
            if moment.mark and moment.mark != "?!"
        ]

    def hold(self) -> CurveChart:
        """Return the chart of normalised conspiracy numbers and their zones: how hard each position is to hold."""
        course = self._words.course
        curves = [
            self._seat_curve(seat, course.series(seat) if course else []) for seat in range(len(self._reviewed.names))
        ]
        legend = [Caption(_("conspiracy number, normalised; low: T is close"))]
        if not self._words.is_solo:
            words = (
                _("low = close to the target score T") if len(curves) > 2 else _("conspiracy number; low: T is close")
            )
            legend = self._legend(words, curves)
        values = ((0.0, _("near")), (1.0, _("far")))
        bands = self._bands(course) if course and self._words.is_solo else []
        return self._graph(_("How close to the goal"), legend, curves, values=values, bands=bands)

    def _bands(self, course: Course) -> list[Band]:
        """Return the zones of a solo game's plays, each from the previous play on, and its stability traps."""
        bands = [
            Band(before.turn, after.turn, zone_colour(zone, self._theme), translated(zone.value))
            for (before, after), zone in zip(pairwise(course.plays), course.zones[1:], strict=True)
            if zone is not None
        ]
        for trap in course.traps(0):
            name = _("stability trap, escaped") if trap.is_escaped else _("stability trap, not escaped")
            bands.append(Band(trap.first, trap.last, self._theme.bad_ink, name, is_firm=True))
        return bands

    def ride(self) -> CurveChart:
        """Return the chart of momentum and potential energy for the figures' seat."""
        course, seat = self._words.course, self._words.seat
        motions = [
            (play.turn, motion)
            for play, motion in (zip(course.plays, course.motions, strict=True) if course else ())
            if play.seat == seat
        ]
        names = (_("mean momentum"), "M·v", _("potential energy"))
        figures = (
            [(turn, motion.mean_momentum) for turn, motion in motions],
            [(turn, motion.momentum) for turn, motion in motions],
            [(turn, motion.potential_energy) for turn, motion in motions],
        )
        styles = [self._theme.seats[one] for one in (_MEAN_SEAT, _MOMENTUM_SEAT, _ENERGY_SEAT)]
        curves = []
        for name, points, style, dash in zip(names, figures, styles, _DASHES, strict=False):
            ink, ground = line_colour(style.colour, self._theme), None if dash else style.colour
            curves.append(Curve(name, points, ink, dash, ground=ground, in_words=in_thousandths))
        legend = [Caption(curve.name, curve, style.ink) for curve, style in zip(curves, styles, strict=True)]
        if not self._words.is_solo:
            is_yours = seat == self._reviewed.only_person
            words = _("felt on your side") if is_yours else _("felt on {name}'s side")
            legend.append(Caption(words.format(name=self._reviewed.names[seat])))
        values = ((0.0, "0"), (_ENERGY_TOP, in_figures(_ENERGY_TOP, ".1f")))
        return self._graph(_("Energy"), legend, curves, high=_ENERGY_TOP, values=values)

    def deeper(self, found: Sequence[AtDepth], note: str, progress: str = "") -> CurveChart:
        """Return the chart of minimax value and conspiracy number by depth, for the figures' seat.

        :param note: why there is nothing to show if *found* is empty.
        :param progress: the progress, in words.
        """
        seat, theme = self._words.seat, self._theme
        values = [one.values[seat] for one in found]
        most = cap([one.numbers[seat] for one in found])
        points = list(enumerate(self._words.shares(values)))
        written = {place: self._words.value(value) for place, value in enumerate(values)}
        value = Curve(_("minimax value"), points, theme.ink, DASHED, written=written)
        points = [(place, min(one.numbers[seat], most) / most) for place, one in enumerate(found)]
        written = {place: conspiracy(one.numbers[seat]) for place, one in enumerate(found)}
        ink = line_colour(theme.seats[_ENERGY_SEAT].colour, theme)
        number = Curve(_("conspiracy number"), points, ink, shape="circle", written=written)
        return CurveChart(
            _("By depth"),
            [Caption(curve.name, curve, curve.ink) for curve in (value, number)],
            [value, number],
            max(1, len(found) - 1),
            values=((0.0, _("low")), (1.0, _("high"))),
            numbers=[(place, str(one.depth)) for place, one in enumerate(found)],
            note=note,
            progress=progress,
            turn_in_words=lambda place: _("depth {depth}").format(depth=place + 1),
        )

    def _moments(self) -> Sequence[Moment]:
        return self._words.review.moments if self._words.review else ()

    def _graph(self, title: str, legend: Sequence[Caption], curves: Sequence[Curve], **facts: Any) -> CurveChart:
        reviewed = self._reviewed
        return CurveChart(title, legend, curves, reviewed.turns, turn_in_words=reviewed.turn_in_words, **facts)


def _short(number: float) -> str:
    """Return *number* in few letters.

    >>> _short(820), _short(20480)
    ('820', '20k')
    """
    return f"{number:.0f}" if number < 10_000 else f"{number / 1000:.0f}k"


def chart_rects(area: pygame.Rect, gap: int) -> list[pygame.Rect]:
    room, top = area.h - gap * (len(_HEIGHTS) - 1), area.y
    rects = []
    for share in _HEIGHTS[:-1]:
        rects.append(pygame.Rect(area.x, top, area.w, round(room * share)))
        top = rects[-1].bottom + gap
    return [*rects, pygame.Rect(area.x, top, area.w, area.bottom - top)]


@dataclass
class Content:
    view: BoardView
    """Not shared, as it is laid out anew."""
    board_picture: Picture
    """What the view draws."""
    graphs: Sequence[CurveChart]
    turn: int
    """The turn that the board shows."""
    words: tuple[str, str]
    """The picture's title, and the text next to it."""
    note: tuple[str, str]
    """The heading and the sentence below the board."""


class ReviewPicture:
    """Draws the picture of *content*, in several frames."""

    def __init__(self, paint: Painter, content: Content) -> None:
        self._paint = paint
        self._content = content
        px = paint.theme.px
        self._area = pygame.Rect(0, 0, px(_SIZE[0]), px(_SIZE[1]))
        self._inner = pygame.Rect(px(MARGIN), px(_PICTURE_TOP), self._area.w - 2 * px(MARGIN), 0)
        self._inner.h = self._area.h - px(_PICTURE_TOP) - px(MARGIN)
        self._left = pygame.Rect(*self._inner.topleft, round(self._inner.w * _LEFT_SHARE), self._inner.h)
        right = pygame.Rect(self._left.right + px(GAP), self._inner.y, 0, self._inner.h)
        right.w = self._inner.right - right.x
        self._board = pygame.Rect(*self._left.topleft, self._left.w, self._left.h - px(_NOTE_HEIGHT) - px(GAP))
        rects = chart_rects(right, px(GAP))
        paintings = [curves_painting(paint, rect, graph) for graph, rect in zip(content.graphs, rects, strict=True)]
        self._curves: dict[int, pygame.Surface] = {}
        """The painted curves, by the top of their chart."""
        self._surface = pygame.Surface(self._area.size)
        self._before: pygame.Surface | None = None
        """The surface before the part that is being drawn."""
        self._parts: list[Callable[[], None]] = [
            self._draw_board,
            self._draw_title,
            self._draw_note,
            *(partial(self._draw_chart, *chart) for chart in zip(content.graphs, rects, paintings, strict=True)),
        ]

    def draw(self) -> pygame.Surface:
        """Draw the picture.

        :raises papan.ui.drawing.pictures.OutOfTimeError: the time slice is over; the next call continues.
        """
        while self._parts:
            if self._before is None:
                self._before = self._surface.copy()
            else:  # the part was interrupted: remove its incomplete drawing
                self._surface.blit(self._before, (0, 0))
            self._parts[0]()
            del self._parts[0]
            self._before = None
            self._paint.pictures.pause()
        return self._surface

    def _draw_board(self) -> None:
        px, content = self._paint.theme.px, self._content
        self._surface.fill(self._paint.theme.background)
        self._paint.panel(self._surface, self._board)
        content.view.layout(self._board.inflate(-2 * px(14), -2 * px(14)))
        content.view.draw(self._surface, content.board_picture)

    def _draw_title(self) -> None:
        px, words = self._paint.theme.px, self._content.words
        title = self._paint.text(self._surface, words[0], (self._left.x, px(34)), "title", anchor="midleft")
        room = self._inner.right - title.right - px(14)
        self._paint.pill(self._surface, words[1], (title.right + px(14), px(34)), width=room)

    def _draw_note(self) -> None:
        paint, px, surface = self._paint, self._paint.theme.px, self._surface
        below = pygame.Rect(self._left.x, self._board.bottom + px(GAP), self._left.w, px(_NOTE_HEIGHT))
        paint.panel(surface, below)
        heading, sentence = self._content.note
        at, width = (below.x + px(16), below.y + px(22)), below.w - px(32)
        paint.text(surface, heading, at, "strong", anchor="midleft", width=width)
        lines = pygame.Rect(below.x + px(16), below.y + px(36), width, 0)
        paint.paragraph(surface, sentence, lines, "text", paint.theme.second, most_lines=2)

    def _draw_chart(self, graph: CurveChart, rect: pygame.Rect, painting: Painting) -> None:
        curves = self._curves.get(rect.y)
        if curves is None:
            curves = self._curves[rect.y] = self._paint.pictures.finish(painting)
            self._paint.pictures.pause()
        draw_chart(self._paint, self._surface, rect, graph, self._content.turn, curves)
