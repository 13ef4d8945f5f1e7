"""Whole games in compiled code: the players' own choices, counted rightly, the same in whatever batches."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest

from papan.ai.players import make_player
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.match.record import read, write
from papan.game.playout import playouts
from papan.game.rules import UNNUMBERED
from papan.lab.arena import play_match
from papan.lab.simulation import batches, games
from papan.lab.simulation.batches import BatchesInPython, StoppedError, batch, batches_of, counted
from papan.lab.simulation.counts import DRAWN, LOST, SAMPLE, WON, Counts, by_player, by_seat
from papan.lab.simulation.plan import Plan, make_plan
from papan.lab.statistics import Z_95

DEVIATION = 4.5
"""Standard deviations."""


def plan_of(
    name: str, players: str, games: int, options: Mapping[str, str] | None = None, seed: int = 1, batch_games: int = 0
) -> Plan:
    plan = make_plan(GAMES[name], players.split(), options or {}, seed, games)
    return dataclasses.replace(plan, batch_games=batch_games or plan.batch_games)


def counts_of(plan: Plan, numbers: list[int] | None = None) -> Counts:
    total = Counts.of_seats(len(plan.players))
    for number in range(plan.batches) if numbers is None else numbers:
        total.add(batch(plan, number))
    return total


def by_arena(plan: Plan) -> Counts:
    """The games of *plan* as the arena plays them."""
    batches = BatchesInPython(dataclasses.replace(plan, batch_games=1))
    total = Counts.of_seats(len(plan.players))
    for number in range(plan.games):
        total.add(batches.play(number))
    return total


def same_share(first: int, of_first: int, second: int, of_second: int) -> bool:
    """Whether two shares may be those of one coin."""
    pooled = (first + second) / (of_first + of_second)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / of_first + 1 / of_second))
    return abs(first / of_first - second / of_second) <= DEVIATION * max(spread, 1 / of_second)


class TestCounts:
    def test_every_game_is_counted_once_for_each_player_and_seat(self) -> None:
        counts = counts_of(plan_of("catur-jawa", "random heuristic random", 500))
        assert counts.games == 500
        assert [rate.games for rate in by_player(counts)] == [500] * 3
        assert [rate.games for rate in by_seat(counts)] == [500] * 3
        assert sum(counts.reasons.values()) == 500
        winners = sum(cell[WON] for row in counts.results for cell in row)
        assert winners + counts.undecided == 500

    def test_they_do_not_depend_on_the_batches_but_on_the_seed(self) -> None:
        whole = counts_of(plan_of("santorini", "norm god", 300))
        assert whole == counts_of(plan_of("santorini", "norm god", 300, batch_games=7))
        parts = plan_of("santorini", "norm god", 300, batch_games=64)
        assert whole == counts_of(parts, [3, 1, 4, 0, 2])
        assert whole != counts_of(plan_of("santorini", "norm god", 300, seed=2))
        asked = plan_of("connect-four", "mcts:sims=30 random", 4)
        assert asked.batch_games == 1, "players that have to be asked play in Python"
        counts = counts_of(asked)
        assert counts.games == 4 == sum(counts.reasons.values()) and counts == counts_of(asked, [2, 0, 3, 1])
        assert isinstance(counts.reasons, Counter)

    @pytest.mark.parametrize("players", ["random random", "minimax:depth=1 random"])
    def test_plain_python_counts_the_same(self, players: str) -> None:
        plan = plan_of("cifra", players, 1, seed=5)
        with plainly():
            plain = batches_of(plan).play(0)
        assert plain == batches_of(plan).play(0)

    def test_who_starts_is_the_options(self) -> None:
        counts = counts_of(plan_of("connect-four", "random minimax:easy", 100, {"first": "2"}))
        assert [[sum(cell) for cell in row] for row in counts.results] == [[0, 100], [100, 0]]
        counts = counts_of(plan_of("connect-four", "random random", 4000))
        first = sum(counts.results[0][0])
        assert abs(first - 2000) < DEVIATION * 1000**0.5

    def test_random_games_are_playouts(self) -> None:
        start = GAMES["connect-four"].rules.parse("", {})
        games = 20_000
        summed = playouts(start, games, np.empty(7, np.int64), random_state(3))
        counts = counts_of(plan_of("connect-four", "random random", games))
        seat = by_seat(counts)[0]
        assert abs(seat.won - seat.lost - summed) < DEVIATION * (2 * games) ** 0.5

    def test_a_game_for_one_has_a_mean(self) -> None:
        counts = counts_of(plan_of("2048", "random", 400))
        rate = by_player(counts)[0]
        scores = []
        player = make_player("random", GAMES["2048"])
        for seed in range(30):
            ending = play_match(Match.new(GAMES["2048"], [""], seed=seed), [player]).ending
            assert ending
            scores.append(ending.payoffs[0])
        spread = float(np.std(scores)) * (1 / 30 + 1 / 400) ** 0.5
        assert abs(rate.mean_payoff - float(np.mean(scores))) < DEVIATION * spread
        low, high = rate.payoff_interval
        assert high - low == pytest.approx(2 * Z_95 * float(np.std(scores)) / 20, rel=0.5)
        assert counts.undecided == 0


@pytest.mark.parametrize("name", GAMES)
def test_reasons_are_those_of_each_game_by_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are counted, one game of each reason is asked; where games have no numbers for it, each of them is."""
    game = GAMES[name]
    plan = plan_of(name, " ".join(["random"] * game.seats[0]), 4 if name == "xiangqi" else 12)
    counted = batches_of(plan).play(0)
    monkeypatch.setattr(games, "reason_number", lambda state: UNNUMBERED)
    with plainly():
        asked = batches_of(plan).play(0)
    assert counted == asked


