"""Compiling in another process, which ends when it is idle.

numba never returns its memory and holds Python's global lock, so that a window that compiles grows and stutters. The
window asks another process of this program, which writes the machine code to the kernel cache; the window loads it
from there. If that process fails, the window compiles. When the window closes, the other process completes the
kernel that it is compiling, so that nothing is compiled twice.
"""

from __future__ import annotations

import base64
import logging
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from operator import attrgetter
from typing import IO, TYPE_CHECKING, Any

from papan.game.base.places import KERNELS_VARIABLE
from papan.game.kernel import IMPLEMENTING_MODULES

if TYPE_CHECKING:
    from papan.game.kernel import Subroutine

log = logging.getLogger(__name__)

IDLE_SECONDS = 20.0
"""The process ends after this time without a request."""
LOWER_PRIORITY = 5

_DONE, _FAILED = b"done\n", b"failed\n"
_MOST_NOISE = 1000
"""Lines that it may print before its answer; after more, it is taken for another program and killed."""
_LONGEST_LINE = 4096


class CompilingProcess:
    """The process that compiles; started at the first request, and again at the next one after it ended."""

    def __init__(self, command: Sequence[str]) -> None:
        """:param command: starts a program that calls ``serve``."""
        self._command = list(command)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.first_asked: float | None = None
        """When it was first asked, by ``time.monotonic``."""

    def compile(self, entry: Subroutine[..., Any], signature: Sequence[Any]) -> bool:
        """Have *entry* compiled for arguments of these numba types; returns whether it is in the cache now."""
        modules = [*IMPLEMENTING_MODULES, entry.__module__]  # any of them may register functions that it calls
        try:
            asked = base64.b64encode(pickle.dumps((modules, entry.function.__qualname__, tuple(signature)))) + b"\n"
        except (pickle.PicklingError, AttributeError, TypeError):  # the other process can't import a type
            return False
        self.first_asked = self.first_asked or time.monotonic()
        with self._lock:
            for _ in range(2):  # it may have ended just now
                answer = self._ask(asked)
                if answer:
                    return answer == _DONE
        return False

    def close(self) -> None:
        """End it as soon as the kernel that it is compiling is complete."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()

    def _ask(self, asked: bytes) -> bytes:
        """Return its answer; empty if it has ended."""
        try:
            process = self._process = self._process or self._started()
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(asked)
            process.stdin.flush()
            for _ in range(_MOST_NOISE):  # an imported module may have printed something
                answer = process.stdout.readline(_LONGEST_LINE)
                if answer in (_DONE, _FAILED, b""):
                    break
            else:
                process.kill()
                answer = b""
        except (OSError, ValueError) as error:
            log.debug("The process that compiles is gone: %s", error)
            answer = b""
        if not answer:
            self._process = None
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        from papan.game.kernel.cache import kernel_cache_folder  # the compiler is loaded by now

        return subprocess.Popen(
            self._command,
            env={**os.environ, KERNELS_VARIABLE: str(kernel_cache_folder())},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a signal from the terminal that ends this process does not end that one
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )


class _Compiling:
    """The place where this process compiles its kernels."""

    elsewhere: CompilingProcess | None = None


def compile_elsewhere(command: Sequence[str]) -> CompilingProcess:
    """From now on, compile in a process started by *command*; returns it."""
    _Compiling.elsewhere = CompilingProcess(command)
    return _Compiling.elsewhere


def compile_here() -> None:
    """From now on, compile in this process."""
    if _Compiling.elsewhere is not None:
        _Compiling.elsewhere.close()
    _Compiling.elsewhere = None


def compiled_elsewhere(entry: Subroutine[..., Any], signature: Sequence[Any]) -> bool:
    """Compile *entry* in the other process, if there is one; returns whether that succeeded."""
    return _Compiling.elsewhere is not None and _can_be_found(entry) and _Compiling.elsewhere.compile(entry, signature)


def compiles_elsewhere() -> bool:
    """Whether another process compiles for this one."""
    return _Compiling.elsewhere is not None


def compiles_since() -> float | None:
    """When another process was first asked to compile, by ``time.monotonic``; None while the cache has every kernel."""
    return _Compiling.elsewhere.first_asked if _Compiling.elsewhere is not None else None


def serve(asking: IO[bytes], answering: IO[bytes]) -> None:
    """Answer requests until the input ends or ``IDLE_SECONDS`` pass without one."""
    with suppress(AttributeError, OSError):  # not on every system
        os.nice(LOWER_PRIORITY)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    listener = threading.Thread(target=_listen, args=(asking, lines), daemon=True)
    listener.start()
    with suppress(queue.Empty, OSError):
        while line := lines.get(timeout=IDLE_SECONDS):
            answering.write(_DONE if _compile(line) else _FAILED)
            answering.flush()


def _listen(asking: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    for line in asking:
        lines.put(line)
    lines.put(b"")


def _compile(line: bytes) -> bool:
    """Compile the request *line*; returns whether that succeeded."""
    try:
        modules, name, signature = pickle.loads(base64.b64decode(line))
        *_, last = map(import_module, modules)
        entry = attrgetter(name)(last)
        entry.dispatcher.compile(signature)
    except Exception as error:  # the process that asked compiles it itself and reports the error
        log.debug("Nothing was compiled: %s", error)
        return False
    return True


def _can_be_found(entry: Subroutine[..., Any]) -> bool:
    """Whether another process can import *entry* by its name."""
    try:
        return attrgetter(entry.function.__qualname__)(sys.modules[entry.__module__]) is entry
    except (AttributeError, KeyError):
        return False
