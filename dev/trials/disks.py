"""A disk that fills up during a write: each command that writes a file, and each file of the window."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest import mock

import pygame

from dev.trials import LONGEST_SAID, Counts, TrialFailure, ended, shared_variables, trial
from dev.trials.used_home import copy_to
from papan.ai.players import HUMAN
from papan.game.base.logfile import begin_log, log_failure, log_file
from papan.game.base.places import CHECKOUT, HOME_VARIABLE, KERNELS_VARIABLE
from papan.game.base.sqlite import make_daily_copy
from papan.game.catalogue import find
from papan.game.kernel import Compiled, cache
from papan.game.match import Match
from papan.game.match.library import FILE_NAME
from papan.game.match.record import write
from papan.lab.printing import show
from papan.ui.play.import_export import CopyError, save_text
from papan.ui.scenes.saving import PictureError, save_picture
from papan.ui.settings import Settings

OUT = "OUT"  # placeholder in a command: the file that it writes
MANY = "200000"  # games
RECORD, RESULTS = "RECORD", "RESULTS"  # placeholders: the file of a match, and a folder of results
_PAGE = 4096
_ROOM, _AMPLE, _AMPLY = 64, 100_000, 0.25
"""The pages of the disk already taken, a number of free pages that always suffices, and the share of such cases."""
_FAILED, _REFUSED = 1, 2  # the exit codes of a command that fails during its work, or before
_PATIENCE = 300.0


class Writer(NamedTuple):
    """A command that writes a file."""

    words: Sequence[str]
    most_pages: int = 1
    """The approximate size of its output, in pages."""
    goes_on: bool = False
    """Whether it continues an existing file; then there is none before."""
    file: str = "file"


PAPAN = (sys.executable, "-m", "papan")
FOUR = ("connect-four", "random", "random")
WRITERS: Mapping[str, Writer] = {
    "a record": Writer(("match", *FOUR, "--seed", "1", "--record", OUT)),
    "a replayed game": Writer(("simulate", *FOUR, "--games", "10", "--replay", "3", "--record", OUT)),
    "counts": Writer(("simulate", *FOUR, "--games", MANY, "--out", OUT), 4, True),
    "records of a tournament": Writer(("tournament", *FOUR, "--games", "40", "--records", OUT), 6),
    "results of a tournament": Writer(("tournament", *FOUR, "--games", "40", "--results", OUT), 6, True),
    "a certificate": Writer(("solve", "connect-four", "--moves", "112233", "--proof", OUT), 2),
    "a match of a theorem": Writer(("theorem", "reduction", "E1 A2: 1 -2, -1 2", "--out", OUT)),
    "a table": Writer(("tables", "checkers", "--pieces", "2", "--out", OUT), 3),
    "a book": Writer(("book", "checkers", "--positions", "2", "--nodes", "500", "--out", OUT), 1, True),
    "weights": Writer(("train", "2048", "--games", "20", "--check", "2", "--threads", "1", "--out", OUT), 30, True),
    "a picture of a review": Writer(("analyse", RECORD, "--nodes", "200", "--plot", OUT), 20, file="picture.png"),
    "a report": Writer(("report", RESULTS, "--out", OUT), 8, file="page.html"),
}


def _settings(folder: Path) -> str:
    said: list[str] = []
    settings = Settings(folder)
    settings.tell = said.append
    said += settings.notices
    for number in range(40):
        settings.save_game_choices(f"game-{number}", {"players": "human" * 50})
    settings.close()
    return " ".join(said)


def _kernel(folder: Path) -> str:
    with mock.patch.object(cache, "kernel_cache_folder", lambda: folder):
        assert Compiled(_twice)(21) == 42
    return ""


def _twice(number: int) -> int:
    return 2 * number


def _log(folder: Path) -> str:
    os.environ[HOME_VARIABLE] = str(folder)
    begin_log()
    for number in range(60):
        log_failure(f"failure {number} of many", ValueError("x" * 500))
    assert log_file().exists()
    return ""


def _picture(folder: Path) -> str:
    os.environ[HOME_VARIABLE] = str(folder)
    picture = pygame.Surface((200, 100))
    for x in range(200):
        pygame.draw.line(picture, (x, 7 * x % 256, 91 * x % 256), (x, 0), (x, x % 100))
    try:
        save_picture(picture, find("connect-four"))
    except PictureError as error:
        return f"The picture can't be saved: {error}."
    return ""


def _record(folder: Path) -> str:
    os.environ[HOME_VARIABLE] = str(folder)
    try:
        save_text("papan-match", ".txt", "a record " * 2000)
    except CopyError as error:
        return f"The copy can't be written: {error}."
    return ""


ACTS: Mapping[str, Callable[[Path], str]] = {
    "settings": _settings,
    "a copy of the library": lambda folder: "" if make_daily_copy(folder / FILE_NAME) else "No copy was made.",
    "a kernel": _kernel,
    "the log": _log,
    "a picture": _picture,
    "a copy of a record": _record,
}
"""The window's ways of writing files; each function returns sentences about problems."""


