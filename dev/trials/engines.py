"""Programs that play badly: in a match and a tournament of the command line, and at each place of the window."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import click

from dev.rehearsal import LONG_SECONDS, OwnTime
from dev.trials import MOST, Counts, TrialFailure, trial
from dev.trials.hands import click_widget, errors_logged
from dev.trials.hostile import HOSTILE, Hostile
from papan.ai.engines import EngineError
from papan.ai.engines.entries import entries_file
from papan.ai.engines.player import EnginePlayer
from papan.ai.limits import Analysis
from papan.ai.players import HUMAN, Situation
from papan.commands.match import match
from papan.commands.tournament import tournament
from papan.game.catalogue import GAMES
from papan.self_test import FRAME_SECONDS, SIZE, close_in_order
from papan.ui.scenes.dialogs import ErrorMessage, Message
from papan.ui.scenes.engines import EnginesScene
from papan.ui.scenes.table import TableScene
from papan.ui.window.program import Program

TIME, GRACE, PATIENCE = 0.3, 0.4, 2.0  # what the entry of each program says
CLOCK_SECONDS = 2.0
"""Seconds that an answer may be late on a busy machine: those of a processor are counted apart."""
MOST_MEBIBYTES = 10.0  # by how much the process may grow while a program is waited for
MOST_PROCESSOR_SECONDS = 0.5
"""Seconds of a processor that a question may take, of which none can last longer than ``PATIENCE``."""
MOST_OWN_SECONDS = 0.1
_SITTING = 12.0  # seconds within which each place of the window says what has come of a program
_STAYING = 5.0


class _Watch:
    def __init__(self, kind: Hostile, counts: Counts) -> None:
        self.counts = counts
        self.allowed = PATIENCE if kind.is_never_ready else TIME + GRACE
        self.faults: list[str] = []

    def most(self, what: str, amount: float) -> None:
        self.counts[f"{MOST} {what}"] = max(self.counts[f"{MOST} {what}"], round(amount))

    @contextmanager
    def questions(self) -> Iterator[None]:
        """Take the time of all questions meanwhile."""
        choose = EnginePlayer.choose

        def timed(player: EnginePlayer, situation: Situation, *rest: Callable[[], bool]) -> Analysis:
            began = time.monotonic()
            try:
                player.start(*rest)
            except EngineError:
                self._held(time.monotonic() - began - PATIENCE)
                raise
            except Exception:  # nobody wants the answer any more: what is asked next sees to that
                return choose(player, situation, *rest)
            began = time.monotonic()
            try:
                return choose(player, situation, *rest)
            finally:
                self._held(time.monotonic() - began - self.allowed)

        with mock.patch.object(EnginePlayer, "choose", timed):
            yield

    def _held(self, late: float) -> None:
        self.counts["questions"] += 1
        self.most("milliseconds after its time", 1000 * max(0.0, late))
        if late > CLOCK_SECONDS:
            self.faults.append(f"it was waited for {late:.2f} s too long")

    @contextmanager
    def bounds(self) -> Iterator[None]:
        """Hold the process to its bounds meanwhile, as far as the system tells what it uses."""
        before, began = _peak_of_memory(is_new=True), time.process_time()
        questions = self.counts["questions"]
        yield
        used = (time.process_time() - began) / max(1, self.counts["questions"] - questions)
        self.most("milliseconds of a processor a question", 1000 * used)
        if used > MOST_PROCESSOR_SECONDS:
            self.faults.append(f"a question took {used:.2f} s of a processor")
        grown = _peak_of_memory() - before
        self.most("KiB of growth", 1024 * grown)
        if grown > MOST_MEBIBYTES:
            self.faults.append(f"the process grew by {grown:.1f} MiB")


def _peak_of_memory(*, is_new: bool = False) -> float:
    """The most MiB that the process has used; those that it uses now where *is_new*, to begin with."""
    if sys.platform != "linux":
        return 0.0
    if is_new:
        Path("/proc/self/clear_refs").write_text("5", "ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    return int(found[1]) / 1024 if found else 0.0


def _is_running(pid: int) -> bool:
    if sys.platform == "win32":
        return False  # their job ends them
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        if sys.platform == "linux":
            return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _check_nothing_is_left(kind: Hostile, noted: Path, threads: set[threading.Thread], where: str) -> None:
    """:raises TrialFailure: a process or a thread of the program *kind* lives on."""
    deadline = time.monotonic() + _STAYING
    left: list[str] = []
    while time.monotonic() < deadline:
        pids = {int(line) for line in noted.read_text("ascii").split()} if noted.exists() else set()
        running = {pid for pid in pids if _is_running(pid)}
        left = [thread.name for thread in {*threading.enumerate()} - threads if thread.name.startswith("engine")]
        if "session of its own" in kind.name:  # out of reach, as the document says
            for pid in running:
                os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            running.clear()
        if not running and not left:
            return
        left += [f"process {pid}" for pid in running]
        time.sleep(0.02)
    raise TrialFailure(f"{kind.name}, {where}: what is left: {', '.join(left)}")


def _answered(command: click.Command, *words: str) -> dict[str, Any]:
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            command.main([*words, "--json"], standalone_mode=False)
    except click.ClickException as error:
        raise TrialFailure(f"{command.name} {' '.join(words)}: {error.message}") from None
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def _check_sentence(kind: Hostile, said: str) -> None:
    if not said.startswith("The engine 'x' ") or not said.isprintable() or len(said) > 300:
        raise TrialFailure(f"{kind.name}: no sentence that one can read: {said!r}")


def _try_commands(kind: Hostile, counts: Counts) -> None:
    found = _answered(match, kind.game, "engine:x", "random", "--seed", "1", "--option", "first=1")
    has_forfeited, is_without = found["forfeited"] == 1, found["no_move"] == 1
    verdict = "forfeits" if has_forfeited else "no move" if is_without else "plays"
    if found["reason"] == "seat 1 resigned":
        verdict = "resigns"
    if kind.verdict not in (verdict, "any"):
        raise TrialFailure(f"{kind.name}: what came of a match: {verdict}: {found['reason']}")
    if verdict in ("forfeits", "no move"):
        _check_sentence(kind, found["reason"])
    if is_without and found["winner"] is not None:
        raise TrialFailure(f"{kind.name}: {found['winner']} wins, though a program only gave no move")
    counts[f"matches: {verdict}"] += 1
    asked = ("--games", "2", "--turns", "0", "--openings", "1")
    found = _answered(tournament, kind.game, "engine:x", "random", *asked)
    if len(found["forfeits"]) != 2 and kind.verdict == "forfeits":
        raise TrialFailure(f"{kind.name}: {len(found['forfeits'])} of 2 games of a tournament forfeited")
    for one in (*found["forfeits"], *found["no_moves"]):
        _check_sentence(kind, one["reason"])
    counts["games of tournaments"] += 2


class _Window:
    """The program's window, before which nobody sits."""

    def __init__(self, kind: Hostile, counts: Counts, watch: _Watch, errors: list[str]) -> None:
        self.kind, self.counts, self.watch, self.errors = kind, counts, watch, errors
        self.program = Program(size=SIZE)
        self.program.app.settings.animation = "off"
        self.game = GAMES[kind.game]

    def frames(self, is_done: Callable[[], object], what: str, events: Callable[[], Any] = list) -> None:
        """Let frames pass until *is_done*.

        :raises TrialFailure: it never is, or something else went wrong.
        """
        app, began = self.program.app, time.monotonic()
        gesture = events()
        while not is_done():
            if time.monotonic() - began > _SITTING:
                raise TrialFailure(f"{self.kind.name}: {what} never came")
            with OwnTime() as spent:
                app.step(FRAME_SECONDS, gesture)
            gesture = []
            self.counts["frames"] += 1
            self.watch.most("milliseconds of a frame's own time", 1000 * spent.seconds)
            self.counts["frames over 33 ms"] += spent.seconds > LONG_SECONDS
            if spent.seconds > MOST_OWN_SECONDS:
                raise TrialFailure(f"{self.kind.name}: a frame took {spent.seconds:.3f} s{spent.words}")
            if self.errors or isinstance(app.scene, ErrorMessage):
                raise TrialFailure(f"{self.kind.name}: {(self.errors or ['an error is shown'])[0]}")
            time.sleep(FRAME_SECONDS / 4)

    def test(self) -> None:
        scene = EnginesScene(self.program.app)
        self.program.app.push(scene)
        self._pass(10)
        self.frames(lambda: scene.tested("x"), "the test's end", lambda: click_widget(self.program.app, "test x"))
        went_well, said = scene.tested("x") or (False, "")
        if went_well != (self.kind.verdict == "plays") and self.kind.verdict != "any":
            raise TrialFailure(f"{self.kind.name}: its test says {said!r}")
        if not went_well:
            _check_sentence(self.kind, said)
        self.program.app.pop()
        self._pass(2)

    def play(self) -> None:
        table = self.program.start_match(self.game, ["engine:x", HUMAN], {"first": "1"}, 1)
        app = self.program.app
        self.frames(lambda: isinstance(app.scene, Message) or table.match.steps or table.match.ending, "its turn")
        if isinstance(app.scene, Message):
            _check_sentence(self.kind, app.scene.text)
            app.pop()
        self.counts["tables at which it played" if table.match.steps else "tables at which it did not play"] += 1
        self._leave(table)

    def advise(self) -> None:
        """Have it look at a match beside the analysis, and the person play meanwhile."""
        self.program.app.settings.analysis = True
        table = self.program.start_match(self.game, [HUMAN, HUMAN], {"first": "1"}, 1)
        study = table.analysis.study
        assert study is not None
        for _ in range(2):
            self.frames(lambda: (view := study.view.opinion) and (view.turns or view.words), "its opinion")
            table.session.choose(table.match.legal_steps()[0])
            self._pass(5)
        self._leave(table)
        self.program.app.settings.analysis = False

    def _leave(self, table: TableScene) -> None:
        self.program.app.pop(table)
        self._pass(2)

    def _pass(self, frames: int) -> None:
        until = self.counts["frames"] + frames
        self.frames(lambda: self.counts["frames"] >= until, "the next frame")


