"""Whether games' ends are foretold: what is known at a moment, and what predictors make of it."""

from __future__ import annotations

from dataclasses import replace
from math import inf, log
from random import Random

import pytest

from papan.ai.limits import Limit
from papan.ai.reviews.marks import WORST
from papan.ai.reviews.reviewer import Moment, Review, Reviewer
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.research.reproduction import traps
from papan.research.reproduction.experiment import Found
from papan.research.reproduction.traps import (
    CHANCE,
    MOMENTS,
    NUMBERS,
    TRAPS,
    TURNING_POINTS,
    Known,
    Sight,
    findings,
    loss_of,
    sight,
    sights,
)
from tests.research.reproduction.asking import asked_of, row_of


def moment(index: int, number: float = 1.0, mark: str = "", chance: float = 0.5) -> Moment:
    """The moment after a turn of the seat whose it is, in turns."""
    seat = None if index == 0 else (index - 1) % 2
    chances = (chance, 1.0 - chance)
    return Moment(index, index, seat, "", index % 2, 0.0, chances, mark=mark, conspiracy=None if index == 0 else number)


def review_of(*moments: Moment) -> Review:
    return Review(moments, len(moments), 1.0)


class TestSights:
    @pytest.mark.parametrize("name", ["connect-four", "othello"])
    def test_nothing_is_known_of_what_comes_later(self, name: str) -> None:
        match, random = Match.new(GAMES[name], ["", ""], {}, 1), Random(1)
        while match.ending is None:
            match.play(random.choice(match.legal_steps()))
        review = Reviewer(match, Limit(nodes=50)).run()
        for index in range(5, len(review.moments) - 1, 3):
            assert sight(review, index) == sight(replace(review, moments=review.moments[: index + 1]), index)

    def test_moments_lie_between_the_opening_and_the_end(self) -> None:
        review = review_of(*(moment(index, chance=(index + 1) / 100) for index in range(30)))
        seen = [round(100 * one.chance) - 1 for one in sights(review, 4)]
        assert seen == sorted(seen) and len(seen) == MOMENTS and seen[0] >= 4 and seen[-1] < 29
        assert not list(sights(review_of(*map(moment, range(4))), 4)), "a game that ends in its opening"

    def test_each_seats_last_number_is_seen(self) -> None:
        found = sight(review_of(moment(0), moment(1, 3.0), moment(2, 7.0), moment(3, inf)), 3)
        assert found.out_of_reach == (1.0, 0.0)
        assert found.numbers == pytest.approx((log(1 + 7.0 * 1.25), log(8.0)), abs=1e-4)

    def test_three_plays_of_nothing_but_calm_are_a_stability_trap(self) -> None:
        numbers = (9.0, 9.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0)
        moments = [moment(0), *(moment(index, number) for index, number in enumerate(numbers, start=1))]
        assert [sight(review_of(*moments), index).trapped[0] for index in (1, 3, 5, 7, 9)] == [0.0, 0.0, 1.0, 1.0, 2.0]

    def test_a_turning_point_counts_twice_while_it_is_new(self) -> None:
        review = review_of(*(moment(index, mark=WORST if index == 3 else "") for index in range(12)))
        assert [sight(review, index).turned for index in (2, 3, 8, 9)] == [
            (0.0, 0.0), (2.0, 0.0), (2.0, 0.0), (1.0, 0.0),
        ]  # fmt: skip


def drawn_games(number: int) -> list[Known]:
    """Games in which the first seat wins just as often as its chance says, and nothing else matters."""
    random = Random(1)
    found = list[Known]()
    for _ in range(number):
        chance = random.uniform(0.05, 0.95)
        noise = [tuple(float(random.randrange(2)) for _ in range(2)) for _ in range(5)]
        found.append((float(random.random() < chance), [Sight(chance, *noise)]))
    return found


class TestPredictors:
    def test_what_tells_is_told_and_what_does_not_gains_nothing(self) -> None:
        known = drawn_games(2000)
        knowing, other, both = (loss_of(kinds, known) for kinds in ((CHANCE,), (NUMBERS,), (CHANCE, NUMBERS)))
        assert len(knowing) == 1000
        assert knowing.mean() < 0.55 < 0.67 < other.mean() < 0.71
        assert abs(both.mean() - knowing.mean()) < 0.01
        draws = [(0.5, drawn_games(1)[0][1])] * 10
        assert loss_of((), draws) == pytest.approx([log(2.0)] * 5), "a draw is half a win"
        one = Sight(0.5, (1.0, 2.0), (0.0, 1.0), (2.0, 0.0), (0.0, 1.0), (3.0, 0.0))
        assert one.entries((CHANCE, NUMBERS, TRAPS, TURNING_POINTS)) == [
            1.0, 0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 3.0, 0.0,
        ]  # fmt: skip


def test_gains_are_what_is_lost_less() -> None:
    asked = asked_of(traps.EXPERIMENT, 0.2, {"game": "othello"})
    found: Found = {
        f"othello {number}": {"result": result, "sights": [list(seen) for seen in sights]}
        for number, (result, sights) in enumerate(drawn_games(200))
    }
    told = findings(asked, found)
    alone = row_of(told, "othello", "the engine's chance").ours
    both = row_of(told, "othello", "the engine's chance and turning points").ours
    gain = next(row for row in told.tables[1].rows if row.measure == "the engine's chance and turning points")
    assert isinstance(alone, float) and isinstance(both, float)
    assert gain.ours == pytest.approx(alone - both) and gain.number == 100 and gain.interval
