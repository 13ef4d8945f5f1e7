"""The program as scenes know it: its players, its past matches, and tables to play at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Protocol

from papan.ai.players import HUMAN, PlayerChoice
from papan.ai.thinking.analyst import Analyst
from papan.ai.thinking.thinker import Worker
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.library import Origin, Summary
from papan.game.match.library.reader import Sums
from papan.ui.play.library_reader import LibraryReader
from papan.ui.texts import _

if TYPE_CHECKING:
    from papan.game.puzzles import Puzzle


class PastMatch(Protocol):
    """A match of the library, as the home screen knows it."""

    summary: Summary
    title: str
    """The name that a person gave it, or its game."""
    players: str
    standing: str
    """How it stands, or how it ended."""
    note: str
    """The same, with the number of the turn."""
    when: str

    def open(self) -> None:
        """Go on with it; review it where it is over."""

    def delete(self) -> None:
        """Delete it; see ``LibraryReader.undo_deletion``."""


class PastMatches(Protocol):
    """The library of matches, as the home screen knows it."""

    @property
    def changes(self) -> int:
        """A number that another one takes the place of when there is something new to show."""

    def unfinished(self, most: int) -> Sequence[PastMatch]:
        """The matches to continue, at most *most*, the one played last first."""

    def unfinished_count(self) -> int:
        """How many matches there are to continue."""

    def last_finished(self, most: int) -> Sequence[PastMatch]:
        """The last finished matches, the latest first."""


REVIEWER, EXPERIMENTER, REPLAYER, ADVISER = "reviewer", "experimenter", "replayer", "adviser"
"""The names of the threads that matches are reviewed on, that experiments are run by, and that single games of them
are played again on, and that looks for threats."""


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
    """Begins a match: called with the game, a player for each seat, complete options, and a seed or None; where there
    is a clock, also with ``time_control`` in the notation of records, where it does not begin as the rules say, with
    the ``position`` of a text, and where its record is to say more, with ``tags``."""
    go_on_with: Callable[[Match], object] | None = None
    """Shows the table of a match that has begun."""
    branch_off: Callable[[Match, Origin], object] | None = None
    """Shows the table of a match that branches off from another one of the library."""
    shelf: LibraryReader | None = None
    """The library, read beside the window."""
    open_match: Callable[[int], object] | None = None
    """Goes on with a match of the library, or shows it on the board: called with its number."""
    review_match: Callable[[int], object] | None = None
    """Looks through a match of the library: called with its number."""
    open_record: Callable[[str], object] | None = None
    """Shows the match of a record's text, or the position of a position's."""
    read_sums: Callable[[], Sums] | None = None
    """Reads what the matches of the library came to, in a thread in the background. Raises LibraryError."""
    puzzle_of_day: Callable[[date], Puzzle | None] | None = None
    """Reads the puzzle of a day, in a thread in the background; None where there is none."""
    is_loaded: Callable[[Game], bool] = lambda game: True
    """Whether all of a game has been imported, so that nothing of it keeps the window waiting."""
    advises: bool = False
    """Whether threats are looked for while a match is played, and the turns that decided it once it is over."""
    adviser: Worker = field(default_factory=lambda: Worker(ADVISER))
    """Looks for threats."""
    reviewer: Worker = field(default_factory=lambda: Worker(REVIEWER))
    """Reviews one match after another."""
    experimenter: Worker = field(default_factory=lambda: Worker(EXPERIMENTER))
    """Runs one experiment after another."""
    replayer: Worker = field(default_factory=lambda: Worker(REPLAYER))
    """Plays single games of experiments again, and judges the turns of exercises, while a review may go on."""

    @property
    def workers(self) -> Sequence[Worker]:
        """All threads of the services."""
        return self.reviewer, self.experimenter, self.replayer, self.adviser


ALONE = Services()
"""The services of a scene without a program around it: none."""
