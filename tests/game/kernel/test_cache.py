"""Compiled kernels that are kept: what is found again, what is not, and what may go wrong with files.

Each test runs a copy of the mechanism with two small games in fresh processes, as a user's restarts would.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from papan.game.base.places import KERNELS_VARIABLE, is_only_ours
from papan.game.kernel import cache
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]

HELPER = '''
"""Far away."""
import numpy as np
from papan.game.kernel import subroutine

WORTH = np.array([1, 1, 1])

@subroutine
def grown(value):
    """A docstring."""
    return value + 1
'''
MIDDLE = """
from papan.game import far
from papan.game.kernel import subroutine

@subroutine
def twice_grown(value):
    return far.grown(far.grown(value))
"""
COUNTER = '''
from typing import NamedTuple
from papan.game.far import WORTH
from papan.game.kernel import int64, kernel, state
from papan.game.middle import twice_grown

@state
class Counter(NamedTuple):
    value: int64

@kernel
def step(state):
    ...

@step.of(Counter)
def _step(state):
    """One step."""
    return Counter(twice_grown(state.value) + int(WORTH[1]))

def refusal(step):
    return "not like this"
'''
OTHER = """
from typing import NamedTuple
from papan.game.counter import step
from papan.game.kernel import int64, state

@state
class Other(NamedTuple):
    value: int64
    half: int64

@step.of(Other)
def _step(state):
    return Other(state.value + 100, state.half)
"""
SEARCH = """
from papan.game.counter import Counter, step
from papan.game.other import Other
from papan.game.kernel import compiled

THINKING_SECONDS = 1.5

@compiled
def search(state):
    return step(step(state)).value
"""
WALK = """
from papan.game.kernel import compiled, kernel, subroutine

@kernel
def pace(state):
    ...

@subroutine
def walked(state, paces):
    return pace(walked(state, paces - 1)) if paces > 0 else state

@compiled
def walk(state, paces):
    return walked(state, paces).value
"""
ONE_OF_TWO = """
from typing import NamedTuple
from papan.ai.walk import pace
from papan.game.kernel import int64, state

@state
class State(NamedTuple):
    value: int64

@pace.of(State)
def _pace(state):
    return State(state.value + {number})
