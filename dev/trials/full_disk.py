"""A disk that fills while something is written: each command that writes a file, and each file of the window.

The disk is a small one in memory, where the system lets us have one, otherwise files can't grow beyond a size. A file
of before lies where the new one is to be written. Either it is replaced by a whole one, or it stays as it was and a
sentence says why, and the exit code is no 0; what was begun is gone.
"""

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

from dev.trials import Counts, Trial, TrialFailure
from dev.trials.used_home import copy_to
from papan.ai.players import HUMAN
from papan.game.base.copies import make_daily_copy
from papan.game.base.logfile import begin_log, log_failure, log_file
from papan.game.base.places import CHECKOUT, HOME_VARIABLE
from papan.game.catalogue import find
from papan.game.kernel import Compiled, cache
from papan.game.match import Match
from papan.game.match.library import FILE_NAME
from papan.game.match.record import write
from papan.lab.printing import show
from papan.ui.play.import_export import CopyError, save_text
from papan.ui.scenes.saving import PictureError, save_picture
from papan.ui.settings import Settings

OUT = "OUT"
"""Stands in the words of a command for the file that it writes."""
MANY = "200000"
"""Games."""
RECORD, RESULTS = "RECORD", "RESULTS"
"""These for the file of a match, and for a folder of results."""
_PAGE = 4096
_ROOM, _AMPLE, _AMPLY = 64, 100_000, 0.25
"""Pages of the disk that are taken, pages that are room for anything, and how often there is so much."""
_FAILED, _REFUSED = 1, 2
"""The exit codes of a command that finds out while it works, or before."""
_PATIENCE = 300.0
_LONGEST_SAID = 1500
_OLD = b"what was there before\n" * 300


class Writer(NamedTuple):
    """A command that writes a file."""

    words: Sequence[str]
    most_pages: int = 1
    """Of what it writes, about."""
    goes_on: bool = False
    """Whether it goes on with what is in the file, so that there is none before."""
    file: str = "file"
    """Its name."""


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


def _copy(folder: Path) -> str:
    return "" if make_daily_copy(folder / FILE_NAME) else "No copy was made."


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
    "a copy of the library": _copy,
    "a kernel": _kernel,
    "the log": _log,
    "a picture": _picture,
    "a copy of a record": _record,
}
"""What the window writes: each returns what it says of trouble, in sentences."""


def case(seed: int, folder: Path) -> Counts:
    """One writer on one disk; its place in the list and the disk's room come of the *seed*."""
    if sys.platform == "win32":  # which has no such bounds
        return Counter()
    names = [*WRITERS, *ACTS]
    name, random = names[(seed - 1) % len(names)], Random(seed)
    disk, after, home = (folder / part for part in ("disk", "after", "home"))
    for made in (disk, after, home):
        made.mkdir()
    writer = WRITERS.get(name)
    if writer is None:
        words = [sys.executable, "-m", __name__, name, str(disk)]
        before = _prepare(name, disk)
        most = 8
    else:
        out = disk / writer.file
        words = words_of(name, folder, out)
        before = {} if writer.goes_on else {out.name: _OLD}
        for file, content in before.items():
            (disk / file).write_bytes(content)
        most = writer.most_pages
    room = _AMPLE if random.random() < _AMPLY else random.randint(0, most)
    ended = _run(words, disk, after, home, room)
    outcome = _judge(ended, after, before, writer)
    if room == _AMPLE and ended.returncode:
        raise TrialFailure(f"{name}: there is room, and it is not written: {ended.stderr[-_LONGEST_SAID:]}")
    return Counter({"writings": 1, outcome: 1})


def _prepare(name: str, disk: Path) -> dict[str, bytes]:
    """What lies on the *disk* before the act called *name*."""
    if name in ("settings", "a copy of the library"):
        copy_to(disk)
    return {file.name: file.read_bytes() for file in disk.iterdir() if ".copy-" in file.name}


def _make_record(folder: Path) -> Path:
    """A file in *folder* with the record of a short match."""
    match = Match.new(find("connect-four"), [HUMAN, HUMAN], {"first": "1"}, seed=1)
    for step in (3, 3, 2, 2, 4, 4, 1):
        match.play(step)
    file = folder / "record.txt"
    file.write_text(write(match), encoding="utf-8")
    return file


def words_of(name: str, folder: Path, out: Path) -> list[str]:
    """The words that have the writer called *name* write the file *out*; what it reads is made in *folder*."""
    words = WRITERS[name].words
    stands = {OUT: str(out)}
    if RECORD in words:
        stands[RECORD] = str(_make_record(folder))
    if RESULTS in words:
        counts = folder / "results" / "counts.jsonl"
        counts.parent.mkdir()
        made = (*PAPAN, "simulate", *FOUR, "--games", "100", "--out", str(counts))
        subprocess.run(made, cwd=CHECKOUT, check=True, capture_output=True)
        stands[RESULTS] = str(counts.parent)
    return [*PAPAN, *(stands.get(word, word) for word in words)]


def _run(words: Sequence[str], disk: Path, after: Path, home: Path, room: int) -> subprocess.CompletedProcess[str]:
    """Run *words* while the *disk* has so many pages of *room*; its files are in *after* then."""
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
    try:
        return subprocess.run(
            [*lead, *words], env=environment, cwd=CHECKOUT, capture_output=True, encoding="utf-8", errors="replace",
            timeout=_PATIENCE,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise TrialFailure(f"it hangs: {words}") from error


def _judge(
    ended: subprocess.CompletedProcess[str], after: Path, before: Mapping[str, bytes], writer: Writer | None
) -> str:
    """What has become of it: "written", "refused".

    :raises TrialFailure: it went otherwise than it must.
    """
    said = ended.stderr.strip()
    if ended.returncode not in (0, _FAILED, _REFUSED) or "Traceback" in said or "Something went wrong" in said:
        raise TrialFailure(f"{ended.args[-8:]} ended with {ended.returncode}: {said[-_LONGEST_SAID:]}")
    last = said.splitlines()[-1] if said else ""
    if ended.returncode and not last.endswith("."):
        raise TrialFailure(f"{ended.args[-8:]} ended without a sentence: {said[-_LONGEST_SAID:]}")
    litter = [file.name for file in after.rglob("*") if ".part" in file.name or "tmp" in file.name]
    if litter:
        raise TrialFailure(f"{ended.args[-8:]} left {', '.join(litter)}: {said[-_LONGEST_SAID:]}")
    for name, content in before.items():
        is_old = (after / name).is_file() and (after / name).read_bytes() == content
        if is_old != bool(ended.returncode) and writer is not None:
            raise TrialFailure(f"{ended.args[-8:]} ended with {ended.returncode}, the old file is there: {is_old}")
        if not is_old and writer is None and ended.returncode:
            raise TrialFailure(f"{ended.args[-8:]} changed {name}")
    return "refusals in a sentence" if ended.returncode else "files written whole"


def main() -> None:
    """Write what the window writes."""
    name, folder = sys.argv[1:]
    logging.getLogger().addHandler(logging.NullHandler())  # else it is printed
    if trouble := ACTS[name](Path(folder)):
        show(trouble, is_trouble=True)
        sys.exit(_REFUSED)


TRIAL = Trial(
    "the disk fills while a command or the window writes; the old file stays, and a sentence says why",
    case,
    2 * _PATIENCE,
    different=lambda: 4 * (len(WRITERS) + len(ACTS)),
)

if __name__ == "__main__":
    main()
