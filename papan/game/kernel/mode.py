"""Compiled or plain: which of the two ways functions run here, and what is said where there is no compiler."""

from __future__ import annotations

import importlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

log = logging.getLogger(__name__)

_PLAIN_BY_ENVIRONMENT = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


class _ThisThread(threading.local):
    """How this thread runs."""

    is_plain = False


_here = _ThisThread()


class KernelError(Exception):
    """A function can't be compiled; the message is a sentence that says where, why, and what would be right."""


class _Compiler:
    """This process's compiler, as far as it is known."""

    loading = threading.RLock()
    is_asked = False
    failure: str | None = None
    listeners: tuple[Callable[[str], None], ...] = ()


def is_plain() -> bool:
    """Whether everything runs as plain Python: by ``NUMBA_DISABLE_JIT=1``, on this thread for now, or because there is
    no compiler, as far as that is known already."""
    return _here.is_plain or _PLAIN_BY_ENVIRONMENT or _Compiler.failure is not None


@contextmanager
def plainly() -> Iterator[None]:
    """Run as plain Python on this thread, for instance because the compiler is not ready yet."""
    _here.is_plain = True
    try:
        yield
    finally:
        _here.is_plain = False


def load_compiler() -> bool:
    """Load the compiler, which takes a third of a second the first time; returns whether there is one.

    Where there is none, it is said once, in the log and to all who asked to be told.
    """
    if _Compiler.is_asked:  # asked at every call of compiled code: without the lock
        return _Compiler.failure is None
    with _Compiler.loading:
        if not _Compiler.is_asked:
            try:
                # Whole, before numba asks for a part of it: importing the part holds the part's lock and waits for the
                # whole, and another thread that imports the whole, to draw a texture say, waits for the part.
                importlib.import_module("numpy.random")
                importlib.import_module("papan.game.kernel.compiler")
            except Exception as error:  # numba or llvmlite are missing, broken, or of another version than they need
                _Compiler.failure = f"{type(error).__name__}: {error}"
                log.warning("There is no compiler, so that computers play in plain Python: %s", _Compiler.failure)
            _Compiler.is_asked = True
            for tell in _Compiler.listeners if _Compiler.failure else ():
                tell(_Compiler.failure or "")
        return _Compiler.failure is None


def lacks_compiler() -> bool:
    """Whether the compiler was looked for, and there is none."""
    return _Compiler.failure is not None


def when_compiler_is_missing(tell: Callable[[str], None]) -> None:
    """Have *tell* called with the reason, once, when it turns out that there is no compiler; on any thread."""
    with _Compiler.loading:
        _Compiler.listeners += (tell,)
        if _Compiler.failure is not None:
            tell(_Compiler.failure)