"""
START = """
import logging, sys
from papan.ai.search import Counter, Other, search
logging.basicConfig()
results = search(Counter(0)), search(Other(0, 0))
print(*results, sum(search.dispatcher.stats.cache_hits.values()) if "numba" in sys.modules else 0)
"""
SOURCES = {"game/far": HELPER, "game/middle": MIDDLE, "game/counter": COUNTER, "game/other": OTHER, "ai/search": SEARCH}


class Ran(NamedTuple):
    counter: int
    """What the search found for the one game."""
    other: int
    hits: int
    """How many of the two were loaded."""
    logged: str


def file_of(project: Path, name: str) -> Path:
    return project / "papan" / f"{name}.py"


def printed(project: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != KERNELS_VARIABLE}
    done = subprocess.run(
        [sys.executable, "-B", "-c", script],
        cwd=project,
        env=inherited | {"PAPAN_HOME": str(project / "home"), "PYTHONPATH": str(project)} | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done


def run(project: Path, **environment: str) -> Ran:
    done = printed(project, START, **environment)
    counter, other, hits = map(int, done.stdout.split())
    return Ran(counter, other, hits, done.stderr)


def edit(project: Path, name: str, old: str, new: str) -> None:
    file = file_of(project, name)
    source = file.read_text(encoding="utf-8")
    assert old in source
    file.write_text(source.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("project")
    for room in ("game/kernel", "game/base"):
        shutil.copytree(ROOT / "papan" / room, project / "papan" / room)
    (project / "papan" / "__init__.py").touch()  # comes before a papan that is installed
    (project / "papan" / "ai").mkdir()
    for name, source in SOURCES.items():
        file_of(project, name).write_text(source, encoding="utf-8")
    assert run(project)[:3] == (6, 200, 0)
    return project


@pytest.fixture
def project(compiled_once: Path, tmp_path: Path) -> Path:
    """A copy of the project, in another place, with its compiled kernels."""
    return Path(shutil.copytree(compiled_once, tmp_path / "project"))


def kernels_of(project: Path, name: str = "") -> list[Path]:
    return sorted((project / "home" / "cache").rglob(f"{name}*.kernel"))


class TestWhatIsLoaded:
    def test_all_of_it_from_another_place_when_only_words_have_changed(self, project: Path) -> None:
        edit(project, "game/far", '"""A docstring."""', '"""Another one,\n\n    of several lines."""')
        edit(project, "game/middle", "@subroutine", "# a comment that moves all lines\n\n\n@subroutine")
        edit(project, "game/middle", "    return", '    """A docstring where there was none."""\n    return')
        edit(project, "game/counter", "not like this", "like that")
        edit(project, "game/counter", '    """One step."""\n', "")
        edit(project, "ai/search", "1.5", "2.5")
        edit(project, "game/kernel/numba_types", "numba types of", "The types of")
        assert run(project)[:3] == (6, 200, 2)

    def test_what_it_calls_can_be_called_by_what_is_compiled_then(self, project: Path) -> None:
        calling = "@compiled\ndef twice(state):\n    return 2 * step(step(state)).value\n"
        file_of(project, "ai/search").write_text(f"{SEARCH}\n{calling}", encoding="utf-8")
        script = START.replace("search\n", "search, twice\n", 1) + "print(twice(Counter(0)), search(Counter(0)))\n"
        for _ in ("two loaded", "all three"):
            assert printed(project, script).stdout.split() == ["6", "200", "2", "12", "6"]

    def test_each_of_two_that_have_one_name(self, project: Path) -> None:
        """Two games whose states are called alike and have one form are compiled by a process each, as the first thing
        there: in a third process each is played by its own rules.
        """
        file_of(project, "ai/walk").write_text(WALK, encoding="utf-8")
        for name, number in {"cat": 1, "dog": 100}.items():
            file_of(project, f"game/{name}").write_text(ONE_OF_TWO.format(number=number), encoding="utf-8")
        script = "from papan.ai.walk import walk\nfrom papan.game import {games}\n"
        script += "print(*(walk(game.State(0), 3) for game in [{games}]), *walk.dispatcher.stats.cache_hits.values())"
        for games, found in (
            ("cat", "3"),
            ("dog", "300"),
            ("cat, dog", "3 300 1 1"),
            ("dog, cat", "300 3 1 1"),
        ):
            assert printed(project, script.format(games=games)).stdout.strip() == found, "the last two were loaded"


class TestWhatIsCompiledAnew:
    """What changes a digest is tested in ``test_digest.py``."""

    def test_what_uses_what_was_edited_until_it_is_edited_back(self, project: Path) -> None:
        edit(project, "game/far", "value + 1", "value + 2")
        assert run(project)[:3] == (10, 200, 1), "two modules away; the other game is loaded"
        edit(project, "game/far", "value + 2", "value + 1")
        edit(project, "game/other", "half: int64", "half: uint64")
        edit(project, "game/other", "import int64", "import int64, uint64")
        assert run(project)[:3] == (6, 200, 1), "a state whose fields changed"

    def test_everything_when_the_compiler_itself_does_something_else(self, project: Path) -> None:
        edit(project, "game/kernel/compiler", 'error_model="numpy"', 'error_model="python"')
        assert run(project)[:3] == (6, 200, 0)

    def test_each_time_what_no_digest_can_be_taken_of(self, project: Path) -> None:
        foreign = "@numba.njit\ndef foreign(value):\n    return value + 1\n\n"
        edit(project, "game/far", "@subroutine", foreign + "@subroutine")
        edit(project, "game/far", "import numpy as np", "import numba\nimport numpy as np")
        edit(project, "game/far", '"""A docstring."""\n    return value + 1', "return foreign(value)")
        before = kernels_of(project, "ai.search.search")
        ran = run(project)
        assert ran[:3] == (6, 200, 1)
        assert "search can't be kept compiled: papan.game.far.foreign" in ran.logged
        assert kernels_of(project, "ai.search.search") == before


def test_what_calls_itself_with_another_type_is_refused(project: Path) -> None:
    """That for an integer calls that for a fraction, which is not kept with it."""
    head, walking = WALK.split("@subroutine")
    calls = [
        "walked(state, paces - 1.0)",
        "walked(state, int(paces - 1.0))",  # as it advises
        "walked(state, 2) if paces > 2 else state",  # a number that is written out is no other type
    ]
    source = head + "".join(
        f"@subroutine{walking.replace('walked(state, paces - 1)', call)}".replace("walk", f"walk_{number}_")
        for number, call in enumerate(calls)
    )
    file_of(project, "ai/walk").write_text(source, encoding="utf-8")
    file_of(project, "game/cat").write_text(ONE_OF_TWO.format(number=1), encoding="utf-8")
    script = "from papan.ai import walk\nfrom papan.game import cat\nfor number in range(3):\n    try:\n"
    script += "        print(getattr(walk, f'walk_{number}_')(cat.State(0), 9))\n"
    script += "    except Exception as error:\n        print(error)"
    for _ in ("made", "loaded"):
        refused, *found = printed(project, script).stdout.splitlines()
        assert "walk_0_ed: a function that calls itself must do so with" in refused
        assert found == ["9", "2"]


class TestFiles:
    def test_an_unwritable_folder_costs_speed_not_a_crash(self, project: Path) -> None:
        shutil.rmtree(project / "home" / "cache")
        (project / "home" / "cache").write_text("a file where the folder should be")
        ran = run(project)
        assert ran[:3] == (6, 200, 0)
        assert "can't be kept" in ran.logged

    @pytest.mark.parametrize("damage", ["empty and cut off", "another kernel's"])
    def test_a_damaged_file_is_compiled_again_and_replaced(self, project: Path, damage: str) -> None:
        files = kernels_of(project)
        contents = [file.read_bytes() for file in files]
        spoilt = [*contents[1:], contents[0]]
        if damage == "empty and cut off":
            spoilt = [content[:-1] if number % 2 else b"" for number, content in enumerate(contents)]
        for file, content in zip(files, spoilt, strict=True):
            file.write_bytes(content)
        ran = run(project)
        assert ran[:3] == (6, 200, 0)
        assert "could not be read" in ran.logged
        assert run(project) == (6, 200, 2, "")

    def test_plain_mode_writes_none(self, project: Path) -> None:
        shutil.rmtree(project / "home")
        assert run(project, NUMBA_DISABLE_JIT="1")[:2] == (6, 200)
        assert not (project / "home").exists()


@pytest.mark.skipif(os.name != "posix", reason="a user's folders are private here")
class TestStrangers:
    """What is loaded is run, so that nobody else may have written it."""

    def test_a_new_folder_is_private(self, project: Path) -> None:
        shutil.rmtree(project / "home")
        assert run(project) == (6, 200, 0, "")
        folder = project / "home" / "cache" / "kernels"
        assert {path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())} == {0}

    def test_a_folder_that_others_can_write_to_is_not_used(self, project: Path) -> None:
        folder = project / "home" / "cache" / "kernels"
        folder.chmod(0o770)
        before = kernels_of(project)
        ran = run(project)
        assert ran[:3] == (6, 200, 0)
        assert "others can write there" in ran.logged
        assert kernels_of(project) == before

    def test_a_file_that_others_can_write_and_a_link_are_compiled_anew(self, project: Path, tmp_path: Path) -> None:
        files = kernels_of(project)
        for number, file in enumerate(files):
            if number % 2:
                file.chmod(0o620)
            else:
                file.symlink_to(file.rename(tmp_path / file.name))
        ran = run(project)
        assert ran[:3] == (6, 200, 0)
        assert "can be changed by others" in ran.logged and "could not be read" in ran.logged
        assert run(project) == (6, 200, 2, ""), "what was compiled has replaced both"

    def test_only_what_nobody_else_can_write_is_ours(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for mode, is_ours in ((0o755, True), (0o770, False), (0o707, False)):
            tmp_path.chmod(mode)
            assert is_only_ours(tmp_path.stat()) == is_ours
        tmp_path.chmod(0o700)
        facts = tmp_path.stat()
        monkeypatch.setattr(os, "getuid", lambda: facts.st_uid + 1)
        assert not is_only_ours(facts)


class TestCleaningUp:
    def test_what_was_not_used_for_a_fortnight_goes_and_what_a_killed_process_had_begun(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dead_process: int
    ) -> None:
        monkeypatch.setattr(cache, "kernel_cache_folder", lambda: tmp_path)
        days = {"new.kernel": 0, "in-use.kernel": 13, "old.kernel": 15, "left-over.tmp": 15, "folder-of-before": 15}
        (tmp_path / "folder-of-before").mkdir()
        (tmp_path / "folder-of-before" / "kernel.kernel").touch()
        for name, age in days.items():
            (tmp_path / name).touch()
            then = time.time() - age * cache.DAY_SECONDS
            os.utime(tmp_path / name, (then, then))
        (tmp_path / f"search-1.kernel.part-{dead_process}").touch()
        cache.remove_old_kernels()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["in-use.kernel", "new.kernel"]

    def test_what_is_loaded_counts_as_used(self, project: Path) -> None:
        files = kernels_of(project, "ai.search.search")
        long_ago = time.time() - 10 * cache.DAY_SECONDS
        for file in files:
            os.utime(file, (long_ago, long_ago))
        assert run(project).hits == len(files) == 2
        assert all(file.stat().st_mtime > long_ago + cache.DAY_SECONDS for file in files)
