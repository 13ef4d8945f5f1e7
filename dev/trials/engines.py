"""Misbehaving engines: in a match and a tournament of the command line, and in each place of the window."""

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
from typing import Any, Literal, NamedTuple
from unittest import mock

import click
import psutil

from dev.rehearsal import LONG_SECONDS, OwnTime
from dev.trials import MOST, Counts, TrialFailure, failing, trial
from dev.trials.hands import Gesture, Person, click_widget, errors_logged
from papan.ai.engines import EngineError
from papan.ai.engines.entries import entries_file
from papan.ai.engines.player import EnginePlayer
from papan.ai.limits import Analysis
from papan.ai.players import HUMAN, Situation
from papan.commands.match import match
from papan.commands.tournament import tournament
from papan.game.catalogue import GAMES
from papan.self_test import FRAME_SECONDS, SIZE, close_in_order
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.engines import EnginesScene
from papan.ui.scenes.table import TableScene
from papan.ui.window.program import Program

TIME, GRACE, PATIENCE = 0.3, 0.4, 2.0  # seconds, in the entry of each engine
CLOCK_SECONDS = 2.0
"""Seconds that an answer may be late on a busy machine; processor time has its own limit."""
MOST_MEBIBYTES = 10.0  # the growth allowed while the process waits for an engine
MOST_PROCESSOR_SECONDS = 0.5
"""Processor seconds that a question may take; none lasts longer than ``PATIENCE``."""
MOST_OWN_SECONDS = 0.1
_SITTING = 12.0  # seconds within which each place of the window reports an engine's failure
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
        """Measure the delays of all questions in the block."""
        choose = EnginePlayer.choose

        def timed(player: EnginePlayer, situation: Situation, *rest: Callable[[], bool]) -> Analysis:
            began = time.monotonic()
            try:
                player.start(*rest)
            except EngineError:
                self._held(time.monotonic() - began - PATIENCE)
                raise
            except Exception:  # the question was cancelled, which the next call handles
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
        """Check the process's use of processor and memory in the block, as far as the system reports it."""
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
    """The peak memory of the process in MiB; 0 except on Linux.

    :param is_new: whether to reset the peak first.
    """
    if sys.platform != "linux":
        return 0.0
    if is_new:
        Path("/proc/self/clear_refs").write_text("5", "ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    return int(found[1]) / 1024 if found else 0.0


def _is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _check_nothing_is_left(kind: Hostile, noted: Path, threads: set[threading.Thread], where: str) -> None:
    """:raises TrialFailure: a process or a thread of the engine *kind* is still running."""
    deadline = time.monotonic() + _STAYING
    left: list[str] = []
    while time.monotonic() < deadline:
        pids = {int(line) for line in noted.read_text("ascii").split()} if noted.exists() else set()
        running = {pid for pid in pids if _is_running(pid)}
        left = [thread.name for thread in {*threading.enumerate()} - threads if thread.name.startswith("engine")]
        if "session of its own" in kind.name:  # can't be ended, as documented
            for pid in running:
                os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            running.clear()
        if not running and not left:
            return
        left += [f"process {pid}" for pid in running]
        time.sleep(0.02)
    raise TrialFailure(f"{where}: what is left: {', '.join(left)}")


def _answered(command: click.Command, *words: str) -> dict[str, Any]:
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            command.main([*words, "--json"], standalone_mode=False)
    except click.ClickException as error:
        raise TrialFailure(f"{command.name} {' '.join(words)}: {error.message}") from None
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def _check_sentence(said: str) -> None:
    if not said.startswith("The engine 'x' ") or not said.isprintable() or len(said) > 300:
        raise TrialFailure(f"no sentence that one can read: {said!r}")


def _try_commands(kind: Hostile, counts: Counts) -> None:
    found = _answered(match, kind.game, "engine:x", "random", "--seed", "1", "--option", "first=1")
    has_forfeited, is_without = found["forfeited"] == 1, found["no_move"] == 1
    verdict = "forfeits" if has_forfeited else "no move" if is_without else "plays"
    if found["reason"] == "seat 1 resigned":
        verdict = "resigns"
    if kind.verdict not in (verdict, "any"):
        raise TrialFailure(f"what came of a match: {verdict}: {found['reason']}")
    if verdict in ("forfeits", "no move"):
        _check_sentence(found["reason"])
    if is_without and found["winner"] is not None:
        raise TrialFailure(f"{found['winner']} wins, though a program only gave no move")
    counts[f"matches: {verdict}"] += 1
    asked = ("--games", "2", "--turns", "0", "--openings", "1")
    found = _answered(tournament, kind.game, "engine:x", "random", *asked)
    if len(found["forfeits"]) != 2 and kind.verdict == "forfeits":
        raise TrialFailure(f"{len(found['forfeits'])} of 2 games of a tournament forfeited")
    for one in (*found["forfeits"], *found["no_moves"]):
        _check_sentence(one["reason"])
    counts["games of tournaments"] += 2


class _Window(Person):
    """The program's window, without a person."""

    def __init__(self, kind: Hostile, counts: Counts, watch: _Watch, errors: list[str]) -> None:
        super().__init__(Program(size=SIZE), errors)
        self.kind, self.counts, self.watch, self.game = kind, counts, watch, GAMES[kind.game]
        self.app.settings.animation = "off"

    def frame(self, gesture: Gesture | None = None) -> None:
        with OwnTime() as spent:
            self.app.step(FRAME_SECONDS, gesture or [])
        self.counts["frames"] += 1
        self.watch.most("milliseconds of a frame's own time", 1000 * spent.seconds)
        self.counts["frames over 33 ms"] += spent.seconds > LONG_SECONDS
        if spent.seconds > MOST_OWN_SECONDS:
            raise TrialFailure(f"a frame took {spent.seconds:.3f} s{spent.words}")
        self.look()
        time.sleep(FRAME_SECONDS / 4)

    def test(self) -> None:
        scene = EnginesScene(self.app)
        self.app.push(scene)
        self._pass(10)
        self.frame(click_widget(self.app, "test x"))
        self.until(lambda: scene.tested("x"), _SITTING)
        went_well, said = scene.tested("x") or (False, "")
        if went_well != (self.kind.verdict == "plays") and self.kind.verdict != "any":
            raise TrialFailure(f"its test says {said!r}")
        if not went_well:
            _check_sentence(said)
        self.app.pop()
        self._pass(2)

    def sit_down(self) -> None:
        table = self.program.start_match(self.game, ["engine:x", HUMAN], {"first": "1"}, 1)
        match, app = table.match, self.app
        self.until(lambda: isinstance(app.scene, Message) or match.steps or match.ending, _SITTING)
        if isinstance(app.scene, Message):
            _check_sentence(app.scene.text)
            app.pop()
        self.counts["tables at which it played" if table.match.steps else "tables at which it did not play"] += 1
        self._leave(table)

    def advise(self) -> None:
        """Have the engine advise next to the analysis, while the person plays."""
        self.app.settings.analysis = True
        table = self.program.start_match(self.game, [HUMAN, HUMAN], {"first": "1"}, 1)
        study = table.analysis.study
        assert study is not None
        for _ in range(2):
            self.until(lambda: (view := study.view.opinion) and (view.turns or view.words), _SITTING)
            table.session.choose(table.match.legal_steps()[0])
            self._pass(5)
        self._leave(table)
        self.app.settings.analysis = False

    def _leave(self, table: TableScene) -> None:
        self.app.pop(table)
        self._pass(2)

    def _pass(self, frames: int) -> None:
        for _ in range(frames):
            self.frame()


def _write_entry(kind: Hostile, noted: Path) -> None:
    path = entries_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    limits = {"time": TIME, "grace": GRACE, "patience": PATIENCE}
    command = kind.write(noted.with_name("program.py"), noted)
    facts: dict[str, Any] = {"game": kind.game, "protocol": kind.protocol, "command": command, **limits}
    lines = [f"{name} = {json.dumps(value)}" for name, value in facts.items()]
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
    _answered(match, kind.game, "random", "random")  # loads code, so that this memory is not attributed to the engine
    with failing(kind.name), errors_logged() as errors, watch.questions():
        with watch.bounds():
            _try_commands(kind, counts)
        _check_nothing_is_left(kind, noted, threads, "in a match")
        window = _Window(kind, counts, watch, errors)
        try:
            for act in (window.test, window.sit_down, window.advise):
                act()
        finally:
            close_in_order(window.program)
        _check_nothing_is_left(kind, noted, threads, "at the window")
        if watch.faults:
            raise TrialFailure("; ".join(watch.faults))
    return counts


Verdict = Literal["plays", "forfeits", "no move", "resigns", "any"]

_PRELUDE = """
import os, subprocess, sys, threading, time
def note(pid):
    with open(sys.argv[1], "a") as file: file.write(f"{pid}\\n")
note(os.getpid())
def put(data):
    while data: data = data[os.write(1, data):]
def say(*lines): put("".join(f"{line}\\n" for line in lines).encode())
def forever(act):
    while True: act()
def beside(act): threading.Thread(target=forever, args=(act,), daemon=True).start()
moves = []
def legal(): return next(str(c) for c in range(1, 8) if moves.count(str(c)) < 6)
def answer(): say("bestmove " + legal())
def child(code, **facts):
    note(subprocess.Popen([sys.executable, "-c", code], **facts).pid)
SLEEP = "import time; time.sleep(600)"
def talk(go=answer, name="Script", **acts):
    for line in sys.stdin:
        word, *words = line.split() or [""]
        if word in acts: acts[word]()
        elif word in ("uci", "ucci", "ugi"): say("id name " + name, word + "ok")
        elif word == "isready": say("readyok")
        elif word == "position": moves[:] = words[words.index("moves") + 1:] if "moves" in words else []
        elif word == "go": go()
        elif word == "quit": break
"""


class Hostile(NamedTuple):
    """An engine that does something wrong."""

    name: str
    body: str
    verdict: Verdict = "forfeits"
    """The result of a match with it; "any" if that depends on timing."""
    game: str = "connect-four"
    protocol: str = "ugi"
    is_never_ready: bool = False
    """Whether it fails while preparing for a match; the limit is then ``PATIENCE``."""

    def write(self, program: Path, noted: Path) -> tuple[str, ...]:
        """Write it into the file *program*, and return its command; it writes its process IDs to *noted*."""
        program.write_text(_PRELUDE + self.body, encoding="utf-8")
        return (sys.executable, "-I", "-S", "-u", str(program), str(noted))


_GTP = "for line in sys.stdin: say('= ok', '') if not line.startswith('genmove') else "
_GOMOCUP = (
    "for line in sys.stdin:\n"
    "    if line.startswith('START'): say('OK')\n"
    "    elif line.startswith('ABOUT'): say('name=\"Script\"')\n"
    "    elif line.startswith(('BEGIN', 'TURN', 'DONE')): "
)
_NBOARD = (
    "for line in sys.stdin:\n"
    "    if line.startswith('ping'): say('pong ' + line.split()[1])\n"
    "    elif line.startswith('go'): "
)

HOSTILE: tuple[Hostile, ...] = (
    Hostile("plays as it should", "talk()", "plays"),
    # Engines that never end.
    Hostile("short lines without end", "talk(lambda: forever(lambda: put(b'i\\n' * 2048)))"),
    Hostile("one short line after another", "talk(lambda: forever(lambda: say('i')))"),
    Hostile("empty lines without end", "talk(lambda: forever(lambda: put(b'\\n' * 4096)))"),
    Hostile("carriage returns without end", "talk(lambda: forever(lambda: put(b'\\r' * 4096)))"),
    Hostile("a line without end", "talk(lambda: forever(lambda: put(b'x' * 4096)))"),
    Hostile("null bytes without end", "talk(lambda: forever(lambda: put(b'\\0' * 4096)))"),
    Hostile("long lines without end", "talk(lambda: forever(lambda: say('info ' + 'x' * 50_000)))"),
    Hostile("long variations without end", "talk(lambda: forever(lambda: say('info depth 1 pv' + ' 4 1' * 9000)))"),
    Hostile("lines without end from the start", "forever(lambda: put(b'y\\n' * 2048))"),
    Hostile("options without end", "talk(ugi=lambda: forever(lambda: say('option name x type spin')))"),
    Hostile(
        "lines without end while nobody asks",
        "def go():\n    answer()\n    beside(lambda: say('info'))\ntalk(go)",
        "any",
    ),
    Hostile(
        "errors without end",
        "beside(lambda: os.write(2, b'trouble\\n' * 999))\ntalk()",
        "plays",
    ),
    Hostile("noise without end", "talk(lambda: forever(lambda: put(os.urandom(4096))))"),
    Hostile("messages without end", f"{_GOMOCUP}forever(lambda: say('MESSAGE x'))", "forfeits", "gomoku", "gomocup"),
    Hostile("replies without end", f"{_GTP}forever(lambda: say(''))", "forfeits", "othello", "gtp"),
    Hostile("states without end", f"{_NBOARD}forever(lambda: say('status x'))", "forfeits", "othello", "nboard"),
    # Missing answers.
    Hostile("silent from the start", "time.sleep(600)"),
    Hostile("silent once it is to move", "talk(lambda: time.sleep(600))"),
    Hostile("never ready", "talk(isready=lambda: None)"),
    Hostile("an endless greeting", "talk(ugi=lambda: forever(lambda: (say('id name x'), time.sleep(0.05))))"),
    Hostile("a byte now and then", "talk(lambda: [(put(b'x'), time.sleep(0.1)) for _ in range(6000)])"),
    Hostile("too late", "talk(lambda: (time.sleep(1.5), answer()))"),
    Hostile("another protocol", "for line in sys.stdin: say('Error (unknown command): ' + line.strip())"),
    Hostile("another protocol's greeting", "talk(ugi=lambda: say('uciok'))"),
    Hostile("reads nothing", "say('ugiok', 'readyok', 'bestmove 1')\ntime.sleep(600)", is_never_ready=True),
    # Engines that end.
    Hostile("ends at the start", "sys.exit(3)"),
    Hostile("ends once it is to move", "talk(lambda: sys.exit(4))"),
    Hostile("ends in the middle of a line", "talk(lambda: (put(b'bestmo'), sys.exit()))"),
    Hostile("ends with its answer", "talk(lambda: (put(b'bestmove ' + legal().encode()), sys.exit()))", "plays"),
    Hostile("ends with output that nobody has read", "talk(lambda: (say('info ' + 'x' * 60_000), os._exit(5)))"),
    Hostile("is ended by force", "talk(lambda: os.kill(os.getpid(), 9))"),
    Hostile("closes its output", "talk(lambda: (os.close(1), time.sleep(600)))"),
    Hostile("closes its input", "talk(lambda: (os.close(0), time.sleep(600)))"),
    Hostile("closes all", "os.closerange(0, 3)\ntime.sleep(600)"),
    # Senseless answers.
    Hostile("no such column", "talk(lambda: say('bestmove 9'))"),
    Hostile("a move of another game", "talk(lambda: say('bestmove h2e2'))"),
    Hostile("the other side's move", "talk(lambda: say('bestmove a10a9'))", game="xiangqi", protocol="uci"),
    Hostile("half a move", "talk(lambda: say('bestmove h3'))", game="xiangqi", protocol="uci"),
    Hostile("a huge move", "talk(lambda: say('bestmove ' + '4' * 60_000))"),
    Hostile("no move after the word", "talk(lambda: say('bestmove'))"),
    Hostile("escape sequences", r"talk(lambda: say('bestmove \x1b[2J\x1b]0;x\x07'))"),
    Hostile("bytes that are no text", r"talk(lambda: put(b'bestmove \xff\xfe\x80\n'))"),
    Hostile("a huge name", r"talk(name='\x1b[31m' + chr(0x202E) + 'N' * 60_000)", "plays"),
    Hostile(
        "huge numbers",
        "talk(lambda: (say(f'info depth {10 ** 400} nodes -1 score cp {10 ** 400} pv 1', "
        "'info depth -5 nodes 1e99 score mate 99999999999999999999 pv 1'), answer()))",
        "plays",
    ),
    Hostile("answers before it is asked", "talk(position=lambda: say('bestmove 4'))", "any"),
    Hostile("answers twice", "talk(lambda: (answer(), answer()))", "any"),
    Hostile("ends lines in its own way", "talk(lambda: put(b'info\\rbestmove ' + legal().encode() + b'\\r'))", "plays"),
    Hostile("an error instead of a move", f"{_GOMOCUP}say('ERROR no')", "forfeits", "gomoku", "gomocup"),
    Hostile("a refusal instead of a move", f"{_GTP}say('? no', '')", "forfeits", "othello", "gtp"),
    Hostile("a pass where there is a move", f"{_NBOARD}say('=== PA')", "forfeits", "othello", "nboard"),
    # Claims that the game is over.
    Hostile("no move", "talk(lambda: say('bestmove (none)'))", "no move"),
    Hostile("no best move", "talk(lambda: say('nobestmove'))", "no move", "xiangqi", "ucci"),
    Hostile("resigns", f"{_GTP}say('= resign', '')", "resigns", "othello", "gtp"),
    # Processes that stay behind.
    Hostile("ignores stop and quit", "talk(quit=lambda: None, stop=lambda: None)\ntime.sleep(600)", "plays"),
    Hostile(
        "ignores all that asks it to leave",
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntalk(quit=lambda: None)\ntime.sleep(600)",
        "plays",
    ),
    Hostile("leaves a child that keeps its pipes", "child(SLEEP)\ntalk()", "plays"),
    Hostile("leaves many children", "[child(SLEEP) for _ in range(5)]\ntalk()", "plays"),
    Hostile("hides a child in a session of its own", "child(SLEEP, start_new_session=True)\ntalk()", "plays"),
)  # fmt: skip
