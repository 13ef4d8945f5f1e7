"""Statistics: who won how often against whom, streaks, weeks, and the rating with its error bar."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import pytest

from papan.game.match.library.reader import Result, Sums, Week
from papan.game.rules import Ending
from papan.lab.tournament.rating import expected_score
from papan.ui.play.statistics import Score, Streak, statistics_of

MONDAY = datetime.date(2026, 3, 2)


def sums_of(*played: tuple[str, Sequence[str], Sequence[float]], weeks: Sequence[Week] = ()) -> Sums:
    """The sums of matches, in this order: the game, the seats and the payoffs of each."""
    results: list[tuple[str, tuple[str, ...], tuple[float, ...]]] = []
    order = []
    for game, seats, payoffs in played:
        each = (game, tuple(seats), tuple(payoffs))
        if each not in results:
            results.append(each)
        order.append(results.index(each))
    counted = [
        Result(game, seats, Ending(payoffs, ""), order.count(place))
        for place, (game, seats, payoffs) in enumerate(results)
    ]
    return Sums(counted, weeks, order)


def duels(outcomes: str, opponent: str = "minimax:medium", seat: int = 0, game: str = "othello"):  # type: ignore[no-untyped-def]
    """Matches of a person against *opponent*: ``w``, ``d`` or ``l`` for each."""
    for outcome in outcomes:
        paid = {"w": 1.0, "d": 0.0, "l": -1.0}[outcome]
        seats = ("human", opponent) if seat == 0 else (opponent, "human")
        yield game, seats, (paid, -paid) if seat == 0 else (-paid, paid)


class TestResults:
    def test_are_told_from_the_person_s_seat(self) -> None:
        found = statistics_of(sums_of(*duels("wwd"), *duels("wll", "minimax:easy", seat=1)))
        assert found.score == Score(3, 1, 2) and found.number == 6
        assert [(row.label, row.score) for row in found.by_opponent] == [("Medium", (2, 1, 0)), ("Easy", (1, 0, 2))]
        assert [(row.label, row.score) for row in found.by_seat] == [("Seat 1", (2, 1, 0)), ("Seat 2", (1, 0, 2))]

    def test_of_one_game_leave_the_others_out(self) -> None:
        sums = sums_of(*duels("wwww"), *duels("ll", game="santorini"))
        found = statistics_of(sums, "santorini")
        assert found.score == Score(0, 0, 2) and found.streak == Streak("lost", 2)
        assert found.games == ["othello", "santorini"], "the most played first"
        assert [row.number for row in statistics_of(sums).by_game] == [4, 2]

    def test_among_persons_count_as_played_only(self) -> None:
        found = statistics_of(sums_of(("othello", ("human", "human"), (1.0, -1.0)), *duels("w")))
        assert (found.number, found.score, len(found.by_opponent)) == (2, Score(1, 0, 0), 1)

    def test_of_several_opponents_name_each_once(self) -> None:
        seats = ("minimax:easy", "human", "minimax:easy", "random")
        found = statistics_of(sums_of(("catur-jawa", seats, (-1.0, 1.0, -1.0, -1.0))), "catur-jawa")
        assert [(row.label, row.score) for row in found.by_opponent] == [("2 × Easy, Random", (1, 0, 0))]

    def test_of_a_game_that_is_gone_are_told_by_its_name(self) -> None:
        found = statistics_of(sums_of(*duels("w", game="halma")))
        assert found.by_game[0].label == "halma" and found.by_opponent[0].label == "minimax:medium"

    def test_nothing_is_nothing(self) -> None:
        found = statistics_of(Sums())
        assert (found.number, found.score.number, found.streak, found.best) == (0, 0, Streak(), None)
        assert not found.weeks and not found.course


class TestOfOne:
    def test_scores_are_the_best_and_the_mean(self) -> None:
        sums = sums_of(*(("2048", ("human",), (score,)) for score in (400.0, 1200.0, 400.0)))
        found = statistics_of(sums, "2048")
        assert found.is_of_one and found.best == 1200.0 and found.mean == pytest.approx(2000 / 3)
        assert [(row.label, row.number) for row in found.best_scores] == [("1,200", 1), ("400", 2)]
        assert found.scores == [(1, 400.0), (2, 1200.0), (3, 400.0)]
        assert not statistics_of(sums).is_of_one, "among all games there is nothing to compare scores with"


class TestStreaks:
    @pytest.mark.parametrize(
        ("outcomes", "current", "best"),
        [
            ("w", ("won", 1), 1),
            ("wwlwww", ("won", 3), 3),
            ("wwwwl", ("lost", 1), 4),
            ("lld", ("draw", 1), 0),
        ],
    )
    def test_current_and_best(self, outcomes: str, current: tuple[str, int], best: int) -> None:
        found = statistics_of(sums_of(*duels(outcomes)))
        assert found.streak == current and found.best_streak.length == best


class TestRating:
    def test_is_the_elo_of_the_score_against_the_reference(self) -> None:
        found = statistics_of(sums_of(*duels("w" * 30 + "l" * 10), *duels("lll", "minimax:hard")), "othello")
        assert found.rating is not None and found.reference == "Medium"
        assert expected_score(found.rating.elo) == pytest.approx(30.5 / 41, abs=1e-4)  # a draw is added
        assert 80 < found.rating.margin < 160
        hard = found.by_opponent[1].rating
        assert hard is not None and hard.elo < 0 and hard.margin > found.rating.margin

    def test_more_matches_tell_more(self) -> None:
        few, many = (statistics_of(sums_of(*duels("wl" * number)), "othello").rating for number in (5, 200))
        assert few is not None and many is not None
        assert few.elo == pytest.approx(0.0, abs=1e-6) and many.margin < few.margin / 4

    def test_is_against_the_level_that_is_offered_first_where_it_was_met(self) -> None:
        met = [*duels("wl" * 9), *duels("wl" * 20, "level:2"), *duels("wl", "level:4")]
        assert statistics_of(sums_of(*met), "othello").reference == "Mouse-deer"
        assert statistics_of(sums_of(*met[:-2]), "othello").reference == "Medium"

    def test_without_the_usual_opponent_whoever_was_met_most_is_the_reference(self) -> None:
        found = statistics_of(sums_of(*duels("w", "random"), *duels("lw", "minimax:hard")), "othello")
        assert found.reference == "Hard" and found.rating is not None

    def test_of_several_games_there_is_none(self) -> None:
        assert statistics_of(sums_of(*duels("wl"))).rating is None

    def test_at_a_table_of_four_all_meet(self) -> None:
        seats = ("human", "minimax:medium", "minimax:easy", "minimax:easy")
        found = statistics_of(sums_of(*[("catur-jawa", seats, (1.0, -1.0, -1.0, -1.0))] * 5), "catur-jawa")
        assert found.rating is not None and found.rating.elo > 100


class TestInTime:
    def test_weeks_without_matches_are_there(self) -> None:
        week = datetime.timedelta(weeks=1)
        weeks = [Week("othello", MONDAY, 3), Week("cifra", MONDAY, 1), Week("othello", MONDAY + 2 * week, 5)]
        today = MONDAY + 3 * week + datetime.timedelta(days=4)
        sums = sums_of(*duels("w"), weeks=weeks)
        assert statistics_of(sums, today=today).weeks == [
            (MONDAY + number * week, count) for number, count in enumerate((0, 4, 0, 5, 0), start=-1)
        ]
        assert [count for _monday, count in statistics_of(sums, "cifra", today).weeks] == [0, 1, 0, 0, 0]

    def test_two_years_are_enough(self) -> None:
        old = [Week("othello", MONDAY - datetime.timedelta(weeks=1000), 1), Week("othello", MONDAY, 1)]
        assert len(statistics_of(sums_of(*duels("w"), weeks=old), today=MONDAY).weeks) == 104

    def test_the_course_ends_with_the_share_of_all(self) -> None:
        found = statistics_of(sums_of(*duels("wld" * 300)))
        assert len(found.course) < 160
        assert (found.course[0].number, found.course[-1].number) == (1, 900)
        assert found.course[-1].share == found.score.share == 0.5
        assert found.course[-1].interval == found.score.interval


class TestRatingCourse:
    def test_ends_with_the_rating_and_follows_the_results(self) -> None:
        found = statistics_of(sums_of(*duels("wwwwllll")), "othello")
        course = [moment.rating.elo for moment in found.rating_course]
        assert [moment.number for moment in found.rating_course] == [*range(1, 9)]
        assert course[-1] == found.rating.elo if found.rating else False
        assert course[:4] == sorted(course[:4]) and course[3:] == sorted(course[3:], reverse=True)

    def test_has_few_points_and_begins_with_the_reference(self) -> None:
        found = statistics_of(sums_of(*duels("w" * 30, "random"), *duels("wl" * 50)), "othello")
        numbers = [moment.number for moment in found.rating_course]
        assert found.reference == "Medium" and 31 <= numbers[0] <= 34 and numbers[-1] == 130 and len(numbers) <= 40

    def test_is_of_one_game_only(self) -> None:
        sums = sums_of(*duels("wlw"), *duels("ll", game="santorini"))
        assert not statistics_of(sums).rating_course
        assert len(statistics_of(sums, "santorini").rating_course) == 2
