"""All puzzles: today's, and lists by game and grade with the solved ones marked."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

import pygame

from papan.game.catalogue import GAMES
from papan.game.puzzles import GRADES, Puzzle, PuzzleError
from papan.ui.boards import board_of
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.drawing.theme import BUTTON_HEIGHT, FIELD_HEIGHT, GAP, MARGIN, PANEL_RADIUS
from papan.ui.play.puzzle_practice import DailyPuzzle, PuzzleBook, read_book, theme_of
from papan.ui.scenes import HEADER_HEIGHT, BackgroundScene, Stage, strip
from papan.ui.scenes.puzzles.puzzle import push_puzzle
from papan.ui.scenes.puzzles.words import grade, length, request, side_to_move, theme_in_words, titled
from papan.ui.scenes.services import Services
from papan.ui.texts import _, in_figures, translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.cards import puzzle_picture
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown, Item
from papan.ui.widgets.grids import NumberGrid
from papan.ui.widgets.shortcuts import Shortcut

log = logging.getLogger(__name__)

ALL = "all"
"""The item for every grade, and for every theme."""
_PANEL_SHARE, _PANEL_BOUNDS = 0.36, (344, 520)
_NARROW_PANEL, _NARROW_LIST = 430, 390
"""The heights of the panels on a narrow page."""
_PADDING = 16
_LINE = 22
_APART = 12
_SLICE_SECONDS = 0.01
_WORDS = 5
"""Lines of text below the picture."""


class PuzzlesScene(BackgroundScene):
    patience = 1.0

    def __init__(self, stage: Stage, services: Services, today: Callable[[], date] = date.today) -> None:
        """:param today: returns the day whose puzzle comes first."""
        super().__init__(stage, "puzzles")
        self._services = services
        self._today = today
        self._most_grade = GRADES[-1]
        """The highest grade of today's puzzle."""
        self.book: PuzzleBook | None = None
        """The puzzles; None while they are being read."""
        self.trouble = ""
        """Why there are no puzzles, as a sentence."""
        self.game_name = ""
        self.grade: int | None = None
        self.chosen_theme = ""
        """The chosen theme; "" for all."""
        self._day = today()
        """The day whose puzzle is today's."""
        self.chosen: Puzzle | None = None
        """The puzzle in the left panel."""
        self._picture: tuple[object, pygame.Surface] | None = None
        self._picture_rect = pygame.Rect(0, 0, 0, 0)

    def enter(self) -> None:
        super().enter()
        if self.book is not None:
            self.stage.rebuild(self)  # some may have been solved since

    def begin(self) -> None:
        found, take, day = self.found, self._take, self._today()
        self._day = day
        most_grade = self._most_grade = self.stage.settings.grade_of_day(day)

        def read() -> None:
            try:
                book = read_book(day, most_grade)
            except PuzzleError as error:
                log.error("The puzzles can't be read: %s", error)
                found.put(partial(take, error.args[0]))
            else:
                found.put(partial(take, book))

        self.worker.submit(read)

    def build(self) -> None:
        super().build()
        self.title = _("Puzzles")
        self._picture = None
        self.pill = ""
        if self.book is None or not self.book.games:
            return
        book, settings = self.book, self.stage.settings
        solved = sum(
            puzzle.digest in settings.solved_puzzles_of(name) for name, some in book.by_game.items() for puzzle in some
        )
        self.pill = _("{solved} of {count} solved").format(solved=in_figures(solved), count=in_figures(book.total))
        add = self.widgets.add
        self._solve = add(Button(_("Solve"), self.solve, icon="play", kind="primary", name="solve"))
        self._daily = add(Button(_("Today's puzzle"), self.choose_today, icon="flag", name="today"))
        games = [Item(game.name, translated(game.title)) for game in book.games]
        self._menu = add(Dropdown(games, self.game_name, self.choose_game, name="game"))
        grades = [Item(ALL, _("All")), *(Item(str(grade), str(grade)) for grade in GRADES)]
        chosen = ALL if self.grade is None else str(self.grade)
        self._grades = add(Segments(grades, chosen, self._choose_grade, name="grade"))
        themes = [Item(ALL, _("All themes"))]
        themes += [Item(theme, theme_in_words(theme)) for theme in book.themes_of(self.game_name)]
        self._themes = add(Dropdown(themes, self.chosen_theme or ALL, self._choose_theme, name="theme"))
        self._grid = add(NumberGrid("puzzles", self._choose_place, self.solve))
        self._menu.beside, self._grades.beside, self._grid.beside = _("Game"), _("Grade"), _("Puzzles")
        self._themes.beside = _("Theme")
        self._show_tiles()
        if self.widgets.focused is None:
            self.widgets.focus(self._solve)

    @property
    def listed(self) -> Sequence[Puzzle]:
        return self.book.of(self.game_name, self.grade, self.chosen_theme) if self.book is not None else ()

    def _show_tiles(self) -> None:
        solved = self.stage.settings.solved_puzzles_of(self.game_name)
        listed = self.listed
        place = listed.index(self.chosen) if self.chosen in listed else None
        self._grid.show_tiles([puzzle.digest in solved for puzzle in listed], place)

    def narrow_height(self, width: int) -> int:
        return self.px(HEADER_HEIGHT + _NARROW_PANEL + GAP + _NARROW_LIST + MARGIN)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        if self.book is None or not self.book.games:
            return
        px = self.px
        if self.is_narrow(area.w):
            self._panel, self._list = strip(self.body(area), "top", px(_NARROW_PANEL), px(GAP))
        else:
            width = self.share(area.w, _PANEL_SHARE, _PANEL_BOUNDS)
            self._panel, self._list = strip(self.body(area), "left", width, px(GAP))
        inner = self._panel.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        height, half = px(BUTTON_HEIGHT), (inner.w - px(8)) // 2
        self._daily.place(pygame.Rect(inner.x, inner.bottom - height, half, height))
        self._solve.place(pygame.Rect(inner.right - half, inner.bottom - height, half, height))
        words = px(34 + _WORDS * _LINE)
        self._picture_rect = pygame.Rect(inner.x, inner.y, inner.w, max(1, inner.h - height - px(12) - words))
        box = self._list.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        wide, high = (box.w - px(_APART)) // 2, px(FIELD_HEIGHT)
        self._menu.place(pygame.Rect(box.x, box.y, wide, high))
        self._themes.place(pygame.Rect(box.right - wide, box.y, wide, high))
        self._grades.place(pygame.Rect(box.x, box.y + high + px(_APART), box.w, high))
        below = self._grades.rect.bottom + px(46)
        self._grid.place(pygame.Rect(box.x, below, box.w, box.bottom - below))

    def choose_today(self) -> None:
        if self.book is not None and self.book.today is not None:
            self._show(self.book.today)

    def _show(self, puzzle: Puzzle) -> None:
        self.chosen, self.game_name = puzzle, puzzle.game
        if self.grade not in (None, puzzle.grade):
            self.grade = None
        if self.chosen_theme not in ("", theme_of(puzzle)):
            self.chosen_theme = ""
        self.stage.rebuild(self)

    def choose_game(self, name: str) -> None:
        self.game_name = name
        if self.book is not None and self.chosen_theme not in self.book.themes_of(name):
            self.chosen_theme = ""
        self._show_first()

    def _choose_grade(self, value: str) -> None:
        self.grade = None if value == ALL else int(value)
        self._show_first()

    def _choose_theme(self, value: str) -> None:
        self.chosen_theme = "" if value == ALL else value
        self._show_first()

    def _show_first(self) -> None:
        solved = self.stage.settings.solved_puzzles_of(self.game_name)
        listed = self.listed
        self.chosen = next((one for one in listed if one.digest not in solved), listed[0] if listed else None)
        self.stage.rebuild(self)

    def _choose_place(self, place: int) -> None:
        self.chosen = self.listed[place]
        self._picture = None
        self.invalidate()

    def solve(self) -> None:
        puzzle = self.chosen
        if puzzle is None or not self._services.is_loaded(GAMES[puzzle.game]):
            return
        today = self.book.today if self.book is not None else None
        daily = DailyPuzzle(today, self._day) if today is not None else None
        push_puzzle(self.stage, self.listed if puzzle in self.listed else [puzzle], puzzle, self._services, daily)

    def _take(self, found: PuzzleBook | str) -> None:
        if isinstance(found, PuzzleBook):
            self.book = found
            self.game_name = self.game_name or (found.games[0].name if found.games else "")
            if self.chosen is None and found.today is not None:
                self._show(found.today)
        else:
            self.trouble = str(found)
        self.stage.rebuild(self)

    def update(self, seconds: float) -> None:
        super().update(seconds)
        if self._wants_picture and self.stage.frames:
            self._draw_picture()

    @property
    def _picture_key(self) -> object:
        return (self.chosen.name if self.chosen is not None else "", self._picture_rect.size, self.theme)

    @property
    def _wants_picture(self) -> bool:
        if self.chosen is None or self._picture_rect.h < self.px(60):
            return False
        return self._picture is None or self._picture[0] != self._picture_key

    @property
    def is_animating(self) -> bool:
        return self._wants_picture or (self.book is None and not self.trouble)

    def _draw_picture(self) -> None:
        puzzle = self.chosen
        assert puzzle is not None
        if not self._services.is_loaded(GAMES[puzzle.game]):
            return
        with contextlib.suppress(OutOfTimeError), self.paint.pictures.slice_of_work(_SLICE_SECONDS):
            size, radius = self._picture_rect.size, self.px(PANEL_RADIUS - 4)
            self._picture = self._picture_key, puzzle_picture(self.paint, puzzle, size, radius)
        self.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        if self.book is None or not self.book.games:
            empty = _("Looking …") if self.book is None else _("There are no puzzles here.")
            self.draw_note(surface, translated(self.trouble) or empty)
            return
        paint, theme, px = self.paint, self.theme, self.px
        for panel in (self._panel, self._list):
            paint.panel(surface, panel)
        if self._picture is not None and self._picture[0] == self._picture_key:
            surface.blit(self._picture[1], self._picture_rect)
        else:
            paint.rounded_rect(surface, self._picture_rect, theme.background, px(PANEL_RADIUS - 4))
        self._draw_chosen(surface)
        solved = sum(self._grid.done)
        words = _("{solved} of {count} solved").format(solved=solved, count=len(self._grid.done))
        at = (self._grades.rect.x, self._grades.rect.bottom + px(24))
        paint.text(surface, words, at, "small", theme.second, anchor="midleft")
        at = (self._grades.rect.right, at[1])
        paint.text(surface, _("Grade 1 is the easiest"), at, "small", theme.second, anchor="midright")

    def _draw_chosen(self, surface: pygame.Surface) -> None:
        puzzle = self.chosen
        paint, theme, px = self.paint, self.theme, self.px
        left, width = self._picture_rect.x, self._picture_rect.w
        middle = self._picture_rect.bottom + px(24)
        if puzzle is None:
            paint.text(surface, _("There is no such puzzle"), (left, middle), "strong", anchor="midleft", width=width)
            return
        assert self.book is not None
        is_today = self.book.today is not None and puzzle == self.book.today
        number = self.book.of(puzzle.game).index(puzzle) + 1
        title = titled(puzzle, number)
        paint.text(surface, title, (left, middle), "heading", anchor="midleft", width=width)
        for line in self._lines(puzzle, is_today):
            middle += px(_LINE + 2)
            at = (left, middle)
            paint.text(surface, line, at, "small", theme.second, anchor="midleft", width=width, shrinks=True)

    def _lines(self, puzzle: Puzzle, is_today: bool) -> list[str]:
        lines = []
        if is_today:
            is_same = self._most_grade == GRADES[-1]
            lines.append(_("Today's puzzle, the same for everybody") if is_same else _("Today's puzzle"))
        whose = ""
        if self._services.is_loaded(GAMES[puzzle.game]):
            whose = side_to_move(puzzle, board_of(GAMES[puzzle.game], self.paint))
        lines += [*([whose] if whose else []), request(puzzle), grade(puzzle)]
        if puzzle.digest in self.stage.settings.solved_puzzles_of(puzzle.game):
            lines.append(_("Solved") + " · " + length(puzzle))
        return lines

    def shortcuts(self) -> Sequence[Shortcut]:
        return (Shortcut("T", _("today's puzzle"), self.choose_today),)
