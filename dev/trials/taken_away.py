"""Files that somebody else deletes, moves or replaces while the program has them open."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from unittest import mock

from dev.trials import Counts, TrialFailure, trial
from dev.trials.faults import SIZE, is_running
from dev.trials.hands import Person, click_widget, errors_logged
from dev.trials.used_home import FINISHED, MOVE_SECONDS, UNFINISHED, copy_to, old_match
from papan.ai.players import HUMAN
from papan.game.base.database import COMPANIONS
from papan.game.catalogue import GALLERY
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Library, writer
from papan.ui.scenes.table import TableScene
from papan.ui.settings import FILE_NAME as SETTINGS_FILE
from papan.ui.settings import Settings
from papan.ui.window.program import Program

MATCHES, STEPS, MISHAPS = 4, 5, 3  # at most, in a case, in a match and in a case
_HEARTBEAT = 0.05  # seconds between two looks at the files, so that a case needs not last for minutes
_SAID = "deleted, moved or replaced"

Steps = tuple[object, ...]


def _delete(path: Path, *suffixes: str) -> None:
    for suffix in suffixes:
        path.with_name(path.name + suffix).unlink(missing_ok=True)  # the settings are written when they change


def _delete_log_and_look(path: Path, older: Path) -> None:
    """Whoever looks at the file afterwards makes a new log."""
    _delete(path, COMPANIONS[0])
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _move_folder(path: Path, _older: Path) -> None:
    path.parent.rename(path.parent.with_name(f"moved-{time.monotonic_ns()}"))


def _restore(path: Path, older: Path) -> None:
    """An older copy of the file is put in its place, as a program does that keeps copies."""
    part = path.with_name("restored")
    shutil.copyfile(older / path.name, part)
    part.replace(path)


def _restore_alone(path: Path, older: Path) -> None:
    _delete(path, *COMPANIONS)
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
    "the log deleted": lambda path, older: _delete(path, "-wal"),
    "the log's index deleted": lambda path, older: _delete(path, "-shm"),
    "the log deleted, and another begun": _delete_log_and_look,
    "the database deleted": lambda path, older: _delete(path, ""),
    "all deleted": lambda path, older: _delete(path, "", "-wal", "-shm"),
    "replaced by an older copy": _restore,
    "replaced by an older copy, the log deleted": _restore_alone,
    "the folder moved": _move_folder,
    "the folder exchanged": _exchange_folder,
}


class _Evening(Person):
    """Matches played at a window whose files are taken away."""

    def __init__(self, data: Path, random: Random, errors: list[str]) -> None:
        super().__init__(Program(size=SIZE), errors)
        self._data, self._older, self._random = data, data.with_name("older"), random
        self._saved: dict[int, tuple[Match, Steps]] = {}
        self._mishaps_left = random.randint(1, MISHAPS)
        self._told: list[str] = []
        notify = self.app.notify

        def tell(sentence: str) -> None:
            self._told.append(sentence)
            notify(sentence)

        vars(self.app)["notify"] = self.app.settings.tell = tell

    @property
    def said(self) -> list[tuple[str, Steps]]:
        """What the table has said to be saved: of each match the game and the steps."""
        return [(match.game.name, steps) for match, steps in self._saved.values() if steps]

    def standing(self) -> str:
        return f"the window has said {self._told}"

    def spend(self) -> None:
        self.app.settings.animation, self.app.settings.show_legal_steps = "off", False
        self.until(lambda: self.program.writer.is_idle and not is_running("copies"))
        shutil.copytree(self._data, self._older)
        for number in range(self._random.randint(1, MATCHES)):
            game = self._random.choice(list(GALLERY.values()))
            table = self.program.start_match(game, [HUMAN] * game.seats[0], seed=number)
            for _ in range(self._random.randint(1, STEPS)):
                self.play(table, self._random)
                if self._mishaps_left and self._random.random() < 0.3:
                    self._mishap(table)
            for _ in range(4):  # a piece may be lifted
                if table in self.app.scenes:
                    self.frame(click_widget(self.app, "back"))
            if self._mishaps_left and self._random.random() < 0.2:
                self._mishap(None)
        if self._mishaps_left:
            self._mishap(None, is_the_last=True)
        self.close()
        check(self._data, self.said)
        self.counts["matches"] += len(self.said)

    def _mishap(self, table: TableScene | None, *, is_the_last: bool = False) -> None:
        """Something happens to the files; a little later, the program might be killed."""
        self._mishaps_left -= 1
        if self._random.random() < 0.5:
            self.until(lambda: self.program.writer.is_idle)
        name = self._random.choice(list(WAYS))
        is_of_settings = self._random.random() < 0.25
        told = len(self._told)
        WAYS[name](self._data / (SETTINGS_FILE if is_of_settings else FILE_NAME), self._older)
        self.counts[name] += 1
        if is_of_settings:
            settings = self.app.settings
            settings.move_seconds = MOVE_SECONDS + 3 if settings.move_seconds == MOVE_SECONDS else MOVE_SECONDS
        if is_the_last:  # nobody does anything more
            return
        if table is not None:
            self.play(table, self._random)
        self.until(lambda: any(_SAID in said for said in self._told[told:]))
        self.until(lambda: self.program.writer.is_idle)
        killed = self._data.with_name("killed")
        shutil.copytree(self._data, killed)
        check(killed, self.said)
        shutil.rmtree(killed)
        self.counts["kills"] += 1

    def look(self) -> None:
        super().look()
        for scene in self.app.scenes:
            if isinstance(scene, TableScene) and (standing := scene.session.standing) is not None:
                steps = tuple(scene.match.steps)
                self._saved[id(scene.match)] = scene.match, steps[: standing.committed]


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


@trial(
    "taken-away",
    "the library's files are deleted, moved or replaced while matches are played; nothing is lost",
    most_seconds=300.0,
)
def case(seed: int, folder: Path) -> Counts:
    if sys.platform == "win32":  # where nobody can do that to an open file
        return Counter()
    copy_to(folder / "data")
    with errors_logged() as errors, mock.patch.object(writer, "HEARTBEAT_SECONDS", _HEARTBEAT):
        evening = _Evening(folder / "data", Random(seed), errors)
        evening.spend()
        chosen = evening.program.app.settings.move_seconds
    settings = Settings(folder / "data")
    kept = settings.move_seconds, settings.show_legal_steps
    settings.close()
    if kept != (chosen, False):
        raise TrialFailure(f"the settings have {kept}, and not {(chosen, False)}")
    return evening.counts
