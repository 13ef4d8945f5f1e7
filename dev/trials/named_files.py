"""Hostile files wherever a person can name or keep one: pipes, devices, zip bombs, false headers."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

from dev.trials import MOST, Counts, TrialFailure, ended, failing, trial
from papan.game.base.places import CHECKOUT, HOME_VARIABLE

MOST_MEBIBYTES = 300
MOST_SECONDS = 60.0  # of one command, even on a busy machine
REFUSED = 2
_BOMB = 5 << 30  # bytes of the unpacked arrays
_WIDE = 30 << 20
_CHILD = """
import sys
from papan.main import main
code = main()
try:
    with open("/proc/self/status", encoding="ascii") as status:
        print("peak", next(line.split()[1] for line in status if line.startswith("VmHWM")))
except OSError:
    pass
sys.exit(code)
"""
"""Runs a command, and prints its peak memory on Linux; the system's count of a child would include its parent's."""


class Way(NamedTuple):
    """A way to name a file."""

    words: str
    """The command; ``FILE`` stands for the file, ``NEW`` for a missing one."""
    may_succeed: bool = False
    """Whether the command does not read the file, and may replace it, or skips senseless content."""
    name: str = "file"
    """The file's name; for a file in the person's folder its path there, and then ``words`` do not name it."""


_TRAIN = "train catur-jawa --games 1 --check 2 --every 1"
_SIMULATE = "simulate connect-four random random --games 10"
WAYS: Mapping[str, Way] = {
    "review": Way("review FILE"),
    "analyse": Way("analyse FILE"),
    "analyse --plot": Way("analyse NEW --plot FILE", name="file.png"),
    "verify": Way("verify FILE"),
    "report, a file": Way("report FOLDER --out NEW.html"),
    "report, the folder": Way("report FILE --out NEW.html"),
    "report --out": Way("report NEW --out FILE", name="file.html"),
    "train --begin": Way(f"{_TRAIN} --out NEW --begin FILE"),
    "train --out": Way(f"{_TRAIN} --out FILE"),
    "train --results": Way(f"{_TRAIN} --out NEW --results FILE"),
    "tournament --results": Way("tournament connect-four random random --games 2 --results FILE"),
    "tune --results": Way("tune connect-four --results FILE"),
    "simulate --out": Way(f"{_SIMULATE} --out FILE"),
    "simulate --record": Way(f"{_SIMULATE} --replay 1 --record FILE", may_succeed=True),
    "simulate --tls-ca-file": Way(f"{_SIMULATE} --cluster tls://127.0.0.1:1 --tls-ca-file FILE"),
    "reproduce --out": Way("reproduce cifra-levels --scale 0.001 --out FILE", may_succeed=True),
    "match --record": Way("match connect-four random random --record FILE", may_succeed=True),
    "puzzles prove --file": Way("puzzles prove connect-four --file FILE"),
    "puzzles mine --out": Way("puzzles mine connect-four --count 1 --games 1 --out FILE"),
    "puzzles mine --library": Way("puzzles mine connect-four --count 1 --out NEW --library FILE", may_succeed=True),
    "book --out": Way("book connect-four --plies 0 --out FILE"),
    "tables --out": Way("tables santorini-graph --nodes 2 --out FILE", may_succeed=True),
    "theorem reduction": Way("theorem reduction FILE"),
    "theorem reduction --out": Way("theorem reduction E1:1 --out FILE", may_succeed=True),
    "engines.toml": Way("match connect-four random engine:x", name="data/engines.toml"),
    "settings": Way("match connect-four random random", name="data/settings.sqlite"),
    "checkers' endings": Way("match checkers minimax:nodes=1 random", name="data/endings/checkers.npz"),
    "Santorini's atlas": Way("match santorini-graph minimax:nodes=1 random", name="data/atlas/santorini-graph.npz"),
}

OWN = "data/"  # the person's folder; its files may be skipped, or repaired


@cache
def _arrays(method: int, *, is_true: bool) -> bytes:
    """A file of arrays with gibibytes of zeros, or with headers that only claim such sizes, under the program's names.

    Cached, as packing takes a quarter of a minute.
    """
    header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }" % _BOMB
    start = b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + header.ljust(117) + b"\n"
    packed = BytesIO()
    with ZipFile(packed, "w", method, compresslevel=1) as archive:
        for name in ("head",) if is_true else ("head", "known", "weights", "endings", "graphs", "answers"):
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                member.write(start)
                for _ in range(_BOMB >> 24 if is_true else 4):
                    member.write(bytes(1 << 24))
    return packed.getvalue()


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2 << 30)


FILES: Mapping[str, Callable[[Path], object]] = {
    "a pipe": lambda path: os.mkfifo(path),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": lambda path: path.mkdir(),
    "a link to itself": lambda path: path.symlink_to(path),
    "2 GB of nothing": _sparse,
    "arrays that unpack to 5 GB": lambda path: path.write_bytes(_arrays(ZIP_DEFLATED, is_true=True)),
    "arrays that are said to be of 5 GB": lambda path: path.write_bytes(_arrays(ZIP_DEFLATED, is_true=False)),
    "the same by LZMA": lambda path: path.write_bytes(_arrays(ZIP_LZMA, is_true=False)),
    "deep JSON": lambda path: path.write_bytes(b'{"kind":' + b"[" * 1_000_000),
    "wide JSON": lambda path: path.write_bytes(b'{"kind":[' + b"{}," * (_WIDE // 3) + b"{}]}\n"),
    "deep TOML": lambda path: path.write_bytes(b"a = " + b"[" * 100_000),
    "long TOML": lambda path: path.write_bytes(b"a." * 100_000 + b"a = 1"),
    "empty lines": lambda path: path.write_bytes(b"{}" + b"\n" * 2 * _WIDE),
    "escape sequences": lambda path: path.write_bytes(b'{"kind":"\x1b]0;a\x07\xc2\x9b31m","version":1}\n\x1b[31m\n'),
}
"""Functions that create the files, by description."""
if not hasattr(os, "mkfifo"):
    FILES = {name: make for name, make in FILES.items() if name not in ("a pipe", "a device")}

CASES = [(way, file) for way in WAYS for file in FILES]


def outcome(way: Way, make: Callable[[Path], object], folder: Path) -> tuple[int, str, int]:
    """Run a command on a file that *make* creates; return its exit code, its standard error, and its peak in MiB.

    The peak is 0 if the system does not report it.
    """
    place = folder / "named" / way.name
    place.parent.mkdir(parents=True)
    make(place)
    names = {
        "FILE": str(place),
        "FOLDER": str(place.parent),
        "NEW": str(folder / "new"),
        "NEW.html": str(folder / "new.html"),
    }
    words = [names.get(word, word) for word in way.words.split()]
    surroundings = {**os.environ, "SDL_VIDEODRIVER": "dummy", "PYTHONPATH": str(CHECKOUT)}
    surroundings[HOME_VARIABLE] = str(folder / ("named" if way.name.startswith(OWN) else "home"))
    ran = ended([sys.executable, "-c", _CHILD, *words], surroundings, MOST_SECONDS)
    last = ran.stdout.split("peak ")[-1].strip()
    return ran.returncode, ran.stderr, int(last) >> 10 if last.isdecimal() else 0


def check(way: Way, code: int, complaint: str, mebibytes: int) -> None:
    """:raises TrialFailure: the command handled the file wrongly."""
    told = f"'{way.words}' ends with {code} and {mebibytes} MiB: {complaint[-500:]!r}"
    if code != REFUSED and not (code == 0 and (way.may_succeed or way.name.startswith(OWN))):
        raise TrialFailure(told)
    if (code and not complaint) or not all(line.isprintable() for line in complaint.split("\n")):
        raise TrialFailure(told)
    if len(complaint.splitlines()) > 1 or mebibytes > MOST_MEBIBYTES:
        raise TrialFailure(told)


@trial(
    "named-files",
    "files that are anything, wherever one can be named, are refused in a sentence, soon, and in little memory",
    different=lambda: len(CASES),
)
def case(seed: int, folder: Path) -> Counts:
    way, file = CASES[(seed - 1) % len(CASES)]
    with failing(f"{way}, {file}"):
        code, complaint, mebibytes = outcome(WAYS[way], FILES[file], folder)
        check(WAYS[way], code, complaint, mebibytes)
    return Counter({"refused": int(code == REFUSED), "done without": int(code == 0), f"{MOST} MiB": mebibytes})
