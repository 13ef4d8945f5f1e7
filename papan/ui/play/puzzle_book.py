"""The puzzles that come with the program, as the window lists them: read beside it, once."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.puzzles import Puzzle, PuzzleError, games_with_puzzles, puzzle_of_the_day, shipped

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PuzzleBook:
    """All puzzles by game, and the day's."""

    by_game: Mapping[str, Sequence[Puzzle]]
    today: Puzzle | None

    @property
    def games(self) -> list[Game]:
        """The games that there are puzzles of."""
        return [GAMES[name] for name, puzzles in self.by_game.items() if puzzles]

    @property
    def total(self) -> int:
        """How many puzzles there are."""
        return sum(len(puzzles) for puzzles in self.by_game.values())

    def of(self, game: str, grade: int | None) -> Sequence[Puzzle]:
        """Those of a *game*, the easiest first; of one *grade*, or of all for None."""
        return [puzzle for puzzle in self.by_game.get(game, ()) if grade in (None, puzzle.grade)]


def read_book(day: date) -> PuzzleBook:
    """The book as of *day*. It reads files: not for the window's thread."""
    return PuzzleBook({game.name: shipped(game.name) for game in games_with_puzzles()}, puzzle_of_the_day(day))


def read_puzzle_of(day: date) -> Puzzle | None:
    """The puzzle of *day*; None where there is none, or they can't be read. Not for the window's thread either."""
    try:
        return puzzle_of_the_day(day)
    except PuzzleError as error:
        log.error("The puzzles can't be read: %s", error)
        return None
