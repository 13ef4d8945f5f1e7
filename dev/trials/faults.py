"""A disk that fails at each SQL statement: whatever SQLite reports, and whenever, no played step may be lost."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from unittest import mock

import pygame

from dev.trials import MOST, Counts, TrialFailure, failing, trial
from dev.trials.hands import TOO_LONG, Gesture, Person, click, click_widget, errors_logged, press
from dev.trials.injection import KINDS, MOMENTS, Fault, Faults
from dev.trials.used_home import FINISHED, GAME, MOVE_SECONDS, UNFINISHED, copy_to, old_match
from papan.ai.players import HUMAN
from papan.game.base.database import COMPANIONS
from papan.game.base.places import HOME_VARIABLE
from papan.game.catalogue import GALLERY, find
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Library, writer
from papan.self_test import FRAME_SECONDS
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.table import TableScene
from papan.ui.settings import FILE_NAME as SETTINGS_FILE
from papan.ui.settings import Settings
from papan.ui.window.program import Program

SIZE = (1024, 640)
FRAMES_MEANWHILE = 3  # frames that the window draws before another thread's statement fails
_FIRST_STEPS, _LATER_STEPS = (3, 3, 4), (2, 5)  # columns


class _Evening(Person):
    """A match played at a window with failing files: a fixed sequence of a person's acts."""

    program: Program

    def __init__(self, faults: Faults, errors: list[str]) -> None:
        self._faults, self.errors = faults, errors
        self._drawn, self._frames, self._is_closing = threading.Condition(), 0, False
        self._now, self._trouble = 1000.0, ""

    def hold(self) -> None:
        """Wait until the window has drawn some more frames; in the window's thread, return at once."""
        if threading.current_thread() is threading.main_thread():
            return
        with self._drawn:
            enough = self._frames + FRAMES_MEANWHILE
            if not self._drawn.wait_for(lambda: self._is_closing or self._frames >= enough, TOO_LONG):
                self._trouble = "the window waited for a statement of another thread"

    def spend(self) -> Match:
        try:
            # This clock determines when heartbeats are due.
            with mock.patch.object(writer, "time", SimpleNamespace(monotonic=lambda: self._now)):
                super().__init__(Program(size=SIZE), self.errors)  # its files may fail already
                return self._play()
        finally:
            self.end()

    def _play(self) -> Match:
        self.until(lambda: not is_running("copies"))
        table = self.program.start_match(find(GAME), [HUMAN] * 2, {"first": "1"}, seed=7)
        self._settle()
        self._play_columns(table, _FIRST_STEPS)
        self._do(press(pygame.K_z, pygame.KMOD_CTRL))
        self._do(press(pygame.K_y, pygame.KMOD_CTRL))
        table.actions.act("legal")  # writes a setting
        self._do([])
        self._now += writer.HEARTBEAT_SECONDS
        self.program.writer.drop(UNFINISHED)
        self._settle()
        self._leave(table)
        renewed = self._renewals()
        table = self._resume()
        for _ in range(500):  # until the lease is renewed, or a failure
            if self._renewals() > renewed or self._faults.is_failing:
                break
            self.frame()
        self._play_columns(table, _LATER_STEPS)
        match = table.match
        self._leave(table)
        self.close()
        return match

    def _play_columns(self, table: TableScene, steps: tuple[int, ...]) -> None:
        for column in steps:
            before = len(table.match.steps)
            cell = next(cell for cell in sorted(table.session.turn.targets()) if cell % 7 == column)
            self._do(click(table.view.cell_rect(cell).center))
            if len(table.match.steps) != before + 1:
                raise TrialFailure(f"a click at column {column + 1} played no step")

    def _leave(self, table: TableScene) -> None:
        self._do(click_widget(self.program.app, "back"))
        if table in self.program.app.scenes:
            raise TrialFailure("the table can't be left")

    def _resume(self) -> TableScene:
        """Resume the match that the home screen offers; tries again after a failure."""
        app = self.program.app
        for _attempt in range(3):
            self._do(click_widget(app, "resume"))
            if isinstance(app.scene, TableScene):
                return app.scene
            if isinstance(app.scene, Message):
                self.counts["messages"] += 1
                self._faults.pass_by()
                self._do(press(pygame.K_ESCAPE))
            elif self._faults.is_failing:
                self._faults.pass_by()
            app.rebuild(app.scenes[0])
        raise TrialFailure("the match that was left is not offered")

    def quit(self) -> None:
        super().quit()
        with self._drawn:
            self._is_closing = True
            self._drawn.notify_all()

    def wait_for_saving(self) -> None:
        self.counts["questions before the end"] += 1
        self._faults.pass_by()
        super().wait_for_saving()

    def _do(self, gesture: Gesture) -> None:
        self.frame(gesture)
        self._settle()

    def _settle(self) -> None:
        """Draw frames until everything is shown and saved; a lasting fault ends once the window has reported it."""
        self.until(self._is_settled)

    def _is_settled(self) -> bool:
        if self._faults.is_failing and not self.program.writer.is_idle and self._has_been_said():
            self._faults.pass_by()
        scene = self.program.app.scene
        is_showing = isinstance(scene, TableScene) and scene.session.showing is not None
        return self.program.writer.is_idle and not is_showing and not self.program.is_reading

    def _has_been_said(self) -> bool:
        """Whether the table says that the match is not saved, or nothing is waiting to be saved."""
        scene = self.program.app.scene
        if not isinstance(scene, TableScene) or scene.session.standing is None:
            return True
        if scene.session.standing.waiting_since is None:
            return True
        signs = (scene.widgets.named("not saved"), scene.widgets.named("save a copy"))
        is_said = any(sign is not None and sign.is_visible for sign in signs)
        self.counts["times it was said"] += is_said
        return is_said

    def _renewals(self) -> int:
        return sum(statement.words.startswith("UPDATE matches SET heartbeat = ") for statement in self._faults.seen)

    def standing(self) -> str:
        unsaved = self.program.writer.unsaved
        return f"not saved: {len(unsaved)}, {unsaved[0].standing.trouble if unsaved else ''}"

    def frame(self, gesture: Gesture | None = None) -> None:
        began, worked = time.perf_counter(), time.thread_time()
        self.app.step(FRAME_SECONDS, gesture or [])
        waited = time.perf_counter() - began - (time.thread_time() - worked)
        self.counts["frames"] += 1
        self.counts["frames in which others kept the processor for over 10 ms"] += waited > 0.01
        with self._drawn:
            self._frames += 1
            self._drawn.notify_all()
        if self._trouble:
            raise TrialFailure(self._trouble)
        self.look()
        time.sleep(0.001)  # others want to write


