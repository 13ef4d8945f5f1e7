"""2048's evaluation: the features against slow definitions, levels of clearly different strength."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import CONSPIRACY, STANDARD, evaluate, mean_evaluation
from papan.ai.evaluation.terms import weighed
from papan.ai.evaluation.twenty48 import LINES, WEIGHTS, terms, two_lines
from papan.ai.players import make_player, situation
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import CHANCE, chance, is_over, legal_steps, mover, play
from papan.game.rules.twenty48.board import State, board_cells, board_of, tile
from papan.lab.arena import make_players, play_match

GAME = GAMES["2048"]


def lines_of(state: State) -> list[list[int]]:
    """The powers of two of the four rows and the four columns."""
    cells = np.array([tile(state, cell) for cell in board_cells(4)]).reshape(4, 4)
    return [[int(power) for power in line] for line in (*cells, *cells.T)]


def slow_features(line: list[int]) -> tuple[int, int, int, int]:
    """Empty cells, tiles that can merge, disorder and size of a line."""
    merging = {at + side for at in range(3) for side in (0, 1) if line[at] == line[at + 1] > 0}
    steps = [after**4 - before**4 for before, after in pairwise(line)]
    disorder = min(sum(step for step in steps if step > 0), sum(-step for step in steps if step < 0))
    return line.count(0), len(merging), disorder, round(sum(power**3.5 for power in line))


def slow_value(state: State, weights: tuple[float, ...]) -> float:
    features = [slow_features(line) for line in lines_of(state)]
    sums: list[int] = [sum(kind) for kind in zip(*features, strict=True)]
    return state.score + 8 * weights[0] + sum(w * s for w, s in zip(weights[1:], sums, strict=True))


class TestFeatures:
    @pytest.mark.parametrize("most", [3, 8, 15])
    def test_are_what_they_say(self, most: int) -> None:
        random = Random(most)
        for _ in range(400):
            cells = random.sample(board_cells(4), random.randint(1, 16))
            state = board_of({cell: random.randint(1, most) for cell in cells}, 4, score=random.randrange(9000))
            for weights in (WEIGHTS[STANDARD], (3.0, 5.0, 7.0, 11.0, 13.0)):
                assert evaluate(state, 0, np.array(weights)) == pytest.approx(slow_value(state, weights))

    def test_none_runs_into_the_next(self) -> None:
        """Eight lines with the most that a feature can be."""
        worst = [0x0000, 0x1111, 0xF0F0, 0x0F0F, 0xFFFF]
        for line in worst:
            powers = [line >> 4 * place & 15 for place in range(4)]
            empty, merging, disorder, size = slow_features(powers)
            eight = 4 * two_lines(line | line << 16)
            assert eight == 8 * (empty | merging << 8 | disorder << 16 | size << 38)
            assert 8 * empty < 1 << 8 and 8 * merging < 1 << 8 and 8 * disorder < 1 << 22
        assert int(LINES.max()) * 8 < 2**63

    def test_order_is_worth_more_than_disorder(self) -> None:
        weights = np.array(WEIGHTS[STANDARD])
        ordered = board_of({0: 9, 1: 7, 2: 5, 3: 3}, 4)
        mixed = board_of({0: 7, 1: 3, 2: 9, 3: 5}, 4)
        assert evaluate(ordered, 0, weights) > evaluate(mixed, 0, weights)


class TestSnake:
    """Equation 9 of Primanita, Khalid and Iida (2021): the sum of weight times tile along a snake from a corner."""

    @staticmethod
    def slow(tiles: np.ndarray[Any, Any], weights: Sequence[float]) -> float:
        """The largest sum of the board's eight images."""
        size = len(tiles)
        matrix = np.zeros((4, 4))
        for row, weight in enumerate(weights):
            for column in range(4):
                matrix[row, column] = weight * 0.5 ** (column if row % 2 == 0 else 3 - column)
        images = [np.rot90(board, turns) for board in (tiles, tiles.T) for turns in range(4)]
        return max(float((matrix[:size, :size] * image).sum()) for image in images)

    @pytest.mark.parametrize("size", [2, 3, 4])
    def test_the_mean_over_new_tiles_is_that_of_single_ones(self, size: int) -> None:
        random = Random(size)
        weights = np.array(WEIGHTS[CONSPIRACY])
        for _ in range(100):
            cells = random.sample(board_cells(size), random.randint(1, size * size - 1))
            state = board_of({cell: random.randint(1, 15) for cell in cells}, size, awaits_tile=True)
            values = (chance(state, step) * evaluate(play(state, step), 0, weights) for step in legal_steps(state))
            assert mean_evaluation(state, 0, weights) == sum(values)
            assert mean_evaluation(state, 0, np.array(WEIGHTS[STANDARD])) == math.inf

    @pytest.mark.parametrize("size", [2, 3, 4])
    def test_is_what_it_says(self, size: int) -> None:
        random = Random(size)
        rows = WEIGHTS[CONSPIRACY]
        assert rows == (1.0, 1 / 16, 1 / 256, 1 / 4096)
        for _ in range(300):
            cells = random.sample(board_cells(size), random.randint(1, size * size))
            state = board_of({cell: random.randint(1, 15) for cell in cells}, size)
            tiles = np.array([tile(state, cell) for cell in board_cells(size)]).reshape(size, size)
            values = np.where(tiles > 0, np.exp2(tiles), 0.0)
            for weights in (rows, (3.0, 0.5, 0.25, 2.0)):
                assert evaluate(state, 0, np.array(weights)) == self.slow(values, weights)

    def test_its_rows_are_weighed_by_how_much_they_count_of_what_they_do(self) -> None:
        state = board_of({0: 3, 5: 2, 10: 1, 15: 4}, 4)
        weights = WEIGHTS[CONSPIRACY]
        named = terms(state, weights)
        assert [(term.name, term.weight) for term in named] == [(f"row{row}", 1.0) for row in (1, 2, 3, 4)]
        assert weighed(named, weights, {"row2": 0.5}) == [weights[0], weights[1] / 2, *weights[2:]]


