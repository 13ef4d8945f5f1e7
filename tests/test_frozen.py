"""The packed program, as somebody starts it who has only the folder.

Packing takes a minute: it is done where PAPAN_TEST_FROZEN=1 asks for it, unless dist/ is newer than all that goes in.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from papan.game.base.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
PACKED = ROOT / "dist" / "Papan"
NAME = "Papan.exe" if sys.platform == "win32" else "Papan"
MOST_MIB = 270

pytestmark = [
    pytest.mark.skipif(os.environ.get("PAPAN_TEST_FROZEN") != "1", reason="PAPAN_TEST_FROZEN=1 asks for it"),
    pytest.mark.window,
]


def _is_fresh() -> bool:
    program = PACKED / NAME
    if not program.exists():
        return False
    packed = [ROOT / "main.py", ROOT / "build.spec", ROOT / "pyproject.toml"]
    for folder in ("papan",):
        packed += [path for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    return program.stat().st_mtime > max(path.stat().st_mtime for path in packed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The packed program, in a folder that can't be written to."""
    with FileLock(Path(tempfile.gettempdir()) / "papan-packing.lock"):  # other workers run tests of this file, too
        if not _is_fresh():
            subprocess.run([sys.executable, "-m", "PyInstaller", "--noconfirm", "build.spec"], cwd=ROOT, check=True)
    place = tmp_path_factory.mktemp("programs") / "a folder with spaces"
    shutil.copytree(PACKED, place, symlinks=True)
    _allow_writing(place, False)
    yield place
    _allow_writing(place, True)


def _allow_writing(place: Path, allowed: bool) -> None:
    for path in (place, *place.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200 if allowed else path.stat().st_mode & ~0o222)


def _start(folder: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    elsewhere = home / "elsewhere"
    elsewhere.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "PAPAN_HOME": str(home)}
    for name in ("PYTHONPATH", "SDL_VIDEODRIVER"):  # the other tests' window needs no display; this one does
        environment.pop(name, None)
    return subprocess.run(
        [str(folder / NAME), *arguments], cwd=elsewhere, env=environment, capture_output=True, text=True, timeout=300
    )


class TestPackedProgram:
    def test_tests_itself(self, folder: Path, tmp_path: Path) -> None:
        before = sorted(path for path in folder.rglob("*"))
        tested = _start(folder, tmp_path, "--self-test")
        log = (tmp_path / "log" / "papan.log").read_text(encoding="utf-8")
        assert (tested.returncode, tested.stderr) == (0, ""), log
        assert "ERROR" not in log and "WARNING" not in log
        assert sorted(path for path in folder.rglob("*")) == before
        assert not list((tmp_path / "elsewhere").iterdir())

    def test_keeps_its_compiled_kernels(self, folder: Path, tmp_path: Path) -> None:
        kernels = tmp_path / "cache" / "kernels"
        written = []
        for _ in range(2):
            played = _start(folder, tmp_path, "match", "connect-four", "minimax:depth=3", "random", "--seed", "1")
            assert played.returncode == 0, played.stderr
            written.append({path.name: path.stat().st_mtime_ns for path in kernels.glob("*.nbc")})
        assert written[0]
        assert written[1] == written[0], "the second start loads what the first one compiled"

    def test_works_where_nothing_can_be_written(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        played = subprocess.run(
            [str(folder / NAME), "match", "connect-four", "minimax:depth=1", "random", "--seed", "1"],
            cwd=tmp_path, env={**os.environ, "PAPAN_HOME": str(tmp_path / "file")},
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert (played.returncode, played.stderr) == (0, "")

    def test_says_its_version(self, folder: Path, tmp_path: Path) -> None:
        assert _start(folder, tmp_path, "--version").stdout == f"Papan {VERSION}\n"

    def test_is_not_too_large(self, folder: Path) -> None:
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        assert size / 2**20 < MOST_MIB
