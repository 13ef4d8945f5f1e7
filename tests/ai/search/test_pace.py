"""Which iterations a search begins, by a clock that stands still between them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import Limit
from papan.ai.search import deepening as module
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import NODES_BETWEEN_LOOKS, Deepening, Pace
from papan.ai.search.expectimax import Expectimax
from papan.ai.search.mcts import MCTS
from papan.ai.search.mcts_simulation import FEWEST
from papan.game.catalogue import GAMES
from papan.game.kernel.clock import NEVER
from papan.game.match import Match
from papan.game.rules import CHANCE, State

MILLISECOND = 10**6


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hands]:
    clock = Hands()
    monkeypatch.setattr(module, "clock", clock)
    monkeypatch.setattr(
        module,
        "time_after",
        lambda seconds: NEVER if seconds is None else clock.now + round(seconds * 1000 * MILLISECOND),
    )
    yield clock


def iterate(pace: Pace, hands: Hands, first: float, whole: float, score: float) -> bool:
    """An iteration of so many milliseconds, *first* of them for its first step; whether another may begin."""
    pace.begin()
    hands.now += round(first * MILLISECOND)
    pace.of_use()
    hands.now += round((whole - first) * MILLISECOND)
    pace.of_use()
    pace.end(score)
    return pace.may_go_on


TENTH, TWENTIETH = Limit(time=0.1), Limit(time=0.05)
KEPT = Limit(time=0.3, usual=0.1)
"""Time that a clock keeps."""


@pytest.mark.parametrize(
    ("limit", "iterations", "goes_on"),
    [
        (Limit(depth=3), [(10.0**n, 10.0**n, 0.0) for n in range(6)], [True] * 6),  # without a limit of time
        # 21 ms have passed, and the next first step takes 32: well in time, though the whole iteration is not.
        (TENTH, [(0.5, 1.0, 0.0), (2.0, 4.0, 0.0), (8.0, 16.0, 0.0)], [True, True, True]),
        (TWENTIETH, [(0.5, 1.0, 0.0), (2.0, 4.0, 0.0), (8.0, 16.0, 0.0)], [True, True, False]),  # too late even so
        # The lesser growth of the last two is expected: four times as long, but not longer before.
        (TWENTIETH, [(4.0, 4.0, 0.0), (4.0, 4.0, 0.0), (16.0, 16.0, 0.0)], [True, True, True]),
        # An iteration has to end within the usual time: the next takes 80 ms, and 65 have passed.
        (KEPT, [(0.5, 5.0, 0.0), (2.0, 20.0, 0.0), (4.0, 40.0, 0.0)], [True, True, False]),
        (KEPT, [(0.5, 5.0, 1.0), (2.0, 20.0, 1.5), (4.0, 40.0, 0.25)], [True, True, True]),  # a score that falls
        (KEPT, [(0.5, 5.0, 1.0), (2.0, 20.0, 3.0), (4.0, 40.0, 0.0)], [True, True, False]),  # it only comes and goes
        # The limit is never passed: the next takes 240 ms of the 90 that are left.
        (KEPT, [(1.0, 30.0, 9.0), (2.0, 60.0, 8.0), (3.0, 120.0, -5.0)], [True, False, False]),
    ],
)
def test_another_iteration_begins_where_it_is_of_use(
    limit: Limit, iterations: list[tuple[float, float, float]], goes_on: list[bool], hands: Hands
) -> None:
    pace = Pace(limit)
    assert [iterate(pace, hands, *iteration) for iteration in iterations] == goes_on
    assert not pace.is_late
    if limit is KEPT:
        assert pace.deadline == 1000 + 300 * MILLISECOND


def test_it_is_late_at_the_limit(hands: Hands) -> None:
    pace = Pace(TWENTIETH)
    hands.now += 50 * MILLISECOND
    assert pace.is_late and not pace.may_go_on


@pytest.mark.parametrize(
    ("limit", "part"),
    [(Limit(), None), (Limit(time=0.2), 50 * MILLISECOND), (Limit(time=0.2, usual=0.1), 25 * MILLISECOND)],
)
def test_a_part_of_the_time_is_one_of_what_is_usual(limit: Limit, part: int | None, hands: Hands) -> None:
    assert Pace(limit).in_part(0.25) == (NEVER if part is None else hands.now + part)


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
    one_turn = searcher(name).analyse(started(name), Limit(depth=1))  # it always completes
    search = searcher(name)
    monkeypatch.setattr(Pace, "deadline", 0)
    found = search.analyse(started(name), Limit(depth=9))
    assert found.nodes <= max(first.nodes, one_turn.nodes) + 2 * NODES_BETWEEN_LOOKS


def test_a_limit_of_nodes_is_kept_to_the_node() -> None:
    for nodes in (100, 5001, 5063):
        assert searcher("connect-four").analyse(started("connect-four"), Limit(nodes=nodes)).nodes == nodes


def test_random_games_end_by_themselves() -> None:
    game = GAMES["connect-four"]
    search = MCTS(game.rules, evaluation_of(game).WEIGHTS[STANDARD], evaluation_of(game).SCALE, memory=1)
    assert search.analyse(started("connect-four"), PASSED).simulations == FEWEST
