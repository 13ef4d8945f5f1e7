"""How an answer in JSON was made stands in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from papan import main
from papan.game.base.version import VERSION
from papan.lab.printing import without_places


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main.run(arguments) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


class TestMadeBy:
    def test_a_command_is_told_with_its_words_and_the_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        made = answer(capsys, "perft", "connect-four", "2", "--json", "--position", "44")["made_by"]
        words = ["connect-four", "2", "--json", "--position", "44"]
        assert made == {"command": "perft", "arguments": words, "seed": None, "version": VERSION}

    def test_nobody_is_told_where_files_are(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "here" / "below").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / "here")
        words = ("simulate", "connect-four", "random", "random", "--games", "9", "--json")
        below, beside = tmp_path / "here" / "below" / "counts.jsonl", tmp_path / "counts.jsonl"
        for out, told in ((below, "below/counts.jsonl"), (beside, "counts.jsonl"), ("x.jsonl", "x.jsonl")):
            assert answer(capsys, *words, "--out", str(out))["made_by"]["arguments"][-1] == told
            assert answer(capsys, *words, f"--out={out}")["made_by"]["arguments"][-1] == f"--out={told}"

    def test_a_position_is_no_place(self) -> None:
        words = ["--position", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9 w", "W:W21,22:B1,2", "4455", "minimax:depth=3,time=1"]
        assert without_places(words, Path("/")) == words

    def test_a_seed_that_was_not_given_is_told(self, capsys: pytest.CaptureFixture[str]) -> None:
        made = answer(capsys, "solve", "connect-four", "--nodes", "10", "--json")["made_by"]
        assert made["seed"] == 0

    def test_a_seed_that_was_drawn_is_told(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = answer(capsys, "match", "connect-four", "random", "random", "--json")
        assert found["made_by"]["seed"] == found["seed"] is not None
