"""Players as plain data: which of them compiled code plays, and what it knows of them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import candidates, evaluation_of
from papan.ai.players import PlayerError, SearchingPlayer, make_player, situation
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
    Workspace,
    compiled_player,
    searching_step,
    settings_of,
    weights_of,
    workspace,
)
from papan.ai.search.repetition import begin_path
from papan.game.catalogue import GAMES
from papan.game.kernel import compiled
from papan.game.kernel.arrays import put_state, state_rows
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import State, key, legal_steps, play
from papan.testing.random_games import Form, random_match
from tests.ai.playing import best_of


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


POSITIONS = 8


@compiled
def drawn(
    state: State, settings: Any, weights: Any, history: Any, keys: Any, past: int, random: Any,
    work: Any, table: Any, marks: Any, endings: Any, accumulator: Any,
) -> int:  # fmt: skip
    return searching_step(
        state, 0, settings, weights, history, keys, past, random, work, table, marks, endings, accumulator
    )


CASES = [
    ("santorini", "heights", Form({}, 2)),
    ("santorini", "minimax:easy", Form({"teams": "yes"}, 4)),
    ("cifra", "h1", Form({}, 2)),
    ("othello", "minimax:medium", Form({}, 2)),
    ("xiangqi", "minimax:depth=2", Form({}, 2)),
    ("p-tree", "minimax:depth=5", Form({}, 2)),
]


def before_choices(match: Match, number: int) -> list[Match]:
    """*match* as it stood before some of its steps."""
    last = len(match.steps)
    return [match.up_to(step) for step in sorted(Random(1).sample(range(last), min(last, number)))]


@pytest.mark.parametrize(("name", "player_name", "form"), CASES, ids=[f"{name}-{player}" for name, player, _ in CASES])
def test_step_and_score_are_those_of_the_player(name: str, player_name: str, form: Form) -> None:
    game = GAMES[name]
    player = make_player(player_name, game)
    data = compiled_player(player)
    assert isinstance(player, SearchingPlayer) and data is not None and data.kind == SEARCHING
    weights = np.array(data.weights)
    memory: Workspace | None = None
    for match in before_choices(random_match(game, 4, form), POSITIONS):
        asked = situation(match)
        chosen = player.choose(asked)
        memory = memory or workspace(game.rules, asked.state)
        steps = np.empty(game.rules.MOST_STEPS, np.int64)
        in_order = steps[: candidates(asked.state, steps, 0)].tolist()
        Random(asked.seed).shuffle(in_order)
        memory.work.buffer[: len(in_order)] = in_order
        path_end = begin_path(asked.state, asked.came_twice, memory.work)
        answer = best_of(asked.state, len(in_order), data.depth, int(data.prefers_wins), path_end, weights, *memory)
        assert answer == (chosen.step, chosen.score)


def rows_of(match: Match) -> Any:
    rows = state_rows(match.state, len(match.states))
    for index, state in enumerate(match.states):
        put_state(state, rows, index)
    return rows


def there_and_back(match: Match) -> list[int]:
    """Two steps of each seat that lead back to where *match* stands."""
    start = match.state
    for one in legal_steps(start):
        for other in legal_steps(play(start, one)):
            away = play(play(start, one), other)
            for back in legal_steps(away):
                for last in legal_steps(play(away, back)):
                    if key(play(play(away, back), last)) == key(start):
                        return [one, other, back, last]
    raise AssertionError("nothing can be taken back")


def test_positions_that_came_twice_are_known() -> None:
    """Who is behind goes back to one, since that is a draw; without the past it would play something else."""
    game = GAMES["xiangqi"]
    player = make_player("minimax:depth=1", game)
    data = compiled_player(player)
    assert data is not None
    match = random_match(game, 4).up_to(80)
    around = there_and_back(match)
    for step in (*around, *around[:3]):
        match.play(step)
    keys, history = np.array([key(state) for state in match.states], np.int64), rows_of(match)
    memory, weights = workspace(game.rules, match.state), np.array(data.weights)
    settings = settings_of([data])
    steps = {
        past: {
            drawn(match.state, settings, weights, history, keys, past, random_state(seed), *memory) for seed in range(8)
        }
        for past in (0, len(keys))
    }
    chosen = player.choose(situation(match))
    assert chosen.score == 0.0
    assert steps[len(keys)] == {chosen.step}
    assert chosen.step not in steps[0]
