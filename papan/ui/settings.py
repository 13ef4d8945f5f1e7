"""The player's settings, stored in a small SQLite file in the data folder.

Reading never fails: a damaged file is repaired as far as possible, and an invalid value is replaced by its default,
both with a notice. A failed write is tried again at the next change and when the settings are closed.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeGuard, TypeVar, overload

from papan.ai.players.levels import NAMED_LEVELS, PLAYER_LEVELS
from papan.game.base import database
from papan.game.base.places import SETTINGS_FILE, data_folder
from papan.game.base.sentences import say
from papan.game.base.sqlite import DATABASE_ERRORS, in_words, transaction
from papan.ui.drawing.faces import PERSON_FACES
from papan.ui.drawing.theme import BACKGROUNDS, PLAIN, SCALES, THEMES
from papan.ui.texts import ENGLISH, N_, _, languages, translated

if TYPE_CHECKING:
    from papan.online.host import Reach

log = logging.getLogger(__name__)

T = TypeVar("T")

FILE_NAME = SETTINGS_FILE
SYSTEM = "system"
"""The value of a setting that follows the system's setting."""
WITH_WINDOW = 0.0
"""The scale that grows with the window."""
ANIMATION_SPEEDS = {"off": 0.0, "slow": 0.5, "normal": 1.0, "fast": 2.0}
"""The speed of animations, as a factor of normal; 0: none."""
COMPUTER_SPEEDS = {"slow": 1.6, "normal": 0.45, "fast": 0.1, "at once": 0.0}
"""The speed of computer play: the least seconds of thinking before a move."""
COMPUTER_ANIMATIONS = {"slow": 0.6, "normal": 1.0, "fast": 2.0, "at once": 0.0}
"""For each of these the speed of the animation of computer moves, relative to ``ANIMATION_SPEEDS``; 0: none."""
WORDS, NOTATION = "words", "notation"
"""How turns are shown."""
VOLUMES = {"quiet": 0.25, "normal": 0.5, "loud": 1.0}
"""The volume of sounds, as a share of the loudest."""
MOVE_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""The choices for a computer player's seconds a move."""

CANNOT_BE_WRITTEN = N_("The settings can't be saved ({reason}). They apply until you close the window.")

LONGEST_PERSON_NAME = 20
_MOST_ENTRIES = 100
_LONGEST_TEXT = 10_000
"""The most characters of a text; the longest is a start position."""
_LARGEST_NUMBER = 1e15
_LONGEST_NAME = 40  # in a notice
_MIGRATIONS = (
    ("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) -- JSON",),
    (  # three levels became eight
        """
        INSERT OR IGNORE INTO settings SELECT 'opponent',
        CASE value WHEN '"easy"' THEN '2' WHEN '"hard"' THEN '8' ELSE '4' END FROM settings WHERE name = 'level'
        """,
        "DELETE FROM settings WHERE name = 'level'",
    ),
    ("""UPDATE settings SET value = '"level:' || value || '"' WHERE name = 'opponent'""",),
)


class Setting(Generic[T]):
    """An attribute of ``Settings``: its default, its validation, and the name under which it is stored."""

    def __init__(self, default: T, is_valid: Callable[[object], TypeGuard[T]]) -> None:
        self.default = default
        self.is_valid = is_valid
        self.name = ""

    def __set_name__(self, owner: type[Settings], attribute: str) -> None:
        self.name = attribute.replace("_", " ")

    @overload
    def __get__(self, settings: None, owner: type[Settings]) -> Self: ...

    @overload
    def __get__(self, settings: Settings, owner: type[Settings]) -> T: ...

    def __get__(self, settings: Settings | None, owner: type[Settings]) -> Self | T:
        return self if settings is None else settings.value(self)

    def __set__(self, settings: Settings, value: T) -> None:
        settings.change(self, value)


