"""The packed program, as somebody starts it who has only the folder.

PAPAN_TEST_FROZEN=1 asks for these tests. Where dist/ is older than what goes in, the program is packed anew in another
folder, with the kernels of a few games.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from filelock import FileLock

from dev import licences
from papan.game.base.licences import INDEX
from papan.game.base.version import VERSION
from tests.kernels import SHARED
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
PACKED, OWN = (ROOT / folder / "dist" / "Papan" for folder in ("", ".pytest_cache"))
SOME = ("connect-four", "2048")
"""The games whose kernels are in ``OWN``."""
NAME = "Papan.exe" if sys.platform == "win32" else "Papan"
MOST_MIB = 275
"""Of which LLVM's library is 152, numpy with OpenBLAS 40, Python and its modules 20, SDL with its libraries 15,
cryptography with OpenSSL 24, AccessKit 4.

What was learned and the kernels are counted by themselves: they grow with the games.
"""
MOST_LEARNED_MB = 20
MOST_KERNELS_MB = 40

LEFT_OUT_PACKAGES = {
    *(
        "PIL",
        "attr",
        "babel",
        "dask",
        "distributed",
        "jinja2",
        "matplotlib",
        "networkx",
        "pandas",
        "scipy",
        "pygments",
        "markdown_it",
        "typing_extensions",
    ),
    *("setuptools", "pkg_resources", "distutils", "pip", "pytest", "hypothesis", "unittest", "test", "doctest"),
    *("tkinter", "_tkinter", "curses", "_curses", "readline", "idlelib", "pdb", "pydoc"),
    *("ftplib", "smtplib", "webbrowser", "xmlrpc", "trio"),
    *("numba.tests", "numba.cuda", "numba.testing", "numba.pycc", "numpy.testing", "numpy.f2py", "numpy.distutils"),
    *("pygame.midi", "pygame.freetype", "pygame.examples", "pygame.tests", "pygame.docs", "statemachine.contrib"),
}
LEFT_OUT_FILES = re.compile(
    r"readline|tinfo|tcl|tk8|portmidi|gomp|omppool"
    r"|workqueue|tbbpool|_freetype\."
)

pytestmark = [
    pytest.mark.skipif(os.environ.get("PAPAN_TEST_FROZEN") != "1", reason="PAPAN_TEST_FROZEN=1 asks for it"),
    pytest.mark.window,
]


def _is_fresh(place: Path) -> bool:
    program = place / NAME
    if not program.exists():
        return False
    packed = [ROOT / "main.py", ROOT / "build.spec", ROOT / "pyproject.toml"]
    for folder in ("papan", "packaging"):
        packed += [path for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    return program.stat().st_mtime > max(path.stat().st_mtime for path in packed)


@pytest.fixture(scope="module")
def packed() -> Path:
    with FileLock(Path(tempfile.gettempdir()) / "papan-packing.lock"):  # other workers run tests of this file, too
        if _is_fresh(PACKED):
            return PACKED
        if not _is_fresh(OWN):
            folders = ("--distpath", str(OWN.parent), "--workpath", str(OWN.parent.with_name("build")))
            subprocess.run(
                [sys.executable, "-m", "PyInstaller", "--noconfirm", *folders, "build.spec"],
                env={**os.environ, "PAPAN_PACKED_GAMES": " ".join(SOME)}, cwd=ROOT, check=True,
            )  # fmt: skip
    return OWN


@pytest.fixture(scope="module")
def folder(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The packed program, in a folder that can't be written to."""
    place = tmp_path_factory.mktemp("programs") / "a folder with spaces"
    shutil.copytree(packed, place, symlinks=True)
    _allow_writing(place, False)
    yield place
    _allow_writing(place, True)


def _allow_writing(place: Path, allowed: bool) -> None:
    for path in (place, *place.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200 if allowed else path.stat().st_mode & ~0o222)


