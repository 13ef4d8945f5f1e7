"""All tests keep their files in one folder of their own; compiled kernels stay there between runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from papan.game.kernel import cache

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".pytest_cache" / "papan-home"
os.environ["PAPAN_HOME"] = str(HOME)
os.environ["PAPAN_LANGUAGE"] = "en"  # whoever runs them
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")  # nobody listens
cache.kernel_cache_folder()  # settled once: tests with a home of their own share the compiled kernels


settings.register_profile("unhurried", deadline=None)  # an example may take its time on a busy machine
settings.load_profile("unhurried")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the user's files: library, settings, log."""
    monkeypatch.setenv("PAPAN_HOME", str(tmp_path))
    return tmp_path
