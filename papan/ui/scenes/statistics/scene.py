"""Statistics of finished matches, by game, opponent and seat, and over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from papan.game.catalogue import GAMES
from papan.game.match.library import LibraryError
from papan.game.match.library.reader import Sums
from papan.ui.drawing.graphs import CurveChart
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import FIELD_HEIGHT, GAP, MARGIN
from papan.ui.play.milestones import Milestone, milestones_of
from papan.ui.play.statistics import Row, Statistics, statistics_of
from papan.ui.scenes import HEADER_HEIGHT, BackgroundScene, Stage, strip
from papan.ui.scenes.services import ALONE, Services
from papan.ui.scenes.statistics import display
from papan.ui.texts import _, in_figures, plural, translated
from papan.ui.texts.manner import person_name
from papan.ui.widgets.chart import LiveChart
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown, Item
from papan.ui.widgets.readouts import Figure
from papan.ui.widgets.scroll import Scroll

ALL = ""
"""Instead of a game's name."""
GAMES_PLAYED, OPPONENTS, SEATS, SCORES, MILESTONES = "games", "opponents", "seats", "scores", "milestones"
_PADDING = 16
_FIGURE_HEIGHT = 66
_COLUMNS_HEIGHT = 30
_TABLE_SHARE = 0.58
_NARROW_FIGURES = 3
_NARROW_TABLE, _NARROW_CHART = 330, 230
"""The heights of the panels on a narrow page."""
_LOWEST_CHART = 150
"""With less room for each, there are two charts only."""
_LEAST_RATINGS = 3
"""The least number of ratings that make a chart."""


