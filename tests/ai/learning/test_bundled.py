"""Players that judge by learned weights, and what they do where these are damaged."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of, score_of_mean, winning_chance
from papan.ai.learning import bundled, twenty48
from papan.ai.learning.bundled import Learned, asset_of, has_learned, learned_weights
from papan.ai.learning.compact import NotWantedError, weight_at
from papan.ai.learning.learner import network_worth
from papan.ai.learning.network import Network, learning_of, network_value
from papan.ai.learning.weight_files import KIND, VERSION, WeightFileError, keep_weights, read_compact_weights, read_head
from papan.ai.limits import Limit
from papan.ai.players import SearchingPlayer, choices, describe, in_plain_words, make_player, situation, with_time
from papan.ai.search.deepening import OneStep
from papan.game.base.assets import ASSETS, Assets, digests_of
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE, legal_steps, mover, play

TWENTY48, CONNECT_FOUR = GAMES["2048"], GAMES["connect-four"]
BOTH = pytest.mark.parametrize("game", [TWENTY48, CONNECT_FOUR], ids=lambda game: game.name)


def network_of(game: Game) -> Network:
    learning = learning_of(game)
    assert learning is not None and isinstance(learning.NETWORK, Network)
    return learning.NETWORK


def match_of(game: Game, steps: int = 6, seed: int = 1) -> Match:
    match = Match.new(game, [""] * game.seats[0], {}, seed)
    while not match.ending and (len(match.steps) < steps or match.mover == CHANCE):
        match.play(match.chance_step() if match.mover == CHANCE else match.legal_steps()[0])
    return match


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Assets with weights for both games, of which some are known."""
    made = tmp_path_factory.mktemp("assets")
    (made / "weights").mkdir()
    for game in (TWENTY48, CONNECT_FOUR):
        network = network_of(game)
        known = np.zeros(network.size, np.bool_)
        known[: network.size // (1 if game is CONNECT_FOUR else 16) : 3 if game is CONNECT_FOUR else 1013] = True
        weights = np.zeros(network.size, np.float32)
        size = 100.0 if game is TWENTY48 else 0.05
        weights[known] = np.random.default_rng(5).normal(0.0, size, int(known.sum()))
        with (made / asset_of(game)).open("wb") as file:
            keep_weights(file, network, weights, known, "a test", least_unit=2.0 if game is TWENTY48 else 0.0)
    return made


@pytest.fixture(scope="module")
def kept(folder: Path) -> Iterator[None]:
    """The assets in place, and their weights in use: to read those of 2048 takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundled, "ASSETS", Assets(folder, digests_of(folder)))
        patch.setattr(bundled, "_in_use", WeakValueDictionary())
        _used = [learned_weights(CONNECT_FOUR), *(learned_weights(TWENTY48, compact=one) for one in (False, True))]
        yield


@pytest.fixture
def assets(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Assets:
    made = Assets(folder, digests_of(folder))
    monkeypatch.setattr(bundled, "ASSETS", made)
    monkeypatch.setattr(bundled, "_in_use", WeakValueDictionary())  # what other tests have not let go of yet
    return made


@pytest.fixture
def damaged(folder: Path, assets: Assets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Assets:
    (tmp_path / "weights").mkdir()
    for game in (TWENTY48, CONNECT_FOUR):
        content = (folder / asset_of(game)).read_bytes()
        (tmp_path / asset_of(game)).write_bytes(content[:-50] + b"\0" * 50)
    made = Assets(tmp_path, digests_of(folder))
    monkeypatch.setattr(bundled, "ASSETS", made)
    return made


class TestWhichGames:
    def test_those_whose_weights_come_with_the_program(self, assets: Assets, monkeypatch: pytest.MonkeyPatch) -> None:
        assert [game.name for game in GAMES.values() if has_learned(game)] == ["connect-four", "2048"]
        assert not has_learned(GAMES["othello"])
        monkeypatch.setattr(bundled, "ASSETS", Assets(assets.folder, {}))
        assert not has_learned(TWENTY48)

    def test_it_knows_the_boards_that_its_network_fits(self, assets: Assets) -> None:
        states = [Match.new(TWENTY48, [""], {"size": size}, 1).state for size in ("4", "3")]
        assert [bundled.knows(TWENTY48, state) for state in states] == [True, False]
        assert bundled.knows(CONNECT_FOUR, match_of(CONNECT_FOUR).state)
        assert not bundled.knows(GAMES["othello"], match_of(GAMES["othello"]).state)

    def test_the_bundled_ones_come_of_as_many_games_as_is_said(self) -> None:
        for game in GAMES.values():
            learning = learning_of(game)
            if learning is None:
                continue
            assert bool(learning.PRACTICE) == has_learned(game)
            if learning.PRACTICE:
                head = read_head(ASSETS.folder / asset_of(game), KIND, VERSION)
                assert head["games"] == learning.PRACTICE and learning.STANDING

    def test_it_tells_how_much_it_has_practised(self, assets: Assets, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(twenty48, "PRACTICE", 90_000)
        monkeypatch.setattr(twenty48, "STANDING", "scores 120,000 points per game")
        story = "taught itself in 90,000 games, scores 120,000 points per game"
        assert describe("learned", TWENTY48).note == story
        assert in_plain_words("learned", TWENTY48) == "taught itself in 90,000 games"
        assert describe("learned:depth=2", TWENTY48).note == "taught itself in 90,000 games, 2 turns ahead"

    @BOTH
    def test_it_is_offered_and_told_in_words(self, assets: Assets, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        learning = learning_of(game)
        monkeypatch.setattr(learning, "PRACTICE", 0)
        assert [choice.name for choice in choices(game)].count("learned") == 1
        assert describe("learned", game) == ("learned", "Self-taught", "Self-taught, 1 turn ahead")
        assert describe("learned:time=0.5", game).note == "Self-taught, 0.5 s per move"
        assert in_plain_words("learned", game) == "computer, 1 turn ahead"
        assert [with_time(name, 3.0, game) for name in ("learned", "learned:nodes=5")] == [
            "learned",
            "learned:nodes=5,time=3",
        ]


@BOTH
class TestPlaying:
    def test_one_step_ahead_it_takes_what_leaves_most(self, kept: None, game: Game) -> None:
        match = match_of(game)
        player = make_player("learned", game)
        chosen = player.choose(situation(match))
        weights = np.asarray(learned_weights(game))
        before = len(evaluation_of(game).WEIGHTS[STANDARD])
        network = network_of(game)
        worths = {
            step: network_worth(play(match.state, step), match.mover, network.layout, weights[before:])
            for step in match.legal_steps()
        }
        assert worths[chosen.step] == max(worths.values()) and chosen.depth == 1
        assert len(set(worths.values())) > 1

    def test_it_plays_legally(self, kept: None, game: Game) -> None:
        match = match_of(game)
        for setting in ("", ":depth=2", ":nodes=2000", ":time=0.02,memory=4"):
            player = make_player(f"learned{setting}", game)
            player.prepare(match.state)
            player.prepare_rest(match.state)
            assert player.choose(situation(match)).step in match.legal_steps()

    def test_where_the_file_is_damaged_the_standard_weights_stand_in(self, damaged: Assets, game: Game) -> None:
        match = match_of(game)
        standard = evaluation_of(game).WEIGHTS[STANDARD]
        assert learned_weights(game) is standard
        chosen = make_player("learned", game).choose(situation(match))
        by_hand = OneStep(game.rules, standard).analyse(match.state, Limit(depth=1), seed=situation(match).seed)
        assert (chosen.step, chosen.score) == (by_hand.step, by_hand.score)
        assert asset_of(game) in damaged.damaged

    def test_the_weights_are_read_once_when_somebody_thinks_and_let_go_of_with_the_last_player(
        self, assets: Assets, game: Game
    ) -> None:
        match = match_of(game)
        players = [make_player("learned", game) for _ in range(2)]
        assert game.name not in bundled._in_use and not assets.damaged
        for player in players:
            player.choose(situation(match))
        seen = weakref.ref(bundled._in_use[game.name])
        assert learned_weights(game) is seen()
        del player
        players.clear()
        gc.collect()
        assert seen() is None and game.name not in bundled._in_use

    def test_stopped_while_the_weights_are_read_it_does_not_search(
        self, kept: None, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = match_of(game)
        player = make_player("learned:time=60", game)
        assert isinstance(player, SearchingPlayer) and isinstance(player.search, Learned)
        read = learned_weights

        def stopped_meanwhile(game: Game, *, compact: bool, is_wanted: Callable[[], bool]) -> object:
            player.stop()
            return read(game, compact=compact)

        monkeypatch.setattr(bundled, "learned_weights", stopped_meanwhile)
        assert player.live() is None
        found = player.choose(situation(match))
        assert found.step in match.legal_steps() and found.seconds < 30.0


class TestCompactWeights:
    def test_are_the_same_in_a_tenth_of_the_memory_where_few_are_known(self, kept: None) -> None:
        compact, plain = np.asarray(learned_weights(TWENTY48, compact=True)), np.asarray(learned_weights(TWENTY48))
        before = len(evaluation_of(TWENTY48).WEIGHTS[STANDARD])
        assert compact.nbytes < plain.nbytes / 10
        places = [before, before + 1013, before + 1014, len(plain) - 1, *range(before + 2**20, before + 2**20 + 5000)]
        found = [weight_at(compact, place) for place in places]
        assert found == [plain[place] for place in places] and len(set(found)) > 4

    def test_a_player_chooses_the_same_by_them(self, kept: None) -> None:
        match = match_of(TWENTY48, 30)
        found = [
            make_player("learned:nodes=2000", TWENTY48, compact=compact).choose(situation(match))
            for compact in (False, True)
        ]
        assert found[0].score == found[1].score and found[0].step == found[1].step

    def test_are_read_no_further_once_they_are_given_up(self, assets: Assets) -> None:
        player = make_player("learned", TWENTY48, compact=True)
        assert isinstance(player, SearchingPlayer) and isinstance(player.search, Learned)
        player.search.give_up()
        with pytest.raises(NotWantedError):
            player.prepare(match_of(TWENTY48).state)
        assert not bundled._in_use

    def test_small_networks_stay_plain(self, kept: None) -> None:
        assert learned_weights(CONNECT_FOUR, compact=True) is learned_weights(CONNECT_FOUR)

    def test_of_a_damaged_file_are_not_read(self, damaged: Assets) -> None:
        assert learned_weights(TWENTY48, compact=True) is evaluation_of(TWENTY48).WEIGHTS[STANDARD]
        assert asset_of(TWENTY48) in damaged.damaged

    def test_of_a_file_that_lacks_some_are_refused(self, folder: Path, tmp_path: Path) -> None:
        network, path = network_of(TWENTY48), tmp_path / "short.npz"
        with np.load(folder / asset_of(TWENTY48)) as whole:
            arrays = {name: whole[name] for name in whole.files}
        arrays["weights"] = arrays["weights"][:-1]
        np.savez(path, **arrays)
        with pytest.raises(WeightFileError, match="weights does not fit"):
            read_compact_weights(path, network, before=5)


class TestEvaluations:
    def test_2048_is_worth_what_the_network_promises_of_what_slides_leave(self, kept: None) -> None:
        match = match_of(TWENTY48, 30)
        weights, network = np.asarray(learned_weights(TWENTY48)), network_of(TWENTY48)
        before, state = len(evaluation_of(TWENTY48).WEIGHTS[STANDARD]), match.state
        afters = [play(state, step) for step in legal_steps(state)]
        worths = [after.score + network_value(after, network.layout, weights, before) for after in afters]
        assert all(mover(after) == CHANCE for after in afters) and len(set(worths)) > 1
        assert [evaluate(after, 0, weights) for after in afters] == worths
        assert evaluate(state, 0, weights) == max(worths)

    def test_smaller_boards_are_judged_by_hand_and_nothing_is_read(self, assets: Assets) -> None:
        match = Match.new(TWENTY48, [""], {"size": "3"}, 4)
        while match.mover == CHANCE:
            match.play(match.chance_step())
        player = make_player("learned", TWENTY48, compact=True)
        assert player.choose(situation(match)).step in match.legal_steps() and not bundled._in_use
        worth = [
            evaluate(match.state, 0, np.asarray(weights))
            for weights in (learned_weights(TWENTY48), np.array(evaluation_of(TWENTY48).WEIGHTS[STANDARD]))
        ]
        assert worth[0] == pytest.approx(worth[1], rel=1e-6)

    def test_connect_four_is_worth_the_winning_chance_that_is_promised(self, kept: None) -> None:
        state, scale = match_of(CONNECT_FOUR).state, evaluation_of(CONNECT_FOUR).SCALE
        weights, network = np.asarray(learned_weights(CONNECT_FOUR)), network_of(CONNECT_FOUR)
        mean = network_value(state, network.layout, weights, 3)
        own = evaluate(state, mover(state), weights)
        assert 0.01 < abs(mean) < 0.999 and evaluate(state, 1 - mover(state), weights) == -own
        assert winning_chance(own, scale) == pytest.approx((1.0 + mean) / 2.0)

    def test_a_mean_and_its_score_stand_for_the_same_chance(self) -> None:
        for mean in (-5.0, -1.0, -0.5, 0.0, 0.3, 1.0, 5.0):
            within = min(max(mean, -0.999), 0.999)
            assert winning_chance(score_of_mean(mean, 7.0), 7.0) == pytest.approx((1.0 + within) / 2.0)
