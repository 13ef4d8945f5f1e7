"""What each system has in its own way: scale, preferences, memory, clipboard; and diagnostics to send."""

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

import pygame

from papan.game.base.languages import SYSTEM_VARIABLES, VARIABLE, language_named, language_of_system
from papan.game.base.untrusted import read_file
from papan.game.base.version import VERSION

log = logging.getLogger(__name__)

MOST_END_SECONDS = 2.0
"""Seconds that the program may take to end in order; a compilation can't be interrupted."""
_SIGNAL_EXIT_CODE = 128  # as shells count

_WINDOWS_DOTS = 96
_WINDOWS_THEME_KEY = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
_WINDOWS_GET_ANIMATION = 0x1042
"""``SPI_GETCLIENTAREAANIMATION`` of winuser.h."""
_GLIBC_MMAP_THRESHOLD = -3
"""The number of ``M_MMAP_THRESHOLD`` in glibc's malloc.h."""
_LARGE_BLOCK = 1 << 20
_MOST_BYTES = 1 << 22
"""Of a file of settings."""
_GLIBC_ARENA_MAX = -8
"""The number of ``M_ARENA_MAX``."""


_LIBRARIES = ("pygame-ce", "numpy", "numba", "platformdirs")
_LOG_LINES = 60


def scale() -> float:
    """The number of real pixels to a pixel of a design: 1.5 for Windows at 150 %."""
    if sys.platform == "win32":
        import ctypes

        try:
            return float(max(1.0, ctypes.windll.user32.GetDpiForSystem() / _WINDOWS_DOTS))
        except (AttributeError, OSError) as error:
            log.info("The system's scale is not known: %s", error)
    return 1.0


def language(environment: Mapping[str, str]) -> str:
    """The language that a person has asked the system for; English if that is none of ours.

    The variables of *environment* come first, as in the terminal; Windows and macOS keep it elsewhere.
    """
    named = language_named(environment.get(VARIABLE, ""))
    if named is None and not any(environment.get(name) for name in SYSTEM_VARIABLES):
        named = next((known for name in _system_locales() if (known := language_named(name))), None)
    return named or language_of_system(environment)


def _system_locales() -> Sequence[str]:
    """The locales that a person has chosen in the settings of Windows or macOS, what is wanted most first."""
    try:
        if sys.platform == "win32":
            import ctypes

            return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")]
        if sys.platform == "darwin":
            preferences = Path.home() / "Library" / "Preferences" / ".GlobalPreferences.plist"
            found = plistlib.loads(read_file(preferences, _MOST_BYTES)).get("AppleLanguages")
            return [str(name) for name in found] if isinstance(found, list) else []
    except (OSError, ValueError, RuntimeError, AttributeError) as error:
        log.info("The system's language is not known: %s", error)
    return []


@contextmanager
def when_asked_to_end(act: Callable[[], object]) -> Iterator[None]:
    """Within this, have *act* called once the system asks the program to end: a session that closes, a terminal that
    goes away.

    Whatever still keeps the program from it after ``MOST_END_SECONDS`` is cut off. For the main thread, where Python
    receives signals.
    """

    def end(number: int, frame: FrameType | None) -> None:
        log.info("The system asks the program to end: %s", signal.Signals(number).name)
        cut = threading.Timer(MOST_END_SECONDS, os._exit, (_SIGNAL_EXIT_CODE + number,))
        cut.daemon = True
        cut.start()
        act()

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # the second is unknown to Windows
    before = {name: signal.signal(getattr(signal, name), end) for name in names}
    try:
        yield
    finally:  # or they would hold what acts, a whole window, as long as the process lives
        for name, handler in before.items():
            signal.signal(getattr(signal, name), signal.SIG_DFL if handler is None else handler)


