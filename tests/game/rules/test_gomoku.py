"""Gomoku: counts, another program's rules, rows in every direction and at every edge, and the texts."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from papan.game.kernel.rng import random_state
from papan.game.perft import perft
from papan.game.playout import playout, random_step
from papan.game.rules import PositionError, gomoku, is_over, key, legal_steps, payoff, play
from papan.game.rules.gomoku import LETTERS, State, name_of, parse, stones, text, winning_rows
from papan.game.rules.gomoku.board import FREE, ROW
from papan.testing.kernels import compiled_entry
from tests.game.rules.spiel import compare_games
from tests.sizes import GAMES_ASKED, sample_and_all

SIZES = (15, 19, 20)
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def empty(size: int = 15, exact: str = "no") -> State:
    return gomoku.start({"size": str(size), "exact": exact}, Random(1))


def cell(name: str) -> int:
    return LETTERS.index(name[0]) + ROW * (int(name[1:]) - 1)


def after(black: list[int], white: list[int], size: int = 15, exact: str = "no") -> State:
    """The state after these cells, in turn."""
    state = empty(size, exact)
    for number in range(len(black) + len(white)):
        assert not is_over(state)
        state = play(state, (black, white)[number % 2][number // 2])
    return state


def scattered(state: State, count: int, without: list[int]) -> list[int]:
    """Cells for the other colour on which it never has two in a row."""
    free = [cell for cell in legal_steps(state) if cell % ROW % 2 == 0 and cell // ROW % 2 == 0 and cell not in without]
    return free[:: max(1, len(free) // count)][:count]


def test_perft() -> None:
    for size in SIZES:
        assert perft(gomoku, empty(size), 2) == size**2 * (size**2 - 1)


def test_random_games_are_long() -> None:
    buffer = np.empty(gomoku.MOST_STEPS, np.int64)
    lengths = [playout(empty(), buffer, random_state(seed)).placed for seed in range(300)]
    assert 100 < sum(lengths) / len(lengths) < 118


@sample_and_all("games", 20, GAMES_ASKED)
def test_random_games_are_those_of_another_program(games: int) -> None:
    """There rows are counted from the top and overlines win: as with us, seen from the other side."""
    compare_games("gomoku", empty(), games, lambda step: step // ROW * 15 + step % ROW)


class TestRows:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("exact", ["no", "yes"])
    def test_every_row_of_five_wins(self, size: int, exact: str) -> None:
        """Everywhere on the board, whichever stone comes last, compiled and in plain Python."""
        random = Random(size)
        for right, up in WAYS:
            for _ in range(6):
                column = random.choice([0, size - 1 - 4 * right, random.randint(0, size - 1 - 4 * right)])
                lowest = 4 if up < 0 else 0
                row = random.choice(
                    [lowest, size - 1 - 4 * max(0, up), random.randint(lowest, size - 1 - 4 * max(0, up))]
                )
                five = [(row + up * place) * ROW + column + right * place for place in range(5)]
                random.shuffle(five)
                before = after(five[:4], scattered(empty(size), 4, five), size, exact)
                won = play(before, five[4])
                assert won == compiled_entry(play)(before, five[4])
                assert is_over(won) and legal_steps(won) == []
                assert winning_rows(won) == [sorted(five)]
                assert gomoku.ending(won) == ((1.0, -1.0), "five in a row")

    @pytest.mark.parametrize("size", SIZES)
    def test_no_row_runs_over_an_edge(self, size: int) -> None:
        """The last cells of a row and the first ones of the next are no neighbours."""
        for over in ([0, 1, 2, 3, ROW + size - 1], [size - 2, size - 1, ROW, ROW + 1, ROW + 2]):
            assert not is_over(after(over, scattered(empty(size), 4, over), size))

    def test_white_can_win_too_but_not_by_four_or_a_gap(self) -> None:
        assert not is_over(parse("a1 a2 b1 c2 c1 e2 d1 g2 f1", {}))
        state = parse("a1 h1 c1 h2 e1 h3 g2 h4 a5 h5", {})
        assert gomoku.ending(state).winner == 1 and payoff(state, 1) == 1.0 and payoff(state, 0) == -1.0

    def test_two_rows_at_once(self) -> None:
        row, column = ["a1", "b1", "c1", "d1"], ["e2", "e3", "e4", "e5"]
        cells = [cell(name) for name in [*row, *column, "e1"]]
        state = after(cells, scattered(empty(), 8, cells))
        assert sorted(map(len, winning_rows(state))) == [5, 5]

    def test_a_full_board_is_a_draw(self) -> None:
        """Colours change every two cells, and every row: nobody has three in a row."""
        cells = legal_steps(empty())
        black = [place for place in cells if (place % ROW + 2 * (place // ROW)) % 4 < 2]
        white = [place for place in cells if place not in black]
        assert abs(len(black) - len(white)) == 1
        state = after(max(black, white, key=len), min(black, white, key=len))
        assert is_over(state) and legal_steps(state) == []
        assert gomoku.ending(state) == ((0.0, 0.0), "the board is full")


class TestLongRows:
    SIX = ("c3", "d3", "e3", "g3", "h3", "f3")  # the gap is closed last

    def test_five_beside_an_old_long_row_win(self) -> None:
        long = [cell(name) for name in self.SIX]
        five = [cell(name) for name in ("f4", "f5", "f6", "f7")]  # with f3, of the long row
        state = after(long + five, scattered(empty(), 9, long + five), exact="yes")
        assert winning_rows(state) == [sorted([cell("f3"), *five])]

    @pytest.mark.parametrize("size", SIZES)
    def test_long_rows_anywhere_win_only_where_they_may(self, size: int) -> None:
        """From six to nine in a row, the gap closed last, compiled too."""
        random = Random(size)
        for right, up in WAYS:
            for length in range(6, 10):
                column, row = random.randint(0, size - length), random.randint(0, size - length)
                row = row + length - 1 if up < 0 else row
                line = [(row + up * place) * ROW + column + right * place for place in range(length)]
                gap = line.pop(4 if length == 9 else random.randint(max(1, length - 5), min(length - 2, 4)))
                before = after(line, scattered(empty(size), len(line), [*line, gap]), size, "yes")
                assert not is_over(play(before, gap))
                assert compiled_entry(play)(before, gap) == play(before, gap)
                won = play(before._replace(rule=FREE), gap)
                assert is_over(won) and winning_rows(won) == [sorted([*line, gap])]


class TestRandomSteps:
    def test_each_legal_step_is_drawn_as_often(self) -> None:
        """Without a list of them; few cells are left empty here."""
        cells = legal_steps(empty())
        taken = Random(3).sample(cells, 215)
        state = empty()
        for step in taken:
            state = play(state, step)._replace(won=0)
        left = legal_steps(state)
        random, buffer = random_state(5), np.empty(gomoku.MOST_STEPS, np.int64)
        drawn = Counter(random_step(state, buffer, random) for _ in range(3000))
        assert set(drawn) == set(left)
        assert all(200 < number < 400 for number in drawn.values())


class TestTexts:
    def test_the_moves_played(self) -> None:
        state = parse("h8 i9 h10", {})
        assert sorted(text(state).split(" ")) == ["h10", "h8", "i9"]
        assert text(empty()) == "" and parse("", {}) == empty()
        assert parse("h10 i9 h8", {}) == state and key(parse("h10 i9 h8", {})) == key(state)

    @pytest.mark.parametrize("exact", ["no", "yes"])
    def test_a_won_position_reads_back(self, exact: str) -> None:
        options = {"size": "19", "exact": exact}
        random = Random(6)
        for _ in range(12):
            state = empty(19, exact)
            while not is_over(state):
                # Close together, so that there are long rows as well.
                near = [step for step in legal_steps(state) if step % ROW < 9 and step // ROW < 9]
                state = play(state, random.choice(near or legal_steps(state)))
            assert parse(text(state), options) == state

    def test_an_order_is_found_that_makes_no_five_on_the_way_to_a_long_row(self) -> None:
        options = {"size": "15", "exact": "yes"}
        cells = [cell(name) for name in TestLongRows.SIX]
        state = after(cells, scattered(empty(), 5, cells), exact="yes")
        assert parse(text(state), options) == state

    def test_a_position_that_no_play_reaches_has_no_text(self) -> None:
        with pytest.raises(PositionError, match="as many as White, or one more"):
            text(empty()._replace(mine0=0b11))

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ("h8 z9", "Move 2, 'z9', is not a cell: write a letter and a number, a1 to o15"),
            ("p1", "Move 1, 'p1', is not a cell"),
            ("h16", "Move 1, 'h16', is not a cell"),
            ("h8  i9", "Move 2, '', is not a cell"),
            ("h8i9", "Move 1, 'h8i9', is not a cell"),
            ("h8 i9 h8", "Move 3, 'h8': there is a stone already"),
            ("a1 a2 b1 c2 c1 e2 d1 g2 e1 o9", "Move 10, 'o9': the game was over before it"),
        ],
    )
    def test_errors_say_where_and_why(self, wrong: str, says: str) -> None:
        with pytest.raises(PositionError, match=says):
            parse(wrong, {})
        assert parse("t20", {"size": "20"}).placed == 1
        with pytest.raises(PositionError, match="a1 to s19"):
            parse("t20", {"size": "19"})

    def test_refusals_name_the_rule(self) -> None:
        state = parse("h8", {})
        assert gomoku.refusal_at(state, (cell("h8"),)) == "There is a stone on h8 already."
        assert gomoku.refusal(state, cell("p1")) == "There is no such cell: the board goes from a1 to o15."
        assert gomoku.seat_note(state, 0) == ("Black", "1 stone")
        assert name_of(cell("o15")) == "o15" and stones(state, 0) == 1 << cell("h8")
