"""Connect Four: known counts, another program's rules, and the texts."""

from __future__ import annotations

from random import Random

import pytest

from papan.game.perft import perft
from papan.game.rules import (
    PositionError,
    canonical_key,
    connect_four,
    is_over,
    key,
    legal_steps,
    mover,
    payoff,
    play,
    reason_number,
)
from papan.game.rules.connect_four import COLUMNS, FULL, HEIGHT, ROWS, State, parse, text
from tests.game.rules.spiel import compare_games
from tests.sizes import GAMES_ASKED, sample_and_all

EMPTY = State(0, 0)
PERFT = (7, 49, 343, 2401, 16807, 117649, 823536, 5673234)
DISTINCT_POSITIONS = (1, 7, 49, 238, 1120, 4263)


class TestCounts:
    def test_perft(self) -> None:
        assert tuple(perft(connect_four, EMPTY, depth) for depth in range(1, 1 + len(PERFT))) == PERFT

    def test_games_that_end_sooner_are_no_leaves(self) -> None:
        assert perft(connect_four, parse("121212", {}), 2) == 6 * 7, "column 1 wins at once"

    def test_distinct_positions_by_ply(self) -> None:
        positions = {EMPTY}
        for count in DISTINCT_POSITIONS:
            assert len(positions) == count
            positions = {play(position, step) for position in positions for step in legal_steps(position)}


@sample_and_all("games", 200, GAMES_ASKED)
def test_random_games_are_those_of_another_program(games: int) -> None:
    compare_games("connect_four", EMPTY, games)


def test_a_game_begins_with_an_empty_board() -> None:
    assert connect_four.start({}, Random(1)) == EMPTY


def test_mirrored_positions_have_one_canonical_key() -> None:
    left, right = parse("112", {}), parse("776", {})
    assert (canonical_key(left), canonical_key(right)) == ((key(left), 0), (key(left), 1))
    assert canonical_key(EMPTY) == (key(EMPTY), 0)


class TestEnding:
    @pytest.mark.parametrize("columns", ["1212121", "1122334", "12233434464", "76655454424", "124253637", "1425213637"])
    def test_each_direction_wins(self, columns: str) -> None:
        before = parse(columns[:-1], {})
        assert not is_over(before)
        after = parse(columns, {})
        winner = mover(before)
        assert is_over(after) and payoff(after, winner) == 1.0 and payoff(after, 1 - winner) == -1.0
        assert (reason_number(after), connect_four.ending(after).reason) == (1, "four in a row")
        assert connect_four.ending(after).winner == winner
        assert parse(text(after), {}) == after

    def test_a_full_board_without_four_is_a_draw(self) -> None:
        mine = sum((0b010101 if column in (0, 1, 4, 5) else 0b101010) << (column * HEIGHT) for column in range(COLUMNS))
        full = State(mine & FULL, FULL & ~mine)
        assert is_over(full)
        assert reason_number(full) == 0 and connect_four.ending(full) == ((0.0, 0.0), "the board is full")

    def test_no_four_runs_from_one_column_into_the_next(self) -> None:
        top_of_first = 0b111 << (ROWS - 3)
        bottom_of_second = 1 << HEIGHT
        assert not is_over(State(0, top_of_first | bottom_of_second))


class TestTexts:
    def test_a_position_that_no_play_reaches_has_no_text(self) -> None:
        """The full board's colours alternate by blocks, so that millions of orders look promising at first."""
        full = [0, 0]
        for column in range(COLUMNS):
            for row in range(ROWS):
                block = row // 3 if column == 3 else row // 2  # so that both have 21
                full[(column + block + (column == 6)) % 2] |= 1 << (column * HEIGHT + row)
        floating, too_high = State(0, 1 << 8), State(0b0101010, 0b1010101)
        four = sum(1 << column * HEIGHT for column in range(4))
        both_won, won_before_the_end = (
            State(four, four << 1),
            State(four << 1 | 1 << 4 * HEIGHT, four | 1 << 5 * HEIGHT),
        )
        for state in (floating, too_high, both_won, won_before_the_end, State(*full)):
            with pytest.raises(PositionError, match="No order of play"):
                text(state)
        with pytest.raises(PositionError, match="2 discs and the other 0"):
            text(State(0b11, 0))

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ("48", "Character 2, '8', is not a column"),
            ("1111111", "Character 7, '1': column 1 is full"),
            ("12121211", "Character 8, '1': the game was over"),
        ],
    )
    def test_errors_say_where_and_why(self, wrong: str, says: str) -> None:
        with pytest.raises(PositionError, match=says):
            parse(wrong, {})

    def test_refusals_name_the_rule(self) -> None:
        for step in (-1, 7):
            assert connect_four.refusal(EMPTY, step).startswith(f"There is no column {step + 1}:")
        assert connect_four.refusal(parse("111111", {}), 0) == "Column 1 is full."
        assert connect_four.refusal(EMPTY, 9) == "There is no column 10: the columns are 1 to 7."
        assert connect_four.refusal_at(parse("444444", {}), (3,)) == "Column 4 is full."


def test_words() -> None:
    assert [connect_four.notation(EMPTY, step) for step in range(COLUMNS)] == list("1234567")
    assert connect_four.describe(EMPTY, 3) == ("Column 4", "")
    assert [connect_four.seat_note(EMPTY, seat)[1] for seat in (0, 1)] == ["21 discs left", "21 discs left"]
    three = parse("445", {})
    assert [connect_four.seat_note(three, seat)[1] for seat in (0, 1)] == ["19 discs left", "20 discs left"]
