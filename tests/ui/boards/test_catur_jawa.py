"""The look of Catur Jawa: board and hands, and that nobody's hand is shown to anybody else."""

from __future__ import annotations

import pygame
import pytest

from papan.game.kernel.rng import random_state
from papan.game.rules import NOBODY, guess, is_over, observe, play
from papan.game.rules.catur_jawa import State, parse, step_of
from papan.game.rules.catur_jawa.board import CELLS, HIDDEN, hand_cards
from papan.ui.boards import Moving, Picture
from papan.ui.boards.catur_jawa import Board
from papan.ui.drawing.theme import THEMES
from tests.ui.boards.drawing import AREA, drawn, frozen, same, view_of

H5 = 43


def seen(view: Board, seat: int = 0) -> State:
    state: State = observe(view.sample(), seat)
    return state


class TestCells:
    def test_arrows_lead_to_the_hand_and_back(self) -> None:
        view = view_of(Board)
        assert view.neighbour(8, "right") == CELLS and view.neighbour(CELLS, "right") == CELLS + 1
        assert view.neighbour(CELLS + 2, "right") == CELLS + 2
        assert view.neighbour(CELLS, "left") < CELLS
        assert view.neighbour(40, "up") == 49 and view.neighbour(0, "left") == 0
        assert view.first_cursor(view.sample()) == CELLS

    def test_a_still_board_has_no_hands(self) -> None:
        view = view_of(Board, is_still=True)
        assert view.frame.center == AREA.center and view.cell_size > view_of(Board).cell_size
        assert same(drawn(view, Picture(view.sample())), drawn(view, Picture(seen(view, 1))))


class TestDrawing:
    @pytest.mark.parametrize("theme", THEMES)
    def test_what_a_picture_says_of_cards_is_seen(self, theme: str) -> None:
        view = view_of(Board, theme)
        state = seen(view)
        plain = drawn(view, Picture(state))
        for said in (
            Picture(state, targets=frozenset({CELLS, CELLS + 1})),
            Picture(state, targets=frozenset({CELLS}), hover=CELLS),
            Picture(state, chosen=CELLS + 1),
            Picture(state, targets=frozenset({50}), chosen=CELLS + 1),
            Picture(state, last=(CELLS, 50)),
            Picture(state, cursor=CELLS + 1),
        ):
            assert not same(drawn(view, said), plain), said

    def test_what_decided_is_marked(self) -> None:
        view = view_of(Board)
        won = observe(play(view.sample(), step_of(8, H5)), 0)
        assert is_over(won)
        veiled, bright = view.cell_rect(50).center, view.cell_rect(H5).move(0, -view.cell_size // 4).center
        before, after = drawn(view, Picture(seen(view))), drawn(view, Picture(won))
        assert before.get_at(veiled) != after.get_at(veiled)
        assert after.get_at(bright)[:3] == view.theme.panel
        rows = "........./........./........./........./....r9r8.../....g7..../........./........./........."
        drawn(view, Picture(parse(f"{rows} 1 , ,", {})))


class TestHiddenHands:
    @pytest.mark.parametrize("viewer", [0, 1, 3, NOBODY])
    def test_other_hidden_cards_give_the_same_picture(self, viewer: int) -> None:
        view = view_of(Board)
        state = view.sample()
        other = guess(state, viewer, random_state(5))
        assert other != state
        assert same(drawn(view, Picture(observe(state, viewer))), drawn(view, Picture(observe(other, viewer))))

    def test_even_a_full_state_shows_one_hand_only(self) -> None:
        view = view_of(Board)
        state = view.sample()
        assert same(drawn(view, Picture(state)), drawn(view, Picture(guess(state, 0, random_state(5)))))

    def test_the_hand_of_the_only_person_stays_in_front(self) -> None:
        view = view_of(Board, seat_in_front=2)
        state = view.sample()
        before = drawn(view, Picture(state))
        assert same(before, drawn(view, Picture(guess(state, 2, random_state(5)))))
        assert not same(before, drawn(view, Picture(guess(state, 0, random_state(5)))))

    def test_without_one_the_hand_that_can_be_seen_is_in_front(self) -> None:
        state = seen(view_of(Board), 3)
        frames = [drawn(view_of(Board, seat_in_front=seat), Picture(state)) for seat in range(state.seats)]
        assert [same(frame, drawn(view_of(Board), Picture(state))) for frame in frames] == [False, False, False, True]

    def test_where_none_can_be_seen_none_is_in_front(self) -> None:
        state = seen(view_of(Board), NOBODY)
        frames = [drawn(view_of(Board, seat_in_front=seat), Picture(state)) for seat in (*range(state.seats), None)]
        assert len({frozen(frame) for frame in frames}) == state.seats + 1


class TestAnimation:
    def moving(self, viewer: int, seat: int, progress: float) -> Picture:
        view = view_of(Board)
        state = view.sample()
        for other in range(seat):
            state = play(state, step_of(hand_cards(state, other)[0], 31 + other))
        step = step_of(hand_cards(state, seat)[0], 24)
        before, after = observe(state, viewer), observe(play(state, step), viewer)
        return Picture(before, moving=Moving(before, step, after, progress))

    @pytest.mark.parametrize("viewer", [0, 1, NOBODY])
    @pytest.mark.parametrize("seat", [0, 1])
    def test_a_card_flies_to_its_cell(self, viewer: int, seat: int) -> None:
        view = view_of(Board)
        start, middle, end = (drawn(view, self.moving(viewer, seat, progress)) for progress in (0.0, 0.5, 1.0))
        assert not same(start, middle) and not same(middle, end)
        rect = view.cell_rect(24).inflate(-8, -8)
        shown = self.moving(viewer, seat, 1.0).moving
        assert shown is not None
        still = drawn(view, Picture(shown.after))
        assert end.get_at(rect.midtop) == still.get_at(rect.midtop)

    def test_nobody_sees_a_hidden_hand_on_the_way(self) -> None:
        view = view_of(Board)
        one = self.moving(0, 1, 0.2)
        assert one.moving and set(hand_cards(one.moving.before, 1)) == {HIDDEN}
        drawn(view, one)


class TestTheArea:
    @pytest.mark.parametrize("size", [(676, 474), (868, 634), (1508, 914)])
    def test_the_board_is_as_high_as_its_area(self, size: tuple[int, int]) -> None:
        view = view_of(Board, area=pygame.Rect((10, 10), size))
        coordinates = view.cell_size * view.coordinates_share
        assert size[1] - view.frame.h - coordinates < 12

    def test_the_hand_lies_below_those_of_the_others(self) -> None:
        view = view_of(Board)
        assert view.cell_rect(CELLS).top > view.frame.centery and view.cell_rect(CELLS).left > view.frame.right
