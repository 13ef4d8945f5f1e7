"""``train`` at the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from papan.game.base.untrusted import quoted_path
from papan.lab.training import running
from papan.lab.training.running import check
from tests.commands.calling import Captured, calling

SMALL = ("2048", "--option", "size=2", "--games", "200", "--every", "100", "--check", "10")


run = calling("train")


class TestTraining:
    def test_a_game_of_two_is_measured_against_a_player(self, capsys: Captured, tmp_path: Path) -> None:
        code, out, _ = run(
            capsys, "connect-four", "--games", "20", "--every", "20", "--check", "4", "--opponent", "random",
            "--out", str(tmp_path / "w.npz"),
        )  # fmt: skip
        assert code == 0 and out.startswith("20  ") and " % of the points (" in out

    def test_each_measurement_has_its_line_and_more_games_can_be_asked_for(
        self, capsys: Captured, tmp_path: Path
    ) -> None:
        file, results = str(tmp_path / "w.npz"), str(tmp_path / "curve.jsonl")
        code, first, err = run(capsys, *SMALL, "--out", file, "--results", results)
        assert (code, err) == (0, "")
        assert [line.partition("  ")[0] for line in first.splitlines()] == ["100", "200"]
        assert all("  a mean of " in line and line.endswith(")") for line in first.splitlines())
        more = tuple("300" if word == "200" else word for word in SMALL)
        _, second, _ = run(capsys, *more, "--out", file, "--results", results)
        assert second.startswith(first) and second.splitlines()[-1].startswith("300  ")

    def test_in_json_where_restarts_are_part_of_the_plan(self, capsys: Captured, tmp_path: Path) -> None:
        plain, again = (
            json.loads(run(capsys, *SMALL, *words, "--out", str(tmp_path / name), "--json")[1])
            for name, words in (("plain.npz", ()), ("again.npz", ("--restarts", "3", "--likened")))
        )
        assert "restarts" not in plain and again["restarts"] == 3 and again["likened"] is True
        assert plain["made_by"]["command"] == "train" and plain["games"] == 200 and plain["network"] == "1x4"
        assert [point["games"] for point in plain["curve"]] == [100, 200]


class TestBreaks:
    def test_whoever_stops_it_is_told_what_is_kept(
        self, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        measured: list[int] = []

        def stopped_at_the_second(*arguments: Any) -> Any:
            measured.append(1)
            if len(measured) == 2:
                raise KeyboardInterrupt
            return check(*arguments)

        monkeypatch.setattr(running, "check", stopped_at_the_second)
        file, results = str(tmp_path / "w.npz"), str(tmp_path / "curve.jsonl")
        code, out, err = run(capsys, *SMALL, "--out", file, "--results", results)
        assert code == 1 and len(out.splitlines()) == 1
        assert f"Stopped; the weights after 200 games are in {quoted_path(Path(file))}." in err
        code, out, _ = run(capsys, *SMALL, "--out", file, "--results", results)
        assert code == 0 and [line.partition("  ")[0] for line in out.splitlines()] == ["100", "200"]


class TestRefusals:
    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (("checkers",), "Checkers has no networks to train."),
            (("2048", "--network", "9x9"), "2048 has no network '9x9'; choose from 4x6, 8x6, 5x4."),
            (("2048", "--games", "0"), "The number of games must be at least 1, not 0."),
            (
                ("connect-four", "--method", "supervised", "--restarts", "9"),
                "Training Connect Four this way has no stages",
            ),
            (("catur-jawa", "--restarts", "9"), "Training Catur Jawa this way has no stages"),
            (("2048", "--rate", "2"), "The rate must be from 1e-06 to 1, not 2."),
            (("2048", "--option", "size=9"), "2048 can't have size=9;"),
            (("connect-four", "--opponent", "nobody"), "There is no player 'nobody' for Connect Four"),
        ],
    )
    def test_are_a_sentence(self, capsys: Captured, tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
        code, out, err = run(capsys, *words, "--out", str(tmp_path / "w.npz"))
        assert (code, out) == (2, "") and sentence in err
        assert not list(tmp_path.iterdir())

    def test_a_place_that_is_none(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "letter.npz"
        file.write_text("Dear Sir")
        code, _, err = run(capsys, *SMALL, "--out", str(file))
        assert code == 2 and "letter.npz' holds no weights" in err and file.read_text() == "Dear Sir"
        code, _, err = run(capsys, *SMALL, "--out", str(tmp_path / "none" / "w.npz"))
        assert code == 2 and "There is no folder" in err
