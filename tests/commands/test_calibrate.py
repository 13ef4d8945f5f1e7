"""``calibrate``: bins and scores by hand, and the command on endings that are soon solved."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from papan import main
from papan.ai.players import make_player
from papan.ai.puzzles.proving import Prover
from papan.game.catalogue import GAMES
from papan.game.rules import mover
from papan.lab.calibration import Bin, Calibration, Prediction, random_position
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

    def test_shares_of_deals_count_as_they_are(self) -> None:
        found = Calibration((Prediction("a", 0.5, False, share=0.25), Prediction("b", 0.75, True, share=1.0)))
        assert found.base == 0.625 and found.brier == 0.0625
        assert [one.share for one in found.bins] == [0.25, 1.0]

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

    def test_hidden_cards_are_enumerated(self, capsys: Captured) -> None:
        """After 28 turns one card of the other seat is in its deck: which of four is open."""
        asked = (
            "catur-jawa",
            "--turns",
            "28",
            "--positions",
            "2",
            "--nodes",
            "300",
            "--by",
            "heuristic",
            "--seed",
            "1",
        )
        facts = json.loads(run(capsys, *asked, "--json")[1])
        assert len(facts["told"]) + facts["unsettled"] == 2 and facts["told"]
        game = GAMES["catur-jawa"]
        for one in facts["told"]:
            assert "?" in one["position"], "it has what the seat to move sees"
            assert one["is_win"] == (one["share"] == 1.0) and 0.0 <= one["number"] <= 1.0
        assert facts["base"] == pytest.approx(fmean(one["share"] for one in facts["told"]))
        random = Random(1)
        player = make_player("heuristic", game)
        state = random_position(game, game.complete_options({}), 28, random, player)
        prover, won, all_deals = Prover(game, 16.0), 0, 0
        for deal, weight in game.rules.deals(state, int(mover(state)), 64):  # type: ignore[attr-defined]
            settled = prover.prove_win(deal, int(mover(deal)), 5_000_000)
            assert settled.is_won or settled.is_not_won
            won, all_deals = won + weight * settled.is_won, all_deals + weight
        assert facts["told"][0]["share"] == pytest.approx(won / all_deals)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["catur-jawa", "--turns", "4", "--positions", "1"], "None of the positions could be solved"),
            (["connect-four", "--turns", "4", "--by", "nobody"], "nobody"),
            (["connect-four", "--turns", "43"], "hardly ever last 43 turns: ask for fewer."),
            (["connect-four", "--turns", "x"], "The number of turns must be a whole number, not 'x'."),
        ],
    )
    def test_refusals(self, capsys: Captured, arguments: list[str], message: str) -> None:
        code, out, err = run(capsys, *arguments)
        assert code == main.USAGE_EXIT_CODE and out == "" and message in err
