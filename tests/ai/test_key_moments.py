"""The moments that decided a match."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from papan.ai.key_moments import LEAST_SWING, MOST_MOMENTS, SEEN_LATE, KeyMoment, key_moments
from papan.ai.limits import Limit
from papan.ai.review import Moment, Review, Reviewer
from papan.game.catalogue import GAMES
from papan.game.match import Match


def review_of(
    *chances: Sequence[float] | float, marks: dict[int, str] | None = None, has_chance: bool = False
) -> Review:
    """A review in which the seats' winning chances were as given, from the start on; of two, the first one's.

    Each turn lost what its mover's chance fell by.
    """
    moments: list[Moment] = []
    for index, given in enumerate(chances):
        shares = (given, 1 - given) if isinstance(given, float) else tuple(given)
        seat = (index - 1) % len(shares) if index else None
        loss = max(0.0, moments[-1].chances[seat] - shares[seat]) if seat is not None else 0.0
        moments.append(
            Moment(
                index=index,
                state_index=index,
                seat=seat,
                notation="",
                mover=index % len(shares),
                score=0.0,
                chances=shares,
                loss=loss,
                mark=(marks or {}).get(index, ""),
            )
        )
    return Review(tuple(moments), len(moments), 1.0, has_chance)


def turns(review: Review, most: int = MOST_MOMENTS) -> list[int]:
    return [moment.turn for moment in key_moments(review, most)]


def test_the_largest_swings_are_told_in_the_order_of_the_match() -> None:
    review = review_of(0.5, 0.2, 0.25, 0.1, 0.5, 0.45, 0.7, marks={4: "??"})
    found = key_moments(review)
    assert [moment.turn for moment in found] == [1, 4, 6]
    assert found[1].swing == pytest.approx(0.4) and found[1].mark == "??"
    assert turns(review, 1) == [4]


def test_what_hardly_changed_anything_is_no_moment() -> None:
    assert key_moments(review_of(0.5, 0.5 - LEAST_SWING / 2, 0.5)) == []
    assert key_moments(review_of(0.5)) == []


class TestMerit:
    def test_what_a_search_saw_late_counts_little(self) -> None:
        """No turn betters a position: where a chance rises, more was seen than before."""
        seen_late = review_of(0.5, 0.8, 0.8, 0.7)
        assert turns(seen_late, 1) == [3], "a tenth that was lost outweighs three that were seen"
        assert key_moments(seen_late)[0].swing == pytest.approx(0.3 * SEEN_LATE)

    @pytest.mark.parametrize("mark", ["!", "!!"])
    def test_the_only_good_turn_is_found(self, mark: str) -> None:
        assert turns(review_of(0.5, 0.8, 0.8, 0.7, marks={1: mark}), 1) == [1]

    def test_of_a_fall_only_what_was_lost(self) -> None:
        """The reviewer looks again at a turn that seems bad: the rest would have come by any turn."""
        whole = review_of(0.5, 0.1)
        fallen = whole.moments[1]
        half = Review((whole.moments[0], Moment(**{**vars(fallen), "loss": 0.1})), 2, 1.0)
        assert key_moments(half)[0].swing == pytest.approx(0.1 + SEEN_LATE * 0.3)

    def test_luck_counts(self) -> None:
        assert key_moments(review_of(0.5, 0.8, has_chance=True))[0].swing == pytest.approx(0.3)

    def test_what_a_turn_does_to_others_counts(self) -> None:
        before, after = (0.4, 0.3, 0.3), (0.45, 0.5, 0.05)
        assert key_moments(review_of(before, after))[0].swing == pytest.approx(0.25)


class TestSlides:
    def test_a_mistake_that_is_seen_twice_is_named_once(self) -> None:
        falling = review_of(0.6, 0.3, 0.05)
        assert turns(falling) == [1]

    def test_by_the_larger_part(self) -> None:
        assert turns(review_of(0.6, 0.55, 0.55, 0.5, 0.1, marks={4: "!"})) == [1, 4]

    def test_what_goes_back_again_is_another(self) -> None:
        """A mistake, and one that does not punish it."""
        assert turns(review_of(0.5, 0.2, 0.5)) == [1, 2]

    def test_two_mistakes_of_one_player_are_two(self) -> None:
        assert turns(review_of(0.9, 0.6, 0.6, 0.3)) == [1, 3]


class TestMomentum:
    def test_of_swings_about_as_large_the_open_game_counts(self) -> None:
        review = review_of(0.99, 0.67, 0.67, 0.5, 0.5, 0.2)
        assert turns(review, 1) == [5], "from even to lost, not from won to nearly won"

    def test_a_swing_that_is_clearly_larger_counts_all_the_same(self) -> None:
        review = review_of(0.99, 0.6, 0.6, 0.5, 0.5, 0.2)
        assert turns(review, 1) == [1]


def test_in_a_game_for_one_what_was_lost_counts() -> None:
    def moment(index: int, loss: float) -> Moment:
        return Moment(index, index, 0 if index else None, "", 0, 0.0, (), loss=loss)

    review = Review(tuple(moment(index, loss) for index, loss in enumerate((0.0, 0.3, 0.2, 0.01))), 4, 1.0)
    assert key_moments(review) == [KeyMoment(1, 0.3, ""), KeyMoment(2, 0.2, "")]


def test_the_reviewer_says_where_chance_has_its_part() -> None:
    for name, has_chance in (("connect-four", False), ("2048", True)):
        match = Match.new(GAMES[name], ["human"] * GAMES[name].seats[0], {"first": "1"}, 1)
        assert Reviewer(match, Limit(nodes=100), conspiracy_turns=None).review.has_chance is has_chance
