"""The look of checkers: where its squares are, whose side is in front, and that what there is to see is drawn."""

from __future__ import annotations

import pygame
import pytest

from papan.game.rules import checkers, legal_steps, play
from papan.ui.boards import Direction, Moving, Picture
from papan.ui.boards.checkers import Board, jumped_square, routes
from papan.ui.drawing.theme import THEMES
from tests.ui.boards.drawing import changed_on, drawn, frozen, same, view_of

THERE_AND_BACK: tuple[tuple[Direction, Direction], ...] = (("up", "down"), ("left", "right"))
SEVERAL = "B:W14,22,23,32:B1,9,K12"  # 9x18 goes on to 25 or 27


def state_of(text: str) -> checkers.State:
    return checkers.parse(text, {})


def step_of(origin: int, target: int) -> int:
    return (origin - 1) << 5 | (target - 1)


def differing(view: Board, before: Picture, after: Picture, square: int) -> int:
    """How many pixels of the square of that number two pictures draw differently."""
    return changed_on(view, before, after, square - 1)


def in_the_middle() -> checkers.State:
    """After the first of several jumps."""
    state: checkers.State = play(state_of(SEVERAL), step_of(9, 18))
    return state


class TestSquares:
    def test_light_ones_and_the_frame_are_none(self) -> None:
        view = view_of(Board)
        one = view.cell_rect(0)
        assert view.cell_at((one.left - 5, one.centery)) is None
        assert view.cell_at((one.centerx, one.top - 3)) is None
        assert view.cell_at((51, 61)) is None

    def test_they_lie_as_they_are_printed(self) -> None:
        view = view_of(Board)
        one, four, five, last = (view.cell_rect(square - 1) for square in (1, 4, 5, 32))
        assert one.y == four.y < five.y < last.y
        assert five.x < one.x < last.x < four.x

    def test_the_one_person_sits_in_front(self) -> None:
        black, white = view_of(Board, seat_in_front=0), view_of(Board, seat_in_front=1)
        assert black.cell_rect(0).y > black.cell_rect(31).y
        assert white.cell_rect(0) == view_of(Board).cell_rect(0)

    @pytest.mark.parametrize("in_front", [0, 1])
    def test_arrow_keys_lead_back(self, in_front: int) -> None:
        view = view_of(Board, seat_in_front=in_front)
        for cell in range(32):
            for ahead, back in THERE_AND_BACK:
                other = view.neighbour(cell, ahead)
                assert other == cell or view.neighbour(other, back) == cell

    def test_the_cursor_begins_on_what_can_move(self) -> None:
        view = view_of(Board)
        assert view.first_cursor(checkers.board.START) + 1 in (10, 11)
        assert view.first_cursor(state_of(SEVERAL)) + 1 == 9
        assert view.first_cursor(in_the_middle()) + 1 in (25, 27)


class TestRoutes:
    def test_all_ways_to_their_ends(self) -> None:
        assert sorted(routes(state_of(SEVERAL), 8)) == [(8, 17, 24), (8, 17, 26)]
        assert routes(state_of(SEVERAL), 0) == []
        assert sorted(routes(in_the_middle(), 17)) == [(17, 24), (17, 26)]

    def test_a_king_may_come_back(self) -> None:
        ways = routes(state_of("B:W7,8,15,16,32:BK3"), 2)
        assert sorted(ways) == [(2, 9, 18, 11, 2), (2, 11, 18, 9, 2)]

    def test_what_is_jumped_over(self) -> None:
        assert [jumped_square(8, 17) + 1, jumped_square(17, 26) + 1, jumped_square(30, 23) + 1] == [14, 23, 27]


class TestMarks:
    state = state_of(SEVERAL)
    plain = Picture(state)
    chosen = Picture(state, targets=frozenset({17}), chosen=8)

    def test_ways_and_what_is_captured_are_seen(self) -> None:
        view = view_of(Board)
        for square in (18, 14, 22, 23, 25, 27):
            assert differing(view, Picture(self.state, chosen=8), self.chosen, square) > 60, square
        assert differing(view, self.plain, self.chosen, 1) == 0

    def test_hidden_targets_hide_the_ways(self) -> None:
        assert same(*(drawn(view_of(Board), Picture(self.state, chosen=8, hover=hover)) for hover in (None, 17)))

    def test_in_the_middle_of_a_turn_the_piece_is_lifted_by_itself(self) -> None:
        state = in_the_middle()
        assert differing(view_of(Board), Picture(state), Picture(state._replace(jumper=0)), 18) > 300

    def test_a_piece_that_may_be_chosen_is_outlined(self) -> None:
        assert differing(view_of(Board), self.plain, Picture(self.state, targets=frozenset({8})), 9) > 100

    def test_the_last_turn_is_a_path(self) -> None:
        """It is seen on light squares too, which are no cells: halfway between two landings."""
        view = view_of(Board)
        first, second = drawn(view, Picture(self.state)), drawn(view, Picture(self.state, last=(10, 14)))
        middle = [(a + b) // 2 for a, b in zip(view.cell_rect(10).center, view.cell_rect(14).center, strict=True)]
        spot = pygame.Rect(0, 0, 24, 24)
        spot.center = middle[0], middle[1]
        assert not same(first.subsurface(spot), second.subsurface(spot))

    def test_the_hint_in_the_middle_of_a_turn_begins_at_the_piece(self) -> None:
        state = in_the_middle()
        assert differing(view_of(Board), Picture(state), Picture(state, hint=(24,)), 22) > 60


class TestPieces:
    @pytest.mark.parametrize("theme", THEMES)
    def test_seats_and_kings_are_told_apart(self, theme: str) -> None:
        view = view_of(Board, theme)
        pieces = ["B:W32:B10", "B:W10,32:B1", "B:W32:BK10", "B:WK10,32:B1"]
        pictures = [Picture(state_of(text)) for text in pieces]
        for index, picture in enumerate(pictures):
            for other in pictures[:index]:
                assert differing(view, picture, other, 10) > 150


class TestAnimation:
    def test_jumps_and_crowning_take_longer(self) -> None:
        view = view_of(Board)
        times = {}
        for name, text, origin, target in (
            ("move", "B:W32:B9", 9, 13), ("jump", "B:W14,32:B9", 9, 18), ("crown", "B:WK2:B25", 25, 29)
        ):  # fmt: skip
            state, step = state_of(text), step_of(origin, target)
            times[name] = view.duration(state, step, play(state, step))
        assert times["move"] < times["jump"] < times["crown"] < 0.7

    @pytest.mark.parametrize(("text", "origin", "target"), [("B:W26,12:B22", 22, 31), ("B:W14,32:BK9", 9, 18)])
    def test_it_ends_as_the_state_looks(self, text: str, origin: int, target: int) -> None:
        view, before, step = view_of(Board), state_of(text), step_of(origin, target)
        after = play(before, step)
        last = Picture(before, moving=Moving(before, step, after, 1.0))
        for square in (origin, target, jumped_square(origin - 1, target - 1) + 1):
            assert differing(view, last, Picture(after), square) == 0

    @pytest.mark.parametrize("text", [SEVERAL, "W:W5,6,K18:B10,23", "B:WK2:B25,26"])
    def test_every_step_can_be_shown(self, text: str) -> None:
        view, state = view_of(Board, area=pygame.Rect(0, 0, 200, 200)), state_of(text)
        frames = {
            frozen(drawn(view, Picture(state, moving=Moving(state, step, play(state, step), share))))
            for step in legal_steps(state)
            for share in (0.0, 0.3, 0.6, 0.9, 1.0)
        }
        assert len(frames) >= 4 * len(legal_steps(state))