def _write_entry(kind: Hostile, noted: Path) -> None:
    path = entries_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    limits = {"time": TIME, "grace": GRACE, "patience": PATIENCE}
    facts: dict[str, Any] = {
        "game": kind.game,
        "protocol": kind.protocol,
        "command": kind.write(noted.with_name("program.py"), noted),
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in (facts | limits).items()]
    path.write_text("\n".join(["[engines.x]", *lines]), encoding="utf-8")


@trial(
    "engines",
    "a program that plays badly, in a match, a tournament and at the window: it forfeits in time, in a sentence, and "
    "nothing of it is left",
    different=lambda: len(HOSTILE),
)
def case(seed: int, folder: Path) -> Counts:
    kind = HOSTILE[(seed - 1) % len(HOSTILE)]
    counts: Counts = Counter()
    noted, watch, threads = folder / "processes", _Watch(kind, counts), {*threading.enumerate()}
    _write_entry(kind, noted)
    _answered(match, kind.game, "random", "random")  # what is loaded for it is nothing that a program takes
    with errors_logged() as errors, watch.questions():
        with watch.bounds():
            _try_commands(kind, counts)
        _check_nothing_is_left(kind, noted, threads, "in a match")
        window = _Window(kind, counts, watch, errors)
        try:
            for act in (window.test, window.play, window.advise):
                act()
        finally:
            close_in_order(window.program)
        _check_nothing_is_left(kind, noted, threads, "at the window")
    if watch.faults:
        raise TrialFailure(f"{kind.name}: {'; '.join(watch.faults)}")
    return counts
