"""The day's puzzle on the home screen, read beside the window."""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable, Sequence
from datetime import date

import pygame

from papan.ai.worker import Worker
from papan.game.catalogue import GALLERY, GAMES
from papan.game.facts import Game
from papan.game.puzzles import Puzzle, PuzzleError, games_with_puzzles
from papan.ui.boards import BoardError
from papan.ui.play.puzzle_book import PuzzleBook, read_book
from papan.ui.scenes import Stage
from papan.ui.scenes.message import Message
from papan.ui.scenes.puzzle_words import aim, grade, side_to_move
from papan.ui.scenes.services import Services
from papan.ui.texts import _, translated
from papan.ui.widgets.host import Widgets
from papan.ui.widgets.match_card import MatchCard
from papan.ui.widgets.miniature import puzzle_picture

log = logging.getLogger(__name__)

WIDTH = 208
"""Of the card, in the sketches' pixels."""
HEADING = 38
_CORNER = 7
_CLOSING_PATIENCE = 1.0


class HomePuzzle:
    """The card of the day's puzzle on one home screen. Its place is kept while the puzzle is read."""

    def __init__(self, stage: Stage, services: Services, today: Callable[[], date] = date.today) -> None:
        """:param today: asked for the day whose puzzle it is."""
        self._stage = stage
        self._services = services
        self._today = today
        self._asked: date | None = None
        self.is_reading = False
        """Whether it is being read."""
        self._found: queue.SimpleQueue[PuzzleBook | None] = queue.SimpleQueue()
        self._worker = Worker("puzzle of the day")
        self._book: PuzzleBook | None = None
        self._card: MatchCard | None = None
        self._picture: tuple[object, pygame.Surface] | None = None
        self._size = (0, 0)
        self._is_there = bool(games_with_puzzles())
        """Whether there is a puzzle, as far as is known."""

    # ------------------------------------------------------------------------------------ the puzzle

    @property
    def puzzle(self) -> Puzzle | None:
        """The day's puzzle; None while it is read, or where there is none."""
        return self._book.today if self._book is not None else None

    @property
    def game(self) -> Game | None:
        """The game of the puzzle."""
        return GAMES[self.puzzle.game] if self.puzzle is not None else None

    def update(self) -> bool:
        """Have the puzzle read where there is another day, once all games are loaded; returns whether it is new."""
        day = self._today()
        if self._is_there and day != self._asked and all(map(self._services.is_loaded, GALLERY.values())):
            self._asked, self.is_reading = day, True
            self._worker.submit(lambda: self._read(day))
        is_new = False
        while not self._found.empty():
            self._book, is_new, self.is_reading = self._found.get(), True, False
            self._is_there = self.puzzle is not None
        return is_new

    def _read(self, day: date) -> None:
        """Read the book, on the worker's thread."""
        try:
            self._found.put(read_book(day))
        except PuzzleError as error:
            log.error("The puzzles can't be read: %s", error)
            self._found.put(None)

    def close(self) -> None:
        """Read nothing any more."""
        self._worker.close(_CLOSING_PATIENCE)

    # ------------------------------------------------------------------------- building and placing

    @property
    def is_shown(self) -> bool:
        """Whether there is a card."""
        return self._card is not None

    def build(self, widgets: Widgets | None) -> None:
        """Add the card to *widgets*; without them, or without a puzzle, there is none."""
        self._card = None
        if widgets is not None and self._is_there:
            title, lines, low_lines = self._words()
            self._card = widgets.add(
                MatchCard(title, lines, low_lines, self._shown_picture, self.solve, name="today's puzzle")
            )
            self._card.enable(self.puzzle is not None)

    def _words(self) -> tuple[str, Sequence[str], Sequence[str]]:
        """The card's title, and what stands below it: on a high card, and on a low one."""
        puzzle, game = self.puzzle, self.game
        if puzzle is None or game is None:
            return "", ("", "", ""), ("", "")
        is_solved = puzzle.digest in self._stage.settings.solved_puzzles_of(game.name)
        wanted, standing = aim(puzzle), _("Solved") if is_solved else grade(puzzle)
        return translated(game.title), (side_to_move(puzzle), wanted, standing), (wanted, standing)

    def place(self, band: pygame.Rect) -> None:
        """Stand in *band*, below a heading; an empty one shows nothing."""
        if self._card is not None:
            top = band.y + self._stage.paint.theme.px(HEADING)
            self._card.place(pygame.Rect(band.x, top, max(1, band.w), max(1, band.bottom - top)))
            self._card.show(band.w > 0)

    # --------------------------------------------------------------------------------------- acting

    def solve(self) -> None:
        """Set the puzzle up at the board, above the list of all."""
        from papan.ui.scenes.puzzle import PuzzleScene
        from papan.ui.scenes.puzzles import PuzzlesScene

        puzzle, book, game = self.puzzle, self._book, self.game
        if puzzle is None or book is None or game is None:
            return
        puzzles = book.of(game.name, None)
        try:
            board = PuzzleScene(self._stage, puzzles, puzzles.index(puzzle), self._services)
        except (BoardError, PuzzleError) as error:
            self._stage.push(Message(self._stage, translated(game.title), translated(str(error)), icon="info"))
            return
        self._stage.push(PuzzlesScene(self._stage, self._services))
        self._stage.push(board)

    # -------------------------------------------------------------------------------------- drawing

    def _shown_picture(self, size: tuple[int, int]) -> pygame.Surface | None:
        """The board, where it has been drawn in this *size*."""
        self._size = size
        return self._picture[1] if self._picture is not None and self._picture[0] == self._key else None

    @property
    def _key(self) -> object:
        return self.puzzle, self._size, self._stage.paint.theme

    @property
    def is_ready(self) -> bool:
        """Whether there is nothing to be drawn."""
        is_seen = self._card is not None and self._card.is_visible and self._size != (0, 0)
        return not is_seen or self.puzzle is None or (self._picture is not None and self._picture[0] == self._key)

    def prepare(self) -> None:
        """Draw the board.

        :raises papan.ui.drawing.pictures.OutOfTimeError: a slice of work is over; what was drawn is kept.
        """
        puzzle, paint = self.puzzle, self._stage.paint
        assert puzzle is not None and self._card is not None
        self._picture = self._key, puzzle_picture(paint, puzzle, self._size, paint.theme.px(_CORNER))
        self._card.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the heading."""
        card, paint = self._card, self._stage.paint
        if card is not None and card.is_visible:
            at = (card.rect.x, card.rect.y - paint.theme.px(HEADING // 2 + 6))
            paint.text(surface, _("Today's puzzle"), at, "strong", anchor="midleft", width=card.rect.w)
