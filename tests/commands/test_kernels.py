"""``kernels``: what is ready to be played, and packs of kernels."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from papan.game.kernel import packs
from papan.game.kernel.cache import kernel_cache_folder
from papan.game.kernel.packs import MANIFEST
from tests.commands.calling import Captured, calling

run = calling()


def test_each_game_is_told_with_what_it_needs_and_has(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(capsys, "kernels", "--json")
    told = json.loads(out)
    assert code == 0 and not err and told["pack"] is None and told["cache"] == str(kernel_cache_folder())
    rows = {row["game"]: row for row in told["games"]}
    assert rows["connect-four"]["needed"] >= 5 and rows["connect-four"]["packed"] == 0
    assert all(0 <= row["cached"] <= row["needed"] for row in rows.values()) and "tic-tac-toe" not in rows
    monkeypatch.setattr("papan.commands.kernels._ready", lambda game: {"needed": 9, "cached": 7, "packed": 2})
    code, out, err = run(capsys, "kernels")
    assert (
        code == 0
        and out.split()[:4] == ["game", "needed", "in", "your"]
        and ["xiangqi", "9", "7", "2"] in map(str.split, out.splitlines())
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("{full}", "is not empty: name a new folder"),
        ("{new} --target z80", "x86-64-v3"),
        ("{new} --game nosuch", "There is no game 'nosuch'"),
        ("", "FOLDER"),
    ],
)
def test_what_can_not_be_built_is_refused(capsys: Captured, tmp_path: Path, words: str, sentence: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("keep")
    words = words.format(full=tmp_path / "full", new=tmp_path / "new")
    code, out, err = run(capsys, "kernels", "build", *words.split())
    assert code == 2 and not out and sentence in err
    assert (tmp_path / "full" / "mine.txt").read_text() == "keep" and not (tmp_path / "new").exists()


@pytest.mark.slow
def test_a_pack_has_all_that_a_game_needs(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, empty = tmp_path / "pack", tmp_path / "empty"
    empty.mkdir(mode=0o700)
    building = [sys.executable, "-m", "papan", "kernels", "build", str(folder), "--game", "connect-four"]
    subprocess.run(building, check=True, timeout=600)
    assert (folder / MANIFEST).is_file()
    monkeypatch.setattr(packs._Pack, "folder", folder)
    monkeypatch.setattr(packs._Pack, "is_known", False)
    monkeypatch.setattr("papan.game.kernel.cache.kernel_cache_folder", lambda: empty)
    _, out, _ = run(capsys, "kernels", "--json")
    row = next(row for row in json.loads(out)["games"] if row["game"] == "connect-four")
    assert row["packed"] == row["needed"] == len(list(folder.glob("*.kernel")))
