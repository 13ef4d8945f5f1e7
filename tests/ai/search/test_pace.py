"""Which iterations a search begins, by a clock that stands still between them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from papan.ai.limits import Limit
from papan.ai.search import pace as module
from papan.ai.search.pace import Pace
from papan.game.kernel.clock import NEVER

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