def _start(
    folder: Path, home: Path, *arguments: str, kernels: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Start the program.

    :param kernels: variables by which it finds compiled kernels: those of the checkout are its own.
    """
    elsewhere = home / "elsewhere"
    elsewhere.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "PAPAN_HOME": str(home), **(kernels or {})}
    for name in ("PYTHONPATH", "SDL_VIDEODRIVER"):  # the other tests' window needs no display; this one does
        environment.pop(name, None)
    return subprocess.run(
        [str(folder / NAME), *arguments],
        cwd=elsewhere,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def _modules(folder: Path) -> set[str]:
    """The Python modules within the program, but for Python's smallest, which lie in an archive of their own."""
    from PyInstaller.archive.readers import CArchiveReader

    archive = CArchiveReader(str(folder / NAME))
    name = next(name for name in archive.toc if name.startswith("PYZ"))
    return set(archive.open_embedded_archive(name).toc)


def _libraries(folder: Path) -> list[str]:
    """The paths of all shared libraries, with slashes, below the folder that they lie in."""
    inner = folder / "_internal"
    return [path.relative_to(inner).as_posix() for path in inner.rglob("*") if licences.is_library(path.name)]


def _size_of(files: Iterable[Path]) -> int:
    """The bytes of all *files* together."""
    return sum(path.stat().st_size for path in files)


class TestContents:
    def test_what_is_not_needed_is_left_out(self, folder: Path) -> None:
        modules = {module for module in _modules(folder) if not module.startswith("papan.")}
        packed = {name for name in LEFT_OUT_PACKAGES for module in modules if f"{module}.".startswith(f"{name}.")}
        assert packed == set()
        names = {Path(library).name.lower() for library in _libraries(folder)}
        assert {name for name in names if LEFT_OUT_FILES.search(name)} == set()

    def test_everything_has_its_licence(self, folder: Path) -> None:
        works = licences.works_in(licences.packages_among(_modules(folder)), _libraries(folder))
        index = (folder / "licences" / INDEX).read_text(encoding="utf-8")
        assert len(works) > 20
        for work in works:
            texts = [path for path in (folder / "licences" / work.name).rglob("*") if path.is_file()]
            assert texts and all(path.stat().st_size for path in texts), f"{work.name} lies there without its licence"
            assert f"\n{work.name}: " in index

    def test_is_not_too_large(self, folder: Path) -> None:
        files = {path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}
        learned = {path for path in files if path.match("papan/assets/weights/*")}
        kernels = {path for path in files if path.match("papan/kernels/*")}
        assert 0 < _size_of(learned) / 10**6 < MOST_LEARNED_MB
        assert 0 < _size_of(kernels) / 10**6 < MOST_KERNELS_MB
        assert _size_of(files - learned - kernels) / 2**20 < MOST_MIB


class TestPackedProgram:
    def test_tests_itself(self, folder: Path, tmp_path: Path) -> None:
        before = sorted(path for path in folder.rglob("*"))
        tested = _start(folder, tmp_path, "--self-test", kernels=SHARED)  # a release compiles all of it
        log = (tmp_path / "log" / "papan.log").read_text(encoding="utf-8")
        assert (tested.returncode, tested.stderr) == (0, ""), log
        assert "ERROR" not in log and "WARNING" not in log
        assert sorted(path for path in folder.rglob("*")) == before
        assert not list((tmp_path / "elsewhere").iterdir())

    def test_plays_sounds(self, folder: Path, tmp_path: Path) -> None:
        """With a driver that nobody hears: the mixer finds all its libraries."""
        [sound] = folder.rglob("wood-1.wav")
        asked = json.dumps([time.time() + 60, str(sound), 0.5]) + "\n"
        environment = {**os.environ, "PAPAN_HOME": str(tmp_path), "SDL_AUDIODRIVER": "dummy"}
        words = [str(folder / NAME), "play-sounds"]
        played = subprocess.run(words, input=asked, env=environment, capture_output=True, text=True, timeout=PATIENCE)
        assert (played.returncode, played.stdout, played.stderr) == (0, "", "")

    def test_brings_all_kernels_of_its_games(self, packed: Path, folder: Path, tmp_path: Path) -> None:
        told = _start(folder, tmp_path, "kernels", "--json")
        assert (told.returncode, told.stderr) == (0, "")
        rows = json.loads(told.stdout)["games"]
        ready = {row["game"] for row in rows if row["packed"] == row["needed"] > 0}
        assert len(rows) > 8 and ready == (set(SOME) if packed == OWN else {row["game"] for row in rows}), told.stdout

    def test_keeps_what_it_compiles(self, folder: Path, tmp_path: Path) -> None:
        kernels = tmp_path / "cache" / "kernels"
        written = []
        for _ in range(2):
            counted = _start(folder, tmp_path, "perft", "connect-four", "3")
            assert counted.returncode == 0, counted.stderr
            written.append({path.name: path.stat().st_mtime_ns for path in kernels.glob("*.kernel")})
        assert written[0]
        assert written[1] == written[0], "the second start loads what the first one compiled"

    def test_works_where_nothing_can_be_written(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        played = subprocess.run(
            [str(folder / NAME), "match", "connect-four", "minimax:depth=1", "random", "--seed", "1"],
            cwd=tmp_path, env={**os.environ, "PAPAN_HOME": str(tmp_path / "file")},
            capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        assert (played.returncode, played.stderr) == (0, "")

    def test_reviews_a_match_and_says_that_pictures_need_another_library(self, folder: Path, tmp_path: Path) -> None:
        record = tmp_path / "match.txt"
        match = ("match", "othello", "minimax:depth=1", "random", "--seed", "1", "--json")
        played = _start(folder, tmp_path, *match, kernels=SHARED)
        record.write_text(json.loads(played.stdout)["record"], encoding="utf-8")
        review = ("analyse", str(record), "--depth", "1", "--conspiracy", "0")
        reviewed = _start(folder, tmp_path, *review, "--json", kernels=SHARED)
        assert (reviewed.returncode, reviewed.stderr) == (0, "")
        assert json.loads(reviewed.stdout)
        drawn = _start(folder, tmp_path, *review, "--plot", str(tmp_path / "curves.png"))
        assert drawn.returncode == 2 and "matplotlib" in drawn.stderr and drawn.stderr.count("\n") == 1

    def test_searches_with_two_threads(self, folder: Path, tmp_path: Path) -> None:
        match = ("match", "connect-four", "minimax:depth=4,threads=2", "random", "--seed", "1")
        played = _start(folder, tmp_path, *match, kernels=SHARED)
        assert (played.returncode, played.stderr) == (0, "")

    def test_helps_and_says_its_version(self, folder: Path, tmp_path: Path) -> None:
        asked = [_start(folder, tmp_path, *arguments) for arguments in (["--help"], ["match", "--help"], ["games"])]
        assert [(answer.returncode, answer.stderr) for answer in asked] == [(0, "")] * 3
        assert "Usage: " in asked[0].stdout and "connect-four" in asked[2].stdout
        assert _start(folder, tmp_path, "--version").stdout == f"Papan {VERSION}\n"
