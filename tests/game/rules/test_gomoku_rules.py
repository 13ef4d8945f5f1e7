"""Renju's forbidden cells, and which rows win by each rule, against definitions cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from papan.game.kernel.bits import cells_of
from papan.game.kernel.rng import random_state
from papan.game.perft import perft
from papan.game.playout import playout, random_step
from papan.game.rules import gomoku, is_over, legal_steps, moves, payoff, play
from papan.game.rules.gomoku import RULES, State, cell_named, is_on_board, name_of, parse, stones, text, winning_rows
from papan.game.rules.gomoku.board import DIRECTIONS, RENJU, ROW
from papan.testing.kernels import compiled_entry

RENJU_RULES = {"size": "15", "exact": "renju"}


def moves_compiled(state: State) -> list[int]:
    buffer = np.empty(gomoku.MOST_STEPS, np.int64)
    return [int(step) for step in buffer[: compiled_entry(moves)(state, buffer, 0)]]


class Slow:
    """Sets of cells, and the definitions of the rules, one after the other."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.black, self.white = (set(cells_of(stones(state, seat))) for seat in range(2))

    def run(self, own: set[int], cell: int, way: int) -> list[int]:
        row = [cell]
        while row[-1] + way in own:
            row.append(row[-1] + way)
        while row[0] - way in own:
            row.insert(0, row[0] - way)
        return row

    def is_empty(self, cell: int) -> bool:
        return is_on_board(self.state, cell) and cell not in self.white

    def makes_five(self, own: set[int], cell: int, way: int) -> bool:
        return cell not in own and self.is_empty(cell) and len(self.run(own, cell, way)) == 5

    def fours(self, own: set[int], cell: int) -> set[frozenset[int]]:
        """Four of the stones *own* with *cell* in a row with a cell that makes exactly five of them."""
        found = set()
        for way in DIRECTIONS:
            for distance in range(-4, 5):
                five = cell + distance * way
                if self.makes_five(own, five, way):
                    row = self.run(own, five, way)
                    if cell in row:
                        found.add(frozenset(set(row) - {five}))
        return found

    def threes(self, own: set[int], cell: int) -> set[int]:
        """The directions in which the stone on *cell* is in a three."""
        found = set()
        for way in DIRECTIONS:
            for distance in range(-3, 4):
                fourth = cell + distance * way
                if fourth in own or not self.is_empty(fourth):
                    continue
                row = self.run(own, fourth, way)
                ends = row[0] - way, row[-1] + way
                if len(row) != 4 or cell not in row or self.is_forbidden(own, fourth):
                    continue
                if any(len(self.run(own, fourth, other)) == 5 for other in DIRECTIONS):
                    continue
                if all(self.makes_five(own | {fourth}, end, way) for end in ends):
                    found.add(way)
        return found

    def is_forbidden(self, own: set[int], cell: int) -> bool:
        lengths = [len(self.run(own, cell, way)) for way in DIRECTIONS]
        if 5 in lengths:
            return False
        after = own | {cell}
        return max(lengths) > 5 or len(self.fours(after, cell)) > 1 or len(self.threes(after, cell)) > 1

    def allowed(self) -> list[int]:
        board = [cell for cell in range(ROW * self.state.size) if self.is_empty(cell) and cell not in self.black]
        return [cell for cell in board if not self.is_forbidden(self.black, cell)]

    def wins(self, own: set[int], other: set[int], cell: int, rule: str, is_black: bool) -> bool:
        """Whether a stone on *cell* wins."""
        for way in DIRECTIONS:
            row = self.run(own, cell, way)
            is_closed = {row[0] - way, row[-1] + way} <= other
            if len(row) == 5 and not (is_closed and rule.startswith("caro")):
                return True
            if len(row) > 5 and (rule in ("no", "caro") or (rule == "renju" and not is_black)):
                return True
        return False


def crowded(rule: str, number: int, most: int = 40, width: int = 8) -> Iterator[State]:
    """Positions on a part of the board, at edges and corners too, without a row of five yet."""
    random = Random(f"{rule} {number}")
    for _ in range(number):
        state = gomoku.start({"size": random.choice(["15", "20"]), "exact": rule}, random)
        left, low = (random.choice([0, 4, state.size - width]) for _ in range(2))
        area = [(low + row) * ROW + left + column for row in range(width) for column in range(width)]
        black, white = set[int](), set[int]()
        for _ in range(random.randint(8, most)):
            own = black if len(black) == len(white) else white
            cell = random.choice([cell for cell in area if cell not in black | white])
            if not any(len(Slow.run(Slow(state), own, cell, way)) >= 5 for way in DIRECTIONS):
                own.add(cell)
        if len(black) > len(white):
            black.discard(random.choice(sorted(black)))
        yield gomoku.with_stones(state, *(sum(1 << cell for cell in cells) for cells in (black, white)))