def prefers_dark() -> bool:
    """Whether the system's windows are dark; False where it can't be told."""
    try:
        if sys.platform == "win32":
            return _windows_is_dark()
        if sys.platform == "darwin":
            preferences = Path.home() / "Library" / "Preferences" / ".GlobalPreferences.plist"
            return plistlib.loads(read_file(preferences, _MOST_BYTES)).get("AppleInterfaceStyle") == "Dark"
        return _gtk_is_dark()
    except (OSError, ValueError, RuntimeError, configparser.Error) as error:  # the home may not be known
        log.info("Whether the system is dark is not known: %s", error)
        return False


def prefers_reduced_motion() -> bool:
    """Whether the person has asked the system for windows without animations; False where it can't be told."""
    try:
        if sys.platform == "win32":
            return _windows_is_still()
        if sys.platform == "darwin":
            preferences = Path.home() / "Library" / "Preferences" / "com.apple.universalaccess.plist"
            return bool(plistlib.loads(read_file(preferences, _MOST_BYTES)).get("reduceMotion", False))
        return _says_no(next(_gtk_settings(), {}).get("gtk-enable-animations", "1"))
    except (OSError, ValueError, RuntimeError, AttributeError, configparser.Error) as error:
        log.info("Whether the system reduces motion is not known: %s", error)
        return False


def spare_memory() -> None:
    """Have glibc give freed memory back to the system, or use it again.

    By default glibc takes blocks as large as the largest ever freed from its heap, which smaller ones above them keep
    from shrinking; pictures and the compiler would leave it full of holes. And each thread would keep a heap as large
    as it ever needed.
    """
    _ask_glibc("mallopt", _GLIBC_MMAP_THRESHOLD, _LARGE_BLOCK)
    _ask_glibc("mallopt", _GLIBC_ARENA_MAX, 1)


def return_free_memory() -> None:
    """Give the system back what is free between blocks that are in use; takes some milliseconds."""
    _ask_glibc("malloc_trim", 0)


def _ask_glibc(name: str, *arguments: int) -> None:
    """Call a function of the C library, where it has one of this name: only glibc is meant."""
    if sys.platform == "linux":
        import ctypes

        function = getattr(ctypes.CDLL(None), name, None)
        if function is not None:
            function(*arguments)


def _windows_is_dark() -> bool:
    if sys.platform != "win32":
        return False
    import winreg

    with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _WINDOWS_THEME_KEY) as key:
        return bool(winreg.QueryValueEx(key, "AppsUseLightTheme")[0] == 0)


def _windows_is_still() -> bool:
    if sys.platform != "win32":
        return False
    import ctypes

    is_animated = ctypes.c_int(1)
    ctypes.windll.user32.SystemParametersInfoW(_WINDOWS_GET_ANIMATION, 0, ctypes.byref(is_animated), 0)
    return not is_animated.value


def _gtk_is_dark() -> bool:
    if "dark" in os.environ.get("GTK_THEME", "").lower():
        return True
    settings = next(_gtk_settings(), {})
    wants_dark = _says_yes(settings.get("gtk-application-prefer-dark-theme", "0"))
    return wants_dark or "dark" in settings.get("gtk-theme-name", "").lower()


def _says_yes(value: str) -> bool:
    return value.strip().lower() in ("1", "true")


def _says_no(value: str) -> bool:
    return value.strip().lower() in ("0", "false")


def _gtk_settings() -> Iterator[Mapping[str, str]]:
    """GTK's settings, the newest version's first; nearly every desktop of Linux writes them for the programs of others.

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


def put_text(text: str) -> bool:
    """Put *text* on the clipboard, but for null characters, which end a text there; returns whether it is there."""
    try:
        pygame.scrap.put_text(text.replace("\0", ""))
    except pygame.error as error:
        log.warning("The clipboard can't be written: %s", error)
        return False
    return True


def text_there() -> str:
    try:
        return pygame.scrap.get_text()
    except pygame.error as error:
        log.warning("The clipboard can't be read: %s", error)
        return ""


class LogTail(logging.Handler):
    """Keeps the last lines of the log in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=_LOG_LINES)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
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