@pytest.mark.parametrize("name", ["connect-four", "santorini", "catur-jawa", "2048"])
def test_lengths_are_those_of_matches(name: str) -> None:
    players = " ".join(["random"] * GAMES[name].seats[0])
    counts, matches = counts_of(plan_of(name, players, 2000)), by_arena(plan_of(name, players, 30))
    assert counts.turns / counts.games == pytest.approx(matches.turns / matches.games, rel=0.3)
    assert counts.steps / counts.games == pytest.approx(matches.steps / matches.games, rel=0.3)
    assert counts.legal_steps / counts.choices == pytest.approx(matches.legal_steps / matches.choices, rel=0.3)


PAIRS = [
    ("santorini", "god norm", {"gods": "seeds", "pick": "random", "placement": "random"}),
    ("cifra", "h1 h3", {}),
    ("catur-jawa", "heuristic random", {}),
    ("connect-four", "minimax:easy random", {}),
]


@pytest.mark.parametrize(("name", "players", "options"), PAIRS)
def test_players_win_as_often_as_in_the_arena(name: str, players: str, options: dict[str, str]) -> None:
    compiled = by_player(counts_of(plan_of(name, players, 192, options)))[0]
    matches = by_player(by_arena(plan_of(name, players, 40, options)))[0]
    assert same_share(compiled.won, compiled.games, matches.won, matches.games)
    assert same_share(compiled.drawn, compiled.games, matches.drawn, matches.games)


class TestRepetitions:
    def test_end_games_as_the_rules_say(self) -> None:
        """Random xiangqi repeats now and then; the reasons are then those of ``repetition_ending``."""
        counts = counts_of(plan_of("xiangqi", "random random", 300))
        assert counts.reasons["third repetition of the position"] > 0
        assert sum(counts.reasons.values()) == counts.games == 300
        drawn = sum(cell[DRAWN] for row in counts.results for cell in row)
        assert drawn == 2 * counts.undecided
        assert sum(cell[LOST] for row in counts.results for cell in row) == 300 - counts.undecided


KINDS = [
    ("connect-four", "random minimax:depth=1", 40, {}),
    ("santorini", "norm random", 40, {"gods": "seeds"}),
    ("catur-jawa", "heuristic random", 40, {}),
    ("xiangqi", "random minimax:depth=1", 6, {}),
    ("checkers", "random minimax:depth=2", 6, {"first": "2"}),
    ("2048", "random", 10, {}),
    ("connect-four", "mcts:sims=5 random", 3, {}),
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
        again = read(write(first))
        assert list(again.steps) == list(first.steps) and again.ending == first.ending

    def test_games_may_be_longer_than_there_is_room_for_at_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plan = plan_of("checkers", "random minimax:depth=1", 5)
        whole, before = batches_of(plan).replay(4), batches_of(plan).play(0)
        monkeypatch.setattr(batches, "FIRST_PATH", 3)
        monkeypatch.setattr(batches, "FIRST_HISTORY", 8)
        again = batches_of(plan)
        assert list(again.replay(4).steps) == list(whole.steps)
        assert again.play(0) == before, "what was replayed changes nothing"

    @pytest.mark.parametrize("players", ["random minimax:depth=1", "mcts:sims=2 random"])
    def test_must_be_one_of_the_plan(self, players: str) -> None:
        plan = plan_of("connect-four", players, 5)
        for number in (-1, 5):
            with pytest.raises(ValueError, match="no game"):
                batches_of(plan).replay(number)


class TestStopping:
    @pytest.mark.parametrize("players", ["random random", "random minimax:depth=2", "mcts:sims=5 random"])
    def test_nothing_is_played_any_more(self, players: str) -> None:
        played = batches_of(make_plan(GAMES["connect-four"], players.split(), {}, 1, 100))
        played.stop()
        with pytest.raises(StoppedError):
            played.play(0)
