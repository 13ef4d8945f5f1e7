"""Functions that depend on the operating system: scale, preferences, memory, clipboard; and diagnostics."""

from __future__ import annotations

import configparser
import locale
import logging
import os
import platform
import plistlib
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pygame

from papan.game.base.languages import SYSTEM_VARIABLES, VARIABLE, language_named, language_of_system
from papan.game.base.untrusted import read_file
from papan.game.base.version import VERSION

log = logging.getLogger(__name__)

MOST_END_SECONDS = 2.0
"""Seconds that the program may take to end normally; a compilation can't be interrupted."""
_SIGNAL_EXIT_CODE = 128  # plus the signal's number, as in shells

_WINDOWS_DOTS = 96
_WINDOWS_THEME_KEY = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
_WINDOWS_GET_ANIMATION = 0x1042
"""``SPI_GETCLIENTAREAANIMATION`` of winuser.h."""
_GLIBC_MMAP_THRESHOLD = -3
"""The number of ``M_MMAP_THRESHOLD`` in glibc's malloc.h."""
_LARGE_BLOCK = 1 << 20
_MOST_BYTES = 1 << 22
"""The most bytes read of a settings file."""
_GLIBC_ARENA_MAX = -8
"""The number of ``M_ARENA_MAX``."""


_LIBRARIES = ("pygame-ce", "numpy", "numba", "platformdirs")
_LOG_LINES = 60


def scale() -> float:
    """Real pixels per design pixel: 1.5 for Windows at 150 %."""
    if sys.platform == "win32":
        import ctypes

        try:
            return float(max(1.0, ctypes.windll.user32.GetDpiForSystem() / _WINDOWS_DOTS))
        except (AttributeError, OSError) as error:
            log.info("The system's scale is not known: %s", error)
    return 1.0


def language(environment: Mapping[str, str]) -> str:
    """The system's language, if the program has it; else English.

    The variables of *environment* come first, as in the terminal, then the settings of Windows or macOS.
    """
    named = language_named(environment.get(VARIABLE, ""))
    if named is None and not any(environment.get(name) for name in SYSTEM_VARIABLES):
        named = next((known for name in _system_locales() if (known := language_named(name))), None)
    return named or language_of_system(environment)


def _system_locales() -> Sequence[str]:
    """The locales chosen in the settings of Windows or macOS, the preferred one first."""
    try:
        if sys.platform == "win32":
            import ctypes

            return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")]
        if sys.platform == "darwin":
            found = _mac_preferences(".GlobalPreferences").get("AppleLanguages")
            return [str(name) for name in found] if isinstance(found, list) else []
    except (OSError, ValueError, RuntimeError, AttributeError) as error:
        log.info("The system's language is not known: %s", error)
    return []


@contextmanager
def on_termination_signal(act: Callable[[], object]) -> Iterator[None]:
    """Call *act* if the system asks the program to end within the ``with`` block: the session or terminal closes.

    The process is killed after ``MOST_END_SECONDS``. For the main thread only, where Python receives signals.
    """

    def end(number: int, frame: FrameType | None) -> None:
        log.info("The system asks the program to end: %s", signal.Signals(number).name)
        cut = threading.Timer(MOST_END_SECONDS, os._exit, (_SIGNAL_EXIT_CODE + number,))
        cut.daemon = True
        cut.start()
        act()

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # Windows has no SIGHUP
    before = {name: signal.signal(getattr(signal, name), end) for name in names}
    try:
        yield
    finally:  # or the handlers would keep the window alive
        for name, handler in before.items():
            signal.signal(getattr(signal, name), signal.SIG_DFL if handler is None else handler)


def prefers_dark() -> bool:
    """Whether the system's theme is dark; False if unknown."""
    try:
        if sys.platform == "win32":
            import winreg

            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _WINDOWS_THEME_KEY) as key:
                return bool(winreg.QueryValueEx(key, "AppsUseLightTheme")[0] == 0)
        if sys.platform == "darwin":
            return _mac_preferences(".GlobalPreferences").get("AppleInterfaceStyle") == "Dark"
        if "dark" in os.environ.get("GTK_THEME", "").lower():
            return True
        settings = next(_gtk_settings(), {})
        wants_dark = settings.get("gtk-application-prefer-dark-theme", "0").strip().lower() in ("1", "true")
        return wants_dark or "dark" in settings.get("gtk-theme-name", "").lower()
    except (OSError, ValueError, RuntimeError, configparser.Error) as error:  # RuntimeError: no home folder
        log.info("Whether the system is dark is not known: %s", error)
        return False


