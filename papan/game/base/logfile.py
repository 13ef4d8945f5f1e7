"""The log file in the user's folder: what went wrong, for the one who is asked to look into it."""

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
    """Makes each file so that only its owner can read it, and makes it anew where another program took it away."""

    def _open(self) -> TextIOWrapper:
        make_private_folder(Path(self.baseFilename).parent)
        make_private_file(Path(self.baseFilename))
        return super()._open()

    def emit(self, record: logging.LogRecord) -> None:
        """Write *record* to the file that lies at the path now."""
        if self._is_taken_away() and self.stream is not None:
            with suppress(OSError):
                self.stream.close()
            self.stream = None  # it is opened when it is written to
        super().emit(record)

    def _is_taken_away(self) -> bool:
        if self.stream is None or sys.platform == "win32":  # where nobody can do that to an open file
            return False
        try:
            return not os.path.samestat(os.fstat(self.stream.fileno()), Path(self.baseFilename).stat())
        except (OSError, ValueError):
            return True


class _PlainFormatter(logging.Formatter):
    """Writes what would do something to a terminal that shows the log as escapes."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(map(plain, super().format(record).split("\n")))


def log_file() -> Path:
    """Where the log is written, if it can be."""
    return log_folder() / FILE_NAME


def begin_log() -> None:
    """Send what the program logs, and errors that nobody caught, to the log file.

    A log that can't be written is no reason not to play: then nothing is kept.
    """
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
