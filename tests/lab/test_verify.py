"""``solve --proof`` and ``verify`` at the command line, and the certificates that the documents name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from papan import main
from papan.ai.proof.certificate import read_certificate
from papan.ai.proof.verifying import verify

KEPT = sorted((Path(__file__).parents[2] / "docs" / "certificates").glob("*.json"))
QUICK_BYTES = 3000
"""Larger certificates take seconds to replay."""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main.run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


class TestVerify:
    def test_a_win(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        file = str(tmp_path / "win.json")
        code, out, _ = run(capsys, "solve", "connect-four", "--moves", "112233", "--proof", file)
        assert code == 0 and "has the strategy" in out
        code, out, err = run(capsys, "verify", file)
        assert (code, err) == (0, "")
        assert "Verified: seat 1 can force a win (Connect Four, from 332211). It takes 1 turn of the strategy's side at most." in out

    def test_a_loss_is_the_other_sides_win(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        file = str(tmp_path / "loss.json")
        options = ("--option", "variant=2W_P4H_TWUS", "--option", "board=cycle:6")
        assert run(capsys, "solve", "santorini-graph", *options, "--json", "--proof", file)[0] == 0
        answer = json.loads(run(capsys, "verify", file, "--json")[1])
        (claim,) = answer["claims"]
        assert (claim["seat"], claim["claim"], claim["is_won_by_strategy"]) == (2, "forced", True)

    def test_a_draw_has_two_claims(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        file = str(tmp_path / "draw.json")
        assert run(capsys, "solve", "checkers", "--position", "B:WK1:BK32", "--proof", file)[0] == 0
        out = run(capsys, "verify", file)[1]
        assert out.count("Verified: ") == 2 and "So with best play it is a draw (Checkers, from B:WK1:BK32)." in out

    def test_what_is_not_proved_is_not_written(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        file = tmp_path / "nothing.json"
        code, _, err = run(capsys, "solve", "santorini", "--nodes", "1000", "--proof", str(file))
        assert code == 1 and "Nothing is proved" in err and not file.exists()

    def test_a_mean_has_no_strategy(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        arguments = ("--option", "size=2", "--position", "2,0/0,2 0", "--proof", str(tmp_path / "mean.json"))
        code, out, err = run(capsys, "solve", "2048", *arguments)
        assert code == 1 and "67.6963 points at the end on average" in out and "name a --goal" in err

    def test_no_certificate_is_refused_in_a_sentence(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        file = tmp_path / "x.json"
        assert run(capsys, "verify", str(file))[0] == 2
        file.write_text("{}")
        code, out, err = run(capsys, "verify", str(file))
        assert (code, out) == (2, "") and "'x.json' is no certificate." in err


class TestSolve:
    def test_the_outcome_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        exact = json.loads(run(capsys, "solve", "connect-four", "--moves", "112233", "--json")[1])["exact"]
        assert (exact["value"], exact["score"], exact["turns"], exact["best"]) == ("win", 18, 1, ["4"])
        assert exact["is_complete"] and len(exact["choices"]) == 7

    def test_every_best_turn_of_a_proof(self, capsys: pytest.CaptureFixture[str]) -> None:
        options = ("--option", "branching=2", "--option", "depth=10")
        out = run(capsys, "solve", "p-tree", *options)[1]
        assert "): a loss, in 5 turns of the opponent's." in out and "Best: 1, 2" in out

    def test_a_survey(self, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = ("--option", "depth=8", "--option", "branching=2", "--turns", "0,2", "--positions", "4")
        answer = json.loads(run(capsys, "survey", "p-tree", *arguments, "--json")[1])
        first, second = answer["surveys"]
        assert first["positions"] == first["solved"] == sum(first["wins"]) == 1  # the same start each time
        assert second["solved"] == 4 and second["longest_turns"] == 3
        assert "solved within 1,000,000 nodes each" in run(capsys, "survey", "p-tree", *arguments)[1]


@pytest.mark.parametrize(
    "file", [file for file in KEPT if file.stat().st_size < QUICK_BYTES], ids=lambda file: file.stem
)
def test_certificates_of_the_documents(file: Path) -> None:
    verification = verify(read_certificate(file.read_bytes(), file.name))
    assert all(one.walked.is_end_won for one in verification.verified)


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", [file for file in KEPT if file.stat().st_size >= QUICK_BYTES], ids=lambda file: file.stem
)
def test_large_certificates_of_the_documents(file: Path) -> None:
    test_certificates_of_the_documents(file)
