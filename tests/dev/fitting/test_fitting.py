"""The tools that fit evaluations: what they play, label and find."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from dev.fitting import checkers as fit_checkers
from dev.fitting import gomoku as fit_gomoku
from dev.fitting import othello as fit_othello
from dev.fitting import santorini as fit_santorini
from dev.fitting import selfplay
from dev.fitting import xiangqi as fit_xiangqi
from dev.fitting.checkers import fit_network
from dev.fitting.scale import Sample, fit, samples
from dev.fitting.searched import generate, surprise
from papan.ai.evaluation import STANDARD, standing, winning_chance
from papan.ai.evaluation import catur_jawa as catur_jawa_evaluation
from papan.ai.evaluation.checkers import CLASSICAL as CLASSICAL_CHECKERS
from papan.ai.evaluation.checkers import network
from papan.ai.evaluation.checkers.network import COUNT, NEURONS, UNIT
from papan.ai.evaluation.cifra import ENTRIES, GOAL_PIECES, SCALE, TO_MOVE, VERDICT
from papan.ai.evaluation.gomoku import CLASSICAL as CLASSICAL_GOMOKU
from papan.ai.evaluation.gomoku import network as gomoku_network
from papan.ai.evaluation.othello import ASSET, CLASSICAL, PHASES, WEIGHTS
from papan.ai.evaluation.santorini import CLASSICAL as CLASSICAL_SANTORINI
from papan.ai.evaluation.santorini import network as santorini_network
from papan.ai.evaluation.xiangqi import ASSET as XIANGQI_ASSET
from papan.ai.evaluation.xiangqi import BY_HAND, FEATURES, bundled_tables, learned_tables, tables_by_hand
from papan.ai.evaluation.xiangqi import SCALE as XIANGQI_SCALE
from papan.ai.evaluation.xiangqi import WEIGHTS as XIANGQI_WEIGHTS
from papan.ai.exact.othello import Exact, empty_cells, margin
from papan.ai.limits import WIN_BOUND, Limit
from papan.game.base.assets import Assets
from papan.game.catalogue import GAMES
from papan.game.rules import legal_steps, play
from papan.game.rules.checkers import State as CheckersState
from papan.game.rules.checkers import parse as checkers_parse
from papan.game.rules.gomoku import State as GomokuState
from papan.game.rules.othello import State
from papan.game.rules.santorini.board import State as SantoriniState
from papan.game.rules.xiangqi import State as XiangqiState
from papan.game.rules.xiangqi import start as xiangqi_start
from papan.lab.statistics import regress

WEIGHTS_OF_XIANGQI = XIANGQI_WEIGHTS[STANDARD]
START_OF_XIANGQI = xiangqi_start({}, Random(0))


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

    def test_searched_games_are_labelled_by_both(self) -> None:
        found = fit_othello.generate_searched(4, 3, 60)
        again = fit_othello.generate_searched(4, 3, 60)
        assert np.array_equal(found.discs, again.discs) and np.array_equal(found.labels, again.labels)
        empty = 64 - np.bitwise_count(found.discs).sum(1)
        late = empty <= fit_othello.SOLVED
        assert late.any() and not late.all() and empty.min() >= fit_othello.LAST
        assert np.array_equal(found.labels[late], found.labels[late].round())
        assert not np.array_equal(found.labels[~late], found.labels[~late].round())
        for (mine, theirs), label in zip(found.discs[late][:5], found.labels[late][:5], strict=True):
            assert margin(Exact(8).analyse(State(int(mine), int(theirs), 0), Limit()).score) == label

    def test_the_regression_finds_what_was_put_in(self) -> None:
        random = np.random.default_rng(5)
        places = random.integers(0, 20, (4000, 3)).astype(np.int32)
        truth = random.normal(size=20)
        regression = fit_othello.Regression(places, 20)
        labels = regression.predict(truth)
        found = regression.solve(labels)
        assert found == pytest.approx(truth, abs=0.1)
        assert np.abs(regression.predict(found) - labels).max() < 0.3

    def test_the_command_writes_what_it_fits(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "weights").mkdir()
        monkeypatch.setattr(fit_othello, "ASSETS", Assets(tmp_path, {}))
        fit_othello.main(["games", str(tmp_path / "games.npz"), "--games", "10", "--classical"])
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
        found = regress(features, (random.random(len(chance)) < chance).astype(float), SCALE)
        assert found[[GOAL_PIECES, VERDICT]] == pytest.approx([12.0, -4.0], abs=0.8)
        surprises = [surprise(features @ (factor * truth) / SCALE, chance) for factor in (1, 2)]
        assert surprises[0] <= surprises[1]

    def test_what_is_left_out_gets_no_weight(self) -> None:
        random = np.random.default_rng(5)
        features = random.normal(size=(1000, 3))
        found = regress(features, (features.sum(1) > 0).astype(float), SCALE, left_out=(1,))
        assert [weight != 0 for weight in found] == [True, False, True]

    def test_games_are_judged_for_the_seat_to_move(self) -> None:
        features, results = selfplay.cifra_games({"mode": "dash", "size": "5"}, 300, 1)
        assert set(results) <= {0.0, 0.5, 1.0}
        assert set(features[:, TO_MOVE]) == {1.0}
        assert np.corrcoef(features[:, GOAL_PIECES], results)[0, 1] > 0.3

    def test_the_command_prints_what_it_fits(self, capsys: pytest.CaptureFixture[str]) -> None:
        selfplay.main(["cifra", "--mode", "king", "--games", "200"], standalone_mode=False)
        printed = capsys.readouterr().out
        assert "surprise" in printed and "to_move=" in printed and "h1" not in printed


class TestCaturJawa:
    def test_games_are_judged_for_the_seat_to_move(self) -> None:
        features, results = selfplay.catur_jawa_games(40, 1)
        assert set(results) <= {0.0, 0.5, 1.0}
        assert set(features[:, catur_jawa_evaluation.TO_MOVE]) == {1.0}
        wins_now = features[:, catur_jawa_evaluation.FOUR_NEXT] == 1.0
        assert wins_now.any() and set(results[wins_now]) == {1.0}  # those who look at answers never miss it

    def test_the_command_prints_what_it_fits(self, capsys: pytest.CaptureFixture[str]) -> None:
        selfplay.main(["catur-jawa", "--games", "40"], standalone_mode=False)
        printed = capsys.readouterr().out
        assert "surprise" in printed and "four_next=" in printed and "pairs" not in printed


class TestXiangqi:
    def test_the_terms_add_up_to_the_evaluation(self) -> None:
        found = generate(fit_xiangqi.practice(), 2, 3, 50)
        assert len(found.rows) == len(found.results) == len(found.scores) > 20
        numbers = fit_xiangqi.Layout.of(bundled_tables(), WEIGHTS_OF_XIANGQI).before
        worths = fit_xiangqi.features_of(found.rows, WEIGHTS_OF_XIANGQI) @ numbers
        for row, worth in zip(found.rows.tolist(), worths.tolist(), strict=True):
            state = XiangqiState(*row)
            assert standing(state, state.to_move, np.array(WEIGHTS_OF_XIANGQI)) == pytest.approx(worth, abs=1e-4)

    def test_results_are_those_of_the_seat_to_move(self) -> None:
        found = generate(fit_xiangqi.practice(), 3, 5, 50)
        for game in range(3):
            of_game = [number for number, one in enumerate(found.games) if one == game]
            reds = {abs(XiangqiState(*found.rows[number]).to_move - found.results[number]) for number in of_game}
            assert len(reds) <= 1, "one result for red, whoever is to move"

    def test_the_regression_finds_what_was_put_in_and_leaves_what_it_knows_nothing_of(self) -> None:
        random = np.random.default_rng(5)
        features = random.normal(size=(40_000, 4)).astype(np.float32) * 4.0
        features[:, 3] = 0.0
        truth = np.array([1.0, -2.0, 0.5, 0.0])
        chances = 1.0 / (1.0 + np.exp(-(features @ truth) / XIANGQI_SCALE))
        found = fit_xiangqi.regress(features, chances, np.array([0.0, 0.0, 0.0, 7.0]), np.full(4, 3.0))
        assert found == pytest.approx([1.0, -2.0, 0.5, 7.0], abs=0.05)

    def test_tables_say_the_same_once_means_are_added_to_worths(self) -> None:
        random = np.random.default_rng(6)
        layout = fit_xiangqi.Layout.of(tables_by_hand(), BY_HAND)
        found = layout.before + random.normal(size=fit_xiangqi.TERMS)
        tables = layout.tables(found, random.random(fit_xiangqi.TERMS))
        again = fit_xiangqi.Layout.of(tables, tables.scalars.tolist()).before
        for state in (START_OF_XIANGQI, play(START_OF_XIANGQI, legal_steps(START_OF_XIANGQI)[0])):
            terms = fit_xiangqi.features_of(np.array([tuple(state)]))[0]
            assert terms @ again == pytest.approx(terms @ found, abs=1e-3)

    def test_the_command_writes_what_it_fits(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "weights").mkdir()
        monkeypatch.setattr(fit_xiangqi, "ASSETS", Assets(tmp_path, {}))
        fit_xiangqi.main(["games", str(tmp_path / "games.npz"), "--games", "11", "--nodes", "50"])
        fit_xiangqi.main(["weights", str(tmp_path / "games.npz")])
        assert len(learned_tables(tmp_path / XIANGQI_ASSET).scalars) == len(FEATURES)


class TestSantorini:
    def test_a_turned_board_has_the_turned_rows(self) -> None:
        """For each of the eight ways, as ``rows_of`` finds them on the turned board itself."""
        found = generate(fit_santorini.practice(CLASSICAL_SANTORINI), 3, 3, 50)
        assert len(found.rows) > 40 and set(found.rows[:, SantoriniState._fields.index("seat")]) == {0, 1}
        rows, wins = fit_santorini.rows_of(found)
        assert 0 < wins.sum() < len(wins)
        seen = {fit_santorini.turned(rows, np.random.default_rng(seed))[:, :25].tobytes() for seed in range(60)}
        expected = set()
        for way in fit_santorini._SYMMETRIES:
            boards = found.rows.copy()
            for name in ("level_1", "level_2", "level_3", "domes", "workers"):
                column = SantoriniState._fields.index(name)
                for board in (0, 25):
                    bits = found.rows[:, column] >> board & ((1 << 25) - 1)
                    placed = sum((bits >> cell & 1) << int(way[cell]) for cell in range(25))
                    boards[:, column] += (placed - bits) << board
            turned, still_wins = fit_santorini.rows_of(found._replace(rows=boards))
            assert np.array_equal(still_wins, wins)
            assert np.array_equal(
                np.sort(turned[:, 25:29].reshape(-1, 2), 1), np.sort(rows[:, 25:29].reshape(-1, 2), 1)
            )
            by_cell = np.empty_like(turned[:, :25])
            by_cell[:, np.argsort(way)] = turned[:, :25]
            expected.add(by_cell.tobytes())
        assert seen == expected

    def test_the_whole_network_says_what_the_layers_say(self) -> None:
        found = generate(fit_santorini.practice(CLASSICAL_SANTORINI), 3, 3, 50)
        rows, wins = fit_santorini.rows_of(found)
        layers = fit_santorini.new_layers(np.random.default_rng(1))
        layers.lasts[:] = np.random.default_rng(2).normal(0.0, 0.3, layers.lasts.shape)
        whole = santorini_network.vector(layers.whole())
        again = fit_santorini.layers_of(whole).promises(rows)
        for number, promised in enumerate(layers.promises(rows).tolist()):
            if not wins[number]:
                state = SantoriniState(*found.rows[number].tolist())
                assert santorini_network.promise(state, whole, 0) == pytest.approx(promised, abs=0.03)
        assert again == pytest.approx(layers.promises(rows), abs=0.03)

    def test_slopes_are_those_of_the_surprise(self) -> None:
        found = generate(fit_santorini.practice(CLASSICAL_SANTORINI), 2, 3, 50)
        rows, _ = fit_santorini.rows_of(found)
        wanted = found.wanted(11.5, 0.2)
        layers = fit_santorini.Layers(
            *(layer.astype(np.float64) for layer in fit_santorini.new_layers(np.random.default_rng(1)))
        )
        slopes, tiny = layers.slopes(rows, wanted), 1e-3
        for layer, slope in zip(layers, slopes, strict=True):
            steepest = np.unravel_index(np.abs(slope).argmax(), slope.shape)
            before = surprise(layers.promises(rows), wanted)
            layer[steepest] += tiny
            assert (surprise(layers.promises(rows), wanted) - before) / tiny == pytest.approx(slope[steepest], rel=0.05)

    def test_the_command_writes_what_it_fits_and_keeps_the_parts_it_has(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "weights").mkdir()
        monkeypatch.setattr(fit_santorini, "ASSETS", Assets(tmp_path, {}))
        command = ["games", str(tmp_path / "some.npz"), "--games", "8", "--nodes", "50", "--parts"]
        fit_santorini.main([*command, "1", "--classical", "--seed", "2"])
        (tmp_path / "some.npz").rename(tmp_path / "some-2.npz")
        written = (tmp_path / "some-2.npz").stat().st_mtime_ns
        capsys.readouterr()
        fit_santorini.main([*command, "2", "--classical"])
        assert capsys.readouterr().out.startswith("some-1.npz: ")
        assert (tmp_path / "some-2.npz").stat().st_mtime_ns == written
        files = [str(tmp_path / f"some-{part}.npz") for part in (1, 2)]
        fit_santorini.main(["weights", *files, "--classical", "--epochs", "2"])
        assert "surprise" in capsys.readouterr().out
        assert len(santorini_network.learned_network(tmp_path / santorini_network.ASSET)) == santorini_network.SIZE


class TestGomoku:
    def test_the_whole_network_says_what_the_layers_say(self) -> None:
        found = generate(fit_gomoku.practice(CLASSICAL_GOMOKU), 4, 3, 50)
        assert np.isnan(found.results).any() and not np.isnan(found.results).all()
        inputs = fit_gomoku.inputs_of(found)
        layers = fit_gomoku.new_layers(np.random.default_rng(1))
        whole = gomoku_network.vector(layers.whole())
        for number, promised in enumerate(layers.promises(inputs).tolist()):
            layer = int(inputs[number, -1])
            if layer >= 0:
                state = GomokuState(*found.rows[number].tolist())
                assert gomoku_network.promise(state, layer, whole) == pytest.approx(promised, abs=0.1)

    def test_slopes_are_those_of_the_surprise(self) -> None:
        found = generate(fit_gomoku.practice(CLASSICAL_GOMOKU), 2, 3, 50)
        inputs, wanted = fit_gomoku.inputs_of(found), found.wanted(60.0, 0.2)
        inputs[:, -1] = np.maximum(inputs[:, -1], 0)
        layers = fit_gomoku.Layers(
            *(layer.astype(np.float64) for layer in fit_gomoku.new_layers(np.random.default_rng(1)))
        )
        slopes, tiny = layers.slopes(inputs, wanted), 1e-4
        for layer, slope in zip(layers, slopes, strict=True):
            steepest = np.unravel_index(np.abs(slope).argmax(), slope.shape)
            before = surprise(layers.promises(inputs), wanted)
            layer[steepest] += tiny
            found_slope = (surprise(layers.promises(inputs), wanted) - before) / tiny
            assert found_slope == pytest.approx(slope[steepest], rel=0.05)

    def test_the_command_writes_what_it_fits(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "weights").mkdir()
        monkeypatch.setattr(fit_gomoku, "ASSETS", Assets(tmp_path, {}))
        file = str(tmp_path / "some.npz")
        fit_gomoku.main(["games", file, "--games", "30", "--nodes", "50", "--classical"])
        fit_gomoku.main(["weights", file, "--epochs", "1"])
        assert "surprise" in capsys.readouterr().out
        assert len(gomoku_network.learned_network(tmp_path / gomoku_network.ASSET)) == gomoku_network.SIZE


class TestCheckers:
    def test_planes_show_what_evaluations_add_up(self) -> None:
        found = generate(fit_checkers.practice(CLASSICAL_CHECKERS), 4, 3, 50)
        assert len(found.rows) > 100 and set(found.rows[:, 3]) == {0, 1}
        rng = np.random.default_rng(2)
        networks = network.Networks(
            rng.integers(-500, 500, (network.PHASES, network.ROWS + 1, NEURONS)).astype(np.int16),
            rng.integers(-4000, 4000, (network.PHASES, NEURONS + 1)).astype(np.int16),
        )
        weights = network.vector(networks)
        planes, phases = fit_checkers.planes_of(found.rows), fit_checkers.phases_of(found.rows)
        for row, plane, phase in zip(found.rows.tolist(), planes, phases.tolist(), strict=True):
            state = CheckersState(*row)
            assert phase == network.phase_of(state)
            sums = (plane @ networks.rows[phase, :-1] + networks.rows[phase, -1]) * UNIT
            promised = (np.maximum(sums, 0.0) @ networks.lasts[phase, :-1] + networks.lasts[phase, -1]) * COUNT
            assert network.promise(state, weights, 0) == pytest.approx(promised)

    def test_games_may_begin_in_the_middle_of_earlier_ones(self) -> None:
        practice = fit_checkers.practice(CLASSICAL_CHECKERS)
        earlier = generate(practice, 4, 3, 50)
        found, again = (generate(fit_checkers.practice(CLASSICAL_CHECKERS), 6, 5, 50, earlier) for _ in range(2))
        assert all(map(np.array_equal, found, again))
        opened = {tuple(row) for row in earlier.rows[np.abs(earlier.scores) < practice.hopeless / 2.0].tolist()}
        firsts = [found.rows[found.games == game][0].tolist() for game in sorted(set(found.games.tolist()))]
        in_one_turn = {
            tuple(play(CheckersState(*row), step)) for row in opened for step in legal_steps(CheckersState(*row))
        }
        assert sum(tuple(first) in opened | in_one_turn for first in firsts) > len(firsts) // 2
        with pytest.raises(ValueError, match="none is open"):
            generate(practice, 1, 5, 50, earlier._replace(scores=earlier.scores * 0.0 + 100.0))

    def test_games_end_where_the_tables_know_how(self) -> None:
        assert fit_checkers.settled(checkers_parse("B:W32:BK1,K2", {})) == 1.0
        assert fit_checkers.settled(checkers_parse("W:WK32:BK1", {})) == 0.5
        assert fit_checkers.settled(checkers_parse("W:W30,31,32:B1,2,3", {})) is None

    def test_a_network_learns_what_no_sum_of_weights_can(self) -> None:
        """Both or neither of two cells: the odds are 9 to 1."""
        random = np.random.default_rng(3)
        planes = random.integers(0, 2, (20_000, 6)).astype(np.uint8)
        wanted = np.where(planes[:, 0] == planes[:, 1], 0.9, 0.1)
        found = fit_network(planes, wanted, 8, epochs=10)
        promises = found.promises(planes)
        assert surprise(promises, wanted) < surprise(np.log(wanted / (1 - wanted)), wanted) + 0.01
        again = fit_network(planes, wanted, 8, epochs=10)
        assert np.array_equal(promises, again.promises(planes)), "the same seed, the same network"
        further = fit_network(planes, wanted, 8, epochs=1, begin=found)
        assert surprise(further.promises(planes), wanted) < surprise(promises, wanted) + 0.01
        assert np.array_equal(promises, found.promises(planes)), "what it began from is as it was"

    def test_networks_learn_on_from_those_that_there_are(self) -> None:
        networks = network.bundled_networks()
        assert networks is not None
        state = checkers_parse("W:W30,31,32:B1,2,3", {})
        rows = np.array([state], np.int64)
        planes, phase = fit_checkers.planes_of(rows), int(fit_checkers.phases_of(rows)[0])
        promised = network.promise(state, networks, 0)
        assert fit_checkers.layers_of(networks, phase).promises(planes)[0] == pytest.approx(promised, rel=1e-4)

    def test_the_command_writes_what_it_fits(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "weights").mkdir()
        monkeypatch.setattr(fit_checkers, "ASSETS", Assets(tmp_path, {}))
        fit_checkers.main(["games", str(tmp_path / "games.npz"), "--games", "20", "--nodes", "30", "--classical"])
        bundled = network.bundled_networks()
        assert bundled is not None
        far_off = []
        for further in ([], ["--classical"]):
            fit_checkers.main(["weights", str(tmp_path / "games.npz"), *further])
            networks = network.learned_networks(tmp_path / network.ASSET)
            assert len(networks) == network.NETWORKS
            far_off.append(np.abs(networks - bundled).mean())
        assert far_off[0] < far_off[1] / 2, "it learns on from the networks that there are, or begins anew"

    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            fit_checkers.main(["weights", str(tmp_path / "games.npz")])
        assert f"there is no file {tmp_path / 'games.npz'}" in capsys.readouterr().err


class TestFit:
    @pytest.mark.parametrize("scale", [0.5, 8.0, 300.0])
    def test_a_known_curve_is_found(self, scale: float) -> None:
        random = Random(1)
        scores = [random.gauss(0, 2 * scale) for _ in range(500)]
        assert fit([Sample(score, winning_chance(score, scale)) for score in scores]) == pytest.approx(scale, rel=1e-3)

    def test_a_few_huge_scores_that_were_wrong_do_not_rule_it(self) -> None:
        found = [Sample(score, winning_chance(score, 8.0)) for score in range(-30, 31)]
        assert fit([*found, Sample(5000.0, 0.0)]) == pytest.approx(fit([*found, Sample(100.0, 0.0)]), rel=0.01)

    def test_draws_flatten_it(self) -> None:
        won = [Sample(1.0, 1.0)] * 8 + [Sample(1.0, 0.0)] * 2
        assert fit([*won, *[Sample(1.0, 0.5)] * 10]) > fit(won)

    def test_results_that_say_nothing(self) -> None:
        with pytest.raises(ValueError, match="no scores to fit"):
            fit([])
        with pytest.raises(ValueError, match="do not go with the results"):
            fit([Sample(1.0, 0.0)] * 5)
        with pytest.raises(ValueError, match="do not go with the results"):
            fit([Sample(1.0, 1.0)] * 5)


def test_scores_are_gathered_from_games() -> None:
    found = samples(GAMES["connect-four"], 2, "minimax:depth=2")
    assert len(found) > 10 and all(abs(one.score) < WIN_BOUND and one.result in (0, 0.5, 1) for one in found)
