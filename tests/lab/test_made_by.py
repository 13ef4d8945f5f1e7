"""How an answer in JSON was made stands in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from papan import main
from papan.game.base.version import VERSION


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main.run(arguments) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


class TestMadeBy:
    def test_a_command_is_told_with_its_words_and_the_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        made = answer(capsys, "perft", "connect-four", "2", "--json", "--position", "44")["made_by"]
        words = ["connect-four", "2", "--json", "--position", "44"]
        assert made == {"command": "perft", "arguments": words, "seed": None, "version": VERSION}

    def test_a_seed_that_was_not_given_is_told(self, capsys: pytest.CaptureFixture[str]) -> None:
        made = answer(capsys, "solve", "connect-four", "--nodes", "10", "--json")["made_by"]
        assert made["seed"] == 0

    def test_a_seed_that_was_drawn_is_told(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = answer(capsys, "match", "connect-four", "random", "random", "--json")
        assert found["made_by"]["seed"] == found["seed"] is not None