@trial(
    "full-disk",
    "the disk fills while a command or the window writes; the old file stays, and a sentence says why",
    most_seconds=2 * _PATIENCE,
    different=lambda: 4 * (len(WRITERS) + len(ACTS)),
)
def full_disk(seed: int, folder: Path) -> Counts:
    if sys.platform == "win32":  # it has no such limits
        return Counter()
    names = [*WRITERS, *ACTS]
    name, random = names[(seed - 1) % len(names)], Random(seed)
    disk, after, home = (folder / part for part in ("disk", "after", "home"))
    for made in (disk, after, home):
        made.mkdir()
    writer = WRITERS.get(name)
    if writer is None:
        words, most = [sys.executable, "-m", __name__, name, str(disk)], 8
        if name in ("settings", "a copy of the library"):
            copy_to(disk)
        before = {file.name: file.read_bytes() for file in disk.iterdir() if ".copy-" in file.name}
    else:
        out, most = disk / writer.file, writer.most_pages
        words = words_of(name, folder, out)
        before = {} if writer.goes_on else {out.name: b"what was there before\n" * 300}
        for file, content in before.items():
            (disk / file).write_bytes(content)
    room = _AMPLE if random.random() < _AMPLY else random.randint(0, most)
    found = _run(words, disk, after, home, room)
    outcome = _judge(found, after, before, writer)
    if room == _AMPLE and found.returncode:
        raise TrialFailure(f"{name}: there is room, and it is not written: {found.stderr[-LONGEST_SAID:]}")
    return Counter({"writings": 1, outcome: 1})


def words_of(name: str, folder: Path, out: Path) -> list[str]:
    """The command line of the writer *name* for the file *out*; creates its input in *folder*."""
    words = WRITERS[name].words
    stands = {OUT: str(out)}
    if RECORD in words:
        match, file = Match.new(find("connect-four"), [HUMAN, HUMAN], {"first": "1"}, seed=1), folder / "record.txt"
        for step in (3, 3, 2, 2, 4, 4, 1):
            match.play(step)
        file.write_text(write(match), encoding="utf-8")
        stands[RECORD] = str(file)
    if RESULTS in words:
        counts = folder / "results" / "counts.jsonl"
        counts.parent.mkdir()
        made = (*PAPAN, "simulate", *FOUR, "--games", "100", "--out", str(counts))
        subprocess.run(made, cwd=CHECKOUT, check=True, capture_output=True)
        stands[RESULTS] = str(counts.parent)
    return [*PAPAN, *(stands.get(word, word) for word in words)]


