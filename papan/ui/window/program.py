"""The program put together: the window, the thinker and the library, and how one scene leads to another."""

from __future__ import annotations

import contextlib
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
from papan.game.base.copies import make_daily_copy
from papan.game.base.places import data_folder, make_private_folder
from papan.game.catalogue import GALLERY, GUESTS
from papan.game.facts import Game, PartError, load_part
from papan.game.feats import feats_of
from papan.game.guides import guide_of
from papan.game.kernel.mode import load_compiler
from papan.game.match import Match
from papan.game.match.clock import TAG
from papan.game.match.collection import SeveralRecords, read_collection_text, read_single
from papan.game.match.library import KeptMatch, Library, LibraryError, LibraryWriter, Origin, Summary
from papan.game.match.library.sums import read_sums
from papan.game.match.record import RecordError, RecordFileError
from papan.ui.boards import BoardError
from papan.ui.pages import page_of
from papan.ui.play.entries import Wording
from papan.ui.play.record_reader import FoundPosition, RecordReader, read_record_or_position
from papan.ui.play.shelf import Shelf
from papan.ui.scenes.home import HomeScene
from papan.ui.scenes.message import Message, Waiting
from papan.ui.scenes.not_saved import NotSaved
from papan.ui.scenes.services import Services
from papan.ui.settings import Settings
from papan.ui.texts import N_, _, plural, translated
from papan.ui.texts.dates import day_in_words
from papan.ui.window import system
from papan.ui.window.app import App
from papan.ui.window.loudspeaker import Loudspeaker

if TYPE_CHECKING:
    from papan.ui.scenes.position_editor import PositionScene
    from papan.ui.scenes.review import ReviewScene
    from papan.ui.scenes.table import TableScene

log = logging.getLogger(__name__)

SWITCH_SECONDS = 0.002
"""The longest that Python code of one thread keeps the others waiting: an eighth of a frame."""
NO_COMPILER = N_("The compiler can't be loaded: computers play, but see less far. The log says why.")
_QUIT_PATIENCE = 1.0
_SAVING_PATIENCE = 2.0
"""Seconds that closing the window waits for what is not saved yet."""


