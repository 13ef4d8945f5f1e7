"""The puzzles that come with the program, read once in the background."""

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
    """All puzzles by game, and today's."""

    by_game: Mapping[str, Sequence[Puzzle]]
    today: Puzzle | None

    @property
    def games(self) -> list[Game]:
        """The games that have puzzles."""
        return [GAMES[name] for name, puzzles in self.by_game.items() if puzzles]

    @property
    def total(self) -> int:
        """The number of puzzles."""
        return sum(len(puzzles) for puzzles in self.by_game.values())

    def of(self, game: str, grade: int | None) -> Sequence[Puzzle]:
        """Return the puzzles of a *game* and a *grade* (None: all), the easiest first."""
        return [puzzle for puzzle in self.by_game.get(game, ()) if grade in (None, puzzle.grade)]


def read_book(day: date) -> PuzzleBook:
    """Read all puzzles from their files, with that of *day*; call it in the background."""
    return PuzzleBook({game.name: shipped(game.name) for game in games_with_puzzles()}, puzzle_of_the_day(day))


def read_puzzle_of(day: date) -> Puzzle | None:
    """Read the puzzle of *day*; None if there is none, or it can't be read. Call it in the background."""
    try:
        return puzzle_of_the_day(day)
    except PuzzleError as error:
        log.error("The puzzles can't be read: %s", error)
        return None
