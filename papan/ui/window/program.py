"""The program: connects the window, the thinker and the library, and opens one scene from another."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from papan.ai.players import (
    HUMAN,
    LETTER,
    Player,
    PlayerChoice,
    PlayerError,
    PlayerWithSearch,
    choices,
    describe,
    make_player,
    with_time,
)
from papan.ai.thinking.analyst import Analyst
from papan.ai.thinking.thinker import Thinker
from papan.game.base.places import cache_folder, data_folder, make_private_folder
from papan.game.base.sentences import say
from papan.game.catalogue import GALLERY, PLUGINS
from papan.game.formats import ForeignFile, SeveralGames, read_game
from papan.game.formats.reasons import Reasons
from papan.game.formats.source import FormatError, Source, SourceError
from papan.game.game import Game, PartError
from papan.game.match import Match
from papan.game.match.clock import TAG
from papan.game.match.library import Found, Library, LibraryError, LibraryWriter, Origin, SavedMatch, Summary, replay
from papan.game.match.library.reader import read_sums
from papan.online.letterbox import TAG as LETTERS_TAG
from papan.online.letterbox import Arrival, Letterbox
from papan.online.letters import SCHEME, SEATS, SUFFIX, Letter, holds_letter
from papan.ui.boards import BoardError
from papan.ui.drawing.picture_cache import PictureCache
from papan.ui.play.import_export import FoundPosition, position_in, read_record_or_position
from papan.ui.play.library_reader import LibraryReader, StoredMatches
from papan.ui.play.online import ELSEWHERE, Online, can_be_elsewhere, is_invitation
from papan.ui.scenes.dialogs import Message, NotSaved, Waiting, confirm
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.services import Services
from papan.ui.settings import Settings
from papan.ui.texts import _, translated
from papan.ui.texts.manner import person_name
from papan.ui.texts.wording import only_person, you
from papan.ui.window import system
from papan.ui.window.app import App
from papan.ui.window.background import back_up_in_background, load_in_background
from papan.ui.window.loudspeaker import Loudspeaker
from papan.ui.window.screen_reader import ScreenReader
from papan.ui.window.speech import Speaker

if TYPE_CHECKING:
    from collections import deque
    from datetime import date

    from papan.game.puzzles import Puzzle
    from papan.game.rules import State
    from papan.online.guest import Link
    from papan.online.protocol import HostMessage
    from papan.ui.play.milestones import Milestone
    from papan.ui.play.online_session import Hosting
    from papan.ui.scenes.position_editor import PositionScene
    from papan.ui.scenes.review.scene import ReviewScene
    from papan.ui.scenes.table import TableScene

log = logging.getLogger(__name__)

T = TypeVar("T")

SWITCH_SECONDS = 0.002
"""Python's thread switch interval: an eighth of a frame."""
LONG_SECONDS = 0.4
"""Seconds after which a person should see that something is being read."""
_NAME_TAG = "Person"
_LINK_SECONDS = 0.1
"""Between two looks at a connection that was just lost."""
_QUIT_TIMEOUT = 1.0
_SAVING_TIMEOUT = 2.0
"""Seconds that closing the window waits for unsaved matches."""


def _puzzle_of_day(day: date, most_grade: int) -> Puzzle | None:
    """Read the puzzle of *day*, up to a grade, after importing what its card needs; called on another thread."""
    import papan.ui.scenes.puzzles  # noqa: F401
    from papan.ui.play.puzzle_practice import read_puzzle_of

    return read_puzzle_of(day, most_grade)


