"""Where there is no compiler: everything runs as plain Python, and those who want to know are told once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.record import write
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
BROKEN = {
    "missing": ("numba", "raise ModuleNotFoundError(\"No module named 'numba'\")"),
    "broken": ("llvmlite", "raise OSError('the library can not be loaded')"),
    "of another version": ("numba", "__version__ = '0.99'\nclass TypingError(Exception): pass"),
}


def put_in_place(folder: Path, kind: str) -> None:
    """Put a module in numba's place, or in that of what it needs; it is found by those that *folder* is the home of."""
    name, source = BROKEN[kind]
    (folder / "broken" / name).mkdir(parents=True, exist_ok=True)
    (folder / "broken" / name / "__init__.py").write_text(source, encoding="utf-8")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder with a module that can't be loaded in numba's place."""
    put_in_place(tmp_path, "missing")
    return tmp_path


def run(folder: Path, *arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    start: Sequence[str] = ("-c", code) if code else ("-m", "papan", *arguments)
    path = os.pathsep.join((str(folder / "broken"), str(ROOT)))
    environment = {**os.environ, "PAPAN_HOME": str(folder), "PYTHONPATH": path, "SDL_VIDEODRIVER": "dummy"}
    environment.pop("NUMBA_DISABLE_JIT", None)
    ran = subprocess.run(
        [sys.executable, *start], cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert ran.returncode == 0, ran.stderr
    return ran


def log_in(folder: Path) -> str:
    return (folder / "log" / "papan.log").read_text(encoding="utf-8")


class TestTheTerminal:
    def test_computers_play_as_with_a_compiler_and_it_is_said_once(self, tmp_path: Path) -> None:
        arguments = ("match", "connect-four", "minimax:depth=1", "random", "--seed", "1")
        compiled = run(tmp_path, *arguments)
        assert not compiled.stderr
        for kind in BROKEN:
            put_in_place(tmp_path / kind, kind)
            plain = run(tmp_path / kind, *arguments)
            assert plain.stdout == compiled.stdout
            (told,) = plain.stderr.splitlines()
            assert told.startswith("The compiler can't be loaded, so this will take much longer (")
            assert log_in(tmp_path / kind).count("There is no compiler") == 1

    def test_positions_are_counted_and_a_record_analysed(self, broken: Path) -> None:
        counted = run(broken, "perft", "connect-four", "3")
        assert counted.stdout.splitlines()[-1].split()[:2] == ["3", "343"]
        record = broken / "record.txt"
        match = Match.new(GAMES["connect-four"], ["a", "b"], {"first": "1"}, 1)
        for step in (3, 2, 3, 2, 3, 2, 3):
            match.play(step)
        record.write_text(write(match), encoding="utf-8")
        analysed = run(broken, "analyse", str(record), "--nodes", "100", "--conspiracy", "0")
        assert len(counted.stderr.splitlines()) == len(analysed.stderr.splitlines()) == 1

    @pytest.mark.parametrize(
        "lacking", ["numba.core.codegen.JITCodeLibrary", "numba.core.compiler.CompileResult._reduce"]
    )
    def test_a_numba_that_lacks_a_part_is_named(self, tmp_path: Path, lacking: str) -> None:
        words = ["Papan", "perft", "connect-four", "1"]
        play = f"import sys\nfrom papan.main import main\nsys.argv = {words}\nsys.exit(main())"
        ran = run(tmp_path, code=f"import numba\ndel {lacking}\n{play}")
        assert f"lacks {lacking}, which Papan needs for " in ran.stderr
        assert len(ran.stderr.splitlines()) == 1

    def test_what_needs_no_compiler_says_nothing(self, broken: Path) -> None:
        assert run(broken, "games").stderr == ""


class TestTheWindow:
    CODE = (
        "from papan.game.base.logfile import begin_log; begin_log()\n"
        "import time\n"
        "from papan.ui.window.background import NO_COMPILER\n"
        "from papan.ui.window.program import Program\n"
        "from papan.game.catalogue import GAMES\n"
        "told = []\n"
        "program = Program(size=(1280, 800))\n"
        "program.app.notify = told.append\n"
        "match = program.start_match(GAMES['connect-four'], ['minimax:easy'] * 2).match\n"
        "deadline = time.perf_counter() + 60\n"
        "while not (told and len(match.turns()) > 1) and time.perf_counter() < deadline:\n"
        "    program.app.step(1 / 60)\n"
        "    time.sleep(0.01)\n"
        "program.app.quit()\n"
        "program.run()\n"
        "assert told == [NO_COMPILER], told\n"
        "assert len(match.turns()) > 1\n"
    )

    def test_a_notice_says_so_once_and_computers_play(self, broken: Path) -> None:
        run(broken, code=self.CODE)
        assert log_in(broken).count("There is no compiler") == 1
        assert "ERROR" not in log_in(broken)

    @pytest.mark.window
    def test_the_program_passes_its_test_of_itself(self, broken: Path) -> None:
        run(broken, "--self-test")
        assert "ERROR" not in log_in(broken)


class TestBesideTheWindow:
    CODE = (
        "import sys, threading\n"
        "import numpy\n"
        "from importlib.machinery import PathFinder\n"
        "from papan.game.kernel import lacks_compiler, load_compiler\n"
        "compiling = threading.Thread(target=load_compiler)\n"
        "class Slow:\n"
        "    def find_spec(name, path, target=None):\n"
        "        if name != 'numpy.random' or threading.current_thread() is not threading.main_thread():\n"
        "            return None\n"
        "        def wait(spec):\n"
        "            compiling.start()\n"
        "            compiling.join(timeout=3)  # it imports what it can, then waits for this thread's numpy.random\n"
        "        spec = PathFinder.find_spec(name, path)\n"
        "        spec.loader.create_module = wait\n"
        "        return spec\n"
        "sys.meta_path.insert(0, Slow)\n"
        "numpy.random.default_rng(1)\n"
        "compiling.join()\n"
        "assert not lacks_compiler()\n"
    )

    def test_a_texture_is_drawn_while_the_compiler_loads(self, tmp_path: Path) -> None:
        run(tmp_path, code=self.CODE)
