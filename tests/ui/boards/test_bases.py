"""What boards are built on: squares and hexagons lie where they say, and stones on them are drawn."""

from __future__ import annotations

import math
from typing import NamedTuple

import pygame
import pytest

from papan.game.rules import mover
from papan.ui.boards import Moving, Picture
from papan.ui.boards.bases.cells import CellBoard, SquareBoard
from papan.ui.boards.bases.hexagon import HexagonBoard, HexagonGrid, hexagon, rhombus
from papan.ui.boards.bases.stones import StoneBoard
from papan.ui.drawing.theme import THEMES, Colour
from tests.ui.boards.drawing import AREA, ARROWS, changed_cells, drawn, drawn_beside, same, view_of

AREAS = [AREA, pygame.Rect(0, 0, 900, 300), pygame.Rect(3, 4, 60, 50)]


class Toy(NamedTuple):
    """A game in which two seats put stones on cells in turn, and nothing else ever happens."""

    put: tuple[int, ...] = ()
    size: int = 5
    row: tuple[int, ...] = ()


@mover.of(Toy)
def _mover(state: Toy) -> int:
    return len(state.put) % 2


class StonesOnCells(StoneBoard):
    """The least that a board of stones needs, whatever its cells are."""

    def fit(self, state: Toy) -> None:
        self.resize(state.size, state.size)

    def place_of(self, cell: int) -> tuple[int, int]:
        return cell % self.columns, cell // self.columns

    def cell_of(self, column: int, row: int) -> int:
        return row * self.columns + column

    def stones(self, state: Toy) -> list[tuple[int, ...]]:
        return [state.put[::2], state.put[1::2]]

    def winning_rows(self, state: Toy) -> list[tuple[int, ...]]:
        return [state.row] if state.row else []

    def sample(self) -> Toy:
        return Toy((6, 7, 12))


class SquareToy(StonesOnCells, SquareBoard):
    columns = rows = 5


class HexToy(StonesOnCells, HexagonBoard):
    columns = rows = 5

    def side_colours(self) -> dict[int, Colour]:
        seats = self.theme.seats
        return {side: seats[side % 2].colour for side in range(4)}


class HexagonToy(StonesOnCells, HexagonBoard):
    """A hexagon of hexagons, as in Havannah."""

    columns = rows = 5

    @property
    def grid(self) -> HexagonGrid:
        return hexagon(3)

    def place_of(self, cell: int) -> tuple[int, int]:
        return cell % 5 - 2, cell // 5 - 2

    def cell_of(self, column: int, row: int) -> int:
        return (row + 2) * 5 + column + 2


TOYS = (SquareToy, HexToy, HexagonToy)


def cells_of(view: CellBoard) -> list[int]:
    cells = [view.cell_of(*place) for place in view.grid.places]
    assert None not in cells
    return [cell for cell in cells if cell is not None]


@pytest.mark.parametrize("toy", TOYS)
class TestCells:
    @pytest.mark.parametrize("area", AREAS, ids=str)
    def test_each_is_where_it_says(self, toy: type[StonesOnCells], area: pygame.Rect) -> None:
        view = view_of(toy, area=area)
        assert area.contains(view.frame)
        for cell in cells_of(view):
            rect = view.cell_rect(cell)
            assert area.contains(rect)
            assert view.cell_at(rect.center) == cell
        assert view.cell_at((area.right + 5, area.centery)) is None
        assert area is not AREA or view.cell_at(view.frame.move(2, 2).topleft) is None

    def test_every_point_within_the_rim_of_a_cell_is_that_cell(self, toy: type[StonesOnCells]) -> None:
        view = view_of(toy)
        for cell in cells_of(view):
            x, y = view.centre(cell)
            for degrees in range(0, 360, 5):
                reach = view.cell_size / 2 - 3
                point = (
                    x + round(reach * math.cos(math.radians(degrees))),
                    y + round(reach * math.sin(math.radians(degrees))),
                )
                assert view.cell_at(point) == cell

    def test_arrow_keys_reach_every_cell_and_stay_on_the_board(self, toy: type[StonesOnCells]) -> None:
        view = view_of(toy)
        cells = cells_of(view)
        reached = {cells[0]}
        while True:
            further = reached | {view.neighbour(cell, way) for cell in reached for way in ARROWS}
            if further == reached:
                break
            reached = further
        assert reached == set(cells)

    @pytest.mark.parametrize("outlook", [0, 1])
    def test_arrow_keys_lead_where_they_point(self, toy: type[StonesOnCells], outlook: int) -> None:
        view = view_of(toy, outlook=outlook)
        for cell in cells_of(view):
            x, y = view.centre(cell)
            for way, (axis, sign) in zip(ARROWS, ((0, -1), (0, 1), (1, -1), (1, 1)), strict=True):
                found = view.neighbour(cell, way)
                shift = view.centre(found)[axis] - (x, y)[axis]
                assert found == cell or shift * sign > 0

    def test_coordinates_only_where_there_is_room_and_use(self, toy: type[StonesOnCells]) -> None:
        assert view_of(toy).has_coordinates
        assert not view_of(toy, area=pygame.Rect(0, 0, 90, 90)).has_coordinates
        assert not view_of(toy, is_still=True).has_coordinates

    def test_less_room_for_coordinates_leaves_more_to_the_cells(self, toy: type[StonesOnCells]) -> None:
        class Narrow(toy):  # type: ignore[valid-type, misc]
            coordinates_share = 0.25

        assert view_of(Narrow).cell_size > view_of(toy).cell_size


