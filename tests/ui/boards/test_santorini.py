"""The look of Santorini: where cells are on the oblique board, and that what there is to see is drawn."""

from __future__ import annotations

from random import Random

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.game.catalogue import GAMES
from papan.game.rules import legal_steps, play, santorini
from papan.game.rules.santorini import board, parse, start
from papan.game.rules.santorini.gods import APOLLO, SIMPLE_GODS
from papan.ui.boards import Direction, Moving, Picture
from papan.ui.boards.santorini import Board
from papan.ui.boards.santorini.drawing import BUILD_SECONDS, MOVE_SECONDS, PLACE_SECONDS
from papan.ui.boards.santorini.geometry import (
    LANDING,
    Geometry,
    cell_in_front,
    depth,
    figures_of,
    flights,
    special_targets,
)
from papan.ui.drawing.theme import THEMES, theme_of
from tests.ui.boards.drawing import AREA, ARROWS, changed, coloured, drawn, frozen, same, view_of

SETUP = {"gods": "seeds", "same": "no", "placement": "choose", "pick": "choose", "teams": "no", "seats": "2"}

EMPTY_BOARD = parse("0" * 25 + "/1/mortal:/mortal:", SETUP)._replace(phase=board.MOVING)
EMPTY = parse("0" * 25 + "/1/apollo:/atlas:", SETUP)
MIDDLE_GAME = parse("1210024311122120111000000/1/apollo:c3,d1/atlas:e4,b2", {})
BEHIND_A_TOWER = parse("0000000000004000000003000/1/mortal:b4,e1/mortal:e5,a1", {})  # b4 is straight behind c3
AT_THE_TOP = MIDDLE_GAME._replace(phase=board.REACHED_TOP, level_3=MIDDLE_GAME.level_3 | 1 << board.CELL_BY_NAME["c3"])


def cell(name: str) -> int:
    return board.CELL_BY_NAME[name]


def cells(names: str) -> frozenset[int]:
    return frozenset(board.CELL_BY_NAME[name] for name in names.split())


def domed(name: str) -> board.State:
    """A board with one full tower."""
    tower = 1 << board.CELL_BY_NAME[name]
    return EMPTY_BOARD._replace(level_1=tower, level_2=tower, level_3=tower, domes=tower)


@st.composite
def states(draw: st.DrawFn) -> board.State:
    """Any heights, domes at any height, and up to four workers beside the domes."""
    heights = draw(st.lists(st.integers(0, 3), min_size=board.CELLS, max_size=board.CELLS))
    domes = draw(st.sets(st.integers(0, board.CELLS - 1), max_size=8))
    free = [place for place in range(board.CELLS) if place not in domes]
    workers = draw(st.lists(st.sampled_from(free), max_size=4, unique=True))
    levels = [sum(1 << place for place, height in enumerate(heights) if height >= level) for level in (1, 2, 3)]
    packed = sum(1 << (place + board.CELLS * (index % 2)) for index, place in enumerate(workers))
    return EMPTY_BOARD._replace(
        level_1=levels[0],
        level_2=levels[1],
        level_3=levels[2],
        domes=sum(1 << place for place in domes),
        workers=packed,
    )


@pytest.fixture(scope="module")
def view() -> Board:
    """A board at its usual size, its pictures kept between tests."""
    return view_of(Board)


def clearly_changed(first: pygame.Surface, second: pygame.Surface, least: int = 24) -> int:
    return changed(first, second, least)


def top_of(view: Board, state: board.State, place: int) -> tuple[int, int]:
    return view.geometry.top(place, figures_of(state).towers[place].tiers)


