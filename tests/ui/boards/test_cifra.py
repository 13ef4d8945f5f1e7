"""The look of CIFRA: where its cells are, and that what there is to see is drawn."""

from __future__ import annotations

from random import Random

import pygame
import pytest

from papan.game.rules import cifra, legal_steps, play
from papan.ui.boards import Moving, Picture
from papan.ui.boards.cifra import Board, _deciding_pieces, rays
from papan.ui.boards.cifra.art import palette_of
from papan.ui.drawing.theme import THEMES, contrast
from tests.ui.boards.drawing import AREA, changed_on, coloured, drawn, frozen, same, view_of

TILES = "WBWBWWBBWBBWNBWWWBBWBWBWB"
CELL_NAMES = [column + row for row in "54321" for column in "abcde"]  # in the order of position texts
D2, D3, D4 = 8, 13, 18


def position(pieces: dict[str, str], to_move: str = "w", home: str = "w", tiles: str = TILES) -> str:
    """A position text with *pieces*, by cell."""
    return "/".join([tiles, "".join(pieces.get(name, ".") for name in CELL_NAMES), to_move, home])


BLUE = {"c5": "B", "d2": "b", "e2": "b", "c1": "b", "e1": "b"}
WHITE = {"a5": "w", "a4": "w", "d4": "w", "e3": "w"}
RUNNING = position(BLUE | WHITE, "b", "b")  # blue's piece on d2 runs over d3, and may capture on d4
GOALS = {"a5": "W", "c5": "W", "a1": "B"}


def state_of(text: str) -> cifra.AnyState:
    return cifra.parse(text, {})