class TestSquares:
    def test_arrows_stop_at_the_edge(self) -> None:
        view = view_of(SquareToy)
        assert [view.neighbour(0, way) for way in ARROWS] == [0, 1, 0, 5]
        assert [view.neighbour(24, way) for way in ARROWS] == [23, 24, 19, 24]


class TestHexagons:
    def test_a_border_lies_halfway_between_two_middles(self) -> None:
        """Exact to the pixel on each of the six borders, the slanted ones too."""
        view = view_of(HexToy)
        middle = 12
        x, y = view.centre(middle)
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
            other = view.cell_of(2 + right, 2 + down)
            ox, oy = view.centre(other)
            near, far = ((x + (ox - x) * share, y + (oy - y) * share) for share in (0.47, 0.53))
            assert view.cell_at((round(near[0]), round(near[1]))) == middle
            assert view.cell_at((round(far[0]), round(far[1]))) == other

    def test_the_corners_of_the_box_around_a_hexagon_belong_to_others(self) -> None:
        view = view_of(HexToy)
        x, y = view.centre(12)
        height = view.cell_size / math.sqrt(3)  # from the middle to the upper corner
        assert view.cell_at((x, round(y - height + 3))) == 12
        beside = (x + view.cell_size // 2 - 3, round(y - height + 3))
        assert view.cell_at(beside) not in (12, None)

    def test_a_rhombus_leans_to_the_right(self) -> None:
        view = view_of(HexToy)
        first, below = view.centre(0), view.centre(5)
        assert below[0] - first[0] == pytest.approx(view.cell_size / 2, abs=1)
        assert below[1] - first[1] == pytest.approx(view.cell_size * math.sqrt(3) / 2, abs=1)

    def test_up_and_down_zigzag_and_come_back(self) -> None:
        view = view_of(HexToy)
        inner = [cell for cell in cells_of(view) if 0 < cell % 5 < 4 and 0 < cell // 5 < 4]
        assert all(view.neighbour(view.neighbour(cell, "up"), "down") == cell for cell in inner)
        assert all(view.neighbour(view.neighbour(cell, "down"), "up") == cell for cell in inner)
        two_up = view.neighbour(view.neighbour(17, "up"), "up")
        assert view.centre(two_up)[0] == view.centre(17)[0]

    @pytest.mark.parametrize(("grid", "cells"), [(rhombus(11, 11), 121), (rhombus(3, 2), 6), (hexagon(5), 61)])
    def test_number_of_cells(self, grid: HexagonGrid, cells: int) -> None:
        assert len(set(grid.places)) == cells

    def test_coordinates_are_letters_below_and_numbers_on_the_left(self) -> None:
        labels = {label.text: label for label in rhombus(3, 2).labels(row_one_is_on_top=True)}
        assert set(labels) == {"a", "b", "c", "1", "2"}
        assert labels["a"].place == (0, 1) and labels["2"].place == (0, 1)
        assert labels["a"].way[1] > 0 > labels["2"].way[0]
        assert [label.text for label in rhombus(3, 2).labels(row_one_is_on_top=False)][3:] == ["2", "1"]

    @pytest.mark.parametrize("theme", THEMES)
    def test_sides_that_belong_to_seats_have_their_colours(self, theme: str) -> None:
        class Plain(HexToy):
            def side_colours(self) -> dict[int, Colour]:
                return {}

        view, plain = view_of(HexToy, theme), view_of(Plain, theme)
        bare = Picture(Toy())
        assert not same(drawn(view, bare), drawn(plain, bare))
        x, y = (sum(axis) // 2 for axis in zip(view.centre(1), view.centre(2), strict=True))
        column = [drawn(view, bare).get_at((x, at))[:3] for at in range(view.frame.top, y)]
        assert view.theme.seats[0].colour in column and view.theme.seats[1].colour not in column


@pytest.mark.parametrize("toy", TOYS)
class TestStones:
    state = Toy((6, 7, 12))

    @pytest.mark.parametrize("theme", THEMES)
    @pytest.mark.parametrize(
        ("said", "cell"),
        [
            (Picture(state, targets=frozenset({11}), hover=11), 11),
            (Picture(state, targets=frozenset({11}), cursor=11), 11),
            (Picture(state, cursor=6), 6),
            (Picture(state, last=(12,)), 12),
            (Picture(state, hint=(11,)), 11),
            (Picture(state, marks={11: "+7"}), 11),
            (Picture(state._replace(row=(6, 12))), 6),
            (Picture(state, moving=Moving(state, 11, state, 1.0)), 11),
        ],
        ids=["ghost", "ghost at the cursor", "cursor", "last", "hint", "marks", "row", "coming"],
    )
    def test_what_a_picture_says_is_seen_on_its_cell(
        self, toy: type[StonesOnCells], theme: str, said: Picture, cell: int
    ) -> None:
        view = view_of(toy, theme)
        assert changed_cells(view, Picture(self.state), said, cells_of(view), inset=6).get(cell, 0) > 20

    def test_cells_that_may_be_pointed_at_are_not_all_marked(self, toy: type[StonesOnCells]) -> None:
        view = view_of(toy)
        everywhere = Picture(self.state, targets=frozenset(cells_of(view)))
        assert same(drawn(view, Picture(self.state)), drawn(view, everywhere))

    def test_a_stone_arrives_as_the_state_after(self, toy: type[StonesOnCells]) -> None:
        view, after = view_of(toy), Toy((*self.state.put, 11))
        shown = {share: Picture(self.state, moving=Moving(self.state, 11, after, share)) for share in (0.0, 1.0)}
        assert same(drawn(view, shown[1.0]), drawn(view, Picture(after)))
        assert not same(drawn(view, shown[0.0]), drawn(view, Picture(after)))

    def test_a_step_that_is_no_cell_takes_no_time(self, toy: type[StonesOnCells]) -> None:
        view = view_of(toy)
        assert view.duration(self.state, 11, self.state) > 0.0 == view.duration(self.state, 144, self.state)

    def test_a_winning_line_runs_from_stone_to_stone(self, toy: type[StonesOnCells]) -> None:
        view = view_of(toy)
        chain = (6, 8, 18)
        shown = drawn(view, Picture(Toy(chain, row=chain)))
        on_the_way, straight_ahead = (shown.get_at(view.centre(cell))[:3] for cell in (13, 12))
        assert on_the_way == view.theme.accent != straight_ahead

    def test_nothing_is_drawn_beside_the_area(self, toy: type[StonesOnCells]) -> None:
        view = view_of(toy)
        cells = cells_of(view)
        picture = Picture(self.state, hint=(cells[0], cells[-1]), cursor=cells[0], last=(12,))
        assert drawn_beside(view, picture, room=8) == 0

    def test_the_same_frame_makes_no_picture_anew(self, toy: type[StonesOnCells]) -> None:
        view = view_of(toy)
        picture = Picture(self.state, targets=frozenset({11}), hover=11, last=(12,), hint=(13,), cursor=6)
        drawn(view, picture)
        kept = len(view.paint.pictures)
        drawn(view, picture)
        assert len(view.paint.pictures) == kept


@pytest.mark.parametrize("toy", [SquareToy, HexToy])
def test_the_number_of_cells_follows_from_the_state(toy: type[StonesOnCells]) -> None:
    view = view_of(toy)
    drawn(view, Picture(Toy(size=9)))
    assert len(cells_of(view)) == 81
    drawn(view, Picture(Toy(size=5)))
    assert same(drawn(view, Picture(Toy())), drawn(view_of(toy), Picture(Toy())))


def test_a_cursor_left_over_from_a_larger_board_is_not_drawn() -> None:
    view = view_of(SquareToy)
    assert same(drawn(view, Picture(Toy(), cursor=60)), drawn(view, Picture(Toy())))


@pytest.mark.parametrize("toy", TOYS)
class TestTurning:
    """A board turned by half: each cell lies opposite, and all that is said of it agrees."""

    def test_each_cell_lies_opposite_to_where_it_lay(self, toy: type[StonesOnCells]) -> None:
        view, turned = view_of(toy), view_of(toy, outlook=1)
        middle_x, middle_y = view.frame.center
        for cell in cells_of(view):
            (x, y), (other_x, other_y) = view.centre(cell), turned.centre(cell)
            assert abs(x + other_x - 2 * middle_x) <= 2 and abs(y + other_y - 2 * middle_y) <= 2
            assert turned.cell_at((other_x, other_y)) == cell

    def test_coordinates_stand_beside_the_cells_that_they_name(self, toy: type[StonesOnCells]) -> None:
        view, turned = view_of(toy), view_of(toy, outlook=1)

        def names(view: CellBoard) -> dict[str, set[int | None]]:
            """For each coordinate the cells of its column or row."""
            named: dict[str, set[int | None]] = {}
            for label in view.grid.labels(view.row_one_is_on_top, view.is_turned):
                axis = 0 if label.text.isalpha() else 1
                line = [place for place in view.grid.places if place[axis] == label.place[axis]]
                named[label.text] = {view.cell_shown(place) for place in line}
            return named

        assert names(view) == names(turned)

    def test_twice_is_as_before(self, toy: type[StonesOnCells]) -> None:
        picture = Picture(Toy((6, 7, 12)), last=(12,))
        assert same(drawn(view_of(toy), picture), drawn(view_of(toy, outlook=2), picture))
        assert not same(drawn(view_of(toy), picture), drawn(view_of(toy, outlook=1), picture))


class TestWhoseSideIsInFront:
    def test_the_person_sits_at_the_bottom_unless_the_board_is_turned_away(self) -> None:
        class Opposed(SquareToy):
            seat_behind = 1

        assert [
            view_of(Opposed, seat_in_front=seat, outlook=outlook).is_turned
            for seat, outlook in ((None, 0), (0, 0), (1, 0), (1, 1))
        ] == [False, False, True, False]

    def test_a_shape_that_would_be_another_is_not_turned(self) -> None:
        class Triangle(HexToy):
            @property
            def grid(self) -> HexagonGrid:
                cells = tuple((column, row) for row in range(3) for column in range(3 - row))
                return HexagonGrid(cells, ((0, 0), (2, 0), (0, 2)))

        assert not view_of(Triangle, outlook=1).is_turned and view_of(HexToy, outlook=1).is_turned

    def test_sides_that_belong_to_seats_turn_with_the_board(self) -> None:
        class OneSide(HexToy):
            def side_colours(self) -> dict[int, Colour]:
                return {0: self.theme.seats[0].colour}

        above = []
        for outlook in (0, 1):
            view = view_of(OneSide, outlook=outlook)
            shown, colour = drawn(view, Picture(Toy())), view.theme.seats[0].colour
            middle = view.frame.centery
            rows = [
                y for y in range(shown.get_height()) if colour in {shown.get_at((x, y))[:3] for x in range(0, 700, 3)}
            ]
            above.append(rows[0] < middle)
        assert above == [True, False]


class TestCursor:
    @pytest.mark.parametrize("area", [AREA, pygame.Rect(0, 0, 120, 120)], ids=str)
    @pytest.mark.parametrize("theme", THEMES)
    def test_it_covers_nothing_of_a_stone(self, theme: str, area: pygame.Rect) -> None:
        view = view_of(SquareToy, theme, area)
        state = Toy((6, 7, 12, 11, 8))
        plain, ringed = drawn(view, Picture(state)), drawn(view, Picture(state, cursor=7))
        assert not same(plain, ringed)
        for cell in state.put:
            reach = math.floor(view.cell_size * view.stone_radius * 0.7) - 1
            face = pygame.Rect(0, 0, 2 * reach, 2 * reach)
            face.center = view.centre(cell)
            assert same(plain.subsurface(face), ringed.subsurface(face))


class TestExplained:
    def test_a_still_board_has_coordinates_where_a_text_speaks_of_its_cells(self) -> None:
        small = pygame.Rect(0, 0, 150, 150)
        assert view_of(SquareToy, area=small, is_still=True, is_explained=True).has_coordinates
        assert not view_of(SquareToy, area=small, is_still=True).has_coordinates
        assert not view_of(SquareToy, area=pygame.Rect(0, 0, 60, 60), is_still=True, is_explained=True).has_coordinates
