"""Players as plain data: which of them compiled code plays, and what it knows of them."""

from __future__ import annotations

import pytest

from papan.ai.evaluation import evaluation_of
from papan.ai.players import PlayerError, make_player
from papan.ai.players.compiled import (
    DEPTH,
    END_OF_WEIGHTS,
    FIRST_WEIGHT,
    GREEDY,
    KIND,
    PREFERS_WINS,
    RANDOM,
    SEARCHING,
    CompiledPlayer,
    compiled_player,
    settings_of,
    weights_of,
)
from papan.game.catalogue import GAMES


def data(game: str, name: str) -> CompiledPlayer | None:
    return compiled_player(make_player(name, GAMES[game]))


class TestPlayersThatCompiledCodePlays:
    @pytest.mark.parametrize(
        ("game", "name", "kind", "depth", "prefers_wins"),
        [
            ("othello", "random", RANDOM, 0, True),
            ("cifra", "seed-easy", RANDOM, 0, True),
            ("santorini", "norm", GREEDY, 0, True),
            ("santorini", "greedy:random-no-domes", GREEDY, 0, True),
            ("catur-jawa", "heuristic", GREEDY, 0, True),
            ("cifra", "h1", SEARCHING, 3, False),
            ("santorini", "heights", SEARCHING, 3, True),
            ("othello", "minimax:depth=4", SEARCHING, 4, True),
            ("othello", "minimax:medium", SEARCHING, 3, True),
            ("santorini", "paranoid:depth=2", SEARCHING, 2, True),
            ("2048", "random", RANDOM, 0, True),
        ],
    )
    def test_are_known_by_kind_and_depth(self, game: str, name: str, kind: int, depth: int, prefers_wins: bool) -> None:
        found = data(game, name)
        assert found is not None
        assert (found.kind, found.depth, found.prefers_wins) == (kind, depth, prefers_wins)

    def test_have_the_weights_of_their_name(self) -> None:
        found = data("santorini", "greedy:god-low-domes")
        assert found is not None
        assert found.weights == tuple(evaluation_of(GAMES["santorini"]).WEIGHTS["god-low-domes"])


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("othello", "minimax:hard"),
        ("othello", "minimax:depth=3,time=1"),
        ("othello", "minimax:easy,nodes=100"),
        ("othello", "minimax:time=0.1"),
        ("othello", "mcts:sims=10"),
        ("connect-four", "perfect"),
        ("santorini", "maxn:depth=2"),
        ("2048", "minimax:depth=2"),
        ("catur-jawa", "minimax:depth=1"),
    ],
)
def test_others_have_to_be_asked(game: str, name: str) -> None:
    assert data(game, name) is None


@pytest.mark.parametrize(("game", "name"), [("othello", "greedy:standard"), ("santorini", "greedy:nonsense")])
def test_greedy_players_are_for_weights_of_steps(game: str, name: str) -> None:
    with pytest.raises(PlayerError, match=f"There is no player '{name}'"):
        make_player(name, GAMES[game])


def test_settings_lead_to_each_players_weights() -> None:
    players = [
        CompiledPlayer(GREEDY, (1.0, 2.0)),
        CompiledPlayer(RANDOM),
        CompiledPlayer(SEARCHING, (3.0, 4.0, 5.0), 2, False),
    ]
    settings, weights = settings_of(players), weights_of(players)
    own = [tuple(weights[row[FIRST_WEIGHT] : row[END_OF_WEIGHTS]].tolist()) for row in settings]
    assert own == [player.weights for player in players]
    assert settings[:, KIND].tolist() == [GREEDY, RANDOM, SEARCHING]
    assert settings[2, [DEPTH, PREFERS_WINS]].tolist() == [2, 0]
