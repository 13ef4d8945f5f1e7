"""What a person has set, kept in a small SQLite file in the system's place for it.

Reading never fails: a damaged file is put aside, a value that makes no sense is replaced by its default,
both with a notice; where nothing can be written, settings last as long as the window.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papan.game.base.database import open_database
from papan.game.base.places import data_folder
from papan.ui.drawing.theme import SCALES, THEMES
from papan.ui.texts import _

log = logging.getLogger(__name__)

FILE_NAME = "settings.sqlite"
SYSTEM = "system"
"""The theme that follows the system's."""
ANIMATION_SPEEDS = {"off": 0.0, "slow": 0.5, "normal": 1.0, "fast": 2.0}
"""How many times faster than normal; off shows none."""
LEVELS = ("easy", "medium", "hard")
MOVE_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

_MIGRATIONS = (("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) -- JSON",),)


@dataclass(frozen=True)
class Setting:
    """A default, and what values there can be."""

    default: Any
    is_valid: Callable[[Any], bool]


def _one_of(default: Any, values: Collection[Any]) -> Setting:
    return Setting(default, lambda value: any(value == one and type(value) is type(one) for one in values))


def _is_size(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(side) is int and 0 < side < 20000 for side in value)


def _is_words(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(word, str) for word in value.values())


_SWITCH = (True, False)

SETTINGS: Mapping[str, Setting] = {
    "theme": _one_of(SYSTEM, (SYSTEM, *THEMES)),
    "scale": _one_of(1.0, SCALES),
    "language": Setting("en", lambda value: isinstance(value, str)),
    "animation": _one_of("normal", ANIMATION_SPEEDS),
    "show legal steps": _one_of(True, _SWITCH),
    "confirm turns": _one_of(False, _SWITCH),
    "analysis": _one_of(False, _SWITCH),
    "level": _one_of("medium", LEVELS),
    "move seconds": _one_of(1.0, MOVE_SECONDS),
    "board styles": Setting({}, _is_words),  # by the game's name, where it is not the usual one
    "window size": Setting(None, lambda value: value is None or _is_size(value)),
    "fullscreen": _one_of(False, _SWITCH),
}
"""Every setting there is; the choices made for a game's last match are kept beside them."""

_GAME_CHOICES = Setting({}, lambda value: isinstance(value, dict))
_GAME_PREFIX = "game/"


class Settings:
    """The settings, all read at once and each written as it changes."""

    def __init__(self, folder: Path | None = None) -> None:
        """:param folder: where the file lies; the system's place for data otherwise."""
        self.path = (folder or data_folder()) / FILE_NAME
        self._values: dict[str, Any] = {}
        self._connection, notice = open_database(self.path, _MIGRATIONS)
        self.notices = [notice] if notice else []
        """Sentences that a person should read: what was wrong with the file, and what was done."""
        self._read()

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
        """What was chosen for the last match of *game*; empty for none. Its contents are not checked."""
        return dict(self._values.get(_GAME_PREFIX + game, {}))

    def keep_game_choices(self, game: str, choices: Mapping[str, Any]) -> None:
        """Remember *choices*, which JSON can write, for the next match of *game*."""
        self._keep(_GAME_PREFIX + game, dict(choices))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _keep(self, name: str, value: Any) -> None:
        if name in self._values and self._values[name] == value:
            return
        self._values[name] = value
        try:
            self._connection.execute("REPLACE INTO settings VALUES (?, ?)", (name, json.dumps(value)))
        except sqlite3.Error as error:
            log.warning("The setting '%s' can't be written to %s: %s", name, self.path, error)

    def _read(self) -> None:
        refused = []
        try:
            rows = self._connection.execute("SELECT name, value FROM settings").fetchall()
        except sqlite3.Error as error:
            log.warning("The settings in %s can't be read: %s", self.path, error)
            rows, refused = [], [_("all")]
        for name, text in rows:
            setting = _GAME_CHOICES if str(name).startswith(_GAME_PREFIX) else SETTINGS.get(name)
            if setting is None:
                continue  # of a version that knows more
            try:
                value = json.loads(text)
            except (ValueError, TypeError, RecursionError):
                refused.append(name)
                continue
            if setting.is_valid(value):
                self._values[name] = value
            else:
                refused.append(name)
        if refused:
            log.warning("Settings in %s that make no sense: %s", self.path, ", ".join(refused))
            text = _("Some settings made no sense and are back to their defaults: {names}.")
            self.notices.append(text.format(names=", ".join(refused)))
