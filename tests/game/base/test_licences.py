"""The works that the program is made of: each has the text of its licence, packed or not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from papan.game.base import licences
from papan.game.base.licences import INDEX, licensed_works


def texts() -> dict[str, str]:
    """The texts of all works, by name."""
    return {work.name: work.text() for work in licensed_works()}


class TestCheckout:
    def test_all_that_runs_is_named_with_its_licence(self) -> None:
        found = texts()
        assert next(iter(found)) == "Papan" and "MIT License" in found["Papan"]
        needed = {"Inter", "Noto Serif CJK", "Python", "click", "numba", "llvmlite", "numpy", "platformdirs", "rich"}
        assert needed <= set(found)
        assert all(len(text) > 200 for text in found.values())
        assert "GNU LESSER" in found["pygame-ce"]

    def test_what_only_developers_need_is_not_named(self) -> None:
        assert not {"pytest", "mypy", "matplotlib", "hypothesis"} & set(texts())

    def test_a_work_without_texts_says_its_licence(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """Installed from a wheel, there is no folder of texts."""
        monkeypatch.setattr(licences, "TEXTS", tmp_path)
        assert texts()["pygame-ce"] == "LGPL v2.1"


class TestPacked:
    @pytest.fixture
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "Papan"))
        return tmp_path / "licences"

    def test_are_those_of_the_folder(self, folder: Path) -> None:
        for name, text in (("zlib/zlib.txt", "free"), ("numpy/a/LICENSE", "one"), ("numpy/b.txt", "two")):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        (folder / INDEX).write_text("the index", encoding="utf-8")
        found = texts()
        assert list(found) == ["Papan", "Inter", "Noto Serif CJK", "numpy", "zlib"]
        assert (found["numpy"], found["zlib"]) == ("one\n\n\ntwo", "free")

    def test_a_folder_that_is_missing_costs_its_works_only(self, folder: Path) -> None:
        assert list(texts()) == ["Papan", "Inter", "Noto Serif CJK"]