def is_running(name: str) -> bool:
    """Whether a thread *name* is running, such as the one that makes daily copies."""
    return any(thread.name == name for thread in threading.enumerate())


def spend(folder: Path, fault: Fault | None) -> tuple[Faults, Counts]:
    """Play with the files in *folder* while *fault* happens; return the statements seen, and the statistics."""
    copy_to(folder / "data")
    with errors_logged() as errors:
        held: list[Callable[[], None]] = []
        faults = Faults(fault, hold=lambda: held[0]())
        evening = _Evening(faults, errors)
        held.append(evening.hold)
        with faults.installed():
            match = evening.spend()
        _check_files(folder / "data", match, may_be_damaged=fault is not None and fault.is_of_damage)
        if errors:
            raise TrialFailure("\n".join(errors))
    return faults, evening.counts


def _check_files(data: Path, match: Match, *, may_be_damaged: bool) -> None:
    """Check that the files are complete and sound, and that none was set aside needlessly.

    :param may_be_damaged: whether SQLite reported damage: then files may be set aside, and deleted matches may return.
    """
    for name in (FILE_NAME, SETTINGS_FILE):
        with closing(sqlite3.connect(data / name)) as connection:
            [(found,)] = connection.execute("PRAGMA integrity_check(1)").fetchall()
            if found != "ok":
                raise TrialFailure(f"{name} is damaged: {found}")
    set_aside = [file.name for file in data.glob("*damaged*")]
    if set_aside and not may_be_damaged:
        raise TrialFailure(f"{', '.join(set_aside)} was set aside")
    with closing(Library(data / FILE_NAME)) as library:
        numbers = [summary.id for summary in (*library.unfinished(), *library.recent(100))]
        steps = [list(library.load(number).all_steps) for number in numbers]
    wanted = [list(match.all_steps), list(old_match(FINISHED).all_steps)]
    dropped = list(old_match(UNFINISHED).all_steps)
    if may_be_damaged and dropped in steps:
        steps.remove(dropped)
    if sorted(steps) != sorted(wanted):
        raise TrialFailure(f"the library has {steps}, and not {wanted}")
    _check_settings(data, MOVE_SECONDS)


def _check_settings(data: Path, move_seconds: float) -> None:
    settings = Settings(data)
    chosen = settings.move_seconds, settings.show_legal_steps
    settings.close()
    if chosen != (move_seconds, False):
        raise TrialFailure(f"the settings have {chosen}, and not {move_seconds, False}")


