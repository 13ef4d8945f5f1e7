"""CIFRA with kings, with numbers, and on 9×9: against the slow referee, and each rule by hand."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.game.kernel.rng import random_state
from papan.game.perft import perft
from papan.game.playout import playout
from papan.game.rules import PositionError, cifra, is_over, key, legal_steps, mover, moves, payoff, play
from papan.testing.kernels import compiled_entry
from tests.game.rules.cifra_referee import TILES, Referee, board, cell_names
from tests.game.rules.cifra_turns import after, turns_of

NEUTRAL_9 = ("e9", "a5", "e5", "i5", "e1")
FORMS = [{"mode": mode, "size": size} for size in "59" for mode in ("dash", "king", "sum")]
KING, SUM, LARGE = {"mode": "king"}, {"mode": "sum"}, {"size": "9"}


def shuffled(size: int, random: Random) -> str:
    """The tiles of a board."""
    neutral = NEUTRAL_9 if size == 9 else ("c3",)
    names = cell_names(size)
    coloured = (size * size - len(neutral)) // 2
    tiles = iter(random.sample("W" * coloured + "B" * coloured, 2 * coloured))
    return "".join("N" if name in neutral else next(tiles) for name in names)


LARGE_TILES = shuffled(9, Random(4))


def king_text(pieces: dict[str, str], kings: str, to_move: str = "w") -> str:
    """A position of king on 5×5; *kings* are their cells."""
    return board(pieces, to_move, "w", TILES, dict.fromkeys(kings.split(), "K"))


def sum_text(pieces: dict[str, str], numbers: dict[str, str], to_move: str = "w", quiet: int = 0) -> str:
    return board(pieces, to_move, "w", TILES, numbers, quiet)


@st.composite
def positions(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    """Position texts of play with their options: any shuffle, any number of pieces anywhere."""
    options = draw(st.sampled_from(FORMS))
    random = Random(draw(st.integers(0, 2**32)))
    size, mode = int(options["size"]), options["mode"]
    home = random.choice("wb")
    names = random.sample(cell_names(size), size * size)
    pieces, ranks = {}, {}
    for colour in "wb":
        far = str(size) if colour == home else "1"
        numbers = random.sample("123456789"[:size], size)
        for _ in range(draw(st.integers(mode == "king", size))):
            name = names.pop()
            pieces[name] = colour.upper() if name[1] == far else colour
            ranks[name] = numbers.pop()
        if mode == "king":
            own = [name for name, piece in pieces.items() if piece == colour]
            ranks = {name: "K" for name, rank in ranks.items() if rank == "K"}
            ranks |= {own[0]: "K"} if own else {}
    if mode == "king" and not ranks:
        name = next(name for name in names if name[1] not in ("1", str(size)))
        pieces[name], ranks = random.choice("wb"), {name: "K"}
        if list(pieces.values()).count(pieces[name]) > size:
            del pieces[next(other for other, piece in pieces.items() if piece == pieces[name])]
    quiet = draw(st.sampled_from([0, 0, 1, 98, 99, 100]))
    tiles = shuffled(size, random)
    return board(pieces, random.choice("wb"), home, tiles, None if mode == "dash" else ranks, quiet), options


class TestAgainstTheReferee:
    @given(positions())
    def test_turns_endings_and_texts(self, position: tuple[str, dict[str, str]]) -> None:
        text, options = position
        state, referee = cifra.parse(text, options), Referee(text, options["mode"])
        assert cifra.text(state) == text
        assert is_over(state) == referee.is_over()
        assert turns_of(state) == referee.turns()
        assert bool(legal_steps(state)) != is_over(state), "a side that has living pieces can move"
        if is_over(state):
            colours = "wb" if referee.home == "w" else "bw"
            expected = [{None: 0, colour: 1}.get(referee.winner(), -1) for colour in colours]
            assert [payoff(state, seat) for seat in range(2)] == expected
            assert cifra.ending(state).reason

    @settings(max_examples=60)
    @given(positions())
    def test_what_turns_lead_to(self, position: tuple[str, dict[str, str]]) -> None:
        text, options = position
        state, referee = cifra.parse(text, options), Referee(text, options["mode"])
        for step in legal_steps(state):
            assert cifra.text(play(state, step)) == referee.text_after(cifra.notation(state, step))

    @settings(max_examples=60)
    @given(positions())
    def test_kernels_compiled(self, position: tuple[str, dict[str, str]]) -> None:
        state, buffer = cifra.parse(*position), np.empty(cifra.MOST_STEPS, np.int64)
        end = compiled_entry(moves)(state, buffer, 0)
        assert list(buffer[:end]) == legal_steps(state)
        for step in legal_steps(state)[:8]:
            assert compiled_entry(play)(state, step) == play(state, step)
        for kernel in (mover, is_over, key):
            assert compiled_entry(kernel)(state) == kernel(state)
        for seat in (0, 1):
            assert compiled_entry(payoff)(state, seat) == payoff(state, seat)

    @pytest.mark.parametrize("options", FORMS, ids=lambda options: "-".join(options.values()))
    def test_perft_and_random_games(self, options: dict[str, str]) -> None:
        buffer = np.empty(cifra.MOST_STEPS, np.int64)
        start = play(play(cifra.start(options, Random(3)), 1), 0)
        assert perft(cifra, start, 2) == Referee(cifra.text(start), options["mode"]).perft(2)
        for seed in range(3):
            start = cifra.start(options, Random(seed))
            end = playout(start, buffer, random_state(seed))
            assert end == playout.function(start, buffer, random_state(seed))
            assert Referee(cifra.text(end), options["mode"]).is_over()

    @given(positions(), positions())
    def test_keys_differ_where_positions_do(
        self, one: tuple[str, dict[str, str]], other: tuple[str, dict[str, str]]
    ) -> None:
        fields = [position[0].split("/")[: 4 if position[1]["mode"] == "dash" else 5] for position in (one, other)]
        if one[1] == other[1]:
            assert (key(cifra.parse(*one)) == key(cifra.parse(*other))) == (fields[0] == fields[1])


class TestKing:
    def test_the_middle_piece_of_each_row_is_the_king(self) -> None:
        for size, cells in (("5", "c1 c5"), ("9", "e1 e9")):
            state = after(
                cifra.text(cifra.start({"size": size}, Random(1))), "north", ":blue", options=KING | {"size": size}
            )
            ranks = dict(zip(cell_names(int(size)), cifra.text(state).split("/")[4], strict=True))
            assert {name for name, rank in ranks.items() if rank == "K"} == set(cells.split())

    def test_capturing_the_king_wins_at_once(self) -> None:
        text = king_text({"a5": "W", "b5": "W", "c1": "w", "a1": "w", "d2": "b", "e5": "b"}, "a1 d2")
        state = after(text, "c1xd2", options=KING)
        assert is_over(state) and cifra.ending(state) == ((1, -1), "the king was captured")

    def test_bringing_it_home_wins_at_once(self) -> None:
        text = king_text({"b4": "w", "c1": "B", "d1": "B", "e4": "b", "c2": "w"}, "b4 e4")
        assert not is_over(cifra.parse(text, KING))
        assert cifra.ending(after(text, "b4-b5", options=KING)) == ((1, -1), "the king is home")

    def test_other_pieces_at_home_count_for_nothing(self) -> None:
        pieces = {"a5": "W", "b4": "w", "c2": "w", "d3": "b", "e4": "b"}
        assert not is_over(after(king_text(pieces, "c2 d3"), "b4-b5", options=KING))
        quiet = king_text(pieces, "c2 d3") + "/99"
        assert cifra.ending(after(quiet, "c2-c1", options=KING)).payoffs == (0, 0)


class TestSum:
    def test_numbers_run_from_the_left_as_each_player_sees_them(self) -> None:
        state = after(f"{TILES}/side", "north", ":blue", options=SUM)
        assert cifra.text(state).split("/")[4] == "54321" + "." * 15 + "12345"
        large = after(cifra.text(cifra.start(LARGE, Random(1))), "north", ":blue", options=SUM | LARGE)
        assert cifra.text(large).split("/")[4] == "987654321" + "." * 63 + "123456789"

    @pytest.mark.parametrize(
        ("pieces", "numbers", "payoffs", "reason"),
        [
            # One five at home beats a one and a two.
            ({"b4": "w", "c1": "B", "d1": "B", "d3": "b"}, "b4=5 c1=1 d1=2 d3=3", (1, -1), "the higher sum at home"),
            ({"b4": "w", "c1": "B", "d3": "b"}, "b4=2 c1=5 d3=3", (-1, 1), "the higher sum at home"),
            # Three against one and two: more goal pieces decide.
            (
                {"b4": "w", "c1": "B", "d1": "B", "d3": "b"},
                "b4=3 c1=1 d1=2 d3=5",
                (-1, 1),
                "equal sums at home, but more",
            ),
            (
                {"b4": "w", "c1": "B", "d3": "b"},
                "b4=3 c1=3 d3=5",
                (-1, 1),
                "equal sums and goal pieces, but only one side",
            ),
            ({"b4": "w", "b5": "b", "c1": "B"}, "b4=4 b5=1 c1=4", (0, 0), "equal sums and goal pieces, and no living"),
        ],
    )
    def test_sum_then_goal_pieces_then_living_ones(
        self, pieces: dict[str, str], numbers: str, payoffs: tuple[float, float], reason: str
    ) -> None:
        text = sum_text(pieces, dict(pair.split("=") for pair in numbers.split()))
        turn = "b4xb5" if "b5" in pieces else "b4-b5"
        state = after(text, turn, options=SUM)
        assert is_over(state)
        assert cifra.ending(state).payoffs == payoffs
        assert cifra.ending(state).reason.startswith(reason)

    def test_a_seat_is_noted_with_its_sum(self) -> None:
        pieces, numbers = {"a5": "W", "c5": "W", "b3": "w", "d4": "b"}, {"a5": "5", "c5": "4", "b3": "1", "d4": "2"}
        state = cifra.parse(sum_text(pieces, numbers), SUM)
        assert cifra.seat_note(state, 0) == ("white", "sum 9, 1 still in play")


@pytest.mark.parametrize(
    ("size", "coloured", "neutral", "tiles"), [(5, 12, ("c3",), TILES), (9, 38, NEUTRAL_9, LARGE_TILES)]
)
class TestTiles:
    def test_all_coloured_ones_are_shuffled(
        self, size: int, coloured: int, neutral: tuple[str, ...], tiles: str
    ) -> None:
        whites, names = Counter[str](), cell_names(size)
        for seed in range(60):
            laid = dict(
                zip(names, cifra.text(cifra.start({"size": str(size)}, Random(seed))).split("/")[0], strict=True)
            )
            assert Counter(laid.values()) == {"W": coloured, "B": coloured, "N": len(neutral)}
            assert {name for name, tile in laid.items() if tile == "N"} == set(neutral)
            whites.update(name for name, tile in laid.items() if tile == "W")
        assert len(whites) == 2 * coloured and min(whites.values()) > 10 and max(whites.values()) < 50

    def test_the_board_is_turned_until_the_chosen_side_is_the_top_row(
        self, size: int, coloured: int, neutral: tuple[str, ...], tiles: str
    ) -> None:
        rows = [tiles[at : at + size] for at in range(0, size * size, size)]
        for side in ("north", "east", "south", "west"):
            assert cifra.text(after(f"{tiles}/side", side, options={"size": str(size)})) == "".join(rows) + "/colour"
            rows = ["".join(row[size - 1 - at] for row in rows) for at in range(size)]


class TestLarge:
    def test_cells_are_named_and_refused_up_to_i9(self) -> None:
        state = cifra.parse(board({"e1": "w", "i9": "b"}, "w", "w", LARGE_TILES), LARGE)
        assert cifra.refusal(state, 4 << 7 | 81) == "There is no such cell: cells are a1 to i9."
        assert cifra.refusal_at(state, (80,)) == "The piece on i9 is your opponent's."
        assert cifra.describe(cifra.start(LARGE, Random(1)), 1)[0] == "Column i"


class TestPositionText:
    @pytest.mark.parametrize("options", FORMS, ids=lambda options: "-".join(options.values()))
    def test_before_play_is_the_same_in_each_mode(self, options: dict[str, str]) -> None:
        tiles = LARGE_TILES if options["size"] == "9" else TILES
        for phase in ("side", "colour"):
            assert cifra.text(cifra.parse(f"{tiles}/{phase}", options)) == f"{tiles}/{phase}"

    @pytest.mark.parametrize(
        ("options", "text", "message"),
        [
            (LARGE, f"{TILES}/side", "tiles are 25 characters: there must be 81, row 9 first"),
            ({}, f"{LARGE_TILES}/side", "tiles are 81 characters: there must be 25, row 5 first"),
            (LARGE, f"W{LARGE_TILES[1:4]}W{LARGE_TILES[5:]}/side", "and 5 N, on e1 a5 e5 i5 e9"),
            (KING, board({"c1": "w", "c5": "b"}, "w", "w", TILES), "4 fields"),
            ({}, king_text({"c1": "w", "c5": "b"}, "c1 c5"), "Field 5, the turns without a capture"),
            (KING, king_text({"c1": "w", "c5": "b"}, "c1 c5") + "/0", "Field 6, the turns without a capture"),
            (KING, king_text({"c1": "w", "c5": "b"}, "c1 c4"), "The ranks have a K on c4: no piece is there."),
            (
                KING,
                king_text({"c1": "w", "d1": "w", "c5": "b"}, "c1 d1"),
                "have K more than once for one side's pieces",
            ),
            (KING, king_text({"c1": "w", "c5": "b"}, ""), "0 kings, none of them on its way"),
            (KING, king_text({"c1": "B", "c5": "W"}, "c1 c5"), "2 kings, none of them on its way"),
            (SUM, sum_text({"c1": "w", "c5": "b"}, {"c1": "3"}), "The piece on c5 has no number among the ranks."),
            (SUM, sum_text({"c1": "w", "c5": "b"}, {"c1": "6", "c5": "1"}), "(c1) is '6': it must be one of .12345"),
            (
                SUM,
                sum_text({"c1": "w", "b1": "w", "c5": "b"}, {"c1": "4", "b1": "4", "c5": "1"}),
                "have 4 more than once",
            ),
        ],
    )
    def test_says_what_is_wrong_and_where(self, options: dict[str, str], text: str, message: str) -> None:
        with pytest.raises(PositionError) as error:
            cifra.parse(text, options)
        assert message in str(error.value)

    def test_a_king_may_be_gone_once_the_game_is_over(self) -> None:
        text = king_text({"c2": "w", "d4": "b"}, "c2")
        state = cifra.parse(text, KING)
        assert cifra.text(state) == text and cifra.ending(state).payoffs == (1, -1)
