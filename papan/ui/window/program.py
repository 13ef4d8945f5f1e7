"""The program put together: the window, the thinker and the library, and how one scene leads to another."""

from __future__ import annotations

import contextlib
import datetime
import gc
import logging
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from papan.ai.analyst import Analyst
from papan.ai.evaluation import evaluation_of
from papan.ai.exact import exact_of
from papan.ai.players import HUMAN, PlayerChoice, PlayerError, choices, describe, with_time
from papan.ai.thinker import Thinker
from papan.game.catalogue import GALLERY, GAMES, GUESTS
from papan.game.facts import Game
from papan.game.kernel.mode import load_compiler
from papan.game.match import Match
from papan.game.match.library import Library, LibraryError, Summary
from papan.game.match.record import RecordError, read, read_text
from papan.ui.boards import BoardError
from papan.ui.pages import page_of
from papan.ui.play.session import Session
from papan.ui.scenes.home import HomeScene
from papan.ui.scenes.message import Message
from papan.ui.scenes.services import Services
from papan.ui.scenes.table import LEAST_THINKING_SECONDS, TableScene
from papan.ui.settings import Settings
from papan.ui.texts import N_, _
from papan.ui.texts.names import named_players
from papan.ui.window import system
from papan.ui.window.app import App

if TYPE_CHECKING:
    from papan.ui.scenes.review import ReviewScene

log = logging.getLogger(__name__)

SWITCH_SECONDS = 0.002
"""The longest that Python code of one thread keeps the others waiting: an eighth of a frame."""
NO_COMPILER = N_("The compiler can't be loaded: computers play, but see less far. The log says why.")
_QUIT_PATIENCE = 1.0


class Program:
    """Everything that lives as long as the window."""

    def __init__(self, settings: Settings | None = None, size: tuple[int, int] | None = None) -> None:
        """:raises papan.ui.window.app.NoDisplay: there is no display to open a window on."""
        sys.setswitchinterval(SWITCH_SECONDS)
        system.return_large_blocks()
        self.app = App(settings, size, take_file=self.open_record_file)
        self.thinker = Thinker()
        self.analyst = Analyst()
        self._is_compiling = False
        self.library = Library()
        self.services = Services(
            _StoredMatches(self),
            self.analyst,
            lambda game: player_choices(game, self.app.settings.move_seconds),
            self.start_match,
            self.go_on_with,
            self.open_record,
        )
        app = self.app
        app.after_first_frame.append(lambda: load_in_background(app))
        app.before_quit.extend([self._close_threads, self.library.close])
        if self.library.notice:
            app.notify(self.library.notice)
        for fault in GUESTS.faults:
            app.notify(fault)
        app.push(HomeScene(app, self.services))

    def start_match(
        self, game: Game, players: Sequence[str], options: Mapping[str, str] | None = None, seed: int | None = None
    ) -> TableScene:
        """Begin a new match and show its table.

        :raises OptionError: an option or a number of players that the game can't have.
        :raises papan.ai.players.PlayerError: no player of this name.
        """
        return self.sit_down(Match.new(game, players, options, seed))

    def resume(self, match_id: int) -> TableScene | None:
        """Go on with a match of the library; where that can't be, a message says why."""
        try:
            match = self.library.load(match_id)
            return self.sit_down(match, match_id)
        except (LibraryError, BoardError, ValueError) as error:
            self.app.push(Message(self.app, _("This match can't be opened"), str(error), icon="warning"))
            return None

    def review_stored(self, match_id: int) -> ReviewScene | None:
        """Look through a match of the library; where it can't be loaded, a message says why."""
        try:
            return self.review(self.library.load(match_id))
        except (LibraryError, BoardError) as error:
            self.app.push(Message(self.app, _("This match can't be opened"), str(error), icon="warning"))
            return None

    def open_record(self, text: str) -> ReviewScene | None:
        """Look through the match whose record is *text*; where it is none, a message says why."""
        try:
            match = read(text)
        except RecordError as error:
            self.app.push(Message(self.app, _("This is no record of a match"), str(error), icon="warning"))
            return None
        try:
            return self.review(match)
        except BoardError as error:
            self.app.push(Message(self.app, _("This match can't be shown"), str(error), icon="warning"))
            return None

    def open_record_file(self, path: str) -> ReviewScene | None:
        """Look through the match whose record is in the file *path*; where it is none, a message says why."""
        try:
            text = read_text(Path(path))
        except RecordError as error:
            self.app.push(Message(self.app, _("This file can't be read"), str(error), icon="warning"))
            return None
        return self.open_record(text)

    def review(self, match: Match) -> ReviewScene:
        """Look through *match*, above whatever is shown.

        :raises papan.ui.boards.BoardError: its game has no board to show.
        """
        from papan.ui.scenes.review import ReviewScene

        review = ReviewScene(self.app, match, services=self.services)
        self.app.push(review)
        return review

    def go_on_with(self, match: Match) -> TableScene | None:
        """Show the table of *match*; where one of its players can't be made, a message says why."""
        try:
            return self.sit_down(match)
        except PlayerError as error:
            self.app.push(Message(self.app, _("This match can't be played on"), str(error), icon="warning"))
            return None

    def sit_down(self, match: Match, match_id: int | None = None) -> TableScene:
        """Show the table of *match*, straight above the home screen.

        :param match_id: its number in the library, where it is there already.
        """
        settings = self.app.settings
        session = Session(
            match,
            self.thinker,
            self.library,
            match_id,
            least_thinking_seconds=lambda: LEAST_THINKING_SECONDS if self.app.animation_speed else 0.0,
            confirms_turns=lambda: settings.confirm_turns,
        )
        table = TableScene(self.app, session, self.services)
        while len(self.app.scenes) > 1:
            self.app.pop()
        self.app.push(table)
        return table

    def run(self) -> None:
        """Show the window until it is closed. Ends the process where a compilation is still going on."""
        self.app.run()
        if self._is_compiling or not self.services.reviewer.close(_QUIT_PATIENCE):
            # A compilation can't be interrupted, and Python can't end in order beside one.
            log.info("The program ends while a kernel is being compiled.")
            logging.shutdown()
            os._exit(0)

    def _close_threads(self) -> None:
        ended = [self.thinker.close(_QUIT_PATIENCE), self.analyst.close(_QUIT_PATIENCE)]
        self._is_compiling = not all(ended)


