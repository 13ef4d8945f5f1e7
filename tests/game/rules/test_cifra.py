"""CIFRA Code25: published walks, every end rule, set-up and words; ``test_cifra_modes`` has the referee."""

from __future__ import annotations

from random import Random

import pytest

from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.perft import perft
from papan.game.rules import IllegalStep, PositionError, cifra, is_over, key, legal_steps, mover, play
from tests.game.rules.cifra_referee import TILES, Referee, board
from tests.game.rules.cifra_turns import after, step_of, turns_of

HOME = "bbbbb...............wwwww"


def state_of(text: str) -> cifra.State:
    state = cifra.parse(text, {})
    assert isinstance(state, cifra.State)
    return state


def move_code(origin: str, target: str) -> int:
    numbers = {name: index for index, name in enumerate(column + row for row in "12345" for column in "abcde")}
    return numbers[origin] * 32 + numbers[target]


@pytest.mark.parametrize(
    ("colour", "origin", "expected"),
    [
        ("b", "c1", "b1 d1 b2 c2 c3 d2 e3"),
        ("w", "c1", "b1 d1 b2 c2 d2"),
        ("b", "e2", "d3 c4 b5 d2 c2 e3 e1 d1"),
        ("w", "b3", "a4 b4 c4 a3 c3 a2 b2 b1 c2"),
    ],
)
def test_published_walks_of_one_piece(colour: str, origin: str, expected: str) -> None:
    # The other side's piece, without which the game would be over, stands out of reach.
    other = {"w": "b", "b": "w"}[colour]
    state = state_of(board({origin: colour, "a5": other}, to_move=colour, home=colour))
    assert turns_of(state, origin) == {f"{origin}-{target}" for target in expected.split()}


class TestEndings:
    """Each ends with the move: who has won, and why."""

    @pytest.mark.parametrize(
        ("pieces", "turn", "payoffs", "reason"),
        [
            # The last living piece comes home.
            ({"a5": "W", "b4": "w", "c1": "B", "d3": "b"}, "b4-b5", (1, -1), "more goal pieces, as one side"),
            (
                {"b4": "w", "c1": "B", "d3": "b"},
                "b4-b5",
                (-1, 1),
                ("equal goal pieces, but only one side has living pieces left"),
            ),
            # The opponent's last living piece is captured.
            ({"c1": "w", "d2": "b"}, "c1xd2", (1, -1), "equal goal pieces, but only one side has living pieces left"),
            # Both at once.
            ({"b4": "w", "b5": "b", "c1": "B"}, "b4xb5", (0, 0), "equal goal pieces, and no living pieces left"),
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

    def test_fifty_quiet_turns_by_each_side_draw(self) -> None:
        state = after(board({"c1": "w", "a5": "b"}) + "/98", "c1-c2")
        assert not is_over(state)
        state = play(state, step_of(state, "a5-a4"))
        assert is_over(state)
        assert cifra.ending(state) == ((0, 0), "50 turns by each side without a capture or a goal")

    def test_third_repetition_draws(self) -> None:
        match = Match.new(find("cifra"), ["human", "human"], {"first": "1"}, 0, board({"c1": "w", "a5": "b"}))
        there_and_back = ("c1-c2", "a5-a4", "c2-c1", "a4-a5")
        for turn in there_and_back + there_and_back[:3]:
            match.play(step_of(match.state, turn))
            assert match.ending is None
        match.play(step_of(match.state, "a4-a5"))
        assert match.ending == ((0, 0), "third repetition of the position")


class TestSetUp:
    def test_the_second_player_chooses_his_side_and_his_colour_then_the_first_moves(self) -> None:
        state = cifra.start({}, Random(1))
        seen = []
        for turn in ("south", ":white"):
            seen.append((cifra.phase(state), mover(state), len(legal_steps(state))))
            state = play(state, step_of(state, turn))
        assert seen == [("choose side", 1, 4), ("choose colour", 1, 2)]
        assert (cifra.phase(state), mover(state), cifra.PHASES["move"]) == ("move", 0, ("move",))

    def test_the_colour_chosen_is_the_second_players(self) -> None:
        white = after(f"{TILES}/colour", ":white")
        assert cifra.text(white) == f"{TILES}/{'w' * 5}{'.' * 15}{'b' * 5}/b/b"
        assert [cifra.seat_note(white, seat)[0] for seat in (0, 1)] == ["blue", "white"]
        blue = after(f"{TILES}/colour", ":blue")
        assert cifra.text(blue) == f"{TILES}/{'b' * 5}{'.' * 15}{'w' * 5}/w/w"


@pytest.mark.parametrize(
    "text", [f"{TILES}/{HOME}/w/w", board({"a3": "w", "d4": "w", "b2": "b", "e5": "b", "c1": "B"}, "b")]
)
def test_perft(text: str) -> None:
    for depth in (1, 2, 3):
        assert perft(cifra, state_of(text), depth) == Referee(text).perft(depth)
    assert perft(cifra, state_of(f"{TILES}/side"), 1) == 8, "the set-up is one turn"


class TestKeys:
    def test_tell_sides_and_phases_apart(self) -> None:
        texts = [f"{TILES}/{phase}" for phase in ("side", "colour")]
        middle = "." * 10 + "w.b.." + "." * 10
        texts += [f"{TILES}/{middle}/{to_move}/{home}" for to_move in "wb" for home in "wb"]
        assert len({key(state_of(text)) for text in texts}) == 6


class TestPositionText:
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
            ("c2", "e2", "Too far: steps between two tiles of the piece's own colour are free"),
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
        choosing = state_of(f"{TILES}/side")
        said = cifra.refusal(choosing, 4)
        assert said == "Choose a side of the board first: Row 5, Column e, Row 1, Column a."
        assert all(cifra.describe(choosing, side)[0] in said for side in range(4)), "the names on the buttons"
        assert cifra.refusal_at(state_of(f"{TILES}/colour"), (7,)).startswith("Choose a colour first")

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
        assert {name for name, _ in described} == {"Row 5", "Column e", "Row 1", "Column a"}

    def test_a_seat_is_noted_with_its_goal_pieces(self) -> None:
        state = state_of(board({"a5": "W", "b3": "w", "b1": "w", "d4": "b"}))
        assert cifra.seat_note(state, 0) == ("white", "1 home, 2 still in play")