class Program:
    """Everything that lives as long as the window."""

    def __init__(
        self,
        settings: Settings | None = None,
        size: tuple[int, int] | None = None,
        loudspeaker: Loudspeaker | None = None,
        speaker: Speaker | None = None,
        screen_reader: ScreenReader | None = None,
    ) -> None:
        """:param loudspeaker: plays sounds; None for silence.
        :param speaker: speaks; None for no speech.
        :param screen_reader: as for ``App``.
        :raises papan.ui.window.display.NoDisplay: no usable display.
        """
        sys.setswitchinterval(SWITCH_SECONDS)
        try:
            make_private_folder(data_folder())
        except OSError as error:  # opening the files in it will say why
            log.info("The folder for data can't be made: %s", error)
        system.limit_heap()
        self.app = App(
            settings,
            size,
            take_file=self.open_record_file,
            paste=self.paste,
            loudspeaker=loudspeaker,
            speaker=speaker,
            screen_reader=screen_reader,
        )
        self.thinker = Thinker()
        self.analyst = Analyst()
        self._letterbox = Letterbox()
        self._reading: Waiting | None = None
        self._is_compiling = False
        self._pictures = PictureCache(cache_folder() / "pictures")
        self._are_drawn = threading.Event()
        """Whether the home screen's pictures have been drawn once."""
        self._drawable: set[str] = set()
        """The names of the games whose boards are imported in the background."""
        self._loaded: set[str] = set()
        """The names of the games imported in the background."""
        self.library = Library()
        self.writer = LibraryWriter(
            self.library.path,
            tell=lambda sentence: self.app.call_soon(lambda: self.app.notify(sentence)),
        )
        self.library_reader = LibraryReader(self.writer, self.app.call_soon, self._letterbox)
        self.online = Online(self.app.call_soon)
        self.services = self._services()
        app = self.app
        app.after_first_frame.append(self._load_in_background)
        app.after_first_frame.append(self._count_milestones)
        app.after_first_frame.append(self._tidy_letters)
        app.after_first_frame.append(lambda: back_up_in_background([self.library.path, app.settings.path]))
        app.may_quit.append(self._may_quit)
        app.before_quit.append(self._close)
        if self.library.notice:
            app.notify(self.library.notice)
        if self.library.is_in_memory:
            self.writer.find_file()  # so that the home screen shows its matches once it can be opened
        for fault in PLUGINS.faults:
            app.notify(fault)
        app.push(HomeScene(app, self.services))

    def _services(self) -> Services:
        return Services(
            StoredMatches(self.library, self.library_reader, self.open_match, self.app.notify),
            self.analyst,
            lambda game: player_choices(game, self.app.settings.move_seconds),
            self._asking(self.start_match),
            expect_match=self.expect_match,
            go_on_with=self._asking(self.go_on_with),
            library_reader=self.library_reader,
            branch_off=self._asking(self.go_on_with),
            open_match=self.resume,
            review_match=self.review_stored,
            show_match=lambda match, turns: self.review(match).go_to(turns),
            online=self.online,
            sit_at=self.sit_at,
            paste=self.paste,
            read_sums=lambda: read_sums(self.library.path, HUMAN),
            count_milestones=self._count_milestones,
            puzzle_of_day=_puzzle_of_day,
            picture_cache=self._pictures,
            pictures_drawn=self._pictures_drawn,
            is_drawable=lambda game: game.name in self._drawable,
            is_loaded=lambda game: game.name in self._loaded,
            advises=True,
        )

    @property
    def is_reading(self) -> bool:
        """Whether a requested match or record is being read."""
        return self._reading is not None

    def _load_in_background(self) -> None:
        app = self.app
        if not isinstance(app.scene, HomeScene):  # covered, it draws nothing
            self._are_drawn.set()
        load_in_background(self._drawable, self._loaded, self._are_drawn, app.call_soon, app.invalidate, app.notify)

    def _pictures_drawn(self) -> None:
        self._are_drawn.set()
        self._pictures.save(self.services.replayer.submit)

    def _count_milestones(self) -> None:
        """Count the milestones on another thread, once everything is saved."""
        from papan.ui.play.milestones import milestones_of

        puzzles, days = self.app.settings.puzzles_solved, self.app.settings.last_days_in_a_row

        def work() -> None:
            self.writer.flush(_SAVING_TIMEOUT)
            try:
                found = milestones_of(read_sums(self.library.path, HUMAN), puzzles, days)
            except LibraryError as error:
                log.info("Milestones can't be counted: %s", error)
            else:
                self.app.call_soon(lambda: self._tell_milestones(found))

        self.services.replayer.submit(work)

    def _tidy_letters(self) -> None:
        """Delete the letters of deleted matches, on another thread."""

        def find_known() -> set[str] | None:
            self.writer.flush(_SAVING_TIMEOUT)
            library = Library(self.library.path)
            try:
                return None if library.is_in_memory else library.letters()
            except LibraryError as error:
                log.info("The letters can't be compared with the library: %s", error)
                return None
            finally:
                library.close()

        self.services.replayer.submit(lambda: self._letterbox.tidy(find_known))

    def _tell_milestones(self, found: Sequence[Milestone]) -> None:
        """Keep the milestones just reached, and tell of them; the first time, they are kept in silence."""
        from papan.ui.play.milestones import newly_reached, notice_of

        settings = self.app.settings
        kept = settings.milestones
        reached = newly_reached(found, kept or ())
        settings.milestones = [*(kept or ()), *(one.key for one in reached)]
        if reached and kept is not None:
            self.app.notify(notice_of(reached))

    def start_match(
        self,
        game: Game,
        players: Sequence[str],
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        time_control: str = "",
        position: str | None = None,
    ) -> TableScene:
        """Start a new match, from *position* if given, and show its table.

        :param time_control: as in records; "" for no clock.

        :raises OptionError: an option or a number of players that the game does not have.
        :raises PositionError: *position* is not a position.
        :raises papan.ai.players.PlayerError: unknown player.
        """
        match = Match.new(game, players, options, seed, position)
        if time_control and LETTER not in players:
            match.tags[TAG] = time_control
        if person_name() and only_person(players) is not None:
            match.tags[_NAME_TAG] = person_name()
        if LETTER in players:
            from papan.ui.play.letter_session import check_seats

            check_seats(game, players)
        return self.sit_down(match)

    def expect_match(self, game: Game, players: Sequence[str], options: Mapping[str, str]) -> None:
        """Have the computer players of a match that may begin soon compiled."""

        def make() -> Iterator[tuple[Player, State]]:
            state = Match.new(game, players, options).state
            for name in {*players} - {HUMAN, LETTER, ELSEWHERE}:
                player = make_player(name, game, compact=True)
                if isinstance(player, PlayerWithSearch):
                    yield player, state

        self.thinker.expect(make)

    def open_match(self, summary: Summary, kept: SavedMatch | None) -> None:
        """Resume a match, or review it if it is over.

        :param kept: the match itself, if part of it is not written yet.
        """
        if summary.ending is None or LETTER in summary.seats:  # the last move may not be sent yet
            if kept is not None:
                self.sit_down(kept.match, kept)
            else:
                self.resume(summary.id)
        elif kept is not None:
            self.review(kept.match)
        else:
            self.review_stored(summary.id)

    def resume(self, match_id: int) -> None:
        for kept in self.writer.unsaved:  # it may not be written completely
            if kept.held is not None and kept.held.id == match_id:
                self.sit_down(kept.match, kept)
                return

        def make(match: Match, found: Found) -> tuple[SavedMatch, Letter | None]:
            last = self._last_letter(match)
            return self.writer.resume(match, found.stored, is_taken=found.is_taken), last

        self._open_stored(match_id, make, lambda made: self.sit_down(made[0].match, *made))

    def review_stored(self, match_id: int, turns: int | None = None) -> None:
        """Review a match of the library, at its end or after so many *turns*; show a message if that fails."""

        def show(match: Match) -> None:
            review = self.review(match, match_id)
            if turns is not None:
                review.go_to(turns)

        self._open_stored(match_id, lambda match, _found: match, show)

    def _open_stored(self, match_id: int, make: Callable[[Match, Found], T], show: Callable[[T], object]) -> None:
        """Replay a match of the library, and call *show* with what *make* returns for it.

        :param make: called on another thread, because a long match takes a while.
        """

        def refuse(error: ValueError) -> None:
            self.app.push(Message(self.app, _("This match can't be opened"), translated(str(error)), icon="warning"))

        try:
            found = self.library.find(match_id, self.writer.name)
        except LibraryError as error:
            refuse(error)
            return

        def answer(made: T) -> None:
            try:
                show(made)
            except ValueError as error:  # no board, or an unknown player
                refuse(error)

        self._read(lambda: make(replay(found.stored), found), answer, refuse, _("Long matches take a moment."))

    def paste(self) -> None:
        """Open the record or the position on the clipboard above the current scene, which stays below."""
        text = self.app.clipboard_text()
        if text.strip():
            self.open_record(text)
        else:
            self.app.notify(say("There is no text on the clipboard: copy a match's record or a position first."))

    def open_record(self, text: str) -> None:
        """Review the match whose record is *text*, or set up the position *text*.

        Several records are imported into the library. If it is neither, a message says why. An invitation to a
        friend's table leads to where it is joined.
        """
        if is_invitation(text):
            self.join(text)
            return
        doubtful: list[Reasons] = []
        self._open(
            lambda: self._letterbox.open(text) if holds_letter(text) else read_record_or_position(text, doubtful),
            _("This can't be opened"),
            doubtful,
        )

    def open_record_file(self, path: str) -> None:
        """Review the match whose record is in the file *path*; show a message if there is none.

        Several records are imported into the library; so is a single one while the library is shown. *path* may also be
        the link of an invitation.
        """
        if is_invitation(path):
            self.join(path)
            return
        from papan.ui.scenes.library.scene import LibraryScene

        if path.lower().startswith(SCHEME):  # macOS passes a link so, and Linux as the program's word
            self.open_record(path)
            return
        if isinstance(self.app.scene, LibraryScene) and not path.endswith(SUFFIX):
            self.app.scene.take_file(path)
            return

        doubtful: list[Reasons] = []

        def read() -> Match | FoundPosition | Arrival:
            source = Source(Path(path))
            doubtful.append(source.notes)
            text = source.head.decode("utf-8", "replace")
            is_letter = path.endswith(SUFFIX) or (holds_letter(text) and not text.startswith("["))
            if is_letter:
                return self._letterbox.open(text)
            try:
                return read_game(source, list(GALLERY.values()))
            except (SeveralGames, ForeignFile):
                raise
            except FormatError:
                position = position_in(text) if source.size == len(source.head) else None
                if position is None:
                    raise
                return position

        self._open(read, _("This file can't be read"), doubtful, Path(path).name)

    def _open(
        self,
        read_match: Callable[[], Match | FoundPosition | Arrival],
        trouble: str,
        doubtful: Sequence[Reasons],
        name: str = "",
    ) -> None:
        """Show the match or position that *read_match* returns; it is called on another thread.

        :param trouble: the title of the message if there is none.
        :param doubtful: what is doubtful about what was read, once it is.
        :param name: of the file that is read.
        """

        def refuse(error: ValueError) -> None:
            if isinstance(error, SeveralGames):
                from papan.ui.scenes.library.scene import LibraryScene

                library = LibraryScene(self.app, self.services, self.library_reader)
                self.app.push(library)
                library.import_records(error.source)
                return
            reason = str(error)
            if name and not isinstance(error, SourceError):
                reason = say("{file}: {reason}", file=name, reason=reason)
            self.app.push(Message(self.app, trouble, translated(reason), icon="warning"))

        def show(found: Match | FoundPosition | Arrival) -> None:
            try:
                if not isinstance(found, (Match, FoundPosition)):
                    self._show_letter(found)
                elif isinstance(found, Match) and found.steps:
                    self.review(found)
                elif isinstance(found, Match):
                    self.set_up(FoundPosition(found.game, found.options, found.rules.text(found.state)))
                else:
                    self.set_up(found)
            except (BoardError, PartError, FormatError) as error:
                self.app.push(Message(self.app, _("This match can't be shown"), translated(str(error)), icon="warning"))
                return
            if notes := [translated(note) for notes in doubtful for note in notes.told()]:
                self.app.push(Message(self.app, _("Read with doubts"), "\n".join(notes), icon="warning"))

        self._read(read_match, show, refuse, _("Long records and slow disks take a moment."))

    def _read(
        self, read: Callable[[], T], show: Callable[[T], object], refuse: Callable[[ValueError], object], patience: str
    ) -> None:
        """Call *read* on another thread, then *show* or *refuse*, unless the player has left the scene.

        :param patience: the sentence that says why it takes long.
        """
        if isinstance(self.app.scene, Waiting):
            self.app.pop()
        asked_in = self.app.scene
        waiting = self._reading = Waiting(self.app, _("Reading …"), patience, self._stop_reading)

        def is_wanted() -> bool:
            return self._reading is waiting and self.app.scene in (asked_in, waiting)

        def wait() -> None:
            if is_wanted():
                self.app.push(waiting)

        def end(act: Callable[[], object]) -> None:
            if is_wanted():
                self._reading = None
                self.app.pop(waiting)
                act()
            elif self._reading is waiting:
                self._reading = None

        def fail(error: BaseException) -> None:
            raise error

        timer = threading.Timer(LONG_SECONDS, lambda: self.app.call_soon(wait))
        timer.daemon = True

        def work() -> None:
            act: Callable[[], object]
            try:
                act = partial(show, read())
            except (FormatError, LibraryError) as error:
                act = partial(refuse, error)
            except BaseException as error:
                log.exception("What was asked for can't be read")
                act = partial(fail, error)
            timer.cancel()
            self.app.call_soon(lambda: end(act))

        timer.start()
        threading.Thread(target=work, name="record", daemon=True).start()

    def _stop_reading(self) -> None:
        self._reading = None

    def set_up(self, found: FoundPosition) -> PositionScene:
        """Show the position editor with the position *found*.

        :raises papan.ui.boards.BoardError: its game has no board to show.
        :raises papan.game.game.PartError: the game's editor can't be loaded.
        """
        from papan.ui.scenes.new_game.scene import set_up_position

        return set_up_position(self.app, found.game, found.options, found.text, self.services)

    def review(self, match: Match, number: int | None = None) -> ReviewScene:
        """Review *match*, on top of the current scene.

        :raises papan.ui.boards.BoardError: its game has no board to show.
        """
        from papan.ui.scenes.review.scene import ReviewScene

        review = ReviewScene(self.app, match, services=self.services, number=number)
        self.app.push(review)
        return review

    def _last_letter(self, match: Match) -> Letter | None:
        """The last letter of *match*, if it is played by letter; raises LetterError."""
        return self._letterbox.last(match.tags.get(LETTERS_TAG, "")) if LETTER in match.seats else None

    def _show_letter(self, arrival: Arrival) -> None:
        """Show the table of the match of a letter, where its last turn is played."""
        from papan.ui.play.letter_session import LetterSession, match_of
        from papan.ui.scenes.table import TableScene

        letter, standing = arrival
        kept = _("The letter is kept: its match waits at home, below “Continue playing”.")
        shown = next((scene for scene in self.app.scenes if isinstance(scene, TableScene)), None)
        session = shown.session if shown is not None else None
        number = self.library.with_tag(LETTERS_TAG, letter.match_id)
        unsaved = [one for one in self.writer.unsaved if one.match.tags.get(LETTERS_TAG) == letter.match_id]
        if shown is not None and isinstance(session, LetterSession) and session.match_id == letter.match_id:
            while self.app.scene is not shown:
                self.app.pop()
            if standing == "new":
                session.receive(letter)
                self.app.rebuild(shown)
        elif unsaved:
            self._leave_for(lambda: self.sit_down(unsaved[0].match, unsaved[0]), kept)
        elif number is not None:
            self._leave_for(lambda: self.resume(number), kept)
        elif standing != "own":
            last = self._letterbox.last(letter.match_id) or letter
            match = match_of(last, 1 - letter.sender, is_shown=not self._leaving)
            saved = self.writer.begin(match)
            saved.open()  # the person may stay here
            saved.close()
            self._leave_for(lambda: self.sit_down(match, saved, last), kept)
        if standing == "answered":
            self.app.notify(say("This letter is answered already. Here is the match as it stands."))
        elif standing == "own":
            self.app.notify(say("This letter is yours: your friend opens it, and answers with another one."))

    @property
    def _leaving(self) -> str:
        """What a person leaves if another table is shown now; "" for nothing."""
        return next((scene.leaving for scene in reversed(self.app.scenes) if scene.leaving), "")

    def _asking(self, begin: Callable[..., object]) -> Callable[..., object]:
        """*begin*, which shows another table; where people elsewhere wait it comes after a question."""

        def ask(*arguments: Any, **more: Any) -> object:
            left = next((scene.leaving for scene in self.app.scenes if scene.has_company), "")
            if not left:
                return begin(*arguments, **more)
            return confirm(
                self.app, _("Leave the table?"), left, _("Leave"), lambda: begin(*arguments, **more), _("Stay")
            )

        return ask

    def _leave_for(self, act: Callable[[], object], why: str) -> None:
        """Do *act*, which leaves what is shown, after a question if something is left.

        :param why: what the person has opened.
        """
        if not self._leaving:
            act()
            return
        text = f"{why}\n{self._leaving}"
        confirm(self.app, _("Leave the table?"), text, _("Leave"), act, _("Stay"))

    def go_on_with(self, match: Match, origin: Origin | None = None) -> TableScene | None:
        """Show the table of *match*, or a message if one of its players can't be created."""
        if LETTER in match.seats:  # it branches off from what the letters tell
            match.seats = [HUMAN] * len(match.seats)
            match.tags.pop(LETTERS_TAG, None)
        try:
            return self.sit_down(match, self.writer.begin(match, origin))
        except PlayerError as error:
            self.app.push(Message(self.app, _("This match can't be played on"), translated(str(error)), icon="warning"))
            return None

    def sit_down(self, match: Match, kept: SavedMatch | None = None, last: Letter | None = None) -> TableScene:
        """Show the table of *match*, directly above the home screen.

        :param kept: *match* in the library, if it is there already.
        :param last: its last letter, if it is played by letter.
        :raises PlayerError: a seat has the name of no player.
        """
        from papan.ui.play.session import Session
        from papan.ui.scenes.table import TableScene
        from papan.ui.settings import COMPUTER_SPEEDS

        settings = self.app.settings
        make: Callable[..., Session] = Session
        if LETTER in match.seats:
            from papan.ui.play.letter_session import LetterSession, begin_letters

            if kept is None:
                begin_letters(match)
            make = partial(LetterSession, letterbox=self._letterbox, last=last or self._last_letter(match))
        session = make(
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
        settings.first_steps = False  # offer a lesson only before the first match
        self.app.go_to(table)
        return table

    def sit_at(self, link: Link, hosting: Hosting | None = None) -> TableScene | None:
        """Show the table of *link*, whose first round has come, directly above the home screen; None if that must wait.

        :param hosting: the host's alone.
        """
        from collections import deque

        from papan.online.protocol import Round

        came = deque(link.poll())
        while came and not isinstance(came[0], Round):
            came.popleft()
        if came:
            return self._show_round(link, came, hosting)
        if link.state.standing != "ended":  # the connection was just lost: the round comes again

            def sit() -> None:
                self.sit_at(link, hosting)

            timer = threading.Timer(_LINK_SECONDS, lambda: self.app.call_soon(sit))
            timer.daemon = True
            timer.start()
        return None

    def _show_round(self, link: Link, came: deque[HostMessage], hosting: Hosting | None) -> TableScene | None:
        """Show the round that *came* begins with; the parameters are those of ``OnlineSession``."""
        from papan.game.catalogue import find
        from papan.online.mirror import UntrueError
        from papan.ui.play.online_session import OnlineSession
        from papan.ui.scenes.table import TableScene

        settings = self.app.settings

        def begin_next(old: OnlineSession) -> None:
            def show() -> None:
                self._show_round(link, old.came, hosting)

            self.app.call_soon(show)

        assert link.welcome is not None
        try:
            session = OnlineSession(
                find(link.welcome.game), link, came, self.thinker, hosting=hosting,
                begin_saving=self._begin_saving, begin_next=begin_next, checker=self.services.replayer,
                confirms_turns=lambda: settings.confirm_turns,
            )  # fmt: skip
            table = TableScene(self.app, session, self.services)
        except (UntrueError, BoardError, LookupError) as error:
            link.close()
            title = _("This match can't be shown")
            self.app.push(Message(self.app, title, translated(str(error)), icon="warning"))
            return None
        self.app.go_to(table)
        return table

    def _begin_saving(self, match: Match, is_late: bool) -> SavedMatch | None:
        """Begin to save the finished *match* with people elsewhere; None if it is in the library already.

        :param is_late: whether that may be.
        """
        from papan.game.formats.importing import KnownMatches, new_match

        if person_name():
            match.tags[_NAME_TAG] = person_name()
        if is_late:
            self.writer.flush(_SAVING_TIMEOUT)
            known = KnownMatches(self.library.path)
            is_known = known.has(new_match(match))
            known.close()
            if is_known:
                return None
        self.app.call_soon(self._count_milestones)
        return self.writer.begin(match)

    def join(self, text: str = "") -> None:
        """Show where a friend's table is joined, by the code or link *text* if there is one."""
        from papan.ui.scenes.join import JoinScene

        why = _("The link leads to a friend's table.")
        self._leave_for(lambda: self.app.push(JoinScene(self.app, self.services, text)), why)

    def run(self) -> None:
        """Show the window until it is closed. Ends the process if a compilation is still running."""
        with system.on_termination_signal(lambda: self.app.call_soon(self.app.quit)):
            self.app.run()
        have_ended = [worker.close(_QUIT_TIMEOUT) for worker in self.services.workers]
        if self._is_compiling or not all(have_ended):
            # A compilation can't be interrupted, and Python can't exit normally during one.
            log.info("The program ends while a kernel is being compiled.")
            from papan.ai.engines.process import end_all

            end_all()
            logging.shutdown()
            os._exit(0)

    def _may_quit(self) -> bool:
        """Whether everything is saved; if not, show a dialog that says what is missing."""
        self.writer.flush(_SAVING_TIMEOUT)
        unsaved = self.writer.unsaved
        if not unsaved or isinstance(self.app.scene, NotSaved):
            return not unsaved
        self.app.push(NotSaved(self.app, unsaved, self.app.quit, self.app.quit_at_once))
        return False

    def _close(self) -> None:
        self.online.close()
        ended = [self.thinker.close(_QUIT_TIMEOUT), self.analyst.close(_QUIT_TIMEOUT)]
        self._is_compiling = not all(ended)
        if not self.writer.close(_SAVING_TIMEOUT):
            log.warning("The library is still being written while the window closes.")
        if not self.library_reader.close(_QUIT_TIMEOUT):
            log.warning("The library is still being read while the window closes.")
        self.library.close()


def player_choices(game: Game, move_seconds: float) -> list[PlayerChoice]:
    """The choices for a seat of *game*: a person, and every computer player.

    :param move_seconds: seconds a move for players with a time limit; shown if not the default.
    """
    offered = [PlayerChoice(HUMAN, you(), _("a person"))]
    if can_be_elsewhere(game):
        offered.append(PlayerChoice(ELSEWHERE, _("A friend online"), _("by a code that you send")))
    friends = [describe(LETTER, game)] if SEATS in game.seats else []
    for choice in (*friends, *choices(game)):
        choice = describe(with_time(choice.name, move_seconds, game), game)
        offered.append(PlayerChoice(choice.name, translated(choice.label), translated(choice.note)))
    return offered
