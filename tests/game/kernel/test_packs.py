"""Kernel packs: what is loaded from them, and which are ignored, with the reason in the log."""

from __future__ import annotations

import json
import logging
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from papan.game.kernel import Compiled, cache, packs, subroutine
from papan.game.kernel.packs import MANIFEST, kernel_pack, no_pack, write_manifest


@subroutine
def _tripled(number: int) -> int:
    return 3 * number


def more(number: int) -> int:
    return _tripled(number) + 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a pack with the kernel ``more``, which is that of this process."""
    made, folder = tmp_path / "made", tmp_path / "pack"
    made.mkdir()
    folder.mkdir()
    monkeypatch.setattr(packs._Pack, "folder", folder)
    monkeypatch.setattr(packs._Pack, "is_known", False)
    monkeypatch.setattr(packs._Pack, "found", None)
    with no_pack():
        assert kept_by_a_new_start(made, monkeypatch)
    for file in made.glob("*more*"):
        shutil.copyfile(file, folder / file.name)
    write_manifest(folder)
    return folder


def kept_by_a_new_start(at: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Use the kernel for the first time, with *at* as the cache folder; returns the kernels written there."""
    monkeypatch.setattr(cache, "kernel_cache_folder", lambda: at)
    assert Compiled(more)(5) == 16
    return list(at.iterdir())


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[Path]]:
    empty = tmp_path / "empty"
    empty.mkdir()
    return lambda: kept_by_a_new_start(empty, monkeypatch)


def test_what_is_in_it_is_not_compiled(folder: Path, kept: Callable[[], list[Path]]) -> None:
    assert kernel_pack() is not None
    assert kept() == []


def test_without_it_the_same_is_compiled(folder: Path, kept: Callable[[], list[Path]]) -> None:
    with no_pack():
        assert any("more" in file.name for file in kept())


def test_a_damaged_kernel_is_compiled(
    folder: Path, kept: Callable[[], list[Path]], caplog: pytest.LogCaptureFixture
) -> None:
    (file,) = folder.glob("*more*")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert kept()
    assert "damaged" in caplog.text


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("python", "3.9.0", "python"),
        ("numba", "0.1", "numba"),
        ("numpy", "", "numpy"),
        ("llvmlite", "0.1", "llvmlite"),
        ("target", ["x86_64-unknown-none", "generic", ""], "x86_64-unknown-none"),
        ("target", ["", "generic", "+no-such-feature"], "no-such-feature"),
        ("target", 5, "ignored"),
    ],
)
def test_one_for_something_else_is_ignored(
    folder: Path, key: str, value: object, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    manifest = folder / MANIFEST
    written = json.loads(manifest.read_text())
    (written if key == "target" else written["versions"])[key] = value
    manifest.write_text(json.dumps(written))
    with caplog.at_level(logging.INFO):
        assert kernel_pack() is None
    assert len(caplog.records) == 1
    assert reason in caplog.text


def test_a_damaged_manifest_is_no_manifest(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / MANIFEST).write_text('{"target":')
    assert kernel_pack() is None
    assert len(caplog.records) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such rights there")
class TestRights:
    def test_a_folder_that_others_can_change_is_ignored(
        self, folder: Path, kept: Callable[[], list[Path]], caplog: pytest.LogCaptureFixture
    ) -> None:
        folder.chmod(0o777)
        assert kernel_pack() is None
        assert "others can write there" in caplog.text
        assert kept()

    def test_a_kernel_that_others_can_change_is_compiled(self, folder: Path, kept: Callable[[], list[Path]]) -> None:
        (file,) = folder.glob("*more*")
        file.chmod(0o666)
        assert kept()
