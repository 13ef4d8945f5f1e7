"""Today's puzzle on the home screen: its board on a card, which leads to it."""

from __future__ import annotations

import queue
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

import pygame

from papan.game.catalogue import GAMES
from papan.game.facts import Game
from papan.ui.scenes import Stage
from papan.ui.scenes.puzzle_words import aim, grade
from papan.ui.scenes.services import Services
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.cards import MatchCard, puzzle_picture

if TYPE_CHECKING:
    from papan.game.puzzles import Puzzle

_HEADING = 38
_CORNER = 7


class HomePuzzle:
    """The card of today's puzzle on one home screen. There is none without the service that reads it."""

    def __init__(
        self,
        stage: Stage,
        services: Services,
        solve: Callable[[Puzzle], object],
        today: Callable[[], date] = date.today,
    ) -> None:
        """:param solve: shows a puzzle at the board.
        :param today: asked for the day whose puzzle is shown.
        """
        self._stage = stage
        self._services = services
        self._solve = solve
        self._puzzle: Puzzle | None = None
        self._today = today
        self._asked: date | None = None
        """The day whose puzzle was asked for last."""
        self._is_missing = False
        self._found: queue.SimpleQueue[Puzzle | None] = queue.SimpleQueue()
        self._card: MatchCard | None = None
        self._picture: pygame.Surface | None = None
        self._wanted: tuple[int, int] | None = None
        """The size in which the card has asked for a picture that is not drawn yet."""
        self._area = pygame.Rect(0, 0, 0, 0)

    @property
    def is_any(self) -> bool:
        """Whether there is a puzzle, or one may be found yet."""
        return self._card is not None

    # ---------------------------------------------------------------------------------- the puzzle

    def ask(self) -> None:
        """Have the day's puzzle read, beside the window; until then the card is empty."""
        read, day = self._services.puzzle_of_day, self._today()
        if read is not None and self._asked != day:
            self._asked = day
            self._services.replayer.submit(lambda: self._found.put(read(day)))

    def has_found(self) -> bool:
        """Take up what was read; returns whether something was."""
        if self._found.empty():
            return False
        self._puzzle = self._found.get()
        self._is_missing = self._puzzle is None
        return True

    # ------------------------------------------------------------------------------------ building

    def build(self, widgets: Widgets, *, is_wanted: bool) -> None:
        """Add the card, unless it is not wanted or there is no puzzle."""
        self._card = self._picture = self._wanted = None
        if not is_wanted or self._services.puzzle_of_day is None or self._is_missing:
            return
        puzzle = self._puzzle
        title = translated(GAMES[puzzle.game].title) if puzzle is not None else ""
        lines = _lines(puzzle, self._stage) if puzzle is not None else []
        self._card = widgets.add(MatchCard(title, lines, lines, self._in_size, self.solve, name="today"))
        self._card.beside = self._words

    def place(self, area: pygame.Rect) -> None:
        """Stand in *area*, below the heading."""
        self._area = area
        if self._card is not None:
            top = area.y + self._stage.paint.theme.px(_HEADING)
            self._card.place(pygame.Rect(area.x, top, area.w, area.bottom - top))

    def solve(self) -> None:
        """Show it at the board, once it has been read."""
        if self._puzzle is not None:
            self._solve(self._puzzle)

    # ------------------------------------------------------------------------------------- picture

    @property
    def game(self) -> Game:
        """The game of the puzzle, once it has been read."""
        assert self._puzzle is not None
        return GAMES[self._puzzle.game]

    def _in_size(self, size: tuple[int, int]) -> pygame.Surface | None:
        """The picture in *size*; None while there is none."""
        if self._picture is not None and self._picture.get_size() == size:
            return self._picture
        self._wanted = size
        return None

    @property
    def is_ready(self) -> bool:
        """Whether nothing of it is to be drawn."""
        return self._wanted is None or self._puzzle is None

    def prepare(self) -> None:
        """Draw the picture that the card has asked for.

        :raises papan.ui.drawing.pictures.OutOfTimeError: a slice of work is over; what was drawn is kept.
        """
        puzzle, size, paint = self._puzzle, self._wanted, self._stage.paint
        if puzzle is None or size is None:
            return
        self._picture = paint.pictures.get(
            ("today", puzzle.name, size), lambda: puzzle_picture(paint, puzzle, size, paint.theme.px(_CORNER))
        )
        self._wanted = None
        if self._card is not None:
            self._card.invalidate()

    # -------------------------------------------------------------------------------------- drawing

    @property
    def _words(self) -> str:
        return _("Today's puzzle")

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the heading."""
        if self._card is None:
            return
        paint, px = self._stage.paint, self._stage.paint.theme.px
        at = (self._area.x, self._area.y + px(_HEADING // 2 - 6))
        paint.text(surface, self._words, at, "strong", anchor="midleft", width=self._area.w)


def _lines(puzzle: Puzzle, stage: Stage) -> list[str]:
    """What is to be done, and how hard it is, or that it was done."""
    is_solved = puzzle.digest in stage.settings.solved_puzzles_of(puzzle.game)
    return [aim(puzzle), _("Solved") if is_solved else grade(puzzle)]