def _one_of(*values: T) -> Callable[[object], TypeGuard[T]]:
    def is_valid(value: object) -> TypeGuard[T]:
        return any(value == one and type(value) is type(one) for one in values)  # 1 is neither True nor 1.0

    return is_valid


_is_switch = _one_of(True, False)


def _is_language(value: object) -> TypeGuard[str]:
    return value in (SYSTEM, ENGLISH) or value in languages()  # checked strictly: it becomes part of a path


def _is_size(value: object) -> TypeGuard[list[int] | None]:
    if value is None:
        return True
    return isinstance(value, list) and len(value) == 2 and all(type(side) is int and 0 < side < 20000 for side in value)


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= _LONGEST_TEXT


def _is_name(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= LONGEST_PERSON_NAME and (not value or value.isprintable())


def _dictionary_of(is_valid: Callable[[object], TypeGuard[T]]) -> Callable[[object], TypeGuard[dict[str, T]]]:
    def is_valid_dictionary(value: object) -> TypeGuard[dict[str, T]]:
        if not isinstance(value, dict) or len(value) > _MOST_ENTRIES:
            return False
        return all(_is_text(name) and is_valid(one) for name, one in value.items())

    return is_valid_dictionary


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST_NUMBER


def _is_text_or_number(value: object) -> TypeGuard[str | float]:
    return _is_text(value) or (isinstance(value, int | float) and abs(value) <= _LARGEST_NUMBER)


def _is_choice(value: object) -> TypeGuard[Any]:
    """Whether *value* is a text or number, or a small list or dictionary of these."""
    if isinstance(value, list):
        return len(value) <= _MOST_ENTRIES and all(_is_text_or_number(one) for one in value)
    return _is_text_or_number(value) or _dictionary_of(_is_text_or_number)(value)


def _are_days(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and len(value) <= _MOST_ENTRIES and all(_is_text(day) for day in value)


def _are_texts_or_none(value: object) -> TypeGuard[list[str] | None]:
    return value is None or _are_days(value)


def _is_span(value: object) -> TypeGuard[list[str]]:
    """Whether *value* is empty, or two days in ISO format, not the later one first."""
    if not _are_days(value) or len(value) not in (0, 2):
        return False
    try:
        days = [date.fromisoformat(day) for day in value]
    except ValueError:
        return False
    return days == sorted(days)


_are_words = _dictionary_of(_is_text)
_are_numbers = _dictionary_of(_is_number)
_are_choices = _dictionary_of(_is_choice)
_GAME_PREFIX = "game/"
_ONE_DAY = timedelta(days=1)
HARDEST = 5
"""The grade of the hardest puzzles: the last of ``papan.game.puzzles.GRADES``, which takes long to import."""
_FIRST_GRADE, _DAYS_A_GRADE = 2, 3
"""The highest grade of a newcomer's puzzle of the day, and the days with a solved puzzle until the next grade."""


def _mend(connection: sqlite3.Connection, _orphans: database.Orphans) -> str:
    [count] = connection.execute("SELECT count(*) FROM settings").fetchone()
    return f"{count} settings were saved." if count else "The settings are back to their defaults."


def _accept(_table: str, row: Mapping[str, object]) -> bool:
    try:
        json.loads(str(row["value"]))
    except (ValueError, RecursionError):
        return False
    return True


class Settings:
    """The settings, read at the start and each written when it changes.

    Setting an attribute to an invalid value raises ``ValueError``.
    """

    theme = Setting[str](SYSTEM, _one_of(SYSTEM, *THEMES))
    background = Setting[str](PLAIN, _one_of(PLAIN, *BACKGROUNDS))
    scale = Setting[float](WITH_WINDOW, _one_of(WITH_WINDOW, *SCALES))
    language = Setting[str](SYSTEM, _is_language)
    animation = Setting[str](SYSTEM, _one_of(SYSTEM, *ANIMATION_SPEEDS))
    """``SYSTEM`` means normal, or off if the system asks for reduced motion."""
    sound = Setting[bool](True, _is_switch)
    volume = Setting[str]("normal", _one_of(*VOLUMES))
    speech = Setting[bool](False, _is_switch)
    """Whether turns and the focused widget are spoken."""
    show_legal_steps = Setting[bool](True, _is_switch)
    confirm_turns = Setting[bool](False, _is_switch)
    asks_tension = Setting[bool](False, _is_switch)
    """Whether to ask after a person's turn how tense it was; the answers stay in a file of the data folder."""
    computer_speed = Setting[str]("normal", _one_of(*COMPUTER_SPEEDS))
    analysis = Setting[bool](False, _is_switch)
    moves = Setting[str](WORDS, _one_of(WORDS, NOTATION))
    """How turns are shown."""
    engine_details = Setting[bool](False, _is_switch)
    """Whether the numbers of engines are shown: depths, nodes, scores, proof numbers."""
    chance_by_proof = Setting[bool](False, _is_switch)
    """Whether winning chances come from proof numbers, if there are any, instead of the search. It takes effect with
    engine details."""
    person_name = Setting[str]("", _is_name)
    """The name of the person; "" for "You"."""
    person_face = Setting[str]("", _one_of("", *PERSON_FACES))
    """The face of the person; "" for none in particular."""
    online_name = Setting[str]("", _is_name)
    """The person's name for friends at other screens; "" before it was asked for."""
    online_reach: Setting[Reach] = Setting("local network", _one_of("this machine", "local network", "anywhere"))
    """From where friends can come to this program's tables. The window offers the last two."""
    online_address = Setting[str]("", _is_text)
    """This computer's address, or name, for friends outside; "" for none."""
    opponent = Setting[str](NAMED_LEVELS[0].player, _one_of(*(one.player for one in (*NAMED_LEVELS, *PLAYER_LEVELS))))
    first_steps = Setting[bool](True, _is_switch)
    """Whether to offer a lesson to a new player."""
    lessons = Setting[Mapping[str, str]]({}, _are_words)
    """By game, "done" for a lesson whose every step was gone through, or the index of the step to go on at."""
    lesson_steps = Setting[Mapping[str, str]]({}, _are_words)
    """By game the indices of the steps gone through of a lesson that is not done, as in ``0 1 4``."""
    daily_streak = Setting[list[str]]([], _is_span)
    """The first and the last day, in ISO format, of the days in a row on which the day's puzzle was solved."""
    move_seconds = Setting[float](1.0, _one_of(*MOVE_SECONDS))
    clocks = Setting[Mapping[str, str]]({}, _are_words)
    """By match, the seconds left to each seat of an unfinished match with a clock."""
    best_scores = Setting[Mapping[str, float]]({}, _are_numbers)
    """By game and options, the best score of a single-player game."""
    board_styles = Setting[Mapping[str, str]]({}, _are_words)
    """By game, the names of the chosen styles of its board, separated by spaces; see ``BoardView.styles``."""
    laboratory = Setting[dict[str, Any]]({}, _are_choices)
    """The last experiment of the laboratory; it has the key ``begun`` if it was started."""
    solved_puzzles = Setting[Mapping[str, str]]({}, _are_words)
    """By game, the digests of the solved puzzles, separated by spaces."""
    milestones = Setting[list[str] | None](None, _are_texts_or_none)
    """The keys of the milestones reached; None before they were first counted."""
    puzzle_days = Setting[list[str]]([], _are_days)
    """The first days on which a puzzle was solved, in ISO format: they decide how hard the puzzle of a day is."""
    folder = Setting[str]("", _is_text)
    """The last folder in the file chooser; "" for none."""
    window_size = Setting[list[int] | None](None, _is_size)
    """Width and height in real pixels; None before the first window."""
    fullscreen = Setting[bool](False, _is_switch)

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or data_folder()) / FILE_NAME
        self._values: dict[str, object] = {}
        self._changed: set[str] = set()
        self._unwritten: dict[str, str] = {}
        self._connection, notice = database.open_database(self.path, _MIGRATIONS, mend=_mend, accept=_accept)
        self._files = database.Files.at(self.path)
        self.notices = [notice] if notice else []
        """Sentences for the player: what was wrong with the file, and what was done."""
        self.tell: Callable[[str], object] = self.notices.append
        """Called with a sentence for the player if settings can't be written; once, until they can be again."""
        self._has_told = not database.is_kept(self._connection)
        self._read()

    def value(self, setting: Setting[T]) -> T:
        value = self._values.get(setting.name, setting.default)
        return value if setting.is_valid(value) else setting.default

    def change(self, setting: Setting[T], value: T) -> None:
        """Set *setting*, and write it.

        :raises ValueError: an invalid value.
        """
        if not setting.is_valid(value):
            raise ValueError(f"The setting '{setting.name}' can't be {value!r}.")
        self._store(setting.name, value)

    def game_choices(self, game: str) -> dict[str, Any]:
        """The choices for the last match of *game*, by name; empty if there was none.

        Values are texts, numbers, or lists or dictionaries of these; the caller checks whether they suit the game.
        """
        choices = self._values.get(_GAME_PREFIX + game)
        return dict(choices) if _are_choices(choices) else {}

    def save_game_choices(self, game: str, choices: Mapping[str, Any]) -> None:
        """Save *choices* for the next match of *game*, if they have the form that ``game_choices`` returns."""
        if _are_choices(choices):
            self._store(_GAME_PREFIX + game, dict(choices))
        else:
            log.warning("The choices for %s can't be saved: %.200r", game, choices)

    def solved_puzzles_of(self, game: str) -> frozenset[str]:
        """The digests of the solved puzzles of *game*."""
        return frozenset(self.solved_puzzles.get(game, "").split())

    def mark_solved(self, game: str, digest: str, today: date | None = None) -> None:
        """Mark a puzzle as solved; if the list gets too long, the oldest are dropped."""
        day, days = (today or date.today()).isoformat(), self.puzzle_days
        is_counted = bool(days) or not any(self.solved_puzzles.values())
        if is_counted and day not in days and len(days) <= _DAYS_A_GRADE * HARDEST:
            self.puzzle_days = [*days, day]
        known = self.solved_puzzles.get(game, "").split()
        if digest not in known:
            text = " ".join([*known, digest])
            while len(text) > _LONGEST_TEXT:
                text = text.partition(" ")[2]
            self.solved_puzzles = {**self.solved_puzzles, game: text}

    def mark_daily_solved(self, day: date) -> None:
        """Note that the puzzle of *day* was solved."""
        first, last = map(date.fromisoformat, self.daily_streak or ("0001-01-01", "0001-01-01"))
        if day > last:
            self.daily_streak = [(first if day - last == _ONE_DAY else day).isoformat(), day.isoformat()]

    @property
    def puzzles_solved(self) -> int:
        """The number of puzzles solved, of all games."""
        return sum(len(self.solved_puzzles_of(game)) for game in self.solved_puzzles)

    @property
    def last_days_in_a_row(self) -> int:
        """The days of ``daily_streak``, whether or not it still goes on."""
        return self.days_in_a_row(date.fromisoformat(self.daily_streak[1])) if self.daily_streak else 0

    def days_in_a_row(self, today: date) -> int:
        """How many days in a row, up to *today* or the day before, the day's puzzle was solved."""
        if not self.daily_streak:
            return 0
        first, last = map(date.fromisoformat, self.daily_streak)
        return (last - first).days + 1 if last <= today <= last + _ONE_DAY else 0

    def grade_of_day(self, day: date) -> int:
        """The highest grade of the puzzle of *day*: 2 for who never solved one, then higher and higher."""
        if not self.puzzle_days:  # none was solved, or all before days were counted
            return HARDEST if any(self.solved_puzzles.values()) else _FIRST_GRADE
        earlier = sum(solved < day.isoformat() for solved in self.puzzle_days)
        return min(HARDEST, _FIRST_GRADE + earlier // _DAYS_A_GRADE)

    def close(self) -> None:
        """Close the file, after a last attempt to write what is not written yet."""
        if self._unwritten or self._is_taken_away:
            self._write()
        self._connection.close()

    @property
    def _is_taken_away(self) -> bool:
        """Whether the open file is not at its path any more."""
        return database.is_kept(self._connection) and not self._files.are_at(self.path)

    def _store(self, name: str, value: object) -> None:
        if name in self._values and self._values[name] == value:
            return
        self._values[name] = value
        self._changed.add(name)
        self._unwritten[name] = json.dumps(value)
        self._write()

    def _write(self) -> None:
        """Write what is not written yet, in one transaction."""
        try:
            if not database.is_kept(self._connection) and not self._reopen():
                return
            self._replace()
            if self._is_taken_away:
                self._write_anew()
        except (*DATABASE_ERRORS, OSError) as error:
            log.warning("Settings can't be written to %s: %s", self.path, error)
            if not self._has_told:
                self._has_told = True
                self.tell(translated(CANNOT_BE_WRITTEN).format(reason=in_words(error)))
        else:
            self._unwritten.clear()
            self._has_told = False

    def _replace(self) -> None:
        with transaction(self._connection):
            self._connection.executemany("REPLACE INTO settings VALUES (?, ?)", self._unwritten.items())

    def _write_anew(self) -> None:
        """Put the settings back to their path after the file was moved or deleted.

        If another file is there now, write only this program's changes into it.
        """
        log.warning("The settings file was replaced or deleted.")
        aside = database.rewrite_file(self.path, self._connection, self._files)
        if aside is None:
            self._unwritten = {name: json.dumps(self._values[name]) for name in self._changed}
        if not self._reopen():
            raise OSError(say("it can't be opened"))
        if aside is not None:
            database.delete_database(aside)
        self._replace()
        self.tell(translated(database.taken_away_notice(self.path)))

    def _reopen(self) -> bool:
        """Open the file at the path for writing, without reading its values; return whether it can be used."""
        connection, _notice = database.open_database(self.path, _MIGRATIONS, mend=_mend, accept=_accept)
        self._connection.close()
        self._connection, self._files = connection, database.Files.at(self.path)
        return database.is_kept(connection)

    def _read(self) -> None:
        refused = []
        try:
            rows = self._connection.execute("SELECT name, value FROM settings").fetchall()
        except DATABASE_ERRORS as error:
            log.warning("The settings in %s can't be read: %s", self.path, error)
            rows, refused = [], [_("all")]
        for name, text in rows:
            if not _is_text(name) or not _is_text(text):
                refused.append(str(name)[:_LONGEST_NAME])
                continue
            if name.startswith(_GAME_PREFIX):
                is_valid: Callable[[object], bool] = _are_choices
            elif name in SETTINGS:
                is_valid = SETTINGS[name].is_valid
            else:
                continue  # from a newer version
            try:
                value = json.loads(text)
            except (ValueError, TypeError, RecursionError):
                refused.append(name[:_LONGEST_NAME])
                continue
            if is_valid(value):
                self._values[name] = value
            else:
                refused.append(name[:_LONGEST_NAME])
        if refused:
            log.warning("Invalid settings in %s: %s", self.path, ", ".join(refused))
            names = ", ".join(refused)
            notice = say("Some settings were invalid and have been reset: {names}.", names=names)
            self.notices.append(notice)


SETTINGS: Mapping[str, Setting[Any]] = {one.name: one for one in vars(Settings).values() if isinstance(one, Setting)}
"""Every setting, by the name under which it is stored."""
