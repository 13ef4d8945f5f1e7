"""The program as scenes know it: its players, its past matches, and tables to play at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from papan.ai.analyst import Analyst
from papan.ai.players import HUMAN, PlayerChoice
from papan.ai.worker import Worker
from papan.game.facts import Game
from papan.game.match import Match
from papan.ui.texts import _


class UnfinishedMatch(Protocol):
    """A match of the library that is not over."""

    title: str
    subtitle: str

    def resume(self) -> None:
        """Go on with it."""

    def drop(self) -> None:
        """Give it up."""


class FinishedMatch(Protocol):
    """A match of the library that is over."""

    title: str
    note: str
    outcome: str
    """``won``, ``lost``, ``draw``, or ``over`` where nobody in particular has won or lost."""

    def open(self) -> None:
        """Review it."""


class PastMatches(Protocol):
    """The library of matches, as the home screen knows it."""

    @property
    def changes(self) -> int:
        """A number that another one takes the place of when there is something new to show."""

    def unfinished(self) -> UnfinishedMatch | None:
        """The match to continue, if there is one."""

    def last_finished(self, most: int) -> Sequence[FinishedMatch]:
        """The last finished matches, the latest first."""


REVIEWER, EXPERIMENTER, REPLAYER = "reviewer", "experimenter", "replayer"
"""The names of the threads that matches are reviewed on, that experiments are run by, and that single games of them
are played again on."""


def _only_people(game: Game) -> Sequence[PlayerChoice]:
    return [PlayerChoice(HUMAN, _("Human"), "")]


@dataclass(frozen=True)
class Services:
    """The services of the program to its scenes. A scene leaves out what needs one that is None."""

    past_matches: PastMatches | None = None
    analyst: Analyst | None = None
    """The analyst that studies positions beside a match."""
    player_choices: Callable[[Game], Sequence[PlayerChoice]] = _only_people
    """The choices for a seat of a game."""
    start_match: Callable[..., object] | None = None
    """Begins a match: called with the game, a player for each seat, complete options, and a seed or None; with the
    text of a position behind them where it does not begin as the rules say."""
    go_on_with: Callable[[Match], object] | None = None
    """Shows the table of a match that has begun."""
    open_record: Callable[[str], object] | None = None
    """Shows the match of a record's text, or the position of a position's."""
    is_loaded: Callable[[Game], bool] = lambda game: True
    """Whether all of a game has been imported, so that nothing of it keeps the window waiting."""
    reviewer: Worker = field(default_factory=lambda: Worker(REVIEWER))
    """Reviews one match after another."""
    experimenter: Worker = field(default_factory=lambda: Worker(EXPERIMENTER))
    """Runs one experiment after another."""
    replayer: Worker = field(default_factory=lambda: Worker(REPLAYER))
    """Plays single games of experiments again."""

    @property
    def workers(self) -> Sequence[Worker]:
        """All threads of the services."""
        return self.reviewer, self.experimenter, self.replayer


ALONE = Services()
"""The services of a scene without a program around it: none."""