class TestWhereCellsAre:
    def test_the_letters_run_along_the_left_front_edge_and_the_numbers_along_the_right_one(self, view: Board) -> None:
        x = {name: view.geometry.base(cell(name))[0] for name in board.CELL_BY_NAME}
        y = {name: view.geometry.base(cell(name))[1] for name in board.CELL_BY_NAME}
        assert x["a1"] == min(x.values()) and x["e5"] == max(x.values())
        assert y["a5"] == min(y.values()) and y["e1"] == max(y.values())

    @given(state=states(), place=st.integers(0, board.CELLS - 1))
    @settings(max_examples=200)
    def test_the_middle_of_a_legal_cells_top_is_that_cell(self, state: board.State, place: int) -> None:
        geometry = Geometry(AREA)
        figures = figures_of(state)
        point = geometry.top(place, figures.towers[place].tiers)
        assert geometry.cell_at(point, figures, {place}) == place

    @given(state=states(), place=st.integers(0, board.CELLS - 1))
    @settings(max_examples=200)
    def test_so_is_any_cells_that_nothing_higher_stands_before(self, state: board.State, place: int) -> None:
        geometry = Geometry(AREA)
        figures = figures_of(state)
        front = cell_in_front(place)
        here = figures.towers[place].tiers
        if front is None or (
            figures.towers[front].tiers <= here and front not in figures.workers and not figures.towers[front].is_domed
        ):
            assert geometry.cell_at(geometry.top(place, here), figures, ()) == place

    def test_a_workers_head_and_a_towers_wall_belong_to_their_cell(self, view: Board) -> None:
        drawn(view, Picture(MIDDLE_GAME))
        x, y = top_of(view, MIDDLE_GAME, cell("b2"))
        assert view.cell_at((x, y - view.geometry.px(0.8))) == cell("b2")
        x, y = view.geometry.base(cell("d2"))
        assert view.cell_at((x - view.geometry.px(0.3), y + view.geometry.px(0.2))) == cell("d2")

    def test_what_is_in_front_is_hit_unless_a_legal_cell_shines_through(self, view: Board) -> None:
        x, y = top_of(view, BEHIND_A_TOWER, cell("b4"))
        drawn(view, Picture(BEHIND_A_TOWER))
        assert view.cell_at((x, y)) == cell("c3")
        drawn(view, Picture(BEHIND_A_TOWER, targets=cells("b4")))
        assert view.cell_at((x, y)) == cell("b4")

    def test_beside_the_board_is_no_cell(self, view: Board) -> None:
        drawn(view, Picture(EMPTY))
        for point in (AREA.topleft, AREA.bottomright, (AREA.centerx, AREA.bottom - 5), (0, 0)):
            assert view.cell_at(point) is None

    def test_a_cells_rectangle_holds_its_tower(self, view: Board) -> None:
        drawn(view, Picture(MIDDLE_GAME))
        for place in range(board.CELLS):
            rect = view.cell_rect(place)
            assert rect.collidepoint(top_of(view, MIDDLE_GAME, place))
            assert rect.collidepoint(view.geometry.base(place))

    def test_cells_of_equal_depth_lie_on_one_line(self, view: Board) -> None:
        lines = {depth(place): view.geometry.base(place)[1] for place in range(board.CELLS)}
        assert all(view.geometry.base(place)[1] == lines[depth(place)] for place in range(board.CELLS))


class TestArrowKeys:
    @pytest.mark.parametrize("arrow", ARROWS)
    def test_lead_where_they_point_on_the_screen(self, view: Board, arrow: Direction) -> None:
        corner = {"left": "a1", "right": "e5", "up": "a5", "down": "e1"}[arrow]
        for place in range(board.CELLS):
            x, y = view.geometry.base(place)
            next_x, next_y = view.geometry.base(view.neighbour(place, arrow))
            way = {"left": x - next_x, "right": next_x - x, "up": y - next_y, "down": next_y - y}[arrow]
            assert way > 0 or (way == 0 and place == cell(corner))

    @pytest.mark.parametrize(("there", "back"), [("left", "right"), ("up", "down"), ("down", "up")])
    def test_and_back_again(self, view: Board, there: Direction, back: Direction) -> None:
        for name in ("b2", "c2", "d2", "b3", "c3", "d3", "b4", "c4", "d4"):
            assert view.neighbour(view.neighbour(cell(name), there), back) == cell(name)

    def test_up_twice_goes_straight_on(self, view: Board) -> None:
        for name in ("c2", "d2", "d3"):
            twice = view.neighbour(view.neighbour(cell(name), "up"), "up")
            assert view.geometry.base(twice)[0] == view.geometry.base(cell(name))[0]

    def test_the_cursor_begins_on_a_worker_or_in_the_middle(self, view: Board) -> None:
        assert view.first_cursor(EMPTY) == cell("c3")
        assert view.first_cursor(MIDDLE_GAME) in cells("c3 d1")


