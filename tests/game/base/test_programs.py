"""Other programs that are started: with the environment as it was, and told of in a sentence where they are missing."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from papan.game.base.programs import NotShown, original_environment, show_folder
from tests.waiting import PATIENCE


class TestEnvironment:
    def test_of_a_packed_program_is_as_it_was(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setenv("LD_LIBRARY_PATH", "/packed")
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/own")
        monkeypatch.setenv("DYLD_LIBRARY_PATH", "/packed")
        found = original_environment()
        assert found["LD_LIBRARY_PATH"] == "/own"
        assert not {"LD_LIBRARY_PATH_ORIG", "DYLD_LIBRARY_PATH"} & set(found)

    def test_otherwise_nothing_is_changed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LD_LIBRARY_PATH", "/own")
        assert original_environment() == dict(os.environ)


@pytest.mark.skipif(sys.platform != "linux", reason="the program that shows folders is called so on Linux")
class TestFolder:
    def test_is_shown_by_the_system(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        program, told = tmp_path / "xdg-open", tmp_path / "told"
        program.write_text(f'#!/bin/sh\nprintf %s "$1" > "{told}"\n', encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        folder = tmp_path / "a folder; of mine"
        folder.mkdir()
        show_folder(folder)
        until = time.monotonic() + PATIENCE
        while not told.exists() or told.read_text(encoding="utf-8") != str(folder):
            assert time.monotonic() < until
            time.sleep(0.01)

    def test_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(NotShown, match=r"This folder does not exist yet; it will be created when needed: "):
            show_folder(tmp_path / "none")

    def test_without_such_a_program_it_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(NotShown, match=r"because xdg-open is missing\. Copy the path instead\."):
            show_folder(tmp_path)
