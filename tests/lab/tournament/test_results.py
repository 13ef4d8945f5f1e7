"""Standings, the cross-table, and what counts of a test that is over."""

from __future__ import annotations

import pytest

from papan.lab.tournament.plan import Encounter, Plan
from papan.lab.tournament.playing import GameResult, Played
from papan.lab.tournament.rating import SequentialTest
from papan.lab.tournament.results import Results
from tests.lab.tournament.playing import plan


def game(players: tuple[int, ...], payoffs: tuple[float, ...], forfeit: int | None = None) -> GameResult:
    thought = tuple(1.0 + seat for seat in range(len(players)))
    return GameResult(players, payoffs, "over", 9, thought, (4,) * len(players), "", forfeit)


def pair(number: int, first: float, second: float, group: tuple[int, int] = (0, 1)) -> Played:
    """An encounter in which the first player was paid *first*, then *second* with sides exchanged."""
    one, other = group
    games = (game((one, other), (first, -first)), game((other, one), (-second, second)))
    return Played(group, number, games, 6.6)


def results(asked: Plan, *played: Played, test: SequentialTest | None = None) -> Results:
    found = Results(asked, test)
    for each in played:
        found.add(each)
    return found


class TestStandings:
    def test_points_time_and_forfeits_are_each_players_own(self) -> None:
        found = results(plan("random", "random"), pair(0, 1.0, 0.0))
        found.add(Played((0, 1), 1, (game((1, 0), (0.0, -1.0), forfeit=1),), 3.0))
        best, worst = (next(s for s in found.standings() if s.player == player) for player in (0, 1))
        assert (best.wins, best.draws, best.losses, best.points, best.forfeits) == (1, 1, 1, 1.5, 1)
        assert (worst.wins, worst.draws, worst.losses, worst.points, worst.forfeits) == (1, 1, 1, 1.5, 0)
        assert (best.seconds, worst.seconds, best.choices) == (1.0 + 2.0 + 2.0, 2.0 + 1.0 + 1.0, 12)

    def test_the_best_stands_first(self) -> None:
        asked = plan("random", "random", "random")
        found = results(asked, pair(0, -1.0, -1.0), pair(0, -1.0, 1.0, (0, 2)), pair(0, 1.0, 1.0, (1, 2)))
        assert [standing.player for standing in found.standings()] == [1, 0, 2]

    def test_winners_share_the_point(self) -> None:
        asked = plan(*["random"] * 4, game="catur-jawa", games=4, options={"seats": "4"})
        found = results(asked, Played((0, 1, 2, 3), 0, (game((0, 1, 2, 3), (1.0, -1.0, 1.0, -1.0)),), 9.0))
        assert {s.player: s.points for s in found.standings()} == {0: 0.5, 1: 0.0, 2: 0.5, 3: 0.0}

    def test_an_encounter_counts_once(self) -> None:
        assert len(results(plan("random", "random"), pair(0, 1.0, 1.0), pair(0, -1.0, -1.0)).games) == 2


class TestCrossTable:
    def test_is_the_same_from_both_sides(self) -> None:
        cross = results(
            plan("random", "random"), pair(0, 1.0, 1.0), pair(1, 1.0, 0.0), pair(2, -1.0, 1.0)
        ).cross_table()
        one, other = cross[0, 1], cross[1, 0]
        assert (one.wins, one.draws, one.losses) == (other.losses, other.draws, other.wins) == (4, 1, 1)


class TestOverhead:
    def test_is_what_passed_beside_thinking(self) -> None:
        assert results(plan("random", "random"), pair(0, 1.0, 1.0)).overhead == pytest.approx(0.1)


class TestSequentialTests:
    TEST = SequentialTest(0.0, 300.0, 0.2, 0.2)

    def test_what_comes_after_the_end_does_not_count(self) -> None:
        asked = plan("random", "random", games=40)
        wins = [pair(number, 1.0, 1.0) for number in range(20)]
        found = results(asked, *wins, test=self.TEST)
        (trial,) = found.tests
        assert trial.verdict == "stronger" and trial.rounds < 20 and len(found.games) == 2 * trial.rounds
        assert found.has(Encounter((0, 1), 19))

    def test_openings_are_those_that_count(self) -> None:
        asked = plan("random", "random", games=40, different_openings=2)
        assert results(asked, *(pair(number, 1.0, 1.0) for number in range(1))).openings == 1
        assert results(asked, *(pair(number, 1.0, -1.0) for number in range(5))).openings == 2

    def test_the_order_in_which_rounds_come_does_not_matter(self) -> None:
        asked = plan("random", "random", games=40)
        played = [pair(number, 1.0, -1.0 if number % 3 else 1.0) for number in range(20)]
        forwards, backwards = results(asked, *played, test=self.TEST), results(asked, *played[::-1], test=self.TEST)
        assert forwards.tests == backwards.tests and forwards.counted == backwards.counted

    def test_the_first_player_is_the_one_that_is_tested(self) -> None:
        asked = plan("random", "random", games=40)
        found = results(asked, *(pair(number, -1.0, -1.0) for number in range(20)), test=self.TEST)
        assert [trial.verdict for trial in found.tests] == ["not stronger"]
