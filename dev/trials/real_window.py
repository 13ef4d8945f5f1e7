"""The real program in a real window, used with the real mouse and keyboard: under Xvfb, by xdotool."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from dev.trials import TrialFailure
from papan.commands.common import command_words
from papan.game.base.places import HOME_VARIABLE, KERNELS_VARIABLE
from papan.game.kernel.cache import kernel_cache_folder
from papan.game.match.library import FILE_NAME

DEPTH = 24  # bits of a pixel of the screen
PATIENCE = 600.0
_POLL_SECONDS = 0.01
_CLOSING_SECONDS = 300.0
_NEWEST = "(SELECT max(id) FROM matches WHERE id > ?)"


def can_be_opened() -> bool:
    """Whether there is what it takes."""
    return bool(shutil.which("Xvfb") and shutil.which("xdotool"))


def wait_for(holds: Callable[[], object], what: str, seconds: float | None = None) -> None:
    """Wait until *holds* says so.

    :raises TrialFailure: it does not within so many *seconds*.
    """
    deadline = time.perf_counter() + (PATIENCE if seconds is None else seconds)
    while not holds():
        if time.perf_counter() > deadline:
            raise TrialFailure(f"{what} did not happen")
        time.sleep(_POLL_SECONDS)


class RealWindow:
    def __init__(self, display: str, home: Path, *arguments: str) -> None:
        """:param home: the folder of the user's files.
        :param arguments: those of the command line.
        """
        self.home = home
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("SDL_")},
            "DISPLAY": display,
            HOME_VARIABLE: str(home),
            KERNELS_VARIABLE: str(kernel_cache_folder()),
            # A click that comes together with the window's focus, as on a busy machine, is not only for that.
            "SDL_MOUSE_FOCUS_CLICKTHROUGH": "1",
        }
        before = self.first_frames()
        home.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen([*command_words(), *arguments], env=self.environment, cwd=home)
        own = ["search", "--all", "--onlyvisible", "--pid", str(self.process.pid), "--class", "^Papan$"]
        wait_for(lambda: self.xdotool(*own), "the window's opening")
        self.id = self.xdotool(*own).split()[0]
        wait_for(lambda: self.first_frames() > before, "the first frame")
        self.xdotool("windowfocus", "--sync", self.id)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def xdotool(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=self.environment, capture_output=True, text=True, timeout=_CLOSING_SECONDS
        )
        return done.stdout.strip()

    def click(self, *points: tuple[int, int]) -> None:
        words: list[str] = []
        for x, y in points:
            words += ["mousemove", "--window", self.id, str(x), str(y), "click", "1"]
        self.xdotool(*words)

    def press(self, *keys: str) -> None:
        if keys:
            self.xdotool("key", *keys)

    def type(self, text: str) -> None:
        self.xdotool("type", "--delay", "20", text)

    def _log(self) -> str:
        log = self.home / "log" / "papan.log"
        return log.read_text(encoding="utf-8") if log.is_file() else ""

    def first_frames(self) -> int:
        """How often a program of this home has shown its window."""
        return self._log().count("The first frame is on the screen")

    def wait_for_scene(self, name: str) -> None:
        wait_for(lambda: self._log().rpartition("On top: ")[2].partition("\n")[0] == name, name)

    def catch_up(self, scene: str) -> None:
        """Wait until the window has acted on all that was done before, and has drawn *scene* since: by its help."""
        self.press("F1")
        self.wait_for_scene("KeysMessage")
        self.press("Escape")
        self.wait_for_scene(scene)

    def boards_shown(self) -> int:
        return self._log().count("The board is shown")

    def ends_shown(self, game: str) -> int:
        """How often the end of a match of the *game* of this name has been shown."""
        return self._log().count(f"The end of {game} is shown")

    def newest_match(self) -> int:
        """The number of the match that was begun last; 0 where there is none."""
        rows = self._rows("SELECT max(id) FROM matches")
        return int(rows[0][0] or 0) if rows else 0

    def stored(self, after: int = 0) -> list[str]:
        """The steps of the match that was begun last, as far as they are played.

        :param after: the number that it must be above; until then there are none.
        """
        rows = self._rows(
            "SELECT notation FROM steps JOIN matches ON matches.id = steps.match "
            f"WHERE match = {_NEWEST} AND number < played ORDER BY number",
            after,
        )
        return [str(notation) for (notation,) in rows]

    def _rows(self, question: str, *values: int) -> list[tuple[Any, ...]]:
        path = self.home / "data" / FILE_NAME
        if not path.is_file():
            return []
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return connection.execute(question, values).fetchall()
        except sqlite3.OperationalError:  # it is just being made
            return []
        finally:
            connection.close()

    def wait_for_steps(self, number: int, after: int = 0) -> None:
        """Wait until so many steps of the newest match, above number *after*, are in the library."""
        wait_for(lambda: len(self.stored(after)) == number, f"step {number}")

    def quit(self) -> int:
        self.press("ctrl+q")
        return self.process.wait(_CLOSING_SECONDS)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(_CLOSING_SECONDS)