class Program:
    """Everything that lives as long as the window."""

    def __init__(
        self,
        settings: Settings | None = None,
        size: tuple[int, int] | None = None,
        loudspeaker: Loudspeaker | None = None,
    ) -> None:
        """:param loudspeaker: what sounds are played by; None for silence.
        :raises papan.ui.window.app.NoDisplay: there is no display to open a window on.
        """
        sys.setswitchinterval(SWITCH_SECONDS)
        _make_private_data_folder()
        system.return_large_blocks()
        self.app = App(settings, size, take_file=self.open_record_file, loudspeaker=loudspeaker)
        self.thinker = Thinker()
        self.analyst = Analyst()
        self._reader = RecordReader(self.app.call_soon)
        self._is_compiling = False
        self._loaded: set[str] = set()
        """The names of the games that have been imported beside the window."""
        self.library = Library()
        self.writer = LibraryWriter(self.library.path, tell=self._tell_of_library)
        self.shelf = Shelf(self.writer, self.app.call_soon)
        self.services = Services(
            _StoredMatches(self),
            self.analyst,
            lambda game: player_choices(game, self.app.settings.move_seconds),
            self.start_match,
            self.go_on_with,
            shelf=self.shelf,
            branch_off=self.branch_off,
            open_match=self.resume,
            review_match=self.review_stored,
            open_record=self.open_record,
            read_sums=lambda: read_sums(self.library.path, HUMAN),
            is_loaded=lambda game: game.name in self._loaded,
            advises=True,
        )
        app = self.app
        app.after_first_frame.append(lambda: load_in_background(app, self._loaded))
        app.after_first_frame.append(lambda: make_copies_in_background([self.library.path, app.settings.path]))
        app.may_quit.append(self._may_quit)
        app.before_quit.extend([self._close_threads, self._close_library])
        if self.library.notice:
            app.notify(translated(self.library.notice))
        if self.library.is_in_memory:
            self.writer.find_file()  # the home screen shows what is in it as soon as it can be used
        for fault in GUESTS.faults:
            app.notify(translated(fault))
        app.push(HomeScene(app, self.services))

    def start_match(
        self,
        game: Game,
        players: Sequence[str],
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        time_control: str = "",
        position: str | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> TableScene:
        """Begin a new match, with the *position* of a text where there is one, and show its table.

        :param time_control: the time of each seat, as records write it; "" for no clock.
        :param tags: more to be written into its record.

        :raises OptionError: an option or a number of players that the game can't have.
        :raises PositionError: *position* is none.
        :raises papan.ai.players.PlayerError: no player of this name.
        """
        match = Match.new(game, players, options, seed, position)
        if time_control:
            match.tags[TAG] = time_control
        match.tags.update(tags or {})
        return self.sit_down(match)

    def resume(self, match_id: int) -> TableScene | None:
        """Go on with a match of the library, or show how it ended; where that can't be, a message says why."""
        for kept in self.writer.unsaved:  # it may have been left with something still to be written
            if kept.held is not None and kept.held.id == match_id:
                return self.sit_down(kept.match, kept)
        try:
            match, stored, is_taken = self.library.open(match_id, self.writer.name)
            return self.sit_down(match, self.writer.resume(match, stored, is_taken=is_taken))
        except (LibraryError, BoardError, ValueError) as error:
            self.app.push(Message(self.app, _("This match can't be opened"), translated(str(error)), icon="warning"))
            return None

    def review_stored(self, match_id: int) -> ReviewScene | None:
        """Look through a match of the library; where it can't be loaded, a message says why."""
        try:
            return self.review(self.library.load(match_id), match_id)
        except (LibraryError, BoardError) as error:
            self.app.push(Message(self.app, _("This match can't be opened"), translated(str(error)), icon="warning"))
            return None

    def open_record(self, text: str) -> None:
        """Look through the match whose record is *text*, or set up the position that it is, once it is read.

        Several records are brought into the library. Where it is neither, a message says why.
        """
        self._open(lambda: read_record_or_position(text))

    def open_record_file(self, path: str) -> None:
        """Look through the match whose record is in the file *path*; where it is none, a message says why.

        Several records are brought into the library; while that is shown, a single one, too.
        """
        from papan.ui.scenes.library import LibraryScene

        if isinstance(self.app.scene, LibraryScene):
            self.app.scene.take_file(path)
            return
        self._open(lambda: read_single(read_collection_text(Path(path))))

    def _open(self, read_match: Callable[[], Match | FoundPosition]) -> None:
        """Show the review of the match, or the position, that *read_match*, called beside the window, returns."""
        waiting = Waiting(self.app, _("Reading …"), _("The record is long, or its disk is slow."), self._reader.cancel)

        def show(found: Match | FoundPosition | RecordError) -> None:
            self.app.pop(waiting)
            if isinstance(found, SeveralRecords):
                self._bring_in(found.text)
                return
            if isinstance(found, RecordError):
                is_file = isinstance(found, RecordFileError)
                title = _("This file can't be read") if is_file else _("This is neither a record nor a position")
                self.app.push(Message(self.app, title, translated(str(found)), icon="warning"))
                return
            try:
                if isinstance(found, Match):
                    self.review(found)
                else:
                    self.set_up(found)
            except (BoardError, PartError) as error:
                self.app.push(Message(self.app, _("This match can't be shown"), translated(str(error)), icon="warning"))

        if isinstance(self.app.scene, Waiting):
            self.app.pop()
        self._reader.read(read_match, show, lambda: self.app.push(waiting))

    def _bring_in(self, text: str) -> None:
        """Show the library, into which the records in *text* are brought."""
        from papan.ui.scenes.library import LibraryScene

        library = LibraryScene(self.app, self.services, self.shelf)
        self.app.push(library)
        library.bring_in(text)

    def set_up(self, found: FoundPosition) -> PositionScene:
        """Set up a position, beginning with the one *found*.

        :raises papan.ui.boards.BoardError: its game has no board to show.
        :raises papan.game.facts.PartError: what can be put on it can't be loaded.
        """
        from papan.ui.scenes.new_game import set_up_position

        return set_up_position(self.app, found.game, found.options, found.text, self.services)

    def review(self, match: Match, number: int | None = None) -> ReviewScene:
        """Look through *match*, above whatever is shown.

        :param number: its number in the library, where it is known.
        :raises papan.ui.boards.BoardError: its game has no board to show.
        """
        from papan.ui.scenes.review import ReviewScene

        review = ReviewScene(self.app, match, services=self.services, number=number)
        self.app.push(review)
        return review

    def go_on_with(self, match: Match, origin: Origin | None = None) -> TableScene | None:
        """Show the table of *match*; where one of its players can't be made, a message says why."""
        try:
            return self.sit_down(match, self.writer.begin(match, origin))
        except PlayerError as error:
            self.app.push(Message(self.app, _("This match can't be played on"), translated(str(error)), icon="warning"))
            return None

    def branch_off(self, match: Match, origin: Origin) -> TableScene | None:
        """As ``go_on_with``, for a match that branches off from another one of the library."""
        return self.go_on_with(match, origin)

    def sit_down(self, match: Match, kept: KeptMatch | None = None) -> TableScene:
        """Show the table of *match*, straight above the home screen.

        :param kept: *match* in the library's care, where it is there already.
        """
        from papan.ui.play.session import Session
        from papan.ui.scenes.table import TableScene
        from papan.ui.settings import COMPUTER_SPEEDS

        settings = self.app.settings
        session = Session(
            match,
            self.thinker,
            kept or self.writer.begin(match),
            least_thinking_seconds=lambda: (
                COMPUTER_SPEEDS[settings.computer_speed] if self.app.animation_speed else 0.0
            ),
            confirms_turns=lambda: settings.confirm_turns,
        )
        try:
            table = TableScene(self.app, session, self.services)
        except BoardError:
            session.close()
            raise
        settings.first_steps = False  # whoever sits at a table needs no first steps unasked
        while len(self.app.scenes) > 1:
            self.app.pop()
        self.app.push(table)
        return table

    def run(self) -> None:
        """Show the window until it is closed. Ends the process where a compilation is still going on."""
        system.when_asked_to_end(lambda: self.app.call_soon(self.app.quit))
        self.app.run()
        have_ended = [worker.close(_QUIT_PATIENCE) for worker in self.services.workers]
        if self._is_compiling or not all(have_ended):
            # A compilation can't be interrupted, and Python can't end in order beside one.
            log.info("The program ends while a kernel is being compiled.")
            from papan.ai.engines.process import end_all

            end_all()
            logging.shutdown()
            os._exit(0)

    # ------------------------------------------------------------------------------------ the library

    def _tell_of_library(self, sentence: str) -> None:
        """Tell *sentence* of the thread that writes."""
        self.app.call_soon(lambda: self.app.notify(translated(sentence)))

    def _may_quit(self) -> bool:
        """Whether everything is saved; otherwise a dialog says what is not."""
        self.writer.flush(_SAVING_PATIENCE)
        unsaved = self.writer.unsaved
        if not unsaved or isinstance(self.app.scene, NotSaved):
            return not unsaved
        self.app.push(NotSaved(self.app, unsaved, self.app.quit, self.app.quit_at_once))
        return False

    def _close_library(self) -> None:
        if not self.writer.close(_SAVING_PATIENCE):
            log.warning("The library is still being written while the window closes.")
        if not self.shelf.close(_QUIT_PATIENCE):
            log.warning("The library is still being read while the window closes.")
        self.library.close()

    def _close_threads(self) -> None:
        ended = [self.thinker.close(_QUIT_PATIENCE), self.analyst.close(_QUIT_PATIENCE)]
        self._is_compiling = not all(ended)


def _make_private_data_folder() -> None:
    """Have nobody else read the matches and the settings; where that fails, opening them says why."""
    try:
        make_private_folder(data_folder())
    except OSError as error:
        log.info("The folder for data can't be made: %s", error)


def player_choices(game: Game, move_seconds: float) -> list[PlayerChoice]:
    """The choices for a seat of *game*: a person, or any computer player by name.

    :param move_seconds: seconds that players with a limit of time think for; named where it is not the usual time.
    """
    offered = [PlayerChoice(HUMAN, _("You"), _("a person"))]
    for choice in choices(game):
        choice = describe(with_time(choice.name, move_seconds, game), game)
        offered.append(PlayerChoice(choice.name, translated(choice.label), translated(choice.note)))
    return offered


def load_what_comes_next(loaded: set[str], tell: Callable[[], object]) -> None:
    """Import what the home screen draws and what a click on it leads to, so that no frame need wait for that.

    What can't be loaded says so where it is wanted.

    :param loaded: takes up the names of games, each once all of it has been imported.
    :param tell: called after each.
    """
    for game in GALLERY.values():
        with contextlib.suppress(Exception):  # whatever a guest's own code raises
            evaluation_of(game), exact_of(game), page_of(game), load_part(game, game.parts.board)
            feats_of(game), guide_of(game)
        loaded.add(game.name)
        tell()
    known = ("table", "new_game", "rules_page", "settings", "review", "exercise", "laboratory", "library")
    for scene in (*known, "statistics", "about", "position_editor"):
        import_module(f"papan.ui.scenes.{scene}")
    from papan.ui.scenes.laboratory_form import players_of

    for game in GALLERY.values():
        with contextlib.suppress(Exception):
            players_of(game)  # weights are read from files


def load_in_background(app: App, loaded: set[str]) -> None:
    """Import beside the window what it does not show yet, and numba for the first computer move.

    Each takes longer than a frame. Where there is no compiler, the window says so.

    :param loaded: takes up the names of the games that have been imported.
    """

    is_first = not gc.get_freeze_count()

    def keep_loaded() -> None:
        """Have what is loaded not looked through for garbage: that would take some frames' time, again and again."""
        if is_first:
            gc.freeze()

    def load() -> None:
        load_what_comes_next(loaded, lambda: app.call_soon(app.invalidate))
        keep_loaded()
        if load_compiler():
            keep_loaded()
            from papan.game.kernel.cache import remove_old_kernels

            remove_old_kernels()
        else:
            app.call_soon(lambda: app.notify(translated(NO_COMPILER)))

    threading.Thread(target=load, name="compiler", daemon=True).start()


def make_copies_in_background(paths: Sequence[Path]) -> None:
    """Make the day's copies of the databases *paths* beside the window."""

    def copy() -> None:
        for path in paths:
            make_daily_copy(path)

    threading.Thread(target=copy, name="copies", daemon=True).start()


# ------------------------------------------------------------------------------- for the home screen


@dataclass
class _StoredMatch:
    """A match of the library as the home screen shows it."""

    program: Program
    summary: Summary
    title: str
    players: str
    standing: str
    note: str
    when: str
    kept: KeptMatch | None = None
    """The match itself, where something of it is still to be written."""

    def open(self) -> None:
        if self.summary.ending is None:
            if self.kept is not None:
                self.program.sit_down(self.kept.match, self.kept)
            else:
                self.program.resume(self.summary.id)
        elif self.kept is not None:
            self.program.review(self.kept.match)
        else:
            self.program.review_stored(self.summary.id)

    def delete(self) -> None:
        if self.kept is not None and self.kept.held is None:
            self.program.writer.abandon(self.kept)
        else:
            self.program.shelf.delete_with_lines([self.summary.id], lambda: None)


class _StoredMatches:
    """The matches of the library as ``PastMatches``, for the home screen; those that are being written stand first."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._told = 0

    @property
    def changes(self) -> int:
        return self._program.writer.changes

    def unfinished(self, most: int) -> list[_StoredMatch]:
        """The matches that are not over, the one played last first."""
        library = self._program.library
        return self._in_words(self._summaries(lambda wanted: library.unfinished(wanted), most, is_over=False))

    def unfinished_count(self) -> int:
        try:
            return self._program.library.unfinished_count()
        except LibraryError:
            return 0

    def last_finished(self, most: int) -> list[_StoredMatch]:
        """The last finished matches, the latest first."""
        return self._in_words(self._summaries(self._program.library.recent, most, is_over=True))

    def _in_words(self, found: Sequence[tuple[Summary, KeptMatch | None]]) -> list[_StoredMatch]:
        wording, matches = Wording(), []
        for summary, kept in found:
            entry = wording.entry(summary)
            if entry.game is None:
                continue
            if kept is not None:
                self._program.shelf.know(summary, kept.match)
            note = entry.result
            if summary.ending is None and summary.turns is not None:
                note = _("turn {number} · {standing}").format(number=summary.turns + 1, standing=entry.result)
            when = day_in_words(summary.updated)
            matches.append(
                _StoredMatch(self._program, summary, entry.title, entry.players, entry.result, note, when, kept)
            )
        return matches

    def _summaries(
        self, ask: Callable[[int], list[Summary]], most: int, *, is_over: bool
    ) -> list[tuple[Summary, KeptMatch | None]]:
        program = self._program
        waiting = [(kept.summary, kept) for kept in reversed(program.writer.unsaved) if kept.is_closed]
        hidden = {*program.writer.dropped, *program.writer.deleted, *(summary.id for summary, _kept in waiting)}
        found: list[tuple[Summary, KeptMatch | None]] = []
        found += [(summary, kept) for summary, kept in waiting if (summary.ending is not None) == is_over]
        found = [(summary, kept) for summary, kept in found if summary.id not in program.writer.deleted]
        try:
            found += [(summary, None) for summary in ask(most + len(hidden)) if summary.id not in hidden]
        except LibraryError as error:
            program.app.notify(translated(str(error)))
        self._tell_of_unreadable(len(program.library.unreadable))
        return found[:most]

    def _tell_of_unreadable(self, number: int) -> None:
        if number > self._told:
            words = plural(
                "{count} match in the library can't be read and is left as it is.",
                "{count} matches in the library can't be read and are left as they are.",
                number,
            )
            self._program.app.notify(words)
        self._told = number