def prefers_reduced_motion() -> bool:
    """Whether the system's settings ask for no animations; False if unknown."""
    try:
        if sys.platform == "win32":
            import ctypes

            is_animated = ctypes.c_int(1)
            ctypes.windll.user32.SystemParametersInfoW(_WINDOWS_GET_ANIMATION, 0, ctypes.byref(is_animated), 0)
            return not is_animated.value
        if sys.platform == "darwin":
            return bool(_mac_preferences("com.apple.universalaccess").get("reduceMotion", False))
        animations = next(_gtk_settings(), {}).get("gtk-enable-animations", "1")
        return animations.strip().lower() in ("0", "false")
    except (OSError, ValueError, RuntimeError, AttributeError, configparser.Error) as error:
        log.info("Whether the system reduces motion is not known: %s", error)
        return False


def _mac_preferences(name: str) -> Mapping[str, Any]:
    file = Path.home() / "Library" / "Preferences" / f"{name}.plist"
    return dict(plistlib.loads(read_file(file, _MOST_BYTES)))


def limit_heap() -> None:
    """Configure glibc's malloc to return freed memory to the system.

    By default glibc raises its mmap threshold to the largest block ever freed, so that pictures and the compiler
    fragment the heap, and each thread keeps a heap as large as it ever needed.
    """
    _ask_glibc("mallopt", _GLIBC_MMAP_THRESHOLD, _LARGE_BLOCK)
    _ask_glibc("mallopt", _GLIBC_ARENA_MAX, 1)


def return_free_memory() -> None:
    """Return the free memory in glibc's heap to the system; takes some milliseconds."""
    _ask_glibc("malloc_trim", 0)


def _ask_glibc(name: str, *arguments: int) -> None:
    """Call a function of the C library, if it has it: other libraries than glibc may not."""
    if sys.platform == "linux":
        import ctypes

        function = getattr(ctypes.CDLL(None), name, None)
        if function is not None:
            function(*arguments)


def _gtk_settings() -> Iterator[Mapping[str, str]]:
    """GTK's settings, the newest version first; nearly every Linux desktop writes them.

    :raises OSError, ValueError, RuntimeError, configparser.Error: a file can't be read.
    """
    config = Path(os.environ.get("XDG_CONFIG_HOME", "") or Path.home() / ".config")
    for version in ("gtk-4.0", "gtk-3.0"):
        file = config / version / "settings.ini"
        if not file.exists():
            continue
        reader = configparser.ConfigParser(strict=False, interpolation=None)
        reader.read_string(read_file(file, _MOST_BYTES).decode())
        yield reader["Settings"] if reader.has_section("Settings") else {}


def copy_to_clipboard(text: str) -> bool:
    """Put *text* on the clipboard, without null characters, which would end it; return whether that worked."""
    try:
        pygame.scrap.put_text(text.replace("\0", ""))
    except pygame.error as error:
        log.warning("The clipboard can't be written: %s", error)
        return False
    return True


def clipboard_text() -> str:
    try:
        return pygame.scrap.get_text()
    except pygame.error as error:
        log.warning("The clipboard can't be read: %s", error)
        return ""


class LogTail(logging.Handler):
    """Keeps the last lines of the log."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=_LOG_LINES)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def report(error: BaseException | None, log_lines: deque[str]) -> str:
    """A text for bug reports: versions, platform, *error*, and the end of the log."""
    from importlib import metadata  # takes as long as a frame, and is rarely needed

    versions = []
    for name in _LIBRARIES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{name} unknown")
    driver = pygame.display.get_driver() if pygame.display.get_init() else "none"
    parts = [
        f"Papan {VERSION}",
        f"Python {sys.version.split()[0]} on {platform.platform()}, frozen: {bool(getattr(sys, 'frozen', False))}",
        f"SDL {'.'.join(str(part) for part in pygame.get_sdl_version())}, video driver {driver}",
        ", ".join(versions),
    ]
    if error is not None:
        parts += ["", "".join(traceback.format_exception(error)).rstrip()]
    if log_lines:
        parts += ["", "The end of the log:", *log_lines]
    return "\n".join(parts)
