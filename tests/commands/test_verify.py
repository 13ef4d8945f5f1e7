"""``solve --proof`` and ``verify`` at the command line, and the certificates that the documents name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from papan.ai.proof.certificate import (
    MOST_STATES,
    Certificate,
    CertificateError,
    Claim,
    read_certificate,
    sealed,
    states_allowed,
)
from papan.ai.proof.verifying import verify
from papan.commands.certificates import is_draw
from papan.game.catalogue import GAMES
from papan.game.match import Match
from tests.commands.calling import Captured, calling

KEPT = sorted((Path(__file__).parents[2] / "docs" / "certificates").glob("*.json"))
BODY = ("game", "rules", "options", "position", "claims")
FOUR = "h8 a1 i8 a2 j8 a3 k8 a5"
QUICK_BYTES = 3000
"""Larger certificates take seconds to replay."""
TWO_BY_TWO = ("solve", "2048", "--option", "size=2", "--position", "2,0/0,2 0", "--goal", "16")


run = calling()


class TestVerify:
    def test_a_win(self, capsys: Captured, tmp_path: Path) -> None:
        file = str(tmp_path / "win.json")
        code, out, _ = run(capsys, "solve", "connect-four", "--moves", "112233", "--proof", file)
        assert code == 0 and "contains the strategy" in out
        code, out, err = run(capsys, "verify", file)
        assert (code, err) == (0, "")
        assert (
            "Verified: seat 1 can force a win (Connect Four, from 332211). The strategy's side needs at most 1 turn."
            in out
        )

    def test_a_loss_is_the_other_sides_win(self, capsys: Captured, tmp_path: Path) -> None:
        file = str(tmp_path / "loss.json")
        options = ("--option", "variant=2W_P4H_TWUS", "--option", "board=cycle:6")
        assert run(capsys, "solve", "santorini-graph", *options, "--json", "--proof", file)[0] == 0
        answer = json.loads(run(capsys, "verify", file, "--json")[1])
        (claim,) = answer["claims"]
        assert (claim["seat"], claim["claim"], claim["is_won_by_strategy"]) == (2, "forced", True)

    def test_a_draw_has_two_claims(self, capsys: Captured, tmp_path: Path) -> None:
        file = str(tmp_path / "draw.json")
        assert run(capsys, "solve", "checkers", "--position", "B:WK1:BK32", "--proof", file)[0] == 0
        out = run(capsys, "verify", file)[1]
        assert out.count("Verified: ") == 2 and "With best play the game is a draw (Checkers, from B:WK1:BK32)." in out

    def test_what_is_not_proved_is_not_written(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "nothing.json"
        code, _, err = run(capsys, "solve", "santorini", "--nodes", "1000", "--proof", str(file))
        assert code == 1 and "Nothing was proved" in err and not file.exists()
        code, out, err = run(capsys, *TWO_BY_TWO[:-2], "--proof", str(file))
        assert code == 1 and "67.6963 points at the end on average" in out and "give a --goal" in err

    def test_no_certificate_is_refused_in_a_sentence(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "x.json"
        assert run(capsys, "verify", str(file))[0] == 2
        file.write_text("{}")
        code, out, err = run(capsys, "verify", str(file))
        assert (code, out) == (2, "") and "'x.json' is not a certificate." in err


class TestConditions:
    """What is verified says all that it depends on."""

    def test_chance_that_helps_and_chance_that_hurts(self, capsys: Captured, tmp_path: Path) -> None:
        """Both hold, and neither contradicts the other."""
        said, facts = [], []
        for side in ("or", "and"):
            file = str(tmp_path / f"{side}.json")
            code, _, _ = run(capsys, *TWO_BY_TWO, "--chance", side, "--proof", file)
            assert code == 0
            said.append(run(capsys, "verify", file)[1])
            facts.append(json.loads(run(capsys, "verify", file, "--json")[1])["claims"][0])
        where = "(2048, size=2, from 2,0/0,2 0)"
        assert f"the player can force a tile of 16 if luck helps {where}." in said[0]
        assert f"the player can't force a tile of 16 against the worst luck {where}." in said[1]
        assert [one["chance"] for one in facts] == [one["conditions"]["chance"] for one in facts] == ["or", "and"]
        assert facts[0]["says"] in said[0] and facts[1]["says"] in said[1]
        assert facts[0]["conditions"]["options"]["size"] == "2" and facts[0]["conditions"]["goal"] == 16

    def test_solve_says_so_too(self, capsys: Captured) -> None:
        answer = json.loads(run(capsys, *TWO_BY_TWO, "--chance", "or", "--json")[1])
        assert answer["conditions"]["chance"] == "or" and "if luck helps" in answer["says"]
        answer = json.loads(run(capsys, *TWO_BY_TWO[:-2], "--json")[1])
        assert (answer["result"], answer["conditions"]["chance"]) == ("exact", "drawn"), "a mean is no disproof"
        assert "force" not in answer["says"] and "random events with the odds of the rules" in answer["says"]
        code, _, err = run(capsys, "solve", "connect-four", "--moves", "112233", "--chance", "or")
        assert code == 2 and "Connect Four has no random events: omit --chance." in err
        code, _, err = run(capsys, *TWO_BY_TWO[:-2], "--chance", "or")
        assert code == 2 and "--chance needs --goal: without it, random events follow the rules' odds." in err

    def test_options_that_the_file_leaves_out_are_told(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "win.json"
        assert run(capsys, "solve", "gomoku", "--position", FOUR, "--method", "dfpn", "--proof", str(file))[0] == 0
        assert "exact=no" not in run(capsys, "verify", str(file))[1]
        body = json.loads(file.read_text())
        del body["options"]["exact"]
        file.write_text(sealed({name: body[name] for name in BODY}))
        assert "(Gomoku, exact=no, from " in run(capsys, "verify", str(file))[1]

    def test_a_draw_is_told_of_two_seats_without_chance_alone(self) -> None:
        walked = SimpleNamespace(is_end_won=False)
        kept = [SimpleNamespace(claim=Claim(seat, 0, False, False, []), walked=walked) for seat in range(2)]

        def told(name: str, seats: int) -> bool:
            match = Match.new(GAMES[name], [""] * seats, {}, 1)
            return is_draw(cast(Any, SimpleNamespace(game=GAMES[name], state=match.state, verified=kept)))

        assert told("connect-four", 2) and not told("santorini", 3) and not told("2048", 1)

    def test_a_survey_and_a_calibration(self, capsys: Captured) -> None:
        options = ("--option", "depth=8", "--option", "branching=2", "--positions", "3", "--json")
        surveyed = json.loads(run(capsys, "survey", "p-tree", "--turns", "2", *options)[1])["surveys"][0]["outcomes"]
        told = json.loads(run(capsys, "calibrate", "p-tree", "--turns", "2", *options)[1])["told"]
        for one in (*surveyed, *told):
            assert one["conditions"]["position"] == one["position"] and one["conditions"]["options"]["depth"] == "8"
            assert f"seat {one['conditions']['seat']} " in one["says"].replace(",", " ") and "depth=8" in one["says"]
        code, _, err = run(capsys, "calibrate", "2048", "--turns", "3")
        assert code == 2 and "2048 has no winner" in err


class TestHostileFiles:
    """They come from strangers: what they ask for is bounded, and told in a sentence."""

    def refused(self, capsys: Captured, file: Path, text: str) -> str:
        file.write_text(text)
        code, out, err = run(capsys, "verify", str(file))
        assert (code, out) == (2, "") and err.count("\n") == 1
        return err

    @pytest.fixture
    def body(self) -> dict[str, Any]:
        file = next(file for file in KEPT if "cycle-5" in file.name)
        facts = json.loads(file.read_text())
        return {name: facts[name] for name in BODY}

    @pytest.mark.parametrize(
        ("spoil", "told"),
        [
            (lambda claims: claims.extend(claims * 1999), "two claims are about the same seat and goal"),
            (lambda claims: claims.append({**claims[0], "claim": "prevented"}), "two claims are about the same seat"),
            (lambda claims: claims[0].update(within=3), "within' is an unknown field"),
            (lambda claims: claims[0].update(chance="or"), "has no random events, so luck cannot help"),
        ],
        ids=["the same claim again", "a claim and its contrary", "an unknown condition", "chance where there is none"],
    )
    def test_claims_that_can_not_be(
        self,
        capsys: Captured,
        tmp_path: Path,
        body: dict[str, Any],
        spoil: Callable[[list[dict[str, Any]]], None],
        told: str,
    ) -> None:
        spoil(body["claims"])
        assert told in self.refused(capsys, tmp_path / "x.json", sealed(body))

    def test_lists_in_lists_and_names_that_stand_twice(self, capsys: Captured, tmp_path: Path) -> None:
        text, file = KEPT[0].read_text(), tmp_path / "x.json"
        for depth in (100, 900, 1000, 100_000):
            nest = '"options": {"x": ' + "[" * depth + "]" * depth + ","
            self.refused(capsys, file, text.replace('"options": {', nest))
        twice = self.refused(capsys, file, text.replace('"goal": 0', '"goal": 8, "goal": 0'))
        assert "an object has the same key twice" in twice

    def test_more_positions_than_its_size_allows(self, body: dict[str, Any]) -> None:
        read = read_certificate(sealed(body).encode(), "x.json")
        states = verify(read).verified[0].walked.states
        assert states < read.most_states == states_allowed(len(sealed(body))) < MOST_STATES
        assert verify(replace(read, most_states=states))
        with pytest.raises(CertificateError, match="that is too much"):
            verify(replace(read, most_states=states - 1))

    def test_a_small_file_without_choices_that_asks_for_a_whole_game(self) -> None:
        """Chance on the player's side: the others have no choice, so that all of 2048 would be walked through."""
        claim = Claim(0, 2048, False, True, [])
        options = {"first": "random", "size": "3", "start": "random"}
        read = Certificate("2048", 1, options, "2,0,0/0,0,0/0,0,2 0", [claim], most_states=500)
        told: list[int] = []
        with pytest.raises(CertificateError, match="more than 500 positions"):
            verify(replace(read, most_states=500), told.append)
        with pytest.raises(CertificateError):
            verify(replace(read, most_states=3000), told.append)
        assert told == [1000, 2000, 3000]

    def test_every_certificate_of_the_documents_is_allowed_far_more(self) -> None:
        for file in KEPT:
            choices = sum(len(claim.choices) for claim in read_certificate(file.read_bytes(), "x").claims)
            assert states_allowed(file.stat().st_size) > 5 * choices