class TestStrength:
    def score(self, name: str, games: int, options: dict[str, str] | None = None) -> float:
        """Its mean score."""
        total = 0.0
        for seed in range(games):
            match = Match.new(GAME, [name], options, seed)
            ending = play_match(match, make_players(GAME, [name])).ending
            assert ending
            total += ending.payoffs[0]
        return total / games

    def test_the_levels_stand_apart(self) -> None:
        """On a board of three by three, where games are short."""
        small = {"size": "3"}
        random, easy = self.score("random", 20, small), self.score("minimax:easy", 20, small)
        medium, two = self.score("minimax:medium", 8, small), self.score("minimax:depth=2", 4, small)
        assert 1.3 * random < easy < 0.7 * medium and medium < two


class TestSeedPlayers:
    """The players of Primanita, Khalid and Iida (2021): expectimax on the snake, ends judged as any position."""

    @pytest.mark.parametrize(("name", "depth"), [("rookie", 2), ("casual", 3), ("expert", 4), ("master", 5)])
    def test_each_looks_as_far_as_the_paper_says(self, name: str, depth: int) -> None:
        match = Match.new(GAMES["2048"], [name], {"size": "2"}, seed=1)
        while match.mover == CHANCE:
            match.play(match.chance_step())
        player = make_player(name, GAMES["2048"])
        found = player.choose(situation(match))
        assert found.depth == depth or found.is_proven

    def test_the_score_is_expectimax_by_equation_9(self) -> None:
        """Against a slow expectimax of two turns, on a board that is nearly full, so that games end on the way."""
        weights = np.array(WEIGHTS[CONSPIRACY], float)
        state = board_of({0: 3, 1: 2, 4: 1}, 2)._replace(score=20)

        def slow(one: State, player: int, turns: int) -> float:
            if is_over(one):
                return float(evaluate(one, 0, weights))
            seat = mover(one)
            if seat == CHANCE:
                return sum(chance(one, step) * slow(play(one, step), seat, turns) for step in legal_steps(one))
            if player != 0 and turns == 0:
                return float(evaluate(one, 0, weights))
            return max(slow(play(one, step), 0, turns - 1) for step in legal_steps(one))

        match = Match.new(GAMES["2048"], ["rookie"], {"size": "2"}, seed=1, position=GAMES["2048"].rules.text(state))
        found = make_player("rookie", GAMES["2048"]).choose(situation(match))
        assert found.score == pytest.approx(slow(match.state, -2, 2))
