"""Tournaments: who meets whom, threads, breaks, tests that end, standings and the cross-table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.ai.players import PlayerError
from papan.game.game import OptionError
from papan.game.kernel.clock import PROCESSOR, WALL, chosen_clock, why_no_processor_clock
from papan.lab.journal import Journal, JournalError
from papan.lab.tournament.plan import Encounter, Plan, PlanError, encounters, rotations, starts_of
from papan.lab.tournament.playing import GameResult, Played
from papan.lab.tournament.rating import SequentialTest
from papan.lab.tournament.results import JOURNAL, ChosenTest, Results, resume, run
from tests.lab.tournament.playing import plan


def journal_of(path: Path | None, asked: Plan) -> Journal[Plan, Played | ChosenTest]:
    return Journal(path, JOURNAL, asked)


def records(found: Results) -> list[str]:
    return [game.record for game in found.games]


class Interrupted(Exception):
    """As good as a kill."""


class TestRunning:
    ASKED = plan("random", "minimax:depth=2", "mcts:sims=20", games=6)

    def run(self, threads: int = 1, test: SequentialTest | None = None) -> Results:
        found = Results(self.ASKED, test)
        run(self.ASKED, starts_of(self.ASKED), journal_of(None, self.ASKED), found, threads)
        return found

    def test_all_is_played_and_the_number_of_threads_does_not_matter(self) -> None:
        found = self.run()
        assert len(found.games) == 18 and records(found) == records(self.run(threads=3))

    @pytest.mark.skipif(why_no_processor_clock() is not None, reason="no fine clock of a thread's own")
    def test_the_clock_is_the_plan_s(self) -> None:
        asked = replace(plan("random", "random"), clock=PROCESSOR)
        clocks: list[str] = []
        run(
            asked, starts_of(asked), journal_of(None, asked), Results(asked), 2, lambda _: clocks.append(chosen_clock())
        )
        assert set(clocks) == {PROCESSOR} and chosen_clock() == WALL

    def test_a_test_that_is_over_ends_its_pair(self) -> None:
        test = SequentialTest(-900.0, -800.0, 0.49, 0.49)
        found, threaded = self.run(test=test), self.run(threads=3, test=test)
        assert len(found.games) < 18 and found.tests == threaded.tests and records(found) == records(threaded)


class TestBreaks:
    ASKED = plan("random", "minimax:depth=1", games=12)

    def test_what_is_finished_is_not_played_again(self, tmp_path: Path) -> None:
        starts, file = starts_of(self.ASKED), tmp_path / "results"
        whole = Results(self.ASKED)
        run(self.ASKED, starts, journal_of(None, self.ASKED), whole)

        def break_off(played: Played) -> None:
            if played.encounter.round == 2:
                raise Interrupted

        with pytest.raises(Interrupted):
            run(self.ASKED, starts, journal_of(file, self.ASKED), Results(self.ASKED), on_played=break_off)
        with file.open("ab") as half:
            half.write(b'{"group": [0, 1], "rou')
        again, found, told = journal_of(file, self.ASKED), Results(self.ASKED), list[Played]()
        resume(again, found)
        assert 0 < len(found.games) < 12
        run(self.ASKED, starts, again, found, on_played=told.append)
        assert len(told) < 6 and records(found) == records(whole)
        again.add({"nonsense": 1})
        with pytest.raises(JournalError, match=r"Line 8 of '.*results' is damaged: "):
            resume(again, Results(self.ASKED))


class TestPlans:
    def test_everybody_meets_everybody_in_every_round(self) -> None:
        met = Counter(encounter.group for encounter in encounters(plan("random", "random", "random", games=6)))
        assert met == {(0, 1): 3, (0, 2): 3, (1, 2): 3}

    def test_groups_are_as_large_as_the_match(self) -> None:
        asked = plan("random", "random", "random", "random", game="catur-jawa", games=3, options={"seats": "3"})
        assert [encounter.group for encounter in encounters(asked)] == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
        assert [len(start.seats) for start in starts_of(asked)] == [3], "cards are dealt to as many as play"

    def test_everybody_has_each_seat_once(self) -> None:
        orders = list(rotations((5, 6, 7, 8)))
        assert all(sorted(seat) == [5, 6, 7, 8] for seat in zip(*orders, strict=True))

    def test_there_is_an_opening_for_each_time_that_all_have_had_all_seats_or_fewer(self) -> None:
        assert len(starts_of(plan("random", "random", games=10))) == 5
        asked = plan("random", "random", games=10, different_openings=2)
        assert len(starts_of(asked)) == 2 and asked.rounds == 5
        with pytest.raises(PlanError, match="Only 7 openings of 1 turns"):
            starts_of(plan("random", "random", games=16, turns=1))

    @pytest.mark.parametrize(
        ("players", "others", "words"),
        [
            (["random"], {}, "1 player can't fill the 2 seats of Connect Four"),
            (["random"] * 2, {"game": "2048"}, "2048 is a one-player game"),
            (["random"] * 2, {"games": 5}, "played 2 times with seats exchanged, so 5 games are not possible"),
            (
                ["random"] * 2,
                {"games": 4, "different_openings": 3},
                "4 games can begin from at most 2 openings, not 3",
            ),
            (["random", "nobody"], {}, "There is no player 'nobody'"),
            (["random"] * 2, {"game": "catur-jawa", "options": {"seats": "7"}}, "seats=7"),
        ],
    )
    def test_what_can_not_be_is_refused(self, players: list[str], others: dict[str, Any], words: str) -> None:
        with pytest.raises((PlanError, PlayerError, OptionError), match=words):
            plan(*players, **others)


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


def test_the_cross_table_is_the_same_from_both_sides() -> None:
    found = results(plan("random", "random"), pair(0, 1.0, 1.0), pair(1, 1.0, 0.0), pair(2, -1.0, 1.0))
    one, other = (found.cross_table()[pair] for pair in ((0, 1), (1, 0)))
    assert (one.wins, one.draws, one.losses) == (other.losses, other.draws, other.wins) == (4, 1, 1)
    found.add(pair(0, -1.0, -1.0))
    assert len(found.games) == 6, "an encounter counts once"
    assert found.overhead == pytest.approx(0.1), "what passed beside thinking"


class TestSequentialTests:
    TEST = SequentialTest(0.0, 300.0, 0.2, 0.2)

    @pytest.mark.parametrize(("won", "verdict"), [(1.0, "stronger"), (-1.0, "not stronger")])
    def test_what_comes_after_the_end_does_not_count(self, won: float, verdict: str) -> None:
        asked = plan("random", "random", games=40)
        found = results(asked, *(pair(number, won, won) for number in range(20)), test=self.TEST)
        (trial,) = found.tests
        assert trial.verdict == verdict, "the first player is the one that is tested"
        assert trial.rounds < 20 and len(found.games) == 2 * trial.rounds
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
