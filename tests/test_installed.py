"""The program as ``pip install`` leaves it: in an environment that has nothing of the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from papan.game.base.version import VERSION
from tests.kernels import SHARED

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "papan"
INFORMATION = f"papan-{VERSION}.dist-info"

if not os.environ.get("CI"):
    pytest.importorskip("hatchling", reason="builds the wheel")

WATCH = """
import sys

def watch(event, details, checkout={checkout!r}, allowed={allowed!r}):
    path = str(details[0]) if event == "open" else ""
    if path.startswith(checkout) and not path.startswith(allowed):
        sys.stderr.write(f"opened {{path}}\\n")

sys.addaudithook(watch)
"""
"""A module that each process of the environment begins with: it tells of every file of the checkout that is opened."""

PATIENCE = 1800.0
"""Seconds after which a command is taken to hang: one that compiles everything, on a machine with more to do."""

EVERY_MODULE = """
import pkgutil, sys, papan
for module in pkgutil.walk_packages(papan.__path__, "papan."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
print(papan.__path__[0])
"""


def build(source: Path, target: str, place: Path) -> Path:
    """The project in the folder *source* as *target*, ``wheel`` or ``sdist``."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", target, "-d", place], cwd=source, check=True)
    (made,) = place.iterdir()
    return made


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


class Installed:
    """An environment of its own with the wheel, to which only the libraries are lent that the tests run with."""

    def __init__(self, place: Path, wheel: Path) -> None:
        self.place = place
        venv.create(place, with_pip=False, symlinks=sys.platform != "win32")
        paths = sysconfig.get_paths("venv", {"base": str(place), "platbase": str(place)})
        self._scripts = Path(paths["scripts"])
        self.python = self._scripts / Path(sys.executable).name
        install = ["--quiet", "--no-index", "--no-deps", "--no-warn-script-location", str(wheel)]
        subprocess.run([sys.executable, "-m", "pip", "--python", self.python, "install", *install], check=True)
        libraries = Path(paths["purelib"])
        lent = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
        (libraries / "lent.pth").write_text("\n".join([*lent, "import watch_files"]), encoding="utf-8")
        allowed = (sys.prefix, str(ROOT / ".pytest_cache"))
        watch = WATCH.format(checkout=f"{ROOT}{os.sep}", allowed=allowed)
        (libraries / "watch_files.py").write_text(watch, encoding="utf-8")

    def command(self) -> str:
        (found,) = self._scripts.glob("papan*")
        return str(found)

    def run(self, words: Sequence[str | Path], home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """What *words* answer, from a folder that has nothing to do with the program."""
        environment = {**os.environ, "PAPAN_HOME": str(home), "SDL_VIDEODRIVER": "dummy", **variables}
        environment.pop("PYTHONPATH", None)
        return subprocess.run(words, cwd=home, env=environment, capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed") / "a folder with spaces", wheel)


class TestWheel:
    def test_has_every_file_of_the_package_and_nothing_else(self, wheel: Path) -> None:
        files = {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        packed = {name for name in contents(wheel) if not name.startswith(INFORMATION)}
        assert packed == {path.relative_to(ROOT).as_posix() for path in files}
        assert "papan/assets/icon/papan-256.png" in packed

    def test_is_the_same_from_the_source_distribution(self, wheel: Path, tmp_path: Path) -> None:
        with tarfile.open(build(ROOT, "sdist", tmp_path / "sdist")) as packed:
            packed.extractall(tmp_path, filter="data")
        again = build(tmp_path / f"papan-{VERSION}", "wheel", tmp_path / "wheel")
        assert contents(again) == contents(wheel)

    def test_says_what_it_needs(self, wheel: Path) -> None:
        said = contents(wheel)[f"{INFORMATION}/METADATA"].decode()
        needed = [line for line in said.splitlines() if line.startswith("Requires-Dist:")]
        always = [line for line in needed if "extra ==" not in line]
        assert any("numba" in line for line in always) and not any("pytest" in line for line in always)
        assert any("matplotlib" in line and "extra == 'lab'" in line for line in needed)


class TestInstalledProgram:
    def test_answers_from_anywhere(self, installed: Installed, tmp_path: Path) -> None:
        for door in ([installed.command()], [str(installed.python), "-m", "papan"]):
            told = installed.run([*door, "--version"], tmp_path)
            assert (told.returncode, told.stdout, told.stderr) == (0, f"Papan {VERSION}\n", "")
        assert "'papan --help'" in installed.run([installed.command(), "nonsense"], tmp_path).stderr

    def test_takes_nothing_from_the_checkout(self, installed: Installed, tmp_path: Path) -> None:
        read = installed.run([installed.python, "-c", f"open({str(PACKAGE / 'main.py')!r})"], tmp_path)
        assert read.stderr == f"opened {PACKAGE / 'main.py'}\n", "it would be told"
        imported = installed.run([installed.python, "-c", EVERY_MODULE], tmp_path)
        assert (imported.returncode, imported.stderr) == (0, "")
        assert Path(imported.stdout.splitlines()[-1]).is_relative_to(installed.place)

    @pytest.mark.skipif(os.environ.get("PAPAN_TEST_INSTALLED") != "1", reason="PAPAN_TEST_INSTALLED=1 asks for it")
    def test_tests_itself(self, installed: Installed, tmp_path: Path) -> None:
        # The other tests' kernels are those of its byte code, too. That all can be compiled, the packed program shows.
        tested = installed.run([installed.command(), "--self-test"], tmp_path, **SHARED)
        assert (tested.returncode, tested.stderr) == (0, "")
        log = (tmp_path / "log" / "papan.log").read_text(encoding="utf-8")
        assert "ERROR" not in log and "WARNING" not in log
