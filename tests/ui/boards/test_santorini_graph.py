"""The look of Santorini on graphs: where nodes lie, what is hit, and that what there is to see is drawn."""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import combinations, pairwise, product
from random import Random

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import is_over, legal_steps, play
from papan.game.rules.santorini_graph import State, move_step, parse
from papan.game.rules.santorini_graph.names import read_board
from papan.ui.boards import Moving, Picture
from papan.ui.boards.santorini_graph import EVERYBODY, Board, figures_of
from papan.ui.boards.santorini_graph.layout import Layouts, node_points
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.drawing.theme import theme_of
from tests.ui.boards.drawing import AREA, ARROWS, changed, drawn, view_of

AREAS = (pygame.Rect(10, 10, 300, 130), pygame.Rect(5, 5, 90, 90))
PETERSEN = "edges:0-1,1-2,2-3,3-4,4-0,0-5,1-6,2-7,3-8,4-9,5-7,7-9,9-6,6-8,8-5"
CROWD = "edges:" + ",".join(f"{a}-{b}" for a, b in combinations(range(32), 2) if (a * 7 + b * 5) % 11 == 0)
BOARDS = (
    "grid:5x5",
    "grid:4x8",
    "grid:1x9",
    "path:2",
    "path:32",
    "cycle:3",
    "cycle:32",
    "complete:12",
    PETERSEN,
    CROWD,
)
GAME = GAMES["santorini-graph"]


def position(text: str, variant: str = "4W_P4H_TWUS", graph: str = "grid:5x5") -> State:
    return parse(text, {"variant": variant, "board": graph})


def empty(graph: str, variant: str = "2W_P4H_TWUS") -> State:
    nodes = read_board(graph).nodes
    return position("0" * nodes + f"/1/0/{nodes - 1}", variant, graph)


MIDDLE_GAME = position("1021000311004212011000010/1/13,6/14,21")


@pytest.fixture(scope="module")
def view() -> Board:
    return view_of(Board)


def clearly_changed(first: pygame.Surface, second: pygame.Surface) -> int:
    return changed(first, second, least=24)


