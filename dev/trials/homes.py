"""Commands that write a file for somebody whom the system does not know, who has no home, or shares one."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from pathlib import Path
from random import Random

from dev.trials import LONGEST_SAID, Counts, TrialFailure, ended, trial
from dev.trials.full_disk import MANY, WRITERS, words_of
from papan.game.base.places import HOME_VARIABLE, KERNELS_VARIABLE

HOMES = ("no variables", "no home", "a home that is nowhere", "a file for a home", "kernels of another user")
_STRANGER = 54321  # the number of a user whom the system doesn't know
_SHARED = ("PATH", "SYSTEMROOT", "PYTHONPATH", "LD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP")
_PATIENCE = 300.0
_NEEDS_A_COMPILER = ("weights",)


@trial(
    "homes",
    "commands write their files for somebody unknown, without a home, or with another user's kernels",
    most_seconds=2 * _PATIENCE,
    different=lambda: (len(WRITERS) - len(_NEEDS_A_COMPILER)) * len(HOMES),
)
def case(seed: int, folder: Path) -> Counts:
    names = [name for name in WRITERS if name not in _NEEDS_A_COMPILER]
    name, home = names[(seed - 1) % len(names)], HOMES[(seed - 1) // len(names) % len(HOMES)]
    place = folder / "place"
    place.mkdir()
    folder.chmod(0o777)
    out = place / WRITERS[name].file
    words = ["200" if word == MANY else word for word in words_of(name, folder, out)]  # in plain Python
    for made in folder.rglob("*"):
        made.chmod(0o777 if made.is_dir() else 0o666)
    found = ended([*_as_stranger(), *words], _environment(home, folder, Random(seed)), _PATIENCE)
    said = found.stderr.strip()
    if found.returncode or "Traceback" in said or not out.is_file() or not out.stat().st_size:
        raise TrialFailure(f"{name}, {home}: it ended with {found.returncode}: {said[-LONGEST_SAID:]}")
    litter = [file.name for file in place.iterdir() if file != out]
    if litter:
        raise TrialFailure(f"{name}, {home}: it left {', '.join(litter)}")
    return Counter({"commands": 1, home: 1})


def _as_stranger() -> list[str]:
    """The words before a command that is run by a user whom the system doesn't know, where we may have that."""
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("setpriv"):
        return []
    who = [f"--reuid={_STRANGER}", f"--regid={_STRANGER}", "--clear-groups"]
    reads = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]  # where Python lies in another's home
    return ["setpriv", *who, *reads]


def _environment(home: str, folder: Path, random: Random) -> dict[str, str]:
    """The variables of a command in a *home*."""
    kept = {name: os.environ[name] for name in _SHARED if name in os.environ}
    kept |= {"NUMBA_DISABLE_JIT": "1", "PAPAN_LANGUAGE": "en"}  # nothing that is compiled could be kept
    if home == "no variables":
        kept = {name: kept[name] for name in ("SYSTEMROOT", "PYTHONPATH", "NUMBA_DISABLE_JIT") if name in kept}
    elif home == "a home that is nowhere":
        kept["HOME"] = "/nonexistent"
    elif home == "a file for a home":
        kept["HOME"] = str(folder / "file")
        (folder / "file").touch()
    elif home == "kernels of another user":
        own = folder / "home"
        own.mkdir()
        own.chmod(0o777)
        shared = folder / "kernels"
        shared.mkdir()
        shared.chmod(random.choice((0o755, 0o775, 0o777)))
        del kept["NUMBA_DISABLE_JIT"]
        kept |= {HOME_VARIABLE: str(own), KERNELS_VARIABLE: str(shared)}
    if not _as_stranger() and home in ("no variables", "no home"):  # they would use the home of who tries it
        kept[HOME_VARIABLE] = str(folder / "own")
    return kept
