"""The moments that decided a match."""

from __future__ import annotations

from papan.ai.review import Moment, Review
from papan.ui.play.key_moments import LEAST_CHANGE, KeyMoment, key_moments


def review_of(*chances: float, loss: float = 0.0) -> Review:
    """A review in which the first seat's winning chance was as given, from the start on; none of 2 for one seat."""
    moments = tuple(
        Moment(
            index=index,
            state_index=index,
            seat=None if index == 0 else (index - 1) % 2,
            notation="",
            mover=index % 2,
            score=0.0,
            chances=(chance, 1 - chance) if chance <= 1 else (),
            loss=loss if index else 0.0,
            mark="??" if chance == 0.1 else "",
        )
        for index, chance in enumerate(chances)
    )
    return Review(moments, len(moments), 1.0)


def test_the_largest_changes_are_told_in_the_order_of_the_match() -> None:
    found = key_moments(review_of(0.5, 0.8, 0.7, 0.1, 0.15, 0.55))
    assert [moment.turn for moment in found] == [1, 3, 5]
    assert found[1].mark == "??" and abs(found[1].change - 0.6) < 1e-9


def test_what_hardly_changed_anything_is_no_moment() -> None:
    assert key_moments(review_of(0.5, 0.5 + LEAST_CHANGE / 2, 0.5)) == []
    assert key_moments(review_of(0.5)) == []


def test_in_a_game_for_one_what_was_lost_counts() -> None:
    assert key_moments(review_of(2, 2, loss=0.3)) == [KeyMoment(1, 0.3, "")]
