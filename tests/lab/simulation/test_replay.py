"""Single games of a simulation as matches: the very games that were counted."""

from __future__ import annotations

import dataclasses

import pytest

from papan.game.catalogue import GAMES
from papan.game.match.record import read, write
from papan.lab.simulation import batches
from papan.lab.simulation.batches import StoppedError, batch, batches_of, counted
from papan.lab.simulation.counts import Counts
from papan.lab.simulation.games import SAMPLE
from papan.lab.simulation.plan import Plan, make_plan
from tests.lab.simulation.test_games import plan_of

KINDS = [
    ("connect-four", "random minimax:depth=1", 40, {}),
    ("santorini", "norm random", 40, {"gods": "seeds"}),
    ("catur-jawa", "heuristic random", 40, {}),
    ("xiangqi", "random minimax:depth=1", 6, {}),
    ("checkers", "random minimax:depth=2", 6, {"first": "2"}),
    ("2048", "random", 10, {}),
    ("othello", "mcts:sims=5 random", 3, {}),
    ("2048", "expectimax:depth=1", 1, {"size": "2"}),
]


def replayed(plan: Plan) -> Counts:
    """What the games of *plan*, whose players all have other names, add up to one by one."""
    total, played = Counts.of_seats(len(plan.players)), batches_of(plan)
    for number in reversed(range(plan.games)):
        match = played.replay(number)
        order = [plan.players.index(name) for name in match.seats]
        total.add(counted(match, order, is_sampled=number % SAMPLE == 0))
    return total


@pytest.mark.parametrize(("name", "players", "games", "options"), KINDS)
def test_replays_add_up_to_what_was_counted(name: str, players: str, games: int, options: dict[str, str]) -> None:
    plan = plan_of(name, players, games, options)
    total = Counts.of_seats(len(plan.players))
    for number in range(plan.batches):
        total.add(batch(plan, number))
    assert replayed(plan) == total


class TestTheMatch:
    def test_is_that_game_in_whatever_batch(self) -> None:
        plan = plan_of("santorini", "norm random", 300)
        other = dataclasses.replace(plan, batch_games=7)
        first, second = (batches_of(one).replay(211) for one in (plan, other))
        assert list(first.states) == list(second.states) and first.seats == second.seats
        assert list(first.steps) != list(batches_of(plan).replay(210).steps)

    def test_has_a_record_that_can_be_read_again(self) -> None:
        match = batches_of(plan_of("catur-jawa", "heuristic random", 5)).replay(3)
        again = read(write(match))
        assert list(again.steps) == list(match.steps) and again.ending == match.ending

    def test_may_be_longer_than_there_is_room_for_at_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plan = plan_of("checkers", "random minimax:depth=1", 5)
        whole = batches_of(plan).replay(4)
        monkeypatch.setattr(batches, "FIRST_PATH", 3)
        assert list(batches_of(plan).replay(4).steps) == list(whole.steps)

    @pytest.mark.parametrize("players", ["random minimax:depth=1", "mcts:sims=2 random"])
    def test_must_be_one_of_the_plan(self, players: str) -> None:
        plan = plan_of("connect-four", players, 5)
        for number in (-1, 5):
            with pytest.raises(ValueError, match="no game"):
                batches_of(plan).replay(number)

    def test_changes_nothing_of_what_is_counted(self) -> None:
        plan = plan_of("othello", "random minimax:depth=1", 20)
        played = batches_of(plan)
        before = played.play(0)
        played.replay(7)
        assert played.play(0) == before


class TestStopping:
    @pytest.mark.parametrize("players", ["random random", "random minimax:depth=2", "mcts:sims=5 random"])
    def test_nothing_is_played_any_more(self, players: str) -> None:
        played = batches_of(make_plan(GAMES["connect-four"], players.split(), {}, 1, 100))
        played.stop()
        with pytest.raises(StoppedError):
            played.play(0)
