"""The program in unusual surroundings: screens, languages, home folders, disks and clocks, each start in a process."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from dev.trials import LONGEST_SAID, Counts, TrialFailure, ended, shared_variables, trial
from dev.trials.damage import DAMAGES, damage_asset
from dev.trials.tour import Facts, Told
from dev.trials.used_home import copy_to
from papan.game.base.assets import ASSETS
from papan.game.base.places import HOME_VARIABLE
from papan.game.kernel.cache import kernel_cache_folder
from papan.game.match.library import Library
from papan.ui.drawing.theme import SCALES

MOST_SECONDS = 900.0


@trial(
    "screens",
    "the program starts on odd screens, in odd homes and languages; a tour through all scenes ends in order",
    most_seconds=2 * MOST_SECONDS,
)
def case(seed: int, folder: Path) -> Counts:
    around = draw(seed)
    place = Place(around, folder)
    with contextlib.ExitStack() as stack:
        if around.depth is not None:
            place.environment["DISPLAY"] = stack.enter_context(screen(around.size, around.depth))
        found = ended([*place.words, json.dumps(place.facts._asdict())], place.environment, MOST_SECONDS)
    try:
        told = judge(around, found)
        if told is not None and around.keeps:
            _check_library(told)
    except TrialFailure as error:
        raise TrialFailure(f"{error}\n{around}") from error
    kind = "on real screens" if around.depth else "without a screen"
    counts = Counter({f"starts {kind}": 1, "refusals": int(told is None), f"homes: {around.home}": 1})
    if told is not None:
        counts.update({"matches that can't be saved": int(bool(told.trouble)), "steps": told.played})
    return counts


def judge(around: Surroundings, found: subprocess.CompletedProcess[str]) -> Told | None:
    """The tour's report; None if the program rightly refused in a sentence."""
    said = found.stderr.strip()
    if around.depth in REFUSED_DEPTHS and found.returncode == 2 and said.count("\n") == 0 and said.endswith("."):
        return None
    if found.returncode != 0 or "Traceback" in said:
        raise TrialFailure(f"it ended with {found.returncode}: {said[-LONGEST_SAID:]}")
    lines = [line for line in found.stdout.splitlines() if line.startswith("[")]
    if not lines:
        raise TrialFailure(f"it ended before its tour: {said[-LONGEST_SAID:]}")
    return Told(*json.loads(lines[-1]))


def _check_library(told: Told) -> None:
    """Check that played steps are saved, and that copies survive leaps of the clock."""
    with closing(Library(Path(told.library))) as library:
        numbers = [summary.id for summary in (*library.unfinished(), *library.recent(100))]
        kept = max((len(library.load(number).all_steps) for number in numbers), default=0)
    if kept < told.played:
        raise TrialFailure(f"{told.played} steps were played, {told.saved} said to be saved, and {kept} are")
    if not told.copies:
        raise TrialFailure("there is no copy of the library")


SIZES = (
    (640, 400), (1024, 640), (1025, 641), (1279, 799), (1280, 800), (1366, 768), (1920, 1080), (2559, 1439),
    (3840, 2160), (640, 1024), (900, 1400), (1081, 1919),
)  # fmt: skip
DEPTHS = (8, 15, 16, 24, 24, 30)  # bits per pixel; 24 are stored in 32
REFUSED_DEPTHS = (8, 30)  # SDL opens no window with these depths
LANGUAGES: Mapping[str, Mapping[str, str]] = {
    "C": {"LC_ALL": "C"},
    "plain ASCII": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "Japanese": {"LC_ALL": "ja_JP.UTF-8", "LANG": "ja_JP.UTF-8"},
    "no language": {"LC_ALL": "xx_YY.no-such", "LANG": "\x7f"},
    "unset": {},
}
HOMES = ("sound", "missing", "a file", "unknown", "read-only", "read-only cache", "tiny disk")
FONTS = ("sound", *DAMAGES)
DAY = 86400.0
LEAPS = (0.0, -7300 * DAY, -3650 * DAY, -DAY, -3600.0, 3600.0, DAY, 3650 * DAY, 7300 * DAY)
CHANGES: Mapping[str, float | None] = {
    "no change": None,
    "to summer time": 1_774_746_000.0 - 20.0,
    "to winter time": 1_792_890_000.0 - 20.0,
}
"""The time of a start in seconds since 1970: shortly before Berlin's clocks change; None for now."""
_TINY_DISK, _LARGEST_FILE = 200_000, 50_000  # bytes; the library's files grow larger


