"""The look of Othello: where its cells are, what pointing promises, and how discs turn over."""

from __future__ import annotations

from random import Random

import pytest

from papan.game.rules import is_over, legal_steps, othello, play
from papan.game.rules.othello import CELLS, PASS, State, discs_turned_by
from papan.ui.boards import Moving, Picture
from papan.ui.boards.othello import PUT_SECONDS, SECONDS_A_DISC, TURN_SECONDS, Board
from papan.ui.drawing.theme import THEMES
from tests.ui.boards.drawing import changed_cells, drawn, same, view_of

A1, H1, H8 = 0, 7, 63


def changed(view: Board, first: Picture, second: Picture) -> dict[int, int]:
    return changed_cells(view, first, second, range(CELLS))


class TestCells:
    def test_a1_is_top_left(self) -> None:
        view = view_of(Board)
        assert view.cell_rect(A1).topleft < view.cell_rect(H8).topleft
        assert view.cell_rect(A1).y == view.cell_rect(H1).y
        assert view.neighbour(A1, "down") == 8 and view.neighbour(A1, "up") == A1

    def test_the_cursor_begins_where_there_is_something_to_do(self) -> None:
        state = othello.start({}, Random(1))
        assert view_of(Board).first_cursor(state) in legal_steps(state)
        over = State(1, 0, 0)
        assert is_over(over) and 0 <= view_of(Board).first_cursor(over) < CELLS


class TestDrawing:
    @pytest.mark.parametrize("theme", THEMES)
    def test_pointing_shows_what_would_be_turned_over(self, theme: str) -> None:
        view = view_of(Board, theme)
        state = view.sample()
        targets = frozenset(legal_steps(state))
        step = min(targets)
        turned = discs_turned_by(state, step)
        plain = Picture(state, targets=targets)
        for pointed in (Picture(state, targets=targets, hover=step), Picture(state, targets=targets, cursor=step)):
            promised = {cell for cell, pixels in changed(view, plain, pointed).items() if pixels > 20}
            assert promised == {cell for cell in range(CELLS) if cell == step or turned >> cell & 1}

    def test_elsewhere_pointing_promises_nothing(self) -> None:
        view = view_of(Board)
        state = view.sample()
        targets = frozenset(legal_steps(state))
        empty = next(
            cell for cell in range(CELLS) if not (state.mine | state.theirs) >> cell & 1 and cell not in targets
        )
        assert not changed(view, Picture(state, targets=targets), Picture(state, targets=targets, hover=empty))

    @pytest.mark.parametrize("theme", THEMES)
    def test_the_winners_discs_are_ringed(self, theme: str) -> None:
        view = view_of(Board, theme)
        over = State(3 << 20, 1, 0)
        assert is_over(over)
        going_on = State(3 << 20, 1 << 19, 0)
        assert not is_over(going_on)
        assert changed(view, Picture(over), Picture(going_on))[20] > 20


class TestTurningOver:
    def test_farther_discs_turn_later(self) -> None:
        view = view_of(Board)
        near = State(1 << A1, 1 << 1, 0)
        far = State(1 << A1, 0b111110, 0)
        assert view.duration(near, 2, play(near, 2)) == pytest.approx(PUT_SECONDS + SECONDS_A_DISC + TURN_SECONDS)
        assert view.duration(far, 6, play(far, 6)) == pytest.approx(PUT_SECONDS + 5 * SECONDS_A_DISC + TURN_SECONDS)
        after = play(far, 6)

        def shown(progress: float) -> Picture:
            return Picture(far, moving=Moving(far, 6, after, progress))

        nearest, farthest = 5, 1
        assert nearest in changed(view, shown(0.0), shown(0.5))
        assert farthest not in changed(view, shown(0.0), shown(0.5))
        assert farthest in changed(view, shown(0.5), shown(0.9))

    def test_a_pass_takes_no_time(self) -> None:
        view = view_of(Board)
        state = State(1 << 1, 1 << A1, 1)
        assert legal_steps(state) == [PASS]
        after = play(state, PASS)
        assert view.duration(state, PASS, after) == 0
        shown = drawn(view, Picture(state, moving=Moving(state, PASS, after, 0.5)))
        assert same(shown, drawn(view, Picture(after)))
