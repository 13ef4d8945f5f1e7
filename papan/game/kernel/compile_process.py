"""Compiling in a process beside this one, which leaves as soon as there is nothing to compile.

What a compiler needs of memory stays with the process that it works in, and it holds Python's global lock for long: a
window that compiles by itself grows with every game, and stumbles. So it asks another process of this program, which
keeps the machine code among the compiled kernels, from where it is loaded. What that process can't do, for whatever
reason, is compiled here. It does not stop in the middle when this process ends, so that nothing is compiled twice.
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
"""After which the process leaves, if nobody asks."""
LOWER_PRIORITY = 5

_DONE, _FAILED = b"done\n", b"failed\n"
_MOST_NOISE = 1000
"""Lines that it may print besides its answer: more is no process that compiles."""
_LONGEST_LINE = 4096


class CompilingProcess:
    """The process that compiles; it is started when it is first asked, and again after it has left."""

    def __init__(self, command: Sequence[str]) -> None:
        """:param command: starts a program that calls ``serve``."""
        self._command = list(command)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def compile(self, entry: Subroutine[..., Any], signature: Sequence[Any]) -> bool:
        """Wait until *entry* is compiled for arguments of these types of numba and kept; False where that fails."""
        modules = [*IMPLEMENTING_MODULES, entry.__module__]  # what it calls may be registered in any of them
        try:
            asked = base64.b64encode(pickle.dumps((modules, entry.function.__qualname__, tuple(signature)))) + b"\n"
        except (pickle.PicklingError, AttributeError, TypeError):  # a type of state that has no name elsewhere
            return False
        with self._lock:
            for _ in range(2):  # it may have left just now
                answer = self._ask(asked)
                if answer:
                    return answer == _DONE
        return False

    def close(self) -> None:
        """Let it leave, as soon as it has finished what it is compiling."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()

    def _ask(self, asked: bytes) -> bytes:
        """Its answer; nothing, if it is gone."""
        try:
            process = self._process = self._process or self._started()
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(asked)
            process.stdin.flush()
            for _ in range(_MOST_NOISE):  # somebody may have printed something
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
        from papan.game.kernel.cache import kernel_cache_folder  # by now the compiler is loaded

        return subprocess.Popen(
            self._command,
            env={**os.environ, KERNELS_VARIABLE: str(kernel_cache_folder())},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # what ends this process from a terminal does not end that one
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )


class _Here:
    """This process."""

    beside: CompilingProcess | None = None


def compile_beside(command: Sequence[str]) -> CompilingProcess:
    """From now on have entries compiled by a process that *command* starts; returns it."""
    _Here.beside = CompilingProcess(command)
    return _Here.beside


def compile_here() -> None:
    """From now on compile in this process."""
    if _Here.beside is not None:
        _Here.beside.close()
    _Here.beside = None


def compiled_beside(entry: Subroutine[..., Any], signature: Sequence[Any]) -> bool:
    """Whether another process compiles for this one, and has compiled *entry* for these types of argument."""
    return _Here.beside is not None and _can_be_found(entry) and _Here.beside.compile(entry, signature)


def is_beside() -> bool:
    """Whether another process compiles for this one."""
    return _Here.beside is not None


def serve(asking: IO[bytes], answering: IO[bytes]) -> None:
    """Compile what is asked for, until nobody asks any more."""
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
    """Compile what *line* asks for; whether that went well."""
    try:
        modules, name, signature = pickle.loads(base64.b64decode(line))
        *_, last = map(import_module, modules)
        entry = attrgetter(name)(last)
        entry.dispatcher.compile(signature)
    except Exception as error:  # who asked compiles it and says what is wrong
        log.debug("Nothing was compiled: %s", error)
        return False
    return True


def _can_be_found(entry: Subroutine[..., Any]) -> bool:
    """Whether another process finds *entry* by its name."""
    try:
        return attrgetter(entry.function.__qualname__)(sys.modules[entry.__module__]) is entry
    except (AttributeError, KeyError):
        return False
