"""``simulate`` at the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from papan.commands.common import command_words
from papan.commands.simulate import how_far
from papan.game.base.places import data_folder
from papan.game.match.record import read
from papan.lab.simulation.counts import Counts
from papan.lab.simulation.running import Clock
from tests.commands.calling import Captured, calling
from tests.waiting import wait_for

GAMES = ("connect-four", "random", "random", "--games", "3000", "--seed", "5")


run = calling("simulate")


def facts(capsys: Captured, *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    answer: dict[str, Any] = json.loads(out)
    return answer


class TestTheAnswer:
    def test_is_a_table_by_player_and_by_seat(self, capsys: Captured, home: Path) -> None:
        code, out, err = run(capsys, *GAMES, "--option", "first=1")
        assert (code, err) == (0, "")
        assert "Connect Four, 3,000 games, seed 5, first=1" in out
        assert [line.split("  ")[0] for line in out.splitlines()[3:7]] == ["random", "random", "seat 1", "seat 2"]
        assert "Ended: four in a row 99." in out and "legal steps a choice" in out

    def test_has_all_in_json_whatever_the_jobs(self, capsys: Captured, home: Path) -> None:
        answer = facts(capsys, *GAMES, "--jobs", "2")
        assert answer["counts"] == facts(capsys, *GAMES, "--jobs", "1")["counts"]
        assert not list((data_folder() / "simulations").iterdir()), "all is done"
        assert (answer["game"], answer["seed"], answer["games"]) == ("connect-four", 5, 3000)
        assert [player["player"] for player in answer["players"]] == ["random", "random"]
        for rate in (*answer["players"], *answer["seats"]):
            assert rate["games"] == rate["won"] + rate["drawn"] + rate["lost"] == 3000
            low, high = rate["win_interval_95"]
            assert low < rate["win_rate"] == rate["won"] / 3000 < high
        assert sum(answer["reasons"].values()) == 3000
        assert 20 < answer["turns_a_game"] < 23 and 6 < answer["legal_steps_a_choice"] < 7

    def test_of_a_game_for_one_is_a_mean(self, capsys: Captured, home: Path) -> None:
        code, out, _ = run(capsys, "2048", "random", "--games", "100")
        assert code == 0 and "mean score" in out and "no tile can move 100.000 %" in out

    def test_names_the_commonest_reasons_only(self, capsys: Captured, home: Path) -> None:
        _, out, _ = run(capsys, "othello", "random", "random", "--games", "2000")
        ended = next(line for line in out.splitlines() if line.startswith("Ended: "))
        shares = [float(part.split()[-2]) for part in ended.removeprefix("Ended: ").split(", ")]
        assert "other reasons" in ended and len(shares) == 11
        assert sum(shares) == pytest.approx(100, abs=0.01)


class TestWhatIsKept:
    def test_stays_where_it_was_asked_for(self, capsys: Captured, home: Path) -> None:
        file = home / "results.jsonl"
        first = facts(capsys, *GAMES, "--out", str(file))
        content = file.read_bytes()
        again = facts(capsys, *GAMES, "--out", str(file))
        assert first["counts"] == again["counts"]
        assert file.read_bytes() == content
        file.write_text("a remark")
        code, _, err = run(capsys, *GAMES, "--out", str(file))
        assert code == 2 and "is not a file of this kind: simulation" in err
        assert file.read_text() == "a remark"

    @pytest.mark.parametrize(
        "end",
        [
            pytest.param(signal.SIGINT, marks=pytest.mark.skipif(sys.platform == "win32", reason="no such signal")),
            pytest.param(None, id="kill"),
        ],
    )
    def test_an_ended_run_goes_on(self, end: signal.Signals | None, capsys: Captured, tmp_path: Path) -> None:
        arguments = ("simulate", "santorini", "random", "norm", "--games", "250000", "--jobs", "2", "--json", "--out")
        file = tmp_path / "results.jsonl"
        with subprocess.Popen([*command_words(), *arguments, str(file)], stdout=subprocess.DEVNULL) as process:
            wait_for(lambda: file.exists() and file.read_bytes().count(b"\n") > 3, "the third batch")
            if end is None:
                process.kill()
            else:
                process.send_signal(end)
        assert process.returncode != 0
        kept = file.read_bytes()
        assert 3 < kept.count(b"\n") < 17
        code, out, _ = run(capsys, *arguments[1:], str(file))
        assert code == 0 and file.read_bytes().startswith(kept)
        whole = facts(capsys, *arguments[1:-2], "--jobs", "1")
        assert json.loads(out)["counts"] == whole["counts"]


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("connect-four", "random", "norm"), "There is no player 'norm' for Connect Four"),
            (("connect-four", "random"), "Connect Four is for 2 players, not 1."),
            (("connect-four", "human", "random"), "'human' can only play in the window"),
            (("santorini", "random", "random", "--option", "seats=3"), "seats=3 does not go with 2 players."),
            (("connect-four", "random", "random", "--games", "0"), "The number of games must be at least 1, not 0."),
            (("connect-four", "random", "random", "--option", "size=9"), "Connect Four has no option 'size'"),
            (("connect-four", "random", "random", "--jobs", "0"), "The number of jobs must be from 1 to"),
            (("othello", "greedy:standard", "random"), "There is no player 'greedy:standard' for Othello"),
        ],
    )
    def test_are_one_sentence(self, capsys: Captured, home: Path, arguments: tuple[str, ...], told: str) -> None:
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "")
        assert told in err and err.count("\n") == 1
        assert not (data_folder() / "simulations").exists()

    @pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="everything can be written")
    def test_a_folder_that_can_not_be_written(self, capsys: Captured, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        code, _, err = run(capsys, *GAMES, "--out", str(tmp_path / "results"))
        assert code == 2 and "can't be written: Permission denied." in err


def test_greedy_players_are_known_by_their_weights(capsys: Captured, home: Path) -> None:
    """Weights that are no player of the game's own: without domes below level 3 random play is a little weaker."""
    answer = facts(capsys, "santorini", "greedy:norm", "norm", "--games", "20000")
    low, high = answer["players"][0]["win_interval_95"]
    assert low - 0.01 < 0.5 < high + 0.01