@cache
def every_fault() -> tuple[Fault, ...]:
    """All faults: each statement fails once in each kind, with alternating moments, and once lastingly."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True, prefix="papan-sound-") as folder,
        mock.patch.dict("os.environ", {HOME_VARIABLE: folder}),
    ):
        seen = sorted(set(spend(Path(folder), None)[0].seen))
    found = []
    for place, statement in enumerate(seen):
        for turn, kind in enumerate(KINDS):
            found.append(Fault(statement, kind, MOMENTS[(place + turn) % len(MOMENTS)]))
        found.append(Fault(statement, list(KINDS)[place % len(KINDS)], "before", lasts=True))
    return tuple(found)


@trial(
    "faults",
    "a statement of SQLite's fails while a match is played; nothing is lost, no frame waits for it",
    different=lambda: len(every_fault()),
)
def case(seed: int, folder: Path) -> Counts:
    every = every_fault()
    fault = every[(seed - 1) % len(every)]
    with failing(fault):
        faults, counts = spend(folder, fault)
        if not faults.failures:
            raise TrialFailure("the statement was never said")
    counts["faults that last" if fault.lasts else "faults that pass at once"] += 1
    counts[f"{MOST} statements"] = len({fault.statement for fault in every})
    counts[f"{MOST} different faults"] = len(every)
    return counts


MATCHES, STEPS, MISHAPS = 4, 5, 3  # maxima: matches of a case, steps of a match, mishaps of a case

Steps = tuple[object, ...]


def _delete(path: Path, *suffixes: str) -> None:
    for suffix in suffixes:
        path.with_name(path.name + suffix).unlink(missing_ok=True)  # the settings' log exists only after a change


def _delete_log_and_look(path: Path, older: Path) -> None:
    """Delete the log, and open the file in another connection, which creates a new log."""
    _delete(path, COMPANIONS[0])
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _move_folder(path: Path, _older: Path) -> None:
    path.parent.rename(path.parent.with_name(f"moved-{time.monotonic_ns()}"))


def _restore(path: Path, older: Path) -> None:
    """Replace the file by an older copy, as backup programs do."""
    part = path.with_name("restored")
    shutil.copyfile(older / path.name, part)
    part.replace(path)


def _restore_alone(path: Path, older: Path) -> None:
    _delete(path, *COMPANIONS)
    _restore(path, older)


def _exchange_folder(path: Path, older: Path) -> None:
    """Replace the folder by another one of the same name, as if a disk were exchanged."""
    other = path.parent.with_name("other")
    shutil.copytree(older, other)
    while other.exists():
        _move_folder(path, older)
        with suppress(OSError):  # the program has already created the folder again
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


class _Mishaps(Person):
    """Matches played at a window while its files are removed or replaced."""

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
        """The game and the steps of each match, as far as the table said they are saved."""
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
            for _ in range(4):  # "back" first puts down a lifted piece
                if table in self.app.scenes:
                    self.frame(click_widget(self.app, "back"))
            if self._mishaps_left and self._random.random() < 0.2:
                self._mishap(None)
        if self._mishaps_left:
            self._mishap(None, is_the_last=True)
        self.close()
        check_saved(self._data, self.said)
        self.counts["matches"] += len(self.said)

    def _mishap(self, table: TableScene | None, *, is_the_last: bool = False) -> None:
        """Do something to the files; then check them as if the program were killed a little later."""
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
        if is_the_last:  # the window is closed without another act
            return
        if table is not None:
            self.play(table, self._random)
        self.until(lambda: any("deleted, moved or replaced" in said for said in self._told[told:]))
        self.until(lambda: self.program.writer.is_idle)
        killed = self._data.with_name("killed")
        shutil.copytree(self._data, killed)
        check_saved(killed, self.said)
        shutil.rmtree(killed)
        self.counts["kills"] += 1

    def look(self) -> None:
        super().look()
        for scene in self.app.scenes:
            if isinstance(scene, TableScene) and (standing := scene.session.standing) is not None:
                steps = tuple(scene.match.steps)
                self._saved[id(scene.match)] = scene.match, steps[: standing.committed]


def check_saved(data: Path, said: list[tuple[str, Steps]]) -> None:
    """Check that the library in the folder *data* has the matches *said* to be saved, once each, and no litter."""
    with closing(Library(data / FILE_NAME)) as library:
        if library.notice:
            raise TrialFailure(library.notice)
        found = [library.load(summary.id) for page in library.all() for summary in page if not summary.is_line]
    there = sorted((match.game.name, tuple(match.all_steps)) for match in found)
    wanted = [*said, *((old.game.name, tuple(old.steps)) for old in map(old_match, (UNFINISHED, FINISHED)))]
    for game, steps in wanted:
        if not any(name == game and all_steps[: len(steps)] == steps for name, all_steps in there):
            raise TrialFailure(f"{steps} of {game} was said to be saved, and the library has {there}")
    if len(there) > len(wanted) + 1:  # one more may be new, and not yet said to be saved
        raise TrialFailure(f"{len(wanted)} matches were kept, and the library has {there}")
    litter = [file.name for file in data.iterdir() if ".part-" in file.name or "damaged" in file.name]
    if litter:
        raise TrialFailure(f"{', '.join(litter)} was left")


@trial(
    "taken-away",
    "the library's files are deleted, moved or replaced while matches are played; nothing is lost",
    most_seconds=300.0,
)
def taken_away(seed: int, folder: Path) -> Counts:
    if sys.platform == "win32":  # an open file can't be changed there
        return Counter()
    copy_to(folder / "data")
    # The window checks its files this often, so that a case does not take minutes.
    with errors_logged() as errors, mock.patch.object(writer, "HEARTBEAT_SECONDS", 0.05):
        evening = _Mishaps(folder / "data", Random(seed), errors)
        try:
            evening.spend()
        finally:
            evening.end()
        chosen = evening.program.app.settings.move_seconds
    _check_settings(folder / "data", chosen)
    return evening.counts
