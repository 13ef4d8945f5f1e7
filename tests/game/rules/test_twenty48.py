"""2048: the law of sliding written out slowly, exact values of the smallest board, another program's rules."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest

from papan.game.kernel.rng import random_state
from papan.game.perft import perft
from papan.game.playout import playouts
from papan.game.rules import CHANCE, PositionError, chance, is_over, legal_steps, mover, payoff, play, seats, twenty48
from papan.game.rules.twenty48 import (
    DOWN,
    LEFT,
    RIGHT,
    SIDES,
    UP,
    parse,
    start,
    text,
)
from papan.game.rules.twenty48.board import LARGEST, State, board_cells, board_of, cell_name, tile, values_of
from tests.rivals import rival
from tests.sizes import GAMES_ASKED, sample_and_all

SIZES = (2, 3, 4)


def position(described: str, size: int = 4) -> State:
    return parse(described, {"size": str(size)})


def slowly_slid(line: list[int]) -> tuple[list[int], int]:
    """What a line becomes when it slides to its beginning, and the score, by the words of the rules."""
    tiles = [value for value in line if value]
    made: list[int] = []
    score = 0
    while tiles:
        value = tiles.pop(0)
        if tiles and tiles[0] == value and value < 1 << LARGEST:
            tiles.pop(0)
            value *= 2
            score += value
        made.append(value)
    return made + [0] * (len(line) - len(made)), score


def lines_towards(size: int, direction: int) -> list[list[int]]:
    """The cells of each line, the one first that the tiles slide to."""
    cells = np.array(board_cells(size)).reshape(size, size)
    lines = cells.T if direction in (UP, DOWN) else cells
    return [[int(cell) for cell in (line[::-1] if direction in (RIGHT, DOWN) else line)] for line in lines]


def slowly_played(state: State, direction: int) -> State:
    values, score = values_of(state), state.score
    for line in lines_towards(state.size, direction):
        made, points = slowly_slid([values[cell] for cell in line])
        values.update(zip(line, made, strict=True))
        score += points
    powers = {cell: value.bit_length() - 1 for cell, value in values.items() if value}
    return board_of(powers, state.size, score, awaits_tile=True)


def random_board(random: Random, size: int, most: int) -> State:
    cells = random.sample(board_cells(size), random.randint(1, size * size))
    return board_of({cell: random.randint(1, most) for cell in cells}, size)


class TestSliding:
    @pytest.mark.parametrize("size", SIZES)
    def test_as_the_words_of_the_rules_say(self, size: int) -> None:
        random = Random(size)
        for number in range(600):
            state = random_board(random, size, (2, 4, LARGEST)[number % 3])
            changing = []
            for direction in (UP, RIGHT, DOWN, LEFT):
                expected = slowly_played(state, direction)
                if expected[:2] != state[:2]:
                    changing.append(direction)
                    assert play(state, direction) == expected
            assert legal_steps(state) == changing
            assert is_over(state) == (not changing)

    def test_a_direction_that_changes_nothing_is_no_move(self) -> None:
        state = position("2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0")
        assert legal_steps(state) == [RIGHT, DOWN]
        assert "change nothing" in twenty48.refusal_at(state, (SIDES + UP,))
        assert "arrow key" in twenty48.refusal_at(state, (3,))


class TestChance:
    @pytest.mark.parametrize("size", SIZES)
    def test_every_empty_cell_is_as_likely(self, size: int) -> None:
        random = Random(4)
        for _ in range(50):
            state = random_board(random, size, 3)._replace(awaits_tile=1)
            empty = [cell for cell, value in values_of(state).items() if not value]
            if not empty:
                continue
            assert mover(state) == CHANCE and not is_over(state)
            steps = legal_steps(state)
            assert sorted(steps) == sorted(2 * cell + four for cell in empty for four in (0, 1))
            for step in steps:
                after = play(state, step)
                assert values_of(after) == values_of(state) | {step // 2: 4 if step % 2 else 2}
                assert (after.score, after.awaits_tile) == (state.score, 0)
                assert chance(state, step) == pytest.approx((0.1 if step % 2 else 0.9) / len(empty))

    def test_the_start_is_dealt_by_the_same_law(self) -> None:
        fours = 0
        seen: set[int] = set()
        for seed in range(2000):
            state = start({"size": "4", "start": "random"}, Random(seed))
            dealt = [(cell, value) for cell, value in values_of(state).items() if value]
            assert len(dealt) == 2 and state.score == 0 and mover(state) == 0
            fours += sum(value == 4 for _, value in dealt)
            seen.update(cell for cell, _ in dealt)
        assert 320 < fours < 480 and len(seen) == 16
        for seed in range(50):
            assert sorted(values_of(start({"size": "2", "start": "22"}, Random(seed))).values()) == [0, 0, 2, 2]


def expected_or_best(state: State, values: dict[int, float]) -> float:
    """The value of *state*, given the value of each step from it."""
    if mover(state) == CHANCE:
        return sum(chance(state, step) * value for step, value in values.items())
    return max(values.values())


class TestExactValues:
    """Optimal play on the smallest board, from two tiles dealt as in the game itself."""

    STARTS = tuple(
        (board_of({first: one, second: other}, 2), share)
        for first, second in product(board_cells(2), repeat=2)
        if first < second
        for one, other in product((1, 2), repeat=2)
        for share in [(0.9, 0.1)[one - 1] * (0.9, 0.1)[other - 1] / 6]
    )

    @pytest.mark.parametrize(("power", "expected"), [(3, 1.0), (4, 0.96251125375), (5, 0.0828872890716), (6, 0.0)])
    def test_the_chance_to_reach_a_tile(self, power: int, expected: float) -> None:
        @cache
        def best(state: State) -> float:
            if any(tile(state, cell) >= power for cell in board_cells(2)):
                return 1.0
            if is_over(state):
                return 0.0
            values = {step: best(play(state, step)._replace(score=0)) for step in legal_steps(state)}
            return expected_or_best(state, values)

        assert sum(share * best(state) for state, share in self.STARTS) == pytest.approx(expected, abs=1e-12)

    def test_the_best_expected_score(self) -> None:
        @cache
        def best(state: State) -> float:
            """What is still to come, of a state with a score of 0."""
            if is_over(state):
                return 0.0
            values = {}
            for step in legal_steps(state):
                after = play(state, step)
                values[step] = after.score + best(after._replace(score=0))
            return expected_or_best(state, values)

        assert sum(share * best(state) for state, share in self.STARTS) == pytest.approx(66.9641494571, abs=1e-9)


class TestAgainstAnotherProgram:
    """OpenSpiel's 2048, which draws tiles by explicit chance nodes, and stops at a tile of 2048 (not met here).

    It does not offer a direction in which nothing would happen but that tiles merge which the last slide has made.
    """

    @sample_and_all("games", 20, GAMES_ASKED)
    def test_random_games_are_the_same(self, games: int) -> None:
        pyspiel = rival("pyspiel")
        game = pyspiel.load_game("2048")
        random = Random(21)
        offered = not_offered = 0
        directions = {"Up": UP, "Right": RIGHT, "Down": DOWN, "Left": LEFT}
        for _ in range(games):
            theirs = game.new_initial_state()
            while theirs.is_chance_node():
                theirs.apply_action(random.choice(theirs.legal_actions()))
            state = board_of(self.powers(theirs), 4)
            while not theirs.is_terminal():
                assert not is_over(state)
                if theirs.is_chance_node():
                    assert state.awaits_tile
                    outcomes = theirs.chance_outcomes()
                    assert len(outcomes) == len(legal_steps(state))
                    assert sorted(p for _, p in outcomes) == pytest.approx(
                        sorted(chance(state, step) for step in legal_steps(state))
                    )
                    action = random.choice(outcomes)[0]
                    theirs.apply_action(action)
                    added = {cell: power for cell, power in self.powers(theirs).items() if not tile(state, cell)}
                    ((cell, power),) = added.items()
                    state = play(state, 2 * cell + power - 1)
                else:
                    actions = {directions[theirs.action_to_string(a)]: a for a in theirs.legal_actions()}
                    missing = set(legal_steps(state)) - set(actions)
                    assert set(actions) <= set(legal_steps(state))
                    assert all(play(state, step).score > state.score for step in missing)
                    offered += len(actions)
                    not_offered += len(missing)
                    step = random.choice(sorted(actions))
                    theirs.apply_action(actions[step])
                    state = play(state, step)
                assert {cell: tile(state, cell) for cell in board_cells(4) if tile(state, cell)} == self.powers(theirs)
            assert all(play(state, step).score > state.score for step in legal_steps(state))
            assert theirs.returns() == [payoff(state, 0)]
        assert not_offered < offered / 20

    @staticmethod
    def powers(theirs: object) -> dict[int, int]:
        values = [int(word) for word in str(theirs).split() if word.isdigit()]
        assert len(values) == 16
        return {cell: value.bit_length() - 1 for cell, value in enumerate(values) if value}


class TestTexts:
    def test_the_example(self) -> None:
        state = position("2,0/0,4 0", 2)
        assert values_of(state) == {0: 2, 1: 0, 4: 0, 5: 4}
        assert [cell_name(cell, 2) for cell in board_cells(2)] == ["a2", "b2", "a1", "b1"]
        after = play(state, UP)
        assert text(after) == "2,4/0,0 0 chance"
        assert position(text(after), 2) == after
        assert [twenty48.notation(after, step) for step in legal_steps(after)] == ["2@a1", "4@a1", "2@b1", "4@b1"]

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ("2,0/0,4", "the score"),
            ("2,0/0,4 0 ", "the score"),
            ("2,0/0,4 00", "the score"),
            ("2,0,0/0,4,0 0", "Row 1 has 3 cells"),
            ("2,0/0,4/0,0 0", "there are 3 here"),
            ("2,0/0,5 0", "Row 2, cell 2: '5' is not a tile"),
            ("2,0/0,04 0", "Row 2, cell 2"),
            ("2,0/0,65536 0", "32768"),
            ("2,0/0,0 0", "too few tiles"),
            ("0,0/0,0 0 chance", "too few tiles"),
            ("2,4/2,4 4 chance", "no empty cell"),
            ("2,0/0,4 8", "0 to 4, in steps of 4"),
            ("2,0/0,8 20", "8 to 16"),
            ("2,0/0,8 4", "8 to 16"),
            ("2,0/0,8 10", "steps of 4"),
        ],
    )
    def test_nonsense_is_refused_with_the_place(self, wrong: str, says: str) -> None:
        with pytest.raises(PositionError) as error:
            position(wrong, 2)
        assert says in str(error.value)


def test_endings() -> None:
    state = position("2,4/4,2 0", 2)
    assert is_over(state) and legal_steps(state) == [] and seats(state) == 1
    assert twenty48.ending(position("8,4/4,2 8", 2)) == ((8.0,), "no tile can move")
    assert legal_steps(position("2,4/2,8 8", 2)) == [UP, DOWN], "full, but with equal neighbours"
    assert legal_steps(position("2,2/4,8 8", 2)) == [RIGHT, LEFT]


def test_depth_counts_the_players_moves() -> None:
    """What chance brings is no turn of a player: a depth of 2 is slide, tile, slide."""
    state = position("2,2/0,0 0", 2)
    slides = [play(state, step) for step in legal_steps(state)]
    assert perft(twenty48, state, 1) == len(slides) == 3
    tiles = [play(slide, step) for slide in slides for step in legal_steps(slide)]
    assert perft(twenty48, state, 2) == sum(len(legal_steps(after)) for after in tiles)


def test_random_games_score_about_eleven_hundred() -> None:
    """The mean of uniformly random play, which many have measured."""
    state = start({"size": "4", "start": "random"}, Random(1))
    buffer = np.empty(twenty48.MOST_STEPS, np.int64)
    assert 1060 < playouts(state, 4000, buffer, random_state(3)) / 4000 < 1130
