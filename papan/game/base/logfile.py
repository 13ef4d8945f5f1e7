"""The log file in the user's folder."""

from __future__ import annotations

import logging
import os
import platform
import sys
import threading
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from papan.game.base.places import log_folder, make_private_file, make_private_folder
from papan.game.base.untrusted import plain
from papan.game.base.version import VERSION

FILE_NAME = "papan.log"
MOST_BYTES = 500_000
OLD_FILES = 2

log = logging.getLogger("papan")


class _PrivateFileHandler(RotatingFileHandler):
    """Makes files that only their owner can read; makes a new one if another program took the file away."""

    def _open(self) -> TextIOWrapper:
        make_private_folder(Path(self.baseFilename).parent)
        make_private_file(Path(self.baseFilename))
        return super()._open()

    def emit(self, record: logging.LogRecord) -> None:
        """Write *record* to the file that is at the path now."""
        if self._is_taken_away() and self.stream is not None:
            with suppress(OSError):
                self.stream.close()
            self.stream = None  # opened by the next write
        super().emit(record)

    def _is_taken_away(self) -> bool:
        if self.stream is None or sys.platform == "win32":  # there open files can't be moved
            return False
        try:
            return not os.path.samestat(os.fstat(self.stream.fileno()), Path(self.baseFilename).stat())
        except (OSError, ValueError):
            return True


class _PlainFormatter(logging.Formatter):
    """Escapes control characters, for terminals that show the log."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(map(plain, super().format(record).split("\n")))


def log_file() -> Path:
    return log_folder() / FILE_NAME


def begin_log() -> None:
    """Log to the file, including uncaught errors of threads; if it can't be written, log nothing."""
    logging.raiseExceptions = False  # a full disk must not print a traceback for every line
    try:
        make_private_folder(log_folder())
        handler: logging.Handler = _PrivateFileHandler(
            log_file(), maxBytes=MOST_BYTES, backupCount=OLD_FILES, encoding="utf-8", delay=False
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(_PlainFormatter("%(asctime)s %(levelname)s %(name)s (%(threadName)s): %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    threading.excepthook = _log_from_thread
    log.info("Papan %s, Python %s, %s", VERSION, platform.python_version(), sys.platform)


def _log_from_thread(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None:
        name = failed.thread.name if failed.thread else "a thread"
        log_failure(f"Unexpected error in {name}", failed.exc_value)


def log_failure(what: str, error: BaseException) -> None:
    trace: TracebackType | None = error.__traceback__
    log.error(what, exc_info=(type(error), error, trace))
