"""A guided match without a picture: which hint is shown to the beginner now, and which game comes next."""

from __future__ import annotations

from collections.abc import Sequence

from papan.ai.players import HUMAN
from papan.ai.players.levels import PLAYER_LEVELS
from papan.game.catalogue import GALLERY
from papan.game.game import Game, PartError
from papan.game.match import Match
from papan.game.presentation import GUIDED, Hint, guide_of
from papan.game.rules import mover, observe

COURSE = ("connect-four", "santorini")
"""The games that a beginner is guided through, in this order."""
PLAYERS = (HUMAN, PLAYER_LEVELS[0].player)
"""Who plays a guided match: the beginner begins."""


def first_game() -> Game | None:
    """The game that the first steps begin with; None where there is none to be guided through."""
    return next((GALLERY[name] for name in COURSE if name in GALLERY and GALLERY[name].parts.guide), None)


def next_game(game: Game) -> Game | None:
    """The game that a beginner may go on with after *game*; None after the last."""
    names = [name for name in COURSE if name in GALLERY and GALLERY[name].parts.guide]
    later = names[names.index(game.name) + 1 :] if game.name in names else []
    return GALLERY[later[0]] if later else None


class GuidedMatch:
    """The hints of one match, each shown once: from when it fits until it does not, or the beginner's turn is over."""

    def __init__(self, match: Match) -> None:
        """:raises papan.game.game.PartError: the game's hints can't be loaded."""
        guide = guide_of(match.game)
        self._match = match
        self._seat = match.seats.index(HUMAN)
        self._waiting: list[Hint] = list(guide.HINTS) if guide is not None else []
        self.hint: Hint | None = None
        """The hint to be shown now."""
        self.cells: Sequence[int] = ()
        """The cells that it speaks of."""

    @property
    def has_more(self) -> bool:
        """Whether a hint is shown, or may be yet."""
        return self.hint is not None or (bool(self._waiting) and self._match.ending is None)

    def look(self) -> None:
        """Find out what fits the position."""
        match = self._match
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
        """Have the hint gone for good."""
        self.hint, self.cells = None, ()


def guided(match: Match) -> GuidedMatch | None:
    """The hints for *match*; None where it has none: it is not marked, or not played by one person alone."""
    if GUIDED not in match.tags or match.seats.count(HUMAN) != 1:
        return None
    try:
        return GuidedMatch(match)
    except PartError:
        return None
