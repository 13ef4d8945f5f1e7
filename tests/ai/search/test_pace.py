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


def iterate(pace: Pace, hands: Hands, first: float, whole: float, score: float = 0.0) -> bool:
    """An iteration of so many milliseconds, *first* of them for its first step; whether another may begin."""
    pace.begin()
    hands.now += round(first * MILLISECOND)
    pace.of_use()
    hands.now += round((whole - first) * MILLISECOND)
    pace.of_use()
    pace.end(score)
    return pace.may_go_on


class TestTimeThatIsNotKept:
    def test_without_a_limit_it_always_goes_on(self, hands: Hands) -> None:
        pace = Pace(Limit(depth=3))
        assert all(iterate(pace, hands, 10.0**n, 10.0**n) for n in range(6)) and not pace.is_late

    def test_what_would_be_of_use_in_time_is_begun(self, hands: Hands) -> None:
        pace = Pace(Limit(time=0.1))
        assert [iterate(pace, hands, 0.5 * whole, whole) for whole in (1.0, 4.0, 16.0)] == [True, True, True]
        # 21 ms have passed, and the next first step takes 32: well in time, though the whole iteration is not.

    def test_what_would_come_too_late_even_so_is_not(self, hands: Hands) -> None:
        pace = Pace(Limit(time=0.05))
        assert iterate(pace, hands, 0.5, 1.0) and iterate(pace, hands, 2.0, 4.0)
        assert not iterate(pace, hands, 8.0, 16.0)

    def test_the_lesser_growth_of_the_last_two_is_expected(self, hands: Hands) -> None:
        pace = Pace(Limit(time=0.05))
        assert iterate(pace, hands, 4.0, 4.0) and iterate(pace, hands, 4.0, 4.0)
        assert iterate(pace, hands, 16.0, 16.0)  # four times as long, but not longer before

    def test_it_is_late_at_the_limit(self, hands: Hands) -> None:
        pace = Pace(Limit(time=0.05))
        hands.now += 50 * MILLISECOND
        assert pace.is_late and not pace.may_go_on


class TestTimeThatAClockKeeps:
    LIMIT = Limit(time=0.3, usual=0.1)

    def test_an_iteration_has_to_end_within_the_usual_time(self, hands: Hands) -> None:
        pace = Pace(self.LIMIT)
        assert iterate(pace, hands, 0.5, 5.0) and iterate(pace, hands, 2.0, 20.0)
        assert not iterate(pace, hands, 4.0, 40.0)  # the next takes 80 ms, and 65 have passed

    def test_a_score_that_falls_is_worth_more(self, hands: Hands) -> None:
        pace = Pace(self.LIMIT)
        assert iterate(pace, hands, 0.5, 5.0, 1.0) and iterate(pace, hands, 2.0, 20.0, 1.5)
        assert iterate(pace, hands, 4.0, 40.0, 0.25)

    def test_one_that_only_comes_and_goes_is_not(self, hands: Hands) -> None:
        pace = Pace(self.LIMIT)
        iterate(pace, hands, 0.5, 5.0, 1.0)
        iterate(pace, hands, 2.0, 20.0, 3.0)
        assert not iterate(pace, hands, 4.0, 40.0, 0.0)

    def test_the_limit_is_never_passed(self, hands: Hands) -> None:
        pace = Pace(self.LIMIT)
        iterate(pace, hands, 1.0, 30.0, 9.0)
        iterate(pace, hands, 2.0, 60.0, 8.0)
        assert not iterate(pace, hands, 3.0, 120.0, -5.0)  # the next takes 240 ms of the 90 that are left
        assert pace.deadline == 1000 + 300 * MILLISECOND


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
