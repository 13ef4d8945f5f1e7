"""The tools that fit evaluations: what they play, label and find."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from papan.ai.evaluation import catur_jawa as catur_jawa_evaluation
from papan.ai.evaluation.cifra import ENTRIES, GOAL_PIECES, SCALE, TO_MOVE, VERDICT
from papan.ai.evaluation.othello import CLASSICAL, WEIGHTS
from papan.ai.evaluation.othello.patterns import ASSET, PHASES
from papan.ai.exact.othello import Exact, empty_cells, margin
from papan.ai.limits import Limit
from papan.game.base.assets import Assets
from papan.game.rules.othello import State
from papan.lab import fitting
from papan.lab.fitting import catur_jawa as fit_catur_jawa
from papan.lab.fitting import cifra as fit_cifra
from papan.lab.fitting import othello as fit_othello


class TestOthello:
    def test_positions_are_labelled_by_the_end_of_their_game(self) -> None:
        found = fit_othello.generate(30, 3, WEIGHTS[CLASSICAL])
        assert len(found.discs) == len(found.labels) > 40
        solver, checked = Exact(8), 0
        for (mine, theirs), label in zip(found.discs, found.labels, strict=True):
            state = State(int(mine), int(theirs), 0)
            if empty_cells(state) <= fit_othello.SOLVED:
                assert margin(solver.analyse(state, Limit()).score) == label
                checked += 1
            if checked == 20:
                break
        assert checked

    def test_the_regression_finds_what_was_put_in(self) -> None:
        random = np.random.default_rng(5)
        places = random.integers(0, 20, (4000, 3)).astype(np.int32)
        measured = random.normal(size=(4000, 1))
        truth = random.normal(size=21)
        regression = fit_othello.Regression(places, measured, 21, [20])
        labels = regression.predict(truth)
        found = regression.solve(labels)
        assert found[20] == pytest.approx(truth[20], abs=0.05)
        assert np.abs(regression.predict(found) - labels).max() < 0.3

    def test_the_command_writes_what_it_fits(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "weights").mkdir()
        monkeypatch.setattr(fit_othello, "ASSETS", Assets(tmp_path, {}))
        fit_othello.main(["games", str(tmp_path / "games.npz"), "--games", "30", "--classical"])
        fit_othello.main(["weights", str(tmp_path / "games.npz")])
        with np.load(tmp_path / ASSET) as kept:
            assert kept["weights"].shape[0] == PHASES and np.any(kept["weights"])
            assert "positions" in str(kept["provenance"])


class TestCifra:
    def test_the_regression_finds_what_was_put_in(self) -> None:
        random = np.random.default_rng(5)
        features = random.normal(size=(20_000, ENTRIES))
        truth = np.zeros(ENTRIES)
        truth[[GOAL_PIECES, VERDICT]] = 12.0, -4.0
        chance = 1.0 / (1.0 + np.exp(-features @ truth / SCALE))
        found = fitting.regress(features, (random.random(len(chance)) < chance).astype(float), SCALE)
        assert found[[GOAL_PIECES, VERDICT]] == pytest.approx([12.0, -4.0], abs=0.8)
        surprises = [fitting.surprise(factor * truth, features, chance, SCALE) for factor in (1, 2)]
        assert surprises[0] <= surprises[1]

    def test_what_is_left_out_gets_no_weight(self) -> None:
        random = np.random.default_rng(5)
        features = random.normal(size=(1000, 3))
        found = fitting.regress(features, (features.sum(1) > 0).astype(float), SCALE, left_out=(1,))
        assert [weight != 0 for weight in found] == [True, False, True]

    def test_games_are_judged_for_the_seat_to_move(self) -> None:
        features, results = fit_cifra.play_games({"mode": "dash", "size": "5"}, 300, 1)
        assert set(results) <= {0.0, 0.5, 1.0}
        assert set(features[:, TO_MOVE]) == {1.0}
        assert np.corrcoef(features[:, GOAL_PIECES], results)[0, 1] > 0.3

    def test_the_command_prints_what_it_fits(self, capsys: pytest.CaptureFixture[str]) -> None:
        fit_cifra.main(["--mode", "king", "--games", "200"])
        printed = capsys.readouterr().out
        assert "surprise" in printed and "to_move=" in printed and "h1" not in printed


class TestCaturJawa:
    def test_games_are_judged_for_the_seat_to_move(self) -> None:
        features, results = fit_catur_jawa.play_games(40, 1)
        assert set(results) <= {0.0, 0.5, 1.0}
        assert set(features[:, catur_jawa_evaluation.TO_MOVE]) == {1.0}
        wins_now = features[:, catur_jawa_evaluation.FOUR_NEXT] == 1.0
        assert wins_now.any() and set(results[wins_now]) == {1.0}  # those who look at answers never miss it

    def test_the_command_prints_what_it_fits(self, capsys: pytest.CaptureFixture[str]) -> None:
        fit_catur_jawa.main(["--games", "40"])
        printed = capsys.readouterr().out
        assert "surprise" in printed and "four_next=" in printed and "pairs" not in printed
