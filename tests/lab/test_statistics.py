"""The jackknife, beside what is known of means and of ratios."""

from __future__ import annotations

from itertools import product
from math import inf, sqrt

import numpy as np
import pytest

from papan.lab.statistics import Parts, Points, jackknife_error, jackknife_interval, parts


class TestJackknife:
    def test_a_means_error_is_the_usual_one(self) -> None:
        values = np.array([2.0, 3.0, 7.0, 8.0, 15.0])
        error = jackknife_error(values, lambda rows: float(rows.mean()))
        assert error == pytest.approx(values.std(ddof=1) / sqrt(5))

    def test_a_ratio_of_three_rows_by_hand(self) -> None:
        """1 of 2, 3 of 4, 2 of 2: without one of them 5/6, 3/4, 4/6; the squares around their mean are 1/72 in all."""
        rows = np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 2.0]])
        low, high = jackknife_interval(rows, lambda some: float(some[:, 0].sum() / some[:, 1].sum()))
        assert (low + high) / 2 == pytest.approx(6 / 8)
        assert (high - low) / 2 == pytest.approx(1.959964 * sqrt(2 / 3 / 72))

    def test_one_row_tells_nothing(self) -> None:
        assert jackknife_error(np.array([1.0]), lambda rows: float(rows.mean())) == inf


def table(deals: list[list[list[float]]]) -> Points:
    """The points of two seats: by deal, by the player on the first seat and by replay, what that seat won."""
    points = np.zeros((len(deals), 2, 2, len(deals[0][0])))
    for deal, games in enumerate(deals):
        for player, won in enumerate(games):
            points[deal, 0, player] = won
            points[deal, 1, 1 - player] = 1.0 - np.array(won)
    return points


class TestByHand:
    def test_the_same_player_always_wins(self) -> None:
        assert parts(table([[[1, 1], [0, 0]]] * 3)) == Parts(0.25, 0.0, 0.0, 0.25, 0.0, 0.0)

    def test_the_first_seat_always_wins(self) -> None:
        assert parts(table([[[1, 1], [1, 1]]] * 3)) == Parts(0.25, 0.0, 0.25, 0.0, 0.0, 0.0)

    def test_the_first_of_three_seats_always_wins(self) -> None:
        """Of each three results one is 2/3 above the mean, and two are 1/3 below: (4/9 + 1/9 + 1/9) / 3."""
        points = np.zeros((2, 3, 3, 2))
        points[:, 0] = 1.0
        assert parts(points) == pytest.approx((2 / 9, 0.0, 2 / 9, 0.0, 0.0, 0.0))

    def test_each_deal_has_its_winner(self) -> None:
        """At each seat the deals' means are 1 and 0, of which the variance is 1/2.

        The seats' means are both 1/2, and what they vary by is taken off: 0 - (1/2) / 2. Replays agree.
        """
        found = parts(table([[[1, 1], [1, 1]], [[0, 0], [0, 0]]]))
        assert found == pytest.approx((0.25, 0.5, -0.25, 0.0, 0.0, 0.0))

    def test_each_replay_has_its_winner(self) -> None:
        """Each cell has a 1 and a 0, of which the variance is 1/2; four games to a seat of a deal: 0 - (1/2) / 4."""
        found = parts(table([[[1, 0], [0, 1]], [[1, 0], [1, 0]]]))
        assert found == pytest.approx((0.25, -0.125, 0.0, 0.0, -0.125, 0.5))

    def test_a_table_of_all_sorts(self) -> None:
        """Deal 1: the first seat wins all with player A there, half with B. Deal 2: half with A, nothing with B.

        Cells: 0 twice and 1/2 twice, so play is 1/4. Seat 1 has 3/4 and 1/4, variance 1/8: cards 1/8 - (1/4) / 4.
        Seats: both 1/2, so -(1/8) / 2. A has (1 + 1/2) / 2 = 3/4 in deal 1, (1/2 + 1) / 2 in deal 2: (1/4)² and no
        variance. What remains of 1/4 is 1/4 - 1/4 - 1/16 + 1/16 - 1/16.
        """
        found = parts(table([[[1, 1], [1, 0]], [[0, 1], [0, 0]]]))
        assert found == pytest.approx((1 / 4, 1 / 16, -1 / 16, 1 / 16, -1 / 16, 1 / 4))

    @pytest.mark.parametrize("shape", [(1, 2, 2, 2), (2, 2, 2, 1), (2, 2, 3, 2)])
    def test_what_tells_no_variance_is_refused(self, shape: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match="two deals and two replays"):
            parts(np.zeros(shape))


def test_estimates_are_right_on_average() -> None:
    """Two kinds of deals, each as likely; the first seat's chances by kind and by who sits there.

    The mean of the estimates over both kinds of two deals, and over all results of their eight games, is what the
    chances themselves say.
    """
    chances = np.array([[0.9, 0.4], [0.5, 0.2]])  # [kind, player on the first seat]
    seat = (chances.mean() - 0.5) ** 2
    player = ((chances[:, 0] + 1 - chances[:, 1]).mean() / 2 - 0.5) ** 2
    cards = chances.mean(axis=1).var()
    play = (chances * (1 - chances)).mean()
    mean = np.zeros(len(Parts._fields))
    for kinds in product(range(2), repeat=2):
        for won in product((0.0, 1.0), repeat=8):
            games = np.array(won).reshape(2, 2, 2)
            likely = chances[list(kinds)][:, :, None]
            weight = np.prod(np.where(games == 1.0, likely, 1 - likely)) / 4
            mean += weight * np.array(parts(table(games.tolist())))
    assert mean == pytest.approx([0.25, cards, seat, player, 0.25 - cards - seat - player - play, play])
