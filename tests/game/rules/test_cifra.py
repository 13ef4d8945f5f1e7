"""CIFRA Code25: published single-piece walks, every end rule, and a slow, independent referee."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.game.catalogue import find
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.perft import perft
from papan.game.playout import playout
from papan.game.rules import IllegalStep, PositionError, cifra, is_over, key, legal_steps, mover, moves, payoff, play
from papan.testing.kernels import compiled_entry
from tests.game.rules import cifra_referee
from tests.game.rules.cifra_referee import Referee

TILES = "WBWBWWBBWBBWNBWWWBBWBWBWB"
HOME = "bbbbb...............wwwww"
CELL_NAMES = cifra_referee.cell_names(5)


def board(pieces: dict[str, str], to_move: str = "w", home: str = "w", tiles: str = TILES) -> str:
    """A position text with *pieces*, by cell."""
    return cifra_referee.board(pieces, to_move, home, tiles)


def state_of(text: str) -> cifra.State:
    state = cifra.parse(text, {})
    assert isinstance(state, cifra.State)
    return state


def turns_of(state: cifra.State) -> set[str]:
    return {cifra.notation(state, step) for step in legal_steps(state)}


def targets(state: cifra.State, origin: str) -> set[str]:
    return {turn[3:] for turn in turns_of(state) if turn.startswith(origin)}


def step_of(state: cifra.AnyState, turn: str) -> int:
    return next(step for step in legal_steps(state) if cifra.notation(state, step) == turn)


def after(text: str, *turns: str) -> cifra.State:
    state = state_of(text)
    for turn in turns:
        state = play(state, step_of(state, turn))
    return state


def move_code(origin: str, target: str) -> int:
    numbers = {name: index for index, name in enumerate(column + row for row in "12345" for column in "abcde")}
    return numbers[origin] * 32 + numbers[target]


@st.composite
def positions(draw: st.DrawFn) -> str:
    """Position texts of play: any shuffle, any number of pieces anywhere."""
    random = Random(draw(st.integers(0, 2**32)))
    home = random.choice("wb")
    coloured = random.sample("W" * 12 + "B" * 12, 24)
    names = random.sample(CELL_NAMES, len(CELL_NAMES))
    pieces = {}
    for colour in "wb":
        far = "5" if colour == home else "1"
        for _ in range(draw(st.integers(0, 5))):
            name = names.pop()
            pieces[name] = colour.upper() if name[1] == far else colour
    text = board(pieces, random.choice("wb"), home, "".join([*coloured[:12], "N", *coloured[12:]]))
    quiet = draw(st.sampled_from([0, 0, 1, 98, 99, 100]))
    return f"{text}/{quiet}" if quiet else text


class TestWalks:
    """One piece on an otherwise empty board; the far row is row 5."""

    @pytest.mark.parametrize(
        ("colour", "origin", "expected"),
        [
            ("b", "c1", "b1 d1 b2 c2 c3 d2 e3"),
            ("w", "c1", "b1 d1 b2 c2 d2"),
            ("b", "e2", "d3 c4 b5 d2 c2 e3 e1 d1"),
            ("w", "b3", "a4 b4 c4 a3 c3 a2 b2 b1 c2"),
        ],
    )
    def test_published_lists(self, colour: str, origin: str, expected: str) -> None:
        # The other side's piece, without which the game would be over, stands out of reach.
        other = {"w": "b", "b": "w"}[colour]
        state = state_of(board({origin: colour, "a5": other}, to_move=colour, home=colour))
        assert targets(state, origin) == set(expected.split())

    def test_a_piece_on_the_neutral_tile_takes_one_step_and_runs_on_over_its_own_colour(self) -> None:
        state = state_of(board({"c3": "w", "a5": "b"}))
        assert targets(state, "c3") == {"b3", "d3", "c2", "c4", "b4", "d4", "b2", "d2", "e5"}

    def test_the_neutral_tile_is_entered_but_never_passed(self) -> None:
        tiles = "BBBBWBWBWWBBNBBWWBWWWWBWW"
        state = state_of(board({"b3": "b", "e5": "w"}, to_move="b", home="b", tiles=tiles))
        assert targets(state, "b3") & {"c3", "d3", "e3"} == {"c3"}

    def test_a_run_over_its_own_colour_ends_with_one_step_off_it(self) -> None:
        tiles = "BBBBBBBBBWWWNBWWWWWWWWWBB"
        state = state_of(board({"a1": "w", "e5": "b"}, tiles=tiles))
        assert targets(state, "a1") == {"a2", "a3", "a4", "b1", "c1", "d1", "b2", "c3"}

    def test_a_piece_in_the_way_ends_the_walk(self) -> None:
        tiles = "WWWWWWWWWBWWNBBWBBBBBBBBB"
        alone = {"a3": "w", "e5": "b"}
        assert {"a4", "a5"} <= targets(state_of(board(alone, tiles=tiles)), "a3")
        assert not {"a4", "a5"} & targets(state_of(board(alone | {"a4": "w"}, tiles=tiles)), "a3")
        blocked = turns_of(state_of(board(alone | {"a4": "b"}, tiles=tiles)))
        assert "a3xa4" in blocked
        assert "a3-a5" not in blocked


class TestCapturesAndGoals:
    def test_a_capture_takes_the_piece_off_the_board(self) -> None:
        state = after(board({"c1": "w", "d2": "b", "a5": "b"}), "c1xd2")
        assert cifra.text(state) == board({"d2": "w", "a5": "b"}, to_move="b")

    def test_a_capture_may_be_declined(self) -> None:
        assert {"c1xd2", "c1-b1"} <= turns_of(state_of(board({"c1": "w", "d2": "b", "a5": "b"})))

    def test_a_piece_that_reaches_the_far_row_is_a_goal_piece_and_moves_no_more(self) -> None:
        state = after(board({"a4": "w", "b1": "w", "c3": "b", "d3": "b"}), "a4-a5", "c3-c2")
        assert "W" in cifra.text(state).split("/")[1]
        assert not targets(state, "a5")
        assert targets(state, "b1")

    def test_a_capturer_that_lands_on_the_far_row_is_a_goal_piece(self) -> None:
        state = after(board({"a4": "w", "b1": "w", "a5": "b", "d3": "b"}), "a4xa5")
        assert cifra.text(state) == board({"a5": "W", "b1": "w", "d3": "b"}, to_move="b")

    def test_a_goal_piece_cannot_be_captured_by_a_piece_on_its_own_home_row(self) -> None:
        state = state_of(board({"a5": "W", "b1": "w", "b5": "b"}, to_move="b"))
        assert targets(state, "b5")
        assert "a5" not in targets(state, "b5")

    def test_a_piece_on_its_own_home_row_is_captured_like_any_other(self) -> None:
        assert "a4xa5" in turns_of(state_of(board({"a4": "w", "a5": "b"})))

    def test_pieces_move_backwards_too(self) -> None:
        assert "c3-c2" in turns_of(state_of(board({"c3": "w", "a5": "b"})))


class TestEndings:
    """Each ends with the move: who has won, and why."""

    @pytest.mark.parametrize(
        ("pieces", "turn", "payoffs", "reason"),
        [
            # The last living piece comes home.
            ({"a5": "W", "b4": "w", "c1": "B", "d3": "b"}, "b4-b5", (1, -1), "more goal pieces, as one side"),
            ({"b4": "w", "c1": "B", "e1": "B", "d3": "b"}, "b4-b5", (-1, 1), "more goal pieces, as one side"),
            ({"b4": "w", "c1": "B", "d3": "b"}, "b4-b5", (-1, 1), "equal goal pieces, but living pieces left"),
            # The opponent's last living piece is captured.
            ({"c1": "w", "d2": "b"}, "c1xd2", (1, -1), "equal goal pieces, but living pieces left"),
            ({"c1": "w", "d2": "b", "a1": "B"}, "c1xd2", (-1, 1), "more goal pieces, as one side"),
            # Both at once.
            ({"b4": "w", "b5": "b", "c1": "B"}, "b4xb5", (0, 0), "equal goal pieces, and no living pieces left"),
            ({"b4": "w", "b5": "b"}, "b4xb5", (1, -1), "more goal pieces, as one side"),
        ],
    )
    def test_a_side_without_living_pieces(
        self, pieces: dict[str, str], turn: str, payoffs: tuple[float, float], reason: str
    ) -> None:
        state = after(board(pieces), turn)
        assert is_over(state)
        assert legal_steps(state) == []
        assert cifra.ending(state).payoffs == payoffs
        assert cifra.ending(state).reason.startswith(reason)

    def test_seats_not_colours_are_paid(self) -> None:
        state = after(board({"b2": "w", "a1": "W", "d3": "b"}, home="b"), "b2-b1")
        assert cifra.ending(state).payoffs == (-1, 1)

    def test_fifty_quiet_turns_by_each_side_draw(self) -> None:
        state = after(board({"c1": "w", "a5": "b"}) + "/98", "c1-c2")
        assert not is_over(state)
        state = play(state, step_of(state, "a5-a4"))
        assert is_over(state)
        assert cifra.ending(state) == ((0, 0), "50 turns by each side without a capture or a goal")

    @pytest.mark.parametrize("turn", ["a4xa3", "a4-a5"])
    def test_a_capture_or_a_goal_starts_the_count_again(self, turn: str) -> None:
        assert after(board({"a4": "w", "c1": "w", "a3": "b", "d3": "b"}) + "/99", turn).quiet == 0

    def test_third_repetition_draws(self) -> None:
        match = Match.new(find("cifra"), ["human", "human"], {"first": "1"}, 0, board({"c1": "w", "a5": "b"}))
        there_and_back = ("c1-c2", "a5-a4", "c2-c1", "a4-a5")
        for turn in there_and_back + there_and_back[:3]:
            match.play(step_of(match.state, turn))
            assert match.ending is None
        match.play(step_of(match.state, "a4-a5"))
        assert match.ending == ((0, 0), "third repetition of the position")

    def test_the_porto_project_had_no_answer_here(self) -> None:
        """Its winner() returned nothing for a side that is all at home but not ahead."""
        state = after(board({"b4": "w", "a1": "B", "c1": "B", "d3": "b"}), "b4-b5")
        assert cifra.ending(state).winner == 1


class TestSetUp:
    def test_two_shuffles_of_twelve_white_and_twelve_blue_tiles_differ(self) -> None:
        texts = {cifra.text(cifra.start({}, Random(seed))) for seed in range(20)}
        assert len(texts) == 20
        for text in texts:
            assert (text.count("W"), text.count("B"), text[12]) == (12, 12, "N")

    def test_every_tile_is_shuffled(self) -> None:
        whites = Counter(
            place
            for seed in range(400)
            for place, tile in enumerate(cifra.text(cifra.start({}, Random(seed))).split("/")[0])
            if tile == "W"
        )
        assert len(whites) == 24
        assert min(whites.values()) > 140  # 200 expected, standard deviation 10
        assert max(whites.values()) < 260

    def test_the_second_player_chooses_his_side_and_his_colour_then_the_first_moves(self) -> None:
        state = cifra.start({}, Random(1))
        seen = []
        for turn in ("south", ":white"):
            seen.append((cifra.phase(state), mover(state), len(legal_steps(state))))
            state = play(state, step_of(state, turn))
        assert seen == [("choose side", 1, 4), ("choose colour", 1, 2)]
        assert (cifra.phase(state), mover(state), cifra.PHASES["move"]) == ("move", 0, ("move",))

    def test_both_steps_are_one_turn(self) -> None:
        match = Match.new(find("cifra"), ["a", "b"], {"first": "1"}, 1)
        for turn in ("west", ":blue"):
            match.play(step_of(match.state, turn))
        assert [(turn.seat, turn.notation) for turn in match.turns()] == [(1, "west:blue")]

    @pytest.mark.parametrize(
        ("side", "top_row", "bottom_row"),
        [
            # From the board as shuffled: row 5 is WBWBW, column e from top WBWWB, row 1 BWBWB, column a WWBWB.
            ("north", "WBWBW", "BWBWB"),
            ("east", "WBWWB", "WWBWB"),
            ("south", "BWBWB", "WBWBW"),
            ("west", "BWBWW", "BWWBW"),
        ],
    )
    def test_the_board_is_turned_until_the_chosen_side_is_row_5(self, side: str, top_row: str, bottom_row: str) -> None:
        tiles = cifra.text(after(f"{TILES}/side", side)).split("/")[0]
        assert (tiles[:5], tiles[20:]) == (top_row, bottom_row)
        assert tiles.count("W") == 12

    def test_east_turned_anticlockwise_in_full(self) -> None:
        assert cifra.text(after(f"{TILES}/side", "east")) == "WBWWBBWBBWWBNBBBBWWWWWBWB/colour"

    def test_the_colour_chosen_is_the_second_players(self) -> None:
        white = after(f"{TILES}/colour", ":white")
        assert cifra.text(white) == f"{TILES}/{'w' * 5}{'.' * 15}{'b' * 5}/b/b"
        assert [cifra.seat_note(white, seat)[0] for seat in (0, 1)] == ["blue", "white"]
        blue = after(f"{TILES}/colour", ":blue")
        assert cifra.text(blue) == f"{TILES}/{'b' * 5}{'.' * 15}{'w' * 5}/w/w"


class TestAgainstTheReferee:
    @given(positions())
    def test_turns_and_what_they_lead_to(self, text: str) -> None:
        state, referee = state_of(text), Referee(text)
        assert is_over(state) == referee.is_over()
        assert turns_of(state) == referee.turns()
        assert bool(legal_steps(state)) != is_over(state), "a side that has living pieces can move"
        for step in legal_steps(state):
            assert cifra.text(play(state, step)) == referee.text_after(cifra.notation(state, step))

    @given(positions())
    def test_payoffs(self, text: str) -> None:
        state, referee = state_of(text), Referee(text)
        if is_over(state):
            for seat, colour in enumerate("wb" if referee.home == "w" else "bw"):
                expected = 0 if referee.winner() is None else 1 if referee.winner() == colour else -1
                assert payoff(state, seat) == expected

    @given(positions())
    def test_kernels_compiled(self, text: str) -> None:
        state, buffer = state_of(text), np.empty(cifra.MOST_STEPS, np.int64)
        end = compiled_entry(moves)(state, buffer, 0)
        assert list(buffer[:end]) == legal_steps(state)
        for step in legal_steps(state):
            assert compiled_entry(play)(state, step) == play(state, step)
        for kernel in (mover, is_over, key):
            assert compiled_entry(kernel)(state) == kernel(state)
        for seat in (0, 1):
            assert compiled_entry(payoff)(state, seat) == payoff(state, seat)

    @pytest.mark.parametrize(
        "text", [f"{TILES}/{HOME}/w/w", board({"a3": "w", "d4": "w", "b2": "b", "e5": "b", "c1": "B"}, "b")]
    )
    def test_perft(self, text: str) -> None:
        for depth in (1, 2, 3):
            assert perft(cifra, state_of(text), depth) == Referee(text).perft(depth)

    def test_perft_of_the_set_up_counts_one_turn(self) -> None:
        assert perft(cifra, state_of(f"{TILES}/side"), 1) == 8

    def test_random_games_from_the_shuffle_on(self) -> None:
        buffer = np.empty(cifra.MOST_STEPS, np.int64)
        for seed in range(20):
            start = cifra.start({}, Random(seed))
            end = playout(start, buffer, random_state(seed))
            assert end == playout.function(start, buffer, random_state(seed))
            assert Referee(cifra.text(end)).is_over()


class TestKeys:
    @given(positions(), positions())
    def test_differ_where_positions_do(self, one: str, other: str) -> None:
        assert (key(state_of(one)) == key(state_of(other))) == (one.split("/")[:4] == other.split("/")[:4])

    def test_do_not_count_quiet_turns(self) -> None:
        text = f"{TILES}/{HOME}/w/w"
        assert key(state_of(text)) == key(state_of(f"{text}/7"))

    def test_tell_sides_and_phases_apart(self) -> None:
        texts = [f"{TILES}/{phase}" for phase in ("side", "colour")]
        middle = "." * 10 + "w.b.." + "." * 10
        texts += [f"{TILES}/{middle}/{to_move}/{home}" for to_move in "wb" for home in "wb"]
        assert len({key(state_of(text)) for text in texts}) == 6

    def test_no_two_positions_of_one_board_collide(self) -> None:
        random = Random(1)
        states = {
            state_of(f"{TILES}/{HOME}/w/w")._replace(first=random.getrandbits(25), second=random.getrandbits(25))
            for _ in range(5_000)
        }
        assert len({key(state) for state in states}) == len(states)
        assert len({key(state) & 0xFFFF for state in states}) > 4_700  # 4816 expected


class TestPositionText:
    @given(positions())
    def test_round_trips(self, text: str) -> None:
        assert cifra.text(state_of(text)) == text

    @pytest.mark.parametrize("phase", ["side", "colour"])
    def test_of_the_set_up_round_trips(self, phase: str) -> None:
        state = state_of(f"{TILES}/{phase}")
        assert cifra.text(state) == f"{TILES}/{phase}"
        assert cifra.phase(state) == f"choose {phase}"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "tiles are 0 characters: there must be 25"),
            (TILES[1:] + "/side", "tiles are 24 characters"),
            (TILES.replace("N", "X") + "/side", "Character 13 of the tiles (c3) is 'X': it must be one of WBN"),
            (TILES.replace("N", "W") + "/side", "13 W, 12 B and 0 N: they must be 12 W, 12 B and one N, on c3"),
            ("N" + TILES[1:12] + "W" + TILES[13:] + "/side", "one N, on c3"),
            (TILES, "1 field separated"),
            (f"{TILES}/sides", "Field 2, 'sides', must be 25 cells or, before play, 'side' or 'colour'"),
            (f"{TILES}/side/w", "3 fields"),
            (f"{TILES}/{HOME}/w/w/1/1", "6 fields"),
            (f"{TILES}/{HOME}/W/w", "Field 3, the side to move, is 'W': it must be w or b"),
            (f"{TILES}/{HOME}/w/", "Field 4, the side whose home is row 1, is ''"),
            (f"{TILES}/{HOME}/w/w/0", "Field 5, the turns without a capture or a goal, is '0'"),
            (f"{TILES}/{HOME}/w/w/101", "a number from 1 to 100"),
            (f"{TILES}/{HOME}/w/w/٣", "a number from 1 to 100"),
            (f"{TILES}/{HOME}./w/w", "pieces are 26 characters"),
            (f"{TILES}/?{HOME[1:]}/w/w", "Character 1 of the pieces (a5) is '?'"),
            (f"{TILES}/bbbbb..w..{HOME[10:]}/w/w", "6 white pieces: there can't be more than 5"),
            (f"{TILES}/{HOME}/w/b", "white piece on a1 is written w: white pieces on row 1 are goal pieces, W"),
            (board({"c3": "W", "a5": "b"}), "white piece on c3 is written W: white pieces on row 5 are goal pieces"),
            (board({"c3": "w", "a1": "b"}), "blue piece on a1 is written b: blue pieces on row 1 are goal pieces"),
        ],
    )
    def test_says_what_is_wrong_and_where(self, text: str, message: str) -> None:
        with pytest.raises(PositionError) as error:
            state_of(text)
        assert message in str(error.value)


class TestRefusals:
    PIECES = {"b3": "w", "b4": "w", "c1": "B", "a5": "W", "e4": "b", "c4": "b", "c2": "w"}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("origin", "target", "rule"),
        [
            ("a1", "a2", "There is no piece on a1."),
            ("e4", "e3", "The piece on e4 is your opponent's."),
            ("a5", "a4", "The piece on a5 is a goal piece: it moves no more."),
            ("b3", "b4", "Your own piece stands on b4."),
            ("b3", "b3", "Your own piece stands on b3."),
            ("c2", "c1", "The piece on c1 is a goal piece: it can't be captured."),
            ("b3", "d2", "A piece moves in a straight line: along a row, a column or a diagonal."),
            ("b4", "d4", "A piece on c4 is in the way: pieces don't jump."),
            ("b3", "d3", "The neutral tile c3 can be entered and left, but not passed."),
            ("c2", "e2", "Too far: a step is free only between two tiles of the piece's own colour"),
        ],
    )
    def test_name_the_rule(self, origin: str, target: str, rule: str) -> None:
        match = Match.new(find("cifra"), ["a", "b"], {"first": "1"}, 0, board(self.PIECES))
        with pytest.raises(IllegalStep) as error:
            match.play(move_code(origin, target))
        assert str(error.value).startswith(rule)
        names = ["abcde"[cell % 5] + "12345"[cell // 5] for cell in range(25)]
        at = cifra.refusal_at(match.state, (names.index(origin), names.index(target)))
        assert at.startswith(rule)

    @pytest.mark.parametrize("step", [-1, 25 * 32, 31, 1 << 20])
    def test_steps_off_the_board(self, step: int) -> None:
        assert cifra.refusal(state_of(board(self.PIECES)), step) == "There is no such cell: cells are a1 to e5."

    def test_pointing_at_one_wrong_cell(self) -> None:
        state = state_of(board({"a1": "w", "a2": "w", "b1": "B", "b2": "w", "e5": "b"}))
        assert cifra.refusal_at(state, (0,)) == "The piece on a1 can't move: it is shut in."
        assert cifra.refusal_at(state, (1,)) == "The piece on b1 is your opponent's."

    def test_before_play(self) -> None:
        assert cifra.refusal(state_of(f"{TILES}/side"), 4).startswith("A side of the board is to be chosen first")
        assert cifra.refusal_at(state_of(f"{TILES}/colour"), (7,)).startswith("A colour is to be chosen first")

    def test_after_the_end(self) -> None:
        state = after(board({"c1": "w", "d2": "b"}), "c1xd2")
        assert cifra.refusal(state, move_code("d2", "d3")).startswith("The game is over: equal goal pieces")


class TestWords:
    def test_a_move_points_at_two_cells_and_a_choice_at_none(self) -> None:
        state = after(f"{TILES}/side", "north", ":blue")
        assert cifra.cells(state, move_code("b1", "c2")) == (1, 7)
        assert cifra.cells(state_of(f"{TILES}/side"), 1) == ()

    def test_a_choice_of_side_says_which_edge_it_is(self) -> None:
        state = state_of(f"{TILES}/side")
        described = {cifra.describe(state, step) for step in legal_steps(state)}
        assert {name for name, _ in described} == {"North side", "East side", "South side", "West side"}
        assert "column e" in dict(described)["East side"]

    def test_a_seat_is_noted_with_its_goal_pieces(self) -> None:
        state = state_of(board({"a5": "W", "b3": "w", "b1": "w", "d4": "b"}))
        assert cifra.seat_note(state, 0) == ("white", "1 home, 2 running")
