"""What a person has set, kept in a small SQLite file in the system's place for it.

Reading never fails: a damaged file is put aside and a value that makes no sense is replaced by its
default, both with a notice; where nothing can be written, settings last as long as the window.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game.places import data_folder
from ui.texts import _
from ui.theme import SCALES, THEMES

log = logging.getLogger(__name__)

FILE_NAME = "settings.sqlite"
SYSTEM = "system"
"""The theme that follows the system's."""
ANIMATION_SPEEDS = {"off": 0.0, "slow": 0.5, "normal": 1.0, "fast": 2.0}
"""How many times faster than normal; off shows none."""
LEVELS = ("easy", "medium", "hard")
MOVE_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

_BUSY_SECONDS = 1.0


@dataclass(frozen=True)
class Setting:
    """A default, and what values there can be."""

    default: Any
    is_valid: Callable[[Any], bool]


def _one_of(default: Any, values: Any) -> Setting:
    return Setting(default, lambda value: value in values)


def _is_pair_of_lengths(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(x) is int and 100 <= x <= 20000 for x in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) < 40


def _is_choices(value: Any) -> bool:
    return isinstance(value, dict)


_YES_OR_NO = (True, False)

SETTINGS: Mapping[str, Setting] = {
    "theme": _one_of(SYSTEM, (SYSTEM, *THEMES)),
    "scale": _one_of(1.0, SCALES),
    "language": Setting("en", _is_text),
    "animation": _one_of("normal", ANIMATION_SPEEDS),
    "show legal steps": _one_of(True, _YES_OR_NO),
    "confirm turns": _one_of(False, _YES_OR_NO),
    "level": _one_of("medium", LEVELS),
    "move seconds": _one_of(1.0, MOVE_SECONDS),
    "window size": Setting(None, lambda value: value is None or _is_pair_of_lengths(value)),
    "fullscreen": _one_of(False, _YES_OR_NO),
}
"""Every setting there is; the choices made for a game's last match are kept by ``game_choices``."""


class Settings:
    """The settings, read at once and written as they change."""

    def __init__(self, folder: Path | None = None) -> None:
        """:param folder: where the file lies; the system's place for data otherwise."""
        self.path = (folder or data_folder()) / FILE_NAME
        self.notices: list[str] = []
        """Sentences that a person should read: what was wrong with the file, and what was done."""
        self._values: dict[str, Any] = {}
        self._connection: sqlite3.Connection | None = None
        self._open()

    def __getitem__(self, name: str) -> Any:
        """The value of the setting *name*."""
        return self._values.get(name, SETTINGS[name].default)

    def __setitem__(self, name: str, value: Any) -> None:
        """Set *name*, and write it.

        :raises ValueError: the setting can't have this value.
        """
        if not SETTINGS[name].is_valid(value):
            raise ValueError(f"The setting '{name}' can't be {value!r}.")
        self._keep(name, value)

    def game_choices(self, game: str) -> dict[str, Any]:
        """What was chosen for the last match of *game*; empty for none."""
        return dict(self._values.get(_game_key(game), {}))

    def keep_game_choices(self, game: str, choices: Mapping[str, Any]) -> None:
        """Remember *choices* for the next match of *game*."""
        self._keep(_game_key(game), dict(choices))

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # --------------------------------------------------------------------------------------- the file

    def _keep(self, name: str, value: Any) -> None:
        if self._values.get(name) == value and name in self._values:
            return
        self._values[name] = value
        if self._connection is None:
            return
        try:
            with self._connection:
                self._connection.execute("REPLACE INTO settings VALUES (?, ?)", (name, json.dumps(value)))
        except sqlite3.Error as error:
            log.warning("The setting '%s' could not be written to %s: %s", name, self.path, error)
            self.close()
            self.notices.append(self._not_kept(error))

    def _open(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connect()
        except sqlite3.OperationalError as error:
            self._do_without(error)
        except sqlite3.DatabaseError as error:
            self._start_afresh(error)
        except OSError as error:
            self._do_without(error)

    def _connect(self) -> None:
        connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            with connection:
                connection.execute("CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
            rows = connection.execute("SELECT name, value FROM settings").fetchall()
        except sqlite3.Error:
            connection.close()
            raise
        self._connection = connection
        self._take(rows)

    def _take(self, rows: list[tuple[str, str]]) -> None:
        refused = []
        for name, text in rows:
            try:
                value = json.loads(text)
            except (ValueError, TypeError, RecursionError):
                refused.append(str(name))
                continue
            setting = SETTINGS.get(name)
            is_valid = _is_choices if setting is None else setting.is_valid
            if setting is None and not str(name).startswith(_game_key("")):
                continue  # of a version to come; leave it to that
            try:
                accepted = is_valid(value)
            except TypeError:  # a list where a name is wanted can't be looked up
                accepted = False
            if accepted:
                self._values[name] = value
            else:
                refused.append(name)
        if refused:
            log.warning("Settings in %s that make no sense: %s", self.path, ", ".join(refused))
            self.notices.append(
                _("Some settings could not be read and are back to their defaults: {names}.").format(
                    names=", ".join(refused)
                )
            )

    def _start_afresh(self, error: Exception) -> None:
        """Put the damaged file aside and begin a new one."""
        aside = self.path.with_name(f"settings-damaged-{time.strftime('%Y%m%d-%H%M%S')}.sqlite")
        log.warning("The settings in %s are damaged (%s): put aside as %s", self.path, error, aside.name)
        try:
            for suffix in ("-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            self.path.replace(aside)
            self._connect()
        except (OSError, sqlite3.Error) as second_error:
            self._do_without(second_error)
            return
        self.notices.append(
            _(
                "The settings file was damaged. It was put aside as {file}; the settings are back to their defaults."
            ).format(file=aside.name)
        )

    def _do_without(self, error: Exception) -> None:
        log.warning("Settings can't be kept in %s: %s", self.path, error)
        self._connection = None
        self.notices.append(self._not_kept(error))

    def _not_kept(self, error: Exception) -> str:
        return _("Settings can't be written to {folder} ({reason}). They last until the window is closed.").format(
            folder=self.path.parent, reason=error
        )


def _game_key(game: str) -> str:
    return f"game/{game}"
