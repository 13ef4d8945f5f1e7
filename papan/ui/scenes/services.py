"""The services of the program to its scenes: players, the library, tables to play at, background threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from papan.ai.players import HUMAN, PlayerChoice
from papan.ai.thinking.analyst import Analyst
from papan.ai.thinking.thinker import Worker
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.library import Origin
from papan.game.match.library.reader import Sums
from papan.ui.drawing.picture_cache import PictureCache
from papan.ui.play.library_reader import LibraryReader, StoredMatches
from papan.ui.play.online import Online
from papan.ui.texts import _

if TYPE_CHECKING:
    from papan.game.puzzles import Puzzle


REVIEWER, EXPERIMENTER, REPLAYER, ADVISER = "reviewer", "experimenter", "replayer", "adviser"
"""The names of the threads: for reviews, experiments, replays of single games, and threats."""


@dataclass(frozen=True)
class Services:
    """The services of the program. A scene hides what needs a service that is None."""

    past_matches: StoredMatches | None = None
    """The matches of the library, for the home screen."""
    analyst: Analyst | None = None
    """Studies positions during a match."""
    player_choices: Callable[[Game], Sequence[PlayerChoice]] = lambda game: [PlayerChoice(HUMAN, _("Human"), "")]
    """The players to choose from for a game."""
    start_match: Callable[..., object] | None = None
    """Begins a match: called with the game, a player for each seat, complete options, and a seed or None; optionally
    with ``time_control`` in the notation of records and the text of a ``position``."""
    expect_match: Callable[[Game, Sequence[str], Mapping[str, str]], object] = lambda game, players, options: None
    """Compiles the players of a match that may begin soon, in the background."""
    go_on_with: Callable[[Match], object] | None = None
    """Opens the table of a match that has begun."""
    sit_at: Callable[..., object] | None = None
    """Opens the table of a connection whose first round has come: called with its ``Link``, and by the host's window
    also with its ``Hosting``. Returns None if that must wait or can't be."""
    branch_off: Callable[[Match, Origin], object] | None = None
    """Opens the table of a match that branches off from one of the library."""
    library_reader: LibraryReader | None = None
    open_match: Callable[[int], object] | None = None
    """Opens the table of a match of the library, by its number."""
    review_match: Callable[[int, int | None], object] | None = None
    """Opens the review of a match of the library, by its number, after so many turns, or at its end for None."""
    show_match: Callable[[Match, int], object] | None = None
    """Opens the review of a match that is not in the library, after so many turns. Raises BoardError."""
    online: Online | None = None
    """Tables for friends at other screens, and seats at theirs."""
    paste: Callable[[], object] = lambda: None
    """Opens the match or the position on the clipboard."""
    read_sums: Callable[[], Sums] | None = None
    """Reads the results in the library; slow, for a background thread. Raises LibraryError."""
    count_milestones: Callable[[], object] = lambda: None
    """Counts the person's milestones in the background, and tells of those just reached."""
    puzzle_of_day: Callable[[date, int], Puzzle | None] | None = None
    """Reads the puzzle of a day, or None; slow, for a background thread."""
    picture_cache: PictureCache | None = None
    """The pictures of games saved on disk."""
    pictures_drawn: Callable[[], object] = lambda: None
    """Called while the home screen has all its pictures."""
    is_drawable: Callable[[Game], bool] = lambda game: True
    """Whether a game's board and page are imported, so that the window need not wait."""
    is_loaded: Callable[[Game], bool] = lambda game: True
    """Whether all modules of a game are imported, so that the window need not wait."""
    advises: bool = False
    """Whether to look for threats during a match, and for key moments after it."""
    adviser: Worker = field(default_factory=lambda: Worker(ADVISER))
    """Looks for threats."""
    reviewer: Worker = field(default_factory=lambda: Worker(REVIEWER))
    """Reviews one match after another."""
    experimenter: Worker = field(default_factory=lambda: Worker(EXPERIMENTER))
    """Runs one experiment after another."""
    replayer: Worker = field(default_factory=lambda: Worker(REPLAYER))
    """Replays single games of experiments, and judges turns of exercises, while a review may run."""

    @property
    def workers(self) -> Sequence[Worker]:
        """All threads of the services."""
        return self.reviewer, self.experimenter, self.replayer, self.adviser


ALONE = Services()
"""No services, for a scene without a program."""
