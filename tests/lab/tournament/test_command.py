"""``tournament`` at the command line."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from papan.game.kernel.clock import why_no_processor_clock
from papan.game.match import Conclusion
from papan.game.match.library import Library
from papan.lab.tournament.results import TEST
from tests.commands.calling import Captured, calling

SMALL = ("connect-four", "random", "minimax:depth=2", "--games", "4")


run = calling("tournament")


class TestTables:
    def test_the_stronger_player_is_first(self, capsys: Captured) -> None:
        code, out, err = run(capsys, *SMALL)
        assert (code, err) == (0, "")
        lines = out.splitlines()
        assert lines[0] == "Connect Four: 4 games from 2 openings, seed 0"
        assert lines[3].split()[:3] == ["1", "minimax:depth=2", "+191"] and lines[4].split()[:2] == ["2", "random"]
        assert lines[9].split() == ["1", "minimax:depth=2", "·", "4/4"]

    def test_json_has_all_of_it(self, capsys: Captured) -> None:
        words = (*SMALL, "--sprt", "-5,5")
        _, out, _ = run(capsys, *words)
        assert "Sequential test after 4 games: it is not decided" in out and "exaggerates" not in out
        code, out, _ = run(capsys, *words, "--json")
        facts = json.loads(out)
        assert code == 0 and facts["players"] == ["random", "minimax:depth=2"] and facts["games"] == 4
        best, worst = facts["standings"]
        assert (best["player"], best["wins"], worst["losses"]) == ("minimax:depth=2", 4, 4)
        assert best["elo"] == -worst["elo"] > 0 and best["margin_95"] > 0
        (cross, _) = facts["cross_table"]
        assert (cross["player"], cross["losses"], cross["score"]) == ("random", 4, 0.0)
        (test,) = facts["sequential_tests"]
        assert test["pairs"] == [2, 0, 0, 0, 0] and test["verdict"] is None and facts["overhead"] > 0

    @pytest.mark.skipif(why_no_processor_clock() is not None, reason="no fine clock of a thread's own")
    def test_the_clock_is_the_processor_s_unless_told_otherwise(self, capsys: Captured) -> None:
        assert "Seconds are processor time" in run(capsys, *SMALL)[1]
        assert json.loads(run(capsys, *SMALL, "--json")[1])["clock"] == "processor"
        assert "Seconds are wall-clock time" in run(capsys, *SMALL, "--clock", "wall")[1]

    def test_a_test_that_stopped_early_says_so(self, capsys: Captured, tmp_path: Path) -> None:
        words = ("connect-four", "minimax:depth=2", "random", "--games", "200", "--sprt", "0,300,0.2,0.2")
        journal = ("--results", str(tmp_path / "results.jsonl"))
        _, out, _ = run(capsys, *words, *journal)
        assert "The sequential test stopped after 6" in out and " of 200 games: minimax:depth=2 is stronger" in out
        assert "bounds -1.39 and 1.39" in out and "A test that stops early exaggerates" in out
        (test,) = json.loads(run(capsys, *words, *journal, "--json")[1])["sequential_tests"]
        assert (test["stopped_early"], test["most_games"], test["verdict"]) == (True, 200, "stronger")
        assert test["games"] < 30 and (test["elo0"], test["elo1"], test["alpha"], test["beta"]) == (
            0.0,
            300.0,
            0.2,
            0.2,
        )


class TestFiles:
    def test_records_are_written_whole(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "records.txt"
        run(capsys, *SMALL, "--records", str(file), "--name", "Spring")
        assert file.read_text().count('[Event "Spring"]') == 4 and list(tmp_path.iterdir()) == [file]

    def test_the_same_command_goes_on(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "results.jsonl"
        first = json.loads(run(capsys, *SMALL, "--results", str(file), "--json")[1])
        content = file.read_bytes()
        second = json.loads(run(capsys, *SMALL, "--results", str(file), "--json")[1])
        assert first == second and file.read_bytes() == content

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            (b',"opening_seeds":"hashed"', b"", "other settings (opening_seeds"),
            (b'"clock":"wall"', b'"clock":"processor"', "other settings (clock):"),
            (b'"version":1', b'"version":0', "(Papan tournament) has version 0"),
        ],
    )
    def test_a_file_of_other_settings_stays_as_it_is(
        self, capsys: Captured, tmp_path: Path, old: bytes, new: bytes, told: str
    ) -> None:
        file = tmp_path / "results.jsonl"
        words = (*SMALL, "--clock", "wall", "--results", str(file))
        run(capsys, *words)
        content = file.read_bytes()
        other = content.replace(old, new, 1)
        assert other != content
        file.write_bytes(other)
        code, _, err = run(capsys, *words)
        assert code == 2 and told in err and file.read_bytes() == other

    def test_matches_are_kept_with_the_tournaments_name_and_their_forfeits(self, capsys: Captured, home: Path) -> None:
        code, out, _ = run(capsys, *SMALL, "--keep", "--name", "Autumn", "--json")
        assert code == 0 and json.loads(out)["kept"] == 4
        slow, limits = "minimax:nodes=1000000000000", ("--time-limit", "0.2", "--margin", "0")
        _, out, _ = run(capsys, "othello", "random", slow, "--games", "2", *limits, "--keep")
        assert out.count(f"{slow} forfeited: Seat") == 2
        with closing(Library()) as library:
            matches = [library.load(summary.id) for summary in library.recent(10)]
        named = [match for match in matches if match.tags["Event"] == "Autumn"]
        assert len(named) == 4 and all(match.ending for match in matches)
        forfeits = {match.conclusion for match in matches if match not in named}
        assert forfeits == {Conclusion("forfeited", 0), Conclusion("forfeited", 1)}

    def test_another_test_is_noted(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "results.jsonl"
        noted = []
        for words in (("--sprt", "0,5"), ("--sprt", "0,5"), ("--sprt", "0,9"), ()):
            run(capsys, *SMALL, "--results", str(file), *words)
            lines = [json.loads(line) for line in file.read_text().splitlines()]
            noted.append(
                [line["sequential_test"] and line["sequential_test"]["elo1"] for line in lines if TEST in line]
            )
        assert noted == [[5.0], [5.0], [5.0, 9.0], [5.0, 9.0, None]]
        assert len(lines) == 1 + 2 + 3


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("connect-four", "random", "nobody"), "There is no player 'nobody' for Connect Four"),
            (("connect-four", "random"), "1 player can't fill the 2 seats"),
            (("connect-four", "random", "human"), "'human' can only play in the window"),
            (("2048", "random", "random"), "2048 is a one-player game"),
            ((*SMALL, "--openings", "3"), "begin from at most 2 openings, not 3"),
            ((*SMALL, "--sprt", "5"), "'5' is not a valid test"),
            ((*SMALL, "--sprt", "5,0"), "elo0 must be less than elo1"),
            ((*SMALL, "--sprt", "0,5,0,1"), "alpha and beta are between 0 and 0.5"),
            ((*SMALL, "--records", "nowhere/at/all"), "There is no folder"),
            ((*SMALL, "--results", "nowhere/at/all"), "There is no folder"),
            (("connect-four", "random", "minimax:threads=2", "--clock", "processor"), "Use --clock wall"),
            (("connect-four", "random", "random", "--clock", "sun"), "'sun' is not one of 'wall', 'processor'"),
            (
                ("catur-jawa", *["random"] * 3, "--option", "seats=3", "--games", "3", "--sprt", "0,5"),
                "compares two players",
            ),
        ],
    )
    def test_are_one_sentence(self, capsys: Captured, arguments: tuple[str, ...], words: str) -> None:
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "") and words in err and err.count("\n") == 1
