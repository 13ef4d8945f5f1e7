"""What learners are shown of positions that are known, and how choices are numbered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.ai.observation import action_of, observation_of, planes_for, step_of
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import State, legal_steps


def match_of(name: str, position: str | None = None, **options: str) -> Match:
    seats = int(options.pop("seats", GAMES[name].seats[0]))
    return Match.new(GAMES[name], [""] * seats, options, 5, position)


def shown(name: str, state: State, seat: int) -> NDArray[Any]:
    return planes_for(observation_of(GAMES[name]), state, seat)


def set_cells(plane: NDArray[Any]) -> list[tuple[int, int]]:
    """Row and column of each cell that is not 0, row by row."""
    return [(int(row), int(column)) for row, column in zip(*np.nonzero(plane), strict=True)]


class TestBoards:
    def test_connect_fours_rows_are_counted_from_the_bottom(self) -> None:
        own, others = shown("connect-four", match_of("connect-four", "445").state, 1)
        assert (set_cells(own), set_cells(others)) == ([(1, 3)], [(0, 3), (0, 4)])

    @pytest.mark.parametrize(("name", "position"), [("connect-four", "445"), ("gomoku", "h8 a1 b2"), ("othello", None)])
    def test_who_does_not_move_sees_the_same_the_other_way_round(self, name: str, position: str | None) -> None:
        state = match_of(name, position).state
        assert np.array_equal(shown(name, state, 0), shown(name, state, 1)[::-1])

    def test_othellos_rows_are_counted_from_the_top(self) -> None:
        own, others = shown("othello", match_of("othello").state, 0)
        assert (set_cells(own), set_cells(others)) == ([(3, 4), (4, 3)], [(3, 3), (4, 4)])

    def test_gomokus_words_are_one_board(self) -> None:
        own, others = shown("gomoku", match_of("gomoku", "a1 o15 h8 d4").state, 0)
        assert (set_cells(own), set_cells(others)) == ([(0, 0), (7, 7)], [(3, 3), (14, 14)])

    def test_checkers_men_stand_on_dark_squares(self) -> None:
        state = match_of("checkers").state
        men = [(row, column) for row in range(3) for column in range(8) if (row + column) % 2]
        assert set_cells(shown("checkers", state, 0)[0]) == set_cells(shown("checkers", state, 1)[2]) == men
        assert shown("checkers", state, 1)[5].all() and not shown("checkers", state, 0)[5].any()

    def test_xiangqis_halves_are_one_board(self) -> None:
        red, black = (shown("xiangqi", match_of("xiangqi").state, seat) for seat in range(2))
        assert set_cells(red[0]) == [(0, 4)] and set_cells(black[0]) == [(9, 4)]
        assert red[:7].sum() == black[7:14].sum() == 16
        assert set_cells(red[5]) == [(2, 1), (2, 7)]  # cannons

    def test_small_boards_of_2048_lie_in_the_corner(self) -> None:
        planes = shown("2048", match_of("2048", "2,0/0,4 0", size="2").state, 0)
        assert planes.shape == (15, 2, 2)
        assert set_cells(planes[0]) == [(0, 0)] and set_cells(planes[1]) == [(1, 1)]


class TestNumbers:
    def test_cifras_pieces_have_their_ranks(self) -> None:
        match = match_of("cifra", mode="sum", size="9")
        for _ in range(2):
            match.play(match.legal_steps()[0])
        ranks = shown("cifra", match.state, 0)[4]
        assert ranks[0].tolist() == [*range(1, 10)] and ranks[8].tolist() == [*range(9, 0, -1)]
        assert not ranks[1:8].any()

    def test_p_trees_sum_is_the_seats(self) -> None:
        match = match_of("p-tree", "1221")
        wanted = [
            int(planes[3, 0, 0]) * 256 + int(planes[4, 0, 0]) - 2540
            for planes in (shown("p-tree", match.state, seat) for seat in range(2))
        ]
        assert wanted == [match.state.total, -match.state.total]
        assert shown("p-tree", match.state, 0)[:2, 0, :5].tolist() == [[1, 0, 0, 1, 0], [0, 1, 1, 0, 0]]


def test_cards_of_a_hand_and_of_what_is_not_seen() -> None:
    state = match_of("catur-jawa", seats="3").state
    planes = shown("catur-jawa", state, 1)[:, 0, 0]
    hand, unseen = planes[9:18], planes[18:].reshape(3, 9)
    assert planes[3:6].tolist() == [3, 3, 3] and planes[6:9].tolist() == [0, 0, 1]
    assert hand.sum() == 3 and (hand + unseen[0] == 2).all() and (unseen[1:] == 2).all()


def test_partners_see_their_workers_first() -> None:
    match = match_of("santorini", seats="4", teams="yes", gods="none", placement="random")
    first, second, third, fourth = (shown("santorini", match.state, seat)[:2] for seat in range(4))
    assert np.array_equal(first, third) and np.array_equal(second, fourth) and np.array_equal(first, second[::-1])
    assert first.sum(axis=(1, 2)).tolist() == [2, 2]


class TestActions:
    def numbers(self, name: str, state: State) -> dict[str, int]:
        """The action of each legal step, by its notation."""
        rules = GAMES[name].rules
        return {rules.notation(state, step): int(action_of(state, step)) for step in legal_steps(state)}

    def test_gomokus_are_counted_row_by_row(self) -> None:
        numbers = self.numbers("gomoku", match_of("gomoku").state)
        assert (numbers["a1"], numbers["b1"], numbers["a2"], numbers["o15"]) == (0, 1, 15, 224)

    def test_santorinis_begin_with_moves(self) -> None:
        state = match_of("santorini", f"{'0' * 25}/1/mortal:a1,e5/mortal:a5,e1").state
        assert self.numbers("santorini", state)["a1-b2"] == 6

    def test_xiangqis_are_fewer_than_pairs_of_cells(self) -> None:
        observation, state = observation_of(GAMES["xiangqi"]), match_of("xiangqi").state
        assert observation.actions(state) == 90 * 17 + 508 + 32 + 168  # lines, leaps, palaces, elephants
        assert step_of(state, 0) == 1  # from a0 to b0