class TestForbiddenCells:
    @pytest.mark.parametrize("number", [60, pytest.param(2000, marks=pytest.mark.slow)])
    def test_they_are_those_of_the_definitions(self, number: int) -> None:
        """Compiled, in plain Python, and one by one."""
        forbidden = 0
        for state in crowded("renju", number):
            assert not is_over(state)
            expected = Slow(state).allowed()
            assert moves_compiled(state) == expected
            free = legal_steps(state._replace(rule=0))
            forbidden += len(free) - len(expected)
        assert forbidden > number / 4

    def test_plain_python_says_the_same(self) -> None:
        buffer = np.empty(gomoku.MOST_STEPS, np.int64)
        for state in crowded("renju", 12):
            count = moves(state, buffer, 0)
            assert [int(step) for step in buffer[:count]] == moves_compiled(state)
            allowed = set(buffer[:count].tolist())
            empty = legal_steps(state._replace(rule=0))
            assert all(bool(gomoku.is_forbidden(state, cell)) == (cell not in allowed) for cell in empty)

    @pytest.mark.parametrize(
        ("black", "cell", "says"),
        [
            ("f8 g8 h9 h10", "h8", "two open threes"),
            ("e8 f8 g8 h9 h10 h11", "h8", "two fours"),
            ("e8 f8 g8 i8 j8", "h8", "more than five"),
            ("d8 f8 g8 j8", "h8", "two fours"),  # X_XXX_X
            ("d8 e8 g8 j8 k8", "h8", "two fours"),  # XX_XX_XX
            ("c8 d8 e8 i8 j8 k8", "g8", "two fours"),  # XXX_X_XXX
            ("e8 f8 g8", "h8", ""),  # one straight four
            ("e8 f8 g8 h9 h10", "h8", ""),  # a four and a three
            ("f8 g8 i8 j8 h9 h10 h7 h6", "h8", ""),  # five twice
            ("e8 f8 g8 i8 j8 h9 h10 h7 h6", "h8", ""),  # five along one line, six along the other
        ],
    )
    def test_known_forms(self, black: str, cell: str, says: str) -> None:
        own = sum(1 << cell_named(name) for name in black.split())
        other = [column + ROW * row for row in (0, 14) for column in range(0, 15, 2)][: own.bit_count()]
        state = gomoku.with_stones(gomoku.start(RENJU_RULES, Random(1)), own, sum(1 << cell for cell in other))
        step = cell_named(cell)
        assert (step in legal_steps(state)) == (not says)
        if says:
            assert says in gomoku.refusal(state, step) and cell in gomoku.refusal(state, step)

    def test_a_three_whose_fourth_stone_is_forbidden_is_none(self) -> None:
        """Between e8 and j8 a row can become straight on e8 or i8: six in a column forbid i8, then e8 is tried."""
        state = parse("f8 d8 g8 a1 h9 a3 h10 a5", RENJU_RULES)
        assert cell_named("h8") not in legal_steps(state)
        column = sum(1 << cell_named(name) for name in ("i5", "i6", "i7", "i9", "i10"))
        more = gomoku.with_stones(
            state, stones(state, 0) | column, stones(state, 1) | sum(1 << cell_named(f"{c}15") for c in "acegi")
        )
        assert cell_named("h8") in legal_steps(more)
        assert cell_named("i8") not in legal_steps(more)

    def test_white_has_none(self) -> None:
        state = parse("a1 f8 a3 g8 a5 h9 a7 h10 c1", RENJU_RULES)
        assert cell_named("h8") in legal_steps(state) and len(legal_steps(state)) == 15 * 15 - 9

    def test_where_every_cell_left_is_forbidden_the_game_is_drawn(self) -> None:
        board = [cell for cell in range(ROW * 15) if cell % ROW < 15]
        left = {cell_named("h8")}
        six = {cell_named(name) for name in ("e8", "f8", "g8", "i8", "j8")}
        others = [cell for cell in board if cell not in left | six]
        black = {cell for cell in others if (cell % ROW + 2 * (cell // ROW)) % 4 < 2}
        white = set(others) - black
        for cell in sorted(black):
            if len(black) + 5 <= len(white):
                break
            if cell // ROW != 7:
                black.discard(cell)
                white.add(cell)
        black |= six
        state = gomoku.with_stones(
            gomoku.start(RENJU_RULES, Random(1)),
            sum(1 << cell for cell in black),
            sum(1 << cell for cell in white),
        )._replace(won=0)
        assert state.placed % 2 == 0
        assert is_over(state) == (Slow(state).allowed() == []) and compiled_entry(is_over)(state) == is_over(state)
        assert is_over(state) and legal_steps(state) == []
        assert gomoku.ending(state) == ((0.0, 0.0), "all cells left are forbidden to Black")

    def test_random_steps_are_legal(self) -> None:
        buffer, random = np.empty(gomoku.MOST_STEPS, np.int64), random_state(3)
        for state in crowded("renju", 10):
            allowed = set(moves_compiled(state))
            assert all(int(random_step(state, buffer, random)) in allowed for _ in range(60))


class TestRowsThatWin:
    @pytest.mark.parametrize("rule", RULES)
    def test_as_defined(self, rule: str) -> None:
        """Each cell of crowded positions, compiled and in plain Python."""
        won = 0
        for state in crowded(rule, 25, 56, 8):
            slow = Slow(state)
            for turn in range(2):
                before = state._replace(placed=state.placed + turn)  # either colour is to move
                own, other = (slow.black, slow.white) if turn == 0 else (slow.white, slow.black)
                if turn:
                    before = gomoku.with_stones(state, stones(state, 0) | 1 << cell_named("a1"), stones(state, 1))
                    if cell_named("a1") in slow.black | slow.white or before.won:
                        continue
                    other = slow.black | {cell_named("a1")}
                for cell in legal_steps(before):
                    expected = slow.wins(own, other, cell, rule, turn == 0)
                    after = play(before, cell)
                    assert bool(after.won) == expected, (rule, name_of(cell))
                    assert bool(winning_rows(after)) == expected
                    if expected or cell % 7 == 0:
                        assert compiled_entry(play)(before, cell) == after
                    won += expected
        assert won > 10

    def test_a_closed_five_wins_only_where_it_may(self) -> None:
        closed = "d8 c8 e8 i8 f8 a1 g8 a3"
        edge = "a8 f8 b8 c1 c8 e1 d8 g1"
        for rule, wins in (("no", True), ("yes", True), ("renju", True), ("caro", False), ("caro-exact", False)):
            options = {"size": "15", "exact": rule}
            assert bool(play(parse(closed, options), cell_named("h8")).won) == wins
            assert play(parse(edge, options), cell_named("e8")).won  # the edge closes nothing

    def test_six_in_caro(self) -> None:
        six = "d8 c8 e8 j8 f8 a1 h8 a3 i8 a5"
        for rule, wins in (("caro", True), ("caro-exact", False)):
            assert bool(play(parse(six, {"size": "15", "exact": rule}), cell_named("g8")).won) == wins

    def test_six_in_renju_win_for_white_alone(self) -> None:
        state = parse("a1 d8 a3 e8 a5 f8 a7 h8 c1 i8 e1", RENJU_RULES)
        after = play(state, cell_named("g8"))
        assert after.won and payoff(after, 1) == 1.0


class TestGames:
    def test_perft(self) -> None:
        """The same as without forbidden cells, until two threes can meet."""
        for rule in RULES:
            assert perft(gomoku, gomoku.start({"size": "15", "exact": rule}, Random(1)), 2) == 225 * 224
        crossing = parse("h8 i8 h9 g9 i10 k8 j10 j12", RENJU_RULES)
        free = 225 - 8
        assert perft(gomoku, crossing, 1) == free - 1
        assert perft(gomoku, crossing, 2) == (free - 1) * (free - 1)

    @pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in ("no", "yes")])
    def test_random_games_keep_the_rules_and_their_texts_read_back(self, rule: str) -> None:
        options, random = {"size": "15", "exact": rule}, Random(rule)
        for _ in range(6):
            state = gomoku.start(options, random)
            while not is_over(state):
                slow = Slow(state)
                steps = moves_compiled(state)
                if state.rule == RENJU and state.placed % 2 == 0:
                    assert steps == slow.allowed()
                near = [step for step in steps if step % ROW < 9 and step // ROW < 9]
                state = play(state, random.choice(near or steps))
            assert parse(text(state), options) == state

    def test_compiled_random_games_end(self) -> None:
        buffer = np.empty(gomoku.MOST_STEPS, np.int64)
        for seed in range(30):
            last = playout(gomoku.start(RENJU_RULES, Random(1)), buffer, random_state(seed))
            assert is_over(last)
