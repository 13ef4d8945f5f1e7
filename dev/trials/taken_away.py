"""Files that somebody else deletes, moves or replaces while the program has them open.

Matches are played by clicks at a window, left and begun anew. Now and then something happens to the library, to the
settings, or to the folder of both. What the table has said to be saved must be in the file at the path: when the
program is killed a little later, and once it has ended in order.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from unittest import mock

import pygame

from dev.trials import Counts, Trial, TrialFailure
from dev.trials.faults import SIZE, TOO_LONG
from dev.trials.hands import Gesture, click_widget, press, take_a_step
from dev.trials.logged import errors_logged
from dev.trials.used_home import FINISHED, MOVE_SECONDS, UNFINISHED, copy_to, old_match
from papan.ai.players import HUMAN
from papan.game.base.rescue import COMPANIONS
from papan.game.catalogue import GALLERY
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Library, desk
from papan.self_test import FRAME_SECONDS
from papan.ui.scenes.message import ErrorMessage
from papan.ui.scenes.table import TableScene
from papan.ui.settings import FILE_NAME as SETTINGS_FILE
from papan.ui.settings import Settings
from papan.ui.window.app import App
from papan.ui.window.program import Program

MATCHES, STEPS, MISHAPS = 4, 5, 3
"""At most, in a case, in a match and in a case."""
_HEARTBEAT = 0.05
"""Seconds between two looks at the files, so that a case needs not last for minutes."""
_SAID = "deleted, moved or replaced"

Steps = tuple[object, ...]


def _delete(*suffixes: str) -> Callable[[Path, Path], None]:
    def do(path: Path, _older: Path) -> None:
        for suffix in suffixes:
            path.with_name(path.name + suffix).unlink(missing_ok=True)  # the settings are written when they change

    return do


def _delete_log_and_look(path: Path, older: Path) -> None:
    """Whoever looks at the file afterwards makes a new log."""
    _delete(COMPANIONS[0])(path, older)
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        pass


def _move_folder(path: Path, _older: Path) -> None:
    path.parent.rename(path.parent.with_name(f"moved-{time.monotonic_ns()}"))


def _restore(path: Path, older: Path) -> None:
    """An older copy of the file is put in its place, as a program does that keeps copies."""
    part = path.with_name("restored")
    shutil.copyfile(older / path.name, part)
    part.replace(path)


def _restore_alone(path: Path, older: Path) -> None:
    for suffix in COMPANIONS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    _restore(path, older)


def _exchange_folder(path: Path, older: Path) -> None:
    """The folder is another one of the same name, as where a disk was exchanged."""
    other = path.parent.with_name("other")
    shutil.copytree(older, other)
    while other.exists():
        _move_folder(path, older)
        with suppress(OSError):  # the program was quicker, and has made the folder anew
            other.rename(path.parent)


WAYS: Mapping[str, Callable[[Path, Path], None]] = {
    "the log deleted": _delete("-wal"),
    "the log's index deleted": _delete("-shm"),
    "the log deleted, and another begun": _delete_log_and_look,
    "the database deleted": _delete(""),
    "all deleted": _delete("", "-wal", "-shm"),
    "replaced by an older copy": _restore,
    "replaced by an older copy, the log deleted": _restore_alone,
    "the folder moved": _move_folder,
    "the folder exchanged": _exchange_folder,
}


class _Told:
    """What the window of *app* tells a person at its foot."""

    def __init__(self, app: App) -> None:
        self.said: list[str] = []
        self._notify = app.notify
        vars(app)["notify"] = self._tell
        app.settings.tell = self._tell

    def _tell(self, sentence: str) -> None:
        self.said.append(sentence)
        self._notify(sentence)


class _Evening:
    """Matches played at a window whose files are taken away."""

    def __init__(self, data: Path, random: Random, errors: list[str]) -> None:
        self._data = data
        self._older = data.with_name("older")
        self._random = random
        self._errors = errors
        self._saved: dict[int, tuple[Match, Steps]] = {}
        self.counts: Counts = Counter()
        self._mishaps_left = random.randint(1, MISHAPS)
        self.program = Program(size=SIZE)
        self._told = _Told(self.program.app)

    @property
    def said(self) -> list[tuple[str, Steps]]:
        return [(match.game.name, steps) for match, steps in self._saved.values() if steps]

    def spend(self) -> None:
        app = self.program.app
        app.settings.animation, app.settings.show_legal_steps = "off", False
        self._until(lambda: self.program.writer.is_idle and not _is_copying())
        shutil.copytree(self._data, self._older)
        for number in range(self._random.randint(1, MATCHES)):
            game = self._random.choice(list(GALLERY.values()))
            table = self.program.start_match(game, [HUMAN] * game.seats[0], seed=number)
            for _ in range(self._random.randint(1, STEPS)):
                self._play(table)
                if self._mishaps_left and self._random.random() < 0.3:
                    self._mishap(table)
            for _ in range(4):  # a piece may be lifted
                if table in app.scenes:
                    self._frame(click_widget(app, "back"))
            if self._mishaps_left and self._random.random() < 0.2:
                self._mishap(None)
        if self._mishaps_left:
            self._mishap(None, is_the_last=True)
        self._close()

    def _play(self, table: TableScene) -> None:
        """Play a step by clicks, where one can be played."""
        wanted = len(table.match.steps) + 1
        deadline = time.monotonic() + TOO_LONG
        while len(table.match.steps) < wanted and table.match.ending is None:
            if time.monotonic() > deadline:
                shown = self.program.app.scene
                raise TrialFailure(f"no step of {table.match.game.title} can be played by clicks at {shown}")
            if self.program.app.scene is table:
                self._frame(take_a_step(table, self._random) if table.session.showing is None else None)
            else:
                self._frame(press(pygame.K_RETURN))  # the next person takes the screen

    def _mishap(self, table: TableScene | None, *, is_the_last: bool = False) -> None:
        """Something happens to the files; a little later, the program might be killed."""
        self._mishaps_left -= 1
        if self._random.random() < 0.5:
            self._until(lambda: self.program.writer.is_idle)
        name = self._random.choice(list(WAYS))
        is_of_settings = self._random.random() < 0.25
        told = len(self._told.said)
        WAYS[name](self._data / (SETTINGS_FILE if is_of_settings else FILE_NAME), self._older)
        self.counts[name] += 1
        if is_of_settings:
            app = self.program.app
            app.settings.move_seconds = MOVE_SECONDS + 3 if app.settings.move_seconds == MOVE_SECONDS else MOVE_SECONDS
        if is_the_last:  # nobody does anything more
            return
        if table is not None:
            self._play(table)
        self._until(lambda: any(_SAID in said for said in self._told.said[told:]))
        self._until(lambda: self.program.writer.is_idle)
        killed = self._data.with_name("killed")
        shutil.copytree(self._data, killed)
        check(killed, self.said)
        shutil.rmtree(killed)
        self.counts["kills"] += 1

    def _close(self) -> None:
        app = self.program.app
        app.quit()
        while app.is_running:
            self._until(lambda: not self.program.writer.unsaved)
            app.quit()
        app.run()
        check(self._data, self.said)
        self.counts["matches"] += len(self.said)

    def _until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + TOO_LONG
        self._frame()
        while not holds():
            if time.monotonic() > deadline:
                raise TrialFailure(f"nothing more happens; the window has said {self._told.said}")
            self._frame()

    def _frame(self, gesture: Gesture | None = None) -> None:
        self.program.app.step(FRAME_SECONDS, gesture or [])
        for scene in self.program.app.scenes:
            if isinstance(scene, TableScene) and (standing := scene.session.standing) is not None:
                steps = tuple(scene.match.steps)
                self._saved[id(scene.match)] = scene.match, steps[: standing.committed]
        top = self.program.app.scene
        if isinstance(top, ErrorMessage) or self._errors:
            raise TrialFailure("\n".join(self._errors) or repr(top))
        time.sleep(0.001)  # others want to write


def _is_copying() -> bool:
    return any(thread.name == "copies" for thread in threading.enumerate())


def check(data: Path, said: list[tuple[str, Steps]]) -> None:
    """Make sure that the library in the folder *data* has what was *said* to be saved, each match once, and no litter.

    :raises TrialFailure: it is not so.
    """
    with closing(Library(data / FILE_NAME)) as library:
        if library.notice:
            raise TrialFailure(library.notice)
        found = [library.load(summary.id) for page in library.all() for summary in page if not summary.is_line]
    there = sorted((match.game.name, tuple(match.all_steps)) for match in found)
    wanted = [*said, *((old.game.name, tuple(old.steps)) for old in map(old_match, (UNFINISHED, FINISHED)))]
    for game, steps in wanted:
        if not any(name == game and all_steps[: len(steps)] == steps for name, all_steps in there):
            raise TrialFailure(f"{steps} of {game} was said to be saved, and the library has {there}")
    if len(there) > len(wanted) + 1:  # a match is begun before it is said to be saved
        raise TrialFailure(f"{len(wanted)} matches were kept, and the library has {there}")
    litter = [file.name for file in data.iterdir() if ".part-" in file.name or "damaged" in file.name]
    if litter:
        raise TrialFailure(f"{', '.join(litter)} was left")


def case(seed: int, folder: Path) -> Counts:
    if sys.platform == "win32":  # where nobody can do that to an open file
        return Counter()
    copy_to(folder / "data")
    with errors_logged() as errors, mock.patch.object(desk, "HEARTBEAT_SECONDS", _HEARTBEAT):
        evening = _Evening(folder / "data", Random(seed), errors)
        evening.spend()
        chosen = evening.program.app.settings.move_seconds
    settings = Settings(folder / "data")
    kept = settings.move_seconds, settings.show_legal_steps
    settings.close()
    if kept != (chosen, False):
        raise TrialFailure(f"the settings have {kept}, and not {(chosen, False)}")
    return evening.counts


TRIAL = Trial(
    "the library's files are deleted, moved or replaced while matches are played; nothing is lost", case, 300.0
)
