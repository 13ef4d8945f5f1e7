"""A program that is talked to line by line, and kept in bounds: its time, the length of its lines, its end.

It is started without a shell, in a process group of its own, which ends as a whole. What it writes is read by a
thread of ours, so that nothing that it does, or leaves undone, can hold up the reader: a line that is too long or
output without end is a fault, and ends it. On Windows a job object ends it with us, however we end; elsewhere it
sees the end of its standard input, and what ignores that can outlive us only where we are killed by force.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from papan.ai.engines import EngineError, windows_job
from papan.game.base.foreign import quoted, shortened
from papan.game.base.programs import original_environment
from papan.game.base.sentences import figures, say

log = logging.getLogger(__name__)

LONGEST_LINE = 64 * 1024
"""Bytes of one line, at most."""
MOST_UNREAD = 4 * 2**20
"""Bytes of lines that nobody has read yet, at most: more is output without end."""
MOST_AT_ONCE = 64 * 2**20
"""Bytes from one question to the next, at most."""
MOST_LOGGED = 100
"""Lines of its standard error that go into the log."""

_CHUNK = 1 << 16
_TICK = 0.02  # seconds between two looks at whether an answer is still wanted
_PATIENCE = 1.0  # seconds that it has to leave when it is asked to, and again after it is told to

_running: set[Process] = set()
_running_lock = threading.Lock()


def never() -> bool:
    """No."""
    return False


class Cancelled(Exception):
    """The answer that was waited for is not wanted any more."""


class Process:
    """A running program. ``send`` never waits; lines are heard one at a time."""

    def __init__(self, name: str, command: Sequence[str], folder: Path | None = None) -> None:
        """Start *command*, a program and its arguments, in *folder*.

        :param name: what sentences call it.
        :raises EngineError: it can't be started.
        """
        self.name = name
        self.is_cancelled: Callable[[], bool] = never
        """Asked again and again while a line is waited for: whether nobody wants it any more."""
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._to_send: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._unread = 0
        self._since_question = 0
        self._fault = ""
        self._is_over = False
        self._lock = threading.Lock()
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
                creationflags=windows_job.CREATION_FLAGS,
            )
        except (OSError, ValueError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or error
            raise EngineError(
                say(
                    "{name} can't be started ({command}: {reason}).",
                    name=name,
                    command=quoted(command[0]),
                    reason=str(reason),
                )
            ) from error
        self._job = windows_job.hold(self._popen)
        with _running_lock:
            _running.add(self)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        for work, stream in (
            (self._read, self._popen.stdout),
            (self._write, self._popen.stdin),
            (self._log, self._popen.stderr),
        ):
            threading.Thread(target=work, args=(stream,), name=f"engine {work.__name__[1:]}", daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._popen.pid

    @property
    def is_running(self) -> bool:
        """Whether it has neither ended nor been ended."""
        return self._popen.poll() is None

    # ------------------------------------------------------------------------------------- talking

    def send(self, line: str) -> None:
        """Send *line* to it, as soon as it reads."""
        log.debug("%s < %s", self.name, line)
        self._to_send.put(line.encode() + b"\n")

    def forget(self) -> None:
        """Forget the lines that it has written so far: a new question begins."""
        while not self._heard.empty():
            if self._take(self._heard.get()) is None:
                self._heard.put(None)
                break
        with self._lock:
            self._since_question = 0

    def hear(self, deadline: float) -> str:
        """The next line that it writes, without the white space around it.

        :param deadline: ``time.monotonic()`` after which it is late.
        :raises EngineError: it is late, has ended, or has broken a bound.
        :raises Cancelled: ``is_cancelled`` says so.
        """
        while True:
            if self.is_cancelled():
                raise Cancelled
            left = deadline - time.monotonic()
            try:
                line = self._take(self._heard.get(timeout=max(0.0, min(left, _TICK))))
            except queue.Empty:
                if left <= 0:
                    raise EngineError(say("{engine} did not answer in time.", engine=self.name)) from None
                continue
            if line is None:
                self._heard.put(None)  # whoever asks again is told again
                raise EngineError(self._fault or self._end_in_words())
            log.debug("%s > %s", self.name, line)
            return line

    def _take(self, line: str | None) -> str | None:
        with self._lock:
            self._unread -= len(line or "")
        return line

    def _end_in_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._popen.wait(_PATIENCE)
            return say("{engine} has ended in the middle (exit code {code}).", engine=self.name, code=code)
        return say("{engine} has closed its output in the middle.", engine=self.name)

    # ------------------------------------------------------------------------------ beside the talk

    def _read(self, stream: IO[bytes]) -> None:
        rest = b""
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(stream.fileno(), _CHUNK):
                *lines, rest = (rest + chunk.replace(b"\r", b"\n")).split(b"\n")
                if not self._is_in_bounds(len(chunk), max(map(len, (*lines, rest)))):
                    break
                for line in lines:
                    text = line.decode(errors="replace").strip()
                    if text:
                        with self._lock:
                            self._unread += len(text)
                        self._heard.put(text)
            else:
                if rest.strip():
                    self._heard.put(rest.decode(errors="replace").strip())
        self._heard.put(None)
        if self._fault:
            self._kill()

    def _is_in_bounds(self, more: int, longest: int) -> bool:
        with self._lock:
            self._since_question += more
            if longest > LONGEST_LINE:
                self._fault = say(
                    "{engine} wrote a line of more than {most} bytes.", engine=self.name, most=figures(LONGEST_LINE)
                )
            elif self._unread > MOST_UNREAD or self._since_question > MOST_AT_ONCE:
                self._fault = say("{engine} writes without end.", engine=self.name)
        return not self._fault

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (line := self._to_send.get()) is not None:
                while line:
                    line = line[stream.write(line) :]  # a pipe may take a part only
        with contextlib.suppress(OSError):
            stream.close()

    def _log(self, stream: IO[bytes]) -> None:
        logged = 0
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(stream.fileno(), _CHUNK):
                for line in chunk.decode(errors="replace").splitlines():
                    if logged < MOST_LOGGED:
                        log.info("%s says: %s", self.name, shortened(line))
                    logged += 1

    # --------------------------------------------------------------------------------------- ending

    def end(self, words: Sequence[str] = (), patience: float = _PATIENCE) -> None:
        """Ask it to leave by *words* and the end of its input; after *patience* seconds end it, with all it started."""
        with self._end_lock:
            if self._is_over:
                return
            for word in words:
                self.send(word)
            self._to_send.put(None)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(patience)
            self._signal_group(getattr(signal, "SIGTERM", None))
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(patience)
            self._kill()
            self._popen.wait()
            self._is_over = True  # from now on its number may be another's
        with _running_lock:
            _running.discard(self)

    def end_soon(self, words: Sequence[str] = ()) -> None:
        """``end`` it beside whatever goes on."""
        try:
            threading.Thread(target=self.end, args=(words,), name="engine end").start()
        except RuntimeError:  # Python itself is ending: no more threads
            self._kill()

    def _signal_group(self, number: int | None) -> None:
        """Send a signal to it and to whatever it has started; on Windows end it."""
        if self._is_over:
            return
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                windows_job.end(self._job)
            elif number is not None:
                os.killpg(self._popen.pid, number)  # its group has its number, and is there while anything of it is

    def _kill(self) -> None:
        self._signal_group(getattr(signal, "SIGKILL", None))
        with contextlib.suppress(OSError):
            self._popen.kill()


def end_all(patience: float = _PATIENCE) -> None:
    """End every program that is still running, all at a time."""
    with _running_lock:
        left = list(_running)
    threads = [threading.Thread(target=process.end, args=((), patience), daemon=True) for process in left]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(3 * patience)


atexit.register(end_all)
