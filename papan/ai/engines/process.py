"""Run a program and talk to it line by line, within limits of time, length and rate.

It is started without a shell in its own process group, which is ended as a whole. A thread reads its output at a
limited rate into a bounded queue, so that a faster program has to wait. A line that is too long, or too much output,
ends it. On Windows a job object ends it with us in any case; elsewhere its standard input closes, and only a program
that ignores this survives if we are killed.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import errno
import logging
import os
import queue
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from papan.ai.engines import EngineError
from papan.game.base.programs import original_environment
from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.base.untrusted import LONGEST_REPORT, UnreadableError, open_file, quoted, quoted_report, shortened

log = logging.getLogger(__name__)

LONGEST_LINE = 64 * 1024
"""Bytes."""
READ_AT_ONCE = 2**20
"""Bytes read without a pause; each line costs ``LINE_COST`` more."""
READ_A_SECOND = 2**22
"""Bytes per second after that, counted in the same way."""
LINE_COST = 256
MOST_PAUSES = 2.0
"""Seconds of pauses within one question after which the program is ended."""
MOST_LOGGED = 100
"""Lines of its reports in the log."""
LONGEST_LOGGED = 4000
"""Characters of each."""

_CHUNK = 1 << 12
_MOST_CHUNKS = 16  # unread
_LOG_CHUNK = 1 << 16
_LOG_SHARE = 1 / 16  # the cost of a byte of standard error, which is mostly discarded
_TICK = 0.02  # seconds between checks for cancellation
_PATIENCE = 1.0  # seconds to exit after a request, and again after a signal

# Windows job objects: the processes in a job end with the process that holds it. Elsewhere the functions do nothing.

_CREATION_FLAGS = 0x08000200 if sys.platform == "win32" else 0
"""``CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP``."""

_KILL_ON_CLOSE = 0x2000
_EXTENDED_LIMITS = 9


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("per_process_time", ctypes.c_int64),
        ("per_job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("most_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def _put_into_job(process: subprocess.Popen[bytes]) -> Any:
    """Put *process* into a new job and return it; None on systems without jobs."""
    if sys.platform != "win32":
        return None
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    limits = _ExtendedLimits()
    limits.basic.flags = _KILL_ON_CLOSE
    handle = ctypes.c_void_p(int(vars(process)["_handle"]))  # there is no public name
    if not (
        kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
        and kernel.AssignProcessToJobObject(job, handle)
    ):
        log.warning("A program can't be put into a job: error %s", ctypes.get_last_error())
    return job


_running: set[Process] = set()
_running_lock = threading.Lock()


def never() -> bool:
    return False


class Cancelled(Exception):
    """The question was cancelled."""


class Pace:
    """A rate limit with a burst (token bucket)."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left = float(READ_AT_ONCE)
        self._looked = clock()

    def pause(self, amount: float) -> float:
        """The seconds to wait after *amount* bytes; 0 if too short to wait."""
        now = self._clock()
        earned = (now - self._looked) * READ_A_SECOND
        self._left = min(READ_AT_ONCE, self._left + earned) - amount
        self._looked = now
        seconds = -self._left / READ_A_SECOND
        return seconds if seconds >= _TICK else 0.0


def _why_not_started(program: str, error: Exception) -> Sentence:
    """Why *program* raised *error* at its start, as a clause."""
    is_there = Path(program).is_file()
    if isinstance(error, FileNotFoundError):
        return say("the program that its first line names is missing") if is_there else say("there is no such file")
    if isinstance(error, PermissionError) and is_there:
        return say("it must not be executed; if it is a program, chmod +x FILE allows it")
    if isinstance(error, OSError) and error.errno == errno.ENOEXEC:
        with contextlib.suppress(UnreadableError), open_file(Path(program)) as file:
            if file.read(2) == b"MZ":
                return say("it is a program for Windows; begin the command with wine")
        return say("it is no program of this system")
    return joined([(isinstance(error, OSError) and error.strerror) or str(error)])


