"""A file that is not what came with the program is not used; each work in it has the text of its licence."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from papan.game.base import licences
from papan.game.base.assets import ASSETS, Assets, digests_of
from papan.game.base.licences import INDEX, licensed_works


@pytest.fixture
def assets(tmp_path: Path) -> Assets:
    """Two files with their digests."""
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "one.txt").write_text("one", encoding="utf-8")
    (tmp_path / "two.txt").write_text("two", encoding="utf-8")
    return Assets(tmp_path, digests_of(tmp_path))


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def refuse(path: Path) -> str:
    raise ValueError("no such words")


class TestDigests:
    def test_those_of_the_program_are_current(self) -> None:
        """Where not: python -m dev.digests."""
        assert ASSETS.digests == digests_of(ASSETS.folder)

    def test_are_those_of_each_file(self, assets: Assets) -> None:
        assert assets.digests == {
            "two.txt": "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3",
            "words/one.txt": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed",
        }


class TestOpening:
    def test_a_sound_one(self, assets: Assets) -> None:
        assert [assets.open(name, read) for name in ("words/one.txt", "two.txt")] == ["one", "two"]
        assert assets.damaged == ()

    @pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_text("")])
    def test_a_damaged_one(
        self, assets: Assets, damage: Callable[[Path], object], caplog: pytest.LogCaptureFixture
    ) -> None:
        damage(assets.folder / "words" / "one.txt")
        assert [assets.open("words/one.txt", read) for _again in range(2)] == [None, None]
        assert assets.damaged == ("words/one.txt",)
        assert caplog.text.count("one.txt is damaged") == 1
        assert assets.open("two.txt", read) == "two"

    def test_one_that_did_not_come_with_the_program(self, assets: Assets) -> None:
        (assets.folder / "three.txt").write_text("three", encoding="utf-8")
        assert assets.open("three.txt", read) is None

    def test_is_compared_once(self, assets: Assets) -> None:
        assets.open("two.txt", read)
        (assets.folder / "two.txt").write_text("too", encoding="utf-8")
        assert assets.open("two.txt", read) == "too"

    def test_what_fails_with_a_sound_one_is_another_matter(self, assets: Assets) -> None:
        with pytest.raises(ValueError, match="no such words"):
            assets.open("two.txt", refuse)
        assert assets.damaged == ()

    def test_one_that_may_be_changed(self, assets: Assets) -> None:
        (assets.folder / "two.txt").write_text("too", encoding="utf-8")
        assert assets.open("two.txt", read, compare=False) == "too"
        assert assets.open("words/one.txt", refuse, compare=False) is None
        assert assets.damaged == ("words/one.txt",)


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
