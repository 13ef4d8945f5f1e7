"""A program's bounds: what it writes, how long it takes, and that nothing of it is left."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from papan.ai.engines import EngineError
from papan.ai.engines.process import (
    LINE_COST,
    LONGEST_LINE,
    MOST_PAUSES,
    READ_A_SECOND,
    READ_AT_ONCE,
    Cancelled,
    Pace,
    Process,
    end_all,
)
from papan.game.base.places import CHECKOUT
from tests.ai.engines.programs import is_alive, is_running, script
from tests.waiting import PATIENCE, wait_for

Start = Callable[[str], Process]


def later(seconds: float = PATIENCE) -> float:
    return time.monotonic() + seconds


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[Process] = []

    def begin(body: str) -> Process:
        started.append(Process("The script", script(body)))
        return started[-1]

    yield begin
    for process in started:
        process.end(patience=0.1)
        assert not process.is_running


class TestLines:
    def test_are_heard_one_at_a_time_however_they_end_and_though_they_are_no_text(self, start: Start) -> None:
        process = start(r"sys.stdout.buffer.write(b' a \r\n\n\nb\rc\r\xff\x00\xfe ok\n'); sys.stdout.flush()")
        assert [process.hear(later()) for _ in range(3)] == ["a", "b", "c"]
        assert process.hear(later()).endswith("ok")

    def test_reach_the_program_and_those_written_before_are_forgotten(self, start: Start) -> None:
        process = start("say('old'); say(sys.stdin.readline()[::-1])")
        assert process.hear(later()) == "old"
        process.forget()
        process.send("stop")
        assert process.hear(later()) == "pots"


class TestBounds:
    def test_of_time(self, start: Start) -> None:
        with pytest.raises(EngineError, match=r"^The script did not answer in time\.$"):
            start("time.sleep(600)").hear(later(0.05))

    def test_of_a_line(self, start: Start) -> None:
        process = start("while True: sys.stdout.write('x' * 10000)")
        with pytest.raises(EngineError, match=f"a line of more than {LONGEST_LINE:,} bytes"):
            process.hear(later())
        wait_for(lambda: not process.is_running)

    def test_what_nobody_reads_waits_in_the_program(self, start: Start) -> None:
        process = start("for _ in range(200): say('info ' * 1000)\nsys.stdin.readline(); say('new')")
        process.send("now")
        process.forget()
        heard = process.hear(later())
        while heard != "new":
            heard = process.hear(later())

    @pytest.mark.parametrize(
        "flood",
        ["say('info depth 1')", *(f"os.write(1, b'{line}' * 2048)" for line in (r"i\n", r"\n", r"\r"))],
    )
    def test_a_flood_does_not_move_the_deadline(self, start: Start, flood: str) -> None:
        process = start(f"say('on')\nsys.stdin.readline()\nwhile True: {flood}")
        assert process.hear(later()) == "on"
        deadline = later(0.0)
        process.send("go")
        with pytest.raises(EngineError, match=r"^The script did not answer in time\.$"):
            process.hear(deadline)

    def test_a_flood_of_short_lines_ends_after_as_much_as_long_ones(self, start: Start) -> None:
        process = start("while True: os.write(1, b'i\\n' * 2048)")
        heard = 0
        with pytest.raises(EngineError, match="writes too much"):
            while process.hear(later()):
                heard += 1
        wait_for(lambda: not process.is_running)
        assert heard * LINE_COST < READ_AT_ONCE + 2 * MOST_PAUSES * READ_A_SECOND

    def test_of_its_errors_in_the_log(self, start: Start, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO)
        process = start("for i in range(1000): sys.stderr.write('trouble' * 3000 + '\\n')\nsay('through')")
        assert process.hear(later()) == "through"
        process.end()
        said = [record.getMessage() for record in caplog.records if "trouble" in record.getMessage()]
        assert 0 < len(said) <= 100 and 100 < max(map(len, said)) < 4100

    def test_of_patience_with_an_answer_that_nobody_wants(self, start: Start) -> None:
        process = start("time.sleep(600)")
        process.is_cancelled = lambda: True
        with pytest.raises(Cancelled):
            process.hear(later())


def test_the_pace_lets_a_burst_through_and_then_so_much_a_second() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    assert pace.pause(READ_AT_ONCE) == 0.0
    assert pace.pause(READ_A_SECOND) == 1.0
    now[0] += 1.0
    assert pace.pause(0) == 0.0
    assert pace.pause(READ_A_SECOND / 2) == 0.5
    now[0] += 3600.0  # what was written long ago is forgiven, but no more than a burst is saved up
    assert pace.pause(READ_AT_ONCE + READ_A_SECOND) == 1.0


class TestAnEndInTheMiddle:
    def test_is_told_with_the_exit_code(self, start: Start) -> None:
        process = start("sys.exit(3)")
        for _ in range(2):
            with pytest.raises(EngineError, match=r"ended unexpectedly \(exit code 3\)"):
                process.hear(later())

    def test_is_told_with_what_it_reported(self, start: Start) -> None:
        process = start("print('no net', file=sys.stderr); sys.exit(3)")
        with pytest.raises(EngineError, match=r"ended unexpectedly \(exit code 3\)\. It reports 'no net'\.$"):
            process.hear(later())

    def test_of_its_output_alone(self, start: Start) -> None:
        process = start("os.close(1); time.sleep(600)")
        with pytest.raises(EngineError, match="closed its output unexpectedly"):
            process.hear(later())

    def test_a_program_that_is_none_can_not_be_started(self) -> None:
        with pytest.raises(EngineError, match=r"^The script can't be started \('no-such-program': "):
            Process("The script", ["no-such-program"])

    @pytest.mark.skipif(sys.platform == "win32", reason="other systems start programs by their first bytes")
    @pytest.mark.parametrize(
        ("content", "mode", "reason"),
        [
            ("#!/no/such/interpreter\n", 0o700, "the program that its first line names is missing"),
            ("MZ\n", 0o700, "it is a program for Windows; begin the command with wine"),
            ("\x01\x02", 0o700, "it is no program of this system"),
            ("moves", 0o600, "it must not be executed; if it is a program, chmod +x FILE allows it"),
        ],
    )
    def test_what_is_no_program_here_is_told(self, tmp_path: Path, content: str, mode: int, reason: str) -> None:
        file = tmp_path / "program"
        file.write_text(content)
        file.chmod(mode)
        with pytest.raises(EngineError, match=re.escape(f": {reason}).")):
            Process("The script", [str(file)])

    def test_what_it_does_not_read_holds_nobody_up(self, start: Start) -> None:
        process = start("time.sleep(600)")
        for _ in range(100):
            process.send("position " + "x" * 10_000)
        assert process.is_running


class TestEnding:
    @pytest.mark.parametrize(
        ("body", "words"), [("assert sys.stdin.readline() == 'quit\\n'", ["quit"]), ("sys.stdin.read()", [])]
    )
    def test_one_that_leaves_when_asked_or_at_the_end_of_its_input(
        self, start: Start, body: str, words: list[str]
    ) -> None:
        process = start(body)
        process.end(words, patience=PATIENCE)
        assert not process.is_running

    @pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
    def test_one_that_ignores_all_that_can_be_ignored(self, start: Start) -> None:
        process = start("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); say('on'); time.sleep(600)")
        assert process.hear(later()) == "on"
        process.end(["quit"], patience=0.05)
        assert not process.is_running and not is_alive(process.pid)

    @pytest.mark.skipif(sys.platform == "win32", reason="asked by a signal")
    def test_what_it_has_started_ends_with_it(self, start: Start) -> None:
        process = start(
            "import subprocess\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
            "say(str(child.pid)); sys.stdin.read()"
        )
        child = int(process.hear(later()))
        process.end(patience=PATIENCE)
        wait_for(lambda: not is_running(child), "the end of what the program has started")

    @pytest.mark.skipif(sys.platform == "win32", reason="asked by a signal")
    def test_leaves_no_thread_though_a_process_of_another_session_keeps_its_pipes(self, start: Start) -> None:
        before = {*threading.enumerate()}
        process = start(
            "import subprocess\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)\n"
            "say(str(child.pid)); sys.exit()"
        )
        child = int(process.hear(later()))
        process.send("x" * 2**20)
        process.end()
        try:
            assert is_running(child) and {*threading.enumerate()} <= before
        finally:
            os.kill(child, signal.SIGKILL)

    def test_leaves_no_thread_though_nobody_has_read(self, start: Start) -> None:
        before = {*threading.enumerate()}
        process = start("while True: say('info ' * 1000)")
        process.hear(later())
        process.end(patience=0.1)
        assert {*threading.enumerate()} <= before

    def test_all_at_a_time(self, start: Start) -> None:
        processes = [start("time.sleep(600)") for _ in range(3)]
        end_all(patience=0.05)
        wait_for(lambda: not any(process.is_running for process in processes), "the end of them all")


@pytest.mark.skipif(sys.platform == "win32", reason="there a job object sees to it")
def test_what_listens_ends_even_if_we_are_killed() -> None:
    """A program sees the end of its input; Papan as a program, and the most others, leave then."""
    ours = (
        "import sys, time; from papan.ai.engines.process import Process\n"
        f"process = Process('x', {script('sys.stdin.read()')!r})\n"
        "print(process.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", ours], stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.kill()
    wait_for(lambda: not is_running(child), "the end of a program whose master was killed")