class TestSolve:
    def test_the_outcome_as_json(self, capsys: Captured) -> None:
        exact = json.loads(run(capsys, "solve", "connect-four", "--moves", "112233", "--json")[1])["exact"]
        assert (exact["value"], exact["score"], exact["turns"], exact["best"]) == ("win", 18, 1, ["4"])
        assert exact["is_complete"] and len(exact["choices"]) == 7

    def test_every_best_turn_of_a_proof(self, capsys: Captured) -> None:
        options = ("--option", "branching=2", "--option", "depth=10")
        out = run(capsys, "solve", "p-tree", *options)[1]
        assert "): a loss, in 5 turns of the opponent's." in out and "Best: 1, 2" in out

    def test_a_survey(self, capsys: Captured) -> None:
        arguments = ("--option", "depth=8", "--option", "branching=2", "--turns", "0,2", "--positions", "4")
        answer = json.loads(run(capsys, "survey", "p-tree", *arguments, "--json")[1])
        first, second = answer["surveys"]
        assert first["positions"] == first["solved"] == sum(first["wins"]) == 1  # the same start each time
        assert second["solved"] == 4 and second["longest_turns"] == 3
        assert "solved within 1,000,000 nodes each" in run(capsys, "survey", "p-tree", *arguments)[1]


def by_size(file: Path) -> object:
    """A parameter, which is slow where the certificate is large."""
    marks = pytest.mark.slow if file.stat().st_size >= QUICK_BYTES else ()
    return pytest.param(file, id=file.stem, marks=marks)


@pytest.mark.parametrize("file", [by_size(file) for file in KEPT])
def test_certificates_of_the_documents(file: Path) -> None:
    verification = verify(read_certificate(file.read_bytes(), file.name))
    assert all(one.walked.is_end_won for one in verification.verified)