class TestTheClock:
    def test_counts_what_was_played_and_not_what_was_there(self) -> None:
        clock = Clock(1000)
        clock.tell(Counts(games=400))
        assert clock.rate == 0.0 and clock.seconds_left is None
        words = how_far(clock, 400, 1000)
        assert "40 %, 400 of 1,000 games" in words and "left" not in words
        clock.tell(Counts(games=500))
        words = how_far(clock, 500, 1000)
        assert clock.rate > 0.0 and words.startswith("█████░░░░░ 50 %") and words.endswith("left")


class TestReplay:
    def test_prints_the_record_of_one_game_or_writes_it(self, capsys: Captured, home: Path, tmp_path: Path) -> None:
        code, out, err = run(capsys, *GAMES, "--replay", "3000")
        assert (code, err) == (0, "")
        match = read(out)
        assert match.ending and match.seats == ["random", "random"]
        assert not list(data_folder().glob("simulations/*")), "nothing was simulated"
        path = tmp_path / "game.txt"
        answer = facts(capsys, *GAMES, "--replay", "2", "--record", str(path))
        assert (answer["number"], answer["record"]) == (2, path.read_text("utf-8"))

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("--replay", "3001"), "There is no game 3,001: --games must be 3,000."),
            (("--replay", "0"), "The number of the game"),
            (("--record", "game.txt"), "choose it with --replay"),
            (("--replay", "1", "--record", "nowhere/game.txt"), "There is no folder"),
        ],
    )
    def test_refuses_what_can_not_be(self, capsys: Captured, home: Path, arguments: tuple[str, ...], said: str) -> None:
        code, out, err = run(capsys, *GAMES, *arguments)
        assert code and not out and said in err