class StatisticsScene(BackgroundScene):
    def __init__(self, stage: Stage, services: Services = ALONE) -> None:
        super().__init__(stage, "statistics")
        self._read = services.read_sums
        self._sums: Sums | None = None
        self._milestones: Sequence[Milestone] = ()
        """Those reached come first."""
        self._statistics: Statistics | None = None
        self._trouble = ""
        self._game = ALL
        self._grouping = GAMES_PLAYED

    def begin(self) -> None:
        if self._read is None:
            return
        read, found, take = self._read, self.found, self._take
        puzzles, days = self.stage.settings.puzzles_solved, self.stage.settings.last_days_in_a_row

        def read_all() -> None:
            try:
                sums = read()
            except LibraryError as error:
                found.put(partial(setattr, self, "_trouble", str(error)))
            else:
                found.put(partial(take, sums, milestones_of(sums, puzzles, days)))

        self.worker.submit(read_all)

    def build(self) -> None:
        super().build()
        name = person_name()
        self.title = _("Statistics of {name}").format(name=name) if name else _("Statistics")
        self.pill = ""
        self._figures: list[Figure] = []
        self._charts: list[tuple[LiveChart, CurveChart]] = []
        shown = self._statistics
        if shown is None or not shown.games:
            return
        self.pill = plural("{count} match", "{count} matches", shown.number, count=in_figures(shown.number))
        items = [Item(ALL, _("All games")), *(Item(name, _title(name)) for name in shown.games)]
        self._menu = self.widgets.add(Dropdown(items, self._game, self.choose_game, name="game"))
        self._menu.beside = _("Game")
        figures = display.figures_of(shown, self._game)
        settings = self.stage.settings
        solved = settings.puzzles_solved if self._game == ALL else len(settings.solved_puzzles_of(self._game))
        if solved:
            figures.append((_("Puzzles solved"), in_figures(solved), "", _("Puzzles solved without seeing the answer")))
        for number, (label, value, note, tooltip) in enumerate(figures, start=1):
            figure = self.widgets.add(Figure(f"figure {number}", label, tooltip, note))
            figure.show_value(value)
            self._figures.append(figure)
        grouping = Segments(self._groupings(), self._shown_grouping, self.choose_grouping, name="grouping")
        self._segments = self.widgets.add(grouping)
        self._segments.beside = _("Grouped by")
        self._rows = self.widgets.add(Scroll("table", self._draw_rows, is_ringed=True))
        self._rows.beside = self.title
        self._charts = [
            (self.widgets.add(LiveChart("weeks")), display.weeks_chart(shown, self.theme)),
            (self.widgets.add(LiveChart("course")), display.course_chart(shown, self.theme)),
        ]
        if len(shown.rating_course) >= _LEAST_RATINGS:
            self._charts.append((self.widgets.add(LiveChart("rating")), display.rating_chart(shown, self.theme)))

    def _groupings(self) -> list[Item]:
        if self._statistics is not None and self._statistics.is_of_one:
            return [Item(SCORES, _("Best scores"))]
        games = [Item(GAMES_PLAYED, _("Games"))] if self._game == ALL else []
        milestones = [Item(MILESTONES, _("Milestones"))] if self._game == ALL else []
        return [*games, Item(OPPONENTS, _("Opponents")), Item(SEATS, _("Seats")), *milestones]

    @property
    def _shown_grouping(self) -> str:
        if self._statistics is not None and self._statistics.is_of_one:
            return SCORES
        return OPPONENTS if self._game != ALL and self._grouping in (GAMES_PLAYED, MILESTONES) else self._grouping

    def narrow_height(self, width: int) -> int:
        px, gap = self.px, self.px(GAP)
        figures = self._figure_rows(width) * (px(_FIGURE_HEIGHT) + gap)
        charts = len(self._charts) * (px(_NARROW_CHART) + gap)
        return px(HEADER_HEIGHT) + figures + px(_NARROW_TABLE) + charts + px(MARGIN)

    def _figure_rows(self, width: int) -> int:
        return -(-len(self._figures) // _NARROW_FIGURES) if self.is_narrow(width) else 1

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        if not self._figures:
            return
        px = self.px
        left, width, top = px(MARGIN), area.w - 2 * px(MARGIN), px(HEADER_HEIGHT)
        menu = px(250)
        self.header_right = area.right - px(MARGIN) - menu - px(GAP)
        self._menu.place(pygame.Rect(area.right - px(MARGIN) - menu, px(14), menu, px(FIELD_HEIGHT)))
        gap, rows = px(GAP), self._figure_rows(area.w)
        number = -(-len(self._figures) // rows)
        for place, figure in enumerate(self._figures):
            row, column = divmod(place, number)
            edges = [left + (width + gap) * edge // number for edge in (column, column + 1)]
            below = top + row * (px(_FIGURE_HEIGHT) + gap)
            figure.place(pygame.Rect(edges[0], below, edges[1] - edges[0] - gap, px(_FIGURE_HEIGHT)))
        _figures, room = strip(self.body(area), "top", rows * (px(_FIGURE_HEIGHT) + gap))
        if self.is_narrow(area.w):
            table, charts = strip(room, "top", px(_NARROW_TABLE), gap)
        else:
            table, charts = strip(room, "left", round(width * _TABLE_SHARE), gap)
        self._place_table(table)
        self._place_charts(charts)

    def _place_table(self, room: pygame.Rect) -> None:
        px, self._table = self.px, room
        inner = self._table.inflate(-2 * px(_PADDING), -2 * px(12))
        self._segments.place(pygame.Rect(inner.x, inner.y, inner.w, px(FIELD_HEIGHT)))
        below = self._segments.rect.bottom + px(_COLUMNS_HEIGHT)
        self._rows.full_height = len(self._row_pictures()) * px(display.ROW)
        self._rows.place(pygame.Rect(inner.x, below, inner.w + px(8), inner.bottom - below))

    def _place_charts(self, room: pygame.Rect) -> None:
        """Place the charts, one below the other; in a low room the last two, without the weeks."""
        gap = self.px(GAP)
        number = len(self._charts) if room.h >= len(self._charts) * self.px(_LOWEST_CHART) else 2
        left_out = len(self._charts) - number
        height = (room.h - (number - 1) * gap) // number
        for place, (chart, graph) in enumerate(self._charts, start=-left_out):
            chart.show(place >= 0)
            chart.place(pygame.Rect(room.x, room.y + max(0, place) * (height + gap), room.w, height))
            chart.show_graph(graph)

    def choose_game(self, name: str) -> None:
        self._game = name
        if self._sums is not None:
            sums, found, show = self._sums, self.found, self._show
            self.worker.submit(lambda: found.put(partial(show, name, statistics_of(sums, name or None))))

    def choose_grouping(self, grouping: str) -> None:
        self._grouping = grouping
        self._rows.top = 0
        self.layout(self.area)
        self.invalidate()

    def _take(self, sums: Sums, milestones: Sequence[Milestone]) -> None:
        self._sums = sums
        self._milestones = sorted(milestones, key=lambda one: not self._is_reached(one))
        self.choose_game(self._game)

    def _show(self, name: str, statistics: Statistics) -> None:
        if name == self._game:
            self._statistics = statistics
            self.stage.rebuild(self)

    @property
    def _shown_rows(self) -> Sequence[Row]:
        shown = self._statistics
        if shown is None:
            return ()
        return {
            GAMES_PLAYED: shown.by_game,
            OPPONENTS: shown.by_opponent,
            SEATS: shown.by_seat,
            SCORES: shown.best_scores,
        }[self._shown_grouping]

    def _row_pictures(self) -> list[Callable[[Painter, pygame.Surface, pygame.Rect], None]]:
        if self._shown_grouping == MILESTONES:
            return [
                partial(display.draw_milestone, row=one, is_reached=self._is_reached(one)) for one in self._milestones
            ]
        draw = display.draw_score if self._shown_grouping == SCORES else display.draw_row
        return [partial(draw, row=row) for row in self._shown_rows]

    def _is_reached(self, milestone: Milestone) -> bool:
        return milestone.is_reached(self.stage.settings.milestones or ())

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        if not self._figures:
            self.draw_note(surface, self._note_in_words, "chart")
            return
        px = self.px
        self.paint.panel(surface, self._table)
        head = pygame.Rect(self._rows.rect.x, self._segments.rect.bottom, self._rows.rect.w, px(_COLUMNS_HEIGHT))
        if self._shown_grouping == MILESTONES:
            reached = sum(self._is_reached(one) for one in self._milestones)
            words = _("{number} of {count} reached").format(number=reached, count=len(self._milestones))
            self.paint.text(surface, words, head.midleft, "tiny", self.theme.second, anchor="midleft", width=head.w)
        else:
            display.draw_columns(self.paint, surface, head, has_results=self._shown_grouping != SCORES)

    def _draw_rows(self, surface: pygame.Surface, top: int) -> None:
        rows = self._row_pictures()
        view, height = self._rows.rect, self.px(display.ROW)
        for place, draw in enumerate(rows):
            box = pygame.Rect(view.x, top + place * height, view.w, height)
            if box.colliderect(view):
                draw(self.paint, surface, box)
        if not rows:
            words = _("Nothing yet: this shows matches of one person against computers.")
            self.paint.paragraph(surface, words, view.inflate(-self.px(12), -self.px(24)), "text", self.theme.second)

    @property
    def _note_in_words(self) -> str:
        if self._trouble:
            return translated(self._trouble)
        if self._read is None or self._statistics is not None:
            return _("No match has been finished yet. Play one: here you will see how it went.")
        return _("Counting …")


def _title(name: str) -> str:
    return translated(GAMES[name].title) if name in GAMES else name
