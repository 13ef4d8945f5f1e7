"""``analyse``: the table, the JSON, the picture, and every kind of record that may be given to it."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from papan import main
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.match.record import write
from papan.game.rules import CHANCE
from tests.commands.calling import Captured, calling

FEW = ("--nodes", "2000")


run = calling()


def record(folder: Path, match: Match) -> str:
    path = folder / "record.txt"
    path.write_text(write(match), encoding="utf-8")
    return str(path)


def four(columns: str) -> Match:
    match = Match.new(GAMES["connect-four"], ["Ann", "Bob"], {"first": "1"}, seed=1)
    for column in columns:
        for step in parse_turn(match.rules, match.state, column):
            match.play(step)
    return match


def first_steps(match: Match, steps: int) -> Match:
    for _ in range(steps):
        if not match.ending:
            match.play(match.chance_step() if match.mover == CHANCE else match.legal_steps()[0])
    return match


@pytest.fixture
def overlooked(tmp_path: Path) -> str:
    """Bob overlooks three in a column, and Ann takes the fourth."""
    return record(tmp_path, four("1212131"))


def test_names_of_strangers_do_nothing_to_the_terminal(capsys: Captured, tmp_path: Path) -> None:
    match = Match.new(GAMES["connect-four"], ["\x1b[31mAnn\n", "B" * 1000], {"first": "1"}, seed=1)
    code, out, _ = run(capsys, "analyse", record(tmp_path, first_steps(match, 3)), *FEW)
    assert code == 0 and "\x1b" not in out
    assert r"\x1b[31mAnn\n (seat 1)" in out and "B" * 79 + "… (seat 2)" in out


class TestWords:
    def test_the_table(self, capsys: Captured, overlooked: str) -> None:
        code, out, _ = run(capsys, "analyse", overlooked, *FEW)
        assert code == 0
        lines = out.splitlines()
        assert lines[:2] == ["Connect Four: Ann (seat 1), Bob (seat 2)", "1-0: four in a row."]
        blunder = next(line for line in lines if line.startswith("   6")).split()
        assert blunder[:6] == ["6", "2", "3", "??", "win", "in"] and "100%" in blunder
        assert "Turning points: 6 (3??)." in lines
        assert any(
            line.startswith("Game refinement: B = 7.0 turns to choose from, D = 7 turns, GR = 0.378") for line in lines
        )

    def test_zones_and_traps_are_named_for_a_player_alone(self, capsys: Captured, tmp_path: Path) -> None:
        alone = first_steps(Match.new(GAMES["2048"], ["Ann"], {}, seed=1), 40)
        told = []
        for match in (alone, four("1212131")):
            code, out, _ = run(capsys, "analyse", record(tmp_path, match), *FEW)
            assert code == 0
            heading = next(line for line in out.splitlines() if "SCN" in line and "E_p" in line)
            told.append(("zone" in heading, "uncertain" in out or "favourable" in out, "for one player only" in out))
        assert told == [(True, True, False), (False, False, True)]

    def test_from_the_standard_input(self, capsys: Captured, overlooked: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with Path(overlooked).open(encoding="utf-8") as stream:
            monkeypatch.setattr("sys.stdin", stream)
            code, out, _ = run(capsys, "analyse", "-", *FEW, "--conspiracy", "0")
        assert code == 0 and "Turning points: 6" in out and "SCN" not in out


class TestJson:
    def facts(self, capsys: Captured, *arguments: str) -> dict[str, Any]:
        code, out, _ = run(capsys, "analyse", *arguments, "--json")
        assert code == 0

        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} is not JSON")

        found: dict[str, Any] = json.loads(out, parse_constant=refuse)
        return found

    def test_the_same_facts(self, capsys: Captured, overlooked: str) -> None:
        facts = self.facts(capsys, overlooked, *FEW)
        assert facts["turning_points"] == [6] and facts["result"] == "1-0" and facts["limit"]["nodes"] == 2000
        blunder = facts["turns"][6]
        assert (blunder["seat"], blunder["notation"], blunder["mark"], blunder["win_distance"]) == (2, "3", "??", 1)
        assert blunder["best"]["notation"] == "1" and blunder["loss"] > 0.2 and not blunder["is_best"]
        assert facts["turns"][0]["play"] is None and facts["threshold"] == 12
        last = facts["turns"][7]["play"]
        assert last["conspiracy"] == 0 and last["momentum"] == pytest.approx(last["mass"] * last["velocity"])
        assert last["mean_momentum"] <= last["momentum"] and last["zone"] is last["stage"] is None
        assert facts["stability_traps"] == []
        assert facts["game_refinement"]["branching"] == 7

    def test_the_chance_by_proof_numbers(self, capsys: Captured, overlooked: str) -> None:
        facts = self.facts(capsys, overlooked, *FEW, "--conspiracy", "0", "--ppn", "500")
        chances = [turn["proof_chance"] for turn in facts["turns"]]
        assert chances[6:] == [1.0, 1.0] and 0 < chances[0] < 1
        assert self.facts(capsys, overlooked, *FEW, "--conspiracy", "0")["turns"][6]["proof_chance"] is None

    def test_the_threshold_is_the_score_to_reach(self, capsys: Captured, overlooked: str) -> None:
        """With T at a win, nothing within two turns of the first position is a way to it, and the win is no way off."""
        facts = self.facts(capsys, overlooked, *FEW, "--threshold", "1000000", "--conspiracy", "1")
        numbers = [turn["play"]["conspiracy"] for turn in facts["turns"][1:]]
        assert facts["threshold"] == 1e6 and numbers[0] == 1 and numbers[6] == 0
        low, high = (
            self.facts(capsys, overlooked, "--nodes", "100", "--threshold", threshold)["turns"][3]["play"]["conspiracy"]
            for threshold in ("-1000000", "600")
        )
        assert low == 0 and high > 0

    def test_limits(self, capsys: Captured, overlooked: str) -> None:
        facts, again = (self.facts(capsys, overlooked, "--depth", "2", "--time", "5") for _ in range(2))
        assert facts == again and facts["limit"] == {"seconds": 5, "depth": 2, "nodes": None}
        assert all(turn["depth"] <= 2 for turn in facts["turns"])


class TestDepths:
    def test_a_position_by_depth(self, capsys: Captured, overlooked: str) -> None:
        code, out, _ = run(capsys, "analyse", overlooked, "--depths", "3", "--turn", "6", "--json")
        facts = json.loads(out)
        assert code == 0 and (facts["turn"], facts["seat"], facts["threshold"]) == (6, 1, 12)
        assert [one["depth"] for one in facts["depths"]] == [1, 2, 3]
        assert all(one["values"] == [999_999, -999_999] and one["conspiracy"][0] == 0 for one in facts["depths"])

    def test_in_words_and_drawn(self, capsys: Captured, overlooked: str, tmp_path: Path) -> None:
        picture = tmp_path / "depths.png"
        code, out, _ = run(capsys, "analyse", overlooked, "--depths", "2", "--plot", str(picture))
        lines = out.splitlines()
        assert code == 0 and lines[0] == "Connect Four, the position after turn 6" and "seat 1 to move" in lines[1]
        assert lines[3].split() == ["depth", "value", "1", "SCN", "1", "value", "2", "SCN", "2"]
        assert picture.stat().st_size > 10_000


class TestPicture:
    def test_it_is_drawn(self, capsys: Captured, overlooked: str, tmp_path: Path) -> None:
        picture = tmp_path / "review.png"
        code, out, _ = run(capsys, "analyse", overlooked, *FEW, "--plot", str(picture))
        assert code == 0 and "Turning points" in out
        data = picture.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", data[16:24]) == (1280, 800)

    def test_where_matplotlib_is_absent(
        self, capsys: Captured, overlooked: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        code, out, err = run(capsys, "analyse", overlooked, "--plot", "review.png")
        assert code == main.USAGE_EXIT_CODE and out == ""
        assert err == ("Drawing needs matplotlib: install it with 'pip install matplotlib'.\n")


class TestEveryRecord:
    @pytest.mark.parametrize(
        ("name", "seats", "options", "steps"),
        [
            ("santorini", 3, {"gods": "none"}, 11),
            ("2048", 1, {"size": "3"}, 30),
            ("2048", 1, {"size": "2"}, 500),
            ("catur-jawa", 2, {}, 500),
            ("othello", 2, {}, 0),
        ],
    )
    def test_is_reviewed(
        self,
        capsys: Captured,
        tmp_path: Path,
        name: str,
        seats: int,
        options: dict[str, str],
        steps: int,
    ) -> None:
        match = first_steps(Match.new(GAMES[name], ["Ann", "Bob", "Cy"][:seats], options, seed=2), steps)
        picture = tmp_path / "review.png"
        code, out, err = run(
            capsys, "analyse", record(tmp_path, match), "--nodes", "500", "--conspiracy", "1", "--plot", str(picture)
        )
        assert (code, err) == (0, "") and "Turning points: " in out
        assert picture.stat().st_size > 10_000
        assert ("Not over yet." in out) == (match.ending is None)

    def test_but_not_one_whose_cards_are_still_hidden(self, capsys: Captured, tmp_path: Path) -> None:
        match = first_steps(Match.new(GAMES["catur-jawa"], ["Ann", "Bob"], {}, seed=2), 4)
        code, out, err = run(capsys, "analyse", record(tmp_path, match))
        assert (code, out) == (main.USAGE_EXIT_CODE, "")
        assert err == "Catur Jawa has hidden cards: you can review a match once it is over.\n"


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--time", "soon"], "The time must be a number, not 'soon'."),
            (["--time", "0"], "The time must be from 0.001 to 3600, not 0."),
            (["--nodes", "0"], "The number of nodes must be at least 1, not 0."),
            (["--depth", "300"], "The depth must be from 1 to 127, not 300."),
            (["--ppn", "0"], "The number of nodes for PPN must be at least 1, not 0."),
            (["--conspiracy", "9"], "The depth of the conspiracy numbers must be from 0 to 6, not 9."),
            (["--depths", "2", "--turn", "9"], "The record has 7 turns, so there is no turn 9."),
            (["--depths", "2", "--turn", "7"], "After turn 7 the game is over: choose an earlier one with --turn."),
            (["--turn", "3"], "--turn needs --depths or --why."),
            (["--depths", "7"], "The greatest depth must be from 1 to 6, not 7."),
            (["--plot", "review.gif"], "give 'review.gif' a name that ends in .png"),
            (["--plot", "/no/such/folder/review.png"], "There is no folder"),
            (
                ["--why", "--by", "Ann"],
                "'Ann' can't explain its moves; in Connect Four, these can: minimax:easy, minimax:medium.",
            ),
            (
                ["--why", "--weight", "corner=1"],
                "'corner=1' is not a weight: write NAME=VALUE, such as threats=1.5; the names",
            ),
            (["--why", "--weight", "threats=much"], "'threats=much' is not a weight"),
            (["--why", "--weight", "threats=1e9"], "'threats=1e9' is not a weight"),
            (["--why", "--turn", "7"], "After turn 7 the game is over"),
            (["--why", "--depths", "2"], "--why cannot be combined with --plot or --depths."),
            (["--by", "h1"], "--by and --weight need --why."),
        ],
    )
    def test_what_makes_no_sense(self, capsys: Captured, overlooked: str, arguments: list[str], message: str) -> None:
        code, out, err = run(capsys, "analyse", overlooked, *arguments)
        assert code == main.USAGE_EXIT_CODE and out == "" and message in err.replace("\n", " ")

    def test_what_is_no_record(self, capsys: Captured, overlooked: str, tmp_path: Path) -> None:
        code, _, err = run(capsys, "analyse", str(tmp_path / "nothing.txt"))
        assert code == main.USAGE_EXIT_CODE and "can't be read: No such file" in err
        path = Path(overlooked)
        path.write_text(path.read_text(encoding="utf-8").replace("4. 1", "4. 8"), encoding="utf-8")
        code, _, err = run(capsys, "analyse", overlooked)
        assert code == main.USAGE_EXIT_CODE and "can't be read. Line " in err and "Traceback" not in err


class TestWhy:
    """The terms of each candidate in one position."""

    def test_each_candidate_is_told_with_its_terms(self, capsys: Captured, overlooked: str) -> None:
        code, out, _ = run(capsys, "analyse", overlooked, "--why", "--by", "minimax:easy", "--turn", "2")
        assert code == 0 and "Connect Four, the position after turn 2" in out
        assert "discs in the middle column" in out and "in_centre" in out and "+1 (1)" in out

    def test_other_weights_give_another_answer(self, capsys: Captured, overlooked: str) -> None:
        asked = ("analyse", overlooked, "--why", "--by", "minimax:easy", "--turn", "2", "--json")
        facts = [json.loads(run(capsys, *asked, *more)[1]) for more in ((), ("--weight", "in_centre=-2.5"))]
        usual, other = facts
        assert usual["decisions"][0]["chosen"] == ["4"] and "4" not in other["decisions"][0]["chosen"]
        assert [one["name"] for one in other["terms"]] == ["threats", "kept_threats", "in_centre"]
        assert [one["weight"] for one in other["terms"]] == [6.0, 9.0, -2.5]
        assert [one["usual_weight"] for one in other["terms"]] == [6.0, 9.0, 1.0]
        for answer in facts:
            for one in answer["decisions"][0]["candidates"]:
                assert sum(one["additions"]) + one["besides"] == pytest.approx(one["score"])

    def test_who_rates_steps_goes_through_the_turn(self, capsys: Captured, tmp_path: Path) -> None:
        match = first_steps(Match.new(GAMES["santorini"], ["norm", "god"], {"first": "1", "gods": "none"}, seed=1), 4)
        path = record(tmp_path, match)
        facts = json.loads(run(capsys, "analyse", path, "--why", "--json")[1])
        assert facts["player"] == "norm" and facts["depth"] is None and len(facts["decisions"]) == 2
