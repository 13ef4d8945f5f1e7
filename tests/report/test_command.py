"""``report`` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from papan import main
from tests.commands.calling import Captured, calling
from tests.report import results

pytest.importorskip("jinja2", reason="writes the page")


run = calling("report")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "results"
    made.mkdir()
    (made / "perft.json").write_text(json.dumps(results.perft_answer()))
    (made / "notes.txt").write_text("to do")
    return made


class TestReport:
    def test_the_page_lies_in_the_folder(self, capsys: Captured, folder: Path) -> None:
        code, out, err = run(capsys, folder)
        assert (code, err) == (0, "") and out.endswith("report.html: 1 result, 1 file is not shown\n")
        first = (folder / "report.html").read_bytes()
        assert b"<title>results</title>" in first
        assert run(capsys, folder)[0] == 0 and (folder / "report.html").read_bytes() == first

    def test_it_can_lie_and_be_called_otherwise(self, capsys: Captured, folder: Path) -> None:
        file = folder.parent / "page.html"
        code, _, _ = run(capsys, folder, "--out", file, "--title", "Counted <twice>")
        assert code == 0 and "<title>Counted &lt;twice&gt;</title>" in file.read_text(encoding="utf-8")
        assert not (folder / "report.html").exists()

    def test_what_can_not_be_is_refused_and_no_result_is_overwritten(self, capsys: Captured, folder: Path) -> None:
        result, before = folder / "perft.json", (folder / "perft.json").read_bytes()
        for words, told in (
            ((folder.parent / "nowhere",), "There is no folder"),
            ((folder, "--out", result), "a name that ends in .html"),
            ((folder, "--out", folder / "nowhere" / "page.html"), "There is no folder"),
        ):
            code, out, err = run(capsys, *words)
            assert (code, out) == (2, "") and told in err and err.count("\n") == 1
        assert result.read_bytes() == before
        result.unlink()
        code, _, err = run(capsys, folder)
        assert code == 2 and "There are no results in" in err
        assert [file.name for file in folder.iterdir()] == ["notes.txt"]

    def test_answers_of_commands_are_understood(self, capsys: Captured, tmp_path: Path) -> None:
        record, journal = tmp_path / "match.txt", tmp_path / "journal.jsonl"
        kept = ("--games", "4", "--seed", "3")
        for number, words in enumerate(
            [
                ("match", "connect-four", "random", "random", "--record", str(record), "--json"),
                ("match", "connect-four", "random", "random", "--openings", "2", "--json"),
                ("analyse", str(record), "--depth", "1", "--json"),
                ("simulate", "connect-four", "random", "random", *kept, "--json", "--out", f"{journal}s"),
                ("tournament", "connect-four", "random", "minimax:depth=1", *kept, "--json", "--results", str(journal)),
                ("tune", "connect-four", "--depth", "1", "--population", "4", "--meetings", "1", "--check", "1",
                 "--generations", "1", "--json", "--results", f"{journal}t"),
                ("train", "2048", "--option", "size=2", "--games", "20", "--every", "20", "--check", "4", "--json",
                 "--out", str(tmp_path / "w.npz"), "--results", f"{journal}l"),
                ("solve", "connect-four", "--nodes", "100", "--json"),
                ("perft", "connect-four", "2", "--json"),
            ]
        ):  # fmt: skip
            assert main.run(words) == 0
            (tmp_path / f"{number}.json").write_text(capsys.readouterr().out, encoding="utf-8")
        code, out, _ = run(capsys, tmp_path)
        assert code == 0 and "13 results, 2 files are not shown" in out
