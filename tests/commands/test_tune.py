"""``tune`` at the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.calling import Captured, calling

SMALL = ("connect-four", "--depth", "1", "--population", "4", "--meetings", "1", "--check", "2", "--generations", "3")


run = calling("tune")


def found(capsys: Captured, *arguments: str) -> dict[str, Any]:
    """The answer in JSON, but for how it was called."""
    answer: dict[str, Any] = json.loads(run(capsys, *arguments, "--json")[1])
    named = [Path(argument).name if Path(argument).is_absolute() else argument for argument in arguments]
    assert answer.pop("made_by")["arguments"] == [*named, "--json"]
    return answer


class TestTuning:
    @pytest.mark.parametrize("method", ["ga", "spsa"])
    def test_each_generation_has_its_line_and_the_last_one_is_the_answer(self, capsys: Captured, method: str) -> None:
        code, out, err = run(capsys, *SMALL, "--method", method)
        lines = out.splitlines()
        assert (code, err, len(lines)) == (0, "", 5)
        assert [line.split()[0] for line in lines[:3]] == ["1", "2", "3"]
        assert all("against the starting weights  threats=" in line for line in lines[:3])
        assert lines[4].startswith("threats=") and ", kept_threats=" in lines[4]

    def test_threads_do_not_matter(self, capsys: Captured) -> None:
        one, other = (found(capsys, *SMALL, "--threads", number) for number in ("1", "2"))
        assert one == other and one["generations"][2]["games"] == 4

    def test_at_last_it_meets_the_weights_before_and_the_curve_is_drawn(self, capsys: Captured, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        picture = tmp_path / "curve.png"
        last = run(capsys, *SMALL, "--final", "3", "--plot", str(picture))[1].splitlines()[-1]
        assert last.endswith("against the starting weights, in 6 games")
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert found(capsys, *SMALL, "--final", "3")["final"]["games"] == 6


class TestBreaks:
    def test_it_goes_on_where_it_was_unless_the_file_is_damaged(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "tuning.jsonl"
        whole = found(capsys, *SMALL)
        run(capsys, *SMALL[:-1], "1", "--results", str(file))
        first = file.read_bytes()
        run(capsys, *SMALL, "--results", str(file))
        lines = file.read_bytes().splitlines(keepends=True)
        assert len(lines) == 4 and b"".join(lines).startswith(first), "more generations were asked for"
        file.write_bytes(b"".join(lines[:2]) + lines[2][:40])  # killed in the second generation
        assert found(capsys, *SMALL, "--results", str(file)) == whole
        assert file.read_bytes().splitlines(keepends=True) == lines
        file.write_bytes(file.read_bytes().replace(b'"number":2', b'"number":7'))
        code, _, err = run(capsys, *SMALL, "--results", str(file))
        assert code == 2 and "tuning.jsonl' is damaged: its number is 7, not 2." in err


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("2048",), "2048 is not for two players"),
            (("santorini", "--weights", "best"), "no weights 'best'"),
            (("santorini", "--weights", "classical", "--over", "luck"), "no feature 'luck'"),
            (("santorini", "--population", "5"), "The population must be an even number"),
            ((*SMALL, "--turns", "0"), "There are only 1 openings of 0 turns"),
            ((*SMALL, "--results", "nowhere/at/all"), "There is no folder"),
            ((*SMALL, "--plot", "curve.jpg"), "give 'curve.jpg' a name that ends in .png"),
        ],
    )
    def test_are_one_sentence(self, capsys: Captured, arguments: tuple[str, ...], words: str) -> None:
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "") and words in err and err.count("\n") == 1