class Surroundings(NamedTuple):
    """The surroundings of one start of the program."""

    seed: int
    size: tuple[int, int]
    depth: int | None
    """Bits per pixel of a real screen; None without a screen."""
    scale: float
    fonts: str
    language: str
    home: str
    leap: float
    change: str
    has_clipboard: bool
    has_sound: bool

    @property
    def keeps(self) -> bool:
        return self.home in ("sound", "missing", "read-only cache")


def draw(seed: int) -> Surroundings:
    random = Random(seed)
    has_screens = sys.platform == "linux" and shutil.which("Xvfb") is not None
    return Surroundings(
        seed,
        random.choice(SIZES),
        random.choice(DEPTHS) if has_screens and random.random() < 0.5 else None,
        random.choice(SCALES),
        random.choice(FONTS) if random.random() < 0.5 else FONTS[0],
        random.choice(list(LANGUAGES)),
        random.choice(HOMES) if random.random() < 0.7 else HOMES[0],
        random.choice(LEAPS),
        random.choice(list(CHANGES)),
        random.random() < 0.7,
        random.random() < 0.7,
    )


@contextlib.contextmanager
def screen(size: tuple[int, int], depth: int) -> Iterator[str]:
    """Start a virtual X screen, and yield its name."""
    reading, writing = os.pipe()
    what = ["-displayfd", str(writing), "-screen", "0", f"{size[0]}x{size[1]}x{depth}", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(["Xvfb", *what], pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        try:
            if not number:
                raise TrialFailure(f"Xvfb makes no screen of {depth} bits")
            yield f":{number}"
        finally:
            server.terminate()


class Place:
    """The folders of one start, within *folder*, with its command line and environment variables."""

    def __init__(self, around: Surroundings, folder: Path) -> None:
        self._around = around
        self._folder = folder
        self._home = folder / "home"
        self.environment = self._environment()
        self.words = [sys.executable, "-m", "dev.trials.tour"]
        self.facts = Facts(
            around.seed, around.size, around.scale, self._assets(), around.leap, around.has_clipboard,
            begins=CHANGES[around.change],
        )  # fmt: skip
        self._prepare_home()

    def _environment(self) -> dict[str, str]:
        around = self._around
        kept = {**shared_variables(), **LANGUAGES[around.language]}
        if CHANGES[around.change] is not None:
            kept["TZ"] = "Europe/Berlin"
        cache = self._folder / "cache"
        (cache / "Papan").mkdir(parents=True)
        with contextlib.suppress(OSError):  # without a link, kernels are compiled
            (cache / "Papan" / "kernels").symlink_to(kernel_cache_folder(), target_is_directory=True)
        kept |= {"HOME": str(self._home), "XDG_CACHE_HOME": str(cache)}
        if sys.platform == "win32":  # no standard variable sets the user's folders there
            kept[HOME_VARIABLE] = str(self._home)
        if around.depth is None:
            kept["SDL_VIDEODRIVER"] = "dummy"
        if not around.has_sound:
            kept["SDL_AUDIODRIVER"] = "no such thing"
        return kept

    def _assets(self) -> str | None:
        if self._around.fonts not in DAMAGES:
            return None
        assets = self._folder / "assets"
        shutil.copytree(ASSETS.folder, assets)
        for font in assets.glob("fonts/*.otf"):
            damage_asset(font, self._around.fonts)
        return str(assets)

    def _prepare_home(self) -> None:
        home = self._around.home
        if home == "a file":
            self._home.write_text("This is no folder.", encoding="utf-8")
        elif home != "missing":
            self._home.mkdir()
        if home == "unknown":
            del self.environment["HOME"]
            self.facts = self.facts._replace(knows_home=False)
        elif home == "read-only":
            data = self._home / ("data" if sys.platform == "win32" else ".local/share/Papan")
            copy_to(data)
            self._close_to_writing(self._home)
        elif home == "read-only cache":
            cache = self._folder / "closed"
            cache.mkdir()
            self.environment["XDG_CACHE_HOME"] = str(cache)
            self._close_to_writing(cache)
        elif home == "tiny disk" and sys.platform == "linux" and os.getuid() == 0 and shutil.which("unshare"):
            mounting = f'mount -t tmpfs -o size={_TINY_DISK} tmpfs "$HOME" && exec "$@"'
            self.words[:0] = ["unshare", "--mount", "sh", "-c", mounting, "sh"]
        elif home == "tiny disk":
            self.facts = self.facts._replace(most_bytes=_LARGEST_FILE)

    def _close_to_writing(self, folder: Path) -> None:
        """Make *folder* read-only, for the superuser too if the system can."""
        for inside in (folder, *folder.rglob("*")):
            inside.chmod(0o500 if inside.is_dir() else 0o400)
        if hasattr(os, "getuid") and os.getuid() == 0 and shutil.which("setpriv"):
            self.words[:0] = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]
