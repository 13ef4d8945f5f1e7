"""``calibrate``: bins and scores by hand, and the command on endings that are soon solved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from papan import main
from papan.lab.calibration import Bin, Calibration, Prediction
from tests.commands.calling import Captured, calling

FOUND = Calibration(
    (Prediction("a", 0.0, False), Prediction("b", 0.25, True), Prediction("c", 0.21, False), Prediction("d", 1.0, True))
)


run = calling("calibrate")


class TestByHand:
    def test_bins(self) -> None:
        """Of the two that were told about a quarter one is won; a number of 1 belongs to the last bin."""
        first, second, last = FOUND.bins
        assert (first, last) == (Bin(0.0, 0.1, 1, 0.0, 0.0), Bin(0.9, 1.0, 1, 1.0, 1.0))
        assert (second.low, second.high, second.positions, second.share) == (0.2, 0.3, 2, 0.5)
        assert second.mean == pytest.approx(0.23)

    def test_scores(self) -> None:
        assert FOUND.brier == pytest.approx((0.75**2 + 0.21**2) / 4)
        assert FOUND.base == 0.5 and FOUND.error == pytest.approx(2 * 0.27 / 4)


ENDINGS = ("connect-four", "--turns", "30", "--positions", "12", "--nodes", "60", "--seed", "3")


class TestCommand:
    def test_numbers_words_and_picture(self, capsys: Captured, tmp_path: Path) -> None:
        code, out, _ = run(capsys, *ENDINGS, "--json")
        facts = json.loads(out)
        assert code == 0 and facts["positions"] + facts["unsettled"] == 12
        assert sum(one["positions"] for one in facts["bins"]) == facts["positions"]
        assert all(one["is_win"] for one in facts["told"] if one["number"] == 1.0)
        assert not any(one["is_win"] for one in facts["told"] if one["number"] == 0.0)
        assert json.loads(run(capsys, *ENDINGS, "--json")[1]) == facts
        picture = tmp_path / "calibration.png"
        code, out, _ = run(capsys, *ENDINGS, "--plot", str(picture))
        assert code == 0 and "12 positions after 30 random turns, trees of 60 nodes" in out and "Brier score" in out
        assert picture.stat().st_size > 10_000

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["catur-jawa", "--turns", "4"], "can't be solved"),
            (["connect-four", "--turns", "43"], "hardly ever last 43 turns: ask for fewer."),
            (["connect-four", "--turns", "x"], "The number of turns must be a whole number, not 'x'."),
        ],
    )
    def test_refusals(self, capsys: Captured, arguments: list[str], message: str) -> None:
        code, out, err = run(capsys, *arguments)
        assert code == main.USAGE_EXIT_CODE and out == "" and message in err