def _run(words: Sequence[str], disk: Path, after: Path, home: Path, room: int) -> subprocess.CompletedProcess[str]:
    """Run *words* with *room* free pages on *disk*; copies its files to *after* at the end."""
    environment = {**os.environ, HOME_VARIABLE: str(home), "SDL_VIDEODRIVER": "dummy", "PAPAN_LANGUAGE": "en"}
    if sys.platform == "linux" and os.geteuid() == 0 and shutil.which("unshare"):
        used = sum(-(-file.stat().st_size // _PAGE) for file in disk.rglob("*") if file.is_file())
        size = (used + _ROOM + room) * _PAGE
        script = (
            'cp -r "$DISK" "$DISK.before" && mount -t tmpfs -o size=$SIZE tmpfs "$DISK"'
            f' && cp -r "$DISK.before/." "$DISK" && head -c {_ROOM * _PAGE} /dev/zero > "$DISK/ballast"'
            ' && "$@"; code=$?; cp -r "$DISK/." "$AFTER"; exit $code'
        )
        lead = ["unshare", "--mount", "sh", "-c", script, "sh"]
        environment |= {"SIZE": str(size)}
    else:
        blocks = room * _PAGE // 512
        lead = ["sh", "-c", f'ulimit -f {blocks}; "$@"; code=$?; cp -r "$DISK/." "$AFTER"; exit $code', "sh"]
    environment |= {"DISK": str(disk), "AFTER": str(after)}
    return ended([*lead, *words], environment, _PATIENCE)


def _judge(
    found: subprocess.CompletedProcess[str], after: Path, before: Mapping[str, bytes], writer: Writer | None
) -> str:
    """Check a writer's result; return the statistic to count.

    :raises TrialFailure: it crashed, left litter, gave no sentence, or lost the old file.
    """
    said, code, words = found.stderr.strip(), found.returncode, found.args[-8:]
    tail = said[-LONGEST_SAID:]
    if code not in (0, _FAILED, _REFUSED) or "Traceback" in said or "Something went wrong" in said:
        raise TrialFailure(f"{words} ended with {code}: {tail}")
    if code and not said.endswith("."):
        raise TrialFailure(f"{words} ended without a sentence: {tail}")
    litter = [file.name for file in after.rglob("*") if ".part" in file.name or "tmp" in file.name]
    if litter:
        raise TrialFailure(f"{words} left {', '.join(litter)}: {tail}")
    for name, content in before.items():
        is_old = (after / name).is_file() and (after / name).read_bytes() == content
        if is_old != bool(code) and writer is not None:
            raise TrialFailure(f"{words} ended with {code}, the old file is there: {is_old}")
        if not is_old and writer is None and code:
            raise TrialFailure(f"{words} changed {name}")
    return "refusals in a sentence" if code else "files written whole"


HOMES = ("no variables", "no home", "a home that is nowhere", "a file for a home", "kernels of another user")
_STRANGER = 54321  # the ID of an unknown user
_NEEDS_A_COMPILER = ("weights",)


@trial(
    "homes",
    "commands write their files for somebody unknown, without a home, or with another user's kernels",
    most_seconds=2 * _PATIENCE,
    different=lambda: (len(WRITERS) - len(_NEEDS_A_COMPILER)) * len(HOMES),
)
def homes(seed: int, folder: Path) -> Counts:
    names = [name for name in WRITERS if name not in _NEEDS_A_COMPILER]
    name, home = names[(seed - 1) % len(names)], HOMES[(seed - 1) // len(names) % len(HOMES)]
    place = folder / "place"
    place.mkdir()
    folder.chmod(0o777)
    out = place / WRITERS[name].file
    words = ["200" if word == MANY else word for word in words_of(name, folder, out)]  # it is slow in plain Python
    for made in folder.rglob("*"):
        made.chmod(0o777 if made.is_dir() else 0o666)
    found = ended([*_as_stranger(), *words], _environment(home, folder, Random(seed)), _PATIENCE)
    said = found.stderr.strip()
    litter = [file.name for file in place.iterdir() if file != out]
    if found.returncode or "Traceback" in said or not out.is_file() or not out.stat().st_size or litter:
        ended_so = f"it ended with {found.returncode} and left {', '.join(litter) or 'nothing else'}"
        raise TrialFailure(f"{name}, {home}: {ended_so}: {said[-LONGEST_SAID:]}")
    return Counter({"commands": 1, home: 1})


def _as_stranger() -> list[str]:
    """The command prefix to run as an unknown user, if this process may do that; otherwise empty."""
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("setpriv"):
        return []
    who = [f"--reuid={_STRANGER}", f"--regid={_STRANGER}", "--clear-groups"]
    reads = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]  # Python may be in another's home
    return ["setpriv", *who, *reads]


def _environment(home: str, folder: Path, random: Random) -> dict[str, str]:
    """The environment variables of a command with the kind of *home*."""
    kept = {**shared_variables(), "NUMBA_DISABLE_JIT": "1", "PAPAN_LANGUAGE": "en"}  # kernels can't be cached
    if home == "no variables":
        kept = {name: kept[name] for name in ("SYSTEMROOT", "PYTHONPATH", "NUMBA_DISABLE_JIT") if name in kept}
    elif home == "a home that is nowhere":
        kept["HOME"] = "/nonexistent"
    elif home == "a file for a home":
        kept["HOME"] = str(folder / "file")
        (folder / "file").touch()
    elif home == "kernels of another user":
        own, shared = folder / "home", folder / "kernels"
        for made, mode in ((own, 0o777), (shared, random.choice((0o755, 0o775, 0o777)))):
            made.mkdir()
            made.chmod(mode)
        del kept["NUMBA_DISABLE_JIT"]
        kept |= {HOME_VARIABLE: str(own), KERNELS_VARIABLE: str(shared)}
    if not _as_stranger() and home in ("no variables", "no home"):  # they would use the real user's home
        kept[HOME_VARIABLE] = str(folder / "own")
    return kept


def main() -> None:
    name, folder = sys.argv[1:]
    logging.getLogger().addHandler(logging.NullHandler())  # otherwise log messages are printed
    if trouble := ACTS[name](Path(folder)):
        show(trouble, is_trouble=True)
        sys.exit(_REFUSED)


if __name__ == "__main__":
    main()
