"""All tests keep their files in one folder of their own; compiled kernels stay there between runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from papan.game.kernel import cache

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".pytest_cache" / "papan-home"
MEMORY = Path("/dev/shm")
"""A disk in memory, as Linux has one."""
ROOM = 4 << 30
"""Bytes that must be free there."""


def memory_has_room() -> bool:
    """Whether what tests write can go to memory: there is room, and programs can be started there."""
    if not os.access(MEMORY, os.W_OK):
        return False
    disk = os.statvfs(MEMORY)
    return disk.f_bavail * disk.f_frsize >= ROOM and not disk.f_flag & os.ST_NOEXEC


os.environ["PAPAN_HOME"] = str(HOME)
if sys.platform == "linux" and memory_has_room():
    # Libraries are told thousands of times to be on the disk before a test goes on: nobody needs to wait for that.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
os.environ["PAPAN_LANGUAGE"] = "en"  # whoever runs them
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")  # nobody listens
cache.kernel_cache_folder()  # settled once: tests with a home of their own share the compiled kernels


settings.register_profile("unhurried", deadline=None)  # an example may take its time on a busy machine
settings.load_profile("unhurried")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Half as many workers again as processors: tests wait, for windows and other programs."""
    processors = os.cpu_count() or 1
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else processors + processors // 2


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the user's files: library, settings, log."""
    monkeypatch.setenv("PAPAN_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def dead_process() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as process:
        process.wait()
    return process.pid