def player_choices(game: Game, move_seconds: float) -> list[PlayerChoice]:
    """The choices for a seat of *game*: a person, or any computer player by name.

    :param move_seconds: seconds that players with a limit of time think for; named where it is not the usual time.
    """
    offered = [PlayerChoice(HUMAN, _("You"), _("a person"))]
    for choice in choices(game):
        choice = describe(with_time(choice.name, move_seconds, game), game)
        offered.append(PlayerChoice(choice.name, _(choice.label), _(choice.note)))
    return offered


def load_what_comes_next() -> None:
    """Import what a click on the home screen leads to, so that the scene's first frame need not wait for it.

    What can't be loaded says so where it is wanted.
    """
    for scene in ("new_game", "rules_page", "settings", "review"):
        import_module(f"papan.ui.scenes.{scene}")
    for game in GALLERY.values():
        with contextlib.suppress(Exception):  # whatever a guest's own code raises
            evaluation_of(game), exact_of(game), page_of(game)


def load_in_background(app: App) -> None:
    """Import beside the window what it will want, numba too, which takes a third of a second.

    Where that fails, the window says so.
    """

    def load() -> None:
        load_what_comes_next()
        if load_compiler():
            if not gc.get_freeze_count():
                gc.freeze()  # it stays: looking through it for garbage would take some frames' time, again and again
            from papan.game.kernel.cache import remove_old_kernels

            remove_old_kernels()
        else:
            app.call_soon(lambda: app.notify(_(NO_COMPILER)))

    threading.Thread(target=load, name="compiler", daemon=True).start()


# ------------------------------------------------------------------------------- for the home screen


@dataclass
class _StoredMatch:
    """A match of the library as the home screen shows it."""

    program: Program
    summary: Summary
    title: str
    subtitle: str = ""
    note: str = ""
    outcome: str = "over"

    def resume(self) -> None:
        self.program.resume(self.summary.id)

    def open(self) -> None:
        self.program.review_stored(self.summary.id)

    def drop(self) -> None:
        try:
            self.program.library.drop(self.summary.id)
        except LibraryError as error:
            self.program.app.notify(str(error))


class _StoredMatches:
    """The matches of the library as ``PastMatches``, for the home screen."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def unfinished(self) -> _StoredMatch | None:
        """The last match that is not over."""
        for summary in self._summaries(self._program.library.unfinished):
            game = GAMES.get(summary.game)
            if game is None:
                continue
            persons = [seat for seat, name in enumerate(summary.seats) if name == HUMAN]
            when = _days_ago(summary.updated)
            if summary.mover in persons:
                when += ", " + (_("your move") if len(persons) == 1 else _("a person's move"))
            title = _("{game}, turn {number}").format(game=_(game.title), number=max(1, summary.round))
            return _StoredMatch(self._program, summary, title, f"{_players_in_words(summary, game)}\n{when}")
        return None

    def last_finished(self, most: int) -> list[_StoredMatch]:
        """The last finished matches, the latest first."""
        found = []
        for summary in self._summaries(lambda: self._program.library.recent(most)):
            game = GAMES.get(summary.game)
            if game is None or summary.ending is None:
                continue
            persons = [seat for seat, name in enumerate(summary.seats) if name == HUMAN]
            outcome = summary.ending.outcome(persons[0] if persons else 0)
            if len(persons) != 1 and outcome != "draw":
                outcome = "over"
            opponents = [name for name in summary.seats if name != HUMAN]
            note = " · ".join(_(describe(name, game).label) for name in opponents) or _("two persons")
            if len(summary.seats) == 1:
                note = _("score {score:,.0f}").format(score=summary.ending.payoffs[0])
            found.append(_StoredMatch(self._program, summary, _(game.title), note=note, outcome=outcome))
        return found

    def _summaries(self, ask: Callable[[], list[Summary]]) -> list[Summary]:
        try:
            return ask()
        except LibraryError as error:
            self._program.app.notify(str(error))
            return []


def _players_in_words(summary: Summary, game: Game) -> str:
    return _(" against ").join(player.label for player in named_players(summary.seats, game))


def _days_ago(moment: datetime.datetime) -> str:
    """The day of *moment*, counted back from today, in words."""
    days = (datetime.datetime.now().astimezone().date() - moment.astimezone().date()).days
    if days <= 0:
        return _("today")
    return _("yesterday") if days == 1 else _("{days} days ago").format(days=days)
