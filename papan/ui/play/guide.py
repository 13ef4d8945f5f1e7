"""Guided matches for beginners: the current hint, and the next game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from papan.ai.players import HUMAN
from papan.ai.players.levels import PLAYER_LEVELS
from papan.game.catalogue import GALLERY
from papan.game.game import Game, PartError
from papan.game.match import Match
from papan.game.presentation import GUIDED, Hint, guide_of
from papan.game.rules import mover, observe

COURSE = ("connect-four", "santorini")
"""The guided games, in order."""
PLAYERS = (HUMAN, PLAYER_LEVELS[0].player)
"""The players of a guided match: the beginner moves first."""


def guided_games() -> list[Game]:
    """Return the guided games that are there, in order."""
    games = [GALLERY[name] for name in COURSE if name in GALLERY]
    return [game for game in games if game.parts.guide]


def first_game() -> Game | None:
    """Return the first guided game; None if there is none."""
    return next(iter(guided_games()), None)


def next_game(game: Game) -> Game | None:
    """Return the guided game after *game*; None after the last."""
    games = guided_games()
    return next((after for before, after in pairwise(games) if before.name == game.name), None)


class GuidedMatch:
    """The hints of one match. Each is shown once, while it fits and the beginner is to move."""

    def __init__(self, match: Match) -> None:
        """:raises papan.game.game.PartError: the game's hints can't be loaded."""
        guide = guide_of(match.game)
        self._match = match
        self._seat = match.seats.index(HUMAN)
        self._waiting: list[Hint] = list(guide.HINTS) if guide is not None else []
        self.hint: Hint | None = None
        self.cells: Sequence[int] = ()

    @property
    def has_more(self) -> bool:
        """Whether a hint is shown, or one may still come."""
        return self.hint is not None or (bool(self._waiting) and self._match.ending is None)

    def look(self) -> None:
        """Choose the hint for the present position."""
        match = self._match
        if match.ending is not None:
            self._waiting.clear()  # the lesson is over, even if turns are taken back
        is_due = match.ending is None and int(mover(match.state)) == self._seat
        state = observe(match.state, self._seat)
        cells = self.hint.fits(state, self._seat) if self.hint is not None and is_due else None
        if cells is not None:
            self.cells = tuple(cells)
            return
        self.dismiss()
        if not is_due:
            return
        for hint in self._waiting:
            found = hint.fits(state, self._seat)
            if found is not None:
                self._waiting.remove(hint)
                self.hint, self.cells = hint, tuple(found)
                return

    def dismiss(self) -> None:
        self.hint, self.cells = None, ()


def guided(match: Match) -> GuidedMatch | None:
    """Return the hints for *match*; None unless it is tagged as guided and has exactly one person."""
    if GUIDED not in match.tags or match.seats.count(HUMAN) != 1:
        return None
    try:
        return GuidedMatch(match)
    except PartError:
        return None