class TestWhatIsSeen:
    def test_an_area_without_room_is_left_alone(self) -> None:
        drawn(view_of(Board, area=pygame.Rect(0, 0, 0, 0)), Picture(MIDDLE_GAME))
        drawn(view_of(Board, area=pygame.Rect(0, 0, 9, 9)), Picture(MIDDLE_GAME))

    @pytest.mark.parametrize("theme", THEMES)
    @pytest.mark.parametrize("state", [MIDDLE_GAME, BEHIND_A_TOWER], ids=["middle", "hidden"])
    def test_every_legal_cell_is_marked(self, theme: str, state: board.State) -> None:
        view = view_of(Board, theme)
        plain = drawn(view, Picture(state))
        for place in range(board.CELLS):
            if not state.domes >> place & 1:
                assert clearly_changed(plain, drawn(view, Picture(state, frozenset({place}))), 12) > 120

    def test_the_chosen_worker_is_lifted(self, view: Board) -> None:
        plain, lifted = (drawn(view, Picture(MIDDLE_GAME, chosen=chosen)) for chosen in (None, cell("d1")))
        x, y = top_of(view, MIDDLE_GAME, cell("d1"))
        above = y - view.geometry.px(1.05)
        assert plain.get_at((x, above)) != lifted.get_at((x, above))

    def test_a_worker_behind_a_full_tower_shows_its_seat(self, view: Board) -> None:
        other = BEHIND_A_TOWER._replace(workers=BEHIND_A_TOWER.workers ^ (1 | 1 << board.CELLS) << cell("b4"))
        nobody = BEHIND_A_TOWER._replace(workers=BEHIND_A_TOWER.workers ^ 1 << cell("b4"))
        frames = [drawn(view, Picture(state)) for state in (BEHIND_A_TOWER, other, nobody)]
        assert clearly_changed(frames[0], frames[1], 40) > 200
        assert clearly_changed(frames[0], frames[2], 40) > 500

    @pytest.mark.parametrize("theme", THEMES)
    def test_each_height_and_a_dome_at_each_height_looks_different(self, theme: str) -> None:
        view = view_of(Board, theme)
        looks = []
        for height in range(4):
            levels = [int(height >= level) << cell("c3") for level in (1, 2, 3)]
            tower = EMPTY_BOARD._replace(level_1=levels[0], level_2=levels[1], level_3=levels[2])
            looks.append(drawn(view, Picture(tower)))
            missing = 3 - height << 2 * cell("c3")
            looks.append(drawn(view, Picture(domed("c3")._replace(missing=missing))))
        for index, first in enumerate(looks):
            assert all(clearly_changed(first, second) > 500 for second in looks[index + 1 :])

    def test_the_winner_and_who_is_stuck_are_marked(self, view: Board) -> None:
        ended = MIDDLE_GAME._replace(level_3=AT_THE_TOP.level_3)
        assert clearly_changed(drawn(view, Picture(ended)), drawn(view, Picture(AT_THE_TOP))) > 200
        stuck = MIDDLE_GAME._replace(phase=board.STUCK)
        assert clearly_changed(drawn(view, Picture(MIDDLE_GAME)), drawn(view, Picture(stuck))) > 60

    def test_a_theme_changed_between_two_frames(self) -> None:
        view = view_of(Board, "light")
        drawn(view, Picture(MIDDLE_GAME))
        view.paint.set_theme(theme_of("dark"))
        assert same(drawn(view, Picture(MIDDLE_GAME)), drawn(view_of(Board, "dark"), Picture(MIDDLE_GAME)))

    def test_a_still_board_is_larger_and_has_no_coordinates(self) -> None:
        area = pygame.Rect(0, 0, 290, 130)
        view, still = view_of(Board, area=area), view_of(Board, area=area, is_still=True)
        drawn(still, Picture(still.sample()))
        assert still.geometry.half_width > view.geometry.half_width
        highest = domed("a5")
        top = drawn(still, Picture(highest)).subsurface((0, 0, area.w, 1))
        assert coloured(top, still.theme.background) == area.w


