"""The diagnostics that a person can copy and send when something went wrong."""

from __future__ import annotations

import logging
import platform
import sys
import traceback
from collections import deque

import pygame

from papan.game.base.version import VERSION

_LIBRARIES = ("pygame-ce", "numpy", "numba", "platformdirs")
_LOG_LINES = 60


class LogTail(logging.Handler):
    """Keeps the last lines of the log in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=_LOG_LINES)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line."""
        self.lines.append(self.format(record))


def report(error: BaseException | None, log_lines: deque[str]) -> str:
    """The program, the machine, the libraries, the error and the end of the log, as text."""
    parts = [
        f"Papan {VERSION}",
        f"Python {sys.version.split()[0]} on {platform.platform()}, frozen: {bool(getattr(sys, 'frozen', False))}",
        f"SDL {'.'.join(str(part) for part in pygame.get_sdl_version())}, video driver {_video_driver()}",
        ", ".join(f"{name} {_library_version(name)}" for name in _LIBRARIES),
    ]
    if error is not None:
        parts += ["", "".join(traceback.format_exception(error)).rstrip()]
    if log_lines:
        parts += ["", "The end of the log:", *log_lines]
    return "\n".join(parts)


def _video_driver() -> str:
    return pygame.display.get_driver() if pygame.display.get_init() else "none"


def _library_version(name: str) -> str:
    from importlib import metadata  # costs as much as a frame, and is hardly ever wanted

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"
