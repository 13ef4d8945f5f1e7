"""Compiled code that looks at the clock by itself: nothing from outside stops these searches."""

from __future__ import annotations

import pytest

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import Limit
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import Deepening
from papan.ai.search.expectimax import Expectimax
from papan.ai.search.mcts import MCTS
from papan.ai.search.mcts_simulation import FEWEST
from papan.ai.search.pace import NODES_BETWEEN_LOOKS, Pace
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import CHANCE, State

PASSED = Limit(time=1e-9)


def started(name: str) -> State:
    match = Match.new(GAMES[name], [""] * GAMES[name].seats[0], seed=1)
    while match.mover == CHANCE:
        match.play(match.chance_step())
    return match.state


def searcher(name: str) -> Deepening:
    rules, weights = GAMES[name].rules, evaluation_of(GAMES[name]).WEIGHTS[STANDARD]
    return Expectimax(rules, weights) if GAMES[name].has_chance else AlphaBeta(rules, weights)


@pytest.mark.parametrize("name", ["connect-four", "2048"])
def test_one_turn_ahead_is_looked_however_late_it_is(name: str) -> None:
    found = searcher(name).analyse(started(name), PASSED)
    alone = searcher(name).analyse(started(name), Limit(depth=1))
    assert found.depth == 1 and found.nodes >= 4 and found.step in [line.step for line in alone.lines]


@pytest.mark.parametrize("name", ["connect-four", "2048"])
def test_a_search_that_is_too_late_ends_by_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "may_go_on", True)
    first = searcher(name).analyse(started(name), PASSED)
    assert first.depth >= 1
    search = searcher(name)
    monkeypatch.setattr(Pace, "deadline", 0)
    assert search.analyse(started(name), Limit(depth=9)).nodes <= first.nodes + 2 * NODES_BETWEEN_LOOKS


def test_a_limit_of_nodes_is_kept_to_the_node() -> None:
    for nodes in (100, 5001, 5063):
        assert searcher("connect-four").analyse(started("connect-four"), Limit(nodes=nodes)).nodes == nodes


def test_random_games_end_by_themselves() -> None:
    game = GAMES["connect-four"]
    search = MCTS(game.rules, evaluation_of(game).WEIGHTS[STANDARD], evaluation_of(game).SCALE, memory=1)
    assert search.analyse(started("connect-four"), PASSED).simulations == FEWEST