def name_of(cell: int) -> str:
    return "abcde"[cell % 5] + str(cell // 5 + 1)


def number_of(name: str) -> int:
    return "abcde".index(name[0]) + 5 * (int(name[1]) - 1)


def rgb_at(surface: pygame.Surface, point: tuple[int, int]) -> tuple[int, int, int]:
    red, green, blue, _ = surface.get_at(point)
    return red, green, blue


def targets_of(state: cifra.AnyState, origin: int) -> frozenset[int]:
    return frozenset(step & 31 for step in legal_steps(state) if step >> 5 == origin)


def moves_of(state: cifra.AnyState) -> list[Moving]:
    return [
        Moving(state, step, play(state, step), share) for step in legal_steps(state) for share in (0.0, 0.5, 0.9, 1.0)
    ]


class TestCells:
    def test_a1_is_at_the_bottom_left(self) -> None:
        view = view_of(Board)
        assert view.cell_rect(number_of("a1")).bottom > view.cell_rect(number_of("a5")).bottom
        assert view.cell_rect(number_of("a1")).left < view.cell_rect(number_of("e1")).left

    def test_arrow_keys_go_where_they_point(self) -> None:
        view = view_of(Board)
        at = number_of("b2")
        assert [name_of(view.neighbour(at, way)) for way in ("up", "down", "left", "right")] == ["b3", "b1", "a2", "c2"]
        assert name_of(view.neighbour(number_of("e5"), "up")) == "e5"

    def test_the_cursor_begins_on_a_piece_of_the_seat_to_act(self) -> None:
        assert name_of(view_of(Board).first_cursor(state_of(RUNNING))) == "d2"
        assert name_of(view_of(Board).first_cursor(cifra.start({}, Random(1)))) == "c3"


class TestRays:
    def steps(self, text: str, origin: str) -> dict[str, list[bool]]:
        found = rays(state_of(text), number_of(origin))
        return {" ".join(map(name_of, ray.cells)): list(ray.is_free) for ray in found}

    def test_free_steps_and_the_one_that_is_paid_for(self) -> None:
        assert self.steps(RUNNING, "d2") == {
            "d1": [False],
            "c2 b2": [True, False],
            "c3": [False],
            "d3 d4": [True, False],
            "e3": [False],
        }

    def test_off_its_own_colour_the_first_step_is_paid_for(self) -> None:
        ways = self.steps(position({"e2": "b", "a5": "w"}, "b", "b"), "e2")
        assert ways["d3 c4 b5"] == [False, True, True]
        assert ways["d2 c2"] == [False, True]

    def test_rays_reach_every_target(self) -> None:
        state = state_of(RUNNING)
        for origin in (number_of("d2"), number_of("e2"), number_of("c1")):
            assert {cell for ray in rays(state, origin) for cell in ray.cells} == targets_of(state, origin)


class TestMarks:
    state = state_of(RUNNING)
    plain = Picture(state)

    def test_targets_are_seen(self) -> None:
        view = view_of(Board)
        chosen = Picture(self.state, targets=targets_of(self.state, D2), chosen=D2)
        assert len(chosen.targets) == 7
        for cell in chosen.targets:
            assert changed_on(view, Picture(self.state, chosen=D2), chosen, cell) > 100, name_of(cell)

    def test_a_ribbon_runs_over_free_steps(self) -> None:
        view = view_of(Board)
        chosen = Picture(self.state, targets=targets_of(self.state, D2), chosen=D2)
        surface, without = drawn(view, chosen), drawn(view, Picture(self.state, chosen=D2))
        x, bottom = view.cell_rect(D3).centerx, view.cell_rect(D3).bottom - 6
        widths = {}
        for name, y in (("free", bottom), ("paid", view.cell_rect(D3).top + 12)):
            line = range(x - 40, x + 40)
            widths[name] = sum(surface.get_at((at, y)) != without.get_at((at, y)) for at in line)
        assert widths["free"] > 2 * widths["paid"] > 0

    def test_captures_are_marked_in_the_corners(self) -> None:
        view = view_of(Board)
        corner = view.cell_rect(D4).move(8, 4).topleft
        chosen = Picture(self.state, targets=targets_of(self.state, D2), chosen=D2)
        colour = drawn(view, chosen).get_at(corner)[:3]
        assert colour == view.theme.legal

    def test_hidden_targets_hide_the_ways(self) -> None:
        plain, hovered = (Picture(self.state, chosen=D2, hover=hover) for hover in (None, D3))
        assert changed_on(view_of(Board), plain, hovered, D3) == 0

    def test_the_winners_goal_pieces_are_marked_at_the_end(self) -> None:
        view = view_of(Board)
        ended = Picture(state_of(position(GOALS)))
        going_on = Picture(state_of(position(GOALS | {"e4": "w", "e2": "b"})))
        assert changed_on(view, ended, going_on, number_of("a5")) > 500
        assert changed_on(view, ended, going_on, number_of("c5")) > 500
        assert changed_on(view, ended, going_on, number_of("a1")) == 0


class TestPieces:
    @pytest.mark.parametrize("theme", THEMES)
    def test_only_a_goal_piece_has_a_golden_rim(self, theme: str) -> None:
        view = view_of(Board, theme)
        gold = palette_of(view.theme).gold
        surface = drawn(view, Picture(state_of(position(GOALS | {"e4": "w", "e2": "b"}))))
        golden = {
            name: coloured(surface.subsurface(view.cell_rect(number_of(name))), gold)
            for name in ("a5", "a1", "e4", "e2")
        }
        assert golden["a5"] > 100 < golden["a1"]
        assert golden["e4"] == golden["e2"] == 0

    def test_seat_styles_follow_the_colours(self) -> None:
        view = view_of(Board)
        blue_first = state_of(RUNNING)
        start = cifra.start({}, Random(1))
        assert [view.seat_style(start, seat) for seat in (0, 1)] == list(view.theme.seats[:2])
        white_first = blue_first._replace(white_seat=0)
        assert view.seat_style(blue_first, 0).colour == view.seat_style(white_first, 1).colour
        assert view.seat_style(blue_first, 0).shape == view.seat_style(white_first, 0).shape


class TestBeforePlay:
    start = cifra.start({}, Random(1))

    def test_sides_are_labelled_on_the_frame_until_one_is_chosen(self) -> None:
        view = view_of(Board)
        surfaces = [drawn(view, Picture(state)) for state in (self.start, play(self.start, 0))]
        half = view.cell_rect(0).width // 2
        for x, y in (view.frame.midtop, view.frame.midright, view.frame.midbottom, view.frame.midleft):
            spot = pygame.Rect(x - half, y - half, 2 * half, 2 * half).clip(view.frame)
            panels = [coloured(surface.subsurface(spot), view.theme.panel) for surface in surfaces]
            assert panels[0] > 300 > panels[1]

    def test_home_rows_wait_for_the_colour(self) -> None:
        view = view_of(Board)
        chosen = play(self.start, 0)
        assert changed_on(view, Picture(self.start), Picture(chosen), number_of("b5")) > 500
        assert changed_on(view, Picture(self.start), Picture(chosen), number_of("b1")) > 500
        assert changed_on(view, Picture(self.start), Picture(chosen), number_of("b3")) == 0

    def test_the_choice_of_the_side_in_front_is_shown_at_once(self) -> None:
        seconds = [view_of(Board).duration(self.start, side, play(self.start, side)) for side in range(4)]
        assert seconds[0] == 0 and min(seconds[1:]) > 0


class TestAnimation:
    def test_longer_walks_take_longer(self) -> None:
        view, state = view_of(Board), state_of(RUNNING)
        seconds = {step: view.duration(state, step, play(state, step)) for step in legal_steps(state)}
        assert seconds[D2 << 5 | D4] > seconds[D2 << 5 | D3]
        assert all(0.25 <= time <= 0.4 for time in seconds.values())

    def test_it_begins_and_ends_as_the_states_look(self) -> None:
        view, state = view_of(Board), state_of(RUNNING)
        step = D2 << 5 | D4
        after = play(state, step)
        first = Picture(state, moving=Moving(state, step, after, 0.0))
        last = Picture(state, moving=Moving(state, step, after, 1.0))
        assert changed_on(view, first, Picture(state), D4) == 0
        assert changed_on(view, last, Picture(after), D4) == 0
        assert changed_on(view, last, Picture(after), D2) == 0

    @pytest.mark.parametrize("text", [RUNNING, position({"a4": "w", "c1": "B", "e2": "b"})])
    def test_every_move_can_be_shown(self, text: str) -> None:
        view = view_of(Board, area=pygame.Rect(0, 0, 200, 200))
        for moving in moves_of(state_of(text)):
            drawn(view, Picture(moving.before, moving=moving))

    def test_the_choices_can_be_shown(self) -> None:
        view = view_of(Board, area=pygame.Rect(0, 0, 200, 200))
        start = cifra.start({}, Random(1))
        for moving in moves_of(start) + moves_of(play(start, 1)):
            drawn(view, Picture(moving.before, moving=moving))


class TestDrawing:
    @pytest.mark.parametrize("theme", THEMES)
    def test_white_and_blue_differ_in_pattern(self, theme: str) -> None:
        """The blue tile's inlay stands out from its ground; the white one's middle is plain."""
        view = view_of(Board, theme)
        surface = drawn(view, Picture(state_of(position({"a2": "w", "e2": "b"}))))
        shades = {}
        for name in ("b1", "e4"):
            rect = view.cell_rect(number_of(name)).inflate(-30, -30)
            row = [rgb_at(surface, (x, rect.centery)) for x in range(rect.left, rect.right)]
            shades[name] = max(contrast(shade, row[0]) for shade in row)
        assert shades["b1"] < 1.05 < 1.2 < shades["e4"]

    def test_what_is_kept_is_bounded(self) -> None:
        view = view_of(Board)
        state = state_of(RUNNING)
        picture = Picture(state, targets=targets_of(state, D2), chosen=D2)
        drawn(view, picture)
        kept = len(view.paint.pictures)
        for cell in range(25):
            drawn(view, Picture(state, targets=picture.targets, chosen=D2, hover=cell))
        assert len(view.paint.pictures) <= kept + 3
        view.paint.pictures.most_bytes = 2**20
        for side in range(300, 420, 20):
            view.layout(pygame.Rect(0, 0, side, side))
            drawn(view, picture)
        assert view.paint.pictures.bytes <= 2**20


class TestRanksAndSize:
    """Kings, numbers, and 9×9 cells."""

    KING, SUM, LARGE = {"mode": "king"}, {"mode": "sum"}, {"size": "9"}

    def started(self, options: dict[str, str]) -> cifra.AnyState:
        state: cifra.AnyState = play(play(cifra.start(options, Random(1)), 0), 1)
        return state

    def test_the_board_has_as_many_cells_as_the_state(self) -> None:
        view = view_of(Board)
        for options, cells in ((self.LARGE, 81), ({}, 25)):
            drawn(view, Picture(self.started(options)))
            assert [view.cell_at(view.cell_rect(cell).center) for cell in range(cells)] == list(range(cells))
            assert AREA.contains(view.frame)

    def test_cells_of_nine_by_nine_are_large_enough_in_the_smallest_window(self) -> None:
        view = view_of(Board, area=pygame.Rect(20, 66, 676, 476))
        drawn(view, Picture(self.started(self.LARGE)))
        assert view.has_coordinates
        assert view.cell_rect(0).width >= 36

    def test_arrows_and_the_first_cursor_know_the_size(self) -> None:
        view = view_of(Board)
        first = view.first_cursor(self.started(self.LARGE))
        assert first == 4
        assert view.neighbour(first, "up") == 13
        assert view.neighbour(80, "right") == 80

    @pytest.mark.parametrize("theme", THEMES)
    def test_only_the_kings_have_crowns(self, theme: str) -> None:
        view = view_of(Board, theme)
        surface = drawn(view, Picture(self.started(self.KING)))
        gold = palette_of(view.theme).gold
        golden = [name for name in CELL_NAMES if coloured(surface.subsurface(view.cell_rect(number_of(name))), gold)]
        assert golden == ["c5", "c1"]

    @pytest.mark.parametrize("options", [{}, LARGE], ids=["5", "9"])
    def test_each_number_looks_different(self, options: dict[str, str]) -> None:
        pictures = []
        view = view_of(Board)
        state = self.started(self.SUM | options)
        surface = drawn(view, Picture(state))
        for cell in range(view.columns):
            disc = view.cell_rect(cell)
            disc = disc.inflate(-disc.w // 2, -disc.h // 2)
            pictures.append(frozen(surface.subsurface(disc)))
        assert len(set(pictures)) == view.columns

    def test_a_number_is_seen_on_the_way_and_at_home(self) -> None:
        numbers = {"a4": "5", "b2": "3", "c4": "1"}
        pieces = position({"a4": "w", "b2": "w", "c4": "b"})
        state = cifra.parse("/".join([pieces, "".join(numbers.get(name, ".") for name in CELL_NAMES)]), self.SUM)
        view = view_of(Board)
        step = next(step for step in legal_steps(state) if cifra.notation(state, step) == "a4-a5")
        after = play(state, step)
        last = Picture(state, moving=Moving(state, step, after, 1.0))
        assert changed_on(view, last, Picture(after), number_of("a5")) == 0
        other = cifra.parse(cifra.text(after).replace("5", "4"), self.SUM)
        assert changed_on(view, Picture(after), Picture(other), number_of("a5")) > 20

    @pytest.mark.parametrize("options", [KING, SUM, LARGE | SUM], ids=["king", "sum", "sum-9"])
    def test_every_move_can_be_shown(self, options: dict[str, str]) -> None:
        view = view_of(Board, area=pygame.Rect(0, 0, 200, 200))
        start = cifra.start(options, Random(1))
        for moving in moves_of(start)[:8] + moves_of(play(start, 1)) + moves_of(self.started(options)):
            drawn(view, Picture(moving.before, moving=moving))

    def test_the_king_that_decided_is_marked(self) -> None:
        pieces = position({"c5": "W", "a1": "w", "d4": "b"})
        kings = "".join("K" if name in ("c5", "d4") else "." for name in CELL_NAMES)
        ended = cifra.parse(f"{pieces}/{kings}", self.KING)
        assert _deciding_pieces(ended) == [number_of("c5")]


class TestWhoSitsInFront:
    """The only person's home row is at the bottom, and words, coordinates and picture agree."""

    @pytest.mark.parametrize(("seat", "home"), [(0, "a1"), (1, "a5")])
    def test_home_is_at_the_bottom(self, seat: int, home: str) -> None:
        view = view_of(Board, seat_in_front=seat)
        assert view.cell_rect(number_of(home)).bottom == max(view.cell_rect(cell).bottom for cell in range(25))

    def test_the_side_nearest_to_the_second_player_is_offered_where_it_lies(self) -> None:
        before = cifra.start({}, Random(1))
        described = [cifra.describe(before, step) for step in legal_steps(before)]
        assert [title for title, _note in described] == ["Row 5", "Column e", "Row 1", "Column a"]
        assert all(len(f"{title} {note}".split()) <= 6 for title, note in described)

    @pytest.mark.parametrize("step", range(4))
    def test_the_row_that_was_said_becomes_row_5(self, step: int) -> None:
        before = cifra.start({}, Random(1))
        after = play(before, step)
        tiles = ("a5 b5 c5 d5 e5", "e5 e4 e3 e2 e1", "e1 d1 c1 b1 a1", "a1 a2 a3 a4 a5")
        old = [before.white_tiles >> number_of(name) & 1 for name in tiles[step].split()]
        assert [after.white_tiles >> number_of(name) & 1 for name in tiles[0].split()] == old

    def test_a_turned_board_draws_the_same_tiles_and_pieces(self) -> None:
        view, turned = view_of(Board), view_of(Board, outlook=1)
        picture = Picture(view.sample())
        for cell in range(25):
            one, other = (
                drawn(board, picture).subsurface(board.cell_rect(cell).inflate(-30, -30)) for board in (view, turned)
            )
            assert same(one, other)