class Process:
    """A running program. ``send`` never blocks."""

    def __init__(self, name: str, command: Sequence[str], folder: Path | None = None) -> None:
        """Start *command*, a program and its arguments, in *folder*.

        :raises EngineError: it can't be started.
        """
        self.name = name
        self.is_cancelled: Callable[[], bool] = never
        """Polled by ``hear``."""
        self.complaint = ""
        """The first line of its standard error."""
        self._logged = 0
        self._heard: queue.Queue[tuple[float, bytes] | None] = queue.Queue(_MOST_CHUNKS)
        """Output chunks with their times; None for the end."""
        self._to_send: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._pauses = 0.0
        self._fault = ""
        self._has_closed = False
        self._is_ending = False
        self._is_over = threading.Event()
        self._end_lock = threading.Lock()
        try:
            self._popen = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=original_environment(),
                bufsize=0,
                start_new_session=sys.platform != "win32",
                creationflags=_CREATION_FLAGS,
            )
        except (OSError, ValueError) as error:
            raise EngineError.saying(
                "{name} can't be started ({command}: {reason}).",
                name=name,
                command=quoted(command[0]),
                reason=_why_not_started(command[0], error),
            ) from error
        self._job = _put_into_job(self._popen)
        with _running_lock:
            _running.add(self)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._wake = _Wake()
        if sys.platform != "win32":
            os.set_blocking(self._popen.stdin.fileno(), False)  # the program may never read it
        self._threads = [
            threading.Thread(target=work, args=(stream,), name=f"engine {work.__name__[1:]}", daemon=True)
            for work, stream in (
                (self._read, self._popen.stdout),
                (self._write, self._popen.stdin),
                (self._log, self._popen.stderr),
            )
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def is_running(self) -> bool:
        return self._popen.poll() is None

    @property
    def can_answer(self) -> bool:
        """Whether it runs with its output open."""
        return self.is_running and not self._has_closed

    # ------------------------------------------------------------------------------------- talking

    def send(self, line: str) -> None:
        log.debug("%s < %s", self.name, line)
        self._to_send.put(line.encode() + b"\n")

    def note(self, line: str) -> None:
        """Log *line*, which reports something, if there were not too many yet."""
        if self._logged < MOST_LOGGED:
            self._logged += 1
            log.info("%s says: %s", self.name, shortened(line, LONGEST_LOGGED))

    def forget(self) -> None:
        """Discard its output so far, before a new question."""
        self._lines.clear()
        self._rest = b""
        self._make_room()
        self._pauses = 0.0

    def _make_room(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._has_closed |= self._heard.get_nowait() is None

    def hear(self, deadline: float) -> str:
        """Wait for its next line; returns it stripped.

        :param deadline: in ``time.monotonic()``.
        :raises EngineError: it is late, has ended, or exceeded a limit.
        :raises Cancelled: ``is_cancelled`` says so.
        """
        while True:
            if self.is_cancelled():
                raise Cancelled
            while self._lines:
                line = self._lines.popleft().decode(errors="replace").strip()
                if line:
                    log.debug("%s > %s", self.name, line)
                    return line
            self._take_more(deadline)

    def _take_more(self, deadline: float) -> None:
        """Wait a moment for more output; raises EngineError if there will be none in time."""
        left = deadline - time.monotonic()
        if self._has_closed and self._heard.empty():
            raise EngineError(self._fault or self._end_in_words(left))
        try:
            heard = self._heard.get(timeout=max(0.0, min(left, _TICK)))
        except queue.Empty:
            if left <= 0:
                raise self._late() from None
            return
        if heard is None:
            self._has_closed = True
            self._lines.append(self._rest)
            self._rest = b""
            return
        came, chunk = heard
        if came > deadline:
            raise self._late()
        *lines, self._rest = (self._rest + chunk.replace(b"\r", b"\n")).split(b"\n")
        self._lines.extend(lines)
        if max(map(len, (*lines, self._rest))) > LONGEST_LINE:
            self._fail(
                say("{engine} wrote a line of more than {most} bytes.", engine=self.name, most=figures(LONGEST_LINE))
            )
            raise EngineError(self._fault)

    def _late(self) -> EngineError:
        return EngineError.saying("{engine} did not answer in time.", engine=self.name)

    def _fail(self, fault: str) -> None:
        self._fault = fault
        self._kill()

    def _end_in_words(self, left: float) -> str:
        """A sentence about how it ended, after waiting at most *left* seconds for its exit."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._popen.wait(max(_TICK, min(left, _PATIENCE)))
            said = say("{engine} ended unexpectedly (exit code {code}).", engine=self.name, code=code)
            self._threads[-1].join(_PATIENCE)  # what it reported is read by then
            return (
                joined([said, say("It reports {line}.", line=quoted_report(self.complaint))])
                if self.complaint
                else said
            )
        return say("{engine} closed its output unexpectedly.", engine=self.name)

    # ------------------------------------------------------------------------------ threads

    def _read(self, stream: IO[bytes]) -> None:
        pace = Pace()
        with contextlib.suppress(OSError, ValueError):
            while self._wake.waits_for(stream) and (chunk := os.read(stream.fileno(), _CHUNK)):
                if not self._is_ending:
                    self._heard.put((time.monotonic(), chunk))
                lines = chunk.count(b"\n") + chunk.count(b"\r")
                pause = pace.pause(len(chunk) + LINE_COST * lines)
                self._pauses += pause
                if self._pauses > MOST_PAUSES:
                    self._fail(say("{engine} writes too much.", engine=self.name))
                    break
                self._is_over.wait(pause)
        self._heard.put(None)
        stream.close()

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (line := self._to_send.get()) is not None:
                while line and self._wake.waits_for(stream, to_write=True):
                    line = line[stream.write(line) or 0 :]  # a pipe may take a part only
        with contextlib.suppress(OSError):
            stream.close()  # the program sees the end of its input

    def _log(self, stream: IO[bytes]) -> None:
        pace = Pace()
        with contextlib.suppress(OSError, ValueError):
            while self._wake.waits_for(stream) and (chunk := os.read(stream.fileno(), _LOG_CHUNK)):
                lines = chunk.decode(errors="replace").splitlines() if self._logged < MOST_LOGGED else ()
                for line in lines[:MOST_LOGGED]:
                    self.note(line)
                    self.complaint = self.complaint or shortened(line.strip(), LONGEST_REPORT)
                self._is_over.wait(pace.pause(len(chunk) * _LOG_SHARE))
        stream.close()

    # --------------------------------------------------------------------------------------- ending

    def end(self, words: Sequence[str] = (), patience: float = _PATIENCE) -> None:
        """Ask it to exit by *words* and closing its input; after *patience* seconds kill its process group."""
        with self._end_lock:
            if self._is_over.is_set():
                return
            for word in words:
                self.send(word)
            self._to_send.put(None)
            self._is_ending = True
            self._make_room()  # unblocks the reader, which discards from now on
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(patience)
            self._signal_group(getattr(signal, "SIGTERM", None))
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(patience)
            self._kill()
            self._popen.wait()
            self._is_over.set()  # its process id may be reused from now on
            self._wake.wake()  # its children may still hold its pipes
            for thread in self._threads:
                thread.join(_PATIENCE)
            self._wake.close()
        with _running_lock:
            _running.discard(self)

    def end_soon(self, words: Sequence[str] = ()) -> None:
        """``end`` it in another thread."""
        try:
            threading.Thread(target=self.end, args=(words,), name="engine end").start()
        except RuntimeError:  # Python itself is ending: no more threads
            self._kill()

    def _signal_group(self, number: int | None) -> None:
        """Send a signal to its process group; on Windows end its job."""
        if self._is_over.is_set():
            return
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                if self._job is not None:
                    ctypes.WinDLL("kernel32").TerminateJobObject(self._job, 1)
            elif number is not None:
                os.killpg(self._popen.pid, number)  # the group has its number, and lives while any member does

    def _kill(self) -> None:
        self._signal_group(getattr(signal, "SIGKILL", None))
        with contextlib.suppress(OSError):
            self._popen.kill()


class _Wake:
    """Wakes threads that wait for a pipe; not needed on Windows, where the job ends all holders of the other end."""

    def __init__(self) -> None:
        self._told: socket.socket | None = None
        if sys.platform != "win32":
            self._told, self._tell = socket.socketpair()

    def waits_for(self, stream: IO[bytes], *, to_write: bool = False) -> bool:
        """Wait until *stream* can be read, or written to; False once ``wake`` was called."""
        if sys.platform == "win32" or self._told is None:
            return True
        poll = select.poll()
        poll.register(stream, select.POLLOUT if to_write else select.POLLIN)
        poll.register(self._told, select.POLLIN)
        return self._told.fileno() not in dict(poll.poll())

    def wake(self) -> None:
        if self._told is not None:
            self._tell.close()

    def close(self) -> None:
        if self._told is not None:
            self._told.close()


def end_all(patience: float = _PATIENCE) -> None:
    with _running_lock:
        left = list(_running)
    threads = [threading.Thread(target=process.end, args=((), patience), daemon=True) for process in left]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(3 * patience)


atexit.register(end_all)
