"""What scenes ask of the program around them: its players, its past matches, and tables to play at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from papan.ai.analyst import Analyst
from papan.ai.players import HUMAN, PlayerChoice
from papan.game.facts import Game
from papan.game.match import Match
from papan.ui.texts import _


class UnfinishedMatch(Protocol):
    """A match that can be gone on with."""

    title: str
    subtitle: str

    def resume(self) -> None:
        """Go on with it."""

    def drop(self) -> None:
        """Give it up."""


class FinishedMatch(Protocol):
    """A match that was finished."""

    title: str
    note: str
    outcome: str
    """``won``, ``lost``, ``draw``, or ``over`` where nobody in particular has won or lost."""

    def open(self) -> None:
        """Look at it again."""


class PastMatches(Protocol):
    """What the home screen asks of the store of matches."""

    def unfinished(self) -> UnfinishedMatch | None:
        """The match to continue, if there is one."""

    def last_finished(self, most: int) -> Sequence[FinishedMatch]:
        """The last finished matches, the latest first."""


def _only_people(game: Game) -> Sequence[PlayerChoice]:
    return [PlayerChoice(HUMAN, _("Human"), "")]


@dataclass(frozen=True)
class Services:
    """What the program does for its scenes. A scene leaves out what needs something that is None."""

    past_matches: PastMatches | None = None
    analyst: Analyst | None = None
    """What studies positions beside a match."""
    player_choices: Callable[[Game], Sequence[PlayerChoice]] = _only_people
    """Who can sit at a seat of a game."""
    start_match: Callable[[Game, Sequence[str], Mapping[str, str], int | None], object] | None = None
    """Called with the game, a player for each seat, complete options, and a seed or None."""
    go_on_with: Callable[[Match], object] | None = None
    """Shows the table of a match that has begun."""
    open_record: Callable[[str], object] | None = None
    """Shows the match of a record's text."""


ALONE = Services()
"""For a scene without a program around it."""
