"""``match`` at the command line: the record of the match that it has printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from papan import main
from papan.commands import COMMANDS
from papan.game.match.record import read


class TestRecord:
    def test_is_that_of_the_match_and_can_be_analysed(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        file = tmp_path / "match.txt"
        assert main.run(("match", "connect-four", "minimax:easy", "random", "--record", str(file), "--json")) == 0
        assert json.loads(capsys.readouterr().out)["record"] == file.read_text(encoding="utf-8")
        assert read(file.read_text(encoding="utf-8")).ending is not None
        assert main.run(("analyse", str(file), "--depth", "1", "--conspiracy", "0")) == 0
        assert capsys.readouterr().out.startswith("Connect Four: ")

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("random", "random", "--record", "nowhere/match.txt"), "There is no folder 'nowhere'"),
            (("random", "random", "--openings", "2", "--record", "match.txt"), "--record writes one match"),
        ],
    )
    def test_refusals_are_one_sentence(
        self, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
    ) -> None:
        assert main.run(("match", "connect-four", *arguments)) == 2
        captured = capsys.readouterr()
        assert captured.out == "" and words in captured.err and captured.err.count("\n") == 1


class TestExamples:
    def test_what_it_writes_is_what_it_reads(self) -> None:
        page = (Path(main.__file__).parents[1] / "docs" / "terminal.md").read_text(encoding="utf-8")
        commands = [line.strip() for line in page.splitlines() if "match.txt" in line]
        assert "--record match.txt" in commands[0] and len(commands) > 2

    def test_every_command_is_listed(self) -> None:
        page = (Path(main.__file__).parents[1] / "docs" / "terminal.md").read_text(encoding="utf-8")
        tables = page.partition("## Commands")[2].partition("\n## ")[0]
        commands = {*COMMANDS, *(name for name, command in main.papan.commands.items() if not command.hidden)}
        assert set(re.findall(r"`([a-z]+)`", tables)) == commands