class TestAnimation:
    def steps(self) -> dict[str, tuple[board.State, int]]:
        """A step of each kind, with the state it is played in."""
        apollo = MIDDLE_GAME
        moved = play(
            parse("1210024311122120111000000/1/atlas:c3,d1/apollo:e4,b2", {}), board.move_step(cell("c3"), cell("d3"))
        )
        return {
            "move up": (apollo, board.move_step(cell("c3"), cell("c4"))),
            "move down": (apollo, board.move_step(cell("c3"), cell("c2"))),
            "move away": (apollo, board.move_step(cell("d1"), cell("e1"))),
            "change places": (apollo, board.move_step(cell("c3"), cell("b2"))),
            "build": (moved, board.BUILD | cell("e3")),
            "build a dome": (moved, board.BUILD | cell("c4")),
            "build a dome low": (moved, board.DOME | cell("e2")),
            "place": (EMPTY, board.PLACE | cell("c3")),
        }

    @pytest.mark.parametrize(("theme", "has_dust"), [("light", True), ("dark", True), ("contrast", False)])
    def test_a_block_that_has_landed_raises_dust_that_settles(self, theme: str, has_dust: bool) -> None:
        view = view_of(Board, theme)
        empty = parse("0000000000000000000000000/1/atlas:c3,d1/apollo:e5,b5", {})
        before = play(empty, board.move_step(cell("c3"), cell("c2")))
        step = board.BUILD | cell("b2")
        after = play(before, step)

        def beside(progress: float) -> pygame.Surface:
            """What lies before the block's left wall, where neither the wall nor its shadow reaches."""
            frame = drawn(view, Picture(before, moving=Moving(before, step, after, progress)))
            x, y = view.geometry.base(cell("b2"))
            wide, deep = view.geometry.top_reach(1)
            return frame.subsurface(pygame.Rect(x - wide // 2 - deep // 2, y + deep // 2 + 8, deep // 2, deep // 2))

        assert same(beside(LANDING / 2), beside(1.0))
        raised = changed(beside(LANDING + 0.1), beside(1.0), 8)
        assert raised > 30 if has_dust else raised == 0
        assert changed(beside(0.98), beside(1.0), 20) == 0, "hardly any is left"

    @pytest.mark.parametrize(
        "kind",
        ["move up", "move down", "move away", "change places", "build", "build a dome", "build a dome low", "place"],
    )
    def test_goes_from_the_state_before_to_the_state_after(self, view: Board, kind: str) -> None:
        before, step = self.steps()[kind]
        after = play(before, step)._replace(active=0, phase=board.MOVING)
        before = before._replace(active=0)
        first, half, last = (
            drawn(view, Picture(before, moving=Moving(before, step, after, progress))) for progress in (0.0, 0.5, 1.0)
        )
        assert clearly_changed(first, half) > 200 and clearly_changed(half, last) > 200
        assert clearly_changed(drawn(view, Picture(after)), last, 60) < 40
        if kind.startswith(("move", "change")):
            assert clearly_changed(drawn(view, Picture(before)), first, 60) < 40

    def test_takes_the_time_of_its_kind(self, view: Board) -> None:
        expected = {"move": MOVE_SECONDS, "change": MOVE_SECONDS, "build": BUILD_SECONDS, "place": PLACE_SECONDS}
        for kind, (state, step) in self.steps().items():
            assert view.duration(state, step, play(state, step)) == expected[kind.split()[0]]

    def test_a_god_is_picked_at_once(self, view: Board) -> None:
        options = {name: option.default for name, option in GAMES["santorini"].options.items()} | {"gods": "seeds"}
        picking = parse("0" * 25 + "/1/?:/?:", options)
        assert view.duration(picking, board.PICK | APOLLO, play(picking, board.PICK | APOLLO)) == 0

    def test_a_change_of_places_moves_both_workers(self) -> None:
        before, step = self.steps()["change places"]
        ways = {
            (way.seat, way.origin, way.target) for way in flights(figures_of(before), figures_of(play(before, step)))
        }
        assert ways == {(0, cell("c3"), cell("b2")), (1, cell("b2"), cell("c3"))}


class TestPictures:
    def test_an_animation_makes_few(self) -> None:
        view = view_of(Board)
        drawn(view, Picture(MIDDLE_GAME, frozenset(range(board.CELLS)), cursor=3, marks={8: "+1"}))
        kept = len(view.paint.pictures)
        step = board.move_step(cell("c3"), cell("d2"))
        after = play(MIDDLE_GAME, step)
        for frame in range(200):
            drawn(view, Picture(MIDDLE_GAME, moving=Moving(MIDDLE_GAME, step, after, frame / 199)))
        assert len(view.paint.pictures) < kept + 40


class TestGods:
    MIDDLE = "0010002110012100011000000"

    def position(self, players: str, options: dict[str, str] | None = None) -> board.State:
        return parse(f"{self.MIDDLE}/1/{players}", options or {})

    def targets(self, state: board.State, chosen: int) -> frozenset[int]:
        paths = [santorini.cells(state, step) for step in legal_steps(state)]
        return frozenset(path[1] for path in paths if len(path) == 2 and path[0] == chosen)

    @pytest.mark.parametrize(("god", "special"), [("apollo", "swap"), ("minotaur", "push")])
    def test_whom_a_move_displaces_is_marked_by_itself(self, view: Board, god: str, special: str) -> None:
        state = self.position(f"{god}:c3,b1/pan:d4,e2")
        specials = special_targets(state, cell("c3"))
        assert specials == {cell("d4"): special}
        targets = self.targets(state, cell("c3"))
        plain = drawn(view, Picture(state, targets - {cell("d4")}, chosen=cell("c3")))
        assert clearly_changed(plain, drawn(view, Picture(state, targets, chosen=cell("c3")))) > 200

    @pytest.mark.parametrize("theme", THEMES)
    def test_swap_push_and_build_look_different(self, theme: str) -> None:
        view = view_of(Board, theme)
        swap, push = (
            drawn(view, Picture(self.position(f"{god}:c3,b1/pan:d4,e2"), frozenset({cell("d4")}), chosen=cell("c3")))
            for god in ("apollo", "minotaur")
        )
        assert clearly_changed(swap, push) > 20

    def test_what_prometheus_can_only_build_on_is_marked(self) -> None:
        state = parse(f"{'0' * 10}0012000000{'0' * 5}/1/prometheus:c3,a1/pan:e5,e1", {})
        lower = parse(f"{'0' * 10}0002000000{'0' * 5}/1/prometheus:c3,a1/pan:e5,e1", {})
        assert special_targets(state, cell("c3")) == {}
        assert special_targets(lower, cell("c3")) == {cell("d3"): "build"}

    def test_nothing_is_special_before_a_worker_is_chosen(self) -> None:
        assert special_targets(self.position("apollo:c3,b1/pan:d4,e2"), None) == {}

    @pytest.mark.parametrize("theme", THEMES)
    def test_each_god_has_an_emblem_of_its_own(self, theme: str) -> None:
        view = view_of(Board, theme)
        state = start({**SETUP, "gods": "simple"}, Random(1))
        pictures = []
        for step in legal_steps(state):
            emblem = view.step_emblem(state, step)
            assert emblem is not None
            surface = pygame.Surface((46, 46))
            surface.fill(view.theme.panel)
            emblem(surface, surface.get_rect())
            pictures.append(surface)
        assert len(pictures) == len(SIMPLE_GODS)
        for index, first in enumerate(pictures):
            assert all(clearly_changed(first, other) > 60 for other in pictures[index + 1 :])

    def test_a_seat_shows_its_gods_emblem_always_the_same(self, view: Board) -> None:
        state = self.position("apollo:c3,b1/mortal:d4,e2")
        assert view.seat_emblem(state, 0) is view.step_emblem(start(SETUP, Random(1)), board.PICK | APOLLO)
        assert view.seat_emblem(state, 1) is None
        assert view.step_emblem(state, legal_steps(state)[0]) is None

    def test_done_stands_in_a_corner_that_the_board_leaves_free(self, view: Board) -> None:
        corner = view.free_corner((100, 60))
        assert corner is not None and view.area.contains(corner)
        assert all(view.cell_at(point) is None for point in (corner.topright, corner.center, corner.topleft))
        assert view.free_corner((400, 300)) is None


class TestMoreSeats:
    def test_each_seat_has_its_own_workers(self, view: Board) -> None:
        players = "mortal:a1,b1/mortal:a3,b3/mortal:d3,e3/mortal:d5,e5"
        state = parse(f"{'0' * 25}/1/{players}", {})
        assert figures_of(state).workers == {
            cell(name): seat
            for seat, names in enumerate(("a1 b1", "a3 b3", "d3 e3", "d5 e5"))
            for name in names.split()
        }
        styles = {(style.colour, style.shape) for style in (view.seat_style(state, seat) for seat in range(4))}
        assert len(styles) == 4
        assert clearly_changed(drawn(view, Picture(EMPTY_BOARD)), drawn(view, Picture(state))) > 3000

    def test_partners_look_alike(self, view: Board) -> None:
        state = parse(f"{'0' * 25}/1/pan:a1,b1/atlas:a3,b3/hermes:/athena:", {"teams": "yes"})
        assert view.seat_style(state, 0) == view.seat_style(state, 2) != view.seat_style(state, 3)
        assert set(figures_of(state).workers.values()) == {0, 1}

    def test_workers_of_a_seat_that_is_out_fade(self) -> None:
        before = parse(f"{'0' * 25}/1/mortal:a1,b1/mortal:a3,b3/mortal:d3,e3", {})
        after = before._replace(workers=before.workers & 0x1FFFFFF, out=2)
        found = flights(figures_of(before), figures_of(after))
        assert {(flight.seat, flight.fades) for flight in found} == {(1, "out")}

    def test_who_has_gone_down_is_marked(self, view: Board) -> None:
        state = MIDDLE_GAME._replace(phase=board.WENT_DOWN)
        assert clearly_changed(drawn(view, Picture(MIDDLE_GAME)), drawn(view, Picture(state))) > 100


class TestHidden:
    def test_a_tower_is_seen_through_while_a_worker_is_behind_it(self, view: Board) -> None:
        alone = BEHIND_A_TOWER._replace(workers=BEHIND_A_TOWER.workers ^ 1 << cell("b4"))
        x, y = view.geometry.base(cell("c3"))
        foot = pygame.Rect(x - 12, y - 6, 24, 12)  # of the tower, where nobody stands behind
        dome = view.geometry.top(cell("c3"), 3)
        hidden, free = (drawn(view, Picture(state)) for state in (BEHIND_A_TOWER, alone))
        assert not same(hidden.subsurface(foot), free.subsurface(foot))
        empty = drawn(view, Picture(EMPTY))
        assert changed(hidden.subsurface(foot), empty.subsurface(foot), least=8) > 20
        assert hidden.get_at((dome[0], dome[1] - 8)) != free.get_at((dome[0], dome[1] - 8))


class TestOutlooks:
    @pytest.mark.parametrize("outlook", range(5))
    def test_every_cell_is_where_it_says(self, outlook: int) -> None:
        view = view_of(Board, outlook=outlook)
        drawn(view, Picture(EMPTY))
        assert [view.cell_at(view.cell_rect(place).center) for place in range(board.CELLS)] == list(range(board.CELLS))

    def test_each_side_comes_to_the_front(self) -> None:
        nearest = []
        for outlook in range(4):
            view = view_of(Board, outlook=outlook)
            nearest.append(max(range(board.CELLS), key=lambda place: view.geometry.base(place)[1]))
        assert sorted(nearest) == sorted(cell(name) for name in ("a1", "e1", "a5", "e5"))

    @pytest.mark.parametrize("outlook", range(2, 5))
    def test_arrow_keys_reach_every_cell_and_lead_where_they_point(self, outlook: int) -> None:
        view = view_of(Board, outlook=outlook)
        drawn(view, Picture(EMPTY))
        reached = {0}
        for _ in range(board.CELLS):
            reached |= {view.neighbour(place, arrow) for place in reached for arrow in ARROWS}
        assert len(reached) == board.CELLS
        for place in range(board.CELLS):
            x, y = view.cell_rect(place).center
            for arrow in ARROWS:
                next_x, next_y = view.cell_rect(view.neighbour(place, arrow)).center
                way = {"left": x - next_x, "right": next_x - x, "up": y - next_y, "down": next_y - y}[arrow]
                assert way > 0 or (next_x - x) ** 2 + (next_y - y) ** 2 == 0 or outlook < 4

    def test_a_worker_behind_a_tower_is_seen_whole_from_above(self) -> None:
        view = view_of(Board, outlook=4)
        shown = drawn(view, Picture(BEHIND_A_TOWER))
        for place, side in figures_of(BEHIND_A_TOWER).workers.items():
            assert coloured(shown.subsurface(view.cell_rect(place)), view.theme.seats[side].colour) > 200

    def test_levels_are_told_apart_from_above(self) -> None:
        view = view_of(Board, outlook=4)
        towers = [parse(f"{level}" + "0" * 24 + "/1/apollo:c3,d1/atlas:e4,b2", {}) for level in range(4)]
        rect = view.cell_rect(figures_cell(towers[1]))
        assert len({frozen(drawn(view, Picture(state)).subsurface(rect)) for state in towers}) == 4

    @pytest.mark.parametrize("theme", THEMES)
    def test_everything_a_picture_can_say_is_seen_from_above(self, theme: str) -> None:
        view = view_of(Board, theme, outlook=4)
        plain = drawn(view, Picture(MIDDLE_GAME))
        for said in (
            Picture(MIDDLE_GAME, targets=cells("c1")),
            Picture(MIDDLE_GAME, targets=cells("c1"), hover=cell("c1")),
            Picture(MIDDLE_GAME, chosen=next(iter(figures_of(MIDDLE_GAME).workers))),
            Picture(MIDDLE_GAME, last=(cell("c1"),)),
            Picture(MIDDLE_GAME, hint=(cell("c1"),)),
            Picture(MIDDLE_GAME, cursor=cell("c1")),
            Picture(MIDDLE_GAME, marks={cell("c1"): "+7"}),
        ):
            assert not same(drawn(view, said), plain), said


def figures_cell(state: board.State) -> int:
    """The one cell with a tower."""
    return next(place for place, tower in enumerate(figures_of(state).towers) if tower.tiers)