class TestLayouts:
    def test_a_grid_is_a_grid_however_it_is_written(self) -> None:
        grid = read_board("grid:3x4")
        assert node_points(grid.edges) == tuple((node % 4, node // 4) for node in range(12))
        pairs = [(a, b) for a, b in combinations(range(12), 2) if grid.edges[a] >> b & 1]
        written = read_board("edges:" + ",".join(f"{a}-{b}" for a, b in pairs))
        assert node_points(written.edges) == node_points(grid.edges)

    def test_on_a_ring_neighbours_are_equally_far_apart(self) -> None:
        points = node_points(read_board("cycle:12").edges)
        ways = [math.dist(*pair) for pair in pairwise([*points, points[0]])]
        assert max(ways) < 1.1 * min(ways)

    def test_a_long_path_winds_from_node_to_node(self) -> None:
        points = node_points(read_board("path:32").edges)
        assert all(math.dist(*pair) == 1 for pair in pairwise(points))
        assert len({y for _, y in points}) > 2

    @pytest.mark.parametrize("graph", [PETERSEN, CROWD, "edges:0-1,2-3", "edges:0-5", "edges:0-2,0-3,1-2,1-4,2-3"])
    def test_in_any_other_graph_no_two_nodes_meet(self, graph: str) -> None:
        points = node_points(read_board(graph).edges)
        assert len(points) == read_board(graph).nodes
        assert min(math.dist(*pair) for pair in combinations(points, 2)) > 0.5

    def test_what_is_far_apart_in_the_graph_lies_far_apart(self) -> None:
        spider = node_points(read_board("edges:0-1,1-2,2-3,0-4,4-5,5-6,0-7,7-8,8-9").edges)
        for tip, other in combinations((3, 6, 9), 2):
            assert 4.5 < math.dist(spider[tip], spider[other]) < 6.5
        assert all(2.5 < math.dist(spider[0], spider[tip]) < 3.5 for tip in (3, 6, 9))

    def test_parts_that_no_edge_joins_lie_apart(self) -> None:
        points = node_points(read_board("edges:0-1,1-2,2-0,3-4,4-5,5-3").edges)
        assert min(math.dist(*pair) for pair in product(points[:3], points[3:])) > 1.5

    def test_the_same_graph_looks_the_same(self) -> None:
        edges = read_board(PETERSEN).edges
        assert Layouts().points(edges) == Layouts().points(edges) == node_points(edges)

    def test_one_that_is_worked_out_in_parts_is_the_same(self) -> None:
        edges, layouts = read_board(PETERSEN).edges, Layouts()
        pauses = 0

        def pause() -> None:
            nonlocal pauses
            pauses += 1
            if pauses % 10 == 0:
                raise OutOfTimeError

        found = None
        while found is None:
            with suppress(OutOfTimeError):
                found = layouts.points(edges, pause)
        assert pauses > 100 and found == node_points(edges)
        assert layouts.points(edges, pytest.fail) is found  # it is kept

    def test_until_it_is_known_the_position_before_stays(self) -> None:
        view = view_of(Board)
        drawn(view, Picture(empty("path:5")))
        large = Picture(empty("edges:" + ",".join(f"{node}-{node * 7 % 101}" for node in range(1, 101))))
        surface = pygame.Surface(AREA.size)
        with pytest.raises(OutOfTimeError), view.paint.pictures.slice_of_work(0.0):
            view.draw(surface, large)
        assert {view.cell_at(view.geometry.base(node)) for node in range(5)} == {*range(5)}


class TestWhereNodesAre:
    @pytest.mark.parametrize("graph", BOARDS)
    @pytest.mark.parametrize("area", AREAS)  # TestOutlooks has the usual one
    def test_each_is_hit_where_it_lies_and_all_lie_within_the_area(self, graph: str, area: pygame.Rect) -> None:
        view = view_of(Board, area=area)
        state = empty(graph)
        drawn(view, Picture(state))
        assert area.contains(view.geometry.table)
        for node in range(state.nodes):
            at = view.geometry.base(node)
            assert area.collidepoint(at)
            assert view.cell_at(at) == node
            assert view.cell_rect(node).collidepoint(at)

    def test_a_workers_head_and_a_towers_wall_belong_to_their_node(self, view: Board) -> None:
        drawn(view, Picture(MIDDLE_GAME))
        x, y = view.geometry.base(21)
        assert view.cell_at((x, y - view.geometry.px(0.8))) == 21
        x, y = view.geometry.base(15)
        assert view.cell_at((x - view.geometry.px(0.3), y + view.geometry.px(0.2))) == 15
        assert view.cell_at((AREA.x + 1, AREA.y + 1)) is None

    def test_a_legal_node_comes_before_the_tower_that_hides_it(self, view: Board) -> None:
        state = position("0" * 5 + "00000" + "00400" + "0" * 10 + "/1/6,16/0,24")
        x, y = view.geometry.base(12)
        behind = view.geometry.base(7)
        point = (x, max(behind[1], y - view.geometry.px(1.6)))
        drawn(view, Picture(state))
        assert view.cell_at(point) in (7, 12)
        drawn(view, Picture(state, targets=frozenset({7})))
        assert view.cell_at(behind) == 7

    @pytest.mark.parametrize("graph", BOARDS)
    def test_arrow_keys_reach_every_node(self, view: Board, graph: str) -> None:
        state = empty(graph)
        drawn(view, Picture(state))
        reached, waiting = {0}, [0]
        while waiting:
            node = waiting.pop()
            for direction in ARROWS:
                other = view.neighbour(node, direction)
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        assert reached == set(range(state.nodes))

    def test_arrow_keys_on_a_grid(self, view: Board) -> None:
        drawn(view, Picture(MIDDLE_GAME))
        assert [view.neighbour(12, way) for way in ARROWS] == [11, 13, 7, 17]
        assert view.neighbour(4, "right") == 4 and view.neighbour(0, "up") == 0

    def test_the_cursor_begins_on_an_own_worker(self, view: Board) -> None:
        assert view.first_cursor(MIDDLE_GAME) == 6
        assert view.first_cursor(GAME.rules.start(GAME.complete_options({}), Random(1))) == 12


class TestWhatIsSeen:
    def test_edges_and_the_way_they_lead(self, view: Board) -> None:
        text = "0000/1/0/3"
        pictures = [
            drawn(view, Picture(position(text, variant, graph)))
            for variant, graph in (
                ("2W_P4H_TWUS", "edges:0-1,1-3,3-2,2-0"),
                ("2W_P4H_TWDS", "edges:0-1,1-3,3-2,2-0"),
                ("2W_P4H_TWDS", "edges:1-0,1-3,3-2,2-0"),
            )
        ]
        for first, second in combinations(pictures, 2):
            assert clearly_changed(first, second) > 15

    def test_the_chosen_worker_is_lifted(self, view: Board) -> None:
        plain, lifted = (drawn(view, Picture(MIDDLE_GAME, chosen=chosen)) for chosen in (None, 13))
        assert clearly_changed(plain, lifted) > 15

    def test_every_height_looks_different(self, view: Board) -> None:
        frames = [
            drawn(view, Picture(position(f"0000{level}0/1/0/5", "2W_P9H_NTWUS", "path:6"))) for level in range(10)
        ]
        for first, second in combinations(frames, 2):
            assert clearly_changed(first, second) > 15

    def test_shared_workers_have_the_look_of_no_seat(self) -> None:
        shared = position("0000/1/0,3", "2W_I4H_TWUS", "path:4")
        assert set(figures_of(shared).workers.values()) == {EVERYBODY}
        styles = [theme_of("light").seats[owner] for owner in (0, 1, EVERYBODY)]
        assert len({style.shape for style in styles}) == len({style.colour for style in styles}) == 3

    def test_a_closed_node_has_a_dome(self) -> None:
        towers = figures_of(position("0123/1/0/1", "2W_P3H_NTWUS", "path:4")).towers
        assert [tower.is_domed for tower in towers] == [False, False, False, True]
        assert [tower.tiers for tower in towers] == [0, 1, 2, 2]

    def test_who_won_and_who_is_stuck(self, view: Board) -> None:
        won = play(position("0023/1/2/0", "2W_P4H_TWUS", "path:4"), move_step(2, 3))
        assert is_over(won)
        for over in (won, position("0230/1/0/3", "2W_P4H_TWUS", "path:4")):
            assert is_over(over)
            going_on = over._replace(phase=1)
            assert clearly_changed(drawn(view, Picture(over)), drawn(view, Picture(going_on))) > 15


class TestMotion:
    def test_every_step_of_a_game_begins_and_ends_in_place(self, view: Board) -> None:
        match = Match.new(GAME, ["random", "random"], {"variant": "2W_P2H_NTWUS", "board": "cycle:6"}, seed=3)
        for _ in range(6):
            before, step = match.state, legal_steps(match.state)[0]
            after = play(before, step)
            assert view.duration(before, step, after) > 0
            start = drawn(view, Picture(before, moving=Moving(before, step, after, 0.0)))
            middle = drawn(view, Picture(before, moving=Moving(before, step, after, 0.5)))
            end = drawn(view, Picture(before, moving=Moving(before, step, after, 1.0)))
            assert clearly_changed(start, middle) > 15 and clearly_changed(middle, end) > 15
            plain = drawn(view, Picture(after._replace(active=0)))
            assert clearly_changed(end, plain) == 0
            match.play(step)


class TestOutlooks:
    @pytest.mark.parametrize("graph", BOARDS)
    @pytest.mark.parametrize("outlook", range(3))
    def test_every_node_is_where_it_says(self, graph: str, outlook: int) -> None:
        view = view_of(Board, outlook=outlook)
        state = empty(graph)
        drawn(view, Picture(state))
        for node in range(state.nodes):
            rect = view.cell_rect(node)
            middle = (rect.centerx, rect.bottom - rect.w // 4) if outlook < 2 else rect.center
            assert AREA.contains(rect) and view.cell_at(middle) == node

    def test_turned_by_half_the_last_node_is_behind(self) -> None:
        front, behind = view_of(Board), view_of(Board, outlook=1)
        for view in (front, behind):
            drawn(view, Picture(MIDDLE_GAME))
        assert front.geometry.base(0)[1] < front.geometry.base(24)[1]
        assert behind.geometry.base(0)[1] > behind.geometry.base(24)[1]

    def test_levels_are_written_on_free_towers(self) -> None:
        view = view_of(Board)
        low, high = (position(f"{level}" + "0" * 24 + "/1/13,6/14,21", "4W_P9H_TWUS") for level in (1, 5))
        drawn(view, Picture(low))
        taken = low._replace(workers=low.workers | 1)
        top = pygame.Rect(0, 0, 16, 10)
        top.center = view.geometry.top(0, 1)
        assert (
            len({drawn(view, Picture(low)).get_at(top.move(x, y).center)[:3] for x in (-3, 0, 3) for y in (-3, 0, 3)})
            > 1
        )
        assert clearly_changed(drawn(view, Picture(low)), drawn(view, Picture(high))) > 100
        assert clearly_changed(drawn(view, Picture(low)), drawn(view, Picture(taken))) > 100
