"""Othello: known counts, another program's rules, each rule by hand, and the texts."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.game.kernel import compiled
from papan.game.match.notation import parse_turn
from papan.game.perft import perft
from papan.game.rules import PositionError, is_over, key, legal_steps, mover, othello, play
from papan.game.rules.othello import (
    BLACK,
    CELLS,
    PASS,
    SIZE,
    WHITE,
    State,
    discs_turned_over,
    name_of,
    parse,
    playable_cells,
    text,
)
from tests.game.rules.spiel import compare_games
from tests.sizes import GAMES_ASKED, sample_and_all

START = othello.start({}, Random(1))


CENTRE = text(START)[:CELLS]


def in_a_frame(between: str, end: str) -> str:
    """The start with letters and numbers around it, *between* the cells of a row, and with the *end*."""
    rows = [between.join(CENTRE[row : row + SIZE]) for row in range(0, CELLS, SIZE)]
    return (
        "\n".join(["  A B C D E F G H", *(f"{number} {row}" for number, row in enumerate(rows, start=1))]) + " " + end
    )


def position(rows: dict[int, str], side: str = "X") -> State:
    """A position by its rows from the top, 1 to 8; rows left out are empty."""
    return parse("".join(rows.get(row, "").ljust(SIZE, "-") for row in range(1, SIZE + 1)) + " " + side, {})


def names(state: State) -> list[str]:
    return sorted(othello.notation(state, step) for step in legal_steps(state))


def cell(name: str) -> int:
    return next(cell for cell in range(CELLS) if name_of(cell) == name)


def test_perft() -> None:
    leaves = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)
    assert tuple(perft(othello, START, depth) for depth in range(1, 1 + len(leaves))) == leaves


@sample_and_all("games", 60, GAMES_ASKED)
def test_random_games_are_those_of_another_program(games: int) -> None:
    """There too, a pass is an action of its own, 64, and nobody passes once the game is over."""
    assert compare_games("othello", START, games)[PASS] > games / 8


@compiled
def set_cells(state: State, found: NDArray[np.int64]) -> None:
    """Bits of the cells to play on and, for each, of the discs turned over, compiled."""
    bits = playable_cells(state.mine, state.theirs)
    for cell in range(CELLS):
        found[cell] = discs_turned_over(cell, state.mine, state.theirs) if bits >> cell & 1 else 0


def test_black_begins() -> None:
    assert names(START) == ["c4", "d3", "e6", "f5"]
    assert mover(START) == BLACK
    assert text(START).split(" ") == ["-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27, "X"]


def turned_over(state: State, start: int) -> set[int]:
    """The cells of discs that a disc on *start* turns over, by the rules, cell by cell."""
    signs, side = text(state).split(" ")
    found: set[int] = set()
    for right, down in ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x or y) and signs[start] == "-"):
        line, column, row = [], start % SIZE + right, start // SIZE + down
        while 0 <= column < SIZE and 0 <= row < SIZE and signs[row * SIZE + column] not in ("-", side):
            line.append(row * SIZE + column)
            column, row = column + right, row + down
        if 0 <= column < SIZE and 0 <= row < SIZE and signs[row * SIZE + column] == side:
            found.update(line)
    return found


class TestAllSixtyFourBits:
    def test_any_position_is_played_as_the_rules_say(self) -> None:
        """Discs anywhere, in the corners too: the last one is the sign bit of signed integers."""
        random = Random(5)
        for _ in range(150):
            density = random.random()
            state = parse("".join(random.choices("XO-", (1, 1, density * 2), k=CELLS)) + " " + random.choice("XO"), {})
            expected = [sum(1 << turned for turned in turned_over(state, cell)) for cell in range(CELLS)]
            steps = [cell for cell in range(CELLS) if expected[cell]]
            assert [step for step in legal_steps(state) if step != PASS] == steps
            found = np.zeros(CELLS, np.int64)
            set_cells(state, found)
            assert found.tolist() == expected
            for step in steps:
                after = play(state, step)
                assert after.mine == state.theirs & ~expected[step]
                assert after.theirs == state.mine | expected[step] | 1 << step

    def test_the_corners_can_be_taken(self) -> None:
        for corner, others in {"a1": "b1 c1", "h1": "h2 h3", "a8": "b7 c6", "h8": "g8 f8"}.items():
            near, far = (1 << cell(name) for name in others.split())
            state = State(far, near, WHITE)
            assert names(state) == [corner]
            after = play(state, cell(corner))
            assert (after.mine, after.theirs) == (0, far | near | 1 << cell(corner))


class TestPassing:
    def test_only_who_cannot_play_passes_as_a_turn_of_its_own(self) -> None:
        assert names(position({1: "-OX", 3: "OOOOOOOX"}, "O")) == ["d1"]
        state = position({1: "XO"}, "O")
        assert legal_steps(state) == [PASS] and not is_over(state)
        after = play(state, PASS)
        assert after == position({1: "XO"}, "X") and key(after) != key(state)
        assert names(after) == ["c1"]
        assert PASS not in legal_steps(START)
        assert othello.refusal(START, PASS) == "Black has a cell to play on, and may not pass."

    def test_a_pass_is_chosen_by_name(self) -> None:
        state = position({1: "XO"}, "O")
        assert othello.cells(state, PASS) == ()
        assert othello.describe(state, PASS)[0] == "Pass"
        assert othello.notation(state, PASS) == "pass"
        assert othello.prompt(state, None)[0] == "You must pass"
        assert othello.refusal_at(state, (cell("c1"),)) == "White can't turn over any disc, and must pass."


def test_endings() -> None:
    state = play(position({1: "XO"}), cell("c1"))
    assert is_over(state) and legal_steps(state) == [], "at once when neither can play"
    assert othello.ending(state) == ((1.0, -1.0), "no disc of the other colour is left")
    full = position(dict.fromkeys(range(1, 8), "XXXXOOOO") | {8: "XXXXXOOO"})
    assert othello.ending(full) == ((1.0, -1.0), "33 discs to 31")
    assert othello.ending(full._replace(mine=full.theirs, theirs=full.mine)).winner == WHITE
    assert othello.ending(position(dict.fromkeys(range(1, 9), "XXXXOOOO"), "O")) == ((0.0, 0.0), "32 discs each")
    some_are_empty = position({1: "XX-OO", 2: "XX-OO", 3: "-----O"}, "O")
    assert othello.ending(some_are_empty).reason == "5 discs to 4"


class TestTexts:
    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ("XO", "There are 2 cells; a1 to h8 are 64"),
            ("-" * 9 + "z" + "-" * 54 + " X", r"Character 10 \(b2\), 'z', is not a cell"),
            ("-" * 65 + " X", "more than 64 cells; .* not '- X'"),
            ("-" * 64 + "XX X", "more than 64 cells; .* not 'XX X'"),
            ("10 " + "-" * 100 + " X", r"Character 1 \(a1\), '1', is not a cell"),
            (CENTRE, "Whose turn is it\\? Both could play: write X for Black or O for White after the 64 cells"),
            (CENTRE + " Z", "Whose turn is it"),
            (CENTRE + " xo", "Whose turn is it"),
            (CENTRE + " X?", "Whose turn is it"),
            (CENTRE + " X/x", "Whose turn is it"),
        ],
    )
    def test_errors_say_where_and_why(self, wrong: str, says: str) -> None:
        with pytest.raises(PositionError, match=says):
            parse(wrong, {})

    @pytest.mark.parametrize(
        "written",
        [
            f"{CENTRE} O",
            f"{CENTRE} w",
            f"{CENTRE}O",
            f"  {CENTRE.lower()} White",
            f"{CENTRE} o; d3:+2 e3:-4",
            f"{CENTRE} O % a remark",
            CENTRE.translate(str.maketrans("XO-", "*O-")) + " O",
            CENTRE.translate(str.maketrans("XO-", "bw.")) + " w",
            CENTRE.translate(str.maketrans("XO-", "●○·")) + " ○",
            "8 " + " ".join(CENTRE[row : row + 8] for row in range(0, 64, 8)).replace("X", "*") + " O",
            "/".join(CENTRE[row : row + 8] for row in range(0, 64, 8)) + " O",
            "\r\n".join(CENTRE[row : row + 8] for row in range(0, 64, 8)) + "\r\nO\r\n",
            "\n".join(CENTRE[row : row + 8] for row in range(0, 64, 8)) + "\nWhite's turn",
            "\n".join(CENTRE[row : row + 8] for row in range(0, 64, 8)) + " O",
            in_a_frame(" ", "8 \n  A B C D E F G H\n\nO to move"),
            in_a_frame("", "8\n  side: white"),
            in_a_frame("|", "|\nplayer: o"),
            in_a_frame(" ", "").replace("1 - - - - - - - -", "1 - - - - - - - - 1  O to move"),
            "White to play\n" + in_a_frame(" ", ""),
        ],
    )
    def test_boards_of_other_programs(self, written: str) -> None:
        assert text(parse(written, {})) == f"{CENTRE} O"

    def test_the_side_that_can_play_need_not_be_told(self) -> None:
        assert text(parse("XO".ljust(CELLS, "-"), {})).endswith(" X")
        assert text(parse("OX".ljust(CELLS, "-"), {})).endswith(" O")
        assert text(parse("-" * CELLS, {})).endswith(" X")

    def test_what_is_written_is_read_again(self) -> None:
        random = Random(2)
        for _ in range(100):
            written = "".join(random.choices("XO-", k=CELLS)) + " " + random.choice("XO")
            assert text(parse(written, {})) == written

    @pytest.mark.parametrize("written", ["F5", " f5 ", "12. f5", "12.F5", "f5!?", "f5//1.2", "F5/0.48/0.01"])
    def test_cells_of_other_programs(self, written: str) -> None:
        assert parse_turn(othello, START, written) == [cell("f5")]

    @pytest.mark.parametrize("written", ["pass", "PASS", "PA", "pa", "PS", "--", "@@", "PA//0.38"])
    def test_passes_of_other_programs(self, written: str) -> None:
        assert parse_turn(othello, position({1: "XO"}, "O"), written) == [PASS]
        assert othello.foreign_turns(START, written) == [], "Black has a cell to play on"

    @pytest.mark.parametrize("written", ["", "a1", "D4", "i9", "f5d6", "f", "٣", "x" * 5000, "12."])
    def test_what_is_no_turn(self, written: str) -> None:
        assert othello.foreign_turns(START, written) == []

    def test_refusals_name_the_rule(self) -> None:
        assert othello.refusal_at(START, (cell("d4"),)) == "There is a disc on d4 already."
        assert othello.refusal_at(START, (cell("a1"),)).startswith("A disc on a1 turns nothing over: it must outflank")
        assert othello.refusal(START, 99) == "There is no cell 99: the cells are 0 to 63, and 64 is a pass."

    def test_a_seat_sees_its_colour_and_discs(self) -> None:
        after = play(START, cell("d3"))
        assert [othello.seat_note(after, seat) for seat in (BLACK, WHITE)] == [
            ("Black", "4 discs"),
            ("White", "1 disc"),
        ]
        assert othello.describe(START, cell("d3")) == ("d3", "turns over 1 disc")
